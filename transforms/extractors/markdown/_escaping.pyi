"""See `_escaping.pyx`; what it has is called by compiled code alone."""
