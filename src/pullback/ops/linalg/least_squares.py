"""Least squares, with a regulariser: MatrixSolveLs, by the normal equations or by the pseudo-inverse."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import float64
from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import convert_to_tensor
from ...ir.context import enter_graph, stop_recorders
from ...ir.op import define
from ...ir.tensor import EagerTensor, NumberLike, Tensor, TensorType
from ...kernels import gemm, lapack
from ..array.basic import shape_of, zeros_of
from ..array.join import concat
from ..array.type_rules import invalid_argument, require_equal
from ..array.where import where
from ..batching import stack_rows
from ..indexing.index import getitem
from ..math.sums import add_n
from ..primitives.cast import CAST
from ..primitives.compare import greater_equal
from ..reduce.reductions import reduce_sum
from .diag import diag
from .factor import SOLVE, SOLVED, matrix_dims, widen
from .products import adjoint, adjoint_array, batch_matmul

Array = np.ndarray[Any, Any]


def _least_squares_type(matrix: Any, rhs: Any, l2_regularizer: Any, *, fast: bool = True) -> TensorType:
    batch, rows, columns = matrix_dims(matrix)
    other, height, width = matrix_dims(rhs, 1)
    if l2_regularizer.dims:
        raise ValueError(f"the l2_regularizer must be a scalar, not of shape {show_dims(l2_regularizer.dims)}")
    require_equal(rows, height, f"Input matrix and rhs are incompatible: {show_dims(matrix.dims)} vs. {show_dims(rhs.dims)}")
    return TensorType(None if batch is None or other is None else (*batch, columns, width), matrix.dtype)


def _least_squares(matrix: Array, rhs: Array, l2_regularizer: Array, *, fast: bool = True) -> Array:
    if min(matrix.ndim, rhs.ndim) < 2 or matrix.shape[:-1] != rhs.shape[:-1]:
        raise ValueError("the sides do not fit")  # the type rule finds the words
    if not fast:
        return np.linalg.pinv(matrix) @ rhs
    turned = adjoint_array(matrix)
    tall = matrix.shape[-2] >= matrix.shape[-1]
    gram = gemm.multiply_stacks(turned, matrix) if tall else gemm.multiply_stacks(matrix, turned)
    gram += (l2_regularizer * np.eye(gram.shape[-1])).astype(matrix.dtype)
    try:
        return lapack.solve(gram, gemm.multiply_stacks(turned, rhs)) if tall else gemm.multiply_stacks(turned, lapack.solve(gram, rhs))
    except np.linalg.LinAlgError:
        raise invalid_argument("Input matrix is rank-deficient; give an l2_regularizer, or fast=False.") from None


def _least_squares_back(g: Any, matrix: Any, rhs: Any, l2_regularizer: Any, out: Any, fast: bool) -> Any:
    """With C the regularised Gram matrix, which is A^H A for a tall A and A A^H for a wide one:

    tall: z = C^-1 g, to A: (b - A x) z^H - A z x^H, to b: A z
    wide: u = C^-1 A g, y = C^-1 b, to A: y (g - A^H u)^H - u x^H, to b: u
    """
    if not fast:
        raise ValueError("MatrixSolveLs: Gradient not defined for fast=False; use fast=True")
    rows, columns = matrix.dims[-2:] if matrix.dims is not None else (None, None)
    if rows is None or columns is None:
        return LEAST_SQUARES_GRAD(g, matrix, rhs, l2_regularizer, out)
    weight = CAST.call(l2_regularizer, DstT=matrix.dtype)
    if rows >= columns:
        gram = batch_matmul(matrix, matrix, adj_x=True) + weight * np.eye(columns, dtype=matrix.dtype.numpy_dtype)
        z = SOLVE(gram, g)
        forth = batch_matmul(matrix, z)
        left = rhs - batch_matmul(matrix, out)
        return batch_matmul(left, z, adj_y=True) - batch_matmul(forth, out, adj_y=True), forth
    gram = batch_matmul(matrix, matrix, adj_y=True) + weight * np.eye(rows, dtype=matrix.dtype.numpy_dtype)
    u = SOLVE(gram, batch_matmul(matrix, g))
    left = g - batch_matmul(matrix, u, adj_x=True)
    return batch_matmul(SOLVE(gram, rhs), left, adj_y=True) - batch_matmul(u, out, adj_y=True), u


def _least_squares_grad_type(upstream: Any, matrix: Any, rhs: Any, l2_regularizer: Any, x: Any) -> tuple[TensorType, TensorType]:
    return TensorType(matrix.dims, matrix.dtype), TensorType(rhs.dims, rhs.dtype)


def _least_squares_grad(upstream: Array, matrix: Array, rhs: Array, l2_regularizer: Array, x: Array) -> tuple[Array, Array]:
    """The rule itself, run on values: whether the matrix is tall or wide was not known when the graph was built."""
    g, a, b, weight, found = (EagerTensor(v) for v in (upstream, matrix, rhs, l2_regularizer, x))
    with stop_recorders(), enter_graph(None):
        for_matrix, for_rhs = _least_squares_back(g, a, b, weight, found, fast=True)
        return for_matrix.value, for_rhs.value


def _build_system(matrix: Any, weight: Any) -> Any:
    """K = [[p, A], [A^H, q]], for which K [r, x] = [b, 0] says what x is: p, q are 1, -weight for a tall A, weight, -1 for a wide one."""
    shape = convert_to_tensor(shape_of(matrix))
    rows, columns = (getitem(shape, i) for i in (-2, -1))
    tall = greater_equal(rows, columns)
    one, turned, none = np.ones((), matrix.dtype.numpy_dtype), adjoint(matrix), zeros_of(matrix)
    p, q = where(tall, one, weight), where(tall, -weight, -one)
    above = concat([diag(reduce_sum(none, [-1]) + p), matrix], -1)
    return concat([above, concat([turned, diag(reduce_sum(none, [-2]) + q)], -1)], -2)


def _least_squares_grad_back(
    g_for_matrix: Any, g_for_rhs: Any, upstream: Any, matrix: Any, rhs: Any, l2_regularizer: Any, x: Any
) -> tuple[Any, Any, Any]:
    """For K [r, x] = [b, 0] and K [u, v] = [0, g] the outputs are -u x^H - r v^H and u.  With cotangents G and h of these, and with
    K [p, s] = [h - G x, -G^H r] and K [q, t] = [-G v, -G^H u], to g: s, to A: -(p v^H + q x^H + u s^H + r t^H), to b: q.

    That x depends on A and b is in these already.
    """
    whole = _build_system(matrix, CAST.call(l2_regularizer, DstT=matrix.dtype))
    r, _, u, v = _solve_both(whole, rhs, zeros_of(upstream), zeros_of(rhs), upstream)
    turned = adjoint(g_for_matrix)
    p, s, q, t = _solve_both(
        whole, g_for_rhs - batch_matmul(g_for_matrix, x), -batch_matmul(turned, r), -batch_matmul(g_for_matrix, v), -batch_matmul(turned, u)
    )
    return s, -add_n([batch_matmul(y, z, adj_y=True) for y, z in ((p, v), (q, x), (u, s), (r, t))]), q


def _solve_both(whole: Any, *parts: Any) -> list[Any]:
    """The solutions for two right sides, given and returned as an upper and a lower part each."""
    upper, lower = concat([parts[0], parts[2]], -1), concat([parts[1], parts[3]], -1)
    found, shape = SOLVE(whole, concat([upper, lower], -2)), convert_to_tensor(shape_of(parts[0]))
    rows, columns = (getitem(shape, i) for i in (-2, -1))
    halves = [(slice(None, size), slice(size, None)) for size in (rows, columns)]
    return [getitem(found, (..., i, j)) for j in halves[1] for i in halves[0]]


LEAST_SQUARES_GRAD = define(
    "MatrixSolveLsGrad", "upstream matrix rhs l2_regularizer:float64 x", _least_squares_grad_type, _least_squares_grad,
    {("upstream", "matrix", "rhs"): _least_squares_grad_back}, outputs="for_matrix for_rhs", dtypes=SOLVED, holomorphic=False,
    batch=stack_rows("upstream", "matrix", "rhs", "x"),
)  # fmt: skip
LEAST_SQUARES = define(
    "MatrixSolveLs", "matrix rhs l2_regularizer:float64", _least_squares_type, widen(_least_squares),
    {("matrix", "rhs"): _least_squares_back}, dtypes=SOLVED, holomorphic=False,
    batch=stack_rows("matrix", "rhs"),
)  # fmt: skip


@export("linalg.lstsq", v1="matrix_solve_ls")
def lstsq(matrix: NumberLike, rhs: NumberLike, l2_regularizer: NumberLike = 0.0, fast: bool = True, name: str | None = None) -> Tensor:
    """The x that makes |matrix x - rhs|^2 + l2_regularizer |x|^2 least; for a wide matrix without regulariser the shortest such x.

    matrix: [..., m, n], rhs: [..., m, k].  fast: by the normal equations, for matrices of full rank; otherwise by the pseudo-inverse,
    without regulariser and without gradient (ValueError).

    >>> tf.linalg.lstsq([[1.0], [1.0]], [[1.0], [3.0]]).numpy().tolist()
    [[2.0]]
    """
    matrix = convert_to_tensor(matrix)
    weight = CAST.call(convert_to_tensor(l2_regularizer, matrix.dtype.real_dtype), DstT=float64)
    return LEAST_SQUARES(matrix, rhs, weight, fast=fast, name=name)
