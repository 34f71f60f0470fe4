"""The drawing of a page by `cedar explain`: the methods' work on it, and the HTML that shows it."""

import contextlib
import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from cedar.pipelines.common.shared_options import ExtractorOptions
from cedar.pipelines.common.terminal import plural
from cedar.pipelines.drawing.charts import (
    Bars,
    Binning,
    Evidence,
    bar_picture,
    scatter_picture,
)
from cedar.pipelines.drawing.pages import render
from cedar.pipelines.drawing.words import Piece, agreement, given_words, pieces, stretches_of, words
from cedar.pipelines.explain.evidence import evidence
from cedar.transforms.curation.masks import NO_MASK, Mask, PageMask
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Block, Extraction
from cedar.transforms.extractors.options import Options
from cedar.transforms.model.records import Page
from cedar.transforms.model.texts import valid_text
from cedar.transforms.runtime.guard import Guard
from cedar.transforms.runtime.guard_limits import DEFAULT_LIMITS, address_space
from cedar.transforms.scoring.metrics import Agreement

MAX_MEMORY = 3 << 30
"""Bytes that the methods and their evidence may take for a page."""


def explain(html: bytes, choice: ExtractorOptions, record: Options, *, mask: Mask = NO_MASK) -> "Explained":
    """Extract once from a page of valid UTF-8, in a guarded child if the extractor wants one, and say why.

    What the corpus of the page masks is masked in all that is shown of it. The source of its blocks is left
    out then: an address may be written there with entities and tags in it.

    Raises RejectedError if the page goes over the limits of the main job, GuardFaultError if the machine
    keeps the page guard from working.
    """
    extractor = registry.get(choice.name)
    if extractor.is_guarded:
        arguments = (extractor.name, registry.options_json(record))
        with contextlib.closing(Guard(arguments, DEFAULT_LIMITS, with_blocks=True)) as guard:
            result = guard.extract(html)
    else:
        result = registry.run(extractor, html, record)
    shown_options = ", ".join(
        f"{spec.name} {_said(getattr(record, spec.name))}" for spec in extractor.option_specs
    )
    blocks = result.blocks
    why = evidence(extractor.name, record, result, blocks=blocks)
    explained = Explained(choice.label, shown_options, result, blocks, why, result.title, result.text)
    return _masked(explained, mask) if mask.kinds else explained


def _masked(explained: "Explained", mask: Mask) -> "Explained":
    """Mask all texts of a method's work, and leave out where its blocks stand in the source."""
    on_page = PageMask(mask)
    texts = on_page.masked_parts([valid_text(block.text) for block in explained.blocks])
    evidence = explained.evidence
    return replace(
        explained,
        blocks=tuple(
            replace(block, text=text, start=None, stop=None)
            for block, text in zip(explained.blocks, texts, strict=True)
        ),
        evidence=replace(
            evidence,
            reasons=tuple(on_page.masked(valid_text(reason)) for reason in evidence.reasons),
            numbers=tuple(on_page.masked(valid_text(numbers)) for numbers in evidence.numbers),
        ),
        title=explained.title and on_page.masked(explained.title),
        text=on_page.masked(explained.text),
    )


@contextlib.contextmanager
def bounded_memory() -> Iterator[None]:
    """Limit the address space to `MAX_MEMORY` beyond the present use: paths of deep trees are long."""
    in_use = address_space()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = (in_use or 0) + MAX_MEMORY
    if in_use is None or (soft != resource.RLIM_INFINITY and soft < wanted):
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _said(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def page_html(
    page: Page, explained: "Sequence[Explained]", references: "Sequence[Reference | None]", *, command: str
) -> str:
    """Return the page that shows what methods did, with `command`, which makes it again."""
    title = next((work.title for work in explained if work.title), None)
    name = page.location.source.rpartition("/")[2]
    place = f"{name}, byte {page.location.offset:,}" if page.url else name
    text = page.html.decode()
    metrics = explained[0].result.metrics
    ratios = metrics.tag_ratio_mean, metrics.tag_ratio_std
    facts = [
        ("status", "" if page.status is None else str(page.status)),
        ("encoding", f"{page.charset} ({page.charset_source})"),
        ("characters replaced", f"{page.replaced:,}" if page.replaced else ""),
        ("bytes", f"{page.html_bytes:,}" + (", truncated" if page.truncated else "")),
        ("characters with markup", f"{metrics.html_chars:,}"),
        ("tags", f"{metrics.tags:,}"),
        ("characters in links", f"{metrics.link_chars:,}"),
        ("tag ratio, mean ± σ", "" if None in ratios else " ± ".join(f"{ratio:,.1f}" for ratio in ratios)),
    ]
    return render(
        "explain",
        {
            "heading": title or page.url or name,
            "where": f"{page.url} ({place})" if page.url else place,
            "facts": [(name, value) for name, value in facts if value],
            "views": [
                _view(text, one, reference, methods=len(explained))
                for one, reference in zip(explained, references, strict=True)
            ],
            "command": command,
        },
        [script_data(work) for work in explained],
    )


MAX_ROWS = 20_000
"""Blocks of the text that a page shows, over all methods."""

MAX_ROW_BYTES = 3_500_000
"""Bytes of these in the HTML, over all methods."""

_TEXT_CHARS = 4000
_SOURCE_CHARS = 500
_ROW_BYTES = 180  # of a row besides its texts
_BEGUN, _BEGINNING = 4, 24  # texts that say what was dropped, and characters of each


@dataclass(frozen=True, slots=True)
class Explained:
    """A method's work on a page, with blocks, evidence, title and text as they are shown."""

    label: str
    options: str
    result: Extraction
    blocks: tuple[Block, ...]
    evidence: Evidence
    title: str | None
    text: str

    @property
    def noun(self) -> str:
        """What a block is: a line of the page, or another part of it."""
        return self.evidence.axis.noun


@dataclass(frozen=True, slots=True)
class Reference:
    """A text that the page's words are compared with.

    Attributes:
        missing: what the legend calls a dropped word that the reference has.
        surplus: what the legend calls a kept word that the reference lacks.
        verdict: how the text agrees with gold, in words; "" if the reference is another extractor's text.
    """

    text: str
    missing: str
    surplus: str
    verdict: str = ""

    @staticmethod
    def of_gold(text: str, gold: str, *, metric: str, shares: Agreement) -> "Reference":
        """Make the reference of a text whose agreement with its gold is `shares` by a metric."""
        bags = agreement(text, gold)
        verdict = (
            f"precision {shares.precision:.1%}, recall {shares.recall:.1%}, F1 {shares.f1:.1%} ({metric}); "
            f"in any order, {plural(bags.missing, 'word')} missing, {bags.surplus:,} surplus"
        )
        return Reference(gold, "in gold, but dropped", "kept, but not in gold", verdict)


def _view(page: str, explained: Explained, reference: Reference | None, *, methods: int) -> dict[str, Any]:
    """Return the variables of a method, by the template's names."""
    blocks, axis = explained.blocks, explained.evidence.axis
    rows = list(_rows(page, explained, reference, methods=methods))
    binned = left_out = None
    bin_size = Binning.of(axis.size).size
    if bin_size > 1:
        binned = (
            f"The page has {axis.size:,} {axis.noun}s: in the charts {bin_size} neighbours share a bar, "
            "which shows the largest of their values and is coloured if one of them was kept."
        )
    if len(rows) < len(blocks):
        left_out = (
            f"{len(blocks) - len(rows):,} more {explained.noun}s are left out here to keep this file small; "
            "the charts and the numbers above have all."
        )
    pictures = [
        bar_picture(axis, chart) if isinstance(chart, Bars) else scatter_picture(axis, chart)
        for chart in explained.evidence.charts
    ]
    return {
        "work": explained,
        "all_chars": _visible_chars(explained),
        "reference": reference,
        "binned": binned,
        "pictures": pictures,
        "has_source": any(block.start is not None for block in blocks),
        "runs": list(_runs(rows)),
        "left_out": left_out,
    }


def _visible_chars(explained: Explained) -> int:
    """Return the visible characters of the page, by the metrics if they tell, else by the blocks."""
    metrics = explained.result.metrics
    if metrics.content_ratio > 0:
        return round(metrics.text_chars / metrics.content_ratio)
    return len("\n".join(block.text for block in explained.blocks if block.text))


def script_data(explained: Explained) -> dict[str, Any]:
    """Return what the script reads of a method, for JSON."""
    axis = explained.evidence.axis
    return {"places": axis.size, "bin": Binning.of(axis.size).size, "noun": axis.noun}


def marked_words(blocks: tuple[Block, ...], reference: str) -> list[list[Piece]]:
    """Cut blocks' texts: words that were dropped but stand in the reference, and the reverse.

    Words of the reference are given to kept blocks first: what stands there is not missing elsewhere.
    """
    found = [words(block.text) for block in blocks]
    kept, dropped = (
        [word.key for block, row in zip(blocks, found, strict=True) if block.kept is side for word in row]
        for side in (True, False)
    )
    of_kept, left = given_words(kept, [word.key for word in words(reference)])
    of_dropped, _ = given_words(dropped, left)
    is_surplus = (not is_given for is_given in of_kept)
    is_missing = iter(of_dropped)
    marked = []
    for block, row in zip(blocks, found, strict=True):
        flags = list(islice(is_surplus if block.kept else is_missing, len(row)))
        mark = "surplus" if block.kept else "missing"
        marked.append(pieces(block.text, stretches_of(row, flags), mark))
    return marked


def _rows(
    page: str, explained: Explained, reference: Reference | None, *, methods: int
) -> Iterator[dict[str, Any]]:
    """Yield the blocks as they are shown, numbered from 1, as far as there is room."""
    blocks, evidence = explained.blocks, explained.evidence
    marked = marked_words(blocks, reference.text) if reference else None
    room = MAX_ROW_BYTES // methods
    for place, block in enumerate(blocks[: MAX_ROWS // methods]):
        pieces = list(_clipped_pieces(marked[place] if marked else [Piece(block.text, "")]))
        source = "" if block.start is None else page[block.start : block.stop].strip()
        texts = {
            "source": source if len(source) <= _SOURCE_CHARS else f"{source[:_SOURCE_CHARS]} …",
            "reason": evidence.reasons[place],
            "numbers": evidence.numbers[place],
        }
        written = escape("".join((*(piece.text for piece in pieces), *texts.values())))
        room -= len(written.encode("utf-8", "replace")) + _ROW_BYTES
        if room < 0:
            return
        yield {"number": place + 1, "kept": block.kept, "pieces": pieces, **texts}


def _runs(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield runs of kept and of dropped rows in turn; `beginning` is how the first dropped texts begin."""
    for kept, found in groupby(rows, key=itemgetter("kept")):
        run = list(found)
        texts = ("".join(piece.text for piece in row["pieces"][:3]).strip() for row in run)
        beginnings = (text if len(text) <= _BEGINNING else f"{text[:_BEGINNING]}…" for text in texts if text)
        beginning = " · ".join(islice(beginnings, _BEGUN))
        yield {"kept": kept, "rows": run, "beginning": "" if kept else beginning}


def _clipped_pieces(pieces: list[Piece]) -> Iterator[Piece]:
    room = _TEXT_CHARS
    for place, piece in enumerate(pieces):
        if len(piece.text) > room:
            more = sum(len(rest.text) for rest in pieces[place:]) - room
            yield Piece(piece.text[:room], piece.mark)
            yield Piece(f" … {more:,} characters more", "")
            return
        room -= len(piece.text)
        yield piece
