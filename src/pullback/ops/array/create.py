"""Tensors made from nothing or from a shape: zeros, ones, ranges, one-hot rows.

Ranges and one-hot rows are ops without a gradient, as in TensorFlow; `linspace`, which has one, is in `array_composed`.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ...base.dtypes import (
    ANY,
    FLOATING,
    FROM_NUMPY,
    INTEGER,
    DType,
    as_dtype,
    bfloat16,
    float16,
    float32,
    float64,
    int32,
    int64,
    resource,
    string,
    uint8,
    variant,
)
from ...base.export import export
from ...base.shapes import TensorShape, as_dims
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import takes_composites, works_by_element
from ...ir.context import executing_eagerly, scope
from ...ir.convert import array_of, holds_tensors, is_tensor_like
from ...ir.op import define
from ...ir.strings import tensor_of
from ...ir.tensor import DTypeLike, EagerTensor, NumberLike, ShapeLike, Tensor, TensorLike, TensorType
from ...kernels import blocked, constant_fill
from ...kernels.constant_fill import steps_between
from ...kernels.memory_limit import require_room
from ..lowering import array as native_array, moves as native_moves
from ..lowering.reduce import is_narrow
from ..primitives.cast import cast
from .basic import FILL, ONES_LIKE, ZEROS_LIKE, refuse_layout, reshape, shape_of, zeros_of
from .type_rules import Array, check_axis, invalid_argument, known_int, known_value, require_rank

#: In a graph, larger constants are filled at run time rather than stored.
_STORED_ELEMENTS = 1000

# ---- zeros and ones


def _fill_constant(shape: Any, value: Any, dtype: DType, name: str) -> Tensor:
    """A tensor of `shape` with one value everywhere; a constant where that is small and known."""
    if executing_eagerly() and dtype in (variant, resource):
        raise TypeError(f"Cannot convert {value} to EagerTensor of dtype {dtype.name}")
    scalar = np.array(value, dtype.numpy_dtype)
    dims = _known_dims(shape)
    if dims is not None and (executing_eagerly() or math.prod(dims) < _STORED_ELEMENTS) and all(n >= 0 for n in dims):
        full = constant_fill.fill_array(dims, scalar, dtype.numpy_dtype)
        return tensor_of(full) if executing_eagerly() else convert_to_tensor(full, name=name)
    with scope(name, FILL.name) as own:
        if dims is not None:
            shape = np.array(dims, np.int64 if any(n > 2**31 - 1 for n in dims) else np.int32)
        sizes = convert_to_tensor(shape, dtype_hint=int32) if dims is None else convert_to_tensor(shape, name="shape_as_tensor")
        if not sizes.dims:  # one size, or a rank that only a run knows
            sizes = reshape(sizes, [-1])
        return FILL(sizes, convert_to_tensor(scalar), name=own)


def _known_dims(shape: Any) -> tuple[int, ...] | None:
    if isinstance(shape, TensorShape):
        if not shape.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {shape} to a Tensor.")
        return as_dims(shape)  # type: ignore[return-value]  # no dimension is unknown
    if is_tensor_like(shape):
        sizes = convert_to_tensor(shape)
        constant = known_value(sizes) if sizes.dtype.is_integer else None
    elif holds_tensors(shape):
        return None
    else:
        constant = array_of(shape, None if isinstance(shape, np.ndarray) else int64)
    if constant is None or constant.ndim > 1:
        return None
    return tuple(int(n) for n in np.ravel(constant))


@export("zeros")
@takes_composites
def zeros(shape: ShapeLike, dtype: DTypeLike = float32, name: str = "zeros", layout: object | None = None) -> Tensor:
    """A tensor of `shape` full of zeros (False for bool, empty strings for string).

    shape: integers, a TensorShape, or a tensor of integers.  Raises TypeError for a shape of other numbers, InvalidArgumentError
    (ValueError in a graph) for negative sizes.  layout: None, as Pullback has no meshes of devices.

    >>> tf.zeros([2], tf.int32).numpy().tolist()
    [0, 0]
    """
    refuse_layout(layout)
    kind = as_dtype(dtype).base_dtype
    return _fill_constant(shape, b"" if kind is string else 0, kind, name)


@export("ones")
@takes_composites
def ones(shape: ShapeLike, dtype: DTypeLike = float32, name: str = "ones", layout: object | None = None) -> Tensor:
    """A tensor of `shape` full of ones (True for bool): shapes and errors as `zeros`; TypeError for strings.

    >>> tf.ones([2], tf.int32).numpy().tolist()
    [1, 1]
    """
    refuse_layout(layout)
    kind = as_dtype(dtype).base_dtype
    if kind is string:
        raise TypeError("ones: there is no one among strings")
    return _fill_constant(shape, 1, kind, name)


@export(v2="zeros_like")
@works_by_element
def zeros_like(input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None, layout: object | None = None) -> Tensor:
    """Zeros with the shape of `input`, and its dtype when `dtype` is None.  Constant to every gradient.

    >>> tf.zeros_like([1.0, 2.0]).numpy().tolist()
    [0.0, 0.0]
    """
    refuse_layout(layout)
    return _fill_like(input, dtype, name, 0, ZEROS_LIKE, "zeros_like")


@export(v2="ones_like")
@works_by_element
def ones_like(input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None, layout: object | None = None) -> Tensor:
    """Ones with the shape of `input`, and its dtype when `dtype` is None.  Constant to every gradient.

    >>> tf.ones_like([2.0, 3.0]).numpy().tolist()
    [1.0, 1.0]
    """
    refuse_layout(layout)
    return _fill_like(input, dtype, name, 1, ONES_LIKE, "ones_like")


def _fill_like(input: Any, dtype: Any, name: str | None, value: int, op: Any, default: str) -> Tensor:
    input = convert_to_tensor(input)
    kind = input.dtype.base_dtype if dtype is None else as_dtype(dtype).base_dtype
    if kind is variant:
        return op(input, name=name or default) if value else zeros_of(input)
    if kind is string and value:
        if input.dtype.base_dtype is not string:
            raise TypeError(f"Cannot convert {value} to EagerTensor of dtype string ({default})")
        return op(input, name=name or default)  # which says that it takes no strings
    if kind is string:
        return _fill_constant(shape_of(input), b"", kind, name or default)
    if input.dims is not None and None not in input.dims:
        return _fill_constant(TensorShape(input.dims), value, kind, name or default)
    return (
        op(input, name=name or default) if kind is input.dtype.base_dtype else _fill_constant(shape_of(input), value, kind, name or default)
    )


# ---- ranges

_RANGE_DTYPES = (int32, int64, float16, bfloat16, float32, float64)


def _range_size(start: Any, limit: Any, delta: Any) -> int:
    """The length of a range of Python's integers, or of NumPy's floats, whose steps are counted in their own dtype."""
    if delta == 0:
        raise ShapeError("Requires delta != 0", "Requires delta != 0: 0")
    if not (start <= limit if delta > 0 else start >= limit):
        text = f"Requires start {'<=' if delta > 0 else '>='} limit when delta {'>' if delta > 0 else '<'} 0: {start}/{limit}"
        raise ShapeError(text, text)
    if isinstance(start, int):
        return int(-((start - limit) // delta))
    count = steps_between(start, limit, delta)
    if not count < 2.0**63:
        text = "Requires ((limit - start) / delta) <= 9223372036854775807"
        raise ShapeError(text, text)
    return int(count)


def _number(t: Array) -> Any:
    return int(t) if t.dtype.kind in "iu" else t[()]


def _range_type(start: Any, limit: Any, delta: Any) -> TensorType:
    for name, t in (("start", start), ("limit", limit), ("delta", delta)):
        if t.dims:
            raise ShapeError(
                f"Shape must be rank 0 but is rank {len(t.dims)} for '{name}'", f"{name} must be a scalar, not shape {list(t.dims)}"
            )
    found = [known_value(t) for t in (start, limit, delta)]
    if any(c is None for c in found):
        return TensorType((None,), start.dtype)
    return TensorType((_range_size(*(_number(c) for c in found if c is not None)),), start.dtype)


def _range(start: Array, limit: Array, delta: Array) -> Array:
    if start.ndim or limit.ndim or delta.ndim:
        if {start.shape, limit.shape, delta.shape} - {(), (1,)}:
            raise ValueError("start, limit and delta are scalars")
        start, limit, delta = start.reshape(()), limit.reshape(()), delta.reshape(())  # eagerly vectors of one number do
    size = _range_size(_number(start), _number(limit), _number(delta))
    require_room((size,), start.dtype)
    if size >= blocked.SHARED:
        return _long_range(start, delta, size)
    if start.dtype.kind in "iu":
        return np.asarray(start + np.arange(size, dtype=start.dtype) * delta)
    with np.errstate(over="ignore"):
        return np.asarray(start + np.arange(size).astype(start.dtype) * delta)


def _long_range(start: Array, delta: Array, size: int) -> Array:
    """A range in blocks that stay in the cache."""
    out = np.empty(size, start.dtype)
    if start.dtype.kind in "iu":
        row = np.arange(blocked.BLOCK // 4, dtype=start.dtype) * delta
        befores = np.arange(0, size, len(row)).astype(start.dtype) * delta + start  # these may wrap around, and sums with them back
        rows, rest = divmod(size, len(row))
        np.add(row, befores[:rows, None], out=out[: size - rest].reshape(rows, len(row)))
        np.add(row[:rest], befores[-1], out=out[size - rest :])
        return out
    is_exact = start.dtype.char in "fd" and size <= 1 << 24  # whole numbers of either dtype, sums of them too
    turns = np.arange(blocked.BLOCK // 2, dtype=start.dtype if is_exact else np.int64)
    for at in builtins.range(0, size, len(turns)):
        block = out[at : at + len(turns)]
        np.multiply(turns[: len(block)] if is_exact else turns[: len(block)].astype(start.dtype), delta, out=block)
        turns += len(turns)
        np.add(block, start, out=block)
    return out


RANGE = define(
    "Range", "start:Tidx limit:Tidx delta:Tidx", _range_type, _range, {}, dtypes={"Tidx": FLOATING | INTEGER}, lower=native_moves.sequence,
    batch="shape depends on values",
)


@export("range")
def range(
    start: NumberLike, limit: NumberLike | None = None, delta: NumberLike = 1, dtype: DTypeLike | None = None, name: str = "range"
) -> Tensor:
    """The numbers start, start + delta, ... below `limit` (above it for a negative delta).

    With one argument: 0 to that limit.  dtype: the widest of the arguments' when None.  Not differentiable.
    Raises InvalidArgumentError (ValueError in a graph) for a zero delta, one that points away from the limit, or what is no scalar.

    >>> tf.range(3).numpy().tolist(), tf.range(5, 1, -2).numpy().tolist()
    ([0, 1, 2], [5, 3])
    """
    if limit is None:
        start, limit = 0, start
    wanted = None if dtype is None else as_dtype(dtype).base_dtype
    parts = [v if is_tensor_like(v) or holds_tensors(v) else array_of(v, wanted) for v in (start, limit, delta)]
    if wanted is None:
        wanted = find_widest(parts, _RANGE_DTYPES)
    return RANGE(*(_range_part(v, wanted) for v in parts), name=name)


def find_widest(parts: Sequence[Any], dtypes: Sequence[DType]) -> DType:
    """The dtype of tensors and arrays that stands last among `dtypes`; an AssertionError, as TensorFlow's, for another."""
    given = [FROM_NUMPY[v.dtype] if isinstance(v, np.ndarray) else convert_to_tensor(v).dtype.base_dtype for v in parts]
    if any(d not in dtypes for d in given):
        raise AssertionError(f"range: there is no counting in {' and '.join(d.name for d in given)}; say a dtype")
    return max(given, key=lambda d: dtypes.index(d) if d in dtypes else -1)


def _range_part(value: Any, dtype: DType) -> Tensor | np.ndarray:
    """One of three numbers in the dtype of all; a tensor where their dtype is not the one that `Range` gives to arrays."""
    if not isinstance(value, np.ndarray):
        return cast(value, dtype)
    given = value.astype(dtype.numpy_dtype)
    return EagerTensor(given) if executing_eagerly() else given


def _linspace_type(start: Any, stop: Any, num: Any) -> TensorType:
    for name, t in (("start", start), ("stop", stop), ("num", num)):
        require_rank(t, 0, f"{name} must be a scalar, not shape {t.dims}")
    count = known_int(num)
    if count is not None and count < 1:
        raise ShapeError(f"Requires num > 0: {count}", f"Requires num > 0: {count}")
    return TensorType((count,), start.dtype)


def _linspace(start: Array, stop: Array, num: Array) -> Array:
    if start.ndim or stop.ndim or num.ndim or int(num) < 1:
        raise ValueError("start, stop and a positive num")
    last = int(num) - 1
    wide = np.float32 if is_narrow(start) else start.dtype
    first = start.astype(wide)
    numbers = first + np.arange(last + 1, dtype=wide) * ((stop.astype(wide) - first) / max(last, 1))
    numbers[-1] = stop  # the ends themselves, for they may be infinite
    numbers[0] = start
    return np.asarray(numbers.astype(start.dtype))


LINSPACE = define(
    "LinSpace", "start stop num:Tidx", _linspace_type, _linspace, {}, dtypes={"T": FLOATING, "Tidx": {int32, int64}},
    lower=native_moves.linspace,
)  # fmt: skip

# ---- one-hot rows


def _one_hot_type(indices: Any, depth: Any, on_value: Any, off_value: Any, *, axis: int = -1) -> TensorType:
    if depth.dims:
        raise ShapeError(f"Input must be scalar but has rank {len(depth.dims)}", f"depth must be a scalar, but got: {list(depth.dims)}")
    require_rank(on_value, 0, "on_value must be a scalar")
    require_rank(off_value, 0, "off_value must be a scalar")
    count = known_int(depth)
    if count is not None and count < 0:
        raise ShapeError(f"depth must be non-negative, got: {count}", f"depth must be non-negative, got: {count}")
    if indices.dims is None:
        return TensorType(None, on_value.dtype)
    n = len(indices.dims) + 1
    if axis >= n:
        return TensorType((None,) * n, on_value.dtype)  # which is refused when it runs
    text = f"Expected axis to be -1 or between [0, {n}).  But received: {axis}"
    at = check_axis(axis, n, text, text) if axis >= -1 else check_axis(n, n, text, text)
    return TensorType((*indices.dims[:at], count, *indices.dims[at:]), on_value.dtype)


def _one_hot(indices: Array, depth: Array, on_value: Array, off_value: Array, *, axis: int = -1) -> Array:
    if depth.ndim or on_value.ndim or off_value.ndim:
        raise ValueError("a scalar depth, and scalar values")
    if not -1 <= axis <= indices.ndim:
        raise invalid_argument(f"Expected axis to be -1 or between [0, {indices.ndim + 1}).  But received: {axis}")
    if int(depth) < 0:
        raise invalid_argument(f"depth must be non-negative, got: {int(depth)}")
    require_room((*indices.shape, int(depth)), on_value.dtype)
    if indices.size * int(depth) >= blocked.LARGE and on_value.dtype == off_value.dtype:
        return _scatter_hot(indices, int(depth), on_value, off_value, axis % (indices.ndim + 1))
    hot = np.expand_dims(indices, axis) == np.arange(int(depth)).reshape(
        [-1 if i == axis % (indices.ndim + 1) else 1 for i in builtins.range(indices.ndim + 1)]
    )
    return np.where(hot, on_value, off_value)


def _scatter_hot(indices: Array, depth: int, on_value: Array, off_value: Array, axis: int) -> Array:
    """One number put in its place for each index, rather than a comparison for each element."""
    shape = indices.shape
    inner = math.prod(shape[axis:])
    places = indices.reshape(-1, inner).astype(np.int64)
    hot = (places >= 0) & (places < depth)
    places *= inner
    places += np.arange(len(places)).reshape(-1, 1) * (depth * inner) + np.arange(inner)
    out = constant_fill.fill_array((len(places) * depth * inner,), off_value, on_value.dtype)
    out[places.reshape(-1) if hot.all() else places[hot]] = on_value
    return out.reshape(*shape[:axis], depth, *shape[axis:])


ONE_HOT = define(
    "OneHot",
    "indices:TI depth:int32 on_value off_value",
    _one_hot_type,
    _one_hot,
    {},
    dtypes={"TI": {uint8, int32, int64} | INTEGER, "T": ANY},
    lower=native_array.one_hot,
)


@export("one_hot")
@takes_composites
def one_hot(
    indices: NumberLike,
    depth: NumberLike,
    on_value: TensorLike | None = None,
    off_value: TensorLike | None = None,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Rows of length `depth` that are `on_value` at their index and `off_value` elsewhere.

    indices: integers; one outside [0, depth) gives a row without an `on_value`.  axis: where the new axis stands, last when None.
    on_value, off_value: 1 and 0 when None.  dtype: that of the values, float32 when there are none.  Not differentiable.
    Raises TypeError where dtypes do not agree, InvalidArgumentError (ValueError in a graph) for what is no scalar.

    >>> tf.one_hot([0, 2], 3).numpy().tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    with scope(name, "one_hot") as own:
        return _hot_rows(indices, depth, (on_value, off_value), axis, dtype, own)


def _hot_rows(indices: Any, depth: Any, values: Sequence[Any], axis: Any, dtype: Any, name: str) -> Tensor:
    given = [None if v is None else convert_to_tensor(v, dtype_hint=dtype) for v in values]
    kinds = [v.dtype.base_dtype for v in given if v is not None]
    if len(kinds) == 2 and kinds[0] is not kinds[1]:
        raise TypeError(f"dtype {kinds[0]} of on_value does not match dtype {kinds[1]} of off_value (one_hot)")
    kind = as_dtype(dtype).base_dtype if dtype is not None else kinds[0] if kinds else float32
    if kinds and kinds[0] is not kind:
        raise TypeError(f"dtype {kinds[0]} of the values does not match dtype parameter {kind} (one_hot)")
    if kind.is_bool and len(kinds) == 1:
        raise TypeError("Cannot convert 0 or 1 to EagerTensor of dtype bool: one_hot of booleans needs both values")
    at = -1 if axis is None else operator.index(axis)
    if not kinds and executing_eagerly():
        return ONE_HOT(indices, depth, *_one_and_zero(kind), axis=at, name=name or None)
    otherwise = ((1, "on_value"), (0, "off_value"))
    made = (np.array(n, kind.numpy_dtype) if v is None else v for v, (n, _) in zip(given, otherwise, strict=True))
    on, off = (convert_to_tensor(v, name=what) for v, (_, what) in zip(made, otherwise, strict=True))
    return ONE_HOT(indices, depth, on, off, axis=at, name=name or None)


@cache
def _one_and_zero(dtype: DType) -> tuple[Tensor, Tensor]:
    on, off = (convert_to_tensor(np.array(n, dtype.numpy_dtype)) for n in (1, 0))
    for tensor in (on, off):
        assert isinstance(tensor, EagerTensor)
        tensor.value.setflags(write=False)  # every call is given these
    return on, off
