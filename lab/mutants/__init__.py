"""Small mistakes made on purpose, one at a time, to see whether the tests notice: `python -m lab.mutants`."""
