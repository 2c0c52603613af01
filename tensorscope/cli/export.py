"""``tensorscope export FILE``: pictures and tables of a recording, for papers, reports and other tools."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tensorscope.analysis.memory import default_device, memory_timeline
from tensorscope.analysis.moments import moment_ns
from tensorscope.cli.export_graph import GRAPH_OUTPUTS, add_graph_arguments, write_graph_files
from tensorscope.cli.parser import Parser
from tensorscope.cli.query_ranks import rank_snapshot
from tensorscope.errors import TensorScopeError
from tensorscope.session.replay import ReplaySession
from tensorscope.trace.snapshot import Snapshot

if TYPE_CHECKING:
    from tensorscope.viewmodel.memory import MemoryModel

_LARGEST: Final = 20_000  # pixels a side
LOOKS: Final = ("dark", "light", "dark:colour_blind_safe", "light:colour_blind_safe")
_OUTPUTS: Final = ("memory_png", "memory_svg", "memory_csv", "memory_blocks_csv", "window_png", *GRAPH_OUTPUTS)


def main(arguments: Sequence[str]) -> int:
    """The command: parse, write, exit code."""
    parser = Parser(prog="tensorscope export", description="Write pictures and tables of a recording.", allow_abbrev=False)
    add_arguments(parser)
    return run(parser.parse_args(arguments))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a recording (.tscope)")
    parser.add_argument("--memory-png", type=Path, metavar="F", help="the memory timeline as a picture")
    parser.add_argument("--memory-svg", type=Path, metavar="F", help="the memory timeline as SVG")
    parser.add_argument("--memory-csv", type=Path, metavar="F", help="the memory curve: time_ns, allocated_bytes, reserved_bytes, bytes by category")
    parser.add_argument("--memory-blocks-csv", type=Path, metavar="F", help="every allocation: address, size, life, category, names, operator, source")
    parser.add_argument("--window-png", type=Path, metavar="F", help="the whole window")
    add_graph_arguments(parser)
    parser.add_argument("--size", type=_size, default=(1600, 900), metavar="WxH", help="of pictures, in pixels at 96 dpi (default 1600x900)")
    parser.add_argument("--dpi", type=_dpi, default=96, metavar="N", help="192 doubles the pixels (default 96)")
    parser.add_argument("--theme", choices=LOOKS, default="dark")
    parser.add_argument("--rank", type=_rank, metavar="N", help="of a job of several processes: this one; by default the first")
    parser.add_argument("--device", metavar="D", help="such as cpu or cuda:0; by default the one with the highest peak")
    parser.add_argument("--from", dest="from_", metavar="T", help="seconds from the start, peak, end or iteration:N (its end)")
    parser.add_argument("--to", metavar="T", help="as --from")


def run(options: argparse.Namespace) -> int:
    """Write every file that was asked for; 0. Raises TensorScopeError with a sentence where one cannot be."""
    if not any(getattr(options, name) for name in _OUTPUTS):
        raise TensorScopeError("Nothing to export: name a file, such as --memory-png memory.png.")
    session = ReplaySession(options.file)
    try:
        snapshot = rank_snapshot(session, options.rank)
        _write_tables(snapshot, options)
        if options.window_png:
            _write_window(snapshot, options)
        if options.memory_png or options.memory_svg:
            _write_pictures(snapshot, options)
        write_graph_files(snapshot, options)
    finally:
        session.close()
    return 0


def range_of(snapshot: Snapshot, options: argparse.Namespace) -> tuple[int, int] | None:
    """--from and --to as run time; None for all of it. Raises TensorScopeError for a range that ends before it begins."""
    if options.from_ is None and options.to is None:
        return None
    begin = 0 if options.from_ is None else moment_ns(snapshot, options.from_, options.device)
    end = snapshot.end_ns if options.to is None else moment_ns(snapshot, options.to, options.device)
    if end <= begin:
        raise TensorScopeError(f"--to ({end / 1e9:.6f} s) must be later than --from ({begin / 1e9:.6f} s).")
    return begin, end


def _write_tables(snapshot: Snapshot, options: argparse.Namespace) -> None:
    from tensorscope.export.memory_csv import save_blocks_csv, save_curve_csv
    from tensorscope.viewmodel.memory_names import BlockNamer

    if not (options.memory_csv or options.memory_blocks_csv):
        return
    timeline, range_ns = memory_timeline(snapshot, options.device or default_device(snapshot)), range_of(snapshot, options)
    if options.memory_csv:
        save_curve_csv(options.memory_csv, timeline, range_ns)
    if options.memory_blocks_csv:
        save_blocks_csv(options.memory_blocks_csv, timeline, BlockNamer(snapshot), range_ns)


def _write_pictures(snapshot: Snapshot, options: argparse.Namespace) -> None:
    from tensorscope.export.memory_picture import PictureOptions, save_memory_png, save_memory_svg
    from tensorscope.export.offscreen import offscreen_application

    width, height = options.size
    with offscreen_application():
        model = _memory_model(snapshot, options)
        if not len(model.timeline.times_ns):
            raise TensorScopeError("There is no memory timeline to paint: no tensor's memory is on record.")
        picture = PictureOptions(width, height, options.dpi, options.theme, range_of(snapshot, options), None, snapshot.facts)
        if options.memory_png:
            save_memory_png(options.memory_png, model, picture)
        if options.memory_svg:
            save_memory_svg(options.memory_svg, model, picture)


def _write_window(snapshot: Snapshot, options: argparse.Namespace) -> None:
    from tensorscope.export.image_file import save_png
    from tensorscope.gui.picture import window_picture

    image = window_picture(options.file, options.size, options.theme, dpi=options.dpi, range_ns=range_of(snapshot, options), rank=options.rank)
    save_png(options.window_png, image)


def _memory_model(snapshot: Snapshot, options: argparse.Namespace) -> MemoryModel:
    from tensorscope.viewmodel.memory_state import MemoryRequest, compute_memory

    return compute_memory(snapshot, MemoryRequest(options.device, frozenset(), None, None), None).model


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal() and 200 <= int(width) <= _LARGEST and 120 <= int(height) <= _LARGEST):
        raise argparse.ArgumentTypeError(f"{text!r} is no size: give width x height in pixels, such as 1600x900 (at least 200x120)")
    return int(width), int(height)


def _rank(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a rank")
    return int(text)


def _dpi(text: str) -> int:
    if not text.isdecimal() or not 24 <= int(text) <= 1200:
        raise argparse.ArgumentTypeError(f"{text!r} is no resolution: give dots per inch from 24 to 1200")
    return int(text)
