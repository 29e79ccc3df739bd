"""What a model answers, written from the page of equations alone: numpy, double precision, no speed.

answers(model_path, data_path) gives a dict for each question, with the keys of `ggsnn predict --json --top 1000`.
"""

import gzip
import json
import math
from itertools import islice

import numpy as np


# ---- files ----

def read_bytes(path):
    with open(path, "rb") as file:
        content = file.read()
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


def read_model(path):
    """Metadata, and the tensors by name."""
    content = read_bytes(path)
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    metadata = json.loads(header.pop("__metadata__")["ggsnn"])
    tensors = {}
    for name, entry in header.items():
        begin, end = (start + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(content[begin:end], "<f4").reshape(entry["shape"]).astype(float)
    return metadata, tensors


def member_weights(tensors, network, member):
    prefix = f"{network}.{member}."
    return {name[len(prefix):]: tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def read_data(path):
    text = read_bytes(path).decode()
    if text.lstrip().startswith("{"):
        return [json_graph(json.loads(line)) for line in text.splitlines() if line.strip()]
    return read_stories(text)


def single(numbers):
    """Numbers of data: rounded to float32."""
    return np.array(numbers, np.float32).astype(float)


def json_graph(line):
    names = line["nodes"] if isinstance(line["nodes"], list) else None
    count = len(names) if names is not None else line["nodes"]
    number = {name: i for i, name in enumerate(names if names is not None else range(count))}
    questions = line["questions"] if "questions" in line else [line["question"]]
    return {
        "count": count,
        "names": names,
        "edges": [(number[u], str(kind), number[v]) for u, kind, v in line["edges"]],
        "weights": single(line.get("edge_weights", np.ones(len(line["edges"])))),
        "edge_features": single(line["edge_features"]) if "edge_features" in line else None,
        "features": node_features(line, count),
        "types": [type_names(entry) for entry in line.get("node_types", [None] * count)],
        "questions": [(str(question.get("type", "question")), [number[a] for a in question.get("arguments", [])])
                      for question in questions],
    }


def node_features(line, count):
    if "sparse_features" not in line:
        return single(line["features"]) if "features" in line else np.zeros((count, 0))
    features = np.zeros((count, line["sparse_features"]["width"]))
    for row, entries in zip(features, line["sparse_features"]["rows"]):
        for entry in entries:
            column, value = entry if isinstance(entry, list) else (entry, 1)
            row[column] = value
    return single(features)


def type_names(entry):
    names = entry if isinstance(entry, list) else [] if entry is None else [entry]
    return [str(name) for name in names]


def read_stories(text):
    stories, facts, questions = [], [], []

    def finish():
        if facts or questions:
            stories.append(story_graph(facts, questions))
        facts.clear()
        questions.clear()

    for line in text.splitlines():
        words = line.split("\t")[0].split()
        if not words:
            finish()
        elif words[0] == "eval":
            questions.append(words[1:])
        else:
            if questions:
                finish()
            facts.append(words)
    finish()
    return stories


def story_graph(facts, questions):
    names = list(dict.fromkeys(name for a, _, b in facts for name in (a, b)))
    number = {name: i for i, name in enumerate(names)}
    return {
        "count": len(names),
        "names": names,
        "edges": [(number[a], relation, number[b]) for a, relation, b in facts],
        "weights": np.ones(len(facts)),
        "edge_features": None,
        "features": np.zeros((len(names), 0)),
        "types": [[] for _ in names],
        "questions": [(next(word for word in words if word not in number),
                       [number[word] for word in words if word in number]) for words in questions],
    }


# ---- functions ----

def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(scores, axis):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def layer(weights, name, x):
    """x W_name + b_name, where name is such as output.1"""
    part, index = name.split(".")
    return x @ weights[f"{part}.W_{index}"] + weights[f"{part}.b_{index}"]


def two_layers(weights, part, x):
    return layer(weights, part + ".2", np.tanh(layer(weights, part + ".1", x)))


def normalised(scores, answer):
    """Probabilities; numbers stay what they are."""
    if answer in ("numbers", "node_numbers"):
        return scores
    return softmax(scores, 0 if answer in ("node", "nodes") else 1)


# ---- annotations ----

def known(metadata, graph):
    """f: scaled features, then types, a row a node."""
    tags = metadata.get("tags", [])
    scaled = single(graph["features"] * np.array(metadata["feature_scale"]))
    types = np.array([[float(tag in names) for tag in tags] for names in graph["types"]])
    return np.hstack([scaled, types.reshape(graph["count"], len(tags))])


def annotations(metadata, weights, graph, arguments):
    f = known(metadata, graph)
    end = metadata["answer"] == "nodes"
    if end:
        f = np.vstack([f, np.zeros((1, f.shape[1]))])
    if metadata["network"].get("embedding", 0):
        f = np.tanh(f @ weights["input.W"] + weights["input.b"])
    x = np.zeros((len(f), metadata["network"]["annotation"]))
    x[:, :f.shape[1]] = f
    for i, node in enumerate(arguments):
        x[node, f.shape[1] + i] = 1
    if end:
        x[-1, -1] = 1
    return x


# ---- ggnn ----

def ends(metadata, graph):
    """For each slot the edges heard in it, as (edge, hearer, heard)."""
    slots = [[] for _ in range(2 * len(metadata["edge_types"]))]
    for k, (source, kind, target) in enumerate(graph["edges"]):
        slot = 2 * metadata["edge_types"].index(kind)
        slots[slot].append((k, target, source))
        slots[slot + 1].append((k, source, target))
    return slots


def slot_matrices(metadata, graph, count):
    """S and E of each slot."""
    mean = metadata["network"].get("messages", "sum") == "mean"
    width = metadata.get("edge_features", 0)
    matrices = []
    for slot in ends(metadata, graph):
        heard, features, sizes = np.zeros((count, count)), np.zeros((count, width)), np.zeros((count, 1))
        for k, v, u in slot:
            weight = graph["weights"][k]
            heard[v, u] += weight
            sizes[v] += abs(weight)
            if width:
                features[v] += weight * graph["edge_features"][k]
        divisor = np.where(sizes > 0, sizes, 1) if mean else 1
        matrices.append((heard / divisor, features / divisor))
    return matrices


def hear(weights, part, network, slots, h, x):
    """Eq. 2"""
    directions = [np.zeros_like(h), np.zeros_like(h)]
    for s, (heard, features) in enumerate(slots):
        place = f"{s // 2}.{('in', 'out')[s % 2]}"
        message = heard @ h @ weights[f"{part}.A.{place}"]
        if network["variant"] == "authors":
            message += heard.sum(axis=1, keepdims=True) * weights[f"{part}.A.{place}.bias"]
        if f"{part}.B.{place}" in weights:
            message += features @ weights[f"{part}.B.{place}"]
        directions[s % 2] += message
    added = network.get("directions", "apart") == "added"
    a = directions[0] + directions[1] if added else np.hstack(directions)

    def own(name):
        return weights[f"{part}.{name}"] if added else np.hstack([weights[f"{part}.{name}.{d}"] for d in ("in", "out")])

    if network["variant"] == "paper":
        a = a + own("b")
    if network.get("residual", False):
        a = a + x @ own("R")
    return a


def propagate(weights, part, network, slots, x, steps):
    """Eqs. 1 to 6"""
    h = np.hstack([x, np.zeros((len(x), network["state"] - x.shape[1]))])

    def gate(name, a, state):
        bias = weights.get(f"{part}.b_{name}", 0)
        return a @ weights[f"{part}.W_{name}"] + state @ weights[f"{part}.U_{name}"] + bias

    for _ in range(steps):
        a = hear(weights, part, network, slots, h, x)
        z, r = sigmoid(gate("z", a, h)), sigmoid(gate("r", a, h))
        h = (1 - z) * h + z * np.tanh(gate("h", a, r * h))
    return h


def head(weights, answer, variant, h, x):
    hx = np.hstack([h, x])
    if answer in ("class", "classes", "numbers"):
        graph = (sigmoid(layer(weights, "output.i", hx)) * np.tanh(layer(weights, "output.j", hx))).sum(axis=0, keepdims=True)
        graph = graph if answer == "numbers" else np.tanh(graph)
        scores = two_layers(weights, "output", graph) if variant == "authors" else layer(weights, "output.2", graph)
    else:
        scores = two_layers(weights, "output", hx)
        if variant == "authors" and answer in ("node", "nodes"):
            scores = scores * sigmoid(layer(weights, "output.g", hx))
    return normalised(scores, answer)


def ggnn(metadata, weights, graph, kind, arguments, steps):
    """Output after output."""
    network = metadata["network"]
    steps = steps or network["steps"]
    x = annotations(metadata, weights, graph, arguments)
    slots = slot_matrices(metadata, graph, len(x))
    while True:
        h = propagate(weights, "propagation", network, slots, x, steps)
        yield head(weights, metadata["answer"], network["variant"], h, x)
        if not network["shared_propagation"]:
            h = propagate(weights, "annotation_propagation", network, slots, x, steps)
        x = sigmoid(two_layers(weights, "annotation", np.hstack([h, x])))
        if network.get("observed", False):
            x = (x >= 0.5).astype(float)


# ---- gnn ----

def gnn_messages(metadata, graph, labels):
    """Hearers and heard nodes of each kind of message: (label of hearer, slot, label of heard)."""
    slots = ends(metadata, graph)
    if len(labels) > graph["count"]:
        nodes, last = range(graph["count"]), graph["count"]
        slots += [[(None, last, v) for v in nodes], [(None, v, last) for v in nodes]]
    messages = {tuple(triple[:3]): ([], []) for triple in metadata["network"]["triples"]}
    for slot, heard in enumerate(slots):
        for _, v, u in heard:
            kind = labels[v], slot, labels[u]
            if kind in messages:
                messages[kind][0].append(v)
                messages[kind][1].append(u)
    return {kind: nodes for kind, nodes in messages.items() if nodes[0]}


def fixed_point(network, weights, messages, count):
    sent = np.zeros((count, 1))
    for _, heard in messages.values():
        np.add.at(sent, heard, 1)
    functions = []
    for (mine, slot, other), (hearers, heard) in messages.items():
        part = f"f.{mine}.{slot // 2}.{('in', 'out')[slot % 2]}.{other}."
        functions.append((hearers, heard, {name[len(part):]: w for name, w in weights.items() if name.startswith(part)}))

    def say(w, heard, h):
        if network["edge_function"] == "neural":
            return np.tanh(h[heard] @ w["W_1"] + w["b_1"]) @ w["W_2"] + w["b_2"]
        return network["contraction"] / (network["state"] * sent[heard]) * (h[heard] @ np.tanh(w["Xi"])) + w["b"]

    h, change = np.zeros((count, network["state"])), 1
    while change > 1e-10:
        before, h = h, np.zeros_like(h)
        for hearers, heard, w in functions:
            np.add.at(h, hearers, say(w, heard, before))
        change = np.abs(h - before).max()
    return h


def gnn(metadata, weights, graph, kind, arguments, steps):
    network, answer = metadata["network"], metadata["answer"]
    x = annotations(metadata, weights, graph, arguments)
    rows = single(network["label_values"]).reshape(-1, network["annotation"])
    labels = [int(np.flatnonzero((rows == row).all(axis=1))[0]) for row in x]
    whole = answer in ("class", "numbers")
    if whole:
        labels.append(len(rows))
        x = np.vstack([x, np.zeros((1, x.shape[1]))])
    h = fixed_point(network, weights, gnn_messages(metadata, graph, labels), len(x))
    hx = np.hstack([h, x])[-1 if whole else 0:]
    yield normalised(two_layers(weights, "output", hx), answer)


# ---- rnn, lstm ----

def question_tokens(metadata, graph, kind, arguments):
    entities, edge_types = metadata["entities"], metadata["edge_types"]
    first_type = 2 + len(entities)

    def entity(node):
        return 2 + entities.index(graph["names"][node] if graph["names"] is not None else str(node))

    tokens = []
    for source, edge_type, target in graph["edges"]:
        tokens += [entity(source), first_type + edge_types.index(edge_type), entity(target), 0]
    tokens.append(first_type + len(edge_types) + metadata["question_types"].index(kind))
    return tokens + [entity(node) for node in arguments]


def rnn_cell(w, e, h, c):
    return np.tanh(e @ w["W_x"] + h @ w["W_h"] + w["b"]), c


def lstm_cell(w, e, h, c):
    i, f, o, g = (e @ w["W_x_" + k] + h @ w["W_h_" + k] + c @ w["W_c_" + k] + w["b_" + k] for k in "ifog")
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def recurrent(metadata, weights, graph, kind, arguments, steps):
    cell = {"rnn": rnn_cell, "lstm": lstm_cell}[metadata["network"]["model"]]
    h = c = np.zeros((1, metadata["network"]["state"]))
    for token in question_tokens(metadata, graph, kind, arguments):
        h, c = cell(weights, weights["E"][token], h, c)
    while True:
        h, c = cell(weights, weights["E"][1], h, c)
        yield softmax(h @ weights["W_out"] + weights["b_out"], 1)


# ---- answers ----

def averaged(model, graph, question, steps):
    """Outputs of the ensemble: matrices of probabilities or numbers, one after the other."""
    metadata, tensors = model
    kind, arguments = question
    model_kind = metadata["network"].get("model", "ggnn")
    member = {"ggnn": ggnn, "gnn": gnn, "rnn": recurrent, "lstm": recurrent}[model_kind]
    number = 0 if member is recurrent else metadata["question_types"].index(kind)
    members = [member(metadata, member_weights(tensors, number, m), graph, kind, arguments, steps)
               for m in range(metadata["members"][number])]
    for outputs in zip(*members):
        yield np.mean(outputs, axis=0)


def label_names(metadata, graph):
    answer = metadata["answer"]
    if answer not in ("node", "nodes"):
        return metadata["classes"] + ["(end)"] * (answer == "classes")
    if graph["names"] is None:
        return list(range(graph["count"] + (answer == "nodes")))
    return graph["names"] + ["(end)"] * (answer == "nodes")


def ranking(labels, probabilities):
    return [[labels[i], probabilities[i]] for i in np.argsort(-probabilities, kind="stable")]


def greedy(outputs, labels, most):
    answer, rankings, probability = [], [], 1.0
    for p in islice(outputs, most):
        rankings.append(ranking(labels, p.ravel()))
        label, share = rankings[-1][0]
        probability *= share
        if label == labels[-1]:
            return {"answer": answer, "probability": probability, "ranking": rankings}
        answer.append(label)
    return {"answer": answer, "probability": probability, "ranking": rankings, "capped": True}


def beam_search(outputs, labels, most, width):
    unfinished, finished, rankings = [(0.0, [])], [], []

    def best(sequences):
        possible = [sequence for sequence in sequences if sequence[0] > -math.inf]
        return sorted(possible, key=lambda sequence: (-sequence[0], sequence[1]))[:width]

    for p in islice(outputs, most):
        rankings.append(ranking(labels, p.ravel()))
        *others, end = (math.log(share) if share > 0 else -math.inf for share in p.ravel())
        finished = best(finished + [(score + end, entries) for score, entries in unfinished])
        unfinished = best([(score + share, entries + [i]) for score, entries in unfinished for i, share in enumerate(others)])
        if not unfinished or len(finished) == width and unfinished[0][0] <= finished[-1][0]:
            break
    sequences = [[[labels[i] for i in entries], math.exp(score)] for score, entries in finished]
    if not sequences:
        return {"answer": [], "capped": True, "sequences": [], "ranking": rankings}
    return {"answer": sequences[0][0], "probability": sequences[0][1], "sequences": sequences, "ranking": rankings}


def answer_question(model, graph, question, steps=None, beam=None):
    metadata = model[0]
    kind, labels = metadata["answer"], label_names(metadata, graph)
    outputs = averaged(model, graph, question, steps)
    if kind in ("nodes", "classes"):
        most = max(1, 4 * metadata["longest"], len(labels) if kind == "nodes" else 0)
        if beam:
            return beam_search(outputs, labels, most, beam)
        return greedy(outputs, labels, most)
    output = next(outputs)
    if kind in ("numbers", "node_numbers"):
        output = output * metadata["value_scale"] + metadata["value_mean"]
        return {"answer": (output[0] if kind == "numbers" else output).tolist()}
    if kind == "node_classes":
        rankings = [ranking(labels, row) for row in output]
        return {"answer": [entries[0][0] for entries in rankings], "ranking": rankings}
    entries = ranking(labels, output.ravel())
    return {"answer": entries[0][0], "probability": entries[0][1], "ranking": entries}


def answers(model_path, data_path, steps=None, beam=None):
    model = read_model(model_path)
    return [answer_question(model, graph, question, steps, beam)
            for graph in read_data(data_path) for question in graph["questions"]]
