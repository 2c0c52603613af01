"""The menu of the graph's tool row: which way it reads, what stands on nodes and edges, what opens and closes, what is compared and saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Any

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from tensorscope.language import tr
from tensorscope.viewmodel.graph_options import Flow, GraphOptions, Reading


def switches() -> tuple[tuple[str, str], ...]:
    """(field of GraphOptions, words) of everything that is on or off."""
    return (
        ("has_shapes", tr("Shapes on edges")),
        ("has_dtypes", tr("Element types on edges")),
        ("has_times", tr("Times")),
        ("has_saved", tr("Saved bytes")),
        ("has_parameters", tr("Parameters")),
        ("has_attributes", tr("Attributes of operators")),
        ("has_full_names", tr("Full names")),
    )


class OptionsMenu(QMenu):
    """``changed`` is called with the new options. ``extend`` may add the panel's own entries below."""

    def __init__(self, changed: Callable[[GraphOptions], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.options = GraphOptions()
        self._changed = changed
        self._choices: list[tuple[str, Any, QAction]] = []
        self._add_group(tr("Direction"), "flow", ((Flow.DOWN, tr("Top to bottom")), (Flow.RIGHT, tr("Left to right"))))
        reading = ((Reading.GRADIENTS, tr("As gradients flow, from the loss")), (Reading.DATA, tr("As data flows, from the inputs")))
        self._add_group(tr("Arrows"), "reading", reading)
        self.addSection(tr("Show"))
        for field, words in switches():
            self._add(field, True, words).triggered.connect(lambda is_on, field=field: self._set(field, is_on))
        self.show_options(self.options)

    def show_options(self, options: GraphOptions) -> None:
        self.options = options
        for field, value, action in self._choices:
            action.setChecked(getattr(options, field) == value)

    def _add_group(self, title: str, field: str, choices: tuple[tuple[Enum, str], ...]) -> None:
        self.addSection(title)
        group = QActionGroup(self)
        for value, words in choices:
            action = self._add(field, value, words)
            group.addAction(action)
            action.triggered.connect(lambda _, value=value: self._set(field, value))

    def _add(self, field: str, value: Any, words: str) -> QAction:
        action = self.addAction(words)
        action.setCheckable(True)
        self._choices.append((field, value, action))
        return action

    def _set(self, field: str, value: Any) -> None:
        self.show_options(replace(self.options, **{field: value}))
        self._changed(self.options)
