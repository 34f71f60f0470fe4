"""The UTF-8 of a string, made once: Python keeps it with the string for those that ask next, as Arrow does."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_AsUTF8AndSize


def encoded(str text not None):
    """Encode a string as UTF-8; raise UnicodeEncodeError where it has a lone surrogate."""
    cdef Py_ssize_t size
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &size)
    return PyBytes_FromStringAndSize(data, size)
