"""The revisits of a corpus, each with the earlier capture that it refers to, looked up among rows of corpora.

A revisit names that capture by its record id, by its URL and date (WARC 1.1), or only by the digest of its
content. These are tried in that order; among captures that share a name the earliest is taken.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from cedar.transforms.corpus.corpus_reader import REASON_COLUMNS, CorpusReader, digest_of_names
from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.columns import Column, columns_of
from cedar.transforms.model.records import Int64, RevisitRow, described

_SECOND = 1_000_000
_CAPTURE = ("url", "source", "offset", "inner_offset", "record_id", "payload_digest", "fetched_at")


@described
class OriginalRow(NamedTuple):
    """The row of the capture that a revisit refers to; nulls if no corpus has it."""

    found_by: Annotated[str | None, "what the revisit names it by: record_id, url_and_date, or digest"] = None
    original_corpus: Annotated[str | None, "the corpus whose row it is"] = None
    original_table: Annotated[str | None, "the table of that corpus: pages, dropped or rejects"] = None
    original_reason: Annotated[str | None, "why it is no page: rule or reason; null for a page"] = None
    original_source: Annotated[str | None, "its `source`"] = None
    original_offset: Annotated[Int64 | None, "its `offset`"] = None
    original_inner_offset: Annotated[Int64 | None, "its `inner_offset`"] = None
    original_record_id: Annotated[str | None, "its `record_id`"] = None
    original_fetched_at: Annotated[Int64 | None, "its `fetched_at`"] = None


RESOLVED_COLUMNS: tuple[Column, ...] = (*columns_of(RevisitRow), *columns_of(OriginalRow))
"""The columns of a resolved revisit."""

_Name = tuple[str, bytes]
"""How a capture can be found: what by, and a digest of the values."""


def resolved_revisits(
    source: CorpusReader, against: Sequence[CorpusReader]
) -> Iterator[tuple[RevisitRow, OriginalRow]]:
    """Yield the revisits of a corpus in its order, with the capture that each refers to.

    Captures are looked up in the corpus itself and in those it is held `against`. Some 600 bytes per revisit
    are held in memory. Raises DamagedCorpusError, OSError.
    """
    wanted: dict[bytes, OriginalRow | None] = {}
    for revisit in _revisits(source):
        wanted.update((digest, None) for _, digest in _names_of_revisit(revisit))
    for corpus in (source, *against):
        for kind in REASON_COLUMNS:
            _find_captures(corpus, kind, wanted)
    for revisit in _revisits(source):
        yield revisit, _original(revisit, wanted)


def _original(revisit: RevisitRow, found: Mapping[bytes, OriginalRow | None]) -> OriginalRow:
    for name, digest in _names_of_revisit(revisit):
        original = found[digest]
        if original is not None:
            return original._replace(found_by=name)
    return OriginalRow()


def _revisits(source: CorpusReader) -> Iterator[RevisitRow]:
    return (RevisitRow(**row) for row in source.rows("revisits", RevisitRow._fields))


def _find_captures(corpus: CorpusReader, kind: str, wanted: dict[bytes, OriginalRow | None]) -> None:
    """Put the captures of a kind that are wanted into `wanted`, the earliest for each name."""
    reason = REASON_COLUMNS[kind]
    columns = _CAPTURE if reason is None else (*_CAPTURE, reason)
    for row in corpus.rows(kind, columns):
        why = None if reason is None else row[reason]
        if why == RejectReason.NOT_RESPONSE:  # a revisit, too, is one
            continue
        for _, digest in _names_of_capture(row):
            if digest in wanted and _is_earlier(row["fetched_at"], wanted[digest]):
                wanted[digest] = OriginalRow(
                    original_corpus=corpus.corpus.root,
                    original_table=kind,
                    original_reason=why,
                    original_source=row["source"],
                    original_offset=row["offset"],
                    original_inner_offset=row["inner_offset"],
                    original_record_id=row["record_id"],
                    original_fetched_at=row["fetched_at"],
                )


def _is_earlier(fetched_at: int | None, found: OriginalRow | None) -> bool:
    if found is None:
        return True
    before = found.original_fetched_at
    return fetched_at is not None and (before is None or fetched_at < before)


def _names_of_revisit(revisit: RevisitRow) -> Iterator[_Name]:
    """Yield how the capture that a revisit refers to can be found, the surest way first."""
    return _names(
        record_id=revisit.refers_to,
        url=revisit.refers_to_url,
        date=revisit.refers_to_date,
        digest=revisit.payload_digest,
        digest_url=revisit.url,
    )


def _names_of_capture(row: Mapping[str, Any]) -> Iterator[_Name]:
    """Yield the ways in which a capture can be found."""
    return _names(
        record_id=row["record_id"],
        url=row["url"],
        date=row["fetched_at"],
        digest=row["payload_digest"],
        digest_url=row["url"],
    )


def _names(
    *, record_id: str | None, url: str | None, date: int | None, digest: str | None, digest_url: str | None
) -> Iterator[_Name]:
    if record_id is not None:
        yield "record_id", digest_of_names("record_id", record_id)
    if url is not None and date is not None:
        # Writers cut the fraction of a second off, or do not.
        yield "url_and_date", digest_of_names("date", str(date // _SECOND), url)
    if digest is not None and digest_url is not None:
        digest = digest.casefold()  # in base 32 or hexadecimal, of either case
        yield "digest", digest_of_names("digest and URL", digest, digest_url)
        yield "digest", digest_of_names("digest", digest)
