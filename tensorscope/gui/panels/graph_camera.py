"""Where the graph is looked at from: zoom at a point, drag, fit, and movement that takes its time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, QVariantAnimation

from tensorscope.render.graph import Viewport
from tensorscope.render.theme import Theme

EDGE = 28.0  # px that a thing gone to stays away from the border
SURROUNDINGS = 0.28  # of the height, above and below it


class Camera(QObject):
    """Holds the viewport; ``changed`` is called after every change of it or of ``progress``, the share (0 to 1) of a change of layout that is done."""

    def __init__(self, theme: Callable[[], Theme], changed: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self.viewport = Viewport(0, 0, 1, 1, 1)
        self.progress = 1.0
        self._theme = theme
        self._changed = changed
        self._from: tuple[Viewport, Viewport] | None = None
        self._is_opening = False
        self._clock = QVariantAnimation(self)
        self._clock.setStartValue(0.0)
        self._clock.setEndValue(1.0)
        self._clock.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._clock.valueChanged.connect(self._advance)

    @property
    def is_moving(self) -> bool:
        return self._clock.state() is QVariantAnimation.State.Running

    def resize(self, width: float, height: float) -> None:
        """Keep the middle of what is in view."""
        old = self.viewport
        dx, dy = ((old.width - width) / 2, (old.height - height) / 2) if old.width > 1 else (0.0, 0.0)
        self.viewport = replace(old, width=width, height=height, x=old.x + dx / old.zoom, y=old.y + dy / old.zoom)

    def set(self, viewport: Viewport) -> None:
        """Go there at once."""
        self._clock.stop()
        self._from, self.progress, self.viewport = None, 1.0, viewport
        self._changed()

    def zoom_at(self, point: QPointF, factor: float) -> None:
        """The scene's point under ``point`` stays there."""
        least, most = self._theme().value("graph.zoom")
        zoom = min(max(self.viewport.zoom * factor, least), most)
        under = self.viewport.to_scene(point)
        self.set(replace(self.viewport, zoom=zoom, x=under.x() - point.x() / zoom, y=under.y() - point.y() / zoom))

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by pixels."""
        self.set(replace(self.viewport, x=self.viewport.x - dx / self.viewport.zoom, y=self.viewport.y - dy / self.viewport.zoom))

    def glide(self, goal: Viewport) -> None:
        """Go there in a moment."""
        self._from = (self.viewport, goal)
        self._start("motion.pan_to")

    def open(self) -> None:
        """Let a change of layout take its time; the viewport stays."""
        self._from = None
        self.progress = 0.0
        self._is_opening = True
        self._start("motion.expand_collapse")

    def showing(self, rect: QRectF, covered: float, least_zoom: float = 0.0) -> Viewport:
        """The nearest viewport that has the whole rectangle in view (its upper left part, if it is larger), left of the ``covered`` px at the right."""
        zoom = max(self.viewport.zoom, least_zoom)
        part = replace(self.viewport, zoom=zoom).scene_rect.adjusted(0, 0, -covered / zoom, 0)
        edge_x, edge_y = EDGE / zoom, max(EDGE / zoom, part.height() * SURROUNDINGS)
        x, y = part.left(), part.top()
        if rect.right() + edge_x > part.right():
            x = rect.right() + edge_x - part.width()
        x = min(x, rect.left() - edge_x)
        if rect.bottom() + edge_y > part.bottom():
            y = rect.bottom() + edge_y - part.height()
        y = min(y, rect.top() - edge_y)
        return replace(self.viewport, x=x, y=y, zoom=zoom)

    def _start(self, duration: str) -> None:
        self._clock.stop()
        self._clock.setDuration(round(self._theme().px(duration)))
        self._clock.start()

    def _advance(self, share: float) -> None:
        if self._from is not None:
            begin, goal = self._from
            self.viewport = replace(
                goal,
                x=begin.x + (goal.x - begin.x) * share,
                y=begin.y + (goal.y - begin.y) * share,
                zoom=begin.zoom + (goal.zoom - begin.zoom) * share,
                width=self.viewport.width,
                height=self.viewport.height,
            )
        if self._is_opening:
            self.progress = share
        if share >= 1.0:
            self._from, self._is_opening, self.progress = None, False, 1.0
        self._changed()
