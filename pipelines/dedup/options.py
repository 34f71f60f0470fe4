"""The options of `cedar dedup`: one frozen record, and the parser that makes it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from cedar.pipelines.beam.beam_arguments import split_arguments
from cedar.pipelines.common import option_types
from cedar.pipelines.common.arguments import Command, Parser, record_from_args
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.mask_options import MaskOptions
from cedar.pipelines.common.option_types import invalid_value
from cedar.pipelines.common.shared_options import (
    RUNNING,
    json_option,
    log_format_option,
    log_level_option,
    quiet_option,
)
from cedar.transforms.curation.banding import BANDS, LANES, ROWS
from cedar.transforms.model.options import Group, flag, option, options_of_record, required

DUPLICATE_KINDS = ("text", "near", "url")
"""By what pages may be duplicates."""


_MIN_MEMORY = 16 << 10
"""Bytes of memory below which a worker would sort in more files than it may open."""

_LINES_BYTES = 32 * 24
"""Bytes of the records of the lines of a page: 32 lines are many."""

_PREFERRED = {"first": None, "newest": "fetched_at", "longest": "text_chars"}

_DUPLICATE = Group("duplicates")
_KEPT = Group("kept pages")
_LINES = Group("lines on many pages", "see docs/duplicates.md")
_duplicate = _DUPLICATE.option
_kept = _KEPT.option
_lines = _LINES.option
_running = RUNNING.option


def _kinds(text: str) -> tuple[str, ...]:
    given = {part.strip() for part in text.split(",")}
    for kind in sorted(given):
        if kind not in DUPLICATE_KINDS:
            raise invalid_value("kind of duplicates", kind, f"some of {', '.join(DUPLICATE_KINDS)}")
    return tuple(kind for kind in DUPLICATE_KINDS if kind in given)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise invalid_value("similarity", text, "write it as 0.8")
    return share


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupOptions:
    """What `cedar dedup` was asked for; the help of each field says what it means."""

    corpora: tuple[str, ...] = option(
        "directories or URIs of corpora", name="corpora", unit="path", repeats="+", metavar="CORPUS"
    )
    output: str = required(
        "directory or URI of the result (required)", unit="path", metavar="DIR", alias="-o"
    )
    by: tuple[str, ...] = _duplicate(
        "text: the same text; near: similar texts; url: the same URL",
        ("text", "near"),
        parse=_kinds,
        metavar="DUPLICATE_KINDS",
        shapes=True,
    )
    against: tuple[str, ...] = _duplicate(
        "earlier results of `cedar dedup`: their pages are kept, pages like them are duplicates",
        unit="path",
        repeats="+",
        metavar="DIR",
    )
    scope: str = _duplicate(
        "compare all pages, or only pages of one language",
        "all",
        choices=("all", "language"),
        metavar="S",
        shapes=True,
    )
    bands: int = _duplicate(
        f"bands of a signature; all but {BANDS} of {ROWS} need --full-signatures", BANDS, unit="number"
    )
    rows: int = _duplicate(f"rows per band; bands times rows may be at most {LANES}", ROWS, unit="number")
    verify: float | None = _duplicate(
        "drop near duplicates only if their estimated similarity with the kept page is at least J",
        parse=_share,
        metavar="J",
        shapes=True,
    )
    with_dropped: bool = flag(
        "include pages that are marked with a drop_reason", group=_DUPLICATE, shapes=True
    )
    prefer: str = _kept(
        "first, newest, longest, or a column: COLUMN for its greatest value, =-COLUMN for its least",
        "",
        metavar="P",
        shown="first; newest where --by has url",
        shapes=True,
    )
    write: bool = flag("also write a corpus of the kept pages to DIR/corpus/", group=_KEPT, shapes=True)
    format: str | None = _kept("format of that corpus", metavar="F", shown="the first corpus's", shapes=True)
    lines: bool = flag(
        "take lines out of the kept pages that many pages of a host have, such as menus and notices",
        group=_LINES,
        shapes=True,
    )
    lines_pages: int = _lines(
        "take out a line that N pages or more have", 3, unit="number", minimum=2, metavar="N", shapes=True
    )
    lines_by: str = _lines(
        "count the pages of one host, or of all hosts",
        "host",
        choices=("host", "corpus"),
        metavar="S",
        shapes=True,
    )
    lines_keep: str = _lines(
        "leave a line in its first page, or in none",
        "first",
        choices=("first", "none"),
        metavar="S",
        shapes=True,
    )
    masks: MaskOptions = options_of_record(MaskOptions)
    memory: int = _running(
        "memory in which a worker sorts, the rest uses files; at least 5 bytes for each page",
        1 << 30,
        unit="size",
        minimum=_MIN_MEMORY,
    )
    workers: int | None = _running(
        "local processes", unit="number", shown="one for 32 MiB of work, at most the cores"
    )
    runner: str = _running(
        "local, or a Beam runner with its own options, whose workers must see DIR",
        "local",
        parse=option_types.runner,
        metavar="R",
    )
    restart: bool = flag("start again if corpora have changed", group=RUNNING)
    overwrite: bool = flag("delete the existing result, and start again", group=RUNNING)
    quiet: bool = quiet_option()
    json: bool = json_option("what run.json says of the result, on one line")
    log_level: str = log_level_option()
    log_format: str = log_format_option()
    beam_arguments: tuple[str, ...] = ()

    @property
    def folds(self) -> bool:
        """Whether keys are made of whole signatures, because they are not those next to the pages."""
        return "near" in self.by and (self.bands, self.rows) != (BANDS, ROWS)

    @property
    def takes_minima(self) -> bool:
        """Whether whole signatures are looked at."""
        return self.folds or self.verify is not None

    @property
    def prefer_column(self) -> tuple[str, bool] | None:
        """The column that decides which page is kept, and whether the greatest value does; None: none."""
        if self.prefer in _PREFERRED:
            column = _PREFERRED[self.prefer]
            return None if column is None else (column, True)
        return self.prefer.lstrip("-"), not self.prefer.startswith("-")

    @property
    def record_bytes(self) -> int:
        """Bytes of the records of a page, about."""
        return self.bands * 16 + 24 + 16 + (_LINES_BYTES if self.lines else 0)


def dedup_options(parser: Parser, argv: Sequence[str]) -> DedupOptions:
    """Parse the arguments after `dedup`; nothing is looked at on disk.

    Raises UsageError: they do not go together.
    """
    own, beam_arguments = split_arguments(parser, argv)
    options = record_from_args(DedupOptions, parser.parse_args(own), beam_arguments=beam_arguments)
    if options.format is not None and not options.write:
        raise UsageError("--format is for the corpus that --write writes: give --write, too")
    options.masks.check()
    if options.masks.mask and not options.write:
        raise UsageError("--mask is for the corpus that --write writes: give --write, too")
    if options.lines and not options.write:
        raise UsageError("--lines is for the corpus that --write writes: give --write, too")
    of_lines = [field for field in fields(DedupOptions) if field.name.startswith("lines_")]
    if not options.lines and any(getattr(options, field.name) != field.default for field in of_lines):
        raise UsageError("--lines-pages, --lines-by and --lines-keep are for --lines: give it, too")
    if options.verify is not None and "near" not in options.by:
        raise UsageError("--verify looks at near duplicates: give --by near, too")
    if options.bands * options.rows > LANES:
        lanes = f"--bands {options.bands} --rows {options.rows} are {options.bands * options.rows} values"
        raise UsageError(f"{lanes}, but a signature has {LANES}: choose fewer")
    return replace(options, prefer=options.prefer or ("newest" if "url" in options.by else "first"))


COMMAND = Command(
    usage="CORPUS ... --output DIR [options]",
    summary="find exact and near duplicates, within corpora and against earlier ones",
    description=(
        "Find pages that are duplicates of others, and say which one of them is kept. Corpora are read, "
        "never changed. If a run is interrupted, the same command continues it."
    ),
    examples="""examples:
  cedar dedup january/ february/ --output unique/
  cedar dedup march/ --against unique/ --output march-unique/ --write
  cedar dedup march/ --output clean/ --write --lines
""",
    record=DedupOptions,
    parse=dedup_options,
)
