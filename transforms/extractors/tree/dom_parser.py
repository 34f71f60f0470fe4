"""A page through libxml2: parsed, and its tree as XML and arrays."""

from __future__ import annotations

import numpy as np
from lxml import etree

from transforms.compiled import compiled
from transforms.extractors.tree.dom import TreeArrays, seen_arrays
from transforms.extractors.tree.dom_limits import TooDeepError, TreeLimitError, cap_attributes, check_size
from transforms.model.caps import Caps

_RAW = ("script", "style", "iframe", "noframes", "noembed", "xmp")
_LT, _MARK = np.uint8(ord("<")), np.uint8(ord("!"))


def tree_arrays(html: bytes, caps: Caps, keep_hidden: bool) -> TreeArrays:
    """Parses a page, and takes what is seen of it.

    Args:
        html: the page, UTF-8, without scripts, styles, and control characters but blanks of ASCII.
        caps: bounds of tags, attributes and depth.
        keep_hidden: see `dom.read_tree`.

    Returns:
        The arrays of its tree; empty where nothing but comments, blanks and declarations is found.

    Raises:
        TooDeepError: the tree is too deep.
        TreeLimitError: the page has too many tags, or libxml2 cut it short for another reason.
    """
    root = parsed(html, caps)
    if root is None:
        return seen_arrays(b"", caps.max_depth, keep_hidden)
    arrays = _element_arrays(root, caps.max_depth, keep_hidden)
    return seen_arrays(written(root), caps.max_depth, keep_hidden) if arrays is None else arrays


def parsed(html: bytes, caps: Caps) -> etree._Element | None:
    """Parses a page; see `tree_arrays`.

    What follows `</html>` is put at the end of the body, and a further document there is a `div`.

    Returns:
        One element with all of the page in it, or None.
    """
    check_size(html, caps.max_tags)
    root = _parse(cap_attributes(html, caps.max_attributes))
    if root is None:
        return None
    _gather(root)
    # With an XHTML doctype it would be written by other rules.
    root.getroottree().docinfo.clear()
    return root


@compiled
def _element_arrays(root: etree._Element, max_depth: int, keep_hidden: bool) -> TreeArrays | None:
    """The arrays of what is seen in an element that `parsed` gave.

    The compiled twin takes them from libxml2's nodes, and gives None where it finds other nodes than elements
    and text, namespaces, control characters, or `<` in names.

    Raises:
        TooDeepError: more elements than `max_depth` are open somewhere.
    """
    return seen_arrays(written(root), max_depth, keep_hidden)


def written(root: etree._Element) -> bytes:
    """An element that `parsed` gave as XML: UTF-8, no declaration.

    In it `>` stands at the end of tags only, and `<` in text not at all.
    """
    xml = _written(root)
    if _holds_sections(xml):
        # Text that is not markup to the parser is written as it stands.
        etree.strip_elements(root, *_RAW, with_tail=False)
        xml = _written(root)
    return xml


@compiled
def _holds_sections(xml: bytes) -> bool:
    """Whether there is a CDATA section; nothing else has `<!`."""
    data = np.frombuffer(xml, np.uint8)
    return bool(((data[1:] == _MARK) & (data[:-1] == _LT)).any())


def _written(root: etree._Element) -> bytes:
    xml: bytes = etree.tostring(root, encoding="utf-8", method="xml", with_tail=False)
    return xml


def _parse(html: bytes) -> etree._Element | None:
    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    try:
        root = etree.fromstring(html, parser)
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.ERR_DOCUMENT_EMPTY:
            return None
        raise TreeLimitError(str(error)) from error
    # A fatal error is where libxml2 stopped; what it had read until then is there, and no exception.
    last = parser.error_log.last_error
    if last is not None and last.level == etree.ErrorLevels.FATAL:
        raise (TooDeepError if "depth" in last.message else TreeLimitError)(last.message)
    return root


def _gather(root: etree._Element) -> None:
    """Moves what follows the root to the end of the body."""
    following = list(root.itersiblings())
    if not following:
        return
    body = next(root.iter("body"), root)
    for element in following:
        body.append(element)
        if element.tag == "html":
            element.tag = "div"
    etree.strip_tags(body, "head", "body")
