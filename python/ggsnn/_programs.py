"""Formulas, heaps and C programs; results draw themselves in a notebook."""

import html
import json
import os

from ._core import Error


class Heap:
    """A concrete heap: cells with fields, and variables that point to them."""

    def __init__(self, value):
        try:
            self.json = json.loads(value) if isinstance(value, str) else value
        except json.JSONDecodeError as error:
            raise Error(f"heap: {error}") from None

    def __repr__(self):
        from . import _logic

        return f"<Heap: {_logic.heap_text(json.dumps(self.json))}>"

    def _repr_svg_(self):
        from . import _logic

        return _logic.heap_svg(json.dumps(self.json))


class Proof:
    """What the prover says of an entailment or a problem."""

    def __init__(self, question, result):
        self.question = question
        self.verdict = result["answer"]
        self.reason = result.get("reason", "")
        self.cases = result["cases"]
        self.heap = Heap(result["model"]) if "model" in result else None
        self.numbers = result.get("numbers", "")  # integers of names and cells of that heap
        self.written = result.get("proof", "")  # what the checker of proofs reads

    def __bool__(self):
        return self.verdict in ("valid", "unsat", "unsatisfiable")

    def __repr__(self):
        why = f" because {self.reason}" if self.reason else ""
        return f"<Proof: {self.question} is {self.verdict}{why}>"

    def _repr_html_(self):
        text = f"<p><code>{html.escape(self.question)}</code>: <b>{self.verdict}</b></p>"
        if self.reason:
            text += f"<p>{html.escape(self.reason)}</p>"
        return text + (self.heap._repr_svg_() if self.heap else "")


def prove(entailment, right=None, *, definitions="", timeout=10.0, memory=2048.0, written=False):
    """Proves an entailment, given as "A |- B" or as two formulas; or an SMT-LIB problem, given as its text.

    definitions: predicates of one's own, "define p(x, n) := ...". A formula alone asks whether there is such a heap.
    The result is true where it is proved; where it is invalid, its heap breaks the entailment. timeout: seconds of
    processor time; memory: megabytes. written: for a problem that is an entailment, the proof is written down as well,
    in `written`, for `check_proof`.
    """
    from . import _logic

    if right is not None:
        entailment = f"{entailment} |- {right}"
    if _logic.is_smtlib(entailment):
        _check_limits(timeout, memory)
        proof = Proof("the problem", json.loads(_logic.prove_smtlib(entailment, timeout, memory, written)))
        if written and proof.verdict == "unsat" and not proof.written:
            raise Error("no proof was found that could be written; more time may help (timeout)")
        return proof
    if written:
        raise Error("written: proofs of SMT-LIB problems can be written, not of texts")
    proofs = prove_all(f"{definitions}\n{entailment}" if definitions else entailment, timeout=timeout, memory=memory)
    if len(proofs) != 1:
        raise Error(f"found {len(proofs)} questions, expected one; prove_all answers several")
    return proofs[0]


def prove_all(text, *, timeout=10.0, memory=2048.0):
    """Answers every question of a text: definitions, then entailments and formulas, each ended by a semicolon.

    timeout: seconds of processor time for each; memory: megabytes.
    """
    from . import _logic

    _check_limits(timeout, memory)
    return [Proof(one["question"], one) for one in json.loads(_logic.prove(text, timeout, memory))]


def _check_limits(timeout, memory):
    if not timeout > 0 or not memory > 0:
        raise Error(f"timeout is {timeout!r} and memory {memory!r}; expected more than 0")


class Function:
    """The verdict on one function."""

    def __init__(self, report):
        self.json = report
        self.name = report["name"]
        self.line = report["line"]
        self.verdict = report["verdict"]
        self.reason = report["reason"]
        self.requires = report["requires"]
        self.ensures = report.get("ensures")
        self.invariants = [(loop["line"], loop["invariant"]) for loop in report["loops"]]
        run = report.get("run")
        self.input = Heap(run["input"]) if run else None  # that shows the error
        self.heap = Heap(run["heap"]) if run else None  # where it fails

    def __repr__(self):
        return f"<Function {self.name}: {self.verdict}{': ' + self.reason if self.reason else ''}>"


class Verification:
    """The verdicts on a C file."""

    def __init__(self, result):
        self.json = json.loads(result["report"])
        self.text = result["text"]
        self.message = result["message"]
        self.page = result["page"]
        self.replay = result["replay"]  # a C program that shows the first error; empty: none
        self.functions = [Function(f) for f in self.json.get("functions", [])]

    @property
    def proved(self):
        """Whether every function is proved."""
        return bool(self.functions) and all(f.verdict == "proved" for f in self.functions)

    def __getitem__(self, name):
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)

    def __iter__(self):
        return iter(self.functions)

    def __len__(self):
        return len(self.functions)

    def __str__(self):
        return self.text or self.message

    def __repr__(self):
        return f"<Verification: {', '.join(f'{f.name} {f.verdict}' for f in self.functions) or self.message}>"

    def _repr_html_(self):
        source = html.escape(self.page, quote=True)
        return f'<iframe srcdoc="{source}" style="width:100%;height:32em;border:0"></iframe>' if self.page else ""


def verify(program, *, flags=(), functions=(), specification="", allocation_may_fail=False, infer=False, timeout=30.0):
    """Verifies the functions of a C program: a path, or the program itself as a text with a newline or a brace.

    infer: invariants from runs, without proof. timeout: seconds for all of it.
    """
    from . import _logic

    if not timeout > 0:
        raise Error(f"timeout is {timeout!r}; expected more than 0")
    text = os.fspath(program)
    is_source = "\n" in text or "{" in text
    result = _logic.verify(
        "program.c" if is_source else text,
        text if is_source else None,
        list(flags),
        list(functions),
        str(specification),
        allocation_may_fail,
        infer,
        timeout,
    )
    if "error" in json.loads(result["report"]):
        raise Error(result["message"])
    return Verification(result)
