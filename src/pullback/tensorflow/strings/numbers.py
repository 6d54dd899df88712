"""Numbers written as strings, as C's printf writes them, and read from strings."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import NUMERIC, DType, as_dtype, bool as boolean, float32, float64, int32, int64, string, uint32, uint64
from ...base.export import export
from ...ir.attributes import read_text
from ...ir.op import define
from ...ir.tensor import DTypeLike, Tensor, TensorLike, TensorType, TextLike
from ...kernels.loops import native_loop
from ...kernels.strings import StringArray, from_list
from ...ops.array.type_rules import Array, invalid_argument
from ...ops.batching import stack_rows
from .columns import run_over_ranges, take_strings
from .number_loops import MOST_DIGITS, print_floats, read_floats, read_whole, round_to_digits, whole_widths, write_fixed, write_whole

_FILLS = ("", " ", "+", "0", "-")
_TRUTH = from_list([b"false", b"true"])
_MANY = 64  # numbers from which C's printf is worth a call


def _string_of(
    input: Array | StringArray,
    *,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
) -> Array | StringArray:
    kind, flag = input.dtype, read_text(fill)
    _check(kind, precision, scientific, shortest, flag)
    if isinstance(input, StringArray):
        cut = f".{precision}" if precision > -1 and width > -1 else ""
        padded = f"%{flag}{width if width > -1 else ''}{cut}s".encode()
        return from_list([padded % value for value in input.tolist()], input.shape) if len(padded) > 2 else input
    if kind.kind == "b":
        return take_strings(_TRUTH, input.view(np.uint8))
    notation = "d" if kind.kind in "iu" else "e" if scientific else "g" if shortest else "f"
    if notation in "df" and width < 0 and not flag and (found := _write_plain(input, precision)) is not None:
        return found
    form = f"%{flag}{width if width > -1 else ''}{f'.{precision}' if precision > -1 else ''}{notation}"
    if notation != "d" and kind.kind != "c":
        digits = 6 if precision < 0 else precision
        significant = 0 if notation == "f" or width >= 0 or flag else digits + 1 if scientific else max(digits, 1)
        if (found := _print_floats(input, form, significant)) is not None:
            return found
    flat = input.reshape(-1)
    if kind.kind == "c":
        pairs = zip(_numbers(form, flat.real), _numbers(form, flat.imag), strict=True)
        return from_list([b"(%b,%b)" % pair for pair in pairs], input.shape)
    return from_list(_lines(form, flat) if notation == "d" else _numbers(form, flat), input.shape)


def _check(kind: np.dtype[Any], precision: int, scientific: bool, shortest: bool, fill: str) -> None:
    floating = kind.kind in "fcOV"
    if not floating and (scientific or shortest):
        raise invalid_argument(f"scientific and shortest format not supported for datatype {_name(kind)}")
    if not floating and precision >= 0:
        raise invalid_argument(f"precision not supported for datatype {_name(kind)}")
    if scientific and shortest:
        raise invalid_argument("Cannot select both scientific and shortest notation")
    if len(fill) > 1:
        raise invalid_argument("Fill string must be one or fewer characters")
    if fill not in _FILLS:
        raise invalid_argument(f'Fill argument not supported: "{fill}"')


def _write_plain(x: Array, precision: int) -> StringArray | None:
    """Real numbers natively, as %d and %f write them; None where they are not plain, or there is no engine."""
    starts, flat = np.empty(x.size + 1, np.int64), np.ascontiguousarray(x.reshape(-1))
    if x.dtype.kind in "iu" and x.dtype != np.uint64:
        if (widths := native_loop(whole_widths, x.size)) is None or (write := native_loop(write_whole, x.size)) is None:
            return None
        values: tuple[Any, ...] = (flat.astype(np.int64, copy=False),)
        widths(*values, x.size, starts)
        given: tuple[int, ...] = ()
    elif x.dtype.kind in "fV" and precision <= MOST_DIGITS:
        digits = 6 if precision < 0 else precision
        if (widths := native_loop(round_to_digits, x.size)) is None or (write := native_loop(write_fixed, x.size)) is None:
            return None
        values = flat.astype(np.float64, copy=False), np.empty(x.size, np.uint64)
        if not widths(values[0], x.size, digits, 9e18 / 10**digits, values[1], starts):
            return None
        given = (digits,)
    else:
        return None
    out = np.empty(starts[-1], np.uint8)
    run_over_ranges(x.size, lambda a, b: write(*[v[a:b] for v in values], b - a, *given, starts[a : b + 1], out))
    return StringArray(out, starts, x.shape)


def _print_floats(x: Array, form: str, significant: int) -> StringArray | None:
    """Real floating numbers as C's printf writes them; None for a few, and where C has another sign for the point.

    significant: how many digits notations without a width have, 0 for others.
    """
    if (
        x.size < _MANY
        or (run := native_loop(print_floats, x.size)) is None
        or (probe := _write_by_c(run, np.array([1.5]), "%.1f", 0)) is None
    ):
        return None
    return _write_by_c(run, x.astype(np.float64), form, significant) if probe.item() == b"1.5" else None


def _write_by_c(run: Callable[..., int], x: Array, form: str, significant: int) -> StringArray | None:
    done, count, text = 0, x.size, np.frombuffer(form.encode() + b"\0", np.uint8)
    starts, out = np.zeros(count + 1, np.int64), np.empty(16 * count + 64, np.uint8)
    notation = text, significant, form.endswith("g")
    while (done := run(x.reshape(-1), done, count, *notation, len(out), starts, out)) < count:
        if done < 0:
            return None
        out = np.concatenate([out[: starts[done]], np.empty(len(out) + 512, np.uint8)])
    return StringArray(out[: starts[-1]], starts, x.shape)


def _lines(form: str, x: Array) -> list[bytes]:
    """Numbers written one a line, all in one go."""
    return (f"{form}\n" * x.size % tuple(x.tolist())).encode().split(b"\n")[: x.size]


def _numbers(form: str, x: Array) -> list[bytes]:
    """Floating numbers.  What is no number C pads with spaces, Python with the zeros that were asked for, and C says the sign of NaN."""
    wide = x.astype(np.float64)
    if np.isfinite(wide).all():
        return _lines(form, x)
    without = form.replace("%0", "%", 1)
    negative = re.sub(r"(\.\d+)?[efg]$", "s", without) % "-nan"
    signs = zip(wide.tolist(), np.signbit(wide).tolist(), strict=True)
    return [
        (form % value if math.isfinite(value) else negative if math.isnan(value) and sign else without % value).encode()
        for value, sign in signs
    ]


def _name(dtype: np.dtype[Any]) -> str:
    return as_dtype(dtype).name


AS_STRING = define(
    "AsString",
    "input",
    lambda input, *, precision=-1, scientific=False, shortest=False, width=-1, fill="": TensorType(input.dims, string),
    _string_of,
    {},
    dtypes=NUMERIC | {boolean, string},
    batch=stack_rows(),
    packed=True,
    by_element=True,
)


@export("as_string", "strings.as_string", v1="dtypes.as_string")
def as_string(
    input: TensorLike,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Numbers as strings: as C's printf writes them, by %d, %f, %e (`scientific`) or %g (`shortest`); true and false.

    input: numbers, truth values or strings.  precision: so many digits after the point (`shortest`: in all), for what is floating.
    width: at least so many characters.  fill: a flag of printf, "0", " ", "+" or "-".  Raises InvalidArgumentError for other flags, for
    both notations at once, and for a precision or notation of what is not floating.

    >>> tf.as_string([1.5, -2.0], precision=2).numpy().tolist(), tf.as_string(7, width=3, fill="0").numpy()
    ([b'1.50', b'-2.00'], b'007')
    """
    return AS_STRING(input, precision=precision, scientific=scientific, shortest=shortest, width=width, fill=fill, name=name)


# ---- reading


def _bad_number_error(s: bytes) -> Exception:
    return invalid_argument(f"StringToNumberOp could not correctly convert string: {s.decode('utf-8', 'replace')}")


def read_float(s: bytes) -> float:
    """The number that a string spells, in decimal or in hexadecimal digits; an InvalidArgumentError for what is none."""
    if b"_" in s:
        raise _bad_number_error(s)
    try:
        return float(s)
    except ValueError:
        if b"x" not in s.lower():
            raise _bad_number_error(s) from None
    try:
        return float.fromhex(s.decode("ascii"))
    except (ValueError, OverflowError):
        raise _bad_number_error(s) from None


def whole_reader(low: int, high: int) -> Callable[[bytes], int]:
    """What reads integers from `low` to `high` out of strings, and raises an InvalidArgumentError for others."""

    def read(s: bytes) -> int:
        text = s.strip()
        if b"_" in s or (not low and text.startswith(b"-")):
            raise _bad_number_error(s)
        try:
            found = int(text)
        except ValueError:
            raise _bad_number_error(s) from None
        if not low <= found <= high:
            raise _bad_number_error(s)
        return found

    return read


def _number_of(string_tensor: StringArray, *, out_type: DType = float32) -> Array:
    x, kind = string_tensor, out_type.numpy_dtype
    found = _read_natively(x, kind)
    if found is None:
        read: Callable[[bytes], Any] = read_float if kind.kind == "f" else whole_reader(int(np.iinfo(kind).min), int(np.iinfo(kind).max))
        found = np.fromiter(map(read, x.tolist()), np.float64 if kind.kind == "f" else kind, x.size).astype(kind)
    return found.reshape(x.shape)


def _read_natively(x: StringArray, kind: np.dtype[Any]) -> Array | None:
    """The numbers natively; None where whole ones are not all plain and in range, or there is no engine."""
    if kind.kind == "f":
        if (floats := native_loop(read_floats, x.size)) is None:
            return None
        found, unsure = np.empty(x.size, np.float64), np.empty(x.size, np.int64)
        left = floats(x.data, x.starts, x.size, found, unsure)
        for i in unsure[:left].tolist():
            found[i] = read_float(x.item(i))
        return found.astype(kind, copy=False)
    if (whole := native_loop(read_whole, x.size)) is None:
        return None
    numbers, info = np.empty(x.size, np.int64), np.iinfo(kind)
    sure = whole(x.data, x.starts, x.size, int(info.min), min(int(info.max), (1 << 63) - 1), numbers)
    return numbers.astype(kind, copy=False) if sure else None


_READABLE = (float32, float64, int32, int64, uint32, uint64)


def _number_type(string_tensor: Tensor, *, out_type: DType = float32) -> TensorType:
    return TensorType(string_tensor.dims, out_type)


STRING_TO_NUMBER = define(
    "StringToNumber",
    "string_tensor:string",
    _number_type,
    _number_of,
    {},
    dtypes={"out_type": _READABLE},
    batch=stack_rows(),
    packed=True,
    by_element=True,
)


@export(v2="strings.to_number")
def to_number(input: TextLike, out_type: DTypeLike = float32, name: str | None = None) -> Tensor:
    """The numbers that strings spell, white space around them aside.

    out_type: float32, float64, int32, int64, uint32 or uint64; floating ones may be hexadecimal, inf or nan.  Raises InvalidArgumentError
    for a string that spells none, or one out of range, and for another dtype.

    >>> tf.strings.to_number(["1.5", " 2 "]).numpy().tolist()
    [1.5, 2.0]
    """
    return STRING_TO_NUMBER(input, out_type=out_type, name=name)
