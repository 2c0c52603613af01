"""Keys of the gradients panel, and what each is called."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_PAGE: Final = 10
_KEYS: Final = {
    Qt.Key.Key_Up: "row before",
    Qt.Key.Key_Down: "row after",
    Qt.Key.Key_Left: "iteration before",
    Qt.Key.Key_Right: "iteration after",
    Qt.Key.Key_PageUp: "rows before",
    Qt.Key.Key_PageDown: "rows after",
    Qt.Key.Key_Home: "first iteration",
    Qt.Key.Key_End: "last iteration",
    Qt.Key.Key_W: "zoom in",
    Qt.Key.Key_S: "zoom out",
    Qt.Key.Key_A: "earlier",
    Qt.Key.Key_D: "later",
    Qt.Key.Key_F: "show all",
    Qt.Key.Key_P: "pin",
    Qt.Key.Key_M: "mute",
    Qt.Key.Key_O: "only",
    Qt.Key.Key_Return: "open",
    Qt.Key.Key_Enter: "open",
    Qt.Key.Key_Plus: "unfold",
    Qt.Key.Key_Equal: "unfold",
    Qt.Key.Key_Minus: "fold",
}
OWN_KEYS: Final = frozenset(_KEYS)


def key_command(event: QKeyEvent) -> str:
    """What a key asks for; "" for one that is none of ours."""
    if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        return "copy" if Qt.Key(event.key()) is Qt.Key.Key_C else ""
    if event.modifiers() & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
        return ""
    return _KEYS.get(Qt.Key(event.key()), "")


def step_of(command: str, rows: int, iterations: int) -> tuple[int, int] | None:
    """(rows, iterations) that a command moves the chosen cell by; None for other commands."""
    return {
        "row before": (-1, 0),
        "row after": (1, 0),
        "rows before": (-_PAGE, 0),
        "rows after": (_PAGE, 0),
        "iteration before": (0, -1),
        "iteration after": (0, 1),
        "first iteration": (0, -iterations),
        "last iteration": (0, iterations),
    }.get(command)
