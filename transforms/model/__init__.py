"""The records that flow through the graph, the schemas made from them, the books and the shared limits."""
