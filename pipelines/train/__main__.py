"""Learns the table of the `cedar` extractor from pages whose text is known.

python -m pipelines.train --gold wcxb_train.jsonl.zst --gold news.jsonl.zst:1:apart ... --output table.json

The same pages give the same table.
"""

import argparse
import hashlib
import re
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipelines.common.messages import remark
from pipelines.train.examples import Example
from pipelines.train.learning import GoldSource, gather, learn
from transforms.extractors.cedar import model
from transforms.extractors.html.characters import Floats


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
    given = parser.parse_args(arguments)
    lessons = gather([_source(text) for text in given.gold])
    learned = learn(lessons, given.table_version)
    written = model.to_json(learned.table).encode()
    given.output.write_bytes(written)
    for line in _lines(lessons.pages, learned.kind_scores, learned.reached):
        remark(line)
    digest = hashlib.sha256(written).hexdigest()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    remark(
        f"table {given.table_version}, SHA-256 {digest}: {time.process_time():.0f} s of CPU, {peak:.0f} MiB"
    )
    return 0


def _source(text: str) -> GoldSource:
    path, _, rest = text.partition(":")
    weight, _, apart = rest.partition(":")
    return GoldSource(Path(path), float(weight or 1), apart == "apart")


def _lines(pages: list[Example], kind_scores: NDArray[np.int64], reached: Floats) -> Iterator[str]:
    """Say what trees reach on pages that they did not see, a line for each source and copy."""
    groups = np.array([f"{re.split('[._]', page.origin.file)[0]}, {page.origin.copy}" for page in pages])
    kinds = [model.KINDS[kind] for kind in kind_scores.argmax(1).tolist()]
    right = np.array([page.origin.kind == kind for page, kind in zip(pages, kinds, strict=True)])
    for group in dict.fromkeys(groups.tolist()):
        of_it = groups == group
        yield (
            f"sites not seen: {group}: {np.count_nonzero(of_it)} pages, F1 {reached[of_it].mean():.4f}, "
            f"of the right kind {right[of_it].mean():.3f}"
        )


if __name__ == "__main__":
    sys.exit(main())
