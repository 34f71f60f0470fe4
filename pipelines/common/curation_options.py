"""What is made of a page beside its text, as options: shared by `cedar extract` and `cedar filter`."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipelines.common.errors import UsageError

if TYPE_CHECKING:
    from transforms.curation.plan import CurationPlan

_DEFAULT_MODEL = "lid176"
_DROPPED = ("move", "mark", "reject")


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationChoices:
    """What was asked for; the help of the parser says what each means."""

    language_model: str | None = None
    signals: bool = False
    signatures: bool = False
    full_signatures: bool = False
    presets: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    dropped: str | None = None


def add_curation_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say what is known of a page, and which pages are kept."""
    group = parser.add_argument_group("what is known of it", "see docs/curation.md")
    add = group.add_argument
    add("--language", action="store_true", help="add its language, script and score as columns")
    add(
        "--language-model",
        metavar="M",
        help="lid176, lid176+cld2, cld2, or the file of a fastText model; implies --language "
        f"(default: {_DEFAULT_MODEL})",
    )
    add("--signals", action="store_true", help="add signals of its quality as columns")
    add("--signatures", action="store_true", help="write a signature of each page, for near duplicates")
    add(
        "--full-signatures",
        action="store_true",
        help="write all of each signature; implies --signatures",
    )
    group = parser.add_argument_group("which pages are kept")
    add = group.add_argument
    add(
        "--keep",
        action="append",
        default=[],
        metavar="EXPR",
        help="keep pages for which it holds, as 'language == en and tokens >= 100'; may be repeated",
    )
    add(
        "--preset",
        action="append",
        default=[],
        metavar="P",
        help="rules that others published: gopher, c4, fineweb, or a part: gopher-repetition, "
        "gopher-quality, fineweb-quality; implies --signals; may be repeated",
    )
    add(
        "--dropped",
        choices=_DROPPED,
        metavar="MODE",
        help="move: the others go to dropped/ whole; mark: they stay, with their drop_reason; "
        "reject: they are rejects (default: move)",
    )


def curation_choices(values: argparse.Namespace) -> CurationChoices:
    """Return the choices among parsed arguments.

    Raises:
        UsageError: they do not go together.
    """
    if values.dropped is not None and not (values.keep or values.preset):
        raise UsageError("--dropped is for pages that fail --keep or --preset: give one of them")
    asks = values.language or values.language_model is not None
    return CurationChoices(
        language_model=(values.language_model or _DEFAULT_MODEL) if asks else None,
        signals=values.signals or bool(values.preset),
        signatures=values.signatures or values.full_signatures,
        full_signatures=values.full_signatures,
        presets=tuple(dict.fromkeys(values.preset)),
        keeps=tuple(values.keep),
        dropped=values.dropped,
    )


def curation_plan(choices: CurationChoices, groups: tuple[str, ...]) -> CurationPlan:
    """Check choices, and make of them what the workers need.

    Args:
        choices: what was asked for.
        groups: the groups of columns that pages have without.

    Raises:
        ValueError: a rule cannot be read, or the language model is not there, or is none.
    """
    # Only where anything is asked for: it takes a while to import.
    from transforms.curation.plan import NOTHING, CurationPlan, parse_rules

    if choices == CurationChoices():
        return NOTHING
    filled = ("language",) * (choices.language_model is not None) + ("signals",) * choices.signals
    return CurationPlan(
        language_model=choices.language_model,
        signals=choices.signals,
        rules=parse_rules(choices.keeps, choices.presets, tuple({*groups, *filled})),
        dropped=choices.dropped or _DROPPED[0],
        signatures=choices.signatures,
        full_signatures=choices.full_signatures,
    )


def model_name(choices: CurationChoices) -> str | None:
    """Return what a corpus is pinned to: the name of the model, or of its file with its digest.

    Raises:
        ValueError: the model is not there, or is none.
    """
    if choices.language_model is None:
        return None
    from transforms.curation import language

    return language.model_name(choices.language_model)
