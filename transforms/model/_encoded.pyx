"""The UTF-8 of a string, which Python makes once and keeps with the string, also for Arrow.

And what columns hold: of strings those that have a UTF-8.
"""

from cpython.buffer cimport PyBUF_READ
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.unicode cimport PyUnicode_AsUTF8AndSize

def encoded(str text not None):
    """View a string in UTF-8, read-only; raise UnicodeEncodeError where it has a lone surrogate.

    The view does not keep the string: its caller holds on to that until the view is let go.
    """
    cdef Py_ssize_t size
    cdef const char* data = PyUnicode_AsUTF8AndSize(text, &size)
    return PyMemoryView_FromMemory(<char*>data, size, PyBUF_READ)


def are_held(tuple values not None, tuple bounds not None):
    """Tell whether values are plain ones that their columns hold: strings have a UTF-8.

    `bounds` are of each column the type (None: it is not looked at), the least and the greatest number. None is held.
    """
    cdef Py_ssize_t i, size
    cdef int beyond = 0
    cdef long long number
    for i in range(min(len(values), len(bounds))):
        value = values[i]
        kind, least, most = bounds[i]
        if value is None or kind is None:
            continue
        if type(value) is not kind:
            return False
        if kind is str:
            try:
                PyUnicode_AsUTF8AndSize(value, &size)
            except UnicodeEncodeError:
                return False
        elif kind is float:
            if not <double>least <= <double>value <= <double>most:
                return False
        else:
            number = PyLong_AsLongLongAndOverflow(value, &beyond)
            if beyond or not <long long>least <= number <= <long long>most:
                return False
    return True
