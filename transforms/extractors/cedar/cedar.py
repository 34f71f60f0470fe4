"""Cedar: blocks of a page, scored by a small learned table; the set of the best expected F1 stays.

The method, in the order of the code:

1. A page is read into one object (`_page`): its own bytes are cut at block-level tags (`_markup`, `_blocks`);
   no parser builds a tree. A stack over the block-level tags says which element each block stands in
   (`_elements`), and attributes say what authors think of it.
2. Each block is measured: its length, links and punctuation, its tag, its neighbours, its place, the
   densities of the elements around it, where it stands to the densest of them, what classes and roles say,
   what repeats (`_features`). These are the signals of CETR, CETD, CoreEx, BTE and of others
   after them.
3. A table of oblivious trees makes one score of them: log-odds of being content (`model`, `_forest`).
4. A second look adds the scores of the other blocks and the kind of page (`_votes`, `kinds`).
5. The set of blocks of the greatest expected F1 stays (`_choice`), if the page has content (`emptiness`).
   What the page states of itself stays: its description, ingredients, answers (`_stated`).
   Tables, `pre` and lists are made whole where most of them stays or where they belong to the text, and
   headings stay above what does (`_completion`); what JSON-LD says the article is speaks against doubtful
   blocks that it lacks (`_stated`), and those of forms, insets and what a class hides go (`_drops`);
   options decide what golds dispute (`_asked`).
6. What stays is written in the order of the page, a block a line; cells of one row share a line, and `pre`
   keeps its lines (`_writer`).
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.cedar import kinds, model
from cedar.transforms.extractors.cedar._asked import do_as_asked
from cedar.transforms.extractors.cedar._choice import choose
from cedar.transforms.extractors.cedar._completion import complete
from cedar.transforms.extractors.cedar._drops import drop_controls, drop_furniture
from cedar.transforms.extractors.cedar._features import find_prose, means, measure
from cedar.transforms.extractors.cedar._forest import Scorer, score_kinds
from cedar.transforms.extractors.cedar._stated import drop_unstated, keep_stated
from cedar.transforms.extractors.cedar._votes import vote
from cedar.transforms.extractors.cedar._writer import write
from cedar.transforms.extractors.cedar.columns import ALL_COLUMNS, BLOCK_COLUMNS, KIND_COLUMNS, VOTES
from cedar.transforms.extractors.cedar.emptiness import has_content
from cedar.transforms.extractors.cedar.notices import consent_notices
from cedar.transforms.extractors.extraction import NO_METRICS, Block, Extraction, PageMetrics
from cedar.transforms.extractors.html._text import count
from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.model.markdown_options import MarkdownOptions

_TABLE = model.packaged()
TABLE_VERSION = _TABLE.version
_SUMMARY = kinds.summary_names(KIND_COLUMNS)
_FIRST = Scorer(model.aligned(_TABLE.first, BLOCK_COLUMNS))
_KINDS = tuple(Scorer(model.aligned(kind, _SUMMARY)) for kind in _TABLE.kinds)
_TREES = model.aligned(_TABLE.second, ALL_COLUMNS)
_SECOND = Scorer(_TREES)

_NAMES = {kind.columns[column] for kind in _TABLE.kinds for column in kind.features.flat}
_NOTICE = -10 * model.UNIT
"""The score of notices of consent, at most."""

_ASKED = np.array([name in _NAMES for name in _SUMMARY], np.uint8)
"""Whether the kinds of pages ask for each mean of `KIND_COLUMNS`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CedarOptions:
    """Options of `cedar`: what people mean by content where they do not agree."""

    title: Annotated[Literal["keep", "drop"], About("whether the headline belongs to the text")] = "keep"
    comments: Annotated[
        Literal["auto", "keep", "drop"],
        About("readers' comments: dropped from articles and kept in threads, always kept, or always dropped"),
    ] = "auto"
    captions: Annotated[
        Literal["auto", "keep", "drop"],
        About("captions of figures and tables: as the page suggests, always inside of the text, or never"),
    ] = "auto"


def cedar(html: bytes, options: CedarOptions) -> Extraction:
    """Extract the content of a page of valid UTF-8."""
    page = SegmentedPage(html)
    if not page.blocks.count:
        metrics = replace(NO_METRICS, html_chars=count(html), tags=page.markup.tags.count, confidence=0.0)
        write_nothing = partial(_markdown, page, np.zeros(0, bool))
        return Extraction(
            "", page.markup.title, None, metrics, tuple, make_markdown=write_nothing, markup=page.markup
        )
    words = np.asarray(page.blocks.word_tenths)
    values = measure(page)
    prose, notices = find_prose(page), consent_notices(page)
    kind_scores = _look_again(page, words, values, prose, notices)
    scores = _scores(_SECOND, values, prose, notices)
    shared = kinds.shared_doubt(kind_scores)
    one_text = shared == kinds.ALL_SHARED
    chosen = choose(scores, words, shared=shared, calibration=_TABLE.calibration)
    kept, confidence = np.zeros(words.size, bool), 0.0
    if has_content(page, chosen):
        keep_stated(page, scores, chosen.kept, one_text=one_text)
        kept = complete(page, scores, chosen.kept, one_text=one_text)
        if one_text:
            drop_unstated(page, scores, kept)
            drop_furniture(page, scores, kept)
        drop_controls(page, scores, kept)
        do_as_asked(page, kept, options, apart=kinds.is_article(kind_scores))
        confidence = chosen.confidence
    written, word_count, content_lines, content_ratio = write(page, kept)
    text = written.decode()
    metrics = PageMetrics(
        html_chars=count(html),
        text_chars=len(text),
        words=word_count,
        lines=kept.size,
        content_lines=content_lines,
        tags=page.markup.tags.count,
        link_chars=page.blocks.link_chars,
        threshold=chosen.threshold,
        content_ratio=content_ratio,
        confidence=confidence,
    )
    make_blocks = partial(_blocks, page, kept, scores, values)
    make_markdown = partial(_markdown, page, kept)
    return Extraction(
        text,
        page.markup.title,
        None,
        metrics,
        make_blocks,
        make_markdown=make_markdown,
        markup=page.markup,
        truncated=page.markup.reading.is_cut or page.blocks.cut_chars > 0,
    )


def _markdown(page: SegmentedPage, kept: Flags, options: MarkdownOptions, url: str | None) -> str:
    """Write what is kept as Markdown."""
    # Here, where it is asked for: its tables take a moment.
    from cedar.transforms.extractors.markdown._document import write as write_markdown

    return write_markdown(page, kept, options, url)


def _scores(scorer: Scorer, values: NDArray[np.float32], prose: Offsets, notices: Offsets) -> Offsets:
    """Score blocks; bounded for `prose` that no tag parts and for `notices`, hardly seen by the trees."""
    scores = scorer.scores(values)
    if prose.size:
        scores[prose] = np.maximum(scores[prose], model.UNIT)
    if notices.size:
        scores[notices] = np.minimum(scores[notices], _NOTICE)
    return scores


def _look_again(
    page: SegmentedPage, words: Offsets, values: NDArray[np.float32], prose: Offsets, notices: Offsets
) -> Offsets:
    """Fill in the columns of the second look; return the scores of the kinds of pages."""
    voted = len(BLOCK_COLUMNS) + len(VOTES)
    vote(page, _scores(_FIRST, values, prose, notices), values[len(BLOCK_COLUMNS) : voted])
    scores = score_kinds(_KINDS, means(values[:voted], words, _ASKED))
    values[voted:] = scores[:, None]
    return scores


def _blocks(
    page: SegmentedPage, kept: Flags, scores: Offsets, values: NDArray[np.float32]
) -> tuple[Block, ...]:
    groups, added = model.cues(_TREES, values)
    rules = scores - np.rint(added.sum(0) * model.UNIT).astype(np.int64)
    starts, stops = page.source_ranges()
    return tuple(
        Block(
            text=page.blocks.read(block),
            kept=bool(kept[block]),
            score=float(scores[block]) / model.UNIT,
            start=int(starts[block]),
            stop=int(stops[block]),
            path=None,
            cues=(
                *zip(groups, added[:, block].tolist(), strict=True),
                *((("rules", float(rules[block]) / model.UNIT),) if rules[block] else ()),
            ),
        )
        for block in range(kept.size)
    )
