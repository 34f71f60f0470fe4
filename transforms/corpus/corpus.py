"""Where the parts of a corpus are: its files, its commits, and what is written beside them."""

import contextlib
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

from cedar.transforms.corpus.errors import (
    BrokenCommitError,
    CorpusError,
    ReplacedCorpusError,
)
from cedar.transforms.corpus.formats import FORMATS
from cedar.transforms.corpus.layout import FILE_KINDS, committed_shard, corpus_description, corpus_id
from cedar.transforms.files.storage import Storage, StoredFile, StoreEnvironment, is_uri, writing
from cedar.transforms.files.stores import storage_for
from cedar.transforms.model.records import Shard
from cedar.transforms.model.summaries import SchemaVersionError, ShardSummary


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where the parts of a corpus are.

    Attributes:
        root: absolute path or URI of the corpus, without a slash at its end.
        format: the format of its files, one of `FORMATS`.
        compression: their compression; None = the format's default. It may show in their suffix.
        environment: what reaches the corpus and its inputs; workers enter it before they touch either.
        id: the id in the `corpus.json` that a run, or a reader, began with; "" if there was none.
    """

    root: str
    format: str
    compression: str | None = None
    environment: StoreEnvironment = field(default_factory=StoreEnvironment, compare=False)
    id: str = ""

    @property
    def storage(self) -> Storage:
        """The file system that holds it."""
        return storage_for(self.root)

    @property
    def identity_path(self) -> str:
        """`corpus.json`: what every run into this corpus must share."""
        return f"{self.root}/corpus.json"

    @property
    def books_path(self) -> str:
        """`run.json`: the corpus as it stands."""
        return f"{self.root}/run.json"

    def commit_path(self, shard: str) -> str:
        """Return the path of a shard's commit."""
        return f"{self.root}/shards/{shard}.json"

    def file_name(self, kind: str, shard: str) -> str:
        """Name below the corpus of a shard's file of a kind, one of `FILE_KINDS`."""
        return f"{kind}/{shard}.{self.suffix(kind)}"

    def format_of(self, kind: str) -> str:
        """Return the format of the files of a kind."""
        return FILE_KINDS[kind].format or self.format

    def suffix(self, kind: str) -> str:
        """Return what the names of files of a kind end with."""
        suffixes = FORMATS[self.format_of(kind)].suffixes
        compression = self.compression if FILE_KINDS[kind].format is None else None
        return suffixes[compression or next(iter(suffixes))]

    def staged_path(self, kind: str, shard: str, attempt: str) -> str:
        """Return the path at which an attempt writes its file of a kind, one of `FILE_KINDS` or `summary`."""
        suffix = "json" if kind == "summary" else self.suffix(kind)
        return f"{self.root}/_tmp/{shard}.{attempt}.{kind}.{suffix}"

    def lease(self, attempt: str) -> AbstractContextManager[None]:
        """Say for as long as the context lasts that an attempt is alive, and what it has staged is in use."""
        return self.storage.lease(f"{self.root}/_tmp/{attempt}.lock")

    def as_found(self) -> "Corpus":
        """Return the corpus with the id of the `corpus.json` that is there now, if any; raises OSError."""
        return replace(self, id=corpus_id(corpus_description(self.storage.read(self.identity_path))))

    def refuse_replaced(self) -> None:
        """Raise ReplacedCorpusError if the `corpus.json` is another one than this run began with; OSError."""
        text = self.storage.read(self.identity_path)
        if corpus_id(corpus_description(text)) == self.id:
            return
        if text is None:
            why = "corpus.json is gone: the corpus was deleted or moved"
        else:
            why = "another run began the corpus again (--overwrite)"
        raise ReplacedCorpusError(f"{self.root}: {why} while this run was at work")

    def is_done(self, shard: Shard) -> bool:
        """Tell whether a shard is committed; raise ReplacedCorpusError if this run's corpus is no more."""
        self.refuse_replaced()
        return self.commit_of(shard.name) is not None

    def commit_of(self, shard: str) -> ShardSummary | None:
        """Return the commit of a shard as it is now; None if it has none of this corpus.

        Raises as `read_commit`. A `Ledger` has many commits in memory; a `CorpusReader` requires its shards'.
        """
        summary = self.read_commit(shard)
        return summary if summary is not None and summary.corpus_id == self.id else None

    def read_commit(self, shard: str) -> ShardSummary | None:
        """Return what the commit of a shard says, whichever corpus it is of; None if there is none.

        Raises BrokenCommitError where the commit is not the summary of its shard, CorpusError where it is of
        another version of the schema.
        """
        text = self.storage.read(self.commit_path(shard))
        return None if text is None else self.parse_commit(shard, text)

    def parse_commit(self, shard: str, text: bytes) -> ShardSummary:
        """Return what the text of a shard's commit says; raises as `read_commit`."""
        path = self.commit_path(shard)
        try:
            summary = ShardSummary.from_json(text)
        except SchemaVersionError as error:
            raise CorpusError(f"{path} is of another version of Cedar: {error}") from error
        except ValueError as error:
            raise BrokenCommitError(f"{path} is broken: {error}") from error
        pages = summary.files.get("pages")
        if summary.shard.name != shard:
            raise BrokenCommitError(f"{path} is broken: the commit of another shard, {summary.shard.name}")
        is_other = summary.corpus_id != self.id  # which may have another format
        if not is_other and (
            pages is None or (pages.rows, pages.suffix) != (summary.pages, self.suffix("pages"))
        ):
            raise BrokenCommitError(f"{path} is broken: names no file of its {summary.pages} pages")
        return summary

    def commits(self, prefix: str = "") -> Iterator[tuple[str | None, StoredFile]]:
        """Yield the files among the commits whose names begin so, each with its shard; None: not Cedar's."""
        for file in self.storage.list(f"{self.root}/shards", prefix):
            name = file.path.rpartition("/")[2]
            yield committed_shard(name), file

    def names_in(self, folder: str) -> Iterator[str]:
        """Yield the names of the files in a folder of the corpus, in order."""
        return (file.path.rpartition("/")[2] for file in self.storage.list(f"{self.root}/{folder}"))

    def write_file(self, name: str, content: bytes) -> None:
        """Write a small file of the corpus, in place of one of its name; raises OSError."""
        with self._staging(name) as staged:
            self.storage.write(f"{self.root}/{name}", content, staged)

    def write_if_absent(self, name: str, content: bytes) -> bool:
        """Write a small file of the corpus if its name is free; return whether it was. Raises OSError."""
        with self._staging(name) as staged:
            return self.storage.write_if_absent(f"{self.root}/{name}", content, staged)

    def replace_file(self, name: str, content: bytes, before: bytes | None) -> bool:
        """Write a small file if its content is `before` (None: it is absent); return whether it was."""
        if before is None:
            return self.write_if_absent(name, content)
        path = f"{self.root}/{name}"
        with self._staging(name) as staged:
            self.storage.stage(staged, content)
            is_replaced = self.storage.replace_staged(path, content, staged, before=before)
            if not is_replaced:
                self.storage.delete(staged)
            return is_replaced

    @contextlib.contextmanager
    def _staging(self, name: str) -> Iterator[str]:
        """Yield the place below `_tmp/` of a file that is to become `name`, with a lease on it."""
        attempt = uuid.uuid4().hex
        try:
            with writing(self.root), self.lease(attempt):
                yield f"{self.root}/_tmp/{name.rpartition('/')[2].partition('.')[0]}.{attempt}.whole.json"
        finally:
            self.remove_empty_staging()

    def remove_empty_staging(self) -> None:
        """Remove `_tmp/` if it holds nothing; in stores it is nothing by itself."""
        if not is_uri(self.root):
            with contextlib.suppress(OSError):  # another run is at work
                Path(self.root, "_tmp").rmdir()
