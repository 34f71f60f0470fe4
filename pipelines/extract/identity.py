"""What every run into one corpus must share: `corpus.json`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from pipelines.extract.options import ExtractOptions, UsageError
from transforms.corpus.commit import Corpus
from transforms.corpus.layout import corpus_description
from transforms.corpus.litter import staged_file
from transforms.extract import ExtractPlan
from transforms.model.caps import Caps
from transforms.model.records import SCHEMA_VERSION


@dataclass(frozen=True, slots=True)
class Identity:
    """The choices that shape a corpus; runner, workers and inputs are free."""

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

    @staticmethod
    def of(options: ExtractOptions, plan: ExtractPlan) -> Identity:
        """The identity of the corpus that `options` ask for."""
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
        )

    @property
    def _choices(self) -> dict[str, object]:
        """All choices by their names, the caps among them."""
        choices: dict[str, object] = asdict(self)
        del choices["caps"]
        return choices | asdict(self.caps)

    @property
    def digest(self) -> str:
        """BLAKE2b-128 of the canonical JSON, hex."""
        text = json.dumps(self._choices, sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def claim(self, corpus: Corpus) -> None:
        """Write `corpus.json`, or find it equal to this.

        Raises:
            UsageError: the corpus was made with other options.
            OSError: the corpus cannot be written.
        """
        storage = corpus.storage
        text = storage.read(corpus.identity_path)
        if text is None:
            content = json.dumps({**self._choices, "options_digest": self.digest}, indent=1).encode()
            with staged_file(corpus, "corpus", content) as staged:
                if storage.create_if_absent(staged, corpus.identity_path):
                    return
            text = storage.read(corpus.identity_path)
        self._compare(corpus, corpus_description(text))

    def _compare(self, corpus: Corpus, there: Mapping[str, object] | None) -> None:
        if there is None:
            raise UsageError(f"{corpus.identity_path} was not written by Cedar: choose another --output")
        differences = [
            f"{name.replace('_', '-')} {there.get(name)!r}, now {choice!r}"
            for name, choice in self._choices.items()
            if there.get(name) != choice
        ]
        if differences:
            raise UsageError(
                f"{corpus.root} was made with other options ({'; '.join(differences)}): "
                "choose another --output, or --overwrite to start afresh"
            )
