"""Starts the agent in a process below the watched one: knocks at the host's door, and hands over an area where the host wants to watch.

The area begins small. It grows to its full size when the process trains, which most processes that import torch never do.
"""

import _socket
import os
import sys
import time
from typing import Any

from tensorscope.agent.agent import Agent
from tensorscope.agent.control import Control, make_area
from tensorscope.agent.options import Options
from tensorscope.agent.site.handing_on import HandingOn
from tensorscope.agent.watcher import ImportWatcher
from tensorscope.protocol.children import ANSWER_S, BUILD_S, FIRST_BLOCK_COUNT, WATCH_VERSION


def start(begin_ns: int, handing_on: HandingOn) -> ImportWatcher | None:
    """Called when torch is about to be imported; gives the watcher that meets it, or None where nobody watches. Never raises."""
    try:
        agent = connect(begin_ns, handing_on)
        if agent is None:
            return None
        agent.start()
        return agent.torch_watcher
    except Exception:
        return None


def connect(begin_ns: int, handing_on: HandingOn) -> Agent | None:
    """An agent with a connection and an area; None where there is no host, or none that wants to watch."""
    door = os.fsdecode(handing_on.door)
    if os.stat(os.path.dirname(door)).st_uid != os.getuid():
        return None
    control = Control(_connected(door))
    answer = _knock(control)
    if answer is None or answer["type"] != "watch":
        control.close()
        return None
    area = make_area(int(answer["blocks"]), FIRST_BLOCK_COUNT)
    if area is None:
        control.hello({"trouble": "no shared memory can be had for the trace, so a process runs unwatched"}, None)
        control.close()
        return None
    return Agent(_options(answer), control, area, begin_ns=begin_ns, handing_on=handing_on)


def _connected(door: str) -> int:
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.settimeout(ANSWER_S)
    connection.connect(door)
    return connection.detach()


def _knock(control: Control) -> dict[str, Any] | None:
    """The host's last word on it."""
    control.send({"type": "knock", "version": WATCH_VERSION, "pid": os.getpid(), "executable": sys.executable, "time_ns": time.monotonic_ns()})
    answer = control.receive(ANSWER_S)
    while answer is not None and answer["type"] == "wait":
        answer = control.receive(BUILD_S)
    return answer


def _options(answer: dict[str, Any]) -> Options:
    script, *arguments = getattr(sys, "argv", None) or [""]
    return Options(
        script=script,
        arguments=arguments,
        is_module=False,
        control_fd=-1,
        probe=str(answer["probe"]),
        blocks=int(answer["blocks"]),
        has_stacks=bool(answer["has_stacks"]),
        iterations=int(answer.get("iterations") or 0),
        breaks=[],  # the host sends them after the hello
        own_argument_count=0,
        door="",
    )
