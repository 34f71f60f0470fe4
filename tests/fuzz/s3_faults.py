"""Runs against a store that fails: `python -m tests.fuzz.s3_faults --seeds 20`.

A proxy before a server of S3 refuses, resets, cuts and loses answers, by a seed. `extract` and `filter`
read and write through it, `dedup --write` reads. What must hold: they end with 0, and the rows are those of
runs on a disk of this machine.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import boto3
import pyarrow.parquet as pq

from cedar.pipelines.cli import main as cedar
from tests.helpers.stores import Faults, proxied, s3_server

STEPS = (
    (
        "extract",
        "{inputs}",
        "--output",
        "{root}/extracted",
        "--signatures",
        "--split-size",
        "100KB",
        "--extractor",
        "cetr",
    ),
    ("filter", "{root}/extracted", "--keep", "words >= 20", "--output", "{root}/filtered"),
    ("dedup", "{root}/filtered", "--write", "--output", "{disk}/unique"),
)
IN_BUCKET = ("extracted", "filtered")
CORPORA = (*IN_BUCKET, "unique/corpus")
BUCKET = "crawl"


def run(inputs: str, root: str, disk: str) -> str:
    """Run the steps; what went wrong, or ""."""
    for step in STEPS:
        arguments = [part.format(inputs=inputs, root=root, disk=disk) for part in step]
        with contextlib.redirect_stderr(io.StringIO()) as heard:
            code = cedar([*arguments, "--workers", "1", "--quiet"])
        if code != 0:
            return f"{step[0]} ended with {code}: {heard.getvalue().strip()}"
    return ""


def rows(tables: Iterable[Any]) -> Counter[tuple[str, int, int, str]]:
    names = ("url", "offset", "inner_offset", "text_digest")
    return Counter(tuple(row[name] for name in names) for table in tables for row in table.to_pylist())


def on_disk(root: str, name: str) -> Counter[tuple[str, int, int, str]]:
    return rows(map(pq.read_table, sorted(Path(root, name, "pages").iterdir())))


def of_bucket(prefix: str) -> list[Any]:
    """The tables of pages below a prefix, read without the proxy."""
    found = boto3.resource("s3").Bucket(BUCKET).objects.filter(Prefix=prefix)
    return [pq.read_table(io.BytesIO(item.get()["Body"].read())) for item in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    arguments = parser.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder, s3_server(BUCKET):
        archive = Path(folder, "in", "sample.warc.gz")
        archive.parent.mkdir()
        subprocess.run([sys.executable, "-m", "cedar", "sample", str(archive), "--pages", "150"], check=True)
        if trouble := run(str(archive), folder, folder):
            print(f"undisturbed: {trouble}")
            return 1
        wanted = {name: on_disk(folder, name) for name in CORPORA}
        boto3.resource("s3").Bucket(BUCKET).upload_file(str(archive), "in/sample.warc.gz")
        well = 0
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            faults = Faults(seed=seed, refused=0.10, reset=0.05, cut=0.04, lost=0.03)
            with proxied(faults) as proxy:
                trouble = run(f"s3://{BUCKET}/in/*.warc.gz", f"s3://{BUCKET}/{seed}", f"{folder}/{seed}")
            if not trouble:
                found = {name: rows(of_bucket(f"{seed}/{name}/pages/")) for name in IN_BUCKET}
                found["unique/corpus"] = on_disk(f"{folder}/{seed}", "unique/corpus")
                others = [name for name in CORPORA if found[name] != wanted[name]]
                trouble = f"other rows in {', '.join(others)}" if others else ""
            well += not trouble
            print(f"seed {seed}: {trouble or 'well'}; {dict(sorted(proxy.met.items()))}", flush=True)
        counts = {name: sum(wanted[name].values()) for name in CORPORA}
        print(f"{well} of {arguments.seeds} seeds well; rows: {counts}")
        return 0 if well == arguments.seeds else 1


if __name__ == "__main__":
    sys.exit(main())
