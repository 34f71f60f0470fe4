"""The records of a shard, in order, and its mark."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cedar.transforms.corpus.commit import Corpus, revoke
from cedar.transforms.corpus.shards import shard_inputs
from cedar.transforms.crawls.manifest import read_rows
from cedar.transforms.crawls.selected import SelectedFaultError, SelectionReader, joining_for
from cedar.transforms.decode.given import known_utf8, utf8_of
from cedar.transforms.decode.page import PageFilter, is_candidate
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.http_options import COMMON_CRAWL, FileChangedError, PermanentHttpError, WebOptions
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.files.storage import StoredFile
from cedar.transforms.files.stores import source_for
from cedar.transforms.model._cost import Cost, clock
from cedar.transforms.model.books import Fetched, RejectedError, RejectReason, Stage
from cedar.transforms.model.limits import DEFAULT_MAX_BODY, max_block
from cedar.transforms.model.records import ROW, Location, Record, Reject, Shard, ShardEnd
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.readers.choices import InputChoices, ReadOptions
from cedar.transforms.readers.kinds import kind_of
from cedar.transforms.readers.pages import ListedPage, is_folder, listing_name, page_record, read_listing
from cedar.transforms.runtime.events import event
from cedar.transforms.runtime.heartbeat import Board, Progress, RecordPlace, Slot, StoppedError, Wait
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd

_LOOK_SECONDS = 0.2
"""How often somebody who waits for a web server looks whether the launcher has given the word to stop."""


class ShardFaultError(Exception):
    """Reading a shard failed for a reason that is not its content: I/O, permission, no space."""

    def __init__(self, shard: str, source: str, fault: str) -> None:
        super().__init__(f"{source}: {fault} [shard {shard}]")
        self.shard = shard


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """What to read of a shard.

    Attributes:
        filter: what can become a page; its record types are read whole, others only counted.
        limit: stop after about this many pages of a shard; None = read it all.
        arriving: inputs may change while the job runs; a shard of a file that has changed since it was
            listed is passed over, because the file will be listed again.
    """

    filter: PageFilter = field(default_factory=PageFilter)
    max_body: int = DEFAULT_MAX_BODY
    limit: int | None = None
    arriving: bool = False
    web: WebOptions = field(default_factory=WebOptions)
    choices: InputChoices = field(default_factory=InputChoices)

    @property
    def options(self) -> ReadOptions:
        """The options of the readers."""
        return ReadOptions(kinds=self.filter.record_types, max_body=self.max_body, choices=self.choices)


class ShardReader:
    """What reads shards: their records in order, then their mark; or what was committed of them before.

    In the slot, if any, progress is reported and the word to stop looked for. Hosts' pace is shared by the
    workers of its board.
    """

    def __init__(self, corpus: Corpus, plan: ReadPlan, slot: Slot | None = None) -> None:
        self._corpus = corpus
        self._plan = plan
        self._slot = slot
        self._board = None if slot is None else Board(slot.path)
        pace = () if slot is None else (Path(slot.path).parent / "pace", self._sleep)
        self._web = Web(plan.web, *pace)

    def read(self, shard: Shard) -> Iterator[Record | Reject | ShardEnd | ShardSummary]:
        """Read one shard; raise ShardFaultError where that fails, StoppedError at the word to stop."""
        try:
            if self._board is not None and self._board.stopping:
                raise StoppedError
            done = self._corpus.committed(shard.name)
            if done is not None and self._plan.arriving and shard.version not in (None, done.shard.version):
                # Of the file as it was before: an attempt that came late, or a file that changed.
                revoke(self._corpus, done.shard.name)
            elif done is not None:
                yield done
                return
            if self._plan.arriving and not is_as_listed(shard, self._web):
                return
            event("shard begun", shard=shard.name, source=shard.source)
            if self._board is None or self._slot is None:
                yield from self._elements(shard)
            else:
                yield from self._reported(shard, self._board, self._slot)
        except SelectedFaultError as fault:
            raise ShardFaultError(shard.name, fault.source, str(fault)) from fault
        except OSError as fault:
            raise ShardFaultError(shard.name, shard.source, f"{type(fault).__name__}: {fault}") from fault

    def _reported(self, shard: Shard, board: Board, slot: Slot) -> Iterator[Record | Reject | ShardEnd]:
        """Yield what a shard holds, and report on it; records that are passed over are rejects."""
        board.open_shard(slot.index, shard.name)
        reported = 0
        for number, element in enumerate(self._elements(shard)):
            if board.stopping_now:
                raise StoppedError
            step = _step(shard, element, reported)
            reported += step
            board.add(slot.index, Progress(step, 1))
            if not isinstance(element, Record):
                yield element
            elif (slot.passed_over or slot.fatal) and (
                why := slot.refusal(RecordPlace(shard.name, element.location.offset, number))
            ):
                yield Reject.of(element.location, element.url, Stage.READ, why)
            else:
                # The shard's writer says when it has come to its end.
                board.begin_record(slot.index, element.location.offset, number, element.url or "")
                yield element

    def _elements(self, shard: Shard) -> Iterator[Record | Reject | ShardEnd]:
        if is_folder(shard.source):
            with self._corpus.storage.open(f"{self._corpus.root}/{listing_name(shard.version)}") as listing:
                pages = read_listing(listing, shard.start, shard.stop or 0)
            bounds = (*(page.start for page in pages), pages[-1].stop if pages else shard.stop or 0)
            return _read_parts(
                shard, _listed_pages(shard, pages, self._plan, self._web), bounds, self._plan, self._web
            )
        if shard.wanted is None:
            return read_shard(shard, self._plan, self._web)
        path = f"{self._corpus.root}/{shard.source}"
        with self._corpus.storage.open(path) as manifest:
            rows = read_rows(manifest, shard.start, shard.stop or 0)
        reader = SelectionReader(
            shard=shard.name,
            root=COMMON_CRAWL,
            source_at=lambda source: source_for(source, self._web),
            filter=self._plan.filter,
            joining=joining_for(self._web.options.crawl_root),
            max_body=self._plan.max_body,
        )
        items = reader.read(rows)
        bounds = tuple(range(shard.start, shard.start + len(rows) + 1))
        return _read_parts(
            shard, ((item, item.location.length) for item in items), bounds, self._plan, self._web
        )

    def _sleep(self, seconds: float, why: str) -> None:
        """Wait for a web server, but not longer than the launcher wants."""
        assert self._board is not None
        assert self._slot is not None
        end = time.monotonic() + seconds
        self._board.wait(self._slot.index, Wait(why, end))
        try:
            while (left := end - time.monotonic()) > 0:
                if self._board.stopping_now:
                    raise StoppedError
                time.sleep(min(_LOOK_SECONDS, left))
        finally:
            self._board.wait(self._slot.index, None)

    def close(self) -> None:
        """Let go of the board."""
        if self._board is not None:
            self._board.close()


def is_as_listed(shard: Shard, web: Web | None = None) -> bool:
    """Tell whether the input has the size and version that it was listed with, as far as they are known."""
    try:
        file = source_for(shard.place, web).stat()
    except FileNotFoundError:
        return False
    return _is_of(shard, file)


def _is_of(shard: Shard, file: StoredFile) -> bool:
    return shard.size in (None, file.size) and shard.version in (None, file.version)


def read_shard(shard: Shard, plan: ReadPlan, web: Web | None = None) -> Iterator[Record | Reject | ShardEnd]:
    """Yield the records of a shard in order, then its mark; raise OSError, also if the input has changed."""
    candidates = records_read = headers = 0
    spent = Cost()
    web = web or Web(plan.web)
    before = web.spent, web.fetched
    input_ = source_for(shard.place, web)
    # A file name need not be valid text; rows must be.
    source = os.fsencode(shard.source).decode("utf-8", "replace")
    with input_.open() as file:
        start = clock()
        if shard.stop is None:  # it was not known; the name stays
            now = input_.stat_open(file)
            shard = replace(shard, size=now.size, version=now.version, stop=now.size)
        assert shard.size is not None
        assert shard.stop is not None
        span = FileRange(
            source=source,
            size=shard.size,
            shard=shard.name,
            start=shard.start if shard.read_from is None else shard.read_from,
            stop=shard.stop,
        )
        for item in kind_of(shard.source).read(file, span, plan.options):
            spent += clock() - start
            if isinstance(item, ReadEnd):
                if not _is_of(shard, input_.stat_open(file)):
                    raise FileChangedError("the file changed while it was read")
                if not headers and span.start == 0 and shard.source.startswith(COMMON_CRAWL):
                    raise PermanentHttpError("the answer is no archive: a login page or a proxy's, perhaps")
                shard = replace(shard, mark=input_.storage.mark(input_.path))
                counts = item.first_offset, item.next_offset, item.records_read, item.bytes_in
                yield ShardEnd(shard, *counts, **_costs(web, before, spent))
                return
            records_read += 1
            headers += not isinstance(item, Damage)
            if isinstance(item, Damage):
                why = RejectedError(item.reason, item.detail)
                yield Reject.of(item.location, item.url, Stage.READ, why)
            elif item.kind != ROW and item.kind not in plan.filter.record_types:
                why = RejectedError(RejectReason.NOT_RESPONSE, item.kind)
                yield Reject.of(item.location, item.url, Stage.READ, why)
            else:
                candidates += is_candidate(item, plan.filter) if plan.limit is not None else 0
                yield item
            if plan.limit is not None and candidates >= plan.limit:
                at = item.location.end
                read = at - shard.start
                yield ShardEnd(shard, shard.start, at, records_read, read, **_costs(web, before, spent))
                return
            start = clock()


def _listed_pages(
    shard: Shard, pages: Sequence[ListedPage], plan: ReadPlan, web: Web
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
        span = FileRange(source=path, size=page.size, shard=shard.name)
        yield page_record(body, now, span, shard.source, plan.options), len(body)


def _read_parts(
    shard: Shard,
    items: Iterable[tuple[Record | Reject, int]],
    bounds: Sequence[int],
    plan: ReadPlan,
    web: Web,
) -> Iterator[Record | Reject | ShardEnd]:
    """Yield the items of a part of a listing or of a selection, given with their bytes, then the mark.

    `bounds` are where each item begins, and where the last one ends.
    """
    before = web.spent, web.fetched
    spent, candidates, count, size = Cost(), 0, 0, 0
    start = clock()
    for item, length in items:
        spent += clock() - start
        count += 1
        size += length
        if plan.limit is not None and isinstance(item, Record):
            candidates += is_candidate(item, plan.filter)
        yield item
        if plan.limit is not None and candidates >= plan.limit:
            break
        start = clock()
    costs = _costs(web, before, spent, size if shard.wanted is not None else 0)
    yield ShardEnd(shard, bounds[0] if count else None, bounds[count], count, size, **costs)


def _costs(web: Web, before: tuple[Cost, Fetched], spent: Cost, wanted: int = 0) -> dict[str, Any]:
    """Part the time that reading took, as a `ShardEnd` has it; `before` is what a server had given by then.

    `wanted` are bytes of records.
    """
    fetch, fetched = web.spent - before[0], web.fetched - before[1]
    return {"read": spent - fetch, "fetch": fetch, "fetched": replace(fetched, wanted=wanted)}


def _step(shard: Shard, element: Record | Reject | ShardEnd, reported: int) -> int:
    """Return the bytes of a shard's input by which an element brings it nearer to its end."""
    if isinstance(element, ShardEnd):
        return max(0, shard.length - reported)
    if shard.wanted is not None or is_folder(shard.source):
        return max(0, min(element.location.length, shard.length - reported))
    return max(0, min(element.location.end - shard.start, shard.length) - reported)


def records(*inputs: str, plan: ReadPlan | None = None) -> Iterator[Record | Reject]:
    """Read inputs: archives, tables, files of HTML, WACZ.

    Args:
        inputs: files, globs, directories, or `@list` files of paths.
        plan: what to read; by default every response.

    Yields:
        The records in order; what cannot be read, and records of other types, as rejects.

    Raises:
        ValueError: nothing matches an input.
        OSError: an input cannot be read.
    """
    for shard in shard_inputs(list_inputs(inputs)):
        for element in read_shard(shard, plan or ReadPlan()):
            if not isinstance(element, ShardEnd):
                yield element


def from_html(
    url: str, html: bytes | str, fetched_at: datetime | None = None, content_type: str = "text/html"
) -> Record:
    """Make a record of a page at hand, for `DecodePage`.

    Args:
        url: where the page is from.
        html: bytes, whose encoding is found as that of any page, or text.
        fetched_at: when it was fetched; without a zone: UTC.
        content_type: as the HTTP header says it; of text only the media type counts.

    Raises:
        TypeError: the page is of another type.
    """
    if isinstance(html, str):
        content_type = f"{content_type.partition(';')[0]}; charset=utf-8"
    body = html if isinstance(html, bytes) else known_utf8(utf8_of(html))
    date = fetched_at.replace(tzinfo=fetched_at.tzinfo or UTC).isoformat() if fetched_at else None
    return Record(
        location=Location(shard="", source="", offset=0, length=len(body)),
        kind=ROW,
        url=url,
        record_id=None,
        date=date,
        content_type=content_type,
        block=body,
        truncated=False,
    )
