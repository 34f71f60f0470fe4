"""Methods that judge the elements of a tree: CETD, CoreEx, LQF, and others."""
