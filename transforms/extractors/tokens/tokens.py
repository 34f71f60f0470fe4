"""A page as a sequence of tokens, tags and words: what the token methods judge.

Comments, scripts and styles are gone before. The body begins with the first `<body>`, or
after the head, if that ends (see `title.head`), and it continues to the end of the page (HTML5 puts what
follows `</body>` into the body). Words: see `_tokens`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transforms.extractors.html import title as page_title
from transforms.extractors.html._source import Source, remove_invisible
from transforms.extractors.html._tags import Tags, lex
from transforms.extractors.html._text import Text
from transforms.extractors.html.characters import Flags, Offsets
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
    source = remove_invisible(html)
    tags = lex(source.html)
    text = read_lines(source.html, tags, keep_blank=False).text
    words = words_of(text)
    is_tag = np.ones(len(tags) + len(words), bool)
    is_tag[words.tokens] = False
    return TokenPage(
        source=source,
        title=page_title.title(source.html, tags),
        text=text,
        words=words,
        is_tag=is_tag,
        body=_body(tags, is_tag),
    )


def _body(tags: Tags, is_tag: Flags) -> int:
    last_before = tags.first("body")
    if last_before < 0:
        head = page_title.head(tags)
        if head is None:
            return 0
        last_before = int(tags.starts.searchsorted(head[1])) - 1
    return int(np.flatnonzero(is_tag)[last_before]) + 1
