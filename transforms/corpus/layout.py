"""What a corpus is made of: the kinds of its files, and the names that they have.

Only a file whose name has one of these forms is ever deleted; any other is somebody else's.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cedar.transforms.corpus.errors import CorpusError
from cedar.transforms.files.stores import json_object
from cedar.transforms.model.records import SCHEMA_VERSION, PageRow, RejectRow, RevisitRow, SignatureRow

_SHARD = r"(?:.*-[0-9a-f]{8}-[0-9]{12,}-(?:[0-9]{12,}|whole)|sel-[0-9a-f]{8}-[0-9]{12,}-[0-9]{12,})"
_SUFFIX = r"(?:parquet|avro|json|jsonl(?:\.(?:zst|gz))?)"
_ATTEMPT = r"[0-9a-f]{32}"

_ROWS_NAME = re.compile(rf"(?P<shard>{_SHARD})\.(?P<suffix>{_SUFFIX})", re.DOTALL)
_STAGED_NAME = re.compile(
    rf"(?P<what>.+)\.(?P<attempt>{_ATTEMPT})\.(?P<kind>[a-z]+)\.(?P<suffix>{_SUFFIX})", re.DOTALL
)
_LEASE_NAME = re.compile(rf"(?P<attempt>{_ATTEMPT})\.lock")
_OTHER_NAMES = {
    "runs": re.compile(r"[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}\.json"),
    "selection": re.compile(r"[0-9a-f]{32}\.parquet"),
    "rollup": re.compile(r"[0-9a-f]{32}\.jsonl\.zst"),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of files that a shard may have.

    Attributes:
        name: its name, and its folder's.
        rows: the name of its rows in a file's schema.
        record: their columns; a page has the columns of its groups, too.
        format: the format that its files always have; None = the corpus's.
    """

    name: str
    rows: str
    record: type
    format: str | None = None


FILE_KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("pages", rows="Page", record=PageRow),
        Kind("rejects", rows="Reject", record=RejectRow),
        Kind("dropped", rows="Page", record=PageRow),
        Kind("revisits", rows="Revisit", record=RevisitRow),
        Kind("signatures", rows="Signature", record=SignatureRow, format="parquet"),
    )
}
"""The kinds of files of a shard. All that a shard has are named in its commit."""


@dataclass(frozen=True, slots=True)
class StagedName:
    """The parts of a name below `_tmp/`: the shard or file that it is to become, and the attempt's id.

    `kind` is one of `FILE_KINDS`, `summary`, or `whole` for a file of the corpus.
    """

    what: str
    attempt: str
    kind: str


def shard_of_file(name: str) -> str | None:
    """Name the shard that a file of rows or a commit is of; None where the file's name is not ours."""
    match = _ROWS_NAME.fullmatch(name)
    return None if match is None else match["shard"]


def committed_shard(name: str) -> str | None:
    """Name the shard that a file among the commits is the commit of; None where the file is not Cedar's."""
    return shard_of_file(name) if is_ours("shards", name) else None


def staged_name(name: str) -> StagedName | None:
    """Return the parts of the name of a staged file; None where it is not such a name."""
    match = _STAGED_NAME.fullmatch(name)
    return None if match is None else StagedName(match["what"], match["attempt"], match["kind"])


def lease_attempt(name: str) -> str | None:
    """Return the attempt that a lease is of, by its name; None where it is not such a name."""
    match = _LEASE_NAME.fullmatch(name)
    return None if match is None else match["attempt"]


def is_ours(folder: str, name: str) -> bool:
    """Tell whether a file in a folder of a corpus has a name that Cedar gives there."""
    if folder in _OTHER_NAMES:
        return _OTHER_NAMES[folder].fullmatch(name) is not None
    if folder == "_tmp":
        return any(p.fullmatch(name) for p in (_STAGED_NAME, _LEASE_NAME))
    match = _ROWS_NAME.fullmatch(name)
    return match is not None and (match["suffix"] == "json") == (folder == "shards")


def refuse_other_version(root: str, described: Mapping[str, Any]) -> None:
    """Raise CorpusError if a corpus has another version of the schema."""
    if described["schema"] != SCHEMA_VERSION:
        raise CorpusError(
            f"{root} is of another version of Cedar (schema {described['schema']!r}, here {SCHEMA_VERSION}): "
            "use that version, or make the corpus again"
        )


def corpus_description(text: bytes | None) -> dict[str, Any] | None:
    """Return what a `corpus.json` says; None where the text is not one that Cedar wrote."""
    described = json_object(text) or {}
    texts = (described.get(name) for name in ("extractor", "format", "options_digest"))
    return described if "schema" in described and all(isinstance(given, str) for given in texts) else None


def corpus_id(described: Mapping[str, Any] | None) -> str:
    """Return the id in a `corpus.json`: each new corpus has another one. "" if there is no such file."""
    return str((described or {}).get("corpus_id", ""))
