"""Reductions along axes: Sum, Mean, Prod, Max, Min, Any, All, EuclideanNorm.

Axes are an input, as in TensorFlow, so they may be known only when a graph runs; the rules then read shapes at run time too.
float16 and bfloat16 are reduced in float32 and rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import INDEX, NUMERIC, REAL, int32
from ...base.export import export
from ...base.lazy_import import LazyModule
from ...ir.apply import apply_eagerly, convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import current, executing_eagerly
from ...ir.convert import is_tensor_like
from ...ir.node import Node
from ...ir.op import PLAIN, Op, Remedies, Traits, define, is_known
from ...ir.tensor import EagerTensor, IntLike, NumberLike, Tensor, TensorType
from ...kernels import blocked, reductions
from ...kernels.loops import Loop
from ...kernels.native_loops import LEAST_ENTRIES, run_natively
from ..array.basic import BROADCAST_TO, ONES_LIKE, ones_of, reshape, shape_of, zeros_of
from ..array.create import RANGE
from ..array.gather import gather
from ..array.gather_nd import GATHER_ND
from ..array.join import concat, stack
from ..array.scatter import tensor_scatter_nd_update
from ..array.shape import rank, size
from ..array.transpose import transpose
from ..array.where import WHERE
from ..batching import shift_axes
from ..lowering import reduce as native_reduce
from ..lowering.reduce import is_narrow as is_narrow
from ..math.arithmetic import FACTORS, TERMS
from ..math.division import FLOOR_DIV, floormod
from ..math.kernels import truncate_div
from ..primitives.cast import CAST
from ..primitives.compare import equal, less
from . import entry_loops

if TYPE_CHECKING:
    from ..array import order as array_order
    from . import scan
else:
    array_order, scan = LazyModule("pullback.ops.array.order"), LazyModule("pullback.ops.reduce.scan")

Array = np.ndarray[Any, Any]
#: NumPy's own reductions, whose overloads know no `keepdims` that is not a literal.
_add: Any = np.add.reduce
_multiply: Any = np.multiply.reduce
_maximum: Any = np.maximum.reduce
_minimum: Any = np.minimum.reduce


# ---- types


def reduced_dims(dims: Any, axes: Any, keep_dims: bool) -> Any:
    """The dims left after reducing along `axes` (an array, or None when unknown)."""
    if dims is None or not is_known(axes):
        return (None,) * len(dims) if keep_dims and dims is not None else None
    gone = set()
    for axis in np.ravel(axes):
        if not -len(dims) <= axis < len(dims):
            raise ValueError(f"Invalid reduction dimension {axis} for input with {len(dims)} dimensions.")
        place = int(axis) % len(dims)
        if place in gone and executing_eagerly():
            raise ValueError(f"Invalid reduction arguments: Axes contains duplicate dimension: {place}")
        gone.add(place)
    return tuple(1 if i in gone else n for i, n in enumerate(dims) if keep_dims or i not in gone)


def check_axes(axes: Any) -> None:
    """Refuse, in a graph, a matrix of axes; eager execution takes its numbers, as TensorFlow's does."""
    if not executing_eagerly() and axes.dims is not None and len(axes.dims) > 1:
        raise ValueError(f"Shape must be at most rank 1 but is rank {len(axes.dims)}")


def _reduced_type(input: Any, reduction_indices: Any, *, keep_dims: bool = False) -> TensorType:
    check_axes(reduction_indices)
    return TensorType(reduced_dims(input.dims, reduction_indices.constant, keep_dims), input.dtype)


# ---- kernels


def axes_of(reduction_indices: Array) -> tuple[int, ...]:
    """A reduction's axes as NumPy takes them, which reads no more than 32 bits of each."""
    axes = tuple(reduction_indices.ravel().tolist())
    if reduction_indices.dtype.itemsize > 4 and any(not -(2**31) <= axis < 2**31 for axis in axes):
        raise ValueError("no such axis")  # the type rule finds the words
    return axes


def _widen_kernel(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction that computes narrow floats in float32."""

    def reduce_widened(input: Array, reduction_indices: Array, *, keep_dims: bool = False) -> Any:
        axes = axes_of(reduction_indices)
        if is_narrow(input):
            return kernel(input.astype(np.float32), axes, keep_dims).astype(input.dtype)
        return kernel(input, axes, keep_dims)

    return reduce_widened


def _sum(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Any:
    found = reductions.total(x, axes, keep_dims) if x.size >= blocked.LARGE else None
    return _add(x, axis=axes, keepdims=keep_dims, dtype=x.dtype) if found is None else found


def _prod(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Any:
    found = reductions.extreme(x, axes, keep_dims, np.multiply) if x.size >= blocked.LARGE and x.dtype.kind == "f" else None
    return _multiply(x, axis=axes, keepdims=keep_dims, dtype=x.dtype) if found is None else found


def _mean(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Any:
    count = math.prod(x.shape[a] for a in axes)
    if x.dtype.kind in "iu":
        wide = np.uint64 if x.dtype.kind == "u" else np.int64
        total = _add(x, axis=axes, keepdims=keep_dims, dtype=wide)
        return truncate_div(total, np.asarray(max(count, 1), wide)).astype(x.dtype)
    return np.asarray(_sum(x, axes, keep_dims)) / x.dtype.type(count)


def mean_of(x: Array, axes: tuple[int, ...]) -> Array:
    """The mean of floating numbers along `axes`, for kernels."""
    return np.asarray(_mean(x, axes, False))


def _norm(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Any:
    found = reductions.squares(x, axes, keep_dims) if x.size >= blocked.LARGE else None
    if found is not None:
        return np.sqrt(found)
    with np.errstate(invalid="ignore"):  # a sum of integers that wrapped round below zero
        return np.sqrt(_sum(np.abs(x) ** 2 if x.dtype.kind == "c" else np.square(x), axes, keep_dims)).astype(x.dtype)


def limits(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """The least and the greatest value of a dtype, infinities for floating ones."""
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return dtype.type(info.min), dtype.type(info.max)
    return dtype.type(-np.inf), dtype.type(np.inf)


def _max(x: Array, reduction_indices: Array, *, keep_dims: bool = False) -> Any:
    axes = axes_of(reduction_indices)
    found = reductions.extreme(x, axes, keep_dims, np.maximum) if x.size >= blocked.LARGE else None
    return _maximum(x, axis=axes, keepdims=keep_dims, initial=limits(x.dtype)[0]) if found is None else found


def _min(x: Array, reduction_indices: Array, *, keep_dims: bool = False) -> Any:
    axes = axes_of(reduction_indices)
    found = reductions.extreme(x, axes, keep_dims, np.minimum) if x.size >= blocked.LARGE else None
    return _minimum(x, axis=axes, keepdims=keep_dims, initial=limits(x.dtype)[1]) if found is None else found


def _allow_native(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction that may give way to a native program."""

    def reduce_natively(input: Array, reduction_indices: Array, *, keep_dims: bool = False) -> Any:
        if input.size < blocked.SHARED or not input.flags.c_contiguous:
            return kernel(input, reduction_indices, keep_dims=keep_dims)
        return blocked.try_natively(reduce_natively, kernel, (input, reduction_indices), {"keep_dims": keep_dims})

    return reduce_natively


# ---- gradients


def spread(g: Any, input_type: Any, reduction_indices: Any, keep_dims: bool) -> Any:
    """The cotangent of a reduction brought back to the input's shape."""
    if g.dims == () or _reduces_leading(input_type.dims, reduction_indices.constant):
        return BROADCAST_TO(g, shape_of(input_type))
    return BROADCAST_TO(keep_axes(g, input_type, reduction_indices, keep_dims), shape_of(input_type))


def _reduces_leading(dims: Any, axes: Any) -> bool:
    """Whether the reduced axes are the first ones, so that what is left broadcasts back as it is."""
    if dims is None or not is_known(axes):
        return False
    return sorted(axis % len(dims) for axis in axes.ravel().tolist()) == list(range(axes.size))


def keep_axes(g: Tensor, input_type: object, reduction_indices: Tensor, keep_dims: bool) -> Tensor:
    """`g`, of a reduction's output, with size 1 for the axes that were reduced."""
    return g if keep_dims else reshape(g, _compute_kept_shape(input_type, reduction_indices))


def _compute_kept_shape(input_type: Any, reduction_indices: Any) -> Tensor | np.ndarray:
    """The shape of the input with 1 for the reduced axes, as a constant or a tensor."""
    shape = shape_of(input_type)
    axes = reduction_indices.constant
    if is_known(axes) and input_type.dims is not None:
        axes = axes.ravel() % max(len(input_type.dims), 1)
        if isinstance(shape, np.ndarray):
            result = shape.copy()
            result[axes] = 1
            return result
        return tensor_scatter_nd_update(shape, axes[:, None], np.ones(axes.size, np.int32))
    rank = CAST.call(size(shape), DstT=reduction_indices.dtype)
    axes = reshape(floormod(reduction_indices, rank), [-1, 1])
    return tensor_scatter_nd_update(shape, axes, ONES_LIKE.call(GATHER_ND.call(shape, axes)))


def _size_type(shape: Any, reduction_indices: Any) -> TensorType:
    return TensorType((), shape.dtype)


def _reduced_size(shape: Array, reduction_indices: Array) -> Any:
    return np.prod(shape[reduction_indices.ravel()], dtype=shape.dtype)


REDUCED_SIZE = define(
    "ReducedSize",
    "shape:Tshape reduction_indices:Tidx",
    _size_type,
    _reduced_size,
    {},
    dtypes={"Tshape": INDEX, "Tidx": INDEX},
)


def _count(input_type: Any, reduction_indices: Any, dtype: Any) -> Any:
    """How many elements each output of a reduction comes from: a number where it is known, else a tensor of `dtype`."""
    dims, axes = input_type.dims, reduction_indices.constant
    if dims is not None and is_known(axes):
        sizes = [dims[a] for a in np.ravel(axes)]
        if None not in sizes:
            return float(np.prod(sizes, dtype=np.int64)) if dtype.is_floating or dtype.is_complex else int(np.prod(sizes, dtype=np.int64))
    return CAST.call(REDUCED_SIZE(shape_of(input_type), reduction_indices), DstT=dtype)


def _mean_back(g: Any, input_type: Any, reduction_indices: Any, keep_dims: bool) -> Tensor:
    return spread(g / _count(input_type, reduction_indices, g.dtype), input_type, reduction_indices, keep_dims)


def _multiply_others(x: Any, axis: int) -> Tensor:
    """Along `axis`, for each element the product of all the others."""
    before = scan.cumprod(x, axis, exclusive=True)
    return before * scan.cumprod(x, axis, exclusive=True, reverse=True)


def part_axes(axes: Tensor, shape: Tensor) -> tuple[Tensor, Tensor]:
    """Axes of a tensor of `shape` that only a run knows, counted from the front, and those that are not among them."""
    chosen = CAST.call(axes, DstT=int32)
    chosen = chosen + size(shape) * CAST.call(less(chosen, 0), DstT=int32)
    left = WHERE.call(tensor_scatter_nd_update(ones_of(shape), reshape(chosen, [-1, 1]), zeros_of(chosen)))
    return chosen, CAST.call(reshape(left, [-1]), DstT=int32)


def _multiply_others_of(x: Any, axes: Any) -> Tensor:
    """The same along axes that only a run knows: they are brought to the front, as one."""
    whole = convert_to_tensor(shape_of(x))
    reduced, kept = part_axes(reshape(axes, [-1]), whole)
    order = concat([reduced, kept], 0)
    turned = transpose(x, order)
    rows = reshape(turned, stack([PROD(gather(whole, part), 0) for part in (reduced, kept)]))
    return transpose(reshape(_multiply_others(rows, 0), gather(whole, order)), array_order.INVERT_PERMUTATION.call(order))


def _prod_back(g: Any, input: Any, reduction_indices: Any, keep_dims: bool) -> Tensor:
    """The product of the others, axis by axis: right where elements are zero, unlike a division by the element."""
    axes = reduction_indices.constant
    if not is_known(axes) and g.dims == ():  # all axes, however many a run finds
        return reshape(g * _multiply_others(reshape(input, [-1]), 0), shape_of(input))
    if not is_known(axes):
        return _multiply_others_of(input, reduction_indices) * keep_axes(g, input, reduction_indices, keep_dims)
    back = keep_axes(g, input, reduction_indices, keep_dims)
    part = input
    for axis in np.ravel(axes).tolist():
        back = back * _multiply_others(part, axis)
        part = PROD(part, [axis], keep_dims=True)
    return back if len(np.ravel(axes)) else g


def quotient(a: Tensor, b: Tensor) -> Tensor:
    """a / b; whole numbers stay whole, as where TensorFlow 1 differentiates integers."""
    return FLOOR_DIV.call(a, b) if a.dtype.is_integer else a / b


def _extreme_back(g: Any, input: Any, reduction_indices: Any, out: Any, keep_dims: bool) -> Tensor:
    """The cotangent to the elements that equal the extreme, in equal parts where several do."""
    chosen = CAST.call(equal(input, keep_axes(out, input, reduction_indices, keep_dims)), DstT=g.dtype)
    number = SUM(chosen, reduction_indices, keep_dims=True)
    return quotient(chosen, number) * keep_axes(g, input, reduction_indices, keep_dims)


def _norm_back(g: Any, input: Any, reduction_indices: Any, out: Any, keep_dims: bool) -> Any:
    """x / norm; NaN at the origin, nothing for nothing."""
    if input.dims is not None and 0 in input.dims:
        return input * keep_axes(g, input, reduction_indices, keep_dims)
    return input * keep_axes(g / out, input, reduction_indices, keep_dims)


# ---- records


def _sum_names(node: Node) -> tuple[str, ...]:
    """TensorFlow tiles the cotangent where the shape is known or nothing is left of it."""
    input, axes = node.inputs
    known = input.dims is not None and is_known(axes.constant)
    tiled = known and (None not in input.dims or np.array_equal(axes.constant, range(len(input.dims))))
    return ("Tile" if tiled else "BroadcastTo",)


_AXIS = {"reduction_indices": "axis"}


def _reduction(
    name: str, kernel: Callable[..., Any], back: Callable[..., Any] | None, dtypes: Any, *, holomorphic: bool = True,
    traits: Traits = PLAIN, **more: Any,
) -> Op:  # fmt: skip
    vjp: dict[str | tuple[str, ...], Callable[..., Any]] = {} if back is None else {"input": back}
    allowed = {"T": dtypes, "Tidx": INDEX}
    return define(
        name, "input reduction_indices:Tidx", _reduced_type, kernel, vjp, dtypes=allowed, holomorphic=holomorphic,
        batch=shift_axes("reduction_indices"), traits=traits._replace(reduces=True, raw_names=_AXIS), **more,
    )  # fmt: skip


SUM = _reduction(
    "Sum", _widen_kernel(_sum), spread, NUMERIC, holomorphic=False, lower=native_reduce.reduction("sum"), gradient_names=_sum_names,
    traits=Traits(remedies=TERMS),
)  # fmt: skip
MEAN = _reduction(
    "Mean", _widen_kernel(_mean), _mean_back, NUMERIC, holomorphic=False, lower=native_reduce.mean, gradient_names="truediv",
    traits=Traits(remedies=TERMS),
)  # fmt: skip
PROD = _reduction(
    "Prod", _allow_native(_widen_kernel(_prod)), _prod_back, NUMERIC, lower=native_reduce.reduction("prod"), tolerance=tolerance.SUMS,
    gradient_names="Reshape_4",
    traits=Traits(remedies=FACTORS, multiplies=True),
)  # fmt: skip
MAX = _reduction(
    "Max", _allow_native(_max), _extreme_back, REAL, lower=native_reduce.reduction("max"), traits=Traits(chooses="the maximum was among")
)
MIN = _reduction(
    "Min", _allow_native(_min), _extreme_back, REAL, lower=native_reduce.reduction("min"), traits=Traits(chooses="the minimum was among")
)
_NORM = "the slope of a norm is not defined at 0: use pullback.safe_norm, or tf.sqrt(tf.reduce_sum(x * x) + 1e-12)"
NORM = _reduction(
    "EuclideanNorm",
    _allow_native(_widen_kernel(_norm)),
    _norm_back,
    NUMERIC,
    holomorphic=False,
    lower=native_reduce.norm,
    tolerance=tolerance.SUMS,
    gradient_names="truediv_1",
    traits=Traits(remedies=Remedies(backward=_NORM)),
)


def _logical(name: str, kernel: Callable[..., Any], loop: Loop) -> Op:
    def reduce_logical(input: Array, reduction_indices: Array, *, keep_dims: bool = False) -> Any:
        axes = axes_of(reduction_indices)
        spans = reductions.spans_of(input, axes) if input.size >= LEAST_ENTRIES else None
        if spans is not None and spans[0] > 1 and spans[2] == 1:
            found, whole = np.empty(spans[0], np.bool_), spans[1] % 8 == 0  # eight truth values are one number
            numbers, every = (input.reshape(-1).view(np.int64), 0x0101010101010101) if whole else (input.reshape(-1), 1)
            given = found, numbers, spans[0], numbers.size // spans[0], every
            if run_natively(loop, input.size, *given, glance=entry_loops.GLANCE) is not None:
                return found.reshape(reductions.shape_without(input, axes, keep_dims))
        return kernel(input, axis=axes, keepdims=keep_dims)

    batch = shift_axes("reduction_indices")
    return define(
        name,
        "input:bool reduction_indices:Tidx",
        _reduced_type,
        reduce_logical,
        {},
        dtypes={"Tidx": INDEX},
        batch=batch,
        lower=native_reduce.reduction(name.lower()),
        traits=Traits(reduces=True, raw_names=_AXIS),
    )


ANY_OF = _logical("Any", np.logical_or.reduce, entry_loops.has_any_bit)
ALL_OF = _logical("All", np.logical_and.reduce, entry_loops.has_all_bits)


# ---- functions


def reduce_axes(x: Tensor, axis: object) -> Any:
    """`axis` as the op takes it: all axes for None; a constant where the rank is known, else a tensor."""
    if axis is None:
        if not (dims := getattr(x, "dims", None)):  # of no rank, as well: it is what TensorFlow asks
            return RANGE.call(0, rank(x), 1, name="range")
        return convert_to_tensor(np.arange(len(dims), dtype=np.int32))
    return axis


_ATTRS = {keeps: {"keep_dims": keeps} for keeps in (False, True)}


def _reduce(op: Op, input_tensor: Any, axis: Any, keepdims: bool | None, name: str | None) -> Any:
    """A reduction, by a shorter way where a tensor with a value is reduced along one axis or all."""
    x = input_tensor
    if current().graph is not None:  # the operation itself converts, in its scope, but where the axes hang on the rank
        converts = not hasattr(x, "dims") and is_tensor_like(x)
    else:
        converts = type(x) is not EagerTensor
    if converts:
        x = convert_to_tensor(x, dtype=None if is_tensor_like(x) else op.inputs[0].dtype)
    if type(x) is EagerTensor and (axis is None or (type(axis) is int and -256 < axis < 256)) and current().graph is None:
        return apply_eagerly(op, x, _axes_tensor(x.value.ndim if axis is None else None, axis), _ATTRS[bool(keepdims)])
    reduced = op(x, reduce_axes(x, axis), keep_dims=bool(keepdims), name=name)
    if axis is None and not keepdims:
        reduced.set_shape(())  # whatever the rank is that only a run knows
    return reduced


@lru_cache(maxsize=256)
def _axes_tensor(rank: int | None, axis: int | None) -> EagerTensor:
    """One axis, or all axes of a tensor of this rank: the same few tensors over and over."""
    return EagerTensor(np.array(axis, np.int32) if rank is None else np.arange(rank, dtype=np.int32))


@export(v2=("reduce_sum", "math.reduce_sum"))
@takes_composites
def reduce_sum(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The sum along `axis` (an int, several, or None for all).

    input_tensor: numeric.  keepdims: keep reduced axes with size 1.  Raises InvalidArgumentError (in graphs ValueError) for an
    axis that is not there.

    >>> tf.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist()
    [4.0, 6.0]
    """
    return _reduce(SUM, input_tensor, axis, keepdims, name)


@export(v2=("reduce_mean", "math.reduce_mean"))
@takes_composites
def reduce_mean(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The mean along `axis`; arguments and errors as `reduce_sum`.  Integers stay integers, rounded towards zero.

    >>> tf.reduce_mean([[1.0, 2.0], [3.0, 4.0]], axis=1).numpy().tolist()
    [1.5, 3.5]
    """
    return _reduce(MEAN, input_tensor, axis, keepdims, name)


@export(v2=("reduce_prod", "math.reduce_prod"))
@takes_composites
def reduce_prod(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The product along `axis`; arguments and errors as `reduce_sum`.  The gradient is right where elements are zero.

    >>> tf.reduce_prod([[1.0, 2.0], [3.0, 4.0]]).numpy().item()
    24.0
    """
    return _reduce(PROD, input_tensor, axis, keepdims, name)


@export(v2=("reduce_max", "math.reduce_max"))
@takes_composites
def reduce_max(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The greatest element along `axis`, minus infinity (the least integer) of none; real dtypes, errors as `reduce_sum`.

    Elements that are equally great share the gradient in equal parts.

    >>> tf.reduce_max([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist()
    [3.0, 4.0]
    """
    return _reduce(MAX, input_tensor, axis, keepdims, name)


@export(v2=("reduce_min", "math.reduce_min"))
@takes_composites
def reduce_min(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The least element along `axis`, infinity (the greatest integer) of none; the rest as `reduce_max`.

    >>> tf.reduce_min([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist()
    [1.0, 2.0]
    """
    return _reduce(MIN, input_tensor, axis, keepdims, name)


@export(v2=("reduce_any", "math.reduce_any"))
@takes_composites
def reduce_any(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """Whether any element along `axis` is true; input_tensor: bool.  No gradient.

    >>> tf.reduce_any([[True, False], [False, False]], axis=1).numpy().tolist()
    [True, False]
    """
    return _reduce(ANY_OF, input_tensor, axis, keepdims, name)


@export(v2=("reduce_all", "math.reduce_all"))
@takes_composites
def reduce_all(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """Whether all elements along `axis` are true; input_tensor: bool.  No gradient.

    >>> tf.reduce_all([[True, False], [True, True]], axis=1).numpy().tolist()
    [False, True]
    """
    return _reduce(ALL_OF, input_tensor, axis, keepdims, name)


@export("math.reduce_euclidean_norm")
def reduce_euclidean_norm(input_tensor: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The square root of the sum of squares along `axis`; arguments and errors as `reduce_sum`.  NaN gradient at the origin.

    >>> tf.math.reduce_euclidean_norm([3.0, 4.0]).numpy().item()
    5.0
    """
    return _reduce(NORM, input_tensor, axis, keepdims, name)
