"""`cedar revisits`: the revisits of a corpus, each with the row of the capture that it refers to."""

import itertools
from collections import Counter
from pathlib import Path

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.terminal import print_out, show_rows
from cedar.pipelines.revisits.options import RevisitsOptions
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.corpus.formats import OutputFormat, open_writer
from cedar.transforms.corpus.outputs import refuse_foreign_file, refuse_overwriting
from cedar.transforms.corpus.revisits import RESOLVED_COLUMNS, resolved_revisits
from cedar.transforms.corpus.settle import refuse_unsettled
from cedar.transforms.files.local import whole_file
from cedar.transforms.files.storage import writing

_GROUP_ROWS = 8192

_MARK = b"cedar.rows\x18\x07Revisit"
"""What the end of a Parquet file of revisits says of its rows (`corpus.formats`)."""


def run(options: RevisitsOptions) -> int:
    """Run `cedar revisits`; returns the exit code. Raises UsageError before anything is written."""
    paths = (options.corpus, *options.against)
    readers = [CorpusReader.at(path) for path in paths]
    for reader, path in zip(readers, paths, strict=True):
        refuse_unsettled(reader.corpus, path)
    for command, origin in (("filter", "filtered_from"), ("dedup", "deduplicated_from")):
        if readers[0].described.get(origin):
            raise UsageError(
                f"{options.corpus} was made by cedar {command}, which keeps no revisits: "
                "name the corpus of cedar extract"
            )
    refuse_overwriting(options.output, [reader.corpus.root for reader in readers])
    refuse_foreign_file(options.output, _MARK)
    with writing(options.output, UsageError):
        originals = _write(Path(options.output), readers)
    if not options.quiet:
        rows = [("revisits", f"{originals.total():,}")]
        rows += [(f"  in {table}", f"{originals[table]:,}") for table in ("pages", "dropped", "rejects")]
        show_rows([*rows, ("  not found", f"{originals[None]:,}")])
        print_out(options.output)
    return 0


def _write(path: Path, readers: list[CorpusReader]) -> Counter[str | None]:
    """Write the file; return the number of revisits by the table of their original captures."""
    counts: Counter[str | None] = Counter()
    resolved = resolved_revisits(readers[0], readers[1:])
    with whole_file(path) as staged, staged.open("wb") as file:
        writer = open_writer(file, "Revisit", RESOLVED_COLUMNS, output=OutputFormat(), attempt="")
        with writer.abandoned_at_a_fault():
            while group := list(itertools.islice(resolved, _GROUP_ROWS)):
                writer.write([(*revisit, *original) for revisit, original in group])
                counts.update(original.original_table for _, original in group)
            writer.close()
    return counts
