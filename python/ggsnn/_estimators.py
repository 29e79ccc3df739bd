"""Estimators in the manner of scikit-learn, which they do not need: fit, predict, predict_proba, score, get_params,
set_params. What is not set is chosen by a recipe for the data."""

import inspect
import json

import numpy as np

from . import _core
from ._graphs import Graph, Question, questions_of
from ._models import Model, load, request_of

Error = _core.Error


def _not_fitted(name):
    text = f"this {name} is not fitted yet; call fit first"
    try:
        from sklearn.exceptions import NotFittedError
    except ImportError:
        return Error(text)
    return NotFittedError(text)


def _setting_names():
    names = dict.fromkeys(["class_weights"])
    for kind in _core.kinds():
        names.update(dict.fromkeys(s["name"] for s in _core.settings(kind)))
    return tuple(names)


_SETTINGS = _setting_names()
_OWN = {"model": None, "seed": 1, "threads": 0, "time": None, "valid_count": None, "verbose": False, "callbacks": ()}


def _is_one(X):
    return isinstance(X, (Graph, Question))


class _Estimator:
    """What all estimators share.

    model: the kind of network; None: reader for stories in English, stepper for questions with hints, else ggnn.
    seed: the same seed gives the same model, bit by bit, at any number of threads. threads: 0 for all cores. time: seconds after which the best so far is taken. valid_count: how many of the last
    graphs select instead of train; None: a tenth. callbacks: functions that are called with a dict at each
    evaluation; a true result ends the training with the best so far. All other parameters are settings of training
    and network (ggsnn.settings() lists them); None leaves one to the recipe.
    """

    _answer = ""
    _estimator_type = None

    def __init__(self, **params):
        for name, value in _OWN.items():
            setattr(self, name, value)
        for name in _SETTINGS:
            setattr(self, name, None)
        self.set_params(**params)

    # Parameters.

    @classmethod
    def _param_names(cls):
        return (*_OWN, *_SETTINGS)

    def get_params(self, deep=True):
        """All parameters by name."""
        return {name: getattr(self, name) for name in self._param_names()}

    def set_params(self, **params):
        """Sets parameters by name."""
        names = self._param_names()
        for name, value in params.items():
            if name not in names:
                raise Error(f"{type(self).__name__} has no parameter {name!r}; expected one of {', '.join(names)}")
            setattr(self, name, value)
        return self

    def __repr__(self):
        given = {n: v for n, v in self.get_params().items() if v != _OWN.get(n) and not (n == "callbacks" and not v)}
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in given.items())})"

    def __sklearn_tags__(self):  # scikit-learn 1.6 and later ask for these
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags

        return Tags(
            estimator_type=self._estimator_type,
            target_tags=TargetTags(required=True),
            transformer_tags=None,
            classifier_tags=ClassifierTags() if self._estimator_type == "classifier" else None,
            regressor_tags=RegressorTags() if self._estimator_type == "regressor" else None,
            input_tags=InputTags(two_d_array=False),
        )

    # Training.

    def _set_answers(self, questions, X, y):
        questions.set_answers(self._answer, list(y))

    def _learn_answers(self, X, y):
        """Looks at all answers before training."""

    def _asked(self, X, y):
        if _is_one(X):
            X, y = [X], [y]
        questions = questions_of(X)
        if y is None or len(y) != len(questions):
            count = "none" if y is None else len(y)
            raise Error(f"y: there are {count}; expected an answer for each of the {len(questions)} questions of X")
        self._set_answers(questions, X, y)
        return questions

    def fit(self, X, y, *, valid=None, split=None, annotations=None):
        """Trains on graphs or questions X with answers y.

        valid: (X, y) that select instead of the last tenth. split: for each graph, or for each node of a single graph,
        train, valid, test or None; or masks of nodes by these names. annotations: observed ones of sequences, for each
        question an array of outputs x nodes x bits. Ctrl-C leaves the best so far and raises KeyboardInterrupt.
        """
        self._learn_answers(X, y)
        questions = self._asked(X, y)
        if split is not None:
            questions.set_split(_split_of(X, split))
        if annotations is not None:
            questions.set_annotations([np.asarray(a, dtype=np.float32) for a in annotations])
        checks = None if valid is None else self._asked(*valid)
        request = request_of(
            **{name: getattr(self, name) for name in _OWN},
            settings={name: getattr(self, name) for name in _SETTINGS},
        )
        core, interrupted, self.recipe_ = _core.train(questions, checks, request)
        if core is not None:
            self.model_ = Model(core)
            self._learned()
        if interrupted:
            raise KeyboardInterrupt
        return self

    def _learned(self):
        """Looks at the model after training."""

    # Asking.

    def _trained(self):
        if not hasattr(self, "model_"):
            raise _not_fitted(type(self).__name__)
        return self.model_

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def _each(self, X, results):
        """The result for a single graph, or all."""
        return results[0] if _is_one(X) else results

    def evaluate(self, X, y):
        """All usual figures, as the program's `evaluate --json` has them."""
        core = self._trained()._core
        return json.loads(core.evaluate(self._asked(X, y), _core.AskOptions(threads=self.threads or 0)))

    def embed(self, X, *, of="nodes", steps=0):
        """States of nodes or graphs; see Model.embed."""
        return self._trained().embed(X, of=of, steps=steps)

    def explain(self, question, *, node=None, output=0, points=48):
        """What mattered for the answer to one question; see Model.explain."""
        return self._trained().explain(question, node=node, output=output, points=points)

    def save(self, path):
        """Writes the model file that the program reads."""
        self._trained().save(path)

    @classmethod
    def load(cls, path):
        """An estimator with a model that was trained before, here or by the program."""
        model = load(path)
        if model.answer != cls._answer:
            raise Error(f"{path}: answers with {model.answer}; expected {cls._answer} for {cls.__name__}")
        self = cls(model=model.kind)
        self.model_ = model
        self._loaded()
        return self

    def _loaded(self):
        """Makes up what fit would have learned of the answers."""

    def _lists(self, X):
        return self._trained().predict_proba(X, threads=self.threads or 0)


def _init_signature():
    """The constructor's parameters by name, for help() and those who ask inspect."""
    named = {**_OWN, **dict.fromkeys(_SETTINGS)}
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    parameters += [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=v) for n, v in named.items()]
    return inspect.Signature(parameters)


_Estimator.__init__.__signature__ = _init_signature()


def _split_of(X, split):
    if _is_one(X):
        graph = X.graph if isinstance(X, Question) else X
        if isinstance(split, dict):
            parts = [""] * graph.nodes
            for name, nodes in split.items():
                chosen = np.asarray(nodes)
                for v in np.flatnonzero(chosen) if chosen.dtype == bool else chosen.tolist():
                    if parts[v]:
                        raise Error(f"split: node {v} is in two parts")
                    parts[v] = name
            return [parts]
        return [["" if part is None else str(part) for part in split]]
    return [
        ["" if p is None else str(p) for p in part] if not (part is None or isinstance(part, str)) else [part or ""]
        for part in split
    ]


class _Classes:
    """Labels of any type, which models know by their names."""

    def _learn_labels(self, labels):
        labels = np.asarray(labels)
        self.classes_ = np.unique(labels)
        self._by_name = {}
        for label in self.classes_:
            name = str(label)
            if name in self._by_name:
                raise Error(f"y: two labels are both called {name!r}; expected labels of one type")
            self._by_name[name] = label

    def _loaded(self):
        self._learn_labels(self.model_.classes)
        self._learned()

    def _learned(self):
        # Columns of the model's probabilities in the order of classes_. A class without a graph to train on has none.
        place = {name: i for i, name in enumerate(self.model_.classes)}
        self._columns = [place.get(str(label), -1) for label in self.classes_]

    def _proba(self, rows):
        known = np.asarray(self._columns) >= 0
        out = np.zeros((len(rows), len(self._columns)))
        out[:, known] = rows[:, [c for c in self._columns if c >= 0]]
        return out

    def _labels(self, rows):
        return self.classes_[np.argmax(self._proba(rows), axis=1)]


def _weighted_mean(right, sample_weight):
    return float(np.average(np.asarray(right, dtype=float), weights=sample_weight))


def _r2(truth, answers, weights=None):
    """R squared over all rows; of several outputs the mean."""
    truth, answers = np.atleast_2d(truth.T).T, np.atleast_2d(answers.T).T
    weights = np.ones(len(truth)) if weights is None else np.asarray(weights, dtype=float)
    scores = []
    for j in range(truth.shape[1]):
        there = np.isfinite(truth[:, j])
        w, t, a = weights[there], truth[there, j], answers[there, j]
        around = np.sum(w * (t - np.average(t, weights=w)) ** 2)
        error = np.sum(w * (t - a) ** 2)
        scores.append(1 - error / around if around > 0 else float(error == 0))
    return float(np.mean(scores))


class GraphClassifier(_Classes, _Estimator):
    """A class for each graph or question."""

    __doc__ += _Estimator.__doc__.partition("\n")[2]
    _answer = "class"
    _estimator_type = "classifier"

    def _learn_answers(self, X, y):
        labels = np.asarray(y)
        if labels.ndim != 1:
            raise Error(f"y has {labels.ndim} dimensions; expected one class for each graph")
        self._learn_labels(labels)

    def _set_answers(self, questions, X, y):
        questions.set_answers("class", [str(label) for label in np.asarray(y)])

    def predict_proba(self, X):
        """Probabilities, a row for each question, a column for each of classes_."""
        return self._each(X, self._proba(self._lists(X)))

    def predict(self, X):
        """The most probable class of each question."""
        return self._each(X, self._labels(self._lists(X)))

    def score(self, X, y, sample_weight=None):
        """Accuracy."""
        return _weighted_mean([a == t for a, t in zip(self.predict(X), np.asarray(y))], sample_weight)


class GraphRegressor(_Estimator):
    """Numbers for each graph or question, one or several; nan where one is missing."""

    __doc__ += _Estimator.__doc__.partition("\n")[2]
    _answer = "numbers"
    _estimator_type = "regressor"

    def _learn_answers(self, X, y):
        self._flat = np.asarray(y).ndim < 2

    def _loaded(self):
        self._flat = None  # as wide as the model answers

    def _set_answers(self, questions, X, y):
        rows = np.asarray(y, dtype=np.float32)
        questions.set_numbers(rows[:, None] if rows.ndim == 1 else rows)

    def predict(self, X):
        """Numbers in the units of y: one for each question, or a row."""
        rows = self._lists(X)
        flat = rows.shape[1] == 1 if self._flat is None else self._flat
        return self._each(X, rows[:, 0] if flat else rows)

    def score(self, X, y, sample_weight=None):
        """R squared, as scikit-learn has it; of several outputs the mean."""
        return _r2(np.asarray(y, dtype=float), self.predict(X), sample_weight)


class NodeClassifier(_Classes, _Estimator):
    """A class for each node of a graph; None (or nan) where it is not known.

    X may be one graph, with the labels of its nodes as y and the parts of its nodes as split."""

    __doc__ += _Estimator.__doc__.partition("\n")[2]
    _answer = "node_classes"

    @staticmethod
    def _is_missing(label):
        return label is None or (isinstance(label, (float, np.floating)) and np.isnan(label))

    def _learn_answers(self, X, y):
        rows = [y] if _is_one(X) else y
        self._learn_labels([label for row in rows for label in row if not self._is_missing(label)])

    def _set_answers(self, questions, X, y):
        words = [[None if self._is_missing(label) else str(label) for label in row] for row in y]
        questions.set_answers("node_classes", words)

    def predict_proba(self, X):
        """For each graph an array of nodes x classes_."""
        return self._each(X, [self._proba(rows) for rows in self._lists(X)])

    def predict(self, X):
        """For each graph the classes of its nodes."""
        return self._each(X, [self._labels(rows) for rows in self._lists(X)])

    def score(self, X, y):
        """Accuracy over the nodes whose label is known."""
        rows, answers = ([y], [self.predict(X)]) if _is_one(X) else (y, self.predict(X))
        right = [
            answer == label
            for row, some in zip(rows, answers)
            for label, answer in zip(row, some)
            if not self._is_missing(label)
        ]
        return _weighted_mean(right, None)


class NodeRegressor(_Estimator):
    """Numbers for each node of a graph; nan where one is missing."""

    __doc__ += _Estimator.__doc__.partition("\n")[2]
    _answer = "node_numbers"

    def _learn_answers(self, X, y):
        rows = [y] if _is_one(X) else y
        self._flat = all(np.asarray(row).ndim == 1 for row in rows)

    def _loaded(self):
        self._flat = None

    def _set_answers(self, questions, X, y):
        rows = [np.asarray(row, dtype=np.float32) for row in y]
        questions.set_answers("node_numbers", [row[:, None] if row.ndim == 1 else row for row in rows])

    def predict(self, X):
        """For each graph the numbers of its nodes."""
        rows = self._lists(X)
        flat = rows[0].shape[1] == 1 if self._flat is None else self._flat
        return self._each(X, [row[:, 0] for row in rows] if flat else rows)

    def score(self, X, y):
        """R squared over all nodes."""
        rows, answers = ([y], [self.predict(X)]) if _is_one(X) else (y, self.predict(X))
        return _r2(np.concatenate([np.asarray(row, dtype=float) for row in rows]), np.concatenate(answers))


def _node_numbers(X, values):
    """Nodes by number, where they may be given by name."""
    out = []
    for item, value in zip([X] if _is_one(X) else X, values):
        names = (item.graph if isinstance(item, Question) else item).names
        out.append(names.index(value) if isinstance(value, str) and value in names else value)
    return out


class NodeSelector(_Estimator):
    """A node of the graph as the answer to each question."""

    __doc__ += _Estimator.__doc__.partition("\n")[2]
    _answer = "node"

    def _set_answers(self, questions, X, y):
        questions.set_answers("node", [int(v) for v in _node_numbers(X, y)])

    def predict_proba(self, X):
        """For each question the probabilities of its graph's nodes."""
        return self._each(X, self._lists(X))

    def predict(self, X):
        """The most probable node of each question."""
        return self._each(X, np.asarray([int(np.argmax(row)) for row in self._lists(X)]))

    def score(self, X, y):
        """Share of questions whose node is right."""
        return _weighted_mean(self.predict(X) == np.asarray(_node_numbers(X, y)), None)


class _Sequencer(_Estimator):
    def predict(self, X, *, beam=0):
        """For each question its sequence. beam: width of a beam search; 0: the most probable output at each step."""
        rows = self._trained().predict(X, beam=beam, threads=self.threads or 0)
        return self._each(X, [self._values(row) for row in rows])

    def predict_proba(self, X):
        """For each question an array with a row for each output; the last column is 'end'."""
        return self._each(X, self._lists(X))

    def _values(self, row):
        return row

    def score(self, X, y):
        """Share of sequences that are right as a whole."""
        if _is_one(X):
            X, y = [X], [y]
        right = [list(a) == list(t) for a, t in zip(self.predict(X), self._truths(X, y))]
        return _weighted_mean(right, None)

    def _truths(self, X, y):
        return y


class NodeSequencer(_Sequencer):
    """A sequence of nodes as the answer to each question."""

    __doc__ += _Estimator.__doc__.partition("\n")[2]
    _answer = "nodes"

    def _truths(self, X, y):
        return [_node_numbers([item] * len(row), row) for item, row in zip(X, y)]

    def _set_answers(self, questions, X, y):
        questions.set_answers("nodes", [[int(v) for v in row] for row in self._truths(X, y)])


class ClassSequencer(_Sequencer):
    """A sequence of classes as the answer to each question."""

    __doc__ += _Estimator.__doc__.partition("\n")[2]
    _answer = "classes"

    def _learn_answers(self, X, y):
        rows = [y] if _is_one(X) else y
        labels = np.asarray([label for row in rows for label in row])
        self.classes_ = np.unique(labels)
        self._by_name = {str(label): label for label in self.classes_}

    def _loaded(self):
        self.classes_ = np.asarray(self.model_.classes)
        self._by_name = {name: name for name in self.model_.classes}

    def _set_answers(self, questions, X, y):
        questions.set_answers("classes", [[str(label) for label in row] for row in y])

    def _values(self, row):
        return np.asarray([self._by_name[name] for name in row])
