"""Types for editors and checkers are those of the program's tables, and every public name has a docstring."""

import inspect
import sys
from pathlib import Path

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
            for method, value in vars(thing).items():
                if not method.startswith("_") and inspect.isfunction(value):
                    assert value.__doc__, f"{name}.{method}"


def test_parameters_are_said_in_the_documentation_of_estimators():
    assert "callbacks" in ggsnn.GraphClassifier.__doc__ and "callbacks" in ggsnn.NodeSequencer.__doc__
