"""`cedar check`: the files of a corpus held to its commits, and its `run.json` to their sums."""

from collections import Counter
from collections.abc import Callable, Iterator

from cedar.pipelines.check.options import CheckOptions
from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.outcome import books_line, corpus_problems, first_lines
from cedar.pipelines.common.terminal import escape_controls, print_unless, show_rows, warn
from cedar.pipelines.dedup.plan import read_description
from cedar.transforms.corpus.captures import WITHOUT_ROW, capture_outcomes
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.settle import Inventory, settle, stated_books
from cedar.transforms.crawls.cdxj import Capture
from cedar.transforms.files.places import absolute
from cedar.transforms.files.storage import writing
from cedar.transforms.files.stores import source_for
from cedar.transforms.readers.indexed import captures_of


def run(options: CheckOptions) -> int:
    """Run `cedar check`; returns 1 if a corpus is not whole. Raises UsageError for anything but a corpus."""
    for path in options.corpora:
        if read_description(path) is not None:
            raise UsageError(f"{path} is a result of `cedar dedup`: run that command again to check it")
    corpora = [CorpusReader.at(path).corpus for path in options.corpora]
    for path in options.cdx:
        with (
            usage_errors(OSError, saying=f"cannot read {path}", short=True),
            source_for(absolute(path)).open(),
        ):
            pass
    work = _repair if options.repair else _check
    say = print_unless(options.quiet)
    codes = [work(corpus, path, say) for corpus, path in zip(corpora, options.corpora, strict=True)]
    if options.cdx:
        codes.append(_check_index(options, say))
    return max(codes)


def _check_index(options: CheckOptions, say: Callable[..., None]) -> int:
    """Print what became of the captures of indexes; returns 1 if some have no row."""
    corpora = [CorpusReader.at(path) for path in options.corpora]

    def captures() -> Iterator[Capture]:
        for path in options.cdx:
            with usage_errors(OSError, ValueError, saying=f"cannot read {path}"):
                yield from (capture for capture, _ in captures_of(source_for(absolute(path))))

    counts: Counter[str] = Counter()
    without_row = []
    for capture, outcome in capture_outcomes(captures, corpora):
        counts[outcome] += 1
        if outcome in WITHOUT_ROW:
            place = f"{capture.filename}:{capture.offset}"
            without_row.append(f"{capture.timestamp} {escape_controls(capture.url)} ({place}): {outcome}")
    counted = [(f"  {outcome}", f"{number:,}") for outcome, number in counts.most_common()]
    if not options.quiet:
        show_rows([("captures", f"{counts.total():,}"), *counted])
    say(*without_row)
    return int(bool(without_row))


def _repair(corpus: Corpus, path: str, say: Callable[..., None]) -> int:
    with writing(path, UsageError):
        settled = settle(corpus)
    say(f"{path}: {books_line(settled.books)}")
    warn(*corpus_problems(settled))
    return 1 if settled.broken or not settled.books.balanced else 0


def _check(corpus: Corpus, path: str, say: Callable[..., None]) -> int:
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
    say(f"{path}: {books_line(books)}")
    warn(*(f"{path}: {problem}" for problem in problems))
    warn(*first_lines([f"ignored unknown file {name}" for name in inventory.foreign], "unknown file"))
    if problems:
        warn(f"to repair what can be repaired: cedar check {path} --repair")
    return int(bool(problems))
