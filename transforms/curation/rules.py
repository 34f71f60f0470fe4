"""The rules of a run, and what they say of a page."""

from __future__ import annotations

from dataclasses import dataclass

from transforms.curation.expressions import Expression, Row
from transforms.curation.presets import first_failure
from transforms.model.annotations import Signals


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a page is dropped.

    Attributes:
        rule: the rule that decided, without the page's value, so that pages can be counted by it:
            `fineweb: dup_lines > 0.3`, `keep: language_score >= 0.65`.
        reason: the same with the value: `fineweb: dup_lines 0.4123 > 0.3`.
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
                return Verdict(f"keep: {keep}", f"keep: {keep}", is_of_preset=False)
        for preset in self.presets:
            if signals is None:
                raise ValueError("a preset needs signals")
            failure = first_failure(preset, signals)
            if failure is not None:
                return Verdict(f"{preset}: {failure[0]}", f"{preset}: {failure[1]}", is_of_preset=True)
        return None


NO_RULES = Rules()
"""What every page keeps."""
