"""The toolbar's Break: which breakpoints are on, and a field for another."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QVBoxLayout, QWidget, QWidgetAction

from tensorscope.errors import ProtocolError
from tensorscope.gui.buttons import ToolbarButton
from tensorscope.language import tr
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.breakpoints import NONFINITE, Breakpoints, words_of

HINT = tr("node:Addmm*  module:h.2  param:*.bias  line:model.py:77  iteration:3  grad>100")


class BreakMenu(QMenu):
    """Made anew each time it opens."""

    def __init__(self, breakpoints: Breakpoints, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._breakpoints = breakpoints
        self._theme = theme
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        self._add(NONFINITE)
        others = [spec for spec in self._breakpoints.specs if spec != NONFINITE]
        if others:
            self.addSeparator()
        for spec in others:
            self._add(spec)
        if others:
            forget = self.addAction(tr("Remove all of these"))
            forget.triggered.connect(lambda: self._breakpoints.remove(*others))
        self.addSeparator()
        self.addAction(self._field())

    def _add(self, spec: str) -> None:
        action = QAction(words_of(spec), self)
        action.setCheckable(True)
        action.setChecked(self._breakpoints.is_on(spec))
        action.setToolTip(spec)
        action.triggered.connect(lambda _=False: self._breakpoints.switch(spec))
        self.addAction(action)

    def _field(self) -> QWidgetAction:
        body = QWidget(self)
        field = _SpecField(self._breakpoints, self, body)
        trouble = QLabel(HINT, body)
        trouble.setFont(self._theme().font("caption"))
        trouble.setWordWrap(True)
        field.told = trouble.setText
        layout = QVBoxLayout(body)
        layout.setContentsMargins(10, 4, 10, 6)
        layout.addWidget(field)
        layout.addWidget(trouble)
        body.setFixedWidth(300)
        action = QWidgetAction(self)
        action.setDefaultWidget(body)
        return action


class _SpecField(QLineEdit):
    """Enter adds what was typed and closes the menu; trouble is said below."""

    def __init__(self, breakpoints: Breakpoints, menu: QMenu, parent: QWidget) -> None:
        super().__init__(parent)
        self._breakpoints = breakpoints
        self._menu = menu
        self.told: Callable[[str], object] = lambda text: None
        self.setPlaceholderText(tr("Another breakpoint, Enter to set it"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or not self.text().strip():
            super().keyPressEvent(event)
            return
        try:
            self._breakpoints.add(self.text().strip())
        except ProtocolError as error:
            self.told(f"{error}.")
        else:
            self._menu.close()


class BreakButton(ToolbarButton):
    """Says in a word or two which breakpoints are on; its menu switches them."""

    def __init__(self, breakpoints: Breakpoints, theme: Callable[[], Theme], parent: QWidget) -> None:
        self._shown = QAction(tr("Break"), parent)
        self._shown.setProperty("icon_name", "octagon-alert")
        super().__init__(self._shown, theme, is_wide=True, parent=parent)
        self._breakpoints = breakpoints
        self._menu = BreakMenu(breakpoints, theme, self)
        self._shown.triggered.connect(lambda: self._menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2))))
        breakpoints.observe(self._follow_breakpoints)
        self._follow_breakpoints()

    def _follow_breakpoints(self) -> None:
        active = self._breakpoints.active
        others = len([spec for spec in active if spec != NONFINITE])
        told = ([tr("NaN, Inf")] if NONFINITE in active else []) + ([str(others)] if others else [])
        self._shown.setText(tr("Break: {what}").format(what=" + ".join(told)) if told else tr("Break"))
        self._shown.setToolTip("\n".join(words_of(spec) for spec in active) or tr("No breakpoint is set: click left of a line in Source, or choose here"))
