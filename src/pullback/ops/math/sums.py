"""Sums of many tensors, and what is a sum of products: `AddN`, scalar multiples, polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ...base.dtypes import NUMERIC, as_dtype, variant
from ...base.export import export
from ...base.lazy_import import LazyModule
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import scope
from ...ir.op import Traits, define
from ...ir.tensor import LATE_BOUND, EagerTensor, IndexedSlices, NumberLike, Tensor, TensorType
from ..array.basic import identity, zeros_of
from ..batching import stack_rows
from .arithmetic import MUL, TERMS

if TYPE_CHECKING:
    from ..tensor_list import push_pop as lists
else:
    lists = LazyModule("pullback.ops.tensor_list.push_pop")


def _sum_type(*types: Any) -> TensorType:
    inputs = types[0]
    dims = inputs[0].dims
    for t in inputs[1:]:
        if t.dims == dims:
            continue
        if dims is None or t.dims is None:
            dims = t.dims if dims is None else dims
            continue
        if len(dims) != len(t.dims):
            raise _unequal_error(f"Shapes must be equal rank, but are {len(dims)} and {len(t.dims)}", inputs)
        for i, (m, n) in enumerate(zip(dims, t.dims, strict=True)):
            if m is not None and n is not None and m != n:
                raise _unequal_error(f"Dimension {i} in both shapes must be equal, but are {m} and {n}", inputs)
        dims = tuple(n if m is None else m for m, n in zip(dims, t.dims, strict=True))
    return TensorType(dims, inputs[0].dtype)


def _unequal_error(text: str, inputs: Any) -> ShapeError:
    shapes = " and ".join(show_dims(t.dims) for t in inputs)
    return ShapeError(f"{text}. Shapes are {shapes}.", f"Inputs to operation AddN must have the same size and shape, but have {shapes}")


def _add_n(inputs: Sequence[np.ndarray[Any, Any]]) -> np.ndarray:
    shape = inputs[0].shape
    if any(x.shape != shape for x in inputs):
        raise ValueError("shapes differ")
    if len(inputs) == 1:
        return inputs[0]
    total = np.array(inputs[0] + inputs[1], copy=None)
    for x in inputs[2:]:
        total += x
    return total


ADD_N = define(
    "AddN",
    "*inputs",
    _sum_type,
    _add_n,
    {"inputs": lambda g, inputs_type: [g] * len(inputs_type)},
    dtypes=NUMERIC,
    holomorphic=False,
    batch=stack_rows(),
    lower=lambda builder, inputs: reduce(add, inputs),
    traits=Traits(remedies=TERMS),
)


@overload
def scalar_mul(scalar: NumberLike, x: IndexedSlices, name: str | None = None) -> IndexedSlices: ...
@overload
def scalar_mul(scalar: NumberLike, x: NumberLike, name: str | None = None) -> Tensor: ...
@export("scalar_mul", "math.scalar_mul")
def scalar_mul(scalar: NumberLike, x: Any, name: str | None = None) -> Tensor | IndexedSlices:
    """x, a tensor or an IndexedSlices, times a scalar, which is converted to x's dtype.

    Raises ValueError where `scalar` is not known to be a scalar.

    >>> tf.math.scalar_mul(2.0, tf.constant([1.0, 3.0])).numpy().tolist()
    [2.0, 6.0]
    """
    with scope(name, "scalar_mul") as full:
        scalar = convert_to_tensor(scalar, dtype=as_dtype(x.dtype).base_dtype, name="scalar")
        if scalar.dims != ():
            raise ValueError(f"The input scalar must be a 0-D value. Received shape {scalar.shape}.")
        if isinstance(x, IndexedSlices):
            return IndexedSlices(MUL.call(scalar, x.values, full or None), x.indices, x.dense_shape)
        return MUL.call(scalar, x, full or None)


@export("add_n", "math.add_n")
@takes_composites
def add_n(inputs: Sequence[NumberLike | IndexedSlices] | Tensor, name: str | None = None) -> Tensor:
    """The sum of tensors of one shape and dtype, element by element.

    inputs: a list or tuple of tensors or IndexedSlices, or an eager tensor, whose rows are taken.  Raises ValueError where it is empty,
    InvalidArgumentError (in graphs ValueError) where the shapes differ, TypeError or InvalidArgumentError where the dtypes do.

    >>> tf.add_n([[1, 2], [3, 4], [5, 6]]).numpy().tolist()
    [9, 12]
    """
    if inputs is None:
        raise TypeError("'NoneType' object is not iterable")
    one = isinstance(inputs, EagerTensor) and not inputs.dims
    if one or not hasattr(inputs, "__iter__") or not (given := list(inputs)) or any(x is None for x in given):
        raise ValueError("Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape.")
    members: list[Any] = [convert_to_tensor(x) for x in given]
    if len(members) == 1:
        return identity(members[0], name) if name else members[0]
    return _sum_of_lists(members) if members[0].dtype is variant else ADD_N(members, name=name)


def _sum_of_lists(members: Sequence[Tensor]) -> Tensor:
    total = members[0]
    for other in members[1:]:
        total = lists.ADD_ALIKE(total, other)
    return total


@export("math.accumulate_n", v1="accumulate_n")
def accumulate_n(
    inputs: Sequence[NumberLike | IndexedSlices], shape: Any = None, tensor_dtype: Any = None, name: str | None = None
) -> Tensor:
    """`add_n` of a list or tuple of tensors that checks their shapes against `shape` and their dtype against `tensor_dtype`.

    Raises ValueError for what is no list of tensors of one dtype and compatible shapes, TypeError where `tensor_dtype` is another.

    >>> tf.math.accumulate_n([tf.constant([1, 2]), tf.constant([3, 4])]).numpy().tolist()
    [4, 6]
    """
    refusal = "inputs must be a list of at least one Tensor with the same dtype and shape"
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise ValueError(refusal)
    members = [x if isinstance(x, IndexedSlices) else convert_to_tensor(x) for x in inputs]
    if any(isinstance(x, IndexedSlices) or x.dtype.base_dtype is not members[0].dtype.base_dtype for x in members):
        raise ValueError(refusal)
    known = members[0].shape if shape is None else members[0].shape.merge_with(shape)
    for x in members[1:]:
        known = known.merge_with(x.shape)
    if tensor_dtype is not None and as_dtype(tensor_dtype).base_dtype is not members[0].dtype.base_dtype:
        raise TypeError(f"The `tensor_dtype` argument is {tensor_dtype}, but `input` is of type {members[0].dtype}: cast the inputs first.")
    return add_n(members, name)


@export("math.polyval")
def polyval(coeffs: NumberLike, x: NumberLike, name: str | None = None) -> Tensor:
    """The polynomial with the coefficients `coeffs` (a list, the highest power first) at x, by Horner's rule.

    coeffs: tensors that broadcast against x, of its dtype; none gives zeros.  Raises ValueError where it is no list.

    >>> tf.math.polyval([1.0, 2.0, 3.0], 2.0).numpy().item()
    11.0
    """
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    with scope(name, "polyval"):
        x = convert_to_tensor(x, name="x")
        if not coeffs:
            return zeros_of(x)
        value = convert_to_tensor(coeffs[0], name="coeff_0")
        for i, coefficient in enumerate(coeffs[1:], 1):
            value = convert_to_tensor(coefficient, name=f"coeff_{i}") + value * x
        return value


LATE_BOUND.update(add_n=add_n)
