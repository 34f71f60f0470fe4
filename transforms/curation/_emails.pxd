from cedar.transforms.curation._plain_text cimport Text

cdef Py_ssize_t find_email(Text* text, Py_ssize_t at, Py_ssize_t after, Py_ssize_t floor, Py_ssize_t* start) noexcept
