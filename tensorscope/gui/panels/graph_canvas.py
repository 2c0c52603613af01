"""The graph under the mouse: wheel zooms at the pointer, dragging pans, clicks and keys are told to the panel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from tensorscope.gui.panels.graph_camera import EDGE, Camera
from tensorscope.gui.panels.hover_card import HoverCard
from tensorscope.render.graph import Look, Viewport, fitting, framing, paint_graph, visible
from tensorscope.render.graph_first import first_viewport
from tensorscope.render.graph_legend import paint_legend, paint_notice, paint_waiting
from tensorscope.render.graph_lines import views_by_line
from tensorscope.render.graph_minimap import Corner, KeptMap, covered_width, emptiest_corner, is_minimap_needed, minimap_rect, scene_point
from tensorscope.render.hover_card import Card
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph import GraphView
from tensorscope.viewmodel.graph_motion import Motion, same_box, shift_between
from tensorscope.viewmodel.graph_pick import Picked, pick
from tensorscope.viewmodel.graph_scene import Box, BoxKey, BoxKind

_DRAG_PX = 4.0
_WHEEL_BASE = 1.0015
_KEY_ZOOM = 1.25
_ARROWS = {Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down", Qt.Key.Key_Left: "left", Qt.Key.Key_Right: "right"}


@dataclass(slots=True)
class _Drag:
    begin: QPointF
    last: QPointF
    on_map: bool
    is_moving: bool = False


class GraphCanvas(QWidget):
    chosen = Signal(object)  # BoxKey, or None: the ground
    parameter_chosen = Signal(str)  # of a badge
    toggled = Signal(object)  # BoxKey of a group or run
    walked = Signal(str)  # up, down, left, right
    hovered = Signal(object, object)  # Picked or None, position
    looked = Signal()  # the viewport is another one
    path_asked = Signal(object)  # BoxKey: from what is selected to it
    menu_asked = Signal(object, object)  # Box or None, global position
    cancelled = Signal()  # Esc

    def __init__(self, theme: Callable[[], Theme], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.view: GraphView | None = None
        self.look = Look()
        self.camera = Camera(theme, self._camera_moved, self)
        self._motion: Motion | None = None
        self._drag: _Drag | None = None
        self._map = KeptMap()
        self._map_corner = Corner.RIGHT_TOP
        self._card = HoverCard(theme, self)
        self._has_looked = False  # the user has moved the view
        self.words = ""  # a sentence on what is highlighted, above the legend
        self.waiting: float | None = None  # share of a layout that is done, while one takes its time
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(120, 80)

    # what the panel says

    def show_view(self, view: GraphView, anchor: BoxKey | None = None) -> None:
        """Show a new view. The box ``anchor`` stays where it is on the screen, and the layout's change takes a moment."""
        old = self.view
        self.view = view
        if old is None or old.tree is not view.tree or _direction(old) != _direction(view):
            self._motion, self._has_looked = None, False
            self.camera.set(self.first_viewport(view))
            return
        if old.scene is not view.scene:
            shift = next((shift for key in self._anchors(old, anchor) if (shift := shift_between(old.scene, view.scene, key)) is not None), (0.0, 0.0))
            viewport = self.camera.viewport
            self.camera.set(replace(viewport, x=viewport.x + shift[0], y=viewport.y + shift[1]))
            if self.isVisible() and anchor is not None:
                self._motion = Motion.between(old.scene, view.scene, shift)
                self.camera.open()
        self.update()

    def show_look(self, look: Look) -> None:
        if look != self.look:
            self.look = look
            self.update()

    def explain(self, card: Card | None, at: QPointF) -> None:
        self._card.explain(card, self.mapToGlobal(at.toPoint()))

    @property
    def card(self) -> Card | None:
        return self._card.card

    def go_to(self, key: BoxKey) -> None:
        """Bring a box into view if it is not."""
        box = same_box(self.view.scene, key) if self.view is not None else None
        if box is None:
            return
        rect = QRectF(box.x, box.y, box.width, box.height if box.kind is not BoxKind.OPEN else self.theme().px("graph.group.header"))
        self._bring_into_view(rect, box)

    def go_to_node(self, place: int) -> None:
        """Bring a node into view: its box, the badge or closed group that stands for it, or the name of a view on its line."""
        if self.view is None:
            return
        line = next((line for line, node in views_by_line(self.view.scene.lines, self.view, Look(folded=place)).items() if node == place), None)
        if line is None:
            self.go_to(self.view.scene.box_of(place).key)
            return
        x, bottom = line.points[-1]
        self._bring_into_view(QRectF(x - 100, bottom - self.theme().px("graph.node.height"), 200, self.theme().px("graph.node.height")))

    def fit(self) -> None:
        """The whole graph in view."""
        if self.view is not None:
            self._glide(fitting(self.view.scene, self.width(), self._graph_height(), self.theme()))

    def zoom_to(self, key: BoxKey | None) -> None:
        """One box as large as fits, not above its natural size; without one everything."""
        box = same_box(self.view.scene, key) if self.view is not None and key is not None else None
        if box is None or self.view is None:
            self.fit()
            return
        left, top, right, bottom = (float(side) for side in self.view.scene.box_rects[self.view.scene.index[box.key]])
        self._glide(framing(QRectF(left, top, right - left, bottom - top), self.width(), self._graph_height(), self.theme()))

    def say(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.update()

    def wait(self, share: float | None) -> None:
        if share != self.waiting:
            self.waiting = share
            self.update()

    def zoom_by(self, factor: float) -> None:
        self.camera.zoom_at(QPointF(self.width() / 2, self._graph_height() / 2), factor)

    def first_viewport(self, view: GraphView) -> Viewport:
        """The whole graph if it fits nearly unscaled; else as large as lets the spine fit with its badges, at the node that stands out or at the top."""
        width, height = float(self.width()), self._graph_height()
        place = view.progress.current
        return first_viewport(view.scene, width, height, covered_width(width, self.theme()), place, self.theme())

    # Qt's events

    def paintEvent(self, event: QPaintEvent) -> None:
        view, theme = self.view, self.theme()
        if view is None:
            return
        with QPainter(self) as painter:
            scene, look = view.scene, self.look
            if self.camera.progress < 1.0 and self._motion is not None and self._motion.scene is view.scene:
                part = self.camera.viewport.scene_rect
                scene = self._motion.at(self.camera.progress, (part.left() - 12, part.top() - 12, part.right() + 12, part.bottom() + 12))
                look = replace(look, line_opacity=self.camera.progress)
            viewport = self.camera.viewport
            paint_graph(painter, view, viewport, theme, look, scene)
            if is_minimap_needed(view, viewport):
                self._map.paint(painter, self._map_rect(), view, viewport, theme)
            legend = QRectF(0, self._graph_height(), self.width(), self.height() - self._graph_height())
            if view.notice or self.words:
                paint_notice(painter, legend.translated(0, -legend.height()), theme, view.notice or self.words, "warning" if view.notice else "info")
            if self.waiting is not None:
                paint_waiting(painter, QRectF(0, 0, self.width(), self._graph_height()), theme, self.waiting)
            paint_legend(painter, legend, theme, viewport.zoom, view)

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_first = event.oldSize().width() <= 0
        self.camera.resize(self.width(), self._graph_height())
        if self.view is not None and (is_first or not self._has_looked):
            self.camera.set(self.first_viewport(self.view))

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.pixelDelta().y() * 2 or event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.camera.pan(turned or event.angleDelta().x(), 0)
        elif turned:
            self.camera.zoom_at(event.position(), _WHEEL_BASE**turned)
        self._has_looked = True
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._drag = _Drag(event.position(), event.position(), self._is_on_map(event.position()))
            if self._drag.on_map:
                self._go_on_map(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        drag = self._drag
        if drag is None:
            self._hover(event.position())
            return
        drag.is_moving = drag.is_moving or (event.position() - drag.begin).manhattanLength() > _DRAG_PX
        if drag.on_map:
            self._go_on_map(event.position())
        elif drag.is_moving:
            moved = event.position() - drag.last
            self.camera.pan(moved.x(), moved.y())
            self._has_looked = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        drag.last = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        drag, self._drag = self._drag, None
        self.unsetCursor()
        if drag is None or drag.is_moving or drag.on_map or event.button() != Qt.MouseButton.LeftButton:
            return
        picked = self._picked(event.position())
        if picked is not None and picked.on_chevron and picked.box is not None:
            self.toggled.emit(picked.box.key)
        elif picked is not None and picked.badge is not None and picked.badge.parameter:
            self.parameter_chosen.emit(picked.badge.parameter)
        elif picked is not None and picked.box is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.path_asked.emit(picked.box.key)
        else:
            self.chosen.emit(picked.box.key if picked is not None and picked.box is not None else None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        picked = self._picked(event.position())
        if picked is not None and picked.box is not None and picked.box.kind is not BoxKind.NODE and not self._is_on_map(event.position()):
            self.toggled.emit(picked.box.key)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        picked = self._picked(QPointF(event.pos())) if event.reason() is QContextMenuEvent.Reason.Mouse else None
        selected = next(iter(self.look.selected), None)
        box = picked.box if picked is not None else same_box(self.view.scene, selected) if self.view is not None and selected is not None else None
        self.menu_asked.emit(box, event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit(None, QPointF())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _ARROWS:
            self.walked.emit(_ARROWS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            for selected in self.look.selected:
                if selected.node < 0:
                    self.toggled.emit(selected)
        elif key == Qt.Key.Key_F and not event.modifiers():
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(_KEY_ZOOM)
        elif key == Qt.Key.Key_Minus:
            self.zoom_by(1 / _KEY_ZOOM)
        elif key == Qt.Key.Key_0:
            self.zoom_by(1 / self.camera.viewport.zoom)
        elif key == Qt.Key.Key_Z and not event.modifiers():
            self.zoom_to(next(iter(self.look.selected), None))
        elif key == Qt.Key.Key_Escape and (self.waiting is not None or self.words):
            self.cancelled.emit()
        elif key == Qt.Key.Key_Escape and self.look.selected:
            self.chosen.emit(None)
        else:
            super().keyPressEvent(event)

    # inside

    def _glide(self, goal: Viewport) -> None:
        self._has_looked = True
        if self.isVisible():
            self.camera.glide(goal)
        else:
            self.camera.set(goal)

    def _bring_into_view(self, rect: QRectF, box: Box | None = None) -> None:
        """Nothing moves if the rectangle is in view; else ``box``'s badges and groups come with it."""
        covered = covered_width(self.width(), self.theme())
        if not self.camera.viewport.scene_rect.adjusted(0, 0, -covered / self.camera.viewport.zoom, 0).contains(rect):
            least = 0.0 if self._has_looked else 1.0  # out of the first look at everything, to where a node says all of itself
            self._glide(self.camera.showing(self._with_surroundings(box, rect, least) if box is not None else rect, covered, least))

    def _with_surroundings(self, box: Box, rect: QRectF, least_zoom: float) -> QRectF:
        """The rectangle widened by the node's badges and by the groups around it, as far as they fit beside the minimap."""
        assert self.view is not None
        scene = self.view.scene
        room = (self.width() - covered_width(self.width(), self.theme())) / max(self.camera.viewport.zoom, least_zoom) - 2 * EDGE
        left, _, right, _ = (float(side) for side in scene.box_rects[scene.index[box.key]])
        while box.parent >= 0 and scene.boxes[box.parent].width <= room:
            box = scene.boxes[box.parent]
            left, right = box.x, box.x + box.width
        return QRectF(left, rect.top(), right - left, rect.height()) if right - left <= room else rect

    def _graph_height(self) -> float:
        return max(float(self.height()) - self.theme().px("size.status_bar"), 1.0)

    def _anchors(self, old: GraphView, anchor: BoxKey | None) -> list[BoxKey]:
        """What may stay in place, best first: the given box, what is selected, what is nearest to the middle of the view."""
        part = self.camera.viewport.scene_rect
        middle = part.center()

        def distance(box: Box) -> float:
            return abs(box.x + box.width / 2 - middle.x()) + abs(box.y + box.height / 2 - middle.y())

        seen = sorted((old.scene.boxes[index] for index in visible(old.scene.box_rects, self.camera.viewport, margin=0)), key=distance)
        return [*([anchor] if anchor is not None else []), *self.look.selected, *(box.key for box in seen)]

    def _picked(self, at: QPointF) -> Picked | None:
        if self.view is None or at.y() >= self._graph_height():
            return None
        point = self.camera.viewport.to_scene(at)
        return pick(self.view.scene, point.x(), point.y(), self.camera.viewport.zoom)

    def _hover(self, at: QPointF) -> None:
        picked = None if self._is_on_map(at) else self._picked(at)
        self.setCursor(Qt.CursorShape.PointingHandCursor if picked is not None and picked.on_chevron else Qt.CursorShape.ArrowCursor)
        self.show_look(replace(self.look, hovered=picked.box.key if picked is not None and picked.box is not None else None))
        self.hovered.emit(picked, at)

    def _is_on_map(self, at: QPointF) -> bool:
        viewport = self.camera.viewport
        return self.view is not None and is_minimap_needed(self.view, viewport) and self._map_rect().contains(at)

    def _map_rect(self) -> QRectF:
        """In the emptiest corner; it stays where it is while things move."""
        viewport, theme = self.camera.viewport, self.theme()
        if self.view is not None and self._drag is None and not self.camera.is_moving:
            self._map_corner = emptiest_corner(self.view, viewport, theme, self._map_corner)
        return minimap_rect(viewport, theme, self._map_corner, is_sideways=self.view is not None and self.view.scene.options.is_sideways)

    def _go_on_map(self, at: QPointF) -> None:
        assert self.view is not None
        viewport = self.camera.viewport
        point = scene_point(self._map_rect(), self.view, at)
        self._has_looked = True
        self.camera.set(replace(viewport, x=point.x() - viewport.width / viewport.zoom / 2, y=point.y() - viewport.height / viewport.zoom / 2))

    def _camera_moved(self) -> None:
        self.update()
        self.looked.emit()


def _direction(view: GraphView) -> tuple[object, object]:
    return view.scene.options.flow, view.scene.options.reading
