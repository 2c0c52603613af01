"""Painting into files without a window."""

import subprocess
import sys

TWO_APPLICATIONS = """
from PySide6.QtGui import QFontInfo, QGuiApplication
from tensorscope.export.offscreen import offscreen_application
from tensorscope.render.theme import Theme
for _ in range(2):
    with offscreen_application():
        print(QFontInfo(Theme.named("dark").font("body")).family())
"""


def test_every_application_of_a_process_paints_with_the_shipped_fonts() -> None:
    done = subprocess.run([sys.executable, "-c", TWO_APPLICATIONS], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split("\n") == ["Inter", "Inter", ""]
