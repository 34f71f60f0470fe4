"""Lines with a prefix."""

from transforms.extractors.html._growing cimport ByteBuffer


cdef class PrefixedLines(ByteBuffer):
    """Lines that begin with a prefix: its first `prefix_size` bytes, or `bare_size` where nothing follows."""

    cdef int next_line(self, bint is_empty) except -1:
        """Ends a line, and begins the next one."""
        cdef Py_ssize_t i, size = self.bare_size if is_empty else self.prefix_size
        self.reserve(size + 1)
        self.bytes[self.size] = c"\n"
        for i in range(size):
            self.bytes[self.size + 1 + i] = self.prefix[i]
        self.size += size + 1
        return 0

    cdef int put_lines(self, list lines) except -1:
        """Writes lines; the first of them is begun."""
        cdef Py_ssize_t number
        for number, line in enumerate(lines):
            if number:
                self.next_line(not line)
            self.put_text(line)
        return 0
