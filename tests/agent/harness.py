"""Plays the host for tests of the agent: launches bootstrap.py on a real script, reads its area, answers its holds."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tensorscope.protocol import area
from tensorscope.protocol.messages import LENGTH, decode, encode
from tests.support.area_reader import AreaReader, Collected

BOOTSTRAP = Path(__file__).resolve().parents[2] / "tensorscope" / "agent" / "bootstrap.py"
LIMIT_S = 240.0


@dataclass
class Result:
    stdout: bytes
    stderr: bytes
    code: int
    collected: Collected = field(default_factory=Collected)
    said: list[dict[str, Any]] = field(default_factory=list)  # over the socket

    def output(self) -> str:
        assert self.code == 0, self.stderr.decode()
        return self.stdout.decode()


def plain(script: Path, *arguments: str, module: str = "", flags: tuple[str, ...] = (), stdin: bytes = b"") -> Result:
    """The script under plain Python."""
    what = ["-m", module] if module else [str(script)]
    done = subprocess.run([sys.executable, *flags, *what, *arguments], capture_output=True, input=stdin, timeout=LIMIT_S, cwd=script.parent, check=False)
    return Result(done.stdout, done.stderr, done.returncode)


@dataclass
class Host:
    """What the test's host does: ``answer`` gives the command for each held message, ``tick`` runs between reads."""

    answer: Callable[[dict[str, Any]], str] = lambda held: "continue"
    tick: Callable[["Run"], None] = lambda run: None
    armed: int = 0
    reads: bool = True


class Run:
    """A debuggee that runs."""

    def __init__(self, process: "subprocess.Popen[bytes]", control: socket.socket) -> None:
        self.process = process
        self.control = control
        self.reader: AreaReader | None = None
        self.said: list[dict[str, Any]] = []

    @property
    def collected(self) -> Collected:
        return self.reader.collected if self.reader else Collected()

    def send(self, command: str, **fields: Any) -> None:
        with contextlib.suppress(OSError):
            self.control.sendall(encode({"type": command, **fields}))


def watched(
    script: Path,
    *arguments: str,
    probe: Path | None,
    module: str = "",
    flags: tuple[str, ...] = (),
    host: Host | None = None,
    stdin: bytes = b"",
    breaks: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
) -> Result:
    """The script under the agent, with this process as its host."""
    host = host or Host()
    ours, theirs = socket.socketpair()
    command = [sys.executable, *flags, str(BOOTSTRAP), "--control-fd", str(theirs.fileno())]
    command += ["--probe", str(probe)] if probe else []
    command += options
    command += [word for spec in breaks for word in ("--break", spec)]
    command += ["--module", "--", module] if module else ["--", str(script)]
    out_path, err_path = script.parent / ".stdout", script.parent / ".stderr"
    with out_path.open("wb") as out, err_path.open("wb") as err, theirs:
        process = subprocess.Popen([*command, *arguments], pass_fds=[theirs.fileno()], stdout=out, stderr=err, stdin=subprocess.PIPE, cwd=script.parent)
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    run = Run(process, ours)
    try:
        _serve(run, host)
    finally:
        with contextlib.suppress(OSError):
            process.kill()
        process.wait()
        ours.close()
    result = Result(out_path.read_bytes(), err_path.read_bytes(), process.returncode, run.collected, run.said)
    if run.reader is not None:
        run.reader.close()
    return result


def _serve(run: Run, host: Host) -> None:
    deadline = time.monotonic() + LIMIT_S
    is_open = True
    while run.process.poll() is None:
        assert time.monotonic() < deadline, "the debuggee hangs"
        readable = select.select([run.control], [], [], 0.005)[0] if is_open else time.sleep(0.005) or []
        if readable:
            is_open = _hear(run, host)
        host.tick(run)
        if run.reader is not None and host.reads:
            run.reader.drain()
    while is_open and select.select([run.control], [], [], 0)[0]:
        is_open = _hear(run, host)
    if run.reader is not None:
        run.reader.drain()


def _hear(run: Run, host: Host) -> bool:
    try:
        head, descriptors, _, _ = socket.recv_fds(run.control, LENGTH.size, 1)
    except OSError:
        return False
    if not head:
        return False
    body = b""
    while len(body) < LENGTH.unpack(head)[0]:
        body += run.control.recv(LENGTH.unpack(head)[0] - len(body))
    message = decode(body)
    run.said.append(message)
    for descriptor in descriptors:
        run.reader = AreaReader(descriptor)
        os.close(descriptor)
        run.reader.write_word(area.ARMED, host.armed)
    if message["type"] == "held" and (command := host.answer(message)):
        run.send(command)
    return True


def interrupt(run: Run) -> None:
    run.process.send_signal(signal.SIGINT)
