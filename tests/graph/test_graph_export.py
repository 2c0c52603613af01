"""Graphs and gradients as files: what torchviz draws, whole pictures in tiles, tables that give the same numbers."""

import csv
import json
import os
import re
import subprocess
import sys
import zlib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import graphviz
import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from tensorscope.analysis.gradients import gradient_table
from tensorscope.cli import export
from tensorscope.cli.main import main
from tensorscope.errors import TensorScopeError
from tensorscope.export import graph_dot as graph_dot_module
from tensorscope.export import graph_picture
from tensorscope.export.gradients_csv import HEADER, save_gradients_csv
from tensorscope.export.graph_dot import graph_dot, save_graphviz_pdf
from tensorscope.export.graph_picture import GraphPictureOptions, page_of, paint_graph_page, save_graph_pdf, save_graph_png, save_graph_svg
from tensorscope.export.png_strips import write_png
from tensorscope.render.graph_style import graph_metrics
from tensorscope.render.pdf import paint_pdf
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.graph import GraphDocument, GraphView
from tensorscope.viewmodel.graph_badges import badge_rects
from tensorscope.viewmodel.graph_open import OpenState, expanded
from tensorscope.viewmodel.graph_scene import BoxKind
from tests.graph.real_graphs import GPT, chain, graph_of, load
from tests.support.demo_trace import demo_snapshot
from tests.support.fake_session import FakeSession

NODE = re.compile(r'^\t(\w+) \[label="?((?:[^"\\\]]|\\.)*?)"? ?(?:fillcolor=(\w+))?(?: tooltip=.*)?\]$', re.MULTILINE)
EDGE = re.compile(r"^\t(\w+) -> (\w+)", re.MULTILINE)


@pytest.fixture(scope="module")
def torchviz() -> Any:
    child = subprocess.run([sys.executable, str(Path(__file__).with_name("torchviz_child.py"))], capture_output=True, timeout=240, check=True)
    return json.loads(child.stdout)


def parts(source: str) -> tuple[dict[str, tuple[str, str]], Counter[tuple[str, str]]]:
    """Label (blanks aside) and colour of each node, and how often each edge is there."""
    nodes = {name: ("".join(label.split()), color) for name, label, color in NODE.findall(source)}
    return nodes, Counter(EDGE.findall(source))


def test_the_dot_has_the_nodes_edges_names_and_colours_of_torchviz(torchviz: Any) -> None:
    ids = torchviz["ids"]
    theirs, their_edges = parts(torchviz["torchviz"])
    ours, our_edges = parts(graph_dot(graph_of(torchviz["graph"]), {}).source)
    assert len(theirs) > 20
    assert ours == {ids[name]: entry for name, entry in theirs.items()}
    assert our_edges == Counter({(ids[a], ids[b]): count for (a, b), count in their_edges.items()})


def test_the_dot_has_every_node_and_edge_of_autograd() -> None:
    graph = load(GPT)
    nodes, edges = parts(graph_dot(graph, {}).source)
    assert {name for name in nodes if name[0] == "n"} == {f"n{node.id}" for node in graph.nodes}
    assert Counter(edge for edge in edges.elements() if edge[0][0] == edge[1][0] == "n") == Counter(
        (f"n{edge.target}", f"n{edge.source}") for edge in graph.edges
    )


def test_a_graph_of_thousands_of_nodes_asks_dot_for_less_perfection() -> None:
    assert "nslimit" not in graph_dot(load(GPT), {}).source
    assert "nslimit=1" in graph_dot(chain(*["MulBackward0"] * 2_000), {}).source


def test_without_graphviz_a_pdf_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TensorScopeError, match=r"^The PDF is drawn by graphviz, whose program dot was not found: install it \(apt install graphviz\)\.$"):
        save_graphviz_pdf(tmp_path / "g.pdf", chain("MulBackward0"), {})
    assert not list(tmp_path.iterdir())


def test_a_graph_that_graphviz_cannot_finish_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "bin" / "dot"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(graph_dot_module, "PATIENCE_S", 1)
    with pytest.raises(TensorScopeError, match=r"^graphviz did not finish 2 nodes in 1 s: export SVG, or DOT for another layout such as sfdp\.$"):
        save_graphviz_pdf(tmp_path / "g.pdf", chain("MulBackward0", "AddBackward0"), {})
    assert not (tmp_path / "g.pdf").exists()


def test_a_pdf_is_drawn_by_graphviz(tmp_path: Path) -> None:
    try:
        graphviz.version()
    except graphviz.ExecutableNotFound:
        pytest.skip("dot is not installed")
    save_graphviz_pdf(tmp_path / "g.pdf", chain("MulBackward0", "AddBackward0"), {})
    assert (tmp_path / "g.pdf").read_bytes().startswith(b"%PDF")


def test_a_pdf_of_the_picture_is_one_page_of_shapes_with_its_fonts_and_words_that_can_be_searched(qapp: QApplication, tmp_path: Path) -> None:
    view = gpt_view()
    save_graph_pdf(tmp_path / "g.pdf", view, GraphPictureOptions("light", 96, {"script": "/home/me/train.py"}))
    content = (tmp_path / "g.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    (box,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content)
    page = page_of(view)
    assert [float(side) for side in box] == pytest.approx([page.width() * 0.75, page.height() * 0.75], abs=1)  # 72 points, 96 pixels an inch
    assert len(re.findall(rb"/FontFile2 ", content)) == len(re.findall(rb"/FontDescriptor /", content.replace(b"\n", b" "))) >= 2
    assert b"/Subtype /Image" not in content
    maps = [text for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL) if b"begincmap" in (text := unpacked(stream))]
    assert any(b"<0030>" in text for text in maps)  # "0", which has a glyph of its own where digits are of one width


def unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return stream


def test_a_page_that_no_reader_would_open_is_made_smaller(qapp: QApplication, tmp_path: Path) -> None:
    paint_pdf(tmp_path / "long.pdf", 1_000, 40_000, "long", lambda painter: painter.drawRect(QRectF(10, 39_000, 900, 900)))
    (box,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", (tmp_path / "long.pdf").read_bytes())
    assert [float(side) for side in box] == pytest.approx([360, 14_400], abs=1)


def test_words_of_an_svg_fall_back_to_a_narrow_font_before_a_wide_one(qapp: QApplication, tmp_path: Path) -> None:
    save_graph_svg(tmp_path / "g.svg", gpt_view(), GraphPictureOptions("light"))
    families = set(re.findall(r'font-family="(Inter[^"]*)"', (tmp_path / "g.svg").read_text(encoding="utf-8")))
    assert families
    for names in (family.split(",") for family in families):
        assert names.index("Inter") < names.index("Arial") < names.index("DejaVu Sans")


def test_a_badge_in_an_svg_has_its_stripe_only_at_its_left(qapp: QApplication, tmp_path: Path) -> None:
    view = gpt_view()
    save_graph_svg(tmp_path / "g.svg", view, GraphPictureOptions("light"))
    page, picture = page_of(view), QImage(str(tmp_path / "g.svg"))
    box = next(box for box in view.scene.boxes if box.badges)
    x, y, width, height = badge_rects(box, view.scene.metrics)[0]
    left, top = x + (page.width() - view.scene.width) // 2, y + 34 + 20  # title and margin
    scale = picture.width() / page.width()
    blue = Theme.light().category("parameter")

    def is_blue(at: float) -> bool:
        color = picture.pixelColor(round((left + at) * scale), round((top + height / 2) * scale))
        return abs(color.red() - blue.red()) + abs(color.blue() - blue.blue()) < 30

    assert is_blue(1.5)
    assert not is_blue(width - 24)


def gpt_view(depth: int | None = 0, theme: str = "dark") -> GraphView:
    graph, document = load(GPT), GraphDocument()
    state = OpenState() if depth == 0 else expanded(document.tree(graph, {}).groups.values(), depth)
    return document.view(graph, state, graph_metrics(Theme.named(theme)))


def test_everything_down_to_a_depth_stands_open(qapp: QApplication) -> None:
    kinds = {depth: Counter(box.kind for box in gpt_view(depth).scene.boxes) for depth in (1, 2, None)}
    assert kinds[1] == {BoxKind.NODE: 7, BoxKind.OPEN: 1, BoxKind.GROUP: 2}  # loss, log-softmax, head, norm, add, two embeddings
    assert kinds[2][BoxKind.GROUP] == 4
    assert kinds[None][BoxKind.GROUP] == kinds[None][BoxKind.RUN] == 0
    assert kinds[None][BoxKind.NODE] == len(gpt_view().tree.folded.drawn)


@pytest.mark.parametrize("dpi", [96, 150])
def test_a_picture_in_tiles_is_the_picture_in_one(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dpi: int) -> None:
    view, options = gpt_view(None), GraphPictureOptions("light", dpi, {"script": "/home/me/train.py"})
    save_graph_png(tmp_path / "one.png", view, options)
    monkeypatch.setattr(graph_picture, "_TILE", 300)
    save_graph_png(tmp_path / "tiles.png", view, options)
    one, tiles = QImage(str(tmp_path / "one.png")), QImage(str(tmp_path / "tiles.png"))
    assert one.height() > 1_500
    assert one.width() == -(-int(page_of(view).width()) * dpi // 96)
    different = [(x, y) for x in range(0, one.width(), 3) for y in range(0, one.height(), 3) if one.pixel(x, y) != tiles.pixel(x, y)]
    assert len(different) <= one.width() * one.height() / 9 * 0.001  # text may be placed a fraction of a pixel elsewhere


def test_a_png_keeps_every_pixel_and_says_its_resolution(qapp: QApplication, tmp_path: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (70, 33, 3), np.uint8)
    write_png(tmp_path / "p.png", 33, 70, 192, (pixels[:64], pixels[64:]))
    image = QImage(str(tmp_path / "p.png"))
    assert (image.width(), image.height(), image.dotsPerMeterX()) == (33, 70, 7559)
    assert all(
        (image.pixelColor(x, y).red(), image.pixelColor(x, y).green(), image.pixelColor(x, y).blue()) == tuple(pixels[y, x])
        for x in range(33)
        for y in range(70)
    )


def test_an_svg_holds_words_and_looks_like_the_painter(qapp: QApplication, tmp_path: Path) -> None:
    view, options = gpt_view(), GraphPictureOptions("light", 96, {"script": "/home/me/train.py"})
    save_graph_svg(tmp_path / "g.svg", view, options)
    text = (tmp_path / "g.svg").read_text(encoding="utf-8")
    assert all(word in text for word in (">train.py<", ">NllLoss<", ">h.1<", f"{len(view.graph.nodes)} nodes"))
    page = page_of(view)
    from_svg, painted = (QImage(int(page.width()), int(page.height()), QImage.Format.Format_RGB32) for _ in range(2))
    for image, paint in (
        (from_svg, lambda painter: QSvgRenderer(str(tmp_path / "g.svg")).render(painter, page)),
        (painted, lambda painter: paint_graph_page(painter, view, options, page)),
    ):
        painter = QPainter(image)
        paint(painter)
        painter.end()
    box = view.scene.boxes[0]
    left = (page.width() - view.scene.width) // 2
    around = QRectF(left + box.x, 54 + box.y, box.width, box.height).toRect()
    assert any(from_svg.pixel(around.left() + dx, around.top() + 12) != from_svg.pixel(2, 60) for dx in range(4))
    assert from_svg.pixel(2, 60) == painted.pixel(2, 60)


def test_gradients_are_written_so_that_they_read_the_same(tmp_path: Path) -> None:
    table = gradient_table(demo_snapshot())
    save_gradients_csv(tmp_path / "g.csv", table)
    rows = list(csv.DictReader((tmp_path / "g.csv").read_text(encoding="utf-8").splitlines()))
    assert tuple(rows[0]) == HEADER
    assert len(rows) == len(table.norm)
    assert [float(row["norm"] or "nan") for row in rows] == pytest.approx(table.norm.tolist(), rel=0, abs=0, nan_ok=True)
    assert [row["parameter"] for row in rows] == [table.parameters[number] for number in table.parameter.tolist()]
    save_gradients_csv(tmp_path / "one.csv", table, 3)
    assert {row["backward"] for row in csv.DictReader((tmp_path / "one.csv").read_text(encoding="utf-8").splitlines())} == {"3"}


def test_what_is_not_known_is_empty_and_what_is_not_finite_is_said(tmp_path: Path) -> None:
    table = gradient_table(demo_snapshot())
    norm, nonfinite = table.norm.copy(), table.nonfinite.copy()
    norm[:3] = (np.nan, np.nan, np.inf)
    nonfinite[:3] = (0, 2, 1)
    save_gradients_csv(tmp_path / "g.csv", replace(table, norm=norm, nonfinite=nonfinite))
    rows = list(csv.DictReader((tmp_path / "g.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["norm"] for row in rows[:3]] == ["", "nan", "inf"]


def test_the_command_writes_all_files_of_one_backward(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "ReplaySession", lambda path: FakeSession(demo_snapshot()))
    files = {name: tmp_path / f"g.{name}" for name in ("png", "svg", "dot")}
    words = [word for name, file in files.items() for word in (f"--graph-{name}", str(file))]
    assert main(["export", "run.tscope", *words, "--gradients-csv", str(tmp_path / "g.csv"), "--backward", "3", "--expand", "all", "--theme", "light"]) == 0
    assert QImage(str(files["png"])).height() > 1_000
    assert "backward 3 " in files["svg"].read_text(encoding="utf-8")
    assert "AccumulateGrad" in files["dot"].read_text(encoding="utf-8")
    assert {row["backward"] for row in csv.DictReader((tmp_path / "g.csv").read_text(encoding="utf-8").splitlines())} == {"3"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--graph-dot", "g.dot", "--backward", "99"), "Backward 99 is not on record; backwards 0 to 7 are."),
        (("--gradients-csv", "g.csv", "--backward", "99"), "Backward 99 is not on record; backwards 0 to 7 are."),
        (("--graph-dot", "missing/g.dot"), "Cannot write missing/g.dot: no such file or directory."),
        (("--graph-png", "g.png", "--expand", "most"), "'most' is no depth: give all, none or a number of levels"),
    ],
)
def test_what_the_command_cannot_write_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(export, "ReplaySession", lambda path: FakeSession(demo_snapshot()))
    assert main(["export", "run.tscope", *words]) == 2
    assert sentence in capsys.readouterr().err
