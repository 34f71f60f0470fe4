"""Memory that grows."""

from libc.stdint cimport int32_t
from libc.stdlib cimport realloc


cdef struct Numbers:
    int32_t *values  # NULL at first; whoever has them frees them
    Py_ssize_t size, room


cdef inline void *grown(void *memory, size_t size) except NULL:
    cdef void *larger = realloc(memory, size)
    if larger == NULL:
        raise MemoryError(f"no room for {size} bytes")
    return larger


cdef inline int put_number(Numbers *numbers, int32_t value) except -1:
    if numbers.size == numbers.room:
        numbers.room = max(256, 2 * numbers.room)
        numbers.values = <int32_t *>grown(numbers.values, numbers.room * sizeof(int32_t))
    numbers.values[numbers.size] = value
    numbers.size += 1
    return 0
