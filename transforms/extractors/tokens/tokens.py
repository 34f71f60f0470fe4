"""A page as a sequence of tokens, tags and words: what the token methods judge.

Comments, scripts and styles are gone before. The body begins with the first `<body>`, or
after the head, if that ends (see `title.head`), and it continues to the end of the page (HTML5 puts what
follows `</body>` into the body). Words: see `_tokens`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transforms.extractors.html._source import Source
from transforms.extractors.html._tags import Tags
from transforms.extractors.html._text import Text
from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.html.reading import read_page
from transforms.extractors.html.title import head
from transforms.extractors.lines._lines import read_lines
from transforms.extractors.tokens._tokens import Words, words_of


@dataclass(frozen=True, slots=True)
class TokenPage:
    """A page of t tags and w words, and so of m = t + w tokens.

    Attributes:
        source: the page without comments, scripts and styles.
        title: text of its `<title>`, or None.
        text: its text, and its tags.
        words: its words.
        is_tag: bool (m,), whether a token is a tag.
        body: the first token of the body; m if it has none.
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
    is_tag = np.ones(len(page.tags) + len(words), bool)
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
