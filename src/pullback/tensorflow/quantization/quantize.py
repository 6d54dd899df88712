"""Quantised tensors: to them (`QuantizeV2`), from them (`Dequantize`), and several put together (`QuantizedConcat`).

A quantised number is an integer; what it stands for is told by the range that goes with the tensor.  There are no gradients, as in
TensorFlow: what passes them is in quantization.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import QUANTIZED, DType, as_dtype, bfloat16, float32
from ...base.export import export
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.op import Op, define
from ...ir.tensor import DTypeLike, IntLike, Tensor, TensorLike, TensorType
from ...ops.array.type_rules import Array, check_one_of, invalid_argument, known_int, plus
from .levels import (
    FLOAT,
    as_quantised,
    compute_levels_natively,
    dequantized_values,
    integer_dtype,
    levels,
    min_first,
    numbers_of,
    scaled_ends,
)
from .rounding import (
    QUANTIZE_AND_DEQUANTIZE_V2,
    QUANTIZE_AND_DEQUANTIZE_V4,
    axis_number,
    channels_shape,
    check_axis,
)

MODES = ("MIN_COMBINED", "MIN_FIRST", "SCALED")
ROUNDINGS = ("HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN")


# ---- to quantised numbers


def _quantize(
    input: Array,
    min_range: Array,
    max_range: Array,
    *,
    T: DType,
    mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO",
    narrow_range: bool = False,
    axis: int = -1,
    ensure_minimum_range: float = 0.01,
) -> tuple[Array, Array, Array]:
    _check_modes(mode, round_mode)
    if T not in QUANTIZED:
        names = ", ".join(sorted(d.name for d in QUANTIZED))
        raise invalid_argument(f"Value for attr 'T' of {T.name} is not in the list of allowed values: {names}")
    check_axis(_type_of(input), axis, _type_of(min_range), _type_of(max_range))
    if np.any(min_range > max_range):
        raise invalid_argument("input_max_range must be larger than input_min_range.")
    low = np.minimum(FLOAT(0), min_range)
    least = np.maximum(FLOAT(1), np.maximum(np.abs(min_range), np.abs(max_range))) * FLOAT(ensure_minimum_range)
    high = np.maximum(FLOAT(0), np.maximum(max_range, low + least))
    shape = channels_shape(input.ndim, axis) if axis >= 0 else ()
    whole = integer_dtype(T.numpy_dtype)
    ends = low.reshape(shape).astype(FLOAT), high.reshape(shape).astype(FLOAT)
    placed = compute_levels_natively(input, *ends, whole, mode, round_mode, narrow_range) if axis < 0 else None
    if placed is None:
        placed = levels(input, *ends, T=T, mode=mode, round_mode=round_mode, narrow_range=narrow_range)
    else:
        placed = placed.view(T.numpy_dtype)
    if mode == "SCALED":
        low, high = (end.reshape(min_range.shape) for end in scaled_ends(*ends, whole, narrow_range)[1:])
    return placed, np.asarray(low, FLOAT), np.asarray(high, FLOAT)


def _type_of(array: Array) -> TensorType:
    return TensorType(array.shape, float32)


def _check_modes(mode: str, round_mode: str = ROUNDINGS[0]) -> None:
    check_one_of(mode, MODES, "mode")
    check_one_of(round_mode, ROUNDINGS, "round_mode")
    if round_mode == "HALF_TO_EVEN" and mode != "SCALED":
        text = f"Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '{mode}'."
        raise ShapeError(text, text)


def _quantize_type(
    input: Any,
    min_range: Any,
    max_range: Any,
    *,
    T: DType,
    mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO",
    axis: int = -1,
    **_: Any,
) -> tuple[TensorType, TensorType, TensorType]:
    _check_modes(mode, round_mode)
    check_axis(input, axis, min_range, max_range)
    if T not in QUANTIZED:
        raise TypeError(f"T must be a quantized dtype ({', '.join(sorted(d.name for d in QUANTIZED))}), not {T.name}")
    return TensorType(input.dims, T), TensorType(min_range.dims, float32), TensorType(max_range.dims, float32)


QUANTIZE_V2: Op = define(
    "QuantizeV2",
    "input:float32 min_range:float32 max_range:float32",
    _quantize_type,
    _quantize,
    None,
    outputs="output output_min output_max",
)


# ---- from them


def _dequantize(
    input: Array,
    min_range: Array,
    max_range: Array,
    *,
    mode: str = "MIN_COMBINED",
    narrow_range: bool = False,
    axis: int = -1,
    dtype: DType = float32,
) -> Array:
    check_one_of(mode, MODES, "mode")
    check_axis(_type_of(input), axis, _type_of(min_range), _type_of(max_range))
    shape = channels_shape(input.ndim, axis) if axis >= 0 else ()
    low, high = min_range.reshape(shape), max_range.reshape(shape)
    return dequantized_values(numbers_of(input), low, high, mode, narrow_range).astype(dtype.numpy_dtype, copy=False)


def _dequantize_type(
    input: Any, min_range: Any, max_range: Any, *, mode: str = "MIN_COMBINED", axis: int = -1, dtype: DType = float32, **_: Any
) -> TensorType:
    check_one_of(mode, MODES, "mode")
    check_axis(input, axis, min_range, max_range)
    if dtype not in {float32, bfloat16}:
        raise TypeError(f"dtype must be float32 or bfloat16, not {dtype.name}")
    return TensorType(input.dims, dtype)


DEQUANTIZE: Op = define(
    "Dequantize",
    "input min_range:float32 max_range:float32",
    _dequantize_type,
    _dequantize,
    {},
    dtypes=QUANTIZED,
)


# ---- put together


def _concat(concat_dim: Array, values: Any, input_mins: Any, input_maxes: Any) -> tuple[Array, Array, Array]:
    axis, rank = int(concat_dim), values[0].ndim
    if not -rank <= axis < max(rank, 1) or not rank:
        raise invalid_argument(f"concat_dim must be in the range [{-rank}, {rank}), not {axis}")
    numbers = [numbers_of(v) for v in values]
    low, high = FLOAT(min(0.0, *(float(m) for m in input_mins))), FLOAT(max(float(m) for m in input_maxes))
    if numbers[0].dtype.kind == "i":
        high = max(abs(low), abs(high))
        low = -high
    whole = numbers[0].dtype
    parts = []
    for number, mine, yours in zip(numbers, input_mins, input_maxes, strict=True):
        if mine == low and yours == high:
            parts.append(number)
            continue
        floating = dequantized_values(number, np.asarray(mine), np.asarray(yours), "MIN_FIRST", False)
        parts.append(numbers_of(as_quantised(min_first(floating, np.asarray(low), np.asarray(high), whole), _DTYPE_OF[values[0].dtype])))
    joined = np.concatenate(parts, axis=axis)
    return joined.view(values[0].dtype).reshape(joined.shape), np.asarray(low, FLOAT), np.asarray(high, FLOAT)


_DTYPE_OF = {d.numpy_dtype: d for d in QUANTIZED}


def _concat_type(concat_dim: Any, values: Any, input_mins: Any, input_maxes: Any) -> tuple[TensorType, TensorType, TensorType]:
    dims, axis = values[0].dims, known_int(concat_dim)
    if dims is not None and axis is not None:
        sizes = [None if v.dims is None else v.dims[axis] for v in values]
        total = plus(*sizes)
        dims = tuple(total if i == axis % len(dims) else n for i, n in enumerate(dims))
    elif dims is not None:
        dims = (None,) * len(dims)
    return TensorType(dims, values[0].dtype), TensorType((), float32), TensorType((), float32)


QUANTIZED_CONCAT: Op = define(
    "QuantizedConcat",
    "concat_dim:int32 *values *input_mins:float32 *input_maxes:float32",
    _concat_type,
    _concat,
    {},
    outputs="output output_min output_max",
    dtypes=QUANTIZED,
)


# ---- what users call


class Quantized(NamedTuple):
    """Integers, and the range that they are spread over."""

    output: Tensor
    output_min: Tensor
    output_max: Tensor


@export("quantization.quantize", v1="quantize")
def quantize(
    input: TensorLike,
    min_range: Any,
    max_range: Any,
    T: Any,
    mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
    ensure_minimum_range: float = 0.01,
) -> Quantized:
    """input as quantised numbers, and the range they cover: (output, output_min, output_max).

    input: float32.  min_range, max_range: float32 scalars, with an axis a vector each.  T: qint8, quint8, qint16, quint16 or qint32.
    mode: "MIN_COMBINED" (the range on all integers), "MIN_FIRST" (its lower end rounded to a level) or "SCALED" (symmetrical, so that 0
    is 0).  round_mode: "HALF_AWAY_FROM_ZERO", or with SCALED "HALF_TO_EVEN".  narrow_range: with SCALED, without the lowest integer.
    ensure_minimum_range: the least width, for its larger end.  No gradient is registered.  Raises InvalidArgumentError for an empty range
    and for ranges of another shape (in graphs ValueError).

    >>> numbers, low, high = tf.quantization.quantize([-1.0, 0.0, 1.0], -1.0, 1.0, tf.qint8, mode="SCALED")
    >>> tf.quantization.dequantize(numbers, low, high, mode="SCALED").numpy().round(2).tolist()
    [-1.0, 0.0, 1.0]
    """
    input = convert_to_tensor(input, float32)
    options = {"mode": mode, "round_mode": round_mode, "narrow_range": narrow_range, "axis": axis_number(input, axis)}
    options |= {"T": as_dtype(T), "ensure_minimum_range": ensure_minimum_range}
    return Quantized(*QUANTIZE_V2(input, min_range, max_range, name=name, **options))


@export("quantization.dequantize", v1="dequantize")
def dequantize(
    input: TensorLike,
    min_range: TensorLike,
    max_range: TensorLike,
    mode: str = "MIN_COMBINED",
    name: str | None = None,
    axis: int | None = None,
    narrow_range: bool = False,
    dtype: DTypeLike = float32,
) -> Tensor:
    """What quantised numbers stand for.

    input: a quantised tensor.  min_range, max_range: the range it covers, float32 scalars, with an axis a vector each.  mode,
    narrow_range: as it was quantised.  dtype: float32 or bfloat16.  Raises InvalidArgumentError (in graphs ValueError) for other ranges.

    >>> numbers, low, high = tf.quantization.quantize([0.0, 0.5, 1.0], 0.0, 1.0, tf.quint8)
    >>> tf.quantization.dequantize(numbers, low, high).numpy().round(2).tolist()
    [0.0, 0.5, 1.0]
    """
    input = convert_to_tensor(input)
    options = {"mode": mode, "narrow_range": narrow_range, "axis": axis_number(input, axis), "dtype": as_dtype(dtype)}
    return DEQUANTIZE(input, min_range, max_range, name=name, **options)


@export("quantization.quantized_concat", v1="quantized_concat")
def quantized_concat(
    concat_dim: IntLike, values: Sequence[TensorLike], input_mins: Sequence[TensorLike], input_maxes: Sequence[TensorLike],
    name: str | None = None,
) -> Quantized:  # fmt: skip
    """Quantised tensors one after the other, in one range that holds all of theirs: (output, output_min, output_max).

    concat_dim: the axis.  values: quantised tensors of one dtype.  input_mins, input_maxes: their ranges, float32 scalars.  Raises
    InvalidArgumentError for an axis that is not there.

    >>> numbers, low, high = tf.quantization.quantize([0.0, 1.0], 0.0, 1.0, tf.quint8)
    >>> joined, low, high = tf.quantization.quantized_concat(0, [numbers, numbers], [low, low], [high, high])
    >>> tf.quantization.dequantize(joined, low, high).numpy().tolist()
    [0.0, 1.0, 0.0, 1.0]
    """
    return Quantized(*QUANTIZED_CONCAT(concat_dim, list(values), list(input_mins), list(input_maxes), name=name))


@export("quantization.quantize_and_dequantize")
def quantize_and_dequantize(
    input: TensorLike,
    input_min: TensorLike,
    input_max: TensorLike,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
) -> Tensor:
    """input rounded to the levels of a quantisation; gradients pass straight through.

    As `quantize_and_dequantize_v2`, which passes those of numbers in the range only.

    >>> tf.quantization.quantize_and_dequantize([-1.0, 0.3, 2.0], -1.0, 1.0, num_bits=3, range_given=True).numpy().round(3).tolist()
    [-1.0, 0.3330000042915344, 1.0]
    """
    input = convert_to_tensor(input)
    options = {"round_mode": round_mode, "narrow_range": narrow_range, "axis": axis_number(input, axis)}
    levels = {"signed_input": signed_input, "num_bits": num_bits, "range_given": range_given}
    return QUANTIZE_AND_DEQUANTIZE_V2(input, input_min, input_max, name=name, **levels, **options)


@export("quantization.quantize_and_dequantize_v2")
def quantize_and_dequantize_v2(
    input: TensorLike,
    input_min: TensorLike,
    input_max: TensorLike,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
) -> Tensor:
    """input rounded to the levels of a quantisation, its numbers floating as before.

    input: floating.  input_min, input_max: the range, scalars of its dtype, with an axis a vector each; used where range_given, else the
    range is that of the numbers.  signed_input: whether levels are signed integers.  num_bits: how many levels.  round_mode:
    "HALF_TO_EVEN" or "HALF_UP".  narrow_range: without the lowest level.  Gradients of numbers between input_min and input_max pass.
    Raises InvalidArgumentError for an empty range, bits out of range, and ranges of another shape (in graphs ValueError).

    >>> tf.quantization.quantize_and_dequantize_v2([-1.0, 0.3, 2.0], -1.0, 1.0, num_bits=3, range_given=True).numpy().round(3).tolist()
    [-1.0, 0.3330000042915344, 1.0]
    """
    input = convert_to_tensor(input)
    options = {"round_mode": round_mode, "narrow_range": narrow_range, "axis": axis_number(input, axis)}
    levels = {"signed_input": signed_input, "num_bits": num_bits, "range_given": range_given}
    return QUANTIZE_AND_DEQUANTIZE_V4(input, input_min, input_max, name=name, **levels, **options)
