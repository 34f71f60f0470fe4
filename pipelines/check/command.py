"""`cedar check`: the files of a corpus held to its commits, and its `run.json` to their sums."""

from cedar.pipelines.check.options import CheckOptions
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.outcome import books_line, corpus_problems, first_lines
from cedar.pipelines.common.terminal import print_out, warn
from cedar.pipelines.dedup.plan import read_description
from cedar.transforms.corpus.commit import Corpus
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.reading import CorpusReader
from cedar.transforms.corpus.settle import Inventory, settle, stated_books
from cedar.transforms.files.storage import writing


def run(options: CheckOptions) -> int:
    """Run `cedar check`; returns 1 if a corpus is not whole. Raises UsageError for what is no corpus."""
    codes = []
    for path in options.corpora:
        if read_description(path) is not None:
            raise UsageError(f"{path} is a result of `cedar dedup`: run that command again to check it")
        corpus = CorpusReader.at(path).corpus
        codes.append(_repair(corpus, path) if options.repair else _check(corpus, path))
    return max(codes)


def _repair(corpus: Corpus, path: str) -> int:
    with writing(path, UsageError):
        settled = settle(corpus)
    print_out(f"{path}: {books_line(settled.books)}")
    warn(*corpus_problems(settled))
    return 1 if settled.broken or not settled.books.balanced else 0


def _check(corpus: Corpus, path: str) -> int:
    inventory = Inventory.of(Ledger(corpus), repairs=False)
    books = inventory.ledger.books
    problems = first_lines(list(inventory.broken.values()), "broken shard")
    problems += first_lines([f"no commit names {name}" for name in inventory.unnamed], "file")
    stated = stated_books(corpus)
    if stated is None:
        problems.append("run.json is missing")
    elif stated != {name: getattr(books, name) for name in stated}:
        problems.append("run.json is not the sum of the shards")
    if not books.balanced:
        problems.append("the books do not balance")
    print_out(f"{path}: {books_line(books)}")
    warn(*(f"{path}: {problem}" for problem in problems))
    warn(*first_lines([f"ignored unknown file {name}" for name in inventory.foreign], "unknown file"))
    if problems:
        warn(f"to repair what can be repaired: cedar check {path} --repair")
    return int(bool(problems))
