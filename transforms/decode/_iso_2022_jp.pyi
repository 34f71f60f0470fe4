YEN: bytes
OVERLINE: bytes
"""What stands for these two signs of JIS X 0201's Roman in the EUC-JP that is written; wrong there."""

def to_euc_jp(body: bytes, final: bool) -> bytes:
    """Write text in ISO-2022-JP as EUC-JP, whose decoder does the rest.

    Source: WHATWG Encoding, section 12.2: ASCII, JIS X 0201's Roman and katakana, JIS X 0208.

    Args:
        body: the text.
        final: False where it is cut: an escape sequence that has only begun at its end is then left out.

    Returns:
        The same text in EUC-JP; bytes that are wrong become 0xFF, which is wrong there, too.
    """
