"""A page through libxml2, and the tree of what it made.

The nodes are read where they lie in memory (`_parser`), if the libxml2 that lxml brings is of the version
that the compiled module was built for: the layout of a node is fixed within a minor version. With another
one, the same tree is made of what lxml shows, several times slower.
"""

from __future__ import annotations

from lxml import etree

from transforms.extractors.tree._builder import TreeBuilder
from transforms.extractors.tree._tree import Tree
from transforms.extractors.tree.limits import TooDeepError, TreeLimitError, cap_attributes, check_size
from transforms.model.caps import Caps

try:
    import transforms.extractors.tree._parser as _parser
except ModuleNotFoundError:
    raise
except (ImportError, TypeError, ValueError):  # what Cython says where lxml's own objects have changed
    READS_NODES = False
else:
    READS_NODES = _parser.COMPILED_VERSION[:2] == tuple(etree.LIBXML_VERSION[:2])
"""Whether nodes are read where they lie."""


def parsed_tree(html: bytes, caps: Caps, keep_hidden: bool) -> Tree:
    """Parse a page, and make the tree of what is seen of it.

    Args:
        html: the page, UTF-8, without scripts, styles, and control characters but blanks of ASCII.
        caps: bounds of tags, attributes and depth.
        keep_hidden: see `tree.read_tree`.

    Raises:
        TooDeepError: the tree is too deep.
        TreeLimitError: the page has too many tags, or libxml2 cut it short for another reason.
    """
    root = parsed(html, caps)
    if root is None:
        return TreeBuilder(0, caps.max_depth, keep_hidden).finish()
    if READS_NODES:
        return _parser.tree_of_nodes(root, caps.max_depth, keep_hidden)
    return tree_of_elements(root, caps.max_depth, keep_hidden)


def tree_of_elements(root: etree._Element, max_depth: int, keep_hidden: bool) -> Tree:
    """Make the tree that `_parser.tree_of_nodes` makes, by what lxml shows of an element.

    Args:
        root: the element.
        max_depth: see `TreeBuilder`.
        keep_hidden: see `TreeBuilder`.

    Raises:
        TooDeepError: more elements than `max_depth` are open somewhere.
    """
    builder = TreeBuilder(sum(1 for _ in root.iter(etree.Element)), max_depth, keep_hidden)
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


def parsed(html: bytes, caps: Caps) -> etree._Element | None:
    """Parse a page; see `parsed_tree`.

    What follows `</html>` is put at the end of the body, and a further document there is a `div`.

    Returns:
        One element with all of the page in it, or None where nothing but comments, blanks and declarations
        is found.
    """
    check_size(html, caps.max_tags)
    root = _parse(cap_attributes(html, caps.max_attributes))
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
