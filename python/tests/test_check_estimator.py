"""scikit-learn's own checks, check_estimator, on the estimators that answer of graphs. Its arrays become graphs: each
row is a graph of one node with the row as its features. What does not pass is listed in docs/python.md, with why: the
list is WHY, and the page is held to it."""

import warnings
from pathlib import Path
from unittest import SkipTest

import numpy as np
import pytest

import ggsnn

sklearn = pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import check_estimator  # noqa: E402
from sklearn.utils.validation import check_array, check_X_y  # noqa: E402

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
QUICK = dict(updates=300, state=12, steps=1, restarts=1, threads=1, learning_rate=0.05, valid_count=0)
# Check: why it does not pass, and for whom.
WHY = {
    "check_n_features_in": (
        "there is no `n_features_in_`: a graph is no row of numbers",
        ["RowClassifier", "RowRegressor"],
    ),
    "check_classifiers_regression_target": (
        "numbers with fractions are taken as labels; theirs are refused",
        ["RowClassifier"],
    ),
}


def graphs_of(X):
    return ggsnn.graphs(np.zeros((2, 0), int), batch=np.arange(len(X)), features=X)


class Rows:
    """What stands between arrays and graphs: scikit-learn's own look at arrays."""

    def fit(self, X, y):
        X, y = check_X_y(X, y, y_numeric=self._estimator_type == "regressor")
        return super().fit(graphs_of(X), y)

    def _asked_rows(self, X):
        self._trained()
        return X if isinstance(X, list) and X and isinstance(X[0], ggsnn.Graph) else graphs_of(check_array(X))

    def predict(self, X):
        return super().predict(self._asked_rows(X))

    def score(self, X, y, sample_weight=None):
        return super().score(self._asked_rows(X), y, sample_weight)


class RowClassifier(Rows, ggsnn.GraphClassifier):
    def predict_proba(self, X):
        return super().predict_proba(self._asked_rows(X))


class RowRegressor(Rows, ggsnn.GraphRegressor):
    pass


def outcomes(cls):
    """(name, what went wrong or None) of each check."""
    for estimator, check in check_estimator(cls(**QUICK), generate_only=True):
        name = getattr(check, "func", check).__name__
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(estimator)
            yield name, None
        except SkipTest as skip:  # of a table of pandas alone: the rest of that check is done before
            yield name, None if "pandas" in str(skip) else skip
        except Exception as error:
            yield name, error


@pytest.mark.parametrize("cls, checks", [(RowClassifier, 40), (RowRegressor, 37)])
def test_all_checks_but_those_listed_pass(cls, checks):
    found = list(outcomes(cls))
    assert len(found) >= checks
    failed = {name: error for name, error in found if error is not None}
    assert failed.keys() == {name for name, (_, of) in WHY.items() if cls.__name__ in of}, failed


def test_the_page_lists_them():
    rows = [line.split("|") for line in PAGE.read_text().splitlines() if line.startswith("| `check_")]
    assert {row[1].strip().strip("`"): row[2].strip() for row in rows} == {name: why for name, (why, _) in WHY.items()}
