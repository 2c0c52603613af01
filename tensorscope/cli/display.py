"""Whether a window can be shown, asked before Qt is loaded, since Qt ends the process where it cannot."""

import os
import socket
from pathlib import Path

from tensorscope.errors import TensorScopeError


def has_display() -> bool:
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform and not platform.startswith(("xcb", "wayland")):
        return True
    return _has_wayland() or _has_x11(os.environ.get("DISPLAY", ""))


def need_display() -> None:
    """Raise TensorScopeError where there is no display."""
    if has_display():
        return
    raise TensorScopeError("There is no display for the window; use tensorscope record instead, or log in with a desktop (ssh -X).")


def _has_wayland() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY", "")
    return bool(name) and (Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / name).is_socket()


def _has_x11(display: str) -> bool:
    """Whether something answers at DISPLAY (``:0``, ``host:10.0``)."""
    host, colon, number = display.rpartition(":")
    number = number.split(".")[0]
    if not colon or not number.isdecimal():
        return False
    if host and host not in ("unix", "localhost"):
        return True  # a far display: Qt will see
    for family, address in (
        (socket.AF_UNIX, f"/tmp/.X11-unix/X{number}"),
        (socket.AF_UNIX, f"\0/tmp/.X11-unix/X{number}"),
        (socket.AF_INET, ("127.0.0.1", 6000 + int(number))),
    ):
        with socket.socket(family, socket.SOCK_STREAM) as connection:
            connection.settimeout(2)
            if connection.connect_ex(address) == 0:
                return True
    return False
