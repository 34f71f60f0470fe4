"""What of a page its Markdown keeps besides its text."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownOptions:
    """What of a page its Markdown keeps besides its text.

    Attributes:
        links: whether links have their addresses, or are text alone.
        emphasis: whether emphasised, strong and struck text is marked.
        formulas: whether they are LaTeX, or what the text has.
        spans: what cells have that another one reaches into: nothing, or its text again.
        images: whether they are there, with their addresses.
        footnotes: whether they stand at the end, with references to them, or are text where they are.

    Raises:
        ValueError: a value is not allowed; the message says which are.
    """

    links: Literal["drop", "keep"] = "drop"
    emphasis: Literal["keep", "drop"] = "keep"
    formulas: Literal["latex", "drop"] = "latex"
    spans: Literal["empty", "repeat"] = "empty"
    images: Literal["drop", "keep"] = "drop"
    footnotes: Literal["drop", "keep"] = "drop"

    def __post_init__(self) -> None:
        for name, allowed in _ALLOWED.items():
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(f"{name} of Markdown is {' or '.join(allowed)}, not {value!r}")

    @staticmethod
    def of(pairs: Iterable[tuple[str, str]]) -> "MarkdownOptions":
        """Make options of names and values; raise ValueError for a name or a value that is not allowed."""
        given = dict(pairs)
        known = [field.name for field in fields(MarkdownOptions)]
        for name in given:
            if name not in known:
                raise ValueError(f"unknown option {name!r} of Markdown: choose from {', '.join(known)}")
        return MarkdownOptions(**given)  # type: ignore[arg-type]  # values are checked there

    def __str__(self) -> str:
        """Return the options as `K=V`, with commas; those that came later only where they are chosen."""
        return ",".join(
            f"{field.name}={getattr(self, field.name)}"
            for field in fields(self)
            if field.name not in _LATER or getattr(self, field.name) != field.default
        )


_ALLOWED = {name: get_args(hint) for name, hint in get_type_hints(MarkdownOptions).items()}
"""The values of each option, made once: options are made for each page."""

_LATER = frozenset(("images", "footnotes"))
"""Options that corpora were made without: those continue."""
