"""Selecting and going in the graph: what a click, a key, a crumb, a hit or another panel's selection leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tensorscope.viewmodel.graph import GraphView, place_of
from tensorscope.viewmodel.graph_scene import BoxKey
from tensorscope.viewmodel.graph_selection import selected_place, to_reveal
from tensorscope.viewmodel.graph_walk import neighbour
from tensorscope.viewmodel.workspace import BlockSelection, ModuleSelection, NodeSelection, ParameterSelection, Selection, StorageSelection

if TYPE_CHECKING:
    from tensorscope.gui.panels.graph import GraphPanel


class GraphNavigator:
    """Belongs to one panel. GUI thread."""

    def __init__(self, panel: GraphPanel) -> None:
        self._panel = panel
        self.reveal: NodeSelection | None = None  # to be brought into view by the next result
        self._reach: BoxKey | None = None  # the same of a module's box
        self._own_selection: object = None

    @property
    def _view(self) -> GraphView | None:
        return self._panel.view

    def arrive(self, view: GraphView, revealed: NodeSelection | None) -> None:
        """A result is shown in which ``revealed`` stands open: go to what it was asked for."""
        if self._reach is not None and self._reach in view.scene.index:
            self._panel.canvas.go_to(self._reach)
            self._reach = None
        if revealed is not None and revealed == self.reveal:
            self.reveal = None
            place = place_of(view.graph, revealed.node)
            if place >= 0:
                self._panel.canvas.go_to_node(place)

    def follow(self, selection: Selection | None) -> None:
        """Something was selected, here or in another panel."""
        if selection != self._own_selection:
            self._bring_into_view(selection)

    def follow_links(self, selection: Selection | None) -> None:
        """The nodes that belong to a selected storage have been found."""
        if isinstance(selection, StorageSelection | BlockSelection):
            self._bring_into_view(selection)

    def choose(self, key: BoxKey | None) -> None:
        view = self._view
        if view is None:
            return
        if self._panel.choices.path_from is not None and key is not None:
            self._panel.choices.end_path((self._panel.choices.path_from, key))
            return
        selection: NodeSelection | ModuleSelection | None = None
        if key is not None and key.node >= 0:
            selection = NodeSelection(view.graph.backward, view.graph.nodes[key.node].id)
        elif key is not None and key.group is not None:
            selection = ModuleSelection(key.group.module, view.graph.backward)
        self._own_selection = selection
        self._panel.context.workspace.select(selection)
        self._panel.show_look()

    def choose_parameter(self, parameter: str) -> None:
        if self._view is not None:
            self._own_selection = ParameterSelection(parameter, self._view.graph.iteration, self._view.graph.backward)
            self._panel.context.workspace.select(self._own_selection)

    def go_to(self, key: BoxKey) -> None:
        """Select a node or module and open the way to it."""
        view = self._view
        if view is None:
            return
        self.choose(key)
        if key.node >= 0:
            self.reveal = NodeSelection(view.graph.backward, view.graph.nodes[key.node].id)
        elif key.group in view.tree.groups:
            self._reveal_group(key)
        self._panel.refresh()

    def walk(self, direction: Any) -> None:
        view = self._view
        if view is None:
            return
        folded = self._panel.canvas.look.folded
        start = view.scene.box_of(folded).key if folded >= 0 else next(iter(self._panel.canvas.look.selected), None)
        if start is None:
            shown = view.progress.current
            key: BoxKey | None = view.scene.box_of(shown).key if shown >= 0 else view.scene.boxes[0].key
        else:
            key = neighbour(view, start, direction)
        if key is not None:
            self.choose(key)
            self._panel.canvas.go_to(key)

    def start(self) -> BoxKey | None:
        """What is selected, as a path's end."""
        view = self._view
        if view is None:
            return None
        place = selected_place(view, self._panel.context.workspace.selection)
        return BoxKey(place) if place >= 0 else next(iter(self._panel.canvas.look.selected), None)

    def _bring_into_view(self, selection: Selection | None) -> None:
        """Open the way to what was selected in another panel."""
        if isinstance(selection, NodeSelection):
            held = self._panel.held()
            self._panel.choices.backwards.pinned = selection.backward if held is None or held[0] != selection.backward else None
            self.reveal = selection
            self._panel.refresh()
        elif isinstance(selection, ModuleSelection):
            group = self._view.tree.group_of_module(selection.module) if self._view is not None else None
            if group is not None and group.members:
                self._reveal_group(BoxKey(-1, group.key))
                self._panel.refresh()
        elif self._view is not None and (wanted := to_reveal(self._view, selection, self._panel.context.workspace.linked)) is not None:
            self.reveal = wanted
            self._panel.refresh()

    def _reveal_group(self, key: BoxKey) -> None:
        view = self._view
        assert view is not None
        assert key.group is not None
        self._panel.choices.state = self._panel.choices.state.revealing(view.tree.around(view.tree.groups[key.group]))
        self._panel.choices.anchor, self._reach = None, key
        self._panel.ask_anew()  # also where nothing else changes, the box is to be gone to

    def show_path(self, key: BoxKey) -> None:
        """From what is selected to a box; a plain choice where nothing is."""
        start = self.start()
        if start is None or start == key:
            self.choose(key)
        else:
            self._panel.choices.end_path((start, key))

    def go_to_crumb(self, value: Any) -> None:
        if value is None:
            self._panel.canvas.fit()
        elif self._view is not None:
            self.go_to(BoxKey(-1, value))
