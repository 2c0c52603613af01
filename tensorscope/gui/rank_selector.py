"""The toolbar's choice of a rank; there only where a job has several."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QWidget

from tensorscope.language import tr
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import Run, draw_runs, text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.ranks import RanksView


class RankSelector(QAbstractButton):
    """Shows which rank the panels show; a click lists them all with how they stand."""

    chosen = Signal(int)

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.view: RanksView | None = None
        self.menu = QMenu(self)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(self._open)
        self.hide()

    def show_view(self, view: RanksView | None) -> None:
        if view != self.view:
            self.view = view
            self.setVisible(view is not None)
            self.setToolTip(tr("The rank that the panels show") + tr("  (Ctrl+PgUp, Ctrl+PgDown)"))
            self.setAccessibleName(view.label if view is not None else "")
            self.setFixedSize(self.sizeHint())
            self.update()

    def sizeHint(self) -> QSize:
        theme = self._theme()
        label = self.view.label if self.view is not None else ""
        return QSize(round(12 + 16 + 6 + text_width(label, theme.font("body", "semibold")) + 6 + 12 + 10), round(theme.px("size.toolbar_button")))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.view is None:
            return
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            edge = "severity.error" if self.view.trouble is not None else "accent.focus_ring" if self.hasFocus() else "line.strong"
            painter.setPen(QPen(theme.color(edge), 1))
            painter.setBrush(theme.color("surface.hover" if self.underMouse() else "surface.panel"))
            painter.drawRoundedRect(rect, theme.px("radius.button"), theme.px("radius.button"))
            draw_icon(painter, "cpu", QRectF(10, 0, 16, self.height()), theme.color("text.secondary"), 14)
            draw_runs(painter, rect.adjusted(32, 0, -20, 0), [Run(self.view.label, theme.font("body", "semibold"), theme.color("text.primary"))])
            draw_icon(painter, "chevron-down", QRectF(self.width() - 22, 0, 14, self.height()), theme.color("text.secondary"), 12)

    def fill_menu(self) -> None:
        """As the ranks stand now."""
        self.menu.clear()
        for row in self.view.rows if self.view is not None else ():
            action = self.menu.addAction(row.text)
            action.setCheckable(True)
            action.setChecked(row.is_shown)
            action.triggered.connect(lambda _=False, rank=row.rank: self.chosen.emit(rank))

    def _open(self) -> None:
        self.fill_menu()
        self.menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))
