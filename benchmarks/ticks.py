"""How long the window's thread is busy at a stretch while events pour in: offscreen, all panels shown in turn, a recorded run at a given rate.

``worst_ms`` and ``p99_ms`` are wall time between two turns of the event loop, so on a loaded machine they hold other processes' time as well;
``worst_cpu_ms`` is the processor time that the window's own thread took in a turn.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

SCRIPT: Final = """
import time, torch
torch.set_num_threads(1)
model = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(12)])
optimizer = torch.optim.Adam(model.parameters())
end = time.monotonic() + 20
while time.monotonic() < end:
    optimizer.zero_grad()
    model(torch.ones(4, 8)).sum().backward()
    optimizer.step()
"""
RECORD: Final = "import sys; from tensorscope.cli.main import main; sys.exit(main())"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rate", type=int, default=100_000, help="events a second (default 100000)")
    parser.add_argument("--seconds", type=float, default=15.0, help="how long to watch (default 15)")


class Ticks:
    """Lengths of the event loop's turns: wall and processor time, in ms."""

    def __init__(self) -> None:
        self.wall_ms: list[float] = []
        self.cpu_ms: list[float] = []
        self._wall, self._cpu = time.perf_counter(), time.thread_time()

    def turn(self) -> None:
        wall, cpu = time.perf_counter(), time.thread_time()
        self.wall_ms.append((wall - self._wall) * 1e3)
        self.cpu_ms.append((cpu - self._cpu) * 1e3)
        self._wall, self._cpu = wall, cpu

    def report(self) -> dict[str, float]:
        wall, cpu = sorted(self.wall_ms), sorted(self.cpu_ms)
        return {
            "turns": len(wall),
            "worst_ms": round(wall[-1], 1),
            "p99_ms": round(wall[len(wall) * 99 // 100], 1),
            "worst_cpu_ms": round(cpu[-1], 1),
            "p99_cpu_ms": round(cpu[len(cpu) * 99 // 100], 1),
            "cpu_turns_over_16_ms": sum(one > 16 for one in cpu),
        }


def measure(options: argparse.Namespace) -> dict[str, Any]:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        (Path(folder) / "train.py").write_text(SCRIPT)
        subprocess.run([sys.executable, "-c", RECORD, "record", "-o", "run.tscope", "train.py"], cwd=folder, check=True)
        return watch(options, Path(folder) / "run.tscope")


def watch(options: argparse.Namespace, recording: Path) -> dict[str, Any]:
    from PySide6.QtCore import QTimer

    from benchmarks.pouring import PouringSession
    from tensorscope.gui.app import application
    from tensorscope.gui.main_window import MainWindow
    from tensorscope.gui.panels.catalog import CATALOG
    from tensorscope.gui.settings import Settings
    from tensorscope.render.theme import Theme

    qt = application()
    session = PouringSession(recording, options.rate)
    window = MainWindow(session, Theme.dark(), Settings())
    window.resize(1600, 900)
    window.show()
    wait(qt.processEvents, lambda: window.is_ready, 60)
    ticks, shown = Ticks(), [0]
    session.pour()

    def show_next() -> None:
        shown[0] += 1
        window.deck.show_panel(CATALOG[shown[0] % len(CATALOG)].key)

    turns, panels = QTimer(interval=1), QTimer(interval=1000)
    turns.timeout.connect(ticks.turn)
    panels.timeout.connect(show_next)
    turns.start()
    panels.start()
    QTimer.singleShot(round(options.seconds * 1000), qt.quit)
    qt.exec()
    turns.stop()
    panels.stop()
    window.close()
    return {**ticks.report(), "events": session.events, "failures": [repr(error) for _, error in window.failures]}


def wait(turn: Callable[[], None], condition: Callable[[], bool], timeout_s: float) -> None:
    end = time.monotonic() + timeout_s
    while not condition() and time.monotonic() < end:
        turn()
        time.sleep(0.005)
