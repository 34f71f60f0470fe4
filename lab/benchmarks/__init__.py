"""How fast Cedar is, next to what people use today; see `lab/PERFORMANCE.md`."""
