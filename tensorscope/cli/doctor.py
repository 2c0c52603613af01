"""``tensorscope doctor``: what works on this machine, and what to do about what does not."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tensorscope.agent.build import BuildError, find_compiler
from tensorscope.cli.run_arguments import parse_run
from tensorscope.errors import TensorScopeError
from tensorscope.session.build import find_probe

ASK_INTERPRETER: Final = """
import json, os, platform, sysconfig
answer = {"python": platform.python_version(), "header": os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))}
try:
    import torch
    devices = [f"cuda:{i} {torch.cuda.get_device_name(i)}" for i in range(torch.cuda.device_count())]
    answer |= {"torch": torch.__version__, "devices": ["cpu", *devices]}
except Exception as error:
    answer |= {"trouble": f"{type(error).__name__}: {error}"}
print(json.dumps(answer))
"""
ASK_QT: Final = "from PySide6.QtGui import QGuiApplication; application = QGuiApplication([]); print(application.platformName())"


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    is_good: bool
    answer: str
    is_needed: bool = True


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help"):
        print("tensorscope doctor [--python INTERPRETER]")
        return 0
    from rich.console import Console
    from rich.markup import escape

    interpreter = parse_run([*arguments, "none.py"], has_output=False).options.interpreter
    checks = [*_interpreter_checks(interpreter), _compiler(), _probe(interpreter), _graphviz(), _qt()]
    console, width = Console(soft_wrap=True, highlight=False), max(len(check.name) for check in checks)
    for check in checks:
        mark = "[green]✓[/]" if check.is_good else "[red]✗[/]" if check.is_needed else "[yellow]–[/]"
        console.print(f"{mark} {check.name:{width}} {escape(check.answer)}")
    return 0 if all(check.is_good or not check.is_needed for check in checks) else 2


def _interpreter_checks(interpreter: str) -> list[Check]:
    code, output = _run([interpreter, "-c", ASK_INTERPRETER])
    try:
        answer = json.loads(output.splitlines()[-1])
    except (ValueError, IndexError):
        return [Check("Python", False, f"{interpreter} does not answer (exit code {code})")]
    has_torch = "torch" in answer
    return [
        Check("Python", True, f"{answer['python']} ({interpreter})"),
        Check("Python headers", answer["header"], "found" if answer["header"] else "missing: apt install python3-dev"),
        Check("torch", has_torch, answer["torch"] if has_torch else answer["trouble"]),
        Check("Devices", has_torch, ", ".join(answer.get("devices", [])) or "—"),
    ]


def _compiler() -> Check:
    try:
        compiler = find_compiler()
    except BuildError:
        return Check("Compiler", False, "none found: apt install g++")
    _, output = _run([compiler, "--version"])
    return Check("Compiler", True, output.splitlines()[0] if output else compiler)


def _probe(interpreter: str) -> Check:
    try:
        probe = find_probe(interpreter)
    except TensorScopeError as error:
        return Check("Probe", False, str(error))
    if probe.note:
        return Check("Probe", False, probe.note)
    return Check("Probe", True, f"built: {probe.path}" if probe.is_built else "not built yet; the first run builds it")


def _graphviz() -> Check:
    if shutil.which("dot") is None:
        return Check("graphviz", False, "dot not found: apt install graphviz (for PDF and DOT pictures)", is_needed=False)
    return Check("graphviz", True, _run(["dot", "-V"])[1].strip())


def _qt() -> Check:
    code, output = _run([sys.executable, "-c", ASK_QT])
    if code == 0:
        return Check("Qt platform", True, output.strip())
    reason = next((line for line in output.splitlines() if "xcb" in line or "display" in line or "Error" in line), f"exit code {code}")
    return Check("Qt platform", False, f"no window here ({reason}); record, query and export work", is_needed=False)


def _run(command: Sequence[str]) -> tuple[int, str]:
    """Exit code and the output of both kinds."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, str(error)
    return done.returncode, done.stdout.decode(errors="replace")
