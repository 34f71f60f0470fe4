"""The UTF-8 of a string, made once: Python keeps it with the string for those that ask next, as Arrow does.

And what columns hold: of strings those that have a UTF-8.
"""

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


def are_held(tuple values not None, tuple bounds not None):
    """Tell whether values are plain ones that their columns hold; UnicodeEncodeError where a string has no UTF-8.

    `bounds` are of each column the type (None: it is not looked at), the least and the greatest number. None is held.
    """
    for value, (kind, least, most) in zip(values, bounds):
        if value is None or kind is None:
            continue
        if type(value) is not kind:
            return False
        if kind is str:
            if not (<str>value).isascii():
                encoded(value)
        elif not least <= value <= most:
            return False
    return True
