"""From a record to a page: what may become one, and its decoded HTML.

The cheapest questions come first: URL, status, media type, body, charset.
"""

import contextlib
import re
from dataclasses import dataclass

from cedar.transforms.decode.charset import decode_text
from cedar.transforms.decode.http import OPT_OUTS, HttpMessage, begins_with_head, decode_body, parse_http
from cedar.transforms.decode.media import charset_label, is_binary, is_html, media_type
from cedar.transforms.decode.prescan import declared_language
from cedar.transforms.model.books import OF_ADDRESSES, RejectedError, RejectReason, Stage
from cedar.transforms.model.costs import Cost
from cedar.transforms.model.limits import DEFAULT_MAX_BODY
from cedar.transforms.model.records import Page, Record, Reject, RevisitRow
from cedar.transforms.urls.rules import NO_URL_RULES, UrlRules
from cedar.transforms.warc.records import parse_date

REVISIT = "revisit"
"""The type of records that say that a page was as at an earlier capture."""

_HEAD_BYTES = 4096
_PLAIN_TEXT = "text/plain"


@dataclass(frozen=True, slots=True)
class PageFilter:
    """What becomes a page: by WARC types, lower case, and closed ranges (first, last) of HTTP statuses.

    `urls` is what its address has to be; with `plain_text` records of type text/plain become pages, too.
    """

    record_types: frozenset[str] = frozenset({"response"})
    statuses: tuple[tuple[int, int], ...] = ((200, 299),)
    urls: UrlRules = NO_URL_RULES
    plain_text: bool = False

    def takes_status(self, status: int) -> bool:
        """Tell whether a response with this status may become a page."""
        return any(first <= status <= last for first, last in self.statuses)

    def takes_plain_text(self, media_type: str | None, body: bytes, charset: str | None) -> bool:
        """Tell whether a body that is not HTML may become a page because it is plain text."""
        return self.plain_text and media_type == _PLAIN_TEXT and not is_binary(body, charset)


def decode_record(
    record: Record,
    filter: PageFilter,  # noqa: A002 - the word of the command line
    max_body: int = DEFAULT_MAX_BODY,
) -> Page:
    """Decode the HTML of a record.

    Of the body, at most `max_body` bytes are kept.

    Raises RejectedError: the record is not a page, with the reason.
    """
    message = _checked_message(record, filter)
    try:
        return _page_of(record, message, filter, max_body=max_body)
    except RejectedError as error:
        declared = media_type(message.get("content-type"))
        raise RejectedError(error.reason, error.detail, status=message.status, media_type=declared) from error


def rejected_record(record: Record, stage: Stage, error: RejectedError, **costs: Cost) -> Reject:
    """Return the reject that an error in a stage makes of a record."""
    declared = None if _is_http(record) else media_type(record.content_type)
    return Reject.of(
        record.location,
        record.url,
        stage,
        error=error,
        record_id=record.record_id,
        payload_digest=record.payload_digest,
        fetched_at=parse_date(record.date),
        status=record.status if error.status is None else error.status,
        media_type=error.media_type or declared,
        revisit=None if error.reason in OF_ADDRESSES else _revisit(record),
        **costs,
    )


def _revisit(record: Record) -> RevisitRow | None:
    """Return the row of a record that is a revisit of a URL; None for others."""
    if record.kind != REVISIT or not record.url:
        return None
    status = declared = None
    with contextlib.suppress(RejectedError):  # most have the header of the answer as their block
        message = parse_http(record.block)
        status, declared = message.status, media_type(message.get("content-type"))
    return RevisitRow(
        url=record.url,
        **record.location.columns,
        record_id=record.record_id,
        payload_digest=record.payload_digest,
        fetched_at=parse_date(record.date),
        status=status,
        media_type=declared,
        refers_to=record.refers_to,
        refers_to_url=record.refers_to_url,
        refers_to_date=parse_date(record.refers_to_date),
    )


def _page_of(
    record: Record,
    message: HttpMessage,
    filter: PageFilter,  # noqa: A002 - as above
    *,
    max_body: int,
) -> Page:
    """Decode the HTML of a record's HTTP message; raise RejectedError if it is not HTML."""
    url = record.url
    assert url is not None
    content_type = message.get("content-type")
    body = decode_body(message, max_body)
    if not body.data:
        raise RejectedError(RejectReason.EMPTY_BODY)
    declared, charset = media_type(content_type), charset_label(content_type)
    is_page = is_html(declared, body.data, charset)
    is_plain = not is_page and filter.takes_plain_text(declared, body.data, charset)
    if not is_page and not is_plain:
        if is_html(declared, b""):
            raise RejectedError(RejectReason.MEDIA_TYPE, f"{declared}, but binary by its content")
        raise RejectedError(RejectReason.MEDIA_TYPE, declared or "unlabelled, and not HTML by its content")
    truncated = record.truncated or body.truncated or message.is_part
    text = decode_text(body.data, header_label=charset, truncated=truncated)
    language = None if is_plain else declared_language(text.utf8)
    return Page(
        location=record.location,
        url=url,
        record_id=record.record_id,
        fetched_at=parse_date(record.date),
        status=message.status,
        media_type=declared,
        charset=text.charset,
        charset_source=str(text.source),
        replaced=text.replaced,
        truncated=truncated,
        lang=language or _first_language(message.get("content-language")),
        html=_as_html(text.utf8) if is_plain else text.utf8,
        html_bytes=len(body.data),
        html_chars=text.chars,
        opt_outs=tuple(field for field in message.headers if field[0] in OPT_OUTS),
        payload_digest=record.payload_digest,
        warcinfo_id=record.warcinfo_id,
        is_plain=is_plain,
    )


def _as_html(plain_text: bytes) -> bytes:
    """Return HTML that shows a text as it stands."""
    return b"<pre>\n" + plain_text.replace(b"&", b"&amp;").replace(b"<", b"&lt;") + b"</pre>"


def is_candidate(record: Record, filter: PageFilter) -> bool:  # noqa: A002 - as above
    """Tell whether a record will probably become a page, by its beginning alone."""
    try:
        message = _checked_message(record, filter)
        head = decode_body(message, _HEAD_BYTES).data
    except RejectedError:
        return False
    declared, charset = media_type(message.get("content-type")), charset_label(message.get("content-type"))
    return bool(head) and (
        is_html(declared, head, charset) or filter.takes_plain_text(declared, head, charset)
    )


def _checked_message(record: Record, filter: PageFilter) -> HttpMessage:  # noqa: A002 - as above
    """Parse the HTTP message of a record that may be a page; of others, a message without a status."""
    if not record.url:
        raise RejectedError(RejectReason.NO_URL)
    if (refusal := filter.urls.refusal(record.url)) is not None:
        raise refusal
    if not record.block:
        raise RejectedError(RejectReason.EMPTY_BODY)
    if not _is_http(record):
        if record.status is not None and not filter.takes_status(record.status):
            raise RejectedError(RejectReason.STATUS, str(record.status))
        headers = (("content-type", record.content_type),) if record.content_type else ()
        return HttpMessage(record.status, headers, record.block)
    message = parse_http(record.block)
    if message.status is not None and not filter.takes_status(message.status):
        declared = media_type(message.get("content-type"))
        raise RejectedError(
            RejectReason.STATUS, str(message.status), status=message.status, media_type=declared
        )
    return message


def _is_http(record: Record) -> bool:
    if record.content_type is None:
        return record.kind == "response"
    is_labelled = record.content_type.lower().startswith("application/http")
    # Some writers give the type of the page to a whole message.
    return is_labelled or (record.kind == "response" and begins_with_head(record.block))


def _first_language(content_language: str | None) -> str | None:
    """Return the first tag of a Content-Language header."""
    if content_language is None:
        return None
    tag = content_language.partition(",")[0].strip()
    return tag if re.fullmatch(r"[A-Za-z0-9_-]{1,35}", tag) else None
