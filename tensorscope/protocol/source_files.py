"""Source files of the script that are no files, by the name that Python gives them."""

from typing import Final

STANDARD_INPUT: Final = "<stdin>"
"""The script itself, where it was read from standard input: the user's, as no other name in angle brackets is."""
