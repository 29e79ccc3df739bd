#!/usr/bin/python3
"""Runs ONNX files with nothing but numpy: reads the protocol buffers itself, and knows the operators that exported
networks are made of, as the ONNX specification has them at opset 17. What it does not know it refuses.

    onnx_run.py FOLDER      each of FOLDER/*.onnx on FOLDER/*.json, against the answers there

A case (*.json) is a list of batches: inputs by name, and the outputs expected of each step (one step unless answers
are sequences, whose annotations are fed back); null is not compared. Prints how many numbers were compared."""
import json
import math
import pathlib
import sys

import numpy as np

TYPES = {1: np.float32, 7: np.int64, 9: np.bool_, 11: np.float64}
TOLERANCE = 1e-5


def fields(data):
    """(number, value) of each field of a message; whole numbers, or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << 64) if value >= 1 << 63 else value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 2:
            size = varint()
            assert at + size <= len(data), "a field is cut short"
            yield key >> 3, data[at : at + size]
            at += size
        else:
            raise ValueError(f"wire type {key & 7} is not used by these files")


def known(data, names):
    """Fields by name, a list each; a field that is not among the names is refused."""
    found = {name: [] for name in names.values()}
    for number, value in fields(data):
        found[names[number]].append(value)
    return found


def text(values):
    assert len(values) == 1
    return bytes(values[0]).decode()


def tensor(data):
    f = known(data, {1: "dims", 2: "type", 8: "name", 9: "raw"})
    values = np.frombuffer(f["raw"][0], TYPES[f["type"][0]])
    return text(f["name"]), values.reshape(f["dims"])


def value_info(data):
    f = known(data, {1: "name", 2: "type"})
    t = known(known(f["type"][0], {1: "tensor"})["tensor"][0], {1: "element", 2: "shape"})
    dims = []
    for each in known(t["shape"][0], {1: "dim"})["dim"]:
        d = known(each, {1: "value", 2: "param"})
        dims.append(d["value"][0] if d["value"] else text(d["param"]))
    return text(f["name"]), TYPES[t["element"][0]], dims


def attribute(data):
    f = known(data, {1: "name", 3: "i", 4: "s", 6: "g", 8: "ints", 20: "type"})
    kind = f["type"][0]
    value = {2: lambda: f["i"][0], 3: lambda: text(f["s"]), 5: lambda: Graph(f["g"][0]), 7: lambda: f["ints"]}[kind]()
    return text(f["name"]), value


class Node:
    def __init__(self, data):
        f = known(data, {1: "inputs", 2: "outputs", 3: "name", 4: "op", 5: "attributes"})
        self.inputs = [bytes(i).decode() for i in f["inputs"]]
        self.outputs = [bytes(o).decode() for o in f["outputs"]]
        self.op = text(f["op"])
        self.attributes = dict(attribute(a) for a in f["attributes"])


class Graph:
    def __init__(self, data):
        f = known(data, {1: "nodes", 2: "name", 5: "constants", 11: "inputs", 12: "outputs"})
        self.nodes = [Node(n) for n in f["nodes"]]
        self.constants = dict(tensor(c) for c in f["constants"])
        self.inputs = [value_info(i) for i in f["inputs"]]
        self.outputs = [value_info(o) for o in f["outputs"]]
        assert len(self.constants) == len(f["constants"]), "two constants of one name"

    def run(self, given, outer=None):
        """Values by name in, values of the outputs in order out; `outer`: what a graph around this one knows."""
        values = {**(outer or {}), **self.constants}
        sizes = {}
        for name, kind, dims in self.inputs:
            check(name, given[name], kind, dims, sizes)
            values[name] = given[name]
        for node in self.nodes:
            inputs = [values[i] if i else None for i in node.inputs]
            if node.op == "Loop":
                result = loop(inputs, values, **node.attributes)
            else:
                result = OPERATORS[node.op](*inputs, **node.attributes)
            assert len(node.outputs) == 1 and node.outputs[0] not in values, node.outputs
            values[node.outputs[0]] = np.asarray(result)
        for name, kind, dims in self.outputs:
            check(name, values[name], kind, dims, sizes)
        return [values[name] for name, _, _ in self.outputs]


def check(name, value, kind, dims, sizes):
    """A value is of the type and shape that the file declares; dimensions of one name are the same size."""
    assert value.dtype == kind, (name, value.dtype, kind)
    assert len(value.shape) == len(dims), (name, value.shape, dims)
    for size, dim in zip(value.shape, dims):
        expected = sizes.setdefault(dim, size) if isinstance(dim, str) else dim
        assert size == expected, (name, value.shape, dims, sizes)


def loop(inputs, outer, body):
    count, condition, state = inputs
    assert condition is None and count.shape == ()
    on = np.asarray(True)
    for i in range(int(count)):
        names = [name for name, _, _ in body.inputs]
        on, state = body.run(dict(zip(names, [np.asarray(i, np.int64), on, state])), outer)
        if not on:
            break
    return state


def same_type(function):
    def wrapped(*inputs):
        assert len({i.dtype for i in inputs}) == 1, [i.dtype for i in inputs]
        return function(*inputs)

    return wrapped


def scatter(data, indices, updates, axis, reduction):
    assert axis == 0 and reduction == "add" and indices.shape == updates.shape and data.dtype == updates.dtype
    assert indices.ndim == data.ndim
    out = data.copy()
    rest = np.indices(indices.shape)[1:]
    np.add.at(out, (indices, *rest), updates)
    return out


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def sigmoid(x):
    with np.errstate(over="ignore"):
        return (1 / (1 + np.exp(-x))).astype(x.dtype)


def divide(a, b):
    with np.errstate(divide="ignore"):
        return a / b


def gather(data, indices, axis):
    assert indices.dtype == np.int64 and (indices.size == 0 or (indices.min() >= 0 and indices.max() < data.shape[axis]))
    return np.take(data, indices, axis=axis)


def concat(*parts, axis):
    assert len({p.dtype for p in parts}) == 1
    return np.concatenate(parts, axis=axis)


def reduce_max(x, keepdims, axes=None):
    return x.max(axis=None if axes is None else tuple(axes), keepdims=bool(keepdims))


OPERATORS = {
    "Abs": np.abs,
    "Add": same_type(np.add),
    "Cast": lambda x, to: x.astype(TYPES[to]),
    "Concat": concat,
    "ConstantOfShape": lambda shape: np.zeros(shape, np.float32),
    "Div": same_type(divide),
    "Equal": same_type(np.equal),
    "Exp": np.exp,
    "Expand": lambda x, shape: x * np.ones(shape, x.dtype),
    "Gather": gather,
    "Greater": same_type(np.greater),
    "GreaterOrEqual": same_type(np.greater_equal),
    "Identity": lambda x: x,
    "MatMul": same_type(np.matmul),
    "Mul": same_type(np.multiply),
    "NonZero": lambda x: np.array(np.nonzero(x), np.int64),
    "Range": lambda first, limit, step: np.arange(first, limit, step, dtype=first.dtype),
    "ReduceMax": reduce_max,
    "ScatterElements": scatter,
    "Shape": lambda x: np.array(x.shape, np.int64),
    "Sigmoid": sigmoid,
    "Softmax": softmax,
    "Squeeze": lambda x, axes: np.squeeze(x, tuple(axes)),
    "Sub": same_type(np.subtract),
    "Tanh": np.tanh,
    "Unsqueeze": lambda x, axes: np.expand_dims(x, tuple(axes)),
    "Where": lambda condition, a, b: np.where(condition, a, b) if a.dtype == b.dtype else None,
}


def load(path):
    f = known(
        path.read_bytes(),
        {1: "ir_version", 2: "producer", 6: "about", 7: "graph", 8: "operators", 14: "metadata"},
    )
    operators = known(f["operators"][0], {1: "domain", 2: "version"})
    assert f["ir_version"] == [8] and text(operators["domain"]) == "" and operators["version"] == [17]
    metadata = {}
    for entry in f["metadata"]:
        e = known(entry, {1: "key", 2: "value"})
        metadata[text(e["key"])] = text(e["value"])
    for key in ("edge_types", "classes", "tags"):
        assert isinstance(json.loads(metadata["ggsnn." + key]), list)
    return Graph(f["graph"][0])


def as_array(given):
    kind = {"float32": np.float32, "int64": np.int64, "bool": np.bool_}[given["type"]]
    return np.array(given["data"], kind).reshape(given["dims"])


def compare(found, expected):
    """How many numbers there were to compare, and the largest difference, of those above 1 by their size."""
    assert found.size == len(expected), (found.shape, len(expected))
    worst, count = 0.0, 0
    for value, wanted in zip(found.ravel().tolist(), expected):
        if wanted is None:
            continue
        assert math.isfinite(value), "a number that is not finite"
        worst = max(worst, abs(value - wanted) / max(1.0, abs(wanted)))
        count += 1
    return count, worst


def main(folder):
    models = sorted(pathlib.Path(folder).glob("*.onnx"))
    assert models, f"{folder}: no models"
    for path in models:
        graph = load(path)
        names = [name for name, _, _ in graph.outputs]
        count, worst = 0, 0.0
        for batch in json.loads(path.with_suffix(".json").read_text()):
            inputs = {name: as_array(given) for name, given in batch["inputs"].items()}
            for expected in batch["steps"]:
                outputs = dict(zip(names, graph.run(inputs)))
                some, difference = compare(outputs[names[0]], expected)
                count += some
                worst = max(worst, difference)
                if "next_annotations" in outputs:
                    inputs["annotations"] = outputs["next_annotations"]
                    inputs["first"] = np.array([False])
        if not worst <= TOLERANCE:
            sys.exit(f"{path.name}: differs by {worst:g}; at most {TOLERANCE:g} was expected")
        print(f"{path.stem} {count} {worst:.3g}")


if __name__ == "__main__":
    main(sys.argv[1])
