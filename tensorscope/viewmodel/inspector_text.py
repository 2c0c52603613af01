"""What Ctrl+C copies from the Inspector, and what its tool tips say: the exact values."""

from __future__ import annotations

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
