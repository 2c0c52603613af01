"""What the Source panel shows: a file with each line's time and live bytes, where the script stands, what is selected, and the calls that led there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tensorscope.analysis.results import Source
from tensorscope.language import tr
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import Quantity, split_bytes, split_duration, split_in_unit
from tensorscope.viewmodel.caches import LINE_COSTS
from tensorscope.viewmodel.code import Code, read_code
from tensorscope.viewmodel.line_costs import LineCost
from tensorscope.viewmodel.linked import NOTHING, Linked
from tensorscope.viewmodel.links import place_of
from tensorscope.viewmodel.words import word_of
from tensorscope.viewmodel.workspace import NodeSelection, Selection

MOST_TABS: Final = 5
_TIME_UNITS: Final = (("s", 10**9), ("ms", 10**6), ("µs", 10**3))
_BYTE_UNITS: Final = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


@dataclass(frozen=True, slots=True)
class SourceView:
    files: tuple[str, ...]  # the tabs, the shown one among them
    file: str
    code: Code
    costs: dict[int, LineCost]
    iteration: int
    largest_ns: int
    largest_bytes: int
    selected_line: int  # 0: none in this file
    held_line: int
    calls: tuple[Source, ...]  # outermost first, the user's own frames
    is_changed: bool  # the file is newer than the run

    @property
    def time_unit(self) -> str:
        """What the column's head says: the unit of the line that takes longest."""
        return next((unit for unit, factor in _TIME_UNITS if self.largest_ns >= factor), "ns") if self.largest_ns else "ms"

    @property
    def bytes_unit(self) -> str:
        return split_bytes(self.largest_bytes).unit if self.largest_bytes else "MiB"

    def time_of(self, cost: LineCost) -> Quantity:
        """In the column's unit; with its own where it is too small for that."""
        return split_in_unit(split_duration(cost.time_ns), cost.time_ns, dict(_TIME_UNITS).get(self.time_unit, 1), self.time_unit)

    def bytes_of(self, cost: LineCost) -> Quantity:
        return split_in_unit(split_bytes(cost.live_bytes), cost.live_bytes, 1024 ** _BYTE_UNITS.index(self.bytes_unit), self.bytes_unit)

    def hint(self, line: int) -> str:
        """The exact costs of a line, "" where it has none."""
        cost = self.costs.get(line)
        if cost is None:
            return ""
        when = tr("iteration {iteration}").format(iteration=self.iteration) if self.iteration >= 0 else tr("the run")
        told = [tr("{time_ms:,.6f} ms in {when}, forward and backward").format(time_ms=cost.time_ns / 1e6, when=when)] if cost.time_ns else []
        told += (
            [tr("{live_bytes:,} B live at the cursor, mostly {category}").format(live_bytes=cost.live_bytes, category=word_of(cost.category))]
            if cost.live_bytes
            else []
        )
        return "\n".join((f"{self.title}:{line}", *told)) if told else ""

    @property
    def title(self) -> str:
        return Path(self.file).name

    @property
    def focus_line(self) -> int:
        """The line to have in view: the selected one, where the script stands, else the one that takes longest."""
        hottest = max(self.costs, key=lambda line: self.costs[line].time_ns, default=0)
        return self.selected_line or self.held_line or hottest


def source_view(
    snapshot: Snapshot, selection: Selection | None, held: NodeSelection | None, cursor_ns: int | None, chosen_file: str, links: Linked = NOTHING
) -> SourceView | None:
    """For a worker. ``chosen_file`` is the tab that was clicked, "" to show the selection's; files with lines of ``links`` have tabs.

    None while no file is known.
    """
    costs = LINE_COSTS.get(snapshot, cursor_ns)
    selected, standing = place_of(snapshot, selection), place_of(snapshot, held)
    failed = _exception_line(snapshot)
    files = _files(snapshot, [*(place.source.file for place in (selected, standing) if place is not None), *links.count_by_file()])
    shown = selected or standing
    file = chosen_file or (shown.source.file if shown is not None else failed.file if failed is not None else files[0] if files else "")
    if not file:
        return None
    if file not in files:
        files = (file, *files[: MOST_TABS - 1])
    of_file = costs.of_file(file)
    code = read_code(file)
    wall_begin = int(snapshot.facts.get("wall_begin_ns") or 0)
    stack = shown.stack if shown is not None else 0
    return SourceView(
        files=files,
        file=file,
        code=code,
        costs=of_file,
        iteration=costs.iteration,
        largest_ns=max((cost.time_ns for cost in of_file.values()), default=0),
        largest_bytes=max((cost.live_bytes for cost in of_file.values()), default=0),
        selected_line=_line_in(file, selected.source if selected is not None else None),
        held_line=_line_in(file, standing.source if standing is not None else failed),
        calls=tuple(Source(frame.filename, frame.line, frame.function) for frame in reversed(snapshot.stacks.get(stack, ())) if frame.is_users),
        is_changed=bool(wall_begin and code.modified_ns > wall_begin),
    )


def _line_in(file: str, source: Source | None) -> int:
    return source.line if source is not None and source.file == file else 0


def _exception_line(snapshot: Snapshot) -> Source | None:
    """Where the script failed: the innermost frame that names a file that is there."""
    if not snapshot.exceptions:
        return None
    frames = [frame for frame in snapshot.exceptions[-1].get("frames", ()) if Path(str(frame[0])).is_file()]
    library = tuple(str(prefix) for prefix in snapshot.facts.get("library_prefixes", ()))
    own = [frame for frame in frames if not str(frame[0]).startswith(library or ("\0",))]
    chosen = (own or frames)[-1:]
    return Source(str(chosen[0][0]), int(chosen[0][1])) if chosen else None


def _files(snapshot: Snapshot, first: list[str]) -> tuple[str, ...]:
    """The user's files that ran an operator, the script among them, in a steady order."""
    counts: dict[str, int] = {}
    for frames in snapshot.stacks.values():
        for frame in frames:
            if frame.is_users:
                counts[frame.filename] = counts.get(frame.filename, 0) + 1
    script = str(snapshot.facts.get("script") or "")
    if script.endswith(".py"):
        counts.setdefault(str(Path(str(snapshot.facts.get("cwd") or ""), script)), 0)
    kept = sorted(counts, key=lambda name: (-counts[name], name))[:MOST_TABS]
    missing = [file for file in dict.fromkeys(first) if file not in kept]
    return tuple((*missing, *kept)[:MOST_TABS])
