"""Removal of what is no text, under the name that the other families still call."""

from transforms.extractors.html._source import Source as Source
from transforms.extractors.html._source import remove_invisible as remove_invisible
