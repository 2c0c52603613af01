"""The ranks of a job: which there are, how each ended, and the choice of one."""

from typing import Any

from tensorscope.analysis.memory import devices, memory_timeline
from tensorscope.errors import TensorScopeError
from tensorscope.language import tr
from tensorscope.session.session import Session
from tensorscope.trace.snapshot import Snapshot


def rank_snapshot(session: Session, rank: int | None) -> Snapshot:
    """The snapshot of a rank, of the first one where none is named. Raises TensorScopeError where there is no such rank."""
    known = [info.rank for info in session.ranks()]
    if rank is not None and rank not in known:
        ranks = ", ".join(map(str, known))
        raise TensorScopeError(tr("There is no rank {rank} on record; there is rank {ranks}.").format(rank=rank, ranks=ranks))
    return session.snapshot(rank)


def ranks_view(session: Session) -> list[dict[str, Any]]:
    """One row a rank, in order."""
    return [{"rank": info.rank, "label": info.label, "pid": info.pid or None, **_of(session.snapshot(info.rank))} for info in session.ranks()]


def _of(snapshot: Snapshot) -> dict[str, Any]:
    end = snapshot.exit
    peaks = {device: memory_timeline(snapshot, device).allocated_bytes for device in devices(snapshot)}
    return {
        "exit_code": None if end is None else end.get("code"),
        "signal": (int(end.get("signal") or 0) or None) if end is not None else None,
        "iterations": len(snapshot.iterations),
        "backwards": len(snapshot.backwards),
        "peak_allocated_bytes": {device: None if curve is None else int(curve.max(initial=0)) for device, curve in peaks.items()},
        "end_ns": snapshot.end_ns,
    }
