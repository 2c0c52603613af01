"""The graph panel: one backward, grouped by module, at the moment of the cursor or where the script stands."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.graph_canvas import GraphCanvas
from tensorscope.gui.panels.graph_export import PICTURES, ask_for_graph_file, graphviz_work, save_picture
from tensorscope.gui.panels.graph_finder import GraphFinder
from tensorscope.gui.panels.graph_tools import Crumb, GraphTools
from tensorscope.render.graph_style import graph_metrics
from tensorscope.render.hover_card import Card
from tensorscope.render.message import paint_message
from tensorscope.session.session import RunState
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.graph import GraphDocument, GraphView, place_of
from tensorscope.viewmodel.graph_cards import CardText, badge_card, box_card, link_card, place_words
from tensorscope.viewmodel.graph_heat import Measure
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_options import GraphOptions
from tensorscope.viewmodel.graph_pick import Picked
from tensorscope.viewmodel.graph_request import GraphWish, compute_graph
from tensorscope.viewmodel.graph_scene import BoxKey, BoxKind
from tensorscope.viewmodel.graph_search import neighbour
from tensorscope.viewmodel.graph_selection import folded_place, selected_keys, selected_place, to_reveal
from tensorscope.viewmodel.workspace import Aspect, ModuleSelection, NodeSelection, ParameterSelection, Selection


class GraphPanel(Panel):
    title = "Graph"
    key = "graph"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._document = GraphDocument()
        self._state = OpenState()
        self._pinned: int | None = None
        self._reveal: NodeSelection | None = None  # to be brought into view by the next result
        self._anchor: BoxKey | None = None
        self._own_selection: object = None
        self._asked: tuple[Snapshot, GraphWish] | None = None
        self._is_answered = False
        self._measure = Measure.PROGRESS
        self._options = GraphOptions()
        self.canvas = GraphCanvas(context.theme, self)
        self.canvas.hide()
        self.tools = GraphTools(context.theme)
        self._finder = GraphFinder(self.tools.search)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)
        self.setFocusProxy(self.canvas)
        export = QAction("Export graph…", self)
        export.triggered.connect(self._ask_for_file)
        self.addAction(export)
        self._connect()

    @property
    def view(self) -> GraphView | None:
        return self.canvas.view

    def tool_row(self) -> QWidget | None:
        return self.tools

    def sizeHint(self) -> QSize:
        return QSize(538, 400)

    # asked and answered

    def request(self, snapshot: Snapshot) -> Callable[[], Any] | None:
        wish = self._wish()
        if self._asked is not None and self._asked[0] is snapshot and self._asked[1] == wish:
            return None
        self._asked = (snapshot, wish)
        document = self._document
        return lambda: (compute_graph(snapshot, wish, document), wish)

    def show_result(self, result: tuple[GraphView | None, GraphWish]) -> None:
        view, wish = result
        self._is_answered = True
        if view is None:
            self.canvas.hide()
            self.update()
            return
        if wish.state == self._state:
            self._state = view.state
        is_other_tree = self.view is None or self.view.tree is not view.tree
        anchor, self._anchor = self._anchor, None
        self.canvas.show()
        self.canvas.show_view(view, anchor)
        if is_other_tree:
            self._finder.meet(view)
        self._show_look()
        if wish.reveal is not None and wish.reveal == self._reveal:
            self._reveal = None
            place = place_of(view.graph, wish.reveal.node)
            if place >= 0:
                self.canvas.go_to_node(place)

    def export(self, path: Path) -> None:
        """Write the graph as it stands open (PNG, SVG), or all of it for graphviz (PDF, DOT), by the name's ending."""
        view, snapshot = self.view, self.context.snapshot()
        if view is not None and path.suffix in PICTURES:
            save_picture(self, path, snapshot, view, self.context.theme().name)
        elif view is not None:
            self.work_wanted.emit("export graph", graphviz_work(path, snapshot, view), f"Saved {path}")

    def workspace_changed(self, aspect: Aspect) -> None:
        selection = self.context.workspace.selection
        if aspect is Aspect.SELECTION:
            if selection != self._own_selection:
                self._bring_into_view(selection)
            self._show_look()
        elif aspect is Aspect.CURSOR:
            self._pinned = None
            self.refresh()

    def theme_changed(self) -> None:
        self.tools.apply_theme()
        self.refresh()
        self.canvas.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.canvas.isHidden() and self._is_answered:
            advice = "Step with F10 or continue with F5." if self.context.session.is_live else "The run ended before its first backward."
            with QPainter(self) as painter:
                paint_message(painter, self.rect().toRectF(), self.context.theme(), "No backward yet.", advice, "workflow")

    # inside

    def _connect(self) -> None:
        self.canvas.chosen.connect(self._choose)
        self.canvas.parameter_chosen.connect(self._choose_parameter)
        self.canvas.toggled.connect(self._toggle)
        self.canvas.walked.connect(self._walk)
        self.canvas.hovered.connect(self._explain)
        self.tools.stepped.connect(self._step_backward)
        self.tools.follow_clicked.connect(lambda: self._pin(None))
        self.tools.measure_chosen.connect(self._show_measure)
        self.tools.options_chosen.connect(self.show_options)
        self.tools.crumbs.clicked.connect(self._go_to_crumb)
        self.tools.search.searched.connect(self._search)
        self.tools.search.returnPressed.connect(lambda: self._go_to_hit(1))
        for keys, act in (
            ("Ctrl+F", self._focus_search),
            ("/", self._focus_search),
            ("[", lambda: self._step_backward(-1)),
            ("]", lambda: self._step_backward(1)),
            ("N", lambda: self._go_to_hit(1)),
            ("Shift+N", lambda: self._go_to_hit(-1)),
        ):
            shortcut = QShortcut(QKeySequence(keys), self.canvas, context=Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(act)

    def _wish(self) -> GraphWish:
        cursor_ns = self.context.workspace.cursor_ns
        return GraphWish(graph_metrics(self.context.theme(), self._options), self._state, cursor_ns, self._held(), self._pinned, self._reveal, self._measure)

    def _held(self) -> tuple[int, int] | None:
        """Backward and id of the node before which the script stands."""
        status = self.context.session.status
        if status.state is not RunState.HELD or status.held is None:
            return None
        return int(status.held["backward"]) - 1, int(status.held["node_index"])

    def _show_look(self) -> None:
        view = self.view
        if view is None:
            return
        selection = self.context.workspace.selection
        folded = folded_place(view, selection)
        selected = selected_keys(view, selection) if folded < 0 else frozenset()
        hits, hit = frozenset(self._finder.hits.places), self._finder.hit
        self.canvas.show_look(replace(self.canvas.look, selected=selected, folded=folded, hits=hits, hit=hit))
        self.tools.show_numbers(self._number_beside(-1) is not None, self._number_beside(1) is not None, self._pinned is not None)
        self.tools.crumbs.show_crumbs(self._crumbs(view))
        self._finder.show_count()

    def _crumbs(self, view: GraphView) -> tuple[Crumb, ...]:
        selection = self.context.workspace.selection
        selected = selected_place(view, selection)
        place = selected if selected >= 0 else view.progress.current
        path = view.tree.path(place) if place >= 0 else ()
        if isinstance(selection, ModuleSelection) and (group := view.tree.group_of_module(selection.module)) is not None:
            path = (*view.tree.around(group), group)
        shown = path[1:] if path and path[0].is_alone else path
        return (Crumb(f"backward {view.graph.backward}", None), *(Crumb(group.name or group.class_name, group.key) for group in shown))

    def _choose(self, key: BoxKey | None) -> None:
        view = self.view
        if view is None:
            return
        selection: NodeSelection | ModuleSelection | None = None
        if key is not None and key.node >= 0:
            selection = NodeSelection(view.graph.backward, view.graph.nodes[key.node].id)
        elif key is not None and key.group is not None:
            selection = ModuleSelection(key.group.module, view.graph.backward)
        self._own_selection = selection
        self.context.workspace.select(selection)
        self._show_look()

    def _choose_parameter(self, parameter: str) -> None:
        if self.view is not None:
            self._own_selection = ParameterSelection(parameter, self.view.graph.iteration, self.view.graph.backward)
            self.context.workspace.select(self._own_selection)

    def _toggle(self, key: BoxKey) -> None:
        view = self.view
        if view is None or key not in view.scene.index:
            return
        box = view.scene.boxes[view.scene.index[key]]
        self._state = self._state.unrolling(box.groups) if box.kind is BoxKind.RUN else self._state.toggled(box.groups[0])
        self._anchor = key
        self.refresh()

    def _bring_into_view(self, selection: Selection | None) -> None:
        """Open the way to what was selected in another panel."""
        if isinstance(selection, NodeSelection):
            held = self._held()
            self._pinned = selection.backward if held is None or held[0] != selection.backward else None
            self._reveal = selection
            self.refresh()
        elif isinstance(selection, ModuleSelection):
            self._reveal_module(selection)
        elif self.view is not None and (wanted := to_reveal(self.view, selection)) is not None:
            self._reveal = wanted
            self.refresh()

    def _reveal_module(self, selection: ModuleSelection) -> None:
        view = self.view
        group = view.tree.group_of_module(selection.module) if view is not None else None
        if view is not None and group is not None and group.members:
            self._state = self._state.revealing(view.tree.around(group))
            self._anchor = None
            self.refresh()

    def _walk(self, direction: Any) -> None:
        view = self.view
        if view is None:
            return
        folded = self.canvas.look.folded
        start = view.scene.box_of(folded).key if folded >= 0 else next(iter(self.canvas.look.selected), None)
        if start is None:
            shown = view.progress.current
            key: BoxKey | None = view.scene.box_of(shown).key if shown >= 0 else view.scene.boxes[0].key
        else:
            key = neighbour(view, start, direction)
        if key is not None:
            self._choose(key)
            self.canvas.go_to(key)

    def _ask_for_file(self) -> None:
        if self.view is not None:
            ask_for_graph_file(self, self.context.snapshot(), self.view, self.export)

    # backwards

    def _number_beside(self, step: int) -> int | None:
        view = self.view
        if view is None or view.graph.backward not in view.numbers:
            return None
        index = view.numbers.index(view.graph.backward) + step
        return view.numbers[index] if 0 <= index < len(view.numbers) else None

    def _step_backward(self, step: int) -> None:
        number = self._number_beside(step)
        if number is not None:
            self._pin(number)

    def _pin(self, number: int | None) -> None:
        self._pinned = number
        self.refresh()
        self._show_look()

    def _show_measure(self, measure: Measure) -> None:
        self._measure = measure
        self.refresh()

    def show_options(self, options: GraphOptions) -> None:
        self._options = options
        self.tools.menu.show_options(options)
        self.refresh()

    def _go_to_crumb(self, value: Any) -> None:
        if value is None:
            self.canvas.fit()
        elif self.view is not None:
            key = BoxKey(-1, value)
            self._choose(key)
            self.canvas.go_to(key)

    # search

    def _focus_search(self) -> None:
        self.tools.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.tools.search.selectAll()

    def _search(self, query: str) -> None:
        if self.view is not None:
            self._finder.search(self.view, query)
            self._show_look()

    def _go_to_hit(self, step: int) -> None:
        view = self.view
        if view is None:
            return
        place = self._finder.go(view, step, selected_place(view, self.context.workspace.selection))
        if place >= 0:
            self._reveal = NodeSelection(view.graph.backward, view.graph.nodes[place].id)
            self._own_selection = self._reveal
            self.context.workspace.select(self._reveal)
            self.refresh()
        self._show_look()

    # hover

    def _explain(self, picked: Picked | None, at: QPointF) -> None:
        view = self.view
        text: CardText | None = None
        if view is not None and picked is not None:
            if picked.badge is not None:
                text = badge_card(view, picked.badge)
            elif picked.box is not None:
                text = box_card(view, picked.box)
            elif picked.line is not None:
                text = link_card(view, picked.line.links)
        self.canvas.explain(_card(text) if text is not None else None, at)


def _card(text: CardText) -> Card:
    facts = text.facts
    if text.source is not None:
        code = linecache.getline(text.source.file, text.source.line).strip()
        facts = ((place_words(text.source), code), *facts)
    return Card(text.title, text.note, facts, text.footer)
