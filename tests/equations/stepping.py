"""The forward pass of the networks that learn steps, docs/equations.md, section 'The network that learns steps'."""

import numpy as np


def sigma(x):
    return 1 / (1 + np.exp(-x))


def relu(x):
    return np.maximum(x, 0)


def softmax(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()


class Links:
    """of[v]: v itself and its neighbours; E[v, u]: by slot whether there is an edge; length[v, u]."""

    def __init__(self, meta, record):
        w = np.ones(len(record.edges)) if record.weights is None else record.weights.astype(np.float64)
        self.E, self.length = {}, {}
        for v in range(record.nodes):
            self.E[v, v], self.length[v, v] = np.zeros(2 * len(meta["edge_types"])), 0.0
        for (source, kind, target), weight in zip(record.edges, w):
            if source == target:
                continue
            slot = 2 * meta["edge_types"].index(kind)
            for v, u, s in ((target, source, slot), (source, target, slot + 1)):
                self.E.setdefault((v, u), np.zeros(2 * len(meta["edge_types"])))[s] = 1
                self.length[v, u] = min(self.length.get((v, u), np.inf), weight)
        self.of = [sorted(u for x, u in self.E if x == v) for v in range(record.nodes)]


class Run:
    """An ensemble's steps over one graph."""

    def __init__(self, model, members, record, inputs):
        self.net, self.members, self.i = model.net, members, inputs
        self.links, self.N = Links(model.meta, record), record.nodes
        self.x, self.q = np.zeros((self.N, self.net["bits"])), list(range(self.N))
        self.way, self.chosen = np.zeros(self.N, np.float32), None
        self.margin = 1.0  # the smallest distance of a probability that was rounded from 1/2

    def on(self, parts):
        """Whether the average over the members is above 1/2."""
        mean = np.mean(parts, axis=0)
        self.margin = min(self.margin, float(np.abs(mean - 0.5).min()))
        return mean > 0.5

    def order(self, name):
        return int(np.argmax(sum(softmax(10 * p[name][0]) for p in self.members)))

    def flags(self, v, u, q):
        return np.concatenate([self.links.E[v, u], [q[v] == u, q[u] == v, u == v]])

    def pointer(self, v, y):
        def key(u):
            length = np.float32(self.links.length[v, u])
            return ((0, length, length + self.way[u])[self.order("pointer.order")], u)

        for u in sorted(self.links.of[v], key=key):
            parts = []
            for p in self.members:
                inner = y[u] @ p["pointer.from"] + y[v] @ p["pointer.to"] + self.flags(v, u, self.q) @ p["pointer.link"]
                parts.append(sigma(relu(inner + p["pointer.b"][0]) @ p["pointer.w"][0] + p["pointer.c"][0]))
            if self.on(parts)[0]:
                return u
        return self.q[v]

    def states(self, p, y, q):
        h = np.zeros((self.N, self.net["state"]))
        for v in range(self.N):
            m = np.zeros(self.net["state"])
            for u in self.links.of[v]:
                if u != v:
                    m = np.maximum(m, y[u] @ p["message.from"] + self.flags(v, u, q) @ p["message.link"] + p["message.b"][0])
            own = y[v] @ p["state.own"] + (q[v] == v) * p["state.self"][0]
            h[v] = relu(own + m @ p["state.message"] + p["state.b"][0])
        return h

    def choose(self, h, length, way):
        g = self.on([sigma(h[k] @ p["choice.w"][0] + p["choice.c"][0]) for k, p in enumerate(self.members)])
        keys = (np.zeros(self.N), length, way, -way)[self.order("choice.order")]
        allowed = [(keys[v], v) for v in range(self.N) if g[v]]
        return min(allowed)[1] if allowed else None

    def step(self):
        """Whether it changes anything."""
        y = np.hstack([self.i, self.x, [[self.q[v] == v] for v in range(self.N)]])
        q = [self.pointer(v, y) for v in range(self.N)] if self.net["points"] else self.q
        length = np.array([self.links.length[v, q[v]] for v in range(self.N)], np.float32)
        way = np.array([0 if q[v] == v else self.way[q[v]] + length[v] for v in range(self.N)], np.float32)
        h = [self.states(p, y, q) for p in self.members]
        chosen = self.choose(h, length, way) if self.net["chooses"] else None
        is_chosen = np.array([[v == chosen] for v in range(self.N)], float)
        parts = []
        for k, p in enumerate(self.members):
            f = is_chosen * p["bits.choice"][0] + (chosen is None) * p["bits.choice"][1]
            parts.append(sigma(relu(h[k] @ p["bits.state"] + f + p["bits.b"][0]) @ p["bits.V"] + p["bits.c"][0]))
        x = self.on(parts).astype(float)
        changed = q != self.q or (way != self.way).any() or chosen != self.chosen or (x != self.x).any()
        self.x, self.q, self.way, self.chosen = x, q, way, chosen
        return changed

    def run(self, steps):
        """The walk, and whether the run came to its end."""
        most = steps or (self.N + self.net["steps"] if self.net["steps"] else 8 * self.N + 64)
        walk = []
        for k in range(most):
            if not self.step() and k > 0:
                return walk, True
            walk += [int(np.argmax(self.x[:, 0]))] if self.x[:, 0].any() else []
        return walk, False


def one_hot(where, size):
    return np.eye(size)[where]


def answer(model, members, record, inputs, steps):
    """The lists of the answer, whether it was cut, and how close to 1/2 what was rounded came."""
    run = Run(model, members, record, inputs)
    walk, settled = run.run(steps)
    reads = model.net["reads"]
    if reads == "length":
        return [np.array([0.0 if run.chosen is None else run.way[run.chosen]])], False, run.margin
    if reads == "classes":
        rows = []
        for v in range(run.N):
            parts = []
            for p in members:
                known = inputs[v] @ p["classes.inputs"] if "classes.inputs" in p else 0
                parts.append(softmax(known + run.x[v] @ p["classes.bits"] + p["classes.b"][0]))
            rows.append(sum(parts) / len(parts))
        return rows, False, run.margin
    nodes = run.q if reads == "pointers" else walk
    return [one_hot(v, run.N + 1) for v in [*nodes, run.N]], reads == "walk" and not settled, run.margin
