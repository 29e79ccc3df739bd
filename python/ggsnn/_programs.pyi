from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any

class Heap:
    json: dict[str, Any]
    def __init__(self, value: str | dict[str, Any]) -> None: ...
    def _repr_svg_(self) -> str: ...

class Proof:
    question: str
    verdict: str
    reason: str
    cases: int
    heap: Heap | None
    numbers: str
    written: str
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...

def prove(
    entailment: str,
    right: str | None = ...,
    *,
    definitions: str = ...,
    timeout: float = ...,
    memory: float = ...,
    written: bool = ...,
) -> Proof: ...
def prove_all(text: str, *, timeout: float = ..., memory: float = ...) -> list[Proof]: ...

class Function:
    json: dict[str, Any]
    name: str
    line: int
    verdict: str
    reason: str
    requires: Any
    ensures: Any
    invariants: list[tuple[int, str]]
    input: Heap | None
    heap: Heap | None

class Verification:
    json: dict[str, Any]
    text: str
    message: str
    page: str
    replay: str
    functions: list[Function]
    @property
    def proved(self) -> bool: ...
    def __getitem__(self, name: str) -> Function: ...
    def __iter__(self) -> Iterator[Function]: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

def verify(
    program: str | PathLike[str],
    *,
    flags: Sequence[str] = ...,
    functions: Sequence[str] = ...,
    specification: str = ...,
    allocation_may_fail: bool = ...,
    infer: bool = ...,
    timeout: float = ...,
) -> Verification: ...
