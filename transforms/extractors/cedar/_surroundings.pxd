from transforms.extractors.segments._page cimport SegmentedPage

cdef Py_ssize_t fill_container(SegmentedPage page, float[:, ::1] room) except -1
cdef Py_ssize_t fill_repetition(SegmentedPage page, float[:, ::1] room) except -1
cdef Py_ssize_t fill_sections(SegmentedPage page, float[:, ::1] room) except -1
cdef Py_ssize_t fill_lead(SegmentedPage page, float[:, ::1] room) except -1
cdef Py_ssize_t fill_whole(SegmentedPage page, float[:, ::1] room) except -1
