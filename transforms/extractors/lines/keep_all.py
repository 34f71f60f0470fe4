"""The reference line: all text of the page but comments, scripts and styles."""

from dataclasses import dataclass

from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.lines.document import (
    LineExtraction,
    LineOptions,
    keep_everything,
    read_document,
)
from cedar.transforms.extractors.markdown.page_markdown import page_markdown
from cedar.transforms.extractors.options import NoOptions
from cedar.transforms.model.markdown_options import MarkdownOptions


@dataclass(slots=True, eq=False)
class WholePage(LineExtraction):
    """All lines of a page."""

    def write_markdown(self, options: MarkdownOptions, url: str | None) -> str:
        """Write all of the page but its head and what its markup hides as Markdown."""
        return page_markdown(self.document.source.original, options, url, drops_hidden=True)


def keep_all(html: bytes, _: NoOptions) -> Extraction:
    """Keep all lines of a page of valid UTF-8; a line's score is its ratio T_i."""
    document = read_document(html, LineOptions())
    return WholePage.of(document, keep_everything(document.ratios))
