import pickle

import numpy as np
import pytest

import ggsnn


def same(a, b):
    a, b = a.arrays(), b.arrays()
    assert a.keys() == b.keys()
    for key in a:
        if key == "sparse":
            assert all(np.array_equal(x, y) for x, y in zip(a[key], b[key]))
        else:
            assert np.array_equal(a[key], b[key]), key


def test_lists_and_names():
    g = ggsnn.Graph(["a", "b", "c"], [("a", "likes", "b"), ("b", "likes", "c")], types=["cat", None, ["dog", "old"]])
    arrays = g.arrays()
    assert (g.nodes, g.edges, g.names) == (3, 2, ["a", "b", "c"])
    assert arrays["sources"].tolist() == [0, 1] and arrays["targets"].tolist() == [1, 2]
    assert arrays["types"] == ["likes", "likes"]
    assert arrays["tags"] == [(0, "cat"), (2, "dog"), (2, "old")]


def test_arrays_of_a_union_are_the_graphs_one_by_one():
    index = np.array([[0, 1, 2, 3, 4], [1, 2, 0, 4, 3]])
    rows = np.arange(10, dtype=float).reshape(5, 2)
    kinds = np.array([0, 1, 0, 1, 1])
    many = ggsnn.graphs(index, batch=[0, 0, 0, 1, 1], edge_type=kinds, features=rows, weights=[1, 2, 3, 4, 5])
    same(many[0], ggsnn.Graph(3, [(0, "0", 1), (1, "1", 2), (2, "0", 0)], features=rows[:3], weights=[1, 2, 3]))
    same(many[1], ggsnn.Graph(2, [(0, "1", 1), (1, "1", 0)], features=rows[3:], weights=[4, 5]))


def test_edges_of_a_union_in_any_order():
    index = np.array([[3, 0, 4, 1], [4, 1, 3, 0]])
    many = ggsnn.graphs(index, batch=[0, 0, 0, 1, 1], weights=[1, 2, 3, 4])
    assert many[0].arrays()["weights"].tolist() == [2, 4]
    assert many[1].arrays()["sources"].tolist() == [0, 1]


def test_scipy():
    sparse = pytest.importorskip("scipy.sparse")
    a = sparse.coo_matrix(([2.0, 3.0], ([0, 1], [1, 2])), shape=(3, 3))
    b = sparse.coo_matrix(([1.0], ([2], [0])), shape=(3, 3))
    g = ggsnn.Graph.from_scipy({"a": a, "b": b}, weighted=True, features=sparse.csr_matrix(np.eye(3)))
    assert g.arrays()["types"] == ["a", "a", "b"]
    assert g.arrays()["weights"].tolist() == [2, 3, 1]
    starts, columns, values, width = g.arrays()["sparse"]
    assert (starts.tolist(), columns.tolist(), values.tolist(), width) == ([0, 1, 2, 3], [0, 1, 2], [1, 1, 1], 3)
    with pytest.raises(ggsnn.Error, match="expected a square one"):
        ggsnn.Graph.from_scipy(sparse.coo_matrix((2, 3)))


def test_networkx():
    nx = pytest.importorskip("networkx")
    g = nx.DiGraph()
    g.add_node("a", x=[1.0, 2.0], kind="cat")
    g.add_node("b", x=[3.0, 4.0], kind="dog")
    g.add_edge("a", "b", type="sees", w=0.5)
    made = ggsnn.Graph.from_networkx(g, weight="w", features="x", node_type="kind")
    same(
        made,
        ggsnn.Graph(
            ["a", "b"], [("a", "sees", "b")], weights=[0.5], features=[[1, 2], [3, 4]], types=["cat", "dog"]
        ),
    )
    numbered = ggsnn.Graph.from_networkx(nx.path_graph(3))
    assert numbered.names == [] and numbered.edges == 2
    with pytest.raises(ggsnn.Error, match="has no weight 'm'"):
        ggsnn.Graph.from_networkx(g, weight="m")


def test_pickle_and_picture():
    g = ggsnn.Graph(["a", "b"], [("a", "x", "b")], features=[[1.0], [2.0]], types=["t", None], edge_features=[[7.0]])
    same(pickle.loads(pickle.dumps(g)), g)
    assert g._repr_svg_().startswith("<svg") and "3 nodes" not in repr(g) and "2 nodes" in repr(g)
    q = pickle.loads(pickle.dumps(g.ask("why", "b")))
    assert (q.type, q.arguments) == ("why", (1,))


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: ggsnn.Graph(0), "nodes is 0; expected 1 to"),
        (lambda: ggsnn.Graph(2, [(0, 2)]), "2 is no node of its graph; expected 0 to 1"),
        (lambda: ggsnn.Graph(2, [(0, 1.5)]), "expected whole numbers"),
        (lambda: ggsnn.Graph(2, [(0, "t", 1, 4)]), r"edges\[0\] is"),
        (lambda: ggsnn.Graph(["a", "b"], [("a", "c")]), '"c" is not one of the 2 nodes'),
        (lambda: ggsnn.Graph(["a", "a"]), "named twice"),
        (lambda: ggsnn.Graph(2, features=[[1, 2]]), "features has 1 entries; expected one for each of the 2 nodes"),
        (lambda: ggsnn.Graph(1, features=[[np.nan]]), "row 0, column 0 is nan; expected a finite number"),
        (lambda: ggsnn.Graph(1, features=[["x"]]), "expected numbers"),
        (lambda: ggsnn.Graph(2, [(0, 1)], weights=[1, 2]), "weights has 2 entries; expected one for each of the 1 edges"),
        (lambda: ggsnn.Graph(1, types=["a", "b"]), "types: has 2 entries"),
        (lambda: ggsnn.graphs(np.zeros((3, 1), int)), r"expected \(2, edges\)"),
        (lambda: ggsnn.graphs([[0], [1]], batch=[0, 2]), "batch: node 1 is in graph 2 after graph 0"),
        (lambda: ggsnn.graphs([[0], [1]], batch=[0, 1]), "edge 0 goes from graph 0 to graph 1"),
        (lambda: ggsnn.graphs([[0], [5]], batch=[0, 0]), "expected nodes 0 to 1"),
        (lambda: ggsnn.Graph(2).ask("q", "x"), "'x' is no node"),
        (lambda: ggsnn.read("nowhere.jsonl"), "nowhere.jsonl"),
    ],
)
def test_what_is_wrong_is_told(make, message):
    with pytest.raises(ggsnn.Error, match=message):
        make()
