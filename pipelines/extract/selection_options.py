"""Which pages of a crawl are read, as options of `cedar extract`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from transforms.crawls.terms import Selection, SelectionError, parse_selection
from transforms.model.options import Group, option

SHARD_ROWS = 2000
"""Rows of a selection that are a shard: across files, because rare pages lie one here, one there."""


@dataclass(frozen=True, slots=True)
class SelectionOptions:
    """Which pages are read: at most `sample` of those selected, drawn by a hash; None = all.

    `index` says where a copy of the index is; None = below the crawl's root.
    """

    selection: Selection
    sample: int | None
    index: str | None


def select_option(group: Group) -> Any:
    """Make the field that chooses pages of crawls."""
    return option(
        "only the pages of a crawl that its index has so, as 'tld=is lang=isl': see docs/common-crawl.md",
        parse=_selection,
        metavar="EXPR",
        group=group,
    )


def _selection(text: str) -> Selection:
    try:
        return parse_selection(text)
    except SelectionError as error:
        raise argparse.ArgumentTypeError(f"not a valid selection: {error}") from None
