"""Whether anything grows with time: memory, descriptors, threads of script and host, the recording, losses, over many tiny steps under full recording.

The script is a perceptron at full speed, or another of ``benchmarks.workloads``. ``growth_a_step_bytes`` is over the second half of the run.
Until a script has made 131,072 autograd nodes, 16 bytes a node are the probe's table of places (``probe/places.h``), which ends at 2 MiB.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.overhead import STEPPER, TENSORSCOPE

STEPS_A_ROUND = 50


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--steps", type=int, default=10_000, help="steps to run (default 10,000)")
    parser.add_argument("--minutes", type=float, default=0, help="run for as long instead")
    parser.add_argument("--workload", default="perceptron")
    parser.add_argument("--looks", type=int, default=20, help="rows of the report (default 20)")
    parser.add_argument("--keep", default="", help="budgets, as tensorscope's --keep")


def measure(options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "soak.tscope"
        keep = ["--keep", options.keep] if options.keep else []
        command = [*TENSORSCOPE, "record", "-o", str(path), *keep, str(STEPPER), options.workload, "plain"]
        host = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"}, text=True)
        looks = run(host, path, options)
        assert host.stdin is not None
        assert host.stdout is not None
        host.stdin.close()
        host.stdout.close()
        code = host.wait(timeout=600)
        asked = subprocess.run([*TENSORSCOPE, "query", str(path), "summary", "--json"], capture_output=True, text=True, check=True)
        summary = json.loads(asked.stdout)["summary"]
        told = {name: summary[name] for name in ("iterations", "operators", "dropped_events", "damaged_frames", "overhead_ratio", "trackers_off")}
        return {"exit_code": code, "looks": looks, "growth_a_step_bytes": growth(looks), "summary": told, "file_bytes": path.stat().st_size}


def run(host: "subprocess.Popen[str]", path: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    assert host.stdin is not None
    assert host.stdout is not None
    looks: list[dict[str, Any]] = []
    begin, done = time.monotonic(), 0
    while True:
        seconds = time.monotonic() - begin
        part = seconds / 60 / options.minutes if options.minutes else done / options.steps
        if done and part >= len(looks) / options.looks:
            looks.append(look(host.pid, path, done, seconds))
            print(json.dumps(looks[-1]), file=sys.stderr, flush=True)
        if part >= 1:
            return looks
        host.stdin.write(f"{STEPS_A_ROUND}\n")
        host.stdin.flush()
        done += len(json.loads(host.stdout.readline()))


def look(host: int, path: Path, step: int, seconds: float) -> dict[str, Any]:
    files = [Path(f"{path}{ending}") for ending in ("", "-wal")]
    return {
        "step": step,
        "seconds": round(seconds, 1),
        "script_bytes": resident_bytes(child_of(host)),
        "host_bytes": resident_bytes(host),
        "descriptors": {"script": count_of(child_of(host), "fd"), "host": count_of(host, "fd")},
        "threads": {"script": count_of(child_of(host), "task"), "host": count_of(host, "task")},
        "file_bytes": sum(file.stat().st_size for file in files if file.exists()),
    }


def count_of(pid: int, kind: str) -> int:
    """Open descriptors ("fd") or threads ("task") of a process."""
    return len(list(Path(f"/proc/{pid}/{kind}").iterdir()))


def child_of(pid: int) -> int:
    """The script: the newest child of any of the host's threads."""
    children = [child for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]
    return max(map(int, children))


def resident_bytes(pid: int) -> dict[str, int]:
    """Memory of its own, and shared memory that it has touched (the rings)."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return {name: int(lines[key].split()[0]) << 10 for name, key in (("own", "RssAnon"), ("shared", "RssShmem"))}


def growth(looks: list[dict[str, Any]]) -> dict[str, float]:
    """Bytes a step, from the middle look to the last."""
    middle, last = looks[len(looks) // 2], looks[-1]
    steps = max(1, last["step"] - middle["step"])
    return {who: round((last[f"{who}_bytes"]["own"] - middle[f"{who}_bytes"]["own"]) / steps, 1) for who in ("script", "host")}
