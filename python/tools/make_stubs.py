"""Writes python/ggsnn/_estimators.pyi, in which every setting is a parameter with its type: python3 make_stubs.py FILE."""

import sys

import ggsnn
from ggsnn._estimators import _OWN, _SETTINGS

TYPES = {"whole": "int", "number": "float", "word": "str", "flag": "bool"}
OWN = {
    "model": "str | None",
    "seed": "int",
    "threads": "int",
    "time": "float | None",
    "valid_count": "int | None",
    "verbose": "bool",
    "callbacks": "Callable[[dict[str, Any]], Any] | Iterable[Callable[[dict[str, Any]], Any]]",
}
HEAD = '''# Written by make_stubs.py from the tables of settings.
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._graphs import Graph, Question
from ._models import Explanation, Model

_X = Sequence[Graph | Question] | Graph | Question
'''
BODY = '''
    model_: Model
    recipe_: str
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> {cls}: ...
    def fit(
        self, X: _X, y: {y}, *, valid: tuple[_X, Any] | None = ..., split: Any = ..., annotations: Any = ...
    ) -> {cls}: ...
    def predict(self, X: _X{beam}) -> Any: ...
{extra}    def score(self, X: _X, y: {y}{weight}) -> float: ...
    def evaluate(self, X: _X, y: {y}) -> dict[str, Any]: ...
    def embed(self, X: _X, *, of: str = ..., steps: int = ...) -> Any: ...
    def explain(
        self, question: Graph | Question, *, node: int | str | None = ..., output: int = ..., points: int = ...
    ) -> Explanation: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> {cls}: ...
'''
PROBA = "    def predict_proba(self, X: _X) -> Any: ...\n"
CLASSES = "    classes_: NDArray[Any]\n"
ESTIMATORS = [
    ("GraphClassifier", "ArrayLike", CLASSES + PROBA, True, False),
    ("GraphRegressor", "ArrayLike", "", True, False),
    ("NodeClassifier", "Sequence[Any]", CLASSES + PROBA, False, False),
    ("NodeRegressor", "Sequence[Any]", "", False, False),
    ("NodeSelector", "Sequence[int | str]", PROBA, False, False),
    ("NodeSequencer", "Sequence[Any]", PROBA, False, True),
    ("ClassSequencer", "Sequence[Any]", CLASSES + PROBA, False, True),
]


def parameters():
    types = {"class_weights": "str | dict[str, float]"}
    for kind in ggsnn.kinds():
        types.update({s["name"]: TYPES[s["type"]] for s in ggsnn.settings(kind)})
    rows = [f"        {name}: {OWN[name]} = ...," for name in _OWN]
    return rows + [f"        {name}: {types[name]} | None = ...," for name in _SETTINGS]


def text():
    out = HEAD
    for cls, y, extra, weight, beam in ESTIMATORS:
        out += f"\nclass {cls}:\n    def __init__(\n        self,\n        *,\n" + "\n".join(parameters())
        out += "\n    ) -> None: ..."
        out += BODY.format(
            cls=cls,
            y=y,
            extra=extra,
            weight=", sample_weight: ArrayLike | None = ..." if weight else "",
            beam=", *, beam: int = ..." if beam else "",
        )
    return out


if __name__ == "__main__":
    with open(sys.argv[1], "w") as file:
        file.write(text())
