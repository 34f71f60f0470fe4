"""The rules of a run, and what they say of a page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from transforms.curation.expressions import Expression, Row, Value, columns_of
from transforms.curation.presets import first_failure
from transforms.model.annotations import Signals


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a page is dropped.

    Attributes:
        rule: the rule that decided, without the page's value, so that pages can be counted by it:
            `fineweb: dup_lines > 0.3`, `keep: language_score >= 0.65`.
        reason: the same with the values: `fineweb: dup_lines 0.4123 > 0.3`, `keep: words > 100 (words 57)`.
        is_of_preset: whether a preset said so, not an expression.
    """

    rule: str
    reason: str
    is_of_preset: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """What a page has to keep.

    Attributes:
        keeps: expressions that all have to hold, in order.
        presets: names of presets that it has to pass, in order, after the expressions.
    """

    keeps: tuple[Expression, ...] = ()
    presets: tuple[str, ...] = ()

    def judge(self, row: Row, signals: Signals | None) -> Verdict | None:
        """Find the first rule that a page fails.

        Args:
            row: the page's columns.
            signals: the page's signals; not needed without presets.

        Returns:
            Why it is dropped; None if it is kept.
        """
        for keep in self.keeps:
            if not keep.holds(row):
                found = ", ".join(f"{name} {_shown(row(name))}" for name in sorted(columns_of(keep)))
                return Verdict(f"keep: {keep}", f"keep: {keep} ({found})", is_of_preset=False)
        for preset in self.presets:
            if signals is None:
                raise ValueError("a preset needs signals")
            failure = first_failure(preset, signals)
            if failure is not None:
                return Verdict(f"{preset}: {failure[0]}", f"{preset}: {failure[1]}", is_of_preset=True)
        return None


_CODE = re.compile("[A-Za-z_-]{1,16}")
"""Texts that are shown, as those of languages; others may be long, or personal."""


def _shown(value: Value | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return value if _CODE.fullmatch(value) else "..."
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if value % 1 == 0 else f"{value:.4f}"


NO_RULES = Rules()
"""What every page keeps."""
