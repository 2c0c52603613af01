"""Numbers of gradients and small tensors, by a few torch operators of ours: in double, without autograd, modes and autocast, and only on the CPU."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Numbers(NamedTuple):
    """Of |x|; ``sum_squares`` and ``max_abs`` of the finite elements, nan where nothing could be read."""

    sum_squares: float
    max_abs: float
    nonfinite: int
    numel: int
    is_known: bool


UNKNOWN = Numbers(math.nan, math.nan, 0, 0, False)


class Statistics:
    def __init__(self, torch: Any) -> None:
        self._torch = torch

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Operators inside run as if the script had switched nothing on."""
        torch = self._torch
        with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():
            has_grad, has_autocast = torch.is_grad_enabled(), torch.is_autocast_enabled("cpu")
            torch._C._set_grad_enabled(False)
            if has_autocast:
                torch.set_autocast_enabled("cpu", False)
            try:
                yield
            finally:
                torch._C._set_grad_enabled(has_grad)
                if has_autocast:
                    torch.set_autocast_enabled("cpu", True)

    def of(self, tensor: Any) -> Numbers:
        """Call it inside ``apart``. Never raises for a tensor that cannot be read."""
        try:
            elements = self._elements(tensor)
            return UNKNOWN if elements is None else self._numbers(elements)
        except (RuntimeError, NotImplementedError, TypeError):
            return UNKNOWN

    def summary(self, tensor: Any) -> dict[str, Any]:
        """norm, nonfinite, numel, and min, max and mean of the finite elements; ``why`` in their place where they cannot be read."""
        torch = self._torch
        numbers = self.of(tensor)
        if not numbers.is_known:
            return {"numel": 0, "why": "not read by the Python probe"}
        told: dict[str, Any] = {"norm": math.sqrt(numbers.sum_squares), "nonfinite": numbers.nonfinite, "numel": numbers.numel}
        elements: Any = self._elements(tensor)
        finite = (elements.abs() if elements.is_complex() else elements).double()
        finite = finite[torch.isfinite(finite)]
        if finite.numel():
            told |= {"min": float(finite.min()), "max": float(finite.max()), "mean": float(finite.mean())}
        return told

    def _elements(self, tensor: Any) -> Any | None:
        """The elements as an ordinary tensor; None on a device, where reading would wait for it, and for types without plain numbers."""
        if tensor.device.type != "cpu" or tensor.is_quantized or tensor.is_nested:
            return None
        if tensor.layout is self._torch.sparse_coo:
            return tensor.coalesce()._values()
        if tensor.layout is not self._torch.strided:
            return tensor.values() if "sparse" in str(tensor.layout) else None
        return tensor

    def _numbers(self, elements: Any) -> Numbers:
        torch = self._torch
        count = elements.numel()
        if not count:
            return Numbers(0.0, 0.0, 0, 0, True)
        if not (elements.is_floating_point() or elements.is_complex()):
            elements = elements.double()
        wide = torch.complex128 if elements.is_complex() else torch.float64
        norm = float(torch.linalg.vector_norm(elements, dtype=wide))
        nonfinite = 0
        if not math.isfinite(norm):
            is_finite = torch.isfinite(elements)
            nonfinite = count - int(is_finite.sum())
            elements = elements[is_finite]
            norm = float(torch.linalg.vector_norm(elements, dtype=wide)) if elements.numel() else 0.0
        largest = float(torch.linalg.vector_norm(elements, math.inf, dtype=wide)) if elements.numel() else 0.0
        return Numbers(norm * norm, largest, nonfinite, count, True)
