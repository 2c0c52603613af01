"""The window in Chinese: the catalogue holds every text of the source, compiled, with the same placeholders."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtGui import QFontDatabase

from tensorscope.gui.translation import CONTEXT, readable_language, use_language
from tensorscope.language import tr, use_translation
from tensorscope.render.resource_files import resource_path
from tensorscope.session import status
from tensorscope.session.session import RunState, Status
from tensorscope.units import plural
from tensorscope.viewmodel.run_state import state_chips

SCRIPT = Path(__file__).parents[2] / ".ci" / "translations.py"


@pytest.fixture(scope="module")
def gatherer() -> ModuleType:
    if not SCRIPT.is_file():
        pytest.skip("the script that gathers texts is not here")
    spec = importlib.util.spec_from_file_location("translations", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def chinese(qapp: object) -> Iterator[None]:
    use_language("zh_CN")
    yield
    use_translation(None)


def placeholders(text: str) -> list[tuple[str, str]]:
    return sorted((name, form or "") for _, name, form, _ in Formatter().parse(text) if name is not None)


def test_every_text_of_the_source_is_translated_with_the_same_placeholders(gatherer: ModuleType) -> None:
    texts, known = gatherer.messages(), gatherer.read(resource_path("translations/tensorscope_zh_CN.ts"))
    assert set(texts) == set(known), "run python .ci/translations.py"
    assert [text for text in texts if not known[text]] == []
    assert [text for text in texts if "{" in text and placeholders(text) != placeholders(known[text])] == []


def test_the_compiled_catalogue_is_that_of_the_texts(gatherer: ModuleType, qapp: object) -> None:
    translator = QTranslator()
    assert translator.load(str(resource_path("translations/tensorscope_zh_CN.qm")))
    known = gatherer.read(resource_path("translations/tensorscope_zh_CN.ts"))
    assert [text for text, words in known.items() if translator.translate(CONTEXT, text) != words] == [], "run python .ci/translations.py"


def test_the_gatherer_finds_texts_however_they_are_written(gatherer: ModuleType, tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "one.py").write_text('tr("a " "b")\ntr_later("c")\nplural(3, "node")\nplural(2, "child", "children")\ntr(variable)\nprint("no")\n')
    assert list(gatherer.messages(package)) == ["a b", "c", "{count} node", "{count} nodes", "{count} child", "{count} children"]


def test_texts_counts_and_states_come_in_chinese(chinese: None) -> None:
    assert tr("Gradients") == "梯度"
    assert tr("aten::addmm") == "aten::addmm"
    assert plural(1, "node") == "1 个节点"
    assert plural(1200, "node") == "1,200 个节点"
    assert status.running(3).text == "运行中 迭代 3"


def test_a_state_of_before_the_window_is_translated_where_it_is_shown(chinese: None) -> None:
    (chip,) = state_chips(Status(RunState.STARTING, "Starting"), None, 0)
    assert chip.strong == "正在启动"


def test_english_is_the_text_itself(qapp: object) -> None:
    use_language("en")
    assert tr("Gradients") == "Gradients"


@pytest.mark.parametrize(("fonts", "spoken"), [([], "en"), (["WenQuanYi"], "zh_CN")])
def test_where_no_font_has_its_characters_the_window_speaks_english(qapp: object, monkeypatch: pytest.MonkeyPatch, fonts: list[str], spoken: str) -> None:
    monkeypatch.setattr(QFontDatabase, "families", lambda system: fonts)
    assert readable_language("zh_CN") == spoken
    assert readable_language("en") == "en"
