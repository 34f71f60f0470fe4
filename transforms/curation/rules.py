"""The rules that pages have to pass, and the first that a page fails."""

import re
from dataclasses import dataclass

from cedar.transforms.curation.expressions import OPERATORS, Expression, Row, Value, columns_of
from cedar.transforms.curation.fineweb2 import FINEWEB2, KEEP, OTHERWISE_MARK, LanguageTable, bounds_of
from cedar.transforms.curation.presets import MADE_FOR, PRESETS, Bound, first_failing
from cedar.transforms.model.annotations import Signals


@dataclass(frozen=True, slots=True)
class RuleFailure:
    """The rule that a page fails.

    Attributes:
        rule: the rule without the page's value, so that pages can be counted by it:
            `fineweb: dup_lines > 0.3`, `keep: language_score >= 0.65`.
        reason: the same with the values: `fineweb: dup_lines 0.4123 > 0.3`, `keep: words > 100 (words 57)`.
        is_of_preset: whether the rule is a preset's, not an expression.
        is_only_marked: whether the page is kept, with the reason in its row.
    """

    rule: str
    reason: str
    is_of_preset: bool
    is_only_marked: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that a page has to pass: first expressions, then presets by name, all of them and in order.

    `languages` are the rows of `fineweb2`, where that is one of the presets.
    """

    keeps: tuple[Expression, ...] = ()
    presets: tuple[str, ...] = ()
    languages: LanguageTable | None = None

    @property
    def is_of_english(self) -> bool:
        """Whether a preset that was made for English measures pages of any language."""
        return any(preset != FINEWEB2 for preset in self.presets)

    def first_failure(self, row: Row, signals: Signals | None) -> RuleFailure | None:
        """Return the first rule that a page fails, None if it passes all; only presets need its signals."""
        for keep in self.keeps:
            if not keep.holds(row):
                found = ", ".join(f"{name} {_shown(row(name))}" for name in sorted(columns_of(keep)))
                return RuleFailure(f"keep: {keep}", f"keep: {keep} ({found})", is_of_preset=False)
        for preset in self.presets:
            if signals is None:
                raise ValueError("a preset needs signals")
            failure = self._failure_of_preset(preset, row, signals)
            if failure is not None:
                return failure
        return None

    def _failure_of_preset(self, preset: str, row: Row, signals: Signals) -> RuleFailure | None:
        if preset == FINEWEB2 and self.languages is not None:
            language, script = row("language"), row("language_script")
            if language != MADE_FOR:
                return self._failure_of_language(
                    self.languages, self.languages.key_of(language, script), row, signals=signals
                )
            preset = "fineweb"
        return _rule_failure(preset, first_failing(PRESETS[preset], signals))

    def _failure_of_language(
        self, table: LanguageTable, key: str, row: Row, *, signals: Signals
    ) -> RuleFailure | None:
        found = table.rows.get(key)
        if found is None:
            if table.otherwise == KEEP:
                return None
            why = f"{FINEWEB2}: no row for {key}"
            is_only_marked = table.otherwise == OTHERWISE_MARK
            return RuleFailure(why, why, is_of_preset=True, is_only_marked=is_only_marked)
        least, score = Bound("language_score", ">=", found.numbers[0]), row("language_score")
        if table.has_scores and isinstance(score, float) and not least.holds(score):
            return _rule_failure(FINEWEB2, least.failure_of(score))
        return _rule_failure(FINEWEB2, first_failing(bounds_of(found), signals))


def _rule_failure(preset: str, failure: str | None) -> RuleFailure | None:
    if failure is None:
        return None
    reason = f"{preset}: {failure}"
    return RuleFailure(rule_of(reason), reason, is_of_preset=True)


def rule_of(reason: str) -> str:
    """Name the rule of a `drop_reason`: of `fineweb: dup_lines 0.41 > 0.3` all but the page's value.

    Of `keep: words > 100 (words 57)`, the last brackets go; no value has brackets.
    """
    words = reason.split(" ")
    if words[0] == "decontaminate:":
        return reason.partition(", line ")[0]
    if words[0] == "keep:":
        return reason.rpartition(" (")[0] if reason.endswith(")") else reason
    return " ".join((*words[:2], *words[3:])) if len(words) == 5 and words[3] in OPERATORS else reason


_CODE = re.compile("[A-Za-z_-]{1,16}")
"""Columns of text that a reason may quote, such as languages; other texts may be long, or personal."""


def _shown(value: Value | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return value if _CODE.fullmatch(value) else "..."
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if value % 1 == 0 else f"{value:.4f}"


NO_RULES = Rules()
"""The rules that every page passes."""
