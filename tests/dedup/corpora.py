"""Corpora made by test code: pages of given texts, without a crawl."""

from __future__ import annotations

import dataclasses
import json
import os
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.formats import FORMATS, OutputFormat
from cedar.transforms.corpus.settle import settle
from cedar.transforms.corpus.shard_writer import WritePlan, write_shard
from cedar.transforms.curation._signals import measure
from cedar.transforms.curation.signatures import sign_text, url_hash
from cedar.transforms.model.annotations import Drop, Language, Own
from cedar.transforms.model.records import SCHEMA_VERSION, ExtractedPage, Shard, SignatureRow
from tests.helpers.elements import end, extracted


@dataclass(frozen=True)
class Made:
    """A page that is made: its text, and what else decides."""

    text: str
    url: str | None = None
    fetched_at: int | None = 1_700_000_000_000_000
    language: str | None = None
    drop_reason: str | None = None


@dataclass(frozen=True)
class Kind:
    """What a corpus has."""

    signed: bool = True
    full: bool = False
    language: bool = False
    drops: bool = False
    own: str = ""
    signals: bool = False
    format: str = "parquet"


def write_corpus(root: Path, shards: Iterable[Sequence[Made]], kind: Kind = Kind()) -> Path:
    """A settled corpus; each shard is of an input of its own."""
    root.mkdir(parents=True, exist_ok=True)
    described = {
        "schema": SCHEMA_VERSION,
        "extractor": "cetr",
        "extractor_options": "{}",
        "format": kind.format,
    }
    optional = {"language": kind.language, "signals": kind.signals, "drop_reason": kind.drops}
    groups = [name for name, there in optional.items() if there] + ([kind.own] if kind.own else [])
    output = OutputFormat(kind.format, next(iter(FORMATS[kind.format].suffixes)))
    described |= {"options_digest": "0" * 32, "compression": output.compression}
    described |= {"language_model": "lid176"} if kind.language else {}
    described |= {"keep": "words > 1", "dropped": "mark"} if kind.drops else {}
    described |= {"signatures": True} if kind.signed else {}
    described |= {"full_signatures": True} if kind.full else {}
    described |= {"column_groups": groups}
    (root / "corpus.json").write_text(json.dumps(described))
    corpus = Corpus(str(root), kind.format, output.compression)
    for number, pages in enumerate(shards):
        name = f"in{number}-{blake2b(os.fsencode(root), digest_size=4).hexdigest()}-{0:012}-{100:012}"
        shard = Shard(name, f"/{root.name}/in{number}.warc.gz", 100, "mtime:7", 0, 100)
        plan = WritePlan(options_digest="0" * 32, output=output, column_groups=tuple(groups))
        elements = (_page(shard, row, page, kind) for row, page in enumerate(pages))
        write_shard(corpus, plan, elements, end=end(shard, len(pages)))
    settle(corpus)
    return root


def _page(shard: Shard, row: int, made: Made, kind: Kind) -> ExtractedPage:
    page = extracted(shard, row, made.text)
    digest = blake2b(made.text.encode(), digest_size=16)
    url = made.url or f"https://{shard.source.strip('/').replace('/', '.')}/{row}"
    facts = page.row._replace(url=url, text_digest=digest.hexdigest(), fetched_at=made.fetched_at)
    known: list[NamedTuple] = []
    known += [Language(made.language, None, 1.0, "lid176")] if kind.language else []
    known += [measure(made.text, None)[0]] if kind.signals else []
    known += [Own({kind.own.split(":")[1]: None})] if kind.own else []
    known += [Drop(made.drop_reason)] if kind.drops else []
    signature = None
    if kind.signed:
        keys, minima = sign_text(made.text)
        signature = SignatureRow(row, digest.digest(), url_hash(url), keys, minima if kind.full else None)
    return dataclasses.replace(page, row=facts, annotations=tuple(known), signature=signature)


def words(seed: int, number: int) -> list[str]:
    """Words of a text that shares no run of five with the text of another seed."""
    chance = random.Random(seed)
    return [
        f"{chance.choice('bdfgklmnprst')}{chance.choice('aeiou')}{chance.randrange(300)}"
        for _ in range(number)
    ]


def edited(text: Sequence[str], edits: int, seed: int) -> list[str]:
    """The words with some of them replaced."""
    chance = random.Random(seed)
    out = list(text)
    for at in chance.sample(range(len(out)), edits):
        out[at] = f"edit{chance.randrange(10**6)}"
    return out


def shingles(text: Sequence[str]) -> set[tuple[str, ...]]:
    """The runs of five words."""
    return {tuple(text[i : i + 5]) for i in range(len(text) - 4)}


def jaccard(left: set[tuple[str, ...]], right: set[tuple[str, ...]]) -> float:
    """The similarity of two sets."""
    return len(left & right) / len(left | right)
