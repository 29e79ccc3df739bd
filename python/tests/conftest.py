"""Data that tests share. The program is at GGSNN_PROGRAM; the package is on PYTHONPATH."""

import os
import subprocess

import numpy as np
import pytest

import ggsnn


@pytest.fixture
def program(tmp_path):
    """Runs the program; its standard output."""
    path = os.environ.get("GGSNN_PROGRAM")
    if not path:
        pytest.skip("GGSNN_PROGRAM is not set")

    def run(*words, **options):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True, cwd=tmp_path, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def ring(n, chord):
    """A ring of n nodes, with a chord or without."""
    edges = [(v, "next", (v + 1) % n) for v in range(n)]
    if chord:
        edges.append((0, "chord", n // 2))
    return ggsnn.Graph(n, edges)


@pytest.fixture
def rings():
    """Graphs, and whether they have a chord."""
    sizes = [4 + i % 7 for i in range(60)]
    return [ring(n, i % 2 == 0) for i, n in enumerate(sizes)], np.array([["no", "yes"][1 - i % 2] for i in range(60)])


def walk(n, start):
    """A question: the node two hops after start."""
    return ggsnn.Graph(n, [(v, "next", (v + 1) % n) for v in range(n)]).ask("two hops on", start)


@pytest.fixture
def walks():
    X = [walk(5 + i % 4, i % 5) for i in range(40)]
    return X, [(q.arguments[0] + 2) % q.graph.nodes for q in X]
