"""The one system of pictures and pages: charts as SVG, templates, what a picture shows."""
