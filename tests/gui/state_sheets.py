"""Pictures of one tab of the window after the other, and sheets that show a tab in every state in which it differs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from tensorscope.gui.main_window import MainWindow
from tests.gui.conftest import wait_until_ready

Look = tuple[str, tuple[int, int]]  # theme, size of the window
Cell = tuple[list[str], QImage]  # a picture and the states that look so
LABEL, GAP, WIDTH, HEIGHT = 18, 8, 1500, 1400
WALL: Final = QColor(128, 128, 160)


def tab_pictures(window: MainWindow) -> Iterator[tuple[str, QImage]]:
    """Key and picture of every tab, each brought to the front in its place."""
    for panel in window.deck.panels:
        for page in range(len(panel.tabs())):
            window.deck.show_panel(panel.key)
            panel.choose_tab(page)
            wait_until_ready(window)
            yield f"{panel.key}-{page}" if page else panel.key, window.deck.sheet_of(panel).grab().toImage()


def note(cells: list[Cell], state: str, picture: QImage) -> None:
    """Keep a picture under the name of its state, or that name beside those that look the same."""
    same = next((names for names, known in cells if known == picture), None)
    if same is None:
        cells.append(([state], picture))
    else:
        same.append(state)


def contact_sheets(folder: Path, look: Look, pictures: Mapping[str, list[Cell]]) -> None:
    """Write a file or more a tab: each different picture once, under the names of the states that look so."""
    theme, (width, _) = look
    for tab, cells in pictures.items():
        for number, page in enumerate(_pages(cells)):
            page.save(str(folder / f"{tab}-{theme}-{width}-{number}.png"))


def _pages(cells: list[Cell]) -> Iterator[QImage]:
    page, x, y, line = _empty(), GAP, GAP, 0
    for names, picture in cells:
        if x > GAP and x + picture.width() > WIDTH:
            x, y, line = GAP, y + line + GAP, 0
        if y > GAP and y + picture.height() + LABEL > HEIGHT:
            yield page.copy(0, 0, page.width(), y)
            page, x, y, line = _empty(), GAP, GAP, 0
        with QPainter(page) as painter:
            font = QFont(painter.font())
            font.setPixelSize(12)
            painter.setFont(font)
            painter.drawText(
                QRect(x, y, picture.width(), LABEL),
                int(Qt.AlignmentFlag.AlignLeft),
                painter.fontMetrics().elidedText(", ".join(names), Qt.TextElideMode.ElideRight, picture.width()),
            )
            painter.drawImage(x, y + LABEL, picture)
        x, line = x + picture.width() + GAP, max(line, picture.height() + LABEL)
    yield page.copy(0, 0, page.width(), y + line + GAP)


def _empty() -> QImage:
    page = QImage(WIDTH + GAP, HEIGHT + GAP, QImage.Format.Format_RGB32)
    page.fill(WALL)
    return page
