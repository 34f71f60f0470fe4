"""Which characters of a line of Markdown need a backslash, and which runs are marked, in plain words."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
BEFORE, AFTER, PIPES, DOLLARS, TILDES, BRACKETS, LINKED = 1, 2, 4, 8, 16, 32, 64
EM, STRONG, STRUCK, CODE = 1, 2, 4, 8
MARKS = {EM: "*", STRONG: "**", STRUCK: "~~"}
EVENT = "\0"
"""Stands for a mark beside a text."""

ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,40});")
LINE_START = re.compile(
    r"#{1,6}(?= |$)|[-+](?= |$)|\*(?= |$)|>|~~~|[-=](?=[-= ]*$)|([-*_])(?=(?: *\1){2,} *$)"
    r"|\|?[ :|-]*-[ :|-]*$|:(?=[ :|-]+$)"
)
NUMBER = re.compile(r"([0-9]{1,9})([.)])(?= |$)")

Run = tuple[int, int, int]
"""Characters [start, stop) of a line, and their style."""


def is_mark(character: str) -> bool:
    """Whether a character is punctuation or a symbol."""
    if character in PUNCTUATION + EVENT:
        return True
    return character >= "\x80" and unicodedata.category(character)[0] in "PS"


def escapes(line: str, at: int, piece: tuple[int, int], links: int, around: int) -> bool:
    """Whether a character of a piece of a line needs a backslash."""
    character = line[at]
    before = line[at - 1] if at > piece[0] else EVENT if around & BEFORE else " "
    after = line[at + 1] if at + 1 < piece[1] else EVENT if around & AFTER else " "
    if character == "\\":
        return at + 1 >= len(line) or after == EVENT or after in PUNCTUATION
    if character == "*":
        return (before, after) != (" ", " ")
    if character == "_":
        return (before, after) != (" ", " ") and not (before.isalnum() and after.isalnum())
    if character == "~":
        return bool(around & TILDES) or before in ("~", EVENT) or after in ("~", EVENT)
    if character == "<":
        return after.isalpha() or after in "/!?"
    if character == "&":
        return ENTITY.match(line, at) is not None
    if character in "[]" and around & (BRACKETS | LINKED):
        return bool(around & BRACKETS)
    if character == "[":
        starts = at == 0 and ("]:" in line or line[:3] in ("[ ]", "[x]", "[X]"))
        return at < links or after == "^" or starts
    if character == "!":
        return after == EVENT
    asked = {"`": True, "|": around & PIPES, "$": around & DOLLARS}
    return bool(asked.get(character, False))


def escaped(line: str, piece: tuple[int, int], links: int, around: int) -> str:
    """The characters of a piece of a line, with backslashes."""
    return "".join(
        "\\" * escapes(line, at, piece, links, around) + line[at] for at in range(piece[0], piece[1])
    )


def begun(written: str) -> str:
    """A written line, with a backslash where it would begin something else than a paragraph."""
    if LINE_START.match(written):
        return "\\" + written
    return NUMBER.sub(r"\1\\\2", written, count=1) if NUMBER.match(written) else written


def code_span(text: str) -> str:
    """Text between as many backticks as it has none of."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if "`" in (text[0], text[-1]) else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def joined(runs: list[Run], text: str) -> list[Run]:
    """The runs of a line, those of one style joined where they touch, without blanks at their edges."""
    out: list[Run] = []
    for start, stop, style in sorted(runs, key=lambda run: (run[2], run)):
        if out and out[-1][2] == style and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(stop, out[-1][1]), style)
        else:
            out.append((start, stop, style))
    stripped = []
    for start, stop, style in out:
        inner = text[start:stop]
        start += len(inner) - len(inner.lstrip(" "))
        stripped.append((start, start + len(inner.strip(" ")), style))
    return [run for run in stripped if run[0] < run[1]]


def marked(text: str, runs: list[Run]) -> list[Run]:
    """The runs whose marks a parser reads: code, and what opens and closes and crosses nothing."""
    all_runs = joined(runs, text)
    codes = [run for run in all_runs if run[2] == CODE]
    edges = {edge for start, stop, _ in codes for edge in (start, stop)}
    within = {place for start, stop, _ in codes for place in range(start + 1, stop)}
    taken: list[Run] = []
    styled = [run for run in all_runs if run[2] != CODE]
    for start, stop, style in sorted(styled, key=lambda run: (run[0], -run[1], -run[2])):
        others = {
            edge
            for first, last, other in all_runs
            if other != CODE and (other == STRUCK) != (style == STRUCK)
            for edge in (first, last)
        }
        around = [run for run in taken if run[1] > start]
        if any(stop > run[1] for run in around) or {start, stop} & within:
            continue
        if start in {run[1] for run in taken} or not flanks(text, start, stop, edges | others):
            continue
        taken.append((start, stop, style))
    return codes + taken


def flanks(text: str, start: int, stop: int, edges: set[int]) -> bool:
    """Whether marks around [start, stop) open and close there (CommonMark 0.31, 6.2)."""
    before, after = text[start - 1 : start] or " ", text[stop : stop + 1] or " "
    opens = before == " " or is_mark(before) or not (start in edges or is_mark(text[start]))
    closes = after == " " or is_mark(after) or not (stop in edges or is_mark(text[stop - 1]))
    return opens and closes


def written(text: str, runs: list[Run]) -> str:
    """A paragraph of one line as Markdown."""
    taken = marked(text, runs)
    codes = {start: stop for start, stop, style in taken if style == CODE}
    spans = [run for run in taken if run[2] != CODE]
    places = sorted({0, len(text), *(edge for start, stop, _ in taken for edge in (start, stop))})
    links = max(text.rfind("]("), text.rfind("]["))
    around = TILDES * (text.count("~") > 1 or any(style == STRUCK for _, _, style in taken))
    out = ""
    for start, stop in pairwise([*places, len(text)]):
        out += "".join(MARKS[style] for _, last, style in reversed(spans) if last == start)
        out += "".join(MARKS[style] for first, _, style in spans if first == start)
        if start == stop:
            continue
        if start in codes:
            out += code_span(text[start:stop])
            continue
        beside = BEFORE * (start > 0 or out != "") | AFTER * (stop < len(text) or has_end(spans, stop))
        out += escaped(text, (start, stop), links, around | beside)
    return begun(out)


def has_end(spans: list[Run], place: int) -> bool:
    """Whether a mark stands at a place."""
    return any(place in run[:2] for run in spans)
