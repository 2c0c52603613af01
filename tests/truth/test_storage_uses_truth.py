"""The uses of one storage of a script whose every line is known, and what ``torch.save`` of a view really writes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tensorscope.analysis.results import StorageTensor
from tensorscope.analysis.storage_uses import EFFECTS, storage_uses
from tensorscope.analysis.storages import byte_range, is_contiguous, iteration_message_ns, storage_view
from tensorscope.session.replay import ReplaySession
from tensorscope.viewmodel.byte_ranges import element_bytes, share_reached
from tensorscope.viewmodel.storage_detail import saved_file_bytes
from tests.truth.harness import Recording

HEADER = 4096


def test_every_use_of_the_shared_table_is_told_with_effect_and_line(recorded: Callable[[str], Recording]) -> None:
    """By hand, from the sample: made and reshaped in one line, viewed four times, copied twice, written once, read by the product and its backward."""
    session = ReplaySession(recorded("views_and_copies.py").file)
    try:
        snapshot = session.snapshot()
    finally:
        session.close()
    seen = iteration_message_ns(snapshot, 0)
    (row,) = (row for row in storage_view(snapshot, seen).rows if any("rows" in tensor.names for tensor in row.tensors))
    uses = storage_uses(snapshot, row.data, seen)
    assert [(EFFECTS[use.effect], use.name, Path(use.source.file).name, use.source.line - uses.listed[0].source.line) for use in uses.listed if use.source] == [
        ("makes", "aten::arange", "views_and_copies.py", 0),
        ("shares", "aten::reshape", "views_and_copies.py", 0),
        ("shares", "aten::view", "views_and_copies.py", 1),
        ("shares", "aten::transpose", "views_and_copies.py", 2),
        ("shares", "aten::select", "views_and_copies.py", 3),
        ("shares", "aten::expand", "views_and_copies.py", 4),
        ("copies", "aten::contiguous", "views_and_copies.py", 5),
        ("copies", "aten::reshape", "views_and_copies.py", 6),
        ("writes", "aten::add_", "views_and_copies.py", 7),
        ("reads", "aten::mul", "views_and_copies.py", 8),
        ("reads", "MulBackward0", "views_and_copies.py", 8),
    ]


def test_torch_save_of_a_view_writes_what_the_panel_says(tmp_path: Path) -> None:
    """Real files of a view, its base and a clone differ by the bytes of their storages: all else in them is a header of a kilobyte or two."""
    torch = pytest.importorskip("torch")
    table = torch.zeros(512, 1024)
    sizes = {}
    for name, tensor in {"base": table, "view": table[3], "clone": table[3].clone()}.items():
        torch.save(tensor, tmp_path / name)
        sizes[name] = (tmp_path / name).stat().st_size
    told = StorageTensor(("view",), (1024,), (1,), 3 * 1024, "float32", True, True, 0, 3 * 4096, 4 * 4096, False, 0)
    whole, elements = saved_file_bytes(told, table.untyped_storage().nbytes())
    assert (whole, elements) == (512 * 1024 * 4, 4096)
    assert 0 < sizes["view"] - whole < HEADER
    assert 0 < sizes["clone"] - elements < HEADER
    assert abs(sizes["view"] - sizes["base"]) < HEADER


def test_view_facts_are_torchs_own() -> None:
    """First and last byte, contiguity and the bytes reached of many views, against the addresses of their elements."""
    torch = pytest.importorskip("torch")
    base = torch.zeros(6, 8, 10)
    views = (base, base[2], base[:, 3], base.transpose(0, 2), base[1:5:2, ::3, 4:], base[0, 0].expand(7, 10), base.unfold(2, 3, 2), base.diagonal(), base[:0])
    for view in views:
        begin, end = byte_range(tuple(view.shape), view.stride(), view.storage_offset(), 4)
        places = torch.arange(480).as_strided(view.shape, view.stride(), view.storage_offset())
        reached = sorted(set(places.flatten().tolist()))
        assert is_contiguous(tuple(view.shape), view.stride()) == view.is_contiguous()
        assert begin == view.data_ptr() - base.data_ptr() or not view.numel()
        told = StorageTensor(("v",), tuple(view.shape), view.stride(), view.storage_offset(), "float32", True, True, 0, begin, end, False, 0)
        assert element_bytes(told) == view.numel() * 4
        if reached:
            assert (begin, end) == (4 * reached[0], 4 * reached[-1] + 4)
            assert round(share_reached(told, 1920) * 1920) == 4 * len(reached)
