"""*Save sharing graph…*: the whole graph of the chosen storage as a PNG or SVG picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from tensorscope.errors import TensorScopeError
from tensorscope.export.memory_picture import script_of
from tensorscope.export.sharing_picture import save_sharing_picture
from tensorscope.language import tr
from tensorscope.viewmodel.sharing import SharingScene

KINDS: Final = ("PNG (*.png)", "SVG (*.svg)")


def ask_for_sharing_file(parent: QWidget, facts: Mapping[str, Any], chosen: Callable[[Path], None]) -> None:
    """Ask without holding the window."""
    dialog = QFileDialog(parent, tr("Save sharing graph…"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(KINDS)
    dialog.setDefaultSuffix("png")
    dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(kind[-4:-1]))
    dialog.selectFile(f"{Path(script_of(facts)).stem}-sharing.png")
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def save_sharing(parent: QWidget, path: Path, scene: SharingScene, theme: str, facts: Mapping[str, Any]) -> None:
    """GUI thread; trouble is said in a box."""
    try:
        save_sharing_picture(path, scene, theme, facts)
    except TensorScopeError as error:
        box = QMessageBox(QMessageBox.Icon.Warning, "TensorScope", str(error), parent=parent)
        box.finished.connect(box.deleteLater)
        box.open()
