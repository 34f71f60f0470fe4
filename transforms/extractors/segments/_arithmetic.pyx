"""Which of many keys are equal, in linear time whatever the keys."""

import numpy as np

from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._growing cimport IntArena

cdef enum:
    TRIES = 8  # slots for each key, in the mean, after which keys are sorted instead

cdef uint64_t FACTOR = 0xBF58476D1CE4E5B9


cdef int find_firsts(const int64_t[::1] keys, int64_t[::1] found, IntArena room) except -1:
    """For each key the index of the first that equals it.

    By hashing with open addressing; keys that a page has made to fall into the same slots are sorted.
    """
    cdef Py_ssize_t count = keys.shape[0], bits = 1, i, slot, tries = 0
    while <Py_ssize_t>1 << bits < 2 * count:
        bits += 1
    cdef Py_ssize_t mask = (<Py_ssize_t>1 << bits) - 1
    cdef int64_t[::1] slots = room.zeros(mask + 1)  # one more than the index of a key
    for i in range(count):
        slot = <Py_ssize_t>(<uint64_t>keys[i] * FACTOR >> 64 - bits)
        while slots[slot] and keys[slots[slot] - 1] != keys[i] and tries <= TRIES * count:
            slot = slot + 1 & mask
            tries += 1
        if not slots[slot]:
            slots[slot] = i + 1
        found[i] = slots[slot] - 1
    if tries > TRIES * count:
        _sort_firsts(keys, found)
    return 0


cdef int _sort_firsts(const int64_t[::1] keys, int64_t[::1] found) except -1:
    cdef const int64_t[::1] order = np.argsort(keys, kind="stable").astype(np.int64, copy=False)
    cdef Py_ssize_t i, first = 0
    for i in range(order.shape[0]):
        if not i or keys[order[i]] != keys[order[i - 1]]:
            first = order[i]
        found[order[i]] = first
    return 0


def firsts(const int64_t[::1] keys not None):
    """For each key the index of the first that equals it: int64, as many."""
    found = np.empty(keys.shape[0], np.int64)
    find_firsts(keys, found, IntArena(0))
    return found
