"""Deletion of files that dead attempts have staged, and of a whole corpus.

`sweep` deletes what dead attempts have staged, before a run; `settle.tidy` what no commit names, after it;
`clear` and `delete_corpus` all of a corpus; `commit.revoke` one shard.

Only files whose names Cedar gives are deleted. In `_tmp/` these are files that no process can work on:
another attempt has committed their shard, or the lease of their attempt has ended.
"""

from collections.abc import Iterator

from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.errors import BrokenCommitError
from cedar.transforms.corpus.layout import FILE_KINDS, StagedName, is_ours, lease_attempt, staged_name

_FOLDERS = ("_tmp", "shards", *FILE_KINDS, "rollup", "runs", "selection")


def sweep(corpus: Corpus) -> None:
    """Delete what attempts whose process is gone have staged and not committed; raises OSError."""
    storage = corpus.storage
    names = list(corpus.names_in("_tmp"))
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
        for name in list(corpus.names_in(folder)):
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


def traces_of_corpus(corpus: Corpus) -> Iterator[str]:
    """Yield the names of what a corpus leaves at its place: commits, files of rows, and `run.json`."""
    for folder in ("shards", *FILE_KINDS):
        yield from (f"{folder}/{name}" for name in corpus.names_in(folder))
    if corpus.storage.read(corpus.books_path) is not None:
        yield "run.json"


def may_be_wanted(corpus: Corpus, staged: StagedName, *, writer_may_live: bool = False) -> bool:
    """Tell whether a commit names a staged file, or, with `writer_may_live`, may come to name it.

    A writer that lives may yet commit a shard that is not committed, or move a whole file to its name.
    """
    if staged.kind == "whole":
        return writer_may_live
    try:
        winner = corpus.commit_of(staged.what)
    except BrokenCommitError:
        return True
    if winner is None:
        return writer_may_live
    return winner.attempt == staged.attempt and staged.kind != "summary"
