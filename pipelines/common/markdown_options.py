"""Markdown as options: shared by `cedar extract` and `cedar text`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipelines.common.errors import UsageError
from transforms.model.markdown_options import MarkdownOptions
from transforms.model.options import Group, option


def markdown_option(group: Group | None = None) -> Any:
    """Make the field that says what Markdown keeps."""
    return option(
        "what it keeps: links=drop or keep, emphasis=keep or drop, formulas=latex or drop, "
        "spans=empty or repeat, images=drop or keep, footnotes=drop or keep, the defaults first; "
        "may be repeated",
        unit="pair",
        repeats="append",
        group=group,
    )


def markdown_choice(
    pairs: Iterable[tuple[str, str]], *, asked_by: str, is_asked: bool
) -> MarkdownOptions | None:
    """Return what Markdown is to keep; None where it is not asked for.

    Raises:
        UsageError: there is no such option, or a value is not allowed.
    """
    if not is_asked:
        if pairs:
            raise UsageError(f"--markdown-option is for Markdown: give {asked_by}, too")
        return None
    try:
        return MarkdownOptions.of(pairs)
    except ValueError as error:
        raise UsageError(str(error)) from error
