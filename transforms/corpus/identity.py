"""What every run into one corpus must share: `corpus.json`, and the claim to its place."""

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

from cedar.transforms.corpus.cleanup import clear, sweep, traces_of_corpus
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.corpus.errors import CorpusError
from cedar.transforms.corpus.formats import OutputFormat
from cedar.transforms.corpus.layout import corpus_description, corpus_id, refuse_other_version
from cedar.transforms.corpus.outputs import refuse_other_result
from cedar.transforms.curation.plan import OPTIONS_OF_GROUPS
from cedar.transforms.files.storage import writing

UNPINNED = ("options_digest", "version", "table", "corpus_id")
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

    @staticmethod
    def derived(source: CorpusReader, output: OutputFormat, groups: Sequence[str]) -> "CorpusIdentity":
        """Return the choices of a corpus made of `source`: its own without signatures, in `output`.

        The caller adds what it does to the rows.
        """
        gone = (*UNPINNED, "signatures", "full_signatures")
        choices = {name: choice for name, choice in source.described.items() if name not in gone}
        written = {"format": output.format, "compression": output.compression, "column_groups": list(groups)}
        return CorpusIdentity({**choices, **written}, table=str(source.described.get("table", "")))

    @property
    def digest(self) -> str:
        """BLAKE2b-128 of the choices, hex."""
        return digest_of(self.choices)

    def with_choices(self, **choices: object) -> "CorpusIdentity":
        """Return the identity with other choices, or more."""
        return replace(self, choices={**self.choices, **choices})

    def differences(self, described: Mapping[str, Any]) -> list[str]:
        """Return what a `corpus.json` says otherwise, in words."""
        choices = json.loads(json.dumps(self.choices))
        names = [name for name in {**choices, **described} if name not in (*UNPINNED, "column_groups")]
        before = set(described.get("column_groups") or ())
        now = set(choices.get("column_groups") or ())
        groups = [
            f"{OPTIONS_OF_GROUPS.get(group, f'columns of {group}')} {'new' if group in now else 'left out'}"
            for group in sorted(before ^ now)
        ]
        return groups + [
            f"{name.replace('_', '-')} {described.get(name)!r}, now {choices.get(name)!r}"
            for name in names
            if described.get(name) != choices.get(name)
        ]

    def claim(self, corpus: Corpus, *, overwrite: bool) -> tuple[Corpus, tuple[str, ...]]:
        """Begin a corpus, or find one of this identity that can be written.

        Returns the corpus with the id of its `corpus.json`, and what the user should know of it, a sentence
        each. Raises CorpusError where it cannot be written, or was made with other choices;
        ReplacedCorpusError where another run with --overwrite came in between.
        """
        with writing(corpus.root, CorpusError, (OSError, ValueError)):
            text = _text_at(corpus)
            if text is not None and overwrite:
                return self._begin_again(corpus)
            if text is not None:
                self._check_choices(corpus, _described(corpus, text))
            # What lies about may be what fills the disk.
            sweep(corpus)
            if text is not None:
                _refuse_unwritable(corpus)
            else:
                begun = uuid.uuid4().hex
                if corpus.write_if_absent("corpus.json", self._description(begun)):
                    return replace(corpus, id=begun), ()
                text = corpus.storage.read(corpus.identity_path)  # another run was first
        described = _described(corpus, text)
        return replace(corpus, id=corpus_id(described)), self._check_choices(corpus, described)

    def _description(self, begun: str) -> bytes:
        free = {"version": version("cedar-corpus"), "table": self.table, "options_digest": self.digest}
        return json.dumps({**self.choices, **free, "corpus_id": begun}, indent=1).encode()

    def _begin_again(self, corpus: Corpus) -> tuple[Corpus, tuple[str, ...]]:
        """Replace `corpus.json`, then delete what the corpus before left.

        In this order no attempt of the run before can commit any more when its files are deleted.
        """
        corpus.storage.delete(corpus.books_path)  # from now on readers refuse it as not finished
        corpus = replace(corpus, id=uuid.uuid4().hex)
        corpus.write_file("corpus.json", self._description(corpus.id))
        foreign = clear(corpus)
        corpus.refuse_replaced()
        return corpus, tuple(f"ignored unknown file {name}" for name in foreign)

    def _check_choices(self, corpus: Corpus, described: Mapping[str, object]) -> tuple[str, ...]:
        """Refuse a corpus of other choices; return notes for the user on a corpus of these choices."""
        refuse_other_version(corpus.root, described)
        differences = self.differences(described)
        if differences:
            raise CorpusError(
                f"{corpus.root} was made with other options ({'; '.join(differences)}): "
                "choose another --output, or --overwrite to start again"
            )
        notes = []
        made = version("cedar-corpus")
        before, table = described.get("version"), described.get("table")
        if before != made:
            notes.append(f"{corpus.root} was begun with version {before} of Cedar, this is {made}")
        if self.table and table != self.table:
            notes.append(
                f"{corpus.root} was begun with table {table} of {self.choices.get('extractor')}: "
                f"rows that are added are of table {self.table}, and say so in extractor_options"
            )
        return tuple(notes)


def _text_at(corpus: Corpus) -> bytes | None:
    """Return the `corpus.json` at a place, None if the place is free; raise CorpusError for anything else."""
    text = corpus.storage.read(corpus.identity_path)
    if text is None:
        refuse_other_result(corpus.storage, corpus.root, "corpus.json")
        found = next(traces_of_corpus(corpus), None)
        if found is not None:
            raise CorpusError(f"{corpus.root} holds {found} but no corpus.json: choose another --output")
    else:
        _described(corpus, text)
    return text


def _described(corpus: Corpus, text: bytes | None) -> dict[str, Any]:
    """Return what a `corpus.json` says; raise CorpusError if Cedar did not write it."""
    described = corpus_description(text)
    if described is None:
        raise CorpusError(f"{corpus.identity_path} was not written by Cedar: choose another --output")
    return described


def _refuse_unwritable(corpus: Corpus) -> None:
    """Write and delete a small file; raise OSError where that fails."""
    probe = f"_tmp/probe.{0:032x}.linked.json"  # named as a staged file: `sweep` deletes one that was left
    corpus.write_if_absent(probe, b"")
    corpus.storage.delete(f"{corpus.root}/{probe}")
    corpus.remove_empty_staging()
