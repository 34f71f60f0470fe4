"""How fast Cedar is, next to what people use today; see `docs/performance.md`."""
