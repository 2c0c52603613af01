"""Output: what the script printed, tied to time and to source lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget

from tensorscope.analysis.results import Source
from tensorscope.gui.message import Message, MessageView
from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.field import SearchField
from tensorscope.gui.panels.output_area import OutputArea
from tensorscope.gui.panels.segmented import Segmented
from tensorscope.gui.pill import PillButton
from tensorscope.language import tr, tr_later
from tensorscope.trace.snapshot import Snapshot
from tensorscope.viewmodel.output import OutputLine, OutputReader, OutputView
from tensorscope.viewmodel.panel_words import output_words
from tensorscope.viewmodel.run_growth import may_grow
from tensorscope.viewmodel.workspace import Aspect, SourceSelection

STREAMS: Final = ("", "stdout", "stderr")
NOTHING_YET: Final = (tr_later("Nothing was printed yet."), tr_later("What the script prints appears here, beside the terminal."))


class OutputPanel(Panel):
    title = tr_later("Output")
    key = "output"

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._reader = OutputReader()
        self._view: OutputView | None = None
        self._empty = MessageView(Message(*NOTHING_YET, "file-code"), context.theme, self)
        self.area = OutputArea(context.theme, self)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.area)
        self._tools = QWidget()
        self.streams = Segmented((tr("all"), "stdout", "stderr"), context.theme, self._tools)
        self.field = SearchField(tr("Find"), context.theme, self._tools)
        self.field.show_note("Ctrl F")
        self.field.setMaximumWidth(260)
        self.follow = PillButton(tr("Follow"), context.theme, self._tools)
        self.follow.setToolTip(tr("Keep the newest line in view"))
        row = QHBoxLayout(self._tools)
        row.setContentsMargins(12, 0, 12, 0)
        row.addWidget(self.streams)
        row.addStretch(1)
        row.addWidget(self.field, 2)
        row.addWidget(self.follow)
        self.setFocusProxy(self.area)
        self.streams.chosen.connect(lambda _: self.refresh())
        self.field.searched.connect(lambda _: self.refresh())
        self.field.returnPressed.connect(lambda: self._note_hit(self.area.go_to_hit(1)))
        self.follow.clicked.connect(lambda: self.area.follow(not self.area.is_following))
        self.area.follow_changed.connect(self.follow.set_on)
        self.area.line_clicked.connect(self._go_to_line)
        self.area.source_clicked.connect(self._go_to_source)
        self.follow.set_on(True)
        QShortcut(QKeySequence.StandardKey.Find, self, self.field.setFocus, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def tool_row(self) -> QWidget:
        return self._tools

    def request(self, snapshot: Snapshot) -> Callable[[], OutputView]:
        reader, stream, wanted = self._reader, STREAMS[self.streams.current], self.field.text()
        return lambda: reader.view(snapshot, stream, wanted)

    def show_result(self, result: OutputView) -> None:
        self._view = result
        self.follow.setVisible(may_grow(self.context.session.status))
        are_apart = {"stdout", "stderr"} <= result.streams
        self.streams.set_enabled_words(frozenset(range(3) if are_apart else (0,)))
        self._empty.message = self._nothing(result)
        self._empty.update()
        self._stack.setCurrentIndex(1 if result.lines else 0)
        self.area.show_view(result, self._printed(), self.field.text())
        self.field.show_note(tr("{count} lines").format(count=len(result.hits)) if self.field.text() else "Ctrl F")

    def summary(self) -> str:
        return output_words(self._view) if self._view is not None else ""

    def workspace_changed(self, aspect: Aspect) -> None:
        if aspect is Aspect.CURSOR and self._view is not None:
            self.area.show_printed(self._printed())
        elif aspect is Aspect.RANK:
            self.refresh()

    def theme_changed(self) -> None:
        self.area.viewport().update()
        self._empty.update()

    def _printed(self) -> int:
        workspace = self.context.workspace
        return self._view.line_at(workspace.cursor_ns if workspace.is_looking_back else None) if self._view is not None else 0

    def _note_hit(self, number: int) -> None:
        if self._view is not None and number:
            self.field.show_note(tr("{number} of {count}").format(number=number, count=len(self._view.hits)))

    def _go_to_line(self, line: OutputLine) -> None:
        self.context.workspace.move_cursor(line.time_ns)

    def _go_to_source(self, source: Source) -> None:
        self.context.workspace.select(SourceSelection(source.file, source.line))

    def _nothing(self, view: OutputView) -> Message:
        if may_grow(self.context.session.status):
            return Message(*NOTHING_YET, "file-code")
        if view.is_captured:
            return Message(tr("No line of this stream."), tr("Choose all to see the others."), "file-code")
        if self.context.snapshot().facts.get("captures_output"):
            return Message(tr("It printed nothing."), tr("Its stdout and its stderr were watched to the end."), "file-code")
        return Message(tr("No output is on record."), tr("A run in the window keeps it; record keeps it with --capture."), "file-code")
