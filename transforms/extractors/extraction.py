"""What an extractor hands back: the text, the numbers of the decision, and the blocks on request."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from cedar.transforms.extractors.html.characters import Offsets
from cedar.transforms.model._quick import quick
from cedar.transforms.model.markdown_options import MarkdownOptions

if TYPE_CHECKING:
    from cedar.transforms.extractors.segments._markup import Markup

Ranges = tuple[Offsets, Offsets]


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page: a line for line methods, an element's text for tree methods.

    Attributes:
        text: the block as it reads in the output; may be empty.
        kept: whether it belongs to the output.
        score: the number it was judged by; line methods: the smoothed tag ratio T'_i (`keep-all`: T_i).
        start: first character of the block in the page as given, in code points; None for tree methods.
        stop: character after its last, so that `page[start:stop]` is its source; None for tree methods.
        path: the element's path for tree methods, else None.
        cues: what made the score, by name, where a method can tell: log-odds that sum to it.
    """

    text: str
    kept: bool
    score: float
    start: int | None = None
    stop: int | None = None
    path: str | None = None
    cues: tuple[tuple[str, float], ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class PageMetrics:
    """The numbers of a decision.

    Attributes:
        html_chars: code points of the page as given.
        text_chars: code points of the text that was kept.
        words: runs between blanks of the text that was kept.
        lines: lines of the page that were judged (blocks, for tree methods).
        content_lines: those that were kept.
        tags: tags of the page without comments, scripts and styles.
        link_chars: code points outside of tags, blanks not counted and entities as written, that stand
            where the last `a` tag was a start tag.
        tag_ratio_mean: mean of the lines' ratios T, unsmoothed; None without lines.
        tag_ratio_std: their population standard deviation; None without lines.
        threshold: the threshold that was applied, or None where the method has none.
        content_ratio: text_chars / text_chars of `keep-all` on the same page; 0 where nothing is visible.
        confidence: the F1 to expect of the text, in [0, 1], where a method can tell; else None.
    """

    html_chars: int
    text_chars: int
    words: int
    lines: int
    content_lines: int
    tags: int
    link_chars: int
    tag_ratio_mean: float | None = None
    tag_ratio_std: float | None = None
    threshold: float | None = None
    content_ratio: float = 0.0
    confidence: float | None = None


NO_METRICS = PageMetrics(0, 0, 0, 0, 0, 0, 0)
"""Where nothing was counted."""


@quick
@dataclass(frozen=True, slots=True)
class Extraction:
    """The content of one page.

    Attributes:
        text: valid UTF-8 text without control characters but line feeds, one non-empty block a line.
        title: text of the first `<title>`, entities decoded, blanks collapsed; None if missing or empty.
        make_html: builds `html`; None for methods without a tree.
        metrics: the numbers of the decision.
        make_blocks: builds `blocks`; a page has thousands of them and the pipeline asks for none.
        fallback: the method that stood in for the one asked for, and why; else None.
        make_ranges: builds `kept_ranges`; None for methods without ranges.
        make_markdown: writes the kept blocks as Markdown, given options and the page's address; None for
            methods that do not (`markdown.making` asks tree methods for their HTML).
        markdown: the content as Markdown, where it was asked for; else None.
        markup: the page as the method read it, for metadata; None for methods that read it otherwise.
        truncated: whether the end of the page was not read, because it has too many tags or blocks.
    """

    text: str
    title: str | None
    make_html: Callable[[], str] | None = field(repr=False, compare=False)
    metrics: PageMetrics
    make_blocks: Callable[[], tuple[Block, ...]] = field(repr=False, compare=False)
    fallback: str | None = None
    make_ranges: Callable[[], Ranges] | None = field(default=None, repr=False, compare=False)
    make_markdown: Callable[[MarkdownOptions, str | None], str] | None = field(
        default=None, repr=False, compare=False
    )
    markdown: str | None = None
    markup: "Markup | None" = field(default=None, repr=False, compare=False)
    truncated: bool = False

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The page's blocks in document order, kept and dropped; built again at each call."""
        return self.make_blocks()

    @property
    def kept_ranges(self) -> Ranges | None:
        """Where the kept blocks stand in the page as given, half-open, in bytes; None for tree methods."""
        return None if self.make_ranges is None else self.make_ranges()

    @property
    def html(self) -> str | None:
        """The kept HTML, tree methods only; built again at each call."""
        return None if self.make_html is None else self.make_html()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it makes: the compiled objects that it makes it of cannot be pickled."""
        html, blocks = self.html, self.blocks
        make_html = None if html is None else partial(_given, html)
        values = (self.text, self.title, make_html, self.metrics, partial(_given, blocks), self.fallback)
        return Extraction, (*values, None, None, self.markdown, None, self.truncated)


_Given = TypeVar("_Given")


def _given(value: _Given) -> _Given:
    return value
