"""What is painted, and what the exports write: colours at places worked out by hand, equal bands in PNG and SVG, whole files or none."""

import csv
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from tensorscope.analysis.results import CATEGORIES
from tensorscope.errors import TensorScopeError
from tensorscope.export.memory_csv import BLOCK_HEADER, CURVE_HEADER, save_blocks_csv, save_curve_csv
from tensorscope.export.memory_picture import PictureOptions, save_memory_png, save_memory_svg
from tensorscope.render.gradients import GradientsLook, GradientsMarks, gradients_geometry, paint_gradients
from tensorscope.render.gradients_map import LOWEST_SHADE
from tensorscope.render.memory import block_label_rect, memory_geometry, paint_memory, plot_size
from tensorscope.render.memory_marks import peak_label_rect
from tensorscope.render.storage_bar import paint_storage_bar, paint_tensor_bar
from tensorscope.render.theme import RAMP_SIZE, Theme
from tensorscope.viewmodel.gradient_curves import curves_of
from tensorscope.viewmodel.gradient_rows import fold_rows
from tensorscope.viewmodel.gradients import gradient_map, norms_at
from tensorscope.viewmodel.memory import MemoryModel, MemoryView, prepare_memory, view_memory
from tensorscope.viewmodel.memory_names import BlockNamer
from tensorscope.viewmodel.memory_state import MemoryRequest, compute_memory
from tensorscope.viewmodel.storages import storage_tree
from tests.support.believable_run import ITERATION_NS, START_NS, gradient_run, iterations_of, memory_run, phases_of, storage_run
from tests.support.demo_trace import demo_snapshot

END_NS = START_NS + 50 * ITERATION_NS
FACTS = {"script": "/home/me/gpt/train.py", "wall_begin_ns": 1_700_000_000_000_000_000}


@pytest.fixture(params=["dark", "light"])
def theme(request: pytest.FixtureRequest, qapp: object) -> Theme:
    return Theme.named(request.param)


@pytest.fixture(scope="module")
def model() -> MemoryModel:
    return prepare_memory(memory_run(), iterations_of(), phases_of(), END_NS)


def painted(view: MemoryView, theme: Theme, rect: QRectF) -> QImage:
    image = QImage(int(rect.width()), int(rect.height()), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_memory(painter, rect, view, theme)
    painter.end()
    return image


def pixels(image: QImage) -> NDArray[np.int64]:
    """[height, width, 3] of 0 to 255."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    bits = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return bits[:, : image.width(), 2::-1].astype(np.int64)


def test_the_label_of_a_block_keeps_off_the_peaks(model: MemoryModel, theme: Theme) -> None:
    rect = QRectF(0, 0, 900, 400)
    width, height = plot_size(rect, theme)
    view = view_memory(model, (0, END_NS), round(width), height)
    geometry = memory_geometry(rect, view, theme)
    peak = peak_label_rect(geometry, view, theme)
    assert geometry.plot.adjusted(0, -20, 0, 0).contains(peak)
    at_peak = block_label_rect(geometry, QRectF(peak.right() + 4, peak.top() + 3, 50, 40), "saved by MulBackward0", theme, peak)
    below = block_label_rect(geometry, QRectF(peak.right() + 4, peak.top() + 60, 50, 40), "saved by MulBackward0", theme, peak)
    assert at_peak.left() < peak.right()
    assert (at_peak.top(), below.top()) == (peak.bottom() + 1, peak.top() + 58)


def test_bands_stand_in_stack_order_with_a_gap_of_panel_colour(model: MemoryModel, theme: Theme) -> None:
    rect = QRectF(0, 0, 700, 400)
    width, height = plot_size(rect, theme)
    view = view_memory(model, (END_NS - ITERATION_NS, END_NS), round(width), height, with_cursor=False)
    image, geometry = painted(view, theme, rect), memory_geometry(rect, view, theme)
    column = len(view.high_bytes) // 2
    x, bottom = round(geometry.plot.left()) + column, 0
    for name in ("parameter", "optimizer_state"):
        size = int(view.category_bytes[CATEGORIES.index(name), column])
        middle, top = geometry.y_of(bottom + size / 2), geometry.y_of(bottom + size)
        assert image.pixelColor(x, round(middle)) in (theme.category(name), theme.category_tint(name))
        assert image.pixelColor(x, round(top)) == theme.color("surface.panel")
        bottom += size


def test_the_peak_column_reaches_its_height_at_every_zoom(model: MemoryModel, theme: Theme) -> None:
    for begin in (0, END_NS - 3 * ITERATION_NS):
        rect = QRectF(0, 0, 700, 400)
        width, height = plot_size(rect, theme)
        view = view_memory(model, (begin, END_NS), round(width), height, with_cursor=False)
        geometry = memory_geometry(rect, view, theme)
        assert view.peak is not None
        assert view.high_bytes.max() == view.peak.bytes
        x = round(geometry.plot.left()) + int(view.high_bytes.argmax())
        above, inside = (painted(view, theme, rect).pixelColor(x, round(geometry.y_of(view.peak.bytes)) + step) for step in (-1, 14))
        assert inside != theme.color("surface.panel")
        assert above != inside


def test_svg_and_screen_show_the_same_bands(model: MemoryModel, theme: Theme, tmp_path: Path) -> None:
    """Painted apart (polygons there, an image here), they may differ along edges alone."""
    options = PictureOptions(900, 420, theme=theme.name, facts=FACTS, range_ns=(END_NS - 3 * ITERATION_NS, END_NS))
    save_memory_png(tmp_path / "memory.png", model, options)
    save_memory_svg(tmp_path / "memory.svg", model, options)
    drawn = QImage(900, 420, QImage.Format.Format_RGB32)
    painter = QPainter(drawn)
    QSvgRenderer(str(tmp_path / "memory.svg")).render(painter)
    painter.end()
    plot = (slice(110, 360), slice(90, 860))
    difference = np.abs(pixels(QImage(str(tmp_path / "memory.png")))[plot] - pixels(drawn)[plot]).max(axis=2)
    assert (difference > 60).mean() < 0.04


def test_a_picture_says_script_device_peak_and_date(model: MemoryModel, qapp: object, tmp_path: Path) -> None:
    save_memory_svg(tmp_path / "memory.svg", model, PictureOptions(facts=FACTS))
    words = {element.text.strip() for element in ElementTree.parse(tmp_path / "memory.svg").iter() if element.text and element.text.strip()}
    assert {"train.py", "cuda:0", "peak 11.2 GiB", "capacity 15.7 GiB", "bytes at the peak"} <= words
    assert any(word.startswith("2023-11-1") for word in words)


def test_dpi_scales_the_pixels(model: MemoryModel, qapp: object, tmp_path: Path) -> None:
    save_memory_png(tmp_path / "memory.png", model, PictureOptions(640, 360, dpi=192))
    image = QImage(str(tmp_path / "memory.png"))
    assert (image.width(), image.height()) == (1280, 720)
    assert round(image.dotsPerMeterX() * 0.0254) == 192


def test_a_target_that_cannot_be_written_is_one_sentence_and_leaves_nothing(model: MemoryModel, qapp: object, tmp_path: Path) -> None:
    with pytest.raises(TensorScopeError, match=r"^Cannot write .*missing/memory\.png: no such file or directory\.$"):
        save_memory_png(tmp_path / "missing" / "memory.png", model, PictureOptions())
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(TensorScopeError, match="Cannot write"):
        save_memory_png(tmp_path / "folder.png", model, PictureOptions())
    assert [path.name for path in tmp_path.iterdir()] == ["folder.png"]


def test_the_curve_as_csv_sums_up(tmp_path: Path) -> None:
    state = compute_memory(demo_snapshot("cuda", is_held=False), MemoryRequest(None, frozenset(), None, None), None)
    save_curve_csv(tmp_path / "curve.csv", state.model.timeline)
    header, *rows = csv.reader((tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines())
    assert tuple(header) == CURVE_HEADER
    numbers = [[int(cell) for cell in row] for row in rows]
    assert len(numbers) == len(state.model.timeline.times_ns)
    assert all(row[1] == sum(row[3:]) for row in numbers)
    assert max(row[1] for row in numbers) == int(state.model.timeline.allocated_bytes.max())


def test_a_range_of_the_curve_begins_with_the_value_that_holds_there(tmp_path: Path) -> None:
    state = compute_memory(demo_snapshot("cuda", is_held=False), MemoryRequest(None, frozenset(), None, None), None)
    times = state.model.timeline.times_ns
    begin, end = int(times[100]) + 1, int(times[200])
    save_curve_csv(tmp_path / "curve.csv", state.model.timeline, (begin, end))
    _, *rows = csv.reader((tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines())
    assert int(rows[0][0]) <= begin < int(rows[1][0])
    assert int(rows[-1][0]) <= end


def test_blocks_as_csv_are_every_allocation(tmp_path: Path) -> None:
    snapshot = demo_snapshot("cuda", is_held=False)
    state = compute_memory(snapshot, MemoryRequest(None, frozenset(), None, None), None)
    save_blocks_csv(tmp_path / "blocks.csv", state.model.timeline, BlockNamer(snapshot))
    header, *rows = csv.reader((tmp_path / "blocks.csv").read_text(encoding="utf-8").splitlines())
    assert tuple(header) == BLOCK_HEADER
    blocks = state.model.timeline.blocks
    assert [int(row[0], 16) for row in rows] == blocks.address.tolist()
    assert sum(int(row[1]) for row in rows if not row[3]) == int(blocks.size[blocks.is_live].sum())
    assert any("wte.weight" in row[5] for row in rows)


def test_a_norm_has_its_colour_of_the_ramp_and_nan_the_error_colour(theme: Theme) -> None:
    view = gradient_map(gradient_run(48), iterations_of(48), 1)
    rows = fold_rows(view, frozenset())
    look = GradientsLook(view, rows, curves_of(view, rows))
    look = replace(look, sight=look.whole_sight)
    rect = QRectF(0, 0, 900, 1500)
    image = QImage(900, 1500, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_gradients(painter, rect, look, theme, GradientsMarks())
    painter.end()
    geometry = gradients_geometry(rect, look, theme)

    def corner(parameter: int, iteration: int) -> QPointF:
        return QPointF(geometry.x_of(iteration) + 2, geometry.y_of(parameter) + 2)

    share = np.log(norms_at(view, 30)[0][60] / view.robust.low) / np.log(view.robust.high / view.robust.low)
    expected = QColor(int(theme.ramp("gradient_norm")[round(LOWEST_SHADE + share * (RAMP_SIZE - 1 - LOWEST_SHADE))]))
    found = image.pixelColor(corner(60, 30).toPoint())
    assert max(abs(getattr(found, channel)() - getattr(expected, channel)()) for channel in ("red", "green", "blue")) <= 2  # a code's step
    bad = view.parameters.index("h.5.attn.c_attn.weight")
    assert image.pixelColor(corner(bad, 20).toPoint()) == theme.color("severity.error")
    assert image.pixelColor(corner(7, 10).toPoint()) == theme.color("surface.field")  # no gradient


def test_a_bar_is_full_where_a_tensor_is_pale_where_none_is(theme: Theme) -> None:
    kept = next(item for item in storage_tree(storage_run()).items if item.row.category == "activation" and item.base is None)
    image = QImage(200, 20, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.fillRect(image.rect(), theme.color("surface.panel"))
    paint_storage_bar(painter, QRectF(0, 0, 160, 20), kept, theme)
    painter.end()
    assert image.pixelColor(10, 10).rgb() == theme.category_pale("activation").rgb()
    assert image.pixelColor(20, 10) == theme.category("activation")  # the last row of the first of eight samples, widened to be seen
    assert image.pixelColor(180, 10) == theme.color("surface.panel")


def test_an_expanded_view_is_hatched(theme: Theme) -> None:
    item = next(item for item in storage_tree(storage_run()).items if item.name == "pos")
    image = QImage(200, 20, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_tensor_bar(painter, QRectF(0, 0, 200, 20), item.others[0], item, theme)
    painter.end()
    seen = {image.pixelColor(x, 10).rgb() for x in range(4, 196)}
    assert len(seen) > 3
