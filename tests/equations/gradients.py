"""The gradients of docs/equations.md, section 'Losses and gradients', line by line, against finite differences of
the forward pass: whether the page derived them right. (What the program computes is held to finite differences in
tests/nn.)

    gradients.py PROGRAM
"""

import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np

import forward
from check import make
from files import Model, read_data
from forward import sigma, softmax

SEQUENCE = 3  # outputs
TOLERANCE = 1e-6


def label_loss(o, y, n):
    """-ln p_y / n over a row of scores, and its gradient."""
    p = softmax(o)
    return -np.log(p[y]) / n, (p - np.eye(len(p))[y]) / n


def head_loss(answer, o, y, n):
    if answer in ("numbers", "node_numbers"):
        return ((o - y) ** 2).sum() / n, 2 * (o - y) / n
    if answer in ("node", "nodes"):
        loss, d = label_loss(o[:, 0], y, n)
        return loss, d[:, None]
    rows = [label_loss(row, label, n) for row, label in zip(o, np.atleast_1d(y))]
    return sum(loss for loss, _ in rows), np.stack([d for _, d in rows])


def targets_of(dice, model, nodes):
    """Random targets of each output step, and how many there are."""
    answer, O = model.meta["answer"], model.net["outputs"]
    if answer == "numbers":
        return [dice.normal(size=(1, O))], O
    if answer == "node_numbers":
        return [dice.normal(size=(nodes, O))], nodes * O
    if answer == "node_classes":
        return [dice.integers(O, size=nodes)], nodes
    steps = SEQUENCE if answer in ("nodes", "classes") else 1
    return [dice.integers(nodes if answer in ("node", "nodes") else O) for _ in range(steps)], steps


# Backward: each function adds to gradients g (by tensor) and returns those of its inputs.


def node_back(p, prefix, h, x, do, g):
    c = np.hstack([h, x])
    v = np.tanh(c @ p[prefix + "W_1"] + p[prefix + "b_1"])
    m = v @ p[prefix + "W_2"] + p[prefix + "b_2"]
    dm, dc = do, 0
    if prefix + "W_g" in p:
        gate = sigma(c @ p[prefix + "W_g"] + p[prefix + "b_g"])
        dm, d_gate = do * gate, do * m * gate * (1 - gate)
        g[prefix + "W_g"] += c.T @ d_gate
        g[prefix + "b_g"] += d_gate.sum(0)
        dc = d_gate @ p[prefix + "W_g"].T
    dv = (dm @ p[prefix + "W_2"].T) * (1 - v**2)
    g[prefix + "W_2"] += v.T @ dm
    g[prefix + "b_2"] += dm.sum(0)
    g[prefix + "W_1"] += c.T @ dv
    g[prefix + "b_1"] += dv.sum(0)
    dc = dc + dv @ p[prefix + "W_1"].T
    return dc[:, : h.shape[1]], dc[:, h.shape[1] :]


def graph_back(net, p, h, x, numbers, do, g):
    c = np.hstack([h, x])
    i, j = c @ p["output.W_i"] + p["output.b_i"], c @ p["output.W_j"] + p["output.b_j"]
    s = (sigma(i) * np.tanh(j)).sum(0, keepdims=True)
    top = h_G = s if numbers else np.tanh(s)
    if net["variant"] == "authors":
        top = np.tanh(h_G @ p["output.W_1"] + p["output.b_1"])
    g["output.W_2"] += top.T @ do
    g["output.b_2"] += do
    d = do @ p["output.W_2"].T
    if net["variant"] == "authors":
        d = d * (1 - top**2)
        g["output.W_1"] += h_G.T @ d
        g["output.b_1"] += d
        d = d @ p["output.W_1"].T
    ds = d if numbers else d * (1 - h_G**2)
    di, dj = ds * np.tanh(j) * sigma(i) * (1 - sigma(i)), ds * sigma(i) * (1 - np.tanh(j) ** 2)
    for name, part in (("i", di), ("j", dj)):
        g[f"output.W_{name}"] += c.T @ part
        g[f"output.b_{name}"] += part.sum(0)
    dc = di @ p["output.W_i"].T + dj @ p["output.W_j"].T
    return dc[:, : h.shape[1]], dc[:, h.shape[1] :]


def sides_of(net):
    return ("",) if net.get("directions", "apart") == "added" else (".in", ".out")


def heard_back(net, p, prefix, messages, h, x, da, g):
    """Eq. 2; what dh gets over edges, and dx."""
    D, dh, dx = net["state"], np.zeros_like(h), np.zeros_like(x)
    sides = sides_of(net)
    for slot, (S, E) in enumerate(zip(messages.S, messages.E)):
        name, at = forward.slot_name(slot), slot % len(sides) * D
        da_s = da[:, at : at + D]
        g[f"{prefix}A.{name}"] += (S @ h).T @ da_s
        if net["variant"] == "authors":
            g[f"{prefix}A.{name}.bias"] += S.sum(1) @ da_s
        if E.shape[1]:
            g[f"{prefix}B.{name}"] += E.T @ da_s
        dh += S.T @ da_s @ p[f"{prefix}A.{name}"].T
    for k, side in enumerate(sides):
        part = da[:, k * D : (k + 1) * D]
        if net["variant"] == "paper":
            g[f"{prefix}b{side}"] += part.sum(0)
        if net.get("residual", False):
            g[f"{prefix}R{side}"] += x.T @ part
            dx += part @ p[f"{prefix}R{side}"].T
    return dh, dx


def propagate_back(net, p, prefix, messages, x, dh, g):
    """dx, from the gradient of the final states."""
    states = [forward.propagate(net, p, prefix, messages, x, t) for t in range(net["steps"])]
    W, U = ({k: p[f"{prefix}{letter}_{k}"] for k in "zrh"} for letter in "WU")
    dx = np.zeros_like(x)
    for h in reversed(states):
        a = forward.heard(net, p, prefix, messages, h, x)
        z, r, candidate, _ = forward.gates(net, p, prefix, a, h)
        d = {"z": dh * (candidate - h) * z * (1 - z), "h": dh * z * (1 - candidate**2)}
        d_rho = d["h"] @ U["h"].T
        d["r"] = d_rho * h * r * (1 - r)
        for k in "zrh":
            g[f"{prefix}W_{k}"] += a.T @ d[k]
            g[f"{prefix}U_{k}"] += (r * h if k == "h" else h).T @ d[k]
            if net["variant"] == "authors":
                g[f"{prefix}b_{k}"] += d[k].sum(0)
        da = sum(d[k] @ W[k].T for k in "zrh")
        over, dx_t = heard_back(net, p, prefix, messages, h, x, da, g)
        dh = dh * (1 - z) + d_rho * r + d["z"] @ U["z"].T + d["r"] @ U["r"].T + over
        dx += dx_t
    return dx + dh[:, : x.shape[1]]


class Gated:
    """Loss and gradient of one question to a ggnn. given: observed annotations of the steps after the first."""

    def __init__(self, model, record, question, dice):
        self.model, self.net = model, model.net
        self.record, self.question = record, question
        self.nodes = record.nodes + (model.meta["answer"] == "nodes")
        self.messages = forward.Messages(model.meta, model.net, record, self.nodes)
        self.targets, self.n = targets_of(dice, model, self.nodes)
        shape = (SEQUENCE, self.nodes, self.net["annotation"])
        self.given = dice.integers(2, size=shape).astype(float) if self.net["observed"] else None

    def first(self, p):
        return forward.first_annotations(self.model.meta, self.net, p, self.record, self.question[1])

    def states(self, p, prefix, x):
        return forward.propagate(self.net, p, prefix, self.messages, x, self.net["steps"])

    def output(self, p, h, x):
        answer = self.model.meta["answer"]
        if answer in ("class", "classes", "numbers"):
            return forward.graph_output(self.net, p, self.messages, h, x, answer == "numbers")
        return forward.node_output(p, "output.", h, x)

    def next(self, p, x):
        prefix = "propagation." if self.net["shared_propagation"] else "annotation_propagation."
        return sigma(forward.node_output(p, "annotation.", self.states(p, prefix, x), x))

    def annotation_loss(self, q, k):
        y = self.given[k]
        return -(y * np.log(q) + (1 - y) * np.log(1 - q)).mean() / self.n, (q - y) / (self.n * q.size)

    def loss(self, p):
        x, loss = self.first(p), 0.0
        for k, y in enumerate(self.targets):
            loss += head_loss(self.model.meta["answer"], self.output(p, self.states(p, "propagation.", x), x), y, self.n)[0]
            if k + 1 == len(self.targets):
                return loss
            x = self.next(p, x)
            if self.given is not None:
                loss, x = loss + self.annotation_loss(x, k)[0], self.given[k]

    def annotations(self, p):
        xs = [self.first(p)]
        for k in range(len(self.targets) - 1):
            xs.append(self.given[k] if self.given is not None else self.next(p, xs[-1]))
        return xs

    def gradient(self, p):
        g = defaultdict(float)
        xs, dx = self.annotations(p), None
        for k in reversed(range(len(self.targets))):
            dx = self.back(p, k, xs[k], dx, g)
        if self.net.get("embedding", 0) > 0:
            self.input_back(xs[0], dx, g)
        return g

    def back(self, p, k, x, dx_next, g):
        """Output k in reverse: dx of its annotations from that of the next output's."""
        h, answer = self.states(p, "propagation.", x), self.model.meta["answer"]
        do = head_loss(answer, self.output(p, h, x), self.targets[k], self.n)[1]
        if answer in ("class", "classes", "numbers"):
            dh, dx = graph_back(self.net, p, h, x, answer == "numbers", do, g)
        else:
            dh, dx = node_back(p, "output.", h, x, do, g)
        if k + 1 < len(self.targets):
            q = self.next(p, x)
            d_scores = dx_next * q * (1 - q) if self.given is None else self.annotation_loss(q, k)[1]
            shared = self.net["shared_propagation"]
            states = h if shared else self.states(p, "annotation_propagation.", x)
            dh_x, dx_x = node_back(p, "annotation.", states, x, d_scores, g)
            dx = dx + dx_x
            if shared:
                dh = dh + dh_x
            else:
                dx = dx + propagate_back(self.net, p, "annotation_propagation.", self.messages, x, dh_x, g)
        return dx + propagate_back(self.net, p, "propagation.", self.messages, x, dh, g)

    def input_back(self, x, dx, g):
        E = self.net["embedding"]
        f = forward.inputs_of(self.model.meta, self.record).astype(float)
        f = np.vstack([f, np.zeros((self.nodes - len(f), f.shape[1]))])
        d = dx[:, :E] * (1 - x[:, :E] ** 2)
        g["input.W"] += f.T @ d
        g["input.b"] += d.sum(0)


class Original:
    """The same for a gnn: Almeida-Pineda."""

    def __init__(self, model, record, question, dice):
        self.model, self.super = model, model.meta["answer"] in ("class", "numbers")
        self.x, self.labels, count = forward.labels_of(model, record, question[1])
        self.targets, self.n = targets_of(dice, model, record.nodes)
        if self.super:
            self.x, self.labels = np.vstack([self.x, np.zeros((1, self.x.shape[1]))]), self.labels + [count]
        self.messages = forward.all_messages(model, record, self.labels, self.super)
        self.sends = np.bincount([u for _, u, _ in self.messages], minlength=len(self.x))

    def settle(self, step, start):
        state, moved = start, 1.0
        while moved > 1e-13:
            state, before = step(state), state
            moved = np.abs(state - before).max()
        return state

    def states(self, p):
        zero = np.zeros((len(self.x), self.model.net["state"]))
        return self.settle(lambda h: forward.original_step(self.model, p, self.messages, h), zero)

    def top(self, rows):
        return rows[-1:] if self.super else rows

    def loss(self, p):
        o = forward.node_output(p, "output.", self.top(self.states(p)), self.top(self.x))
        return head_loss(self.model.meta["answer"], o, self.targets[0], self.n)[0]

    def gradient(self, p):
        g, h, answer = defaultdict(float), self.states(p), self.model.meta["answer"]
        o = forward.node_output(p, "output.", self.top(h), self.top(self.x))
        do = head_loss(answer, o, self.targets[0], self.n)[1]
        e = np.zeros_like(h)
        e[-1 if self.super else 0 :] = node_back(p, "output.", self.top(h), self.top(self.x), do, g)[0]
        zeta = self.settle(lambda z: e + self.transposed(p, h, z), e)
        self.transposed(p, h, zeta, g)
        return g

    def transposed(self, p, h, zeta, g=None):
        """J^T zeta; with g also adds zeta^T dF/dtheta."""
        out, g = np.zeros_like(h), defaultdict(float) if g is None else g
        factor = self.model.net["contraction"] / self.model.net["state"]
        for v, u, name in self.messages:
            row, heard = zeta[v : v + 1], h[u : u + 1]
            if self.model.net["edge_function"] == "linear":
                A = factor * np.tanh(p[name + "Xi"])
                out[u] += (row @ A.T)[0] / self.sends[u]
                g[name + "Xi"] += heard.T @ row / self.sends[u] * factor * (1 - np.tanh(p[name + "Xi"]) ** 2)
                g[name + "b"] += row
                continue
            y = np.tanh(heard @ p[name + "W_1"] + p[name + "b_1"])
            dy = (row @ p[name + "W_2"].T) * (1 - y**2)
            for key, d in (("W_2", y.T @ row), ("b_2", row), ("W_1", heard.T @ dy), ("b_1", dy)):
                g[name + key] += d
            out[u] += (dy @ p[name + "W_1"].T)[0]
        return out


def worst_of(problem, p, dice):
    """The largest difference, relative where they are above 1, between the gradient of a tensor in a random direction
    and a finite difference."""
    g, step, worst = problem.gradient(p), 1e-5, 0.0
    names = sorted(p)
    if len(names) > 60:  # label triples are many, and alike
        names = [names[i] for i in dice.choice(len(names), 20, replace=False)]
    for name, value in ((name, p[name]) for name in names):
        way = dice.normal(size=value.shape)
        moved = [problem.loss({**p, name: value + sign * step * way}) for sign in (1, -1)]
        numeric = (moved[0] - moved[1]) / (2 * step)
        worst = max(worst, abs(numeric - float(np.sum(g[name] * way))) / max(1.0, abs(numeric)))
    return worst


EVERYTHING = {"features": 1, "node_types": 1, "edge_weights": 1, "edge_features": 1}
FULL = ["--residual", "--embedding", 3, "--messages", "mean"]
CASES = [
    ("node", {}, []),
    ("node", EVERYTHING, [*FULL, "--variant", "paper"]),
    ("class", EVERYTHING, [*FULL, "--directions", "added"]),
    ("class", {}, ["--variant", "paper", "--directions", "added", "--residual"]),
    ("numbers", {"features": 1}, []),
    ("numbers", {"features": 1}, ["--variant", "paper"]),
    ("node_classes", EVERYTHING, FULL),
    ("node_numbers", {"features": 1}, []),
    ("nodes", EVERYTHING, FULL),
    ("nodes", {}, ["--separate"]),
    ("classes", {}, ["--separate", "--variant", "paper"]),
    ("classes", {"observed": 1}, []),
    ("nodes", {"observed": 1}, ["--separate"]),
    *((head, {}, ["--model", "gnn", "--edge-function", f]) for head in ("node", "class") for f in ("linear", "neural")),
]


def main(program):
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (answer, parts, options) in enumerate(CASES):
            name = f"gradient-{number}-{answer}"
            data, path = make(program, Path(folder), name, answer, parts, [*options, "--state", 10])
            model, record, dice = Model(path), read_data(data)[0], np.random.default_rng(number)
            problem = (Gated if model.kind == "ggnn" else Original)(model, record, record.questions[0], dice)
            worst = worst_of(problem, model.networks[0][0], dice)
            print(f"{name} {' '.join(map(str, options))}: {worst:.1e}", flush=True)
            failed += [] if worst < TOLERANCE else [name]
    if failed:
        sys.exit(f"gradients that are not those of finite differences: {', '.join(failed)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
