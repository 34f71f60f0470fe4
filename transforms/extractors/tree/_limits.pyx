"""What is looked for in a page before it is parsed, byte by byte and tag by tag."""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memchr

from cedar.transforms.extractors.html._elements cimport HOLDING_VOID, VOID, traits


def has_controls(const unsigned char[::1] html not None):
    """Tell whether a page has bytes below the space that are not blanks of HTML, or a form feed."""
    cdef Py_ssize_t i
    cdef unsigned char found = 0
    for i in range(html.shape[0]):
        found |= (html[i] < 0x20) & (html[i] != c'\t') & (html[i] != c'\n') & (html[i] != c'\r')
    return found != 0


def long_stretches(const unsigned char[::1] html not None, unsigned char bracket, Py_ssize_t chunk):
    """Find the stretches from a bracket up to the next one, or an end of the page, that fill a whole chunk of bytes.

    The first chunk begins with the page. Returns half-open ranges of bytes, in order.
    """
    cdef Py_ssize_t size = html.shape[0], at = 0, next = -1, stop = 0, opening
    cdef const void *found
    if chunk < 1:
        raise ValueError("not a size of chunks: 0 bytes")
    stretches = []
    while size - at >= chunk:
        # Of each chunk the first bracket is enough; as a rule it is near.
        if next < at:
            found = memchr(&html[at], bracket, size - at)
            next = size if found == NULL else <const unsigned char *>found - &html[0]
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


def flattened(bytes html not None, tags not None, Py_ssize_t levels):
    """Take the tags of elements nested deeper than `levels` out of a page without comments: see `limits.flatten`."""
    cdef const int64_t[::1] starts = tags.starts, stops = tags.stops
    cdef const uint64_t[::1] keys = tags.keys
    cdef const unsigned char[::1] is_end = tags.ends.view("u1"), parts = tags.block_level.view("u1")
    cdef Py_ssize_t tag, position = 0, innermost
    cdef list stack = []  # the open elements, by the keys of their names
    cdef dict deeper = {}  # how many there are of those that go
    cdef bytearray flat = bytearray()
    for tag in range(keys.shape[0]):
        if not c'a' <= (keys[tag] & 0xFF) <= c'z':
            continue
        if traits(keys[tag]) & (VOID | HOLDING_VOID) == VOID:
            continue
        name = keys[tag]
        if not is_end[tag]:
            stack.append(name)
            if len(stack) <= levels:
                continue
            deeper[name] = deeper.get(name, 0) + 1
        elif deeper.get(name, 0):
            closed = None
            while closed != name:
                closed = stack.pop()
                deeper[closed] -= 1
        else:
            innermost = min(len(stack), levels) - 1
            if stack and stack[innermost] == name:
                del stack[innermost:]
                deeper.clear()
            continue
        flat += html[position : starts[tag]]
        if parts[tag]:
            flat += b"<br>"
        position = stops[tag]
    flat += html[position:]
    return bytes(flat)
