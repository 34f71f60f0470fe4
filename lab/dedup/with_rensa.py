"""rensa's MinHash and LSH over JSON lines of texts: `python with_rensa.py TEXTS FOLDER`.

Run by a Python that has rensa in it, and nothing of this project. rensa has neither tokens nor clusters: runs
of five words are made here, and the pages that it finds alike are united here. Leaves `told.json` as
`with_datatrove.py` does.
"""

import json
import re
import sys
import time
from pathlib import Path

from rensa import RMinHash, RMinHashLSH

LANES, BANDS = 112, 14
folder = Path(sys.argv[2])
begun = time.process_time()
signatures = []
with Path(sys.argv[1], "pages.jsonl").open() as file:
    for line in file:
        words = re.findall(r"\w+", json.loads(line)["text"].lower())
        signature = RMinHash(LANES, 42)
        signature.update([" ".join(words[i : i + 5]) for i in range(len(words) - 4)])
        signatures.append(signature)
stages = {"signature": time.process_time() - begun}
begun = time.process_time()
lsh = RMinHashLSH(0.72, LANES, BANDS)
for page, signature in enumerate(signatures):
    lsh.insert(page, signature)
parents = list(range(len(signatures)))


def root(page: int) -> int:
    while parents[page] != page:
        parents[page] = page = parents[parents[page]]
    return page


for page, signature in enumerate(signatures):
    for other in lsh.query(signature):
        one, two = sorted((root(page), root(other)))
        parents[two] = one
roots = [root(page) for page in range(len(signatures))]
shared = {least for page, least in enumerate(roots) if least != page}
labels = [least if least in shared else -1 for least in roots]
stages["buckets and clusters"] = time.process_time() - begun
peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024
(folder / "told.json").write_text(json.dumps({"labels": labels, "stages": stages, "peak": peak}))
