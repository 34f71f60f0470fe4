"""`cedar export`: a corpus as a data set of chosen columns, in files of a size."""

import contextlib
import gzip
import time
from typing import BinaryIO, cast

from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.shared_options import refuse_seed_alone
from cedar.pipelines.common.terminal import format_bytes, plural, print_out, relative_path, show_rows, warn
from cedar.pipelines.export.options import CDXJ, FILE_SIZE, ExportOptions
from cedar.transforms.corpus.cdxj_writer import is_cdxj, write_cdxj
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.corpus.export import ExportPlan, begin, choose_columns, export
from cedar.transforms.corpus.formats import output_format
from cedar.transforms.corpus.outputs import exclusive_output, foreign_file, refuse_overlap, refuse_overwriting
from cedar.transforms.corpus.settle import refuse_unsettled
from cedar.transforms.curation.expressions import Expression, parse
from cedar.transforms.curation.language import codes_of
from cedar.transforms.curation.plan import columns_for
from cedar.transforms.files.places import absolute
from cedar.transforms.files.storage import writing
from cedar.transforms.files.stores import StoredPath, storage_for
from cedar.transforms.urls.sample import UrlSample, sample_of


def run(options: ExportOptions) -> int:
    """Run `cedar export`; returns the exit code.

    Raises UsageError before anything is written; DamagedCorpusError: the corpus is not as its commits say.
    """
    refuse_seed_alone(options.seed, options.sample)
    began = time.perf_counter()
    source = CorpusReader.at(options.corpus)
    refuse_unsettled(source.corpus, options.corpus)
    if options.format == CDXJ:
        return _export_cdxj(source, options)
    root = absolute(options.output)
    refuse_overlap(root, [source.corpus.root])
    with usage_errors(ValueError):
        columns = choose_columns(source.page_table.columns, options.columns)
        output = output_format(options.format or source.corpus.format, options.compression, of_corpus=False)
    where, sample = _condition(source, options.where), _sample(source, options)
    plan = ExportPlan(
        source=source,
        root=root,
        columns=columns,
        output=output,
        file_bytes=options.file_size,
        sample=sample,
        where=where,
        shuffle=options.shuffle,
    )
    with exclusive_output(root, "data set"), writing(root, reads=True):
        before = begin(plan, overwrite=options.overwrite)
        *_, after = export(plan, before)
    if not options.quiet:
        rows = [
            ("pages", f"{after.rows:,}"),
            ("words", f"{after.contents.words:,}"),
            ("files", f"{len(after.files):,}"),
            ("columns", f"{len(columns):,}"),
            ("written", format_bytes(after.bytes - before.bytes)),
            ("wall time", f"{time.perf_counter() - began:,.1f} s"),
        ]
        show_rows(rows)
        held = plural(after.rows, "page")
        if not after.rows:
            warn("no page is in the data set: --where or --sample leaves none, or the corpus has none")
        print_out(f"{relative_path(root)}: {held}{'; already complete' if before.next is None else ''}")
    return 0


def _export_cdxj(source: CorpusReader, options: ExportOptions) -> int:
    """Write the index of a corpus; returns the exit code. Raises UsageError before anything is written."""
    of_rows = {"columns": None, "shuffle": None, "compression": None, "file_size": FILE_SIZE}
    for name, default in of_rows.items():
        if getattr(options, name) != default:
            raise UsageError(
                f"--{name.replace('_', '-')} is not for an index: leave it out with --format cdxj"
            )
    target = StoredPath(absolute(options.output), storage_for(absolute(options.output)))
    refuse_overwriting(target.path, [source.corpus.root])
    with writing(target.path, UsageError):
        if target.exists() and not options.overwrite:
            raise UsageError(f"{options.output} is there: --overwrite replaces it")
        if target.exists() and not is_cdxj(target):
            raise foreign_file(options.output)
    where, sample = _condition(source, options.where), _sample(source, options)
    with writing(target.path, reads=True), target.writing(tidy=True) as file, contextlib.ExitStack() as stack:
        if target.path.endswith(".gz"):
            file = cast(BinaryIO, stack.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0)))
        counts = write_cdxj(source, file, sample=sample, where=where)
    if not options.quiet:
        if counts.left_out:
            why = "without a date, or not at the beginning of a compressed member"
            warn(f"{plural(counts.left_out, 'capture')} left out: {why}")
        held = f"{plural(counts.pages, 'page')}, {plural(counts.revisits, 'revisit')}"
        print_out(f"{relative_path(target.path)}: {held}")
    return 0


def _condition(source: CorpusReader, text: str | None) -> Expression | None:
    """Read what pages have to meet; raise UsageError if it cannot be read."""
    if text is None:
        return None
    codes = codes_of(source.described.get("language_model"))
    with usage_errors(ValueError, saying="--where"):
        return parse(text, columns_for(source.groups, codes))


def _sample(source: CorpusReader, options: ExportOptions) -> UrlSample | None:
    """Return the sample of the pages that is asked for; None = all."""
    if options.sample is None:
        return None
    return sample_of(options.sample, options.seed, source.values("url"))
