"""The camera: saves the memory timeline as it is shown, as a picture that stands alone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from tensorscope.errors import TensorScopeError
from tensorscope.export.memory_picture import PictureOptions, save_memory_png, save_memory_svg, script_of
from tensorscope.gui.panel import PanelContext
from tensorscope.language import tr
from tensorscope.viewmodel.memory_state import MemoryState

_DPI: Final = 192
_FRAME: Final = 60  # pixels of title and legend


def save_what_is_shown(parent: QWidget, state: MemoryState, size: QSize, range_ns: tuple[int, int], context: PanelContext, *, is_by_events: bool) -> None:
    """Ask for a file, without holding the window, and write the picture there."""
    options = PictureOptions(
        size.width() + 8, size.height() + _FRAME, _DPI, context.theme().look, range_ns, context.workspace.cursor_ns, state.snapshot.facts, is_by_events
    )
    dialog = QFileDialog(parent, tr("Save picture of the memory timeline"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([tr("PNG picture (*.png)"), tr("SVG picture (*.svg)")])
    dialog.setDefaultSuffix("png")
    dialog.selectFile(f"{Path(script_of(state.snapshot.facts)).stem}-memory.png")
    dialog.fileSelected.connect(lambda name: _save(parent, Path(name), state, options))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def _save(parent: QWidget, path: Path, state: MemoryState, options: PictureOptions) -> None:
    try:
        (save_memory_svg if path.suffix == ".svg" else save_memory_png)(path, state.model, options)
    except TensorScopeError as error:
        box = QMessageBox(QMessageBox.Icon.Warning, "TensorScope", str(error), parent=parent)
        box.finished.connect(box.deleteLater)
        box.open()
