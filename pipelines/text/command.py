"""`cedar text`: the text of one page on standard output."""

from __future__ import annotations

from pipelines.common.corpus_page import locate
from pipelines.common.errors import UsageError
from pipelines.common.extractor_choice import DEFAULT_CHOICE
from pipelines.common.messages import complain, write_bytes
from pipelines.common.page_source import read_page, read_standard_input
from pipelines.text.options import STANDARD_INPUT, TextOptions
from transforms.curation.masks import PageMask
from transforms.extractors import registry
from transforms.extractors.markdown.making import markdown_of
from transforms.extractors.vips.browsers import refuse_browser
from transforms.model.books import RejectedError
from transforms.runtime.guard import Guard, GuardFaultError
from transforms.runtime.guard_limits import DEFAULT_LIMITS


def run(options: TextOptions) -> int:
    """Print the text of a page; returns the exit code.

    Raises:
        UsageError: there is no such page or method, or the page goes over the limits of the main job.
    """
    place = locate(options.page, options.url, options.offset)
    choice = options.extractor or place.extractor or DEFAULT_CHOICE
    name = choice.name
    try:
        extractor = registry.get(name)
        record = registry.parse_options(name, dict(choice.options), body_only=options.body_only)
        refuse_browser(name, registry.options_json(record))
        if options.markdown is not None:
            registry.check_markdown(extractor)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if options.page == STANDARD_INPUT:
        page = read_standard_input(options.url, options.offset)
    else:
        page = read_page(place.path, options.url, place.offset, options.web)
    try:
        if extractor.is_guarded:
            guard = Guard(
                (name, registry.options_json(record)), DEFAULT_LIMITS, with_html=options.markdown is not None
            )
            try:
                found = guard.extract(page.html)
            finally:
                guard.close()
        else:
            found = registry.run(extractor, page.html, record)
    except RejectedError as error:
        raise UsageError(f"cannot extract the text of {options.page}: {error}") from error
    except GuardFaultError as fault:
        complain(str(fault))
        return 1
    text = found.text
    if options.markdown is not None:
        text = markdown_of(found, options.markdown, page.url or options.url) or ""
    text = PageMask(place.mask).masked(text)
    write_bytes(text.encode() + b"\n" if text else b"")
    return 0
