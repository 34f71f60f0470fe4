"""What the runs of `cedar extract` into one corpus must share."""

from __future__ import annotations

from dataclasses import asdict

from pipelines.common.curation_options import curation_identity
from pipelines.extract.options import ExtractOptions
from transforms.corpus.identity import CorpusIdentity
from transforms.curation.plan import CurationPlan
from transforms.extract import ExtractPlan
from transforms.extractors import registry
from transforms.model.records import SCHEMA_VERSION


def identity_of(options: ExtractOptions, plan: ExtractPlan, curation: CurationPlan) -> CorpusIdentity:
    """Return the identity of the corpus that options ask for, but for a selection.

    Raises:
        ValueError: the language model is missing or not valid.
    """
    choices = {
        "schema": SCHEMA_VERSION,
        "extractor": plan.extractor,
        "extractor_options": plan.options,
        "format": options.format,
        "compression": options.compression,
        "column_groups": [*plan.column_groups, *curation.column_groups],
        "status": ",".join(f"{first}-{last}" for first, last in options.statuses),
        "record_types": ",".join(options.record_types),
        "url_include": options.url_include,
        "url_exclude": options.url_exclude,
        "limit": options.limit,
        "split_size": options.split_size,
        "reject_rows": options.reject_rows,
        "with_html": options.with_html,
        "with_metadata": options.with_metadata,
        "markdown": None if options.markdown is None else str(options.markdown),
        "page_timeout": options.page_timeout,
        "page_memory": options.page_memory,
        **asdict(options.caps),
        **{name: value for name, value in asdict(options.choices).items() if value is not None},
        **curation_identity(options.curation, curation),
    }
    return CorpusIdentity(choices, table=registry.get(plan.extractor).table)
