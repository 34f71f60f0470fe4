"""What every run into one corpus must share: `corpus.json`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any

from pipelines.common.curation_options import CurationChoices, model_name
from pipelines.common.errors import UsageError
from pipelines.extract.options import ExtractOptions
from transforms.corpus.commit import Corpus
from transforms.corpus.layout import corpus_description
from transforms.corpus.litter import staged_file
from transforms.curation.plan import CurationPlan
from transforms.extract import ExtractPlan
from transforms.extractors import registry
from transforms.model.caps import CAPS, Caps
from transforms.model.records import SCHEMA_VERSION

_FIRST_CAPS = frozenset(
    {"max_header", "max_body", "max_http_header", "max_codings", "max_members", "max_zstd_blocks"}
    | {"max_zstd_window", "max_zstd_dictionary", "max_tags", "max_attributes", "max_depth"}
)
"""The caps that 0.1.0 had."""

_FIRST_TABLE = "1"
"""The table of corpora that name none."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The choices that shape a corpus; runner, workers and inputs are free.

    A choice that came after 0.1.0 has its default here, and is not written while it has it: so the digests of
    corpora that were made before it stay what they are, and a `corpus.json` that does not name it means it.

    Attributes:
        table: the version of the table that the extractor learned, or "". It is written and not pinned: rows
            name theirs, and a corpus goes on with another one.
    """

    schema: int
    extractor: str
    extractor_options: str
    format: str
    compression: str
    status: str
    record_types: str
    url_include: str | None
    url_exclude: str | None
    limit: int | None
    split_size: int
    caps: Caps
    reject_rows: str
    with_html: bool
    page_timeout: float
    page_memory: int
    language_model: str | None = None
    signals: bool = False
    signatures: bool = False
    full_signatures: bool = False
    presets: str = ""
    keep: str = ""
    dropped: str = "move"
    with_metadata: bool = False
    markdown: str | None = None
    crawl: str | None = None
    select: str | None = None
    slice: str | None = None
    sample_files: int | None = None
    sample: int | None = None
    seed: int | None = None
    selection_rows: int | None = None
    selection_digest: str | None = None
    index_digest: str | None = None
    table: str = ""

    @staticmethod
    def of(options: ExtractOptions, plan: ExtractPlan, curation: CurationPlan) -> Identity:
        """Return the identity of the corpus that `options` ask for.

        Raises:
            ValueError: the language model is not there, or is none.
        """
        return Identity(
            schema=SCHEMA_VERSION,
            extractor=plan.extractor,
            extractor_options=plan.options,
            format=options.format,
            compression=options.compression,
            status=",".join(f"{first}-{last}" for first, last in options.statuses),
            record_types=",".join(options.record_types),
            url_include=options.url_include,
            url_exclude=options.url_exclude,
            limit=options.limit,
            split_size=options.split_size,
            caps=options.caps,
            reject_rows=options.reject_rows,
            with_html=options.with_html,
            page_timeout=options.page_timeout,
            page_memory=options.page_memory,
            with_metadata=options.with_metadata,
            table=registry.get(plan.extractor).table,
            markdown=None if options.markdown is None else str(options.markdown),
            **curation_identity(options.curation, curation),
        )

    @property
    def _choices(self) -> dict[str, object]:
        """All choices that are pinned by their names, the caps among them."""
        choices: dict[str, object] = asdict(self)
        del choices["caps"], choices["table"]
        return choices | asdict(self.caps)

    @property
    def _written(self) -> dict[str, object]:
        """The choices that are written: those of 0.1.0, and of the others what is not the default."""
        defaults = _later_defaults()
        return {
            name: choice
            for name, choice in self._choices.items()
            if name not in defaults or choice != defaults[name]
        }

    @property
    def digest(self) -> str:
        """BLAKE2b-128 of the canonical JSON, hex."""
        text = json.dumps(self._written, sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def claim(self, corpus: Corpus) -> tuple[str, ...]:
        """Write `corpus.json`, or find it equal to this.

        Returns:
            What the user should know of it, a sentence each.

        Raises:
            UsageError: the corpus was made with other options.
            OSError: the corpus cannot be written.
        """
        storage = corpus.storage
        text = storage.read(corpus.identity_path)
        if text is None:
            table = {"table": self.table} if self.table else {}
            content = json.dumps({**self._written, **table, "options_digest": self.digest}, indent=1).encode()
            with staged_file(corpus, "corpus", content) as staged:
                if storage.create_if_absent(staged, corpus.identity_path):
                    return ()
            text = storage.read(corpus.identity_path)
        there = corpus_description(text)
        if there is None:
            raise UsageError(f"{corpus.identity_path} was not written by Cedar: choose another --output")
        differences = self._differences(there)
        if differences:
            raise UsageError(
                f"{corpus.root} was made with other options ({'; '.join(differences)}): "
                "choose another --output, or --overwrite to start afresh"
            )
        begun = str(there.get("table", _FIRST_TABLE))
        if not self.table or begun == self.table:
            return ()
        return (
            f"{corpus.root} was begun with table {begun} of {self.extractor}: "
            f"rows that are added are of table {self.table}, and say so in extractor_options",
        )

    def is_of(self, there: Mapping[str, object]) -> bool:
        """Tell whether a `corpus.json` says the same."""
        return not self._differences(there)

    def _differences(self, there: Mapping[str, object]) -> list[str]:
        """Return what a `corpus.json` says otherwise, in words."""
        named = _later_defaults() | dict(there)
        choices = self._choices
        differences = [
            f"{name.replace('_', '-')} {named.get(name)!r}, now {choice!r}"
            for name, choice in choices.items()
            if named.get(name) != choice
            and not (name == "extractor_options" and self._are_same_options(named.get(name)))
        ]
        differences += [
            f"{name.replace('_', '-')} {choice!r}, which this version does not know"
            for name, choice in there.items()
            if name not in choices and name not in ("options_digest", "table")
        ]
        return differences

    def _are_same_options(self, there: object) -> bool:
        """Tell whether options of the method, as another version wrote them, come to the same as these."""
        try:
            given = json.loads(str(there))
            options = registry.parse_options(self.extractor, given)
        except (ValueError, AttributeError, TypeError):
            return False
        return registry.options_json(options) == self.extractor_options


def curation_identity(choices: CurationChoices, plan: CurationPlan) -> dict[str, Any]:
    """Return the choices that shape what is known of pages, and which are kept, in their own form.

    Raises:
        ValueError: the language model is not there, or is none.
    """
    return {
        "language_model": model_name(choices),
        "signals": plan.signals,
        "signatures": plan.signatures,
        "full_signatures": plan.full_signatures,
        "presets": ",".join(plan.rules.presets),
        "keep": "; ".join(map(str, plan.rules.keeps)),
        "dropped": plan.dropped,
    }


def _later_defaults() -> dict[str, object]:
    """Return the choices that 0.1.0 did not have, and their defaults."""
    later: dict[str, object] = {
        field.name: field.default for field in fields(Identity) if field.default is not MISSING
    }
    return later | {cap.name: cap.default for cap in CAPS if cap.name not in _FIRST_CAPS}
