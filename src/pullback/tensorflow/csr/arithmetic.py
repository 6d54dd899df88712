"""CSR matrices added, multiplied by numbers, and their rows' softmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import complex64, complex128, float32, float64, int64, variant
from ...ir.op import Op, define
from ...ir.tensor import Tensor, TensorType
from ...ops.array.basic import reshape, shape_of
from ...ops.array.type_rules import invalid_argument
from ...ops.math.arithmetic import CONJ, multiply, negative, subtract
from ...ops.reduce.reductions import SUM
from ...ops.sparse.dense import BROADCAST_PLACES, CWISE_ADD, CWISE_MUL
from ...ops.sparse.indices import put_values, take_values
from ...ops.sparse.keys import groups_of
from ...ops.sparse.sums import REDUCE_SUM
from ...ops.tensor_list.value import ListValue
from .ops import FROM_SPARSE, TO_SPARSE, VALUES_AT, check_type, define_matrix, is_nothing, value_of
from .value import CsrValue

Array = np.ndarray[Any, Any]
_DTYPES = frozenset({float32, float64, complex64, complex128})
_MATRIX = TensorType((), variant)


def _conj(x: Any) -> Tensor:
    return CONJ.call(x) if x.dtype.is_complex else x


def _mul(x: Any, y: Any) -> Tensor:
    return multiply(x, y)


# ---- sums


def _add(a: Any, b: Any, alpha: Array, beta: Array) -> Any:
    if is_nothing(a) and is_nothing(b):
        return ListValue([])
    parts = [CsrValue(m.indices, m.values * s, m.shape) for m, s in ((a, alpha), (b, beta)) if not is_nothing(m)]
    if len(parts) == 2 and parts[0].shape != parts[1].shape:
        raise invalid_argument(f"Shapes of a and b must match, got {list(parts[0].shape)} and {list(parts[1].shape)}")
    return parts[0] + parts[1] if len(parts) == 2 else parts[0]


def _add_back(g: Any, a: Any, b: Any, alpha: Any, beta: Any) -> Any:
    found = []
    dtype = alpha.dtype.base_dtype
    for matrix, scale in ((a, alpha), (b, beta)):
        indices, values, shape = TO_SPARSE(matrix, type=dtype)
        mine = VALUES_AT(g, indices, shape, type=dtype)
        found.append((FROM_SPARSE(indices, _mul(mine, _conj(scale)), shape), SUM.call(_mul(mine, _conj(values)), [0])))
    return found[0][0], found[1][0], found[0][1], found[1][1]


define_matrix(
    "SparseMatrixAdd",
    "a:variant b:variant alpha beta",
    lambda a, b, alpha, beta: _MATRIX,
    _add,
    {("a", "b", "alpha", "beta"): _add_back},
    dtypes=_DTYPES,
    holomorphic=False,
)


# ---- products with numbers


def _times(a: Any, b: Array) -> Any:
    if is_nothing(a):
        return a
    value = value_of(a)
    if b.ndim > len(value.shape) or any(n not in (1, m) for m, n in zip(value.shape[::-1], b.shape[::-1], strict=False)):
        raise invalid_argument(f"b of shape {list(b.shape)} does not broadcast to the matrix of shape {list(value.shape)}")
    met = np.broadcast_to(b, value.shape)[tuple(value.indices.T)]
    return CsrValue(value.indices, (value.values * met).astype(value.values.dtype, copy=False), value.shape)


def _times_back(g: Any, a: Any, b: Any) -> Any:
    dtype = b.dtype.base_dtype
    indices, values, shape = TO_SPARSE(a, type=dtype)
    mine = VALUES_AT(g, indices, shape, type=dtype)
    sizes = shape_of(b, int64)
    places = BROADCAST_PLACES(indices, shape, sizes)
    flat = reshape(b, [-1])
    to_b = put_values(_mul(mine, _conj(values)), places, shape_of(flat)[0])
    met = take_values(flat, places)
    return FROM_SPARSE(indices, _mul(mine, _conj(met)), shape), reshape(to_b, sizes)


define_matrix(
    "SparseMatrixMul",
    "a:variant b",
    lambda a, b: _MATRIX,
    _times,
    {("a", "b"): _times_back},
    dtypes=_DTYPES,
    holomorphic=False,
)


# ---- softmax


def _row_sums(indices: Array, values: Array) -> tuple[Array, Array]:
    rows, groups = groups_of(indices[:, :-1])
    total = np.zeros(len(rows), values.dtype)
    np.add.at(total, groups, values)
    return total, groups


def _softmax(logits: Any, *, type: Any) -> CsrValue:
    value = check_type(logits, type)
    rows, groups = groups_of(value.indices[:, :-1])
    greatest = np.full(len(rows), -np.inf, value.values.dtype)
    np.maximum.at(greatest, groups, value.values)
    shares = np.exp(value.values - greatest[groups])
    total, groups = _row_sums(value.indices, shares)
    return CsrValue(value.indices, shares / total[groups], value.shape)


def _softmax_grad(softmax: Any, grad_softmax: Any, *, type: Any) -> Any:
    if is_nothing(softmax) or is_nothing(grad_softmax):
        return ListValue([])
    p = check_type(softmax, type)
    g = grad_softmax.at(p.indices)
    total, groups = _row_sums(p.indices, p.values * g)
    return CsrValue(p.indices, p.values * (g - total[groups]), p.shape)


def _centre_values(indices: Any, shape: Any, values: Any, weights: Any) -> Any:
    """Values minus the weighted sum of those in their row."""
    total = REDUCE_SUM(indices, _mul(values, weights), shape, [-1], keep_dims=True)
    return CWISE_ADD.call(indices, values, shape, negative(total))


def _softmax_grad_back(g: Any, softmax: Any, grad_softmax: Any, type: Any) -> Any:
    """The gradient is p (h - <p, h>) of the probabilities p and the cotangent h; this is its pullback of u."""
    indices, p, shape = TO_SPARSE(softmax, type=type)
    h, u = VALUES_AT(grad_softmax, indices, shape, type=type), VALUES_AT(g, indices, shape, type=type)
    to_h = _mul(p, _centre_values(indices, shape, u, p))
    weight = REDUCE_SUM(indices, _mul(u, p), shape, [-1], keep_dims=True)
    moved = CWISE_MUL.call(indices, h, shape, weight)
    to_p = subtract(_mul(u, _centre_values(indices, shape, h, p)), moved)
    return FROM_SPARSE(indices, to_p, shape), FROM_SPARSE(indices, to_h, shape)


SOFTMAX_GRAD: Op = define(
    "SparseMatrixSoftmaxGrad",
    "softmax:variant grad_softmax:variant",
    lambda softmax, grad_softmax, *, type: _MATRIX,
    _softmax_grad,
    {("softmax", "grad_softmax"): _softmax_grad_back},
    holomorphic=False,
    batch="one value that is no tensor",
)
define_matrix(
    "SparseMatrixSoftmax",
    "logits:variant",
    lambda logits, *, type: _MATRIX,
    _softmax,
    {"logits": lambda g, out, type: SOFTMAX_GRAD(out, g, type=type)},
    holomorphic=False,
)
