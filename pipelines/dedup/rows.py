"""The tables of a result: their columns and the definition of each."""

from __future__ import annotations

from transforms.model.columns import Column

DUPLICATE_COLUMNS = (
    Column("row", "int32", False, "number of the page in the shard's file of pages, from 0"),
    Column("url", "string", False, "the page's URL"),
    Column("source", "string", False, "absolute path or URI of the input"),
    Column("offset", "int64", False, "first byte of the record's member in the input"),
    Column("inner_offset", "int64", False, "byte where the record begins in the inflated member"),
    Column("kind", "string", True, "how it is like the kept page: text, near or url; null for the kept page"),
    Column("cluster", "string", False, "name of its cluster: the same in every run that keeps the same page"),
    Column("cluster_size", "int64", False, "pages of the cluster, the kept one among them"),
    Column("keep", "bool", False, "whether it is the page that is kept"),
    Column("kept_url", "string", False, "URL of the page that is kept"),
    Column("kept_source", "string", False, "where that one is: its input"),
    Column("kept_offset", "int64", False, "its offset there"),
    Column("kept_inner_offset", "int64", False, "its offset in the inflated member"),
    Column(
        "similarity", "float32", True, "estimated Jaccard similarity with the kept page; only with --verify"
    ),
)
"""The columns of `duplicates/`."""

INDEX_COLUMNS = (
    Column("row", "int32", False, "number of the page in the shard's file of pages"),
    Column("url", "string", False, "the page's URL"),
    Column("source", "string", False, "absolute path or URI of the input"),
    Column("offset", "int64", False, "first byte of the record's member in the input"),
    Column("inner_offset", "int64", False, "byte where the record begins in the inflated member"),
    Column("fetched_at", "timestamp", True, "when it was fetched, UTC"),
    Column("language", "string", True, "its language, where the result is by language"),
    Column("text_digest", "binary", False, "digest of its text"),
    Column("url_hash", "binary", False, "hash of its URL"),
    Column("keys", "binary", True, "keys of its bands"),
    Column("minhash", "binary", True, "its whole signature, where the result was verified"),
    Column("cluster", "string", False, "its cluster, or the one that it would begin"),
    Column("cluster_size", "int64", False, "pages of that cluster"),
)
"""The columns of `index/`: the pages that are kept, for later results."""
