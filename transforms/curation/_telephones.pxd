from cedar.transforms.curation._plain_text cimport Text

cdef Py_ssize_t find_telephone(Text* text, Py_ssize_t plus) noexcept
