"""A slow, plain reading of lines, tags and text, character by character, to hold the fast one against."""

from __future__ import annotations

import html as html_standard
import re
from collections.abc import Sequence
from dataclasses import dataclass

BLOCK_LEVEL = """
    address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl
    dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html
    iframe legend li listing main menu nav noframes noscript ol optgroup option p plaintext pre search
    section select summary table tbody td textarea tfoot th thead title tr ul xmp
"""
NAME_ENDS = "\t\n\f\r />"
REFERENCE = re.compile("&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[0-9A-Za-z]{1,32});?")


@dataclass(frozen=True)
class Line:
    """A line: where it stands in the page as given, x_i, y_i, and the text that is its own."""

    start: int
    stop: int
    x: int
    y: int
    own_text: str
    glued: bool

    @property
    def ratio(self) -> float:
        return self.x / max(1, self.y)

    @property
    def text(self) -> str:
        return rendered(self.own_text)


def lower(text: str) -> str:
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


def tag_stop(text: str, start: int) -> int | None:
    first = text.find(">", start)
    if first < 0:
        return None
    i = start + 1
    while i < len(text):
        if text[i] == ">":
            return i + 1
        if text[i] == "=":
            j = i + 1
            while j < len(text) and text[j] in "\t\n\f\r ":
                j += 1
            if j < len(text) and text[j] in "\"'":
                close = text.find(text[j], j + 1)
                if close < 0 or close - j > 4096:
                    return first + 1
                i = close
        i += 1
    return first + 1


def tags(text: str) -> list[tuple[int, int]]:
    found = []
    i = 0
    while i < len(text):
        follows = text[i + 1 : i + 2]
        opens = text[i] == "<" and follows and (follows in "/!?" or (follows.isascii() and follows.isalpha()))
        stop = tag_stop(text, i) if opens else None
        if stop is not None:
            found.append((i, stop))
        i = stop or i + 1
    return found


def visible(page: str) -> list[int]:
    """The indexes of the characters that are left without comments, scripts, styles, and a cut tag."""
    kept: list[int] = []
    i = first = 0
    low = lower(page)
    end = page.rfind("<")
    if end < 0 or not _opens_element(page, end) or tag_stop(page, end) is not None:
        end = len(page)
    while i < end:
        stop, begun = None, i + 4
        if low.startswith("<!--", i):
            stop = _comment_stop(page, i + 4)
        for name in ("script", "style"):
            if low.startswith("<" + name, i) and low[i + 1 + len(name) : i + 2 + len(name)] in tuple(
                NAME_ENDS
            ):
                stop, begun = _element_stop(page, low, i, name), page.find(">", i) + 1
        around = None if stop is None else _text_around(page, low, first, i, begun)
        if stop is None or (around is not None and stop > around):
            kept += range(i, min(around or i + 1, end))
            i = around or i + 1
        else:
            i = first = stop
    return kept


def _opens_element(page: str, at: int) -> bool:
    return bool(re.match("[A-Za-z/]", page[at + 1 : at + 2]))


def _text_around(page: str, low: str, first: int, start: int, begun: int) -> int | None:
    """Where the tag, the title or the text area ends in which a script or a comment stands."""
    least = max(first, start - 4096)
    at = start
    for _ in range(1 if page[least:start].rstrip(" \t\n\f\r").endswith(">") else 8):
        at = page.rfind("<", least, at)
        if at < 0:
            return None
        for name in ("title", "textar"):
            if low.startswith("</" + name, at):
                return None
            if low.startswith("<" + name, at):
                end = low.find("</" + name, start)
                return None if end < 0 else end
        if ">" not in page[at:start] and _opens_element(page, at):
            stop = tag_stop(page, at)
            return stop if stop is not None and stop > begun else None
    return None


def _comment_stop(page: str, inner: int) -> int:
    for empty in (">", "->"):
        if page.startswith(empty, inner):
            return inner + len(empty)
    for i in range(inner, len(page)):
        for end in ("-->", "--!>"):
            if page.startswith(end, i):
                return i + len(end)
    return len(page) + 1


def _element_stop(page: str, low: str, start: int, name: str) -> int:
    for i in range(start + 1, len(page)):
        behind = i + 2 + len(name)
        if low.startswith("</" + name, i) and low[behind : behind + 1] in tuple(NAME_ENDS):
            close = page.find(">", behind)
            return len(page) if close < 0 else close + 1
    stop = tag_stop(page, start)
    return stop if stop is not None and page[stop - 2] == "/" else len(page) + 1


def author_visible(page: str) -> str:
    """A page without what the author's program of CETR removes: what is closed, names in these cases."""
    text, at = "", 0
    while at < len(page):
        stop = None
        if page.startswith("<!--", at):
            stop = _comment_stop(page + "<", at + 4)
            stop = stop if stop <= len(page) else None
        for name in ("script", "SCRIPT", "style"):
            if page.startswith("<" + name, at) and page[at + 1 + len(name) :][:1] in tuple(NAME_ENDS):
                ends = [
                    i
                    for i in range(at + 1, len(page))
                    if page.startswith("</" + name, i) and page[i + 2 + len(name) :][:1] in tuple(NAME_ENDS)
                ]
                if ends:
                    stop = page.find(">", ends[0]) + 1 or len(page)
        text += "" if stop else page[at]
        at = stop or at + 1
    return text


def author_counts(text: str) -> list[tuple[int, int]]:
    """x_i and y_i as the author's program counts them, line by line, blank ones and all."""
    found = []
    for line in re.split("\r\n|\r|\n", text.removesuffix("\n").removesuffix("\r") if text else ""):
        opened, is_first, inside, count = None, True, 0, 0
        trimmed = line.strip()
        for i, character in enumerate(trimmed):
            if character == "<" and opened is None:
                opened, is_first = i, False
            elif character == ">" and (opened is not None or is_first):
                inside, count = inside + i + 1 - (opened or 0), count + 1
                opened, is_first = None, False
        if opened is not None:
            inside, count = inside + len(trimmed) - opened, count + 1
        found.append((len(trimmed) - inside, count))
    return found if text else []


def lines(page: str, *, keep_blank: bool = False, line_break: str = "before_text") -> list[Line]:
    where = visible(page)
    text = "".join(page[i] for i in where)
    found = tags(text)
    tag_of = {i: tag for tag in found for i in range(*tag)}
    stands_for = {tag[0]: " " if is_block_level(text[slice(*tag)]) else "\0" for tag in found}

    def own(start: int, stop: int) -> str:
        # A NUL stays: as in the HTML standard, it ends the name of a reference. Rendering drops it.
        return "".join(stands_for.get(i, "") if i in tag_of else text[i] for i in range(start, stop))

    def line(start: int, stop: int, owned: str, glued: bool) -> Line:
        x = sum(i not in tag_of for i in range(start, stop))
        y = sum(i in stands_for for i in range(start, stop))
        begin = where[start] if start < len(where) else len(page)
        end = where[stop - 1] + 1 if start < stop else begin
        return Line(begin, end, x, y, owned, glued)

    raw = []
    start = 0
    for match in re.finditer("\r\n|\r|\n|\\Z", text):
        if match[0] or start < len(text):
            raw.append((start, match.start()))
        start = match.end()
    total = sum(stop - start for start, stop in raw)
    longest = max(raw, key=lambda r: r[1] - r[0], default=(0, 0))
    single = longest if total and longest[1] - longest[0] >= 0.9 * total else None
    result = []
    for start, stop in raw:
        source = (start, stop)
        while start < stop and text[start].isspace():
            start += 1
        while start < stop and text[stop - 1].isspace():
            stop -= 1
        if start == stop and not keep_blank:
            continue
        if start == stop:
            start = stop = source[0]
        if source != single or start == stop:
            result.append(line(start, stop, own(start, stop), False))
            continue
        edges = [start, *_breaks(start, stop, tag_of, line_break), stop]
        coded = own(start, stop)
        cuts = [_after_reference(coded, len(own(start, edge))) for edge in edges]
        result += [
            line(edges[k], edges[k + 1], coded[cuts[k] : cuts[k + 1]], k > 0) for k in range(len(edges) - 1)
        ]
    return result


def _breaks(start: int, stop: int, tag_of: dict[int, tuple[int, int]], line_break: str) -> list[int]:
    breaks = []
    position = start
    while stop - position > 65:
        last = position + 64
        position = last + 1
        if last in tag_of:
            position = tag_of[last][1]
            while line_break == "before_text" and position in tag_of:
                position = tag_of[position][1]
        if position < stop:
            breaks.append(position)
    return breaks


def is_block_level(tag: str) -> bool:
    name = lower(re.split("[\\x00-\\x20/>]", tag[1:].removeprefix("/"), maxsplit=1)[0])
    return name.encode()[:8] in {known.encode()[:8] for known in BLOCK_LEVEL.split()}


def _after_reference(coded: str, cut: int) -> int:
    for match in REFERENCE.finditer(coded):
        if match.start() < cut < match.end() and html_standard.unescape(match[0]) != match[0]:
            return match.end()
    return cut


def rendered(text: str) -> str:
    decoded = html_standard.unescape(_without_controls(text))
    return " ".join(_without_controls(decoded).split())


def _without_controls(text: str) -> str:
    return "".join(c for c in text if c.isspace() or not (c < " " or "\x7f" <= c <= "\x9f"))


def kept_text(found: Sequence[Line], kept: Sequence[bool]) -> str:
    out: list[str] = []
    for i, line in enumerate(found):
        if kept[i] and line.glued and kept[i - 1]:
            out[-1] += line.own_text
        elif kept[i]:
            out.append(line.own_text)
    return "\n".join(text for text in map(rendered, out) if text)
