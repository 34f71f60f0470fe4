"""`cedar browse`: a corpus as a website of files, for the disk or any web server."""

import webbrowser
from pathlib import Path

from cedar.pipelines.browse.drawings import Drawings
from cedar.pipelines.browse.index import Index, judge, meanings
from cedar.pipelines.browse.options import BrowseOptions
from cedar.pipelines.browse.rows import json_of, shown_rows, survey
from cedar.pipelines.browse.site import Chunks, whole_site, write_chunk
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.page_lookup import explain_command
from cedar.pipelines.common.shared_options import web_at
from cedar.pipelines.common.terminal import escape_controls, format_bytes, print_unless
from cedar.pipelines.dedup.result import DedupResult
from cedar.pipelines.drawing.pages import render_front
from cedar.pipelines.report.facts import bounds_of
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.corpus.outputs import refuse_overlap
from cedar.transforms.corpus.settle import refuse_unsettled
from cedar.transforms.files.storage import writing

_COMPARED = 40_000
"""Characters of a text up to which what differs from its duplicate is marked."""


def run(options: BrowseOptions) -> int:
    """Run `cedar browse`; returns the exit code. Raises UsageError before anything is written."""
    reader = CorpusReader.at(options.corpus)
    refuse_unsettled(reader.corpus, options.corpus)
    result = DedupResult.of(options.duplicates, reader.corpus.root)
    refuse_overlap(options.output, filter(None, (options.corpus, options.duplicates)))
    target = Path(options.output)
    with writing(options.output, UsageError), whole_site(target) as folder:
        lines = _write_site(options, reader, result, folder=folder)
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print_unless(options.quiet)(*lines, f"{target.absolute() / 'index.html'}: {format_bytes(size)}")
    if options.open:
        webbrowser.open((target / "index.html").resolve().as_uri())
    return 0


def _write_site(
    options: BrowseOptions, reader: CorpusReader, result: DedupResult, *, folder: Path
) -> list[str]:
    """Write a site into a folder. Returns the lines that are printed about it."""
    found = survey(reader, result)
    chosen = found.chosen(options.sample)
    drawings = Drawings(reader.described, web_at(options.crawl_root))
    index = Index(found)
    bounds = bounds_of(reader.described)
    pages = Chunks(folder, "pages")
    for number, row in enumerate(shown_rows(reader, found, chosen)):
        url = row.url
        command = explain_command(reader.described, row.values["source"], url, offset=row.values["offset"])
        values = [
            escape_controls(value) if isinstance(value, str) else value for value in row.values.values()
        ]
        pages.add(number, json_of([*values, command, judge(row.values, tuple(bounds))]))
        index.add(number, row)
        drawings.add(number, row)
    pages.close()
    pairs = Chunks(folder, "pairs")
    for number, *marked in index.differences():
        pairs.add(number, json_of([number, *marked]))
    pairs.close()
    drawn = []
    for number, html in drawings.drawn(options.drawings):
        (folder / "drawings" / f"{number}.html").write_text(html, encoding="utf-8", errors="backslashreplace")
        drawn.append(number)
    more = {
        "chunks": {"pages": pages.firsts, "pairs": pairs.firsts},
        "drawings": drawn,
        "replay": options.replay,
    }
    write_chunk(folder, "index", json_of({**meanings(reader, found, bounds), **index.columns(), **more}))
    rows = sum(found.totals.values())
    sampled = f"{len(chosen):,} of {rows:,} rows: some of each rule, language and length"
    chosen_line = f"All {rows:,} rows" if len(chosen) == rows else sampled
    where = reader.corpus.root
    front = render_front({"heading": where.rpartition("/")[2] or where, "where": where, "said": chosen_line})
    (folder / "index.html").write_text(front, encoding="utf-8", errors="backslashreplace")
    refused = [
        f"{count:,} not drawn: {escape_controls(why)}" for why, count in drawings.refusals.most_common(3)
    ]
    return [f"{chosen_line}; {len(drawn):,} drawn", *refused]
