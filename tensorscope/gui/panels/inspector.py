"""Inspector: what the selected thing is made of. Every number can be copied; links go to lines, nodes and parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QHelpEvent, QImage, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QToolTip, QVBoxLayout, QWidget

from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.language import tr, tr_later
from tensorscope.render.inspector import Placed, paint_page
from tensorscope.render.theme import Theme
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.inspector import inspector_view
from tensorscope.viewmodel.inspector_text import page_json, page_text, row_text, value_text
from tensorscope.viewmodel.inspector_view import FactRow, InspectorView, MemoryRow, Row
from tensorscope.viewmodel.workspace import Aspect, Selection, SourceSelection


class InspectorPanel(Panel):
    title = tr_later("Inspector")
    key = "inspector"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._page = _Page(context.theme, self)
        self._page.go = context.workspace.select
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._page)
        self.setFocusProxy(self._page)

    @property
    def view(self) -> InspectorView | None:
        return self._page.view

    def menu_of(self, label: str) -> QMenu:
        """The menu of the fact with a label."""
        return self._page.copy_menu(self._page.place_of(label))

    def request(self, snapshot: Snapshot) -> Callable[[], InspectorView]:
        workspace = self.context.workspace
        selection, links, cursor = workspace.selection, workspace.linked, workspace.cursor_ns if workspace.is_looking_back else None
        return lambda: inspector_view(snapshot, selection, cursor, links)

    def show_result(self, result: InspectorView) -> None:
        self._page.show_view(result)

    def summary(self) -> str:
        return page_text(self.view) if self.view is not None else ""

    def workspace_changed(self, aspect: Aspect) -> None:
        if aspect in (Aspect.SELECTION, Aspect.LINKED, Aspect.CURSOR):
            self.refresh()

    def theme_changed(self) -> None:
        self._page.viewport().update()


class _Page(QAbstractScrollArea):
    """The painted page; scrolls, folds, copies."""

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.view: InspectorView | None = None
        self.go: Callable[[Selection], None] = _go_nowhere
        self._folded: frozenset[str] = frozenset()
        self._placed = Placed()
        self._hovered: Row | None = None
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)

    def show_view(self, view: InspectorView) -> None:
        is_other = self.view is None or view.title != self.view.title
        self.view = view
        self._hovered = None
        self._measure()
        if is_other:
            self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.view is None:
            return
        with QPainter(self.viewport()) as painter:
            painter.translate(0, -self.verticalScrollBar().value())
            self._placed = paint_page(painter, self.viewport().width(), self.view, self._folded, self._hovered, self._theme())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._measure()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._inside(event.position())
        section = next((title for rect, title in self._placed.sections if rect.contains(at)), None)
        row = self._row_at(at)
        if section is not None:
            self._folded = self._folded ^ {section}
            self._measure()
        elif self._placed.copy.contains(at):
            self._copy_all()
        elif self._placed.link.contains(at) and self.view is not None and self.view.source is not None:
            self.go(SourceSelection(self.view.source.file, self.view.source.line))
        elif (target := _target_of(row)) is not None:
            self.go(target)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._inside(event.position())
        row = self._row_at(at)
        is_link = self._placed.link.contains(at) or self._placed.copy.contains(at) or _target_of(row) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)
        if row is not self._hovered:
            self._hovered = row
            self.viewport().update()

    def leaveEvent(self, event: Any) -> None:
        self._hovered = None
        self.viewport().update()

    def keyPressEvent(self, event: Any) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            if self._hovered is not None:
                QGuiApplication.clipboard().setText(row_text(self._hovered))
            else:
                self._copy_all()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.copy_menu(self._inside(QPointF(event.pos())))
        menu.popup(event.globalPos())
        menu.aboutToHide.connect(menu.deleteLater)

    def copy_menu(self, at: QPointF) -> QMenu:
        """What can be copied at a place of the page."""
        menu = QMenu(self)
        figure = next((figure for rect, figure in self._placed.figures if rect.contains(at)), None)
        row = self._row_at(at)
        value = figure.value.text if figure is not None else value_text(row) if row is not None else ""
        choices = [(tr("Copy value"), value), (tr("Copy row"), row_text(row) if row is not None else "")]
        choices.append((tr("Copy all"), page_text(self.view) if self.view is not None else ""))
        choices.append((tr("Copy all as JSON"), page_json(self.view) if self.view is not None else ""))
        for words, text in choices:
            action = menu.addAction(words)
            action.setEnabled(bool(text))
            action.triggered.connect(lambda _=False, text=text: QGuiApplication.clipboard().setText(text))
        return menu

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            at = self._inside(QPointF(event.pos()))
            figure = next((figure for rect, figure in self._placed.figures if rect.contains(at)), None)
            row = self._row_at(at)
            text = figure.hint if figure is not None else row_text(row) if row is not None else tr("Copy all") if self._placed.copy.contains(at) else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)

    def place_of(self, label: str) -> QPointF:
        """The middle of the fact with a label."""
        return next(rect.center() for rect, row in self._placed.rows if isinstance(row, FactRow) and row.label == label)

    def _copy_all(self) -> None:
        if self.view is not None:
            QGuiApplication.clipboard().setText(page_text(self.view))

    def _measure(self) -> None:
        if self.view is None:
            return
        nowhere = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
        with QPainter(nowhere) as painter:
            painter.setClipRect(QRectF())
            height = paint_page(painter, self.viewport().width(), self.view, self._folded, None, self._theme()).height
        self.verticalScrollBar().setRange(0, max(round(height) - self.viewport().height(), 0))
        self.verticalScrollBar().setPageStep(self.viewport().height())
        self.verticalScrollBar().setSingleStep(20)

    def _inside(self, position: QPointF) -> QPointF:
        return QPointF(position.x(), position.y() + self.verticalScrollBar().value())

    def _row_at(self, at: QPointF) -> Row | None:
        return next((row for rect, row in self._placed.rows if rect.contains(at)), None)


def _target_of(row: Row | None) -> Selection | None:
    return row.target if isinstance(row, FactRow | MemoryRow) else None


def _go_nowhere(selection: Selection) -> None:
    """Until the panel says where links lead."""
