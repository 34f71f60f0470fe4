"""A page through libxml2: parsed, and written out as XML."""

from __future__ import annotations

import numpy as np
from lxml import etree

from transforms.caps import Caps
from transforms.compiled import compiled
from transforms.extractors.dom_limits import TooDeepError, TreeLimitError, cap_attributes, check_size

_RAW = ("script", "style", "iframe", "noframes", "noembed", "xmp")
_LT, _MARK = np.uint8(ord("<")), np.uint8(ord("!"))


def parsed_xml(html: bytes, caps: Caps) -> bytes:
    """Parses a page and writes its tree as XML.

    What follows `</html>` is put at the end of the body, and a further document there is a `div`.

    Args:
        html: the page, UTF-8, without scripts, styles, and control characters but blanks of ASCII.
        caps: bounds of tags and attributes.

    Returns:
        One element with all of the page in it, UTF-8, no declaration; in it `>` stands at the end of tags
        only, and `<` in text not at all. b"" where nothing but comments, blanks and declarations is found.

    Raises:
        TooDeepError: libxml2 found the tree too deep.
        TreeLimitError: the page has too many tags, or libxml2 cut it short for another reason.
    """
    check_size(html, caps.max_tags)
    root = _parse(cap_attributes(html, caps.max_attributes))
    if root is None:
        return b""
    _gather(root)
    # With an XHTML doctype it would be written by other rules.
    root.getroottree().docinfo.clear()
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
