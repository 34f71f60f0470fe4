"""See `_buffer.pyx`; what it has is called by compiled code alone."""
