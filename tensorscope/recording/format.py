"""What a ``.tscope`` file is: an SQLite database with a table of frames and a table of facts.

``frames``  sequence, rank (the process: 0 is the launched one; its facts say which rank it is), kind ("definitions", "message" or the name of a
            table), iteration, last_iteration, first_ns, last_ns (monotonic), payload (``protocol.frames``). The frames of a process in order of
            sequence rebuild its trace.
``facts``   key and JSON value: created_wall_ns, tensorscope_version, counters (by process: dropped events, cost in ns; older files: dropped_events,
            cost_ns), is_ended, retired (rows, first and last iteration)
"""

from typing import Final

APPLICATION_ID: Final = 0x54534350  # "TSCP"
FORMAT_VERSION: Final = 1
SUFFIX: Final = ".tscope"
SQLITE_MAGIC: Final = b"SQLite format 3\0"

SCHEMA: Final = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT_VERSION};
CREATE TABLE frames (
    sequence INTEGER PRIMARY KEY,
    rank INTEGER NOT NULL,
    kind TEXT NOT NULL,
    iteration INTEGER NOT NULL,
    last_iteration INTEGER NOT NULL,
    first_ns INTEGER NOT NULL,
    last_ns INTEGER NOT NULL,
    payload BLOB NOT NULL
);
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
