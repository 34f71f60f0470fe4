"""Files anywhere: on disk, in object stores, on web servers; what names them, and who holds them."""
