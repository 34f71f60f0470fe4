"""Which function has the evidence of which method; methods that are not named here have `generic`."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.drawing.evidence import Evidence, Source, generic
from pipelines.explain import cedar_evidence, line_evidence, segment_evidence, tree_evidence
from transforms.extractors.extraction import Block, Extraction

_SOURCES: Mapping[str, Source] = {
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
    "vips": segment_evidence.segments,
    "crunch": segment_evidence.filters,
    "cedar": cedar_evidence.cues,
}


def evidence(
    name: str, html: bytes, options: object, result: Extraction, blocks: tuple[Block, ...]
) -> Evidence:
    """Return the evidence of a decision."""
    source = generic if result.fallback is not None else _SOURCES.get(name, generic)
    return source(html, options, result, blocks)
