"""A page as a sequence of tokens, tags and words, and the way from a decision about them to an extraction.

Comments, scripts and styles are gone before. The body begins with the first `<body>`, or
after the head, if that ends (see `title.head`), and it continues to the end of the page (HTML5 puts what
follows `</body>` into the body). Words: see `_tokens`.

A block is the text between two block-level tags; one with a part that stays and a part that goes counts as
two. Where nothing parts two words (a script without blanks), no cut falls between them: the first decides.
"""

from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from cedar.transforms.extractors.extraction import Block, Extraction, PageMetrics, Ranges
from cedar.transforms.extractors.html import characters
from cedar.transforms.extractors.html._source import Source
from cedar.transforms.extractors.html._tags import Tags
from cedar.transforms.extractors.html._text import Text, count, count_words
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from cedar.transforms.extractors.html.reading import read_page
from cedar.transforms.extractors.html.title import head
from cedar.transforms.extractors.lines._lines import read_lines
from cedar.transforms.extractors.tokens._tokens import Words, words_of


@dataclass(frozen=True, slots=True)
class TokenPage:
    """A page, without comments, scripts and styles, of t tags and w words, and so of m = t + w tokens.

    `is_tag`, bool (m,), marks the tags among them; `body` is the first token of the body, m if it has none.
    """

    source: Source
    title: str | None
    text: Text
    words: Words
    is_tag: Flags
    body: int

    @property
    def size(self) -> int:
        """Number of tokens."""
        return self.is_tag.size

    @property
    def tag_tokens(self) -> Offsets:
        """Which token each tag is, int64 (t,)."""
        return np.flatnonzero(self.is_tag)


def read_tokens(html: bytes) -> TokenPage:
    """Read a page, valid UTF-8, into tokens."""
    page = read_page(html, whole=True)
    text = read_lines(page.html, page.tags, keep_blank=False).text
    words = words_of(text)
    is_tag = np.ones(page.tags.count + len(words), bool)
    is_tag[words.tokens] = False
    return TokenPage(page.source, page.title, text, words, is_tag, _body(page.tags, is_tag))


def _body(tags: Tags, is_tag: Flags) -> int:
    last_before = tags.first("body")
    if last_before < 0:
        around = head(tags)
        if around is None:
            return 0
        last_before = int(tags.starts.searchsorted(around[1])) - 1
    return int(np.flatnonzero(is_tag)[last_before]) + 1


@dataclass(frozen=True, slots=True)
class TokenDecision:
    """What a method decided about the m tokens of a page.

    `kept`, bool (m,), are those that are content; of tags it is of no account. `scores`, float64 (m,), judge
    the tokens; a block's score is the mean over its tokens, the tags before it included.
    """

    kept: Flags
    scores: Floats
    threshold: float | None = None


def extraction(page: TokenPage, decision: TokenDecision) -> Extraction:
    """Return the extraction that follows from a decision about a page's tokens."""
    words = page.words
    kept = decision.kept[words.tokens]
    if words.fused.any():
        # Words that follow on another with nothing between them go its way.
        kept = kept[np.maximum.accumulate(np.where(words.fused, 0, np.arange(len(words))))]
    changes = np.diff(words.blocks) != 0
    changes |= kept[1:] != kept[:-1]
    firsts = np.flatnonzero(np.concatenate(([True], changes)))[: len(words)]
    stops = np.append(words.starts[firsts[1:]] - 1, page.text.coded.size - 1)
    rendered = page.text.line_texts(stops) if firsts.size else []
    stays = kept[firsts]

    content = [line for line in compress(rendered, stays.tolist()) if line]
    result = "\n".join(content)
    visible_lines = len(rendered) - rendered.count("")
    visible_chars = sum(map(len, rendered)) + max(0, visible_lines - 1)
    metrics = PageMetrics(
        html_chars=count(page.source.original),
        text_chars=len(result),
        words=count_words(result.encode()),
        lines=firsts.size,
        content_lines=int(np.count_nonzero(stays)),
        tags=page.text.tags.count,
        link_chars=page.text.link_chars,
        threshold=decision.threshold,
        content_ratio=len(result) / visible_chars if visible_chars else 0.0,
    )
    return TokenExtraction(
        result,
        page.title,
        metrics,
        page=page,
        scores=decision.scores,
        firsts=firsts,
        stays=stays,
        texts=rendered,
    )


@dataclass(slots=True, eq=False)
class TokenExtraction(Extraction):
    """The n runs of a page's words between tags, cut where a decision changes, and those that are kept.

    `scores` are the page's tokens'; `firsts`, int64 (n,), the first word of each run, `stays`, bool
    (n,), whether it is kept, `texts` how it reads.
    """

    page: TokenPage = field(kw_only=True, repr=False)
    scores: Floats = field(kw_only=True, repr=False)
    firsts: Offsets = field(kw_only=True, repr=False)
    stays: Flags = field(kw_only=True, repr=False)
    texts: list[str] = field(kw_only=True, repr=False)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The runs; the score of each is the mean of its tokens'."""
        if not self.firsts.size:
            return ()
        page = self.page
        # The last word of each block, and the tokens: from the last word of the block before to its own.
        lasts = _lasts(page, self.firsts)
        edges = np.append(0, page.words.tokens[lasts] + 1)
        means = np.add.reduceat(self.scores, edges[:-1]) / np.diff(edges)
        starts, stops = characters.code_points(page.source.original, *_source_ranges(page, self.firsts))
        stays = self.stays.tolist()
        return tuple(map(Block, self.texts, stays, means.tolist(), starts.tolist(), stops.tolist()))

    @property
    def kept_ranges(self) -> Ranges:
        """Where each run that is kept starts and stops in the page as given, in bytes."""
        starts, stops = _source_ranges(self.page, self.firsts)
        return starts[self.stays], stops[self.stays]


def _source_ranges(page: TokenPage, firsts: Offsets) -> tuple[Offsets, Offsets]:
    """Find where each block starts and stops in the page as given, in bytes."""
    if not firsts.size:
        return firsts, firsts
    words = page.words
    starts = page.text.page_offsets(words.starts[firsts])
    last_bytes = page.text.page_offsets(words.stops[_lasts(page, firsts)] - 1)
    return page.source.original_offsets(starts), page.source.original_offsets(last_bytes) + 1


def _lasts(page: TokenPage, firsts: Offsets) -> Offsets:
    """Return the last word of each block; `firsts` are their first words."""
    lasts: Offsets = np.append(firsts[1:], len(page.words)) - 1
    return lasts
