"""Options that several commands share: what a run prints, how it extracts, what its Markdown keeps.

An extractor is written as `cetr`, `cetr:smoothing=literal,k=4`, `package.module:function:k=4`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pipelines.common.errors import UsageError, of_user
from pipelines.common.option_values import refused
from transforms.model.markdown_options import MarkdownOptions
from transforms.model.options import Group, flag, option

RUNNING = Group("how it runs")

# A comma that no K= follows belongs to the value: some options are lists.
_BETWEEN_PAIRS = re.compile(r",(?=[^,=]+=)")

_LOG_LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True, slots=True)
class ExtractorChoice:
    """An extractor as the user wrote it."""

    name: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """How results call it: as it is written on the command line."""
        given = ",".join(f"{name}={value}" for name, value in self.options)
        return f"{self.name}:{given}" if given else self.name


DEFAULT_CHOICE = ExtractorChoice("cedar")
"""What a command takes where no extractor is named."""


def extractor_choice(text: str) -> ExtractorChoice:
    """Parse a name, `peer:NAME`, or `package.module:function`; then, after a colon, `K=V,K=V`.

    Raises argparse.ArgumentTypeError if it is not written so.
    """
    name, _, given = text.rpartition(":")
    if "=" not in given:
        name, given = text, ""
    pairs = [pair.partition("=")[::2] for pair in _BETWEEN_PAIRS.split(given)] if given else []
    if not name or name.endswith(":") or "=" in name or not all(key and value for key, value in pairs):
        raise refused("extractor", text, "write it as cetr or cetr:smoothing=literal,k=4")
    return ExtractorChoice(name, tuple(pairs))


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
    with of_user(ValueError):
        return MarkdownOptions.of(pairs)
