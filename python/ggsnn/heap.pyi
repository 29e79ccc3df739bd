from collections.abc import Sequence
from typing import Any

from ._programs import Heap

class Prediction:
    heaps: list[Heap]
    formula: str
    holds: bool
    score: float
    alone: str
    trace: list[Any]
    def _repr_html_(self) -> str: ...

def predict(
    heaps: str | dict[str, Any] | Heap | Sequence[str | dict[str, Any] | Heap], *, trace: bool = ..., beam: int = ...
) -> Prediction: ...
