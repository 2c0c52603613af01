"""The scrubber: the whole run under the panels. Click and drag move the cursor, with Shift the view window; Follow returns to now."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QToolTip, QVBoxLayout, QWidget

from tensorscope.gui.accessible_names import name_all_in
from tensorscope.gui.kept_picture import KeptPicture
from tensorscope.gui.pill import PillButton
from tensorscope.gui.rank_lanes import RankLanes
from tensorscope.language import tr, tr_later
from tensorscope.render.icons import icon
from tensorscope.render.scrubber import LABEL_HEIGHT, PROBLEM_SIZE, ScrubberState, paint_moments, paint_position, paint_problems, paint_run, problem_x
from tensorscope.render.theme import Theme
from tensorscope.units import format_time
from tensorscope.viewmodel.bookmarks import Bookmarks
from tensorscope.viewmodel.found_problems import FoundProblems
from tensorscope.viewmodel.panel_words import scrubber_words
from tensorscope.viewmodel.rank_lanes import RankLane
from tensorscope.viewmodel.scrubber import RunMark, ScrubberView, problem_marks, zoomed
from tensorscope.viewmodel.workspace import Workspace

MOST_HINTS: Final = 4  # problems in one tool tip
NEAR: Final = 5  # pixels at which a mark's tool tip comes
LANES_MARGIN: Final = 4  # pixels below the ranks' lanes
STEPS: Final = (
    ("skip-back", tr_later("To the start of the run"), "first"),
    ("step-back", tr_later("To the iteration before"), "before"),
    ("step-forward", tr_later("To the next iteration"), "after"),
    ("skip-forward", tr_later("To now"), "now"),
)


class Scrubber(QWidget):
    """Step buttons, the strip, Follow. Moves the workspace's cursor and range."""

    def __init__(self, workspace: Workspace, bookmarks: Bookmarks, problems: FoundProblems, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._theme = theme
        self._view: ScrubberView | None = None
        self.strip = _Strip(workspace, bookmarks, problems, self._go, theme, self)
        self._buttons = {step: QToolButton(self) for _, _, step in STEPS}
        self.follow_button = PillButton(tr("Follow"), theme, self)
        self.follow_button.setToolTip(tr("Keep the newest events in view"))
        self.follow_button.clicked.connect(self._toggle_follow)
        self.lanes = RankLanes(theme, self._span, self)
        layout = QHBoxLayout()
        layout.setContentsMargins(6, 4, 12, 4)
        layout.setSpacing(0)
        for _, hint, step in STEPS:
            button = self._buttons[step]
            button.setToolTip(tr(hint))
            button.setFixedSize(24, 24)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, step=step: self._go(step))
            layout.addWidget(button)
        layout.addSpacing(8)
        layout.addWidget(self.strip, 1)
        layout.addSpacing(12)
        layout.addWidget(self.follow_button)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(layout, 1)
        rows.addWidget(self.lanes)
        self.setFixedHeight(round(theme().px("size.scrubber")))
        self.theme_changed()
        name_all_in(self, tr("The whole run"))

    @property
    def view(self) -> ScrubberView | None:
        return self._view

    def show_view(self, view: ScrubberView, now_ns: int, is_held: bool) -> None:
        self._view = view
        self.strip.show_view(view, now_ns, is_held)
        self.workspace_changed()

    def show_lanes(self, lanes: tuple[RankLane, ...], shown: int) -> None:
        """Below the strip, which keeps its height; none of a single rank."""
        self.lanes.show_lanes(lanes, shown)
        room = self.lanes.height() + LANES_MARGIN if lanes else 0
        self.layout().setContentsMargins(0, 0, 0, LANES_MARGIN if lanes else 0)  # type: ignore[union-attr]
        self.setFixedHeight(round(self._theme().px("size.scrubber")) + room)

    def workspace_changed(self) -> None:
        at = self._workspace.cursor_ns
        self.lanes.show_cursor(self._view.axis.position(at) if self._view is not None and at is not None else None)
        self.follow_button.set_on(self._workspace.is_following and self._workspace.cursor_ns is None)
        begins = self._view.iteration_begins_ns if self._view is not None else ()
        for button in self._buttons.values():
            button.setEnabled(bool(begins))
        self._buttons["now"].setEnabled(self._workspace.is_looking_back)
        if self._view is not None:
            self.strip.setAccessibleDescription(scrubber_words(self._view, at, len(self.strip.problems())))
        self.strip.update()

    def theme_changed(self) -> None:
        theme = self._theme()
        self.strip.theme_changed()
        self.lanes.theme_changed()
        for name, _, step in STEPS:
            self._buttons[step].setIcon(icon(name, theme.color("text.secondary"), theme.color("text.disabled")))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            shape = QPainterPath()
            shape.addRoundedRect(QRectF(self.rect()), theme.px("radius.panel"), theme.px("radius.panel"))
            painter.fillPath(shape, theme.color("surface.panel"))

    def _span(self) -> tuple[float, float]:
        return float(self.strip.x()), float(self.strip.x() + self.strip.width())

    def _toggle_follow(self) -> None:
        is_on = self._workspace.is_following and self._workspace.cursor_ns is None
        if not is_on:
            self._workspace.move_cursor(None)
        self._workspace.follow(not is_on)

    def _go(self, step: str) -> None:
        begins = self._view.iteration_begins_ns if self._view is not None else ()
        at = self._workspace.cursor_ns
        if step == "now" or not begins:
            self._workspace.return_to_rest()
        elif step == "first":
            self._workspace.move_cursor(begins[0])
        elif step == "before":
            self._workspace.move_cursor(begins[max(bisect_left(begins, at) - 1, 0) if at is not None else -1])
        else:
            following = bisect_right(begins, at) if at is not None else len(begins)
            if following < len(begins):
                self._workspace.move_cursor(begins[following])
            else:
                self._workspace.return_to_rest()


class _Strip(QWidget):
    """Arrows go from iteration to iteration, Home and End to the ends, + and − and the wheel zoom what the panels show."""

    def __init__(
        self,
        workspace: Workspace,
        bookmarks: Bookmarks,
        problems: FoundProblems,
        go: Callable[[str], object],
        theme: Callable[[], Theme],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._bookmarks = bookmarks
        self._go = go
        bookmarks.observe(self.update)
        self._problems = problems
        problems.observe(self.update)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("The whole run"))
        self._theme = theme
        self._view: ScrubberView | None = None
        self._now_ns = 0
        self._is_held = False
        self._picture = KeptPicture()
        self._grip: tuple[float, tuple[int, int]] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_view(self, view: ScrubberView, now_ns: int, is_held: bool) -> None:
        if view is not self._view:
            self._picture.forget()
        self._view, self._now_ns, self._is_held = view, now_ns, is_held
        self.update()

    def theme_changed(self) -> None:
        self._picture.forget()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, 36)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme()
        with QPainter(self) as painter:
            view = self._view
            if view is None:
                painter.fillRect(self.rect(), theme.color("surface.header"))
                return
            self._picture.draw(painter, self.size(), lambda inner, rect: paint_run(inner, rect, theme, view))
            paint_moments(painter, QRectF(self.rect()), theme, view, self.moments())
            paint_problems(painter, QRectF(self.rect()), theme, view, self.problems())
            state = ScrubberState(self._workspace.range_ns, self._workspace.cursor_ns, self._now_ns, self._is_held)
            paint_position(painter, QRectF(self.rect()), theme, view, state)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._view is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        share = event.position().x() / max(self.width(), 1)
        shown = self._workspace.range_ns
        problem = self._problem_at(event.position().x(), event.position().y())
        if problem is not None and problem.finding is not None:
            self._workspace.move_cursor(problem.time_ns)
            self._problems.choose(problem.finding)
        elif shown is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._grip = (share, shown)
        else:
            self._workspace.move_cursor(self._view.axis.time_ns(share))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._view is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        share = event.position().x() / max(self.width(), 1)
        axis = self._view.axis
        if self._grip is None:
            self._workspace.move_cursor(axis.time_ns(share))
            return
        from_share, (begin, end) = self._grip
        moved = max(-begin, min(axis.time_ns(share) - axis.time_ns(from_share), axis.end_ns - end))
        self._workspace.follow(False)
        self._workspace.show_range((begin + moved, end + moved))

    def moments(self) -> tuple[RunMark, ...]:
        """The run's marks and the user's."""
        own = tuple(RunMark(mark.time_ns, "bookmark", tr("Bookmark: {mark}").format(mark=mark.text)) for mark in self._bookmarks.marks)
        return (*(self._view.moments if self._view is not None else ()), *own)

    def problems(self) -> tuple[RunMark, ...]:
        """A mark for each problem that began at some moment."""
        return problem_marks(self._view, self._problems.findings) if self._view is not None else ()

    def _problem_at(self, x: float, y: float) -> RunMark | None:
        """The mark of a problem under the pointer, the topmost of several."""
        rect = QRectF(self.rect())
        near = abs(y - LABEL_HEIGHT - PROBLEM_SIZE / 2) <= PROBLEM_SIZE / 2 + 2
        found = [mark for mark in self.problems() if self._view is not None and near and abs(problem_x(rect, self._view, mark) - x) <= PROBLEM_SIZE / 2 + 1]
        return found[-1] if found else None

    def hint(self, x: float, y: float | None = None) -> str:
        """The problems under the pointer, else what is marked within a few pixels, else the time there."""
        if self._view is None:
            return ""
        if y is not None and self._problem_at(x, y) is not None:
            rect, view = QRectF(self.rect()), self._view
            words = [mark.text for mark in reversed(self.problems()) if abs(problem_x(rect, view, mark) - x) <= PROBLEM_SIZE / 2 + 1]
            rest = [tr("and {count} more").format(count=len(words) - MOST_HINTS)] if len(words) > MOST_HINTS else []
            return "\n".join((*words[:MOST_HINTS], *rest))
        axis, width = self._view.axis, max(self.width(), 1)
        near = [mark.text for mark in self.moments() if abs(axis.position(mark.time_ns) * width - x) <= NEAR]
        return "\n".join(near) or format_time(axis.time_ns(x / width))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._view is not None:
            self._zoom(0.8 ** (event.angleDelta().y() / 120), self._view.axis.time_ns(event.position().x() / max(self.width(), 1)))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: "before", Qt.Key.Key_Right: "after", Qt.Key.Key_Home: "first", Qt.Key.Key_End: "now"}.get(Qt.Key(event.key()))
        if step is not None:
            self._go(step)
        elif event.text() in ("+", "=", "-", "−"):
            shown = self._workspace.range_ns or (0, self._now_ns)
            at = self._workspace.cursor_ns
            self._zoom(0.8 if event.text() in "+=" else 1.25, at if at is not None else shown[1])
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.hint(event.pos().x(), event.pos().y()), self)
            return True
        return super().event(event)

    def _zoom(self, factor: float, at_ns: int) -> None:
        if self._view is not None:
            end = self._view.axis.end_ns
            self._workspace.follow(False)
            self._workspace.show_range(zoomed(self._workspace.range_ns or (0, end), end, at_ns, factor))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None
