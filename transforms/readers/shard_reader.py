"""The elements of a shard: its records in order, rejects among them, then the mark that closes it."""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from cedar.transforms.crawls.manifest import CRAWL_FOLDER, SelectedRow, read_rows
from cedar.transforms.crawls.selected import SelectionReader, joining_for
from cedar.transforms.decode.page import REVISIT, PageFilter, is_candidate, rejected_record
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.http_options import COMMON_CRAWL, FileChangedError, PermanentHttpError, WebConfig
from cedar.transforms.files.input_kinds import WACZ_SUFFIX, InputError, has_suffix
from cedar.transforms.files.storage import StoredFile, raised_as
from cedar.transforms.files.stores import source_for
from cedar.transforms.model.books import RejectedError, RejectReason, Stage
from cedar.transforms.model.costs import Cost, Timed
from cedar.transforms.model.limits import DEFAULT_MAX_BODY, max_block
from cedar.transforms.model.records import ROW, Record, Reject, Shard, ShardEnd
from cedar.transforms.readers.choices import InputOptions, ReadOptions
from cedar.transforms.readers.kinds import kind_of
from cedar.transforms.readers.pages import ListedPage, is_folder, listing_name, page_record, read_listing
from cedar.transforms.readers.wacz import WarcFiles
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd

Element = Record | Reject | ShardEnd


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """What to read of a shard.

    Attributes:
        filter: what can become a page; its record types are read whole, others only counted.
        limit: stop after about this many pages of a shard; None = read it all.
        passing: records outside of the sample are passed over if that spares inflating them; then they are
            counted in the mark of the shard, and are no elements.
        arriving: inputs may change while the job runs; a shard of a file that has changed since it was
            listed is passed over, because the file will be listed again.
    """

    filter: PageFilter = field(default_factory=PageFilter)
    max_body: int = DEFAULT_MAX_BODY
    limit: int | None = None
    passing: bool = False
    arriving: bool = False
    web: WebConfig = field(default_factory=WebConfig)
    choices: InputOptions = field(default_factory=InputOptions)

    @property
    def options(self) -> ReadOptions:
        """The options of the readers."""
        kinds = self.filter.record_types | {REVISIT}
        sample = self.filter.urls.sample if self.passing else None
        return ReadOptions(
            kinds=kinds,
            max_body=self.max_body,
            choices=self.choices,
            is_wanted=None if sample is None else sample.has,
        )


def read_shard(
    shard: Shard, plan: ReadPlan, web: Web, *, open_listing: Callable[[str], BinaryIO]
) -> Iterator[Element]:
    """Yield the elements of a shard of any kind: of a file, of a directory's pages, of a selection.

    Args:
        open_listing: opens a file by its name below the corpus: a directory's listing, or a manifest.

    Raises OSError: an input cannot be read, or has changed; SelectedFaultError: the same of a file of a
    selection.
    """
    if is_folder(shard.source):
        return _read_listed(shard, plan, web, open_listing=open_listing)
    if shard.wanted is not None:
        return _read_selected(shard, plan, web, open_listing=open_listing)
    return read_file(shard, plan, web)


def read_file(shard: Shard, plan: ReadPlan, web: Web | None = None) -> Iterator[Element]:
    """Yield the elements of a range of a file; raise OSError, also if the file has changed."""
    web = web or Web(plan.web)
    costs, limit = _ShardCosts(web, plan.filter.record_types), _PageLimit(plan)
    stored = source_for(shard.place, web)
    # A file name need not be valid text; rows must be.
    source = os.fsencode(shard.source).decode("utf-8", "replace")
    with stored.open() as file:
        if shard.stop is None:  # it was not known; the name stays
            now = stored.stat_open(file)
            shard = replace(shard, size=now.size, version=now.version, stop=now.size)
        assert shard.size is not None
        assert shard.stop is not None
        file_range = FileRange(
            source=source,
            size=shard.size,
            shard=shard.name,
            start=shard.start if shard.read_from is None else shard.read_from,
            stop=shard.stop,
        )
        headers = 0
        items = Timed(kind_of(shard.source).read(file, file_range, plan.options))
        for records_read, item in enumerate(items, 1):
            if isinstance(item, ReadEnd):
                if not _is_of(shard, stored.stat_open(file)):
                    raise FileChangedError("the file changed while it was read")
                if (
                    not headers
                    and not item.passed
                    and file_range.start == 0
                    and shard.source.startswith(COMMON_CRAWL)
                ):
                    raise PermanentHttpError("the answer is no archive: a login page or a proxy's, perhaps")
                shard = replace(shard, mark=stored.storage.mark(stored.path))
                yield costs.shard_end(shard, item, items.spent)
                return
            headers += isinstance(item, Record)
            element = _element(item, plan)
            yield element
            if limit.is_reached_with(element):
                end = item.location.end
                yield costs.shard_end(
                    shard, ReadEnd(shard.start, end, records_read, end - shard.start), items.spent
                )
                return


def _element(item: Record | Damage, plan: ReadPlan) -> Record | Reject:
    """Return a record that may become a page, or why it is rejected."""
    if isinstance(item, Damage):
        return Reject.of(item.location, item.url, Stage.READ, error=RejectedError(item.reason, item.detail))
    if item.kind != ROW and item.kind not in plan.filter.record_types:
        reject = rejected_record(item, Stage.READ, RejectedError(RejectReason.NOT_RESPONSE, item.kind))
        is_wanted = reject.revisit is None or plan.filter.urls.refusal(reject.revisit.url) is None
        return reject if is_wanted else replace(reject, revisit=None)
    return item


def _rejects_of(passed: Mapping[str, int], record_types: Collection[str]) -> Mapping[RejectReason, int]:
    """Count the rejects that records of these kinds are which were passed over, by reason."""
    rejects = Counter[RejectReason]()
    for kind, number in passed.items():
        is_page = kind in record_types
        rejects[RejectReason.SAMPLE if is_page else RejectReason.NOT_RESPONSE] += number
    return rejects


class _PageLimit:
    """Counts what a shard has given, up to the limit of a plan."""

    def __init__(self, plan: ReadPlan) -> None:
        self._limit, self._filter = plan.limit, plan.filter
        self._pages = 0

    def is_reached_with(self, element: Record | Reject) -> bool:
        """Count an element; tell whether the shard is not to be read further."""
        if self._limit is None:
            return False
        if isinstance(element, Record):
            self._pages += is_candidate(element, self._filter)
        return self._pages >= self._limit


def is_as_listed(shard: Shard, web: Web | None = None) -> bool:
    """Tell whether the input has the size and version that it was listed with, as far as they are known."""
    try:
        file = source_for(shard.place, web).stat()
    except FileNotFoundError:
        return False
    return _is_of(shard, file)


def _is_of(shard: Shard, file: StoredFile) -> bool:
    return shard.size in (None, file.size) and shard.version in (None, file.version)


def _read_listed(
    shard: Shard, plan: ReadPlan, web: Web, *, open_listing: Callable[[str], BinaryIO]
) -> Iterator[Element]:
    with open_listing(listing_name(shard.version)) as listing:
        pages = read_listing(listing, shard.start, shard.stop or 0)
    bounds = (*(page.start for page in pages), pages[-1].stop if pages else shard.stop or 0)
    return _read_parts(shard, _listed_pages(shard, pages, plan, web=web), bounds, plan=plan, web=web)


def _listed_pages(
    shard: Shard, pages: Sequence[ListedPage], plan: ReadPlan, *, web: Web
) -> Iterator[tuple[Record, int]]:
    """Yield the files of a part of a directory's listing, one record each, and the bytes that were read."""
    for page in pages:
        source = source_for(page.path, web)
        with source.open() as file:
            body = file.read(max_block(plan.max_body) + 1)
            now = source.stat_open(file)
        if (now.size, now.version) != (page.size, page.version):
            raise FileChangedError(f"{page.path} changed since it was listed")
        path = os.fsencode(page.path).decode("utf-8", "replace")
        file_range = FileRange(source=path, size=page.size, shard=shard.name)
        yield page_record(body, now, file_range, root=shard.source, options=plan.options), len(body)


def _read_selected(
    shard: Shard, plan: ReadPlan, web: Web, *, open_listing: Callable[[str], BinaryIO]
) -> Iterator[Element]:
    with open_listing(shard.source) as manifest:
        rows = read_rows(manifest, shard.start, shard.stop or 0)
    is_of_crawl = all(row.filename.startswith(CRAWL_FOLDER) for row in rows)
    reader = SelectionReader(
        shard=shard.name,
        root=COMMON_CRAWL if is_of_crawl else "",
        source_at=lambda source: source_for(source, web),
        filter=plan.filter,
        joining=joining_for(web.options.crawl_root),
        max_body=plan.max_body,
        any_type=not is_of_crawl,
    )
    items = _selected_elements(reader, rows, plan)
    return _read_parts(shard, items, range(shard.start, shard.start + len(rows) + 1), plan=plan, web=web)


def _selected_elements(
    reader: SelectionReader, rows: Sequence[SelectedRow], plan: ReadPlan
) -> Iterator[tuple[Record | Reject, int]]:
    """Yield the elements of the rows of a selection, and the bytes that were read for each."""
    files: dict[str, WarcFiles] = {}
    for item in reader.read(rows):
        location = item.location
        if has_suffix(location.source, (WACZ_SUFFIX,)):
            if location.source not in files:
                with reader.source_at(location.source).open() as file, raised_as(OSError, InputError):
                    files[location.source] = WarcFiles.of(file)
            files[location.source].name_place(location)
        yield item if isinstance(item, Reject) else _element(item, plan), location.length


def _read_parts(
    shard: Shard,
    parts: Iterable[tuple[Record | Reject, int]],
    bounds: Sequence[int],
    *,
    plan: ReadPlan,
    web: Web,
) -> Iterator[Element]:
    """Yield the elements of a part of a listing or of a selection, given with their bytes, then the mark.

    `bounds` are where each element begins, and where the last one ends.
    """
    costs, limit = _ShardCosts(web, plan.filter.record_types), _PageLimit(plan)
    count = bytes_in = 0
    timed = Timed(parts)
    for element, length in timed:
        count += 1
        bytes_in += length
        yield element
        if limit.is_reached_with(element):
            break
    end = ReadEnd(bounds[0] if count else None, bounds[count], count, bytes_in)
    yield costs.shard_end(shard, end, timed.spent)


class _ShardCosts:
    """The time and the requests of a shard, without earlier shards' on the same connection."""

    def __init__(self, web: Web, record_types: Collection[str]) -> None:
        self._web = web
        self._record_types = record_types
        self._spent, self._fetched = web.spent, web.fetched

    def shard_end(self, shard: Shard, end: ReadEnd, spent: Cost) -> ShardEnd:
        """Return the mark of a shard that took the time `spent` to read."""
        fetch = self._web.spent - self._spent
        wanted = end.bytes_in if shard.wanted is not None else 0
        return ShardEnd(
            shard=shard,
            first_offset=end.first_offset,
            next_offset=end.next_offset,
            records_read=end.records_read,
            bytes_in=end.bytes_in,
            read=spent - fetch,
            fetch=fetch,
            fetched=replace(self._web.fetched - self._fetched, wanted=wanted),
            passed=_rejects_of(end.passed, self._record_types),
        )
