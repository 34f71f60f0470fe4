"""The page guard, and the progress that workers report."""
