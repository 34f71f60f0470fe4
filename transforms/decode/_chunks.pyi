def join(body: bytes | memoryview, limit: int) -> tuple[bytes, bool] | None:
    """Put the chunks of a body together: see `transforms.decode.chunks.dechunk`.

    Args:
        body: the coded body.
        limit: bytes of data that are kept at most.

    Returns:
        What the chunks held, and whether it is cut; None where `body` does not have the form of chunks.
    """
