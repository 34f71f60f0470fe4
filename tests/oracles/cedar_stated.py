"""What a page states of itself, in plain sets and sums, as `cedar` believes it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.segments._page import SegmentedPage

UNIT = 10_000
STRING = rb'"(?:[^"\\]|\\.)*"'


def values(page: SegmentedPage, name: str, besides: str) -> Iterator[str]:
    """The values of a name in scripts of JSON-LD with a word; the texts of a list as lines."""
    listed = rb'%s"\s*:\s*(\[(?:\s*%s\s*,?)*|%s)' % (name.encode(), STRING, STRING)
    for start, stop, _ in page.source.noted[:16]:
        script = page.source.original[start : min(stop, start + (1 << 20))]
        for value in re.findall(listed, script, re.DOTALL) if besides.encode() in script else ():
            yield "\n".join(_plain(re.findall(STRING, value, re.DOTALL)))


def _plain(texts: Sequence[bytes]) -> Iterator[str]:
    for text in texts:
        try:
            yield re.sub("<[^<>]*>", " ", html.unescape(json.loads(text, strict=False)))
        except ValueError:
            continue


def words_of(text: str, more: str = "") -> list[str]:
    """The runs of letters and digits of a text, and of `more` characters."""
    runs = groupby(text, lambda letter: letter.isalnum() or letter in more)
    return ["".join(letters) for is_word, letters in runs if is_word]


def rows_of_words(text: str) -> set[tuple[str, ...]]:
    """The rows of three words of a text."""
    words = words_of(text, "_")
    return set(zip(words, words[1:], words[2:], strict=False))


def with_stated(
    page: SegmentedPage, scores: Sequence[int], kept: Sequence[bool], *, one_text: bool
) -> tuple[list[int], list[bool]]:
    """The scores of blocks, and what stays of them, where the page states what is content."""
    raised = list(scores)
    if not raised:
        return raised, list(kept)
    for block in _ingredients(page) | _marked(page):
        raised[block] = max(raised[block], 3 * UNIT)
    for block in _steps(page, kept):
        raised[block] = max(raised[block], 3 * UNIT)
    candidates = {block for block, stays in enumerate(kept) if not stays}
    _raise(page, raised, _descriptions(page), _like_descriptions(page, raised) & candidates)
    if one_text:
        _raise(page, raised, list(values(page, '"text', "acceptedAnswer")), candidates)
    return raised, [
        stays or after > max(before, 0) for stays, before, after in zip(kept, scores, raised, strict=True)
    ]


def _raise(page: SegmentedPage, scores: list[int], texts: list[str], blocks: set[int]) -> None:
    for block in _said(page, texts, blocks):
        if scores[block] < 3 * UNIT:
            scores[block] = min(3 * UNIT, scores[block] + 2 * UNIT)


def _said(page: SegmentedPage, texts: list[str], blocks: set[int]) -> set[int]:
    """The blocks of five words or more of which texts have four fifths of the rows."""
    stated = set[tuple[str, ...]]().union(*map(rows_of_words, texts))
    own = {block: rows_of_words(page.blocks.read(block)) for block in blocks} if stated else {}
    return {block for block, rows in own.items() if len(rows) >= 3 and len(rows & stated) >= 0.8 * len(rows)}


def _steps(page: SegmentedPage, kept: Sequence[bool]) -> set[int]:
    """The blocks that are steps of a recipe and read like no block before them that stays or is one."""
    name = "ecipeInstructions"
    texts = [*values(page, name, name), *values(page, '"text', "HowToStep")]
    found = set[int]()
    said = _said(page, texts, {block for block, stays in enumerate(kept) if not stays})
    known = {page.blocks.read(block) for block, stays in enumerate(kept) if stays}
    for block in sorted(said):
        if page.blocks.read(block) not in known:
            known.add(page.blocks.read(block))
            found.add(block)
    return found


def _ingredients(page: SegmentedPage) -> set[int]:
    """The blocks of the runs that read most like a list of ingredients."""
    lists = list(values(page, "ngredients?", "ngredient"))
    found = set[int]()
    blocks = [_letters(page.blocks.read(block)) for block in range(page.blocks.count)] if lists else []
    for text in lists[:8]:
        stated = _letters(text)
        like = [sum(word in set(stated) for word in words) for words in blocks]
        gains = [own - 2 * (len(words) - own) for own, words in zip(like, blocks, strict=True)]
        # Of several such runs the one that stops first, and of these the one that starts first.
        runs = [(sum(gains[a:b]), -b, -a) for b in range(len(gains) + 1) for a in range(b + 1)]
        best, stop, start = max(runs)
        run = range(-start, -stop if best > 0 else -start)
        if len(stated) >= 4 and 2 * sum(like[block] for block in run) >= len(stated):
            found.update(block for block in run if 2 * like[block] >= len(blocks[block]))
    return found


def _letters(text: str) -> list[str]:
    return words_of(re.sub(r"\d", " ", text.lower()))


def _marked(page: SegmentedPage) -> set[int]:
    """The blocks of ingredients by the `itemprop` of tags in them, or between them and the block before."""
    tags, source, found, last = page.markup.tags, page.markup.html, set[int](), page.blocks.first_gaps[0]
    for block, stop in enumerate(page.blocks.last_gaps):
        for tag in range(last, stop):
            written = source[tags.starts[tag] : tags.stops[tag]]
            said = attributes(source, tags.starts[tag], tags.stops[tag])
            if not written.lower().startswith((b"</", b"<meta")) and b"ngredient" in said.get(
                b"itemprop", b""
            ):
                found.add(block)
        last = max(last, stop)
    return found


def _descriptions(page: SegmentedPage) -> list[str]:
    """What `<meta>` before the headline says of the page."""
    tags, source = page.markup.tags, page.markup.html
    last = page.blocks.first_gaps[page.title_match.block] if page.title_match.block >= 0 else 0
    found = []
    for start, stop in zip(tags.starts[:last].tolist(), tags.stops[:last].tolist(), strict=True):
        said = attributes(source, start, stop) if source[start : start + 5].lower() == b"<meta" else {}
        if (said.get(b"name", b"") + said.get(b"property", b"")).lower().endswith(b"description"):
            found.append(html.unescape(said.get(b"content", b"").decode("utf-8", "replace")))
    return list(filter(None, found))


def _like_descriptions(page: SegmentedPage, scores: Sequence[int]) -> set[int]:
    """The blocks after the headline that are as long as a description, with few links, and not unlikely."""
    blocks, sizes = page.blocks, [len(text) - text.count(" ") for text in _descriptions(page)]
    return {
        block
        for block in range(page.title_match.block + 1, blocks.count if sizes else 0)
        if min(sizes) <= 2 * blocks.chars[block] <= 3 * max(sizes)
        and 2 * blocks.linked[block] <= blocks.chars[block]
        and scores[block] > -4 * UNIT
    }
