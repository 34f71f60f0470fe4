"""The plan of curation: the columns that are made of texts, and the rules that pages have to pass."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cedar.transforms.curation.decontamination import Benchmarks
from cedar.transforms.curation.expressions import Columns, columns_of, parse
from cedar.transforms.curation.fineweb2 import FINEWEB2, LanguageTable
from cedar.transforms.curation.masks import NO_MASK, Mask
from cedar.transforms.curation.own_signals import MAX_SIGNAL_PAGES, OwnSignal
from cedar.transforms.curation.presets import PRESETS
from cedar.transforms.curation.rules import NO_RULES, Rules
from cedar.transforms.curation.scores import ScoreColumn
from cedar.transforms.curation.token_counts import TokenColumn
from cedar.transforms.model.columns import ALL_GROUPS, TIME_COLUMNS, PageTable

MOVE, MARK, REJECT = "move", "mark", "reject"
DROPPED_MODES = (MOVE, MARK, REJECT)
"""The fate of a page that fails a rule: a row of `dropped/`, a marked row of `pages/`, or a reject."""

BATCH_PAGES = 8
"""Pages in a batch: each stage runs over several pages in a row, and so few pages fit the caches."""

OPTIONS_OF_GROUPS: Mapping[str, str] = {
    "html": "--with-html",
    "markdown": "--with-markdown",
    "metadata": "--with-metadata",
    "confidence": "--extractor cedar",
    "language": "--language",
    "signals": "--signals",
    "masked": "--mask",
}
"""The option that fills a group of columns, for messages."""


class CurationError(ValueError):
    """The curation options contradict each other; the message is one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationPlan:
    """The columns that are made of texts, the rules, and the fate of a page that fails a rule.

    Attributes:
        language_model: the model that says its language; None = not asked.
        signals: whether its signals are columns.
        rules: the rules that it has to pass.
        dropped: one of `DROPPED_MODES`.
        signatures: whether it has a signature.
        full_signatures: whether the least values of the signature are kept next to its keys.
        mask: the personal data to mask in the end.
        classifiers: columns of scores.
        own: columns that functions of the user's fill.
        tokens: columns of token counts.
        benchmarks: a page that contains a passage of theirs fails; None = there are none.
    """

    language_model: str | None = None
    signals: bool = False
    rules: Rules = NO_RULES
    dropped: str = MOVE
    signatures: bool = False
    full_signatures: bool = False
    mask: Mask = NO_MASK
    classifiers: tuple[ScoreColumn, ...] = ()
    own: tuple[OwnSignal, ...] = ()
    tokens: tuple[TokenColumn, ...] = ()
    benchmarks: Benchmarks | None = None

    @property
    def is_on(self) -> bool:
        """Whether the plan asks for anything."""
        return bool(self.column_groups) or self.signatures

    @property
    def batch_pages(self) -> int:
        """Pages of a batch: more if a function of the user's takes many."""
        return MAX_SIGNAL_PAGES if any(one.takes_many for one in self.own) else BATCH_PAGES

    @property
    def needs_texts(self) -> bool:
        """Whether rules look at columns that are made of texts, or at texts."""
        made = self.signals or self.language_model is not None or self.rules.languages is not None
        return made or bool(self.classifiers or self.own or self.tokens or self.benchmarks)

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings about the rules, a sentence each."""
        table = self.rules.languages
        if table is None:
            return ()
        outcome = {"keep": "kept", "drop": "dropped", "mark": "marked"}[table.otherwise]
        rest = f"fineweb2 has rows for English and {len(table.rows)} languages: pages in others are {outcome}"
        if table.has_scores:
            return (rest,)
        return (rest, "fineweb2's bounds on language_score are GlotLID's, and not applied to another model's")

    @property
    def has_rules(self) -> bool:
        """Whether pages may be dropped."""
        return bool(self.rules.keeps or self.rules.presets or self.benchmarks)

    @property
    def column_groups(self) -> tuple[str, ...]:
        """The groups of columns that it fills."""
        filled = {
            "language": self.language_model is not None,
            "signals": self.signals,
            "masked": bool(self.mask.kinds),
            "drop_reason": self.has_rules,
        }
        own = [one.group for one in self.classifiers]
        own += [one.group for one in self.own]
        own += [one.group for one in self.tokens]
        return (*(name for name, is_filled in filled.items() if is_filled), *own)

    @property
    def choices(self) -> dict[str, Any]:
        """The identity that a corpus is pinned to; the language model is as it was named."""
        languages = self.rules.languages
        return {
            "language_model": self.language_model,
            **({"classifiers": "; ".join(o.identity for o in self.classifiers)} if self.classifiers else {}),
            **({"own_signals": "; ".join(one.identity for one in self.own)} if self.own else {}),
            **({"token_counts": "; ".join(one.identity for one in self.tokens)} if self.tokens else {}),
            **({"decontaminated": self.benchmarks.identity} if self.benchmarks else {}),
            "signals": self.signals,
            "signatures": self.signatures,
            "full_signatures": self.full_signatures,
            "presets": ",".join(self.rules.presets),
            **({"fineweb2": f"{languages.digest} {languages.otherwise}"} if languages else {}),
            "keep": "; ".join(map(str, self.rules.keeps)),
            "dropped": self.dropped,
            **self.mask.choices,
        }


NO_CURATION = CurationPlan()
"""A plan that adds nothing to a page."""


def parse_rules(
    keeps: tuple[str, ...],
    presets: tuple[str, ...],
    groups: tuple[str, ...],
    *,
    languages: LanguageTable | None = None,
    codes: frozenset[str] = frozenset(),
) -> Rules:
    """Read rules as a user wrote them for a corpus with `groups` of columns.

    `languages` are fineweb2's rows, `codes` the codes of languages that may be found (`codes_of`).

    Raises CurationError: a rule cannot be read.
    """
    for preset in presets:
        if preset not in (*PRESETS, FINEWEB2):
            known = ", ".join((*PRESETS, FINEWEB2))
            raise CurationError(f"--preset: unknown preset {preset!r} (choose from {known})")
        if preset == FINEWEB2 and "language" not in groups:
            raise CurationError("--preset fineweb2 goes by the language of a page: give --language, too")
    columns = columns_for(groups, codes)
    expressions = []
    for text in keeps:
        try:
            expressions.append(parse(text, columns))
        except ValueError as error:
            raise CurationError(f"--keep: {error}") from error
    return Rules(tuple(expressions), presets, languages if FINEWEB2 in presets else None)


def columns_for(groups: tuple[str, ...], codes: frozenset[str] = frozenset()) -> Columns:
    """Return the columns that an expression may look at, of a corpus with these groups and languages."""

    def named(names: tuple[str, ...]) -> dict[str, str]:
        return {c.name: c.kind for c in PageTable.of(names).columns if c.name not in TIME_COLUMNS}

    unfilled: dict[str, str] = {}
    for group in ALL_GROUPS:
        if group not in groups and group in OPTIONS_OF_GROUPS:
            unfilled |= dict.fromkeys(named((group,)).keys() - named(()).keys(), OPTIONS_OF_GROUPS[group])
    return Columns(named(tuple(g for g in groups if g != "drop_reason")), unfilled, codes)


def columns_needed(rules: Rules) -> frozenset[str]:
    """Return the columns that the expressions of rules look at."""
    return frozenset[str]().union(*map(columns_of, rules.keeps))
