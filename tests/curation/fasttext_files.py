"""Small files of fastText, written anew: of each loss, whole and compressed."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from cedar.transforms.curation.fasttext_file import MAGIC, Loss

DIMENSIONS = 6
BUCKETS = 97


def compressed(matrix: np.ndarray, norms: bool) -> bytes:
    """A matrix in two parts, each of as many centroids as there are rows, with or without norms apart."""
    rows, columns = matrix.shape
    assert rows <= 256
    lengths = np.linalg.norm(matrix, axis=1).astype("<f4") if norms else np.ones(rows, "<f4")
    parts = np.zeros((columns, 256), "<f4")  # the centroids of each part one after the other
    half = columns // 2 + 1
    scaled = (matrix / lengths[:, None]).astype("<f4")
    first = np.zeros((256, half), "<f4")
    first[:rows] = scaled[:, :half]
    second = np.zeros((256, columns - half), "<f4")
    second[:rows] = scaled[:, half:]
    codes = np.repeat(np.arange(rows, dtype=np.uint8), 2)
    data = struct.pack("<?2qi", norms, rows, columns, len(codes)) + codes.tobytes()
    data += struct.pack("<4i", columns, 2, half, columns - half) + first.tobytes() + second.tobytes()
    if norms:
        table = np.zeros(256, "<f4")
        table[:rows] = lengths
        data += np.arange(rows, dtype=np.uint8).tobytes() + struct.pack("<4i", 1, 1, 1, 1) + table.tobytes()
    assert parts.nbytes == first.nbytes + second.nbytes
    return data


def whole(matrix: np.ndarray) -> bytes:
    return struct.pack("<2q", *matrix.shape) + matrix.astype("<f4").tobytes()


def write(
    path: Path,
    loss: Loss = Loss.SOFTMAX,
    *,
    ngrams: tuple[int, int] = (2, 4),
    word_ngrams: int = 1,
    small: bool = False,
) -> Path:
    """A classifier of three languages that knows a few words, with random weights.

    Args:
        path: where it goes.
        loss: how it makes scores.
        ngrams: least and most characters of n-grams.
        word_ngrams: words of the longest run.
        small: compressed, with a third of its buckets.
    """
    random = np.random.default_rng(7)
    words = ["</s>", "the", "und", "мост", "水"]
    labels = {"eng_Latn": 900, "deu_Latn": 500, "rus_Cyrl": 400, "zho_Hans": 30, "ell_Grek": 20}
    kept = np.arange(0, BUCKETS, 3, dtype="<i4") if small else np.arange(BUCKETS, dtype="<i4")
    inputs = random.normal(size=(len(words) + len(kept), DIMENSIONS)).astype(np.float32)
    outputs = random.normal(size=(len(labels), DIMENSIONS)).astype(np.float32) * 3
    data = struct.pack("<2i", MAGIC, 12)
    settings = (DIMENSIONS, 5, 1, 1, 5, word_ngrams, loss, 3, BUCKETS, *ngrams, 100)
    data += struct.pack("<12id", *settings, 0.0001)
    data += struct.pack(
        "<3i2q", len(words) + len(labels), len(words), len(labels), 12345, len(kept) if small else -1
    )
    for word in words:
        data += word.encode() + b"\0" + struct.pack("<qb", 10, 0)
    for label, count in labels.items():
        data += b"__label__" + label.encode() + b"\0" + struct.pack("<qb", count, 1)
    if small:
        rows = random.permutation(len(kept)).astype("<i4")
        data += np.column_stack((kept, rows)).astype("<i4").tobytes()
    data += b"\1" + compressed(inputs, norms=True) if small else b"\0" + whole(inputs)
    data += b"\1" + compressed(outputs, norms=False) if small else b"\0" + whole(outputs)
    path.write_bytes(data)
    return path
