def to_utf8(body: bytes, table: str) -> tuple[bytes, int]:
    """Decode text of a byte a character by a table, and encode it as UTF-8.

    Args:
        body: the bytes.
        table: the character of each of the 256 bytes, none beyond U+FFFF, and no surrogates.

    Returns:
        The text as UTF-8, and how many U+FFFD are in it.

    Raises:
        ValueError: the table is of another form.
    """
