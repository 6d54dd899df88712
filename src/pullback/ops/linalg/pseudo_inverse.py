"""The pseudo-inverse, an operation of its own: singular vectors have no derivative where singular values coincide or are 0; it has one.

Gradient, at constant rank: G. Golub and V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems whose
variables separate" (1973), in the inverse itself, so that any order follows.  Where singular values are cut off that are not nearly 0,
the matrix without them takes the place of the matrix; its own derivative is Yu. Daleckii and S. Krein's, of a function of the values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.op import Traits, define
from ...ir.tensor import NumberLike, Tensor, TensorType
from ..array.basic import broadcast_to, shape_of
from ..array.shape import expand_dims
from ..batching import stack_rows
from ..indexing.index import getitem
from ..primitives.cast import cast
from ..primitives.compare import greater
from ..reduce.reductions import reduce_max
from .factor import SOLVED, matrix_dims, widen
from .products import adjoint, adjoint_array, batch_matmul
from .spectral import SVD, svd

Array = np.ndarray[Any, Any]


def _type(input: Any, rcond: Any, *, truncates: bool = False) -> TensorType:
    batch, rows, columns = matrix_dims(input)
    return TensorType(None if batch is None else (*batch, columns, rows), input.dtype)


def _kernel(input: Array, rcond: Array, *, truncates: bool = False) -> Array:
    values, left, right = SVD.kernel(input)
    kept = values > rcond[..., None] * values.max(axis=-1, keepdims=True, initial=0)
    inverse = np.divide(1, values, out=np.zeros_like(values), where=kept)
    found: Array = np.matmul(right * inverse[..., None, :], adjoint_array(left))
    return found.astype(input.dtype, copy=False)


def _pull_at_constant_rank(g: Any, x: Any, out: Any) -> Any:
    turned, up = adjoint(g), adjoint(out)
    beside = turned - batch_matmul(x, batch_matmul(out, turned))
    below = turned - batch_matmul(batch_matmul(turned, out), x)
    through = batch_matmul(batch_matmul(up, g), up)
    return batch_matmul(batch_matmul(beside, out), up) + batch_matmul(up, batch_matmul(out, below)) - through


def _pull_truncation(g: Any, x: Any, rcond: Any) -> Any:
    """What a cotangent of the matrix without its small singular values adds to that of the matrix.

    Between a value that is kept, s, and one that is not, t, the derivative is s^2 / (s^2 - t^2) of the change and s t / (s^2 - t^2) of its
    mirror; it would be 1 and 0 if t were 0.
    """
    s, u, v = svd(x)
    kept = greater(s, expand_dims(rcond, -1) * reduce_max(s, [-1], keepdims=True))
    whole = cast(kept, s.dtype)
    large, small = s * whole, s * (1.0 - whole)
    rows, columns = expand_dims(large, -1), expand_dims(small, -2)
    mixed = expand_dims(whole, -1) * expand_dims(1.0 - whole, -2)
    gap = mixed / (rows * rows - columns * columns + (1.0 - mixed))
    own, mirrored = columns * columns * gap, rows * columns * gap
    inside = batch_matmul(batch_matmul(u, g, adj_x=True), v)
    both = cast(own + adjoint(own), x.dtype) * inside + cast(mirrored + adjoint(mirrored), x.dtype) * adjoint(inside)
    return batch_matmul(batch_matmul(u, both), v, adj_y=True)


def _pull_back(g: Any, input: Any, rcond: Any, out: Any, truncates: bool) -> Any:
    if not truncates:
        return _pull_at_constant_rank(g, input, out)
    through = _pull_at_constant_rank(g, batch_matmul(input, batch_matmul(out, input)), out)
    return through + _pull_truncation(through, input, rcond)


PSEUDO_INVERSE = define(
    "PseudoInverse", "input rcond:R", _type, widen(_kernel), {"input": _pull_back},
    dtypes={"T": SOLVED, "R": {dtype.real_dtype for dtype in SOLVED}}, holomorphic=False, batch=stack_rows(),
    traits=Traits(by_matrix=4),
)  # fmt: skip


@export("linalg.pinv")
def pinv(a: NumberLike, rcond: NumberLike | None = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The pseudo-inverse, by singular values; those up to rcond times the greatest (by default 10 max(m, n) epsilon) count as zero.

    a: [..., m, n], floating or complex.  rcond: real, one number or one for each matrix, [...].  validate_args: has no effect.
    The gradient takes the rank as constant.  Raises TypeError for integers, ValueError for fewer axes.

    >>> tf.linalg.pinv([[2.0, 0.0], [0.0, 4.0]]).numpy().round(3).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    with scope(name, "pinv"):
        x = convert_to_tensor(a)
        if not (x.dtype.is_floating or x.dtype.is_complex):
            raise TypeError(f"pinv: `a` must be of floating or complex numbers, not {x.dtype.name}")
        if x.dims is not None and len(x.dims) < 2:
            raise ValueError(f"pinv: `a` must have at least 2 dimensions, its shape is {show_dims(x.dims)}")
        real, truncates = x.dtype.real_dtype, rcond is not None
        sizes = shape_of(x)
        if rcond is None:
            longest = cast(reduce_max(getitem(convert_to_tensor(sizes), slice(-2, None))), real)
            rcond = longest * (10.0 * float(np.finfo(real.numpy_dtype).eps))
        each = broadcast_to(convert_to_tensor(rcond, real), getitem(convert_to_tensor(sizes), slice(None, -2)))
        return PSEUDO_INVERSE(x, each, truncates=truncates, name="MatMul")
