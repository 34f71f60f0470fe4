"""What a run makes of pages besides its text, and the rules that they have to keep: choices, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from transforms.curation.expressions import columns_of
from transforms.curation.masks import NO_MASK, Mask
from transforms.curation.parsing import Columns, parse
from transforms.curation.presets import PRESETS
from transforms.curation.rules import NO_RULES, Rules
from transforms.model.columns import ALL_GROUPS, TIME_COLUMNS, PageTable

MOVE, MARK, REJECT = "move", "mark", "reject"
DROPPED_MODES = (MOVE, MARK, REJECT)
"""What becomes of a page that fails a rule: a row of `dropped/`, a marked row of `pages/`, or a reject."""

_OPTIONS: Mapping[str, str] = {
    "html": "--with-html",
    "markdown": "--with-markdown",
    "metadata": "--with-metadata",
    "confidence": "--extractor cedar",
    "language": "--language",
    "signals": "--signals",
    "masked": "--mask",
}
"""The option that fills a group of columns."""


class CurationError(ValueError):
    """What was asked for makes no sense; the message is one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationPlan:
    """What is made of a page besides its text.

    Attributes:
        language_model: the model that says its language; None = not asked.
        signals: whether its signals are columns.
        rules: what it has to keep.
        dropped: one of `DROPPED_MODES`.
        signatures: whether it has a signature.
        full_signatures: whether the least values of the signature are kept next to its keys.
        mask: what is masked in the end.
    """

    language_model: str | None = None
    signals: bool = False
    rules: Rules = NO_RULES
    dropped: str = MOVE
    signatures: bool = False
    full_signatures: bool = False
    mask: Mask = NO_MASK

    @property
    def is_on(self) -> bool:
        """Whether anything is to be done."""
        return bool(self.column_groups) or self.signatures

    @property
    def has_rules(self) -> bool:
        """Whether pages may be dropped."""
        return bool(self.rules.keeps or self.rules.presets)

    def filling(self, *, signals: bool) -> CurationPlan:
        """The same, for pages whose signals are columns already or are not."""
        return replace(self, signals=signals)

    @property
    def column_groups(self) -> tuple[str, ...]:
        """The groups of columns that it fills."""
        filled = {
            "language": self.language_model is not None,
            "signals": self.signals,
            "masked": bool(self.mask.kinds),
            "drop_reason": self.has_rules,
        }
        return tuple(name for name, is_filled in filled.items() if is_filled)


NOTHING = CurationPlan()
"""The plan of who asks for nothing."""


def parse_rules(keeps: tuple[str, ...], presets: tuple[str, ...], groups: tuple[str, ...]) -> Rules:
    """Read rules as a user wrote them.

    Args:
        keeps: expressions.
        presets: names of presets.
        groups: the groups of columns that the corpus has.

    Raises:
        CurationError: a rule cannot be read.
    """
    for preset in presets:
        if preset not in PRESETS:
            raise CurationError(f"--preset: unknown preset {preset!r} (choose from {', '.join(PRESETS)})")
    columns = columns_for(groups)
    expressions = []
    for text in keeps:
        try:
            expressions.append(parse(text, columns))
        except ValueError as error:
            raise CurationError(f"--keep: {error}") from error
    return Rules(tuple(expressions), presets)


def columns_for(groups: tuple[str, ...]) -> Columns:
    """The columns that an expression may look at, where a corpus has these groups."""

    def named(names: tuple[str, ...]) -> dict[str, str]:
        return {c.name: c.kind for c in PageTable.of(names).columns if c.name not in TIME_COLUMNS}

    unfilled: dict[str, str] = {}
    for group in ALL_GROUPS:
        if group not in groups and group in _OPTIONS:
            unfilled |= dict.fromkeys(named((group,)).keys() - named(()).keys(), _OPTIONS[group])
    return Columns(named(tuple(g for g in groups if g != "drop_reason")), unfilled)


def columns_needed(rules: Rules) -> frozenset[str]:
    """The columns that the expressions of rules look at."""
    return frozenset[str]().union(*map(columns_of, rules.keeps))
