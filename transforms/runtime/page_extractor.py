"""Pages to rows: text by the method of a plan, and the columns that the plan asks for. No Beam."""

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.model._encoded import encoded
from cedar.transforms.model.annotations import Markdown
from cedar.transforms.model.books import RejectedError, RejectReason, Stage
from cedar.transforms.model.costs import Cost, clock
from cedar.transforms.model.page_work import PageWork, StageRunner
from cedar.transforms.model.records import ExtractedPage, Page, PageRow, Reject
from cedar.transforms.model.texts import describe
from cedar.transforms.runtime.extract_plan import ExtractPlan
from cedar.transforms.runtime.guard import Guard
from cedar.transforms.runtime.guard_limits import GuardFaultError


@dataclass(slots=True, kw_only=True)
class _ExtractWork(PageWork):
    """A page, its extraction and its annotations so far."""

    page: Page
    extraction: Extraction | None = None
    annotations: tuple[NamedTuple, ...] = ()


def _markdown(page: Page, extraction: Extraction, plan: ExtractPlan) -> Markdown:
    return Markdown(extraction.write_markdown(plan.markdown, page.url))


def _metadata(page: Page, extraction: Extraction, _: ExtractPlan) -> NamedTuple:
    # Imported here because its tables take a moment, and few plans ask for it.
    from cedar.transforms.metadata.reading import page_metadata

    return page_metadata(extraction.markup or page.html, page.url, page.fetched_at, opt_outs=page.opt_outs)


COLUMNS_OF_PAGES: Mapping[str, Callable[[Page, Extraction, ExtractPlan], NamedTuple]] = {
    "markdown": _markdown,
    "metadata": _metadata,
}
"""What fills each group of columns that is made of a page and its extraction."""


class PageExtractor:
    """Extracts pages as a plan says; holds the guarded child process, if the method needs one.

    Each stage goes over all pages before the next one begins, because code runs faster right after itself.
    """

    def __init__(self, plan: ExtractPlan) -> None:
        self._plan = plan
        self._guard: Guard | None = None
        self._method: Callable[[bytes], Extraction]
        if registry.get(plan.extractor).is_guarded:
            with_html = "html" in plan.columns or "markdown" in plan.columns
            self._guard = Guard((plan.extractor, plan.options), plan.limits, with_html=with_html)
            self._method = self._guard.extract
        else:
            self._method = registry.bind(plan.extractor, plan.options)
        self._runner = StageRunner(
            plan.limits.cpu_seconds,
            machine_errors=(MemoryError, GuardFaultError),
            reject=_rejection,
            time=self._time,
        )
        self._stages: list[Callable[[_ExtractWork], None]] = [self._extract_text]
        makers = (make for name, make in COLUMNS_OF_PAGES.items() if name in plan.columns)
        self._stages += [functools.partial(self._annotate, make) for make in makers]

    def extract(self, pages: Sequence[Page]) -> list[ExtractedPage | Reject]:
        """Return the row of each page, or why it is rejected, in their order.

        Raises GuardFaultError: the machine keeps the page guard from working; MemoryError: the machine has no
        memory left.
        """
        works = [_ExtractWork(page=page, cpu_before=page.decode.cpu) for page in pages]
        for stage in self._stages:
            self._runner.run(stage, works)
        return [self._finished(work) for work in works]

    def close(self) -> None:
        """End the child process, if there is one."""
        if self._guard is not None:
            self._guard.close()

    def _extract_text(self, work: _ExtractWork) -> None:
        method = registry.extract_plain_text if work.page.is_plain else self._method
        work.extraction = method(work.page.html)

    def _annotate(
        self, make: Callable[[Page, Extraction, ExtractPlan], NamedTuple], work: _ExtractWork
    ) -> None:
        assert work.extraction is not None
        work.annotations += (make(work.page, work.extraction, self._plan),)

    def _finished(self, work: _ExtractWork) -> ExtractedPage | Reject:
        page = work.page
        if work.error is not None:
            costs = {"decode": page.decode, "extract": work.cost}
            return Reject.of_page(page, Stage.EXTRACT, work.error, **costs)
        assert work.extraction is not None
        return extracted_page(page, work.extraction, self._plan, cost=work.cost, annotations=work.annotations)

    def _time(self) -> Cost:
        """Return the time so far, with the CPU time of the guarded child."""
        return clock() if self._guard is None else clock() + Cost(self._guard.cpu_seconds)


def _rejection(error: Exception) -> RejectedError:
    if isinstance(error, RejectedError):
        return error
    return RejectedError(RejectReason.EXTRACTOR_ERROR, describe(error))


def extracted_page(
    page: Page,
    extraction: Extraction,
    plan: ExtractPlan,
    *,
    cost: Cost,
    annotations: tuple[NamedTuple, ...] = (),
) -> ExtractedPage:
    """Return a page's row, with what the books and further columns need besides."""
    text = encoded(extraction.text)
    metrics = extraction.metrics
    row = PageRow(
        url=page.url,
        **page.location.columns,
        record_id=page.record_id,
        warcinfo_id=page.warcinfo_id,
        payload_digest=page.payload_digest,
        fetched_at=page.fetched_at,
        status=page.status,
        media_type=page.media_type,
        charset=page.charset,
        charset_source=page.charset_source,
        replaced=page.replaced,
        truncated=page.truncated or extraction.truncated,
        lang=page.lang,
        title=extraction.title,
        text=extraction.text,
        text_digest=hashlib.blake2b(text, digest_size=16).hexdigest(),
        extractor=plan.extractor,
        extractor_options=plan.row_options,
        fallback=extraction.fallback,
        html_bytes=page.html_bytes,
        html_chars=page.html_chars,
        text_chars=metrics.text_chars,
        words=metrics.words,
        lines=metrics.lines,
        content_lines=metrics.content_lines,
        tags=metrics.tags,
        link_chars=metrics.link_chars,
        tag_ratio_mean=metrics.tag_ratio_mean,
        tag_ratio_std=metrics.tag_ratio_std,
        threshold=metrics.threshold,
        content_ratio=metrics.content_ratio,
        decode_seconds=page.decode.cpu,
        extract_seconds=cost.cpu,
        html=extraction.html if "html" in plan.columns else None,
        confidence=metrics.confidence,
    )
    return ExtractedPage(
        shard=page.location.shard,
        row=row,
        text_bytes=len(text),
        decode=page.decode,
        extract=cost,
        annotations=annotations,
    )
