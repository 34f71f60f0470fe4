"""Read the metadata of a page: dates, authors, the site's name, its address, its licence."""

from datetime import UTC, datetime

from cedar.transforms.decode.given import check_url, refuse_other_formats, utf8_of
from cedar.transforms.model.annotations import Metadata

__all__ = ["Metadata", "metadata"]


def metadata(
    html: bytes | bytearray | memoryview | str,
    url: str | None = None,
    fetched_at: datetime | int | None = None,
) -> Metadata:
    """Read the metadata of one page; a field is None if the page does not state it clearly.

    Args:
        html: the page. Bytes are decoded as in the pipeline, without an HTTP header; in a string, lone
            surrogates become U+FFFD.
        url: the page's address: it makes other addresses absolute, and may name a date.
        fetched_at: the time of the fetch, a time (without a zone: UTC) or microseconds since the epoch;
            nothing is dated later than the day after.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the page begins as a PDF, a picture or an archive does.
    """
    check_url(url)
    refuse_other_formats(html)
    if not isinstance(fetched_at, datetime | int | None):
        wanted = "a datetime, microseconds since the epoch, or None"
        raise TypeError(f"fetched_at is {wanted}, not {type(fetched_at).__name__}")
    # Imported here because its tables take a moment.
    from cedar.transforms.metadata.reading import page_metadata

    if isinstance(fetched_at, datetime):
        aware = fetched_at if fetched_at.tzinfo else fetched_at.replace(tzinfo=UTC)
        fetched_at = round(aware.timestamp() * 1e6)
    return page_metadata(utf8_of(html), url, fetched_at)
