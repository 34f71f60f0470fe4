"""Which pages of a crawl are read, as options of `cedar extract`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pipelines.common import option_values
from pipelines.common.errors import UsageError
from transforms.crawls.names import NEWS_LATEST, SCHEME
from transforms.crawls.terms import Selection, SelectionError, parse_selection

SHARD_ROWS = 2000
"""Rows of a selection that are a shard: across files, because rare pages lie one here, one there."""


@dataclass(frozen=True, slots=True)
class SelectionOptions:
    """Which pages are read.

    Attributes:
        selection: what the index is asked for.
        sample: so many of them at most, drawn by a hash; None = all.
        index: where a copy of the index is, or None: below the crawl's root.
    """

    selection: Selection
    sample: int | None
    index: str | None


def add_selection_arguments(group: argparse._ActionsContainer) -> None:
    """Add the arguments that choose pages of crawls."""
    group.add_argument(
        "--select",
        type=_selection,
        metavar="EXPR",
        help="only the pages of a crawl that its index has so, as 'tld=is lang=isl': see "
        "docs/common-crawl.md",
    )
    group.add_argument(
        "--sample",
        type=option_values.positive,
        metavar="N",
        help="N of the pages that --select names, drawn by a hash: everywhere the same",
    )
    group.add_argument(
        "--index",
        type=option_values.path,
        metavar="URI",
        help="a copy of the index, laid out in crawl=NAME/subset=warc/ (default: the one below --crawl-root)",
    )


def selection_options(values: argparse.Namespace) -> SelectionOptions | None:
    """Return what was asked for, or None.

    Raises:
        UsageError: it does not go together with the rest.
    """
    if values.select is None:
        if values.sample is not None:
            raise UsageError("--sample is of what --select names: for files of a crawl take --sample-files")
        if values.index is not None:
            raise UsageError("--index is what --select asks: leave it out, or add --select")
        return None
    for given in values.inputs:
        name = given.removeprefix(SCHEME).upper()
        if not given.startswith(SCHEME) or name.startswith("CC-NEWS") or name == NEWS_LATEST.upper():
            raise UsageError(f"--select is for main crawls, as cc:CC-MAIN-2026-04: leave out {given}")
    for name, is_given in (("--watch", values.watch is not None), ("--queue", values.queue is not None)):
        if is_given:
            raise UsageError(f"--select asks the index of a crawl that is whole: leave out {name}")
    return SelectionOptions(values.select, values.sample, values.index)


def _selection(text: str) -> Selection:
    try:
        return parse_selection(text)
    except SelectionError as error:
        raise argparse.ArgumentTypeError(f"not a valid selection: {error}") from None
