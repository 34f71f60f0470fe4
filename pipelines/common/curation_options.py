"""What is made of a page and its text, as options: shared by `cedar extract` and `cedar filter`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pipelines.common.errors import UsageError
from pipelines.common.mask_options import check_mask, mask_identity, mask_of, mask_option, mask_with_option
from transforms.model.options import Group, flag, option

if TYPE_CHECKING:
    from transforms.curation.plan import CurationPlan

_DEFAULT_MODEL = "lid176"
_DROPPED = ("move", "mark", "reject")

_KNOWN = Group("what is known of it", "see docs/curation.md")
_KEPT = Group("which pages are kept")


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationChoices:
    """What was asked for; the help of each field says what it means."""

    language: bool = flag("add its language, script and score as columns", group=_KNOWN)
    language_model: str | None = option(
        "lid176, lid176+cld2, cld2, or the file of a fastText model; implies --language",
        metavar="M",
        shown=_DEFAULT_MODEL,
        group=_KNOWN,
    )
    signals: bool = flag("add signals of its quality as columns", group=_KNOWN)
    signatures: bool = flag("write a signature of each page, for near duplicates", group=_KNOWN)
    full_signatures: bool = flag("write all of each signature; implies --signatures", group=_KNOWN)
    keep: tuple[str, ...] = option(
        "keep pages for which it holds, as 'language == en and tokens >= 100'; may be repeated",
        metavar="EXPR",
        repeats="append",
        group=_KEPT,
    )
    preset: tuple[str, ...] = option(
        "rules that others published: gopher, c4, fineweb, or a part: gopher-repetition, gopher-quality, "
        "fineweb-quality; implies --signals; may be repeated",
        metavar="P",
        repeats="append",
        group=_KEPT,
    )
    dropped: str | None = option(
        "move: the others go to dropped/ whole; mark: they stay, with their drop_reason; "
        "reject: they are rejects",
        choices=_DROPPED,
        metavar="MODE",
        shown=_DROPPED[0],
        group=_KEPT,
    )

    mask: tuple[str, ...] = mask_option()
    mask_with: str | None = mask_with_option()

    def checked(self) -> CurationChoices:
        """Return the choices with those that they imply.

        Raises:
            UsageError: they do not go together.
        """
        if self.dropped is not None and not (self.keep or self.preset):
            raise UsageError("--dropped is for pages that fail --keep or --preset: give one of them")
        check_mask(self.mask, self.mask_with)
        asks = self.language or self.language_model is not None
        return replace(
            self,
            language=asks,
            language_model=(self.language_model or _DEFAULT_MODEL) if asks else None,
            signals=self.signals or bool(self.preset),
            signatures=self.signatures or self.full_signatures,
            preset=tuple(dict.fromkeys(self.preset)),
        )


def curation_plan(choices: CurationChoices, groups: tuple[str, ...]) -> CurationPlan:
    """Check choices, and make of them what the workers need.

    Args:
        choices: what was asked for, checked.
        groups: the groups of columns that pages have without.

    Raises:
        ValueError: a rule cannot be read, or the language model is not there, or is not a model.
    """
    # Only where anything is asked for: it takes a while to import.
    from transforms.curation.plan import NOTHING, CurationPlan, parse_rules

    if choices == CurationChoices():
        return NOTHING
    filled = ("language",) * choices.language + ("signals",) * choices.signals
    return CurationPlan(
        language_model=choices.language_model,
        signals=choices.signals,
        rules=parse_rules(choices.keep, choices.preset, tuple({*groups, *filled})),
        dropped=choices.dropped or _DROPPED[0],
        signatures=choices.signatures,
        full_signatures=choices.full_signatures,
        mask=mask_of(choices.mask, choices.mask_with),
    )


def model_name(choices: CurationChoices) -> str | None:
    """Return what a corpus is pinned to: the name of the model, or of its file with its digest.

    Raises:
        ValueError: the model is not there, or is not a model.
    """
    if choices.language_model is None:
        return None
    from transforms.curation import language

    return language.model_name(choices.language_model)


def curation_identity(choices: CurationChoices, plan: CurationPlan) -> dict[str, Any]:
    """Return the choices that shape what is known of pages, and which are kept, in their own form.

    Raises:
        ValueError: the language model is not there, or cannot be read.
    """
    return {
        "language_model": model_name(choices),
        "signals": plan.signals,
        "signatures": plan.signatures,
        "full_signatures": plan.full_signatures,
        "presets": ",".join(plan.rules.presets),
        "keep": "; ".join(map(str, plan.rules.keeps)),
        "dropped": plan.dropped,
        **mask_identity(plan.mask),
    }
