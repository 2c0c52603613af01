"""*Export graph…*: the picture as it stands open in the panel, or every node for graphviz."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from tensorscope.errors import TensorScopeError
from tensorscope.export.graph_dot import save_graph_dot, save_graph_pdf
from tensorscope.export.graph_picture import GraphPictureOptions, save_graph_png, save_graph_svg
from tensorscope.export.memory_picture import script_of
from tensorscope.language import tr, tr_later
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_request import parameter_shapes

KINDS: Final = (tr_later("PNG picture (*.png)"), tr_later("SVG picture (*.svg)"), tr_later("PDF by graphviz (*.pdf)"), tr_later("DOT for graphviz (*.dot)"))
PICTURES: Final = {".png": save_graph_png, ".svg": save_graph_svg}
FOR_GRAPHVIZ: Final = {".pdf": save_graph_pdf, ".dot": save_graph_dot}
_DPI: Final = 192


def ask_for_graph_file(parent: QWidget, snapshot: Snapshot, view: GraphView, chosen: Callable[[Path], None]) -> None:
    """Ask without holding the window."""
    dialog = QFileDialog(parent, tr("Export graph"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([tr(kind) for kind in KINDS])
    dialog.setDefaultSuffix("png")
    dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(kind[-4:-1]))
    dialog.selectFile(f"{Path(script_of(snapshot.facts)).stem}-backward-{view.graph.backward}.png")
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def save_picture(parent: QWidget, path: Path, snapshot: Snapshot, view: GraphView, theme: str) -> None:
    """PNG or SVG by the name's ending. GUI thread; trouble is said in a box."""
    try:
        PICTURES[path.suffix](path, view, GraphPictureOptions(theme, _DPI if path.suffix == ".png" else 96, snapshot.facts))
    except TensorScopeError as error:
        box = QMessageBox(QMessageBox.Icon.Warning, "TensorScope", str(error), parent=parent)
        box.finished.connect(box.deleteLater)
        box.open()


def graphviz_work(path: Path, snapshot: Snapshot, view: GraphView) -> Callable[[], None]:
    """What writes the PDF or DOT, for a worker: graphviz may take its time. It raises TensorScopeError."""
    return lambda: FOR_GRAPHVIZ[path.suffix](path, view.graph, parameter_shapes(snapshot))
