"""Gated graph neural networks, and proofs about programs with lists and trees.

Graphs: `Graph`, `Question`, `graphs`, `story`, `read`.
Estimators in the manner of scikit-learn: `GraphClassifier`, `GraphRegressor`, `NodeClassifier`, `NodeRegressor`,
`NodeSelector`, `NodeSequencer`, `ClassSequencer`.
Models of the program: `train`, `load`, `Model`.
Programs and formulas: `prove`, `verify`, `ggsnn.heap`.
"""

from . import heap
from ._core import Error, UsageError
from ._core import version as __version__
from ._estimators import (
    ClassSequencer,
    GraphClassifier,
    GraphRegressor,
    NodeClassifier,
    NodeRegressor,
    NodeSelector,
    NodeSequencer,
)
from ._graphs import Graph, Question, graphs, read, story
from ._models import Explanation, Model, kinds, load, settings, train
from ._programs import Heap, Proof, Verification, prove, prove_all, verify

__all__ = [
    "ClassSequencer",
    "Error",
    "Explanation",
    "Graph",
    "GraphClassifier",
    "GraphRegressor",
    "Heap",
    "Model",
    "NodeClassifier",
    "NodeRegressor",
    "NodeSelector",
    "NodeSequencer",
    "Proof",
    "Question",
    "UsageError",
    "Verification",
    "graphs",
    "heap",
    "kinds",
    "load",
    "prove",
    "prove_all",
    "read",
    "settings",
    "story",
    "train",
    "verify",
]
