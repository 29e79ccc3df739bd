"""Types for editors and checkers are those of the program's tables, and every public name has a docstring."""

import ast
import inspect
import sys
from pathlib import Path

import pytest

import ggsnn

PYTHON = Path(__file__).resolve().parents[1]


def test_stubs_are_current():
    sys.path.insert(0, str(PYTHON / "tools"))
    import make_stubs

    current = (PYTHON / "ggsnn" / "_estimators.pyi").read_text()
    assert current == make_stubs.text(), "run python3 python/tools/make_stubs.py python/ggsnn/_estimators.pyi"


def test_stubs_parse():
    for path in (PYTHON / "ggsnn").glob("*.pyi"):
        compile(path.read_text(), str(path), "exec")


def test_everything_is_documented():
    for name in ggsnn.__all__:
        thing = getattr(ggsnn, name)
        assert thing.__doc__ or issubclass(thing, Exception), name
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for method, value in inspect.getmembers(thing):
                if not method.startswith("_") and (inspect.isroutine(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{method}"
    assert ggsnn.heap.predict.__doc__ and ggsnn.heap.Prediction.__doc__


def parameters_of(node):
    """(name, whether it has a default) of each parameter; * and ** as they are."""
    a = node.args
    positional = a.posonlyargs + a.args
    out = [(p.arg, i >= len(positional) - len(a.defaults)) for i, p in enumerate(positional)]
    out += [("*" + a.vararg.arg, False)] if a.vararg else []
    out += [(p.arg, d is not None) for p, d in zip(a.kwonlyargs, a.kw_defaults)]
    return out + ([("**" + a.kwarg.arg, False)] if a.kwarg else [])


def public(tree):
    """Functions, classes and their methods by name; of functions their parameters."""
    out = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            out[node.name] = None
            out.update({f"{node.name}.{name}": value for name, value in public(node).items()})
        elif isinstance(node, ast.FunctionDef) and (not node.name.startswith("_") or node.name == "__init__"):
            out[node.name] = parameters_of(node)
    return out


@pytest.mark.parametrize("name", ["_graphs", "_models", "_programs", "heap"])
def test_stubs_say_what_the_sources_say(name):
    stub, source = (public(ast.parse((PYTHON / "ggsnn" / f"{name}.{end}").read_text())) for end in ("pyi", "py"))
    made_inside = {"Explanation.__init__", "Model.__init__", "Proof.__init__", "Function.__init__", "Verification.__init__", "Prediction.__init__"}
    not_for_users = {"plain", "request_of", "questions_of"}
    assert stub == {key: value for key, value in source.items() if key not in made_inside | not_for_users}


def test_parameters_are_said_in_the_documentation_of_estimators():
    assert "callbacks" in ggsnn.GraphClassifier.__doc__ and "callbacks" in ggsnn.NodeSequencer.__doc__
