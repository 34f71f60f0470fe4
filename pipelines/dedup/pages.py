"""Read the pages of a shard: their signatures, and the columns by which one of them is kept."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from cedar.pipelines.dedup.plan import DedupPlan, ShardRef
from cedar.transforms.corpus.corpus_reader import broken_data
from cedar.transforms.corpus.errors import LostFilesError
from cedar.transforms.curation._signatures import keys_of
from cedar.transforms.curation.banding import LANES
from cedar.transforms.curation.duplicates import PageKeys, Words
from cedar.transforms.curation.signatures import sign_text, url_hash
from cedar.transforms.files.stores import source_for
from cedar.transforms.model.columns import Column, arrow_schema, columns_of
from cedar.transforms.model.records import SignatureRow

_EMPTY_TEXT = blake2b(b"", digest_size=16).digest()


def read_columns(plan: DedupPlan, shard: ShardRef, columns: Sequence[str]) -> pa.Table:
    """Read columns of the pages of a shard; for an earlier result, of its index.

    Raises LostFilesError if a file is gone or broken, or has other rows than its commit says.
    """
    origin = plan.inputs.origins[shard.origin_number]
    if origin.reader is None:
        return _read_index(plan, shard, columns)
    return _read(plan, shard, "pages", columns=origin.reader.page_table.columns, names=columns)


def read_signatures(plan: DedupPlan, shard: ShardRef) -> pa.Table:
    """Read the signatures of a shard's pages, or make and keep them if the corpus has none.

    Columns are `text_digest`, `url_hash`, `keys` and, if the options need it, `minhash`. Raises
    LostFilesError: a file is gone or broken; OSError from the store.
    """
    names = ["text_digest", "url_hash", "keys", *(["minhash"] if plan.options.takes_minima else [])]
    origin = plan.inputs.origins[shard.origin_number]
    if origin.reader is None:
        # An index has the keys of the bands that the options ask for.
        wanted = [name for name in names if name != "minhash" or plan.options.verify is not None]
        return _read_index(plan, shard, wanted)
    if origin.reader.described.get("signatures"):
        return _folded(plan, _read(plan, shard, "signatures", columns=columns_of(SignatureRow), names=names))
    path = plan.table("signatures", shard)
    if not path.exists():
        table = _sign(plan, shard)
        with path.writing() as file:
            pq.write_table(table, file, compression="zstd", write_page_checksum=True)
    with path.open() as file, broken_data(str(path)):
        return _folded(
            plan, _checked(pq.read_table(file, columns=names, page_checksum_verification=True), shard)
        )


def read_duplicates(plan: DedupPlan, shard: ShardRef, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Read columns of a shard's table of duplicates, row by row; LostFilesError if it is broken."""
    path = plan.table("duplicates", shard)
    with path.open() as file, broken_data(str(path)):
        table = pq.read_table(file, columns=list(columns), page_checksum_verification=True)
        return list(zip(*(table.column(name).to_pylist() for name in columns), strict=True))


def _read(
    plan: DedupPlan, shard: ShardRef, kind: str, *, columns: Sequence[Column], names: Sequence[str]
) -> pa.Table:
    """Read chosen columns of a file of a shard of a corpus."""
    reader = plan.inputs.origins[shard.origin_number].reader
    assert reader is not None
    known = {column.name: column for column in columns}
    schema = arrow_schema(tuple(known[name] for name in names)).remove_metadata()
    read = [batch for _, batch in reader.batches(reader.require_commit(shard.name), kind, names)]
    return _checked(pa.Table.from_batches(read, schema), shard)


def _folded(plan: DedupPlan, signatures: pa.Table) -> pa.Table:
    """Return the signatures with the keys of the bands that the options ask for."""
    if not plan.options.folds:
        return signatures
    minima = signatures.column("minhash")
    lanes = as_uint64(minima.drop_null().to_pylist(), LANES // 2).view(np.uint32)
    keys = iter(keys_of(lanes, plan.options.bands, plan.options.rows))
    column = [next(keys).tobytes() if is_signed else None for is_signed in minima.is_valid().to_pylist()]
    table = replaced(signatures, "keys", pa.array(column, pa.binary()))
    return table if plan.options.verify is not None else table.drop_columns(["minhash"])


def replaced(table: pa.Table, name: str, column: pa.Array) -> pa.Table:
    """Return a table with a column replaced."""
    return table.set_column(table.column_names.index(name), name, column)


def takes_part(plan: DedupPlan, shard: ShardRef) -> NDArray[np.bool_]:
    """Tell which pages of a shard are compared, bool (pages,): pages without a reason to drop them."""
    reader = plan.inputs.origins[shard.origin_number].reader
    if reader is None or plan.options.with_dropped or "drop_reason" not in reader.groups:
        return np.ones(shard.pages, bool)
    reasons = read_columns(plan, shard, ["drop_reason"]).column("drop_reason")
    return np.asarray(reasons.is_null().to_numpy())


def page_keys(plan: DedupPlan, shard: ShardRef) -> PageKeys:
    """Read the keys by which a shard's pages are compared; LostFilesError if a file is gone or broken."""
    with broken_data(f"{plan.inputs.origins[shard.origin_number].root}: {shard.name}"):
        table = read_signatures(plan, shard)
        keys = table.column("keys")
        is_signed = np.asarray(keys.is_valid().to_numpy())
        all_keys = np.zeros((shard.pages, plan.options.bands), np.uint64)
        all_keys[is_signed] = as_uint64(keys.drop_null().to_pylist(), plan.options.bands)
        digests = table.column("text_digest").to_pylist()
        return PageKeys(
            first=shard.first,
            takes_part=takes_part(plan, shard),
            digests=as_uint64(digests, 2),
            has_text=np.array([digest != _EMPTY_TEXT for digest in digests], bool),
            urls=as_uint64(table.column("url_hash").to_pylist(), 1)[:, 0],
            keys=all_keys,
            is_signed=is_signed,
            scopes=_scopes(plan, shard),
        )


def as_uint64(values: Sequence[bytes], width: int) -> Words:
    """Bytes as words of 64 bits, little-endian, shape (values, width)."""
    return np.frombuffer(b"".join(values), "<u8").astype(np.uint64).reshape(len(values), width)


def _scopes(plan: DedupPlan, shard: ShardRef) -> Words:
    """Return the scope of each page, uint64 (pages,): only pages of one scope are compared."""
    if plan.options.scope != "language":
        return np.zeros(shard.pages, np.uint64)
    languages = read_columns(plan, shard, ["language"]).column("language").to_pylist()
    digests = {of: blake2b(str(of).encode(), digest_size=8).digest() for of in set(languages)}
    return as_uint64([digests[language] for language in languages], 1)[:, 0]


def _sign(plan: DedupPlan, shard: ShardRef) -> pa.Table:
    """Make the signatures of a shard from its texts."""
    reader = plan.inputs.origins[shard.origin_number].reader
    assert reader is not None
    summary = reader.require_commit(shard.name)
    schema = arrow_schema(columns_of(SignatureRow)).remove_metadata()
    made = []
    for place, batch in reader.batches(summary, "pages", ("url", "text", "text_digest"), max_rows=4096):
        urls, texts, digests = (column.to_pylist() for column in batch.columns)
        signed = [sign_text(text) for text in texts]
        columns = [
            range(place.row, place.row + len(urls)),
            [bytes.fromhex(digest) for digest in digests],
            [url_hash(url) for url in urls],
            [keys for keys, _ in signed],
            [minima if plan.options.takes_minima else None for _, minima in signed],
        ]
        arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
        made.append(pa.RecordBatch.from_arrays(arrays, schema=schema))
    return pa.Table.from_batches(made, schema)


def _read_index(plan: DedupPlan, shard: ShardRef, columns: Sequence[str]) -> pa.Table:
    path = f"{plan.inputs.origins[shard.origin_number].root}/{shard.name}"
    try:
        with source_for(path).open() as file, broken_data(path):
            table = pq.read_table(file, page_checksum_verification=True)
    except FileNotFoundError as fault:
        raise LostFilesError(f"{path} is gone; if a run is at work on its corpus, try again") from fault
    lacking = [name for name in columns if name not in table.column_names]
    if lacking:
        raise LostFilesError(f"{path} was made without {lacking[0]}")
    return _checked(table.select(columns), shard)


def _checked(table: pa.Table, shard: ShardRef) -> pa.Table:
    if table.num_rows != shard.pages:
        raise LostFilesError(f"{shard.name} has changed: {table.num_rows} rows instead of {shard.pages}")
    return table
