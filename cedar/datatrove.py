"""Cedar's text in a pipeline of datatrove's, in place of Trafilatura's; needs the package datatrove.

    from cedar.datatrove import CedarExtractor

    pipeline = [WarcReader("crawl/"), CedarExtractor(), JsonlWriter("pages/")]

datatrove runs it in a process of its own, and ends what takes longer than its timeout. It hands on a page as
text that it has decoded: the encoding that Cedar would find is not looked for.
"""

from typing import Any

from datatrove.pipeline.extractors.base import BaseExtractor

from cedar.transforms.extractors import registry
from cedar.transforms.runtime.single_page import extract


class CedarExtractor(BaseExtractor):
    """The text of each document's HTML, by a method of Cedar's.

    Args:
        extractor: the method's name.
        timeout: seconds that a page may take.
        options: the method's options, by name.

    Raises:
        ValueError: the name or an option is unknown, or a value is not allowed.
    """

    name = "Cedar"

    def __init__(self, extractor: str = registry.DEFAULT, timeout: float = 1, **options: Any) -> None:
        super().__init__(timeout)
        registry.parse_options(extractor, options)
        self.extractor = extractor
        self.options = options

    def extract(self, text: str) -> str:
        """Return the text of a page of HTML."""
        return extract(text, self.extractor, **self.options).text
