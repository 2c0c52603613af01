"""Ties the graph panel's parts together: signals of canvas, tool row and list, its keys, its actions for the palette."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QWidget

from tensorscope.gui.panels.graph_torchviz import ask_for_torchviz_file, can_draw, torchviz_work
from tensorscope.language import tr

if TYPE_CHECKING:
    from tensorscope.gui.panels.graph import GraphPanel


class _ShiftReturn(QObject):
    """Shift+Enter in the search goes back. The key's own event is asked: the application's modifiers may be older."""

    def __init__(self, act: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._act = act

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._act()
            return True
        return False


def connect(panel: GraphPanel) -> None:
    canvas, tools, side = panel.canvas, panel.tools, panel.side
    canvas.chosen.connect(panel.navigator.choose)
    canvas.parameter_chosen.connect(panel.navigator.choose_parameter)
    canvas.toggled.connect(panel.choices.toggle)
    canvas.walked.connect(panel.navigator.walk)
    canvas.hovered.connect(panel.explain)
    canvas.path_asked.connect(panel.navigator.show_path)
    canvas.menu_asked.connect(panel.open_menu)
    canvas.cancelled.connect(panel.cancel)
    side.gone_to.connect(panel.navigator.go_to)
    side.kind_toggled.connect(panel.toggle_kind)
    side.closed.connect(panel.close_list)
    tools.stepped.connect(panel.choices.step_backward)
    tools.follow_clicked.connect(lambda: panel.choices.show_backward(None))
    tools.measure_chosen.connect(panel.choices.show_measure)
    tools.options_chosen.connect(panel.choices.show_options)
    tools.crumbs.clicked.connect(panel.navigator.go_to_crumb)
    tools.search.searched.connect(panel.search)
    tools.search.returnPressed.connect(lambda: panel.go_to_hit(1))
    tools.search.installEventFilter(_ShiftReturn(lambda: panel.go_to_hit(-1), tools.search))
    _add_keys(panel)
    _add_actions(panel)


def _add_keys(panel: GraphPanel) -> None:
    def focus_search() -> None:
        panel.tools.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        panel.tools.search.selectAll()

    for owner, keys, act in (
        (panel.canvas, "Ctrl+F", focus_search),
        (panel.canvas, "/", focus_search),
        (panel.canvas, "[", lambda: panel.choices.step_backward(-1)),
        (panel.canvas, "]", lambda: panel.choices.step_backward(1)),
        (panel.canvas, "N", lambda: panel.go_to_hit(1)),
        (panel.canvas, "Shift+N", lambda: panel.go_to_hit(-1)),
        (panel.canvas, "F3", lambda: panel.go_to_hit(1)),
        (panel.canvas, "Shift+F3", lambda: panel.go_to_hit(-1)),
        (panel.tools.search, "F3", lambda: panel.go_to_hit(1)),
        (panel.tools.search, "Shift+F3", lambda: panel.go_to_hit(-1)),
    ):
        QShortcut(QKeySequence(keys), owner, context=Qt.ShortcutContext.WidgetShortcut).activated.connect(act)


def _add_actions(panel: GraphPanel) -> None:
    """Below the switches of the tool row's menu, and in the palette of all actions."""
    menu = panel.tools.menu
    menu.addSection(tr("Groups"))
    _action(panel, menu, tr("Open everything in the graph"), panel.choices.expand_all)
    _action(panel, menu, tr("Close everything in the graph"), panel.choices.collapse_all)
    menu.addSection(tr("Compare"))
    others = menu.addMenu(tr("With another backward"))
    others.aboutToShow.connect(lambda: _fill(others, panel))
    _action(panel, menu, tr("What changed since the backward before"), lambda: panel.choices.compare_with(None))
    menu.addSection(tr("Export"))
    _action(panel, menu, tr("Export graph…"), panel.ask_for_file)
    torchviz = _action(panel, menu, tr("torchviz picture of this backward…"), lambda: _ask_for_torchviz(panel))
    torchviz.setToolTip(tr("Drawn from live tensors: while the script is held in this backward"))
    menu.aboutToShow.connect(lambda: torchviz.setEnabled(can_draw(panel.context.session, panel.view)))


def _ask_for_torchviz(panel: GraphPanel) -> None:
    view, session = panel.view, panel.context.session
    if view is not None and can_draw(session, view):
        save = panel.work_wanted.emit
        ask_for_torchviz_file(panel, view, lambda path: save("torchviz", torchviz_work(path, session, view), tr("Saved {path}").format(path=path)))


def _action(panel: QWidget, menu: QMenu, words: str, act: Callable[[], object]) -> QAction:
    action = QAction(words, panel)
    action.triggered.connect(lambda: act())
    panel.addAction(action)
    menu.addAction(action)
    return action


def _fill(menu: QMenu, panel: GraphPanel) -> None:
    menu.clear()
    for number, words in panel.choices.backwards.others(panel.view) if panel.view is not None else ():
        menu.addAction(words).triggered.connect(lambda _, number=number: panel.choices.compare_with(number))
    if menu.isEmpty():
        menu.addAction(tr("There is no other backward yet.")).setEnabled(False)
