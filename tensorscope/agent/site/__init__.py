"""Stands first in the PYTHONPATH of programs that a watched process starts."""
