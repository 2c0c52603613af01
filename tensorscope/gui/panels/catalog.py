"""All panels of the window, one line a panel. Their modules are imported only when the window is on screen."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Final, cast

from tensorscope.gui.panel import Panel


@dataclass(frozen=True, slots=True)
class PanelEntry:
    """``key`` names the panel in the kept layout; ``title`` stands in its tab until it is there itself."""

    key: str
    title: str
    module: str
    class_name: str

    def load(self) -> type[Panel]:
        return cast(type[Panel], getattr(import_module(f"tensorscope.gui.panels.{self.module}"), self.class_name))


CATALOG: Final = (
    PanelEntry("events", "Events", "events", "EventsPanel"),
    PanelEntry("graph", "Graph", "graph", "GraphPanel"),
    PanelEntry("source", "Source", "source", "SourcePanel"),
    PanelEntry("inspector", "Inspector", "inspector", "InspectorPanel"),
    PanelEntry("memory", "Memory timeline", "memory", "MemoryPanel"),
    PanelEntry("gradients", "Gradients", "gradients", "GradientsPanel"),
    PanelEntry("storages", "Storages", "storages", "StoragesPanel"),
    PanelEntry("problems", "Problems", "problems", "ProblemsPanel"),
)
