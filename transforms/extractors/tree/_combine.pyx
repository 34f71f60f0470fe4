"""How much of the text of a page of XML lies in ranges of it."""

import numpy as np

from libc.stdint cimport int64_t


def solid_chars(const unsigned char[::1] xml not None, texts not None, ranges not None):
    cdef const int64_t[::1] text_starts, text_stops, starts, stops
    text_starts, text_stops = texts
    starts, stops = ranges
    cdef Py_ssize_t size = text_starts.shape[0], some = starts.shape[0], text, at, stop, last, place = 0
    found_array = np.zeros(size, np.int64)
    cdef int64_t[::1] found = found_array
    cdef int64_t count
    if text_stops.shape[0] != size or stops.shape[0] != some:
        raise ValueError("not as many stops as starts")
    for text in range(size):
        at, stop = text_starts[text], text_stops[text]
        if not 0 <= at <= stop <= xml.shape[0]:
            raise IndexError(f"text {text} is not in the page")
        count = 0
        while at < stop:
            while place < some and stops[place] <= at:
                place += 1
            if place == some or starts[place] >= stop:
                break
            at, last = max(at, <Py_ssize_t>starts[place]), min(stop, <Py_ssize_t>stops[place])
            while at < last:
                count += (xml[at] > 0x20) & ((xml[at] & 0xC0) != 0x80)
                at += 1
        found[text] = count
    return found_array
