"""The forward pass of the networks that read stories, docs/equations.md, section 'The network that reads'."""

import numpy as np


def sigma(x):
    return 1 / (1 + np.exp(-x))


class Story:
    """The words of a story and its sentences: each a list of (word of the story, its positions); the question last."""

    def __init__(self, meta, text):
        self.numbers, self.texts, self.sentences = [], [], []
        number = {word: i for i, word in enumerate(meta["entities"])}
        own = {}
        for words in text:
            places = {}
            for position, word in enumerate(words):
                if word in own:
                    which = own[word]
                else:
                    which = len(self.numbers)
                    self.numbers.append(number.get(word, 0))
                    self.texts.append(word)
                    if number.get(word, 0) != 0:  # every place where an unknown word stands is one of its own
                        own[word] = which
                places.setdefault(which, []).append(min(position, meta["network"]["positions"] - 1))
            self.sentences.append(sorted(places.items()))


def gated(z, c, u):
    return (1 - z) * u + z * c


def read_sentence(p, block, story, sentence, start, h, g):
    """h (words x D) and g after a sentence."""
    B = {name.removeprefix(block): value for name, value in p.items() if name.startswith(block)}
    words = [w for w, _ in sentence]
    e, own = p["e"][[story.numbers[w] for w in words]], h[words]
    at = [positions for _, positions in sentence]
    ones_p = np.array([1 + B["p"][i].sum(0) for i in at])
    ones_q = np.array([1 + B["q"][i].sum(0) for i in at])
    gate = {k: own @ B["W_" + k] + e @ B["V_" + k] + B["b_" + k] for k in "yzc"}
    s1 = np.tanh((gate["y"] * ones_p).sum(0, keepdims=True) + g @ B["W_g"] + B["b_g"] + start)
    s = np.tanh(s1 @ B["W_s"] + B["b_s"])
    r = s * ones_q
    after = h.copy()
    after[words] = gated(sigma(r @ B["R_z"] + gate["z"] - 1), np.tanh(r @ B["R_c"] + gate["c"]), own)
    z = sigma(s @ B["S_z"] + g @ B["G_z"] + B["d_z"] - 1)
    c = np.tanh(s @ B["S_c"] + g @ B["G_c"] + B["d_c"])
    return after, gated(z, c, g)


def reading(net, story):
    """(block, row of start or None, sentence) in the order in which they are read."""
    *told, question = story.sentences
    steps = []
    for k, letter in enumerate(net["order"]):
        steps.append(("question.", k, question))
        steps += [("story.", None, sentence) for sentence in (told if letter == "f" else told[::-1])]
    return steps + [("question.", len(net["order"]), question)]


def scores(model, p, story):
    """A row of scores for each place of the answer."""
    net = model.net
    h, g = np.zeros((len(story.numbers), net["state"])), np.zeros((1, net["state"]))
    for block, row, sentence in reading(net, story):
        h, g = read_sentence(p, block, story, sentence, 0 if row is None else p["start"][row : row + 1], h, g)
    o = np.tanh(h @ p["W_o"] + p["e"][story.numbers] @ p["V_o"] + g @ p["G_o"] + p["b_o"])
    out = np.vstack([g @ p[f"W_class{k}"] + p[f"b_class{k}"] for k in range(net["places"])])
    classes = {text: j for j, text in enumerate(model.meta["classes"])}
    for w, (number, text) in enumerate(zip(story.numbers, story.texts)):
        if number != 0 and text in classes:
            out[:, classes[text]] += o[w] @ p["W_place"]
    return out


def outputs(model, p, record):
    """For each place of the answer its scores, as one row."""
    for row in scores(model, p, Story(model.meta, record.text)):
        yield row[None, :]
