"""The runner itself: what it must find wrong."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import run_page  # noqa: E402


@pytest.mark.parametrize(
    "found, expected, same",
    [
        (["accuracy 99.1% on 10"], ["accuracy 98.9% on 10"], True),
        (["accuracy 99.1% on 10"], ["accuracy 88.0% on 10"], False),
        (["accuracy 99.1% on 10"], ["accuracy 99.1% on 11"], False),
        (["a", "b", "c"], ["a", "...", "c"], True),
        (["a", "b"], ["a", "...", "c"], False),
        (["loss 0.011"], ["loss 0.003"], True),
        (["time 3.2 s"], ["time ... s"], True),
        (["a"], ["a", "b"], False),
        (["a", "b"], ["a"], False),
        (["a.b"], ["axb"], False),
    ],
)
def test_lines(found, expected, same):
    assert run_page.same_lines(found, expected) is same


def page(tmp_path, text):
    (tmp_path / "site").symlink_to(Path(__file__).resolve().parents[2] / "site")
    (tmp_path / "examples").mkdir()
    (tmp_path / "p.md").write_text(text)
    return run_page.Page(Path("/bin/echo"), tmp_path, "p.md")


@pytest.mark.parametrize(
    "text",
    [
        "```console\n$ false\n```",
        "```console\n$ echo a\nb\n```",
        "```console\necho\n```",
        "```python\n1 / 0\n```",
        "```python\nprint(1)\n```\n```output\n2\n```",
        "```json\n{\n```",
        "```\nno language\n```",
        "<!-- fails -->\n```console\n$ true\n```",
    ],
)
def test_wrong_pages(tmp_path, text):
    with pytest.raises(SystemExit, match=r"p.md:\d+: "):
        page(tmp_path, text).run()


def test_right_page(tmp_path):
    text = "<!-- file: f -->\n```text\nhello\n```\n\n```console\n$ cat f\nhello\n$ ./ggsnn x\nx\n```\n"
    text += "\n```python\nx = 1\n```\n\n```python\nprint(x)\n```\n```output\n1\n```\n<!-- fails -->\n```console\n$ false\n```"
    assert page(tmp_path, text).run() == 6
