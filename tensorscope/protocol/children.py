"""How Python below a watched process finds the host: two environment variables, and what is said at the host's door.

``PYTHONPATH`` begins with the folder of our ``sitecustomize``; ``DOOR`` names the host's Unix socket, in a folder that only its user may enter. Both are
handed on to what a watched process starts, and kept out of its own ``os.environ`` (``agent.site.handing_on``). At the
first import of torch a process connects and says ``knock``: pid, executable, version (WATCH_VERSION). The host answers ``wait`` (the probe for this
interpreter is being built), and then ``watch`` (probe, has_stacks, has_updates, iterations, blocks) or ``leave`` (why). After ``watch``
comes the ``hello`` of every debuggee, with its area. Where no answer comes in time, the process runs unwatched.

A process says ``trains`` at its first backward (rank, local_rank, world_size: as torch.distributed or its launcher tells, else null), and is a rank from
then on. It says ``leaves`` when it turns out to be a DataLoader's worker; then its area is not read any more.
"""

from typing import Final

DOOR: Final = "TENSORSCOPE_DOOR"
PYTHON_PATH: Final = "PYTHONPATH"
WATCH_VERSION: Final = 1
ANSWER_S: Final = 3.0  # a host that is hung keeps no script waiting for longer
BUILD_S: Final = 300.0
FIRST_BLOCK_COUNT: Final = 16
"""Blocks of an area while its process has not trained: most that import torch never do."""


def python_path_with(folder: str, before: str | None) -> str:
    """PYTHONPATH with ``folder`` as its first entry."""
    return f"{folder}:{before}" if before else folder
