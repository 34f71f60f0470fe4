"""The drawing of a page by `cedar explain`: the methods' work on it, and the HTML that shows it."""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipelines.common.shared_options import ExtractorChoice
from pipelines.drawing.evidence import Evidence, Work, generic
from pipelines.drawing.pages import render
from pipelines.explain import cedar_evidence, line_evidence, tree_evidence
from pipelines.explain.view import Explained, Reference, script_data, view
from transforms.curation.masks import Mask, PageMask
from transforms.extractors import registry
from transforms.extractors.options import Options
from transforms.model.records import Page
from transforms.runtime.guard import Guard
from transforms.runtime.guard_limits import DEFAULT_LIMITS, address_space

MAX_MEMORY = 3 << 30
"""Bytes that the methods and their evidence may take for a page."""

_SOURCES: Mapping[str, Callable[[Work[Any]], Evidence]] = {
    "cetr": line_evidence.plane,
    "cetr-tm": line_evidence.threshold,
    "cetr-km": line_evidence.k_means_1d,
    "ttr-t": line_evidence.ttr_threshold,
    "ttr-km": line_evidence.ttr_clusters,
    "ttr-em": line_evidence.ttr_clusters,
    "ttr-ff": line_evidence.ttr_clusters,
    "ttr-p": line_evidence.ttr_prediction,
    "cetd-ds": tree_evidence.text_density,
    "cectd-ds": tree_evidence.composite_density,
    "cectd-s": tree_evidence.smoothed_density,
    "coreex": tree_evidence.scored_elements,
    "combine": tree_evidence.votes,
    "vips": tree_evidence.segments,
    "crunch": tree_evidence.filters,
    "cedar": cedar_evidence.cues,
}
"""Which function has the evidence of which method; methods that are not named here have `generic`."""


def masked_page(page: Page, mask: Mask) -> Page:
    """Return a page in which personal data have given way to words, as in the corpus that it is of."""
    if not mask.kinds:
        return page
    return replace(page, html=PageMask(replace(mask, style="html")).masked(page.html.decode()).encode())


def explain(html: bytes, choice: ExtractorChoice, record: Options) -> Explained:
    """Extract from a page (valid UTF-8) by a method with its options, and collect why.

    Raises:
        RejectedError: the method builds a tree, and the page goes over the limits of the main job.
        GuardFaultError: the machine keeps the page guard from working.
    """
    extractor = registry.get(choice.name)
    if extractor.is_guarded:
        guard = Guard((extractor.name, registry.options_json(record)), DEFAULT_LIMITS)
        try:
            guard.extract(html)
        finally:
            guard.close()
    result = registry.run(extractor, html, record)
    work = Work(html, record, result, result.blocks)
    said = ", ".join(f"{spec.name} {_said(getattr(record, spec.name))}" for spec in extractor.option_specs)
    return Explained(choice.label, said, result, work.blocks, evidence(extractor.name, work))


def evidence(name: str, work: Work[Any]) -> Evidence:
    """Return the evidence of a method, by its name; of one that another stood in for the evidence of all."""
    return (generic if work.result.fallback is not None else _SOURCES.get(name, generic))(work)


@contextlib.contextmanager
def bounded_memory() -> Iterator[None]:
    """Limit the address space to `MAX_MEMORY` beyond what is in use: paths of deep trees are long."""
    in_use = address_space()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = (in_use or 0) + MAX_MEMORY
    if in_use is None or (soft != resource.RLIM_INFINITY and soft < wanted):
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _said(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def page_html(
    page: Page, explained: Sequence[Explained], references: Sequence[Reference | None], command: str
) -> str:
    """Return the page that shows what methods did, with `command`, which makes it again."""
    title = next((work.result.title for work in explained if work.result.title), None)
    name = page.source.rpartition("/")[2]
    place = f"{name}, byte {page.offset:,}" if page.url else name
    text = page.html.decode()
    metrics = explained[0].result.metrics
    ratios = metrics.tag_ratio_mean, metrics.tag_ratio_std
    facts = [
        ("status", "" if page.status is None else str(page.status)),
        ("encoding", f"{page.charset} ({page.charset_source})"),
        ("characters replaced", f"{page.replaced:,}" if page.replaced else ""),
        ("bytes", f"{page.html_bytes:,}" + (", truncated" if page.truncated else "")),
        ("characters with markup", f"{metrics.html_chars:,}"),
        ("tags", f"{metrics.tags:,}"),
        ("characters in links", f"{metrics.link_chars:,}"),
        ("tag ratio, mean ± σ", "" if None in ratios else " ± ".join(f"{ratio:,.1f}" for ratio in ratios)),
    ]
    return render(
        "explain",
        {
            "heading": title or page.url or name,
            "where": f"{page.url} ({place})" if page.url else place,
            "facts": [(name, value) for name, value in facts if value],
            "views": [view(text, *each, len(explained)) for each in zip(explained, references, strict=True)],
            "command": command,
        },
        [script_data(work) for work in explained],
    )
