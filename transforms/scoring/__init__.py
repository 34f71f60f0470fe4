"""How well an extraction agrees with a page's gold text: the measures of the papers and of benchmarks."""
