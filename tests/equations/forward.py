"""The forward pass of docs/equations.md, in numpy and double precision, written to be read beside that page:
every function is one of its sections. check.py holds it to what the program answers."""

import numpy as np

import reading
import stepping


CLOSE = 1e-6  # to 1/2


def sigma(x):
    return 1 / (1 + np.exp(-x))


def softmax(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()


# From data to annotations


def inputs_of(meta, record):
    """f_v = [features, types], a row a node, in single precision as the program has them."""
    tags = meta.get("tags", [])
    f = np.zeros((record.nodes, meta["features"] + len(tags)), np.float32)
    if record.features is not None:
        scaled = record.features.astype(np.float64) * np.array(meta["feature_scale"])
        f[:, : meta["features"]] = scaled.astype(np.float32)
    for node, kinds in enumerate(record.types):
        for kind in kinds:
            if kind in tags:
                f[node, meta["features"] + tags.index(kind)] = 1
    return f


def first_inputs(meta, record, arguments):
    """[f_v, arguments]."""
    marks = np.zeros((record.nodes, meta["arguments"]))
    for i, node in enumerate(arguments):
        marks[node, i] = 1
    return np.hstack([inputs_of(meta, record).astype(np.float64), marks])


def first_annotations(meta, net, p, record, arguments):
    """X^1. Sequences of nodes have one row more, for 'end'."""
    f = inputs_of(meta, record).astype(np.float64)
    end = meta["answer"] == "nodes"
    if end:
        f = np.vstack([f, np.zeros((1, f.shape[1]))])
    if net.get("embedding", 0) > 0:
        f = np.tanh(f @ p["input.W"] + p["input.b"])
    x = np.zeros((len(f), net["annotation"]))
    x[:, : f.shape[1]] = f
    for i, node in enumerate(arguments):
        x[node, f.shape[1] + i] = 1
    if end:
        x[-1, -1] = 1
    return x


# Propagation


class Messages:
    """What edges say, apart from states: by slot, S (nodes x nodes), S[v, u] the weight of what v hears from
    u, and for edges with numbers E (nodes x numbers), row v the weighted sum of those that v hears."""

    def __init__(self, meta, net, record, nodes):
        self.S, self.E = [], []
        numbers = meta.get("edge_features", 0)
        w = np.ones(len(record.edges)) if record.weights is None else record.weights.astype(np.float64)
        for slot in range(2 * len(meta["edge_types"])):
            ends = [(t, s) if slot % 2 == 0 else (s, t) for s, _, t in record.edges]  # (hears, heard)
            mine = [e for e, edge in enumerate(record.edges) if meta["edge_types"].index(edge[1]) == slot // 2]
            share = np.ones(nodes)
            if net.get("messages", "sum") == "mean":
                total = np.zeros(nodes)
                for e in mine:
                    total[ends[e][0]] += abs(w[e])
                share = np.divide(1, total, out=np.zeros(nodes), where=total > 0)
            S, E = np.zeros((nodes, nodes)), np.zeros((nodes, numbers))
            for e in mine:
                v, u = ends[e]
                S[v, u] += share[v] * w[e]
                if numbers:
                    E[v] += share[v] * w[e] * record.edge_features[e]
            self.S.append(S)
            self.E.append(E)
        for d in range(2, net.get("reach", 0) + 1):
            S = (distances(record, nodes) == d).astype(np.float64)
            if net.get("messages", "sum") == "mean":
                S /= np.maximum(S.sum(1, keepdims=True), 1)
            self.S += [S, S]  # edges both ways: each node hears the same in both directions
            self.E += [np.zeros((nodes, numbers))] * 2


def distances(record, nodes):
    """The fewest edges between nodes, whatever their directions."""
    found = np.full((nodes, nodes), nodes + 99)
    np.fill_diagonal(found, 0)
    for s, _, t in record.edges:
        if s != t:
            found[s, t] = found[t, s] = 1
    for v in range(nodes):
        found = np.minimum(found, found[:, v : v + 1] + found[v : v + 1])
    return found


def slot_name(slot):
    return f"{slot // 2}.{'in' if slot % 2 == 0 else 'out'}"


def matrix_name(net, slot, step):
    """Of the matrix of a slot in an update, counted from 1."""
    own = net.get("matrices", "shared") == "by-step" and step > 1
    return f"A.{slot_name(slot)}" + (f".step{step}" if own else "")


def heard(net, p, prefix, messages, h, x, step=1):
    """Eq. 2: a, nodes x 2 D (directions apart: incoming, then outgoing) or nodes x D (added)."""
    D, sides = net["state"], 1 if net.get("directions", "apart") == "added" else 2
    a = np.zeros((len(h), sides * D))
    for slot, (S, E) in enumerate(zip(messages.S, messages.E)):
        side = slice(slot % sides * D, (slot % sides + 1) * D)
        A = prefix + matrix_name(net, slot, step)
        a[:, side] += S @ h @ p[A]
        if net["variant"] == "authors":
            a[:, side] += S.sum(1, keepdims=True) * p[f"{A}.bias"]
        if E.shape[1]:
            a[:, side] += E @ p[f"{prefix}B.{slot_name(slot)}"]
    if net["variant"] == "paper":
        a += p[f"{prefix}b"] if sides == 1 else np.hstack([p[f"{prefix}b.in"], p[f"{prefix}b.out"]])
    if net.get("residual", False):
        a += x @ (p[f"{prefix}R"] if sides == 1 else np.hstack([p[f"{prefix}R.in"], p[f"{prefix}R.out"]]))
    return a


def gates(net, p, prefix, a, h):
    """Eqs. 3 to 6; z, r, h~ and the next state."""
    b = {g: p[f"{prefix}b_{g}"] if net["variant"] == "authors" else 0 for g in "zrh"}
    z = sigma(a @ p[f"{prefix}W_z"] + h @ p[f"{prefix}U_z"] + b["z"])
    r = sigma(a @ p[f"{prefix}W_r"] + h @ p[f"{prefix}U_r"] + b["r"])
    if net.get("reset", "before") == "after":
        again = r * (h @ p[f"{prefix}U_h"] + (p[f"{prefix}c_h"] if net["variant"] == "authors" else 0))
    else:
        again = (r * h) @ p[f"{prefix}U_h"]
    c = np.tanh(a @ p[f"{prefix}W_h"] + again + b["h"])
    return z, r, c, (1 - z) * h + z * c


def propagate(net, p, prefix, messages, x, steps):
    """h^(T) from h^(0) = [x, 0]."""
    h = np.hstack([x, np.zeros((len(x), net["state"] - x.shape[1]))])
    for step in range(1, steps + 1):
        h = gates(net, p, prefix, heard(net, p, prefix, messages, h, x, step), h)[3]
    return h


# Heads


def node_output(p, prefix, h, x):
    hx = np.hstack([h, x])
    if f"{prefix}W_1" not in p:  # readout linear
        return h @ p[f"{prefix}W_2"] + p[f"{prefix}b_2"]
    out = np.tanh(hx @ p[f"{prefix}W_1"] + p[f"{prefix}b_1"]) @ p[f"{prefix}W_2"] + p[f"{prefix}b_2"]
    if f"{prefix}W_g" in p:
        out = out * sigma(hx @ p[f"{prefix}W_g"] + p[f"{prefix}b_g"])
    return out


def pair_sums(p, messages, h, x):
    """r: sums over pairs of nodes, of all, of each with itself, and by type of edge."""
    mine, w = np.hstack([h, x]) @ p["output.W_p"] + p["output.b_p"], p["output.w_pairs"]
    q = w[0] * mine.sum(0) ** 2 + w[1] * (mine**2).sum(0)
    for y in range(len(messages.S) // 2):
        q = q + w[2 + y] * (mine * (messages.S[2 * y] @ mine)).sum(0)
    return q / (1 + q**2) ** 0.25


def graph_output(net, p, messages, h, x, numbers):
    hx = np.hstack([h, x])
    i, j = hx @ p["output.W_i"] + p["output.b_i"], hx @ p["output.W_j"] + p["output.b_j"]
    top = (sigma(i) * np.tanh(j)).sum(0, keepdims=True)
    if not numbers:
        top = np.tanh(top)
    beside = pair_sums(p, messages, h, x) @ p["output.W_r"] if net.get("pairs", 0) else 0
    if net["variant"] == "authors":
        top, beside = np.tanh(top @ p["output.W_1"] + p["output.b_1"] + beside), 0
    return top @ p["output.W_2"] + p["output.b_2"] + beside


def read(answer, out):
    """A list for each thing that is answered: probabilities, or numbers before they are scaled back."""
    if answer in ("node", "nodes"):
        return [softmax(out[:, 0])]
    if answer in ("numbers", "node_numbers"):
        return list(out)
    return [softmax(row) for row in out]


# Kinds of network: each is a function that gives, for one member, a generator of the outputs of step 1, 2, ...


def gated(model, p, record, arguments, steps):
    meta, net = model.meta, model.net
    answer, T = meta["answer"], steps or net["steps"]
    x = first_annotations(meta, net, p, record, arguments)
    messages = Messages(meta, net, record, len(x))
    while True:
        h = propagate(net, p, "propagation.", messages, x, T)
        if answer in ("class", "classes", "numbers"):
            yield graph_output(net, p, messages, h, x, answer == "numbers")
        else:
            yield node_output(p, "output.", h, x)
        if not net["shared_propagation"]:
            h = propagate(net, p, "annotation_propagation.", messages, x, T)
        x = sigma(node_output(p, "annotation.", h, x))
        if net["observed"]:
            x = (x >= 0.5).astype(float)


def labels_of(model, record, arguments):
    """The original network: annotations, and the place of each among the labels."""
    X = model.net["annotation"]
    x = first_annotations(model.meta, model.net, {}, record, arguments)
    table = np.array(model.net["label_values"], np.float32).reshape(-1, X)
    labels = [int(np.flatnonzero((table == row.astype(np.float32)).all(1))[0]) for row in x]
    return x, labels, len(table)


def all_messages(model, record, labels, with_super):
    """(receiver, source, name of the triple's parameters) of all messages whose triple is known."""
    types = model.meta["edge_types"]
    sent = []
    for source, kind, target in record.edges:
        sent += [(target, 2 * types.index(kind), source), (source, 2 * types.index(kind) + 1, target)]
    for v in range(record.nodes if with_super else 0):
        sent += [(record.nodes, 2 * len(types), v), (v, 2 * len(types) + 1, record.nodes)]
    known = {tuple(t[:3]) for t in model.net["triples"]}
    return [
        (v, u, f"f.{labels[v]}.{slot_name(slot)}.{labels[u]}.")
        for v, slot, u in sent
        if (labels[v], slot, labels[u]) in known
    ]


def original_step(model, p, messages, h):
    """F(h)."""
    D, mu = model.net["state"], model.net["contraction"]
    sends = np.bincount([u for _, u, _ in messages], minlength=len(h))
    to = np.zeros_like(h)
    for v, u, name in messages:
        if model.net["edge_function"] == "linear":
            to[v] += h[u] @ (mu / (D * sends[u]) * np.tanh(p[name + "Xi"])) + p[name + "b"][0]
        else:
            y = np.tanh(h[u] @ p[name + "W_1"] + p[name + "b_1"][0])
            to[v] += y @ p[name + "W_2"] + p[name + "b_2"][0]
    return to


def original(model, p, record, arguments, _):
    x, labels, count = labels_of(model, record, arguments)
    with_super = model.meta["answer"] in ("class", "numbers")
    if with_super:
        x, labels = np.vstack([x, np.zeros((1, x.shape[1]))]), labels + [count]
    messages = all_messages(model, record, labels, with_super)
    h, moved = np.zeros((len(x), model.net["state"])), 1.0
    while moved > 1e-10:
        h, before = original_step(model, p, messages, h), h
        moved = np.abs(h - before).max()
    yield node_output(p, "output.", h[-1:], x[-1:]) if with_super else node_output(p, "output.", h, x)


def tokens_of(meta, record, kind, arguments):
    entity = [2 + meta["entities"].index(str(record.name(v))) for v in range(record.nodes)]
    edge_type = 2 + len(meta["entities"])
    question_type = edge_type + len(meta["edge_types"])
    tokens = []
    for s, relation, t in record.edges:
        tokens += [entity[s], edge_type + meta["edge_types"].index(relation), entity[t], 0]
    tokens += [question_type + meta["question_types"].index(kind)]
    return tokens + [entity[a] for a in arguments] + [1]


def cell(lstm, p, token, h, c):
    e = p["E"][token]
    if not lstm:
        return np.tanh(e @ p["W_x"] + h @ p["W_h"] + p["b"][0]), c
    i, f, o, g = (
        e @ p["W_x" + k] + h @ p["W_h" + k] + c @ p["W_c" + k] + p["b" + k][0] for k in ("_i", "_f", "_o", "_g")
    )
    c = sigma(f) * c + sigma(i) * np.tanh(g)
    return sigma(o) * np.tanh(c), c


def recurrent(model, p, record, question, _):
    h = c = np.zeros(model.net["state"])
    tokens = tokens_of(model.meta, record, *question)
    for token in tokens:
        h, c = cell(model.kind == "lstm", p, token, h, c)
    while True:
        yield (h @ p["W_out"] + p["b_out"][0])[None, :]
        h, c = cell(model.kind == "lstm", p, 1, h, c)


# Answers


def outputs(model, p, record, question, steps):
    if model.kind == "ggnn":
        return gated(model, p, record, question[1], steps)
    if model.kind == "gnn":
        return original(model, p, record, question[1], steps)
    if model.kind == "reader":
        return reading.outputs(model, p, record)
    return recurrent(model, p, record, question, steps)


def distributions(model, record, question, steps=0):
    """Averages over the ensemble: of step 1, 2, ... the lists of what is answered. Members keep annotations and
    states of their own. No more than the longest sequence that is tried."""
    meta = model.meta
    members = [outputs(model, p, record, question, steps) for p in model.members(question[0])]
    most = max(1, 4 * meta["longest"], record.nodes + 1 if meta["answer"] == "nodes" else 0)
    if model.kind == "reader":
        most = model.net["places"]
    for _ in range(most):
        parts = [read(meta["answer"], next(member)) for member in members]
        yield [sum(each) / len(members) for each in zip(*parts)]


def answer(model, record, question, steps=0):
    """The lists of the answer (for sequences one for each output), and whether a sequence was cut. None where an answer
    hangs on a number that is rounded and as good as 1/2."""
    taken = []
    if model.kind == "stepper":
        inputs = first_inputs(model.meta, record, question[1])
        lists, capped, margin = stepping.answer(model, model.members(question[0]), record, inputs, steps)
        return (lists, capped) if margin > CLOSE else None
    for lists in distributions(model, record, question, steps):
        if model.meta["answer"] not in ("nodes", "classes"):
            return [scaled_back(model.meta, each) for each in lists], False
        taken.append(lists[0])
        if np.argmax(lists[0]) == len(lists[0]) - 1:
            return taken, False
    return taken, True


def scaled_back(meta, row):
    if meta["answer"] not in ("numbers", "node_numbers"):
        return row
    return row * np.array(meta["value_scale"]) + np.array(meta["value_mean"])


def beam_search(lists, width):
    """The `width` best sequences with their probabilities. An output does not depend on those before it."""
    beams, finished = [((), 0.0)], []
    best = lambda found: sorted(found, key=lambda each: (-each[1], each[0]))[:width]
    for p in lists:
        finished = best(finished + [(s, l + np.log(p[-1])) for s, l in beams if p[-1] > 0])
        longer = [(s + (k,), l + np.log(p[k])) for s, l in beams for k in range(len(p) - 1) if p[k] > 0]
        beams = best(longer)
        if not beams or (len(finished) == width and beams[0][1] <= finished[-1][1]):
            break
    return [(list(s), np.exp(l)) for s, l in finished]
