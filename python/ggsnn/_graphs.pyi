from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

class Graph:
    def __init__(
        self,
        nodes: int | Iterable[Any],
        edges: ArrayLike | Iterable[Sequence[Any]] = ...,
        *,
        features: Any = ...,
        types: Sequence[Any] | None = ...,
        weights: ArrayLike | None = ...,
        edge_features: ArrayLike | None = ...,
        id: Any = ...,
    ) -> None: ...
    @classmethod
    def from_scipy(cls, matrices: Any, *, weighted: bool = ..., **known: Any) -> Graph: ...
    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        *,
        type: str = ...,
        weight: str | None = ...,
        features: str | None = ...,
        node_type: str | None = ...,
        edge_features: str | None = ...,
        id: Any = ...,
    ) -> Graph: ...
    @property
    def nodes(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def edges(self) -> int: ...
    def arrays(self) -> dict[str, Any]: ...
    def ask(self, type: str = ..., *arguments: int | str, hints: Mapping[str, ArrayLike] | None = ...) -> Question: ...
    def _repr_svg_(self) -> str: ...

class Question:
    graph: Graph
    type: str
    arguments: tuple[int, ...]
    hints: dict[str, NDArray[np.int32]] | None
    def __init__(
        self,
        graph: Graph,
        type: str = ...,
        arguments: Iterable[int | str] = ...,
        hints: Mapping[str, ArrayLike] | None = ...,
    ) -> None: ...

def graphs(
    edge_index: ArrayLike,
    *,
    batch: ArrayLike | None = ...,
    edge_type: ArrayLike | None = ...,
    features: ArrayLike | None = ...,
    weights: ArrayLike | None = ...,
    edge_features: ArrayLike | None = ...,
) -> list[Graph]: ...
def story(sentences: Iterable[str], question: str) -> Question: ...
def read(path: str | PathLike[str], *, answers: bool = ...) -> tuple[list[Question], list[Any]]: ...
