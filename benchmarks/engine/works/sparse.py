"""The tridiagonal Jacobian as a sparse matrix: the library finds the pattern and the colours, once, and answers the matrix's elements."""

from typing import Any

import numpy as np

from benchmarks.engine.program import Program
from benchmarks.engine.works import banded

TINY = {"n": 7}


def data(n: int = 100_000) -> Any:
    return banded.data(jacobian=True, n=n)


def in_pullback(tf: Any, d: Any) -> Program:
    function = tf.function(banded.in_tensorflow(tf, banded.data(jacobian=False, n=d.x.size)).function, autograph=False, jit_compile=True)
    coloring = tf.color_jacobian(tf.jacobian_pattern(function, tf.constant(d.x)))
    return Program(lambda x: tf.sparse_jacobian(function, x, coloring, check=False), [d.x], traced=False)


def in_casadi(d: Any) -> Program:
    import casadi

    def build() -> Any:
        x = casadi.MX.sym("x", d.x.size)
        y = banded.bands(x, casadi.vertcat(0, x[:-1]), casadi.vertcat(x[1:], 0), casadi.tanh)
        return casadi.Function("sparse", [x], [casadi.jacobian(y, x)])

    def layout(found: Any) -> Any:
        """From column after column to row after row."""
        at = np.arange(d.x.size)
        rows = at[:, None] + np.arange(-1, 2)
        inside = (rows >= 0) & (rows < d.x.size)
        columns = np.broadcast_to(at[:, None], rows.shape)[inside]
        return [found[0][np.lexsort((columns, rows[inside]))]]

    return Program(build, [d.x], layout=layout)
