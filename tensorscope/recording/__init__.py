"""Recordings (`.tscope`): one SQLite file, one row a frame."""
