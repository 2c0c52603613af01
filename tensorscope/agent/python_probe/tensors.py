"""What can be read of a tensor without asking any code of the script's: for TENSOR records, and for the trackers."""

import struct
from typing import Any, Final

from tensorscope.agent.python_probe.definitions import Definitions
from tensorscope.protocol.records import RecordKind, TensorFlag, TensorRole

TENSOR: Final = struct.Struct("<BBHIQQQQQqBBbBI")
# fmt: off
# fmt: off
DTYPES: Final = (
    "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32", "complex64", "complex128", "bool", "qint8", "quint8",
    "qint32", "bfloat16", "quint4x2", "quint2x4", "bits1x8", "bits2x4", "bits4x2", "bits8", "bits16", "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz",
    "float8_e4m3fnuz", "uint16", "uint32", "uint64",
)
"""By their numbers in c10::ScalarType (torch/headeronly/core/ScalarType.h)."""
DEVICES: Final = {
    "cpu": 0, "cuda": 1, "mkldnn": 2, "hip": 6, "xla": 9, "xpu": 12, "mps": 13, "meta": 14, "hpu": 15, "lazy": 17, "ipu": 18, "mtia": 19, "privateuseone": 20,
}
# fmt: on
UNKNOWN_DTYPE: Final = 255
OF_ANOTHER_CLASS: Final[dict[str, Any]] = {
    **dict.fromkeys(("storage", "data", "nbytes", "offset", "itemsize", "version", "base", "output_nr"), 0),
    **dict.fromkeys(("is_external", "is_watched", "is_view", "requires_grad"), False),
    "shape": (),
    "stride": (),
    "dtype": "",
    "device": "",
}
"""What ``info`` tells of a tensor whose class has its own dispatch."""


class Tensors:
    """Callers have ``__torch_function__`` switched off. Of a class with its own ``__torch_dispatch__`` only the address is read."""

    def __init__(self, torch: Any, definitions: Definitions, parameters: dict[int, int]) -> None:
        """``parameters``: ids by TensorImpl address, filled as they are registered."""
        self._torch = torch
        self._definitions = definitions
        self._parameters = parameters
        self._no_dispatch = torch.Tensor.__torch_dispatch__
        self._plain: dict[type, bool] = {torch.Tensor: True, torch.nn.Parameter: True}
        self._dtypes = {getattr(torch, name): number for number, name in enumerate(DTYPES) if hasattr(torch, name)}
        self._data_address = getattr(torch._C, "_data_address", lambda tensor: 0)

    def is_plain(self, tensor: Any) -> bool:
        """Whether its class leaves dispatch to torch, so that reading its sizes runs no code of the script's."""
        kind = type(tensor)
        known = self._plain.get(kind)
        if known is None:
            own = next((vars(base)["__torch_dispatch__"] for base in kind.__mro__ if "__torch_dispatch__" in vars(base)), None)
            known = self._plain[kind] = getattr(own, "__func__", own) is getattr(self._no_dispatch, "__func__", self._no_dispatch) or own is None
        return known

    def record(self, role: TensorRole, argument: int, op: int, tensor: Any) -> bytes:
        impl = int(tensor._cdata)
        if not self.is_plain(tensor):
            return TENSOR.pack(RecordKind.TENSOR, role, argument, 0, op, impl, 0, 0, 0, 0, UNKNOWN_DTYPE, 0, 0, TensorFlag.NO_STORAGE, 0)
        storage, data, nbytes = self.storage(tensor)
        sizes, strides, offset = self.layout(tensor)
        flags = TensorFlag.IS_VIEW * tensor._is_view() | TensorFlag.REQUIRES_GRAD * tensor.requires_grad
        flags |= TensorFlag.IS_LEAF_PARAMETER * (impl in self._parameters) | TensorFlag.NO_STORAGE * (not storage or (nbytes > 0 and not data))
        device = tensor.device
        return TENSOR.pack(
            RecordKind.TENSOR,
            role,
            argument & 0xFFFF,
            0 if sizes is None else self._definitions.shape(sizes, strides),
            op,
            impl,
            storage,
            data,
            nbytes,
            offset,
            self._dtypes.get(tensor.dtype, UNKNOWN_DTYPE),
            DEVICES.get(device.type, 0),
            -1 if device.index is None else device.index,
            flags,
            version_of(tensor),
        )

    def info(self, tensor: Any) -> dict[str, Any]:
        """As ``tensor_info`` in ``probe/_probe.pyi``; ``is_external`` and ``is_watched`` are not known here and False."""
        if not self.is_plain(tensor):
            return {"impl": int(tensor._cdata), **OF_ANOTHER_CLASS}
        storage, data, nbytes = self.storage(tensor)
        sizes, strides, offset = self.layout(tensor)
        base = tensor._base if tensor._is_view() else None
        return {
            "impl": int(tensor._cdata),
            "storage": storage,
            "data": data,
            "nbytes": nbytes,
            "is_external": False,
            "is_watched": False,
            "shape": sizes or (),
            "stride": strides,
            "offset": offset,
            "dtype": str(tensor.dtype).removeprefix("torch."),
            "itemsize": tensor.dtype.itemsize,
            "device": str(tensor.device),
            "version": version_of(tensor),
            "is_view": tensor._is_view(),
            "base": 0 if base is None else int(base._cdata),
            "requires_grad": tensor.requires_grad,
            "output_nr": tensor.output_nr,
        }

    def storage(self, tensor: Any) -> tuple[int, int, int]:
        """Addresses of the storage and of its memory, and its bytes; zeros where there is none. The memory of a lazy clone is not made by asking."""
        try:
            storage = tensor.untyped_storage()
            nbytes = storage.nbytes()
            address = int(storage._cdata)
        except (RuntimeError, NotImplementedError, TypeError):  # sparse, opaque, functional, symbolic
            return 0, 0, 0
        try:
            return address, int(self._data_address(tensor)), int(nbytes)
        except (RuntimeError, TypeError):  # fake
            return address, 0, int(nbytes)

    def layout(self, tensor: Any) -> tuple[tuple[int, ...] | None, tuple[int, ...], int]:
        """Sizes, strides and offset; sizes None where they are symbols or nested."""
        try:
            if tensor.is_nested:
                return None, (), 0
            sizes = tuple(int(size) for size in tensor.shape if type(size) is int)
            if len(sizes) != len(tensor.shape):
                return None, (), 0
            return (sizes, tensor.stride(), tensor.storage_offset()) if tensor.layout is self._torch.strided else (sizes, (0,) * len(sizes), 0)
        except (RuntimeError, NotImplementedError, TypeError):
            return None, (), 0


def version_of(tensor: Any) -> int:
    try:
        return int(tensor._version)
    except RuntimeError:  # an inference tensor
        return 0
