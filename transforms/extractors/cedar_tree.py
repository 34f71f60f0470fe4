"""Which element each tag opens and closes: a stack over block-level tags, with HTML's implied end tags.

It is no parser: inline elements are not in the tree, and what stands in the wrong place stays where it is. An
end tag closes the nearest open element of its name if that is among the `SEARCH` innermost and in the same
table cell; else it closes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transforms.extractors.characters import Flags, Offsets
from transforms.extractors.tag_names import TagNames, key

SEARCH = 24
"""How many open elements an end tag looks at."""

_NAMES = (
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html label legend li listing main"
    " menu nav noscript ol optgroup option p plaintext pre search section select summary table tbody td"
    " textarea tfoot th thead tr ul xmp"
)

_KEYS = np.array(sorted(key(name) for name in _NAMES.split()), np.uint64)
_CODES = {key(name): name for name in _NAMES.split()}
ORDER = tuple(_CODES[int(value)] for value in _KEYS)
"""The names by their codes; code i is `ORDER[i]`."""

CODE = {name: code for code, name in enumerate(ORDER)}


def _codes(names: str) -> frozenset[int]:
    return frozenset(CODE[name] for name in names.split())


_HEADINGS = "h1 h2 h3 h4 h5 h6"
_PARAGRAPH = _codes("p")
_CLOSED_BY_ITEMS = {
    "li": _codes("p li"),
    "dt": _codes("p dt dd"),
    "dd": _codes("p dt dd"),
    "td": _codes("p td th"),
    "th": _codes("p td th"),
    "tr": _codes("p td th tr"),
    "tbody": _codes("p td th tr thead tbody"),
    "tfoot": _codes("p td th tr thead tbody"),
    "option": _codes("option"),
    "optgroup": _codes("option optgroup"),
    "body": _codes("p head"),
    "button": _codes("button"),
    **dict.fromkeys(_HEADINGS.split(), _codes(f"p {_HEADINGS}")),
}
_CLOSES = tuple(_CLOSED_BY_ITEMS.get(name, _PARAGRAPH) for name in ORDER)
"""What a start tag closes when it is innermost."""

_CELLS = _codes("td th")
_OF_TABLES = _codes("td th tr tbody thead tfoot table caption")
_TABLE = CODE["table"]


@dataclass(frozen=True, slots=True)
class Elements:
    """The block-level elements of a page, in the order of their start tags; element 0 is the page.

    Attributes:
        codes: int64 (e,), index of the name in `ORDER`; -1 for the page.
        parents: int64 (e,), the element around each; 0 for the page.
        opens: int64 (e,), index of the start tag; -1 for the page.
        closes: int64 (e,), index of the tag that ends it; the number of tags where the page's end does.
        turns: int64 (s,), the tags that open or close something, ascending.
        inside: int64 (s,), the innermost element open after each.
    """

    codes: Offsets
    parents: Offsets
    opens: Offsets
    closes: Offsets
    turns: Offsets
    inside: Offsets


def elements(names: TagNames, alive: Flags) -> Elements:
    """Finds the elements of a page.

    Args:
        names: names of its t tags.
        alive: bool (t,), the tags to look at.
    """
    slot = np.minimum(_KEYS.searchsorted(names.keys), _KEYS.size - 1)
    turns = ((_KEYS[slot] == names.keys) & alive).nonzero()[0]
    kinds = slot[turns]
    ends = names.ends[turns]
    codes = np.concatenate(([-1], kinds[~ends]))
    opens = np.concatenate(([-1], turns[~ends]))
    closes = [names.keys.size] * codes.size
    parents = [0]
    inside = []
    stack = [0]
    stack_codes = [-1]
    element = innermost = 0
    for tag, code, end in zip(turns.tolist(), kinds.tolist(), ends.tolist(), strict=True):
        if end:
            if code == stack_codes[-1]:
                closes[innermost] = tag
                del stack[-1], stack_codes[-1]
                innermost = stack[-1]
            elif depth := _open(stack_codes, code):
                for closed in stack[depth:]:
                    closes[closed] = tag
                del stack[depth:], stack_codes[depth:]
                innermost = stack[-1]
        else:
            implied = _CLOSES[code]
            while stack_codes[-1] in implied:
                closes[innermost] = tag
                del stack[-1], stack_codes[-1]
                innermost = stack[-1]
            parents.append(innermost)
            element += 1
            stack.append(element)
            stack_codes.append(code)
            innermost = element
        inside.append(innermost)
    return Elements(
        codes,
        np.array(parents, np.int64),
        opens,
        np.array(closes, np.int64),
        turns,
        np.array(inside, np.int64),
    )


def _open(stack_codes: list[int], code: int) -> int:
    """Depth of the innermost open element of a name, as far as an end tag looks; 0 if there is none."""
    of_tables = code in _OF_TABLES
    for depth in range(len(stack_codes) - 1, max(0, len(stack_codes) - 1 - SEARCH), -1):
        found = stack_codes[depth]
        if found == code:
            return depth
        if found == _TABLE or (found in _CELLS and not of_tables):
            return 0
    return 0
