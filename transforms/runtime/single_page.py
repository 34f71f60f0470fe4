"""`cedar.extract`: the content of one page, if wanted within some seconds."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace

from cedar.transforms.decode.given import check_url, looks_like_html, refuse_other_formats, utf8_of
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.options import Options
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.markdown_options import MarkdownOptions

_ELSEWHERE = {
    "with_metadata": "call cedar.metadata(html, url=url)",
    "metadata": "call cedar.metadata(html, url=url)",
    "with_markdown": "write markdown=True",
    "with_html": "read .html of the result",
}
"""What options of the command are called here."""


def extract(
    html: bytes | bytearray | memoryview | str,
    extractor: str = registry.DEFAULT,
    url: str | None = None,
    *,
    markdown: MarkdownOptions | bool | None = None,
    body_only: bool = False,
    timeout: float | None = None,
    **options: object,
) -> Extraction:
    """Extract the main content of one page.

    Args:
        html: the page. Bytes are decoded as in the pipeline, without an HTTP header; in a string, lone
            surrogates become U+FFFD.
        extractor: one of `names()`.
        url: where the page is from: it makes the links of Markdown absolute.
        markdown: True, or what Markdown keeps (`cedar.MarkdownOptions(links="keep")`), to write it, too.
        body_only: leave headline, comments and captions out: `title`, `comments`, `captions` are `drop`.
        timeout: seconds that the page may take; None = any. An extractor that builds a tree works in a
            child process then, which takes half a second to start; the others work in a thread.
        **options: the extractor's options.

    Raises:
        ValueError: an unknown extractor, an unknown option, or a value that is not allowed; Markdown, or
            the body only, of an extractor that cannot write it; a page that begins as a PDF, a picture or an
            archive does.
        TypeError: an argument is of another type.
        TimeoutError: the page took longer than `timeout`.
        RejectedError: an extractor of your own failed, or, in its child process, took over 512 MiB.
    """
    record = _checked_options(html, extractor, url, markdown=markdown, body_only=body_only, options=options)
    page = utf8_of(html)
    if timeout is None:
        found = registry.run(registry.get(extractor), page, record)
    else:
        found = _extract_within(timeout, extractor, record, page=page)
    return _completed(found, page, markdown, url=url)


def _checked_options(
    html: object,
    extractor: str,
    url: str | None,
    *,
    markdown: MarkdownOptions | bool | None,
    body_only: bool,
    options: Mapping[str, object],
) -> Options:
    """Check the arguments of `extract`; return the options record. Raises ValueError or TypeError."""
    check_url(url)
    if not isinstance(body_only, bool):
        raise TypeError(f"body_only is True or False, not {body_only!r}")
    if not isinstance(markdown, MarkdownOptions | bool | None):
        raise TypeError(f"markdown is True or a cedar.MarkdownOptions(), not {markdown!r}")
    for option, instead in _ELSEWHERE.items():
        if option in options:
            raise ValueError(f"{extractor} has no option {option!r}: {instead}")
    refuse_other_formats(html)
    record = registry.parse_options(extractor, options, body_only=body_only)
    if markdown:
        registry.check_markdown(registry.get(extractor))
    return record


def _completed(
    found: Extraction, page: bytes, markdown: MarkdownOptions | bool | None, *, url: str | None
) -> Extraction:
    """Return an extraction with its Markdown, if it is asked for; it says whether the page is HTML."""
    if not looks_like_html(page):
        found = replace(found, is_html=False)
    if not markdown:
        return found
    wanted = MarkdownOptions() if markdown is True else markdown
    return replace(found, markdown=found.write_markdown(wanted, url))


def _extract_within(seconds: float, extractor: str, record: Options, *, page: bytes) -> Extraction:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise TypeError(f"timeout is a number of seconds, not {seconds!r}")
    if not 0 < seconds < threading.TIMEOUT_MAX:
        most = int(threading.TIMEOUT_MAX)
        raise ValueError(f"timeout is a number of seconds above 0 and below {most:,}, not {seconds!r}")
    method = registry.get(extractor)
    if method.is_guarded:
        arguments = (extractor, registry.options_json(record))
        return _result_within(seconds, lambda: _extract_guarded(arguments, page, seconds))
    return _result_within(seconds, lambda: registry.run(method, page, record))


def _result_within(seconds: float, work: Callable[[], Extraction]) -> Extraction:
    """Return what `work` returns; raise TimeoutError if that takes longer: its thread then ends later."""
    result: Future[Extraction] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is wanted
            result.set_exception(error)

    threading.Thread(target=run, name="cedar.extract", daemon=True).start()
    try:
        return result.result(seconds)
    except TimeoutError:
        raise TimeoutError(f"the page took longer than {seconds:g} s") from None


def _extract_guarded(arguments: tuple[str, str], page: bytes, seconds: float) -> Extraction:
    """Extract in a child process that the system ends after some seconds of CPU time."""
    from cedar.transforms.runtime.guard import Guard  # here, where it is asked for
    from cedar.transforms.runtime.guard_limits import GuardLimits

    with closing(Guard(arguments, GuardLimits(cpu_seconds=seconds), with_blocks=True)) as guard:
        try:
            return guard.extract(page)
        except RejectedError as error:
            if error.reason is RejectReason.TIME_LIMIT:
                raise TimeoutError from error
            raise
