from transforms.extractors.html.characters import Bytes

def code_points() -> Bytes:
    """The kind of each code point of the basic plane: uint8 (65536,)."""
