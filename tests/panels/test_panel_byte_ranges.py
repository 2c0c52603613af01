"""Byte bars show the bytes that a strided tensor reaches, worked out by hand."""

from dataclasses import replace

import pytest

from tensorscope.analysis.results import Source, StorageRow, StorageTensor, StorageView
from tensorscope.viewmodel.byte_ranges import byte_bar, covered, join_segments, share_reached
from tensorscope.viewmodel.storages import Sort, choose_items, storage_facts, storage_tree, tensor_facts


def tensor(shape: tuple[int, ...], stride: tuple[int, ...], offset: int = 0, name: str = "x", is_view: bool = True) -> StorageTensor:
    last = offset + sum((size - 1) * step for size, step in zip(shape, stride, strict=True))
    return StorageTensor((name,) if name else (), shape, stride, offset, "float32", is_view, False, 2, offset * 4, (last + 1) * 4, False, 1)


def storage(*tensors: StorageTensor, data: int = 0x1000, nbytes: int = 400, external: bool = False, category: str = "activation") -> StorageRow:
    place = Source("/home/me/train.py", 7)
    return StorageRow(data, data, "cpu", nbytes, category, external, 50, "aten::add_", place, "aten::relu", place, "fc", tensors, ("local x in main()",))


def test_a_contiguous_tensor_is_one_stretch() -> None:
    assert byte_bar(tensor((10, 10), (10, 1)), 400, 100, 2).segments == ((0, 100),)


def test_a_slice_of_rows_stands_on_its_own_rows() -> None:
    bar = byte_bar(tensor((3, 10), (10, 1), offset=20), 400, 100, 2)
    assert bar.segments == ((20, 50),)
    assert not bar.is_schematic


def test_a_column_is_a_tick_in_every_row() -> None:
    bar = byte_bar(tensor((10,), (10,), offset=9), 400, 100, 2)
    assert [round(begin) for begin, _ in bar.segments] == [9, 19, 29, 39, 49, 59, 69, 79, 89, 98]
    assert bar.segments[-1] == (98, 100)


def test_a_period_finer_than_pixels_is_a_comb_of_the_same_share_and_place() -> None:
    """The middle third of every row of 3 elements, 1,000 rows on 60 pixels."""
    bar = byte_bar(tensor((1000,), (3,), offset=1), 12_000, 60, 1)
    assert bar.is_schematic
    assert len(bar.segments) == 6
    begin, end = bar.segments[0]
    assert (begin, end) == (pytest.approx(10 / 3), pytest.approx(20 / 3))


def test_a_transposed_tensor_reaches_the_same_bytes() -> None:
    assert byte_bar(tensor((10, 10), (1, 10)), 400, 100, 2).segments == ((0, 100),)


def test_stride_zero_is_told_and_covers_its_bytes_once() -> None:
    bar = byte_bar(tensor((50, 10), (0, 1)), 40, 100, 2)
    assert (bar.segments, bar.is_expanded) == (((0, 100),), True)
    assert share_reached(tensor((50, 10), (0, 1)), 40) == 1.0


def test_overlapping_windows_are_one_stretch() -> None:
    assert byte_bar(tensor((8, 3), (1, 1)), 40, 100, 2).segments == ((0, 100),)


def test_an_empty_tensor_reaches_nothing() -> None:
    empty = replace(tensor((1,), (1,)), shape=(0, 4), stride=(4, 1), begin_byte=0, end_byte=0)
    assert byte_bar(empty, 400, 100, 2).segments == ()
    assert share_reached(empty, 400) == 0.0


def test_a_single_byte_is_still_two_pixels_wide() -> None:
    begin, end = byte_bar(tensor((1,), (1,), offset=99), 400, 50, 2).segments[0]
    assert (begin, end) == (48, 50)


def test_stretches_that_touch_are_joined() -> None:
    assert join_segments([(5, 6), (0, 2), (2, 4)]) == ((0, 4), (5, 6))
    bars = [byte_bar(tensor((5, 10), (10, 1), offset=at), 400, 100, 2) for at in (0, 50)]
    assert covered(bars) == ((0, 100),)


def test_a_storage_is_named_after_the_tensor_that_is_no_view() -> None:
    base = tensor((10, 10), (10, 1), name="w", is_view=False)
    item = storage_tree(StorageView(50, "iteration", 12, True, (storage(tensor((10,), (10,), name="column"), base),))).items[0]
    assert (item.name, item.base and item.base.tensor, [other.name for other in item.others]) == ("w", base, ["column"])


def test_where_only_views_are_left_the_maker_names_the_storage() -> None:
    item = storage_tree(StorageView(50, "iteration", 12, True, (storage(tensor((10,), (10,), name="column")),))).items[0]
    assert (item.name, item.is_named, item.base) == ("relu result", False, None)
    assert [other.size_bytes for other in item.others] == [40]


@pytest.mark.parametrize(("category", "note"), [("parameter", "tied"), ("activation", "same bytes")])
def test_a_second_tensor_of_the_same_bytes_says_so(category: str, note: str) -> None:
    first, second = (tensor((10, 10), (10, 1), name=name, is_view=False) for name in ("wte.weight", "lm_head.weight"))
    item = storage_tree(StorageView(50, "iteration", 12, True, (storage(first, second, category=category),))).items[0]
    assert [(other.name, other.note) for other in item.others] == [("lm_head.weight", note)]


def test_the_view_says_when_it_was_seen() -> None:
    assert storage_tree(StorageView(50, "iteration", 12, True, ())).seen == "as of iteration 12's end"
    assert storage_tree(StorageView(1_500_000_000, "hold", 3, True, ())).seen == "as of the hold at 1.500 s"


def test_external_bytes_stand_beside_the_others() -> None:
    tree = storage_tree(StorageView(50, "exit", 3, True, (storage(nbytes=100), storage(nbytes=30, external=True))))
    assert (tree.total_bytes, tree.external_bytes) == (100, 30)
    assert ("memory", "not torch's own: NumPy, shared or mapped") in storage_facts(tree.items[1])


def test_storages_are_filtered_by_every_word_and_sorted() -> None:
    rows = tuple(storage(tensor((10,), (1,), name=name, is_view=False), data=at, nbytes=at) for at, name in ((300, "beta"), (100, "alpha"), (200, "gamma")))
    tree = storage_tree(StorageView(50, "iteration", 12, True, rows))
    assert [item.name for item in choose_items(tree, "", Sort.SIZE)] == ["beta", "gamma", "alpha"]
    assert [item.name for item in choose_items(tree, "", Sort.NAME, is_descending=False)] == ["alpha", "beta", "gamma"]
    assert [item.name for item in choose_items(tree, "GAM add_ train.py:7", Sort.SIZE)] == ["gamma"]
    assert choose_items(tree, "gamma delta", Sort.SIZE) == ()


def test_a_tensors_card_tells_its_bytes() -> None:
    item = storage_tree(StorageView(50, "iteration", 12, True, (storage(tensor((10,), (10,), offset=9, name="column")),))).items[0]
    facts = dict(tensor_facts(item.others[0], item.row))
    assert facts["shape"] == "[10] f32"
    assert facts["stride"] == "[10], offset 9"
    assert facts["bytes"] == "36 – 400, 10.0 % of the storage"
    assert facts["is"] == "view, not contiguous, version 2"
