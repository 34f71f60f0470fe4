from typing import Any

from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.model.markdown_options import MarkdownOptions

def write(
    page: SegmentedPage, kept: Any, options: MarkdownOptions, url: str | None, shown: Any = None
) -> str: ...
