"""What people read, in their language: the English text stands in the code, and the window may put a catalogue in its place.

Texts with values are templates: ``tr("{count} nodes").format(count=12)``, so that a translation may change their order.
``python -m tools.translations`` gathers them.
"""

from collections.abc import Callable


def _english(text: str) -> str:
    return text


_translate: Callable[[str], str] = _english


def tr(text: str) -> str:
    """``text`` in the language in use; the text itself where the catalogue lacks it. Any thread."""
    return _translate(text)


def tr_later(text: str) -> str:
    """``text`` as it is, for tables made at import; marked for the catalogue, and given to ``tr`` where it is shown."""
    return text


def use_translation(translate: Callable[[str], str] | None) -> None:
    """Look texts up with ``translate`` from now on; None is English. Called before a window is made."""
    global _translate
    _translate = translate or _english
