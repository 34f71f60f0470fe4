"""Corpora that 0.1.0 made, moved to where a test has their inputs.

`tests/corpora_0_1_0/` holds the inputs (`crawl/`) and three corpora of them, made in `/data/crawl`. A shard
is named after the path of its input, so a corpus that is to be resumed elsewhere needs other names: here is
the formula of 0.1.0, written down apart from the product's. The files themselves are as they were made.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

CHANGED_NS = 1_769_860_800_000_000_000
"""When the inputs were changed last, as the shards say."""

COMMANDS = {
    "parquet": ("--extractor", "cedar"),
    "avro": ("--extractor", "cetr", "--format", "avro"),
    "html": ("--extractor", "cetd-ds", "--with-html", "--reject-rows", "all"),
}
"""The corpora, and the options that each was made with."""

_MADE = Path(__file__).parent / "corpora_0_1_0"


def old_corpus(name: str, directory: Path) -> tuple[Path, Path]:
    """Set up a corpus of 0.1.0 as if it had been made in `directory`; returns its inputs and itself."""
    crawl, corpus = directory / "crawl", directory / "corpus"
    crawl.mkdir(parents=True)
    for file in sorted((_MADE / "crawl").iterdir()):
        shutil.copyfile(file, crawl / file.name)
        os.utime(crawl / file.name, ns=(CHANGED_NS, CHANGED_NS))
    shutil.copytree(_MADE / name, corpus)
    for path in sorted((corpus / "shards").iterdir()):
        text = path.read_text()
        raw = json.loads(text)
        source = str(crawl / Path(raw["source"]).name)
        stem = Path(source).name.removesuffix(".warc.gz")
        digest = hashlib.sha256(os.fsencode(source)).hexdigest()[:8]
        moved = f"{stem}-{digest}-{raw['start']:012d}-{raw['stop']:012d}"
        for old in corpus.rglob(f"{raw['name']}.*"):
            old.rename(old.with_name(old.name.replace(raw["name"], moved)))
        text = text.replace(raw["source"], source).replace(raw["name"], moved)
        (corpus / "shards" / f"{moved}.json").write_text(text)
    return crawl, corpus
