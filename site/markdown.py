"""The part of Markdown that this project's pages use, read into blocks: for the site, and for the tests that run what
the pages show."""

import html
import re
from dataclasses import dataclass, field


@dataclass
class Block:
    kind: str  # heading, paragraph, list, table, code, comment
    text: str = ""
    line: int = 0  # where it begins, from 1
    level: int = 0  # of a heading
    language: str = ""  # of code
    items: list = field(default_factory=list)  # of a list: (depth, ordered, text)
    rows: list = field(default_factory=list)  # of a table: lists of cells, the first its head


_ITEM = re.compile(r"( *)([-*]|\d+\.) +(.*)")


def cells_of(line):
    """Cells of a row; | within code or behind \\ does not end one."""
    cells, cell, code, i = [], "", False, 0
    line = line.strip().strip("|") if not line.strip().endswith("\\|") else line.strip().lstrip("|")
    while i < len(line):
        c = line[i]
        if c == "\\" and line[i + 1 : i + 2] == "|":
            cell += "|"
            i += 2
            continue
        if c == "`":
            code = not code
        if c == "|" and not code:
            cells.append(cell.strip())
            cell = ""
        else:
            cell += c
        i += 1
    return [*cells, cell.strip()]


def parse(text):
    """Blocks of a page, in order."""
    blocks, lines, i = [], text.split("\n"), 0
    while i < len(lines):
        line, start = lines[i], i + 1
        if not line.strip():
            i += 1
        elif line.startswith("```"):
            end = i + 1
            while end < len(lines) and not lines[end].startswith("```"):
                end += 1
            blocks.append(Block("code", "\n".join(lines[i + 1 : end]), start, language=line[3:].strip()))
            i = end + 1
        elif line.startswith("    ") and (not blocks or blocks[-1].kind != "list"):
            end = i
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            body = "\n".join(row[4:] for row in lines[i:end]).rstrip("\n")
            blocks.append(Block("code", body, start, language="text"))
            i = end
        elif line.startswith("<!--"):
            end = i
            while "-->" not in lines[end]:
                end += 1
            body = "\n".join(lines[i : end + 1])
            blocks.append(Block("comment", body[4 : body.index("-->")].strip(), start))
            i = end + 1
        elif re.match(r"#{1,6} ", line):
            level = len(line) - len(line.lstrip("#"))
            blocks.append(Block("heading", line[level:].strip(), start, level=level))
            i += 1
        elif line.startswith("|") and i + 1 < len(lines) and re.match(r"\|[ :|-]+\|?$", lines[i + 1].strip()):
            rows = [cells_of(line)]
            i += 2
            while i < len(lines) and lines[i].startswith("|"):
                rows.append(cells_of(lines[i]))
                i += 1
            blocks.append(Block("table", "", start, rows=rows))
        elif _ITEM.match(line):
            items = []
            while i < len(lines) and lines[i].strip():
                found = _ITEM.match(lines[i])
                if found:
                    items.append([len(found[1]) // 2, found[2] not in "-*", found[3]])
                else:
                    items[-1][2] += " " + lines[i].strip()
                i += 1
            blocks.append(Block("list", "", start, items=items))
        else:
            end = i
            while end < len(lines) and lines[end].strip() and not re.match(r"```|#{1,6} |\||<!--", lines[end]):
                end += 1
            end = max(end, i + 1)
            blocks.append(Block("paragraph", " ".join(row.strip() for row in lines[i:end]), start))
            i = end
    return blocks


def anchor_of(title, seen=None):
    """The name of a heading in links, as code hosts make it; those that were seen before get a number."""
    name = re.sub(r"[^\w\- ]", "", plain(title).lower()).replace(" ", "-")
    if seen is None:
        return name
    count = seen.get(name, 0)
    seen[name] = count + 1
    return f"{name}-{count}" if count else name


def plain(text):
    """Text without marks."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[`*]", "", text)


def inline(text, link=lambda target: target):
    """HTML of a line: code, links, pictures, bold and slanted text. link: from a target to an address."""
    kept = []

    def keep(piece):
        kept.append(piece)
        return f"\0{len(kept) - 1}\0"

    text = re.sub(r"(`+)(.+?)\1", lambda m: keep(f"<code>{html.escape(m[2].strip() or m[2])}</code>"), text)
    text = re.sub(
        r"!\[([^\]]*)\]\(([^)\s]+)\)",
        lambda m: keep(f'<img alt="{html.escape(m[1], True)}" src="{html.escape(link(m[2]), True)}">'),
        text,
    )
    text = re.sub(
        r"\[([^\]]+)\]\(([^)\s]+)\)",
        lambda m: keep(f'<a href="{html.escape(link(m[2]), True)}">') + m[1] + keep("</a>"),
        text,
    )
    text = html.escape(text, False)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*([^\s*][^*]*)\*(?![\w*])", r"<em>\1</em>", text)
    while "\0" in text:
        text = re.sub("\0(\\d+)\0", lambda m: kept[int(m[1])], text)
    return text


def _list_html(items, link):
    out, open_lists = [], []
    for depth, ordered, text in items:
        while len(open_lists) > depth + 1:
            out.append(f"</li></{open_lists.pop()}>")
        if len(open_lists) <= depth:
            tag = "ol" if ordered else "ul"
            open_lists.append(tag)
            out.append(f"<{tag}><li>")
        else:
            out.append("</li><li>")
        out.append(inline(text, link))
    while open_lists:
        out.append(f"</li></{open_lists.pop()}>")
    return "".join(out)


def to_html(blocks, link=lambda target: target):
    """(HTML, headings as (level, anchor, title)) of a page."""
    out, headings, seen = [], [], {}
    for b in blocks:
        if b.kind == "heading":
            name = anchor_of(b.text, seen)
            headings.append((b.level, name, plain(b.text)))
            out.append(f'<h{b.level} id="{name}">{inline(b.text, link)}</h{b.level}>')
        elif b.kind == "paragraph":
            out.append(f"<p>{inline(b.text, link)}</p>")
        elif b.kind == "code":
            out.append(f'<pre class="{b.language or "text"}"><code>{code_html(b)}</code></pre>')
        elif b.kind == "list":
            out.append(_list_html(b.items, link))
        elif b.kind == "table":
            head = "".join(f"<th>{inline(c, link)}</th>" for c in b.rows[0])
            body = "".join("<tr>" + "".join(f"<td>{inline(c, link)}</td>" for c in r) + "</tr>" for r in b.rows[1:])
            out.append(f'<div class="table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>')
    return "\n".join(out), headings


_WORDS = {
    "python": r"\b(?:and|as|assert|class|def|else|except|for|from|if|import|in|is|lambda|not|or|raise|return|try|while|with|None|True|False)\b",
    "cpp": r"\b(?:auto|bool|catch|char|class|const|double|else|float|for|if|int|namespace|return|static|std|struct|template|throw|try|using|void|while)\b|#\w+",
}
_WORDS["c"] = _WORDS["cpp"]


def code_html(block):
    """Code with comments, words and prompts marked."""
    if block.language in _WORDS:
        comment = r"#.*" if block.language == "python" else r"//.*|/\*[\s\S]*?\*/"
        pattern = re.compile(rf"(?P<c>{comment})|(?P<s>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|(?P<k>{_WORDS[block.language]})")
        out, at = [], 0
        for m in pattern.finditer(block.text):
            out.append(html.escape(block.text[at : m.start()], False))
            out.append(f'<span class="{m.lastgroup}">{html.escape(m[0], False)}</span>')
            at = m.end()
        return "".join(out) + html.escape(block.text[at:], False)
    if block.language == "console":
        rows = []
        for line in block.text.split("\n"):
            safe = html.escape(line, False)
            if line.startswith("$ "):
                command, mark, comment = safe[1:].partition("  # ")
                safe = f'<span class="k">$</span><b>{command}</b>' + (f'<span class="c">{mark}{comment}</span>' if mark else "")
            rows.append(safe)
        return "\n".join(rows)
    return html.escape(block.text, False)
