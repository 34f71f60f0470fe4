"""Learns the table of the `cedar` extractor from pages whose text is known.

python -m pipelines.train --gold wcxb_train.jsonl.zst --gold news.jsonl.zst:1:apart ... --output table.json

The same pages give the same table.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import time
from pathlib import Path

from pipelines.common.messages import remark
from pipelines.train import report
from pipelines.train.learning import GoldSource, gather, learn
from transforms.extractors.cedar import model


def main(arguments: list[str] | None = None) -> int:
    """Learn a table and write it."""
    parser = argparse.ArgumentParser(prog="python -m pipelines.train", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--gold",
        action="append",
        required=True,
        metavar="FILE[:WEIGHT[:apart]]",
        help="pages with known text, .jsonl.zst; what a page weighs (1); whether titles stand apart",
    )
    parser.add_argument("--output", type=Path, required=True, help="the table to write, .json")
    parser.add_argument("--table-version", required=True, metavar="NAME", help="what rows call the table")
    parser.add_argument(
        "--leave-out",
        action="store_true",
        help="learn once more without each source, and say what comes of it there: as many times as long",
    )
    given = parser.parse_args(arguments)
    lessons = gather([_source(text) for text in given.gold])
    learned = learn(lessons, given.table_version)
    written = model.to_json(learned.table).encode()
    given.output.write_bytes(written)
    for line in report.by_site(lessons, learned):
        remark(line)
    digest = hashlib.sha256(written).hexdigest()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    remark(
        f"table {given.table_version}, SHA-256 {digest}: {time.process_time():.0f} s of CPU, {peak:.0f} MiB"
    )
    if given.leave_out:
        for line in report.by_source(lessons):
            remark(line)
    return 0


def _source(text: str) -> GoldSource:
    path, _, rest = text.partition(":")
    weight, _, apart = rest.partition(":")
    return GoldSource(Path(path), float(weight or 1), apart == "apart")
