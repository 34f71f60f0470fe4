"""See `_marks.pyx`; what it has is called by compiled code alone."""
