"""The sharing graph of a storage: who is drawn and joined with whom, zoom and keys, and its picture."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest

from tensorscope.analysis.results import StorageRow, StorageTensor
from tensorscope.errors import TensorScopeError
from tensorscope.export.sharing_picture import page_size, save_sharing_picture
from tensorscope.gui.panels.storages import SHARING, StoragesPanel
from tensorscope.viewmodel.sharing import BoxKind, SharingScene, scene_text, sharing_scene
from tensorscope.viewmodel.storages import storage_tree
from tensorscope.viewmodel.workspace import StorageSelection
from tests.panels.test_panel_storages_detail import snapshot
from tests.support.believable_run import storage_run
from tests.support.panel_stage import Stage, settle, staged

FACTS = {"script": "/user/train.py", "wall_begin_ns": 0}


def tensor(name: str, impl: int, base: int = 0) -> StorageTensor:
    return StorageTensor((name,) if name else (), (4, 6), (6, 1), 0, "float32", base != 0, True, 0, 0, 96, False, impl, base)


def scene(tensors: tuple[StorageTensor, ...], holders: tuple[str, ...]) -> SharingScene:
    row: StorageRow = replace(storage_run().rows[2], tensors=tensors, holders=holders, nbytes=96)
    return sharing_scene(storage_tree(replace(storage_run(), rows=(row,))).items[0])


@pytest.fixture
def stage(qapp: object) -> Iterator[Stage]:
    with staged(StoragesPanel, snapshot(), (1200, 400)) as made:
        made.workspace.select(StorageSelection(0x10, 600_000_000))
        made.panel.choose_tab(SHARING)
        settle()
        yield made


def test_views_hang_on_their_base_and_holders_on_what_they_name() -> None:
    drawn = scene((tensor("table", 1), tensor("rows", 2, 1), tensor("first", 3, 1)), ("local table in main()", "saved by MulBackward0 as self"))
    assert [(box.kind, box.title) for box in drawn.boxes] == [
        (BoxKind.STORAGE, "table"),
        (BoxKind.HOLDER, "saved by MulBackward0 as self"),
        (BoxKind.TENSOR, "table"),
        (BoxKind.TENSOR, "rows"),
        (BoxKind.TENSOR, "first"),
    ]
    assert [(edge.source, edge.target, edge.is_view) for edge in drawn.edges] == [(1, 0, False), (0, 2, False), (2, 3, True), (2, 4, True)]
    assert drawn.boxes[2].notes == ("local table in main()",)
    assert scene_text(drawn).splitlines()[-1] == "table -> first"


def test_views_whose_base_is_gone_hang_on_the_storage() -> None:
    drawn = scene((tensor("rows", 2, 1), tensor("first", 3, 1)), ())
    assert [(edge.source, edge.target, edge.is_view) for edge in drawn.edges] == [(0, 1, False), (0, 2, False)]


def test_boxes_lie_beside_each_other_and_within_the_picture() -> None:
    views = tuple(tensor(f"v{number}", 10 + number, 1) for number in range(6))
    drawn = scene((tensor("a", 1), *views, tensor("b", 2)), ("local a in main()", "local a in f()", "local a in g()", "list of an unknown object"))
    for place, one in enumerate(drawn.boxes):
        assert 0 <= one.x <= one.x + one.width <= drawn.width
        assert 0 <= one.y <= one.y + one.height <= drawn.height + 1
        for other in drawn.boxes[place + 1 :]:
            assert one.x + one.width <= other.x or other.x + other.width <= one.x or one.y + one.height <= other.y or other.y + other.height <= one.y


def test_of_very_many_tensors_some_are_drawn_and_the_rest_counted() -> None:
    drawn = scene(tuple(tensor(f"t{number}", 1 + number) for number in range(50)), tuple(f"saved by Node{number} as x" for number in range(30)))
    assert [box.title for box in drawn.boxes if box.kind is BoxKind.MORE] == ["6 more holders", "10 more tensors"]


def test_the_page_shows_the_chosen_storage_and_fits_it(stage: Stage) -> None:
    view = stage.panel.sharing
    assert view.isVisible()
    assert [box.title for box in view.scene.boxes] == ["table", "saved by MulBackward0 as self", "table", "first"]
    assert view.scene.width * view.zoom <= view.width()
    assert "table -> first" in view.accessibleDescription()
    stage.picture()


def test_it_is_zoomed_at_a_point_moved_and_fitted_by_key(stage: Stage) -> None:
    view = stage.panel.sharing
    fitted, at = view.zoom, QPointF(view.rect().center())
    under = view.box_under(at)
    view.zoom_at(at, 1.5)
    assert (view.zoom, view.box_under(at)) == (pytest.approx(fitted * 1.5), under)
    QTest.keyClick(view, Qt.Key.Key_F)
    assert view.zoom == fitted
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == scene_text(view.scene)


def test_it_is_saved_whole_as_png_and_as_svg_with_words(stage: Stage, tmp_path: Path) -> None:
    stage.panel.save_sharing(tmp_path / "graph.png")
    stage.panel.save_sharing(tmp_path / "graph.svg")
    width, height = page_size(stage.panel.sharing.scene)
    image = QImage(str(tmp_path / "graph.png"))
    assert (image.width(), image.height()) == (2 * width, 2 * height)
    assert "saved by MulBackward0" in (tmp_path / "graph.svg").read_text() or "first" in (tmp_path / "graph.svg").read_text()


def test_a_folder_that_is_not_there_is_said(stage: Stage, tmp_path: Path) -> None:
    with pytest.raises(TensorScopeError, match="Cannot write"):
        save_sharing_picture(tmp_path / "absent" / "graph.png", stage.panel.sharing.scene, "dark", FACTS)
