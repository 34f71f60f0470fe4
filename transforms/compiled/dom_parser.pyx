"""Twin of `transforms.extractors.dom_parser`."""


def _holds_sections(const unsigned char[::1] xml not None):
    """Whether there is a CDATA section."""
    cdef Py_ssize_t i
    cdef unsigned char found = 0
    for i in range(1, xml.shape[0]):
        found |= (xml[i] == c'!') & (xml[i - 1] == c'<')
    return found != 0
