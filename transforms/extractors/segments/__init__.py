"""A page as its segments: blocks of text, the elements that hold them, what tags say of them."""
