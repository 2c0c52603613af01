"""Every action of the window, declared once: its words, key and icon. Buttons, menus and the key sheet read the same table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class ActionSpec:
    name: str
    text: str
    key: str
    icon: str
    hint: str


ACTIONS: Final = (
    ActionSpec("continue", "Continue", "F5", "play", "Let the script run on"),
    ActionSpec("pause", "Pause", "F6", "pause", "Hold before the next node of a backward"),
    ActionSpec("stop", "Stop", "Shift+F5", "square", "End the script"),
    ActionSpec("restart", "Restart", "Ctrl+Shift+F5", "rotate-ccw", "Run the script again from its start"),
    ActionSpec("step_node", "Node", "F10", "arrow-down-to-dot", "Run this node and hold before the next"),
    ActionSpec("step_module", "Module", "F11", "corner-down-right", "Run on and hold before a node of another module"),
    ActionSpec("step_out", "Out", "Shift+F11", "corner-left-up", "Run on and hold before the first node outside the block around this one"),
    ActionSpec("step_back", "Back", "Shift+F10", "undo-2", "Look back one node in what is recorded; Node goes forward again"),
    ActionSpec("step_iteration", "Iteration", "Ctrl+F10", "repeat", "Run on and hold before the first node of the next iteration"),
    ActionSpec("break_line", "Breakpoint at this line", "F9", "circle-dot", "Set or take away a breakpoint at the line that is selected in Source"),
    ActionSpec("next_problem", "Next problem", "F8", "chevron-down", "Go to the next problem"),
    ActionSpec("previous_problem", "Previous problem", "Shift+F8", "chevron-up", "Go to the problem before"),
    ActionSpec("rank_after", "Next rank", "Ctrl+PgDown", "chevron-down", "Show the next rank of the job"),
    ActionSpec("rank_before", "Previous rank", "Ctrl+PgUp", "chevron-up", "Show the rank before"),
    ActionSpec("open", "Open recording…", "Ctrl+O", "folder-open", "Open a recording in a window of its own"),
    ActionSpec("save_as", "Save as…", "Ctrl+Shift+S", "save", "Keep this run as a recording"),
    ActionSpec("export_picture", "Export picture…", "Ctrl+E", "camera", "Save the focused panel as a picture"),
    ActionSpec("export_window", "Export picture of the window…", "Ctrl+Shift+E", "image", "Save the whole window as a picture"),
    ActionSpec("maximize", "Maximize panel", "Ctrl+M", "maximize", "Give the focused panel the whole window, and back"),
    ActionSpec("theme", "Dark or light", "Ctrl+Shift+L", "sun", "Change to the other theme"),
    ActionSpec("follow", "Follow the run", "End", "skip-forward", "Return the cursor to now"),
    ActionSpec("clear", "Clear the selection", "Esc", "x", "Return from the past, then clear the selection"),
    ActionSpec("palette", "All actions…", "Ctrl+Shift+P", "search", "Find an action by its words"),
    ActionSpec("keys", "Keys", "?", "keyboard", "Show every key"),
    ActionSpec("close", "Close window", "Ctrl+Q", "x", "Close; the script runs on"),
)
STEPS: Final = ("step_node", "step_module", "step_out", "step_back", "step_iteration")
RUN_CONTROLS: Final = ("continue", "pause", "stop", "restart", *STEPS)


def make_actions(owner: QWidget) -> dict[str, QAction]:
    """One QAction a line of the table, owned by the window, with its key in the tool tip."""
    actions = {}
    for spec in ACTIONS:
        action = QAction(spec.text, owner)
        action.setShortcut(QKeySequence(spec.key))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setToolTip(f"{spec.hint}  ({spec.key})")
        action.setProperty("icon_name", spec.icon)
        owner.addAction(action)
        actions[spec.name] = action
    return actions


def panel_actions(panels: Sequence[tuple[str, str]], show: Callable[[str], object], owner: QWidget) -> list[QAction]:
    """Alt+1 … for the panels given as (key, title), in their order."""
    actions = []
    for number, (key, title) in enumerate(panels, 1):
        action = QAction(f"Go to {title}", owner)
        action.setShortcut(QKeySequence(f"Alt+{number}"))
        action.triggered.connect(lambda _=False, key=key: show(key))
        actions.append(action)
    return actions
