"""A classifier of fastText, plainly: what `cedar.transforms.curation._fasttext` is held to."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from cedar.transforms.curation.fasttext_file import Loss, ModelFile

TINY = 1e-5


def hashed(text: bytes) -> int:
    """FNV-1a of 32 bits over signed bytes."""
    h = 2166136261
    for byte in text:
        h = (h ^ (byte - 256 if byte > 127 else byte) % 2**32) * 16777619 % 2**32
    return h


def ngrams(word: str, least: int, most: int) -> list[str]:
    """The runs of characters of a word between its marks; the marks alone are none."""
    marked = f"<{word}>"
    return [
        marked[i : i + n]
        for i in range(len(marked))
        for n in range(least, most + 1)
        if i + n <= len(marked) and not (n == 1 and i in (0, len(marked) - 1))
    ]


def rows_of(model: ModelFile, text: str) -> list[int]:
    """The rows of the input matrix that a text stands for."""
    numbers = {word: number for number, word in enumerate(model.words)}
    kept = None if model.kept is None else dict(model.kept.tolist())
    words = [*text.split(" "), "</s>"]
    found = []

    def add(bucket: int) -> None:
        if kept is None or bucket in kept:
            found.append(len(model.words) + (bucket if kept is None else kept[bucket]))

    for word in words:
        if word.encode() in numbers:
            found.append(numbers[word.encode()])
        if word != "</s>" and model.max_chars:
            for gram in ngrams(word, model.min_chars, model.max_chars):
                add(hashed(gram.encode()) % model.buckets)
    signed = [h - 2**32 if h >= 2**31 else h for h in (hashed(word.encode()) for word in words)]
    if model.word_ngrams == 2:
        for one, other in pairwise(signed):
            add((one * 116049371 + other) % 2**64 % model.buckets)
    return found


def huffman_paths(counts: list[int]) -> list[list[tuple[int, int]]]:
    """For each label, the inner nodes from the root down, and whether its path goes right."""
    labels = len(counts)
    parents: dict[int, tuple[int, int]] = {}
    leaves = [(count, label) for label, count in enumerate(counts)]
    inner: list[tuple[int, int]] = []
    for new in range(labels - 1):
        total = 0
        for side in (0, 1):
            from_leaves = bool(leaves) and (not inner or leaves[-1][0] < inner[0][0])
            count, node = leaves.pop() if from_leaves else inner.pop(0)
            parents[node] = (labels + new, side)
            total += count
        inner.append((total, labels + new))
    paths = []
    for label in range(labels):
        path, node = [], label
        while node in parents:
            node, side = parents[node]
            path.append((node - labels, side))
        paths.append(path)
    return paths


def classify(model: ModelFile, text: str) -> tuple[str, float]:
    """The label of a text, and its score."""
    found = scores(model, text)
    best = int(np.argmax(found))
    return model.labels[best], float(found[best])


def scores(model: ModelFile, text: str) -> list[float]:
    """The scores of all labels of a text."""
    rows = rows_of(model, text)
    hidden = model.inputs[rows].mean(axis=0) if rows else np.zeros(model.inputs.shape[1])
    products = model.outputs @ hidden
    if model.loss == Loss.HIERARCHICAL_SOFTMAX:
        rights = 1 / (1 + np.exp(-products))
        return [
            math.prod((rights[node] if side else 1 - rights[node]) + TINY for node, side in path)
            for path in huffman_paths(model.label_counts.tolist())
        ]
    if model.loss == Loss.SOFTMAX:
        weights = np.exp(products - products.max())
        return list(weights / weights.sum() + TINY)
    return [1 / (1 + math.exp(8 - math.floor((x + 8) * 32) / 32)) + TINY for x in products]
