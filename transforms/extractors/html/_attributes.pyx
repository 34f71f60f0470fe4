"""Attributes of tags (HTML5, 13.2.5.32 to 13.2.5.39, without errors)."""

from cedar.transforms.extractors.html._bytes cimport find, is_html_blank, key_at


cdef unsigned char[256] PARTS_NAMES  # whether a byte ends the name of an attribute


cdef int _byte
for _byte in b" \t\n\f\r/=":
    PARTS_NAMES[_byte] = True


def attributes(bytes html not None, Py_ssize_t start, Py_ssize_t stop):
    """Read the attributes of the tag in bytes [start, stop) of a page, `<` and `>` among them.

    Returns names, ASCII letters in lower case, and values without their quotes, references not decoded; the first of
    several of one name.
    """
    cdef AttributeScanner scanner
    if not 0 <= start < len(html) or stop <= start:
        return {}
    scanner = AttributeScanner(html)
    scanner.open(start, min(stop, len(html)))
    return scanner.read()


cdef class AttributeScanner:
    """Reads the attributes of the tags of a page, for compiled modules."""

    def __cinit__(self, bytes html not None):
        self.page = self.html = html

    cdef void open(self, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
        """Go to the tag in bytes [start, stop) of the page, `<` and `>` among them."""
        cdef Py_ssize_t at = start + 1
        self.last = stop - 1
        while at < self.last and not (PARTS_NAMES[self.html[at]] and self.html[at] != c"="):
            at += 1
        self.at = at

    cdef bint advance(self) noexcept nogil:
        """Read the next attribute; False if there is none."""
        cdef Py_ssize_t at = self.at, last = self.last
        cdef unsigned char quote
        while at < last and PARTS_NAMES[self.html[at]] and self.html[at] != c"=":
            at += 1
        if at >= last:
            return False
        self.name_start = at
        at += 1  # a name may begin with =
        while at < last and not PARTS_NAMES[self.html[at]]:
            at += 1
        self.name_stop = at
        self.name = key_at(self.html, self.name_start, at)
        while at < last and is_html_blank(self.html[at]):
            at += 1
        self.start = self.stop = at
        if at < last and self.html[at] == c"=":
            at += 1
            while at < last and is_html_blank(self.html[at]):
                at += 1
            self.start = at
            quote = self.html[at] if at < last else 0
            if quote == c'"' or quote == c"'":
                self.start = at + 1
                self.stop = find(self.html, quote, at + 1, last)
                if self.stop < 0:
                    self.stop = last
                at = self.stop + 1
            else:
                while at < last and not is_html_blank(self.html[at]):
                    at += 1
                self.stop = at
        self.at = at
        return True

    cdef dict read(self):
        """Read those that are left."""
        cdef dict found = {}
        while self.advance():
            name = self.page[self.name_start : self.name_stop].lower()
            if name not in found:
                found[name] = self.page[self.start : self.stop]
        return found
