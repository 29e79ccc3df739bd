"""Graphs and questions from what Python programs have: lists, arrays, scipy's matrices, networkx."""

import json

import numpy as np

from . import _core

Error = _core.Error


def _numbers_of_names(names):
    """Distinct names in order of appearance, and the number of each entry."""
    seen = {}
    numbers = [seen.setdefault(str(name), len(seen)) for name in names]
    return np.asarray(numbers, dtype=np.int32), list(seen)


def _floats(values, what, columns):
    """An array of finite numbers with this many dimensions; a single column may be given flat."""
    if values is None:
        return None
    array = np.asarray(values)
    if array.dtype == object or array.dtype.kind not in "fiub":
        raise Error(f"{what}: holds {array.dtype}; expected numbers")
    array = np.ascontiguousarray(array, dtype=np.float32)
    if columns == 2 and array.ndim == 1:
        array = array[:, None]
    if array.ndim != columns:
        raise Error(f"{what}: has {array.ndim} dimensions; expected {columns}")
    return array


def _whole(values, what):
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(0, dtype=np.int32)
    if array.dtype.kind not in "iu":
        raise Error(f"{what}: holds {array.dtype}; expected whole numbers")
    if array.min() < -(2**31) or array.max() >= 2**31:
        raise Error(f"{what}: holds numbers beyond 32 bits")
    return np.ascontiguousarray(array.reshape(-1), dtype=np.int32)


def _sparse(features):
    """The arrays of a scipy matrix, or None where it is none."""
    if not hasattr(features, "tocsr"):
        return None
    rows = features.tocsr().copy()
    rows.sum_duplicates()
    rows.sort_indices()
    rows.eliminate_zeros()
    return (
        rows.indptr.astype(np.int32),
        rows.indices.astype(np.int32),
        rows.data.astype(np.float32),
        int(rows.shape[1]),
    )


def _tags(types, nodes):
    """(node, name) of types given as one name, several names or None for each node."""
    if types is None:
        return []
    if len(types) != nodes:
        raise Error(f"types: has {len(types)} entries; expected one for each of the {nodes} nodes")
    tags = []
    for node, given in enumerate(types):
        if given is None:
            continue
        names = [given] if isinstance(given, str) or not hasattr(given, "__iter__") else given
        tags.extend((node, str(name)) for name in names)
    return tags


def _edge_columns(edges, index):
    """Sources, targets and type names of edges: (source, target) or (source, type, target)."""
    if isinstance(edges, np.ndarray) and edges.dtype != object and edges.dtype.kind in "iu":
        if edges.ndim != 2 or edges.shape[1] not in (2, 3):
            raise Error(f"edges: an array of shape {edges.shape}; expected (edges, 2) or (edges, 3)")
        types = [str(t) for t in edges[:, 1]] if edges.shape[1] == 3 else ["edge"] * len(edges)
        pairs = [[index(v) for v in edges[:, 0]], [index(v) for v in edges[:, -1]]] if index else edges[:, [0, -1]].T
        return pairs[0], pairs[1], types
    sources, targets, types = [], [], []
    for i, edge in enumerate(edges):
        if not hasattr(edge, "__len__") or len(edge) not in (2, 3):
            raise Error(f"edges[{i}] is {edge!r}; expected (source, target) or (source, type, target)")
        sources.append(index(edge[0]) if index else edge[0])
        targets.append(index(edge[-1]) if index else edge[-1])
        types.append(str(edge[1]) if len(edge) == 3 else "edge")
    return sources, targets, types


class Graph:
    """A directed multigraph whose edges have types.

    nodes: how many, or a list of their names.
    edges: pairs (source, target) or triples (source, type, target); nodes by number, or by name where they have
        names. An edge counts as often as it is listed; messages go both ways.
    features: numbers of each node, an array of nodes x features or a scipy sparse matrix.
    types: for each node a name, several, or None.
    weights: a number for each edge. edge_features: several.
    id: what the graph is called in results.
    """

    __slots__ = ("_record",)

    def __init__(self, nodes, edges=(), *, features=None, types=None, weights=None, edge_features=None, id=None):
        names = []
        index = None
        if not isinstance(nodes, (int, np.integer)) or isinstance(nodes, bool):
            names = [str(name) for name in nodes]
            numbers = {name: i for i, name in enumerate(names)}
            nodes = len(names)

            def index(name):
                try:
                    return numbers[str(name)]
                except KeyError:
                    raise Error(f'edges: "{name}" is not one of the {nodes} nodes') from None

        sources, targets, type_names = _edge_columns(edges, index)
        type_numbers, type_names = _numbers_of_names(type_names)
        sparse = _sparse(features)
        self._record = _core.record(
            nodes=int(nodes),
            names=names,
            sources=_whole(sources, "edges"),
            targets=_whole(targets, "edges"),
            types=type_numbers,
            type_names=type_names or ["edge"],
            weights=_floats(weights, "weights", 1),
            edge_features=_floats(edge_features, "edge_features", 2),
            features=None if sparse else _floats(features, "features", 2),
            sparse=sparse,
            tags=_tags(types, int(nodes)),
            id="" if id is None else json.dumps(id),
            text=[],
        )

    @classmethod
    def _of(cls, record):
        graph = cls.__new__(cls)
        graph._record = record
        return graph

    @classmethod
    def from_scipy(cls, matrices, *, weighted=False, **known):
        """A graph of sparse adjacency matrices: one, or a dict with one for each edge type.

        Entry (i, j) is an edge from i to j. weighted: its value is the edge's weight; otherwise every entry that is
        not zero is one edge.
        """
        by_type = matrices if isinstance(matrices, dict) else {"edge": matrices}
        if not by_type:
            raise Error("from_scipy: there is no matrix; expected at least one")
        edges, weights, nodes = [], [], None
        for name, matrix in by_type.items():
            entries = matrix.tocoo()
            if entries.shape[0] != entries.shape[1] or entries.shape[0] != (nodes or entries.shape[0]):
                raise Error(f"from_scipy: the matrix of {name!r} is {entries.shape}; expected a square one, all alike")
            nodes = entries.shape[0]
            for i, j, value in zip(entries.row.tolist(), entries.col.tolist(), entries.data.tolist()):
                if value != 0:
                    edges.append((i, str(name), j))
                    weights.append(value)
        return cls(nodes, edges, weights=weights if weighted else None, **known)

    @classmethod
    def from_networkx(cls, graph, *, type="type", weight=None, features=None, node_type=None, edge_features=None, id=None):
        """A networkx graph of any class; an undirected edge is one edge.

        type, weight, edge_features: attributes of edges. features, node_type: attributes of nodes. What edges have
        no `type` is of type "edge". Nodes keep their names unless they are the numbers from 0 on.
        """
        nodes = list(graph.nodes)
        plain = nodes == list(range(len(nodes)))
        place = {node: i for i, node in enumerate(nodes)}
        names = [str(node) for node in nodes]
        rows = list(graph.edges(data=True))

        def column(attribute, what):
            values = []
            for source, target, data in rows:
                if attribute not in data:
                    raise Error(f"from_networkx: the edge {source!r} to {target!r} has no {what} {attribute!r}")
                values.append(data[attribute])
            return values

        def of_nodes(attribute):
            for node in nodes:
                if attribute not in graph.nodes[node]:
                    raise Error(f"from_networkx: the node {node!r} has no attribute {attribute!r}")
            return [graph.nodes[node][attribute] for node in nodes]

        result = cls(
            len(nodes),
            [(place[s], str(data.get(type, "edge")), place[t]) for s, t, data in rows],
            features=None if features is None else np.asarray(of_nodes(features), dtype=float).reshape(len(nodes), -1),
            types=None if node_type is None else [graph.nodes[node].get(node_type) for node in nodes],
            weights=None if weight is None else column(weight, "weight"),
            edge_features=None
            if edge_features is None
            else np.asarray(column(edge_features, "attribute"), dtype=float).reshape(len(rows), -1),
            id=id,
        )
        return result if plain else result._renamed(names)

    def _renamed(self, names):
        arrays = self._record.arrays()
        arrays["names"] = names
        return Graph._of(_record_of(arrays))

    @property
    def nodes(self):
        """How many nodes there are."""
        return self._record.nodes

    @property
    def names(self):
        """Names of the nodes; empty where they are numbered."""
        return self._record.names

    @property
    def edges(self):
        """How many edges there are."""
        return self._record.edges

    def arrays(self):
        """Everything that the graph holds, as arrays and lists."""
        return self._record.arrays()

    def ask(self, type="question", *arguments, hints=None):
        """A question about this graph; arguments are nodes, by number or name. hints: see Question."""
        return Question(self, type, arguments, hints)

    def __repr__(self):
        return f"<Graph: {self.nodes} nodes, {self.edges} edges>"

    def __reduce__(self):
        return _unpickle, (self._record.arrays(),)

    def _repr_svg_(self):
        return self._record.svg()


def _record_of(arrays):
    numbers, names = _numbers_of_names(arrays["types"])
    return _core.record(
        nodes=arrays["nodes"],
        names=arrays["names"],
        sources=arrays["sources"],
        targets=arrays["targets"],
        types=numbers,
        type_names=names or ["edge"],
        weights=arrays.get("weights"),
        edge_features=arrays.get("edge_features"),
        features=arrays.get("features"),
        sparse=arrays.get("sparse"),
        tags=arrays["tags"],
        id=arrays["id"],
        text=arrays.get("text", []),
    )


def _unpickle(arrays):
    return Graph._of(_record_of(arrays))


class Question:
    """A question about a graph: its type, and the nodes that it names.

    hints: for networks that learn the steps of an algorithm (model="stepper"), what a solver does, in training only: a
    dict with `bits` (steps x nodes x bits of 0 and 1) and, where there are any, `pointers` (steps x nodes: for each node
    itself or a neighbour) and `chosen` (for each step a node, or -1).
    """

    __slots__ = ("graph", "type", "arguments", "hints")

    def __init__(self, graph, type="question", arguments=(), hints=None):
        names = {name: i for i, name in enumerate(graph.names)}
        self.graph = graph
        self.type = str(type)
        self.arguments = tuple(names[a] if isinstance(a, str) and a in names else a for a in arguments)
        for a in self.arguments:
            if not isinstance(a, (int, np.integer)):
                raise Error(f"question: {a!r} is no node of the graph")
        self.hints = None if hints is None else _hints(hints)

    def __repr__(self):
        return f"<Question {self.type!r} of {self.graph!r}, arguments {self.arguments}>"

    def __reduce__(self):
        return Question, (self.graph, self.type, self.arguments, self.hints)


def _hints(given):
    for key in given:
        if key not in ("bits", "pointers", "chosen"):
            raise Error(f"hints: unknown key {key!r}; expected bits, pointers or chosen")
    if "bits" not in given:
        raise Error("hints: there are no bits; expected a matrix for each step")
    return {key: _whole_array(value, f"hints: {key}") for key, value in given.items() if value is not None}


def _whole_array(values, what):
    """As it is, where it holds whole numbers."""
    array = np.asarray(values)
    return _whole(array, what).reshape(array.shape)


def story(sentences, question):
    """A story in English and a question about it, for networks that read (model="reader"); as `read` has them of files."""
    graph = Graph._of(_core.story([str(sentence) for sentence in sentences], str(question)))
    return Question(graph, "asks", (graph.nodes - 1,))


def graphs(edge_index, *, batch=None, edge_type=None, features=None, weights=None, edge_features=None):
    """Many graphs from the arrays of one disjoint union, as PyG has them.

    edge_index: 2 x edges, sources above targets. batch: for each node the number of its graph, in increasing order;
    None: one graph. edge_type: a number or name for each edge. features: nodes x features.
    """
    index = np.asarray(edge_index)
    if index.ndim != 2 or index.shape[0] != 2:
        raise Error(f"edge_index: has the shape {index.shape}; expected (2, edges)")
    rows = _floats(features, "features", 2)
    if batch is None:
        if rows is None and index.size == 0:
            raise Error("graphs: neither batch nor features nor edges say how many nodes there are")
        count = len(rows) if rows is not None else int(index.max()) + 1
        batch = np.zeros(count, dtype=np.int64)
    types, names = (None, ["edge"]) if edge_type is None else _type_numbers(edge_type)
    for what, array in (("batch", np.asarray(batch)), ("edge_index", index)):
        if array.size and array.dtype.kind not in "iu":
            raise Error(f"{what}: holds {array.dtype}; expected whole numbers")
    records = _core.records(
        batch=batch,
        sources=index[0],
        targets=index[1],
        types=types,
        type_names=names,
        weights=_floats(weights, "weights", 1),
        edge_features=_floats(edge_features, "edge_features", 2),
        features=rows,
    )
    return [Graph._of(record) for record in records]


def _type_numbers(edge_type):
    """Numbers and names of types; numbers are their own names."""
    array = np.asarray(edge_type)
    if array.dtype.kind in "iu":
        if array.size == 0 or array.min() < 0:
            if array.size == 0:
                return np.zeros(0, dtype=np.int32), ["edge"]
            raise Error(f"edge_type: holds {array.min()}; expected numbers of 0 or more, or names")
        return array.astype(np.int32), [str(t) for t in range(int(array.max()) + 1)]
    return _numbers_of_names(array.tolist())


def read(path, *, answers=True):
    """Questions and answers of a file of any format that the program reads: (X, y).

    Answers are as estimators take them: a node, a class, numbers, or a list. Hints come along with the questions.
    answers=False: the file may have none.
    """
    questions, answers_, known = [], [], {}
    for item in _core.read(str(path), answers):
        record = item["graph"]
        graph = known.get(id(record))
        if graph is None:
            known.clear()  # questions about one graph follow each other
            graph = known[id(record)] = Graph._of(record)
        questions.append(Question(graph, item["type"], item["arguments"], item.get("hints")))
        answers_.append((item, graph))
    several = any(item.get("kind") == "words" and len(item["words"]) > 1 for item, _ in answers_)
    return questions, [_answer(item, graph, several) for item, graph in answers_]


def _answer(item, graph, several):
    """several: answers that are words are lists of them."""
    kind = item.get("kind")
    if kind is None:
        return None
    if kind == "words":
        words = item["words"]
        if "text" not in graph.arrays():  # of a story in English all answers are words
            nodes = {name: i for i, name in enumerate(graph.names)}
            words = [nodes.get(word, word) for word in words]
        return words if several else words[0]
    if kind == "node":
        return item["nodes"][0]
    if kind == "nodes":
        return item["nodes"]
    if kind == "class":
        return item["words"][0]
    if kind in ("classes", "node_classes"):
        return item["words"]
    numbers = np.asarray(item["values"], dtype=np.float32)
    return numbers.reshape(graph.nodes, -1) if kind == "node_numbers" else numbers


def questions_of(X, answers=None):
    """What networks are asked: X as the C++ part takes it."""
    if isinstance(X, (Graph, Question)):
        X = [X]
    records, types, arguments, hints = [], [], [], []
    plain = True
    for i, item in enumerate(X):
        if isinstance(item, Graph):
            records.append(item._record)
            if not plain:
                types.append("question")
                arguments.append([])
        elif isinstance(item, Question):
            if plain:
                plain = False
                types = ["question"] * len(records)
                arguments = [[] for _ in records]
            records.append(item.graph._record)
            types.append(item.type)
            arguments.append([int(a) for a in item.arguments])
            if item.hints is not None:
                hints.append((i, item.hints))
        else:
            raise Error(f"X[{i}] is {type(item).__name__}; expected a Graph or a Question")
    if not records:
        raise Error("X is empty; expected at least one graph")
    questions = _core.Questions(records, types, arguments)
    for i, each in hints:
        questions.set_hints(i, each["bits"], each.get("pointers"), each.get("chosen"))
    return questions
