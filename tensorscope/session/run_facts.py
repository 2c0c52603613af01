"""What the host knows of a run before the script says anything: what was asked for, where, and what is kept."""

import os
from time import monotonic_ns
from typing import Any

from tensorscope.session.launch import LaunchOptions
from tensorscope.trace.retention import Keep


def facts_message(options: LaunchOptions, keep: Keep) -> dict[str, Any]:
    """A ``facts`` message; the agent's own facts come on top."""
    folder = _working_folder()
    return {
        "type": "facts",
        "script": options.script if options.is_module or options.is_command else os.path.join(folder, options.script),
        "argv": [options.script, *options.arguments],
        "cwd": folder,
        "executable": options.interpreter,
        "begin_ns": monotonic_ns(),
        "keep": {"memory_bytes": keep.memory_bytes, "disk_bytes": keep.disk_bytes, "first": keep.first, "last": keep.last},
    }


def _working_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # it was deleted; Python itself goes on without
        return ""
