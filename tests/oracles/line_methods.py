"""A slow, plain reading of lines, tags and text, character by character, to hold the fast one against."""

from __future__ import annotations

import html as html_standard
import re
from bisect import bisect_left
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
    """Where a tag ends: after its `>`, or before a script or a style that is in none of its values."""
    first = text.find(">", start)
    if first < 0:
        return None
    i = start + 1
    while i < len(text):
        if text[i] == ">":
            return i + 1
        if part(text, i) in ("script", "style"):
            return i
        if text[i] == "=":
            j = i + 1
            while j < len(text) and text[j] in "\t\n\f\r ":
                j += 1
            if j < len(text) and text[j] in "\"'":
                close = _value_stop(text, j)
                if close is None:
                    break
                i = close
        i += 1
    codes = [i for i in range(start + 1, first) if part(text, i) in ("script", "style")]
    return codes[0] if codes else first + 1


def _value_stop(text: str, opening: int) -> int | None:
    """The quote that closes the value whose quote is at `opening`."""
    close = text.find(text[opening], opening + 1)
    inside = [i for i in range(opening + 1, close) if part(text, i)]
    if close < 0 or (close - opening > 4096 and not (inside and inside[0] <= opening + 4096)):
        return None
    return None if inside and text[close + 1 : close + 2] not in ("", *NAME_ENDS) else close


def part(text: str, i: int) -> str | None:
    """What that is no text begins at a character: a comment, a script or a style."""
    begins = re.compile("<(?:(!--)|(script|style)[\t\n\f\r />])", re.IGNORECASE | re.ASCII).match(text, i)
    return begins and lower(begins[1] or begins[2])


def tags(text: str) -> list[tuple[int, int]]:
    """The tags of a page from which nothing goes."""
    return _walk(text, removes=False)[1]


def visible(page: str) -> list[int]:
    """The indexes of the characters that are left without comments, scripts, styles, and a cut tag."""
    return _walk(page, removes=True)[0]


def visible_tags(page: str) -> list[tuple[int, int]]:
    """The tags of a page: ranges of what is left of it."""
    kept, found = _walk(page, removes=True)
    return [(bisect_left(kept, start), bisect_left(kept, stop)) for start, stop in found]


def _walk(page: str, *, removes: bool) -> tuple[list[int], list[tuple[int, int]]]:
    """The indexes that are left of a page, and its tags."""
    kept: list[int] = []
    found: list[tuple[int, int]] = []
    low = lower(page)
    held = None  # the title or the text area that is open
    sealed = 0  # the end of a title or a text area beyond which what begins in it would reach
    end = page.rfind("<") if removes else -1
    if end < 0 or not re.match("[A-Za-z/]", page[end + 1 : end + 2]) or ">" in page[end:]:
        end = len(page)
    i = 0
    while i < end:
        stop = _part_stop(page, low, i) if removes and i >= sealed else None
        held_stop = low.find("</" + held, i) if held and stop else -1
        if stop and stop > held_stop >= 0:
            sealed, stop = held_stop, None
        if stop:
            i = stop
            continue
        opens = re.match("<[A-Za-z/!?]", page[i : i + 2])
        stop = tag_stop(page, i) if opens else None
        if stop:
            found.append((i, stop))
            name = lower(re.split("[\\x00-\\x20/>]", page[i + 1 : stop].removeprefix("/"), maxsplit=1)[0])[:8]
            if name in ("title", "textarea"):
                held = None if page[i + 1] == "/" else name
        stop = stop or i + 1
        kept += range(i, min(stop, end))
        i = stop
    return kept, found


def _part_stop(page: str, low: str, i: int) -> int | None:
    begins = part(page, i)
    if begins == "!--":
        return _comment_stop(page, i + 4)
    return _element_stop(page, low, i, begins) if begins else None


def _comment_stop(page: str, inner: int) -> int:
    for empty in (">", "->"):
        if page.startswith(empty, inner):
            return inner + len(empty)
    for i in range(inner, len(page)):
        for end in ("-->", "--!>"):
            if page.startswith(end, i):
                return i + len(end)
    return len(page)


def _element_stop(page: str, low: str, start: int, name: str) -> int:
    for i in range(start + 1, len(page)):
        behind = i + 2 + len(name)
        if low.startswith("</" + name, i) and low[behind : behind + 1] in tuple(NAME_ENDS):
            close = page.find(">", behind)
            return len(page) if close < 0 else close + 1
    stop = tag_stop(page, start)
    return stop if stop is not None and page[stop - 2 : stop] == "/>" else len(page)


def lines(page: str, *, keep_blank: bool = False, line_break: str = "before_text") -> list[Line]:
    where = visible(page)
    text = "".join(page[i] for i in where)
    found = visible_tags(page)
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
    return "".join(c for c in text if c.isspace() or not (c < " " or "\x7f" <= c <= "\x9f" or c in UNSEEN))


UNSEEN = "\u00ad\u200b\u2060\ufeff"
"""Characters that say where a word may break."""


def kept_text(found: Sequence[Line], kept: Sequence[bool]) -> str:
    out: list[str] = []
    for i, line in enumerate(found):
        if kept[i] and line.glued and kept[i - 1]:
            out[-1] += line.own_text
        elif kept[i]:
            out.append(line.own_text)
    return "\n".join(text for text in map(rendered, out) if text)
