"""The plan of extraction: a method, its options and limits, and the columns that are asked for."""

from dataclasses import dataclass
from typing import Any

from cedar.transforms.extractors import registry
from cedar.transforms.model.columns import in_order
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.runtime.guard_limits import DEFAULT_LIMITS, GuardLimits

_DEFAULT_MARKDOWN = MarkdownOptions()

_TRIES_OF_GUARD = 4
"""Wall-time factor: a page may be tried twice and a trial page once before it is rejected."""


@dataclass(frozen=True, slots=True)
class ExtractPlan:
    """A method and its options, canonical JSON; raises ValueError for a column that it cannot make.

    Attributes:
        columns: the groups of columns that are asked for, of `page_extractor.COLUMNS_OF_PAGES` or `html`.
        markdown: what Markdown keeps, if it is asked for.
        limits: what a page may cost: CPU time of every method, memory of one that builds a tree.
    """

    extractor: str
    options: str
    columns: tuple[str, ...] = ()
    markdown: MarkdownOptions = _DEFAULT_MARKDOWN
    limits: GuardLimits = DEFAULT_LIMITS

    @staticmethod
    def of(
        extractor: str,
        options: dict[str, Any] | None = None,
        *,
        body_only: bool = False,
        **more: Any,
    ) -> "ExtractPlan":
        """Plan to run a method with options by name; `more` are fields of the plan. Raises ValueError."""
        written = registry.options_json(registry.parse_options(extractor, options or {}, body_only=body_only))
        return ExtractPlan(extractor, written, **more)

    def __post_init__(self) -> None:
        if "markdown" in self.columns:
            registry.check_markdown(registry.get(self.extractor))
        if "html" in self.columns:
            registry.check_html(registry.get(self.extractor))

    @property
    def row_options(self) -> str:
        """The options as rows name them: with the version of the table that the method learned."""
        return registry.row_options(self.extractor, self.options)

    @property
    def choices(self) -> dict[str, Any]:
        """What a corpus is pinned to."""
        markdown = str(self.markdown) if "markdown" in self.columns else None
        return {"extractor": self.extractor, "extractor_options": self.options, "markdown": markdown}

    @property
    def column_groups(self) -> tuple[str, ...]:
        """The groups of columns that its pages have."""
        confident = registry.get(self.extractor).is_confident
        return in_order({*self.columns, "confidence"} if confident else self.columns)

    @property
    def is_annotated(self) -> bool:
        """Whether columns are made that the method itself does not give."""
        return bool({*self.columns} - {"html"})

    @property
    def is_loose(self) -> bool:
        """Whether its method is code of another package that nothing guards."""
        return registry.get(self.extractor).is_loose

    @property
    def wall_seconds(self) -> float:
        """Wall time after which a page holds its worker up; a guard ends its own pages before that."""
        guarded = registry.get(self.extractor).is_guarded
        return self.limits.wall_seconds * (_TRIES_OF_GUARD if guarded else 1)
