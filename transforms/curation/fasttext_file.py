"""Files of fastText's classifiers (Joulin et al. 2016): `.bin`, and `.ftz` with compressed matrices.

The layout is fastText 0.9's, version 11 and 12 of its files; numbers are little-endian.
"""

import hashlib
import mmap
import struct
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MAGIC = 793712314
VERSIONS = (11, 12)
SUPERVISED = 3
LABEL_PREFIX = b"__label__"
MAX_LABEL_COUNT = 10**15
"""Texts of a label in training: larger than any, for building trees of labels."""

CENTROIDS = 256
"""Centroids of each part of a vector in compressed matrices."""


class ModelError(ValueError):
    """The file is no classifier of fastText; the message says what kind of file it is."""


class Loss(IntEnum):
    """How a model makes scores of outputs."""

    HIERARCHICAL_SOFTMAX = 1
    NEGATIVE_SAMPLING = 2
    SOFTMAX = 3
    ONE_VS_ALL = 4


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModelFile:
    """The contents of a model's file.

    Attributes:
        min_chars, max_chars: characters of the n-grams of words; none are made if `max_chars` is 0.
        word_ngrams: words of the longest n-gram of words.
        buckets: number of values that n-grams are hashed to.
        loss: how scores are made.
        words: UTF-8 of each word.
        labels: name of each label, without the prefix.
        label_counts: int64 (labels,): how often each came in training.
        kept: int32 (n, 2): a bucket and its row after the rows of the words, if only some buckets are kept;
            None where all are.
        inputs: float32 (rows, dimensions): of words, then of buckets.
        outputs: float32 (labels or inner nodes, dimensions).
    """

    min_chars: int
    max_chars: int
    word_ngrams: int
    buckets: int
    loss: Loss
    words: tuple[bytes, ...]
    labels: tuple[str, ...]
    label_counts: NDArray[np.int64]
    kept: NDArray[np.int32] | None
    inputs: NDArray[np.float32]
    outputs: NDArray[np.float32]


def read_model(path: Path) -> ModelFile:
    """Read a model; the matrices of `.bin` files stay in the file until they are looked at.

    Raises OSError: it cannot be read; ModelError: it is not a classifier of fastText, or not whole.
    """
    with path.open("rb") as file:
        if path.stat().st_size == 0:
            raise ModelError("it is empty")
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    try:
        return _read(_Reader(data))
    except (struct.error, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError("it is cut, or damaged") from error


def digest_of_file(path: Path) -> str:
    """Return the BLAKE2b-128 of a file, hex.

    Raises OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


class _Reader:
    """Reads numbers and arrays of a file one after the other."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self._at = 0

    def numbers(self, layout: str) -> tuple[int, ...]:
        """Read numbers as `struct` lays them out."""
        found = struct.unpack_from("<" + layout, self._data, self._at)
        self._at += struct.calcsize("<" + layout)
        return found

    def number(self, layout: str) -> int:
        """Read one number."""
        return self.numbers(layout)[0]

    def name(self) -> bytes:
        """Read bytes up to a NUL."""
        stop = self._data.find(b"\0", self._at)
        if stop < 0:
            raise ModelError("a word has no end")
        found = self._data[self._at : stop]
        self._at = stop + 1
        return found

    def array(self, kind: str, count: int) -> NDArray[np.generic]:
        """Read an array of numbers."""
        if not 0 <= count <= len(self._data):
            raise ModelError("an array is larger than the file")
        found = np.frombuffer(self._data, np.dtype(kind), count, self._at)
        self._at += found.nbytes
        return found


def _read(file: _Reader) -> ModelFile:
    magic, version = file.numbers("ii")
    if magic != MAGIC:
        raise ModelError("it does not begin as a model of fastText does")
    if version not in VERSIONS:
        raise ModelError(f"it has version {version} of fastText's files; {VERSIONS} are known")
    dimensions, _, _, _, _, word_ngrams, loss, model, buckets, least, most, _ = file.numbers("12i")
    file.number("d")
    if model != SUPERVISED:
        raise ModelError("it holds vectors of words, and is not a classifier")
    size, word_count, label_count, _, kept_count = file.numbers("3i2q")
    if size != word_count + label_count:
        raise ModelError("its words and labels do not add up")
    words: list[bytes] = []
    labels: list[str] = []
    counts: list[int] = []
    for _ in range(size):
        name = file.name()
        count, kind = file.numbers("qb")
        if kind == 0:
            words.append(name)
        else:
            labels.append(name.removeprefix(LABEL_PREFIX).decode())
            counts.append(count)
    kept = None
    if kept_count >= 0:
        kept = file.array("<i4", 2 * kept_count).astype(np.int32).reshape(-1, 2)
    compressed = bool(file.number("?"))
    inputs = _compressed_matrix(file) if compressed else _matrix(file)
    compressed_outputs = bool(file.number("?"))
    outputs = _compressed_matrix(file) if compressed and compressed_outputs else _matrix(file)
    found = ModelFile(
        min_chars=least,
        max_chars=0 if version == 11 else most,
        word_ngrams=word_ngrams,
        buckets=buckets,
        loss=Loss(loss),
        words=tuple(words),
        labels=tuple(labels),
        label_counts=np.array(counts, np.int64),
        kept=kept,
        inputs=inputs,
        outputs=outputs,
    )
    _check(found, dimensions)
    return found


def _check(model: ModelFile, dimensions: int) -> None:
    """Check the sizes of a model's parts against each other, so that each row that is looked up exists."""
    buckets = model.buckets if model.max_chars > 0 or model.word_ngrams > 1 else 0
    if model.kept is not None:
        buckets = len(model.kept)
        if buckets and not (model.kept.min() >= 0 and model.kept[:, 1].max() < buckets):
            raise ModelError("a bucket has no row")
    if buckets and model.buckets <= 0:
        raise ModelError("it has n-grams and no buckets")
    if len(model.inputs) < len(model.words) + buckets:
        raise ModelError("it has fewer rows than words and buckets")
    hierarchical = model.loss == Loss.HIERARCHICAL_SOFTMAX
    if not 0 <= model.label_counts.min(initial=0) <= model.label_counts.max(initial=0) < MAX_LABEL_COUNT:
        raise ModelError("a label came more often than texts can be counted")
    if not model.labels or len(model.outputs) < len(model.labels) - hierarchical:
        raise ModelError("it has fewer outputs than labels")
    if not model.inputs.shape[1] == model.outputs.shape[1] == dimensions:
        raise ModelError("its matrices are of different widths")


def _matrix(file: _Reader) -> NDArray[np.float32]:
    rows, columns = file.numbers("2q")
    return file.array("<f4", rows * columns).reshape(rows, columns).view(np.float32)


def _compressed_matrix(file: _Reader) -> NDArray[np.float32]:
    """Return a matrix whose rows were cut in parts, each replaced by one of 256 (Jégou et al. 2011)."""
    has_norms = bool(file.number("?"))
    rows, columns = file.numbers("2q")
    codes = file.array("u1", file.number("i"))
    matrix = _decoded(file, codes, rows, columns=columns)
    if has_norms:
        matrix *= _decoded(file, file.array("u1", rows), rows, columns=1)
    return matrix


def _decoded(file: _Reader, codes: NDArray[np.generic], rows: int, *, columns: int) -> NDArray[np.float32]:
    width, parts, part_width, last_width = file.numbers("4i")
    fills = min(parts, part_width, last_width) > 0 and (parts - 1) * part_width + last_width == columns
    if width != columns or not fills or len(codes) != rows * parts:
        raise ModelError("a compressed matrix is of another size than its parts")
    centroids = file.array("<f4", width * CENTROIDS)
    by_part = codes.reshape(rows, parts)
    matrix = np.empty((rows, columns), np.float32)
    for part in range(parts):
        start = part * part_width
        size = last_width if part == parts - 1 else part_width
        table = centroids[start * CENTROIDS : start * CENTROIDS + size * CENTROIDS].reshape(CENTROIDS, size)
        matrix[:, start : start + size] = table[by_part[:, part]]
    return matrix


def children_of(counts: NDArray[np.int64]) -> NDArray[np.int32]:
    """Build Huffman's tree over labels (Mikolov et al. 2013, section 2.1).

    `counts` (labels,), the greatest first, say how often each came in training. Returns the children, left
    and right, of each inner node, (labels - 1, 2). Inner nodes are numbered after the labels, the root last.
    """
    labels = len(counts)
    sums = [*counts.tolist(), *[MAX_LABEL_COUNT] * (labels - 1)]
    children = np.empty((labels - 1, 2), np.int32)
    leaf, node = labels - 1, labels
    for new in range(labels, 2 * labels - 1):
        for side in range(2):
            if leaf >= 0 and sums[leaf] < sums[node]:
                children[new - labels, side] = leaf
                leaf -= 1
            else:
                children[new - labels, side] = node
                node += 1
        left, right = children[new - labels].tolist()
        sums[new] = sums[left] + sums[right]
    return children
