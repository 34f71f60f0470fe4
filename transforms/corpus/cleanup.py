"""Delete what dead attempts have staged, or a whole corpus; write its small files.

Only files whose names Cedar gives are deleted. In `_tmp/` these are files that no process can work on:
another attempt has committed their shard, or the lease of their attempt has ended.
"""

import contextlib
import uuid
from collections.abc import Iterator
from pathlib import Path

from cedar.transforms.corpus.commit import Corpus
from cedar.transforms.corpus.errors import BrokenCommitError
from cedar.transforms.corpus.layout import KINDS, StagedName, is_ours, lease_attempt, staged_name
from cedar.transforms.files.storage import is_uri, writing

_FOLDERS = ("_tmp", "shards", *KINDS, "rollup", "runs", "selection")


def sweep(corpus: Corpus) -> None:
    """Delete what attempts whose process is gone have staged and not committed; raises OSError."""
    storage = corpus.storage
    names = list(names_in(corpus, "_tmp"))
    by_attempt: dict[str, list[tuple[str, StagedName]]] = {}
    for name in names:
        staged = staged_name(name)
        if staged is not None:
            by_attempt.setdefault(staged.attempt, []).append((name, staged))
    for name in names:
        attempt = lease_attempt(name)
        if attempt is None:
            continue
        with storage.ended_lease(f"{corpus.root}/_tmp/{name}") as ended:
            if ended:
                for left, staged in by_attempt.get(attempt, ()):
                    if not may_be_wanted(corpus, staged):
                        storage.delete(f"{corpus.root}/_tmp/{left}")
                storage.delete(f"{corpus.root}/_tmp/{name}")


def clear(corpus: Corpus) -> tuple[str, ...]:
    """Delete all of a corpus but its `corpus.json`, which is another one by now.

    What is staged goes first: an attempt of the corpus before then has nothing to give a name to. Returns the
    names of the files in its folders that are not Cedar's, which stay; raises OSError.
    """
    storage = corpus.storage
    foreign = []
    for folder in _FOLDERS:
        for name in list(names_in(corpus, folder)):
            if is_ours(folder, name):
                storage.delete(f"{corpus.root}/{folder}/{name}")
            else:
                foreign.append(f"{folder}/{name}")
    storage.delete(corpus.books_path)
    return tuple(foreign)


def delete_corpus(corpus: Corpus) -> None:
    """Delete a corpus, `corpus.json` first: no attempt commits any more then. Raises OSError."""
    corpus.storage.delete(corpus.identity_path)
    clear(corpus)


def files_of_rows(corpus: Corpus) -> Iterator[str]:
    """Names of what lies where a corpus would be: files of rows and commits, and `run.json`."""
    for folder in ("shards", *KINDS):
        yield from (f"{folder}/{name}" for name in names_in(corpus, folder))
    if corpus.storage.read(corpus.books_path) is not None:
        yield "run.json"


def write_file(corpus: Corpus, name: str, content: bytes) -> None:
    """Write a file of the corpus, in place of one of its name; raises OSError."""
    with _staging(corpus, name) as staged:
        corpus.storage.write(f"{corpus.root}/{name}", content, staged)


def write_if_absent(corpus: Corpus, name: str, content: bytes) -> bool:
    """Write a file of the corpus if its name is free; whether it was. Raises OSError."""
    with _staging(corpus, name) as staged:
        return corpus.storage.write_if_absent(f"{corpus.root}/{name}", content, staged)


@contextlib.contextmanager
def _staging(corpus: Corpus, name: str) -> Iterator[str]:
    """Name the place below `_tmp/` of a file that is to become `name`, and say that it is in use."""
    attempt = uuid.uuid4().hex
    with writing(corpus.root), corpus.lease(attempt):
        yield f"{corpus.root}/_tmp/{name.rpartition('/')[2].partition('.')[0]}.{attempt}.whole.json"
    if not is_uri(corpus.root):
        with contextlib.suppress(OSError):  # it is not empty
            Path(corpus.root, "_tmp").rmdir()


def names_in(corpus: Corpus, folder: str) -> Iterator[str]:
    """Yield the names of the files in a folder of a corpus, in order."""
    return (file.path.rpartition("/")[2] for file in corpus.storage.list(f"{corpus.root}/{folder}"))


def may_be_wanted(corpus: Corpus, staged: StagedName, *, writer_may_live: bool = False) -> bool:
    """Tell whether a commit names a staged file, or, with `writer_may_live`, may come to name it.

    A writer that lives may yet commit a shard that is not committed, or move a whole file to its name.
    """
    if staged.kind == "whole":
        return writer_may_live
    try:
        winner = corpus.committed(staged.what)
    except BrokenCommitError:
        return True
    if winner is None:
        return writer_may_live
    return winner.attempt == staged.attempt and staged.kind != "summary"
