"""Source: the file of what is selected or held, with the time and the live bytes of every line, and the calls that led there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from tensorscope.analysis.results import Source
from tensorscope.gui.message import Message, MessageView
from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.code_area import CodeArea
from tensorscope.gui.panels.heat_button import HeatButton
from tensorscope.gui.panels.prompt import Prompt
from tensorscope.language import tr, tr_later
from tensorscope.render.source import paint_calls, paint_source_head
from tensorscope.render.theme import Theme
from tensorscope.session.session import RunState
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_count
from tensorscope.viewmodel.emptiness import why_empty
from tensorscope.viewmodel.line_heat import Heat, heat_named
from tensorscope.viewmodel.links import selection_of_hold
from tensorscope.viewmodel.panel_words import source_words
from tensorscope.viewmodel.source_view import SourceView, source_view
from tensorscope.viewmodel.workspace import Aspect, SourceSelection

FOOTER_HEIGHT = 24


class SourcePanel(Panel):
    title = tr_later("Source")
    key = "source"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._view: SourceView | None = None
        self._chosen_file = ""
        self._heat = heat_named(context.kept.value("source heat"))
        self._stack = QStackedLayout(self)
        self._empty = MessageView(self._nothing(), context.theme, self)
        body = QWidget(self)
        self._head = _Head(context.theme, body)
        self._code = CodeArea(context.theme, body)
        self._calls = _Calls(context.theme, body)
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget, stretch in ((self._head, 0), (self._code, 1), (self._calls, 0)):
            layout.addWidget(widget, stretch)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(body)
        self._code.line_clicked.connect(self._choose_line)
        self._code.gutter_clicked.connect(self._toggle_breakpoint)
        self._code.linked_wanted.connect(self._go_to_linked)
        self._code.hot_wanted.connect(self._go_to_hot)
        self.heat_button = self._head.button
        self.heat_button.heat_chosen.connect(self.choose_heat)
        self.heat_button.line_chosen.connect(lambda line: self.context.workspace.select(SourceSelection(line.file, line.line)))
        self._calls.clicked = self._choose_call
        context.breakpoints.observe(self._show_breakpoints)
        context.problems.observe(self._show_problems)
        self.setFocusProxy(self._code)
        self._find = Prompt(tr("Find in this file"), context.theme, self._code)
        self._find.entered.connect(self._find_next)
        self._go_to = Prompt(tr("Go to a line"), context.theme, self._code)
        self._go_to.entered.connect(lambda text, _: self._go_to_line(text))
        for key, prompt in ((QKeySequence(QKeySequence.StandardKey.Find), self._find), (QKeySequence("Ctrl+G"), self._go_to)):
            shortcut = QShortcut(key, self, prompt.open)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)  # other panels have the same keys

    @property
    def view(self) -> SourceView | None:
        return self._view

    def tabs(self) -> tuple[str, ...]:
        return tuple(Path(file).name for file in self._view.files) if self._view is not None else (tr(self.title),)

    def current_tab(self) -> int:
        return self._view.files.index(self._view.file) if self._view is not None else 0

    def badge_of(self, page: int) -> str:
        """How many lines of a file belong to the selection, where they lie in other files too."""
        counts = self.context.workspace.linked.count_by_file()
        count = counts.get(self._view.files[page], 0) if self._view is not None and page < len(self._view.files) else 0
        return format_count(count) if count and len(counts) > 1 else ""

    def choose_tab(self, index: int) -> None:
        if self._view is not None and index < len(self._view.files):
            self._chosen_file = self._view.files[index]
            self.refresh()

    def request(self, snapshot: Snapshot) -> Callable[[], SourceView | None]:
        workspace, status = self.context.workspace, self.context.session.status
        held = selection_of_hold(status.held) if status.state is RunState.HELD and status.held is not None else None
        selection, links, cursor, chosen = workspace.selection, workspace.linked, workspace.cursor_ns, self._chosen_file
        heat = self._heat
        return lambda: source_view(snapshot, selection, held, cursor, chosen, links, heat)

    def show_result(self, result: SourceView | None) -> None:
        before = (self.tabs(), self.current_tab())
        self._view = result
        if result is None:
            self._show_message(self._nothing())
        elif result.code.problem:
            self._show_message(Message(result.code.problem, tr("The recording keeps names and lines, not the text of files."), "file-code"))
        else:
            self._stack.setCurrentIndex(1)
            self._head.show_view(result)
            self._code.show_view(result)
            self._show_linked()
            self._show_breakpoints()
            self._show_problems()
            self._calls.show_calls(result.calls)
        if (self.tabs(), self.current_tab()) != before:
            self.header_changed.emit()

    def summary(self) -> str:
        return source_words(self._view) if self._view is not None else ""

    def workspace_changed(self, aspect: Aspect) -> None:
        if aspect is Aspect.SELECTION:
            self._chosen_file = ""
        if aspect in (Aspect.SELECTION, Aspect.CURSOR):
            self.refresh()
        elif aspect is Aspect.LINKED:
            self._show_linked()
            self.header_changed.emit()
            if self._view is None or not set(self.context.workspace.linked.count_by_file()) <= set(self._view.files):
                self.refresh()

    def theme_changed(self) -> None:
        for widget in (self._head, self._code.viewport(), self._calls, self._empty):
            widget.update()

    def _show_message(self, message: Message) -> None:
        self._empty.message = message
        self._empty.update()
        self._stack.setCurrentIndex(0)

    def _nothing(self) -> Message:
        return Message(*why_empty(self.key, self.context.session.status, self.context.snapshot()), "file-code")

    def choose_heat(self, heat: Heat) -> None:
        """By what lines are compared, in this run and the next ones."""
        self._heat = heat
        self.context.kept.keep("source heat", heat.value)
        self.refresh()

    def _go_to_hot(self, step: int) -> None:
        """Select the hottest line of all files; from one of the hottest the next one, or (-1) the one before."""
        places = [(line.file, line.line) for line in self._view.hot] if self._view is not None else []
        selection = self.context.workspace.selection
        at = places.index((selection.file, selection.line)) if isinstance(selection, SourceSelection) and (selection.file, selection.line) in places else -1
        if places:
            file, line = places[max(at + step, 0) % len(places)]
            self.context.workspace.select(SourceSelection(file, line))

    def _show_linked(self) -> None:
        self._code.show_linked(self.context.workspace.linked.lines_of(self._view.file) if self._view is not None else frozenset())

    def _go_to_linked(self, step: int) -> None:
        """Bring the next line that belongs to the selection into view; after the last of a file come those of the next file with some."""
        if self._view is None or self._code.go_to_linked(step):
            return
        counts = self.context.workspace.linked.count_by_file()
        files = [file for file in self._view.files if file in counts]
        if files:
            at = files.index(self._view.file) if self._view.file in files else -1
            self._chosen_file = files[(at + step) % len(files)]
            self.refresh()

    def _choose_line(self, line: int) -> None:
        if self._view is not None:
            self.context.workspace.select(SourceSelection(self._view.file, line))

    def _find_next(self, text: str, is_backwards: bool) -> None:
        """Choose the next line that holds a text, or the one before; after the last comes the first."""
        lines = self._view.code.lines if self._view is not None and text else ()
        found = [number for number, line in enumerate(lines, 1) if text.lower() in line.lower()]
        if self._view is None or not found:
            self._find.say(tr("No line of this file holds it.") if text else "")
            return
        at = self._view.selected_line
        before, after = [line for line in found if line < at], [line for line in found if line > at]
        self._find.say("")
        self._choose_line((before or found)[-1] if is_backwards else (after or found)[0])

    def _go_to_line(self, text: str) -> None:
        last = len(self._view.code.lines) if self._view is not None else 0
        if text.strip().isdecimal() and 1 <= int(text) <= last:
            self._go_to.leave()
            self._choose_line(int(text))
        else:
            self._go_to.say(tr("Type a line from 1 to {last}.").format(last=last))

    def _toggle_breakpoint(self, line: int) -> None:
        if self._view is not None:
            self.context.breakpoints.toggle_line(self._view.file, line)

    def _show_breakpoints(self) -> None:
        self._code.show_breakpoints(self.context.breakpoints.lines_of(self._view.file) if self._view is not None else {})

    def _show_problems(self) -> None:
        self._code.show_problems(self.context.problems.of_file(self._view.file) if self._view is not None else {})

    def _choose_call(self, call: Source) -> None:
        self.context.workspace.select(SourceSelection(call.file, call.line))


class _Head(QWidget):
    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: SourceView | None = None
        self.setFixedHeight(round(theme().px("size.table_header")))
        self.button = HeatButton(theme, self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_button()

    def _place_button(self) -> None:
        self.button.move(self.width() - self.button.width() - 4, 0)

    def show_view(self, view: SourceView) -> None:
        self._view = view
        self.button.show_view(view)
        self._place_button()
        self.setToolTip(view.file)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            if self._view is not None:
                paint_source_head(painter, QRectF(0, 0, self.button.x() - 4, self.height()), self._view, theme)
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line.subtle"))


class _Calls(QWidget):
    """The forward call stack under the code; a click goes to the call."""

    def __init__(self, theme: Callable[[], Theme], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[Source, ...] = ()
        self._places: list[tuple[QRectF, Source]] = []
        self.clicked: Callable[[Source], None] | None = None
        self.setFixedHeight(FOOTER_HEIGHT)
        self.hide()

    def show_calls(self, calls: tuple[Source, ...]) -> None:
        self._shown = calls
        self.setVisible(bool(calls))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.fillRect(0, 0, self.width(), 1, theme.color("line.subtle"))
            self._places = paint_calls(painter, QRectF(self.rect()), self._shown, theme)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = QPointF(event.position())
        call = next((call for rect, call in self._places if rect.contains(at)), None)
        if call is not None and self.clicked is not None:
            self.clicked(call)
