"""datatrove's four MinHash stages over JSON lines of texts: `python with_datatrove.py TEXTS FOLDER`.

Run by a Python that has datatrove in it, and nothing of this project. Leaves `told.json`: of each page the
least page of its cluster or -1, the CPU seconds of each stage, and the peak memory in MB.
"""

import json
import re
import struct
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

start = time.process_time()

from datatrove.executor import LocalPipelineExecutor  # noqa: E402
from datatrove.pipeline.dedup.minhash import (  # noqa: E402
    MinhashConfig,
    MinhashDedupBuckets,
    MinhashDedupCluster,
    MinhashDedupFilter,
    MinhashDedupSignature,
)
from datatrove.pipeline.readers import JsonlReader  # noqa: E402
from datatrove.pipeline.writers.jsonl import JsonlWriter  # noqa: E402

texts, folder = sys.argv[1], Path(sys.argv[2])
stages = {"imports": time.process_time() - start}


def stage(name: str, steps: Callable[[], list], tasks: int = 1) -> None:
    begun = time.process_time()
    LocalPipelineExecutor(
        pipeline=steps(), tasks=tasks, workers=1, logging_dir=str(folder / f"log-{name}")
    ).run()
    stages[name] = time.process_time() - begun


config = MinhashConfig()
signatures, buckets, removed = (str(folder / name) for name in ("signatures", "buckets", "removed"))
stage("signature", lambda: [JsonlReader(texts), MinhashDedupSignature(signatures, config)])
stage("buckets", lambda: [MinhashDedupBuckets(signatures, buckets, config=config)], config.num_buckets)
stage("cluster", lambda: [MinhashDedupCluster(buckets, removed, config=config, save_cluster_id=True)])
kept = JsonlWriter(str(folder / "kept"), compression="zstd")
stage("filter", lambda: [JsonlReader(texts), MinhashDedupFilter(removed), kept])

with open(f"{texts}/pages.jsonl") as file:
    labels = [-1 for _ in file]
members: dict[int, list[int]] = defaultdict(list)
found = Path(removed, "000000.clusters")  # not there where nothing was found
for page, cluster in struct.iter_unpack("<2I", found.read_bytes() if found.exists() else b""):
    members[cluster].append(page)
for pages in members.values():
    for page in pages:
        labels[page] = min(pages)
peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024
(folder / "told.json").write_text(json.dumps({"labels": labels, "stages": stages, "peak": peak}))
