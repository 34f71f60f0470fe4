"""The tree of a page, for the methods that work on a DOM: libxml2 parses it, and one walk makes a `Tree`.

What no browser shows as text is left out: comments, processing instructions, scripts, styles, titles, and
what stands inside of iframe, noframes, noembed, xmp and template; `noscript` stays, as without scripting.
What follows `</html>`, further documents included, belongs to the body, as in HTML5 (13.2.6.4.22); a further
document is a `div` there.

The nodes are read where they lie in memory (`_parser`), if lxml's libxml2 is of the minor version that the
compiled module was built for, within which their layout is fixed. With another one, the same tree is made of
what lxml shows, several times slower.
"""

from lxml import etree

from cedar.transforms.extractors.html._source import Source, remove_invisible
from cedar.transforms.extractors.tree._limits import has_controls
from cedar.transforms.extractors.tree._tree import Tree, TreeBuilder
from cedar.transforms.extractors.tree.limits import (
    MAX_ATTRIBUTES,
    MAX_DEPTH,
    MAX_TAGS,
    TooDeepError,
    TreeLimitError,
    cap_attributes,
    check_size,
    flatten,
)

__all__ = ["Tree", "read_tree", "visible_source"]

_DROPPED = bytes(b for b in range(0x20) if not chr(b).isspace())
_ODD_BLANKS = b"\x0b\x0c\x1c\x1d\x1e\x1f"
_TO_SPACES = bytes.maketrans(_ODD_BLANKS, b" " * len(_ODD_BLANKS))


def visible_source(html: bytes) -> Source:
    """Remove scripts, styles, comments and control characters from a page, for `read_tree`.

    Spaces stand for blanks that HTML does not know as such. libxml2 would put U+FFFD in the place of both.
    """
    if has_controls(html):
        html = html.translate(_TO_SPACES, _DROPPED)
    return remove_invisible(html)


def read_tree(source: Source, *, keep_hidden: bool) -> Tree:
    """Parse a page that `visible_source` gave; its tree is empty if it has no element and no text.

    `keep_hidden`: whether elements stay that a `hidden` or a `style` attribute (`display: none`) hides.

    Raises TreeLimitError: the page cannot be parsed whole (see `limits`).
    """
    try:
        return parsed_tree(source.html, keep_hidden)
    except TooDeepError:
        return parsed_tree(flatten(source.html, MAX_DEPTH), keep_hidden)


try:
    import cedar.transforms.extractors.tree._parser as _parser
except ModuleNotFoundError:
    raise
except (ImportError, TypeError, ValueError):  # what Cython says where lxml's own objects have changed
    READS_NODES = False
else:
    READS_NODES = _parser.COMPILED_VERSION[:2] == tuple(etree.LIBXML_VERSION[:2])
"""Whether nodes are read where they lie."""


def parsed_tree(html: bytes, keep_hidden: bool) -> Tree:
    """Parse a page, without scripts, styles, and control characters, and make the tree of its visible part.

    Raises TooDeepError: the tree is too deep; TreeLimitError: the page has too many tags, or libxml2 cut it
    short for another reason.
    """
    root = parsed(html)
    if root is None:
        return TreeBuilder(MAX_DEPTH, keep_hidden).finish()
    if READS_NODES:
        return _parser.tree_of_nodes(root, MAX_DEPTH, keep_hidden)
    return tree_of_elements(root, MAX_DEPTH, keep_hidden)


def tree_of_elements(root: etree._Element, max_depth: int, keep_hidden: bool) -> Tree:
    """Make the tree of `_parser.tree_of_nodes` by what lxml shows of an element, or raise TooDeepError."""
    builder = TreeBuilder(max_depth, keep_hidden)
    for event, element in etree.iterwalk(root, events=("start", "end")):
        is_empty = len(element) == 0 and element.text is None
        if event == "start":
            attributes = [(name.encode(), value.encode()) for name, value in element.attrib.items()]
            builder.open(element.tag.encode(), attributes, is_empty)
            builder.add((element.text or "").encode())
        else:
            if not is_empty:
                builder.close()
            if element is not root:
                builder.add((element.tail or "").encode())
    return builder.finish()


def parsed(html: bytes) -> etree._Element | None:
    """Parse a page into one element with all of it; None if it has only comments, blanks and declarations.

    What follows `</html>` is put at the end of the body, and a further document there is a `div`.
    """
    check_size(html, MAX_TAGS)
    root = _parse(cap_attributes(html, MAX_ATTRIBUTES))
    if root is not None:
        _gather(root)
    return root


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
    """Move what follows the root to the end of the body."""
    following = list(root.itersiblings())
    if not following:
        return
    body = next(root.iter("body"), root)
    for element in following:
        body.append(element)
        if element.tag == "html":
            element.tag = "div"
    etree.strip_tags(body, "head", "body")
