"""Concatenate, stack and split: adjoint pairs.  `ConcatV2` hands sparse gradients on along axis 0."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX, DType, int8, int32
from ...base.export import export
from ...base.shapes import Shape, merge, num_elements, show
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.attributes import refused_value
from ...ir.composite import takes_composites
from ...ir.context import Dispatch, ScopeName, executing_eagerly, scope
from ...ir.convert import holds_tensors, is_tensor_like
from ...ir.function_graph import IDENTITY
from ...ir.op import Op, Traits, define
from ...ir.tensor import LATE_BOUND, EagerTensor, IndexedSlices, IntLike, SymbolicTensor, Tensor, TensorLike, TensorType
from ..batching import shift_axes
from ..lowering import array as native_array
from ..primitives.cast import cast
from .basic import SHAPE, reshape, shape_of
from .type_rules import Array, check_axis, elements, invalid_argument, known_count, known_int, plus, rank_of, unknown_dims
from .where import where

# ---- concatenate


def _concat_type(values: Any, axis: Any) -> TensorType:
    if axis.dims not in (None, ()):
        eagerly = f"axis tensor should be a scalar integer, but got shape {show(axis.dims)}"
        raise ShapeError(f"Shape must be rank 0 but is rank {len(axis.dims)}", eagerly)
    ranks = [len(v.dims) for v in values if v.dims is not None]
    if not values:
        raise ShapeError("List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2.", "ConcatV2 has no inputs")
    dtype, at = values[0].dtype, known_int(axis)
    if not ranks:
        return TensorType(None, dtype)
    rank = ranks[0]
    first = next(v for v in values if v.dims is not None)
    if rank == 0:
        text = "Can't concatenate scalars (use tf.stack instead)"
        raise ShapeError(text, f"ConcatOp : {text}")
    for i, v in enumerate(values):
        if v.dims is not None and len(v.dims) != rank:
            eagerly = f"ConcatOp : Ranks of all input tensors should match: shape[0] = {show(first.dims)} vs. shape[{i}] = {show(v.dims)}"
            raise ShapeError(f"Shape must be rank {rank} but is rank {len(v.dims)}", eagerly)
    if at is None:
        return TensorType(unknown_dims(rank), dtype)
    eagerly = f"ConcatOp : Expected concatenating dimensions in the range [{-rank}, {rank}), but got {at}"
    at = check_axis(at, rank, f"Shape must be at least rank {at + 1 if at >= 0 else -at} but is rank {rank}", eagerly)
    dims = list(first.dims)
    for i, v in enumerate(values):
        for d in range(rank):
            n = None if v.dims is None else v.dims[d]
            if d == at or n is None:
                continue
            if dims[d] is not None and dims[d] != n:
                eagerly = (
                    f"ConcatOp : Dimension {d} in both shapes must be equal: shape[0] = {show(first.dims)} vs. shape[{i}] = {show(v.dims)}"
                )
                raise ShapeError(f"Dimension {d} in both shapes must be equal, but are {dims[d]} and {n}", eagerly)
            dims[d] = n
    dims[at] = plus(*(None if v.dims is None else v.dims[at] for v in values))
    return TensorType(tuple(dims), dtype)


def _concat(values: list[Array], axis: Array) -> Array:
    if axis.size != 1 or axis.ndim > 1:
        raise ValueError("tensors are joined along one axis")
    return np.concatenate(values, axis=int(axis.reshape(())))


def _unconcat(g: Any, values_type: Any, axis: Any) -> Any:
    """The pieces of the cotangent; sparse pieces of a sparse one along axis 0."""
    at = known_int(axis)
    sizes = [None if at is None or v.dims is None else v.dims[at] for v in values_type]
    if isinstance(g, IndexedSlices):
        if at == 0:
            return _sparse_pieces(g, values_type)
        g = g.__as_tensor__()
    if len(values_type) == 1:
        return [g]
    if None in sizes:
        split = STACK([SHAPE(v)[axis if at is None else at] for v in values_type], axis=0)
        return SPLIT_V(g, split, cast(axis, int32), num_split=len(values_type))
    return SPLIT_V(g, np.array(sizes, np.int32), at, num_split=len(values_type))


def _sparse_pieces(g: IndexedSlices, values_type: Any) -> list[IndexedSlices]:
    """The rows of `g` that belong to each value, with the numbers they have there."""
    pieces: list[IndexedSlices] = []
    start: Any = 0
    for v in values_type:
        size = cast(shape_of(v)[0], g.indices.dtype)
        inside = (g.indices >= start) & (g.indices < start + size)
        rows = reshape(where(inside), [-1])
        values, indices = g._take_rows(rows)
        pieces.append(IndexedSlices(values, indices - start, convert_to_tensor(shape_of(v))))
        start += size
    return pieces


CONCAT = define(
    "ConcatV2", "*values axis:Tidx", _concat_type, _concat, {"values": _unconcat}, dtypes={"Tidx": INDEX, "T": ANY}, holomorphic=False,
    sparse=True,
    batch=shift_axes("axis"),
    lower=native_array.concat,
    traits=Traits(copies=True, moves=True, folds_in_part=True),
)  # fmt: skip


def _all_numpy(values: Sequence[Any]) -> bool:
    return all(isinstance(v, (np.ndarray, np.generic)) and v.dtype.kind in "biufc" for v in values)


def _refuse_mixed(values: Sequence[Any], op: str) -> None:
    """A TypeError where NumPy arrays of several dtypes are joined in a graph; eagerly later ones are cast to the first one's."""
    if not executing_eagerly() and _all_numpy(values) and len({v.dtype for v in values}) > 1:
        dtypes = ", ".join(v.dtype.name for v in values)
        raise TypeError(f"Tensors in list passed to 'values' of '{op}' Op have types [{dtypes}] that don't all match.")


def _is_constant(values: Sequence[Any]) -> bool:
    """Whether a list of these is a constant as it stands: numbers and lists of them, eagerly arrays too."""
    arrays = (np.ndarray, list, tuple)
    return (
        not any(is_tensor_like(v) or (hasattr(v, "__array__") and not isinstance(v, (np.ndarray, np.generic))) for v in values)
        and not holds_tensors(list(values))
        and (executing_eagerly() or not any(isinstance(v, arrays) for v in values))
    )


@export("concat")
@takes_composites
def concat(values: TensorLike, axis: IntLike, name: str = "concat") -> Tensor:
    """Join tensors along an axis they already have.

    values: a list of tensors of one dtype and rank, equal in all sizes but that of `axis`; one tensor alone is returned as it is.
    axis: an integer in [-rank, rank).  Raises InvalidArgumentError (ValueError in a graph) where shapes do not fit or for scalars.
    Gradient: each value's part of the upstream gradient; sparse stays sparse along axis 0.

    >>> tf.concat([[[1, 2]], [[3, 4]]], 0).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    if not isinstance(values, (list, tuple)):
        if hasattr(values, "concat_elements"):  # a list that grew in a graph
            return values.concat_elements(axis, name)
        values = [values]
    if not values:
        text = "List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2."
        raise refused_value(text)
    if len(values) == 1:
        with scope(name, "concat"):
            if not executing_eagerly() or type(axis) is not int:
                at = convert_to_tensor(axis, int32, name="concat_dim")
                if at.dims not in (None, ()):
                    raise ValueError(f"Shape {at.shape} must have rank 0")
            return IDENTITY(values[0], name=name)
    _refuse_mixed(values, "ConcatV2")
    return CONCAT(values, axis, name=name)


# ---- stack


def _merge_dims(values: Any, eagerly: Any) -> Shape:
    dims: Shape = None
    for i, v in enumerate(values):
        try:
            dims = merge(dims, v.dims)
        except ValueError:
            a, b = values[0].dims, v.dims
            if len(a) != len(b):
                text = f"Shapes must be equal rank, but are {len(a)} and {len(b)}"
            else:
                d = next(k for k, (m, n) in enumerate(zip(a, b, strict=True)) if m != n)
                text = f"Dimension {d} in both shapes must be equal, but are {a[d]} and {b[d]}. Shapes are {show(a)} and {show(b)}."
            raise ShapeError(text, eagerly(i)) from None
    return dims


def _stack_type(values: Any, *, axis: int = 0) -> TensorType:
    first = values[0]
    dims = _merge_dims(
        values,
        lambda i: f"Shapes of all inputs must match: values[0].shape = {show(first.dims)} != values[{i}].shape = {show(values[i].dims)}",
    )
    if dims is None:
        return TensorType(None, first.dtype)
    at = check_axis(axis, len(dims) + 1, *[f"axis = {axis} not in [{-len(dims) - 1}, {len(dims) + 1})"] * 2)
    return TensorType((*dims[:at], len(values), *dims[at:]), first.dtype)


def _stack(values: list[Array], *, axis: int = 0) -> Array:
    return np.stack(values, axis=axis)


STACK: Op = define(
    "Pack", "*values", _stack_type, _stack, {"values": lambda g, values_type, axis: UNSTACK(g, num=len(values_type), axis=axis)},
    dtypes=ANY, holomorphic=False,
    batch=shift_axes("axis"),
    lower=native_array.pack,
    gradient_names="unstack",
    traits=Traits(copies=True, moves=True, folds_in_part=True),
)  # fmt: skip


@export("stack")
@takes_composites
def stack(values: TensorLike, axis: int = 0, name: str = "stack") -> Tensor:
    """Put tensors of one shape side by side along a new axis.

    values: a list of tensors of one shape and dtype (or one tensor, whose rows are taken).  axis: where the new axis stands, in
    [-rank-1, rank+1), else ValueError.  Raises InvalidArgumentError (ValueError in a graph) where shapes differ.
    Gradient: the upstream gradient unstacked.

    >>> tf.stack([[1, 2], [3, 4]], axis=1).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    if not isinstance(values, (list, tuple)):
        if hasattr(values, "stack_elements"):  # a list that grew in a graph
            return values.stack_elements(axis, name)
        if values is None:
            raise TypeError("Expected list for 'values' argument to 'pack' Op, not None.")
        rows = convert_to_tensor(values, name=name if axis == 0 else "values")
        if axis == 0:
            return rows
        if not rows.dims or rows.dims[0] is None or isinstance(values, SymbolicTensor):
            _check_new_axis(axis, None if rows.dims is None else len(rows.dims[1:]))
            raise TypeError(f"Expected list for 'values' argument to 'pack' Op, not {rows!r}.")
        values = unstack(rows)
    if axis == 0 and (_is_constant(values) or any(isinstance(v, (list, tuple)) for v in values) or _mixes_in_graph(values)):
        with suppress(TypeError, ValueError):  # each of them is converted by itself then
            return convert_to_tensor(values, name=name)
    _refuse_mixed(values, "Pack")
    if not values:
        raise IndexError(f"stack: of no tensors there is no axis {axis} (op Pack)")
    if axis != 0:
        _check_new_axis(axis, next((len(v.dims) for v in map(convert_to_tensor, values) if v.dims is not None), None))
    return STACK(values, axis=axis, name=ScopeName(name) if not axis and isinstance(name, str) else name)


def _mixes_in_graph(values: Sequence[Any]) -> bool:
    """Whether numbers stand beside tensors in a graph, which are constants under their places then."""
    return not executing_eagerly() and any(isinstance(v, (int, float, complex)) for v in values)


def _check_new_axis(axis: int, rank: int | None) -> None:
    if rank is not None and not -rank - 1 <= axis < rank + 1:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank - 1}, {rank + 1}) (stack, op Pack)")


# ---- unstack


def check_output_count(count: object) -> None:
    """Raise ValueError for more outputs than an operation may have."""
    if isinstance(count, int) and count >= 2**31:
        raise ValueError(f"Number of outputs is too big: {count}")


def _unstack_type(value: Any, *, num: int, axis: int = 0) -> tuple[TensorType, ...]:
    check_output_count(num)
    if value.dims is None:
        return (TensorType(None, value.dtype),) * num
    rank = len(value.dims)
    at = check_axis(axis, rank, *[f"axis = {axis} not in [{-rank}, {rank})"] * 2)
    if value.dims[at] not in (num, None):
        raise ShapeError(
            f"Dimension must be {num} but is {value.dims[at]}", f"Input shape axis {at} must equal {num}, got shape {show(value.dims)}"
        )
    found = tuple(TensorType(value.dims[:at] + value.dims[at + 1 :], value.dtype) for _ in range(num))
    if rank == 1 and value.dtype.is_integer and value.constant is not None:  # sizes of a shape, of which some may be known
        for each, size in zip(found, value.constant.tolist(), strict=True):
            each.constant = None if size is None else np.asarray(size, value.dtype.numpy_dtype)
    return found


def _unstack(value: Array, *, num: int, axis: int = 0) -> list[Array]:
    if value.shape[axis] != num:
        raise ValueError("one part for each index of the axis")
    rows = np.moveaxis(value, axis, 0)
    return [rows[i, ...] for i in range(num)]


UNSTACK: Op = define(
    "Unpack", "value", _unstack_type, _unstack, {"value": lambda gs, axis: STACK(gs, axis=axis)}, outputs="*output", dtypes=ANY,
    holomorphic=False,
    batch=shift_axes("axis"),
    lower=native_array.unpack,
    gradient_names="stack",
    traits=Traits(copies=True, chooses="the parts asked for took"),
)  # fmt: skip


@export("unstack")
def unstack(value: TensorLike, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """Take a tensor apart along `axis`, which the parts no longer have.

    num: how many parts; needed only where the size of `axis` is unknown.  Raises ValueError for an axis out of range or a size that
    cannot be known, InvalidArgumentError (ValueError in a graph) for a wrong `num`.
    Gradient: the parts' gradients stacked, zeros for unused parts.

    >>> [part.numpy().tolist() for part in tf.unstack([[1, 2], [3, 4]], axis=1)]
    [[1, 3], [2, 4]]
    """
    value = convert_to_tensor(value)
    if num is None:
        dims = value.dims
        if dims is not None:
            if not -len(dims) <= axis < len(dims):
                raise ValueError(f"Argument `axis` = {axis} not in range [{-len(dims)}, {len(dims)}) (unstack, op Unpack)")
            num = dims[axis]
        if num is None:
            raise ValueError(f"Cannot infer argument `num` from shape {value.shape} (unstack, op Unpack): give `num`")
    return UNSTACK(value, num=num, axis=axis, name=name)


# ---- split


def _parts(split_dim: Any, value: Any, eagerly: Any) -> int | None:
    """The axis to split, from the front, where it is known."""
    at, rank = known_count(split_dim, None), rank_of(value)
    if at is None or rank is None:
        return None
    return check_axis(at, rank, f"Dimension size, given by scalar input {at} must be in range [{-rank}, {rank})", eagerly(at, rank))


def _split_type(split_dim: Any, value: Any, *, num_split: int) -> tuple[TensorType, ...]:
    check_output_count(num_split)
    at = _parts(split_dim, value, lambda a, r: f"-input rank(-{r}) <= split_dim < input rank ({r}), but got {a}")
    if at is None:
        return (TensorType(unknown_dims(rank_of(value)), value.dtype),) * num_split
    size = value.dims[at]
    if size is not None and size % num_split:
        raise ShapeError(
            f"Dimension size must be evenly divisible by {num_split} but is {size}. "
            "Number of ways to split should evenly divide the split dimension",
            "Number of ways to split should evenly divide the split dimension, "
            f"but got split_dim {at} (size = {size}) and num_split {num_split}",
        )
    part = None if size is None else size // num_split
    return (TensorType((*value.dims[:at], part, *value.dims[at + 1 :]), value.dtype),) * num_split


def _split(split_dim: Array, value: Array, *, num_split: int) -> list[Array]:
    return np.split(value, num_split, axis=int(split_dim.reshape(())))


SPLIT = define(
    "Split", "split_dim:int32 value", _split_type, _split, {"value": lambda gs, split_dim: CONCAT(gs, split_dim)}, outputs="*output",
    dtypes=ANY, holomorphic=False,
    batch=shift_axes("split_dim"),
    lower=native_array.split,
    gradient_names="concat",
    traits=Traits(raw_names={"split_dim": "axis"}, copies=True, chooses="the parts asked for took"),
)  # fmt: skip


def _split_v_type(value: Any, size_splits: Any, split_dim: Any, *, num_split: int) -> tuple[TensorType, ...]:
    check_output_count(num_split)
    at = _parts(split_dim, value, lambda a, r: f"-input rank(-{r}) <= split_dim < input rank ({r}), but got {a}")
    if at is None:
        return (TensorType(unknown_dims(rank_of(value)), value.dtype),) * num_split
    if size_splits.dims is not None and size_splits.dims not in ((num_split,), (None,)):
        count = num_elements(size_splits.dims)
        raise ShapeError(
            "Length of size_splits should be equal to num_outputs",
            "size of the split_tensor must be 1-D and have the same elements as outputs "
            f"got {len(size_splits.dims)} -D and {count} elements, for {num_split} outputs",
        )
    sizes = elements(size_splits) or [None] * num_split
    whole = value.dims[at]
    if sizes.count(-1) > 1:
        raise ShapeError("size_splits can only have one -1", "There can only be one -1 in the input.")
    _refuse_negative(sizes)
    if None not in sizes and whole is not None:
        total = sum(n for n in sizes if n is not None and n != -1)
        if total > whole or (total < whole and -1 not in sizes):
            pieces = show(tuple(sizes))
            eagerly = (
                "Determined shape must either match input shape along split_dim exactly if fully specified, or be less than the size of "
                f"the input along split_dim if not fully specified.  Got: {total} in {pieces} for {whole}"
            )
            if num_split == 1:
                eagerly = f"If there is only one output, it must have the same size as the input. Input size: {whole} output size: {total}"
            raise ShapeError(f"can't split axis of size {whole} into pieces of size {pieces}", eagerly)
        sizes = [whole - total if n == -1 else n for n in sizes]
    return tuple(TensorType((*value.dims[:at], None if n is None or n < 0 else n, *value.dims[at + 1 :]), value.dtype) for n in sizes)


def _refuse_negative(sizes: Sequence[int | None]) -> None:
    for i, size in enumerate(sizes):
        if size is not None and size < -1:
            text = f"Split size at index {i} must be >= 0. Got: {size}"
            raise ShapeError(text, text)


def _split_v(value: Array, size_splits: Array, split_dim: Array, *, num_split: int) -> list[Array]:
    if size_splits.ndim != 1:
        raise ValueError("sizes are a vector")  # the type rule finds the words
    sizes, axis = size_splits.tolist(), int(split_dim.reshape(()))
    _refuse_negative(sizes)
    whole, known = value.shape[axis], sum(n for n in sizes if n != -1)
    if not sizes or len(sizes) != num_split or sizes.count(-1) > 1 or known > whole or (known < whole and -1 not in sizes):
        raise ValueError(f"{num_split} sizes that add up to {whole}, got {sizes}")
    ends = np.cumsum([whole - known if n == -1 else n for n in sizes])[:-1]
    return np.split(value, ends.tolist(), axis=axis)


SPLIT_V = define(
    "SplitV", "value size_splits:Tlen split_dim:int32", _split_v_type, _split_v, {"value": lambda gs, split_dim: CONCAT(gs, split_dim)},
    outputs="*output", dtypes={"Tlen": INDEX | {int8}, "T": ANY}, holomorphic=False,
    batch=shift_axes("split_dim", others=("size_splits",)),
    lower=native_array.split_v,
    gradient_names="concat",
    traits=Traits(raw_names={"split_dim": "axis"}, copies=True, chooses="the parts asked for took"),
)  # fmt: skip


@export("split")
@takes_composites
def split(value: TensorLike, num_or_size_splits: IntLike, axis: IntLike = 0, num: int | None = None, name: str = "split") -> list[Tensor]:
    """Cut a tensor along `axis` into equal parts, or into parts of the given sizes.

    num_or_size_splits: an int that divides the size of `axis`, or a vector of sizes that add up to it (of several one may be -1: what is
    left).  num: the number of parts where the vector's length is unknown.  Raises InvalidArgumentError (ValueError in a graph) where it
    does not come out even, ValueError where the number of parts cannot be known.
    Gradient: the parts' gradients joined, zeros for unused parts.

    >>> [part.numpy().tolist() for part in tf.split([1, 2, 3], [1, 2])]
    [[1], [2, 3]]
    """
    if isinstance(num_or_size_splits, (int, np.integer)) or (
        hasattr(num_or_size_splits, "value") and isinstance(num_or_size_splits.value, int)
    ):
        check_output_count(num_or_size_splits)
        return SPLIT(axis, value, num_split=num_or_size_splits, name=name)
    sizes = convert_to_tensor(num_or_size_splits)
    if sizes.dims == ():
        raise ValueError(
            f"Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: {num_or_size_splits}"
        )
    if num is None:
        num = None if sizes.dims is None else sizes.dims[0]
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {sizes} (split, op SplitV): give `num`")
    if num == 1 and isinstance(sizes, EagerTensor) and executing_eagerly() and sizes.value.tolist() == [-1]:
        raise invalid_argument("If there is only one output, it must have the same size as the input: -1 stands for what other sizes leave")
    return SPLIT_V(value, sizes, axis, num_split=num, name=name)


# ---- lists as tensors


def pack_values(value: Any, dtype: DType | None = None, hint: DType | None = None, name: str | None = None) -> Tensor:
    """A nested list that holds tensors as one tensor: every level is a stack of what is below it.

    dtype, else hint: the dtype that tensors inside are cast to, unless the first of them has it: then all must have it.
    """
    found = _dtype_inside(value)
    given = dtype or hint or found
    return _pack_list(value, given, given is not found, name or "packed")


def _pack_list(value: Any, dtype: DType, casts: bool, name: str) -> Tensor:
    with scope(name, name) as full:
        return STACK([_pack_value(v, dtype, casts, str(i)) for i, v in enumerate(value)], name=full)


def _pack_value(value: Any, dtype: DType, casts: bool, name: str) -> Tensor:
    if holds_tensors(value):
        return _pack_list(value, dtype, casts, name)
    tensor = convert_to_tensor(value, None if is_tensor_like(value) else dtype, name=name)
    return cast(tensor, dtype) if casts and tensor.dtype.base_dtype != dtype.base_dtype else tensor


def _dtype_inside(value: Any) -> DType:
    return next(
        _dtype_inside(v) if isinstance(v, (list, tuple)) else v.dtype.base_dtype for v in value if is_tensor_like(v) or holds_tensors(v)
    )


LATE_BOUND["pack"] = stack
Dispatch.pack = staticmethod(pack_values)
