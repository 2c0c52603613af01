"""The menu of a row or a curve of the gradients panel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from tensorscope.language import tr
from tensorscope.viewmodel.gradient_curves import CurveChoice
from tensorscope.viewmodel.gradient_rows import MapRow


class RowMenu(QMenu):
    """``do`` gets a command of ``gradients_keys``; without a name only what concerns all rows is offered."""

    def __init__(self, name: str | None, row: MapRow | None, choice: CurveChoice, do: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._do = do
        if name is not None:
            self._add(tr("Pin the curve  (P)"), "pin", name in choice.pinned)
            self._add(tr("Show only this curve  (O)"), "only", name == choice.solo)
            self._add(tr("Leave the curve out  (M)"), "mute", name in choice.muted)
            self.addSeparator()
        if row is not None:
            self._add(tr("Open the module  (+)") if row.is_module else tr("Fold into its module  (−)"), "unfold" if row.is_module else "fold")
            self._add(tr("Copy the row's numbers  (Ctrl+C)"), "copy")
        self._add(tr("Copy all rows"), "copy all")

    def _add(self, words: str, command: str, is_on: bool | None = None) -> None:
        action = QAction(words, self)
        if is_on is not None:
            action.setCheckable(True)
            action.setChecked(is_on)
        action.triggered.connect(lambda: self._do(command))
        self.addAction(action)
