"""The documentation as a folder of static pages: python3 site/build.py PROGRAM OUTPUT.

Made from README.md, docs/, CONTRIBUTING.md and CHANGELOG.md, and from the sources: the reference of commands is what the
program says of itself, that of Python its docstrings, that of C++ its headers. Nothing is fetched from anywhere; the
pages work from a folder as from a server.
"""

import html
import importlib
import inspect
import json
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import markdown

ROOT = Path(__file__).resolve().parent.parent
GROUPS = [
    ("Begin", ["README.md", "docs/install.md", "docs/tutorial.md", "docs/coming-from.md"]),
    (
        "How to",
        ["docs/own-graphs.md", "docs/formats.md", "docs/evaluation.md", "docs/python.md", "docs/library.md", "docs/export.md",
         "docs/stories.md", "docs/larger.md", "docs/verify.md", "docs/shapes.md", "docs/logic.md", "docs/serve.md", "docs/scaling.md"],
    ),
    ("How it works", ["docs/equations.md", "docs/proofs.md", "docs/graphs.md", "docs/gnn.md", "docs/baselines.md"]),
    ("Figures", ["docs/results.md", "docs/performance.md"]),
    ("Reference", ["commands", "docs/json.md", "python-api", "cpp-api", "docs/api.md"]),
    ("Project", ["CONTRIBUTING.md", "CHANGELOG.md"]),
]
TITLES = {  # short ones, for the list of pages
    "README.md": "Overview",
    "docs/tutorial.md": "Tutorial",
    "docs/coming-from.md": "Coming from PyG or DGL",
    "docs/library.md": "C++ and C",
    "docs/stories.md": "Stories in English",
    "docs/larger.md": "Larger graphs",
    "docs/verify.md": "C programs",
    "docs/shapes.md": "Shapes of heaps",
    "docs/logic.md": "Separation logic",
    "docs/scaling.md": "Many machines",
    "docs/serve.md": "The page",
    "docs/api.md": "JSON of the server",
    "docs/proofs.md": "Proofs of C functions",
    "docs/graphs.md": "Memory graphs",
    "docs/gnn.md": "The original GNN",
    "docs/baselines.md": "Recurrent baselines",
}


def file_of(page):
    return "index.html" if page == "README.md" else Path(page).stem.lower() + ".html"


def commands_page(program):
    text = subprocess.run([program, "manual", "markdown"], capture_output=True, text=True, check=True).stdout
    return "# Commands\n\nWhat every command takes, as the program says it.\n\n" + text


def signature(thing):
    """In lines of some length."""
    try:
        text = re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(thing)))
    except (TypeError, ValueError):
        return ""
    return "\n".join(textwrap.wrap(text, 80, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False))


def settings_table(settings):
    out = ["| name | takes | meaning |", "| --- | --- | --- |"]
    for s in settings:
        takes = ", ".join(s["words"]) if s["words"] else s["type"]
        out.append(f"| `{s['name']}` | {takes} | {s['help'].replace('|', chr(92) + '|')} |")
    return [*out, ""]


def doc_lines(thing):
    doc = inspect.getdoc(thing) or ""
    return doc.replace("|", "\\|") if doc.startswith("|") else doc


def python_page():
    """Every public name with its docstring; nothing where the module is not built."""
    try:
        module = importlib.import_module("ggsnn")
    except ImportError:
        return "# Python\n\nThis site was made without the Python module; [python.md](python.md) tells how it is used.\n"
    out = ["# Python reference", "", doc_lines(module), ""]
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.ismodule(thing):
            out += [f"## ggsnn.{name}", "", doc_lines(thing), ""]
            members = [(n, getattr(thing, n)) for n in thing.__all__]
        else:
            shown = signature(thing) if not (inspect.isclass(thing) and issubclass(thing, Exception)) else ""
            out += [f"## {name}", "", "```python", f"ggsnn.{name}{shown}", "```", "", doc_lines(thing), ""]
            members = inspect.getmembers(thing) if inspect.isclass(thing) and not issubclass(thing, Exception) else []
        for member, value in members:
            if member.startswith("_"):
                continue
            if inspect.isroutine(value) or inspect.isclass(value):
                out += [f"### {name}.{member}", "", "```python", f"{member}{signature(value)}", "```", "", doc_lines(value), ""]
            elif isinstance(value, property):
                out += [f"### {name}.{member}", "", doc_lines(value), ""]
    if hasattr(module, "settings"):
        of_kind = {kind: [s for s in module.settings(kind)] for kind in module.kinds()}
        shared = [s for s in of_kind["ggnn"] if all(s in settings for settings in of_kind.values())]
        out += ["## Settings of estimators", "", "Of training:", "", *settings_table(shared)]
        for kind, settings in of_kind.items():
            out += [f"Of networks of kind `{kind}`:", "", *settings_table([s for s in settings if s not in shared])]
    return "\n".join(out) + "\n"


def cpp_page():
    """The headers of the library, each with what it says of itself."""
    out = ["# C++ headers", "", "Included as `<ggsnn/nn/graph.hpp>`; [library.md](library.md) says how to link.", ""]
    for room in ["base", "nn", "tasks", "show", "export", "logic", "shapes", "verify", "c"]:
        out += [f"## {room}", ""]
        for path in sorted((ROOT / "src" / room).rglob("*.h*")):
            text = path.read_text()
            if path.name.endswith("_simd.hpp") or "#include <llvm/" in text:
                continue
            lines = text.split("\n")
            end = next((i for i, line in enumerate(lines) if not line.startswith("//")), 0)
            said = " ".join(line.lstrip("/ ") for line in lines[:end])
            body = "\n".join(lines[end:]).strip().replace("```", "")
            out += [f"### {path.relative_to(ROOT / 'src')}", "", said, "", "```cpp", body, "```", ""]
    return "\n".join(out)


class Site:
    def __init__(self, program, output):
        self.output = Path(output)
        self.sources = {"commands": commands_page(program), "python-api": python_page(), "cpp-api": cpp_page()}
        self.groups = []
        for name, pages in GROUPS:
            there = [p for p in pages if p in self.sources or (ROOT / p).exists()]
            for page in there:
                self.sources.setdefault(page, (ROOT / page).read_text() if (ROOT / page).exists() else "")
            self.groups.append((name, there))
        listed = {page for _, pages in self.groups for page in pages}
        for path in sorted((ROOT / "docs").glob("*.md")):
            if f"docs/{path.name}" not in listed:
                raise SystemExit(f"site/build.py: docs/{path.name} is in no group of pages")
        self.blocks = {page: markdown.parse(text) for page, text in self.sources.items()}
        self.titles = {p: TITLES.get(p) or next(b.text for b in bs if b.kind == "heading") for p, bs in self.blocks.items()}
        self.sections, self.links = [], []

    def link(self, page, target):
        """The address of what a page links to: another page, a file that is copied, or elsewhere."""
        if re.match(r"[a-z]+:", target):
            return target
        path, _, anchor = target.partition("#")
        if not path:
            self.links.append((page, page, anchor))
            return "#" + anchor
        folder = (ROOT / page).parent if page in self.sources and "/" in page else ROOT
        if page in ("commands", "python-api", "cpp-api"):
            folder = ROOT / "docs"
        file = (folder / path).resolve()
        try:
            name = str(file.relative_to(ROOT))
        except ValueError:
            raise SystemExit(f"{page}: a link to {target}, which is outside of the project") from None
        if name in self.sources:
            self.links.append((page, name, anchor))
            return file_of(name) + ("#" + anchor if anchor else "")
        if not file.exists():
            raise SystemExit(f"{page}: a link to {target}, which is not there")
        to = self.output / "files" / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if file.is_dir():
            listing = "".join(f"<li>{html.escape(f.name)}</li>" for f in sorted(file.iterdir()))
            to.mkdir(exist_ok=True)
            (to / "index.html").write_text(f"<!doctype html><title>{name}</title><ul>{listing}</ul>")
            return f"files/{name}/index.html"
        shutil.copyfile(file, to)
        return f"files/{name}"

    def navigation(self, page):
        out = []
        for name, pages in self.groups:
            out.append(f"<h2>{name}</h2>")
            for other in pages:
                here = ' aria-current="page"' if other == page else ""
                out.append(f'<a href="{file_of(other)}"{here}>{html.escape(markdown.plain(self.titles[other]))}</a>')
        return "".join(out)

    def index(self, page):
        """Sections for the search."""
        title, seen, name, text = self.titles[page], {}, "", []

        def add(heading):
            body = re.sub(r"\s+", " ", " ".join(text)).strip()
            if body or heading:
                url = file_of(page) + (f"#{name}" if name else "")
                self.sections.append({"page": markdown.plain(title), "title": heading or markdown.plain(title), "url": url, "text": body[:4000]})

        heading = ""
        for b in self.blocks[page]:
            if b.kind == "heading":
                if text or heading:
                    add(heading)
                name, heading, text = markdown.anchor_of(b.text, seen), markdown.plain(b.text), []
            elif b.kind == "table":
                text += [markdown.plain(cell) for row in b.rows for cell in row]
            elif b.kind == "list":
                text += [markdown.plain(item[2]) for item in b.items]
            elif b.kind != "comment":
                text.append(markdown.plain(b.text) if b.kind == "paragraph" else b.text)
        add(heading)

    def write(self):
        self.output.mkdir(parents=True, exist_ok=True)
        anchors = {}
        for page, blocks in self.blocks.items():
            body, headings = markdown.to_html(blocks, lambda target, page=page: self.link(page, target))
            anchors[page] = {name for _, name, _ in headings}
            here = "".join(f'<a class="l{level}" href="#{name}">{html.escape(title)}</a>' for level, name, title in headings if level in (2, 3)
                           and (page != "cpp-api" or level == 2))
            self.index(page)
            (self.output / file_of(page)).write_text(TEMPLATE.format(
                title=html.escape(markdown.plain(self.titles[page])), navigation=self.navigation(page), here=here, body=body))
        for page, to, anchor in self.links:
            if anchor and anchor not in anchors[to]:
                raise SystemExit(f"{page}: a link to #{anchor} of {to}, which has no such heading")
        for name in ("style.css", "search.js"):
            shutil.copyfile(Path(__file__).parent / name, self.output / name)
        (self.output / "sections.js").write_text("var sections = " + json.dumps(self.sections, ensure_ascii=False) + ";\n")
        print(f"{self.output}/index.html: {len(self.blocks)} pages, {len(self.sections)} sections")


TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} - ggsnn</title>
<link rel="stylesheet" href="style.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<b><a href="index.html">ggsnn</a></b>
<div class="find"><input id="find" type="search" placeholder="Search ( / )" aria-label="Search" autocomplete="off"><div id="results" aria-live="polite"></div></div>
<button id="theme" type="button">Dark</button>
</header>
<div class="page">
<nav class="all" aria-label="Pages"><details id="pages" open><summary>Pages</summary>{navigation}</details></nav>
<main id="content">{body}</main>
<nav class="here" aria-label="On this page">{here}</nav>
</div>
<script src="sections.js"></script>
<script src="search.js"></script>
</body>
</html>
"""


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    Site(sys.argv[1], sys.argv[2]).write()
