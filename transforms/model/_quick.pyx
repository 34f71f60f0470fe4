"""Frozen dataclasses that take less time to make: each page needs some twenty of them."""

from dataclasses import MISSING, fields
from operator import attrgetter
from types import MemberDescriptorType

from cpython.object cimport PyTypeObject, descrsetfunc

cdef descrsetfunc put = (<PyTypeObject*>MemberDescriptorType).tp_descr_set


def quick(kind not None):
    """Have a frozen dataclass with slots set its fields at once."""
    in_order = sorted(fields(kind), key=attrgetter("kw_only"))
    cdef tuple slots = tuple([getattr(kind, one.name) for one in in_order])  # those of what it inherits, too
    cdef tuple names = tuple([one.name for one in in_order])
    cdef tuple defaults = tuple([one.default for one in in_order])
    cdef Py_ssize_t positional = sum([not one.kw_only for one in in_order])
    if {type(slot) for slot in slots} != {MemberDescriptorType}:
        raise TypeError(f"{kind.__name__} is a dataclass without slots")
    ordinary = kind.__init__

    def init(self, *given, **named):
        cdef Py_ssize_t number = len(given), field, found = 0
        for field in range(len(slots)):
            value = given[field] if field < number else named.get(names[field], MISSING)
            if field >= number and value is not MISSING:
                found += 1
            elif value is MISSING:
                value = defaults[field]
            if value is MISSING:
                break
            put(slots[field], self, value)
        else:
            if number <= positional and found == len(named):
                return
        ordinary(self, *given, **named)  # it says what is wrong

    kind.__init__ = init
    return kind
