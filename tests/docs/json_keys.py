"""Holds docs/json.md to the program: every key that a command prints is in the table of its section, and every key of
the tables stands in the sources.

    json_keys.py PROGRAM SOURCE
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HEAP = '{"nodes": 3, "edges": [[1, "next", 2], [2, "next", 0]], "variables": {"x": 1}}\n'
BOUND = '{"nodes": 2, "edges": [[0, "e", 1]], "question": {"answer": {"%s": %s}}}\n'
# Section of the page: commands, of which at least one must print something.
COMMANDS = {
    "predict": ["predict b.ggsnn b.txt", "predict p.ggsnn p.txt --beam 2", "predict m.ggsnn m.jsonl", "predict n.ggsnn n.jsonl",
                "predict b.ggsnn p.txt"],
    "evaluate": ["evaluate b.ggsnn b.txt", "evaluate m.ggsnn m.jsonl", "evaluate n.ggsnn n.jsonl", "evaluate p.ggsnn p.txt"],
    "info": ["info b.ggsnn", "info m.ggsnn", "info n.ggsnn", "info s.ggsnn"],
    "explain": ["explain b.ggsnn b.txt"],
    "prove": ["prove ls(x,y)|-ls(y,x)", "prove ls(x,y)", "prove x|->{val:7}|-x|->{val:8}", "prove nonsense("],
    "verify, infer": ["verify EXAMPLES/concat.c", "verify EXAMPLES/broken/leak.c", "infer EXAMPLES/concat.c", "verify nowhere.c"],
    "heap predict, heap evaluate": ["heap predict h.jsonl --trace", "heap evaluate flat/train.jsonl.gz --count 20"],
}


def keys_of(value, prefix=""):
    """Keys of objects, through lists."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield prefix + key
            yield from keys_of(inner, f"{prefix}{key}.")
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner, prefix)


def listed_keys(page):
    """By section, the keys of the first columns of its tables."""
    sections, name = {}, None
    for line in page.splitlines():
        if line.startswith("## "):
            name = line[3:]
        elif line.startswith("| `"):
            sections.setdefault(name, set()).update(re.findall(r"`([^`]+)`", line.split("|")[1]))
    return sections


def is_listed(key, listed):
    """NAME stands for any; what is inside a heap is told elsewhere."""
    for entry in listed:
        pattern = re.escape(entry).replace("NAME", r"[^.]+")
        if re.fullmatch(pattern, key):
            return True
    return any(key.startswith(heap + ".") for heap in ("functions.run.input", "functions.run.heap", "functions.counterexample"))


class Runs:
    def __init__(self, program, source, folder):
        self.program, self.source, self.folder = program, source, Path(folder)

    def run(self, *words):
        words = [word.replace("EXAMPLES", str(self.source / "examples" / "programs")) for word in words]
        return subprocess.run([self.program, *words], capture_output=True, text=True, cwd=self.folder).stdout

    def train(self, data, model, *options):
        self.run("train", data, "-o", model, "--updates", "6", "--evaluate-every", "3", "--restarts", "1", "--quiet", *options)

    def prepare(self):
        self.run("generate", "babi15", "--count", "12", "-o", "b.txt")
        self.run("generate", "shortest-path", "--count", "12", "-o", "p.txt")
        self.run("generate", "bfs", "--count", "6", "--nodes", "5", "--hints", "-o", "s.jsonl")
        self.run("heap", "generate", "flat", "-o", "flat", "--formulas", "4")
        (self.folder / "h.jsonl").write_text(HEAP)
        (self.folder / "m.jsonl").write_text(BOUND % ("node_classes", '["a", "b"]') * 12)
        (self.folder / "n.jsonl").write_text(BOUND % ("numbers", "[1.5]") * 6 + BOUND % ("numbers", "[2.5]") * 6)
        self.train("b.txt", "b.ggsnn", "--log", "b.log")
        self.train("n.jsonl", "n.ggsnn", "--log", "n.log")
        self.train("p.txt", "p.ggsnn")
        self.train("m.jsonl", "m.ggsnn")
        self.train("s.jsonl", "s.ggsnn")

    def printed(self, section):
        if section == "train --log":
            return [(self.folder / name).read_text() for name in ("b.log", "n.log")]
        return [self.run(*command.split(), "--json") for command in COMMANDS[section]]


def found_keys(texts):
    found, decoder = set(), json.JSONDecoder()
    for text in texts:
        text = text.strip()
        if not text:
            sys.exit("a command printed nothing")
        while text:
            value, end = decoder.raw_decode(text)
            found.update(keys_of(value))
            text = text[end:].strip()
    return found


def main(program, source):
    source = Path(source).resolve()
    listed = listed_keys((source / "docs" / "json.md").read_text())
    sources = "\n".join(path.read_text() for path in (source / "src").rglob("*.cpp"))
    sources += "\n".join(path.read_text() for path in (source / "src").rglob("*.hpp"))
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(str(Path(program).resolve()), source, folder)
        runs.prepare()
        if set(listed) != {*COMMANDS, "train --log"}:
            sys.exit(f"sections {sorted(listed)}; expected {sorted([*COMMANDS, 'train --log'])}")
        for section, keys in listed.items():
            found = found_keys(runs.printed(section))
            wrong += [f"{section}: prints {key}, which the page does not list" for key in sorted(found) if not is_listed(key, keys)]
            wrong += [
                f"{section}: lists {key}, which is in no source"
                for key in sorted(keys)
                if key.split(".")[-1] != "NAME" and f'"{key.split(".")[-1]}"' not in sources
            ]
            print(f"{section}: {len(found)} keys", flush=True)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
