"""Every action of the window, declared once: its words, key and icon. Buttons, menus and the key sheet read the same table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from tensorscope.language import tr, tr_later


@dataclass(frozen=True, slots=True)
class ActionSpec:
    name: str
    text: str
    key: str
    icon: str
    hint: str


ACTIONS: Final = (
    ActionSpec("continue", tr_later("Continue"), "F5", "play", tr_later("Let the script run on")),
    ActionSpec("pause", tr_later("Pause"), "F6", "pause", tr_later("Hold before the next node of a backward")),
    ActionSpec("stop", tr_later("Stop"), "Shift+F5", "square", tr_later("End the script")),
    ActionSpec("restart", tr_later("Restart"), "Ctrl+Shift+F5", "rotate-ccw", tr_later("Run the script again from its start")),
    ActionSpec("step_node", tr_later("Node"), "F10", "arrow-down-to-dot", tr_later("Run this node and hold before the next")),
    ActionSpec("step_module", tr_later("Module"), "F11", "corner-down-right", tr_later("Run on and hold before a node of another module")),
    ActionSpec("step_out", tr_later("Out"), "Shift+F11", "corner-left-up", tr_later("Run on and hold before the first node outside the block around this one")),
    ActionSpec("step_back", tr_later("Back"), "Shift+F10", "undo-2", tr_later("Look back one node in what is recorded; Node goes forward again")),
    ActionSpec("step_iteration", tr_later("Iteration"), "Ctrl+F10", "repeat", tr_later("Run on and hold before the first node of the next iteration")),
    ActionSpec(
        "break_line", tr_later("Breakpoint at this line"), "F9", "circle-dot", tr_later("Set or take away a breakpoint at the line that is selected in Source")
    ),
    ActionSpec("bookmark", tr_later("Bookmark"), "Ctrl+B", "bookmark", tr_later("Mark the row chosen in Events, else the moment that is looked at")),
    ActionSpec("next_problem", tr_later("Next problem"), "F8", "chevron-down", tr_later("Go to the next problem")),
    ActionSpec("previous_problem", tr_later("Previous problem"), "Shift+F8", "chevron-up", tr_later("Go to the problem before")),
    ActionSpec("rank_after", tr_later("Next rank"), "Ctrl+PgDown", "chevron-down", tr_later("Show the next rank of the job")),
    ActionSpec("rank_before", tr_later("Previous rank"), "Ctrl+PgUp", "chevron-up", tr_later("Show the rank before")),
    ActionSpec("open", tr_later("Open recording…"), "Ctrl+O", "folder-open", tr_later("Open a recording in a window of its own")),
    ActionSpec("save_as", tr_later("Save as…"), "Ctrl+Shift+S", "save", tr_later("Keep this run as a recording")),
    ActionSpec("export_picture", tr_later("Export picture…"), "Ctrl+E", "camera", tr_later("Save the focused panel as a picture")),
    ActionSpec("export_window", tr_later("Export picture of the window…"), "Ctrl+Shift+E", "image", tr_later("Save the whole window as a picture")),
    ActionSpec("maximize", tr_later("Maximize panel"), "Ctrl+M", "maximize", tr_later("Give the focused panel the whole window, and back")),
    ActionSpec(
        "undock", tr_later("Panel in a window of its own"), "Ctrl+Shift+M", "app-window", tr_later("Give the focused panel a window of its own, and back")
    ),
    ActionSpec("next_panel", tr_later("Next panel"), "Ctrl+Tab", "chevron-right", tr_later("Give the keys to the next panel that is shown")),
    ActionSpec("previous_panel", tr_later("Previous panel"), "Ctrl+Shift+Tab", "chevron-left", tr_later("Give the keys to the panel before")),
    ActionSpec("next_tab", tr_later("Next tab"), "Ctrl+Alt+PgDown", "chevron-right", tr_later("Show the next tab beside the focused panel's")),
    ActionSpec("previous_tab", tr_later("Previous tab"), "Ctrl+Alt+PgUp", "chevron-left", tr_later("Show the tab before it")),
    ActionSpec("theme", tr_later("Dark or light"), "Ctrl+Shift+L", "sun", tr_later("Change to the other theme")),
    ActionSpec("settings", tr_later("Settings…"), "Ctrl+,", "settings", tr_later("Theme, language, what a run keeps, breakpoints, layout")),
    ActionSpec("reset_layout", tr_later("Reset the layout"), "Ctrl+Shift+0", "undo-2", tr_later("Give every panel its first place and size")),
    ActionSpec("follow", tr_later("Follow the run"), "End", "skip-forward", tr_later("Return the cursor to now")),
    ActionSpec("clear", tr_later("Clear the selection"), "Esc", "x", tr_later("Return from the past, then clear the selection")),
    ActionSpec("palette", tr_later("All actions…"), "Ctrl+Shift+P", "search", tr_later("Find an action by its words")),
    ActionSpec("keys", tr_later("Keys"), "?", "keyboard", tr_later("Show every key")),
    ActionSpec("close", tr_later("Close window"), "Ctrl+Q", "x", tr_later("Close; the script runs on")),
)
STEPS: Final = ("step_node", "step_module", "step_out", "step_back", "step_iteration")
RUN_CONTROLS: Final = ("continue", "pause", "stop", "restart", *STEPS)


def make_actions(owner: QWidget) -> dict[str, QAction]:
    """One QAction a line of the table, owned by the window, with its key in the tool tip."""
    actions = {}
    for spec in ACTIONS:
        action = QAction(tr(spec.text), owner)
        action.setShortcut(QKeySequence(spec.key))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setToolTip(f"{tr(spec.hint)}  ({spec.key})")
        action.setProperty("icon_name", spec.icon)
        owner.addAction(action)
        actions[spec.name] = action
    return actions


def panel_actions(panels: Sequence[tuple[str, str]], show: Callable[[str], object], owner: QWidget) -> list[QAction]:
    """Alt+1 … for the panels given as (key, title), in their order."""
    actions = []
    for number, (key, title) in enumerate(panels, 1):
        action = QAction(tr("Go to {panel}").format(panel=tr(title)), owner)
        action.setShortcut(QKeySequence(f"Alt+{number}"))
        action.triggered.connect(lambda _=False, key=key: show(key))
        actions.append(action)
    return actions
