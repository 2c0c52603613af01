"""Names that have to be cut keep what tells them apart."""

from tensorscope.render.text import elide_place, text_width, without_suffix
from tensorscope.render.theme import Theme


def test_a_name_without_room_loses_its_backward_wherever_it_stands(qapp: object) -> None:
    font = Theme.named("dark").font("body")
    assert without_suffix("7 × AddmmBackward0", font, 1000) == "7 × AddmmBackward0"
    assert without_suffix("7 × AddmmBackward0", font, 90) == "7 × Addmm"
    assert without_suffix("AddmmBackward0 of h.0", font, 60) == "Addmm of h.0"
    assert without_suffix("Backward", font, 1) == "Backward"


def test_a_place_without_room_keeps_its_line(qapp: object) -> None:
    font = Theme.named("dark").font("body")
    assert elide_place("small_gpt.py:75", font, 1000) == "small_gpt.py:75"
    cut = elide_place("small_gpt.py:75", font, 70)
    assert cut.startswith("small")
    assert cut.endswith("…:75")
    assert text_width(cut, font) <= 70
