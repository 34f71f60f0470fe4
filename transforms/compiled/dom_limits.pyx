"""Twin of `transforms.extractors.dom_limits`."""

from transforms.compiled.markup cimport find


def _long_stretches(const unsigned char[::1] html not None, unsigned char bracket, Py_ssize_t chunk):
    """The stretches without a bracket that fill a whole chunk."""
    cdef Py_ssize_t size = html.shape[0], at = 0, next = -1, stop = 0, opening
    if chunk < 1:
        raise ValueError("chunks have bytes")
    stretches = []
    while size - at >= chunk:
        # Of each chunk the first bracket is enough; as a rule it is near.
        if next < at:
            next = find(html, bracket, at)
            if next < 0:
                next = size
        if next - at >= chunk:
            opening = at - 1
            while opening > stop and html[opening] != bracket:
                opening -= 1
            opening = max(opening, stop)
            stop = next
            stretches.append((opening, stop))
            at = next - next % chunk
            # A chunk that begins with the bracket is not without it, nor is one that holds it.
        at += chunk
    return stretches
