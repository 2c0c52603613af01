"""A table's header in the theme: captions in line with their cells, a small chevron where it is sorted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme


class TableHeader(QHeaderView):
    """``insets`` are pixels that a section's cells leave free: at the left, or at the right of a right-aligned one."""

    def __init__(self, theme: Callable[[], Theme], insets: Mapping[int, float], parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._insets = insets
        self.setSectionsClickable(True)
        self.setStretchLastSection(False)
        self.setMinimumSectionSize(20)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setFixedHeight(round(theme().px("size.table_header")))

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        theme = self._theme()
        inset = self._insets.get(logicalIndex, 0.0)
        words = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal))
        is_right = bool(
            int(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)) & int(Qt.AlignmentFlag.AlignRight)
        )
        painter.save()
        painter.fillRect(rect, theme.color("surface.panel"))
        font, color = theme.font("caption"), theme.color("text.secondary")
        area = QRectF(rect).adjusted(0 if is_right else inset, 0, -inset if is_right else 0, 0)
        draw_text(painter, area, words, font, color, Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft)
        if self.isSortIndicatorShown() and self.sortIndicatorSection() == logicalIndex:
            width = text_width(words, font)
            x = area.right() - width - 14 if is_right else area.left() + width + 2
            name = "chevron-down" if self.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder else "chevron-up"
            draw_icon(painter, name, QRectF(x, area.top(), 12, area.height()), color, 12)
        painter.restore()
