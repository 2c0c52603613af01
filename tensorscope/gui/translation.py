"""The window's language: the catalogue that the texts of ``language.tr`` are looked up in, and Qt's own for its dialogs."""

from __future__ import annotations

from functools import cache
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QFontDatabase

from tensorscope.language import tr_later, use_translation
from tensorscope.render.resource_files import resource_path

CONTEXT: Final = "TensorScope"
LANGUAGES: Final = {"": tr_later("As the system"), "en": "English", "zh_CN": "简体中文"}  # each but the first in its own words


def readable_language(name: str) -> str:
    """``name``, or English where no font of this machine has the characters of that language. GUI thread."""
    is_chinese = (name or QLocale.system().name()).startswith("zh")
    return "en" if is_chinese and not QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese) else name


def use_language(name: str) -> None:
    """Show what is made from now on in a language of ``LANGUAGES``; "" is the system's, where there is a catalogue of it. GUI thread, once a start."""
    chosen = name or ("zh_CN" if QLocale.system().language() is QLocale.Language.Chinese else "en")
    if chosen == "en":
        use_translation(None)
        return
    ours = QTranslator(QCoreApplication.instance())
    if not ours.load(str(resource_path(f"translations/tensorscope_{chosen}.qm"))):
        use_translation(None)
        return
    qts = QTranslator(QCoreApplication.instance())
    if qts.load(f"qtbase_{chosen}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        QCoreApplication.installTranslator(qts)
    use_translation(cache(lambda text: ours.translate(CONTEXT, text) or text))
