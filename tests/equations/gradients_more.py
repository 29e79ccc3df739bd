"""The gradients of docs/equations.md for the networks that read and that learn steps, line by line, against finite
differences of the forward pass, as gradients.py does for the others. (What the program computes is held to finite
differences in tests/nn.)

    gradients_more.py PROGRAM
"""

import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np

import reading
import stepping
from check import STEPPERS, make
from files import Model, read_data
from forward import first_inputs, sigma, softmax
from gradients import TOLERANCE, label_loss, worst_of


class Reading:
    """Loss and gradient of a story: labels at every place of the answer."""

    def __init__(self, model, record, dice):
        self.model, self.net = model, model.net
        self.story = reading.Story(model.meta, record.text)
        self.labels = dice.integers(self.net["outputs"], size=self.net["places"])

    def loss(self, p):
        rows = reading.scores(self.model, p, self.story)
        return sum(label_loss(row, y, len(rows))[0] for row, y in zip(rows, self.labels))

    def gradient(self, p):
        g, net, story = defaultdict(float), self.net, self.story
        h, top = np.zeros((len(story.numbers), net["state"])), np.zeros((1, net["state"]))
        passes = []
        for block, row, sentence in reading.reading(net, story):
            passes.append((block, row, sentence, h, top))
            start = 0 if row is None else p["start"][row : row + 1]
            h, top = reading.read_sentence(p, block, story, sentence, start, h, top)
        self.de = np.zeros_like(p["e"])
        dh, dg = self.output_back(p, h, top, g)
        for each in reversed(passes):
            dh, dg = self.sentence_back(p, *each, dh, dg, g)
        g["e"] = self.de
        return g

    def output_back(self, p, h, top, g):
        rows = reading.scores(self.model, p, self.story)
        d = np.vstack([label_loss(row, y, len(rows))[1] for row, y in zip(rows, self.labels)])
        classes = {text: j for j, text in enumerate(self.model.meta["classes"])}
        numbers = self.story.numbers
        o = np.tanh(h @ p["W_o"] + p["e"][numbers] @ p["V_o"] + top @ p["G_o"] + p["b_o"])
        do, dg = np.zeros_like(o), np.zeros_like(top)
        for k in range(len(d)):
            g[f"W_class{k}"] += top.T @ d[k : k + 1]
            g[f"b_class{k}"] += d[k : k + 1]
            dg = dg + d[k : k + 1] @ p[f"W_class{k}"].T
        g["W_place"] = np.zeros_like(p["W_place"])
        for w, (number, text) in enumerate(zip(numbers, self.story.texts)):
            if number != 0 and text in classes:
                do[w] = p["W_place"] @ d[:, classes[text]]
                g["W_place"] += np.outer(o[w], d[:, classes[text]])
        do = do * (1 - o**2)
        g["W_o"] += h.T @ do
        g["V_o"] += p["e"][numbers].T @ do
        g["G_o"] += top.T @ do.sum(0, keepdims=True)
        g["b_o"] += do.sum(0)
        np.add.at(self.de, numbers, do @ p["V_o"].T)
        return do @ p["W_o"].T, dg + do.sum(0, keepdims=True) @ p["G_o"].T

    def sentence_back(self, p, block, row, sentence, before, top, dh, dg, g):
        """dh and dg before a sentence, from those after it. The page's names."""
        B = {name.removeprefix(block): value for name, value in p.items() if name.startswith(block)}
        words, numbers = [w for w, _ in sentence], [self.story.numbers[w] for w, _ in sentence]
        e, h, at = p["e"][numbers], before[words], [positions for _, positions in sentence]
        ones = {k: np.array([1 + B[k][i].sum(0) for i in at]) for k in "pq"}
        gate = {k: h @ B["W_" + k] + e @ B["V_" + k] + B["b_" + k] for k in "yzc"}
        start = 0 if row is None else p["start"][row : row + 1]
        s1 = np.tanh((gate["y"] * ones["p"]).sum(0, keepdims=True) + top @ B["W_g"] + B["b_g"] + start)
        s = np.tanh(s1 @ B["W_s"] + B["b_s"])
        r = s * ones["q"]
        z_w, c_w = sigma(r @ B["R_z"] + gate["z"] - 1), np.tanh(r @ B["R_c"] + gate["c"])
        z, c = sigma(s @ B["S_z"] + top @ B["G_z"] + B["d_z"] - 1), np.tanh(s @ B["S_c"] + top @ B["G_c"] + B["d_c"])
        add = lambda name, value: g.__setitem__(block + name, g[block + name] + value)
        # gates and the story's state
        d = {"z": dg * (c - top) * z * (1 - z), "c": dg * z * (1 - c**2)}
        dg, ds = dg * (1 - z), 0
        for k in "zc":
            add("S_" + k, s.T @ d[k]), add("G_" + k, top.T @ d[k]), add("d_" + k, d[k])
            ds, dg = ds + d[k] @ B["S_" + k].T, dg + d[k] @ B["G_" + k].T
        # words
        du = dh[words]
        d = {"z": du * (c_w - h) * z_w * (1 - z_w), "c": du * z_w * (1 - c_w**2)}
        dh = dh.copy()
        dh[words] = du * (1 - z_w)
        dr = d["z"] @ B["R_z"].T + d["c"] @ B["R_c"].T
        for k in "zc":
            add("R_" + k, r.T @ d[k])
        ds = ds + (dr * ones["q"]).sum(0, keepdims=True)
        # the sentence
        ds_hat = ds * (1 - s**2)
        ds1_hat = (ds_hat @ B["W_s"].T) * (1 - s1**2)
        d["y"] = ds1_hat * ones["p"]
        dp, dq = np.zeros_like(B["p"]), np.zeros_like(B["q"])
        for i, positions in enumerate(at):
            for position in positions:
                dp[position] += ds1_hat[0] * gate["y"][i]
                dq[position] += dr[i] * s[0]
        add("p", dp), add("q", dq)
        if row is not None:
            g["start"] = g["start"] + np.eye(len(p["start"]))[row][:, None] * ds1_hat
        add("W_s", s1.T @ ds_hat), add("b_s", ds_hat), add("W_g", top.T @ ds1_hat), add("b_g", ds1_hat)
        dg = dg + ds1_hat @ B["W_g"].T
        de = np.zeros_like(e)
        for k in "yzc":
            add("W_" + k, h.T @ d[k]), add("V_" + k, e.T @ d[k]), add("b_" + k, d[k].sum(0))
            dh[words] += d[k] @ B["W_" + k].T
            de += d[k] @ B["V_" + k].T
        np.add.at(self.de, numbers, de)
        return dh, dg


def firsts(keys, a):
    """'The first in order' of each row: for each of the orders the probabilities of all, and that of none."""
    out = []
    for key in keys:
        order = np.lexsort((np.broadcast_to(np.arange(a.shape[1]), a.shape), key), axis=1)
        sorted_a = np.take_along_axis(a, order, 1)
        rest = np.cumprod(np.hstack([np.ones((len(a), 1)), 1 - sorted_a]), axis=1)
        pi = np.zeros_like(a)
        np.put_along_axis(pi, order, sorted_a * rest[:, :-1], 1)
        out.append((order, pi, rest[:, -1]))
    return out


def firsts_back(orders, logits, a, dpi, dnone):
    """da and the gradient of the orders' logits, from those of the mixture and of none."""
    mu, da, dmu = softmax(10 * logits), np.zeros_like(a), np.zeros(len(orders))
    for m, (order, pi, _) in enumerate(orders):
        for v in range(len(a)):
            rest = np.cumprod(np.concatenate([[1], 1 - a[v, order[v]]]))
            rho = dnone[v]
            for i in reversed(range(len(order[v]))):
                at = order[v, i]
                da[v, at] += mu[m] * rest[i] * (dpi[v, at] - rho)
                rho = dpi[v, at] * a[v, at] + rho * (1 - a[v, at])
        dmu[m] = (dpi * pi).sum()
    return da, 10 * mu * (dmu - mu @ dmu)


class Stepping:
    """Loss and gradient of a graph's steps in probabilities. told: each step by itself, from hints; else two steps,
    through both of them, to the answer's pointers (answer "nodes"), labels, or a number."""

    def __init__(self, model, record, question, dice, told):
        self.net, links = model.net, stepping.Links(model.meta, record)
        N, S = record.nodes, 2 * len(model.meta["edge_types"])
        self.N, self.S, self.told = N, S, told
        self.i = first_inputs(model.meta, record, question[1])
        self.L, self.E, self.length = np.zeros((N, N)), np.zeros((N, N, S)), np.full((N, N), 1e9)
        for (v, u), flags in links.E.items():
            self.L[v, u], self.E[v, u], self.length[v, u] = 1, flags, links.length[v, u]
        pick = lambda: np.stack([np.eye(N)[dice.choice(links.of[v])] for v in range(N)])
        bits = lambda: dice.integers(2, size=(N, self.net["bits"])).astype(float)
        self.hints = [(bits(), pick(), dice.integers(-1, N)) for _ in range(3)]
        self.answer = pick() if model.meta["answer"] == "nodes" else 2.5
        if self.net["reads"] == "classes":
            self.answer = dice.integers(self.net["classes"], size=N)

    def step(self, p, x, Q, way, hint):
        """hint: (bits, pointers, choice) of this step, or None."""
        N, eye = self.N, np.eye(self.N)
        t = {"Q": Q, "way": way, "y": np.hstack([self.i, x, Q.diagonal()[:, None]])}
        y = t["y"]
        flags = lambda q: np.concatenate([self.E, q[..., None], q.T[..., None], eye[..., None]], 2)
        t["f"] = flags(Q)
        inner = (y @ p["pointer.from"])[None] + (y @ p["pointer.to"])[:, None] + t["f"] @ p["pointer.link"]
        t["inner"] = np.maximum(inner + p["pointer.b"][0], 0)
        t["a"] = sigma(t["inner"] @ p["pointer.w"][0] + p["pointer.c"][0, 0]) * self.L
        t["orders"] = firsts([0 * self.length, self.length, self.length + way[None]], t["a"])
        mu, t["none"] = softmax(10 * p["pointer.order"][0]), t["orders"][0][2]
        t["own"] = sum(m * pi for m, (_, pi, _) in zip(mu, t["orders"])) + t["none"][:, None] * Q
        q = t["q"] = t["own"] if hint is None else hint[1]
        others, ell = (1 - eye) * self.L, np.where(self.L > 0, self.length, 0)
        t["way'"], length = (q * others * (way[None] + ell)).sum(1), (q * others * ell).sum(1)
        t["f'"] = flags(q)[..., :-1]
        heard = (y @ p["message.from"])[None] + t["f'"] @ p["message.link"][:-1] + p["message.b"][0]
        heard = np.where(others[..., None] > 0, heard, -1)
        t["top"], t["m"] = heard.argmax(1), np.maximum(heard.max(1), 0)
        own = y @ p["state.own"] + q.diagonal()[:, None] * p["state.self"] + t["m"] @ p["state.message"] + p["state.b"]
        h = t["h"] = np.maximum(own, 0)
        t["g"] = sigma(h @ p["choice.w"][0] + p["choice.c"][0, 0])[None]
        keys = [0 * length, length, t["way'"], -t["way'"]]
        t["choices"] = firsts([key[None] for key in keys], t["g"])
        mu, t["c0"] = softmax(10 * p["choice.order"][0]), t["choices"][0][2][0]
        t["C"] = sum(m * pi[0] for m, (_, pi, _) in zip(mu, t["choices"]))
        C, c0 = (t["C"], t["c0"]) if hint is None else (eye[hint[2]] * (hint[2] >= 0), float(hint[2] < 0))
        t["used"] = C, c0
        u = h @ p["bits.state"] + C[:, None] * p["bits.choice"][:1] + c0 * p["bits.choice"][1:] + p["bits.b"]
        t["u"] = np.maximum(u, 0)
        t["b"] = sigma(t["u"] @ p["bits.V"] + p["bits.c"])
        return t

    def back(self, p, t, dz, dq_own, dC, dc0, dway, g):
        """dz: of the bits before their sigmoid. What dx, dQ and dway before the step are."""
        N, B, through = self.N, self.net["bits"], not self.told
        y, h, (C, c0), eye = t["y"], t["h"], t["used"], np.eye(self.N)
        ell, others = np.where(self.L > 0, self.length, 0), (1 - eye) * self.L
        dq, dway_before = others * (t["way"][None] + ell) * dway[:, None], (t["q"] * others).T @ dway
        g["bits.V"] += t["u"].T @ dz
        g["bits.c"] += dz.sum(0)
        du = (dz @ p["bits.V"].T) * (t["u"] > 0)
        g["bits.state"] += h.T @ du
        g["bits.b"] += du.sum(0)
        g["bits.choice"] += np.stack([C @ du, c0 * du.sum(0)])
        if through:
            dC, dc0 = dC + du @ p["bits.choice"][0], dc0 + du.sum(0) @ p["bits.choice"][1]
        dg, dorder = firsts_back(t["choices"], p["choice.order"][0], t["g"], dC[None], np.array([dc0]))
        g["choice.order"] += dorder
        dg = (dg * t["g"] * (1 - t["g"]))[0]
        g["choice.w"] += dg @ h
        g["choice.c"] += dg.sum()
        dh = (du @ p["bits.state"].T + dg[:, None] * p["choice.w"]) * (h > 0)
        g["state.own"] += y.T @ dh
        g["state.message"] += t["m"].T @ dh
        g["state.self"] += t["q"].diagonal() @ dh
        g["state.b"] += dh.sum(0)
        dq += eye * (dh @ p["state.self"][0])
        dm = (dh @ p["state.message"].T) * (t["m"] > 0)
        de = np.zeros((N, N, dm.shape[1]))
        np.put_along_axis(de, t["top"][:, None], dm[:, None], 1)
        g["message.from"] += y.T @ de.sum(0)
        g["message.b"] += de.sum((0, 1))
        g["message.link"] += np.vstack([np.tensordot(t["f'"], de, ((0, 1), (0, 1))), 0 * p["message.link"][-1:]])
        df = de @ p["message.link"].T
        dq += df[..., self.S] + df[..., self.S + 1].T
        dy = dh @ p["state.own"].T + de.sum(0) @ p["message.from"].T
        if through:
            dq_own = dq_own + dq
        dnone = (dq_own * t["Q"]).sum(1)
        dQ = dq_own * t["none"][:, None]
        da, dorder = firsts_back(t["orders"], p["pointer.order"][0], t["a"], dq_own, dnone)
        g["pointer.order"] += dorder
        da = da * t["a"] * (1 - t["a"])
        g["pointer.c"] += da.sum()
        g["pointer.w"] += np.tensordot(da, t["inner"], ((0, 1), (0, 1)))
        d = da[..., None] * p["pointer.w"][0] * (t["inner"] > 0)
        g["pointer.from"] += y.T @ d.sum(0)
        g["pointer.to"] += y.T @ d.sum(1)
        g["pointer.b"] += d.sum((0, 1))
        g["pointer.link"] += np.tensordot(t["f"], d, ((0, 1), (0, 1)))
        df = d @ p["pointer.link"].T
        dQ = dQ + df[..., self.S] + df[..., self.S + 1].T
        dy = dy + d.sum(0) @ p["pointer.from"].T + d.sum(1) @ p["pointer.to"].T
        first = self.i.shape[1]
        return dy[:, first : first + B], dQ + eye * dy[:, -1], dway_before

    def begin(self):
        return np.zeros((self.N, self.net["bits"])), np.eye(self.N), np.zeros(self.N)

    def tapes(self, p):
        state, out = self.begin(), []
        for hint in self.hints if self.told else [None, None]:
            t = self.step(p, *state, hint)
            out.append(t)
            state = (hint[0] if self.told else t["b"]), t["q"], t["way'"]
        return out

    def told_loss(self, t, hint):
        bits, pointers, c = hint
        loss = -np.log((t["own"] * pointers).sum(1)).mean() - np.log(t["c0"] if c < 0 else t["C"][c])
        loss -= (np.log(np.where(bits > 0, t["b"], 1 - t["b"]))).sum() / self.N
        dC = np.zeros(self.N)
        if c >= 0:
            dC[c] = -1 / t["C"][c]
        return loss, (t["b"] - bits) / self.N, -pointers / np.where(pointers > 0, t["own"], 1) / self.N, dC, -float(c < 0) / t["c0"]

    def answer_loss(self, p, t, g):
        none = (np.zeros_like(t["b"]), np.zeros_like(t["q"]), np.zeros(self.N), 0.0, np.zeros(self.N))
        if self.net["reads"] == "pointers":
            right = np.where(self.answer > 0, t["own"], 1)
            return -np.log(right).sum() / self.N, (none[0], -self.answer / right / self.N, *none[2:])
        if self.net["reads"] == "classes":
            scores = self.i @ p["classes.inputs"] + t["b"] @ p["classes.bits"] + p["classes.b"]
            rows = [label_loss(row, y, self.N) for row, y in zip(scores, self.answer)]
            d = np.stack([each for _, each in rows])
            for name, value in (("inputs", self.i.T @ d), ("bits", t["b"].T @ d), ("b", d.sum(0))):
                g["classes." + name] += value
            return sum(loss for loss, _ in rows), ((d @ p["classes.bits"].T) * t["b"] * (1 - t["b"]), *none[1:])
        error = t["C"] @ t["way'"] - self.answer
        return error**2, (*none[:2], 2 * error * t["way'"], 0.0, 2 * error * t["C"])

    def loss(self, p):
        tapes = self.tapes(p)
        if self.told:
            return sum(self.told_loss(t, hint)[0] for t, hint in zip(tapes, self.hints)) / len(tapes)
        return self.answer_loss(p, tapes[-1], defaultdict(float))[0]

    def gradient(self, p):
        g, tapes = defaultdict(float), self.tapes(p)
        if self.told:
            for t, hint in zip(tapes, self.hints):
                _, *d = self.told_loss(t, hint)
                self.back(p, t, *(each / len(tapes) for each in d), np.zeros(self.N), g)
            return g
        _, (dz, dq, dC, dc0, dway) = self.answer_loss(p, tapes[-1], g)
        for k in reversed(range(len(tapes))):
            dx, dq, dway = self.back(p, tapes[k], dz, dq, dC, dc0, dway, g)
            b = tapes[k - 1]["b"]
            dz, dC, dc0 = dx * b * (1 - b), np.zeros(self.N), 0.0
        return g


def stepper_cases():
    for task, data, options in STEPPERS:
        if task == "dijkstra" and "--no-hints" not in options:
            yield task, f"{task} --hints --nodes 5", {}, options, True
        elif task == "node_classes" or "--no-hints" in options:
            generated = task if task == "node_classes" else f"{task} --hints --nodes 5"
            yield f"{task}-no-hints", generated, data, options, False


def main(program):
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for answer, order in (("class", "bf"), ("classes", "fb")):
            options = ["--model", "reader", "--state", 5, "--order", order]
            data, path = make(program, Path(folder), f"reader-{answer}", f"english {answer}", {}, options)
            model, dice = Model(path), np.random.default_rng(1)
            # The longest story, so that a sentence is read after another, with words that both have.
            record = max(read_data(data, True), key=lambda r: len(r.text))
            worst = worst_of(Reading(model, record, dice), model.networks[0][0], dice)
            print(f"reader-{answer}: {worst:.1e}, {len(record.text)} sentences", flush=True)
            failed += [] if worst < TOLERANCE else [f"reader-{answer}"]
        for name, generated, parts, options, told in stepper_cases():
            options = ["--model", "stepper", "--state", 6, *options]
            data, path = make(program, Path(folder), f"stepper-{name}", generated, parts, options)
            model, record, dice = Model(path), read_data(data)[0], np.random.default_rng(1)
            # Small random numbers: what training found may lie on the edge of a relu.
            p = {key: dice.normal(0, 0.4, value.shape) for key, value in model.networks[0][0].items()}
            worst = worst_of(Stepping(model, record, record.questions[0], dice, told), p, dice)
            print(f"stepper-{name}: {worst:.1e}", flush=True)
            failed += [] if worst < TOLERANCE else [f"stepper-{name}"]
    if failed:
        sys.exit(f"gradients that are not those of finite differences: {', '.join(failed)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
