"""The tree of a page, for the methods that work on a DOM.

libxml2 parses the page; one walk over its nodes makes a `Tree`, in which an element's subtree is a range of
elements and a range of tags: sums over it are differences of cumulative sums, and nothing walks the tree node
by node any more.

What no browser shows as text is left out: comments, processing instructions, scripts, styles, titles, and
what stands inside of iframe, noframes, noembed, xmp and template; `noscript` stays, as without scripting.
What follows `</html>`, further documents included, belongs to the body, as in HTML5 (13.2.6.4.22); a further
document is a `div` there.
"""

from __future__ import annotations

from transforms.extractors.html._source import remove_invisible
from transforms.extractors.tree._limits import has_controls
from transforms.extractors.tree._tree import Tree
from transforms.extractors.tree.limits import TooDeepError, flatten
from transforms.extractors.tree.parser import parsed_tree
from transforms.model.caps import DEFAULT_CAPS, Caps

__all__ = ["Tree", "read_tree", "visible_source"]

_DROPPED = bytes(b for b in range(0x20) if not chr(b).isspace())
_ODD_BLANKS = b"\x0b\x0c\x1c\x1d\x1e\x1f"
_TO_SPACES = bytes.maketrans(_ODD_BLANKS, b" " * len(_ODD_BLANKS))


def visible_source(html: bytes) -> bytes:
    """Return a page without scripts, styles, comments and control characters, for `read_tree`.

    Args:
        html: valid UTF-8 without a byte-order mark.
    """
    return remove_invisible(_without_controls(html)).html


def read_tree(html: bytes, caps: Caps = DEFAULT_CAPS, *, keep_hidden: bool) -> Tree:
    """Parse a page.

    Args:
        html: the page as `visible_source` gives it.
        caps: bounds of tags, attributes and depth.
        keep_hidden: whether elements stay that the markup hides: by a `hidden` attribute, or by
            `display: none` in a `style` attribute.

    Returns:
        Its tree; empty where nothing but comments, blanks and declarations is found.

    Raises:
        TreeLimitError: the page cannot be parsed whole (see `limits`).
    """
    try:
        return parsed_tree(html, caps, keep_hidden)
    except TooDeepError:
        return parsed_tree(flatten(html, caps.max_depth), caps, keep_hidden)


def _without_controls(html: bytes) -> bytes:
    """Take control characters out of a page, and put spaces for blanks that HTML does not know as such.

    libxml2 would put U+FFFD in the place of both.
    """
    return html.translate(_TO_SPACES, _DROPPED) if has_controls(html) else html
