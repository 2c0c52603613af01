"""Names of element types and devices by the numbers that records carry."""

from typing import Final

from tensorscope.analysis.blocks import DEVICE_TYPES

# c10::ScalarType, in torch/headeronly/core/ScalarType.h
_DTYPES: Final = (
    "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32", "complex64", "complex128", "bool", "qint8", "quint8",
    "qint32", "bfloat16", "quint4x2", "quint2x4", "bits1x8", "bits2x4", "bits4x2", "bits8", "bits16", "float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz",
    "float8_e4m3fnuz", "uint16", "uint32", "uint64",
)  # fmt: skip


def dtype_name(number: int) -> str:
    """As ``str(tensor.dtype)`` without "torch."."""
    return _DTYPES[number] if number < len(_DTYPES) else f"dtype{number}"


def device_name(device_type: int, device_index: int) -> str:
    """Such as "cpu" or "cuda:0"."""
    kind = DEVICE_TYPES.get(device_type, f"device{device_type}")
    return kind if device_type == 0 or device_index < 0 else f"{kind}:{device_index}"
