"""The plan of an extraction: method, options, limits, and the columns besides the text."""

from dataclasses import dataclass
from typing import Any

from cedar.transforms.extractors import registry
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.runtime.guard_limits import DEFAULT_LIMITS, GuardLimits

_TRIES_OF_GUARD = 4
"""Pages that a guard may work on for one: the page twice, a small one, and room for the start of a child."""


@dataclass(frozen=True, slots=True)
class ExtractPlan:
    """A method and its options, canonical JSON; raises ValueError for Markdown that it cannot write.

    Attributes:
        markdown: what the Markdown of pages keeps; None = no such column.
        limits: what a page may cost: CPU time of every method, memory of one that builds a tree.
    """

    extractor: str
    options: str
    with_html: bool = False
    limits: GuardLimits = DEFAULT_LIMITS
    with_metadata: bool = False
    markdown: MarkdownOptions | None = None

    @staticmethod
    def of(
        extractor: str,
        options: dict[str, Any] | None = None,
        *,
        body_only: bool = False,
        **columns: Any,
    ) -> "ExtractPlan":
        """Plan to run a method with options by name; raise ValueError if one is unknown or not valid."""
        written = registry.options_json(registry.parse_options(extractor, options or {}, body_only=body_only))
        return ExtractPlan(extractor, written, **columns)

    def __post_init__(self) -> None:
        if self.markdown is not None:
            registry.check_markdown(registry.get(self.extractor))

    @property
    def row_options(self) -> str:
        """Return the options as rows name them: with the version of the table that the method learned."""
        return registry.row_options(self.extractor, self.options)

    @property
    def choices(self) -> dict[str, Any]:
        """What a corpus is pinned to."""
        markdown = None if self.markdown is None else str(self.markdown)
        return {"extractor": self.extractor, "extractor_options": self.options, "markdown": markdown}

    @property
    def column_groups(self) -> tuple[str, ...]:
        """The groups of columns that its pages have."""
        confident = registry.get(self.extractor).is_confident
        return (
            ("html",) * self.with_html
            + ("confidence",) * confident
            + ("markdown",) * (self.markdown is not None)
            + ("metadata",) * self.with_metadata
        )

    @property
    def is_annotated(self) -> bool:
        """Whether pages get columns that the method does not give."""
        return self.with_metadata or self.markdown is not None

    @property
    def is_loose(self) -> bool:
        """Whether its method is code of another package that nothing guards."""
        return registry.get(self.extractor).is_loose

    @property
    def wall_seconds(self) -> float:
        """Wall time after which a page holds its worker up; a guard ends its own pages before that."""
        guarded = registry.get(self.extractor).is_guarded
        return self.limits.wall_seconds * (_TRIES_OF_GUARD if guarded else 1)
