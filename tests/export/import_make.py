#!/usr/bin/python3
"""Makes weights of GatedGraphConv as PyTorch Geometric and DGL keep them, graphs, and what those layers compute,
written out plainly from their documentation.

    import_make.py numpy|torch FOLDER

With `torch` weights are those of torch's own modules and its GRUCell is what runs; with `numpy` the cell is written
out too, from torch's documentation. Writes FOLDER/NAME.{safetensors,npz} and FOLDER/NAME.json."""
import json
import pathlib
import struct
import sys

import numpy as np

random = np.random.default_rng(5)


def uniform(*shape, bound=0.6):
    return random.uniform(-bound, bound, shape).astype(np.float32)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class NumpyCell:
    """r = s(W_ir x + b_ir + W_hr h + b_hr), z likewise, n = tanh(W_in x + b_in + r (W_hn h + b_hn)),
    h' = (1 - z) n + z h; the matrices stand below each other in the order r, z, n."""

    def __init__(self, size, bias):
        self.weights = {"weight_ih": uniform(3 * size, size), "weight_hh": uniform(3 * size, size)}
        if bias:
            self.weights.update(bias_ih=uniform(3 * size), bias_hh=uniform(3 * size))

    def __call__(self, x, h):
        w = {key: value.astype(np.float64) for key, value in self.weights.items()}
        i = x @ w["weight_ih"].T + w.get("bias_ih", 0)
        s = h @ w["weight_hh"].T + w.get("bias_hh", 0)
        (ir, iz, i_n), (hr, hz, hn) = np.split(i, 3, axis=1), np.split(s, 3, axis=1)
        r, z = sigmoid(ir + hr), sigmoid(iz + hz)
        n = np.tanh(i_n + r * hn)
        return (1 - z) * n + z * h


class TorchCell:
    def __init__(self, size, bias):
        import torch

        torch.manual_seed(size)
        self.torch = torch
        self.cell = torch.nn.GRUCell(size, size, bias=bias)
        self.weights = {key: value.detach().numpy() for key, value in self.cell.named_parameters()}

    def __call__(self, x, h):
        with self.torch.no_grad():
            cell = self.cell.double()
            return cell(self.torch.from_numpy(x), self.torch.from_numpy(h)).numpy()


def padded(features, size):
    """Both layers fill what is known of a node up with zeros."""
    return np.pad(features.astype(np.float64), ((0, 0), (0, size - features.shape[1])))


def spread(messages, edges, nodes, mean=False):
    """What the targets of edges hear: a row of `messages` for each edge."""
    a = np.zeros((nodes, messages.shape[1]))
    np.add.at(a, edges[:, 2], messages)
    if mean:
        a /= np.maximum(1, np.bincount(edges[:, 2], minlength=nodes))[:, None]
    return a


def pyg(weights, cell, graph, mean):
    """torch_geometric.nn.GatedGraphConv: m = h W_i summed over incoming edges, for each layer i."""
    size = weights.shape[1]
    h = padded(graph["features"], size)
    for w in weights.astype(np.float64):
        messages = (h @ w)[graph["edges"][:, 0]] * graph["weights"][:, None]
        h = cell(spread(messages, graph["edges"], len(h), mean), h)
    return h


def dgl(linears, steps, cell, graph):
    """dgl.nn.GatedGraphConv: a = the sum over incoming edges of W_type h + b_type, n_steps times."""
    h = padded(graph["features"], linears[0][0].shape[0])
    for _ in range(steps):
        messages = np.zeros((len(graph["edges"]), h.shape[1]))
        for i, (source, kind, _) in enumerate(graph["edges"]):
            weight, bias = linears[kind]
            messages[i] = weight.astype(np.float64) @ h[source] + bias
        h = cell(spread(messages, graph["edges"], len(h)), h)
    return h


def random_graph(features, types, weighted):
    nodes = int(random.integers(1, 9))
    edges = int(random.integers(0, 2 * nodes + 1))
    ends = [random.integers(0, limit, edges) for limit in (nodes, types, nodes)]
    return {
        "features": uniform(nodes, features, bound=1),
        "edges": np.stack(ends, axis=1).astype(np.int64).reshape(edges, 3),
        "weights": uniform(edges, bound=1) if weighted else np.ones(edges, np.float32),
    }


def write_safetensors(path, tensors):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, value in tensors.items():
        value = np.ascontiguousarray(value, np.float32)
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [len(data), len(data) + value.nbytes]}
        data += value.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def write(folder, name, tensors, options, graphs, answers):
    write_safetensors(folder / (name + ".safetensors"), tensors)
    save = np.savez_compressed if "compressed" in name else np.savez
    save(folder / (name + ".npz"), **tensors)
    cases = [
        {key: value.tolist() for key, value in graph.items()} | {"answer": answer.tolist()}
        for graph, answer in zip(graphs, answers)
    ]
    (folder / (name + ".json")).write_text(json.dumps({"options": options, "graphs": cases}))


def make_pyg(folder, Cell, name, size, layers, features, count, mean=False, weighted=False, bias=True, linear=0):
    weights, cell = uniform(layers, size, size), Cell(size, bias)
    prefix = "conv." if linear else ""
    tensors = {prefix + "weight": weights, **{prefix + "rnn." + k: v for k, v in cell.weights.items()}}
    options = {"library": "pyg", "features": features, "mean": mean, "types": 1}
    graphs = [random_graph(features, 1, weighted) for _ in range(count)]
    answers = [pyg(weights, cell, graph, mean) for graph in graphs]
    if linear:
        w, b = uniform(linear, size), uniform(linear)
        tensors.update({"lin.weight": w, "lin.bias": b})
        options.update(linear="lin", classes=linear)
        scores = [h @ w.astype(np.float64).T + b for h in answers]
        answers = [np.exp(s) / np.exp(s).sum(axis=1, keepdims=True) for s in scores]
    write(folder, name, tensors, options, graphs, answers)


def make_dgl(folder, Cell, name, size, steps, types, features, count, bias=True):
    cell = Cell(size, bias)
    linears = [(uniform(size, size), uniform(size)) for _ in range(types)]
    tensors = {"gru." + k: v for k, v in cell.weights.items()}
    for i, (weight, b) in enumerate(linears):
        tensors.update({f"linears.{i}.weight": weight, f"linears.{i}.bias": b})
    graphs = [random_graph(features, types, False) for _ in range(count)]
    answers = [dgl(linears, steps, cell, graph) for graph in graphs]
    write(folder, name, tensors, {"library": "dgl", "features": features, "steps": steps, "types": types}, graphs, answers)


def main(how, folder, count=200):
    Cell = {"numpy": NumpyCell, "torch": TorchCell}[how]
    folder = pathlib.Path(folder)
    make_pyg(folder, Cell, "pyg", 8, 3, 5, count)
    make_pyg(folder, Cell, "pyg_one_layer_compressed", 16, 1, 16, count, bias=False)
    make_pyg(folder, Cell, "pyg_mean", 12, 4, 3, count, mean=True)
    make_pyg(folder, Cell, "pyg_weighted", 20, 2, 7, count, weighted=True)
    make_pyg(folder, Cell, "pyg_classes", 9, 3, 4, count, linear=3)
    make_dgl(folder, Cell, "dgl", 10, 4, 3, 6, count)
    make_dgl(folder, Cell, "dgl_one_type", 17, 2, 1, 17, count, bias=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
