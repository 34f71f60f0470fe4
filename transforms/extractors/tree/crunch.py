"""Crunch (Gupta, Kaiser, Neistadt, Grimm: DOM-based content extraction of HTML documents, WWW 2003).

Filters that a proxy's users switch on and off. The tree is walked once, from the top down; at each element
the first filter that applies acts, and unless the element is gone its children are walked:

    ads              a link or an image from a host of a list
    link lists       a table cell with more than .25 links a word; a word is five characters outside of links.
                     Its texts and its links of the kind that counts go
    text links, image links, images; by name: noscript, form, input, button, select
    empty tables     after their content: without an image, a link or a field, and hardly a character

`preset` has the settings: the shipped ones of Crunch 1.0, the ones its code falls back to, and the ones of
a later preset for news. The published paper measures no setting. Images may be replaced by their alternative
texts (`shipped`), which count as texts of the page then. Ours: `cells=blocks`, since only `td` is ever tested
in any version, and pages have no tables any more; and of the texts in a table runs of blanks count as one.
"""

import re
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from cedar.transforms.extractors.html._source import Source
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets, code_points
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.tree._crunch import KEPT, taken, with_alternatives
from cedar.transforms.extractors.tree.extraction import TreeDecision, TreeMethod, TreeOptions
from cedar.transforms.extractors.tree.tree import Tree

_RATIO = 0.25
_WORD = 5  # characters
CELLS = {
    "td": ("td",),
    "blocks": ("td", "th", "div", "li", "ul", "ol", "nav", "section", "aside", "header", "footer"),
}
_HOST = re.compile(r"(?:https?|ftp)://([^/:?#]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrunchOptions(TreeOptions):
    """Options of `crunch`."""

    preset: Annotated[
        Literal["shipped", "code", "news"],
        About("settings: those shipped with Crunch 1.0, those in its code, or a later preset for news"),
    ] = "shipped"
    cells: Annotated[
        Literal["td", "blocks"],
        About("what may be a list of links: table cells, or (ours) block-level elements, too"),
    ] = "td"
    ad_hosts: Annotated[
        str, About("hosts whose links and images go, with blanks or + between; Crunch's list is not here")
    ] = ""

    def tree(self, source: Source) -> Tree:
        """The tree that the filters see: with the alternative texts of images where these replace them."""
        tree = TreeOptions.tree(self, source)
        if SETTINGS[self.preset].image_alts and tree.named("img").any():
            return with_alternatives(tree)
        return tree


@dataclass(frozen=True, slots=True, kw_only=True)
class CrunchSettings:
    """The switches of Crunch; rules that are on in all presets have none.

    `list_image_links` and `list_text_links` say whether links with an image, and others, count in link lists
    and go with them. A table stays for an element of `substance`, or for `min_substance` characters.
    """

    list_image_links: bool
    list_text_links: bool
    text_links: bool
    image_links: bool
    image_alts: bool
    names: tuple[str, ...]
    substance: tuple[str, ...]
    min_substance: int


_FIELDS = ("input", "button", "select")
_CODE = CrunchSettings(
    list_image_links=True,
    list_text_links=True,
    text_links=True,
    image_links=True,
    image_alts=False,
    names=("noscript", "form", *_FIELDS),
    substance=("img", "a", "iframe", *_FIELDS, "textarea"),
    min_substance=1,
)
SETTINGS = {
    "shipped": CrunchSettings(
        list_image_links=False,
        list_text_links=True,
        text_links=False,
        image_links=True,
        image_alts=True,
        names=("noscript",),
        substance=("img", "a", "textarea"),
        min_substance=12,
    ),
    "code": _CODE,
    "news": replace(_CODE, substance=(*_CODE.substance, "form"), min_substance=12),
}


@TreeMethod
def crunch(tree: Tree, options: CrunchOptions) -> TreeDecision:
    """Crunch; a block's score is the links a word of the cell around it."""
    marks, ratios = marked(tree, options)
    by, text_by = taken(tree, marks, SETTINGS[options.preset])
    return TreeDecision(
        by == KEPT, (text_by == KEPT) & tree.body_text, _around(tree, ratios, options), _RATIO
    )


def marked(tree: Tree, options: CrunchOptions) -> tuple[Offsets, Floats]:
    """Look at the elements of a tree.

    Returns:
        int64 (n,), what each is, a bit each from the lowest on: from hosts of ads; `a` with an address; such
        a link with an image directly in it, or this image; an image; one that goes by its name; a cell with
        more links a word than there may be; a table; what a table stays for. And the links a word of each
        cell, float64 (n,); 0 for other elements.
    """
    settings = SETTINGS[options.preset]
    links = tree.with_attribute(tree.named("a"), "href")
    images = tree.named("img")
    in_links = images & (tree.parents >= 0) & links[tree.parents] if tree.size else images
    image_links = in_links.copy()
    image_links[tree.parents[in_links]] = True
    ratios, lists = _link_lists(tree, links, image_links, options=options)
    flags = (
        _ads(tree, options.ad_hosts),
        links,
        image_links,
        images,
        tree.named(*settings.names),
        lists,
        tree.named("table"),
        tree.named(*settings.substance),
    )
    marks = np.zeros(tree.size, np.int64)
    for bit, flag in enumerate(flags):
        marks |= flag.astype(np.int64) << bit
    return marks, ratios


def _link_lists(
    tree: Tree, links: Flags, image_links: Flags, *, options: CrunchOptions
) -> tuple[Floats, Flags]:
    """The links a word of each cell, float64 (n,), and the cells that are lists of links, bool (n,)."""
    settings = SETTINGS[options.preset]
    cells = tree.named(*CELLS[options.cells])
    images_count = settings.list_image_links or not settings.list_text_links
    texts_count = settings.list_text_links or not settings.list_image_links
    counted = links & np.where(image_links, images_count, texts_count)
    # What stands in place of an image is not a word of the page yet.
    unread = tree.covered(links | tree.named("img"))
    (before,) = code_points(tree.text, tree.texts)
    chars = np.diff(before)
    words = tree.text_sums(np.where(unread[tree.inside], 0, chars)) / _WORD
    held = tree.element_sums(counted)
    ratios = np.where(cells, held / np.maximum(words, 1 / _WORD), 0.0)
    return ratios, cells & ((words == 0) | (ratios > _RATIO))


def _ads(tree: Tree, hosts: str) -> Flags:
    """Mark the elements whose address has one of these hosts. bool (n,)."""
    marks = np.zeros(tree.size, bool)
    listed = {host.lower() for host in re.split(r"[\s,+]+", hosts) if host}
    if listed:
        everything = np.ones(tree.size, bool)
        addressed = tree.with_attribute(everything, "href") | tree.with_attribute(everything, "src")
        for element in np.flatnonzero(addressed).tolist():
            attributes = tree.attributes(element)
            address = _HOST.match(attributes.get("href", attributes.get("src", "")))
            marks[element] = address is not None and address[1].lower() in listed
    return marks


def _around(tree: Tree, ratios: Floats, options: CrunchOptions) -> Floats:
    """The links a word of the innermost cell around each element, or of itself. float64 (n,)."""
    cells = tree.named(*CELLS[options.cells])
    found = ratios.tolist()
    for element, (parent, is_cell) in enumerate(zip(tree.parents.tolist(), cells.tolist(), strict=True)):
        if not is_cell and parent >= 0:
            found[element] = found[parent]
    return np.array(found)
