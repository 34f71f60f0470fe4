"""Markdown of a document that is well-formed, node by node, to hold the compiled writer against."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

MARK = "\0"
"""Stands for marks beside a text: punctuation, and no blank."""

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
MARKS = {"b": "**", "i": "*", "del": "~~"}


@dataclass(frozen=True)
class Words:
    """Text of one style: "" is plain, else the name of its element; with a blank before it, or none."""

    text: str
    style: str = ""
    is_glued: bool = False


Line = Sequence[Words]


@dataclass(frozen=True)
class Paragraph:
    """Lines with line breaks between them."""

    lines: Sequence[Line]
    name: str = "p"


@dataclass(frozen=True)
class Heading:
    """A heading of one line."""

    level: int
    line: Line


@dataclass(frozen=True)
class Code:
    """Preformatted lines."""

    language: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Quote:
    """A block quote."""

    inner: Sequence[Node]


@dataclass(frozen=True)
class Items:
    """A list: ordered from `start` on, or not."""

    start: int | None
    items: Sequence[Sequence[Node]]


@dataclass(frozen=True)
class Table:
    """Rows of cells, the first of headers; a cell in `wide` is two columns wide."""

    rows: Sequence[Sequence[Line]]
    wide: frozenset[tuple[int, int]] = field(default_factory=frozenset)


Node = Paragraph | Heading | Code | Quote | Items | Table


# As HTML.


def html(nodes: Sequence[Node]) -> str:
    return "".join(map(_element, nodes))


def _element(node: Node) -> str:
    match node:
        case Paragraph(lines, name):
            return _enclosed(name, "<br>".join(map(_inline, lines)))
        case Heading(level, line):
            return _enclosed(f"h{level}", _inline(line))
        case Code(language, lines):
            inner = escape("\n".join(lines), quote=False)
            return f"<pre><code class='language-{language}'>\n{inner}</code></pre>"
        case Quote(inner):
            return _enclosed("blockquote", html(inner))
        case Items(start, items):
            opened = "ul" if start is None else f"ol start={start}"
            return f"<{opened}>" + "".join(_enclosed("li", html(item)) for item in items) + f"</{opened[:2]}>"
        case Table(rows, wide):
            return _enclosed("table", "".join(_row(number, row, wide) for number, row in enumerate(rows)))


def _row(number: int, cells: Sequence[Line], wide: frozenset[tuple[int, int]]) -> str:
    name = "td" if number else "th"
    return "<tr>" + "".join(
        f"<{name}{' colspan=2' * ((number, place) in wide)}>{_inline(cell)}</{name}>"
        for place, cell in enumerate(cells)
    )


def _inline(line: Line) -> str:
    made = (_enclosed(words.style, escape(words.text, quote=False)) for words in line)
    return "".join(map(str.__add__, _blanks(line), made))


def _blanks(line: Line) -> list[str]:
    """What stands before each of a line's texts."""
    return [" " * (number > 0 and not words.is_glued) for number, words in enumerate(line)]


def visible(line: Line) -> str:
    return "".join(blank + words.text for blank, words in zip(_blanks(line), line, strict=True))


def _enclosed(name: str, inner: str) -> str:
    return f"<{name}>{inner}</{name}>" if name else inner


# As Markdown.


def markdown(nodes: Sequence[Node]) -> str:
    return "\n".join(_lines(nodes))


def _lines(nodes: Sequence[Node], in_item: bool = False) -> list[str]:
    """The lines of nodes, blank ones between them."""
    lines: list[str] = []
    before: Node | None = None
    marker = ""
    for node in nodes:
        tight = (
            in_item and isinstance(before, Paragraph) and isinstance(node, Items) and node.start in (None, 1)
        )
        if before is not None and not tight:
            lines.append("")
        if isinstance(node, Items):
            # Beside a list of its kind it has another marker: else they were one.
            marker = _marker(node, marker if isinstance(before, Items) else "")
            lines += _items(node, marker)
        else:
            lines += _block(node)
        before = node
    return lines


def _marker(node: Items, before: str) -> str:
    first, second = ("-", "*") if node.start is None else (".", ")")
    return second if before == first else first


def _items(node: Items, marker: str) -> list[str]:
    lines = []
    for number, item in enumerate(node.items):
        sign = f"{marker} " if node.start is None else f"{node.start + number}{marker} "
        first, *rest = _lines(item, in_item=True)
        lines += [sign + first, *(_prefixed(" " * len(sign), line) for line in rest)]
    return lines


def _block(node: Node) -> list[str]:
    match node:
        case Heading(level, line):
            return ["#" * level + " " + written(line, [line], "heading")]
        case Code(language, lines):
            return fence(language, lines)
        case Quote(inner):
            return [_prefixed("> ", line) for line in _lines(inner)]
        case Table(rows, wide):
            return list(_table(rows, wide))
        case Paragraph(lines):
            if _is_fence(node):
                return fence("", [line[0].text for line in lines])
            made = [written(line, lines) for line in lines]
            return [line + "\\" for line in made[:-1]] + made[-1:]
    raise AssertionError


def _is_fence(node: Paragraph) -> bool:
    """Whether a paragraph is several lines of code and nothing else."""
    return len(node.lines) > 1 and all(len(line) == 1 and line[0].style == "code" for line in node.lines)


def _prefixed(prefix: str, line: str) -> str:
    return (prefix + line).rstrip() if not line else prefix + line


def _table(rows: Sequence[Sequence[Line]], wide: frozenset[tuple[int, int]]) -> Iterator[str]:
    for number, row in enumerate(rows):
        cells = []
        for place, cell in enumerate(row):
            cells.append(written(cell, [cell], "cell"))
            cells += [""] * ((number, place) in wide)
        yield "".join(f"| {cell} " if cell else "| " for cell in cells) + "|"
        if number == 0:
            yield "| --- " * len(cells) + "|"


def fence(language: str, lines: Sequence[str]) -> list[str]:
    kept = list(lines)
    while kept and not kept[0].strip():
        kept = kept[1:]
    while kept and not kept[-1].strip():
        kept = kept[:-1]
    marks = "`" * max(3, 1 + max(map(len, re.findall("`+", "\n".join(kept))), default=0))
    return [marks + language, *kept, marks] if kept else []


def written(line: Line, paragraph: Sequence[Line], kind: str = "paragraph") -> str:
    """A line, with what its paragraph says of dollars, tildes and square brackets."""
    plain = "\n".join(map(visible, paragraph))
    is_struck = any(style == "del" for _, _, style in marked(line, kind))
    escaped = {"$": plain.count("$") > 1, "~": plain.count("~") > 1 or is_struck, "|": kind == "cell"}
    number = next(number for number, each in enumerate(paragraph) if each is line)
    links = max(plain.rfind("]("), plain.rfind("][")) - sum(
        len(visible(each)) + 1 for each in paragraph[:number]
    )
    text = visible(line)
    out = []
    at = 0
    for start, stop, style in marked(line, kind):
        out.append(escape_text(text, (at, start), (bool(out), True), (escaped, links)))
        inner = text[start:stop]
        if style == "code":
            out.append(span(inner.replace("|", "\\|") if kind == "cell" else inner))
        else:
            inner = escape_text(text, (start, stop), (True, True), (escaped, links))
            out.append(MARKS[style] + inner + MARKS[style])
        at = stop
    out.append(escape_text(text, (at, len(text)), (bool(out), False), (escaped, links)))
    made = "".join(out)
    if kind == "heading":
        bare = made.rstrip("#")
        return f"{bare}\\{made[len(bare) :]}" if bare != made and bare[-1:] in ("", " ") else made
    return made if kind == "cell" else at_line_start(made)


def marked(line: Line, kind: str) -> list[tuple[int, int, str]]:
    """The characters [start, stop) that are code, or that marks may stand around (CommonMark, 6.2)."""
    text = visible(line)
    spans = []
    at = 0
    for blank, words in zip(_blanks(line), line, strict=True):
        at += len(blank)
        spans.append((at, at + len(words.text), words.style))
        at += len(words.text)
    if kind == "heading":
        spans = [each for each in spans if each[2] != "b"]
    spans = [each for each in spans if each[2]]
    found: list[tuple[int, int, str]] = []
    for start, stop, style in spans:
        # Marks of another character, and backticks, are punctuation to these.
        others = [other for other in spans if (other[2] == "del") != (style == "del") or other[2] == "code"]
        edges = {edge for other in others for edge in other[:2]}
        begins = opens(text[start], text[start - 1 : start], start in edges)
        ends = opens(text[stop - 1], text[stop : stop + 1], stop in edges)
        is_new = all(other[1] != start or other[2] == "code" for other in found)
        if style == "code" or (begins and ends and is_new):
            found.append((start, stop, style))
    return found


def opens(inner: str, outer: str, is_edge: bool) -> bool:
    """Whether a mark between two characters is one: beside punctuation no letter stands outside."""
    return not (is_edge or is_mark(inner)) or not outer.strip(" ") or is_mark(outer)


def is_mark(character: str) -> bool:
    return character in PUNCTUATION or (character > "\x7f" and unicodedata.category(character)[0] in "PS")


def span(text: str) -> str:
    marks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    blank = " " * (text[:1] == "`" or text[-1:] == "`")
    return f"{marks}{blank}{text}{blank}{marks}"


def escape_text(
    text: str, part: tuple[int, int], marks: tuple[bool, bool], said: tuple[dict[str, bool], int]
) -> str:
    """A part of a line with backslashes, only where a parser would read syntax (CommonMark 0.31, 2.4 and 6).

    `marks`: whether marks stand before and after it; `said`: what its paragraph says of some characters.
    """
    escaped, links = said
    start, stop = part
    out = []
    for place in range(start, stop):
        character = text[place]
        before = text[place - 1] if place > start else MARK if marks[0] else ""
        after = text[place + 1] if place + 1 < stop else MARK if marks[1] else ""
        beside = before + after
        blanks = not before.strip(" ") and not after.strip(" ")
        alphanumeric = before.isalnum() and after.isalnum()
        begins = place == 0 and ("]:" in text or re.match(r"\[[ xX]\]", text))
        needs = {
            "\\": after in ("", MARK) or after in PUNCTUATION,
            "`": True,
            "*": not blanks,
            "_": not blanks and not alphanumeric,
            "~": escaped["~"] or "~" in beside or MARK in beside,
            "<": after.isalpha() or after in ("/", "!", "?"),
            "&": re.match(r"&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,40});", text[place:]),
            "[": after == "^" or begins or place < links,
            "!": after == MARK,
            "|": escaped["|"],
            "$": escaped["$"],
        }
        out.append("\\" * bool(needs.get(character)) + character)
    return "".join(out)


def at_line_start(line: str) -> str:
    """A line that begins no block."""
    if number := re.match(r"(\d{1,9})([.)](?: |$).*|[.)]$)", line):
        return f"{number[1]}\\{number[2]}"
    begins = (
        r"#{1,6}( |$)", r"[-+*]( |$)", ">", r"[-=][-= ]*$", r"([-*_])( *\1){2,} *$",
        r"\|?[ :|-]*-[ :|-]*$", r":[ :|-]+$",
    )  # fmt: skip
    return "\\" + line if any(re.match(each, line) for each in begins) else line
