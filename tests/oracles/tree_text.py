"""What the text of a tree is, tag by tag, in plain words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from cedar.transforms.extractors.tree.tree import Tree


def texts(tree: Tree) -> list[str]:
    """The text after each tag, as the page has it."""
    bounds = tree.texts.tolist()
    return [tree.text[start:stop].decode() for start, stop in pairwise(bounds)]


UNSEEN = "\u00ad\u200b\u2060\ufeff"
"""Characters that say where a word may break."""


def shrunk(text: str) -> str:
    """A text with a space for each run of blanks and no control characters; U+FFFD for those HTML has not."""
    found = ""
    for character in text:
        if character in "\t\n\r" or (character >= " " and character.isspace()):
            found += "" if found.endswith(" ") else " "
        elif character < " ":
            found += "\ufffd"
        elif unicodedata.category(character) != "Cc" and character not in UNSEEN:
            found += character
    return found


def blocks(tree: Tree) -> list[int]:
    """The block of each tag: how many tags of block-level elements there are up to it, itself included."""
    parting = [False] * tree.tags
    for element in range(tree.size):
        for tag in (tree.opens[element], tree.closes[element]):
            parting[tag] = bool(tree.block_level[element])
    found, number = [], 0
    for parts in parting:
        number += parts
        found.append(number)
    return found


def lines(tree: Tree, kept: Sequence[bool]) -> Iterator[str]:
    """The blocks of which some text is kept; a space stands for a part that goes."""
    rows = zip(blocks(tree), map(shrunk, texts(tree)), kept, strict=True)
    for _, block in groupby(rows, key=lambda row: row[0]):
        pieces = [text if stays or not text.strip(" ") else " " for _, text, stays in block]
        line = " ".join("".join(pieces).split(" ")).strip(" ")
        while "  " in line:
            line = line.replace("  ", " ")
        if line:
            yield line


def words(text: str) -> int:
    """How many words a text has."""
    return len([word for word in shrunk(text).split(" ") if word])


def solid(text: str) -> int:
    """How many characters of a text are no blanks."""
    return len(shrunk(text).replace(" ", ""))
