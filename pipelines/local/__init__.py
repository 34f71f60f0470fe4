"""Supervised processes on this machine: their queue of work, their folder, their end."""
