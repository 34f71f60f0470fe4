"""What became of the captures of an index: the row that a corpus has of each, or why it has none."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from cedar.transforms.corpus.corpus_reader import REASON_COLUMNS, CorpusReader, digest_of_names
from cedar.transforms.crawls.cdxj import Capture, indexed_url

PAGE, REVISIT = "page", "revisit"
NOT_READ = "its file was not read"
NO_ROW = "a type or an address that was left out, or no such record is there"
NO_RECORD = "no such record is there"
WITHOUT_ROW = (NOT_READ, NO_ROW, NO_RECORD)

_PLACE = ("url", "source", "offset", "warc_name", "warc_offset")


def capture_outcomes(
    captures: Callable[[], Iterable[Capture]], corpora: Sequence[CorpusReader]
) -> Iterator[tuple[Capture, str]]:
    """Yield the captures of an index with what became of each in some corpora.

    That is `PAGE`, `REVISIT`, `dropped`, the reason of a reject, or one of `WITHOUT_ROW`. A row is of a
    capture if the index has the last name of its file, its offset there and its URL. `captures` is
    asked twice; some 150 bytes per capture are held in memory. Raises DamagedCorpusError, OSError.
    """
    found: dict[bytes, str] = {_key(*_place_of_capture(capture)): "" for capture in captures()}
    files: set[str] = set()
    for corpus in corpora:
        files |= {_last_name(summary.shard.source) for summary in corpus.summaries()}
        for kind, reason in {**REASON_COLUMNS, "revisits": None}.items():
            for row in corpus.rows(kind, _PLACE if reason is None else (*_PLACE, reason)):
                place = _place_of_row(row)
                files.add(place[0])
                key = _key(*place)
                if key in found:
                    found[key] = _outcome(kind, row)
    has_all_rows = all(corpus.described.get("reject_rows") == "all" for corpus in corpora)
    for capture in captures():
        outcome = found[_key(*_place_of_capture(capture))]
        if not outcome and _last_name(capture.filename) not in files:
            outcome = NOT_READ
        yield capture, outcome or (NO_RECORD if has_all_rows else NO_ROW)


def _outcome(kind: str, row: Mapping[str, Any]) -> str:
    if kind == "rejects":
        return str(row["reason"])
    return {"pages": PAGE, "revisits": REVISIT, "dropped": "dropped"}[kind]


def _place_of_row(row: Mapping[str, Any]) -> tuple[str, int, str]:
    if row["warc_name"] is not None:
        return _last_name(row["warc_name"]), row["warc_offset"], row["url"] or ""
    return _last_name(row["source"]), row["offset"], row["url"] or ""


def _place_of_capture(capture: Capture) -> tuple[str, int, str]:
    return _last_name(capture.filename), capture.offset, capture.url


def _last_name(path: str) -> str:
    return path.rpartition("/")[2]


def _key(name: str, offset: int, url: str) -> bytes:
    return digest_of_names(name, str(offset), indexed_url(url))
