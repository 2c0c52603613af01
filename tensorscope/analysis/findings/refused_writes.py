"""Errors that torch raises at once, at the operator that was refused: a write to an expanded tensor, a write to a leaf, a non-leaf for an optimizer."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorscope.analysis.findings.facts import iteration_of, raised
from tensorscope.analysis.operators import source_of
from tensorscope.analysis.results import Finding, Related, Source
from tensorscope.language import tr
from tensorscope.protocol.records import OperatorFlag, TensorFlag, TensorRole
from tensorscope.trace.schema import OPERATORS, TENSORS
from tensorscope.trace.snapshot import Snapshot

EXPANDED: Final = "more than one element of the written-to tensor refers to a single memory location"
LEAF: Final = "a leaf Variable that requires grad is being used in an in-place operation"
NON_LEAF: Final = "can't optimize a non-leaf Tensor"
EXPANDERS: Final = ("aten::expand", "aten::expand_as", "aten::broadcast_to", "aten::broadcast_tensors")


def write_to_expanded(snapshot: Snapshot) -> Iterator[Finding]:
    """Names the line that expanded: the tensor's elements share bytes, so a write to one would be a write to many."""
    error = raised(snapshot)
    if error is None or EXPANDED not in error.message:
        return
    maker = _expander(snapshot)
    yield Finding(
        rule="write-to-expanded",
        severity="error",
        message=tr("The tensor written to was expanded: its elements share bytes (stride 0). Write to a copy: .clone() after expand, or repeat()."),
        source=maker or error.source,
        related=(Related(error.source, tr("written here")),) if error.source is not None and maker is not None else (),
        iteration=iteration_of(snapshot, error.time_ns),
        time_ns=error.time_ns,
    )


def write_to_leaf(snapshot: Snapshot) -> Iterator[Finding]:
    error = raised(snapshot)
    if error is None or LEAF not in error.message:
        return
    yield Finding(
        rule="write-to-leaf",
        severity="error",
        message=tr("A leaf that requires grad is written in place where autograd records. Do updates by hand inside `with torch.no_grad():`."),
        source=error.source,
        iteration=iteration_of(snapshot, error.time_ns),
        time_ns=error.time_ns,
    )


def non_leaf_parameter(snapshot: Snapshot) -> Iterator[Finding]:
    """Names the operator that made the tensor: it is the result of a computation, the leaf behind it has no name."""
    error = raised(snapshot)
    if error is None or NON_LEAF not in error.message:
        return
    tensors, operators = snapshot.table(TENSORS), snapshot.table(OPERATORS)
    flags = tensors.column("flags")
    is_result = (tensors.column("role") == TensorRole.OUTPUT) & (flags & TensorFlag.REQUIRES_GRAD != 0) & (flags & TensorFlag.IS_LEAF_PARAMETER == 0)
    rows = np.flatnonzero(np.isin(operators.column("id"), tensors.column("op")[is_result]))
    rows = rows[np.argsort(operators.column("end_ns")[rows], kind="stable")]
    maker = source_of(snapshot, int(operators.column("stack")[rows[-1]])) if len(rows) else None
    name = snapshot.name(int(operators.column("name")[rows[-1]])) if len(rows) else "?"
    yield Finding(
        rule="non-leaf-parameter",
        severity="error",
        message=tr("The optimizer was given the result of {operator}, not a leaf. Make the tensor where it is to live, with requires_grad=True.").format(
            operator=name
        ),
        source=maker or error.source,
        related=(Related(error.source, tr("given to the optimizer")),) if error.source is not None and maker is not None else (),
        certainty=0.9,
        time_ns=error.time_ns,
    )


def _expander(snapshot: Snapshot) -> Source | None:
    """The newest operator that gave out a stride 0 on the memory that the refused operator was to write."""
    operators, tensors = snapshot.table(OPERATORS), snapshot.table(TENSORS)
    refused = np.flatnonzero(operators.column("flags") & OperatorFlag.RAISED)
    if not len(refused):
        return None
    target = np.flatnonzero(
        (tensors.column("op") == operators.column("id")[refused[-1]]) & (tensors.column("role") == TensorRole.INPUT) & (tensors.column("argument") == 0)
    )
    if not len(target):
        return None
    makers = [identity for identity, name in snapshot.strings.items() if name in EXPANDERS]
    data = tensors.column("data")[target[0]]
    outputs = np.flatnonzero((tensors.column("role") == TensorRole.OUTPUT) & (tensors.column("data") == data))
    strided = [row for row in outputs.tolist() if _has_stride_0(snapshot, int(tensors.column("shape")[row]))]
    rows = np.flatnonzero(np.isin(operators.column("id"), tensors.column("op")[strided]) & np.isin(operators.column("name"), makers))
    rows = rows[np.argsort(operators.column("end_ns")[rows], kind="stable")]
    return source_of(snapshot, int(operators.column("stack")[rows[-1]])) if len(rows) else None


def _has_stride_0(snapshot: Snapshot, shape: int) -> bool:
    known = snapshot.shapes.get(shape)
    return known is not None and any(size > 1 and stride == 0 for size, stride in zip(known.sizes, known.strides, strict=True))
