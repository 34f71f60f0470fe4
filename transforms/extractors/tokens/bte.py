"""BTE and MSS: the stretch of a page with the largest sum over its words and tags.

BTE: body text extraction (Finn, Kushmerick, Smyth: Fact or fiction, DELOS 2001).

The body is a sequence of tokens, b_n = 1 for a tag and 0 for a word. Content is the one stretch i..j that
has most of the words inside and most of the tags outside:

    sum_{n<i} b_n + sum_{i<=n<=j} (1 - b_n) + sum_{n>j} b_n,

which is a constant more than sum_{i<=n<=j} (1 - 2 b_n): the maximum subsequence of +1 for a word and -1 for a
tag. The paper's outline leaves open, and these are our choices: of equal stretches the earliest start, then
the earliest end; comments, scripts and styles are neither tags nor words.

The skeleton of MSS: maximum subsequence segmentation (Pasternack, Roth, WWW 2009), without training.

MSS scores each token by classifiers trained on examples, and takes the maximum subsequence of the scores.
What is left without the training is a fixed score for each kind of token: +1 for a word, -3.25 for a tag. The
numbers are as the literature is remembered, not checked against the paper. Only one stretch is found; ties
are broken, and tokens read, as in BTE. This is a reference line, not the system that the papers compare with.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.options import About, NoOptions
from cedar.transforms.extractors.tokens._tokens import maximum_subsequence
from cedar.transforms.extractors.tokens.tokens import TokenDecision, TokenPage, extraction, read_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class MssOptions:
    """Options of `mss`."""

    tag_cost: Annotated[float, About("what a tag takes off, a word being worth 1", minimum=0)] = 3.25


def bte(html: bytes, _: NoOptions) -> Extraction:
    """BTE on a page of valid UTF-8."""
    page = read_tokens(html)
    return extraction(page, best_stretch(page, tag_cost=1.0))


def mss(html: bytes, options: MssOptions) -> Extraction:
    """Return the MSS skeleton on a page of valid UTF-8."""
    page = read_tokens(html)
    return extraction(page, best_stretch(page, options.tag_cost))


def best_stretch(page: TokenPage, tag_cost: float) -> TokenDecision:
    """Return the stretch of the body with the largest sum of +1 for a word and -`tag_cost` for a tag."""
    values = np.where(page.is_tag, -tag_cost, 1.0)
    start, stop = maximum_subsequence(values[page.body :])
    kept = np.zeros(page.size, bool)
    kept[page.body + start : page.body + stop] = True
    return TokenDecision(kept, values)
