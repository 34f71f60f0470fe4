"""What an extractor hands back: the text, the numbers of the decision, and the blocks on request."""

from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from cedar.transforms.extractors.html.characters import Offsets
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
        cues: numbers by name. `cedar`: log-odds that sum to the score; line extractors: the ratio T_i; CETD:
            the DensitySum of the element around the block's.
        reason: why it was kept or dropped, if the extractor can tell; else "".
    """

    text: str
    kept: bool
    score: float
    start: int | None = None
    stop: int | None = None
    path: str | None = None
    cues: tuple[tuple[str, float], ...] = ()
    reason: str = ""


@dataclass(slots=True)
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
        empty_reason: why the page has no content, if a rule of the method says so; else None.
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
    empty_reason: str | None = None


NO_METRICS = PageMetrics(0, 0, 0, 0, 0, 0, 0)
"""Where nothing was counted."""


@dataclass(slots=True, eq=False)
class Extraction:
    """The content of one page.

    Each family of extractors has a subclass, which makes blocks, HTML and Markdown when they are asked for: a
    page has thousands of blocks, and the pipeline asks for none. Extractions are equal if their attributes
    are.

    Attributes:
        text: valid UTF-8 text without control characters but line feeds, one non-empty block a line.
        title: text of the first `<title>`, entities decoded, blanks collapsed; None if missing or empty.
        metrics: the numbers of the decision.
        fallback: the extractor that stood in for the one asked for, and why; else None.
        markdown: the content as Markdown, if it was asked for; else None.
        truncated: whether the end of the page was not read, because it has too many tags or blocks.
        is_html: whether the page begins as HTML does; JSON, XML and plain text do not.
    """

    text: str
    title: str | None
    metrics: PageMetrics
    fallback: str | None = field(default=None, kw_only=True)
    markdown: str | None = field(default=None, kw_only=True)
    truncated: bool = field(default=False, kw_only=True)
    is_html: bool = field(default=True, kw_only=True)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The page's blocks in document order, kept and dropped; made again at each call."""
        return ()

    @property
    def kept_ranges(self) -> Ranges | None:
        """Where the kept blocks stand in the page as given, half-open, in bytes; None for tree extractors."""
        return None

    @property
    def html(self) -> str | None:
        """The kept HTML, of tree extractors only; made again at each call."""
        return None

    @property
    def markup(self) -> "Markup | None":
        """The page as `cedar` read it, for metadata; None for extractors that read it otherwise."""
        return None

    def write_markdown(self, options: MarkdownOptions, url: str | None) -> str | None:
        """Write what was kept of a page from `url` as Markdown; None if nothing but its text is known."""
        html = self.html
        if html is None:
            return None
        from cedar.transforms.extractors.markdown.page_markdown import (
            page_markdown,
        )  # here, where it is asked for

        return page_markdown(html.encode(), options, url, drops_hidden=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes by name, for JSON; `metrics` is a dict, and blocks and HTML are left out."""
        return {name: getattr(self, name) for name in _ATTRIBUTES} | {"metrics": asdict(self.metrics)}

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the text, with what was dropped folded between its blocks."""
        from cedar.transforms.extractors.notebook import notebook_html  # here, where it is asked for

        summary = f"kept {self.metrics.text_chars:,} characters, {self.metrics.content_ratio:.0%} of the text"
        if self.fallback is not None:
            summary += f"; another extractor stood in: {self.fallback}"
        blocks = [(block.text, block.kept) for block in self.blocks]
        return notebook_html(self.title, summary, blocks or [(line, True) for line in self.text.split("\n")])

    def __eq__(self, other: object) -> bool:
        """Compare the attributes; the sources of blocks and HTML are not compared."""
        if not isinstance(other, Extraction):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _ATTRIBUTES)

    def __hash__(self) -> int:
        return hash((self.text, self.title))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the results: the compiled objects that they are made of cannot be pickled."""
        attributes = {name: getattr(self, name) for name in _ATTRIBUTES}
        return _given, ({**attributes, "given_blocks": self.blocks, "given_html": self.html},)


_ATTRIBUTES = tuple(one.name for one in fields(Extraction))


@dataclass(slots=True, eq=False)
class GivenExtraction(Extraction):
    """An extraction whose blocks and HTML are there: of a user's function, a child process, a pickle."""

    given_blocks: tuple[Block, ...] = field(default=(), kw_only=True, repr=False)
    given_html: str | None = field(default=None, kw_only=True, repr=False)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks that were given."""
        return self.given_blocks

    @property
    def html(self) -> str | None:
        """The HTML that was given."""
        return self.given_html


def _given(values: dict[str, Any]) -> GivenExtraction:
    return GivenExtraction(**values)
