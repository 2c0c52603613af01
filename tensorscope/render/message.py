"""Paints an empty or failed panel's two sentences; panels, exports and the frame share it."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text
from tensorscope.render.theme import Theme


def paint_message(painter: QPainter, rect: QRectF, theme: Theme, title: str, advice: str = "", icon: str = "info", *, is_error: bool = False) -> None:
    """Icon 16, ``title`` (why) and ``advice`` (what to do), wrapped, in the middle of ``rect``."""
    inner = rect.adjusted(16, 4, -16, -4)
    font = theme.font("empty_title")
    title_box = theme.metrics("empty_title").boundingRect(QRectF(0, 0, inner.width(), 1000), Qt.TextFlag.TextWordWrap, title)
    advice_box = theme.metrics("body").boundingRect(QRectF(0, 0, inner.width(), 1000), Qt.TextFlag.TextWordWrap, advice)
    height = 16 + 8 + title_box.height() + (4 + advice_box.height() if advice else 0)
    if height > inner.height():
        draw_text(painter, inner, title, theme.font("body"), theme.color("text.secondary"), Qt.AlignmentFlag.AlignHCenter)
        return
    y = inner.center().y() - height / 2
    draw_icon(painter, icon, QRectF(inner.center().x() - 8, y, 16, 16), theme.color("severity.error" if is_error else "text.tertiary"))
    centred = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
    painter.setFont(font)
    painter.setPen(theme.color("text.primary"))
    painter.drawText(QRectF(inner.left(), y + 24, inner.width(), title_box.height() + 2), centred, title)
    if advice:
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("text.secondary"))
        painter.drawText(QRectF(inner.left(), y + 24 + title_box.height() + 4, inner.width(), advice_box.height() + 2), centred, advice)
