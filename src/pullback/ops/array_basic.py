"""Shapes and what undoes them: Shape, Reshape, BroadcastTo with its adjoint SumTo, Transpose, Fill, Identity, likes.

Adjoint partners share this file.  `shape_of` is how rules speak of a shape: a constant where it is known, else a tensor that
reads it at run time, so a rule is written once for eager tensors, known graphs and unknown dimensions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import ANY, INDEX, DType, int32, int64
from ..base.errors import InvalidArgumentError
from ..ir.convert import array_of
from ..ir.op import OPS, define
from ..ir.tensor import METHODS, Dims, EagerTensor, TensorType
from .families import elementwise, linear


def dims_of(constant: np.ndarray | None) -> Dims:
    """The dims a (partly) known shape tensor speaks of; -1 and None are unknown dimensions."""
    if constant is None:
        return None
    return tuple(None if n is None or n < 0 else int(n) for n in constant)


def unknown_dims(shape: Any) -> Dims:
    """The dims a shape tensor of unknown content speaks of: only the rank, if that."""
    if shape.constant is not None:
        return dims_of(shape.constant)
    return None if shape.dims is None or shape.dims[0] is None else (None,) * shape.dims[0]


def shape_of(x: Any) -> Any:
    """The shape of `x` (a tensor, or a formula's `x_type`): an int32 array where it is known, else a tensor."""
    dims = x.dims
    if dims is not None and None not in dims:
        return np.array(dims, np.int32)
    return SHAPE(x)


def _shape_type(input: Any, *, out_type: DType = int32) -> TensorType:
    dims = input.dims
    if dims is None:
        return TensorType((None,), out_type)
    if None in dims:
        constant = np.empty(len(dims), object)
        constant[:] = dims
        return TensorType((len(dims),), out_type, constant)
    return TensorType((len(dims),), out_type, np.array(dims, out_type.numpy))


SHAPE = define("Shape", "input", _shape_type, lambda input, *, out_type=int32: np.array(input.shape, out_type.numpy), {})


def _reshape_type(tensor: Any, shape: Any) -> TensorType:
    wanted = unknown_dims(shape)
    dims = tensor.dims
    if wanted is None or dims is None or None in dims:
        return TensorType(wanted, tensor.dtype, None)
    size = int(np.prod(dims, dtype=np.int64))
    unknown = wanted.count(None)
    known = int(np.prod([n for n in wanted if n is not None], dtype=np.int64))
    if unknown == 1 and known and size % known == 0:
        return TensorType(tuple(size // known if n is None else n for n in wanted), tensor.dtype)
    if unknown == 0 and known != size:
        raise ValueError(f"Cannot reshape a tensor with {size} elements to shape {list(wanted)} ({known} elements)")
    return TensorType(wanted, tensor.dtype)


def _reshape(tensor: np.ndarray, shape: np.ndarray) -> np.ndarray:
    try:
        return tensor.reshape(shape)
    except ValueError:
        negative = (shape < 0).any()
        known = abs(int(np.prod(shape, dtype=np.int64)))
        text = f"a multiple of {known}" if negative else known
        raise InvalidArgumentError(
            None, None, f"Input to reshape is a tensor with {tensor.size} values, but the requested shape {'requires' if negative else 'has'} {text}"
        ) from None


RESHAPE = linear(
    "Reshape", "tensor shape:Tshape", _reshape_type, _reshape, lambda g, tensor_type: reshape(g, shape_of(tensor_type)), dtypes={"T": ANY, "Tshape": INDEX}
)


def _to_shape_type(input: Any, shape: Any) -> TensorType:
    return TensorType(unknown_dims(shape), input.dtype)


def _broadcast_to(input: np.ndarray, shape: np.ndarray) -> np.ndarray:
    try:
        return np.broadcast_to(input, tuple(shape))
    except ValueError:
        raise InvalidArgumentError(None, None, f"Incompatible shapes: {list(input.shape)} vs. {list(shape)}") from None


def sum_array_to(input: np.ndarray, shape: Any) -> np.ndarray:
    """The sum of `input` over the axes along which `shape` was broadcast to it."""
    shape = tuple(shape)
    if input.shape == shape:
        return input
    extra = input.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(i + extra for i, n in enumerate(shape) if n == 1 and input.shape[i + extra] != 1)
    return np.add.reduce(input, axis=axes, keepdims=True).reshape(shape) if axes else input.reshape(shape)


BROADCAST_TO = linear(
    "BroadcastTo", "input shape:Tidx", _to_shape_type, _broadcast_to, lambda g, input_type: sum_to(g, input_type), dtypes={"T": ANY, "Tidx": INDEX}
)
SUM_TO = linear(
    "SumTo", "input shape:Tidx", _to_shape_type, sum_array_to, lambda g, input_type: broadcast_to(g, shape_of(input_type)), dtypes={"T": ANY, "Tidx": INDEX}
)


def _transposed_type(x: Any, perm: Any) -> TensorType:
    order = perm.constant
    if order is None or x.dims is None:
        rank = None if perm.dims is None else perm.dims[0]
        return TensorType(None if rank is None else (None,) * rank, x.dtype)
    if sorted(int(i) % max(len(x.dims), 1) for i in order) != list(range(len(x.dims))):
        raise ValueError(f"Dimension must be {len(x.dims)} but is {len(order)}" if len(order) != len(x.dims) else f"{list(order)} is not a permutation")
    return TensorType(tuple(x.dims[i] for i in order), x.dtype)


def _inverse(perm: Any) -> Any:
    if isinstance(perm, EagerTensor) or perm.constant is not None:
        return np.argsort(perm.constant % len(perm.constant)).astype(np.int32)
    return OPS["InvertPermutation"].call(perm)


TRANSPOSE = linear(
    "Transpose", "x perm:Tperm", _transposed_type, lambda x, perm: x.transpose(perm), lambda g, perm: TRANSPOSE(g, _inverse(perm)),
    dtypes={"T": ANY, "Tperm": INDEX},
)  # fmt: skip


def _fill_type(dims: Any, value: Any) -> TensorType:
    return TensorType(unknown_dims(dims), value.dtype)


FILL = define(
    "Fill", "dims:index_type value", _fill_type, lambda dims, value: np.full(tuple(dims), value),
    {"value": lambda g: METHODS["sum_all"](g)}, dtypes={"index_type": INDEX}, holomorphic=False,
)  # fmt: skip
IDENTITY = elementwise("Identity", "input", lambda input: input, {"input": 1}, dtypes=ANY)
ZEROS_LIKE = elementwise("ZerosLike", "x", np.zeros_like, {}, dtypes=ANY)
ONES_LIKE = elementwise("OnesLike", "x", np.ones_like, {}, dtypes=ANY)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """The elements of `tensor` in another shape; one entry of `shape` may be -1.

    tensor: any shape and dtype.  shape: 1-D integers.  Raises InvalidArgumentError (in graphs ValueError) where the sizes differ.

    >>> import pullback as tf
    >>> tf.reshape([1, 2, 3, 4], [2, -1]).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    return RESHAPE(tensor, shape, name=name)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """`input` repeated along new and size-1 axes until it has `shape`.

    >>> import pullback as tf
    >>> tf.broadcast_to([1, 2], [2, 2]).numpy().tolist()
    [[1, 2], [1, 2]]
    """
    return BROADCAST_TO(input, shape, name=name)


def sum_to(x: Any, like: Any) -> Any:
    """`x` summed over the axes along which `like` (a tensor or a type) was broadcast: the adjoint of `broadcast_to`."""
    if type(x) is EagerTensor and like.dims == x.value.shape:
        return x
    return SUM_TO(x, shape_of(like), name="Sum")


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = "transpose") -> Any:
    """`a` with its axes in the order `perm` (reversed when None), conjugated when asked.

    >>> import pullback as tf
    >>> tf.transpose([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    a = METHODS["convert"](a)
    if perm is None:
        if a.dims is None:
            raise ValueError(f"transpose of a tensor of unknown rank needs `perm`: {a}")
        perm = np.arange(len(a.dims) - 1, -1, -1, dtype=np.int32)
    out = TRANSPOSE(a, perm, name=name)
    return OPS["Conj"].call(out) if conjugate and a.dtype.is_complex else out


def fill(dims: Any, value: Any, name: str | None = None) -> Any:
    """A tensor of shape `dims` whose elements are all the scalar `value`.

    >>> import pullback as tf
    >>> tf.fill([2], 7).numpy().tolist()
    [7, 7]
    """
    return FILL(dims, value, name=name)


def identity(input: Any, name: str | None = None) -> Any:
    """A new tensor with the value of `input`; gradients pass.

    >>> import pullback as tf
    >>> tf.identity(3).numpy().item()
    3
    """
    return IDENTITY.call(input, name)


def zeros_of(like: Any) -> Any:
    """Zeros with the shape and dtype of `like`, a tensor or a type whose value nobody needs."""
    dims = like.dims
    if dims is not None and None not in dims:
        return METHODS["convert"](np.zeros(dims, like.dtype.base_dtype.numpy))
    return ZEROS_LIKE.call(like)


def ones_of(like: Any) -> Any:
    """Ones with the shape and dtype of `like`, a tensor or a type whose value nobody needs."""
    dims = like.dims
    if dims is not None and None not in dims:
        return METHODS["convert"](np.ones(dims, like.dtype.base_dtype.numpy))
    return ONES_LIKE.call(like)


__all__ = [
    "array_of", "broadcast_to", "dims_of", "fill", "identity", "int64", "ones_of", "reshape", "shape_of", "sum_array_to", "sum_to", "transpose",
    "unknown_dims", "zeros_of",
]  # fmt: skip
METHODS.update(reshape=reshape)
