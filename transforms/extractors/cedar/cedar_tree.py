"""Which element each tag opens and closes: a stack over block-level tags, with HTML's implied end tags.

It is no parser: inline elements are not in the tree, and what stands in the wrong place stays where it is. An
end tag closes the nearest open element of its name if that is among the `SEARCH` innermost and in the same
table cell; else it closes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar.cedar_lookup import Lookup, lookup
from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.html.tag_names import TagNames, key

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
_CELLS = _codes("td th")
_OF_TABLES = _codes("td th tr tbody thead tfoot table caption")
_TABLE = CODE["table"]
_PAGE = len(ORDER)
_CLOSES, _STOPS = 1, 2


def _rule(code: int, opened: int) -> int:
    """What a tag of code `code` does to the open element `opened`, which may be the page.

    `_CLOSES`: its start tag closes it where it is innermost; `_STOPS`: its end tag looks no further out.
    """
    closes = opened in _CLOSED_BY_ITEMS.get(ORDER[code], _PARAGRAPH)
    stops = opened == _TABLE or (opened in _CELLS and code not in _OF_TABLES)
    return _CLOSES * closes + _STOPS * stops


_RULES = bytes(_rule(code, opened) for code in range(_PAGE) for opened in range(_PAGE + 1))
"""The rules of each code for each open element; those of the page end each row."""

_NUMBERS = lookup({int(value): code for code, value in enumerate(_KEYS)})


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
    return Elements(*_elements(names.keys, names.ends, alive, _NUMBERS, _RULES, SEARCH))


@compiled
def _elements(
    keys: NDArray[np.uint64], ends: Flags, alive: Flags, numbers: Lookup, rules: bytes, search: int
) -> tuple[Offsets, Offsets, Offsets, Offsets, Offsets, Offsets]:
    """The attributes of `Elements`.

    Args:
        keys: uint64 (t,), keys of the tags' names.
        ends: bool (t,), whether each is an end tag.
        alive: bool (t,), the tags to look at.
        numbers: codes by keys.
        rules: as `_RULES`.
        search: how many open elements an end tag looks at.
    """
    code_of = numbers.find(keys)
    turns = ((code_of >= 0) & alive).nonzero()[0]
    kinds = code_of[turns]
    is_end = ends[turns]
    page = numbers.limit
    width = page + 1
    codes = np.concatenate(([-1], kinds[~is_end]))
    opens = np.concatenate(([-1], turns[~is_end]))
    closes = [keys.size] * codes.size
    parents = [0]
    inside = []
    stack = [0]
    stack_codes = [page]
    element = innermost = 0
    for tag, code, end in zip(turns.tolist(), kinds.tolist(), is_end.tolist(), strict=True):
        if end:
            if code == stack_codes[-1]:
                closes[innermost] = tag
                del stack[-1], stack_codes[-1]
                innermost = stack[-1]
            elif depth := _open(stack_codes, code, rules[width * code :], search):
                for closed in stack[depth:]:
                    closes[closed] = tag
                del stack[depth:], stack_codes[depth:]
                innermost = stack[-1]
        else:
            row = width * code
            while rules[row + stack_codes[-1]] & _CLOSES:
                closes[innermost] = tag
                del stack[-1], stack_codes[-1]
                innermost = stack[-1]
            parents.append(innermost)
            element += 1
            stack.append(element)
            stack_codes.append(code)
            innermost = element
        inside.append(innermost)
    return (
        codes,
        np.array(parents, np.int64),
        opens,
        np.array(closes, np.int64),
        turns,
        np.array(inside, np.int64),
    )


def _open(stack_codes: list[int], code: int, rule: bytes, search: int) -> int:
    """Depth of the innermost open element of a name, as far as an end tag looks; 0 if there is none."""
    for depth in range(len(stack_codes) - 1, max(0, len(stack_codes) - 1 - search), -1):
        found = stack_codes[depth]
        if found == code:
            return depth
        if rule[found] & _STOPS:
            return 0
    return 0


@compiled
def places(
    first_gaps: Offsets, turns: Offsets, inside: Offsets, opens: Offsets, closes: Offsets
) -> tuple[Offsets, Offsets, Offsets]:
    """Where blocks and elements stand to each other.

    Args:
        first_gaps: int64 (n,), the number of tags before each block, ascending.
        turns: int64 (s,), as in `Elements`, and so are the others.
        inside: int64 (s,).
        opens: int64 (e,).
        closes: int64 (e,).

    Returns:
        int64 (n,), the innermost element around each block; int64 (e,), the first block inside of each
        element; int64 (e,), one past its last block.
    """
    turn = turns.searchsorted(first_gaps) - 1  # the gap g stands behind tag g - 1
    nearest = np.append(inside, 0)[turn]
    return nearest, first_gaps.searchsorted(opens + 1), first_gaps.searchsorted(closes, "right")
