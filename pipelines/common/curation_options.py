"""The options of curation: columns that are measured, rules of pages that are kept, and their plan."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.mask_options import MaskOptions
from cedar.pipelines.common.option_types import invalid_value
from cedar.transforms.model.options import Group, flag, options_of_record

if TYPE_CHECKING:
    from cedar.transforms.curation.fineweb2 import LanguageTable
    from cedar.transforms.curation.plan import CurationPlan

DEFAULT_MODEL = "lid176"
"""Which model says the language, unless another is named."""

_BY_LANGUAGE = "fineweb2"
_OTHERWISE = ("keep", "drop", "mark")
_DROPPED = ("move", "mark", "reject")

_MEASURED = Group("measures of a page", "see docs/curation.md")
_measured = _MEASURED.option
_kept = Group("kept pages").option


def _named(what: str, example: str, text: str) -> str:
    """Return NAME=PLACE as written; raise ArgumentTypeError for anything else."""
    name, _, place = text.partition("=")
    if not name or not place:
        raise invalid_value(what, text, f"write it as {example}")
    return text


_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_COLUMN_OF_LANGUAGES = re.compile(r"(?<![\w.-])language(_script|_score|_source)?(?![\w.-])")


def _names_language(expression: str) -> bool:
    """Tell whether an expression looks at a column that --language fills."""
    return _COLUMN_OF_LANGUAGES.search(_QUOTED.sub("''", expression)) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationOptions:
    """The options of languages, signals, signatures and rules."""

    language: bool = flag(
        "add columns for the language of the text, its script and the score", group=_MEASURED
    )
    language_model: str | None = _measured(
        "lid176, lid176+cld2, cld2, or the file of a fastText model; implies --language",
        metavar="M",
        shown=DEFAULT_MODEL,
    )
    classifier: tuple[str, ...] = _measured(
        "add the score of a fastText model's label as a column, such as quality=model.bin:hq; may be "
        "repeated",
        metavar="NAME=MODEL:LABEL",
        parse=functools.partial(_named, "classifier", "quality=model.bin:hq"),
        repeats="append",
    )
    signal: tuple[str, ...] = _measured(
        "add the result of a function of your own as a column; may be repeated; see docs/own-signal.md",
        metavar="NAME=MODULE:FUNCTION",
        parse=functools.partial(_named, "signal", "shouting=package.module:function"),
        repeats="append",
    )
    count_tokens: tuple[str, ...] = _measured(
        "add the number of a text's tokens as a column, such as gpt2=tokenizer.json; may be repeated; needs "
        "the extra tokens",
        metavar="NAME=FILE",
        parse=functools.partial(_named, "column of tokens", "gpt2=tokenizer.json"),
        repeats="append",
    )
    signals: bool = flag("add columns for signals of quality", group=_MEASURED)
    signatures: bool = flag("write a signature of each page, for near duplicates", group=_MEASURED)
    full_signatures: bool = flag("write the whole of each signature; implies --signatures", group=_MEASURED)
    keep: tuple[str, ...] = _kept(
        "keep only pages for which this holds, such as 'language == eng and words >= 100'; a column of "
        "languages implies --language; may be repeated",
        metavar="EXPR",
        repeats="append",
    )
    preset: tuple[str, ...] = _kept(
        "apply published rules: gopher, c4, fineweb, or a part: gopher-repetition, gopher-quality, "
        "fineweb-quality; fineweb2 (rules by language), or fineweb2=DIR with its configs; implies "
        "--signals; may be repeated",
        metavar="P",
        repeats="append",
    )
    preset_else: str | None = _kept(
        "what fineweb2 does with pages in a language that it has no rules for",
        choices=_OTHERWISE,
        metavar="MODE",
        shown=_OTHERWISE[0],
    )
    dropped: str | None = _kept(
        "what becomes of the other pages: move: their rows go to dropped/; mark: they stay, with a "
        "drop_reason; reject: they become rejects",
        choices=_DROPPED,
        metavar="MODE",
        shown=_DROPPED[0],
    )

    masks: MaskOptions = options_of_record(MaskOptions)

    def checked(self, *, has_other_rules: bool = False) -> CurationOptions:
        """Return the options with those that they imply; raise UsageError if they do not go together.

        `has_other_rules`: pages may fail others than --keep and --preset.
        """
        if self.dropped is not None and not (self.keep or self.preset or has_other_rules):
            raise UsageError("--dropped is for pages that fail --keep or --preset: give one of them")
        if self.preset_else is not None and not any(one.startswith(_BY_LANGUAGE) for one in self.preset):
            raise UsageError("--preset-else is for --preset fineweb2: give it, too")
        self.masks.check()
        asks = self.language or self.language_model is not None or any(map(_names_language, self.keep))
        return replace(
            self,
            language=asks,
            language_model=(self.language_model or DEFAULT_MODEL) if asks else None,
            signals=self.signals or bool(self.preset),
            signatures=self.signatures or self.full_signatures,
            preset=tuple(dict.fromkeys(self.preset)),
        )


def curation_plan(
    options: CurationOptions, groups: tuple[str, ...], language_model: str | None = None
) -> CurationPlan:
    """Make the plan of checked options for the workers.

    Pages have the columns of `groups` already; `language_model` said their language. Raises ValueError if a
    rule cannot be read, or the language model is missing or no model.
    """
    # Only where anything is asked for: it takes a while to import.
    from cedar.transforms.curation.language import codes_of
    from cedar.transforms.curation.own_signals import own_signal
    from cedar.transforms.curation.plan import NO_CURATION, CurationPlan, parse_rules
    from cedar.transforms.curation.scores import scored
    from cedar.transforms.curation.token_counts import token_column
    from cedar.transforms.model.columns import PageTable

    if options == CurationOptions():
        return NO_CURATION
    classifiers = tuple(map(scored, options.classifier))
    filled = tuple(name for name in ("language", "signals") if getattr(options, name))
    own = tuple(map(own_signal, options.signal))
    tokens = tuple(map(token_column, options.count_tokens))
    filled += (
        *(one.group for one in classifiers),
        *(one.group for one in own),
        *(one.group for one in tokens),
    )
    named = [
        *(one.column for one in classifiers),
        *(one.column for one in own),
        *(one.column for one in tokens),
    ]
    columns = {column.name for column in PageTable.of(groups).columns}
    taken = [name for name in named if named.count(name) > 1 or name in columns]
    if taken:
        raise ValueError(f"there is a column {taken[0]!r} already: choose another name")
    return CurationPlan(
        language_model=options.language_model,
        signals=options.signals,
        rules=parse_rules(
            options.keep,
            tuple(one.partition("=")[0] for one in options.preset),
            tuple({*groups, *filled}),
            languages=_languages(options),
            codes=codes_of(options.language_model or language_model),
        ),
        dropped=options.dropped or _DROPPED[0],
        signatures=options.signatures,
        full_signatures=options.full_signatures,
        mask=options.masks.masked,
        classifiers=classifiers,
        own=own,
        tokens=tokens,
    )


def _languages(options: CurationOptions) -> LanguageTable | None:
    """Read the bounds by language, if --preset fineweb2 is given."""
    given = [one.partition("=") for one in options.preset if one.partition("=")[0] == _BY_LANGUAGE]
    if not given:
        return None
    from cedar.transforms.curation.fineweb2 import LanguageTable, read_rows, shipped_rows
    from cedar.transforms.curation.language import gives_scripts

    if len(given) > 1:
        raise ValueError("--preset fineweb2 is given twice: choose one")
    folder = given[0][2]
    rows = read_rows(Path(folder)) if folder else shipped_rows()
    has_scores = options.language_model is not None and gives_scripts(options.language_model)
    return LanguageTable(rows, options.preset_else or _OTHERWISE[0], has_scores)


def curation_identity(options: CurationOptions, plan: CurationPlan) -> dict[str, Any]:
    """Return the identity of a corpus by its curation; a language model is named with its file's digest.

    Raises ValueError if the model is missing, or no model.
    """
    if options.language_model is None:
        return {**plan.choices, "language_model": None}
    from cedar.transforms.curation.language import model_name

    return {**plan.choices, "language_model": model_name(options.language_model)}
