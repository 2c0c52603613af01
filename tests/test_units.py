"""Numbers are written as the visual design says, to the character."""

import math

import pytest

from tensorscope import units


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (0, "0 B"),
        (1, "1 B"),
        (1023, "1,023 B"),
        (1024, "1.00 KiB"),
        (8192, "8.00 KiB"),
        (24 * 2**20, "24.0 MiB"),
        (147 * 2**20, "147 MiB"),
        (1023 * 2**10, "1,023 KiB"),
        (2**20 - 1, "1.00 MiB"),
        (10 * 2**20 - 1, "10.0 MiB"),
        (11_700_000_000, "10.9 GiB"),
        (-1024, "−1.00 KiB"),
        (None, "—"),
    ],
)
def test_bytes_have_three_digits_and_binary_units(size_bytes: int | None, text: str) -> None:
    assert units.format_bytes(size_bytes) == text


def test_a_change_of_bytes_has_a_true_sign() -> None:
    assert units.format_byte_change(9 * 2**20) == "+9.00 MiB"
    assert units.format_byte_change(-96 * 2**20) == "\u221296.0 MiB"
    assert units.format_byte_change(0) == "0 B"
    assert units.format_byte_change(None) == "—"


@pytest.mark.parametrize(
    ("duration_ns", "text"),
    [
        (0, "0 ns"),
        (850, "850 ns"),
        (999.7, "1.00 µs"),
        (36_100, "36.1 µs"),
        (999_600, "1.00 ms"),
        (3_010_000, "3.01 ms"),
        (266_000_000, "266 ms"),
        (1_420_000_000, "1.42 s"),
        (59_960_000_000, "1 m 00 s"),
        (134_000_000_000, "2 m 14 s"),
        (3_720_000_000_000, "1 h 02 m"),
        (math.nan, "—"),
    ],
)
def test_durations_pick_the_unit_that_gives_three_digits(duration_ns: float, text: str) -> None:
    assert units.format_duration(duration_ns) == text


def test_a_moment_is_seconds_since_the_start() -> None:
    assert units.format_time(17_775_000_000) == "17.775 s"
    assert units.format_time(17_400_000_000, decimals=1) == "17.4 s"
    assert units.format_time(None) == "—"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0518, "0.0518"),
        (0.00471, "4.71e-3"),
        (0.0000612, "6.12e-5"),
        (0.01, "0.0100"),
        (0.12345, "0.123"),
        (0.99951, "1.00"),
        (1.52, "1.52"),
        (38.04, "38.0"),
        (9999, "9,999"),
        (12_000, "1.2e4"),
        (1e12, "1.0e12"),
        (-0.000013, "−1.30e-5"),
        (0.0, "0"),
        (math.nan, "NaN"),
        (math.inf, "+Inf"),
        (-math.inf, "−Inf"),
    ],
)
def test_norms_and_values_have_three_digits(value: float, text: str) -> None:
    assert units.format_norm(value) == text


def test_ratios_shares_and_counts() -> None:
    assert units.format_ratio(1.12) == "1.12×"
    assert units.format_ratio(13.04) == "13.0×"
    assert units.format_share(0.001) == "0.1 %"
    assert units.format_share(1.0) == "100 %"
    assert units.format_count(1_284_310) == "1,284,310"
    assert units.plural(1, "node") == "1 node"
    assert units.plural(1200, "node") == "1,200 nodes"


def test_shapes_dtypes_and_places() -> None:
    assert units.format_shape((8192, 3072), "torch.float32") == "[8192, 3072] f32"
    assert units.format_shape(()) == "[]"
    assert units.short_dtype("torch.bool") == "bool"
    assert units.format_place("/home/me/src/model.py", 77) == "model.py:77"


def test_digits_and_unit_come_apart() -> None:
    assert units.split_bytes(24 * 2**20) == ("24.0", "MiB")
    assert units.split_duration(3_010_000) == ("3.01", "ms")
    assert units.split_ratio(1.12) == ("1.12", "×")


def test_a_column_with_one_unit_gives_small_numbers_their_own() -> None:
    assert units.split_in_unit(units.split_duration(288_000_000), 288_000_000, 1e6, "ms").text == "288"
    assert units.split_in_unit(units.split_duration(412_000), 412_000, 1e6, "ms").text == "0.41"
    assert units.split_in_unit(units.split_duration(8_200), 8_200, 1e6, "ms").text == "8 µs"
    assert units.split_in_unit(units.split_bytes(12), 12, 1024, "KiB").text == "12 B"
    assert units.split_in_unit(units.split_bytes(96), 96, 1, "B").text == "96"
