"""The skeleton of MSS: maximum subsequence segmentation (Pasternack, Roth, WWW 2009), without training.

MSS scores each token by classifiers trained on examples, and takes the maximum subsequence of the scores.
What is left without the training is a fixed score for each kind of token: +1 for a word, -3.25 for a tag. The
numbers are as the literature is remembered, not checked against the paper. Only one stretch is found; ties
are broken, and tokens read, as in BTE. This is a reference line, not the system that the papers compare with.
"""

from dataclasses import dataclass
from typing import Annotated

from transforms.extractors.extraction import Extraction
from transforms.extractors.options import About
from transforms.extractors.tokens.bte import best_stretch
from transforms.extractors.tokens.tokens import extraction, read_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class MssOptions:
    """Options of `mss`."""

    tag_cost: Annotated[float, About("what a tag takes off, a word being worth 1", minimum=0)] = 3.25


def mss(html: bytes, options: MssOptions) -> Extraction:
    """Return the MSS skeleton on a page of valid UTF-8."""
    page = read_tokens(html)
    return extraction(page, best_stretch(page, options.tag_cost))
