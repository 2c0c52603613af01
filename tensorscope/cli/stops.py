"""What ``record`` says at a breakpoint: one line on stderr, and the script goes on."""

import contextlib
import sys
from collections.abc import Mapping
from typing import Any

from tensorscope.units import format_place


def say_stop(message: Mapping[str, Any]) -> None:
    """``message`` is a ``held`` message. One write, so that lines of several threads stay whole."""
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr is not None:
            sys.stderr.write(stop_text(message) + "\n")
            sys.stderr.flush()


def stop_text(message: Mapping[str, Any]) -> str:
    """The full node name first; numbers with six significant digits."""
    parts = [f"{message['name']} before node {int(message['position']) + 1} of {message['count']} of backward {int(message['backward']) - 1}"]
    file, _, line = str(message.get("source") or "").rpartition(":")
    parts += [format_place(file, int(line))] if file else []
    parts += [f"module {message['module']}"] if message.get("module") else []
    parts += [f"{one['name']} {_gradient(one)}" for one in message.get("gradients_in", ())]
    return ", ".join(parts) + f" [{'; '.join(message.get('stops', ()))}]"


def _gradient(stats: Mapping[str, Any]) -> str:
    shape = "×".join(map(str, stats.get("shape", ()))) or "scalar"
    if stats.get("norm") is None:
        return f"({shape})"
    largest = max(abs(float(stats["min"])), abs(float(stats["max"]))) if stats.get("max") is not None else None
    numbers = [f"norm {float(stats['norm']):.6g}"] + ([f"max {largest:.6g}"] if largest is not None else [])
    return f"({shape}) {' '.join(numbers)}" + (f" {stats['nonfinite']} not finite" if stats.get("nonfinite") else "")
