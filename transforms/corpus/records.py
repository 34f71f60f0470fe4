"""Records without a corpus: those of inputs, one after the other, and those made of pages at hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from transforms.corpus.shard_reader import ReadPlan, read_shard
from transforms.corpus.shards import shard_inputs
from transforms.decode.given import known_utf8, utf8_of
from transforms.files.inputs import list_inputs
from transforms.model.records import ROW, Record, Reject, ShardEnd


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
    return Record("", "", 0, len(body), 0, ROW, url, None, date, content_type, body, truncated=False)
