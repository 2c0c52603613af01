"""The list of blocks beside the memory timeline."""

from typing import Any

import pytest
from PySide6.QtCore import QRectF

from tensorscope.analysis.results import Source
from tensorscope.render.memory_side import block_link_rect
from tensorscope.render.text import text_width
from tensorscope.render.theme import Theme
from tensorscope.viewmodel.memory_groups import grouped
from tensorscope.viewmodel.memory_names import BlockRow


@pytest.mark.parametrize(("name", "is_link_whole"), [("x", True), ("linear of blocks.0.feed_forward", False)])
def test_a_long_name_takes_room_from_its_place(qapp: Any, name: str, is_link_whole: bool) -> None:
    theme = Theme.named("dark")
    block = BlockRow(0, name, (), "activation", 1024, 1, 0, None, "aten::linear", "", Source("/x/small_gpt.py", 44))
    link = block_link_rect(QRectF(0, 0, 240, 18), grouped([block], "block")[0], theme)
    whole = text_width("small_gpt.py:44", theme.font("body"))
    assert (link.width() == whole) is is_link_whole
    assert link.width() >= 64
