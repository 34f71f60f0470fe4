"""`Extract`: decoded pages to rows of clean text and metrics."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterator
from itertools import zip_longest
from operator import attrgetter
from types import GeneratorType
from typing import Any, NamedTuple

import apache_beam as beam

from cedar.transforms.coders import Arrival, InBand, RecordInBand, Together
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.markdown.making import markdown_of
from cedar.transforms.model._cost import Cost, clock
from cedar.transforms.model._encoded import encoded
from cedar.transforms.model.annotations import Markdown
from cedar.transforms.model.books import Deadline, RejectedError, RejectReason, Stage
from cedar.transforms.model.records import ExtractedPage, Page, PageRow, Record, Reject
from cedar.transforms.model.texts import describe
from cedar.transforms.runtime.extract_plan import ExtractPlan
from cedar.transforms.runtime.guard import Guard
from cedar.transforms.runtime.guard_limits import GuardFaultError

REJECTS = "rejects"

NO_PAGES = "Extract takes pages: put DecodePage() between ReadWarc or from_html and it"


class Extract(beam.PTransform):
    """PCollection of Page | Reject -> `.pages`, a PCollection of PageRow, and `.rejects`, one of Reject.

    For pipelines of your own; the main job keeps both in one stream (`ExtractInBand`).

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
        refuse_records(pages)
        outputs = (
            pages
            | "Extract" >> ExtractInBand(self._plan)
            | "Part" >> beam.ParDo(_Part()).with_outputs(REJECTS, main="pages").with_output_types(Any)
        )
        outputs.pages.element_type = PageRow
        outputs.rejects.element_type = Reject
        return outputs


def refuse_records(pages: beam.PCollection) -> None:
    """Raise TypeError where the graph says that elements are records, which nothing has decoded."""
    if pages.element_type in (Record, RecordInBand):
        raise TypeError(NO_PAGES)


class ExtractInBand(beam.PTransform):
    """PCollection of Page (with what travels in band) -> the same with ExtractedPage for Page, or Reject.

    Where they come in shards, what a plan asks for besides their text is made of a few together.
    """

    def __init__(self, plan: ExtractPlan, *, arrival: Arrival = Arrival.IN_ANY_ORDER) -> None:
        super().__init__()
        together = arrival is Arrival.IN_SHARDS and plan.is_annotated
        self._step = (_ExtractTogether if together else _Extract)(plan)

    def expand(self, pages: beam.PCollection) -> beam.PCollection:
        """Extract."""
        return pages | "Extract" >> beam.ParDo(self._step).with_output_types(InBand)


class _Extract(beam.DoFn):
    _method: Callable[[bytes], Extraction]

    def __init__(self, plan: ExtractPlan) -> None:
        self._plan = plan
        self._guard: Guard | None = None

    def setup(self) -> None:
        name, options = self._plan.extractor, self._plan.options
        if registry.get(name).is_guarded:
            arguments = (name, options)
            with_html = self._plan.with_html or self._plan.markdown is not None
            self._guard = Guard(arguments, self._plan.limits, with_html=with_html)
            self._method = self._guard.extract
        else:
            self._method = registry.bind(name, options)

    def process(self, element: Any) -> list[Any]:
        return list(filter(None, self._steps(element))) if isinstance(element, Page) else [element]

    def _steps(self, page: Page) -> Iterator[ExtractedPage | Reject | None]:
        """Yield None between the steps of a page, and what it becomes in the end."""
        deadline = Deadline(self._plan.limits.cpu_seconds, page.decode.cpu, self._clock)
        try:
            extraction = self._method(page.html)
            annotations: tuple[NamedTuple, ...] = ()
            if self._plan.is_annotated:
                annotations = yield from self._annotate(page, extraction, deadline)
            yield extracted_page(page, extraction, self._plan, deadline.check(), annotations)
        except (MemoryError, GuardFaultError):
            raise  # the machine's fault, not the page's
        except Exception as error:  # noqa: BLE001 - whatever a page does to an extractor is its own reject
            if not isinstance(error, RejectedError):
                error = RejectedError(RejectReason.EXTRACTOR_ERROR, describe(error))
            costs = {"decode": page.decode, "extract": deadline.spent()}
            yield Reject.of(page.location, page.url, Stage.EXTRACT, error, **costs)

    def _annotate(
        self, page: Page, extraction: Extraction, deadline: Deadline
    ) -> Generator[None, None, tuple[NamedTuple, ...]]:
        """Make what the plan asks for of the page besides its text; pause before each step."""
        made: tuple[NamedTuple, ...] = ()
        if self._plan.markdown is not None:
            spent = deadline.check()
            yield
            deadline.resume(spent)
            made += (Markdown(markdown_of(extraction, self._plan.markdown, page.url)),)
        if self._plan.with_metadata:
            # Here, where it is asked for: its tables take a moment.
            from cedar.transforms.metadata.reading import page_metadata

            spent = deadline.check()
            yield
            deadline.resume(spent)
            made += (page_metadata(extraction.markup or page.html, page.url, page.fetched_at),)
        return made

    def _clock(self) -> Cost:
        """Return the time so far, with the CPU time of the guarded child."""
        return clock() if self._guard is None else clock() + Cost(self._guard.cpu_seconds)

    def teardown(self) -> None:
        if self._guard is not None:
            self._guard.close()


class _ExtractTogether(Together, _Extract):
    """The same over a few pages: the text of each at once, each further step over all of them."""

    def _begun(self, element: Any) -> Any:
        if not isinstance(element, Page):
            return element
        steps = self._steps(element)
        return next(steps) or steps

    def _made(self, waiting: list[Any]) -> list[Any]:
        each = (one if isinstance(one, GeneratorType) else (one,) for one in waiting)
        return [next(filter(None, steps)) for steps in zip(*zip_longest(*each), strict=True)]


class _Part(beam.DoFn):
    def process(self, element: ExtractedPage | Reject) -> Iterator[Any]:
        if isinstance(element, Reject):
            yield beam.pvalue.TaggedOutput(REJECTS, element)
        elif isinstance(element, ExtractedPage):
            yield element.row
        else:
            raise TypeError(NO_PAGES)  # of a step whose type the graph does not tell


_OF_LOCATION = ("source", "offset", "length", "inner_offset")
_OF_PAGE = attrgetter(
    *(
        f"location.{name}" if name in _OF_LOCATION else name
        for name in PageRow._fields[: PageRow._fields.index("title")]
    )
)
_OF_METRICS = attrgetter(
    *PageRow._fields[PageRow._fields.index("text_chars") : PageRow._fields.index("decode_seconds")]
)


def extracted_page(
    page: Page, extraction: Extraction, plan: ExtractPlan, spent: Cost, annotations: tuple[NamedTuple, ...]
) -> ExtractedPage:
    """Return the row of a page, with what the books need."""
    text = encoded(extraction.text)
    row = PageRow._make(
        (
            *_OF_PAGE(page),
            extraction.title,
            extraction.text,
            hashlib.blake2b(text, digest_size=16).hexdigest(),
            plan.extractor,
            plan.row_options,
            extraction.fallback,
            page.html_bytes,
            page.html_chars,
            *_OF_METRICS(extraction.metrics),
            page.decode.cpu,
            spent.cpu,
            extraction.html if plan.with_html else None,
            extraction.metrics.confidence,
        )
    )
    if extraction.markup is not None and extraction.markup.reading.is_cut:
        row = row._replace(truncated=True)
    return ExtractedPage(page.location.shard, row, len(text), page.decode, spent, annotations)
