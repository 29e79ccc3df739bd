import json

import pytest

import ggsnn

REVERSE = """
#include <stdlib.h>
struct node { struct node *next; };
struct node *reverse(struct node *x) {
    struct node *y = NULL;
    while (x != NULL) {
        struct node *t = x->next;
        x->next = y;
        y = x;
        x = t;
    }
    return y;
}
"""


def test_prove_with_definitions():
    length = "define len(x, n) := x = NULL * n = 0 \\/ exists t . x |-> {next: t} * len(t, n - 1);"
    assert ggsnn.prove("len(x, n)", "ls(x, NULL)", definitions=length)
    wrong = ggsnn.prove("len(x, 1) |- len(x, 2)", definitions=length)
    assert wrong.verdict == "invalid" and wrong.heap is not None
    assert [proof.verdict for proof in ggsnn.prove_all(length + "len(x, 0) |- emp; len(x, -1)")] == ["valid", "unsatisfiable"]
    assert ggsnn.prove("x |-> {val: 7} |- x |-> {val: 8}").numbers.endswith(".val=7")
    assert ggsnn.prove("(ls(x, y) \\/ emp) |- (ls(x, y) \\/ emp)")
    with pytest.raises(ggsnn.Error, match="2 questions"):
        ggsnn.prove("emp; emp")


def test_prove():
    proof = ggsnn.prove("ls(x,y) * ls(y,NULL) |- ls(x,NULL)")
    assert proof and proof.verdict == "valid" and proof.heap is None
    wrong = ggsnn.prove("ls(x,y)", "ls(y,x)")
    assert not wrong and wrong.verdict == "invalid"
    assert wrong.heap._repr_svg_().startswith("<svg") and "x=" in repr(wrong.heap)
    assert "<svg" in wrong._repr_html_() and "invalid" in repr(wrong)
    with pytest.raises(ggsnn.Error, match="timeout is -1"):
        ggsnn.prove("emp |- emp", timeout=-1)
    with pytest.raises(ggsnn.Error, match="ls\\(x |-"):
        ggsnn.prove("ls(x |- emp")


def test_heaps():
    heap = {"nodes": 3, "edges": [[1, "next", 2], [2, "next", 0]], "variables": {"x": 1}}
    found = ggsnn.heap.predict(heap)
    assert str(found) == "ls(x, NULL)" and found.holds
    assert ggsnn.heap.predict([heap, json.dumps(heap)], trace=True).trace
    assert "<svg" in found._repr_html_()
    for wrong in ([], "{"):
        with pytest.raises(ggsnn.Error, match="heap"):
            ggsnn.heap.predict(wrong)
    with pytest.raises(ggsnn.Error, match="heap"):
        ggsnn.heap.predict({"nodes": 1, "edges": [[0, "next", 5]], "variables": {}})


def reads_c():
    try:
        ggsnn.verify("int f(void) { return 0; }")
        return True
    except ggsnn.Error:
        return False


@pytest.mark.skipif(not reads_c(), reason="built without LLVM, or no clang-19")
def test_verify(tmp_path):
    result = ggsnn.verify(REVERSE)
    assert result.proved and result["reverse"].verdict == "proved"
    assert [line for line, _ in result["reverse"].invariants] == [6]
    assert "ls(" in result["reverse"].invariants[0][1]
    assert "<iframe" in result._repr_html_() and "proved" in str(result)
    wrong = tmp_path / "wrong.c"
    wrong.write_text("#include <stdlib.h>\nint main(void) {\n    char *x = malloc(1);\n    free(x);\n    *x = 0;\n}\n")
    report = ggsnn.verify(wrong)
    assert report["main"].verdict == "unsafe" and not report.proved
    assert report["main"].input._repr_svg_().startswith("<svg")
    assert "int main" in report.replay
    with pytest.raises(ggsnn.Error, match="nowhere.c"):
        ggsnn.verify("nowhere.c")
    with pytest.raises(KeyError):
        result["nothing"]
