"""A page of a corpus: what became of it, and where its record is, so that a person need not know its file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.common.curation_options import mask_of_corpus
from pipelines.common.errors import UsageError
from pipelines.common.messages import shell_command
from pipelines.common.shared_options import ExtractorChoice
from transforms.curation.masks import NO_MASK, Mask
from transforms.extractors import registry
from transforms.files.http_options import is_web
from transforms.files.storage import is_uri
from transforms.files.stores import storage_for
from transforms.readers.choices import InputChoices

if TYPE_CHECKING:
    from transforms.corpus.reading import CorpusReader

_NAMED = 5  # URLs that a message lists
_PLACE = ("url", "source", "offset")


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Where a page is, and what is known of it; of a page of a corpus also how the corpus was made.

    Attributes:
        path: a file or URI: the page, or the archive that its record is in.
        offset: byte of the record's member in the archive, or None where it is not known.
        fate: what became of it: `kept` (perhaps `marked by RULE`), `dropped by RULE`, or `rejected: REASON`.
        choices: what was said of inputs that are not archives.
    """

    path: str
    offset: int | None
    extractor: ExtractorChoice | None = None
    fate: str | None = None
    choices: InputChoices = field(default_factory=InputChoices)
    mask: Mask = NO_MASK


def locate(path: str, url: str | None, offset: int | None, choices: InputChoices) -> Located:
    """Return where a page is that was asked for, looked up by its URL where the path is that of a corpus.

    `choices` are said of what is not a corpus.

    Raises UsageError where the corpus has no such page.
    """
    if not _is_corpus(path):
        return Located(path=path, offset=offset, choices=choices)
    if offset is not None:
        raise UsageError(f"{path} is a corpus: --offset is for archives, choose a page of it with --url")
    return _find_page(path, url)


def choice_of_corpus(described: Mapping[str, Any]) -> ExtractorChoice:
    """Return the method that a corpus was made with, with those of its options that are not the defaults."""
    name = str(described.get("extractor", registry.DEFAULT))
    try:
        given = json.loads(str(described.get("extractor_options", "{}")))
        defaults = {spec.name: _plain(spec.default) for spec in registry.get(name).option_specs}
        given = given.items()
    except (ValueError, AttributeError):
        return ExtractorChoice(name)
    plain = ((key, _plain(value)) for key, value in given)
    return ExtractorChoice(name, tuple((key, value) for key, value in plain if defaults.get(key) != value))


def explain_command(described: Mapping[str, Any], source: str, url: str, offset: int) -> str:
    """Return the command that draws a page of a corpus: that of its record, by the corpus' own method."""
    place = [f"--url={url}", f"--offset={offset}", f"--extractor={choice_of_corpus(described).label}"]
    return shell_command(["cedar", "explain", source, *place])


def located(described: Mapping[str, Any], source: str, offset: int, fate: str) -> Located:
    """Return where a row comes from, of the corpus of this `corpus.json`."""
    names = {of.name for of in fields(InputChoices)}
    return Located(
        path=source,
        offset=offset,
        fate=fate,
        extractor=choice_of_corpus(described),
        choices=InputChoices(**{name: value for name, value in described.items() if name in names}),
        mask=mask_of_corpus(described),
    )


def _is_corpus(path: str) -> bool:
    """Tell whether a directory or URI has the `corpus.json` of a corpus; web servers have no corpora."""
    if not is_uri(path):
        return Path(path, "corpus.json").is_file()
    try:
        return not is_web(path) and storage_for(path).read(f"{path.rstrip('/')}/corpus.json") is not None
    except OSError:
        return False


def _find_page(path: str, url: str | None) -> Located:
    from transforms.corpus.reading import CorpusReader  # here, where a corpus is asked for

    source = CorpusReader.at(path)
    urls: list[str] = []
    for kind, row in _rows(source):
        if url is not None and row["url"] == url:
            return located(source.described, row["source"], row["offset"], _fate(kind, row))
        if len(urls) < _NAMED and row["url"] and (url is None or url in row["url"]):
            urls.append(row["url"])
            if url is None and len(urls) == _NAMED:
                break
    known = f"{'' if url is None else ' like it'}, as {', '.join(urls)}" if urls else ""
    if url is None:
        raise UsageError(f"{path} is a corpus: choose a page of it with --url{known}")
    raise UsageError(f"{path} has no page with the URL {url}{': choose one' + known if urls else ''}")


def _plain(value: object) -> str:
    """Return a value of an option as the command line takes it."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rows(source: CorpusReader) -> Iterator[tuple[str, dict[str, Any]]]:
    """All rows with the kind of their file: where each is and why it is there; those of pages first."""
    summaries = list(source.summaries())
    marks = ("drop_reason",) if "drop_reason" in source.groups else ()
    for kind, reasons in (("pages", marks), ("dropped", ("drop_reason",)), ("rejects", ("reason", "detail"))):
        for summary in summaries:
            for _, batch in source.batches(summary, kind, (*_PLACE, *reasons)):
                for row in batch.to_pylist():
                    yield kind, row


def _fate(kind: str, row: Mapping[str, Any]) -> str:
    if kind == "pages":
        return f"kept, marked by {row['drop_reason']}" if row.get("drop_reason") else "kept"
    if kind == "dropped":
        return f"dropped by {row['drop_reason']}"
    return f"rejected: {row['reason']}" + (f" ({row['detail']})" if row["detail"] else "")
