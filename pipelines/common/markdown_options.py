"""Markdown as options: shared by `cedar extract` and `cedar text`."""

from __future__ import annotations

import argparse

from pipelines.common import option_values
from pipelines.common.errors import UsageError
from transforms.model.markdown_options import MarkdownOptions


def add_markdown_arguments(group: argparse._ActionsContainer, name: str, meaning: str) -> None:
    """Add the option that asks for Markdown, and the one that says what it keeps.

    Args:
        group: where they are added.
        name: the first of them.
        meaning: its help.
    """
    group.add_argument(name, dest="asks_for_markdown", action="store_true", help=meaning)
    group.add_argument(
        "--markdown-option",
        type=option_values.pair,
        action="append",
        default=[],
        metavar="K=V",
        help="what it keeps: links=drop or keep, emphasis=keep or drop, formulas=latex or drop, "
        "spans=empty or repeat, images=drop or keep, footnotes=drop or keep, the defaults first; "
        "may be repeated",
    )


def markdown_choice(values: argparse.Namespace, name: str) -> MarkdownOptions | None:
    """Return what Markdown is to keep; None where it is not asked for.

    Args:
        values: parsed arguments.
        name: the option that asks for it.

    Raises:
        UsageError: there is no such option, or a value is not allowed.
    """
    if not values.asks_for_markdown:
        if values.markdown_option:
            raise UsageError(f"--markdown-option is for Markdown: give {name}, too")
        return None
    try:
        return MarkdownOptions.of(values.markdown_option)
    except ValueError as error:
        raise UsageError(str(error)) from error
