"""Tags of a page, under the name that the other families still call."""

from transforms.extractors.html._tags import QUOTE_LIMIT as QUOTE_LIMIT
from transforms.extractors.html._tags import Tags as Tags
from transforms.extractors.html._tags import lex as lex
