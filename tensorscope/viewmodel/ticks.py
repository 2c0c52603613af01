"""Round positions for the labels of an axis, with the labels."""

import math
from dataclasses import dataclass
from typing import Final

from tensorscope.units import split_bytes

_BYTE_UNITS: Final = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("B", 1))


@dataclass(frozen=True, slots=True)
class Tick:
    value: float
    label: str


def time_ticks(begin_ns: int, end_ns: int, most: int) -> tuple[Tick, ...]:
    """At most ``most`` moments at 1, 2 or 5 times a power of ten, as seconds without unit, all with the same decimals: ``17.45``."""
    step = _decimal_step((end_ns - begin_ns) / max(most, 1))
    decimals = max(0, 9 - math.floor(math.log10(step)))
    first = -(-begin_ns // step)
    return tuple(Tick(index * step, f"{index * step / 1e9:,.{decimals}f}") for index in range(first, end_ns // step + 1))


def time_decimals(begin_ns: int, end_ns: int) -> int:
    """Decimals of a second that tell moments of a range apart, at least 3."""
    return min(9, max(3, 12 - len(str(max(end_ns - begin_ns, 1)))))


def byte_ticks(top_bytes: float, most: int) -> tuple[Tick, ...]:
    """From 0 up to ``top_bytes`` in at most ``most`` steps of a power of two; only the highest names the unit: ``16 GiB``, ``12``, ``8``, ``4``, ``0``."""
    if top_bytes < 1:
        return (Tick(0, "0"),)
    step = 2 ** max(0, math.ceil(math.log2(top_bytes / (most + 0.9))))
    values = [index * step for index in range(int(top_bytes // step) + 1)]
    unit, scale = next((unit, scale) for unit, scale in _BYTE_UNITS if values[-1] >= scale or scale == 1)
    labels = [f"{value / scale:,.{0 if step >= scale else 1 if step * 2 == scale else 2}f}" if value else "0" for value in values]
    if len(values) > 1:
        labels[-1] = f"{labels[-1]} {unit}"
    return tuple(Tick(value, label) for value, label in zip(values, labels, strict=True))


def log_ticks(low: float, high: float, most: int) -> tuple[Tick, ...]:
    """Powers of ten within [low, high], every n-th so that there are at most ``most``; plain from 0.001 to 1000, else ``1e-6``.

    Where not even two powers lie within, 1, 2 and 5 times them, else even steps.
    """
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    every = max(1, math.ceil((last - first + 1) / max(most, 1)))
    exponents = [exponent for exponent in range(first, last + 1) if exponent % every == 0]
    if last <= first:
        return _fine_log_ticks(low, high, most)
    return tuple(Tick(10.0**exponent, f"{10.0**exponent:g}" if -3 <= exponent <= 3 else f"1e{exponent}") for exponent in exponents)


def linear_ticks(low: float, high: float, most: int) -> tuple[Tick, ...]:
    """Round values within [low, high] at 1, 2 or 5 times a power of ten, all with the same decimals."""
    if high <= low:
        return (Tick(low, f"{low:.3g}"),)
    step = 10.0 ** math.floor(math.log10((high - low) / max(most, 1)))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= max(most, 1))
    values = [step * index for index in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    plain = decimals <= 4 and high < 1e6
    return tuple(Tick(value, f"{value:,.{decimals}f}" if plain else f"{value:.3g}".replace("e-0", "e-").replace("e+0", "e")) for value in values)


def _fine_log_ticks(low: float, high: float, most: int) -> tuple[Tick, ...]:
    """For less than two decades."""
    base = math.floor(math.log10(low))
    values = [digit * 10.0**exponent for exponent in range(base, base + 3) for digit in (1, 2, 5)]
    values = [value for value in values if low <= value <= high]
    if len(values) < 2:
        step = 10.0 ** math.floor(math.log10((high - low) / max(most, 1)))
        step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
        values = [step * index for index in range(math.ceil(low / step), math.floor(high / step) + 1)]
    every = max(1, math.ceil(len(values) / max(most, 1)))
    return tuple(Tick(value, f"{value:.6g}" if 1e-3 <= value < 1e4 else f"{value:.3g}".replace("e-0", "e-").replace("e+0", "e")) for value in values[::every])


def count_ticks(first: int, last: int, most: int) -> tuple[Tick, ...]:
    """Whole numbers within [first, last] at 1, 2 or 5 times a power of ten."""
    step = max(1, _decimal_step((last - first + 1) / max(most, 1)))
    return tuple(Tick(value, f"{value:,}") for value in range(-(-first // step) * step, last + 1, step))


def exact_bytes(size_bytes: int) -> str:
    """For hover cards: ``1.54 GiB (1,648,361,472 B)``."""
    digits, unit = split_bytes(size_bytes)
    return f"{digits} {unit}" if unit == "B" else f"{digits} {unit} ({size_bytes:,} B)"


def _decimal_step(least: float) -> int:
    """The smallest of 1, 2, 5, 10 … that is at least ``least``."""
    if least <= 1:
        return 1
    power = 10 ** math.floor(math.log10(least))
    return int(next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-12)))
