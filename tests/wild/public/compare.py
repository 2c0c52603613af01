"""One public script under plain Python and recorded, in one tree of files made anew for each run, and what differs."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tensorscope.cli.query_run import summary
from tensorscope.session.replay import ReplaySession
from tests.truth.harness import COMMAND
from tests.wild.public.scripts import Script

HERE = Path(__file__).resolve().parent
LIMIT_S = 300
DIFFERS_BY_ITSELF = re.compile(
    r"0x[0-9a-f]+|[VWI]\d{4} [\d:.]+( \d+)?|\d+(\.\d+)?(it/s|s/it)|\d\d:\d\d(:\d\d)?|USDT:.*|\d{4}-\d\d-\d\d|/tmp/tmp\w+|events\.out\S*|\d+\.\d+e?-?\d* ?s\b"
)
SEEDED = "import preamble  # seeds, a repeating clock, a digest of the parameters\n"


@dataclass(frozen=True)
class Run:
    code: int
    stdout: list[str]
    stderr: list[str]
    digest: str
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """``differences``: none where the script is the same when watched. ``told``: the recording's summary."""

    plain: Run
    watched: Run
    differences: tuple[str, ...]
    told: dict[str, Any]


def compare(script: Script, repositories: Path, work: Path) -> Outcome:
    """Raises FileNotFoundError if the repository is not there. A script that differs runs plainly once more, to know whether it does so by itself."""
    recording = work / "run.tscope"
    recording.unlink(missing_ok=True)
    plain = run(script, repositories, work, (sys.executable,))
    watched = run(script, repositories, work, (*COMMAND, "record", "-o", str(recording)))
    found = differences(plain, watched)
    if found and plain.code == 0:
        found = [difference for difference in found if difference not in differences(plain, run(script, repositories, work, (sys.executable,)))]
    told = summary_of(recording)
    return Outcome(plain, watched, (*found, *unsound(script, told)), told)


def run(script: Script, repositories: Path, work: Path, command: tuple[str, ...]) -> Run:
    tree = work / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(repositories / script.repository.name, tree, ignore=shutil.ignore_patterns(".git"))
    path = tree / script.path
    path.write_text(edited(script, path.read_text(encoding="utf-8")), encoding="utf-8")
    if script.prepare is not None:
        script.prepare(path.parent)
    digest = work / "digest"
    digest.unlink(missing_ok=True)
    has_images = "torchvision" in path.read_text(encoding="utf-8")  # others may ask whether it is there
    search = [HERE, *([HERE / "standins"] if has_images or "planted" in path.read_text(encoding="utf-8") else []), *(tree / folder for folder in script.search)]
    variables = {"PYTHONPATH": os.pathsep.join(map(str, search)), "TENSORSCOPE_PUBLIC_DIGEST": str(digest), "TENSORSCOPE_PUBLIC_TREE": str(tree)}
    fixed = {"MPLBACKEND": "Agg", "PYTHONHASHSEED": "0", "TQDM_DISABLE": "1", "DDE_BACKEND": "pytorch", "TORCHINDUCTOR_CACHE_DIR": str(tree / "inductor")}
    begin = time.monotonic()
    done = subprocess.run(
        [*command, path.name, *shlex.split(script.arguments)],
        cwd=path.parent,
        env={**os.environ, **fixed, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
    )
    seconds = time.monotonic() - begin
    told = digest.read_text(encoding="utf-8") if digest.exists() else ""
    return Run(done.returncode, lines(script, done.stdout), lines(script, done.stderr), told, seconds)


def edited(script: Script, text: str) -> str:
    """Raises ValueError if an edit finds nothing, which tells of another version."""
    for pattern, instead in script.edits:
        text, count = re.subn(pattern, instead, text, flags=re.MULTILINE)
        if not count:
            raise ValueError(f"{script.path}: nothing matches {pattern}")
    at = max([future.end() for future in re.finditer(r"^from __future__ .*\n", text, re.MULTILINE)], default=0)
    return text[:at] + SEEDED + text[at:]


def lines(script: Script, said: bytes) -> list[str]:
    text = DIFFERS_BY_ITSELF.sub("…", said.decode(errors="replace"))
    return (re.sub(script.differs, "…", text) if script.differs else text).splitlines()


def differences(one: Run, other: Run) -> list[str]:
    return [name for name in ("code", "stdout", "stderr", "digest") if getattr(one, name) != getattr(other, name)]


def summary_of(recording: Path) -> dict[str, Any]:
    session = ReplaySession(recording)
    try:
        return summary(session.snapshot())
    finally:
        session.close()


def unsound(script: Script, told: dict[str, Any]) -> list[str]:
    """What is wrong with a recording; a part that stands aside once torch.compile has compiled is not."""
    found = [f"{off['tracker']} off: {off['reason']}" for off in told["trackers_off"] if "torch.compile has compiled" not in off["reason"]]
    found += [f"{told[name]} {name.replace('_', ' ')}" for name in ("dropped_events", "damaged_frames") if told[name]]
    found += [f"{count} unknown frees on {device}" for device, count in told["unknown_frees"].items() if count]
    if script.trains:
        found += [f"no {name}" for name in ("backwards", "iterations") if not told[name]]
    return found
