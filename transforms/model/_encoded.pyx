"""The UTF-8 of a string, made once: Python keeps it with the string for those that ask next, as Arrow does."""

from cpython.buffer cimport PyBUF_READ
from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.unicode cimport PyUnicode_AsUTF8AndSize


def encoded(str text not None):
    """View a string in UTF-8, read-only; raise UnicodeEncodeError where it has a lone surrogate.

    The view does not keep the string: its caller holds on to that until the view is let go.
    """
    cdef Py_ssize_t size
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &size)
    return PyMemoryView_FromMemory(<char*>data, size, PyBUF_READ)
