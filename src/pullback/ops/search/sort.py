"""Order along an axis: ArgMax, ArgMin, TopKV2, sorting, NthElement, InTopKV2.

Sorting is `top_k` of the whole axis, upside down for ascending order, so equal elements keep their order and the gradient
goes where the element came from.  `TakeAlong` and `PutAlong` are adjoint partners along the last axis.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import ANY, INDEX, REAL, DType, bool as boolean, int16, int32, int64, uint16
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.attributes import refused_value
from ...ir.context import scope
from ...ir.op import Op, Traits, define
from ...ir.tensor import DTypeLike, IntLike, NumberLike, Tensor, TensorType
from ...kernels import blocked, reductions
from ...kernels.native_loops import run_natively
from ..array.basic import TRANSPOSE, shape_of
from ..array.create import range as range_of
from ..array.shape import expand_dims, rank
from ..array.type_rules import check_axis, invalid_argument, known_count, known_int, rank_of, read_whole, require_rank
from ..array.where import where
from ..batching import fold_rows, shift_axes, stack_rows
from ..families import linear
from ..indexing.index import getitem
from ..lowering import moves as native_moves, search as native_search
from ..math.division import floormod
from ..primitives.cast import CAST
from ..primitives.compare import equal
from ..reduce.reductions import SUM, is_narrow, limits, quotient
from . import entry_loops

Array = np.ndarray[Any, Any]


# ---- positions of extremes


def _position_type(input: Any, dimension: Any, *, output_type: DType = int64) -> TensorType:
    if dimension.dims:
        rank = len(dimension.dims)
        raise ShapeError(
            f"Shape must be rank 0 but is rank {rank}", f"dim must be a scalar, but received tensor of shape: {list(dimension.dims)}"
        )
    if input.dims is None:
        return TensorType(None, output_type)
    axis, rank = known_int(dimension), len(input.dims)
    if axis is None:
        return TensorType((None,) * (rank - 1), output_type)
    if rank < 2:
        return TensorType((), output_type)
    axis = check_axis(axis, rank, f"Dimension ({axis}) must be in the range [{-rank}, {rank})", _outside(axis, rank))
    return TensorType((*input.dims[:axis], *input.dims[axis + 1 :]), output_type)


def _outside(axis: int, rank: int) -> str:
    return f"Expected dimension in the range [{-rank}, {rank}), but got {axis}"


def _position(find: Callable[..., Any], worst: int) -> Callable[..., Any]:
    """The first position of an extreme; NaN is never one."""

    def kernel(input: Array, dimension: Array, *, output_type: DType = int64) -> Any:
        if dimension.ndim:
            raise ValueError("the dimension is a scalar")  # the type rule finds the words
        axis = int(dimension)
        if not -input.ndim <= axis < input.ndim:
            raise invalid_argument(_outside(axis, input.ndim))
        if not input.shape[axis]:
            raise invalid_argument(f"Reduction axis {axis} is empty in shape {list(input.shape)}")
        if is_narrow(input):
            input = input.astype(np.float32)
        if input.dtype.kind == "f" and np.isnan(input).any():
            input = np.where(np.isnan(input), limits(input.dtype)[worst], input)
        return np.asarray(find(input, axis=axis)).astype(output_type.numpy_dtype)

    return kernel


def _positions(name: str, find: Callable[..., Any], worst: int, results: frozenset[DType]) -> Op:
    allowed = {"T": REAL | {boolean}, "Tidx": INDEX | {int16}, "output_type": results}
    return define(
        name,
        "input dimension:Tidx",
        _position_type,
        blocked.allow_native(_position(find, worst)),
        {},
        dtypes=allowed,
        batch=shift_axes("dimension"),
        lower=native_search.position(name.removeprefix("Arg").lower()),
    )


ARG_MAX = _positions("ArgMax", np.argmax, 0, INDEX | {int16, uint16})
ARG_MIN = _positions("ArgMin", np.argmin, 1, frozenset(INDEX))
_AXES = frozenset([int16, int32, int64])


def _check_axis(axis: Any) -> None:
    """Refuse what is no axis of `argmax`: NumPy's numbers, tensors of other dtypes, all that is no integer."""
    if axis is None or isinstance(axis, int):
        return
    dtype = getattr(axis, "dtype", None)
    if dtype is None:
        raise TypeError(f"axis must be int or Tensor with integer datatype, not {axis!r}")
    if dtype not in _AXES:
        raise TypeError(f"axis tensor dtypes {dtype} is not supported")


def _find(op: Op, input: Any, axis: Any, output_type: Any, name: str | None) -> Tensor:
    if op is ARG_MAX:
        _check_axis(axis)
    return op(input, 0 if axis is None else axis, output_type=output_type, name=name)


@export(v2=("argmax", "math.argmax"))
def argmax(input: NumberLike, axis: IntLike | None = None, output_type: DTypeLike = int64, name: str | None = None) -> Tensor:
    """The position of the greatest element along `axis` (0 by default), the first of several.  No gradient.

    input: real or bool.  output_type: int16, uint16, int32 or int64.  Raises InvalidArgumentError for an empty or missing axis
    (in graphs ValueError for a missing one).

    >>> tf.argmax([[1, 5, 2], [7, 0, 7]], axis=1).numpy().tolist()
    [1, 0]
    """
    return _find(ARG_MAX, input, axis, output_type, name)


@export(v2=("argmin", "math.argmin"))
def argmin(input: NumberLike, axis: IntLike | None = None, output_type: DTypeLike = int64, name: str | None = None) -> Tensor:
    """The position of the least element along `axis` (0 by default), the first of several.  The rest as `argmax`.

    output_type: int32 or int64.

    >>> tf.argmin([[1, 5, 2], [7, 0, 7]], axis=1).numpy().tolist()
    [0, 1]
    """
    return _find(ARG_MIN, input, axis, output_type, name)


# ---- elements along the last axis


def _last_size(t: Any) -> Any:
    """The size of the last axis: a number where it is known, else a tensor."""
    if t.dims is not None and t.dims[-1] is not None:
        return np.int32(t.dims[-1])
    return getitem(shape_of(t), -1)


def _take_type(x: Any, indices: Any) -> TensorType:
    return TensorType(indices.dims, x.dtype)


def _put_type(x: Any, indices: Any, size: Any) -> TensorType:
    return TensorType(None if x.dims is None else (*x.dims[:-1], known_int(size)), x.dtype)


def _put_along(x: Array, indices: Array, size: Array) -> Array:
    out = np.zeros((*x.shape[:-1], int(size)), x.dtype)
    np.put_along_axis(out, indices, x, -1)
    return out


TAKE: Op = linear(
    "TakeAlong", "x indices:Tidx", _take_type, lambda x, indices: np.take_along_axis(x, indices, -1),
    lambda g, x_type, indices: PUT(g, indices, _last_size(x_type)), dtypes={"T": ANY, "Tidx": INDEX | {int16}},
    batch=stack_rows("x", "indices"), lower=native_moves.take_along,
)  # fmt: skip
PUT: Op = linear(
    "PutAlong",
    "x indices:Tidx size:int32",
    _put_type,
    _put_along,
    lambda g, indices: TAKE(g, indices),
    dtypes={"T": ANY, "Tidx": INDEX | {int16}},
    batch=stack_rows("x", "indices"),
    lower=native_moves.put_along,
)


# ---- top k


def _top_type(input: Any, k: Any, *, sorted: bool = True, index_type: DType = int32) -> tuple[TensorType, TensorType]:
    number = known_count(k, f"k must be scalar, got shape {show(k.dims)}")
    if number is not None and number < 0:
        raise ShapeError(f"Need k >= 0, got {number}", f"Need k >= 0, got {number}")
    dims = input.dims
    if dims is not None:
        if not dims:
            raise ShapeError("Shape must be at least rank 1 but is rank 0", "input must be >= 1-D, got shape []")
        if number is not None and dims[-1] is not None and dims[-1] < number:
            text = f"input must have at least k columns. Had {dims[-1]}, needed {number}"
            raise ShapeError(text, text)
        dims = (*dims[:-1], number)
    return TensorType(dims, input.dtype), TensorType(dims, index_type)


def _as_comparable(x: Array) -> Array:
    """`x` in a type that NumPy sorts: of bfloat16 it would leave everything about a NaN unsorted."""
    return x.astype(np.float32) if is_narrow(x) else x


def _top(input: Array, k: Array, *, sorted: bool = True, index_type: DType = int32) -> tuple[Array, Array]:
    number, size = int(k), input.shape[-1] if input.ndim else -1
    if not 0 <= number <= size:
        raise ValueError("k does not fit")  # the type rule finds the words
    if number == 1 and input.size >= blocked.LARGE and input.dtype.kind in "fiu" and not is_narrow(input):
        indices = _position(np.argmax, 0)(input, np.array(-1))[..., None]
        if input.dtype.kind != "f" or not np.isnan(input).any():
            return np.take_along_axis(input, indices, -1), indices.astype(index_type.numpy_dtype)
    indices = blocked.find_largest(_as_comparable(input), number)
    return np.take_along_axis(input, indices, -1), indices.astype(index_type.numpy_dtype)


TOP_K = define(
    "TopKV2", "input k:Tk", _top_type, _top,
    {"input": lambda g_values, indices, input_type: PUT(g_values, indices, _last_size(input_type))},
    outputs="values indices", dtypes={"T": REAL, "Tk": INDEX | {int16}}, holomorphic=False,
    batch=stack_rows("input"), lower=native_search.top_k,
    gradient_names="Reshape_3",
    traits=Traits(chooses="the largest were among"),
)  # fmt: skip


class TopKV2(NamedTuple):
    """What `top_k` returns."""

    values: Any
    indices: Any


@export("math.top_k", "nn.top_k")
def top_k(input: NumberLike, k: IntLike = 1, sorted: bool = True, index_type: DTypeLike = int32, name: str | None = None) -> TopKV2:
    """The k greatest elements of the last axis, greatest first, and their positions; of equal elements the first first.

    input: real, rank 1 or more.  sorted=False leaves the order open (here it is the same).  index_type: int16, int32 or int64.
    Raises InvalidArgumentError (in graphs ValueError) where there are fewer than k.

    >>> values, indices = tf.math.top_k([1.0, 4.0, 2.0], k=2)
    >>> values.numpy().tolist(), indices.numpy().tolist()
    ([4.0, 2.0], [1, 2])
    """
    return TopKV2(*TOP_K(input, k, sorted=sorted, index_type=index_type, name=name))


# ---- sorting

DIRECTIONS = ("ASCENDING", "DESCENDING")


def _reverse_order(x: Any) -> Any:
    """An order-reversing map that is its own inverse: -x, and for integers one that cannot overflow."""
    if not x.dtype.is_integer:
        return -x
    greatest = -1 if x.dtype.min < 0 else x.dtype.max
    return np.asarray(greatest, x.dtype.numpy_dtype) - x


def _swap_axis_last(x: Any, axis: int) -> Any:
    """`x` with `axis` and the last axis exchanged."""
    if x.dims is None:
        count = rank(x)
        at, axes = floormod(axis, count), range_of(count)
        return TRANSPOSE.call(x, where(equal(axes, at), count - 1, where(equal(axes, count - 1), at, axes)))
    order = np.arange(len(x.dims), dtype=np.int32)
    order[[axis, -1]] = order[[-1, axis]]
    return TRANSPOSE.call(x, order)


def _sort_axis(values: Any, axis: Any, direction: str, name: str | None, which: int) -> Any:
    if direction not in DIRECTIONS:
        raise ValueError(f"Argument `direction` should be one of {', '.join(DIRECTIONS)}. Received: direction={direction}")
    with scope(name, "argsort" if which else "sort") as full:
        given = convert_to_tensor(axis, name="axis")
        x = convert_to_tensor(values, name="values")
    at = known_int(given)
    if at is None or given.dims:
        raise ValueError(f"Argument `axis` must be a constant scalar. Received: axis={axis}")
    known = None if x.dims is None else len(x.dims)
    if known is not None and not -known <= at < known:
        text = f"sort: axis {at} is out of range for an input of rank {known}"
        raise refused_value(text)
    moved = at != -1 if known is None else at % known != known - 1
    ascending = direction == "ASCENDING"
    with scope(full, "sort"):
        if moved:
            x = _swap_axis_last(x, at)
        found = TOP_K(_reverse_order(x) if ascending else x, _last_size(x))[which]
        if ascending and which == 0:
            found = _reverse_order(found)
        return _swap_axis_last(found, at) if moved else found


@export("sort")
def sort(values: NumberLike, axis: IntLike = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """The elements in order along `axis`.

    values: real.  direction: "ASCENDING" or "DESCENDING"; a ValueError for others.

    >>> tf.sort([3, 1, 2]).numpy().tolist(), tf.sort([3, 1, 2], direction="DESCENDING").numpy().tolist()
    ([1, 2, 3], [3, 2, 1])
    """
    return _sort_axis(values, axis, direction, name, 0)


@export("argsort")
def argsort(values: NumberLike, axis: IntLike = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None) -> Tensor:
    """The positions, int32, that put the elements in order along `axis`; equal elements keep their order.  No gradient.

    values, direction and errors as `sort`.  stable: always so, whether asked or not.

    >>> tf.argsort([30, 10, 20]).numpy().tolist()
    [1, 2, 0]
    """
    return _sort_axis(values, axis, direction, name, 1)


# ---- the n-th element


def _nth_type(input: Any, n: Any, *, reverse: bool = False) -> TensorType:
    at, dims = known_count(n, f"N must be scalar but has rank {rank_of(n)}"), input.dims
    if dims is not None:
        if not dims:
            raise ShapeError("Shape must be at least rank 1 but is rank 0", "Input must be >= 1-D, got []")
        if at is not None and dims[-1] is not None and dims[-1] <= at:
            text = f"Input must have last dimension > n = {at}"
            raise ShapeError(f"{text}, but is {dims[-1]}", text)
    if at is not None and at < 0:
        raise ShapeError(f"Need n >= 0, got {at}", f"Need n >= 0, got {at}")
    return TensorType(None if dims is None else dims[:-1], input.dtype)


def _find_nth(input: Array, n: Array, *, reverse: bool = False) -> Array:
    at = int(n)
    if not input.ndim or not 0 <= at < input.shape[-1]:
        raise ValueError("n does not fit")  # the type rule finds the words
    return np.sort(_as_comparable(input), axis=-1).astype(input.dtype, copy=False)[..., input.shape[-1] - 1 - at if reverse else at]


def _nth_back(g: Any, input: Any, out: Any) -> Any:
    chosen = CAST.call(equal(input, expand_dims(out, -1)), DstT=g.dtype)
    number = SUM.call(chosen, [-1], keep_dims=True)
    return quotient(chosen, number) * expand_dims(g, -1)


NTH_ELEMENT = define("NthElement", "input n:int32", _nth_type, _find_nth, {"input": _nth_back}, dtypes=REAL, batch=stack_rows("input"))


# ---- whether a class is among the first k


def _in_top_type(predictions: Any, targets: Any, k: Any) -> TensorType:
    require_rank(predictions, 2, "predictions must be 2-dimensional")
    require_rank(targets, 1, "targets must be 1-dimensional")
    rows = None if predictions.dims is None else predictions.dims[0]
    length = None if targets.dims is None else targets.dims[0]
    if rows is not None and length is not None and rows != length:
        raise ShapeError(
            f"Dimensions must be equal, but are {rows} and {length}",
            f"First dimension of predictions {rows} must match length of targets {length}",
        )
    return TensorType((length if rows is None else rows,), boolean)


def _in_top(predictions: Array, targets: Array, k: Array) -> np.ndarray:
    if predictions.shape[0] != targets.shape[0]:
        raise ValueError("lengths differ")  # the type rule finds the words
    found = np.empty(len(targets), np.bool_)
    given = predictions.reshape(-1), targets, read_whole(k, f"k must be 0-D, got shape {show(k.shape)}"), *predictions.shape
    if run_natively(entry_loops.in_top, predictions.size, found, *given, glance=_GLANCE) is not None:
        return found
    inside = (targets >= 0) & (targets < predictions.shape[1])
    own = predictions[np.arange(len(targets)), np.where(inside, targets, 0)] if predictions.shape[1] else np.zeros(len(targets), np.float32)
    has_fewer = reductions.row_sum((predictions > own[:, None]).astype(np.float32))[:, 0] < k
    is_finite = reductions.row_sum(predictions * np.float32(0))[:, 0] == 0  # NaN as soon as one is not
    return np.asarray(inside & has_fewer & is_finite)


_GLANCE = 32  # numbers of a row within which most show that k of them are ahead


IN_TOP_K = define(
    "InTopKV2",
    "predictions:float32 targets:T=int32 k",
    _in_top_type,
    _in_top,
    {},
    dtypes=INDEX,
    batch=fold_rows("predictions", "targets"),
    lower=native_search.in_top_k,
)


@export(v2=("math.in_top_k", "nn.in_top_k"))
def in_top_k(targets: NumberLike, predictions: NumberLike, k: NumberLike, name: str | None = None) -> Tensor:
    """For each row of `predictions`, whether fewer than k of its elements exceed the one at `targets`.  No gradient.

    predictions: float32 [batch, classes].  targets: integers [batch].  False for a target out of range and a row that is not finite.

    >>> tf.math.in_top_k([1, 0], [[0.1, 0.9], [0.2, 0.8]], k=1).numpy().tolist()
    [True, False]
    """
    with scope(name, "in_top_k"):
        return IN_TOP_K(predictions, targets, k)
