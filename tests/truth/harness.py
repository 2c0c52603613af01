"""Runs scripts with and without TensorScope and asks recordings, always through the commands, as a user would."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
SCRIPTS = Path(__file__).resolve().parent / "scripts"
COMMAND = (sys.executable, "-c", "import sys; from tensorscope.cli.main import main; sys.exit(main())")
LIMIT_S = 600
FAILING = ("inplace_conflict.py",)  # samples that end with a traceback, as their story is


@dataclass(frozen=True)
class Ended:
    """How a process ended and what it said."""

    code: int
    stdout: bytes
    stderr: bytes


def run(command: Sequence[object], folder: Path, variables: Mapping[str, str] | None = None) -> Ended:
    """Run to the end in ``folder``; stdin is empty."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **(variables or {})}, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=False
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def tensorscope(*words: object, folder: Path, variables: Mapping[str, str] | None = None) -> Ended:
    return run([*COMMAND, *words], folder, variables)


@dataclass(frozen=True)
class Recording:
    """A recorded run: its file, how the script ended, and the truth it wrote about itself (None: it writes none)."""

    file: Path
    ended: Ended
    truth: Any
    answers: dict[tuple[object, ...], Any] = field(default_factory=dict)

    def query(self, view: str, *options: object) -> Any:
        """The value under the view's name of ``tensorscope query FILE view --json``."""
        asked = (view, *options)
        if asked not in self.answers:
            ended = tensorscope("query", self.file, *asked, "--json", folder=self.file.parent)
            assert (ended.code, ended.stderr) == (0, b""), ended.stderr.decode()
            self.answers[asked] = json.loads(ended.stdout)[view]
        return self.answers[asked]


def record(script: Path, folder: Path, *words: object, options: Sequence[object] = ()) -> Recording:
    """Record ``script truth.json words…``; a script of ours writes what it knows about itself to its first argument."""
    file, truth = folder / "run.tscope", folder / "truth.json"
    arguments = words if script.parent == SAMPLES else (truth, *words)
    ended = tensorscope("record", "-o", file, *options, script, *arguments, folder=folder)
    assert ended.code == (1 if script.name in FAILING else 0), ended.stderr.decode()
    return Recording(file, ended, json.loads(truth.read_text(encoding="utf-8")) if truth.exists() else None)
