"""Kinds of pages: an article, a thread, a listing, a product, a reference."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors.cedar._choice import likelihoods
from cedar.transforms.extractors.cedar.model import KINDS
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import SCHEMAS

ALL_SHARED = 1000
"""Thousandths of doubt that blocks share on a page of one text."""

_OF_PARTS = [KINDS.index(kind) for kind in ("thread", "listing", "reference")]
_OF_ONE_TEXT = KINDS.index("article"), KINDS.index("product")
_MIN_SHARED = 200
"""Thousandths of doubt that blocks share on pages of many parts."""

_THREAD = KINDS.index("thread")
_STATED_THREAD = list(SCHEMAS).index("thread")
_DISCUSSIONS = (b"DiscussionForumPosting", b'"QAPage', b"/QAPage")


def summary_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a page's columns, the means of its blocks' columns (`_features.means`)."""
    return tuple(f"{over}.{name}" for over in ("words", "blocks") for name in names)


def shared_doubt(scores: NDArray[np.int64]) -> int:
    """Return how much of the blocks' doubt is one doubt, in thousandths: all of it on a page of one text.

    The doubtful blocks of such a page mostly stand besides its text. Items of a listing, posts of a thread
    and sections of a reference are doubtful each for itself; any other kind of page is one text.
    """
    found: list[int] = scores.tolist()
    if all(found[kind] <= 0 for kind in _OF_PARTS):
        return ALL_SHARED
    # Each kind is judged for itself, so that the likelihoods may add up to more than the whole.
    likely: list[int] = likelihoods(scores).tolist()
    of_one_text = sum(likely[kind] * ALL_SHARED // max(sum(likely), ALL_SHARED) for kind in _OF_ONE_TEXT)
    return _MIN_SHARED + (ALL_SHARED - _MIN_SHARED) * of_one_text // ALL_SHARED


def is_article(scores: NDArray[np.int64]) -> bool:
    """Return whether a page is likeliest an article, and unlikely a thread: comments are no content."""
    return KINDS[int(scores.argmax())] == "article" and not is_thread(scores)


def states_discussion(page: SegmentedPage) -> bool:
    """Return whether a page says in words of schema.org that it is a discussion, or questions and answers."""
    if not page.schemas[_STATED_THREAD]:
        return False
    # One pattern for the three names takes many times as long.
    return any(name in page.source.original for name in _DISCUSSIONS)


def is_thread(scores: NDArray[np.int64]) -> bool:
    """Return whether a page is likelier a thread than not."""
    return bool(scores[_THREAD] > 0)
