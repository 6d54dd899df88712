"""LU factors, and what is solved with them.

TensorFlow has no gradient for Lu.  With P A = L U and cotangents of both factors,
A's is P^H L^-H (tril(L^H gL, below the diagonal) + triu(gU U^H)) U^-H.
Formula: F. de Hoog, R. Anderssen, M. Lukas, "Differentiation of matrix functionals using triangular factorization" (2011).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import DType, float32, int32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.op import Traits, define
from ...ir.tensor import DTypeLike, NumberLike, Tensor, TensorType
from ...kernels import lapack
from ..array.basic import ones_of, reshape, shape, zeros_of
from ..array.create import ONE_HOT, range as range_of
from ..array.gather import gather
from ..array.join import stack
from ..array.order import invert_permutation
from ..array.shape import expand_dims
from ..array.type_rules import invalid_argument
from ..batching import stack_rows
from ..indexing.index import getitem
from ..lowering import factor as native_factor
from ..primitives.cast import cast
from .diag import band_part, diag_part, set_diag
from .factor import SOLVED, TRIANGULAR_SOLVE, check_square, square_dims, widen
from .products import adjoint, batch_matmul

Array = np.ndarray[Any, Any]


def _type(input: Any, *, output_idx_type: DType = int32) -> tuple[TensorType, TensorType]:
    batch, size = square_dims(input)
    return TensorType(input.dims, input.dtype), TensorType(None if batch is None else (*batch, size), output_idx_type)


@cache
def _getrf(kind: str) -> Callable[..., tuple[Array, Array, int]]:
    import scipy.linalg.lapack

    return getattr(scipy.linalg.lapack, f"{kind}getrf")


_LAPACK = {np.dtype(np.float32): "s", np.dtype(np.float64): "d", np.dtype(np.complex64): "c", np.dtype(np.complex128): "z"}


def _lu(input: Array, *, output_idx_type: DType = int32) -> tuple[Array, Array]:
    check_square(input)
    found = lapack.lu_of_many(input)
    if found is not None:
        factors, order, reports = found
        if reports.any():
            raise invalid_argument("Input is not invertible.")
        return factors, order.astype(output_idx_type.numpy_dtype, copy=False)
    factors, swaps, reports = lapack.lu(input) or _factor_each(input)
    if reports.any():
        raise invalid_argument("Input is not invertible.")
    _spread_from_nan_pivots(factors)
    n = input.shape[-1]
    order = np.empty(input.shape[:-1], output_idx_type.numpy_dtype)
    for at in np.ndindex(input.shape[:-2]) if input.size else ():
        rows = [*range(n)]
        for i, j in enumerate(swaps[at].tolist()):
            rows[i], rows[j] = rows[j], rows[i]
        order[at] = rows
    return factors, order


def _spread_from_nan_pivots(factors: Array) -> None:
    """Put NaN below and beside a pivot that is NaN: LAPACK's libraries divide by none, and leave numbers; our own code divides."""
    if lapack.has_nan(factors):
        diagonal = np.isnan(np.diagonal(factors, axis1=-2, axis2=-1))
        for at in map(tuple, np.argwhere(diagonal.any(axis=-1))):
            first = int(diagonal[at].argmax())
            factors[at][first + 1 :, first:] = np.nan


def _factor_each(input: Array) -> tuple[Array, Array, Array]:
    """Small matrices, by SciPy's call, which costs less."""
    factors, swaps = np.empty(input.shape, input.dtype), np.empty(input.shape[:-1], np.int64)
    reports = np.zeros(input.shape[:-2], np.int64)
    getrf = _getrf(_LAPACK[input.dtype])
    for at in np.ndindex(input.shape[:-2]) if input.size else ():
        factors[at], swaps[at], reports[at] = getrf(input[at])
    return factors, swaps, reports


def _unit_lower(lu: Any) -> Any:
    return set_diag(band_part(lu, -1, 0), ones_of(diag_part(lu)))


def _strict_lower_part(x: Any) -> Any:
    return set_diag(band_part(x, -1, 0), zeros_of(diag_part(x)))


def _permutation(p: Any, like: Any) -> Any:
    """The matrix that takes row p[i] to row i."""
    size = getitem(convert_to_tensor(shape(p, out_type=int32)), -1)
    p = gather(cast(range_of(size), p.dtype), p)  # which refuses what is no row
    one, zero = np.ones((), like.dtype.numpy_dtype), np.zeros((), like.dtype.numpy_dtype)
    return ONE_HOT(p, size, one, zero, axis=-1)


def _invert_orders(p: Any) -> Any:
    """The orders that undo those in the last axis; an InvalidArgumentError where one names a row twice."""
    if p.dims is not None and len(p.dims) == 1:
        return invert_permutation(p)
    size = getitem(convert_to_tensor(shape(p, out_type=int32)), -1)
    flat = reshape(gather(cast(range_of(size), p.dtype), p), stack([-1, size]))
    first = expand_dims(cast(range_of(getitem(convert_to_tensor(shape(flat)), 0)) * size, p.dtype), 1)
    return reshape(reshape(invert_permutation(reshape(flat + first, [-1])), stack([-1, size])) - first, shape(p))


def _pull_back(g_lu: Any, lu: Any, p: Any) -> Any:
    lower, upper = _unit_lower(lu), band_part(lu, 0, -1)
    below = _strict_lower_part(batch_matmul(lower, _strict_lower_part(g_lu), adj_x=True))
    above = band_part(batch_matmul(band_part(g_lu, 0, -1), upper, adj_y=True), 0, -1)
    left = TRIANGULAR_SOLVE(lower, below + above, lower=True, adjoint=True)
    inner = adjoint(TRIANGULAR_SOLVE(upper, adjoint(left), lower=False, adjoint=False))
    return batch_matmul(_permutation(p, lu), inner, adj_x=True)


LU = define(
    "Lu", "input", _type, widen(_lu), {"input": _pull_back}, outputs="lu p", dtypes=SOLVED, holomorphic=False, batch=stack_rows(),
    lower=native_factor.lu, traits=Traits(by_matrix=4),
)  # fmt: skip


class Lu(NamedTuple):
    """What `lu` returns."""

    lu: Any
    p: Any


@export("linalg.lu")
def lu(input: NumberLike, output_idx_type: DTypeLike = int32, name: str | None = None) -> Lu:
    """L (below the diagonal, its own being ones) and U of square matrices in one, and the order p of the rows: input[p] = L U.

    input: [..., n, n], float16 to complex128.  Raises InvalidArgumentError for a singular matrix, and for what is not square (in graphs
    ValueError).

    >>> factors, p = tf.linalg.lu([[1.0, 2.0], [2.0, 2.0]])
    >>> factors.numpy().tolist(), p.numpy().tolist()
    ([[2.0, 2.0], [0.5, 1.0]], [1, 0])
    """
    return Lu(*LU(input, output_idx_type=output_idx_type, name=name))


def _convert_factors(lower_upper: Any, perm: Any) -> tuple[Tensor, Tensor]:
    return convert_to_tensor(lower_upper, dtype_hint=float32, name="lower_upper"), convert_to_tensor(perm, dtype_hint=int32, name="perm")


def _check_factors(lower_upper: Any, perm: Any, rhs: Any = None) -> None:
    """Refuse what is known to fit no factors."""
    dims, order = lower_upper.dims, perm.dims
    if dims is not None and len(dims) < 2:
        raise ValueError(f"Input `lower_upper` must have at least 2 dimensions, got shape {list(dims)}.")
    if order is not None and len(order) < 1:
        raise ValueError("Input `perm` must have at least 1 dimension.")
    if dims is not None and order is not None and len(order) + 1 != len(dims):
        raise ValueError(f"`rank(lower_upper)` must equal `rank(perm) + 1`: {len(dims)} and {len(order)}.")
    if dims is not None and dims[-1] != dims[-2] and None not in dims[-2:]:
        raise ValueError(f"`lower_upper` must be square, got shape {list(dims)}.")
    if rhs is not None and rhs.dims is not None and len(rhs.dims) < 2:
        raise ValueError("Input `rhs` must have at least 2 dimensions.")
    if rhs is not None and dims is not None and rhs.dims is not None and None not in (dims[-1], rhs.dims[-2]) and dims[-1] != rhs.dims[-2]:
        raise ValueError(f"`lower_upper.shape[-1]` must equal `rhs.shape[-2]`: {dims[-1]} and {rhs.dims[-2]}.")


@export("linalg.lu_solve")
def lu_solve(lower_upper: NumberLike, perm: NumberLike, rhs: NumberLike, validate_args: bool = False, name: str | None = None) -> Tensor:
    """x with A x = rhs, from what `lu(A)` returns.

    lower_upper: [..., n, n].  perm: [..., n].  rhs: [..., n, k]; batches broadcast.  Raises ValueError for ranks that do not fit.
    `validate_args` changes nothing: what can be checked always is.

    >>> tf.linalg.lu_solve(*tf.linalg.lu([[1.0, 2.0], [2.0, 2.0]]), rhs=[[5.0], [6.0]]).numpy().tolist()
    [[1.0], [2.0]]
    """
    with scope(name, "lu_solve"):
        bool(validate_args)  # a tensor of several elements, or in a graph, has no truth
        factors, order = _convert_factors(lower_upper, perm)
        side = convert_to_tensor(rhs, dtype_hint=factors.dtype, name="rhs")
        _check_factors(factors, order, side)
        swapped = batch_matmul(_permutation(order, factors), side)
        half = TRIANGULAR_SOLVE(_unit_lower(factors), swapped, lower=True, adjoint=False)
        return TRIANGULAR_SOLVE(factors, half, lower=False, adjoint=False)


@export("linalg.lu_matrix_inverse")
def lu_matrix_inverse(lower_upper: NumberLike, perm: NumberLike, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The inverse of A, from what `lu(A)` returns; errors as `lu_solve`.

    >>> tf.linalg.lu_matrix_inverse(*tf.linalg.lu([[1.0, 2.0], [2.0, 2.0]])).numpy().tolist()
    [[-1.0, 1.0], [1.0, -0.5]]
    """
    with scope(name, "lu_matrix_inverse"):
        bool(validate_args)  # a tensor of several elements, or in a graph, has no truth
        factors, order = _convert_factors(lower_upper, perm)
        _check_factors(factors, order)
        half = TRIANGULAR_SOLVE(_unit_lower(factors), _permutation(order, factors), lower=True, adjoint=False)
        return TRIANGULAR_SOLVE(factors, half, lower=False, adjoint=False)


@export("linalg.lu_reconstruct")
def lu_reconstruct(lower_upper: NumberLike, perm: NumberLike, validate_args: bool = False, name: str | None = None) -> Tensor:
    """A itself, from what `lu(A)` returns; errors as `lu_solve`.

    >>> tf.linalg.lu_reconstruct(*tf.linalg.lu([[1.0, 2.0], [2.0, 2.0]])).numpy().tolist()
    [[1.0, 2.0], [2.0, 2.0]]
    """
    with scope(name, "lu_reconstruct"):
        bool(validate_args)  # a tensor of several elements, or in a graph, has no truth
        factors, order = _convert_factors(lower_upper, perm)
        _check_factors(factors, order)
        back = _permutation(_invert_orders(order), factors)
        return batch_matmul(back, batch_matmul(_unit_lower(factors), band_part(factors, 0, -1)))
