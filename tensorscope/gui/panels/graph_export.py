"""*Export graph…*: the picture as it stands open in the panel, or every node for graphviz. Both are written off the GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFileDialog, QWidget

from tensorscope.errors import TensorScopeError
from tensorscope.export.graph_dot import save_graph_dot, save_graphviz_pdf
from tensorscope.export.graph_picture import GraphPictureOptions, save_graph_pdf, save_graph_png, save_graph_svg
from tensorscope.export.memory_picture import script_of
from tensorscope.language import tr, tr_later
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_request import parameter_shapes

GRAPHVIZ_PDF: Final = tr_later("PDF of every node by graphviz (*.pdf)")
KINDS: Final = (
    tr_later("PNG picture (*.png)"),
    tr_later("SVG picture (*.svg)"),
    tr_later("PDF picture (*.pdf)"),
    GRAPHVIZ_PDF,
    tr_later("DOT of every node for graphviz (*.dot)"),
)
PICTURES: Final = {".png": save_graph_png, ".svg": save_graph_svg, ".pdf": save_graph_pdf}
FOR_GRAPHVIZ: Final = {".pdf": save_graphviz_pdf, ".dot": save_graph_dot}
_DPI: Final = 192


def ask_for_graph_file(parent: QWidget, snapshot: Snapshot, view: GraphView, chosen: Callable[[Path, bool], None]) -> None:
    """Ask without holding the window. ``chosen`` gets the file and whether graphviz is to draw it."""
    dialog = QFileDialog(parent, tr("Export graph"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([tr(kind) for kind in KINDS])
    dialog.setDefaultSuffix("png")
    dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(kind[-4:-1]))
    dialog.selectFile(f"{Path(script_of(snapshot.facts)).stem}-backward-{view.graph.backward}.png")
    dialog.fileSelected.connect(lambda name: chosen(Path(name), dialog.selectedNameFilter() == tr(GRAPHVIZ_PDF)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def export_work(path: Path, snapshot: Snapshot, view: GraphView, theme: str, *, by_graphviz: bool = False) -> Callable[[], None]:
    """What writes the file, by its name's ending; PDF may be either. It raises TensorScopeError."""
    kind = path.suffix.lower()
    drawn, picture = FOR_GRAPHVIZ.get(kind), PICTURES.get(kind)
    options = GraphPictureOptions(theme, _DPI if kind == ".png" else 96, snapshot.facts)

    def work() -> None:
        if drawn is not None and (by_graphviz or picture is None):
            drawn(path, view.graph, parameter_shapes(snapshot))
        elif picture is not None:
            picture(path, view, options)
        else:
            raise TensorScopeError(tr("Name the file .png, .svg, .pdf or .dot: {name} is none of them.").format(name=path.name))

    return work
