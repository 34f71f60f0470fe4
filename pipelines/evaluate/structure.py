"""`cedar evaluate --structure`: the structure of Markdown, against gold that is Markdown."""

import json
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

from pipelines.common.errors import UsageError, of_user
from pipelines.common.messages import complain, show, show_rows
from pipelines.evaluate.options import PEERS, EvaluateOptions, expanded
from pipelines.evaluate.results import rounded, write_results
from transforms.decode.charset import decode_text
from transforms.extractors import registry
from transforms.model.texts import install_command
from transforms.runtime.guard_limits import GuardFaultError, GuardLimits
from transforms.scoring.contest import Contestant, Method
from transforms.scoring.gold import GoldPage, GoldSet, evenly_spaced
from transforms.scoring.peers import EXTRA, MARKDOWN
from transforms.scoring.structure import AXES, Structure, agreements, structure_of


class AxisMean(TypedDict):
    """The mean agreement on an axis of structure, and the number of pages that have it."""

    mean: float
    pages: int


@dataclass(frozen=True, slots=True)
class StructureResult:
    """One method on the pages of one set: by axis its mean over the pages with gold for it, if any.

    On `failed` pages the method wrote no Markdown, and scores 0; on those of `surplus_headings` it has some
    where the gold has none. Mean CPU milliseconds a page are with those of the method's child.
    """

    set: str
    extractor: str
    pages: int
    failed: int
    axes: dict[str, AxisMean | None]
    surplus_headings: int
    cpu_ms: float


def run_structure(options: EvaluateOptions) -> int:
    """Measure the structure of what methods write; returns the exit code, or raises UsageError before."""
    limits = GuardLimits(options.page_timeout, options.page_memory)
    if options.sweep or options.by or options.variants or options.output:
        raise UsageError("--structure takes no --sweep, --by, --variant or --output: leave them out")
    choices = [choice for choice in options.extractors if choice.name != "keep-all"]
    with of_user(ValueError):
        names = [name for name in registry.names() if registry.get(name).writes_markdown]
        others = tuple(filter(MARKDOWN.is_installed, MARKDOWN.names()))
        if any(choice.name == PEERS for choice in choices):
            for name in (name for name in MARKDOWN.names() if name not in others):
                complain(f"{name} is left out: {install_command(EXTRA)}")
        chosen = expanded(choices, names, others, None)
        sets = [(gold_set, _pages(gold_set, options.limit)) for gold_set in map(GoldSet.at, options.gold)]
        contestants = [
            Contestant.of(c.label, c.name, c.options, body_only=options.body_only, writes_markdown=True)
            for c in chosen
        ]
    results = []
    methods = [Method(contestant, limits) for contestant in contestants]
    for gold_set, pages in sets:
        golds = [structure_of(page.markdown or "") for page in pages]
        try:
            results += [_measured(gold_set.name, method, pages, golds) for method in methods]
        except GuardFaultError as fault:
            complain(str(fault))
            return 1
        if not (options.quiet or options.json):
            own = [result for result in results if result.set == gold_set.name]
            title = f"{gold_set.name}: {len(pages)} pages, structure of Markdown"
            show_rows(structure_rows(own), before=[title], after=[""])
    if options.json:
        show(json.dumps(structure_json(results), ensure_ascii=False))
    if options.results:
        write_results(options.results, structure_json(results))
    return 0


def _pages(gold_set: GoldSet, limit: int | None) -> list[GoldPage]:
    """The pages of a set that have Markdown; raises ValueError if none has, or it cannot be read."""
    pages = [page for page in gold_set.read(evenly_spaced(gold_set.count(), limit)) if page.markdown]
    if not pages:
        raise ValueError(f"{gold_set.path} has no page with markdown, which --structure measures against")
    return pages


def _measured(
    set_name: str, method: Method, pages: list[GoldPage], golds: list[Structure]
) -> StructureResult:
    """Run one method over pages."""
    values: dict[str, list[float]] = {axis: [] for axis in AXES}
    failed = surplus = 0
    spent = 0.0
    for page, gold in zip(pages, golds, strict=True):
        made = method.run(page, decode_text(page.html, header_label=None, truncated=False).utf8)
        if made.failure is not None:
            complain(f"{method.label} failed on {set_name} {page.id}: {made.failure}")
            failed += 1
        spent += made.cpu_seconds
        found = structure_of(made.text)
        surplus += bool(found.heads) and not gold.heads
        for axis, value in agreements(gold, found).items():
            values[axis] += [] if value is None else [value]
    axes = {
        axis: AxisMean(mean=sum(found) / len(found), pages=len(found)) if found else None
        for axis, found in values.items()
    }
    return StructureResult(
        set_name, method.label, len(pages), failed, axes, surplus, spent / len(pages) * 1e3
    )


def structure_rows(results: list[StructureResult]) -> list[tuple[str, ...]]:
    """The table of a set: a row of headings, with the pages of each axis, then one for each method."""
    pages = (of["pages"] if (of := results[0].axes[axis]) else 0 for axis in AXES)
    heads = (f"{axis} ({number})" for axis, number in zip(AXES, pages, strict=True))
    rows = [("extractor", *heads, "surplus head", "CPU ms")]
    for result in results:
        cells = (f"{of['mean']:.3f}" if (of := result.axes[axis]) else "-" for axis in AXES)
        rows.append((result.extractor, *cells, str(result.surplus_headings), f"{result.cpu_ms:.2f}"))
    return rows


def structure_json(results: list[StructureResult]) -> dict[str, Any]:
    """Return all results as JSON."""
    listed = [{**rounded(asdict(result)), "cpu_ms": round(result.cpu_ms, 3)} for result in results]
    return {"schema": 1, "structure": listed}
