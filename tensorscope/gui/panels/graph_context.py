"""The menu under the right mouse button: what can be done with the node or module there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from tensorscope.language import tr
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_choices import GraphChoices
from tensorscope.viewmodel.graph_scene import Box, BoxKey, BoxKind


class Camera(Protocol):
    def zoom_to(self, key: BoxKey) -> None: ...
    def fit(self) -> None: ...


def context_menu(
    deeds: GraphChoices, looks: Camera, show_path: Callable[[BoxKey], None], view: GraphView, box: Box | None, start: BoxKey | None, parent: QWidget
) -> QMenu:
    """``start``: what is selected, from which ``show_path`` may lead to ``box``."""
    menu = QMenu(parent)

    def add(words: str, act: Callable[[], object], *, is_enabled: bool = True) -> None:
        action = menu.addAction(words)
        action.setEnabled(is_enabled)
        action.triggered.connect(lambda: act())

    if box is not None:
        key = box.key
        if box.kind is BoxKind.OPEN:
            add(tr("Close"), lambda: deeds.toggle(key))
        elif box.kind is BoxKind.RUN:
            add(tr("Unroll {count} equal ones").format(count=len(box.groups)), lambda: deeds.toggle(key))
        elif box.kind is BoxKind.GROUP:
            add(tr("Open"), lambda: deeds.toggle(key))
        if box.kind in (BoxKind.OPEN, BoxKind.GROUP):
            is_pinned = box.groups[0].key in view.state.pinned
            add(tr("Let it close again") if is_pinned else tr("Pin: keep it open"), lambda: deeds.pin(key))
        add(tr("Zoom to it") + "\tZ", lambda: looks.zoom_to(key))
        menu.addSeparator()
        add(tr("Path from the selection to here") + "\t" + tr("Shift+click"), lambda: show_path(key), is_enabled=start not in (None, key))
        add(tr("Path to…"), lambda: deeds.begin_path(key))
        menu.addSeparator()
        add(tr("Copy name"), lambda: QGuiApplication.clipboard().setText(name_of(view, box)))
        menu.addSeparator()
    add(tr("Open everything"), deeds.expand_all)
    add(tr("Close everything"), deeds.collapse_all)
    add(tr("Fit into the panel") + "\tF", looks.fit)
    return menu


def name_of(view: GraphView, box: Box) -> str:
    if box.kind is BoxKind.NODE:
        node = view.graph.nodes[box.key.node]
        return node.parameter or node.name
    return box.groups[0].key.module or box.groups[0].class_name
