"""Scores of classifiers beside the library's: `nox -s classifiers`.

    python -m lab.compare_fasttext PYTHON [--speed]

PYTHON is that of an environment with the library. Three models are trained there (with bigrams: softmax,
hierarchical softmax, one against all), and 1,000 texts that were not learned from are scored by both. With
`--speed` a model of 100 dimensions with 2 million rows (800 MB) is made up, and texts of 5 kB are scored.
"""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from cedar.transforms.curation._fasttext import Classifier, label_scores
from cedar.transforms.curation.fasttext_file import MAGIC, Loss, read_model

TRAIN = """
import json, sys
import fasttext
folder = sys.argv[1]
for name, more in {
    "softmax": {}, "hs": {"loss": "hs", "minn": 2, "maxn": 4}, "ova": {"loss": "ova"}
}.items():
    how = dict(wordNgrams=2, dim=20, epoch=5, bucket=50_000, minCount=1, thread=1, verbose=0)
    fasttext.train_supervised(f"{folder}/train.txt", **how, **more).save_model(f"{folder}/{name}.bin")
"""

PREDICT = """
import json, sys, time
import fasttext
texts = json.load(sys.stdin)
out = {}
for path in sys.argv[1:]:
    model = fasttext.load_model(path)
    for text in texts:
        model.predict(text, k=-1)
    start = time.process_time()
    out[path] = [dict(zip(*map(list, model.predict(text, k=-1)))) for text in texts]
    out[path + " seconds"] = time.process_time() - start
with open("/proc/self/status") as file:
    out["resident"] = next(line for line in file if line.startswith("VmRSS")).split()[1]
json.dump(out, sys.stdout, default=float)
"""

FIRST, LAST = (
    ("ka", "mo", "tri", "sel", "wau", "bé", "ño", "水", "ри"),
    ("n", "rt", "li", "oss", "ä", "ен車", "7"),
)
WORDS = [first + last for first in FIRST for last in LAST]
LABELS = 5


def texts(seed: int, number: int, words: int) -> list[tuple[int, str]]:
    """Texts of a class each, which has words that it likes."""
    chance = random.Random(seed)
    found = []
    for _ in range(number):
        label = chance.randrange(LABELS)
        liked = WORDS[label::LABELS]
        of = (chance.choice(liked if chance.random() < 0.4 else WORDS) for _ in range(words))
        found.append((label, " ".join(of)))
    return found


def scores(path: str, of: list[str]) -> tuple[list[dict[str, float]], float]:
    """The scores of all labels of each text, and the CPU seconds that these took."""
    classifier = Classifier(read_model(Path(path)))
    asked = [(classifier, label) for label in range(len(classifier.labels))]
    for text in of:  # a row that is looked at for the first time is mapped: once a worker
        label_scores(asked, text.encode())
    start = time.process_time()
    found = [label_scores(asked, text.encode()) for text in of]
    spent = time.process_time() - start
    return [{f"__label__{n}": s for n, s in zip(classifier.labels, one, strict=True)} for one in found], spent


def difference(ours: list[dict[str, float]], theirs: list[dict[str, float]]) -> float:
    """The greatest difference of two scores of a label."""
    both = zip(ours, theirs, strict=True)
    return max(abs(one[name] - other[name]) for one, other in both for name in one)


def compare(python: str, folder: Path) -> None:
    """Train, score, and fail where a score is another."""
    train = "".join(f"__label__c{label} {text}\n" for label, text in texts(1, 4000, 30))
    (folder / "train.txt").write_text(train, encoding="utf-8")
    subprocess.run([python, "-c", TRAIN, str(folder)], check=True)
    asked = [text for _, text in texts(2, 1000, 60)]
    paths = [str(folder / f"{name}.bin") for name in ("softmax", "hs", "ova")]
    theirs = predicted(python, paths, asked)
    for path in paths:
        ours, _ = scores(path, asked)
        worst = difference(ours, theirs[path])
        print(f"{Path(path).stem}: {len(asked)} texts, {LABELS} labels, greatest difference {worst:.1e}")
        assert worst < 1e-4


def speed(python: str, folder: Path) -> None:
    """Score texts of 5 kB by a large model."""
    path, vocabulary, buckets, dimensions = folder / "large.bin", 20_000, 1_980_000, 100
    names = [f"w{number}" for number in range(vocabulary)]
    with path.open("wb") as file:
        file.write(struct.pack("<2i", MAGIC, 12))
        file.write(
            struct.pack("<12id", dimensions, 5, 1, 1, 5, 2, Loss.SOFTMAX, 3, buckets, 0, 0, 100, 0.0001)
        )
        file.write(struct.pack("<3i2q", vocabulary + 2, vocabulary, 2, 12345, -1))
        file.writelines(name.encode() + b"\0" + struct.pack("<qb", 10, 0) for name in names)
        file.writelines(b"__label__" + label + b"\0" + struct.pack("<qb", 10, 1) for label in (b"hq", b"lq"))
        file.write(struct.pack("<?2q", False, vocabulary + buckets, dimensions))
        chance = np.random.default_rng(1)
        for _ in range(100):
            rows = (vocabulary + buckets) // 100
            file.write(chance.random((rows, dimensions), np.float32).tobytes())
        file.write(
            struct.pack("<?2q", False, 2, dimensions) + chance.random((2, dimensions), np.float32).tobytes()
        )
    # A vocabulary as the web has it: few words make most of a text.
    ranks = np.random.default_rng(2).zipf(1.3, 2_000_000)
    words = iter([names[rank - 1] for rank in ranks[ranks <= vocabulary].tolist()])
    asked = []
    for _ in range(1000):
        text = ""
        while len(text) < 5000:
            text += next(words) + " "
        asked.append(text)
    theirs = predicted(python, [str(path)], asked)
    ours, spent = scores(str(path), asked)
    worst = difference(ours, theirs[str(path)])
    other = theirs[f"{path} seconds"]
    print(f"2 M rows: {worst:.1e} apart; {spent * 1e3:.0f} us a text, the library {other * 1e3:.0f}")
    status = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    memory = {line.partition(":")[0]: line.split()[1] for line in status if line.startswith("Rss")}
    print(f"kB of memory: {memory}, the library {theirs['resident']}")


def predicted(python: str, paths: list[str], asked: list[str]) -> dict[str, list[dict[str, float]]]:
    """What the library says."""
    answer = subprocess.run(
        [python, "-c", PREDICT, *paths], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    return json.loads(answer.stdout)


if __name__ == "__main__":
    os.environ["OMP_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as directory:
        (speed if "--speed" in sys.argv else compare)(sys.argv[1], Path(directory))
