"""Runs what a page of the documentation shows: python3 run_page.py PROGRAM SOURCE PAGE.

In order, in one new folder that has ./ggsnn and examples/ as a clone has them:
  console   each `$ command` is run by a shell; it must end well, and print what stands below it. `...` stands for anything,
            a line `...` for any lines; of numbers with a point the first digits count (5 in 100, or 0.02). Below a
            command with nothing below it, anything may be printed.
  python    is run, with what the page's blocks before it defined; `output` right behind it is what it prints.
  json      must be JSON, an object a line or one in all.
  text      is not run: for grammars and pictures. `sh`, `c`, `cpp`, `cmake` are run by others (see below).
A comment before a block says more:
  <!-- file: NAME -->       the block is a file of that name
  <!-- not run: REASON -->  commands are only read: each must be a command with options that there are
  <!-- fails -->            the last command ends badly, as the page says
  <!-- setup: COMMAND -->   is run before, not shown
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ELSEWHERE = {"docs/library.md"}  # its blocks are run by tests/guest
LANGUAGES = {"console", "python", "json", "text", "output", "c", "js"}


class Wrong(Exception):
    pass


def near(a, b):
    return abs(a - b) <= max(0.02, 0.05 * abs(b))


NUMBER = re.compile(r"\d+\.\d+")


def same_line(found, expected):
    """Whether a printed line is the expected one."""
    parts = expected.rstrip().split("...")
    pattern = ".*".join(r"(\d+\.\d+)".join(map(re.escape, NUMBER.split(part))) for part in parts)
    match = re.fullmatch(pattern, found.rstrip())
    if not match:
        return False
    numbers = [float(x) for x in NUMBER.findall(" ".join(parts))]
    return all(near(float(a), b) for a, b in zip(match.groups(), numbers))


def same_lines(found, expected):
    """Whether printed lines are the expected ones, `...` standing for any."""
    if not expected:
        return not found
    if expected[0].strip() == "...":
        return any(same_lines(found[i:], expected[1:]) for i in range(len(found) + 1))
    return bool(found) and same_line(found[0], expected[0]) and same_lines(found[1:], expected[1:])


def commands_of(text):
    """(command, expected lines) of a console block; a command goes on after a backslash."""
    commands = []
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command = command[:-1] + next(lines).strip()
            commands.append((command, []))
        elif commands:
            commands[-1][1].append(line)
        elif line.strip():
            raise Wrong(f"a console block begins with {line!r}; expected $ and a command")
    return commands


class Page:
    def __init__(self, program, source, page):
        sys.path.insert(0, str(source / "site"))
        import markdown

        self.source, self.page = source, page
        self.blocks = markdown.parse((source / page).read_text())
        self.folder = Path(tempfile.mkdtemp(prefix="ggsnn-docs-"))
        (self.folder / "ggsnn").symlink_to(program)
        (self.folder / "examples").symlink_to(source / "examples")
        self.names = {}
        self.environment = {
            **os.environ,
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "HOME": str(self.folder),
        }

    def shell(self, command):
        return subprocess.run(
            ["bash", "-c", "set -o pipefail\n" + command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )

    def console(self, block, notes):
        commands = commands_of(block.text)
        for i, (command, expected) in enumerate(commands):
            if "not run" in notes:
                self.read_only(command)
                continue
            done = self.shell(command)
            fails = "fails" in notes and i == len(commands) - 1
            # head ends a pipe early; what writes into it may say so.
            if (done.returncode != 0) != fails and not (done.returncode == 141 or "| head" in command):
                raise Wrong(f"$ {command}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
            found = done.stdout.rstrip("\n").split("\n") if done.stdout.strip() else []
            while expected and not expected[-1].strip():
                expected.pop()
            if expected and not same_lines(found, expected):
                lines = "\n".join(found)
                raise Wrong(f"$ {command}\nprints\n{lines}\n{done.stderr}instead of\n" + "\n".join(expected))

    def read_only(self, command):
        """Commands of the program that take long: the parser at least knows them."""
        for part in re.split(r"&&|\||;", command.split("#")[0]):
            words = part.split()
            at = next((i for i, w in enumerate(words) if w.split("/")[-1] == "ggsnn"), None)
            if at is None or words[at + 1] in ("demo", "test", "bench", "attack", "lint", "install", "package", "site"):
                continue
            options = [w for w in words[at + 1 :] if w not in ("...", "[--json]") and not w.startswith("[")]
            done = self.shell("./ggsnn " + " ".join(options) + " --help")
            if done.returncode != 0:
                raise Wrong(f"$ {command}\nis not understood: {done.stderr}")

    def python(self, block, expected):
        printed = io.StringIO()
        before = os.getcwd()
        os.chdir(self.folder)
        sys.path.insert(0, str(self.folder))
        try:
            code = compile("\n" * block.line + block.text, str(self.page), "exec")
            with contextlib.redirect_stdout(printed):
                exec(code, self.names)
        finally:
            os.chdir(before)
            sys.path.remove(str(self.folder))
        found = printed.getvalue().rstrip("\n").split("\n") if printed.getvalue() else []
        if expected is not None and not same_lines(found, expected.rstrip("\n").split("\n")):
            lines = "\n".join(found)
            raise Wrong(f"prints\n{lines}\ninstead of\n{expected}")

    def one(self, i, notes):
        block = self.blocks[i]
        if block.language not in LANGUAGES:
            raise Wrong(f"a block of the language {block.language!r}; expected one of {', '.join(sorted(LANGUAGES))}")
        if "file" in notes:
            path = self.folder / notes["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text + "\n")
        elif block.language == "console":
            self.console(block, notes)
        elif block.language == "python" and "not run" not in notes:
            behind = self.blocks[i + 1] if i + 1 < len(self.blocks) else None
            self.python(block, behind.text if behind and behind.kind == "code" and behind.language == "output" else None)
        elif block.language in ("c", "js") and "not run" not in notes:
            raise Wrong(f"a block of {block.language} that is neither a file nor marked as not run")
        elif block.language == "json":
            try:
                json.loads(block.text)
            except ValueError:
                for line in block.text.split("\n"):
                    json.loads(line)

    def run(self):
        """How many blocks were run."""
        count, notes = 0, {}
        for i, block in enumerate(self.blocks):
            if block.kind == "comment":
                name, _, value = block.text.partition(":")
                notes[name.strip()] = value.strip()
                continue
            if block.kind == "code":
                try:
                    if "setup" in notes:
                        done = self.shell(notes["setup"])
                        if done.returncode:
                            raise Wrong(f"setup: {done.stderr}")
                    self.one(i, notes)
                except Exception as error:
                    raise SystemExit(f"{self.page}:{block.line}: {type(error).__name__}: {error}")
                count += 1
            notes = {}
        return count


def main():
    program, source, page = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3]
    if page in ELSEWHERE:
        return
    print(f"{page}: {Page(program, source, page).run()} blocks")


if __name__ == "__main__":
    main()
