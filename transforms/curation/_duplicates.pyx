"""Records of keys: sorted, grouped, and their pages united (disjoint sets, Galler and Fischer 1964)."""

import numpy as np

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

cdef enum:
    DIGIT_BITS = 11
    DIGITS = 1 << DIGIT_BITS
    PASSES = 6  # of 11 bits: the 64 of a word


cdef inline int _compare(const uint64_t* left, const uint64_t* right, Py_ssize_t words) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(words):
        if left[i] != right[i]:
            return -1 if left[i] < right[i] else 1
    return 0


cdef void _sift(uint64_t* heap, Py_ssize_t top, Py_ssize_t size, Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t child, i
    while True:
        child = 2 * top + 1
        if child >= size:
            return
        if child + 1 < size and _compare(heap + child * width, heap + (child + 1) * width, width) < 0:
            child += 1
        if _compare(heap + top * width, heap + child * width, width) >= 0:
            return
        for i in range(width):
            heap[top * width + i], heap[child * width + i] = heap[child * width + i], heap[top * width + i]
        top = child


cdef void _sort_run(uint64_t* run, Py_ssize_t size, Py_ssize_t width) noexcept nogil:
    """Sort records by all their words; those that are in order already, as they mostly are, cost one look."""
    cdef Py_ssize_t i, k
    for i in range(1, size):
        if _compare(run + (i - 1) * width, run + i * width, width) > 0:
            break
    else:
        return
    # A heap needs no room and is never slow, whatever order the records come in.
    for i in range(size // 2 - 1, -1, -1):
        _sift(run, i, size, width)
    for i in range(size - 1, 0, -1):
        for k in range(width):
            run[k], run[i * width + k] = run[i * width + k], run[k]
        _sift(run, 0, i, width)


def sort(uint64_t[:, ::1] records not None, uint64_t[:, ::1] spare not None):
    """Sort records (n, words) by all their words, in place; the contents of `spare`, at least as large, are lost.

    Raises ValueError: `spare` is too small, or records have no words.
    """
    cdef Py_ssize_t size = records.shape[0], width = records.shape[1], i, start
    cdef int digit, shift
    cdef Py_ssize_t[PASSES][DIGITS] counts
    cdef Py_ssize_t total, count
    cdef uint64_t* ours
    cdef uint64_t* other
    cdef uint64_t word
    if not width or spare.shape[0] < size or spare.shape[1] != width:
        raise ValueError(f"room for {spare.shape[0]} records of {spare.shape[1]} words, for {size} of {width}")
    if size < 2:
        return
    ours, other = &records[0, 0], &spare[0, 0]
    with nogil:
        memset(counts, 0, sizeof(counts))
        for i in range(size):
            word = ours[i * width]
            for digit in range(PASSES):
                counts[digit][(word >> (digit * DIGIT_BITS)) & (DIGITS - 1)] += 1
        for digit in range(PASSES):
            shift = digit * DIGIT_BITS
            if counts[digit][(ours[0] >> shift) & (DIGITS - 1)] == size:
                continue  # the same in all
            total = 0
            for i in range(DIGITS):
                count = counts[digit][i]
                counts[digit][i] = total
                total += count
            for i in range(size):
                start = (ours[i * width] >> shift) & (DIGITS - 1)
                memcpy(other + counts[digit][start] * width, ours + i * width, width * sizeof(uint64_t))
                counts[digit][start] += 1
            ours, other = other, ours
        if ours != &records[0, 0]:
            memcpy(&records[0, 0], ours, size * width * sizeof(uint64_t))
            ours = &records[0, 0]
        start = 0
        for i in range(1, size + 1):
            if i == size or ours[i * width] != ours[start * width]:
                if i - start > 1:
                    _sort_run(ours + start * width, i - start, width)
                start = i


cdef class Groups:
    """Groups of records with one key, found as sorted records pass by in pieces.

    Args:
        words: of a record; its last one is the page, the others are the key.
    """

    cdef Py_ssize_t _words
    cdef bint _open
    cdef uint64_t[4] _first  # the first record of the group that is open

    def __init__(self, int words):
        if not 2 <= words <= 4:
            raise ValueError(f"records have 2 to 4 words, not {words}")
        self._words = words
        self._open = False

    def edges(self, const uint64_t[:, ::1] records not None):
        """Link each page of a group to the group's first one.

        Args:
            records: shape (records, words), in order, none before the last call's records.

        Returns:
            uint64, shape (edges, 2): a page, and the first one that has its key.
        """
        cdef Py_ssize_t size = records.shape[0], i, found = 0
        cdef Py_ssize_t words = self._words
        cdef const uint64_t* record
        cdef uint64_t[:, ::1] out
        if records.shape[1] != words:
            raise ValueError(f"records of {records.shape[1]} words, not of {words}")
        edges = np.empty((size, 2), np.uint64)
        out = edges
        with nogil:
            for i in range(size):
                record = &records[i, 0]
                if self._open and _compare(record, self._first, words - 1) == 0:
                    if record[words - 1] != self._first[words - 1]:
                        out[found, 0] = record[words - 1]
                        out[found, 1] = self._first[words - 1]
                        found += 1
                else:
                    memcpy(self._first, record, words * sizeof(uint64_t))
                    self._open = True
        return edges[:found]


cdef class CommonKeys:
    """Places of keys that many records have, found as sorted records pass by in pieces.

    A record is a key of two words, and a place.

    Args:
        min_records: records that make a key common, at least 2.
    """

    cdef Py_ssize_t _count  # records of the open key so far
    cdef uint64_t[2] _key
    cdef uint64_t[::1] _first  # its first places: written once there are enough

    def __init__(self, Py_ssize_t min_records):
        if min_records < 2:
            raise ValueError(f"a key of {min_records} records is not common: at least 2")
        self._first = np.empty(min_records, np.uint64)
        self._count = 0

    def places(self, const uint64_t[:, ::1] records not None):
        """Find the places of common keys.

        Args:
            records: shape (records, 3), in order, none before the last call's records.

        Returns:
            uint64, shape (places, 2): each place of a common key, and how many records the key has, for its first
            place, or 0. The first place of the key that is still open is in what the next call or `last` returns.
        """
        cdef Py_ssize_t size = records.shape[0], enough = self._first.shape[0], i, k, found = 0
        cdef uint64_t[:, ::1] out
        if records.shape[1] != 3:
            raise ValueError(f"records of {records.shape[1]} words, not of 3")
        places = np.zeros((size + min(enough, self._count) + 1, 2), np.uint64)
        out = places
        with nogil:
            for i in range(size):
                if self._count == 0 or _compare(&records[i, 0], self._key, 2) != 0:
                    if self._count >= enough:
                        out[found, 0], out[found, 1] = self._first[0], self._count
                        found += 1
                    memcpy(self._key, &records[i, 0], 2 * sizeof(uint64_t))
                    self._count = 0
                if self._count < enough:
                    self._first[self._count] = records[i, 2]
                self._count += 1
                if self._count == enough:
                    for k in range(1, enough):
                        out[found, 0] = self._first[k]
                        found += 1
                elif self._count > enough:
                    out[found, 0] = records[i, 2]
                    found += 1
        return places[:found]

    def last(self):
        """Return the first place of the open key, if it is common, as `places` does: shape (0 or 1, 2)."""
        if self._count < self._first.shape[0]:
            return np.empty((0, 2), np.uint64)
        return np.array([[self._first[0], self._count]], np.uint64)


def spread(const uint64_t[:, ::1] records not None, int bits, int width=64):
    """Group records (n, words) by the first bits of their first word, below `2 ** width`, in their order within.

    Returns the records of all groups, uint64 of the same shape; and where each group begins and the last one ends,
    int64 (2 ** bits + 1,).
    """
    cdef Py_ssize_t size = records.shape[0], words = records.shape[1], i, part
    cdef int shift = max(0, width - bits)
    cdef long long[::1] at
    cdef uint64_t[:, ::1] out
    if not 0 <= bits <= 24 or not 1 <= width <= 64 or not words:
        raise ValueError(f"{bits} bits (0 to 24) of words of {width} bits (1 to 64), {words} words a record")
    starts = np.zeros((1 << bits) + 1, np.int64)
    grouped = np.empty((size, words), np.uint64)
    if bits == 0:
        starts[1] = size
        grouped[:] = records
        return grouped, starts
    counts = np.zeros(1 << bits, np.int64)
    at, out = counts, grouped
    with nogil:
        for i in range(size):
            if records[i, 0] >> shift >> bits:
                with gil:
                    raise ValueError(f"a word of more than {width} bits: {records[i, 0]}")
            at[<Py_ssize_t>(records[i, 0] >> shift)] += 1
    np.cumsum(counts, out=starts[1:])
    counts[:] = starts[:1 << bits]
    with nogil:
        for i in range(size):
            part = <Py_ssize_t>(records[i, 0] >> shift)
            memcpy(&out[at[part], 0], &records[i, 0], words * sizeof(uint64_t))
            at[part] += 1
    return grouped, starts


cdef inline int64_t _root(uint32_t[::1] parents, uint32_t page) noexcept nogil:
    """Return the root of a page, its path split (van Leeuwen and Tarjan 1984); -1 if a parent is greater."""
    cdef uint32_t parent = parents[page]
    while parent != page:
        if parent > page:
            return -1
        parents[page] = parents[parent]
        page = parent
        parent = parents[page]
    return page


def unite(uint32_t[::1] parents not None, const uint64_t[:, ::1] edges not None):
    """Unite the sets of the two pages of each edge; the least page of a set is its root.

    Args:
        parents: of each page one that is not greater; itself, for a root.
        edges: shape (edges, 2).

    Raises ValueError: an edge names a page outside of `parents`, or a parent is greater than its page.
    """
    cdef Py_ssize_t i, size = edges.shape[0], pages = parents.shape[0]
    cdef int64_t left, right
    if edges.shape[1] != 2:
        raise ValueError(f"edges of {edges.shape[1]} words, not of 2")
    with nogil:
        for i in range(size):
            if edges[i, 0] >= <uint64_t>pages or edges[i, 1] >= <uint64_t>pages:
                with gil:
                    raise ValueError(f"an edge of page {max(edges[i, 0], edges[i, 1])}, but there are {pages}")
            left, right = _root(parents, <uint32_t>edges[i, 0]), _root(parents, <uint32_t>edges[i, 1])
            if left < 0 or right < 0:
                with gil:
                    raise ValueError("a page's parent is a page after it")
            if left < right:
                parents[right] = <uint32_t>left
            elif right < left:
                parents[left] = <uint32_t>right


def settle(uint32_t[::1] parents not None, unsigned char[::1] shared not None):
    """Make each page's parent its root, and mark the roots of other pages.

    Args:
        parents: as of `unite`.
        shared: shape as `parents`, all 0; of a root of other pages it becomes 1.

    Raises ValueError: the shapes differ, or a parent is greater than its page.
    """
    cdef Py_ssize_t i
    if shared.shape[0] != parents.shape[0]:
        raise ValueError(f"{parents.shape[0]} pages, but room for {shared.shape[0]} marks")
    with nogil:
        for i in range(parents.shape[0]):
            if parents[i] > i:
                with gil:
                    raise ValueError(f"the parent of page {i} is {parents[i]}, which is after it")
            parents[i] = parents[parents[i]]  # a lesser page's parent is its root already
            if parents[i] != <uint32_t>i:
                shared[parents[i]] = 1


cdef enum:
    LARGE, SMALL, LEAST


def through(const uint64_t[:, ::1] records not None, const uint64_t[::1] last not None):
    """Count the records (n, words), in order, that do not come after `last` (words,)."""
    cdef Py_ssize_t low = 0, high = records.shape[0], middle
    if records.shape[1] != last.shape[0]:
        raise ValueError(f"records of {records.shape[1]} words, not of {last.shape[0]}")
    while low < high:
        middle = (low + high) // 2
        if _compare(&records[middle, 0], &last[0], last.shape[0]) <= 0:
            low = middle + 1
        else:
            high = middle
    return low
