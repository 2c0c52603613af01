"""The graph panel: one backward, grouped by module, at the moment of the cursor or where the script stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.graph_canvas import GraphCanvas
from tensorscope.gui.panels.graph_context import context_menu
from tensorscope.gui.panels.graph_export import ask_for_graph_file, export_work
from tensorscope.gui.panels.graph_finder import GraphFinder
from tensorscope.gui.panels.graph_hover import card_of
from tensorscope.gui.panels.graph_keys import connect
from tensorscope.gui.panels.graph_marks import marked_inside, shown_links
from tensorscope.gui.panels.graph_navigator import GraphNavigator
from tensorscope.gui.panels.graph_side import GraphSide
from tensorscope.gui.panels.graph_tools import GraphTools, crumbs_of
from tensorscope.gui.panels.graph_waiting import Waiting
from tensorscope.language import tr, tr_later
from tensorscope.render.graph_style import graph_metrics
from tensorscope.render.message import paint_message
from tensorscope.session.session import RunState
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.emptiness import why_empty
from tensorscope.viewmodel.graph import GraphDocument, GraphView
from tensorscope.viewmodel.graph_choices import GraphChoices
from tensorscope.viewmodel.graph_find import Kind
from tensorscope.viewmodel.graph_kept import recall, remember
from tensorscope.viewmodel.graph_open import OpenState
from tensorscope.viewmodel.graph_pick import Picked
from tensorscope.viewmodel.graph_progress import DONE
from tensorscope.viewmodel.graph_request import GraphWish, compute_graph
from tensorscope.viewmodel.graph_scene import Box, BoxKey
from tensorscope.viewmodel.graph_selection import folded_place, selected_keys, selected_place
from tensorscope.viewmodel.graph_side import change_side, path_side
from tensorscope.viewmodel.graph_work import GraphWork, LayoutCancelled
from tensorscope.viewmodel.workspace import Aspect


class GraphPanel(Panel):
    title = tr_later("Graph")
    key = "graph"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._document = GraphDocument()
        self.choices = GraphChoices(lambda: self.view, self._choices_changed)
        self.navigator = GraphNavigator(self)
        self._asked: tuple[Snapshot, GraphWish] | None = None
        self._is_answered = False
        self.canvas = GraphCanvas(context.theme, self)
        self.canvas.hide()
        self.side = GraphSide(context.theme, self)
        self.tools = GraphTools(context.theme)
        self._finder = GraphFinder(self.tools.search, recall(context.kept, self.choices))
        self.tools.show_choices(self.choices)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.canvas, 1)
        layout.addWidget(self.side)
        self.setFocusProxy(self.canvas)
        self._waiting = Waiting(self.canvas.wait, self)
        connect(self)

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
        before, self._asked = self._asked, (snapshot, wish)
        if before is not None and (before[1].state, before[1].metrics) != (wish.state, wish.metrics):
            self._waiting.cancel()  # what the user does not want any more
        document, work = self._document, self._waiting.begin(len(self.view.tree.folded.drawn) if self.view is not None else 0)
        return lambda: (_computed(snapshot, wish, document, work), wish)

    def show_result(self, result: tuple[GraphView | LayoutCancelled | None, GraphWish]) -> None:
        view, wish = result
        if self._asked is not None and self._asked[1] == wish:
            self._waiting.end()
        if isinstance(view, LayoutCancelled):
            return
        self._is_answered = True
        if view is None:
            self.canvas.hide()
            self.side.hide()
            self.update()
            return
        choices = self.choices
        if wish.state == choices.state:
            choices.state = view.state
        is_other_tree = self.view is None or self.view.tree is not view.tree
        anchor, choices.anchor = choices.anchor, None
        self.canvas.show()
        self.canvas.show_view(view, anchor)
        if is_other_tree:
            self._finder.meet(view)
        self.show_look()
        self.navigator.arrive(view, wish.reveal)

    def ask_anew(self) -> None:
        """The next refresh computes, whether or not anything else is wished."""
        self._asked = None

    def cancel(self) -> None:
        """Esc: stop a layout, else leave the choice of a path's end, the path, the comparison, the list."""
        if self.canvas.waiting is not None:
            self._waiting.cancel()
            self.choices.state = self.view.state if self.view is not None else OpenState()
            self._waiting.end()
        elif self.choices.path_from is not None:
            self.choices.leave_path()
        else:
            self.close_list()

    def export(self, path: Path, by_graphviz: bool = False) -> None:
        """Write the graph as it stands open (PNG, SVG, PDF), or all of it by graphviz or for it (PDF, DOT), by the name's ending."""
        if self.view is not None:
            work = export_work(path, self.context.snapshot(), self.view, self.context.theme().look, by_graphviz=by_graphviz)
            self.work_wanted.emit("export graph", work, tr("Saved {path}").format(path=path))

    def ask_for_file(self) -> None:
        if self.view is not None:
            ask_for_graph_file(self, self.context.snapshot(), self.view, self.export)

    def summary(self) -> str:
        if self.view is None:
            return ""
        state = self.view.progress.state
        words = tr("Backward {backward}: {count} nodes, {done} done.")
        return words.format(backward=self.view.graph.backward, count=len(state), done=int((state == DONE).sum()))

    def workspace_changed(self, aspect: Aspect) -> None:
        if aspect is Aspect.SELECTION:
            self.navigator.follow(self.context.workspace.selection)
            self.show_look()
        elif aspect is Aspect.LINKED:
            self.navigator.follow_links(self.context.workspace.selection)
            self.show_look()
        elif aspect is Aspect.CURSOR:
            self.choices.backwards.pinned = None
            self.refresh()

    def theme_changed(self) -> None:
        self.tools.apply_theme()
        self.side.apply_theme()
        self.refresh()
        self.canvas.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.canvas.isHidden() and self._is_answered:
            title, advice = why_empty(self.key, self.context.session.status, self.context.snapshot())
            with QPainter(self) as painter:
                paint_message(painter, self.rect().toRectF(), self.context.theme(), title, advice, "workflow")

    def _wish(self) -> GraphWish:
        chosen = self.choices
        return GraphWish(
            graph_metrics(self.context.theme(), chosen.options),
            chosen.state,
            self.context.workspace.cursor_ns,
            self.held(),
            chosen.backwards.pinned,
            self.navigator.reveal,
            chosen.measure,
            chosen.ends,
            chosen.backwards.other,
        )

    def _choices_changed(self) -> None:
        self.tools.show_choices(self.choices)
        remember(self.context.kept, self.choices, self._finder.kinds)
        self.refresh()
        self.show_look()

    def held(self) -> tuple[int, int] | None:
        """Backward and id of the node before which the script stands."""
        status = self.context.session.status
        if status.state is not RunState.HELD or status.held is None:
            return None
        return int(status.held["backward"]) - 1, int(status.held["node_index"])

    # what stands out

    def show_look(self) -> None:
        view = self.view
        if view is None:
            return
        selection = self.context.workspace.selection
        folded = folded_place(view, selection)
        links = self.context.workspace.linked
        selected = selected_keys(view, selection, links) if folded < 0 else frozenset()
        hits, hit = frozenset(self._finder.hits.places), self._finder.hit
        line, words = shown_links(view, selection, links)
        look = replace(self.canvas.look, selected=selected, folded=folded, hits=hits, hit=hit, inside=marked_inside(view, {*hits, *line}))
        self.canvas.show_look(look)
        self.canvas.say(tr("Click where the path leads to. Esc leaves it.") if self.choices.path_from is not None else words)
        backwards = self.choices.backwards
        self.tools.show_numbers(backwards.beside(view, -1) is not None, backwards.beside(view, 1) is not None, backwards.pinned is not None)
        self.tools.crumbs.show_crumbs(crumbs_of(view, selection))
        self._finder.show_count()
        self.side.show_side(self._finder.side() or path_side(view) or (None if self.choices.has_closed_list else change_side(view)))

    def close_list(self) -> None:
        if self._finder.hits.query:
            self.tools.search.clear()
            self.search("")
        else:
            self.choices.close_list()

    def explain(self, picked: Picked | None, at: QPointF) -> None:
        view = self.view
        self.canvas.explain(card_of(view, picked) if view is not None and picked is not None else None, at)

    def open_menu(self, box: Box | None, at: QPoint) -> None:
        if self.view is not None:
            menu = context_menu(self.choices, self.canvas, self.navigator.show_path, self.view, box, self.navigator.start(), self)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(at)

    # search

    def search(self, query: str) -> None:
        if self.view is not None:
            self._finder.search(self.view, query)
            self.show_look()

    def toggle_kind(self, kind: Kind) -> None:
        if self.view is not None:
            self._finder.toggle(self.view, kind)
            remember(self.context.kept, self.choices, self._finder.kinds)
            self.show_look()

    def go_to_hit(self, step: int) -> None:
        view = self.view
        hit = self._finder.go(view, step, selected_place(view, self.context.workspace.selection)) if view is not None else None
        if hit is not None:
            self.navigator.go_to(BoxKey(hit.place) if hit.group is None else BoxKey(-1, hit.group.key))
        self.show_look()


def _computed(snapshot: Snapshot, wish: GraphWish, document: GraphDocument, work: GraphWork) -> GraphView | LayoutCancelled | None:
    try:
        return compute_graph(snapshot, wish, document, work.check)
    except LayoutCancelled as cancelled:
        return cancelled
