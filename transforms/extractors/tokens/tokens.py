"""A page as a sequence of tokens, tags and words: what the token methods judge.

Comments, scripts and styles are gone before. A word is a run of characters between blanks and tags; `&nbsp;`
and its numeric forms are blanks. Scripts that are written without blanks (Han, kana, Thai) give a word a
character, or a paragraph would count as one. The body begins with the first `<body>`; where there is none,
behind the head, if that ends (see `title.head`), and it goes on to the end of the page (HTML5 puts what
follows `</body>` into the body).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transforms.extractors.html import title as page_title
from transforms.extractors.html._source import Source, remove_invisible
from transforms.extractors.html._tags import Tags, lex
from transforms.extractors.html._text import Text
from transforms.extractors.html.characters import SPACE, Bytes, Flags, Offsets
from transforms.extractors.lines._lines import read_lines

_BLANK_REFERENCES = (b"&nbsp;", b"&#160;", b"&#xa0;", b"&#xA0;", b"&#XA0;", b"&#32;")

# The first two bytes of characters of scripts without blanks: Thai; kana; Han and its extensions.
_UNSPACED = ((0xE0B8, 0xE0B9), (0xE381, 0xE383), (0xE390, 0xE9BF), (0xEFA4, 0xEFAB), (0xF0A0, 0xF0BF))


@dataclass(frozen=True, slots=True)
class TokenPage:
    """A page of t tags and w words, and so of m = t + w tokens.

    Attributes:
        source: the page without comments, scripts and styles.
        title: text of its `<title>`, or None.
        text: its text.
        tags: its tags.
        is_tag: bool (m,), whether a token is a tag.
        words: int64 (w,), which token each word is.
        starts: int64 (w,), first byte of each word in the text.
        stops: int64 (w,), byte after its last.
        fused: bool (w,), whether a word follows on the one before with nothing between them.
        blocks: int64 (w,), number of block-level tags before each word.
        body: the first token of the body; m if it has none.
    """

    source: Source
    title: str | None
    text: Text
    tags: Tags
    is_tag: Flags
    words: Offsets
    starts: Offsets
    stops: Offsets
    fused: Flags
    blocks: Offsets
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
    """Reads a page, valid UTF-8, into tokens."""
    source = remove_invisible(html)
    tags = lex(source.html)
    content = read_lines(source.html, tags, keep_blank=False).text

    placeholders = content.placeholders
    inside = _solid(content.coded)
    inside[placeholders] = False
    after_inside = np.zeros_like(inside)
    after_inside[1:] = inside[:-1]
    begins = inside & ~after_inside
    begins[_unspaced(content.coded)] = True
    ends = inside.copy()
    ends[:-1] &= ~inside[1:] | begins[1:]
    starts = np.flatnonzero(begins)

    words = np.arange(starts.size) + placeholders.searchsorted(starts)
    is_tag = np.ones(placeholders.size + starts.size, bool)
    is_tag[words] = False
    return TokenPage(
        source,
        page_title.title(source.html, tags),
        content,
        tags,
        is_tag,
        words,
        starts,
        np.flatnonzero(ends) + 1,
        after_inside[starts],
        placeholders[tags.block_level].searchsorted(starts),
        _body(tags, is_tag),
    )


def _solid(coded: Bytes) -> Flags:
    """Which bytes of a text are no blanks, written as such or as `&nbsp;`. bool (n,)."""
    written = coded.tobytes()
    if b"&" in written:
        for reference in _BLANK_REFERENCES:
            written = written.replace(reference, b" " * len(reference))
    solid: Flags = np.frombuffer(written, np.uint8) != SPACE
    return solid


def _unspaced(coded: Bytes) -> Offsets:
    """The first byte of each character that is a word of its own."""
    lead = np.flatnonzero(coded >= np.uint8(0xE0))
    pair = coded[lead].astype(np.int64) << 8 | coded.take(lead + 1, mode="clip")
    marks = np.zeros(lead.size, bool)
    for low, high in _UNSPACED:
        marks |= (pair >= low) & (pair <= high)
    return lead[marks]


def _body(tags: Tags, is_tag: Flags) -> int:
    last_before = tags.first("body")
    if last_before < 0:
        head = page_title.head(tags)
        if head is None:
            return 0
        last_before = int(tags.starts.searchsorted(head[1])) - 1
    return int(np.flatnonzero(is_tag)[last_before]) + 1
