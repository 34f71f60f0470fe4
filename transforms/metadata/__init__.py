"""What a page says of itself: dates, authors, the site's name, its address, its licence."""

from datetime import UTC, datetime

from cedar.transforms.decode.given import check_url, refuse_other_formats, utf8_of
from cedar.transforms.model.annotations import Metadata

__all__ = ["Metadata", "metadata"]


def metadata(
    html: bytes | bytearray | memoryview | str,
    url: str | None = None,
    fetched_at: datetime | int | None = None,
) -> Metadata:
    """Read what one page says of itself; None for what it does not say, or not clearly.

    Args:
        html: the page. Bytes are decoded as in the pipeline, without an HTTP header; in a string, lone
            surrogates become U+FFFD.
        url: where it is from: it makes addresses absolute, and may name a date.
        fetched_at: when it was fetched, a time (without a zone: UTC) or microseconds since the epoch;
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
    # Here, where it is asked for: its tables take a moment.
    from cedar.transforms.metadata.reading import page_metadata

    if isinstance(fetched_at, datetime):
        aware = fetched_at if fetched_at.tzinfo else fetched_at.replace(tzinfo=UTC)
        fetched_at = round(aware.timestamp() * 1e6)
    return page_metadata(utf8_of(html), url, fetched_at)
