"""Jacobians and Hessians as SciPy `LinearOperator`s: products without the matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..api.derivatives import gradient_way
from ..api.linearization import linearization
from ..ir.tensor import EagerTensor
from ..ir.tracebacks import trims_errors
from .flat import Flat

Operator = Any


@trims_errors
def jacobian_operator(f: Callable[[Any], Any], x: object) -> Operator:
    """The Jacobian of `f` at `x` as a `scipy.sparse.linalg.LinearOperator`: `A @ v` goes forwards, `A.T @ u` backwards.

    f: a function of one structure of tensors; its results, one after the other, are the rows.  x: the point, floating; its elements, one
    after the other, are the columns.  `f` is run once, here.  Raises TypeError for points that are not real floating.

    >>> import numpy as np
    >>> from pullback.optimize import jacobian_operator
    >>> A = jacobian_operator(lambda x: x[1:] * x[:-1], np.array([1.0, 2.0, 3.0]))
    >>> A @ np.array([1.0, 0.0, 0.0]), A.T @ np.array([1.0, 0.0])
    (array([2., 0.]), array([2., 1., 0.]))
    """
    from scipy.sparse.linalg import LinearOperator

    flat = Flat(x)
    way = linearization(f, flat.structure)
    rows = Flat([EagerTensor(np.asarray(y)) for y in way.ys])

    def push(v: Any) -> Any:
        return rows.flatten_filled(way.push(flat.parts(np.ravel(v))))

    def pull(u: Any) -> Any:
        return flat.flatten_filled(way.pull(rows.parts(np.ravel(u))))

    return LinearOperator((rows.size, flat.size), matvec=push, rmatvec=pull, dtype=np.float64)


@trims_errors
def hessian_operator(f: Callable[[Any], Any], x: object) -> Operator:
    """The Hessian of a scalar function at `x` as a symmetric `scipy.sparse.linalg.LinearOperator`.

    Arguments and errors as for `jacobian_operator`; ValueError where `f` returns no scalar.

    >>> import numpy as np
    >>> from pullback.optimize import hessian_operator
    >>> hessian_operator(lambda x: tf.reduce_sum(x * x * x), np.array([1.0, 2.0])) @ np.array([1.0, 1.0])
    array([ 6., 12.])
    """
    from scipy.sparse.linalg import LinearOperator

    flat = Flat(x)
    way = gradient_way(f, flat.structure, "hessian_operator")

    def product(v: Any) -> Any:
        return flat.flatten_filled(way.push(flat.parts(np.ravel(v))))

    return LinearOperator((flat.size, flat.size), matvec=product, rmatvec=product, dtype=np.float64)
