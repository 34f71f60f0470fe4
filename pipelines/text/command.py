"""`cedar text`: the text of pages on standard output."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict

from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.page_lookup import (
    PageSource,
    find_page,
    other_captures,
    read_page,
    read_standard_input,
)
from cedar.pipelines.common.shared_options import DEFAULT_EXTRACTOR, ExtractorOptions, web_at
from cedar.pipelines.common.terminal import warn, write_out
from cedar.pipelines.text.options import STANDARD_INPUT, TextOptions
from cedar.transforms.curation.masks import PageMask
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.html.reading import read_page as read_html
from cedar.transforms.extractors.markdown.front_matter import front_matter
from cedar.transforms.extractors.segments._headline import headline_of
from cedar.transforms.extractors.segments._markup import Markup
from cedar.transforms.model.annotations import Metadata
from cedar.transforms.model.books import RejectedError
from cedar.transforms.model.records import Page
from cedar.transforms.runtime.guard_limits import DEFAULT_LIMITS, GuardFaultError


def run(options: TextOptions) -> int:
    """Print the text of pages; returns the exit code.

    What is wrong with one of several pages is told, and the others are printed: exit code 1. With the only
    page it raises UsageError, as an unknown method does.
    """
    failed = 0
    with ExitStack() as guards:
        first = find_page(
            options.pages[0], options.url, options.offset, input_options=options.tables, at=options.at
        )
        extract = _method(options, options.extractor or first.extractor or DEFAULT_EXTRACTOR, guards)
        for number, name in enumerate(options.pages):
            try:
                place = (
                    find_page(name, options.url, options.offset, input_options=options.tables)
                    if number
                    else first
                )
                printed = _printed(options, name, place, extract=extract)
            except UsageError as error:
                if len(options.pages) == 1:
                    raise
                warn(str(error))
                failed += 1
                continue
            except GuardFaultError as fault:
                warn(str(fault))
                return 1
            between = "\n" if number > failed and not options.json else ""
            if not write_out(f"{between}{printed}\n".encode() if printed else b""):
                break
    return int(failed > 0)


def _method(
    options: TextOptions, choice: ExtractorOptions, guards: ExitStack
) -> Callable[[bytes], Extraction]:
    """Return what extracts; a guard that it needs is closed with the stack."""
    name = choice.name
    with usage_errors(ValueError):
        extractor = registry.get(name)
        record = registry.parse_options(name, dict(choice.options), body_only=options.body_only)
        if options.markdown is not None:
            registry.check_markdown(extractor)
    if not extractor.is_guarded:
        return lambda html: registry.run(extractor, html, record)
    from cedar.transforms.runtime.guard import Guard  # here, where it is asked for

    arguments = (name, registry.options_json(record))
    guard = Guard(arguments, DEFAULT_LIMITS, with_html=options.markdown is not None)
    guards.callback(guard.close)
    return guard.extract


def _printed(
    options: TextOptions, name: str, place: PageSource, *, extract: Callable[[bytes], Extraction]
) -> str:
    """Return the printed form of a page, without the last line end; raise UsageError for no such page."""
    if place.outcome not in (None, "kept"):
        warn(f"{name}: {place.outcome}")
    if (note := other_captures(place)) is not None:
        warn(f"{name}: {note}")
    if name == STANDARD_INPUT:
        page = read_standard_input(options.url, options.offset)
    else:
        page = read_page(place, options.url, web_at(options.crawl_root))
    with usage_errors(RejectedError, saying=f"cannot extract the text of {name}"):
        found = registry.extract_plain_text(page.html) if page.is_plain else extract(page.html)
    if not found.text:
        warn(f"{name}: nothing is kept ({found.metrics.empty_reason or 'the method finds no text'})")
    url = page.url or options.url
    markdown = None if options.markdown is None else found.write_markdown(options.markdown, url) or ""
    mask = PageMask(place.mask)
    if markdown is not None:
        markdown = mask.masked_markdown(markdown)
    if options.json:
        facts = _facts(options, page, found, markdown=markdown)
        for fact, value in facts.items():
            if isinstance(value, str) and fact != "markdown":
                facts[fact] = mask.masked(value)
        return json.dumps({"page": name, "url": url} | facts, ensure_ascii=False)
    if options.front_matter:
        metadata = _metadata(options, page, found)
        shown = {
            "title": found.title,
            "headline": metadata.headline,
            "author": metadata.author,
            "date": metadata.date_published,
            "site": metadata.site_name,
            "url": url,
            "language": page.lang,
        }
        masked = {fact: mask.masked(value) if value else None for fact, value in shown.items()}
        return f"{front_matter(masked)}\n{markdown}".rstrip("\n")
    return mask.masked(found.text) if markdown is None else markdown


def _metadata(options: TextOptions, page: Page, found: Extraction) -> Metadata:
    # Here, where it is asked for: its tables take a moment.
    from cedar.transforms.metadata.reading import page_metadata

    url = page.url or options.url
    return page_metadata(found.markup or page.html, url, page.fetched_at, opt_outs=page.opt_outs)


def _facts(options: TextOptions, page: Page, found: Extraction, *, markdown: str | None) -> dict[str, object]:
    """Return the facts of a page for JSON, besides where it is."""
    headline = headline_of(found.markup or Markup(read_html(page.html)))
    facts: dict[str, object] = {
        "title": found.title,
        "headline": headline.text,
        "lang": page.lang,
        "text": found.text,
    }
    if markdown is not None:
        facts["markdown"] = markdown
    if options.with_metadata:
        facts |= _metadata(options, page, found)._asdict()
    return facts | {"fallback": found.fallback, "metrics": asdict(found.metrics)}
