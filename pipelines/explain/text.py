"""What was kept and what was dropped, in a terminal."""

from __future__ import annotations

from pipelines.common.messages import table_console, visible
from pipelines.explain.view import Explained, Reference, marked_words
from transforms.extractors.markdown.making import markdown_of
from transforms.model.markdown_options import MarkdownOptions

_STYLES = {"missing": "bold yellow", "surplus": "bold red"}


def print_explained(explained: Explained, reference: Reference | None) -> None:
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


def print_markdown(explained: Explained, url: str | None) -> None:
    """Prints what was kept as Markdown, with its characters as they are but for control characters."""
    written = markdown_of(explained.result, MarkdownOptions(), url) or ""
    with table_console() as console:
        for line in written.split("\n"):
            console.print(visible(line), markup=False, highlight=False, soft_wrap=True)
        console.print()
