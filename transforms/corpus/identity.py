"""What every run into one corpus must share: `corpus.json`, and the claim to its place."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version

from cedar.transforms.corpus.commit import Corpus
from cedar.transforms.corpus.errors import CorpusError
from cedar.transforms.corpus.layout import corpus_description, refuse_other_version
from cedar.transforms.corpus.litter import clear, files_of_rows, keep_first, sweep
from cedar.transforms.files.storage import writing

FREE = ("options_digest", "version", "table")
"""What `corpus.json` says and does not pin."""


def digest_of(choices: Mapping[str, object]) -> str:
    """BLAKE2b-128 of the canonical JSON of choices, hex."""
    text = json.dumps(choices, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class CorpusIdentity:
    """The choices that shape a corpus; runner, workers and inputs are free.

    Attributes:
        choices: the choices by name, as JSON has them; one that is not named is None.
        table: the version of the table that the extractor learned, or "". Like the version of Cedar it is
            written and not pinned: rows and commits name theirs, and another one may continue a corpus.
    """

    choices: Mapping[str, object]
    table: str = ""

    @property
    def digest(self) -> str:
        """BLAKE2b-128 of the choices, hex."""
        return digest_of(self.choices)

    def with_choices(self, **choices: object) -> "CorpusIdentity":
        """Return the identity with other choices, or more."""
        return replace(self, choices={**self.choices, **choices})

    def differences(self, there: Mapping[str, object]) -> list[str]:
        """Return what a `corpus.json` says otherwise, in words."""
        choices = json.loads(json.dumps(self.choices))
        names = [name for name in {**choices, **there} if name not in FREE]
        return [
            f"{name.replace('_', '-')} {there.get(name)!r}, now {choices.get(name)!r}"
            for name in names
            if there.get(name) != choices.get(name)
        ]

    def claim(self, corpus: Corpus, *, overwrite: bool) -> tuple[str, ...]:
        """Make sure that a corpus can be written and is of this identity; writes its `corpus.json`.

        Returns what the user should know of it, a sentence each. Raises CorpusError where it cannot be
        written, or was made with other choices.
        """
        with writing(corpus.root, CorpusError, (OSError, ValueError)):
            foreign = _take_place(corpus, overwrite=overwrite)
            notes = self._pin(corpus)
        return (*(f"{name} is not Cedar's: left where it is" for name in foreign), *notes)

    def _pin(self, corpus: Corpus) -> tuple[str, ...]:
        """Write `corpus.json`, or find one that says the same."""
        storage, made = corpus.storage, version("cedar-corpus")
        text = storage.read(corpus.identity_path)
        if text is None:
            free = {"version": made, "table": self.table, "options_digest": self.digest}
            content = json.dumps({**self.choices, **free}, indent=1).encode()
            if keep_first(corpus, "corpus.json", content):
                return ()
            text = storage.read(corpus.identity_path)
        there = corpus_description(text)
        if there is None:
            raise CorpusError(f"{corpus.identity_path} was not written by Cedar: choose another --output")
        refuse_other_version(corpus.root, there)
        differences = self.differences(there)
        if differences:
            raise CorpusError(
                f"{corpus.root} was made with other options ({'; '.join(differences)}): "
                "choose another --output, or --overwrite to start again"
            )
        notes = []
        before, table = there.get("version"), there.get("table")
        if before != made:
            notes.append(f"{corpus.root} was begun with version {before} of Cedar, this is {made}")
        if self.table and table != self.table:
            notes.append(
                f"{corpus.root} was begun with table {table} of {self.choices.get('extractor')}: "
                f"rows that are added are of table {self.table}, and say so in extractor_options"
            )
        return tuple(notes)


def _take_place(corpus: Corpus, *, overwrite: bool) -> tuple[str, ...]:
    """Make sure that the place is free or holds a corpus, and can be written; returns what `clear` does."""
    text = corpus.storage.read(corpus.identity_path)
    if text is None:
        there = next(files_of_rows(corpus), None)
        if there is not None:
            raise CorpusError(f"{corpus.root} holds {there} but no corpus.json: choose another --output")
    elif corpus_description(text) is None:
        raise CorpusError(f"{corpus.identity_path} was not written by Cedar: choose another --output")
    elif not overwrite:
        # First of all: what lies about may be what fills the disk.
        sweep(corpus)
    foreign = clear(corpus) if overwrite and text is not None else ()
    probe = f"_tmp/probe.{0:032x}.linked.json"  # the next run takes away what a killed one has left
    keep_first(corpus, probe, b"")
    corpus.storage.delete(f"{corpus.root}/{probe}")
    return foreign
