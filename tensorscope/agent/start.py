"""Starts the agent in the debuggee. A failure of any of it leaves the script alone."""

from functools import partial

from tensorscope.agent.agent import Agent
from tensorscope.agent.child import wait_in_child
from tensorscope.agent.control import Control, make_area
from tensorscope.agent.options import Options
from tensorscope.agent.runner import Ending


def start(options: Options) -> Ending:
    """The agent as the one who is told how the script ends; one who does nothing where there is no host or no memory for the area."""
    if options.control_fd < 0 or not options.probe:
        return Ending()
    try:
        control = Control(options.control_fd)
        area = make_area(options.blocks)
        if area is None:
            control.hello({"trouble": "no shared memory can be had for the trace, so the script runs unwatched"}, None)
            control.close()
            return Ending()
        agent = Agent(options, control, area)
        agent.wait_in_child = partial(wait_in_child, agent)
        agent.start()
    except Exception:
        return Ending()
    return agent
