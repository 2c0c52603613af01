"""The views of ``query`` as tables for a person: the fields that fit a line, in people's units. The whole of it is in the JSON."""

import sys
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from tensorscope.units import UNKNOWN, format_bytes, format_duration, format_norm, format_shape, format_time

PIPE_WIDTH: Final = 400  # characters: a line a row, for grep and cut
_HOLDERS_WIDTH: Final = 80
_Format = Callable[[Any], str]


def print_view(view: str, answer: Any) -> None:
    """Print a view's answer to stdout."""
    console = Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)
    if view in _LISTS:
        if answer:
            _print_table(console, _table(answer, _LISTS[view]))
        else:
            console.print(f"No {view} to show.")
    elif view == "graph":
        console.print(f"Backward {answer['backward']} of iteration {answer['iteration']}: {len(answer['nodes'])} nodes, {len(answer['edges'])} edges")
        _print_table(console, _table(answer["nodes"], _NODE))
    elif view == "memory" and answer["device"] is None and "reason" in answer:
        console.print(answer["reason"])
    elif view == "memory":
        reserved = f", {format_bytes(answer['reserved_bytes'])} reserved" if answer["reserved_bytes"] is not None else ""
        console.print(f"{answer['device']} at {format_time(answer['at_ns'])}: {format_bytes(answer['allocated_bytes'])} allocated{reserved}")
        console.print("  ".join(f"{name} {format_bytes(size)}" for name, size in answer["by_category"].items() if size))
        _print_table(console, _table(answer["live"], _BLOCK))
    elif view == "ranks":
        for part, columns in _ACROSS.items():
            console.print(f"{part}:" if answer[part] else f"{part}: none")
            if answer[part]:
                _print_table(console, _table(answer[part], columns))
    else:
        _print_table(console, _summary(answer))


def _print_table(console: Console, table: Table) -> None:
    """Without the blanks that rich puts behind each line up to the longest."""
    with console.capture() as captured:
        console.print(table)
    sys.stdout.write("\n".join(line.rstrip(" ") for line in captured.get().split("\n")))


def _table(rows: list[dict[str, Any]], columns: dict[str, _Format]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, form in columns.items():
        table.add_column(
            name.removesuffix("_ns").removesuffix("_bytes").replace("_", " "), justify="left" if form in _LEFT else "right", no_wrap=form is _holders
        )
    for row in rows:
        table.add_row(*(form(row[name]) for name, form in columns.items()))
    return table


def _summary(answer: dict[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, value in answer.items():
        form = format_bytes if name.endswith("_bytes") else format_duration if name.endswith("_ns") else _text
        by_device = {"": value} if name == "exception" or not isinstance(value, dict) else value
        text = ", ".join(f"{key} {form(one)}".strip() for key, one in by_device.items())
        table.add_row(name.removesuffix("_bytes").removesuffix("_ns").replace("_", " "), text or UNKNOWN)
    return table


def _text(value: Any) -> str:
    if isinstance(value, dict) and "label" in value:
        return f"{value['label']} ({_outcome(value)}, {value['iterations']} iterations)"
    if isinstance(value, dict):
        return ": ".join(str(one) for name, one in value.items() if one and name in ("exception", "message", "tracker", "reason"))
    if isinstance(value, list):
        return ", ".join(_text(one) for one in value) or UNKNOWN
    if isinstance(value, float):
        return f"{value:.6g}"
    return UNKNOWN if value in (None, "") else str(value)


def _outcome(rank: dict[str, Any]) -> str:
    """How a rank ended."""
    if rank["exit_code"] is None:
        return "end not on record"
    return f"killed by signal {rank['signal']}" if rank["signal"] else f"exit code {rank['exit_code']}"


def _place(value: Any) -> str:
    """``train.py:12`` for the absolute place that the JSON has."""
    return UNKNOWN if value is None else PurePath(value).name


def _count(value: Any) -> str:
    return UNKNOWN if value is None else f"{value:,}"


def _duration(value: Any) -> str:
    return UNKNOWN if value is None else format_duration(value)


def _norm(value: Any) -> str:
    return format_norm(float(value) if value is not None else None)


def _names(value: Any) -> str:
    return ", ".join(value)


def _shapes(tensors: Any) -> str:
    return ", ".join(format_shape(one["shape"]) for one in tensors)


def _tensor_names(tensors: Any) -> str:
    return ", ".join(name for one in tensors for name in one["names"])


def _holders(sentences: Any) -> str:
    """All of them as far as they fit, so that a row stays a line."""
    text = "; ".join(sentences)
    return text if len(text) <= _HOLDERS_WIDTH else text[: _HOLDERS_WIDTH - 1].rstrip() + "…"


_LEFT: Final = (_text, _names, _shapes, _place, _tensor_names, _holders)
_NODE: Final[dict[str, _Format]] = {
    "id": _count, "name": _text, "module": _text, "source": _place, "parameter": _text, "saved_bytes": format_bytes, "forward_ns": format_duration,
    "backward_ns": format_duration,
}  # fmt: skip
_BLOCK: Final[dict[str, _Format]] = {
    "size_bytes": format_bytes, "category": _text, "names": _names, "operator": _text, "module": _text, "source": _place, "allocated_ns": format_time,
}  # fmt: skip
_ACROSS: Final[dict[str, dict[str, _Format]]] = {
    "memory": {"rank": _count, "device": _text, "at_ns": format_time, "allocated_bytes": format_bytes, "peak_allocated_bytes": format_bytes},
    "iterations": {"iteration": _count, "rank": _count, "iteration_ns": format_duration, "own_ns": _duration, "is_slow": _text},
    "gradients": {"iteration": _count, "parameter": _text, "stage": _text, "min_norm": _norm, "max_norm": _norm},
    "desynchronised": {"parameter": _text, "iteration": _count},
}
_LISTS: Final[dict[str, dict[str, _Format]]] = {
    "iterations": {
        "iteration": _count, "begin_ns": format_time, "forward_ns": format_duration, "backward_ns": format_duration, "optimizer_ns": format_duration,
        "peak_allocated_bytes": format_bytes, "learning_rate": _text,
    },
    "gradients": {
        "iteration": _count, "backward": _count, "parameter": _text, "stage": _text, "norm": _norm, "max_abs": _norm, "nonfinite": _count, "numel": _count,
        "weight_norm": _norm,
    },
    "findings": {"severity": _text, "message": _text, "source": _place, "iteration": _count, "rule": _text},
    "storages": {
        "nbytes": format_bytes, "category": _text, "tensors": _tensor_names, "made_by": _text, "last_writer": _text, "device": _text, "holders": _holders,
    },
    "ops": {
        "begin_ns": format_time, "name": _text, "phase": _text, "module": _text, "source": _place, "result": _text, "inputs": _shapes, "outputs": _shapes,
    },
}  # fmt: skip
