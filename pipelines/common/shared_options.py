"""Options that several commands share: what a run prints, how it extracts, what its Markdown keeps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipelines.common.errors import UsageError
from transforms.model.markdown_options import MarkdownOptions
from transforms.model.options import Group, flag, option

RUNNING = Group("how it runs")

_LOG_LEVELS = ("debug", "info", "warning", "error")


def quiet_option(group: Group | None = RUNNING) -> Any:
    """Make the field that says whether a run prints."""
    return flag("print nothing but errors", group=group)


def json_option(what: str, group: Group | None = RUNNING) -> Any:
    """Make the field that says whether what is printed is JSON; `what` there is of it."""
    return flag(f"print JSON: {what}", group=group)


def log_level_option() -> Any:
    """Make the field that says how much a run logs."""
    return option(", ".join(_LOG_LEVELS), "warning", choices=_LOG_LEVELS, metavar="LEVEL", group=RUNNING)


def body_only_option(group: Group | None = None) -> Any:
    """Make the field of commands whose method may leave out what is not the body of an article."""
    return flag(
        "leave out headline, comments and captions: title, comments and captions are drop", group=group
    )


def browser_option(group: Group | None = None) -> Any:
    """Make the field of commands whose workers may have a browser."""
    return flag("with layout=chromium: start the browser without its sandbox, as root has to", group=group)


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
    """Return what Markdown is to keep; None where it is not asked for. Raises UsageError for wrong pairs."""
    if not is_asked:
        if pairs:
            raise UsageError(f"--markdown-option is for Markdown: give {asked_by}, too")
        return None
    try:
        return MarkdownOptions.of(pairs)
    except ValueError as error:
        raise UsageError(str(error)) from error
