"""Pure functions from a trace snapshot to a frozen result. No Qt, no clock, no files."""
