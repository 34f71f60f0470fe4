"""Pictures of decisions and of runs: self-contained HTML pages.

Charts are SVG that Python lays out and a template writes; a small script of our own links them to the text.
A charting library was weighed and left: the ones that can be bundled whole weigh 0.05 to 1 MB for each page
written, draw on a canvas or by script (nothing to read for a screen reader, for print or without script), and
several need `unsafe-eval` or inline styles, which the pages' Content-Security-Policy forbids. What is needed
here is bars, points and a line.
"""
