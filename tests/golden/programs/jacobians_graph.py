"""TensorFlow's helpers for Jacobians in graphs, `tensorflow.python.ops.parallel_for.gradients`, in version 1 graphs.

Its `batch_jacobian` works with version 1's shapes only (`AttributeError: 'int' object has no attribute 'is_compatible_with'` else), so what
it should give is written here.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from tests.golden.programs.forward_mode import POINT, functions
from tests.golden.programs.kit import ours, raised, raises, run_all

FACE = "v1"


def helpers(lib: Any) -> Any:
    """The module of helpers that goes with `tf`."""
    home = "pullback.api.parallel_gradients" if lib.__name__.startswith("pullback") else "tensorflow.python.ops.parallel_for.gradients"
    return importlib.import_module(home)


def jacobians(tf: Any) -> dict[str, Any]:
    x = tf.constant(POINT)
    found: dict[str, Any] = {}
    for name, f in functions(tf).items():
        if name not in ("a loop", "a branch"):
            found[name] = run_all(tf, [helpers(tf).jacobian(f(x), x)])
    return found


def unknown_sizes(tf: Any) -> dict[str, Any]:
    x = tf.placeholder(tf.float64, [None, 3])
    weights = np.array([[0.5, -1.0], [1.5, 0.25], [-0.5, 2.0]])
    slopes = (1.0 - np.tanh(POINT @ weights) ** 2)[:, :, None] * weights.T
    w = tf.Variable(weights)
    y = tf.tanh(tf.matmul(x, w))
    other = tf.placeholder(tf.float64, [None, 2])
    tensors = {
        "by rows": helpers(tf).jacobian(y, x),
        "by a variable": helpers(tf).jacobian(y, w),
        "row by row": helpers(tf).jacobian(y, x, use_pfor=False),
    }

    def rows(**options: Any) -> Any:
        return ours(slopes, lambda: run_all(tf, [helpers(tf).batch_jacobian(y, x, **options)], {x: POINT})[0])

    found: dict[str, Any] = dict(zip(tensors, run_all(tf, list(tensors.values()), {x: POINT}), strict=True))
    return {
        **found,
        "of each row": rows(),
        "of each row, row by row": rows(use_pfor=False),
        "of each row, some at a time": rows(parallel_iterations=2),
        "a list": [j.shape.as_list()[-2:] for j in helpers(tf).jacobian(y, [x, w])],
        "unconnected": helpers(tf).jacobian(y, other),
        "unconnected rows": ours(None, lambda: helpers(tf).batch_jacobian(y, other)),
        "shape": ours([2, 3], lambda: helpers(tf).batch_jacobian(y, x).shape.as_list()[1:]),
    }


def refused(tf: Any) -> dict[str, Any]:
    x = tf.constant(POINT)
    y = tf.constant(np.ones((3, 2)))
    return {
        "rows of different numbers": ours(
            raised("ValueError", says=("Need first dimension of `output` shape",)), raises(lambda: helpers(tf).batch_jacobian(y, x))
        ),
    }
