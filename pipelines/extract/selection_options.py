"""Which pages of a crawl are read, as options of `cedar extract`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any, Protocol

from pipelines.common.errors import UsageError
from transforms.crawls.names import NEWS_LATEST, SCHEME
from transforms.crawls.terms import Selection, SelectionError, parse_selection
from transforms.model.options import Group, option

SHARD_ROWS = 2000
"""Rows of a selection that are a shard: across files, because rare pages lie one here, one there."""


@dataclass(frozen=True, slots=True)
class SelectionOptions:
    """Which pages are read.

    Attributes:
        selection: what the index is asked for.
        sample: at most this many of them, drawn by a hash; None = all.
        index: where a copy of the index is, or None: below the crawl's root.
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


class _Given(Protocol):
    """The options that a selection goes together with, or not."""

    @property
    def inputs(self) -> tuple[str, ...]: ...
    @property
    def sample(self) -> int | None: ...
    @property
    def index(self) -> str | None: ...
    @property
    def watch(self) -> float | None: ...
    @property
    def queue(self) -> object | None: ...


def check_selection(select: Selection | None, given: _Given) -> None:
    """Raise UsageError for options that do not go together with a selection, or that need one."""
    if select is None:
        if given.sample is not None:
            raise UsageError("--sample is of what --select names: for files of a crawl take --sample-files")
        if given.index is not None:
            raise UsageError("--index is what --select asks: leave it out, or add --select")
        return
    for source in given.inputs:
        name = source.removeprefix(SCHEME).upper()
        if not source.startswith(SCHEME) or name.startswith("CC-NEWS") or name == NEWS_LATEST.upper():
            raise UsageError(f"--select is for main crawls, as cc:CC-MAIN-2026-04: leave out {source}")
    for name, is_given in (("--watch", given.watch is not None), ("--queue", given.queue is not None)):
        if is_given:
            raise UsageError(f"--select asks the index of a crawl that is whole: leave out {name}")


def _selection(text: str) -> Selection:
    try:
        return parse_selection(text)
    except SelectionError as error:
        raise argparse.ArgumentTypeError(f"not a valid selection: {error}") from None
