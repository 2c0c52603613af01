"""Names for screen readers, where a widget has none of its own: from its tool tip or hint, else from the panel it belongs to."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QScrollBar, QWidget

from tensorscope.gui.panel import Panel
from tensorscope.language import tr


def name_panel(panel: Panel, tools: QWidget | None) -> None:
    """Give a panel, what takes its keys, and everything in it and in its tool row a name."""
    title = tr(panel.title)
    panel.setAccessibleName(title)
    keys = panel.focusProxy()
    if isinstance(keys, QWidget) and not keys.accessibleName():
        keys.setAccessibleName(title)
    name_all_in(panel, title)
    if tools is not None:
        name_all_in(tools, title)


def name_all_in(root: QWidget, otherwise: str) -> None:
    """Name the widgets under ``root`` that take the keys and have neither name nor words."""
    for widget in root.findChildren(QWidget):
        if takes_keys(widget) and not has_words(widget):
            widget.setAccessibleName(_hint_of(widget) or otherwise)


def takes_keys(widget: QWidget) -> bool:
    """Itself: not through another, not a part that Qt made."""
    is_inner = isinstance(widget, QScrollBar) or widget.objectName().startswith("qt_")
    return widget.focusPolicy() is not Qt.FocusPolicy.NoFocus and not is_inner and widget.focusProxy() is None


def has_words(widget: QWidget) -> bool:
    return bool(widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()))


def _hint_of(widget: QWidget) -> str:
    """The first line of the tool tip without its key, else a field's hint."""
    tip = widget.toolTip().partition("\n")[0].partition("  ")[0]
    return tip or (widget.placeholderText() if isinstance(widget, QLineEdit) else "")
