"""See `_reading.pyx`; what it has is called by compiled code alone."""
