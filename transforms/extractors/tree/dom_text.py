"""The text of a tree: how much of it follows each tag, and how it reads in the output.

Text has its references decoded, each run of blanks shrunk to one space, and no control characters. It is one
array of bytes in which each tag leaves a placeholder; what follows a tag is a range of it. Block-level tags,
`br` among them, part words and lines in the output; others leave nothing there.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

import numpy as np

from transforms.compiled import compiled
from transforms.extractors.html import characters
from transforms.extractors.html.characters import SPACE, Bytes, Flags, Offsets
from transforms.extractors.tree.dom import Tree

_BLOCK, _INLINE = np.uint8(0x1E), np.uint8(0x00)  # placeholders of tags; text has no control characters
_CONTROLS = bytes(b for b in range(1, 0x20) if b != _BLOCK) + b"\x7f"
_HIGH_CONTROL = re.compile(rb"\xc2[\x80-\x9f]")
_NAMED = {b"amp": b"&", b"lt": b"<", b"gt": b">"}


@dataclass(frozen=True, slots=True)
class TreeText:
    """The text of a tree of t tags.

    A block is what stands between two block-level tags.

    Attributes:
        coded: uint8 (m,), the text, UTF-8, with a placeholder byte for each tag.
        marks: int64 (t + 1,), where the placeholders stand; m is the last.
        chars: int64 (t,), code points after each tag, blanks at their ends not counted.
        before: bool (t,), whether a space goes before them, or is all there is.
        after: bool (t,), whether another one follows.
        blocks: int64 (t,), ascending, the block to which the text after each tag belongs.
    """

    coded: Bytes
    marks: Offsets
    chars: Offsets
    before: Flags
    after: Flags
    blocks: Offsets

    @property
    def words(self) -> Offsets:
        """How many words, runs between blanks, follow each tag. int64 (t,)."""
        return _words(self.coded, self.marks)

    def joined(self, kept: Flags) -> bytes:
        """The blocks of part of the text, as they read in the output.

        Where a part of a block goes, a space parts what stays.

        Args:
            kept: bool (t,), the tags after which the text stays.

        Returns:
            UTF-8, a line for each block of which some text stays, in order.
        """
        return _joined(self.coded, self.marks, self.chars, self.blocks, kept)

    def lines(self, kept: Flags) -> list[bytes]:
        """The lines of `joined`."""
        joined = self.joined(kept)
        return joined.split(b"\n") if joined else []

    def count(self, kept: Flags) -> int:
        """How many code points the lines of part of the text have, with line feeds between them.

        Args:
            kept: bool (t,), as in `lines`; of each block all or nothing.
        """
        return _count(self.chars, self.before, self.after, self.blocks, kept)

    def solid_chars(self, kept: Flags) -> int:
        """How many code points, blanks not counted, follow the tags marked in `kept`, bool (t,)."""
        return _solid_chars(self.coded, self.marks, kept)


def tree_text(tree: Tree) -> TreeText:
    """Takes the text out of a tree."""
    return TreeText(*_text_arrays(tree.xml, tree.starts, tree.stops, tree.names.block_level))


@compiled
def _text_arrays(
    xml: bytes, starts: Offsets, stops: Offsets, parts: Flags
) -> tuple[Bytes, Offsets, Offsets, Flags, Flags, Offsets]:
    """The fields of a `TreeText`, of tags of which those marked in `parts`, bool (t,), are block-level."""
    # Of each tag its `>`, for the placeholder, and the text behind it.
    lengths = np.append(starts[1:], len(xml))[: starts.size] - stops + 1
    placeholders = np.cumsum(lengths) - lengths
    source = np.repeat(stops - 1 - placeholders, lengths)
    source += np.arange(source.size)
    coded = characters.blanks_as_spaces(np.frombuffer(xml, np.uint8)[source])
    coded[placeholders] = np.where(parts, _BLOCK, _INLINE)

    packed = coded.tobytes().translate(None, _CONTROLS)
    if b"\xc2" in packed:
        packed = _HIGH_CONTROL.sub(b"", packed)
    if b"&" in packed:
        packed = _unescaped(packed)
    coded = np.frombuffer(packed, np.uint8)
    kept = np.ones(coded.size, bool)
    kept[:-1] = (coded[:-1] != SPACE) | (coded[1:] != SPACE)
    coded = coded[kept]
    marks = np.append(np.flatnonzero(coded < SPACE), coded.size)

    chars = np.diff(marks) - 1
    before = (chars > 0) & (coded.take(marks[:-1] + 1, mode="clip") == SPACE)
    after = (chars > 1) & (coded[marks[1:] - 1] == SPACE)
    inner = characters.continuation(coded)
    if inner.any():
        chars -= np.add.reduceat(inner, marks[:-1], dtype=np.int64)
    return coded, marks, chars - before - after, before, after, np.cumsum(parts)


def _unescaped(text: bytes) -> bytes:
    """Text with XML's references decoded, those to blanks to spaces, those to control characters to ""."""
    first, *others = text.split(b"&")
    pieces = [first]
    for other in others:
        name, _, behind = other.partition(b";")
        pieces += [_NAMED.get(name) or _character(name), behind]
    return b"".join(pieces)


def _character(name: bytes) -> bytes:
    character = html.unescape(f"&{name.decode()};")
    if character.isspace():
        return b" "
    return b"" if unicodedata.category(character) == "Cc" else character.encode()


@compiled
def _words(coded: Bytes, marks: Offsets) -> Offsets:
    """`TreeText.words`."""
    if not coded.size:
        return np.zeros(0, np.int64)
    solid = coded > SPACE
    solid[1:] &= coded[:-1] <= SPACE
    return np.add.reduceat(solid, marks[:-1], dtype=np.int64)


@compiled
def _joined(coded: Bytes, marks: Offsets, chars: Offsets, blocks: Offsets, kept: Flags) -> bytes:
    """`TreeText.joined`."""
    some = chars > 0
    wanted = np.zeros(int(blocks[-1:].sum()) + 1, bool)
    wanted[blocks[some & kept]] = True
    taken = wanted[blocks]
    lengths = np.diff(marks)
    coded = coded[np.repeat(taken, lengths)]
    gone = (some & ~kept)[taken]
    if gone.any():
        lengths = lengths[taken]
        blank = np.repeat(gone, lengths)
        blank[(np.cumsum(lengths) - lengths)[gone]] = False
        coded[blank] = SPACE
    data = np.frombuffer(coded.tobytes().translate(None, _INLINE.tobytes()) + _BLOCK.tobytes(), np.uint8)
    # A run of spaces shrinks to its last, and to nothing at the end of a block; then at its beginning.
    stays = np.ones(data.size, bool)
    stays[:-1] = (data[:-1] != SPACE) | (data[1:] > SPACE)
    text = data[stays].tobytes().replace(_BLOCK.tobytes() + b" ", _BLOCK.tobytes())
    return text[1:-1].replace(_BLOCK.tobytes(), b"\n")


@compiled
def _count(chars: Offsets, before: Flags, after: Flags, blocks: Offsets, kept: Flags) -> int:
    """`TreeText.count`."""
    some = np.flatnonzero(kept & (chars > 0))
    if not some.size:
        return 0
    # Spaces up to each text; where there are more than up to the text before, a space parts the two.
    spaces: Offsets = np.cumsum(before) + np.cumsum(after) - after
    parted = np.diff(spaces[some]) > 0
    parted |= np.diff(blocks[some]) > 0
    return int(chars[some].sum()) + int(np.count_nonzero(parted))


@compiled
def _solid_chars(coded: Bytes, marks: Offsets, kept: Flags) -> int:
    """`TreeText.solid_chars`."""
    taken = coded[np.repeat(kept, np.diff(marks))]
    return int(np.count_nonzero((taken > SPACE) & ~characters.continuation(taken)))
