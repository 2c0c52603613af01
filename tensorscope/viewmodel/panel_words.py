"""What panels say of themselves to a screen reader: a few short sentences on what they show now. "" where a message stands in place of the content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from tensorscope.language import tr
from tensorscope.units import format_bytes, format_time, plural
from tensorscope.viewmodel.event_rows import EventRow
from tensorscope.viewmodel.gradients import STAGES, GradientMap
from tensorscope.viewmodel.output import OutputView
from tensorscope.viewmodel.problems import ProblemRow, Problems
from tensorscope.viewmodel.scrubber import ScrubberView
from tensorscope.viewmodel.source_view import SourceView
from tensorscope.viewmodel.storages import StorageTree


def gradients_words(shown: GradientMap, rows: int) -> str:
    """``rows``: of the map, parameters and modules."""
    if shown.is_empty:
        return ""
    words = tr("Gradients, {stage}: {rows}, iterations {first}–{last}.")
    stage = tr(STAGES[shown.stage]) if shown.stage in STAGES else str(shown.stage)
    return words.format(stage=stage, rows=plural(rows, "row"), first=shown.first_iteration, last=shown.last_iteration)


def storages_words(tree: StorageTree) -> str:
    if not tree.items:
        return ""
    largest = tree.items[0]
    words = tr("{count} with {bytes} {seen}. The largest: {name}, {largest}.")
    total = format_bytes(tree.total_bytes + tree.external_bytes)
    return words.format(count=plural(len(tree.items), "storage"), bytes=total, seen=tree.seen, name=largest.name, largest=format_bytes(largest.row.nbytes))


def events_words(rows: Sequence[EventRow]) -> str:
    """``rows``: those unfolded."""
    if not rows:
        return ""
    held = next((row.label for row in rows if row.state == "held"), "")
    sentences = [tr("{rows}, from {first} to {last}.").format(rows=plural(len(rows), "row"), first=rows[0].label, last=rows[-1].label)]
    return " ".join([*sentences, *([tr("Held at {node}.").format(node=held)] if held else [])])


def source_words(view: SourceView) -> str:
    if view.code.problem:
        return ""
    sentences = [tr("{file}, {lines}.").format(file=PurePath(view.file).name, lines=plural(len(view.code.lines), "line"))]
    if view.held_line:
        sentences.append(tr("Held at line {line}.").format(line=view.held_line))
    if view.selected_line:
        sentences.append(tr("Line {line} is selected.").format(line=view.selected_line))
    if view.is_changed:
        sentences.append(tr("The file is newer than the run."))
    return " ".join(sentences)


def problems_words(found: Problems) -> str:
    """The counts, and the first one with its place."""
    if not found.findings:
        return ""
    first = ProblemRow(found.findings[0])
    words = tr("{counts}. The first: {message}")
    return words.format(counts=found.counts, message=f"{first.words} {first.place}".rstrip())


def output_words(view: OutputView) -> str:
    """The count, and the newest line that is not empty."""
    if not view.lines:
        return ""
    newest = next((line.text.strip() for line in reversed(view.lines) if line.text.strip()), "")
    return tr("{lines}. The last: {text}").format(lines=plural(len(view.lines), "line"), text=newest)


def scrubber_words(view: ScrubberView, cursor_ns: int | None, problems: int) -> str:
    """``cursor_ns``: the moment looked at, None at the newest. ``problems``: how many are marked."""
    words = tr("{iterations} in {time}.")
    sentences = [words.format(iterations=plural(len(view.iteration_begins_ns), "iteration"), time=format_time(view.axis.end_ns))]
    sentences.append(tr("Looking at {time}.").format(time=format_time(cursor_ns)) if cursor_ns is not None else tr("Looking at the newest moment."))
    if problems:
        sentences.append(tr("{problems} marked.").format(problems=plural(problems, "problem")))
    return " ".join(sentences)
