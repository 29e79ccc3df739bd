"""scikit-learn's own checks, check_estimator, on the estimators that answer of graphs. Its arrays become graphs: each
row is a graph of one node with the row as its features. docs/python.md lists what does not pass, and why: so does this."""

import warnings

import numpy as np
import pytest

import ggsnn

sklearn = pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import check_estimator  # noqa: E402
from sklearn.utils.validation import check_array, check_X_y  # noqa: E402

QUICK = dict(updates=300, state=8, steps=1, restarts=1, threads=1, learning_rate=0.05, valid_count=0)


def graphs_of(X):
    return ggsnn.graphs(np.zeros((2, 0), int), batch=np.arange(len(X)), features=X)


class RowClassifier(ggsnn.GraphClassifier):
    def fit(self, X, y):
        X, y = check_X_y(X, y)
        return super().fit(graphs_of(X), y)

    def predict(self, X):
        return super().predict(graphs_of(check_array(X)))


def test_all(capsys):
    for result in check_estimator(RowClassifier(**QUICK), generate_only=True):
        estimator, check = result
        name = getattr(check, "func", check).__name__
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(estimator)
            print("ok", name)
        except Exception as error:
            print("FAILED", name, repr(error)[:200])
