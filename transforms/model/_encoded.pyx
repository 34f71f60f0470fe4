"""The UTF-8 of a string, made once: Python keeps it with the string for those that ask next, as Arrow does.

And what columns hold: of strings those that have a UTF-8.
"""

from cpython.buffer cimport PyBUF_READ
from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.unicode cimport PyUnicode_AsUTF8AndSize

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(str text)
    long long PyLong_AsLongLongAndOverflow(object value, int* overflow)

cdef extern from "float.h":
    const double FLT_MAX


def encoded(str text not None):
    """View a string in UTF-8, read-only; raise UnicodeEncodeError where it has a lone surrogate.

    The view does not keep the string: its caller holds on to that until the view is let go.
    """
    cdef Py_ssize_t size
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &size)
    return PyMemoryView_FromMemory(<char*>data, size, PyBUF_READ)


def are_held(bytes kinds not None, tuple values not None, long long first, long long last):
    """Tell whether columns hold values of a row for sure: plain strings and numbers within bounds, or None.

    A letter for each column: `s` a string, `i` int32, `q` int64, `t` a whole number from `first` to `last`, `f` float32, `d`
    float64; any other letter: it is not looked at.
    """
    cdef Py_ssize_t place, size
    cdef long long number
    cdef int overflow
    cdef char kind
    for place in range(min(len(kinds), len(values))):
        value, kind = values[place], kinds[place]
        if value is None or kind not in b"siqtfd":
            continue
        if kind == b"s":
            if type(value) is not str:
                return False
            if not PyUnicode_IS_ASCII(value):
                try:
                    PyUnicode_AsUTF8AndSize(value, &size)
                except UnicodeEncodeError:
                    return False
        elif kind in b"fd":
            if type(value) is not float or (kind == b"f" and abs(<double>value) > FLT_MAX):
                return False
        else:
            if type(value) is not int:
                return False
            number = PyLong_AsLongLongAndOverflow(value, &overflow)
            if overflow or (kind == b"i" and number != <int>number):
                return False
            if kind == b"t" and not first <= number <= last:
                return False
    return True
