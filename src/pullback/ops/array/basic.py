"""Shapes and what undoes them: Shape, Reshape, BroadcastTo with its adjoint SumTo, Transpose, Fill, Identity, likes.

Adjoint partners share this file.  `shape_of` is how rules speak of a shape: a constant where it is known, else a tensor that
reads it at run time, so a rule is written once for eager tensors, known graphs and unknown dimensions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import ANY, INDEX, NUMERIC, DType, as_dtype, int32, resource, variant
from ...base.errors import InvalidArgumentError
from ...base.export import export, is_hot
from ...base.lazy_import import LazyModule
from ...base.shapes import show
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import current, scope
from ...ir.function_graph import IDENTITY
from ...ir.op import Op, Traits, define, is_known
from ...ir.references import variable_type
from ...ir.strings import tensor_of
from ...ir.tensor import LATE_BOUND, DTypeLike, EagerTensor, ShapeLike, Tensor, TensorLike, TensorType
from ...ir.tracebacks import trim
from ...kernels import constant_fill
from ..families import elementwise, linear
from ..lowering import array as native_array, math as native_math
from .type_rules import check_axis, dims_in, elements, rank_of, require_rank, shape_in, unknown_dims

if TYPE_CHECKING:
    from ..tensor_list import push_pop as lists
    from . import order
else:
    lists = LazyModule("pullback.ops.tensor_list.push_pop")
    order = LazyModule("pullback.ops.array.order")


def shape_of(x: Any, dtype: DType = int32) -> Any:
    """The shape of `x` (a tensor, or a formula's `x_type`): an array of integers where it is known, else a tensor."""
    dims = x.dims
    if dims is not None and None not in dims:
        return np.array(dims, dtype.numpy_dtype)
    return SHAPE(x, out_type=dtype)


def name_shape(x: Any) -> Any:
    """`shape_of`, in a graph a constant that is called as TensorFlow's."""
    found = shape_of(x)
    return found if current().graph is None else convert_to_tensor(found, name="Shape")


def _shape_type(input: Any, *, out_type: DType = int32) -> TensorType:
    dims = input.dims
    if dims is None:
        return TensorType((None,), out_type)
    if None in dims:
        constant = np.empty(len(dims), object)
        constant[:] = dims
        return TensorType((len(dims),), out_type, constant)
    return TensorType((len(dims),), out_type, np.array(dims, out_type.numpy_dtype))


SHAPE = define(
    "Shape", "input", _shape_type, lambda input, *, out_type=int32: np.array(input.shape, out_type.numpy_dtype), {},
    traits=Traits(reads_shape=True),
)  # fmt: skip


_MOST_DIMENSIONS = 65  # NumPy has up to 64, TensorFlow up to 253
_MOST_ELEMENTS = 2**63 - 1


def _reshape_type(tensor: Any, shape: Any) -> TensorType:
    require_rank(shape, 1, f"sizes input must be 1-D, not {show(shape.dims)}")
    given = elements(shape)
    _check_sizes(given or [])
    wanted = dims_in(shape)
    dims = tensor.dims
    if wanted is not None and len(wanted) >= _MOST_DIMENSIONS:
        text = f"too many dimensions: must be < {_MOST_DIMENSIONS}, but received {len(wanted)}"
        raise ShapeError(text, text)
    if wanted is not None and math.prod(n or 1 for n in wanted) > _MOST_ELEMENTS:
        text = f"Shape {show(wanted)} has too many elements"
        raise ShapeError(text, text)
    if wanted is None or dims is None or (None in dims and 0 not in dims):
        return TensorType(wanted, tensor.dtype)
    size = 0 if 0 in dims else math.prod(n for n in dims if n is not None)
    unknown = wanted.count(None)
    known = math.prod(n for n in wanted if n is not None)
    values = f"Input to reshape is a tensor with {size} values, but the requested shape"
    if ((size or None not in dims) and known != size and not unknown) or (size and not known):
        raise ShapeError(
            f"Cannot reshape a tensor with {size} elements to shape {show(wanted)} ({known} elements)", f"{values} has {known}"
        )
    if unknown != 1:
        return TensorType(wanted, tensor.dtype)
    if not size:
        sure = given is not None and -1 in given and (known or None not in dims)  # else any number fits where there are no elements
        rest = native_array.infer_size(given, dims) if sure else None  # type: ignore[arg-type]  # one is -1, the others are known
        return TensorType(tuple(rest if n is None else n for n in wanted), tensor.dtype)
    if size % known:
        raise ShapeError(f"Dimension size must be evenly divisible by {known} but is {size}", f"{values} requires a multiple of {known}")
    return TensorType(tuple(size // known if n is None else n for n in wanted), tensor.dtype)


def _check_sizes(sizes: list[int | None]) -> None:
    """Refuse sizes below -1, and more than one -1."""
    for i, n in enumerate(sizes):
        if n is not None and n < -1:
            raise ShapeError(f"Invalid value in tensor used for shape: {n}", f"Size {i} must be non-negative, not {n}")
    if sizes.count(-1) > 1:
        first = sizes.index(-1)
        text = f"Only one input size may be -1, not both {first} and {sizes.index(-1, first + 1)}"
        raise ShapeError(text, text)


def _reshape(tensor: np.ndarray, shape: np.ndarray) -> np.ndarray:
    sizes = shape.tolist() if shape.ndim else [shape.item()]  # eagerly one size does
    if min(sizes, default=0) < -1:
        raise ValueError("sizes of at least 0, or one -1")
    if -1 in sizes and not tensor.size:
        rest = native_array.infer_size(sizes, tensor.shape)
        return tensor.reshape([rest if n == -1 else n for n in sizes])
    return tensor.reshape(sizes)


RESHAPE = linear(
    "Reshape",
    "tensor shape:Tshape",
    _reshape_type,
    _reshape,
    lambda g, tensor_type: reshape(g, name_shape(tensor_type)),
    dtypes={"T": ANY, "Tshape": INDEX},
    lower=native_array.reshape,
    traits=Traits(shares=True, copies=True, moves=True, folds_in_part=True),
)


def _broadcast_type(input: Any, shape: Any) -> TensorType:
    require_rank(shape, 1, f"sizes input must be 1-D, not {rank_of(shape)}-D")
    wanted, dims = shape_in(shape), input.dims
    if wanted is None or dims is None:
        return TensorType(wanted, input.dtype)
    if len(dims) > len(wanted):
        eagerly = f"Rank of input ({len(dims)}) must be no greater than rank of output shape ({len(wanted)})."
        raise ShapeError(f"Shape must be at most rank {len(wanted)} but is rank {len(dims)}", eagerly)
    out = list(wanted)
    for i, n in enumerate(dims, len(wanted) - len(dims)):
        if n is not None and n > 1 and out[i] is None:
            out[i] = n
        if n not in (1, None) and out[i] not in (None, n):
            eagerly = f"Incompatible shapes: {show(dims)} vs. {show(wanted)}"
            if out[i] == 1:
                eagerly = f"Unable to broadcast tensor of shape {show(dims)} to tensor of shape {show(wanted)}"
            raise ShapeError(f"Dimensions must be equal, but are {n} and {out[i]}", eagerly)
    return TensorType(tuple(out), input.dtype)


def _broadcast_to(input: np.ndarray, shape: np.ndarray) -> np.ndarray:
    dims = tuple(shape.tolist())
    if not input.ndim and input.dtype.kind in "fiubc" and (not dims or min(dims) >= 0):
        try:  # what NumPy does with many calls
            found: np.ndarray = np.ndarray(dims, input.dtype, input, 0, (0,) * len(dims))
        except ValueError:
            return np.broadcast_to(input, dims)
        found.setflags(write=False)
        return found
    return np.broadcast_to(input, dims)


def sum_array_to(input: np.ndarray, shape: Any) -> np.ndarray:
    """The sum of `input` over the axes along which `shape` was broadcast to it."""
    shape = tuple(shape)
    if input.shape == shape:
        return input
    extra = input.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(i + extra for i, n in enumerate(shape) if n == 1 and input.shape[i + extra] != 1)
    return np.add.reduce(input, axis=axes, dtype=input.dtype, keepdims=True).reshape(shape) if axes else input.reshape(shape)


def _sum_type(input: Any, shape: Any) -> TensorType:
    return TensorType(dims_in(shape), input.dtype)


BROADCAST_TO = linear(
    "BroadcastTo",
    "input shape:Tidx",
    _broadcast_type,
    _broadcast_to,
    lambda g, input_type: sum_to(g, input_type),
    dtypes={"T": ANY, "Tidx": INDEX},
    lower=native_array.broadcast_to,
    gradient_names="Reshape",
    traits=Traits(copies=True),
)
SUM_TO = linear(
    "SumTo",
    "input shape:Tidx",
    _sum_type,
    sum_array_to,
    lambda g, input_type: broadcast_to(g, shape_of(input_type)),
    dtypes={"T": ANY, "Tidx": INDEX},
    lower=native_array.sum_to,
)


def _transposed_type(x: Any, perm: Any) -> TensorType:
    """The dimensions in the order `perm` gives."""
    require_rank(perm, 1, f"perm must be rank 1, got shape {show(perm.dims)}")
    rank, order = rank_of(x), elements(perm)
    if order is None or rank is None:
        return TensorType(unknown_dims(rank if order is None else len(order)), x.dtype)
    if len(order) != rank:
        raise ShapeError(
            f"Dimension must be {rank} but is {len(order)}",
            f"transpose expects a vector of size {rank}. But input(1) is a vector of size {len(order)}",
        )
    if None in order:
        return TensorType(unknown_dims(rank), x.dtype)
    places = [
        check_axis(p, rank, f"perm dim {p} is out of range of input rank {rank}", f"{p} is out of range [0 .. {rank})")
        for p in order
        if p is not None
    ]
    return TensorType(tuple(x.dims[p] for p in places), x.dtype)


def _transpose(x: np.ndarray, perm: np.ndarray) -> np.ndarray:
    missing = set(range(x.ndim)) - {p + x.ndim if p < 0 else p for p in perm.tolist()}
    if len(perm) == x.ndim and missing and all(-x.ndim <= p < x.ndim for p in perm.tolist()):
        raise InvalidArgumentError(None, None, f"{min(missing)} is missing from {{{','.join(map(str, perm.tolist()))}}}.")
    return x.transpose(perm)


def _inverse(perm: Any) -> Any:
    if is_known(perm.constant):
        return np.argsort(perm.constant % max(len(perm.constant), 1)).astype(np.int32)
    return order.invert_permutation(perm)


TRANSPOSE: Op = linear(
    "Transpose",
    "x perm:Tperm",
    _transposed_type,
    _transpose,
    lambda g, perm: TRANSPOSE(g, _inverse(perm)),
    dtypes={"T": ANY, "Tperm": INDEX},
    lower=native_array.transpose,
    gradient_names="transpose",
    traits=Traits(copies=True, moves=True, opens_scope=True),
)
CONJUGATE_TRANSPOSE: Op = linear(
    "ConjugateTranspose", "x perm:Tperm", _transposed_type, lambda x, perm: np.conj(_transpose(x, perm)),
    lambda g, perm: CONJUGATE_TRANSPOSE(g, _inverse(perm)), dtypes={"T": ANY, "Tperm": INDEX},
    lower=native_math.conjugate_transpose, gradient_names="transpose", traits=Traits(opens_scope=True),
)  # fmt: skip


def _fill_type(dims: Any, value: Any) -> TensorType:
    require_rank(value, 0, f"value must represent a scalar, got shape {show(value.dims)}")
    require_rank(dims, 1, f"dims must represent a vector, got shape {show(dims.dims)}")
    for n in elements(dims) or []:
        if n is not None and n < 0:
            raise ShapeError("Fill dimensions must be >= 0", f"Dimension {n} must be >= 0")
    return TensorType(dims_in(dims), value.dtype)


def _fill(dims: np.ndarray, value: np.ndarray) -> np.ndarray:
    if value.shape not in ((), (1,)) or dims.ndim > 1:
        raise ValueError("a vector of sizes and a scalar")
    # Eagerly one size does, and a vector of one value.
    return constant_fill.fill_array(tuple(np.atleast_1d(dims).tolist()), value.reshape(()), value.dtype)


FILL = define(
    "Fill", "dims:index_type value", _fill_type, _fill, {"value": lambda g, value_type: sum_to(g, value_type)},
    dtypes={"index_type": INDEX}, holomorphic=False,
    lower=native_array.fill,
    traits=Traits(copies=True),
)  # fmt: skip
ZEROS_LIKE = elementwise(
    "ZerosLike", "x", constant_fill.zeros_like, {}, dtypes=ANY, lower=lambda builder, x: builder.scalar(0, x), traits=Traits(copies=True)
)
ONES_LIKE = elementwise(
    "OnesLike",
    "x",
    constant_fill.ones_like,
    {},
    dtypes=NUMERIC | {dtypes.bool},
    lower=lambda builder, x: builder.scalar(1, x),
    traits=Traits(copies=True),
)


@export(v2="shape")
@takes_composites
def shape(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """The shape of a tensor as a vector of integers, read at run time where it is unknown before.

    out_type: int32 (None) or int64.  Not differentiable: its gradient is None.

    >>> tf.shape([[1, 2, 3]]).numpy().tolist()
    [1, 3]
    """
    return read_shape(SHAPE, input, name, out_type=as_dtype(out_type or int32))


def read_shape(op: Op, input: TensorLike, name: str | None, **attrs: Any) -> Tensor:
    """What `op` reads of a shape: in a graph a constant of the op's name where it is known, as in TensorFlow."""
    graph = current().graph
    if graph is None:
        return op(input, name=name, **attrs)
    with scope(name, op.name) as full:
        tensor = convert_to_tensor(input)
        found: Any = op.infer(tensor, **attrs)  # one output
        known = found.constant
        return op(tensor, name=full, **attrs) if known is None or known.dtype == object else graph.constant(known, full)


@takes_composites
def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """The elements of `tensor` in another shape; one entry of `shape` may be -1.

    tensor: any shape and dtype.  shape: 1-D integers.  Raises InvalidArgumentError (in graphs ValueError) where the sizes differ.

    >>> tf.reshape([1, 2, 3, 4], [2, -1]).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    return RESHAPE(tensor, shape, name=name)


export("reshape", v1="manip.reshape")(reshape)


@takes_composites
def broadcast_to(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """`input` repeated along new and size-1 axes until it has `shape`.

    >>> tf.broadcast_to([1, 2], [2, 2]).numpy().tolist()
    [[1, 2], [1, 2]]
    """
    return BROADCAST_TO(input, shape, name=name)


export("broadcast_to")(broadcast_to)


def sum_to(x: Any, like: Any) -> Tensor:
    """`x` summed over the axes along which `like` (a tensor or a type) was broadcast: the adjoint of `broadcast_to`."""
    if type(x) is EagerTensor and like.dims == x.value.shape:
        return x
    return SUM_TO(x, shape_of(like), name="Sum")


@export("fill")
@takes_composites
def fill(dims: ShapeLike, value: TensorLike, name: str | None = None, layout: object | None = None) -> Tensor:
    """A tensor of shape `dims` whose elements are all the scalar `value`.

    layout: None, as Pullback has no meshes of devices.

    >>> tf.fill([2], 7).numpy().tolist()
    [7, 7]
    """
    refuse_layout(layout)
    return FILL(dims, value, name=name)


def refuse_layout(layout: object) -> None:
    """Refuse a layout on a mesh of devices (DTensor), which Pullback does not have; an AttributeError, as TensorFlow's for what is none."""
    if layout is not None:
        raise AttributeError(f"'{type(layout).__name__}' object has no attribute 'mesh': Pullback has no layouts on meshes of devices")


@export("identity")
@is_hot
def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """A new tensor with the value of `input`; gradients pass.

    >>> tf.identity(3).numpy().item()
    3
    """
    try:
        return IDENTITY.call(input, name)
    except Exception as error:
        trim(error)
        raise


def _make_constant(array: Any, name: str) -> Tensor:
    """A constant of the current interpreter from an array that nobody else holds."""
    return tensor_of(array) if current().graph is None else convert_to_tensor(array, name=name)


def zeros_of(like: Any) -> Tensor:
    """Zeros with the shape and dtype of `like`, a tensor or a type whose value nobody needs."""
    if like.dtype is variant:
        return lists.zero_list(like)
    if like.dtype is resource or like.dtype._is_ref_dtype:
        dtype, shape = _known_variable(like)
        return convert_to_tensor(np.zeros(shape, dtype.numpy_dtype))
    dims = like.dims
    if dims is not None and None not in dims:
        kind = like.dtype.base_dtype.numpy_dtype
        return _make_constant(np.full(dims, b"", object) if kind.kind == "O" else np.zeros(dims, kind), "zeros_like")
    return ZEROS_LIKE.call(like)


def _known_variable(handle: Any) -> tuple[DType, tuple[int, ...]]:
    dtype, shape = variable_type(handle)
    if shape is None or None in shape:
        raise ValueError(f"zeros or ones for a variable of unknown shape {shape}: give the variable a known shape")
    return dtype, shape  # type: ignore[return-value]  # all known


def ones_of(like: Any, name: str = "ones_like") -> Tensor:
    """Ones with the shape and dtype of `like`, a tensor or a type whose value nobody needs; in a graph a constant of that name."""
    if type(like) is EagerTensor and current().graph is None:
        value = like.value
        array = np.empty(value.shape, value.dtype)
        array.fill(1)
        return EagerTensor(array)
    if like.dtype is resource or like.dtype._is_ref_dtype:
        dtype, shape = _known_variable(like)
        return convert_to_tensor(np.ones(shape, dtype.numpy_dtype))
    dims = like.dims
    if dims is not None and None not in dims:
        array = np.empty(dims, like.dtype.base_dtype.numpy_dtype)
        array.fill(1)
        return _make_constant(array, name)
    return ONES_LIKE.call(like)


LATE_BOUND.update(reshape=reshape, identity=identity)
