"""Trains under torch.profiler and writes down every memory event that it reports: (address, bytes), freed ones negative, in order.

Usage: allocations.py TRUTH.json perceptron|recurrence|convolution
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch
from memory import make
from torch import nn
from torch.profiler import ProfilerActivity, profile

CPU = 0


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
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        begin_ns = time.monotonic_ns()
        for _ in range(3):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(entry), torch.arange(len(entry)) % 3).backward()
            optimizer.step()
        end_ns = time.monotonic_ns()
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"begin_ns": begin_ns, "end_ns": end_ns, "events": memory_events(profiler)}, file)


if __name__ == "__main__":
    main()
