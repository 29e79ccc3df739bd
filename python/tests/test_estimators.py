import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import ggsnn

QUICK = dict(updates=150, state=8, steps=3, restarts=1)


def test_classes_of_graphs(rings):
    X, y = rings
    model = ggsnn.GraphClassifier(**QUICK).fit(X, y)
    assert list(model.classes_) == ["no", "yes"]
    assert model.score(X, y) == 1.0
    proba = model.predict_proba(X)
    assert proba.shape == (60, 2) and np.allclose(proba.sum(axis=1), 1)
    assert (model.classes_[proba.argmax(axis=1)] == model.predict(X)).all()
    assert model.predict(X[0]) == "yes"
    assert model.evaluate(X, y)["accuracy"] == 1.0


def test_labels_of_any_type(rings):
    X, y = rings
    model = ggsnn.GraphClassifier(**QUICK).fit(X, np.where(y == "yes", 7, -3))
    assert model.classes_.tolist() == [-3, 7]
    assert model.predict(X[:2]).tolist() == [7, -3]


def test_a_label_that_was_never_seen_is_wrong(rings):
    X, y = rings
    assert ggsnn.GraphClassifier(**QUICK).fit(X, np.arange(60) % 2).score(X, ["other"] * 60) == 0


def test_numbers_of_graphs():
    X = [ggsnn.Graph(n, [(v, v + 1) for v in range(n - 1)]) for n in range(2, 22)]
    y = np.array([100.0 + 10 * g.nodes for g in X])
    model = ggsnn.GraphRegressor(updates=600, restarts=1).fit(X, y)
    assert model.predict(X).shape == (20,)
    assert model.score(X, y) > 0.9
    both = ggsnn.GraphRegressor(updates=50, restarts=1).fit(X, np.stack([y, -y], axis=1))
    assert both.predict(X).shape == (20, 2)


def test_classes_of_nodes():
    rng = np.random.default_rng(1)
    X, y = [], []
    for _ in range(20):
        n = 6
        marks = rng.integers(0, 2, n)
        X.append(ggsnn.Graph(n, [(v, (v + 1) % n) for v in range(n)], features=marks[:, None]))
        y.append([["b", "a"][marks[v - 1]] for v in range(n)])
    y[0][2] = None
    model = ggsnn.NodeClassifier(**QUICK).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.predict(X)[3].tolist() == y[3]
    assert model.predict_proba(X)[3].shape == (6, 2)
    assert model.embed(X)[3].shape == (6, 8)


def test_one_graph_with_parts():
    n = 30
    marks = np.arange(n) % 2
    g = ggsnn.Graph(n, [(v, v) for v in range(n)], features=marks[:, None])
    y = [["even", "odd"][m] for m in marks]
    split = {"train": np.arange(0, 10), "valid": np.arange(n) // 10 == 1, "test": range(20, 30)}
    model = ggsnn.NodeClassifier(**QUICK).fit(g, y, split=split)
    assert model.predict(g).tolist() == y
    assert model.score(g, y) == 1.0


def test_numbers_of_nodes():
    X = [ggsnn.Graph(5, [(v, v + 1) for v in range(4)], features=np.arange(5.0)[:, None] + i) for i in range(20)]
    y = [np.arange(5.0) * 2 + i for i in range(20)]
    model = ggsnn.NodeRegressor(updates=300, restarts=1).fit(X, y)
    assert model.predict(X)[4].shape == (5,)
    assert model.score(X, y) > 0.8


def test_nodes(walks):
    X, y = walks
    model = ggsnn.NodeSelector(updates=400, restarts=3, stop_at_zero=True).fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.predict(X[7]) == y[7]
    assert model.predict_proba(X)[7].shape == (X[7].graph.nodes,)
    larger = ggsnn.Graph([f"n{v}" for v in range(12)], [(f"n{v}", "next", f"n{(v + 1) % 12}") for v in range(12)])
    assert model.predict(larger.ask("two hops on", "n10")) == 0
    why = model.explain(larger.ask("two hops on", "n10"))
    assert why.answer == "n0" and len(why.nodes) == 12 and why._repr_svg_().startswith("<svg")


def test_sequences():
    X, y = [], []
    for i in range(60):
        n = 4 + i % 3
        X.append(ggsnn.Graph(n, [(v, "next", v + 1) for v in range(n - 1)]).ask("way", i % n))
        y.append(list(range(i % n, n)))
    model = ggsnn.NodeSequencer(updates=600, restarts=2, stop_at_zero=True).fit(X, y)
    assert model.score(X, y) > 0.9
    assert model.predict(X[0]).tolist() == y[0]
    assert model.predict(X, beam=3)[0].tolist() == y[0]
    assert model.predict_proba(X[0]).shape == (len(y[0]) + 1, X[0].graph.nodes + 1)
    names = [[["red", "blue"][v % 2] for v in row] for row in y]
    words = ggsnn.ClassSequencer(updates=200, restarts=1).fit(X, names)
    assert set(words.classes_) == {"red", "blue"} and 0 <= words.score(X, names) <= 1


def test_the_same_bits_as_the_program(program, tmp_path):
    for task in ["babi4", "babi16", "shortest-path"]:
        data = tmp_path / f"{task}.txt"
        data.write_text(program("generate", task, "--count", 40))
        program("train", data, "-o", tmp_path / "program.ggsnn", "--updates", 30, "--restarts", 2, "--quiet")
        ggsnn.train(data, updates=30, restarts=2, threads=1).save(tmp_path / "python.ggsnn")
        wanted = (tmp_path / "program.ggsnn").read_bytes()
        assert (tmp_path / "python.ggsnn").read_bytes() == wanted, task


def test_data_of_python_trains_as_the_same_data_in_a_file(program, tmp_path, rings):
    X, y = rings
    lines = []
    for g, label in zip(X, y):
        a = g.arrays()
        edges = [[int(s), t, int(e)] for s, t, e in zip(a["sources"], a["types"], a["targets"])]
        lines.append('{"nodes": %d, "edges": %s, "question": {"answer": {"class": "%s"}}}' % (g.nodes, str(edges).replace("'", '"'), label))
    (tmp_path / "data.jsonl").write_text("\n".join(lines) + "\n")
    program("train", "data.jsonl", "-o", "program.ggsnn", "--updates", 30, "--restarts", 2, "--state", 6, "--quiet")
    model = ggsnn.GraphClassifier(updates=30, restarts=2, state=6).fit(X, y)
    model.save(tmp_path / "python.ggsnn")
    assert (tmp_path / "python.ggsnn").read_bytes() == (tmp_path / "program.ggsnn").read_bytes()
    again = ggsnn.GraphClassifier.load(tmp_path / "program.ggsnn")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    with pytest.raises(ggsnn.Error, match="answers with class; expected node"):
        ggsnn.NodeSelector.load(tmp_path / "program.ggsnn")
    read, answers = ggsnn.read(tmp_path / "data.jsonl")
    assert answers == y.tolist() and np.array_equal(again.predict_proba(read), model.predict_proba(X))


def test_threads_do_not_matter(rings):
    X, y = rings
    one = ggsnn.GraphClassifier(updates=40, restarts=3, threads=1).fit(X, y)
    three = ggsnn.GraphClassifier(updates=40, restarts=3, threads=3).fit(X, y)
    assert pickle.dumps(one.model_) == pickle.dumps(three.model_)


def test_pickle(rings):
    X, y = rings
    model = ggsnn.GraphClassifier(**QUICK).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again.get_params() == model.get_params()
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))


def test_callbacks_see_and_stop(rings):
    X, y = rings
    events = []
    model = ggsnn.GraphClassifier(updates=1000, restarts=1, evaluate_every=10, callbacks=[events.append]).fit(X, y)
    updates = [event["update"] for event in events]
    assert updates == list(range(10, 1001, 10))
    assert {"train_loss", "valid_loss", "error_rate", "epoch", "question", "restart"} <= events[0].keys()
    stopped = ggsnn.GraphClassifier(
        updates=100000, restarts=5, evaluate_every=10, callbacks=lambda event: event["update"] >= 50
    ).fit(X, y)
    assert stopped.model_.training["cut"]["runs"] >= 1
    assert model.score(X, y) == 1.0

    def wrong(event):
        raise RuntimeError("of the callback")

    with pytest.raises(RuntimeError, match="of the callback"):
        ggsnn.GraphClassifier(updates=1000, evaluate_every=10, callbacks=wrong).fit(X, y)


def test_ctrl_c_leaves_the_best_so_far(rings):
    X, y = rings
    before = signal.getsignal(signal.SIGINT)
    model = ggsnn.GraphClassifier(updates=100_000_000, restarts=1, evaluate_every=10)
    begun = threading.Event()
    model.set_params(callbacks=lambda event: begun.set())

    def interrupt():
        begun.wait(30)
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert len(model.predict(X)) == 60
    assert signal.getsignal(signal.SIGINT) is before
    assert ggsnn.GraphClassifier(**QUICK).fit(X, y).score(X, y) == 1.0  # what was interrupted is forgotten


def test_other_threads_run_while_it_trains(rings):
    X, y = rings
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    ggsnn.GraphClassifier(updates=3000, restarts=1).fit(X, y)
    done.set()
    thread.join()
    assert len(ticks) > 5


def test_two_threads_train_at_once(rings):
    X, y = rings
    together, met = threading.Barrier(2), []

    def meet(event):  # broken where one waits for the other's end
        if event["update"] <= 50:
            met.append(together.wait(60))

    models = [ggsnn.GraphClassifier(updates=100, restarts=1, evaluate_every=50, seed=s, threads=1, callbacks=meet) for s in (1, 2)]
    threads = [threading.Thread(target=model.fit, args=(X, y)) for model in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(met) == [0, 1] and not together.broken
    for seed, model in zip((1, 2), models):
        alone = ggsnn.GraphClassifier(updates=100, restarts=1, evaluate_every=50, seed=seed).fit(X, y)
        assert np.array_equal(model.predict_proba(X), alone.predict_proba(X))


def test_time_is_kept(rings):
    X, y = rings
    model = ggsnn.GraphClassifier(updates=10_000_000, restarts=1, time=0.3).fit(X, y)
    assert "cut" in model.model_.training


@pytest.mark.parametrize(
    "fit, message",
    [
        (lambda X, y: ggsnn.GraphClassifier(statee=3), "has no parameter 'statee'; expected one of model, seed"),
        (lambda X, y: ggsnn.GraphClassifier(state=-3).fit(X, y), '"state" is -3; expected a whole number from'),
        (lambda X, y: ggsnn.GraphClassifier(learning_rate="x").fit(X, y), '"learning_rate" is "x"; expected'),
        (lambda X, y: ggsnn.GraphClassifier(loss="absolute").fit(X, y), "has no meaning here"),
        (lambda X, y: ggsnn.GraphClassifier(model="gru").fit(X, y), "gru"),
        (lambda X, y: ggsnn.GraphClassifier(seed=-1).fit(X, y), "seed is -1; expected"),
        (lambda X, y: ggsnn.GraphClassifier(seed=2**64).fit(X, y), "expected a whole number from 0 to"),
        (lambda X, y: ggsnn.GraphClassifier(threads=-1).fit(X, y), "threads is -1; expected 0 or more"),
        (lambda X, y: ggsnn.GraphClassifier().fit(X, y[:3]), "there are 3; expected an answer for each of the 60"),
        (lambda X, y: ggsnn.GraphClassifier().fit(X, None), "dimensions|there are none"),
        (lambda X, y: ggsnn.GraphClassifier().fit([1, 2], ["a", "b"]), r"X\[0\] is int; expected a Graph"),
        (lambda X, y: ggsnn.GraphClassifier().fit([], []), "X is empty"),
        (lambda X, y: ggsnn.NodeSelector().fit(X, [99] * 60), r"y\[0\]: 99 is no node; expected 0 to"),
        (lambda X, y: ggsnn.NodeClassifier().fit(X, [["a"]] * 60), r"y\[0\]: the answer has 1 entries"),
        (lambda X, y: ggsnn.GraphRegressor().fit(X, [np.inf] * 60), r"y\[0\] is infinite"),
        (lambda X, y: ggsnn.GraphClassifier().predict(X), "not fitted"),
        (lambda X, y: ggsnn.GraphClassifier(**QUICK).fit(X, y).predict([ggsnn.Graph(2, [(0, "new", 1)])]), r'X\[0\].*"new"'),
        (lambda X, y: ggsnn.GraphClassifier(**QUICK).fit(X, y).embed(X, of="edges"), "expected nodes or graphs"),
    ],
)
def test_what_is_wrong_is_told(rings, fit, message):
    with pytest.raises(ValueError, match=message):
        fit(*rings)
