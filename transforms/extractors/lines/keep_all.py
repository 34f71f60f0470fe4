"""The reference line: all text of the page but comments, scripts and styles."""

from dataclasses import replace
from functools import partial

from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.lines.document import LineOptions, extraction, keep_everything, read_document
from cedar.transforms.extractors.markdown.making import page_markdown
from cedar.transforms.extractors.options import NoOptions


def keep_all(html: bytes, _: NoOptions) -> Extraction:
    """Keep all lines of a page of valid UTF-8; a line's score is its ratio T_i."""
    document = read_document(html, LineOptions())
    found = extraction(document, keep_everything(document.ratios))
    return replace(found, make_markdown=partial(page_markdown, html, drops_hidden=True))
