"""Problems: what is wrong with the run, in sentences with a place; choosing one shows it everywhere, F8 goes to the next."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedLayout, QWidget

from tensorscope.analysis.results import Finding, Severity
from tensorscope.gui.arrangement import NARROW_BELOW
from tensorscope.gui.message import Message, MessageView
from tensorscope.gui.panel import Panel, PanelContext
from tensorscope.gui.panels.problem_list import ProblemList
from tensorscope.gui.panels.problem_tools import ProblemTools
from tensorscope.language import tr, tr_later
from tensorscope.session.session import RunState
from tensorscope.trace.schema import OPERATORS
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import format_count, format_time
from tensorscope.viewmodel.emptiness import why_empty
from tensorscope.viewmodel.panel_words import problems_words
from tensorscope.viewmodel.problems import ProblemRow, Problems, problems, selection_of
from tensorscope.viewmodel.run_growth import may_grow
from tensorscope.viewmodel.workspace import Aspect, SourceSelection


class ProblemsPanel(Panel):
    title = tr_later("Problems")
    key = "problems"
    is_always_fed = True

    def __init__(self, context: PanelContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._problems: Problems | None = None
        self._chosen: ProblemRow | None = None
        self._has_come = False
        self._empty = MessageView(Message(tr("No problem was found yet."), icon="check"), context.theme, self)
        self.list = ProblemList(context.theme, self)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.list)
        self.list.chosen.connect(self.choose)
        self.list.opened.connect(self._open)
        self.list.place_clicked.connect(self._go_to_place)
        self.setFocusProxy(self.list)
        self._floor: Severity = "info"
        self._tools = ProblemTools(context.theme)
        self._tools.floor_chosen.connect(self.show_floor)
        self._tools.copy_wanted.connect(self._copy_all)
        context.problems.on_choice(self._choose_finding)

    @property
    def chosen(self) -> ProblemRow | None:
        return self._chosen

    @property
    def message(self) -> Message:
        """What is said while there is none."""
        return self._empty.message

    def tool_row(self) -> QWidget:
        return self._tools

    def badge(self) -> str:
        return format_count(len(self._problems.findings)) if self._problems is not None and self._problems.findings else ""

    def request(self, snapshot: Snapshot) -> Callable[[], Problems]:
        return lambda: problems(snapshot)

    def show_result(self, result: Problems) -> None:
        before = self.badge()
        self._problems = result
        if self._chosen is not None and self._chosen.finding not in result.findings:
            self._chosen = None
        self._tools.show_problems(result)
        self.context.problems.show(result.findings)
        self._show_rows()
        if self.badge() != before:
            self.header_changed.emit()
        self._come_forward(result)

    def _come_forward(self, result: Problems) -> None:
        """Once, over a recording or a run that failed: its errors are what to look at first. Warnings where no other panel than Storages hides for them."""
        if self._has_come or self.context.session.status.state not in (RunState.REPLAY, RunState.CRASHED):
            return
        severities = {finding.severity for finding in result.findings}
        if "error" in severities or ("warning" in severities and self.window().width() >= NARROW_BELOW):
            self._has_come = True
            self.front_wanted.emit()

    def summary(self) -> str:
        return problems_words(self._problems) if self._problems is not None else ""

    def workspace_changed(self, aspect: Aspect) -> None:
        """What is wrong does not depend on where one looks."""

    def theme_changed(self) -> None:
        self.list.viewport().update()
        self._empty.update()
        self._tools.theme_changed()

    def show_floor(self, floor: Severity) -> None:
        """List only those of a severity and the graver ones."""
        self._floor = floor
        self._show_rows()

    def choose(self, row: ProblemRow) -> None:
        """Show a problem as chosen, here and everywhere."""
        self._chosen = row
        self._show_rows()
        selection = selection_of(row)
        if selection is not None:
            self.context.workspace.select(selection)

    def go(self, step: int) -> None:
        """Open the next problem (+1) or the one before (−1), round and round."""
        found: tuple[Finding, ...] = self._problems.findings if self._problems is not None else ()
        if found:
            at = found.index(self._chosen.finding) if self._chosen is not None else -1 if step > 0 else 0
            self._open(ProblemRow(found[(at + step) % len(found)]))

    def _open(self, row: ProblemRow) -> None:
        """Go to its place, which is in the Source panel, and look at its moment."""
        self.choose(row)
        if row.source is not None:
            self._go_to_place(row)
        if row.finding.time_ns is not None:
            self.context.workspace.move_cursor(row.finding.time_ns)

    def _go_to_place(self, row: ProblemRow) -> None:
        self._chosen = row
        self._show_rows()
        if row.source is not None:
            self.context.workspace.select(SourceSelection(row.source.file, row.source.line))

    def _show_rows(self) -> None:
        if self._problems is not None:
            shown = self._problems.at_least(self._floor)
            self._empty.message = self._nothing_shown(self._problems)
            self._empty.update()
            self._stack.setCurrentIndex(1 if shown.findings else 0)
            self.list.show_rows(shown.rows(self._chosen.finding if self._chosen is not None else None), self._chosen)

    def _choose_finding(self, finding: Finding) -> None:
        """It was chosen on the scrubber: it is listed, whatever is listed besides."""
        if self._problems is not None and finding not in self._problems.at_least(self._floor).findings:
            self._floor = "info"
            self._tools.floors.set_current(0)
        self.choose(ProblemRow(finding))

    def _copy_all(self) -> None:
        if self._problems is not None:
            QGuiApplication.clipboard().setText(self._problems.at_least(self._floor).text)

    def _nothing_shown(self, result: Problems) -> Message:
        if result.findings:
            return Message(tr("No problem is as grave as that."), tr("Choose All to see the others."), "check")
        status, snapshot = self.context.session.status, self.context.snapshot()
        if not result.stands_at_ns or not len(snapshot.table(OPERATORS)):
            return Message(*why_empty(self.key, status, snapshot))
        if may_grow(status):
            told = tr("Looked at the run up to {time}; what is found appears here.")
            return Message(tr("No problem was found yet."), told.format(time=format_time(result.stands_at_ns)), "check")
        if snapshot.exceptions:
            return Message(tr("No problem was found besides the exception."), tr("Output has its traceback, Source its line."))
        return Message(tr("No problem was found."), tr("The whole run was looked at; Inspector shows what was largest and slowest."), "check")
