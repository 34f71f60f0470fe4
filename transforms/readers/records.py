"""Records for pipelines of one's own: the records of inputs, and a record made of a page."""

from collections.abc import Iterator
from datetime import UTC, datetime

from cedar.transforms.decode.given import mark_utf8, utf8_of
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.model.records import ROW, Location, Record, Reject, ShardEnd
from cedar.transforms.readers.shard_reader import ReadPlan, read_file
from cedar.transforms.readers.shards import shard_inputs


def records(*inputs: str, plan: ReadPlan | None = None) -> Iterator[Record | Reject]:
    """Read inputs: archives, tables, files of HTML, WACZ.

    Args:
        inputs: files, globs, directories, or `@list` files of paths.
        plan: what to read; by default every response.

    Returns:
        The records in order; what cannot be read, and records of other types, as rejects.

    Raises TypeError: an input is not a string, or there is not one; ValueError: nothing matches an input;
    raised with the first record, as is what follows; OSError: an input cannot be read.
    """
    if not inputs or not all(isinstance(path, str) for path in inputs):
        raise TypeError(f"inputs are paths, as in cedar.records('crawl/*.warc.gz'), not {inputs!r}")
    return _records(inputs, plan or ReadPlan())


def _records(inputs: tuple[str, ...], plan: ReadPlan) -> Iterator[Record | Reject]:
    for shard in shard_inputs(list_inputs(inputs)):
        for element in read_file(shard, plan):
            if not isinstance(element, ShardEnd):
                yield element


def from_html(
    url: str, html: bytes | str, fetched_at: datetime | None = None, *, content_type: str = "text/html"
) -> Record:
    """Make a record of a page at hand, for `DecodePage`.

    Args:
        url: where the page is from.
        html: bytes, whose encoding is found as for any page, or text.
        fetched_at: when it was fetched; without a zone: UTC.
        content_type: as the HTTP header says it; of text only the media type counts.

    Raises TypeError: the page is of another type.
    """
    if isinstance(html, str):
        content_type = f"{content_type.partition(';')[0]}; charset=utf-8"
    body = html if isinstance(html, bytes) else mark_utf8(utf8_of(html))
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
