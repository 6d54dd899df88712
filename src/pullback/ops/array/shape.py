"""What changes or asks for a shape alone: expand, squeeze, ensure, and the shapes that broadcasting gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX, DType, as_dtype, int32
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...base.shapes import Shape, TensorShape, are_compatible, as_dims, broadcast, merge, num_elements, show
from ...ir.agreement import require_list
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.attributes import refused_value
from ...ir.composite import takes_composites
from ...ir.context import executing_eagerly
from ...ir.convert import is_tensor_like
from ...ir.op import Traits, define
from ...ir.tensor import DTypeLike, IntLike, ShapeLike, Tensor, TensorLike, TensorType
from ..batching import shift_axes
from ..lowering import array as native_array
from .basic import name_shape, read_shape, reshape, shape as shape
from .type_rules import Array, dims_in, invalid_argument, known_value, require_rank, unknown_dims

# ---- asking


def _sizes(t: Any, dtype: DType) -> Array | None:
    """A shape as a constant, None for the sizes that are unknown."""
    if t.dims is None:
        return None
    if None not in t.dims:
        return np.array(t.dims, dtype.numpy_dtype)
    partial = np.empty(len(t.dims), object)
    partial[:] = t.dims
    return partial


def _shape_n_type(input: Any, *, out_type: DType = int32) -> tuple[TensorType, ...]:
    return tuple(TensorType((None if t.dims is None else len(t.dims),), out_type, _sizes(t, out_type)) for t in input)


def _shape_n(input: list[Array], *, out_type: DType = int32) -> list[Array]:
    return [np.array(x.shape, out_type.numpy_dtype) for x in input]


def _size_type(input: Any, *, out_type: DType = int32) -> TensorType:
    count = num_elements(input.dims)
    return TensorType((), out_type, None if count is None else np.array(count, out_type.numpy_dtype))


def _rank_type(input: Any) -> TensorType:
    return TensorType((), int32, None if input.dims is None else np.array(len(input.dims), np.int32))


SHAPE_N = define(
    "ShapeN", "*input", _shape_n_type, _shape_n, {}, outputs="*output", dtypes=ANY, traits=Traits(reads_shape=True),
)  # fmt: skip
SIZE = define(
    "Size", "input", _size_type, lambda input, *, out_type=int32: np.array(input.size, out_type.numpy_dtype), {}, dtypes=ANY,
    traits=Traits(reads_shape=True),
)  # fmt: skip
RANK = define(
    "Rank", "input", _rank_type, lambda input: np.array(input.ndim, np.int32), {}, dtypes=ANY, traits=Traits(reads_shape=True),
)  # fmt: skip


@export("shape_n")
def shape_n(input: Sequence[TensorLike], out_type: DTypeLike = int32, name: str | None = None) -> list[Tensor]:
    """The shapes of several tensors of one dtype: as `shape`.

    >>> [s.numpy().tolist() for s in tf.shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]
    """
    require_list(SHAPE_N, "input", input)
    if not len(input):
        eagerly = "Value for attr 'N' of 0 must be at least minimum 1 [Op:ShapeN]"
        raise refused_value("List argument 'input' to 'ShapeN' Op with length 0 shorter than minimum length 1.", eagerly)
    return SHAPE_N(input, out_type=out_type, name=name)


@export(v2="size")
@takes_composites
def size(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """The number of elements of a tensor, int32 (None) or int64.

    >>> int(tf.size([[1, 2, 3]]))
    3
    """
    return read_shape(SIZE, input, name, out_type=as_dtype(out_type or int32))


@export("rank")
@takes_composites
def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """The number of dimensions of a tensor, int32.

    >>> int(tf.rank([[1, 2, 3]]))
    2
    """
    return read_shape(RANK, input, name)


# ---- size-1 dimensions


_ONE_VALUE = "must be a tensor with a single value"


def _expand_type(input: Any, dim: Any) -> TensorType:
    value = known_value(dim)
    if value is not None and value.size != 1:
        raise ShapeError(f"'dim' input {_ONE_VALUE}", f"'dim' {_ONE_VALUE}")
    at = None if value is None else int(value.reshape(()))
    if input.dims is None or at is None:
        return TensorType(None if input.dims is None else unknown_dims(len(input.dims) + 1), input.dtype)
    n = len(input.dims)
    if not -n - 1 <= at <= n:
        raise ShapeError(
            f"dim {at} not in the interval [{-n - 1}, {n}].", f"Tried to expand dim index {at} for tensor with {n} dimensions."
        )
    at = at + n + 1 if at < 0 else at
    return TensorType((*input.dims[:at], 1, *input.dims[at:]), input.dtype)


def _expand(input: Array, dim: Array) -> Array:
    if dim.size != 1:
        raise invalid_argument(f"'dim' {_ONE_VALUE}")
    return np.expand_dims(input, int(dim.reshape(())))


EXPAND_DIMS = define(
    "ExpandDims", "input dim:Tdim", _expand_type, _expand, {"input": lambda g, input_type: reshape(g, name_shape(input_type))},
    dtypes={"Tdim": INDEX, "T": ANY}, holomorphic=False, batch=shift_axes("dim"),
    lower=native_array.expand_dims,
    traits=Traits(shares=True, raw_names={"dim": "axis"}, copies=True, moves=True, folds_in_part=True),
)  # fmt: skip


@export(v2="expand_dims")
@takes_composites
def expand_dims(input: TensorLike, axis: IntLike, name: str | None = None) -> Tensor:
    """Insert a dimension of size 1 at `axis`.

    axis: an integer in [-rank-1, rank], else InvalidArgumentError (ValueError in a graph).  Gradient: the upstream gradient reshaped.

    >>> tf.expand_dims([1, 2], -1).numpy().tolist()
    [[1], [2]]
    """
    return EXPAND_DIMS(input, axis, name=name)


def _squeeze_type(input: Any, *, squeeze_dims: tuple[int, ...] = ()) -> TensorType:
    if input.dims is None:
        return TensorType(None, input.dtype)
    n, gone = len(input.dims), set()
    for i, d in enumerate(squeeze_dims):
        if not -n <= d < n:
            raise ShapeError(f"squeeze_dims[{i}] not in [{-n},{n}).", f"Tried to squeeze dim index {d} for tensor with {n} dimensions.")
        d = d + n if d < 0 else d
        if input.dims[d] not in (1, None):
            text = f"Can not squeeze dim[{d}], expected a dimension of 1, got {input.dims[d]}"
            raise ShapeError(text, text)
        gone.add(d)
    if squeeze_dims:
        return TensorType(tuple(m for d, m in enumerate(input.dims) if d not in gone), input.dtype)
    return TensorType(None if None in input.dims else tuple(m for m in input.dims if m != 1), input.dtype)


def _squeeze(input: Array, *, squeeze_dims: tuple[int, ...] = ()) -> Array:
    n = input.ndim
    return np.squeeze(input, axis=tuple({d + n if -n <= d < 0 else d for d in squeeze_dims}) if squeeze_dims else None)


SQUEEZE = define(
    "Squeeze",
    "input",
    _squeeze_type,
    _squeeze,
    {"input": lambda g, input_type: reshape(g, name_shape(input_type))},
    dtypes=ANY,
    holomorphic=False,
    lower=native_array.squeeze,
    traits=Traits(shares=True, raw_names={"squeeze_dims": "axis"}, copies=True, moves=True, folds_in_part=True),
)


@export(v2="squeeze")
@takes_composites
def squeeze(input: TensorLike, axis: IntLike | None = None, name: str | None = None) -> Tensor:
    """Remove dimensions of size 1: all of them, or those in `axis`.

    axis: an integer or a list of them; each must have size 1, else InvalidArgumentError (ValueError in a graph).
    Gradient: the upstream gradient reshaped.

    >>> tf.squeeze([[[1], [2]]], axis=0).numpy().tolist()
    [[1], [2]]
    """
    given: Any = () if axis is None else axis
    if is_tensor_like(axis) or isinstance(axis, DType):
        raise TypeError(f"Expected list for 'axis' argument to 'squeeze' Op, not {axis!r}.")
    axes = np.atleast_1d(given)
    if axes.dtype.kind == "U":
        raise TypeError(f"Expected int for argument 'axis' not {axis!r}.")
    return SQUEEZE(input, squeeze_dims=tuple(map(int, axes)), name=name)


# ---- promises about a shape


def _ensure_type(input: Any, *, shape: Shape) -> TensorType:
    if not are_compatible(input.dims, shape):
        assert input.dims is not None and shape is not None
        eagerly = f"Shape of tensor input {show(input.dims)} is not compatible with expected shape {show(shape)}."
        if len(input.dims) != len(shape):
            raise ShapeError(f"Shape must be rank {len(shape)} but is rank {len(input.dims)}", eagerly)
        at = next(i for i, (m, n) in enumerate(zip(shape, input.dims, strict=True)) if None not in (m, n) and m != n)
        both = f"Shapes are {show(shape)} and {show(input.dims)}."
        raise ShapeError(f"Dimension {at} in both shapes must be equal, but are {shape[at]} and {input.dims[at]}. {both}", eagerly)
    return TensorType(merge(input.dims, shape), input.dtype)


def _ensure(input: Array, *, shape: Shape) -> Array:
    if not are_compatible(input.shape, shape):
        raise invalid_argument(f"Shape of tensor input {show(input.shape)} is not compatible with expected shape {show(shape)}.")
    return input


ENSURE_SHAPE = define(
    "EnsureShape",
    "input",
    _ensure_type,
    _ensure,
    {"input": lambda g: g},
    dtypes=ANY,
    holomorphic=False,
    traits=Traits(same=True, copies=True),
)


@export("ensure_shape")
def ensure_shape(x: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """`x` itself, with its shape checked: now as far as it is known, the rest when it runs.

    shape: a shape; None where anything may be.  Raises InvalidArgumentError (ValueError in a graph) where `x` has another shape; in a
    graph, as TensorFlow, also for no shape where the rank of `x` is known.
    Gradient: the upstream gradient.

    >>> tf.ensure_shape([1, 2], [None]).shape
    TensorShape([2])
    """
    dims = as_dims(shape)
    if dims is None and not executing_eagerly():
        x = convert_to_tensor(x, name="input")
        if x.dims is not None:
            raise ValueError(f"Shape must be rank -1 but is rank {len(x.dims)} for 'EnsureShape': shape None says nothing of {x!r}")
    return ENSURE_SHAPE(x, shape=dims, name=name)


# ---- the shapes of broadcasting


def _read_both(s0: Any, s1: Any) -> tuple[Shape, Shape]:
    for t in (s0, s1):
        require_rank(t, 1, f"In[0] must be a vector, got shape {show(t.dims)}")
    return dims_in(s0), dims_in(s1)


def _args_type(s0: Any, s1: Any) -> TensorType:
    a, b = _read_both(s0, s1)
    return TensorType((None if a is None or b is None else max(len(a), len(b)),), s0.dtype)


def _broadcast_sizes(a: list[int], b: list[int]) -> list[int]:
    """The sizes that two arrays broadcast to."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    out = longer.copy()
    for i, n in enumerate(shorter, len(longer) - len(shorter)):
        if out[i] == 1:
            out[i] = n
        elif n != 1 and n != out[i]:
            break
    else:
        if not out or min(out) >= 0:
            return out
    try:
        return list(np.broadcast_shapes(tuple(a), tuple(b)))
    except ValueError:
        raise invalid_argument(f"Incompatible shapes: {show(tuple(a))} vs. {show(tuple(b))}") from None


def _args(s0: Array, s1: Array) -> Array:
    return np.array(_broadcast_sizes(s0.tolist(), s1.tolist()), s0.dtype)


def _gradient_args_type(s0: Any, s1: Any) -> tuple[TensorType, TensorType]:
    _args_type(s0, s1)
    sizes = known_value(s0), known_value(s1)
    if sizes[0] is None or sizes[1] is None:
        return TensorType((None,), s0.dtype), TensorType((None,), s0.dtype)
    try:
        axes = _gradient_args(sizes[0], sizes[1])
    except InvalidArgumentError:  # found when it runs, as in TensorFlow
        return TensorType((None,), s0.dtype), TensorType((None,), s0.dtype)
    return TensorType(axes[0].shape, s0.dtype), TensorType(axes[1].shape, s0.dtype)


def _gradient_args(s0: Array, s1: Array) -> tuple[Array, Array]:
    both = s0.tolist(), s1.tolist()
    out = _broadcast_sizes(*both)
    if both[0] == both[1]:
        return np.zeros(0, s0.dtype), np.zeros(0, s0.dtype)
    sums = []
    for sizes in both:
        lead = len(out) - len(sizes)
        sums.append(np.array([*range(lead), *[i for i, n in enumerate(sizes, lead) if n == 1]], s0.dtype))
    return sums[0], sums[1]


BROADCAST_ARGS = define(
    "BroadcastArgs", "s0:T=int32 s1", _args_type, _args, None, outputs="r0", dtypes=INDEX,
    batch="a few sizes, checked together",
)  # fmt: skip
BROADCAST_GRADIENT_ARGS = define(
    "BroadcastGradientArgs", "s0:T=int32 s1", _gradient_args_type, _gradient_args, {}, outputs="r0 r1", dtypes=INDEX,
    batch="shape depends on values",
)  # fmt: skip


@export("broadcast_static_shape")
def broadcast_static_shape(shape_x: object, shape_y: object) -> TensorShape:
    """The static shape of an element-wise operation on tensors of two static shapes; a ValueError where they do not fit.

    >>> tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3]))
    TensorShape([2, 3])
    """
    return TensorShape(broadcast(as_dims(shape_x), as_dims(shape_y)))


@export("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: TensorLike, shape_y: TensorLike) -> Tensor:
    """The shape of an element-wise operation on tensors whose shapes are tensors; InvalidArgumentError where they do not fit.

    >>> tf.broadcast_dynamic_shape([2, 1], [3]).numpy().tolist()
    [2, 3]
    """
    return BROADCAST_ARGS(shape_x, shape_y)
