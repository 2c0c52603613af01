"""All that crosses the border between debuggee and host: ring layout, records, definitions, messages, frames."""
