"""Trains under torch.profiler and writes down every memory event that it reports: (address, bytes), freed ones negative, in order.

Usage: allocations.py TRUTH.json perceptron|recurrence|convolution
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
from memory import make
from torch import nn
from torch.profiler import ProfilerActivity, profile

CPU = 0
MARKER_BYTES = 54321  # of two allocations that stand before and after what the profiler sees


def memory_events(profiler: Any) -> list[tuple[int, int]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(file))
        events = json.loads(file.read_text(encoding="utf-8"), strict=False)["traceEvents"]
    found = [event for event in events if event.get("name") == "[memory]" and event["args"]["Device Type"] == CPU]
    found.sort(key=lambda event: event["args"]["Ev Idx"])
    return [(event["args"]["Addr"], event["args"]["Bytes"]) for event in found]


def main() -> None:
    torch.manual_seed(0)
    model, entry = make(sys.argv[2])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    profiler = profile(activities=[ProfilerActivity.CPU], profile_memory=True)
    markers = [torch.empty(MARKER_BYTES, dtype=torch.uint8)]
    with profiler:
        for _ in range(3):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(entry), torch.arange(len(entry)) % 3).backward()
            optimizer.step()
    markers.append(torch.empty(MARKER_BYTES, dtype=torch.uint8))
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(memory_events(profiler), file)


if __name__ == "__main__":
    main()
