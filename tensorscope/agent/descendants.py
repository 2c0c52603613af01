"""Lets Python below this process find the host (``protocol.children``)."""

import os

from tensorscope.agent.site.handing_on import HandingOn

try:
    from tensorscope.agent.python_probe.hidden import hide
except ImportError:  # Python built without libffi
    hide = None  # type: ignore[assignment]

SITE_FOLDER = os.path.dirname(os.path.abspath(__file__)) + "/site"


def handing_on_from(door: str) -> HandingOn:
    """From now on Python that this process starts, in whatever way, is met."""
    handing_on = HandingOn(os.fsencode(SITE_FOLDER), os.fsencode(door), hide)
    handing_on.begin()
    return handing_on
