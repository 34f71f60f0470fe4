cdef bint is_balanced(str text)
cdef bint is_mark(str character)
cdef str code_span(str text, bint cell)
cdef str escaped(str text, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t links, int edges)
