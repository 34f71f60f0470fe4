"""The columns: the numbers that describe each block of a page, by name, `group.name`.

All are counts and quotients of counts, which every machine computes alike.
"""

from cedar.transforms.extractors.cedar.model import KINDS
from cedar.transforms.extractors.segments.names import GROUPS, SCHEMAS

_ANCESTORS = 4


def _named(group: str, names: str) -> tuple[str, ...]:
    return tuple(f"{group}.{name}" for name in names.split())


OWN = _named(
    "own",
    "units plain link_density stops stops_per_unit commas commas_per_unit colons_per_unit rules_per_unit"
    " signs_per_unit digits capitals chars_per_unit ends_stop ends_colon tags tag_ratio",
)
"""Length, link density, punctuation and the like of the block alone; units are tenths of words."""

PLACED_IN = {
    "p": "p",
    "li": "li",
    "cell": "td th",
    "div": "div",
    "section": "section article main body",
    "term": "dt dd",
    "code": "pre listing xmp",
    "quote": "blockquote",
    "caption": "figcaption caption figure",
    "control": "button option optgroup select label legend form fieldset summary",
}
"""The elements a block may stand in directly."""

TAG = ("tag.heading", *(f"tag.{name}" for name in PLACED_IN), *_named("tag", "after_br before_br gap"))
"""What element the block stands in, and what parted it from the block before."""

NEIGHBOURS = (
    *(
        f"near.{what}{offset:+d}"
        for offset in (-2, -1, 1, 2)
        for what in ("units", "link_density", "stops")
        if what != "stops" or abs(offset) == 1
    ),
    *(f"near.{what}_window{reach}" for reach in (2, 5, 12) for what in ("plain", "link_density", "stops")),
    *_named("near", "tag_ratio plain_before plain_after blocks_since_long blocks_to_long"),
)
"""The blocks before and after, one by one and in windows (CETR's smoothing)."""

POSITION = _named("place", "index from_end part plain_part long_before after_top tops")
"""Where on the page the block stands, also relative to its first heading."""

DENSITIES = tuple(
    f"around{level + 1}.{measure}"
    for level in range(_ANCESTORS)
    for measure in ("blocks", "plain", "share", "link_density", "density", "per_block", "stops", "long")
)
"""Text density, link density and weight of the elements around the block (CETD, CoreEx)."""

CONTAINER = _named(
    "box", "weight_share weight_share2 own inside distance steps growth plain share run run_distance"
)
"""Where the block stands to the densest container, and to the best run of blocks (BTE)."""

MEANINGS = {
    "article": "article",
    "main": "main",
    "nav": "nav menu",
    "aside": "aside",
    "header": "header",
    "footer": "footer",
    "form": "form fieldset",
    "table": "table",
    "list": "ul ol",
    "figure": "figure",
    "section": "section",
    "details": "details",
    "noscript": "noscript",
    "dialog": "dialog",
}
"""Elements that say something by their names."""

NAMES_AROUND = (
    *(f"name.{name}" for name in MEANINGS),
    *(f"class.{name}" for name in GROUPS),
    "class.hidden",
    *(f"class.{name}_near" for name in GROUPS),
)
"""The names of the elements around the block, and words of their classes and roles."""

REPETITION = (
    "same.siblings1",
    *(f"same.{what}{level}" for level in range(2, 6) for what in ("siblings", "mean")),
    *_named("same", "levels texts again"),
)
"""Siblings of one kind around the block, and blocks of one text."""

SECTIONS = _named("part", "plain link_density blocks index level number title")
"""The text between one heading and the next, and how like the heading is to the page's title."""

LEAD = _named("lead", "likeness after words plain_part link_density sections level")
"""Where the block stands to the headline: what lies between, and which element around the block holds it."""

PAGE = (
    *_named("page", "units link_density long longs blocks per_block articles"),
    *(f"page.schema_{name}" for name in SCHEMAS),
)
"""The page as a whole."""

FIELDS = (
    *_named("field", "after in_form distance"),
    *(f"field.around{level + 1}" for level in range(_ANCESTORS)),
)
"""Fields to fill in: before the next block, in the form and the elements around; blocks to the nearest."""

PICTURES = tuple(f"picture.around{level + 1}" for level in range(_ANCESTORS))
"""Pictures to a block in the elements around."""

_OF_ITEMS = "count blocks words alike link picture heading price prose"
ITEMS = _named("item", _OF_ITEMS)
"""The innermost of like elements, three or more, around the block: posts, cards, rows of facts.

How many they are; blocks and words in each; how many are about as long as the mean; and what share of them
holds a link, a picture, a heading, the sign of a price, running text.
"""

OUTER_ITEMS = _named("outer", _OF_ITEMS)
"""The same of the outermost of them."""

CELLS = _named("cell", "present words digits texts")
"""The blocks at the same place in like elements, as labels and values are.

In what share of the items there is one; their words; what share has a digit; different texts to a block.
"""

SIGNS = _named("sign", "digits_window3 digits_window10 colons_window10")
"""Digits and colons among the characters near: facts, prices, hours."""

BLOCK_COLUMNS = (
    *OWN,
    *TAG,
    *NEIGHBOURS,
    *POSITION,
    *DENSITIES,
    *CONTAINER,
    *NAMES_AROUND,
    *REPETITION,
    *SECTIONS,
    *LEAD,
    *PAGE,
    *FIELDS,
    *PICTURES,
    *ITEMS,
    *OUTER_ITEMS,
    *CELLS,
    *SIGNS,
)
"""What the blocks are: the columns of the first scores, in the order of their rows."""

VOTES = (
    *_named(
        "vote", "likely mass_above expected_here above_last expected last sure_share sure_words total share"
    ),
    *(f"vote.likely{offset:+d}" for offset in (-2, -1, 1, 2)),
    *(f"vote.window{reach}" for reach in (2, 5, 12)),
    *(f"vote.around{level + 1}{measure}" for level in range(_ANCESTORS) for measure in ("", "_share")),
    *(f"vote.siblings{level + 1}" for level in range(5)),
    *_named("vote", "kin other_kin"),
    *_named("vote", "sure_before sure_after since_sure to_sure run run_distance section rest lead"),
)
"""What the first scores of the page's other blocks say."""

KIND_COLUMNS = (*BLOCK_COLUMNS, *VOTES)
"""The columns whose means the kinds of pages are told by."""

SECOND_COLUMNS = (*VOTES, *(f"kind.{kind}" for kind in KINDS))
"""What is known after the first scores: votes, and the kind of page."""

ALL_COLUMNS = (*BLOCK_COLUMNS, *SECOND_COLUMNS)
"""The columns of the final scores, in the order of their rows."""
