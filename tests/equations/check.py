"""Holds docs/equations.md to the program: models of every kind, head and setting are trained for a moment, and
what `predict --json` answers is compared with forward.py, which knows the page alone.

    check.py PROGRAM [CASE ...]
"""

import itertools
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import forward
from data import write_graphs, write_stories
from files import Model, read_data

TOLERANCE = 1e-5
HEADS = ["node", "class", "numbers", "node_classes", "node_numbers", "nodes", "classes"]
BEAM = 3


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))} failed: {done.stderr or done.stdout}")
    return done.stdout


def cases():
    """(name, answer or generated story, what graphs have, options of train)"""
    for head in HEADS:
        for variant in ("authors", "paper"):
            yield f"{head}-{variant}", head, {}, ["--variant", variant]
    everything = {"features": 1, "node_types": 1, "edge_weights": 1, "edge_features": 1, "names": 1}
    for head, variant, directions, messages in [
        ("node", "authors", "apart", "mean"),
        ("class", "paper", "added", "sum"),
        ("numbers", "authors", "added", "mean"),
        ("node_classes", "paper", "apart", "mean"),
        ("nodes", "authors", "added", "sum"),
        ("classes", "paper", "added", "mean"),
    ]:
        options = ["--variant", variant, "--directions", directions, "--messages", messages, "--residual"]
        yield f"{head}-everything", head, everything, options + ["--embedding", 3]
    for variant in ("authors", "paper"):
        yield f"reset-{variant}", "class", {"features": 1}, ["--reset", "after", "--variant", variant]
        yield f"by-step-{variant}", "node", {}, ["--matrices", "by-step", "--variant", variant]
    yield "as-torch", "nodes", {"edge_weights": 1}, ["--reset", "after", "--matrices", "by-step", "--separate"]
    for head in ("node_classes", "node_numbers"):
        yield f"linear-{head}", head, {"features": 1}, ["--readout", "linear", "--reset", "after"]
    yield "weights-alone", "class", {"edge_weights": 1}, ["--messages", "mean"]
    yield "weights-paper", "node_numbers", {"edge_weights": 1, "node_types": 1}, ["--variant", "paper"]
    yield "residual-paper", "node", {"features": 1}, ["--variant", "paper", "--residual"]
    yield "reach", "numbers", {"features": 1, "edge_weights": 1, "edge_features": 1}, ["--reach", 3]
    yield "reach-mean", "nodes", {}, ["--reach", 2, "--messages", "mean", "--variant", "paper"]
    yield "pairs", "numbers", {"features": 1, "edge_weights": 1}, ["--pairs", 5, "--reach", 3]
    yield "pairs-paper", "class", {}, ["--pairs", 9, "--messages", "mean", "--variant", "paper"]
    yield "pairs-sequence", "classes", {"features": 1}, ["--pairs", 2]
    yield "sparse", "node_classes", {"sparse_features": 1, "node_types": 1}, []
    yield "nothing-known", "node_classes", {"arguments": 0}, []
    yield "wide-state", "class", {"features": 1}, ["--state", 40]
    yield "types-of-questions", "node", {"types": ["which", "whose"]}, ["--restarts", 3, "--ensemble", 3]
    for head in ("nodes", "classes"):
        yield f"{head}-separate", head, {}, ["--separate", "--annotation", 5, "--restarts", 3, "--ensemble", 3]
        yield f"{head}-observed", head, {"observed": 1, "names": 1, "features": 1, "node_types": 1}, []
        yield f"{head}-embedding", head, {"features": 1, "names": 1}, ["--embedding", 2, "--annotation", 7]
    labelled = {"node_types": 1, "arguments": 1, "types": ["which", "whose"], "count": 25}
    for head, function in itertools.product(HEADS[:5], ("linear", "neural")):
        options = ["--model", "gnn", "--edge-function", function, "--contraction", 0.6, "--state", 4]
        yield f"gnn-{head}-{function}", head, labelled, options
    yield "gnn-ensemble", "class", {}, ["--model", "gnn", "--restarts", 2, "--ensemble", 2, "--state", 4]
    for cell in ("rnn", "lstm"):
        options = ["--model", cell, "--state", 6]
        yield f"{cell}-class", "class", {"names": 1, "types": ["which", "whose"]}, options
        yield f"{cell}-classes", "classes", {}, options + ["--restarts", 2, "--ensemble", 2]
        yield f"{cell}-nodes", "nodes", {"names": 1}, options
        yield f"{cell}-story", "babi19", {}, options
    for name, answer, options in READERS:
        yield f"reader-{name}", f"english {answer}", {}, ["--model", "reader", "--state", 7, *options]
    for task, data, options in STEPPERS:
        known = f"{task} --hints --nodes 6" if task in SOLVED else f"{task} --hints" if task not in HEADS else task
        yield f"stepper-{task}{'-no-hints' if '--no-hints' in options else ''}", known, data, ["--model", "stepper", "--state", 9, *options]
    for story in ("babi4", "babi18", "babi19", "shortest-path"):
        yield story, story, {}, []


SOLVED = ("bfs", "dfs", "dijkstra", "mst", "eccentricity", "mis")  # generated with a number of nodes
READERS = [
    ("class", "class", ["--order", "b"]),
    ("classes", "classes", []),
    ("ensemble", "class", ["--order", "fbf", "--restarts", 2, "--ensemble", 2]),
    ("classes-ensemble", "classes", ["--order", "fb", "--restarts", 2, "--ensemble", 2]),
]
LONGER = ["--updates", 200]
AGAIN = [*LONGER, "--restarts", 3, "--ensemble", 3]
STEPPERS = [
    *((task, {}, LONGER) for task in ("bfs", "dfs", "dijkstra", "eccentricity", "mis", "shortest-path")),
    ("mst", {}, AGAIN),
    ("eulerian-circuit", {}, AGAIN),
    ("dijkstra", {}, ["--no-hints", "--choice", "--steps", 3, *AGAIN]),
    ("eccentricity", {}, ["--no-hints", "--steps", 3, *AGAIN]),
    ("node_classes", {"features": 1, "node_types": 1, "edge_weights": 1, "types": ["which", "whose"]}, ["--choice", *AGAIN]),
]


# So that sequences are longer than one output, and no probability is 1: rates are high and runs short.
QUICK = ["--updates", 15, "--learning-rate", 0.03, "--l1", 0, "--threads", 1, "--quiet"]


def make(program, folder, name, answer, parts, options):
    """A model, and data that it was not trained on."""
    data, more, model = (folder / f"{name}.{ending}" for ending in ("data", "more", "ggsnn"))
    if answer.startswith("english"):
        write_stories(data, answer.split()[1], name)
        write_stories(more, answer.split()[1], f"{name} more", unknown=True)
    elif answer in HEADS:
        write_graphs(data, answer, name, **parts)
        write_graphs(more, answer, f"{name} more", **parts, strange_type="node_types" in parts)
    else:
        for seed, path in enumerate((data, more)):
            run(program, "generate", *answer.split(), "--count", 12, "--seed", seed, "-o", path)
    once = [] if "--restarts" in options else ["--restarts", 1, "--ensemble", 1]
    sizes = [] if "--state" in options else ["--state", 12]
    quick = QUICK[2:] if "--updates" in options else QUICK
    run(program, "train", data, "--valid", data, "-o", model, *quick, *options, *once, *sizes)
    return more, model


def label_names(model, record):
    if model.meta["answer"] == "nodes":
        return [record.name(v) for v in range(record.nodes)] + [record.nodes if record.names is None else "(end)"]
    if model.meta["answer"] == "node":
        return [record.name(v) for v in range(record.nodes)]
    return model.meta["classes"] + ["(end)"]


def lists_of(found, answer, names):
    """The lists of a line that predict printed, in the order of labels."""
    if answer == "numbers":
        return [found["answer"]]
    if answer == "node_numbers":
        return found["answer"]
    rankings = [found["ranking"]] if answer in ("node", "class") else found["ranking"]
    return [[p for _, p in sorted(ranking, key=lambda each: names.index(each[0]))] for ranking in rankings]


def difference(expected, found, size):
    assert len(expected) == len(found), f"{len(found)} lists; expected {len(expected)}"
    worst = 0.0
    for mine, theirs in zip(expected, found):
        assert len(mine) == len(theirs), f"{len(theirs)} numbers in a list; expected {len(mine)}"
        worst = max(worst, float(np.abs((np.array(mine) - np.array(theirs)) / size).max()))
    return worst


def compare(program, data, path, *options, steps=0):
    """The largest difference over all questions of a file, and the longest list of lists."""
    model = Model(path)
    lines = run(program, "predict", path, data, "--threads", 1, "--json", "--top", 1000, *options).splitlines()
    asked = [(record, question) for record in read_data(data, "text" in model.meta) for question in record.questions]
    assert len(lines) == len(asked), f"{len(lines)} answers; expected {len(asked)}"
    close = 0
    size = np.array(model.meta["value_scale"]) if model.meta["value_scale"] else 1.0
    worst, longest = 0.0, 0
    for line, (record, question) in zip(lines, asked):
        found = json.loads(line)
        theirs = lists_of(found, model.meta["answer"], label_names(model, record))
        mine = forward.answer(model, record, question, steps)
        if mine is None:
            close += 1
            continue
        lists, capped = mine
        if model.meta["answer"] in ("nodes", "classes") and tied(lists):
            every = [each[0] for each in forward.distributions(model, record, question, steps)]
            lists, capped = every[: len(theirs)], found.get("capped", False)
        worst = max(worst, difference(lists, theirs, size))
        assert found.get("capped", False) == capped, f"capped is {not capped}; expected {capped}"
        longest = max(longest, len(lists))
    assert close <= len(lines) / 10, f"{close} of {len(lines)} answers hang on a rounding"
    return worst, longest


def tied(lists):
    """Whether rounding decides if a sequence ends: nodes that nothing tells apart from 'end' have its score."""
    return any(abs(each[-1] - max(each[:-1])) < TOLERANCE for each in lists if len(each) > 1)


def compare_beams(program, data, path):
    model, worst = Model(path), 0.0
    lines = run(program, "predict", path, data, "--threads", 1, "--json", "--beam", BEAM).splitlines()
    asked = [(record, question) for record in read_data(data) for question in record.questions]
    for line, (record, question) in zip(lines, asked):
        lists = (each[0] for each in forward.distributions(model, record, question))
        expected, names = forward.beam_search(lists, BEAM), label_names(model, record)
        found = json.loads(line).get("sequences", [])
        assert [s for s, _ in found] == [[names[k] for k in s] for s, _ in expected], f"sequences {found}; expected {expected}"
        worst = max([worst] + [abs(p - q) for (_, p), (_, q) in zip(found, expected)])
    return worst


def scrambled(path, seed):
    """The model with random numbers as its parameters, so that its steps do things that no training teaches."""
    data = path.read_bytes()
    first = 8 + struct.unpack("<Q", data[:8])[0]
    numbers = np.random.default_rng(seed).normal(0, 0.6, size=(len(data) - first) // 4).astype("<f4")
    path.with_suffix(".scrambled").write_bytes(data[:first] + numbers.tobytes())
    return path.with_suffix(".scrambled")


def check(program, folder, name, answer, parts, options):
    data, path = make(program, folder, name, answer, parts, options)
    worst, longest = compare(program, data, path)
    kind = Model(path).kind
    if kind in ("ggnn", "stepper"):
        worst = max(worst, compare(program, data, path, "--steps", 2, steps=2)[0])
    for seed in range(6 if kind == "stepper" else 1 if kind == "reader" else 0):
        steps = ("--steps", 9) if kind == "stepper" else ()
        worst = max(worst, compare(program, data, scrambled(path, seed), *steps, steps=9)[0])
    if kind == "ggnn" and Model(path).meta["answer"] in ("nodes", "classes"):
        worst = max(worst, compare_beams(program, data, path))
    print(f"{name}: {worst:.1e}, {longest} lists", flush=True)
    # Written so that NaN fails.
    return worst < TOLERANCE, longest


def main(program, *wanted):
    failed, longest = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for name, answer, parts, options in cases():
            if wanted and name not in wanted:
                continue
            try:
                good, length = check(program, Path(folder), name, answer, parts, options)
            except AssertionError as error:
                sys.exit(f"{name}: {error}")
            failed += [] if good else [name]
            longest[answer] = max(longest.get(answer, 0), length)
    if failed:
        sys.exit(f"differences of {TOLERANCE} or more: {', '.join(failed)}")
    # Annotations carry over only where there is a second output.
    if not wanted and min(longest["nodes"], longest["classes"]) < 3:
        sys.exit(f"sequences of {longest['nodes']} and {longest['classes']} outputs at the most; expected 3 or more")


if __name__ == "__main__":
    main(*sys.argv[1:])
