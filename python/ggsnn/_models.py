"""Trained models, as the program writes and reads them."""

import json
import numbers

import numpy as np

from . import _core
from ._graphs import Graph, Question, questions_of


def kinds():
    """The kinds of network."""
    return _core.kinds()


def settings(model="ggnn"):
    """What can be set about training and about this kind of network: a list of dicts with name and help."""
    return _core.settings(model)


def plain(value):
    """numpy's numbers as Python's, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    return value


def request_of(*, model=None, seed=1, threads=0, time=None, valid_count=None, train_count=None, verbose=False, callbacks=(), settings):
    """What the C++ part is told of a training. settings: by name; None is left to the recipe."""
    request = _core.TrainRequest()
    request.model = model or ""
    request.settings = json.dumps({name: plain(value) for name, value in settings.items() if value is not None})
    if not isinstance(seed, numbers.Integral) or not 0 <= seed < 2**64:
        raise _core.UsageError(f"seed is {seed!r}; expected a whole number from 0 to 2**64 - 1")
    request.seed = int(seed)
    for name, value in (("threads", threads), ("time", time), ("valid_count", valid_count), ("train_count", train_count)):
        if value is not None and value < 0:
            raise _core.UsageError(f"{name} is {value!r}; expected 0 or more")
    request.threads = int(threads or 0)
    request.seconds = float(time or 0)
    request.train_count = int(train_count or 0)
    request.valid_count = -1 if valid_count is None else int(valid_count)
    request.verbose = bool(verbose)
    callbacks = [callbacks] if callable(callbacks) else list(callbacks or ())
    if callbacks:
        request.watch = lambda event: any([bool(callback(event)) for callback in callbacks])
    return request


class Model:
    """A trained model: a file of the program, and what can be asked of it."""

    def __init__(self, core):
        self._core = core

    @property
    def answer(self):
        """The kind of its answers: node, class, numbers, node_classes, node_numbers, nodes or classes."""
        return self._core.answer

    @property
    def kind(self):
        """The kind of network."""
        return self._core.kind

    @property
    def classes(self):
        """Names of the classes, in the order of probabilities."""
        return self._core.classes

    @property
    def edge_types(self):
        """Names of the types of edges that it knows."""
        return self._core.edge_types

    @property
    def node_types(self):
        """Names of the types of nodes that it knows."""
        return self._core.node_types

    @property
    def question_types(self):
        """Names of the types of questions that it answers."""
        return self._core.question_types

    @property
    def parameters(self):
        """How many numbers were learned."""
        return self._core.parameters

    @property
    def training(self):
        """How it was trained."""
        return json.loads(self._core.training)

    def save(self, path):
        """Writes the file that the program reads."""
        self._core.save(str(path))

    def predict_proba(self, X, *, steps=0, beam=0, threads=0):
        """Probabilities, or numbers of a regression.

        Classes and numbers of graphs: an array, a row for each question. Otherwise a list with an array for each
        question: of its nodes, of rows of its nodes, or of rows of its outputs, whose last entry is 'end'.
        """
        return self._core.predict_lists(questions_of(X), _core.AskOptions(steps, beam, threads))

    def predict(self, X, *, steps=0, beam=0, threads=0):
        """Answers: class names, nodes, numbers, or a list of them for each question."""
        options = _core.AskOptions(steps, beam, threads)
        if self.answer in ("numbers", "node_numbers"):
            return self._core.predict_lists(questions_of(X), options)
        labels, _ = self._core.predict_labels(questions_of(X), options)
        names = np.asarray(self.classes, dtype=object)
        if self.answer in ("class", "classes", "node_classes"):
            labels = [names[some] for some in labels]
        if self.answer in ("node", "class"):
            return np.asarray([some[0] for some in labels])
        return labels

    def ended(self, X, *, steps=0, beam=0, threads=0):
        """Sequences: whether each came to its end."""
        return self._core.predict_labels(questions_of(X), _core.AskOptions(steps, beam, threads))[1]

    def embed(self, X, *, of="nodes", steps=0):
        """States of nodes (a list with an array for each question) or of graphs (an array with a row for each)."""
        if of not in ("nodes", "graphs"):
            raise _core.UsageError(f"of is {of!r}; expected nodes or graphs")
        rows = self._core.embed(questions_of(X), of == "graphs", steps)
        return np.concatenate(rows) if of == "graphs" else rows

    def explain(self, question, *, node=None, output=0, points=48):
        """What mattered for the answer to one question. node: the one, where every node has an answer."""
        graph = question.graph if isinstance(question, Question) else question
        if isinstance(node, str):
            node = graph.names.index(node)
        text, svg = self._core.explain(questions_of(question), -1 if node is None else int(node), output, points)
        return Explanation(json.loads(text), svg)

    def __repr__(self):
        return f"<Model: {self._core.summary}; answers: {self.answer}; {self.parameters} parameters>"

    def __reduce__(self):
        return _decode, (self._core.encode(),)


def _decode(data):
    return Model(_core.Model.decode(data))


class Explanation:
    """Which nodes, edges and features an answer comes from; draws itself in a notebook."""

    def __init__(self, json_, svg):
        self.json = json_
        self.svg = svg

    @property
    def answer(self):
        """The answer that is explained."""
        return self.json["answer"]

    @property
    def score(self):
        """Logarithm of the answer's probability, or the number."""
        return self.json["score"]

    @property
    def baseline(self):
        """The score where nothing is known."""
        return self.json["baseline"]

    @property
    def nodes(self):
        """The share of each node."""
        return np.asarray([node["share"] for node in self.json["nodes"]])

    @property
    def edges(self):
        """(source, type, target, share) of each edge."""
        return [(e["source"], e["type"], e["target"], e["share"]) for e in self.json["edges"]]

    @property
    def features(self):
        """(node, feature, value, share) of what is known of nodes."""
        return [(f["node"], f["feature"], f["value"], f["share"]) for f in self.json["features"]]

    def __repr__(self):
        return f"<Explanation of {self.answer!r}: score {self.score:.4f}, with nothing known {self.baseline:.4f}>"

    def _repr_svg_(self):
        return self.svg


def load(path):
    """A model that was trained here or by the program."""
    return Model(_core.Model.load(str(path)))


def train(data, *, valid=None, model=None, seed=1, threads=0, time=None, train_count=None, valid_count=None, verbose=False, callbacks=(), **settings):
    """Trains on a file of any format, as the program's `train` does, bit by bit. KeyboardInterrupt ends it."""
    request = request_of(
        model=model,
        seed=seed,
        threads=threads,
        time=time,
        train_count=train_count,
        valid_count=valid_count,
        verbose=verbose,
        callbacks=callbacks,
        settings=settings,
    )
    core, interrupted, _ = _core.train_file(str(data), "" if valid is None else str(valid), request)
    if interrupted:
        raise KeyboardInterrupt
    return Model(core)


__all__ = ["Explanation", "Graph", "Model", "kinds", "load", "settings", "train"]
