"""The method of conjugate gradients, for operators that are only ever multiplied with."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...base.export import export
from ...control.while_loop import while_loop
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import NumberLike
from ...ops.array.basic import broadcast_to, shape, zeros_of
from ...ops.array.shape import expand_dims
from ...ops.math.arithmetic import conj
from ...ops.math.complex import REAL_PART
from ...ops.math.functions import sqrt
from ...ops.primitives.compare import greater, less, logical_and
from ...ops.reduce.reductions import reduce_any, reduce_sum
from .facts import convert
from .operator import LinearOperator
from .solving import common_batch, join_sizes


class CGState(NamedTuple):
    """Where the iteration stands: the number of steps, the solution, the residual, the direction, and r^H M r."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def _dot(x: Any, y: Any) -> Any:
    return reduce_sum(conj(x) * y, [-1])


def _length(x: Any) -> Any:
    squares = _dot(x, x)
    return sqrt(REAL_PART.call(squares) if squares.dtype.is_complex else squares)


@export("linalg.experimental.conjugate_gradient")
def conjugate_gradient(
    operator: LinearOperator,
    rhs: NumberLike,
    preconditioner: LinearOperator | None = None,
    x: NumberLike | None = None,
    tol: NumberLike = 1e-05,
    max_iter: NumberLike = 20,
    name: str = "conjugate_gradient",
) -> CGState:
    """x with A x = rhs, for a self-adjoint positive definite operator, by conjugate gradients.

    rhs: [..., n].  preconditioner: an operator near the inverse of A.  x: where to start; 0 when None.  Stops when the residual is `tol`
    times as long as the right side, or after `max_iter` steps.  Raises ValueError unless the hints say that the operator fits.

    >>> operator = tf.linalg.LinearOperatorDiag([1.0, 2.0], is_positive_definite=True)
    >>> tf.linalg.experimental.conjugate_gradient(operator, [1.0, 4.0]).x.numpy().round(3).tolist()
    [1.0, 2.0]
    """
    if not (operator.is_self_adjoint and operator.is_positive_definite):
        raise ValueError("Expected a self-adjoint, positive definite operator.")
    with scope(name, "conjugate_gradient"):
        side = convert_to_tensor(rhs, operator.dtype)
        side = (
            _broadcast_side(side, operator) if preconditioner is None else _broadcast_side(_broadcast_side(side, operator), preconditioner)
        )
        least = _length(side) * tol
        start = zeros_of(side) if x is None else convert_to_tensor(x, operator.dtype)
        residual = side if x is None else side - operator.matvec(start)
        direction = residual if preconditioner is None else preconditioner.matvec(residual)
        first = CGState(convert(np.int32(0)), start, residual, direction, _dot(residual, direction))

        def goes_on(i: Any, x: Any, r: Any, p: Any, gamma: Any) -> Any:
            return logical_and(less(i, max_iter), reduce_any(greater(_length(r), least)))

        def step(i: Any, x: Any, r: Any, p: Any, gamma: Any) -> CGState:
            z = operator.matvec(p)
            alpha = expand_dims(gamma / _dot(p, z), -1)
            x, r = x + alpha * p, r - alpha * z
            q = r if preconditioner is None else preconditioner.matvec(r)
            new = _dot(r, q)
            return CGState(i + 1, x, r, q + expand_dims(new / gamma, -1) * p, new)

        return CGState(*while_loop(goes_on, step, list(first)))


def _broadcast_side(side: Any, operator: LinearOperator) -> Any:
    """`side` with the operator's batch."""
    dims = operator._dims()
    if dims is not None and len(dims) == 2:
        return side
    column = expand_dims(side, -1)
    batch = common_batch(column, operator._dense())
    return broadcast_to(side, join_sizes(batch, convert_to_tensor(shape(side))[-1:]))
