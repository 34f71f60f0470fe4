def survey(body: bytes, final: bool) -> tuple[int, int, bool]:
    """Look a page over once, as UTF-8; no text is made of it.

    Source: RFC 3629, as Python's strict codec has it: no surrogates, nothing beyond U+10FFFF, no sequence
    longer than it need be.

    Args:
        body: the bytes.
        final: False where the page is cut: an incomplete sequence at its end is then no error.

    Returns:
        stop: how many bytes are valid; less than all where there is an error, or an incomplete end.
        chars: code points of these; -1 where there is an error.
        marked: whether there is a NUL or an ESC; False where there is an error.
    """

def weigh(body: bytes) -> tuple[int, int]:
    """Weigh what is UTF-8 in a page against what is not.

    Args:
        body: the bytes.

    Returns:
        right: characters beyond ASCII that are valid.
        wrong: the U+FFFD that decoding puts in: one for each longest beginning of a sequence, else one for
            each byte (WHATWG Encoding, section 4.1; Unicode, section 3.9, U+FFFD Substitution of Maximal
            Subparts).
    """
