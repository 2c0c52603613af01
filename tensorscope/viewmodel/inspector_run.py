"""The Inspector's page of the run as a whole: shown while nothing is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tensorscope.analysis.iterations import iterations
from tensorscope.analysis.memory import default_device, devices
from tensorscope.analysis.results import Source
from tensorscope.language import tr, tr_later
from tensorscope.trace.snapshot import Snapshot
from tensorscope.units import (
    Quantity,
    format_bytes,
    format_count,
    format_duration,
    split_bytes,
    split_time,
)
from tensorscope.viewmodel.inspector_digest import gradient_extremes, kept_by_views, largest_at_peak, slowest_lines, slowest_modules
from tensorscope.viewmodel.inspector_view import FactRow, Figure, InspectorView, NoteRow, Section, fact, facts, place_fact
from tensorscope.viewmodel.timeline_cache import TIMELINES

_NOT_BEGUN: Final = tr_later(
    "The script has not begun. It starts once the probe fits this torch; the first time that is compiled, for about a minute. "
    "Then its iterations, its peak and its slowest lines stand here."
)
_NEVER_BEGUN: Final = tr_later("It ended before the script began.")


def run_page(snapshot: Snapshot, cursor_ns: int | None = None) -> InspectorView:
    """What is shown while nothing is chosen. ``cursor_ns`` None is now."""
    if not snapshot.facts:
        return InspectorView(tr("The run"), sections=(Section(tr("Run"), "", (NoteRow(tr(_NOT_BEGUN if snapshot.exit is None else _NEVER_BEGUN)),)),))
    done = iterations(snapshot)
    last = next((one for one in done if cursor_ns is not None and cursor_ns <= one.end_ns), done[-1] if done else None)
    timeline = TIMELINES.get(snapshot, default_device(snapshot))
    peak = int(timeline.allocated_bytes[timeline.peak_index]) if timeline is not None and timeline.peak_index >= 0 else None
    script = str(snapshot.facts.get("script") or "")
    sections = [
        *(_exception(one) for one in snapshot.exceptions[-1:]),
        Section(
            tr("Iteration"),
            f"{last.index:,}" if last.is_ended else tr("{index:,}, not ended").format(index=last.index),
            facts(
                fact(tr("forward"), format_duration(last.forward_ns) if last.forward_ns or last.is_ended else ""),
                fact(tr("backward"), format_duration(last.backward_ns) if last.backward_ns or last.is_ended else ""),
                fact(tr("optimizer"), format_duration(last.optimizer_ns) if last.optimizer_ns or last.is_ended else ""),
                fact(tr("peak"), format_bytes(last.peak_allocated_bytes)),
                fact(tr("learning rate"), f"{last.learning_rate:g}" if last.learning_rate is not None else ""),
            ),
        )
        if last is not None
        else Section(tr("Run"), "", (NoteRow(_why_no_iteration(snapshot)),)),
        largest_at_peak(snapshot),
        slowest_lines(snapshot, cursor_ns),
        slowest_modules(snapshot, cursor_ns),
        gradient_extremes(snapshot, cursor_ns),
        kept_by_views(snapshot, cursor_ns),
        Section(
            tr("Model"),
            "",
            facts(
                fact(tr("modules"), format_count(len(snapshot.modules)) if snapshot.modules else ""),
                fact(tr("parameters"), format_count(_parameter_elements(snapshot)) if snapshot.parameters else ""),
                fact(tr("optimizers"), ", ".join(str(one.get("class", "")) for one in snapshot.optimizers.values())),
                fact(tr("devices"), ", ".join(devices(snapshot))),
            ),
        ),
        Section(tr("Kept"), "", _kept(snapshot)),
    ]
    return InspectorView(
        title=script.rpartition("/")[2] or tr("The run"),
        detail=tr("the run") if script else "",
        figures=(
            Figure(tr("iterations"), Quantity(format_count(len([one for one in done if one.is_ended])))),
            Figure(tr("peak"), split_bytes(peak), tr("Of allocated bytes, on the device where it was highest.")),
            Figure(tr("run"), split_time(snapshot.end_ns)),
        ),
        sections=tuple(section for section in sections if section.rows),
    )


def _kept(snapshot: Snapshot) -> tuple[FactRow, ...]:
    """The run's budgets, and which iterations lost detail to them."""
    keep, gone = snapshot.facts.get("keep"), snapshot.health.retired_iterations
    if not isinstance(keep, dict):
        return ()
    return facts(
        fact(tr("in full"), tr("first {first}, last {last}").format(first=keep["first"], last=keep["last"])),
        fact(tr("budgets"), tr("{memory} of memory, {disk} of disk").format(memory=format_bytes(keep["memory_bytes"]), disk=format_bytes(keep["disk_bytes"]))),
        fact(tr("detail let go"), tr("iterations {first} to {last}").format(first=gone.start, last=gone.stop - 1) if gone else ""),
    )


def _why_no_iteration(snapshot: Snapshot) -> str:
    if snapshot.facts.get("imported"):
        return tr("A memory snapshot holds allocations and their stacks, nothing else.")
    return tr("No iteration yet. One ends with each optimizer.step().") if snapshot.exit is None else tr("It had no iteration: none ran backward().")


def _parameter_elements(snapshot: Snapshot) -> int:
    return sum(int(one.get("numel") or 0) for one in snapshot.parameters.values() if not one.get("is_buffer") and not one.get("is_retained"))


def _exception(told: Mapping[str, Any]) -> Section:
    file, _, line = str(told.get("source", "")).rpartition(":")  # the user's own line, not the one in torch that raised
    name = str(told.get("exception") or tr("an exception"))
    place = place_fact(tr("raised at"), Source(file, int(line))) if file and line.isdecimal() else None
    return Section(
        tr("Ended by {exception}").format(exception=name.rpartition(".")[2]),
        "",
        (NoteRow(str(told.get("message") or tr("It has no message."))), *facts(place)),
    )
