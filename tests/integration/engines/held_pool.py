"""A pool of Python workers in which the first commit is held back until a file says go.

    python tests/integration/engines/held_pool.py PORT DIRECTORY

DIRECTORY/held appears when an attempt is about to commit and waits; DIRECTORY/go lets it go on; then
DIRECTORY/late holds the ids of the attempt and of the one whose commit stands. The workers are threads of
this process, so that an attempt outlives the task manager that ordered it.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

from apache_beam.runners.worker.worker_pool_main import BeamFnExternalWorkerPoolServicer

from cedar.transforms.corpus import shard_writer as write
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.model.summaries import ShardSummary


def main(port: int, directory: Path) -> None:
    """Serve for ever."""
    plain, first = write.commit, threading.Lock()

    def held(corpus: Corpus, summary: ShardSummary) -> ShardSummary:
        if not first.acquire(blocking=False):
            return plain(corpus, summary)
        (directory / "held").touch()
        while not (directory / "go").exists():
            time.sleep(0.05)
        winner = plain(corpus, summary)
        (directory / "late.part").write_text(f"{summary.attempt} {winner.attempt}")
        (directory / "late.part").rename(directory / "late")
        return winner

    write.commit = held
    _, server = BeamFnExternalWorkerPoolServicer.start(use_process=False, port=port)
    server.wait_for_termination()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
