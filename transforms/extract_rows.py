"""`Extract` and `ExtractRows`: decoded pages to rows, in pipelines of the user's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Optional

import apache_beam as beam
import numpy as np
from apache_beam.typehints.row_type import RowTypeConstraint

from cedar.transforms.coders import RecordElement
from cedar.transforms.curate import Curate
from cedar.transforms.curation.fineweb2 import FINEWEB2, LanguageTable, shipped_rows
from cedar.transforms.curation.language import LID176, codes_of
from cedar.transforms.curation.masks import PERSONAL_KINDS, Mask
from cedar.transforms.curation.own_signals import own_signal
from cedar.transforms.curation.plan import CurationPlan, parse_rules
from cedar.transforms.curation.scores import scored
from cedar.transforms.extract import ExtractPages
from cedar.transforms.extractors import registry
from cedar.transforms.model.columns import PageTable
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.model.records import ExtractedPage, PageRow, Record, Reject
from cedar.transforms.runtime.extract_plan import ExtractPlan

REJECTS, DROPPED = "rejects", "dropped"

NO_PAGES = "Extract takes pages: put DecodePage() between ReadWarc or from_html and it"

_TYPES: Mapping[str, Any] = {
    "string": str,
    "binary": bytes,
    "bool": bool,
    "int32": np.int32,
    "int64": np.int64,
    "timestamp": np.int64,
    "float32": np.float32,
    "float64": np.float64,
}


def _refuse_records(pages: beam.PCollection) -> None:
    """Raise TypeError if the graph says that elements are records, which nothing has decoded."""
    if pages.element_type in (Record, RecordElement):
        raise TypeError(NO_PAGES)


class Extract(beam.PTransform):
    """PCollection of Page | Reject -> `.pages`, a PCollection of PageRow, and `.rejects`, one of Reject.

    `ExtractRows` has all columns.

    Args:
        extractor: the method's name.
        options: its options by name.

    Raises:
        ValueError: the name or an option is unknown, or a value is not allowed.
        TypeError: the name is not a string.
    """

    def __init__(self, extractor: str = registry.DEFAULT, **options: Any) -> None:
        super().__init__()
        self._plan = ExtractPlan.of(extractor, options)

    @property
    def choices(self) -> dict[str, Any]:
        """What a corpus of its rows is pinned to."""
        return self._plan.choices

    def expand(self, pages: beam.PCollection) -> beam.pvalue.DoOutputsTuple:
        """Extract, and part pages from rejects; raise TypeError for records that nothing has decoded."""
        _refuse_records(pages)
        outputs = (
            pages
            | "Extract" >> ExtractPages(self._plan)
            | "Part" >> beam.ParDo(_Part()).with_outputs(REJECTS, main="pages").with_output_types(Any)
        )
        outputs.pages.element_type = PageRow
        outputs.rejects.element_type = Reject
        return outputs


class _Part(beam.DoFn):
    def process(self, element: ExtractedPage | Reject) -> Iterator[Any]:
        if isinstance(element, Reject):
            yield beam.pvalue.TaggedOutput(REJECTS, element)
        elif isinstance(element, ExtractedPage):
            yield element.row
        else:
            raise TypeError(NO_PAGES)  # of a step whose type the graph does not tell


class ExtractRows(beam.PTransform):
    """PCollection of Page | Reject -> `.pages` and `.dropped`, each of Row, and `.rejects`, one of Reject.

    A row has the columns of a corpus that are asked for (docs/corpus.md); times are microseconds.

    Args:
        extractor: the method's name.
        options: its options by name.
        html: whether the HTML that the text was taken from is a column.
        markdown: what the Markdown of a page keeps; None = no such column.
        metadata: whether title, author, dates and the like are columns.
        language: whether the language of the text is; needs the package `cedar-corpus[language]`.
        signals: whether Cedar's signals are; presets have them anyway.
        classifier: columns of scores, each as `NAME=MODEL:LABEL`.
        signal: columns that functions of one's own fill, each as `NAME=package.module:function`.
        preset: published rules that a page has to keep; one that fails them is in `.dropped`.
        keep: expressions that it has to meet, as `words > 50`.
        mask: kinds of personal data that are masked: email, ip, phone.

    Raises:
        ValueError: a name, an option or an expression is not valid.
    """

    def __init__(  # noqa: PLR0913 - these are the user's options, given by keyword
        self,
        extractor: str = registry.DEFAULT,
        *,
        options: Mapping[str, Any] | None = None,
        html: bool = False,
        markdown: MarkdownOptions | None = None,
        metadata: bool = False,
        language: bool = False,
        signals: bool = False,
        classifier: tuple[str, ...] = (),
        signal: tuple[str, ...] = (),
        preset: tuple[str, ...] = (),
        keep: tuple[str, ...] = (),
        mask: tuple[str, ...] = (),
    ) -> None:
        super().__init__()
        if html and mask:
            raise ValueError("the HTML of a page is not masked: leave out html or mask")
        if not set(mask) <= set(PERSONAL_KINDS):
            raise ValueError(
                f"unknown kind of personal data in {mask}: choose from {', '.join(PERSONAL_KINDS)}"
            )
        wanted = {"html": html, "markdown": markdown is not None, "metadata": metadata}
        self._extract = ExtractPlan.of(
            extractor,
            dict(options or {}),
            columns=tuple(name for name, is_asked in wanted.items() if is_asked),
            markdown=markdown or MarkdownOptions(),
        )
        plan = CurationPlan(
            language_model=LID176 if language else None,
            signals=signals or bool(preset),
            classifiers=tuple(map(scored, classifier)),
            own=tuple(map(own_signal, signal)),
            mask=Mask(tuple(mask)),
        )
        groups = (*self._extract.column_groups, *plan.column_groups)
        languages = LanguageTable(shipped_rows()) if FINEWEB2 in preset else None
        codes = codes_of(plan.language_model)
        rules = parse_rules(tuple(keep), tuple(preset), groups, languages=languages, codes=codes)
        self._curation = replace(plan, rules=rules)
        self._table = PageTable.of({*self._extract.column_groups, *self._curation.column_groups})

    @property
    def choices(self) -> dict[str, Any]:
        """What a corpus of its rows is pinned to."""
        return {**self._extract.choices, **self._curation.choices}

    def expand(self, pages: beam.PCollection) -> beam.pvalue.DoOutputsTuple:
        """Extract, judge, and part pages from rejects; raise TypeError for what nothing has decoded."""
        _refuse_records(pages)
        outputs = (
            pages
            | "Extract" >> ExtractPages(self._extract)
            | "Curate" >> Curate(self._curation, self._extract.limits.cpu_seconds)
            | "Rows"
            >> beam.ParDo(_Rows(self._table))
            .with_outputs(DROPPED, REJECTS, main="pages")
            .with_output_types(Any)
        )
        fields = []
        for column in self._table.columns:
            kind = _TYPES[column.kind]
            # Beam does not know `kind | None` made at run time.
            fields.append((column.name, Optional[kind] if column.nullable else kind))  # noqa: UP045
        outputs.pages.element_type = outputs.dropped.element_type = RowTypeConstraint.from_fields(fields)
        outputs.rejects.element_type = Reject
        return outputs


class _Rows(beam.DoFn):
    def __init__(self, table: PageTable) -> None:
        self._table = table
        self._names = [column.name for column in table.columns]

    def process(self, element: ExtractedPage | Reject) -> Iterator[Any]:
        if isinstance(element, Reject):
            yield beam.pvalue.TaggedOutput(REJECTS, element)
            return
        values = self._table.values(element.row, element.annotations)
        row = beam.Row(**dict(zip(self._names, values, strict=True)))
        yield row if element.dropped_by is None else beam.pvalue.TaggedOutput(DROPPED, row)
