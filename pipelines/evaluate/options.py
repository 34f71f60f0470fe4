"""The options of `cedar evaluate`: one frozen record, and the parser that makes it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cedar.pipelines.common.arguments import Command, Parser, record_from_args
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.option_types import invalid_value
from cedar.pipelines.common.shared_options import (
    DEFAULT_EXTRACTOR,
    ExtractorOptions,
    body_only_option,
    json_option,
    quiet_option,
    read_extractor,
)
from cedar.transforms.model.options import option

GROUPS = ("page_type", "lang")
"""Names of the groupings of results."""

ALL, PEERS = "all", "peers"
"""Names for all extractors, and for all peers."""

_MAX_STEPS = 200


@dataclass(frozen=True, slots=True)
class Sweep:
    """An option, and the values that are tried."""

    option: str
    values: tuple[str, ...]


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def _groups(text: str) -> tuple[str, ...]:
    names = tuple(name.replace("-", "_") for name in _names(text))
    for name in names:
        if name not in GROUPS:
            raise invalid_value("group", name, " or ".join(GROUPS))
    return names


def _sweep(text: str) -> Sweep:
    number = r"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)"
    match = re.fullmatch(rf"([A-Za-z_-]{{1,64}})={number}:{number}:{number}", text)
    if match is None or float(match[4]) <= 0 or float(match[3]) < float(match[2]):
        raise invalid_value("sweep", text, "write it as threshold_factor=0:2:0.25")
    low, high, step = (float(each) for each in match.group(2, 3, 4))
    steps = int((high - low) / step + 1e-9) + 1
    if steps > _MAX_STEPS:
        raise invalid_value("sweep", text, f"it has {steps} steps; at most {_MAX_STEPS}")
    return Sweep(match[1], tuple(f"{round(low + i * step, 9):g}" for i in range(steps)))


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateOptions:
    """The options of `cedar evaluate`."""

    gold: tuple[str, ...] = option(
        "gold sets: files of JSON lines (plain, .gz, .zst), or directories of NAME.html with NAME.txt "
        "or NAME-cleaned.txt",
        name="gold",
        unit="path",
        repeats="+",
        metavar="GOLD",
    )
    extractors: tuple[ExtractorOptions, ...] = option(
        "method and its options, such as cetr:smoothing=literal,k=4; peer:NAME for extractors by others; "
        "all; peers; may be repeated, the first is what others are compared with",
        name="--extractor",
        parse=read_extractor,
        repeats="append",
        metavar="NAME[:K=V,...]",
        shown="cedar and keep-all",
    )
    body_only: bool = body_only_option()
    metrics: tuple[str, ...] = option(
        "measures, separated by commas: lcs, bag-lower, bag, shingles, ttr, snippets; the first is shown in "
        "full",
        ("lcs", "bag-lower"),
        name="--metric",
        parse=_names,
        metavar="NAMES",
    )
    by: tuple[str, ...] = option(
        "results also by page_type, lang, or both", (), parse=_groups, metavar="NAMES"
    )
    sweep: Sweep | None = option(
        "an option of the extractors over a range, both ends included, as threshold_factor=0:2:0.25",
        parse=_sweep,
        metavar="K=A:B:STEP",
    )
    folds: int | None = option(
        "with --sweep: score each of K parts of a set with the value that is best on the others; a site's "
        "pages stay together",
        unit="number",
        minimum=2,
        metavar="K",
    )
    limit: int | None = option("at most N pages of each set, evenly spaced", unit="number")
    seed: int = option("seed of the bootstrap", 0, unit="whole")
    results: str | None = option("write all results as JSON, page by page", unit="local path", metavar="FILE")
    json: bool = json_option("all results, on one line", None)
    output: str | None = option(
        "write a page of HTML with charts, and the worst pages next to it",
        unit="local path",
        metavar="FILE",
        alias="-o",
    )
    workers: int = option("local processes", 1, unit="number")
    page_timeout: float = option("CPU time that a method or a peer may take for a page", 10.0, unit="seconds")
    page_memory: int = option(
        "memory that a tree method or a peer may take for a page", 512 << 20, unit="size", minimum=16 << 20
    )
    quiet: bool = quiet_option(None)


def evaluate_options(parser: Parser, argv: Sequence[str]) -> EvaluateOptions:
    """Parse the arguments of `cedar evaluate`; raise UsageError; nothing is looked at on disk."""
    options = record_from_args(EvaluateOptions, parser.parse_mixed(argv))
    baseline = () if options.body_only else (ExtractorOptions("keep-all"),)
    if options.folds is not None and options.sweep is None:
        raise UsageError("--folds judges the choice of a value: name the values with --sweep K=A:B:STEP")
    chosen = options.extractors or (DEFAULT_EXTRACTOR, *baseline)
    return replace(options, extractors=tuple(dict.fromkeys(chosen)))


def expanded(
    choices: Sequence[ExtractorOptions], own: Sequence[str], peers: Sequence[str], *, sweep: Sweep | None
) -> tuple[ExtractorOptions, ...]:
    """Return the extractors one by one, with each value of a sweep; UsageError for `all` with options."""
    named: list[ExtractorOptions] = []
    for choice in choices:
        group = {ALL: own, PEERS: peers}.get(choice.name)
        if group is not None and choice.options:
            raise UsageError(f"{choice.name} takes no options: name the extractors")
        named += [choice] if group is None else [ExtractorOptions(name) for name in group]
    if sweep is not None:
        named = [
            ExtractorOptions(choice.name, (*choice.options, (sweep.option, value)))
            for choice in named
            for value in sweep.values
        ]
    return tuple(dict.fromkeys(named))


COMMAND = Command(
    usage="GOLD ... [options]",
    summary="score extractors on pages whose text is known",
    description=(
        "Extract the pages of gold sets, compare the results with the gold text, and print means with "
        "intervals. A page on which an extractor fails scores 0."
    ),
    examples="""examples:
  cedar evaluate gold.jsonl.zst --extractor cetr --extractor cetd-ds
  cedar evaluate gold/*.zst --extractor all --extractor peer:trafilatura:mode=fast --by page_type
  cedar evaluate gold.jsonl.zst --extractor cetr-tm --sweep threshold_factor=0:2:0.25 --output curve.html
""",
    record=EvaluateOptions,
    parse=evaluate_options,
)
