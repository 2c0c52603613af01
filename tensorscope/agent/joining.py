"""``tensorscope.attach()`` and ``detach()``: watch the process that calls them, which may be a notebook's kernel in the middle of its work."""

import contextlib
import gc
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from tensorscope.agent.child import wait_in_child
from tensorscope.agent.control import Control, make_area
from tensorscope.agent.joined import JoinedAgent
from tensorscope.agent.options import PYTHON, Options
from tensorscope.errors import ProtocolError, TensorScopeError
from tensorscope.protocol.area import DEFAULT_BLOCK_COUNT
from tensorscope.protocol.messages import LENGTH, MAX_MESSAGE_BYTES, decode

ALREADY: Final = "This process is watched already."
NOT_ATTACHED: Final = "Nothing watches this process."

_agents: list[JoinedAgent] = []  # the one there is
_deleters: list[int] = []  # of all probes that were in this process


def attach(name: str | None = None, *, window: bool = True) -> None:
    """Open the window on this process, or serve it as a job where there is no display; says on stderr how far it is and what to do.

    ``name`` of the job; ``window`` False serves it in any case. Raises RuntimeError with a sentence where it cannot be watched.
    """
    if _is_watched():
        _say(ALREADY)
        return
    while _agents:
        _agents.pop().leave()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with theirs:
            _start_host(theirs, name, window)
        answer = _wait_for_answer(ours)
        agent = _start_agent(ours, str(answer["probe"]), str(answer.get("door") or ""))
    except BaseException as error:
        ours.close()
        if isinstance(error, TensorScopeError):
            raise RuntimeError(str(error)) from None
        raise
    _agents.append(agent)
    if answer.get("sentence"):
        _say(str(answer["sentence"]))


def detach() -> None:
    """Take everything off; the window keeps what it has."""
    if not _agents:
        _say(ALREADY if _is_watched() else NOT_ATTACHED)
    while _agents:
        _agents.pop().leave()


def _is_watched() -> bool:
    """By us, or because TensorScope has launched this process: then its agent lives here under no name."""
    if any(agent.is_watching for agent in _agents):
        return True
    return any(type(thing).__module__ == "tensorscope.agent.agent" and type(thing).__name__ == "Agent" for thing in gc.get_objects())


def _start_host(connection: socket.socket, name: str | None, has_window: bool) -> None:
    """In a session of its own, so that what interrupts a cell does not end it."""
    words = ["--fd", str(connection.fileno()), "--pid", str(os.getpid()), "--title", _title()]
    words += ["--name", name] if name is not None else []
    words += [] if has_window else ["--no-window"]
    subprocess.run(
        [sys.executable, "-m", "tensorscope.cli.join", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[connection.fileno()],
        start_new_session=True,
        check=False,
    )


def _title() -> str:
    notebook = os.environ.get("JPY_SESSION_NAME") or ""
    script = getattr(sys.modules["__main__"], "__file__", None) or ""
    known = notebook or ("" if "ipykernel" in script else script)
    return os.path.basename(known) or ("notebook" if "ipykernel" in sys.modules else "python")


def _wait_for_answer(connection: socket.socket) -> dict[str, Any]:
    """The host's word that it is ready, after words on its progress."""
    while True:
        message = _receive(connection)
        match message["type"]:
            case "progress":
                _say(str(message["sentence"]))
            case "ready":
                return message
            case _:
                raise TensorScopeError(str(message.get("sentence") or "The host of the window gave no answer."))


def _receive(connection: socket.socket) -> dict[str, Any]:
    head = connection.recv(LENGTH.size, socket.MSG_WAITALL)
    if len(head) < LENGTH.size:
        raise TensorScopeError("The window's process ended before it answered; python -m tensorscope doctor says what is missing.")
    (length,) = LENGTH.unpack(head)
    try:
        return decode(connection.recv(min(length, MAX_MESSAGE_BYTES), socket.MSG_WAITALL))
    except ProtocolError as error:
        raise TensorScopeError(f"The window's process talks nonsense: {error}.") from None


def _start_agent(connection: socket.socket, probe: str, door: str) -> JoinedAgent:
    area = make_area(DEFAULT_BLOCK_COUNT)
    if area is None:
        raise TensorScopeError("No shared memory can be had for the trace.")
    with _unused(probe) as path:
        options = Options(_title(), [str(word) for word in sys.argv[1:]], False, -1, path, area.blocks, True, [], door, 0)
        agent = JoinedAgent(options, Control(connection.detach()), area, deleters=_deleters)
        agent.wait_in_child = partial(wait_in_child, agent)
        agent.start()
    if not agent.is_watching:
        agent.leave()
        raise TensorScopeError("This process could not be watched; the window says why.")
    return agent


@contextlib.contextmanager
def _unused(probe: str) -> Iterator[str]:
    """A file of the probe that this process has not loaded yet: each starts once, and under another name it is another library."""
    if not _deleters or probe == PYTHON:
        yield probe
        return
    with tempfile.TemporaryDirectory(prefix="tensorscope-") as folder:
        yield shutil.copy(probe, folder)


def _say(sentence: str) -> None:
    print(f"TensorScope: {sentence}", file=sys.stderr, flush=True)
