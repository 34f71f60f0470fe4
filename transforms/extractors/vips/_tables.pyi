"""The rows, cells and columns of a page's tables; for compiled code alone."""
