"""Numbers as people read them: three digits, binary bytes, a true minus sign, and a dash for what is not known.

Every ``split_…`` gives a ``Quantity`` (digits and unit apart, because the unit is painted dimmer); the ``format_…`` of the same name gives its text.
``None`` is unknown and becomes ``UNKNOWN``.
"""

import math
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final, NamedTuple

from tensorscope.language import tr

UNKNOWN: Final = "—"
MINUS: Final = "\u2212"

_BYTE_UNITS: Final = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_SHORT_DTYPES: Final = {
    "float64": "f64",
    "double": "f64",
    "float32": "f32",
    "float": "f32",
    "float16": "f16",
    "half": "f16",
    "bfloat16": "bf16",
    "complex64": "c64",
    "complex128": "c128",
    "int64": "i64",
    "long": "i64",
    "int32": "i32",
    "int": "i32",
    "int16": "i16",
    "int8": "i8",
    "uint8": "u8",
}


class Quantity(NamedTuple):
    """A number's digits and its unit; the unit is "" where there is none."""

    digits: str
    unit: str = ""

    @property
    def text(self) -> str:
        """Digits and unit, a space between them; none before ``×``."""
        space = " " if self.unit and self.unit != "×" else ""
        return f"{self.digits}{space}{self.unit}"


def split_bytes(size_bytes: int | None) -> Quantity:
    """``24.0 MiB``, ``8.00 KiB``, ``147 MiB``, ``0 B``."""
    if size_bytes is None:
        return Quantity(UNKNOWN)
    sign, value = _sign(size_bytes), abs(size_bytes)
    if value < 1024:
        return Quantity(f"{sign}{value:,}", "B")
    scaled = float(value)
    unit = 0
    while unit < len(_BYTE_UNITS) - 1 and round(scaled) >= 1024:
        scaled /= 1024
        unit += 1
    return Quantity(sign + _three_digits(scaled), _BYTE_UNITS[unit])


def format_bytes(size_bytes: int | None) -> str:
    return split_bytes(size_bytes).text


def split_byte_change(change_bytes: int | None) -> Quantity:
    """``+9.00 MiB``, ``−96.0 MiB``; no change is ``0 B``."""
    digits, unit = split_bytes(change_bytes)
    return Quantity(f"+{digits}" if change_bytes is not None and change_bytes > 0 else digits, unit)


def format_byte_change(change_bytes: int | None) -> str:
    return split_byte_change(change_bytes).text


def split_duration(duration_ns: float | None) -> Quantity:
    """``36.1 µs``, ``3.01 ms``, ``1.42 s``, ``2 m 14 s``, ``1 h 02 m``."""
    if duration_ns is None or math.isnan(duration_ns):
        return Quantity(UNKNOWN)
    sign, value = _sign(duration_ns), abs(float(duration_ns))
    if value < 999.5:
        return Quantity(f"{sign}{value:.0f}", "ns")
    for unit, factor in (("µs", 1e3), ("ms", 1e6)):
        if value / factor < 999.5:
            return Quantity(sign + _three_digits(value / factor), unit)
    seconds = value / 1e9
    if seconds < 59.95:
        return Quantity(sign + _three_digits(seconds), "s")
    whole = round(seconds)
    if whole < 3600:
        return Quantity(f"{sign}{whole // 60} m {whole % 60:02d}", "s")
    return Quantity(f"{sign}{whole // 3600} h {whole % 3600 // 60:02d}", "m")


def format_duration(duration_ns: float | None) -> str:
    return split_duration(duration_ns).text


def split_time(time_ns: int | None, decimals: int = 3) -> Quantity:
    """A moment on the axis, in seconds since the start: ``17.775 s``."""
    if time_ns is None:
        return Quantity(UNKNOWN)
    return Quantity(f"{_sign(time_ns)}{abs(time_ns) / 1e9:,.{decimals}f}", "s")


def format_time(time_ns: int | None, decimals: int = 3) -> str:
    return split_time(time_ns, decimals).text


def split_in_unit(quantity: Quantity, amount: float, factor: float, unit: str) -> Quantity:
    """``amount / factor`` in three digits without a unit, for a column whose head names ``unit``; ``quantity`` itself where that would be under 0.1."""
    if quantity.unit == unit:
        return Quantity(quantity.digits)
    value = amount / factor
    return Quantity(_three_digits(value)) if value >= 0.0995 else Quantity(_whole(quantity.digits), quantity.unit)


def format_norm(value: float | None) -> str:
    """A norm or a tensor's value: ``0.0518``, ``4.71e-3`` below 0.01, ``1.2e4`` above 9,999, ``NaN``, ``+Inf``, ``−Inf``."""
    if value is None:
        return UNKNOWN
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else f"{MINUS}Inf"
    sign, size = _sign(value), abs(value)
    if size == 0:
        return "0"
    if size < 0.01:
        return sign + _scientific(size, 2)
    if size > 9999:
        return sign + _scientific(size, 1)
    if size < 0.9995:
        return f"{sign}{size:.{2 - math.floor(math.log10(size))}f}"
    return sign + _three_digits(size)


def split_norm(value: float | None) -> Quantity:
    return Quantity(format_norm(value))


def split_ratio(ratio: float | None) -> Quantity:
    """``1.12×``."""
    return Quantity(UNKNOWN) if ratio is None or not math.isfinite(ratio) else Quantity(_three_digits(ratio), "×")


def format_ratio(ratio: float | None) -> str:
    return split_ratio(ratio).text


def split_share(share: float | None) -> Quantity:
    """A part of a whole (1.0 is all of it): ``0.1 %``, ``12.5 %``, ``100 %``."""
    if share is None or not math.isfinite(share):
        return Quantity(UNKNOWN)
    percent = share * 100
    return Quantity(f"{_sign(percent)}{abs(percent):.0f}" if abs(percent) >= 99.95 or percent == 0 else f"{_sign(percent)}{abs(percent):.1f}", "%")


def format_share(share: float | None) -> str:
    return split_share(share).text


def format_count(count: int | None) -> str:
    """``1,284,310``."""
    return UNKNOWN if count is None else f"{_sign(count)}{abs(count):,}"


def format_shape(shape: Sequence[int] | None, dtype: str = "") -> str:
    """``[8192, 3072] f32``; a scalar is ``[]``."""
    if shape is None:
        return UNKNOWN
    sizes = f"[{', '.join(str(size) for size in shape)}]"
    return f"{sizes} {short_dtype(dtype)}" if dtype else sizes


def short_dtype(dtype: str) -> str:
    """``f32`` for ``torch.float32``; names without a short form stay as they are."""
    name = dtype.removeprefix("torch.")
    return _SHORT_DTYPES.get(name, name)


def format_place(file: str, line: int) -> str:
    """``model.py:77`` for ``/home/me/model.py``, 77."""
    return f"{PurePath(file).name}:{line}"


def plural(count: int, singular: str, many: str | None = None) -> str:
    """``1 node``, ``12 nodes``, in the user's language: both words are in its catalogue (``tools/translations.py`` reads the calls)."""
    template = f"{{count}} {singular if count == 1 else many or singular + 's'}"
    return tr(template).format(count=format_count(count))


def _sign(value: float) -> str:
    return MINUS if value < 0 else ""


def _three_digits(value: float) -> str:
    """Three significant digits from 1 up, two decimals below; thousands apart."""
    if value < 9.995:
        return f"{value:.2f}"
    if value < 99.95:
        return f"{value:.1f}"
    return f"{value:,.0f}"


def _whole(digits: str) -> str:
    """Digits without their decimals, rounded."""
    return f"{float(digits.replace(',', '')):,.0f}"


def _scientific(value: float, decimals: int) -> str:
    mantissa, exponent = f"{value:.{decimals}e}".split("e")
    return f"{mantissa}e{int(exponent)}"
