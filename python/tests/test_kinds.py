"""Stories in English, hints, and the kind of network that data is given: as the program has them, bit by bit."""

import pickle

import numpy as np
import pytest

import ggsnn

STORIES = """1 Ann moved to the hall.
2 Bob went to the garden.
3 Where is Ann?\thall
4 Where is Bob?\tgarden
1 Bob moved to the garden.
2 Ann went to the office.
3 Where is Bob?\tgarden
4 Where is Ann?\toffice
"""


def tensors(model):
    """The learned numbers of a model, without what its file says of the training."""
    data = model._core.encode()
    return data[8 + int.from_bytes(data[:8], "little") :]


def test_stories_are_read(program, tmp_path):
    path = tmp_path / "stories.txt"
    path.write_text(STORIES)
    X, y = ggsnn.read(path)
    assert y == ["hall", "garden", "garden", "office"]  # words, though the graph has nodes of these names
    model = ggsnn.GraphClassifier(updates=20, restarts=1, valid_count=1).fit(X, y)
    assert model.model_.kind == "reader"
    program("train", path, "-o", "m", "--updates", 20, "--restarts", 1, "--valid-count", 1, "--quiet")
    assert tensors(model.model_) == tensors(ggsnn.load(tmp_path / "m"))
    assert tensors(ggsnn.train(path, updates=20, restarts=1, valid_count=1)) == tensors(model.model_)
    again = pickle.loads(pickle.dumps(X))
    assert np.array_equal(model.predict_proba(again), model.predict_proba(X))
    own = ggsnn.story(["Ann moved to the hall.", "Bob went to the garden."], "Where is Ann?")
    assert np.array_equal(model.predict_proba(own), model.predict_proba(X[0]))
    with pytest.raises(ggsnn.Error, match="sentence 2 has no words"):
        ggsnn.story(["Ann went.", "..."], "Where is Ann?")


def test_answers_of_several_words_are_lists(tmp_path):
    path = tmp_path / "stories.txt"
    path.write_text(STORIES + "5 What is there?\tmilk,football\n")
    X, y = ggsnn.read(path)
    assert y[0] == ["hall"] and y[4] == ["milk", "football"]
    model = ggsnn.ClassSequencer(updates=5, restarts=1, valid_count=1).fit(X, y)
    assert model.model_.kind == "reader" and len(model.predict(X)) == 5


def test_steps_are_learned_from_hints(program, tmp_path):
    program("generate", "bfs", "--count", 12, "--nodes", 6, "--hints", "-o", "bfs.jsonl")
    X, y = ggsnn.read(tmp_path / "bfs.jsonl")
    assert X[0].hints["bits"].shape[1:] == (6, 1) and X[0].hints["pointers"].shape[1:] == (6,)
    options = dict(updates=10, restarts=1)
    model = ggsnn.NodeSequencer(**options).fit(pickle.loads(pickle.dumps(X)), y)
    assert model.model_.kind == "stepper"
    program("train", "bfs.jsonl", "-o", "m", "--updates", 10, "--restarts", 1, "--quiet")
    assert tensors(model.model_) == tensors(ggsnn.load(tmp_path / "m"))
    without = [q.graph.ask(q.type, *q.arguments) for q in X]
    assert np.array_equal(np.concatenate(model.predict(without)), np.concatenate(model.predict(X)))  # in training only
    assert ggsnn.NodeSequencer(**options, model="stepper", hints=False, steps=2).fit(X, y).model_.kind == "stepper"
    assert ggsnn.NodeSequencer(**options).fit(without, y).model_.kind == "ggnn"


def test_reach(rings):
    X, y = rings
    model = ggsnn.GraphClassifier(reach=3, updates=5, restarts=1).fit(X, y).model_
    assert model.edge_types == ["next", "chord"] and model.kind == "ggnn"
    assert model.parameters > ggsnn.GraphClassifier(updates=5, restarts=1).fit(X, y).model_.parameters


@pytest.mark.parametrize(
    "hints, message",
    [
        ({}, "there are no bits"),
        ({"bits": [[[1], [0]]], "x": 1}, "unknown key 'x'; expected bits, pointers or chosen"),
        ({"bits": [[[1.5], [0]]]}, "hints: bits: holds float64; expected whole numbers"),
        ({"bits": [[[2], [0]]]}, r"X\[0\]: hints: bits holds 2; expected 0 or 1"),
        ({"bits": [[1, 0]]}, r"bits have the shape \(1, 2\); expected steps x 2 nodes x bits"),
        ({"bits": [[[1], [0]]], "pointers": [[0]]}, "pointers has 1 entries; expected 2"),
        ({"bits": [[[1], [0]]], "pointers": [[0, 2]]}, "pointers holds 2; expected 0 to 1"),
        ({"bits": [[[1], [0]]], "chosen": [-2]}, "chosen holds -2; expected -1 to 1"),
    ],
)
def test_what_is_wrong_with_hints_is_told(hints, message):
    graph = ggsnn.Graph(2, [(0, 1)])
    with pytest.raises(ggsnn.Error, match=message):
        ggsnn.NodeSequencer().fit([graph.ask("q", 0, hints=hints)] * 2, [[0, 0]] * 2)
