"""See `_frames.pyx`; what it has is called by compiled code alone."""
