"""Time from the command to the window's first paint, in seconds: of a recording, and of a script that starts (its probe built before).

Offscreen, a process a try. The window's modules are imported a little earlier than the command does; that moves no work, only its order.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

SAMPLE = Path(__file__).resolve().parent.parent / "samples" / "linear_regression.py"
MAIN = "import sys; from tensorscope.cli.main import main; sys.exit(main())"
MAIN_UNTIL_PAINTED = """
import os, sys, time
from PySide6.QtCore import QEvent, QObject
from tensorscope.cli.main import main
from tensorscope.gui import app

class UntilPainted(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            os.write(int(os.environ["PAINTED_FD"]), str(time.monotonic_ns()).encode())
            os._exit(0)  # a script that was started runs on to its end, a moment later
        return False

until_painted = UntilPainted()
make = app.application
def application():
    qt = make()
    qt.installEventFilter(until_painted)
    return qt
app.application = application
sys.exit(main())
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tries", type=int, default=5, help="processes a way to start (default 5)")


def seconds_to_paint(words: list[str]) -> float:
    reading, writing = os.pipe()
    variables = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PAINTED_FD": str(writing)}
    begin_ns = time.monotonic_ns()
    command = [sys.executable, "-c", MAIN_UNTIL_PAINTED, *words]
    subprocess.run(command, env=variables, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    os.close(writing)
    with open(reading, encoding="ascii") as painted:
        return (int(painted.read()) - begin_ns) / 1e9


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Medians over the tries, by way to start."""
    with tempfile.TemporaryDirectory() as folder:
        recording = str(Path(folder) / "run.tscope")
        subprocess.run([sys.executable, "-c", MAIN, "record", "-o", recording, str(SAMPLE)], stdout=subprocess.DEVNULL, check=True)
        ways = {"recording": ["open", recording], "script": [str(SAMPLE)]}
        return {way: round(median(seconds_to_paint(words) for _ in range(options.tries)), 3) for way, words in ways.items()}
