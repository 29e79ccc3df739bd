"""The rules of scikit-learn's estimators that have a meaning where X is a list of graphs. Those of check_estimator
that feed arrays of numbers as X cannot hold: a graph is no row of numbers."""

import inspect

import numpy as np
import pytest

import ggsnn

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone, is_classifier, is_regressor  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score  # noqa: E402
from sklearn.utils.validation import check_is_fitted  # noqa: E402

ESTIMATORS = [
    ggsnn.GraphClassifier,
    ggsnn.GraphRegressor,
    ggsnn.NodeClassifier,
    ggsnn.NodeRegressor,
    ggsnn.NodeSelector,
    ggsnn.NodeSequencer,
    ggsnn.ClassSequencer,
]
QUICK = dict(updates=60, state=6, steps=3, restarts=1)


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_parameters(cls):
    estimator = cls()
    params = estimator.get_params()
    assert {"state", "steps", "learning_rate", "seed", "model"} <= params.keys()
    for name, value in params.items():  # the constructor sets what it is given, and does nothing else
        assert getattr(estimator, name) is value
    assert estimator.set_params(**params) is estimator
    assert estimator.get_params() == params
    assert set(vars(estimator)) == set(params)
    copy = clone(cls(state=7, callbacks=[print]))
    assert copy.state == 7 and type(copy) is cls
    with pytest.raises(ValueError):
        estimator.set_params(nothing=1)
    assert not inspect.signature(cls.fit).parameters["y"].default is None
    repr(estimator)


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_not_fitted(cls):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        check_is_fitted(cls())
    with pytest.raises(NotFittedError):
        cls().predict([ggsnn.Graph(1)])


def test_kinds_of_estimators():
    assert is_classifier(ggsnn.GraphClassifier()) and not is_regressor(ggsnn.GraphClassifier())
    assert is_regressor(ggsnn.GraphRegressor()) and not is_classifier(ggsnn.GraphRegressor())


def test_fit_returns_itself_changes_no_parameter_and_can_be_repeated(rings):
    X, y = rings
    estimator = ggsnn.GraphClassifier(**QUICK)
    before = estimator.get_params()
    assert estimator.fit(X, y) is estimator
    check_is_fitted(estimator)
    assert estimator.get_params() == before
    first = estimator.predict_proba(X)
    assert np.array_equal(estimator.fit(X, y).predict_proba(X), first)  # the same seed
    learned = {name for name in vars(estimator) if name not in before}
    assert {"classes_", "model_"} <= learned
    assert all(name.endswith("_") or name.startswith("_") for name in learned)


def test_predictions_do_not_depend_on_the_others(rings):
    X, y = rings
    estimator = ggsnn.GraphClassifier(**QUICK).fit(X, y)
    together = estimator.predict_proba(X)
    alone = np.concatenate([estimator.predict_proba([g]) for g in X])
    assert np.allclose(together, alone, atol=1e-6)
    order = np.random.default_rng(1).permutation(len(X))
    assert np.allclose(estimator.predict_proba([X[i] for i in order]), together[order], atol=1e-6)


def test_cross_validation(rings):
    X, y = rings
    scores = cross_val_score(ggsnn.GraphClassifier(**QUICK), X, y, cv=3)
    assert scores.shape == (3,) and scores.min() > 0.9
    answers = cross_val_predict(ggsnn.GraphClassifier(**QUICK), X, y, cv=3, method="predict_proba")
    assert answers.shape == (60, 2)
    logs = cross_val_score(ggsnn.GraphClassifier(**QUICK), X, y, cv=3, scoring="neg_log_loss")
    assert (logs < 0).all()


def test_search(rings):
    X, y = rings
    search = GridSearchCV(ggsnn.GraphClassifier(**QUICK), {"state": [4, 6], "learning_rate": [1e-9, 0.02]}, cv=2)
    search.fit(X, y)
    assert search.best_params_["learning_rate"] == 0.02
    assert search.predict(X).shape == (60,)


def test_search_in_several_processes(rings):
    X, y = rings
    scores = cross_val_score(ggsnn.GraphClassifier(**QUICK, threads=1), X, y, cv=2, n_jobs=2)
    assert np.array_equal(scores, cross_val_score(ggsnn.GraphClassifier(**QUICK, threads=1), X, y, cv=2))


def test_regression_scores_as_theirs():
    from sklearn.metrics import r2_score

    X = [ggsnn.Graph(n, [(v, v + 1) for v in range(n - 1)]) for n in range(2, 22)]
    y = np.array([float(g.nodes) for g in X])
    estimator = ggsnn.GraphRegressor(**QUICK).fit(X, y)
    weights = np.arange(1.0, 21.0)
    assert estimator.score(X, y) == pytest.approx(r2_score(y, estimator.predict(X)))
    assert estimator.score(X, y, weights) == pytest.approx(r2_score(y, estimator.predict(X), sample_weight=weights))
    both = np.stack([y, y**2], axis=1)
    estimator.fit(X, both)
    assert estimator.score(X, both) == pytest.approx(r2_score(both, estimator.predict(X)))
    scores = cross_val_score(ggsnn.GraphRegressor(**QUICK), X, y, cv=2, scoring="neg_mean_absolute_error")
    assert scores.shape == (2,)
