"""What the host knows of a run before the script says anything: what was asked for, where, and what is kept."""

import os
from time import monotonic_ns
from typing import Any

from tensorscope.protocol.source_files import STANDARD_INPUT
from tensorscope.session.launch import LaunchOptions
from tensorscope.trace.retention import Keep


def facts_message(options: LaunchOptions, keep: Keep) -> dict[str, Any]:
    """A ``facts`` message; the agent's own facts come on top."""
    folder = _working_folder()
    return {
        "type": "facts",
        "script": _script(options, folder),
        "argv": [options.script, *options.arguments],
        "cwd": folder,
        "executable": options.interpreter,
        "captures_output": options.captures_output,
        "begin_ns": monotonic_ns(),
        "keep": {"memory_bytes": keep.memory_bytes, "disk_bytes": keep.disk_bytes, "first": keep.first, "last": keep.last},
    }


def _script(options: LaunchOptions, folder: str) -> str:
    if options.is_stdin:
        return STANDARD_INPUT
    return options.script if options.is_module or options.is_command else os.path.join(folder, options.script)


def _working_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # it was deleted; Python itself goes on without
        return ""
