from transforms.extractors.cedar._page cimport Page

cdef Py_ssize_t fill_container(Page page, float[:, ::1] room) except -1
cdef Py_ssize_t fill_repetition(Page page, float[:, ::1] room) except -1
cdef Py_ssize_t fill_sections(Page page, float[:, ::1] room) except -1
cdef Py_ssize_t fill_whole(Page page, float[:, ::1] room) except -1
