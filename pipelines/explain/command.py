"""`cedar explain`: one page, drawn: the numbers of a method, what was kept, and why."""

from __future__ import annotations

import contextlib
import resource
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipelines.common.corpus_page import locate
from pipelines.common.errors import UsageError
from pipelines.common.extractor_choice import DEFAULT_CHOICE, ExtractorChoice
from pipelines.common.messages import complain, shell_command, show, table_console, visible
from pipelines.common.page_source import read_page
from pipelines.drawing.evidence import Evidence, Work, generic
from pipelines.drawing.pages import render, write_whole
from pipelines.explain import cedar_evidence, line_evidence, segment_evidence, tree_evidence
from pipelines.explain.options import ExplainOptions
from pipelines.explain.view import Explained, Reference, marked_words, script_data, view
from pipelines.explain.words import WordAgreement, agreement
from transforms.corpus.outputs import refuse_overwriting
from transforms.curation.masks import PageMask
from transforms.decode.charset import decode_text
from transforms.extractors import registry
from transforms.extractors.markdown.making import markdown_of
from transforms.extractors.options import Options
from transforms.extractors.vips.browsers import refuse_browser
from transforms.model.books import RejectedError
from transforms.model.markdown_options import MarkdownOptions
from transforms.model.records import Page
from transforms.runtime.guard import Guard, GuardFaultError
from transforms.runtime.guard_limits import DEFAULT_LIMITS, address_space

MAX_MEMORY = 3 << 30
"""Bytes that the methods and their evidence may take for a page."""

_SOURCES: Mapping[str, Callable[[Work[Any]], Evidence]] = {
    "cetr": line_evidence.plane,
    "cetr-tm": line_evidence.threshold,
    "cetr-km": line_evidence.k_means_1d,
    "ttr-t": line_evidence.ttr_threshold,
    "ttr-km": line_evidence.ttr_clusters,
    "ttr-em": line_evidence.ttr_clusters,
    "ttr-ff": line_evidence.ttr_clusters,
    "ttr-p": line_evidence.ttr_prediction,
    "cetd-ds": tree_evidence.text_density,
    "cectd-ds": tree_evidence.composite_density,
    "cectd-s": tree_evidence.smoothed_density,
    "coreex": tree_evidence.scored_elements,
    "combine": tree_evidence.votes,
    "vips": segment_evidence.segments,
    "crunch": segment_evidence.filters,
    "cedar": cedar_evidence.cues,
}
"""Which function has the evidence of which method; methods that are not named here have `generic`."""


def run(options: ExplainOptions) -> int:
    """Run `cedar explain`; returns the exit code.

    Raises:
        UsageError: the user's input is wrong; nothing was written.
    """
    place = locate(options.page, options.url, options.offset)
    options = replace(options, choices=options.choices or (place.extractor or DEFAULT_CHOICE,))
    chosen = [_checked(choice, options) for choice in options.choices]
    _check_shared(options)
    gold = None if options.gold is None else _read_gold(options.gold)
    if place.fate is not None:
        show(f"{options.page.rstrip('/')}: {place.fate}")
    name = options.page.rstrip("/").rpartition("/")[2].partition(".")[0] or "page"
    target = Path(options.output or f"{name}.explain.html")
    if writes_page := options.output is not None or not (options.text or options.markdown):
        read = (options.page, place.path, options.gold)
        refuse_overwriting(str(target), (path for path in read if path is not None))
    page = read_page(place, options.url, options.web)
    if place.mask.kinds:
        masked = PageMask(replace(place.mask, style="html")).masked(page.html.decode())
        page = replace(page, html=masked.encode())
    try:
        with _bounded_memory():
            explained = [
                explain(page.html, choice, record)
                for choice, record in zip(options.choices, chosen, strict=True)
            ]
    except RejectedError as error:
        complain(f"`cedar extract` rejects this page: {error}")
        return 1
    except GuardFaultError as fault:
        complain(str(fault))
        return 1
    except MemoryError:
        complain(f"this page takes over {MAX_MEMORY >> 30} GiB to explain")
        return 1
    references = [_reference(explained, place, gold) for place in range(len(explained))]
    if options.text:
        for work, reference in zip(explained, references, strict=True):
            _print_explained(work, reference)
    if options.markdown:
        for work in explained:
            _print_markdown(work, page.url or None)
    if not writes_page:
        return 0
    content = _html(options, page, explained, references)
    try:
        written = write_whole(target, content)
    except OSError as fault:
        raise UsageError(f"cannot write {target}: {fault}") from fault
    for work in explained:
        metrics = work.result.metrics
        show(
            f"{work.label} kept {metrics.content_lines:,} of {metrics.lines:,} {work.noun}s, "
            f"{metrics.content_ratio:.0%} of the text"
        )
    show(f"{target}: {written / 1e3:,.0f} kB")
    if options.open:
        webbrowser.open(target.resolve().as_uri())
    return 0


def explain(html: bytes, choice: ExtractorChoice, record: Options) -> Explained:
    """Extract from a page (valid UTF-8) by a method with its options, and collect why.

    Raises:
        RejectedError: the method builds a tree, and the page goes over the limits of the main job.
        GuardFaultError: the machine keeps the page guard from working.
    """
    extractor = registry.get(choice.name)
    if extractor.is_guarded:
        guard = Guard((extractor.name, registry.options_json(record)), DEFAULT_LIMITS)
        try:
            guard.extract(html)
        finally:
            guard.close()
    result = registry.run(extractor, html, record)
    work = Work(html, record, result, result.blocks)
    return Explained(
        choice.label,
        ", ".join(f"{spec.name} {_said(getattr(record, spec.name))}" for spec in extractor.option_specs),
        result,
        work.blocks,
        evidence(extractor.name, work),
    )


def evidence(name: str, work: Work[Any]) -> Evidence:
    """Return the evidence of a method, by its name; of one that another stood in for the evidence of all."""
    source = generic if work.result.fallback is not None else _SOURCES.get(name, generic)
    return source(work)


@contextlib.contextmanager
def _bounded_memory() -> Iterator[None]:
    """Limit the address space to `MAX_MEMORY` beyond what is in use: paths of deep trees are long."""
    in_use = address_space()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = (in_use or 0) + MAX_MEMORY
    if in_use is None or (soft != resource.RLIM_INFINITY and soft < wanted):
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


_STYLES = {"missing": "bold yellow", "surplus": "bold red"}


def _print_explained(explained: Explained, reference: Reference | None) -> None:
    """Print the blocks of a page: `+` kept, `-` dropped. Colours go where NO_COLOR or a pipe wants none."""
    from rich.text import Text

    metrics = explained.result.metrics
    with table_console() as console:
        console.print(
            Text(
                f"{visible(explained.label)} kept {metrics.text_chars:,} characters, "
                f"{metrics.content_ratio:.0%} of the text",
                style="bold",
            )
        )
        console.print(visible(explained.evidence.rule))
        if reference and reference.agreement:
            found = reference.agreement
            console.print(f"against gold: precision {found.precision:.1%}, recall {found.recall:.1%}")
        pieces = marked_words(explained.blocks, reference.text) if reference else None
        for place, block in enumerate(explained.blocks):
            base = "green" if block.kept else "dim"
            line = Text(f"{'+' if block.kept else '-'} {place + 1:>5}  ", style=base)
            if pieces:
                for piece in pieces[place]:
                    line.append(visible(piece.text), _STYLES.get(piece.mark, base))
            else:
                line.append(visible(block.text), base)
            line.append(f"  [{visible(explained.evidence.numbers[place])}]", "dim")
            console.print(line)
        console.print()


def _print_markdown(explained: Explained, url: str | None) -> None:
    """Print what was kept as Markdown, with its characters as they are but for control characters."""
    written = markdown_of(explained.result, MarkdownOptions(), url) or ""
    with table_console() as console:
        for line in written.split("\n"):
            console.print(visible(line), markup=False, highlight=False, soft_wrap=True)
        console.print()


def _said(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _checked(choice: ExtractorChoice, options: ExplainOptions) -> Options:
    try:
        names = _names(choice.name)
        shared = {name: value for name, value in options.shared_options if name.replace("-", "_") in names}
        record = registry.parse_options(choice.name, {**shared, **dict(choice.options)})
        refuse_browser(choice.name, registry.options_json(record))
        if options.markdown:
            registry.check_markdown(registry.get(choice.name))
    except ValueError as error:
        raise UsageError(str(error)) from error
    return record


def _check_shared(options: ExplainOptions) -> None:
    known = set[str]().union(*(_names(choice.name) for choice in options.choices))
    for name, _ in options.shared_options:
        if name.replace("-", "_") not in known:
            methods = ", ".join(choice.name for choice in options.choices)
            raise UsageError(f"{methods} has no option {name!r}")


def _names(extractor: str) -> set[str]:
    specs = registry.get(extractor).option_specs
    return {spec.name for spec in specs} | {spec.about.alias for spec in specs if spec.about.alias}


def _read_gold(path: str) -> str:
    try:
        content = Path(path).read_bytes()
    except OSError as fault:
        raise UsageError(f"cannot read the gold {path}: {fault.strerror}") from fault
    return decode_text(content, header_label=None, truncated=False).utf8.decode()


def _reference(explained: list[Explained], place: int, gold: str | None) -> Reference | None:
    if gold is not None:
        found: WordAgreement = agreement(explained[place].result.text, gold)
        return Reference(gold, "in gold, but dropped", "kept, but not in gold", found)
    if len(explained) == 1:
        return None
    other = explained[1 if place == 0 else 0]
    return Reference(
        other.result.text,
        f"dropped here, kept by {other.label}",
        f"kept here, dropped by {other.label}",
        None,
    )


def _html(
    options: ExplainOptions,
    page: Page,
    explained: list[Explained],
    references: list[Reference | None],
) -> str:
    title = next((work.result.title for work in explained if work.result.title), None)
    name = page.source.rpartition("/")[2]
    place = f"{name}, byte {page.offset:,}" if page.url else name
    text = page.html.decode()
    metrics = explained[0].result.metrics
    facts = [
        ("status", "" if page.status is None else str(page.status)),
        ("encoding", f"{page.charset} ({page.charset_source})"),
        ("characters replaced", f"{page.replaced:,}" if page.replaced else ""),
        ("bytes", f"{page.html_bytes:,}" + (", truncated" if page.truncated else "")),
        ("characters with markup", f"{metrics.html_chars:,}"),
        ("tags", f"{metrics.tags:,}"),
        ("characters in links", f"{metrics.link_chars:,}"),
        (
            "tag ratio, mean ± σ",
            ""
            if metrics.tag_ratio_mean is None or metrics.tag_ratio_std is None
            else f"{metrics.tag_ratio_mean:,.1f} ± {metrics.tag_ratio_std:,.1f}",
        ),
    ]
    return render(
        "explain",
        {
            "heading": title or page.url or name,
            "where": f"{page.url} ({place})" if page.url else place,
            "facts": [(name, value) for name, value in facts if value],
            "views": [
                view(text, work, reference, len(explained))
                for work, reference in zip(explained, references, strict=True)
            ],
            "command": command_line(options),
        },
        [script_data(work) for work in explained],
    )


def command_line(options: ExplainOptions) -> str:
    """Return the command that makes the same page again."""
    page = f"./{options.page}" if options.page.startswith("-") else options.page
    words = ["cedar", "explain", page]
    words += [f"--url={options.url}"] if options.url is not None else []
    words += [f"--offset={options.offset}"] if options.offset is not None else []
    words += [f"--extractor={choice.label}" for choice in options.choices]
    for name, value in options.shared_options:
        words += [f"--extractor-option={name}={value}"]
    words += [f"--gold={options.gold}"] if options.gold is not None else []
    return shell_command(words)
