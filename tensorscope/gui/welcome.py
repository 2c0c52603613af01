"""The window of ``tensorscope`` without a script: what was run last, samples, served jobs, and where to read on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEventLoop, QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QIcon, QKeyEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from tensorscope.gui.app import application
from tensorscope.gui.choice_list import ChoiceList
from tensorscope.gui.settings import Settings
from tensorscope.gui.style import palette, style_sheet, system_theme
from tensorscope.gui.translation import readable_language, use_language
from tensorscope.language import tr
from tensorscope.render.brand import MARK_WIDTH, mark_image, paint_mark
from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme
from tensorscope.session.jobs import jobs
from tensorscope.viewmodel.welcome import Choice, job_choices, recent_choices, sample_choices

SIZE: Final = (980, 620)
JOBS_MS: Final = 2000
GUIDES: Final = ("docs/tour.md", "README.md", "docs/query.md")


def ask_welcome(recordings: Sequence[Path], project: Path, trouble: str = "", theme: str = "") -> tuple[str, ...]:
    """Show the welcome window until something is chosen; the words of the command, () if it was closed. GUI thread.

    ``recordings``: of earlier runs, the newest first. ``project``: where ``samples`` and ``docs`` lie, if they are here. ``trouble`` is said on top.
    """
    qt = application()
    settings = Settings()
    use_language(readable_language(settings.language))
    window = Welcome(Theme.named(theme or settings.theme or system_theme(), settings.palette), settings, recordings, project, trouble)
    loop = QEventLoop()
    window.finished.connect(loop.quit)
    window.show()
    loop.exec()
    window.deleteLater()
    qt.sendPostedEvents(None, 0)
    return window.words


class Welcome(QWidget):
    """``words`` are those of the command that was chosen."""

    finished = Signal()

    def __init__(self, theme: Theme, settings: Settings, recordings: Sequence[Path], project: Path, trouble: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._project = project
        self.words: tuple[str, ...] = ()
        self.setObjectName("window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle(tr("Welcome – TensorScope"))
        self.setWindowIcon(QIcon(QPixmap.fromImage(mark_image(theme))))
        self.setFont(theme.font("body"))
        self.setPalette(palette(theme))
        self.setStyleSheet(style_sheet(theme))
        self.resize(*SIZE)
        self.recent = self._list(tr("Recent"))
        self.samples = self._list(tr("Samples"))
        self.jobs = self._list(tr("Served jobs"))
        self.recent.show_choices(recent_choices(settings.recent, recordings))
        self.samples.show_choices(sample_choices(project / "samples"))
        self.run_button = self._button(tr("Run a script…"), self._ask_script)
        self.open_button = self._button(tr("Open a recording…"), self._ask_recording)
        self._lay_out(trouble)
        self._timer = QTimer(self, interval=JOBS_MS)
        self._timer.timeout.connect(self._show_jobs)
        self._timer.start()
        self._show_jobs()
        (self.recent if self.recent.count() else self.samples if self.samples.count() else self.run_button).setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._timer.stop()
        super().closeEvent(event)
        self.finished.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def choose(self, words: Sequence[str]) -> None:
        """Take a command and close."""
        self.words = tuple(words)
        self.close()

    def _lay_out(self, trouble: str) -> None:
        head = QHBoxLayout()
        head.addWidget(_Brand(self._theme, self))
        head.addStretch(1)
        head.addWidget(self.run_button)
        head.addWidget(self.open_button)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        self._jobs_empty = self._note(tr("No job is served. Start one with: tensorscope serve train.py"))
        self._column(grid, 0, 0, self.recent, self._note(tr("Nothing yet. Run a script, or a sample on the right.")), rows=3)
        self._column(grid, 0, 1, self.samples, self._note(tr("The samples are in TensorScope's source: samples/.")), rows=1)
        self._column(grid, 2, 1, self.jobs, self._jobs_empty, rows=1)
        grid.setRowStretch(1, 4)
        grid.setRowStretch(3, 1)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(14)
        layout.addLayout(head)
        if trouble:
            layout.addWidget(self._note(trouble, "severity.error"))
        layout.addLayout(grid, 1)
        layout.addLayout(self._guides())

    def _column(self, grid: QGridLayout, row: int, column: int, choices: ChoiceList, empty: QLabel, *, rows: int) -> None:
        label = QLabel(choices.accessibleName(), self)
        label.setFont(self._theme.font("body", "semibold"))
        label.setStyleSheet(f"color: {self._theme.color('text.primary').name()};")
        label.setBuddy(choices)
        grid.addWidget(label, row, column)
        grid.addWidget(choices, row + 1, column, rows, 1)
        empty.setContentsMargins(12, 12, 12, 12)
        grid.addWidget(empty, row + 1, column, rows, 1, Qt.AlignmentFlag.AlignTop)
        empty.setVisible(not choices.count())

    def _guides(self) -> QHBoxLayout:
        names = {"docs/tour.md": tr("A tour in samples"), "README.md": tr("Guide"), "docs/query.md": tr("Queries")}
        row = QHBoxLayout()
        for guide in GUIDES:
            path = self._project / guide
            if path.is_file():
                row.addWidget(self._button(names[guide], partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(path)))))
        row.addStretch(1)
        hint = self._note(tr("Your own script: tensorscope train.py"))
        hint.setWordWrap(False)
        row.addWidget(hint)
        return row

    def _list(self, name: str) -> ChoiceList:
        choices = ChoiceList(name, lambda: self._theme, self)
        choices.chosen.connect(self._take)
        return choices

    def _take(self, choice: Choice) -> None:
        self.choose(choice.words)

    def _button(self, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(True)
        button.clicked.connect(lambda: act())
        return button

    def _note(self, text: str, role: str = "text.secondary") -> QLabel:
        label = QLabel(text, self)
        label.setWordWrap(True)
        label.setStyleSheet(f"color: {self._theme.color(role).name()};")
        return label

    def _show_jobs(self) -> None:
        self.jobs.show_choices(job_choices(jobs()))
        self._jobs_empty.setVisible(not self.jobs.count())

    def _ask_script(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, tr("Run a script"), "", tr("Python script (*.py)"))
        if name:
            self.choose((name,))

    def _ask_recording(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, tr("Open a recording"), "", tr("TensorScope recording (*.tscope)"))
        if name:
            self.choose(("open", name))


class _Brand(QWidget):
    """Mark, name and one line."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedSize(420, 44)
        self.setAccessibleName("TensorScope")

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_mark(painter, 0, 40, theme, 2.2)
            left = MARK_WIDTH * 2.2 + 12
            draw_text(painter, QRectF(left, 2, 360, 22), "TensorScope", theme.font("title", "semibold"), theme.color("text.strong"))
            draw_text(painter, QRectF(left, 22, 360, 20), tr("A visual debugger for PyTorch training"), theme.font("body"), theme.color("text.secondary"))
