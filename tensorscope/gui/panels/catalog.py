"""All panels of the window, one line a panel. Their modules are imported only when the window is on screen."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Final, cast

from tensorscope.gui.panel import Panel
from tensorscope.language import tr_later


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
    PanelEntry("events", tr_later("Events"), "events", "EventsPanel"),
    PanelEntry("graph", tr_later("Graph"), "graph", "GraphPanel"),
    PanelEntry("source", tr_later("Source"), "source", "SourcePanel"),
    PanelEntry("inspector", tr_later("Inspector"), "inspector", "InspectorPanel"),
    PanelEntry("memory", tr_later("Memory timeline"), "memory", "MemoryPanel"),
    PanelEntry("gradients", tr_later("Gradients"), "gradients", "GradientsPanel"),
    PanelEntry("storages", tr_later("Storages"), "storages", "StoragesPanel"),
    PanelEntry("problems", tr_later("Problems"), "problems", "ProblemsPanel"),
    PanelEntry("output", tr_later("Output"), "output", "OutputPanel"),
)
