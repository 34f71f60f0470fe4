"""A data set of a corpus: chosen columns and pages of it, in their order or shuffled, in files of a size.

`export.json` says what was asked for, which files are whole, and the page at which the next one begins; it is
written again after each file. So a data set that was interrupted is continued, and ends with the same bytes.
Each run replaces only the `export.json` that it wrote itself: of two at work, one goes on.
"""

import difflib
import json
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cedar.transforms.corpus.card import export_card, write_card
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import CorpusReader, Place, as_lists
from cedar.transforms.corpus.errors import CorpusError, ReplacedCorpusError
from cedar.transforms.corpus.formats import OutputFormat, close_quietly, open_writer, page_id
from cedar.transforms.corpus.identity import digest_of
from cedar.transforms.corpus.outputs import LOCK, refuse_other_result
from cedar.transforms.corpus.shuffle import shuffled
from cedar.transforms.curation.expressions import Expression, columns_of
from cedar.transforms.files.storage import Move, writing
from cedar.transforms.model.books import Books
from cedar.transforms.model.columns import Column
from cedar.transforms.model.summaries import FileSummary
from cedar.transforms.urls.sample import UrlSample

if TYPE_CHECKING:
    import pyarrow as pa

STATE = "export.json"
FIRST = Place("", 0)
"""The place of the first page of any corpus."""

_ROWS_AT_ONCE = 512
_MIN_FILE_BYTES = 64 << 10
_ROW_BYTES = 8 << 10
"""About what a row has, not compressed."""

_PART_BYTES = 16 << 20
"""Bytes of the corpus' files, compressed, that are sorted at once when a data set is shuffled."""

_ROWS = "Row"
"""What a row is called in a file's schema: JSON lines of it have the chosen columns alone."""


ID = Column("id", "string", False, "the id of the page's record; without one, where the record is")
"""A column that is made when it is asked for, of those that `page_id` needs."""

_OF_ID = ("record_id", "source", "offset", "inner_offset")


@dataclass(frozen=True, slots=True)
class Contents:
    """What the pages of a data set say of themselves, counted; of columns that the corpus lacks nothing.

    Attributes:
        words: words of their texts.
        languages, licences: pages by their value of the column, "" for null; "an address" stands for all
            licences that have no identifier.
        opt_outs: pages that ask not to be used.
        tokens: tokens of their texts, by column.
    """

    words: int = 0
    opt_outs: int = 0
    languages: Mapping[str, int] = field(default_factory=dict)
    licences: Mapping[str, int] = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: "Contents") -> "Contents":
        return Contents(
            self.words + other.words,
            self.opt_outs + other.opt_outs,
            dict(Counter(self.languages) + Counter(other.languages)),
            dict(Counter(self.licences) + Counter(other.licences)),
            dict(Counter(self.tokens) + Counter(other.tokens)),
        )


_COUNTED = ("words", "language", "licence", "opt_out")
"""The columns that are counted, if they are there."""


@dataclass(frozen=True, slots=True)
class Export:
    """A data set as far as it is written.

    Attributes:
        asked: what was asked for; the same on each continuation.
        files: those that are whole, in order, by their names below the data set.
        next: the first page that is in none of them; None = all pages are.
        contents: what was counted of the pages in the files.
    """

    asked: Mapping[str, Any]
    files: Mapping[str, FileSummary] = field(default_factory=dict)
    next: Place | None = FIRST
    contents: Contents = field(default_factory=Contents)

    @property
    def rows(self) -> int:
        """Rows of its files."""
        return sum(file.rows for file in self.files.values())

    @property
    def bytes(self) -> int:
        """Size of its files."""
        return sum(file.bytes for file in self.files.values())


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What is exported, and to which absolute path or URI.

    Attributes:
        file_bytes: a file ends once the group of rows is written that reaches this size.
        sample: the pages that are exported, by their URLs; None = all.
        where: what a page has to meet; None = nothing.
        shuffle: the seed of the order; None = the order of the corpus.
    """

    source: CorpusReader
    root: str
    columns: tuple[Column, ...]
    output: OutputFormat
    file_bytes: int
    sample: UrlSample | None = None
    where: Expression | None = None
    shuffle: int | None = None

    @property
    def target(self) -> Corpus:
        """The place of the data set, which has the store and the staging of a corpus."""
        return Corpus(self.root, self.output.format, self.output.compression)

    def asked(self) -> dict[str, Any]:
        """Return what the data set is pinned to: the choices, and the commits of the corpus."""
        commits = {summary.shard.name: summary.attempt for summary in self.source.summaries()}
        return {
            "corpus": digest_of({**self.source.described, "commits": commits}),
            "columns": [column.name for column in self.columns],
            "format": self.output.format,
            "compression": self.output.compression,
            "file_size": self.file_bytes,
            "sample": None if self.sample is None else asdict(self.sample),
            "where": None if self.where is None else str(self.where),
            "shuffle": self.shuffle,
        }


def choose_columns(columns: Sequence[Column], names: str | None) -> tuple[Column, ...]:
    """Choose from the columns of a corpus by names with commas, in their order; with a minus, all but these.

    None chooses all; `id` is there for who names it. Raises ValueError for an unknown name, one given
    twice, or a minus before some only.
    """
    known = {column.name: column for column in columns}
    named = {ID.name: ID, **known}
    words = [] if names is None else [word.strip() for word in names.split(",")]
    bare = [word.removeprefix("-") for word in words]
    if not all(bare):
        raise ValueError(f"--columns {names!r} has an empty name: write it as --columns text,url")
    for name in bare:
        if name not in named:
            close = difflib.get_close_matches(name, named, 1)
            hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(named)}"
            raise ValueError(f"the corpus has no column {name!r}: {hint}")
    if len(set(bare)) < len(bare):
        raise ValueError(f"--columns names {next(n for n in bare if bare.count(n) > 1)!r} twice")
    left_out = {word[1:] for word in words if word.startswith("-")}
    if left_out and len(left_out) < len(words):
        raise ValueError(
            "--columns names columns, or columns to leave out with a minus before each, not both"
        )
    chosen = tuple(column for name, column in known.items() if name not in left_out)
    if not chosen:
        raise ValueError("--columns leaves no column")
    return chosen if left_out or not words else tuple(named[name] for name in words)


def begin(plan: ExportPlan, *, overwrite: bool) -> Export:
    """Take the place of the data set, new or to be continued, and write its description.

    Raises CorpusError where it holds something else, or a data set of other choices or pages, or cannot be
    written.
    """
    storage, wanted = plan.target.storage, plan.asked()
    text = storage.read(f"{plan.root}/{STATE}")
    before = None if text is None else _read_state(text)
    if before is None:
        refuse_other_result(storage, plan.root, STATE)
        for folder in ("", "/data"):
            paths = (file.path for file in storage.list(f"{plan.root}{folder}"))
            foreign = next((path for path in paths if path != f"{plan.root}/{LOCK}"), None)
            if foreign is not None:
                raise CorpusError(f"{foreign} was not written by cedar export: choose another --output")
    if before is None or overwrite:
        begun = Export(wanted)
        with writing(plan.root, CorpusError):
            storage.delete(*(f"{plan.root}/{name}" for name in (before or begun).files))
            _replace_state(plan, text, begun)
        return begun
    differing = [name for name in {**before.asked, **wanted} if before.asked.get(name) != wanted.get(name)]
    if differing:
        named = ", ".join("pages of the corpus" if name == "corpus" else name for name in differing)
        raise CorpusError(
            f"{plan.root} was written with other {named.replace('_', '-')}: "
            "choose another --output, or --overwrite to start again"
        )
    sizes = {file.path: file.size for file in storage.list(f"{plan.root}/data")}
    for name, file in before.files.items():
        if sizes.get(f"{plan.root}/{name}") != file.bytes:
            raise CorpusError(f"{plan.root}/{name} is not as it was written: --overwrite starts again")
    with writing(plan.root, CorpusError):
        _replace_state(plan, text, before)
    return before


def export(plan: ExportPlan, so_far: Export) -> Iterator[Export]:
    """Write the files that are left; yield the data set after each.

    Raises DamagedCorpusError, also if another run writes there; OSError.
    """
    storage = plan.target.storage
    groups = _groups(plan, so_far.next) if so_far.next is not None else iter(())
    following = next(groups, None)
    while following is not None:
        suffix = plan.output.suffix
        name = f"data/{len(so_far.files):06d}.{suffix}"
        staged = f"{plan.root}/_tmp/{name.rpartition('/')[2]}.{uuid.uuid4().hex}"
        contents = so_far.contents
        file = storage.create(staged)
        try:
            # A digest of the contents, and no random id: the same pages give the same bytes.
            attempt = digest_of({**so_far.asked, "name": name})
            writer = open_writer(file, _ROWS, plan.columns, output=plan.output, attempt=attempt)
            with writer.abandoned_at_a_fault():
                while following is not None and (not writer.rows or file.tell() < plan.file_bytes):
                    writer.write(following.rows)
                    contents += following.contents
                    following = next(groups, None)
                written = FileSummary(writer.rows, writer.close(), suffix)
        except BaseException:
            close_quietly(file)
            storage.delete(staged)
            raise
        if not all(storage.moves([Move(staged, f"{plan.root}/{name}", written.bytes)])):
            raise OSError(f"{staged} is gone: does another cedar export write there?")
        place = None if following is None else following.first
        before, so_far = so_far, Export(so_far.asked, {**so_far.files, name: written}, place, contents)
        _replace_state(plan, _state_json(before), so_far)
        yield so_far
    if so_far.next is not None:  # of a corpus without pages
        before, so_far = so_far, replace(so_far, next=None)
        _replace_state(plan, _state_json(before), so_far)
    write_card(plan.target, _card(plan, so_far))
    storage.delete(*(left.path for left in storage.list(f"{plan.root}/_tmp")))  # of those interrupted
    plan.target.remove_empty_staging()
    yield so_far


@dataclass(frozen=True, slots=True)
class _Group:
    """Rows that are written at once, the place of the first, and their counts."""

    first: Place
    rows: list[tuple[Any, ...]]
    contents: Contents


def _groups(plan: ExportPlan, start: Place) -> Iterator[_Group]:
    """Yield the rows from a page on, in groups."""
    names = tuple(column.name for column in plan.columns)
    makes_id = any(column is ID for column in plan.columns)
    known = {column.name for column in plan.source.page_table.columns}
    counted_tokens = _token_columns(plan.source)
    # In this order, each once.
    read = dict.fromkeys(name for name in names if name != ID.name or not makes_id)
    needed = (*(_OF_ID if makes_id else ()), *_COUNTED, *counted_tokens)
    read |= dict.fromkeys(name for name in needed if name in known)
    max_bytes = min(plan.output.group_chars, max(plan.file_bytes, _MIN_FILE_BYTES))
    at_once = min(_ROWS_AT_ONCE, plan.output.group_rows, max_bytes // _ROW_BYTES)
    first, rows, contents, size = start, list[tuple[Any, ...]](), Contents(), 0
    for place, batch in _batches(plan, tuple(read), start, at_once=at_once):
        if not rows:
            first = place
        values = as_lists(batch)
        if makes_id:
            of_id = zip(*(values[name] for name in _OF_ID), strict=True)
            values[ID.name] = [page_id(dict(zip(_OF_ID, one, strict=True))) for one in of_id]
        rows += zip(*(values[name] for name in names), strict=True)
        contents += _contents(values, counted_tokens)
        size += batch.nbytes
        if size >= max_bytes or len(rows) >= plan.output.group_rows:
            yield _Group(first, rows, contents)
            rows, contents, size = [], Contents(), 0
    if rows:
        yield _Group(first, rows, contents)


def _token_columns(source: CorpusReader) -> list[str]:
    """Return the columns of token counts."""
    counts = str(source.described.get("token_counts") or "")
    return [count.partition("=")[0] for count in counts.split("; ") if count]


def _contents(values: Mapping[str, list[Any]], token_columns: Sequence[str]) -> Contents:
    """Count what the pages of a batch say of themselves."""
    licences = values.get("licence", ())
    named = ("an address" if licence and "://" in licence else licence or "" for licence in licences)
    languages = Counter(language or "" for language in values.get("language", ()))
    opt_outs = sum(opt_out is not None for opt_out in values.get("opt_out", ()))
    tokens = {name: sum(filter(None, values[name])) for name in token_columns}
    return Contents(sum(values["words"]), opt_outs, languages, Counter(named), tokens)


def _batches(
    plan: ExportPlan, columns: tuple[str, ...], start: Place, *, at_once: int
) -> Iterator[tuple[Place, "pa.RecordBatch"]]:
    """Yield the pages from one on, in batches of at most `at_once`, and the place of the first of each."""
    if plan.shuffle is None:
        yield from chosen_batches(
            plan.source, columns, sample=plan.sample, where=plan.where, start=start, at_once=at_once
        )
        return
    size = sum(summary.files["pages"].bytes for summary in plan.source.summaries())
    everything = chosen_batches(plan.source, columns, sample=plan.sample, where=plan.where, at_once=at_once)
    with tempfile.TemporaryDirectory(prefix="cedar-shuffle-") as folder:
        parts = shuffled(
            (batch for _, batch in everything), plan.shuffle, 1 + size // _PART_BYTES, folder=Path(folder)
        )
        for name, rows in parts:
            if name < start.shard:
                continue
            row = start.row if name == start.shard else 0
            for batch in rows.slice(row).combine_chunks().to_batches(at_once):
                yield Place(name, row), batch
                row += batch.num_rows


def chosen_batches(
    source: CorpusReader,
    columns: tuple[str, ...],
    *,
    sample: UrlSample | None = None,
    where: Expression | None = None,
    start: Place = FIRST,
    at_once: int = _ROWS_AT_ONCE,
) -> Iterator[tuple[Place, "pa.RecordBatch"]]:
    """Yield the pages of a sample for which an expression holds, from a page on, in the order of the corpus.

    They come in batches of at most `at_once`, with the place of the first of each; raises as `batches` of the
    reader.
    """
    needed = {"url"} if sample is not None else set()
    needed |= columns_of(where) if where is not None else set()
    read = [*columns, *sorted(needed - set(columns))]
    for summary in source.summaries():
        if summary.shard.name < start.shard:
            continue
        skip = start.row if summary.shard.name == start.shard else 0
        for place, whole in source.batches(summary, "pages", read, max_rows=at_once):
            batch = whole.slice(max(0, skip - place.row))
            chosen = batch.filter(_chosen(batch, sample, where)) if needed else batch
            if chosen.num_rows:
                yield Place(place.shard, max(place.row, skip)), chosen.select(list(columns))


def _chosen(batch: "pa.RecordBatch", sample: UrlSample | None, where: Expression | None) -> "pa.Array":
    """Return which rows of a batch are exported."""
    import pyarrow as pa

    names = columns_of(where) if where is not None else frozenset[str]()
    values = as_lists(batch.select(sorted({*names, *(["url"] if sample is not None else [])})))
    chosen = []
    for row_values in zip(*values.values(), strict=True):
        row = dict(zip(values, row_values, strict=True))
        is_sampled = sample is None or sample.has(row["url"])
        chosen.append(is_sampled and (where is None or where.holds(row.__getitem__)))
    return pa.array(chosen, pa.bool_())


def _card(plan: ExportPlan, done: Export) -> str:
    books = sum((summary.books for summary in plan.source.summaries()), Books())
    written = {"format": plan.output.format, "compression": plan.output.compression}
    choices = {**plan.source.described, **written}
    if plan.sample is not None:
        choices["sample"] = f"{plan.sample.bound / 2**64:.3%} of the URLs, by seed {plan.sample.seed}"
    if plan.where is not None:
        choices["where"] = str(plan.where)
    if plan.shuffle is not None:
        choices["shuffled"] = f"by seed {plan.shuffle}"
    return export_card(
        plan.columns,
        plan.output.format,
        sums={
            "pages": done.rows,
            "words": done.contents.words,
            **{f"tokens ({name})": number for name, number in done.contents.tokens.items()},
            "bytes": done.bytes,
            "pages ask not to be used": done.contents.opt_outs,
        },
        counts={"language": done.contents.languages, "licence": done.contents.licences},
        dropped=books.dropped,
        choices=choices,
    )


def _read_state(text: bytes) -> Export | None:
    """Return the data set that an `export.json` describes; None where the text is not one."""
    try:
        read = json.loads(text)
        files = {name: FileSummary(**file) for name, file in read["files"].items()}
        place = None if read["next"] is None else Place(**read["next"])
        return Export(dict(read["asked"]), files, place, Contents(**read["contents"]))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _state_json(state: Export) -> bytes:
    return json.dumps(asdict(state), indent=1).encode()


def _replace_state(plan: ExportPlan, before: bytes | None, state: Export) -> None:
    """Write `export.json`; raise ReplacedCorpusError if it is not as this run found or wrote it before."""
    if not plan.target.replace_file(STATE, _state_json(state), before):
        raise ReplacedCorpusError(f"{plan.root}: another cedar export writes there; this one has ended")
