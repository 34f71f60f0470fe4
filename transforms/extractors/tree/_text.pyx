"""The text of a tree as it reads in the output, and how much of it there is."""

import numpy as np

from libc.stdint cimport int64_t
from libc.string cimport memcpy

from transforms.extractors.tree._tree cimport Tree

cdef enum:
    _SPACE = 0x20


cdef const unsigned char[::1] _of_tags(Tree tree, kept):
    """Flags of a tree's tags."""
    cdef const unsigned char[::1] flags = kept.view(np.uint8)
    if flags.shape[0] != tree.tags:
        raise ValueError(f"{flags.shape[0]} flags for {tree.tags} tags")
    return flags


def joined(Tree tree not None, kept not None):
    """Write the blocks of part of a tree's text, as they read in the output.

    Where a part of a block goes, a space parts what stays.

    Args:
        tree: the tree.
        kept: bool (t,), the tags after which the text stays.

    Returns:
        UTF-8, a line for each block of which some text stays, in order.
    """
    cdef const unsigned char[::1] stays = _of_tags(tree, kept)
    cdef const unsigned char[::1] shrunk = tree.shrunk
    cdef Py_ssize_t tags = tree.tags, tag, first = 0, last, at, stop, out = 0
    cdef bint some, fresh, waiting, trailing  # at a line's begin; a space before what comes
    cdef unsigned char[::1] joined = np.empty(shrunk.shape[0] + 1, np.uint8)
    while first < tags:
        some = False
        last = first
        while last < tags and tree.block_of[last] == tree.block_of[first]:
            some |= stays[last] and tree.chars_of[last] > 0
            last += 1
        if not some:
            first = last
            continue
        if out:
            joined[out] = c'\n'
            out += 1
        fresh, waiting = True, False
        for tag in range(first, last):
            at, stop = tree.shrunk_of[tag] + 1, tree.shrunk_of[tag + 1]
            if not stays[tag] and tree.chars_of[tag] > 0:
                waiting = True
                continue
            if at < stop and shrunk[at] == _SPACE:
                waiting = True
                at += 1
            trailing = at < stop and shrunk[stop - 1] == _SPACE
            stop -= trailing
            if at >= stop:
                continue
            if waiting and not fresh:
                joined[out] = _SPACE
                out += 1
            # Nothing is written twice, and of each tag at most as many bytes as stand there.
            memcpy(&joined[out], &shrunk[at], stop - at)
            out += stop - at
            fresh, waiting = False, trailing
        first = last
    return np.asarray(joined)[:out].tobytes()


def count(Tree tree not None, kept not None):
    """Count the code points that `joined` would write, line feeds included.

    Args:
        tree: the tree.
        kept: bool (t,), as in `joined`; of each block all or nothing.
    """
    cdef const unsigned char[::1] stays = _of_tags(tree, kept)
    cdef Py_ssize_t tag
    cdef int64_t count = 0, block = -1
    cdef bint parted = False
    for tag in range(tree.tags):
        parted |= tree.space_before[tag]
        if stays[tag] and tree.chars_of[tag] > 0:
            if block >= 0 and (parted or tree.block_of[tag] != block):
                count += 1
            count += tree.chars_of[tag]
            block = tree.block_of[tag]
            parted = False
        parted |= tree.space_after[tag]
    return count


def solid_chars(Tree tree not None, kept not None):
    """Count the code points, blanks left out, of the text after the tags marked in `kept`, bool (t,)."""
    cdef const unsigned char[::1] stays = _of_tags(tree, kept)
    cdef Py_ssize_t tag, at
    cdef int64_t count = 0
    for tag in range(tree.tags):
        if stays[tag]:
            for at in range(tree.shrunk_of[tag] + 1, tree.shrunk_of[tag + 1]):
                count += (tree.shrunk[at] > _SPACE) & ((tree.shrunk[at] & 0xC0) != 0x80)
    return count


def words(Tree tree not None):
    """Count the words, runs between blanks, after each tag. int64 (t,)."""
    cdef Py_ssize_t tag, at
    cdef int64_t[::1] words = np.empty(tree.tags, np.int64)
    cdef int64_t count
    for tag in range(tree.tags):
        count = 0
        for at in range(tree.shrunk_of[tag] + 1, tree.shrunk_of[tag + 1]):
            # Spaces stand alone, so there is one before each word but the first.
            count += (tree.shrunk[at] > _SPACE) & (tree.shrunk[at - 1] <= _SPACE)
        words[tag] = count
    return np.asarray(words)


def block_counts(Tree tree not None, kept not None):
    """Count the blocks of the body of which some text is kept, and those of which some is not.

    Args:
        tree: the tree.
        kept: bool (t,), the tags after which the text stays.
    """
    cdef const unsigned char[::1] stays = _of_tags(tree, kept)
    cdef Py_ssize_t tag, content = 0, other = 0, first, last
    cdef int64_t last_content = -1, last_other = -1
    first, last = tree.body_tags
    for tag in range(first, last):
        if tree.chars_of[tag] <= 0:
            continue
        if stays[tag]:
            content += tree.block_of[tag] != last_content
            last_content = tree.block_of[tag]
        else:
            other += tree.block_of[tag] != last_other
            last_other = tree.block_of[tag]
    return content, other
