"""Frozen dataclasses that take less time to make: each page needs some twenty of them."""

from dataclasses import MISSING, fields
from types import MemberDescriptorType

from cpython.object cimport PyTypeObject, descrsetfunc

cdef descrsetfunc put = (<PyTypeObject*>MemberDescriptorType).tp_descr_set


def quick(kind not None):
    """Have a frozen dataclass with slots set its fields at once where they are given by place, not by name."""
    cdef tuple slots = tuple([kind.__dict__[one.name] for one in fields(kind)])
    cdef tuple defaults = tuple([one.default for one in fields(kind)])
    cdef Py_ssize_t least = defaults.count(MISSING)
    if {type(slot) for slot in slots} != {MemberDescriptorType}:
        raise TypeError(f"{kind.__name__} is a dataclass without slots")
    ordinary = kind.__init__

    def init(self, *given, **named):
        cdef Py_ssize_t number = len(given), field
        if named or not least <= number <= len(slots):
            ordinary(self, *given, **named)
            return
        for field in range(len(slots)):
            put(slots[field], self, given[field] if field < number else defaults[field])

    kind.__init__ = init
    return kind
