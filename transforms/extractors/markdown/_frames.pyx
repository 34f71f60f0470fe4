"""The frames that leaves stand in, one in another: quotes, and items of lists.

What stands in a list and in no item of it stands in the item before it, and else in none; a list whose items are not
there is not there.
"""

import numpy as np

from libc.stdint cimport int64_t

from transforms.extractors.markdown._containers cimport IS_ITEM, IS_LIST, IS_QUOTE, MOST_CONTAINERS, Containers

from transforms.extractors.cedar.names import CODE

cdef int64_t MEANING = CODE["dd"]


cdef bint same(const Frames *one, const Frames *other) noexcept nogil:
    """Whether two leaves stand in the same frames."""
    return one.count == other.count == shared(one, other)


cdef Py_ssize_t shared(const Frames *one, const Frames *other) noexcept nogil:
    """How many frames two leaves share."""
    cdef Py_ssize_t count = 0, most = min(one.count, other.count)
    while count < most and one.elements[count] == other.elements[count] and one.items[count] == other.items[count]:
        count += 1
    return count


cdef class FrameMaker:
    # items: the last item of each list; 0 if there was none.

    def __init__(self, Containers containers not None):
        self.containers = containers
        self.items = np.zeros(containers.inner.shape[0], np.int64)
        self.last_asked = -1

    cdef Frames *of(self, Py_ssize_t container) except NULL:
        """The frames that a container makes with those around it; they are good until others are asked for."""
        cdef Py_ssize_t[MOST_CONTAINERS] path
        cdef Py_ssize_t size = 0, place, element, after
        cdef const unsigned char[::1] kinds = self.containers.kinds
        cdef const int64_t[::1] around = self.containers.around
        if container == self.last_asked:
            return &self.made
        self.last_asked = container
        self.made.count = 0
        while container and size < MOST_CONTAINERS:
            path[size] = container
            size += 1
            container = around[container]
        place = size - 1
        while place >= 0 and self.made.count < MOST_FRAMES:
            element = path[place]
            if kinds[element] == IS_QUOTE:
                self._add(element, 0)
            elif kinds[element] == IS_LIST:
                after = path[place - 1] if place else 0
                if after and kinds[after] == IS_ITEM:
                    self._add(element, self._item(element, after))
                    place -= 1
                elif after and self.items[element]:
                    self._add(element, self.items[element])
            place -= 1
        return &self.made

    cdef int _add(self, int64_t element, int64_t item) except -1:
        self.made.elements[self.made.count], self.made.items[self.made.count] = element, item
        self.made.count += 1
        return 0

    cdef int64_t _item(self, Py_ssize_t within, Py_ssize_t item) except -1:
        """The item that an element is, or belongs to: a meaning to its term."""
        if self.containers.page.elements.codes[item] == MEANING and self.items[within]:
            return self.items[within]
        self.items[within] = item
        return item
