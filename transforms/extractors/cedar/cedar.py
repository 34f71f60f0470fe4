"""Cedar: a small learned table scores the blocks of a page; the set of the best expected F1 stays.

The method, in the order of the code:

1. A page is read into one object (`_page`): its own bytes are cut at block-level tags (`_markup`, `_blocks`);
   no parser builds a tree. A stack over the block-level tags says which element each block stands in
   (`_elements`), and attributes give the author's word for it.
2. Each block is measured: its length, links and punctuation, its tag, its neighbours, its place, the
   densities of the elements around it, its place towards the densest of them, words of classes and roles,
   repetition (`_features`). These are the signals of CETR, CETD, CoreEx, BTE and of later methods.
3. A forest makes one score of them: log-odds of being content (`model`, `_forest`).
4. A second look adds the scores of the other blocks and the kind of page (`_votes`, `kinds`).
5. The set of blocks of the greatest expected F1 stays (`_choice`), if the page has content (`emptiness`).
   Content that the page states of itself stays: its description, ingredients, answers (`_stated`).
   Tables, `pre` and lists stay whole if most of them stays or if they belong to the text, and a heading
   stays if its section does (`_completion`). On a page of one text, doubtful blocks of forms and insets, and
   blocks that a class hides, are dropped; buttons on every page (`_drops`). Options decide where public sets
   disagree about content (`_options`).
6. The kept blocks are written in the order of the page, one block per line; cells of one row share a line,
   and `pre` keeps its lines (`_writer`).
"""

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.cedar import kinds, model
from cedar.transforms.extractors.cedar._choice import Choice, choose
from cedar.transforms.extractors.cedar._completion import complete
from cedar.transforms.extractors.cedar._drops import (
    drop_controls,
    drop_furniture,
    drop_post_furniture,
    drop_teasers,
    drop_tools,
)
from cedar.transforms.extractors.cedar._features import find_prose, means, measure
from cedar.transforms.extractors.cedar._forest import Scorer, score_kinds
from cedar.transforms.extractors.cedar._options import apply_options
from cedar.transforms.extractors.cedar._stated import keep_stated
from cedar.transforms.extractors.cedar._votes import vote
from cedar.transforms.extractors.cedar._writer import write
from cedar.transforms.extractors.cedar.columns import ALL_COLUMNS, BLOCK_COLUMNS, KIND_COLUMNS, VOTES
from cedar.transforms.extractors.cedar.emptiness import empty_reason
from cedar.transforms.extractors.cedar.notices import consent_notices
from cedar.transforms.extractors.extraction import NO_METRICS, Block, Extraction, PageMetrics
from cedar.transforms.extractors.html._text import count
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.segments._markup import Markup
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
_NO_CONTENT = -10 * model.UNIT
"""The highest score of notices of consent and of links in a `nav`."""

_NAV, _LINK_DENSITY = BLOCK_COLUMNS.index("name.nav"), BLOCK_COLUMNS.index("own.link_density")

_AVERAGED = np.array([name in _NAMES for name in _SUMMARY]).reshape(2, -1).max(axis=0).astype(np.uint8)
"""Whether the forests of kinds look at a mean of each of `KIND_COLUMNS`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CedarOptions:
    """Options of `cedar`: parts of a page that some people call content and others do not."""

    title: Annotated[Literal["keep", "drop"], About("whether the headline belongs to the text")] = "keep"
    comments: Annotated[
        Literal["auto", "keep", "drop"],
        About("readers' comments: dropped from articles and products, always kept, or always dropped"),
    ] = "auto"
    captions: Annotated[
        Literal["auto", "keep", "drop"],
        About("captions of figures and tables: as the page suggests, always inside of the text, or never"),
    ] = "auto"


def cedar(html: bytes, options: CedarOptions) -> Extraction:
    """Extract the content of a page of valid UTF-8."""
    page = SegmentedPage(html)
    if not page.blocks.count:
        metrics = replace(
            NO_METRICS,
            html_chars=count(html),
            tags=page.markup.tags.count,
            confidence=0.0,
            empty_reason="no text",
        )
        return CedarExtraction("", page.markup.title, metrics, page=page, kept=np.zeros(0, bool))
    words = np.asarray(page.blocks.word_tenths)
    values = measure(page)
    bounds = find_bounds(page, values)
    kind_scores = _look_again(page, words, values, bounds=bounds)
    scores = _scores(_SECOND, values, bounds)
    chosen, kept, empty = select(page, scores, kind_scores, options=options, calibration=_TABLE.calibration)
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
        confidence=0.0 if empty else chosen.confidence,
        empty_reason=empty,
    )
    return CedarExtraction(
        text,
        page.markup.title,
        metrics,
        page=page,
        kept=kept,
        scores=scores,
        values=values,
        truncated=page.markup.reading.is_cut or page.blocks.cut_chars > 0,
    )


def select(
    page: SegmentedPage,
    scores: Offsets,
    kind_scores: Offsets,
    *,
    options: CedarOptions,
    calibration: Floats,
) -> tuple[Choice, Flags, str | None]:
    """Choose by the scores of n blocks; return the choice, the kept blocks, and why none is kept."""
    shared = kinds.shared_doubt(kind_scores)
    one_text = shared == kinds.ALL_SHARED
    chosen = choose(scores, np.asarray(page.blocks.word_tenths), shared=shared, calibration=calibration)
    empty = empty_reason(page, chosen, kind_scores)
    if empty:
        return chosen, np.zeros(scores.size, bool), empty
    # `complete` returns a copy; the others change `kept` in place, and keep_stated the scores, too.
    keep_stated(page, scores, chosen.kept, one_text=one_text)
    kept = complete(page, scores, chosen.kept, one_text=one_text)
    if one_text:
        drop_furniture(page, scores, kept)
        drop_teasers(page, scores, kept)
        drop_tools(page, kept)
    drop_controls(page, scores, kept)
    is_discussion = kinds.states_discussion(page)
    if is_discussion and options.comments == "auto":
        options = replace(options, comments="keep")
    apply_options(page, kept, options, apart=kinds.is_article(kind_scores))
    if is_discussion or kinds.is_thread(kind_scores):
        drop_post_furniture(page, kept)
    return chosen, kept, None


def find_bounds(page: SegmentedPage, values: NDArray[np.float32]) -> tuple[Offsets, Offsets]:
    """Find the blocks that are content, and the blocks that are not, whatever the trees say."""
    links = np.flatnonzero((values[_NAV] > 0) & (values[_LINK_DENSITY] > 0.9))
    return find_prose(page), np.concatenate((consent_notices(page), links))


def _scores(scorer: Scorer, values: NDArray[np.float32], bounds: tuple[Offsets, Offsets]) -> Offsets:
    """Score blocks, bounded."""
    scores = scorer.scores(values)
    bound(scores, bounds)
    return scores


def bound(scores: Offsets, bounds: tuple[Offsets, Offsets]) -> None:
    """Raise the scores of blocks that are content to `UNIT`, and lower the others to `_NO_CONTENT`."""
    content, no_content = bounds
    scores[content] = np.maximum(scores[content], model.UNIT)
    scores[no_content] = np.minimum(scores[no_content], _NO_CONTENT)


def _look_again(
    page: SegmentedPage, words: Offsets, values: NDArray[np.float32], *, bounds: tuple[Offsets, Offsets]
) -> Offsets:
    """Fill in the columns of the second look; return the scores of the kinds of pages."""
    voted = len(BLOCK_COLUMNS) + len(VOTES)
    vote(page, _scores(_FIRST, values, bounds), values[len(BLOCK_COLUMNS) : voted])
    scores = score_kinds(_KINDS, means(values[:voted], words, _AVERAGED))
    values[voted:] = scores[:, None]
    return scores


@dataclass(slots=True, eq=False)
class CedarExtraction(Extraction):
    """The n blocks of a page: those kept, bool (n,), their scores, int64 (n,), columns, float32 (c, n)."""

    page: SegmentedPage = field(kw_only=True, repr=False)
    kept: Flags = field(kw_only=True, repr=False)
    scores: Offsets = field(default_factory=lambda: np.zeros(0, np.int64), kw_only=True, repr=False)
    values: NDArray[np.float32] | None = field(default=None, kw_only=True, repr=False)

    @property
    def markup(self) -> Markup:
        """The page as it was read, for metadata."""
        return self.page.markup

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks; the cues of each are log-odds that sum to its score."""
        if self.values is None:
            return ()
        groups, added = model.cues(_TREES, self.values)
        rules = self.scores - np.rint(added.sum(0) * model.UNIT).astype(np.int64)
        starts, stops = self.page.source_ranges()
        found = []
        for block in range(self.kept.size):
            cues = list(zip(groups, added[:, block].tolist(), strict=True))
            if rules[block]:
                cues.append(("rules", float(rules[block]) / model.UNIT))
            kept, score = bool(self.kept[block]), float(self.scores[block]) / model.UNIT
            found.append(
                Block(
                    text=self.page.blocks.read(block),
                    kept=kept,
                    score=score,
                    start=int(starts[block]),
                    stop=int(stops[block]),
                    cues=tuple(cues),
                    reason=_reason(score, self.metrics, kept=kept),
                )
            )
        return tuple(found)

    def write_markdown(self, options: MarkdownOptions, url: str | None) -> str:
        """Write the kept blocks as Markdown."""
        # Imported here because its tables take a moment, and few runs ask for Markdown.
        from cedar.transforms.extractors.markdown._document import write as write_markdown

        return write_markdown(self.page, self.kept, options, url)


def _reason(score: float, metrics: PageMetrics, *, kept: bool) -> str:
    """Say whether the score decided, or a rule or an option."""
    if metrics.empty_reason:
        return f"the page has no content: {metrics.empty_reason}"
    if metrics.threshold is None:
        return "no score decided"
    if score < metrics.threshold:
        return (
            "it belongs to what stays, or an option asks for it"
            if kept
            else "its score is below the threshold"
        )
    return "its score reaches the threshold" if kept else "a rule or an option leaves it out"
