"""The toolbar's buttons: an icon, a word, its key; one of them filled. They follow their QAction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from tensorscope.render.icons import draw_icon
from tensorscope.render.text import Run, draw_runs, text_width
from tensorscope.render.theme import Theme, with_alpha

_FILLED_ICONS: Final = frozenset({"play", "pause"})
_KEY_GAP: Final = 8.0


class ToolbarButton(QAbstractButton):
    """Shows a QAction. ``is_wide`` has the word and the key beside the icon; ``is_filled`` is the one button in the accent colour."""

    def __init__(self, action: QAction, theme: Callable[[], Theme], *, is_wide: bool = False, is_filled: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_wide = is_wide
        self._is_filled = is_filled
        self._action = action
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(lambda: self._action.trigger())
        action.changed.connect(self._follow)
        self._follow()

    def set_action(self, action: QAction) -> None:
        """Stand for another action from now on."""
        if action is not self._action:
            self._action.changed.disconnect(self._follow)
            self._action = action
            action.changed.connect(self._follow)
            self._follow()

    def set_wide(self, is_wide: bool) -> None:
        self._is_wide = is_wide
        self.updateGeometry()
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        theme = self._theme()
        height = round(theme.px("size.toolbar_button"))
        if not self._is_wide:
            return QSize(height + 4, height)
        width = 10 + 16 + 6 + text_width(self._action.text(), theme.font("body", "semibold")) + 10
        key = self._key()
        return QSize(round(width + (_KEY_GAP + text_width(key, theme.font("caption")) if key else 0)), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            rect = QRectF(self.rect())
            ground, text, key = self._colors(theme)
            if ground is not None:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color(ground))
                painter.drawRoundedRect(rect, theme.px("radius.button"), theme.px("radius.button"))
            if self.hasFocus():
                painter.setPen(QPen(theme.color("accent.focus_ring"), theme.px("line.focus_ring")))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), theme.px("radius.button"), theme.px("radius.button"))
            name = str(self._action.property("icon_name"))
            icon_rect = QRectF(10 if self._is_wide else 0, 0, 16 if self._is_wide else rect.width(), rect.height())
            draw_icon(painter, name, icon_rect, theme.color(text), theme.px("size.icon.toolbar"), is_filled=name in _FILLED_ICONS)
            if self._is_wide:
                words = [Run(self._action.text(), theme.font("body", "semibold"), theme.color(text))]
                draw_runs(painter, rect.adjusted(32, 0, 0, 0), words)
                dim = theme.color(key)
                if self._is_filled and self.isEnabled():
                    dim = with_alpha(dim, 0.8)
                draw_runs(painter, rect.adjusted(0, 0, -10, 0), [Run(self._key(), theme.font("caption", "medium"), dim)], Qt.AlignmentFlag.AlignRight)

    def _colors(self, theme: Theme) -> tuple[str | None, str, str]:
        """Roles of ground, text and key."""
        if not self.isEnabled():
            return ("surface.disabled" if self._is_filled else None), "text.disabled", "text.disabled"
        if self._is_filled:
            state = "pressed" if self.isDown() else "hover" if self.underMouse() else "base"
            return f"accent.{state}", "text.on_accent", "text.on_accent"
        ground = "surface.raised" if self.isDown() else "surface.hover" if self.underMouse() else None
        return ground, "text.primary", "text.tertiary"

    def _key(self) -> str:
        return self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText).replace("Shift+", "⇧")

    def _follow(self) -> None:
        self.setEnabled(self._action.isEnabled())
        self.setVisible(self._action.isVisible())
        self.setToolTip(self._action.toolTip())
        self.setAccessibleName(self._action.text())
        self.setFixedSize(self.sizeHint())
        self.update()
