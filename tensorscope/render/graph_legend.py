"""The strip under the graph that says what the signs mean, with the zoom at its right end."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from tensorscope.language import tr, tr_later
from tensorscope.render.graph_emphasis import tone_color
from tensorscope.render.graph_heat import paint_heat_legend
from tensorscope.render.graph_nodes import paint_swatch, set_box_colors
from tensorscope.render.icons import draw_icon
from tensorscope.render.text import draw_text, text_width
from tensorscope.render.theme import Theme, with_alpha
from tensorscope.units import format_share
from tensorscope.viewmodel.graph import GraphView

GAP = 11.0
VEIL = 0.4
SIGN = 12.0


def paint_legend(painter: QPainter, rect: QRectF, theme: Theme, zoom: float | None, view: GraphView) -> None:
    """What does not fit is left out from the right; the zoom stays (None: it is not said)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(rect, theme.color("surface.panel"))
    painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 1), theme.color("line.subtle"))
    inner = rect.adjusted(theme.px("space.panel_padding_x"), 1, -theme.px("space.panel_padding_x"), 0)
    font, color = theme.font("caption"), theme.color("text.secondary")
    room = inner.right()
    if zoom is not None:
        draw_text(painter, inner, f"{zoom * 100:.0f} %", font, color, Qt.AlignmentFlag.AlignRight)
        room -= text_width("100 %", font) + GAP
    if view.heat is not None:
        strip = QRectF(inner.left(), inner.top(), room - inner.left(), inner.height())
        tones = dict.fromkeys(view.change.tones.values()) if view.change is not None else {}
        paint_heat_legend(painter, strip, view.heat, theme, [(tr(tone.value), tone_color(tone, theme)) for tone in tones])
        painter.restore()
        return
    x = inner.left()
    moment = tr_later("at cursor") if view.progress.is_looking_back else tr_later("held")
    raised = (tr_later("raised"),) if view.progress.any_raised else ()
    signs = (
        *(tr_later("done"), *raised, moment, tr_later("waiting")),
        *(tr_later("parameter"), tr_later("gradient written"), tr_later("saved"), tr_later("freed")),
    )
    for sign in signs:
        word = tr(sign)
        width = SIGN + 5 + text_width(word, font)
        if x + width > room:
            break
        _paint_sign(painter, sign, QRectF(x, inner.center().y() - SIGN / 2, SIGN, SIGN), theme)
        draw_text(painter, QRectF(x + SIGN + 5, inner.top(), width, inner.height()), word, font, color)
        x += width + GAP
    painter.restore()


def paint_notice(painter: QPainter, rect: QRectF, theme: Theme, sentence: str, severity: str = "warning") -> None:
    """What could not be shown (or, as ``info``, what is), above the legend."""
    painter.fillRect(rect, theme.color(f"severity.{severity}_soft"))
    icon = theme.px("size.icon.row")
    inner = rect.adjusted(theme.px("space.panel_padding_x"), 0, -theme.px("space.panel_padding_x"), 0)
    draw_icon(painter, theme.value(f"severity.{severity}.icon"), QRectF(inner.left(), inner.top(), icon, inner.height()), theme.color(f"severity.{severity}"))
    draw_text(painter, inner.adjusted(icon + theme.px("space.icon_to_text"), 0, 0, 0), sentence, theme.font("caption"), theme.color("text.primary"))


def paint_waiting(painter: QPainter, rect: QRectF, theme: Theme, share: float) -> None:
    """A layout under way: the old picture steps back, a line at the top grows, words say how to stop it."""
    painter.fillRect(rect, with_alpha(theme.color("surface.panel"), VEIL))
    painter.fillRect(QRectF(rect.left(), rect.top(), rect.width() * max(share, 0.02), theme.px("line.tab_top")), theme.color("accent.base"))
    words = tr("Laying out, {share} done. Esc cancels.").format(share=format_share(share))
    font = theme.font("body")
    pill = QRectF(0, 0, text_width(words, font) + 24, theme.px("size.chip"))
    pill.moveCenter(QPointF(rect.center().x(), rect.top() + 28))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("line.strong"), 1))
    painter.setBrush(theme.color("surface.raised"))
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
    draw_text(painter, pill, words, font, theme.color("text.primary"), Qt.AlignmentFlag.AlignHCenter)
    painter.restore()


def _paint_sign(painter: QPainter, word: str, rect: QRectF, theme: Theme) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    match word:
        case "parameter":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.category("parameter"))
            painter.drawRoundedRect(QRectF(rect.center().x() - 1.5, rect.top(), 3, rect.height()), 1.5, 1.5)
        case "gradient written":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.category("gradient"))
            painter.drawEllipse(rect.center(), 3.5, 3.5)
        case "saved" | "freed":
            paint_swatch(painter, QPointF(rect.right() - 1, rect.center().y()), theme, is_freed=word == "freed")
        case _:
            set_box_colors(painter, theme, word == "at cursor", word == "held", word in ("done", "raised"))
            pen = QPen(theme.color("severity.error"), theme.px("line.outline_held")) if word == "raised" else QPen(painter.pen())
            if word == "waiting":
                pen.setDashPattern([2, 2])
            painter.setPen(pen)
            painter.drawRoundedRect(rect.adjusted(0.5, 2, -0.5, -2), 2.5, 2.5)
