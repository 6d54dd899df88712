"""Quantised and dequantised at once: `QuantizeAndDequantize` in its four versions.

The range is given or found in the numbers, and widened on one side so that its ends and 0 are levels.  Versions 1 to 3 pass gradients
straight through; version 4 passes those of numbers in the range.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import FLOATING, int32
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...kernels import blocked
from ...ops.array.basic import zeros_of
from ...ops.array.type_rules import Array, check_one_of, invalid_argument, merge_dims, times_gate
from ...ops.lowering.nn import times_gate as native_times_gate
from ...ops.lowering.reduce import is_narrow

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

ROUNDINGS = ("HALF_TO_EVEN", "HALF_UP")
_FEW = 16


def channels_shape(rank: int, axis: int) -> tuple[int, ...]:
    """The shape in which a vector with an entry for each slice along `axis` broadcasts against the tensor."""
    return tuple(-1 if i == axis else 1 for i in range(rank))


def check_axis(input: Any, axis: int, *ends: Any) -> None:
    """Refuse ranges that are not one scalar, or with an axis one vector with an entry for each slice."""
    if axis < -1:
        text = f"axis should be at least -1, got {axis}"
        raise ShapeError(text, text)
    if axis >= 0 and input.dims is not None and len(input.dims) <= axis:
        text = f"Shape must be at least rank {axis + 1} but is rank {len(input.dims)}"
        raise ShapeError(text, text)
    for name, end in zip(("input_min", "input_max"), ends, strict=False):
        if end.dims is None:
            continue
        if len(end.dims) != (0 if axis == -1 else 1):
            text = f"{name} must be a {'scalar' if axis == -1 else 'vector'}, not of shape {show(end.dims)}"
            raise ShapeError(text, text)
        depth = input.dims[axis] if axis >= 0 and input.dims is not None else None
        if axis >= 0 and None not in (depth, end.dims[0]) and depth != end.dims[0]:
            text = f"{name} has incorrect size, expected {depth} was {end.dims[0]}"
            raise ShapeError(text, text)


def _type_of(array: Array) -> TensorType:
    return TensorType(array.shape, int32)  # its shape is what counts


def _bounds(signed_input: bool, num_bits: int, narrow_range: bool) -> tuple[int, int]:
    """The numbers of the first and the last level."""
    if signed_input:
        return narrow_range - (1 << (num_bits - 1)), (1 << (num_bits - 1)) - 1
    return 0, (1 << num_bits) - 1


def _round_to_levels(
    input: Array,
    low: Array,
    high: Array,
    signed_input: bool,
    num_bits: int,
    range_given: bool,
    round_mode: str,
    narrow_range: bool,
    axis: int,
) -> Array:
    check_one_of(round_mode, ROUNDINGS, "round_mode")
    if num_bits <= 0 or num_bits > (62 if signed_input else 63):
        raise invalid_argument(f"num_bits is out of range: {num_bits} with signed_input_ {int(signed_input)}")
    if not input.size:
        return input.copy()
    wide = input.astype(np.float32) if input.dtype.itemsize < 4 else input
    low, high = _ends(wide, low, high, range_given, axis)
    options: dict[str, Any] = {"signed_input": signed_input, "num_bits": num_bits, "round_mode": round_mode, "narrow_range": narrow_range}
    # A range found in the numbers cuts none of them, but where negative ones have no level: up to _FEW bits that is so after rounding too.
    given = range_given or (axis < 0 and 1 < num_bits <= _FEW and (signed_input or low >= 0))
    found = _levels_in_blocks(wide, low, high, **options) if given else _plain_levels(wide, low, high, cut=False, **options)
    return np.asarray(found).astype(input.dtype, copy=False)


def _plain_levels(
    input: Array, low: Array, high: Array, *, signed_input: bool, num_bits: int, round_mode: str, narrow_range: bool, cut: bool = True
) -> Array:
    """The nearest levels of one range or of one for each slice; cut: numbers are cut to it first."""
    kind = input.dtype.type
    first, last = _bounds(signed_input, num_bits, narrow_range)
    most = np.finfo(kind).max
    from_low = np.where(first * low > 0, kind(first) / np.where(low == 0, kind(1), low), most)
    from_high = np.where(last * high > 0, kind(last) / np.where(high == 0, kind(1), high), most)
    by_low = from_low < from_high
    scale = np.where(by_low, from_low, from_high)
    step = np.where(by_low, low / kind(first or 1), high / kind(last or 1))
    if cut:
        top, bottom = np.where(by_low, last * step, high), np.where(by_low, low, first * step)
        input = np.maximum(np.minimum(input, top), bottom)
    level = input * scale
    return np.asarray((np.rint(level) if round_mode == "HALF_TO_EVEN" else np.floor(level + kind(0.5))) * step)


def _lower(
    builder: Builder,
    input: IndexExpr,
    input_min: IndexExpr,
    input_max: IndexExpr,
    *,
    signed_input: bool,
    num_bits: int,
    range_given: bool,
    round_mode: str,
    narrow_range: bool,
    axis: int,
) -> Any:
    """`_plain_levels` of one range, operation by operation."""
    if axis >= 0 or is_narrow(input) or not 1 < num_bits <= _FEW or not input.size or not (range_given or signed_input):
        raise builder.Unsupported("a range for each slice, or one of no sign, or of many bits")
    if range_given:
        builder.check(builder.compare("gt", input_min, input_max))
    else:  # which cuts no number, see `_round_to_levels`
        whole, axes = builder.memory(input), range(len(input.dims))
        none = builder.compare("ne", whole, whole)  # a NaN has no part in the range
        ends = (("min", np.inf), ("max", -np.inf))
        input_min, input_max = (builder.memory(builder.reduce(kind, builder.select(none, end, whole), axes)) for kind, end in ends)
    first, last = _bounds(signed_input, num_bits, narrow_range)
    from_low, from_high = (
        builder.select(builder.compare("gt", end * float(level), 0), float(level) / end, float(np.finfo(input.dtype).max))
        for end, level in ((input_min, first), (input_max, last))
    )
    by_low = builder.compare("lt", from_low, from_high)
    scale = builder.select(by_low, from_low, from_high)
    step = builder.select(by_low, input_min / float(first or 1), input_max / float(last or 1))
    top, bottom = builder.select(by_low, step * float(last), input_max), builder.select(by_low, input_min, step * float(first))
    top, bottom, scale, step = (builder.broadcast(end, input.dims) for end in (top, bottom, scale, step))
    cut = builder.select(builder.compare("gt", input, top), top, input)  # NaN stays, without the care that `min` takes for it
    level = builder.select(builder.compare("lt", cut, bottom), bottom, cut) * scale
    return (builder.rint(level) if round_mode == "HALF_TO_EVEN" else builder.floor(level + 0.5)) * step


def _ends(input: Array, low: Array, high: Array, range_given: bool, axis: int) -> tuple[Array, Array]:
    """The ends of the range, as they broadcast against the input."""
    if not range_given:
        over: dict[str, Any] = {"axis": tuple(i for i in range(input.ndim) if i != axis), "keepdims": axis >= 0}
        low, high = input.min(**over), input.max(**over)
        if np.isnan(low).any():  # which has no part in the range
            low, high = np.fmin.reduce(input, **over), np.fmax.reduce(input, **over)
        return low, high
    _check_ends(low, high)
    if axis >= 0:
        shape = channels_shape(input.ndim, axis)
        low, high = low.reshape(shape), high.reshape(shape)
    return low.astype(input.dtype), high.astype(input.dtype)


def _check_ends(low: Array, high: Array) -> None:
    fits = low <= high  # not where one is NaN
    if not fits.all():
        at = np.flatnonzero(np.ravel(~fits))[0]
        raise invalid_argument(f"Invalid range: input_min {np.ravel(low)[at]:g} > input_max {np.ravel(high)[at]:g}")


def _v1_type(input: Any, **_: Any) -> TensorType:
    return TensorType(input.dims, input.dtype)


def _v1(
    input: Array,
    *,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    input_min: float = 0.0,
    input_max: float = 0.0,
) -> Array:
    low, high = np.asarray(input_min), np.asarray(input_max)
    return _round_to_levels(input, low, high, signed_input, num_bits, range_given, "HALF_TO_EVEN", False, -1)


def _v2_type(
    input: Any, input_min: Any, input_max: Any, *, range_given: bool = False, round_mode: str = "HALF_TO_EVEN", axis: int = -1, **_: Any
) -> TensorType:
    check_one_of(round_mode, ROUNDINGS, "round_mode")
    check_axis(input, axis, *((input_min, input_max) if range_given else ()))
    return TensorType(input.dims, input.dtype)


def _v2(
    input: Array,
    input_min: Array,
    input_max: Array,
    *,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    narrow_range: bool = False,
    axis: int = -1,
) -> Array:
    check_axis(_type_of(input), axis, *((_type_of(input_min), _type_of(input_max)) if range_given else ()))
    return _round_to_levels(input, input_min, input_max, signed_input, num_bits, range_given, round_mode, narrow_range, axis)


def _levels_of_range(input: Array, low: Array, high: Array, *, range_given: bool, axis: int, **options: Any) -> Array:
    return _plain_levels(input, low, high, **options)


_in_blocks = blocked.block_kernel(_levels_of_range, known_as=_v2, check=lambda input, low, high: _check_ends(low, high))


def _levels_in_blocks(input: Array, low: Array, high: Array, **options: Any) -> Array:
    """`_plain_levels` in blocks, where there is one range."""
    return np.asarray(_in_blocks(input, np.asarray(low), np.asarray(high), range_given=True, axis=-1, **options))


def _v3_type(
    input: Any, input_min: Any, input_max: Any, num_bits: Any, *, range_given: bool = True, axis: int = -1, **_: Any
) -> TensorType:
    check_axis(input, axis, *((input_min, input_max) if range_given else ()))
    return TensorType(input.dims, input.dtype)


def _v3(
    input: Array,
    input_min: Array,
    input_max: Array,
    num_bits: Array,
    *,
    signed_input: bool = True,
    range_given: bool = True,
    narrow_range: bool = False,
    axis: int = -1,
) -> Array:
    check_axis(_type_of(input), axis, *((_type_of(input_min), _type_of(input_max)) if range_given else ()))
    return _round_to_levels(input, input_min, input_max, signed_input, int(num_bits), range_given, "HALF_TO_EVEN", narrow_range, axis)


# Its gradient looks like that of a linear operation, and it is none: tangents go straight through too.
QUANTIZE_AND_DEQUANTIZE = define(
    "QuantizeAndDequantize", "input", _v1_type, _v1, {"input": lambda g: g}, dtypes=FLOATING, jvp=lambda node, given: [given[0]],
)  # fmt: skip
QUANTIZE_AND_DEQUANTIZE_V2 = define(
    "QuantizeAndDequantizeV2", "input input_min input_max", _v2_type, _v2, {"input": lambda g: g}, dtypes=FLOATING, lower=_lower,
)  # fmt: skip
QUANTIZE_AND_DEQUANTIZE_V3 = define(
    "QuantizeAndDequantizeV3", "input input_min input_max num_bits:int32", _v3_type, _v3, {"input": lambda g: g}, dtypes=FLOATING,
)  # fmt: skip


def _grad_type(gradients: Any, input: Any, input_min: Any, input_max: Any, *, axis: int = -1) -> tuple[TensorType, ...]:
    check_axis(input, axis)
    dims = merge_dims(gradients.dims, input.dims, "gradient and input must be the same size")
    return TensorType(dims, input.dtype), TensorType(input_min.dims, input.dtype), TensorType(input_max.dims, input.dtype)


def _grad(gradients: Array, input: Array, input_min: Array, input_max: Array, *, axis: int = -1) -> tuple[Array, ...]:
    if gradients.shape != input.shape:
        raise invalid_argument(f"gradient and input must be the same size: {show(gradients.shape)} vs. {show(input.shape)}")
    check_axis(_type_of(input), axis)
    ends = input_min, input_max
    low, high = (end.reshape(channels_shape(input.ndim, axis)) for end in ends) if axis >= 0 else ends
    return np.asarray(_passed(gradients, input, low, high, axis=-1)), np.zeros_like(input_min), np.zeros_like(input_max)


_passed = blocked.block_kernel(
    lambda gradients, input, low, high, *, axis: times_gate(gradients, (input >= low) & (input <= high)), known_as=_grad
)


def _lower_grad(builder: Builder, gradients: IndexExpr, input: IndexExpr, input_min: IndexExpr, input_max: IndexExpr, *, axis: int) -> Any:
    if axis >= 0:
        raise builder.Unsupported("a range for each slice")
    low, high = (builder.broadcast(end, input.dims) for end in (input_min, input_max))
    inside = builder.compare("ge", input, low) & builder.compare("le", input, high)
    none = builder.broadcast(builder.number(0, input.dtype), ())
    return native_times_gate(builder, gradients, inside), none, none


QUANTIZE_AND_DEQUANTIZE_V4: Op = define(
    "QuantizeAndDequantizeV4",
    "input input_min input_max",
    _v2_type,
    _v2,
    {
        ("input", "input_min", "input_max"): lambda g, input, input_min, input_max, axis: QUANTIZE_AND_DEQUANTIZE_V4_GRAD(
            g, input, input_min, input_max, axis=axis
        )
    },
    dtypes=FLOATING,
    lower=_lower,
)
QUANTIZE_AND_DEQUANTIZE_V4_GRAD: Op = define(
    "QuantizeAndDequantizeV4Grad",
    "gradients input input_min input_max",
    _grad_type,
    _grad,
    {
        "gradients": lambda g_input_backprop, input, input_min, input_max, axis: QUANTIZE_AND_DEQUANTIZE_V4_GRAD(
            g_input_backprop, input, input_min, input_max, axis=axis
        )[0],
        "input": lambda input_type: zeros_of(input_type),
    },
    outputs="input_backprop input_min_backprop input_max_backprop",
    dtypes=FLOATING,
    lower=_lower_grad,
)


def axis_number(input: Any, axis: int | None) -> int:
    """An axis counted from the front, -1 where there is none."""
    if axis is None:
        return -1
    if axis >= 0:
        return int(axis)
    if input.dims is None:
        raise ValueError("input should have known rank to use negative axis.")
    return int(axis) % len(input.dims)
