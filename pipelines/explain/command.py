"""`cedar explain`: one page, drawn: the numbers of a method, what was kept, and why."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.page_lookup import find_page, other_captures, read_page
from cedar.pipelines.common.shared_options import DEFAULT_EXTRACTOR, ExtractorOptions, web_at
from cedar.pipelines.common.terminal import escape_controls, print_unless, shell_command, table_console, warn
from cedar.pipelines.drawing.pages import publish
from cedar.pipelines.drawing.words import Piece, agreement
from cedar.pipelines.explain.drawn import (
    MAX_MEMORY,
    Explained,
    Reference,
    bounded_memory,
    explain,
    marked_words,
    page_html,
)
from cedar.pipelines.explain.options import ExplainOptions
from cedar.transforms.corpus.outputs import refuse_overwriting
from cedar.transforms.curation.masks import PageMask
from cedar.transforms.decode.charset import decode_text
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.options import Options
from cedar.transforms.model.books import RejectedError
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.runtime.guard_limits import GuardFaultError
from cedar.transforms.scoring.gold import read_marked


def run(options: ExplainOptions) -> int:
    """Run `cedar explain`; returns the exit code. Raises UsageError before anything is written."""
    if options.at is not None and options.url is None:
        raise UsageError("--at chooses a capture of a page: give its --url, too")
    place = find_page(options.page, options.url, options.offset, input_options=options.tables, at=options.at)
    options = replace(options, choices=options.choices or (place.extractor or DEFAULT_EXTRACTOR,))
    chosen = [_checked(choice, options) for choice in options.choices]
    gold = None if options.gold is None else _read_gold(options.gold)
    say = print_unless(options.quiet)
    if place.outcome is not None:
        say(f"{options.page.rstrip('/')}: {place.outcome}")
    if (other := other_captures(place)) is not None:
        say(f"{options.page.rstrip('/')}: {other}")
    name = options.page.rstrip("/").rpartition("/")[2].partition(".")[0] or "page"
    if options.url is not None:  # of one archive or corpus there are many pages
        slug = re.sub("[^a-z0-9]+", "-", options.url.partition("://")[2].lower())[:60].strip("-")
        digest = hashlib.blake2b(options.url.encode("utf-8", "replace"), digest_size=4)
        name += f"-{slug}-{digest.hexdigest()}"
    target = Path(options.output or f"{name}.explain.html")
    if writes_page := options.output is not None or not (options.text or options.markdown):
        read = (options.page, place.path, options.gold)
        refuse_overwriting(str(target), (path for path in read if path is not None))
    page = read_page(place, options.url, web_at(options.crawl_root))
    if page.is_plain:
        raise UsageError(f"{page.url} is plain text, and all of it is kept: `cedar text` prints it")
    on_page = PageMask(place.mask)
    try:
        with bounded_memory():
            explained = [
                explain(page.html, choice, record, mask=place.mask)
                for choice, record in zip(options.choices, chosen, strict=True)
            ]
    except RejectedError as error:
        warn(f"`cedar extract` rejects this page: {on_page.masked(str(error))}")
        return 1
    except GuardFaultError as fault:
        warn(str(fault))
        return 1
    except MemoryError:
        warn(f"this page takes over {MAX_MEMORY >> 30} GiB to explain")
        return 1
    gold = gold and on_page.masked(gold)  # as the texts that are compared with it
    references = [_reference(explained, number, gold) for number in range(len(explained))]
    if options.text:
        for work, reference in zip(explained, references, strict=True):
            _print_explained(work, reference)
    if options.markdown:
        for work in explained:
            _print_markdown(work, page.url or None, on_page)
    if writes_page:
        lines = (
            f"{work.label} kept {work.result.metrics.content_lines:,} of {work.result.metrics.lines:,} "
            f"{work.noun}s, {work.result.metrics.content_ratio:.0%} of the text"
            for work in explained
        )
        content = page_html(page, explained, references, command=command_line(options))
        publish(target, content, lines, is_opened=options.open, say=say)
    return 0


_STYLES = {"missing": "bold yellow", "surplus": "bold red"}


def _print_explained(explained: Explained, reference: Reference | None) -> None:
    """Print the blocks of a page: `+` kept, `-` dropped. Colours go where NO_COLOR or a pipe wants none."""
    from rich.text import Text

    metrics = explained.result.metrics
    kept = f"kept {metrics.text_chars:,} characters, {metrics.content_ratio:.0%} of the text"
    with table_console() as console:
        console.print(Text(f"{escape_controls(explained.label)} {kept}", style="bold"))
        console.print(escape_controls(explained.evidence.rule))
        if reference and reference.agreement:
            found = reference.agreement.shares
            console.print(f"against gold: precision {found.precision:.1%}, recall {found.recall:.1%}")
        pieces = marked_words(explained.blocks, reference.text) if reference else None
        for place, block in enumerate(explained.blocks):
            base = "green" if block.kept else "dim"
            line = Text(f"{'+' if block.kept else '-'} {place + 1:>5}  ", style=base)
            for piece in pieces[place] if pieces else [Piece(block.text, "")]:
                line.append(escape_controls(piece.text), _STYLES.get(piece.mark, base))
            line.append(f"  [{escape_controls(explained.evidence.numbers[place])}]", "dim")
            console.print(line)
        console.print()


def _print_markdown(explained: Explained, url: str | None, mask: PageMask) -> None:
    """Print what was kept as Markdown, with its characters as they are but for control characters."""
    written = mask.masked_markdown(explained.result.write_markdown(MarkdownOptions(), url) or "")
    with table_console() as console:
        for line in written.split("\n"):
            console.print(escape_controls(line), markup=False, highlight=False, soft_wrap=True)
        console.print()


def _checked(choice: ExtractorOptions, options: ExplainOptions) -> Options:
    with usage_errors(ValueError):
        record = registry.parse_options(choice.name, dict(choice.options))
        if options.markdown:
            registry.check_markdown(registry.get(choice.name))
    return record


def _read_gold(path: str) -> str:
    with usage_errors(OSError, saying=f"cannot read the gold {path}", short=True):
        content = Path(path).read_bytes()
    decoded = decode_text(content, header_label=None, truncated=False).utf8.decode()
    return read_marked(decoded)[1]


def _reference(explained: list[Explained], place: int, gold: str | None) -> Reference | None:
    if gold is not None:
        found = agreement(explained[place].text, gold)
        return Reference(gold, "in gold, but dropped", "kept, but not in gold", found)
    if len(explained) == 1:
        return None
    other = explained[1 if place == 0 else 0]
    here = f"dropped here, kept by {other.label}", f"kept here, dropped by {other.label}"
    return Reference(other.text, *here, None)


def command_line(options: ExplainOptions) -> str:
    """Return the command that makes the same page again."""
    page = f"./{options.page}" if options.page.startswith("-") else options.page
    given = (
        ("url", options.url),
        ("at", options.at),
        ("offset", options.offset),
        *(("extractor", choice.label) for choice in options.choices),
        ("gold", options.gold),
    )
    own = (f"--{name}={value}" for name, value in given if value is not None)
    return shell_command(["cedar", "explain", page, *own])
