# cython: wraparound=True, boundscheck=True
"""The images of a page as Markdown."""

import re

from libc.stdint cimport uint64_t

from transforms.extractors.cedar._page cimport SegmentedPage
from transforms.extractors.html._tags cimport END, Tags

from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._tags import key
from transforms.extractors.html._text import rendered
from transforms.extractors.markdown._escaping import escaped, has_pairs
from transforms.extractors.markdown.addresses import web_address
from transforms.extractors.markdown.inserts import Insert

cdef enum:
    MARKS_AROUND = 3  # as in `_escaping`
    DOLLARS_AND_TILDES = 24

cdef uint64_t IMAGE = key("img")
_LATE = (b"data-src", b"data-original", b"data-lazy-src", b"src")
_SETS = (b"data-srcset", b"srcset")
_BRACKETS = re.compile(r"([\[\]])")
_MEANT_AS_LINK = re.compile(r"\](?=[(\[:])|\[\^")
_ROUND = str.maketrans("[]", "()")


def images(base, SegmentedPage page not None, Py_ssize_t first, Py_ssize_t last):
    """Finds the images of the web among the tags [first, last), in order."""
    cdef Tags tags = page.markup.tags
    cdef Py_ssize_t tag
    found = []
    for tag in range(first, last):
        if tags.name[tag] != IMAGE or tags.kind[tag] & END or not page.markup.shown[tag]:
            continue
        given = attributes(page.markup.html, tags.start[tag], tags.stop[tag])
        if given.get(b"width") in (b"0", b"1") or given.get(b"height") in (b"0", b"1"):
            continue  # nobody sees it
        address = _address(base, given)
        if address is not None:
            found.append(Insert(tag, tag, f"![{described(rendered(given.get(b'alt', b'')))}]({address})"))
    return found


cdef object _address(base, given):
    """The address of an image, of those that it has the one that is shown at last; None if it is none of the web."""
    addresses = [given[name] for name in _LATE if name in given]
    # Of a set, the first: an address, a blank, and how large it is.
    addresses += [(given[name].split() or (b"",))[0].rstrip(b",") for name in _SETS if name in given]
    return next(filter(None, [web_address(base, written) for written in addresses]), None)


def described(str text not None):
    """A description of an image within square brackets."""
    if not has_pairs(text) or _MEANT_AS_LINK.search(text):
        text = text.translate(_ROUND)
    pieces = _BRACKETS.split(text)
    return "".join([
        piece if piece in ("[", "]") else escaped(piece, 0, MARKS_AROUND | DOLLARS_AND_TILDES)
        for piece in pieces
    ])
