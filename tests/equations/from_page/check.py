"""Makes small models of every kind with the program and compares its answers with those of forward.py.

python3 check.py path/to/ggsnn [part of a case's name]
"""

import gzip
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import forward

TOLERANCE = 1e-5
CLASSES = ["red", "blue", "green"]
LEVELS = [0, 0.11, 0.7, 1.39, 2.6, 3.03, 4.57, 5.1, 6.9, 7.3]  # a scale of 1 / 7.3: rounding of products can be seen
ENSEMBLE = ["--restarts", "3", "--ensemble", "2"]


@dataclass
class Case:
    name: str
    answer: str = ""            # head of random graphs, or
    task: list = field(default_factory=list)      # what is generated
    data: set = field(default_factory=set)        # what random graphs have
    test: set = None                              # the same for the graphs that are asked, if it differs
    graphs: int = 30                              # in training
    train: list = field(default_factory=list)     # options
    ask: dict = field(default_factory=dict)       # options of asking: steps, beam


# ---- random data ----

def random_graph(rng, answer, data):
    """Loops, parallel edges and nodes without edges happen."""
    count = rng.randint(3, 7)
    nodes = list(range(count)) if "numbered" in data else rng.sample("abcdefghij", count)
    graph = {"nodes": count if "numbered" in data else nodes}
    sources = [rng.choice(nodes) for _ in range(count + 2)]
    if answer == "nodes":  # after some outputs a node without edges equals 'end' in all but the last digits: a tie
        sources += nodes
    graph["edges"] = [[source, rng.choice(["likes", "sees", 7]), rng.choice(nodes)] for source in sources]
    if "weights" in data:
        graph["edge_weights"] = [rng.choice([0, 1, -0.5, rng.uniform(-1, 2)]) for _ in graph["edges"]]
    if "edge features" in data:
        graph["edge_features"] = [[rng.uniform(-1, 1), rng.randint(0, 1)] for _ in graph["edges"]]
    if "features" in data:
        graph["features"] = [[rng.uniform(-7, 7), rng.uniform(-1, 1)] for _ in nodes]
    if "levels" in data:
        graph["features"] = [[rng.choice(LEVELS)] for _ in nodes]
    if "sparse" in data:
        graph["sparse_features"] = {"width": 4, "rows": [sparse_row(rng) for _ in nodes]}
    if "types" in data:
        graph["node_types"] = [rng.choice([None, "x", 5, ["x", "y"], ["y"], []]) for _ in nodes]
    if "unknown type" in data:
        graph["node_types"][0] = ["x", "unknown"]
    questions = [random_question(rng, answer, data, nodes) for _ in range(rng.choice([1, 2]))]
    return {**graph, "question": questions[0]} if len(questions) == 1 else {**graph, "questions": questions}


def sparse_row(rng):
    columns = rng.sample(range(4), rng.randint(0, 3))
    return [rng.choice([column, [column, rng.uniform(-3, 3)]]) for column in columns]


def random_question(rng, answer, data, nodes):
    question = {"answer": {answer: random_answer(rng, answer, data, nodes)}}
    if "arguments" in data:
        question["arguments"] = [rng.choice(nodes) for _ in range(rng.randint(0, 2))]
    if "argument" in data:
        question["arguments"] = [rng.choice(nodes)]
    if "questions" in data:
        question["type"] = rng.choice(["who", 3])
    if "observed" in data:
        question["annotations"] = [[[rng.randint(0, 1)] for _ in nodes] for _ in question["answer"][answer]]
    return question


def random_answer(rng, answer, data, nodes):
    return {
        "node": lambda: rng.choice(nodes),
        "class": lambda: rng.choice(CLASSES),
        "numbers": lambda: [rng.uniform(1, 4), rng.uniform(-1, 0)],
        "node_classes": lambda: [rng.choice(CLASSES + [None]) for _ in nodes],
        "node_numbers": lambda: [[rng.uniform(1, 4)] for _ in nodes],
        "nodes": lambda: [rng.choice(nodes) for _ in range(1 if "short" in data else rng.randint(3, 6))],
        "classes": lambda: [rng.choice(CLASSES) for _ in range(rng.randint(3, 5))],
    }[answer]()


def write_graphs(path, seed, count, answer, data):
    rng = random.Random(seed)
    with (gzip.open if path.endswith(".gz") else open)(path, "wt") as file:
        for _ in range(count):
            file.write(json.dumps(random_graph(rng, answer, data)) + "\n")


# ---- cases ----

def gated_cases():
    rich = {"arguments", "features", "types", "weights", "edge features", "questions", "numbered"}
    settings = ["--messages", "mean", "--residual", "--embedding", "3", *ENSEMBLE]
    for answer in ("node", "class", "numbers", "node_classes", "node_numbers", "nodes", "classes"):
        for variant, directions in (("authors", "added"), ("paper", "apart")):
            yield Case(f"{answer}, {variant}", answer, data={"arguments", "features"}, train=["--variant", variant])
            yield Case(f"{answer}, {variant}, {directions}, all settings", answer, data=rich,
                       train=["--variant", variant, "--directions", directions, *settings])
    for variant in ("authors", "paper"):
        for directions in ("apart", "added"):
            for setting in ("--messages mean", "--residual", "--embedding 3"):
                yield Case(f"node, {variant}, {directions}, {setting}", "node", data={"argument", "features", "weights", "edge features"},
                           train=["--variant", variant, "--directions", directions, *setting.split()])
    yield Case("nothing known of nodes", "node_classes")
    yield Case("node types, one unknown", "class", data={"types"}, test={"types", "unknown type"})
    yield Case("sparse features, types", "node_numbers", data={"sparse", "types", "argument"})
    yield Case("sparse features, embedding", "class", data={"sparse"}, train=["--embedding", "2"])
    yield Case("edge weights", "class", data={"weights", "argument"})
    yield Case("edge weights in asking alone", "class", data={"argument"}, test={"argument", "weights"})
    yield Case("edge features", "node", data={"edge features", "argument"})
    yield Case("question types", "class", data={"questions", "argument"}, train=ENSEMBLE)
    yield Case("other steps", "node", data={"argument"}, ask={"steps": 7})


def sequence_cases():
    for answer in ("nodes", "classes"):
        yield Case(f"{answer}, separate", answer, data={"arguments", "features"}, train=["--separate"], ask={"steps": 4})
        yield Case(f"{answer}, separate, embedding, residual", answer, data={"argument", "features"},
                   train=["--separate", "--embedding", "3", "--residual"])
        yield Case(f"{answer}, spare annotations", answer, data={"argument", "types"}, train=["--annotation", "7", "--embedding", "2"])
        yield Case(f"{answer}, observed", answer, data={"argument", "observed"})
        yield Case(f"{answer}, observed, ensemble", answer, data={"argument", "observed"}, train=["--separate", *ENSEMBLE])
        yield Case(f"{answer}, beam", answer, data={"arguments", "features"}, ask={"beam": 4})
        yield Case(f"{answer}, beam, ensemble", answer, data={"argument", "features"}, train=ENSEMBLE, ask={"beam": 20})
    yield Case("nodes, cut at their number", "nodes", data={"short"}, train=["--updates", "1", "--learning-rate", "1e-5", "--seed", "4"])
    yield Case("observed circuits", task=["eulerian-circuit", "--observed"], train=["--annotation", "5"])


def other_cases():
    for answer in ("node", "class", "numbers", "node_classes", "node_numbers"):
        for function, contraction in (("linear", "0.9"), ("neural", "0.2")):  # with more, neural stops too far from its fixed point
            yield Case(f"gnn, {answer}, {function}", answer, data={"types", "questions"}, graphs=15,
                       train=["--model", "gnn", "--edge-function", function, "--contraction", contraction])
    yield Case("gnn, arguments, ensemble", "class", data={"types", "argument"}, graphs=60, train=["--model", "gnn", *ENSEMBLE])
    yield Case("gnn, scaled features", "node", data={"levels"}, graphs=60, train=["--model", "gnn"])
    for model in ("rnn", "lstm"):
        for answer in ("node", "class", "nodes", "classes"):
            yield Case(f"{model}, {answer}", answer, data={"arguments", "questions"}, train=["--model", model])
        yield Case(f"{model}, ensemble", "classes", data={"arguments"}, train=["--model", model, *ENSEMBLE])
        yield Case(f"{model}, numbered nodes", "node", data={"arguments", "numbered"}, train=["--model", model])
    for model, task in (("ggnn", "babi4"), ("ggnn", "babi15"), ("ggnn", "babi18"), ("ggnn", "babi19"), ("ggnn", "shortest-path"),
                        ("gnn", "babi4"), ("rnn", "babi18"), ("lstm", "babi4"), ("lstm", "babi19")):
        yield Case(f"{model}, {task} stories", task=[task], train=["--model", model])


# ---- comparison ----

def comparable(line, answer):
    """What the network gives. Rankings by label, and labels by probability: of equals either may be first."""
    line = {key: line[key] for key in ("answer", "probability", "ranking", "sequences", "capped") if key in line}
    if "ranking" in line:
        one = answer in ("node", "class")
        rankings = [dict(map(tuple, ranking)) for ranking in ([line["ranking"]] if one else line["ranking"])]
        line["ranking"] = rankings
        if "sequences" not in line:
            line["answer"] = [ranking[label] for label, ranking in zip([line["answer"]] if one else line["answer"], rankings)]
    return line


def difference(printed, computed):
    """The largest difference of numbers; infinite where anything else differs."""
    if isinstance(printed, float) and isinstance(computed, float):
        return abs(printed - computed)
    if isinstance(printed, dict) and isinstance(computed, dict) and printed.keys() == computed.keys():
        return max((difference(value, computed[key]) for key, value in printed.items()), default=0.0)
    if isinstance(printed, list) and isinstance(computed, list) and len(printed) == len(computed):
        return max(map(difference, printed, computed), default=0.0)
    return 0.0 if printed == computed else math.inf


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


def make_data(program, folder, case):
    files = os.path.join(folder, "train"), os.path.join(folder, "test.gz")
    for seed, (path, count) in enumerate(zip(files, (case.graphs, 8))):
        if case.task:
            run(program, "generate", *case.task, "--count", str(count), "--seed", str(seed), "-o", path)
        else:
            write_graphs(path, seed, count, case.answer, case.data if seed == 0 or case.test is None else case.test)
    return files


def compare(program, folder, case):
    folder = os.path.join(folder, case.name.replace(" ", "_"))
    os.mkdir(folder)
    train, test = make_data(program, folder, case)
    model = os.path.join(folder, "model")
    defaults = {"--updates": "40", "--learning-rate": "0.02", "--state": "9", "--restarts": "1"}
    if "--model" not in case.train:
        defaults["--steps"] = "3"
    options = [word for pair in defaults.items() if pair[0] not in case.train for word in pair] + case.train
    run(program, "train", train, "-o", model, "--threads", "1", "--quiet", *options)
    asked = [word for key, value in case.ask.items() for word in (f"--{key}", str(value))]
    lines = run(program, "predict", model, test, "--json", "--top", "1000", "--threads", "1", *asked).splitlines()
    computed = forward.answers(model, test, **case.ask)
    answer = forward.read_model(model)[0]["answer"]
    if answer in ("nodes", "classes") and all(len(line["ranking"]) < 2 for line in computed):
        raise RuntimeError("no sequence has a second output")
    return difference([comparable(json.loads(line), answer) for line in lines], [comparable(line, answer) for line in computed])


def check(program, folder, case):
    """Prints a line; gives the difference."""
    try:
        result = compare(program, folder, case)
        print(f"{case.name:50} {result:.1e}{'' if result < TOLERANCE else '  DIFFERS'}", flush=True)
        return result
    except Exception as error:
        print(f"{case.name:50} FAILED: {error!r}", flush=True)
        return math.inf


def main():
    program = os.path.abspath(sys.argv[1])
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    cases = [case for make in (gated_cases, sequence_cases, other_cases) for case in make() if part in case.name]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(6) as pool:
        worst = max(pool.map(lambda case: check(program, folder, case), cases))
    print(f"{len(cases)} cases, largest difference {worst:.1e}")
    sys.exit(0 if worst < TOLERANCE else 1)


if __name__ == "__main__":
    main()
