"""The options of `cedar dedup`: one frozen record, and the parser that makes it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipelines.common import option_values
from pipelines.common.arguments import Command, record_of
from pipelines.common.errors import UsageError
from pipelines.common.option_values import refused
from pipelines.common.talk_options import add_talk_arguments
from pipelines.extract.beam_arguments import beam_actions, split_arguments
from transforms.curation.banding import BANDS, LANES, ROWS

_EXAMPLES = """examples:
  cedar dedup january/ february/ --output unique/
  cedar dedup march/ --against unique/ --output march-unique/ --write
"""

KINDS = ("text", "near", "url")
"""By what pages may be duplicates."""


@dataclass(frozen=True, slots=True)
class DedupOptions:
    """What `cedar dedup` was asked for; the help of the parser says what each means."""

    corpora: tuple[str, ...]
    output: str
    by: tuple[str, ...]
    against: tuple[str, ...]
    prefer: str
    with_dropped: bool
    scope: str
    bands: int
    rows: int
    verify: float | None
    memory: int
    write: bool
    format: str | None
    workers: int | None
    runner: str
    beam_arguments: tuple[str, ...]
    refresh: bool
    overwrite: bool
    quiet: bool
    log_level: str


def add_dedup_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `cedar dedup`."""
    add = parser.add_argument
    path = option_values.path
    add("corpora", type=path, metavar="CORPUS", nargs="+", help="directories or URIs of corpora")
    add("--output", type=path, required=True, metavar="DIR", help="directory of the result (required)")
    group = parser.add_argument_group("what is a duplicate")
    add = group.add_argument
    add(
        "--by",
        type=_kinds,
        default=("text", "near"),
        metavar="KINDS",
        help="text: the same text; near: similar texts; url: the same URL (default: text,near)",
    )
    add(
        "--against",
        type=path,
        nargs="+",
        action="extend",
        default=[],
        metavar="DIR",
        help="earlier results of `cedar dedup`: their pages are kept, pages like them are duplicates",
    )
    add(
        "--scope",
        choices=("all", "language"),
        default="all",
        metavar="S",
        help="compare all pages, or those of one language (default: all)",
    )
    add(
        "--bands",
        type=option_values.positive,
        default=BANDS,
        metavar="N",
        help=f"bands of a signature; other than {BANDS} of {ROWS} rows: --full-signatures (default: {BANDS})",
    )
    add(
        "--rows",
        type=option_values.positive,
        default=ROWS,
        metavar="N",
        help=f"rows of a band; bands times rows are at most {LANES} (default: {ROWS})",
    )
    add(
        "--verify",
        type=_share,
        metavar="J",
        help="near duplicates are those whose estimated similarity with the kept page is J or more",
    )
    add(
        "--with-dropped",
        action="store_true",
        help="pages that are marked with a drop_reason take part, too",
    )
    group = parser.add_argument_group("which page is kept")
    add = group.add_argument
    add(
        "--prefer",
        metavar="P",
        help="first, newest, longest, or a column: COLUMN the greatest value, =-COLUMN the least "
        "(default: first; newest where --by has url)",
    )
    add("--write", action="store_true", help="write a corpus of the pages that are kept to DIR/corpus/")
    add("--format", metavar="F", help="format of that corpus (default: that of the first corpus)")
    group = parser.add_argument_group("how it runs")
    add = group.add_argument
    add(
        "--memory",
        type=option_values.size,
        default=1 << 30,
        metavar="SIZE",
        help="memory in which a worker sorts; more waits in files (default: 1GiB)",
    )
    add(
        "--workers",
        type=option_values.positive,
        metavar="N",
        help="local processes (default: one for 32 MiB of work, at most the cores)",
    )
    add(
        "--runner",
        type=option_values.runner,
        default="local",
        metavar="R",
        help="local, or a runner of Beam's with its own options, whose workers see DIR (default: local)",
    )
    add("--refresh", action="store_true", help="start afresh where corpora have changed")
    add("--overwrite", action="store_true", help="start the result afresh")
    add_talk_arguments(group)


def dedup_options(
    parser: argparse.ArgumentParser, argv: Sequence[str], beam_actions: Callable[[], dict[str, bool]]
) -> DedupOptions:
    """Parse the arguments of `cedar dedup`; nothing is looked at on disk.

    Args:
        parser: a parser with `add_dedup_arguments`.
        argv: the arguments after `dedup`.
        beam_actions: gives Beam's own options, as for `cedar extract`.

    Raises:
        UsageError: they do not go together.
    """
    own, beam_arguments = split_arguments(parser, argv, beam_actions)
    values = parser.parse_args(own)
    if values.format is not None and not values.write:
        raise UsageError("--format is that of the corpus that --write writes: give --write, too")
    if values.verify is not None and "near" not in values.by:
        raise UsageError("--verify looks at near duplicates: give --by near, too")
    if values.bands * values.rows > LANES:
        lanes = f"--bands {values.bands} --rows {values.rows} are {values.bands * values.rows} values"
        raise UsageError(f"{lanes}, but a signature has {LANES}: choose fewer")
    prefer = values.prefer or ("newest" if "url" in values.by else "first")
    return record_of(DedupOptions, values, prefer=prefer, beam_arguments=beam_arguments)


def _kinds(text: str) -> tuple[str, ...]:
    given = {part.strip() for part in text.split(",")}
    for kind in sorted(given):
        if kind not in KINDS:
            raise refused("kind of duplicates", kind, f"some of {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in given)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise refused("similarity", text, "write it as 0.8")
    return share


COMMAND = Command(
    usage="CORPUS ... --output DIR [options]",
    summary="duplicates, exact and near, within corpora and against earlier ones",
    description=(
        "Find the pages that are duplicates of others, and say which one of them is kept. "
        "Corpora are read, never changed. A run that was cut short goes on when the same command is given "
        "again."
    ),
    examples=_EXAMPLES,
    add_arguments=add_dedup_arguments,
    options=lambda parser, argv: dedup_options(parser, argv, beam_actions),
)
