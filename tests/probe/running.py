"""Runs a piece of code under the probe in a child process, since the probe starts once a process and stays."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.probe.area import Recorded, TestArea

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "tensorscope" / "agent" / "build.py"

PRELUDE = """
import importlib.machinery, importlib.util, json, os, sys
import torch, torch.nn as nn, torch.nn.functional as F
def _load():
    loader = importlib.machinery.ExtensionFileLoader("_tensorscope_probe", os.environ["TEST_PROBE"])
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location("_tensorscope_probe", os.environ["TEST_PROBE"], loader=loader))
    loader.exec_module(module)
    return module
probe = _load()
def start(**options):
    probe.start(int(os.environ["TEST_AREA_FD"]), int(os.environ["TEST_AREA_SIZE"]), **options)
def answer(value):
    print("ANSWER " + json.dumps(value), flush=True)
failures = []
probe.set_failure_handler(lambda where, error: failures.append((where, repr(error))))
"""


@cache
def probe_library() -> str:
    """Build the probe (or find it in the cache) for this interpreter; skips the test where it cannot be built."""
    output = subprocess.run([sys.executable, str(BUILD)], capture_output=True, text=True, check=False).stdout
    result = json.loads(output)
    if result["error"] in ("no_compiler", "no_python_headers"):
        pytest.skip(result["message"])
    assert result["library"], result
    return str(result["library"])


def run(code: str, area: TestArea, *, is_silent: bool = True, timeout: float = 240) -> Any:
    """Run ``code`` after the prelude in a child; returns what it passed to ``answer``. The child must end with 0 and say nothing on stderr.

    ``is_silent=False`` is for code that uses torch.profiler, which talks there.
    """
    variables = {**os.environ, "TEST_PROBE": probe_library(), "TEST_AREA_FD": str(area.fd), "TEST_AREA_SIZE": str(area.size)}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.py"
        script.write_text(PRELUDE + textwrap.dedent(code), encoding="utf-8")
        result = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=variables, pass_fds=[area.fd], timeout=timeout, check=False)
    assert result.returncode == 0, result.stderr
    answers = [line.removeprefix("ANSWER ") for line in result.stdout.splitlines() if line.startswith("ANSWER ")]
    assert not is_silent or result.stderr == "", result.stderr
    return json.loads(answers[-1]) if answers else None


def record(code: str, *, is_silent: bool = True, **options: Any) -> tuple[Any, Recorded]:
    """Run ``code`` under a fresh area; returns its answer and what was recorded."""
    area = TestArea(**options)
    try:
        answer = run(code, area, is_silent=is_silent)
        return answer, area.read()
    finally:
        area.close()
