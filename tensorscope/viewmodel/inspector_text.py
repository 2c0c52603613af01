"""What Ctrl+C copies from the Inspector, and what its tool tips say: the exact values."""

from __future__ import annotations

import json
import math
from typing import assert_never

from tensorscope.units import format_norm
from tensorscope.viewmodel.inspector_view import FactRow, InspectorView, MemoryRow, NoteRow, Row, TensorRow


def row_text(row: Row) -> str:
    match row:
        case TensorRow():
            head = " ".join(word for word in (row.name, row.shape) if word)
            return f"{head}: {row.exact or f'norm {row.norm!r}, max {format_norm(row.max_abs)}'}"
        case MemoryRow():
            return " ".join(word for word in (row.name, row.shape, row.note, row.size.text) if word)
        case FactRow():
            return f"{row.label}: {row.exact or row.value.text}" if row.label else row.exact or row.value.text
        case NoteRow(text):
            return text
        case _:
            assert_never(row)


def value_text(row: Row) -> str:
    """The row's number alone."""
    match row:
        case TensorRow():
            return repr(row.norm) if row.norm is not None else ""
        case MemoryRow():
            return row.size.text
        case FactRow():
            return row.exact or row.value.text
        case NoteRow():
            return ""
        case _:
            assert_never(row)


def page_text(view: InspectorView) -> str:
    """The whole page, a line a row."""
    lines = [" ".join(word for word in (view.title, view.detail, view.module, str(view.source or ""), view.note) if word)]
    lines += [f"{figure.label}: {figure.value.text}" for figure in view.figures]
    for section in view.sections:
        lines += ["", f"{section.title} {section.note}".strip(), *(row_text(row) for row in section.rows)]
    return "\n".join(lines)


def page_json(view: InspectorView) -> str:
    """The whole page as one JSON object: what it is about, its figures, and its sections' rows as they are copied, by label where they have one."""
    about = {"title": view.title, "detail": view.detail, "module": view.module, "source": str(view.source or ""), "note": view.note}
    page: dict[str, object] = {name: text for name, text in about.items() if text}
    page |= {figure.label: figure.value.text for figure in view.figures}
    page["sections"] = {section.title: [_row_object(row) for row in section.rows] for section in view.sections}
    return json.dumps(page, ensure_ascii=False, indent=2)


def _row_object(row: Row) -> dict[str, object]:
    match row:
        case TensorRow():
            numbers = {"norm": row.norm, "max_abs": row.max_abs}
            known = {name: value if math.isfinite(value) else str(value) for name, value in numbers.items() if value is not None}
            return {"name": row.name, "shape": row.shape, "nonfinite": row.nonfinite, **known}
        case MemoryRow():
            return {name: text for name, text in (("name", row.name), ("shape", row.shape), ("note", row.note), ("size", row.size.text)) if text}
        case FactRow():
            return {row.label.strip() or "value": row.exact or row.value.text}
        case NoteRow(text):
            return {"note": text}
        case _:
            assert_never(row)
