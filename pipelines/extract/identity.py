"""What every run into one corpus must share: `corpus.json`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from pipelines.extract.options import ExtractOptions, UsageError
from transforms.corpus.commit import Corpus
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
            staged = f"{corpus.root}/_tmp/corpus.{self.digest}.json"
            with storage.create(staged) as file:
                file.write(json.dumps({**self._choices, "options_digest": self.digest}, indent=1).encode())
            if storage.create_if_absent(staged, corpus.identity_path):
                return
            storage.delete(staged)
            text = storage.read(corpus.identity_path) or b"{}"
        self._compare(corpus, text)

    def _compare(self, corpus: Corpus, text: bytes) -> None:
        way_out = "choose another --output, or --overwrite to start afresh"
        try:
            there = json.loads(text)
            differences = [
                f"{name.replace('_', '-')} {there.get(name)!r}, now {choice!r}"
                for name, choice in self._choices.items()
                if there.get(name) != choice
            ]
        except (ValueError, AttributeError):
            raise UsageError(f"{corpus.identity_path} is no description of a corpus: {way_out}") from None
        if differences:
            raise UsageError(
                f"{corpus.root} was made with other options ({'; '.join(differences)}): {way_out}"
            )
