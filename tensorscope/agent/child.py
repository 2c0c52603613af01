"""Starts the agent in a process below the watched one: knocks at the host's door, and hands over an area where the host wants to watch.

The area begins small. It grows to its full size when the process trains, which most processes that import torch never do.
"""

import _socket
import os
import sys
import time
from contextlib import nullcontext
from functools import partial
from typing import Any

from tensorscope.agent.agent import Agent
from tensorscope.agent.control import Area, Control, make_area
from tensorscope.agent.forked import Triggers, fresh_copy
from tensorscope.agent.joined import LateAgent
from tensorscope.agent.options import PYTHON, Options
from tensorscope.agent.site.handing_on import HandingOn
from tensorscope.agent.watched import Watched
from tensorscope.agent.watcher import ImportWatcher
from tensorscope.protocol.children import ANSWER_S, BUILD_S, FIRST_BLOCK_COUNT, WATCH_VERSION


def start(begin_ns: int, handing_on: HandingOn) -> ImportWatcher | None:
    """Called when torch is about to be imported; gives the watcher that meets it, or None where nobody watches. Never raises."""
    try:
        connected = connect(handing_on)
        if connected is None:
            return None
        options, control, area = connected
        agent = Agent(options, control, area, begin_ns=begin_ns, handing_on=handing_on)
        agent.wait_in_child = partial(wait_in_child, agent)
        agent.start()
        return agent.torch_watcher
    except Exception:
        return None


def wait_in_child(parents: Agent, watched: Watched | None) -> None:
    """In a forked child: wait until it trains, or imports torch where its parent had not.

    ``parents`` is the agent that it has inherited, ``watched`` what that has watched.
    """
    begin_ns = time.monotonic_ns()
    handing_on = parents.handing_on
    if handing_on is None or not handing_on.door:
        return
    if watched is None:
        ImportWatcher("torch", lambda _: _start_where_torch_is(begin_ns, parents, handing_on, is_fresh=True)).install()
    else:
        Triggers(watched.watch, lambda: _start_where_torch_is(begin_ns, parents, handing_on, is_fresh=False)).install()


def _start_where_torch_is(begin_ns: int, parents: Agent, handing_on: HandingOn, *, is_fresh: bool) -> None:
    """``is_fresh``: this process has loaded no probe yet. Never raises."""
    try:
        connected = connect(handing_on)
        if connected is None:
            return
        options, control, area = connected
        kind = Agent if is_fresh else LateAgent
        with nullcontext(options.probe) if is_fresh or options.probe == PYTHON else fresh_copy(options.probe) as probe:
            agent = kind(options._replace(probe=probe), control, area, begin_ns=begin_ns, handing_on=handing_on, deleters=parents.deleters)
            agent.wait_in_child = partial(wait_in_child, agent)
            agent.start()
        parents.heir = agent
    except Exception:
        return


def connect(handing_on: HandingOn) -> tuple[Options, Control, Area] | None:
    """A connection and an area; None where there is no host, or none that wants to watch."""
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
    return _options(answer), control, area


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
        has_updates=bool(answer.get("has_updates")),
        breaks=[],  # the host sends them after the hello
        own_argument_count=0,
        door="",
    )
