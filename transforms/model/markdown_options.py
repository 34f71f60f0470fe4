"""The parts of a page that its Markdown keeps besides the text."""

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
        images: whether they are there, with their addresses.

    Raises:
        ValueError: a value is not allowed; the message says which are.
    """

    links: Literal["drop", "keep"] = "drop"
    emphasis: Literal["keep", "drop"] = "keep"
    formulas: Literal["latex", "drop"] = "latex"
    images: Literal["drop", "keep"] = "drop"

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
            if name in _REMOVED:
                raise ValueError(f"Markdown has no option {name!r} any more: {_REMOVED[name]}; leave it out")
            if name not in known:
                raise ValueError(f"unknown option {name!r} of Markdown: choose from {', '.join(known)}")
        return MarkdownOptions(**given)  # type: ignore[arg-type]  # values are checked there

    def __str__(self) -> str:
        """Return the options as `K=V`, with commas."""
        return ",".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))


_ALLOWED = {name: get_args(hint) for name, hint in get_type_hints(MarkdownOptions).items()}
"""The values of each option, made once: options are made for each page."""

_REMOVED = {
    "footnotes": "the text of a footnote stands where the page has it",
    "spans": "a cell that another one covers is empty",
}
