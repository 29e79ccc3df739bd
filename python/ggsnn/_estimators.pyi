# Written by make_stubs.py from the tables of settings.
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._graphs import Graph, Question
from ._models import Explanation, Model

_X = Sequence[Graph | Question] | Graph | Question

class GraphClassifier:
    def __init__(
        self,
        *,
        model: str | None = ...,
        seed: int = ...,
        threads: int = ...,
        time: float | None = ...,
        valid_count: int | None = ...,
        verbose: bool = ...,
        callbacks: Callable[[dict[str, Any]], Any] | Iterable[Callable[[dict[str, Any]], Any]] = ...,
        class_weights: str | dict[str, float] | None = ...,
        learning_rate: float | None = ...,
        schedule: str | None = ...,
        updates: int | None = ...,
        batch: int | None = ...,
        l1: float | None = ...,
        l2: float | None = ...,
        clip: float | None = ...,
        state_dropout: float | None = ...,
        feature_dropout: float | None = ...,
        edge_dropout: float | None = ...,
        label_smoothing: float | None = ...,
        average: float | None = ...,
        warmup: int | None = ...,
        loss: str | None = ...,
        exchanged: int | None = ...,
        balance: bool | None = ...,
        evaluate_every: int | None = ...,
        patience: int | None = ...,
        keep_best: bool | None = ...,
        stop_loss: float | None = ...,
        restarts: int | None = ...,
        stop_at_zero: bool | None = ...,
        ensemble: int | None = ...,
        low_memory: bool | None = ...,
        variant: str | None = ...,
        directions: str | None = ...,
        state: int | None = ...,
        annotation: int | None = ...,
        steps: int | None = ...,
        shared_propagation: bool | None = ...,
        embedding: int | None = ...,
        residual: bool | None = ...,
        messages: str | None = ...,
        reset: str | None = ...,
        matrices: str | None = ...,
        readout: str | None = ...,
        reach: int | None = ...,
        pairs: int | None = ...,
        edge_function: str | None = ...,
        contraction: float | None = ...,
        order: str | None = ...,
        rename: bool | None = ...,
        hints: bool | None = ...,
        bits: int | None = ...,
        rounded: bool | None = ...,
        choice: bool | None = ...,
    ) -> None: ...
    model_: Model
    recipe_: str
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> GraphClassifier: ...
    def fit(
        self, X: _X, y: ArrayLike, *, valid: tuple[_X, Any] | None = ..., split: Any = ..., annotations: Any = ...
    ) -> GraphClassifier: ...
    def predict(self, X: _X) -> Any: ...
    classes_: NDArray[Any]
    def predict_proba(self, X: _X) -> Any: ...
    def score(self, X: _X, y: ArrayLike, sample_weight: ArrayLike | None = ...) -> float: ...
    def evaluate(self, X: _X, y: ArrayLike) -> dict[str, Any]: ...
    def embed(self, X: _X, *, of: str = ..., steps: int = ...) -> Any: ...
    def explain(
        self, question: Graph | Question, *, node: int | str | None = ..., output: int = ..., points: int = ...
    ) -> Explanation: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> GraphClassifier: ...

class GraphRegressor:
    def __init__(
        self,
        *,
        model: str | None = ...,
        seed: int = ...,
        threads: int = ...,
        time: float | None = ...,
        valid_count: int | None = ...,
        verbose: bool = ...,
        callbacks: Callable[[dict[str, Any]], Any] | Iterable[Callable[[dict[str, Any]], Any]] = ...,
        class_weights: str | dict[str, float] | None = ...,
        learning_rate: float | None = ...,
        schedule: str | None = ...,
        updates: int | None = ...,
        batch: int | None = ...,
        l1: float | None = ...,
        l2: float | None = ...,
        clip: float | None = ...,
        state_dropout: float | None = ...,
        feature_dropout: float | None = ...,
        edge_dropout: float | None = ...,
        label_smoothing: float | None = ...,
        average: float | None = ...,
        warmup: int | None = ...,
        loss: str | None = ...,
        exchanged: int | None = ...,
        balance: bool | None = ...,
        evaluate_every: int | None = ...,
        patience: int | None = ...,
        keep_best: bool | None = ...,
        stop_loss: float | None = ...,
        restarts: int | None = ...,
        stop_at_zero: bool | None = ...,
        ensemble: int | None = ...,
        low_memory: bool | None = ...,
        variant: str | None = ...,
        directions: str | None = ...,
        state: int | None = ...,
        annotation: int | None = ...,
        steps: int | None = ...,
        shared_propagation: bool | None = ...,
        embedding: int | None = ...,
        residual: bool | None = ...,
        messages: str | None = ...,
        reset: str | None = ...,
        matrices: str | None = ...,
        readout: str | None = ...,
        reach: int | None = ...,
        pairs: int | None = ...,
        edge_function: str | None = ...,
        contraction: float | None = ...,
        order: str | None = ...,
        rename: bool | None = ...,
        hints: bool | None = ...,
        bits: int | None = ...,
        rounded: bool | None = ...,
        choice: bool | None = ...,
    ) -> None: ...
    model_: Model
    recipe_: str
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> GraphRegressor: ...
    def fit(
        self, X: _X, y: ArrayLike, *, valid: tuple[_X, Any] | None = ..., split: Any = ..., annotations: Any = ...
    ) -> GraphRegressor: ...
    def predict(self, X: _X) -> Any: ...
    def score(self, X: _X, y: ArrayLike, sample_weight: ArrayLike | None = ...) -> float: ...
    def evaluate(self, X: _X, y: ArrayLike) -> dict[str, Any]: ...
    def embed(self, X: _X, *, of: str = ..., steps: int = ...) -> Any: ...
    def explain(
        self, question: Graph | Question, *, node: int | str | None = ..., output: int = ..., points: int = ...
    ) -> Explanation: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> GraphRegressor: ...

class NodeClassifier:
    def __init__(
        self,
        *,
        model: str | None = ...,
        seed: int = ...,
        threads: int = ...,
        time: float | None = ...,
        valid_count: int | None = ...,
        verbose: bool = ...,
        callbacks: Callable[[dict[str, Any]], Any] | Iterable[Callable[[dict[str, Any]], Any]] = ...,
        class_weights: str | dict[str, float] | None = ...,
        learning_rate: float | None = ...,
        schedule: str | None = ...,
        updates: int | None = ...,
        batch: int | None = ...,
        l1: float | None = ...,
        l2: float | None = ...,
        clip: float | None = ...,
        state_dropout: float | None = ...,
        feature_dropout: float | None = ...,
        edge_dropout: float | None = ...,
        label_smoothing: float | None = ...,
        average: float | None = ...,
        warmup: int | None = ...,
        loss: str | None = ...,
        exchanged: int | None = ...,
        balance: bool | None = ...,
        evaluate_every: int | None = ...,
        patience: int | None = ...,
        keep_best: bool | None = ...,
        stop_loss: float | None = ...,
        restarts: int | None = ...,
        stop_at_zero: bool | None = ...,
        ensemble: int | None = ...,
        low_memory: bool | None = ...,
        variant: str | None = ...,
        directions: str | None = ...,
        state: int | None = ...,
        annotation: int | None = ...,
        steps: int | None = ...,
        shared_propagation: bool | None = ...,
        embedding: int | None = ...,
        residual: bool | None = ...,
        messages: str | None = ...,
        reset: str | None = ...,
        matrices: str | None = ...,
        readout: str | None = ...,
        reach: int | None = ...,
        pairs: int | None = ...,
        edge_function: str | None = ...,
        contraction: float | None = ...,
        order: str | None = ...,
        rename: bool | None = ...,
        hints: bool | None = ...,
        bits: int | None = ...,
        rounded: bool | None = ...,
        choice: bool | None = ...,
    ) -> None: ...
    model_: Model
    recipe_: str
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> NodeClassifier: ...
    def fit(
        self, X: _X, y: Sequence[Any], *, valid: tuple[_X, Any] | None = ..., split: Any = ..., annotations: Any = ...
    ) -> NodeClassifier: ...
    def predict(self, X: _X) -> Any: ...
    classes_: NDArray[Any]
    def predict_proba(self, X: _X) -> Any: ...
    def score(self, X: _X, y: Sequence[Any]) -> float: ...
    def evaluate(self, X: _X, y: Sequence[Any]) -> dict[str, Any]: ...
    def embed(self, X: _X, *, of: str = ..., steps: int = ...) -> Any: ...
    def explain(
        self, question: Graph | Question, *, node: int | str | None = ..., output: int = ..., points: int = ...
    ) -> Explanation: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> NodeClassifier: ...

class NodeRegressor:
    def __init__(
        self,
        *,
        model: str | None = ...,
        seed: int = ...,
        threads: int = ...,
        time: float | None = ...,
        valid_count: int | None = ...,
        verbose: bool = ...,
        callbacks: Callable[[dict[str, Any]], Any] | Iterable[Callable[[dict[str, Any]], Any]] = ...,
        class_weights: str | dict[str, float] | None = ...,
        learning_rate: float | None = ...,
        schedule: str | None = ...,
        updates: int | None = ...,
        batch: int | None = ...,
        l1: float | None = ...,
        l2: float | None = ...,
        clip: float | None = ...,
        state_dropout: float | None = ...,
        feature_dropout: float | None = ...,
        edge_dropout: float | None = ...,
        label_smoothing: float | None = ...,
        average: float | None = ...,
        warmup: int | None = ...,
        loss: str | None = ...,
        exchanged: int | None = ...,
        balance: bool | None = ...,
        evaluate_every: int | None = ...,
        patience: int | None = ...,
        keep_best: bool | None = ...,
        stop_loss: float | None = ...,
        restarts: int | None = ...,
        stop_at_zero: bool | None = ...,
        ensemble: int | None = ...,
        low_memory: bool | None = ...,
        variant: str | None = ...,
        directions: str | None = ...,
        state: int | None = ...,
        annotation: int | None = ...,
        steps: int | None = ...,
        shared_propagation: bool | None = ...,
        embedding: int | None = ...,
        residual: bool | None = ...,
        messages: str | None = ...,
        reset: str | None = ...,
        matrices: str | None = ...,
        readout: str | None = ...,
        reach: int | None = ...,
        pairs: int | None = ...,
        edge_function: str | None = ...,
        contraction: float | None = ...,
        order: str | None = ...,
        rename: bool | None = ...,
        hints: bool | None = ...,
        bits: int | None = ...,
        rounded: bool | None = ...,
        choice: bool | None = ...,
    ) -> None: ...
    model_: Model
    recipe_: str
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> NodeRegressor: ...
    def fit(
        self, X: _X, y: Sequence[Any], *, valid: tuple[_X, Any] | None = ..., split: Any = ..., annotations: Any = ...
    ) -> NodeRegressor: ...
    def predict(self, X: _X) -> Any: ...
    def score(self, X: _X, y: Sequence[Any]) -> float: ...
    def evaluate(self, X: _X, y: Sequence[Any]) -> dict[str, Any]: ...
    def embed(self, X: _X, *, of: str = ..., steps: int = ...) -> Any: ...
    def explain(
        self, question: Graph | Question, *, node: int | str | None = ..., output: int = ..., points: int = ...
    ) -> Explanation: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> NodeRegressor: ...

class NodeSelector:
    def __init__(
        self,
        *,
        model: str | None = ...,
        seed: int = ...,
        threads: int = ...,
        time: float | None = ...,
        valid_count: int | None = ...,
        verbose: bool = ...,
        callbacks: Callable[[dict[str, Any]], Any] | Iterable[Callable[[dict[str, Any]], Any]] = ...,
        class_weights: str | dict[str, float] | None = ...,
        learning_rate: float | None = ...,
        schedule: str | None = ...,
        updates: int | None = ...,
        batch: int | None = ...,
        l1: float | None = ...,
        l2: float | None = ...,
        clip: float | None = ...,
        state_dropout: float | None = ...,
        feature_dropout: float | None = ...,
        edge_dropout: float | None = ...,
        label_smoothing: float | None = ...,
        average: float | None = ...,
        warmup: int | None = ...,
        loss: str | None = ...,
        exchanged: int | None = ...,
        balance: bool | None = ...,
        evaluate_every: int | None = ...,
        patience: int | None = ...,
        keep_best: bool | None = ...,
        stop_loss: float | None = ...,
        restarts: int | None = ...,
        stop_at_zero: bool | None = ...,
        ensemble: int | None = ...,
        low_memory: bool | None = ...,
        variant: str | None = ...,
        directions: str | None = ...,
        state: int | None = ...,
        annotation: int | None = ...,
        steps: int | None = ...,
        shared_propagation: bool | None = ...,
        embedding: int | None = ...,
        residual: bool | None = ...,
        messages: str | None = ...,
        reset: str | None = ...,
        matrices: str | None = ...,
        readout: str | None = ...,
        reach: int | None = ...,
        pairs: int | None = ...,
        edge_function: str | None = ...,
        contraction: float | None = ...,
        order: str | None = ...,
        rename: bool | None = ...,
        hints: bool | None = ...,
        bits: int | None = ...,
        rounded: bool | None = ...,
        choice: bool | None = ...,
    ) -> None: ...
    model_: Model
    recipe_: str
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> NodeSelector: ...
    def fit(
        self, X: _X, y: Sequence[int | str], *, valid: tuple[_X, Any] | None = ..., split: Any = ..., annotations: Any = ...
    ) -> NodeSelector: ...
    def predict(self, X: _X) -> Any: ...
    def predict_proba(self, X: _X) -> Any: ...
    def score(self, X: _X, y: Sequence[int | str]) -> float: ...
    def evaluate(self, X: _X, y: Sequence[int | str]) -> dict[str, Any]: ...
    def embed(self, X: _X, *, of: str = ..., steps: int = ...) -> Any: ...
    def explain(
        self, question: Graph | Question, *, node: int | str | None = ..., output: int = ..., points: int = ...
    ) -> Explanation: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> NodeSelector: ...

class NodeSequencer:
    def __init__(
        self,
        *,
        model: str | None = ...,
        seed: int = ...,
        threads: int = ...,
        time: float | None = ...,
        valid_count: int | None = ...,
        verbose: bool = ...,
        callbacks: Callable[[dict[str, Any]], Any] | Iterable[Callable[[dict[str, Any]], Any]] = ...,
        class_weights: str | dict[str, float] | None = ...,
        learning_rate: float | None = ...,
        schedule: str | None = ...,
        updates: int | None = ...,
        batch: int | None = ...,
        l1: float | None = ...,
        l2: float | None = ...,
        clip: float | None = ...,
        state_dropout: float | None = ...,
        feature_dropout: float | None = ...,
        edge_dropout: float | None = ...,
        label_smoothing: float | None = ...,
        average: float | None = ...,
        warmup: int | None = ...,
        loss: str | None = ...,
        exchanged: int | None = ...,
        balance: bool | None = ...,
        evaluate_every: int | None = ...,
        patience: int | None = ...,
        keep_best: bool | None = ...,
        stop_loss: float | None = ...,
        restarts: int | None = ...,
        stop_at_zero: bool | None = ...,
        ensemble: int | None = ...,
        low_memory: bool | None = ...,
        variant: str | None = ...,
        directions: str | None = ...,
        state: int | None = ...,
        annotation: int | None = ...,
        steps: int | None = ...,
        shared_propagation: bool | None = ...,
        embedding: int | None = ...,
        residual: bool | None = ...,
        messages: str | None = ...,
        reset: str | None = ...,
        matrices: str | None = ...,
        readout: str | None = ...,
        reach: int | None = ...,
        pairs: int | None = ...,
        edge_function: str | None = ...,
        contraction: float | None = ...,
        order: str | None = ...,
        rename: bool | None = ...,
        hints: bool | None = ...,
        bits: int | None = ...,
        rounded: bool | None = ...,
        choice: bool | None = ...,
    ) -> None: ...
    model_: Model
    recipe_: str
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> NodeSequencer: ...
    def fit(
        self, X: _X, y: Sequence[Any], *, valid: tuple[_X, Any] | None = ..., split: Any = ..., annotations: Any = ...
    ) -> NodeSequencer: ...
    def predict(self, X: _X, *, beam: int = ...) -> Any: ...
    def predict_proba(self, X: _X) -> Any: ...
    def score(self, X: _X, y: Sequence[Any]) -> float: ...
    def evaluate(self, X: _X, y: Sequence[Any]) -> dict[str, Any]: ...
    def embed(self, X: _X, *, of: str = ..., steps: int = ...) -> Any: ...
    def explain(
        self, question: Graph | Question, *, node: int | str | None = ..., output: int = ..., points: int = ...
    ) -> Explanation: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> NodeSequencer: ...

class ClassSequencer:
    def __init__(
        self,
        *,
        model: str | None = ...,
        seed: int = ...,
        threads: int = ...,
        time: float | None = ...,
        valid_count: int | None = ...,
        verbose: bool = ...,
        callbacks: Callable[[dict[str, Any]], Any] | Iterable[Callable[[dict[str, Any]], Any]] = ...,
        class_weights: str | dict[str, float] | None = ...,
        learning_rate: float | None = ...,
        schedule: str | None = ...,
        updates: int | None = ...,
        batch: int | None = ...,
        l1: float | None = ...,
        l2: float | None = ...,
        clip: float | None = ...,
        state_dropout: float | None = ...,
        feature_dropout: float | None = ...,
        edge_dropout: float | None = ...,
        label_smoothing: float | None = ...,
        average: float | None = ...,
        warmup: int | None = ...,
        loss: str | None = ...,
        exchanged: int | None = ...,
        balance: bool | None = ...,
        evaluate_every: int | None = ...,
        patience: int | None = ...,
        keep_best: bool | None = ...,
        stop_loss: float | None = ...,
        restarts: int | None = ...,
        stop_at_zero: bool | None = ...,
        ensemble: int | None = ...,
        low_memory: bool | None = ...,
        variant: str | None = ...,
        directions: str | None = ...,
        state: int | None = ...,
        annotation: int | None = ...,
        steps: int | None = ...,
        shared_propagation: bool | None = ...,
        embedding: int | None = ...,
        residual: bool | None = ...,
        messages: str | None = ...,
        reset: str | None = ...,
        matrices: str | None = ...,
        readout: str | None = ...,
        reach: int | None = ...,
        pairs: int | None = ...,
        edge_function: str | None = ...,
        contraction: float | None = ...,
        order: str | None = ...,
        rename: bool | None = ...,
        hints: bool | None = ...,
        bits: int | None = ...,
        rounded: bool | None = ...,
        choice: bool | None = ...,
    ) -> None: ...
    model_: Model
    recipe_: str
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> ClassSequencer: ...
    def fit(
        self, X: _X, y: Sequence[Any], *, valid: tuple[_X, Any] | None = ..., split: Any = ..., annotations: Any = ...
    ) -> ClassSequencer: ...
    def predict(self, X: _X, *, beam: int = ...) -> Any: ...
    classes_: NDArray[Any]
    def predict_proba(self, X: _X) -> Any: ...
    def score(self, X: _X, y: Sequence[Any]) -> float: ...
    def evaluate(self, X: _X, y: Sequence[Any]) -> dict[str, Any]: ...
    def embed(self, X: _X, *, of: str = ..., steps: int = ...) -> Any: ...
    def explain(
        self, question: Graph | Question, *, node: int | str | None = ..., output: int = ..., points: int = ...
    ) -> Explanation: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | PathLike[str]) -> ClassSequencer: ...
