"""*torchviz picture of this backward…*: asks the held script for it and lets graphviz draw it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFileDialog, QWidget

from tensorscope.export.files import write_atomically
from tensorscope.export.graph_dot import save_drawn
from tensorscope.language import tr, tr_later
from tensorscope.session.session import RunState, Session
from tensorscope.units import plural
from tensorscope.viewmodel.graph import GraphView

KINDS: Final = (tr_later("PDF (*.pdf)"), tr_later("SVG (*.svg)"), tr_later("PNG (*.png)"), tr_later("DOT (*.dot)"))


def can_draw(session: Session, view: GraphView | None) -> bool:
    """Only of the backward that is held now: torchviz draws live tensors."""
    held = session.status.held
    return (
        view is not None and session.is_live and session.status.state is RunState.HELD and held is not None and int(held["backward"]) - 1 == view.graph.backward
    )


def ask_for_torchviz_file(parent: QWidget, view: GraphView, chosen: Callable[[Path], None]) -> None:
    """Ask without holding the window."""
    dialog = QFileDialog(parent, tr("torchviz picture of backward {number}").format(number=view.graph.backward))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([tr(kind) for kind in KINDS])
    dialog.setDefaultSuffix("pdf")
    dialog.filterSelected.connect(lambda kind: dialog.setDefaultSuffix(kind[-4:-1]))
    dialog.selectFile(f"torchviz-backward-{view.graph.backward}.pdf")
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def torchviz_work(path: Path, session: Session, view: GraphView) -> Callable[[], None]:
    """For a worker: it waits for the script's process and for graphviz. It raises TensorScopeError."""
    roots, size = len(view.graph.roots), plural(len(view.graph.nodes), "node")

    def work() -> None:
        source = session.torchviz_picture(roots)
        if path.suffix == ".dot":
            write_atomically(path, lambda target: _write(target, source))
        else:
            save_drawn(path, source, path.suffix[1:] or "pdf", size)

    return work


def _write(target: Path, source: str) -> None:
    target.write_text(source, encoding="utf-8")
