"""Gradients at edge points, exactly as TensorFlow has them, and the messages of common shape errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raises

FACE = "v2"


def _slope(tf: Any, f: Callable[..., Any], *xs: Any) -> Callable[[], Any]:
    def answer() -> Any:
        inputs = [tf.constant(x, tf.float32) for x in xs]
        with tf.GradientTape() as t:
            t.watch(inputs)
            y = f(*inputs)
        return t.gradient(y, inputs)

    return answer


def unary(tf: Any) -> dict[str, Any]:
    zero = {
        "sqrt": tf.sqrt, "abs": tf.abs, "relu": tf.nn.relu, "relu6": tf.nn.relu6, "leaky_relu": tf.nn.leaky_relu, "elu": tf.nn.elu,
        "selu": tf.nn.selu, "log": tf.math.log, "sign": tf.sign, "rsqrt": tf.math.rsqrt, "reciprocal": tf.math.reciprocal,
        "softplus": tf.nn.softplus, "tanh": tf.tanh, "square": tf.square, "exp": tf.exp, "sin(x)/x": lambda x: tf.sin(x) / x,
        "safe sqrt": lambda x: tf.where(x > 0.0, tf.sqrt(x), 0.0), "unsafe reciprocal": lambda x: tf.where(x > 0.0, 1.0 / x, 0.0),
        "norm of zeros": lambda x: tf.norm(tf.stack([x, x])), "log1p": tf.math.log1p, "softsign": tf.nn.softsign, "asin": tf.asin,
        "gelu": tf.nn.gelu, "silu": tf.nn.silu, "x**0": lambda x: x**0.0, "x**2": lambda x: x**2.0, "x**0.5": lambda x: x**0.5, "x**-1": lambda x: x**-1.0,
    }  # fmt: skip
    others = {
        "acos at 1": (tf.acos, 1.0), "asin at -1": (tf.asin, -1.0), "relu6 at 6": (tf.nn.relu6, 6.0), "softplus at 100": (tf.nn.softplus, 100.0),
        "softplus at -100": (tf.nn.softplus, -100.0), "sigmoid at 100": (tf.sigmoid, 100.0), "sigmoid at -100": (tf.sigmoid, -100.0),
        "tanh at 50": (tf.tanh, 50.0), "exp at 100": (tf.exp, 100.0), "log at -1": (tf.math.log, -1.0), "sqrt at -1": (tf.sqrt, -1.0),
        "acosh at 1": (tf.acosh, 1.0), "atanh at 1": (tf.atanh, 1.0), "lgamma at 0": (tf.math.lgamma, 0.0), "digamma at 1": (tf.math.digamma, 1.0),
        "erf at 10": (tf.math.erf, 10.0), "abs at -0": (tf.abs, -0.0), "square at infinity": (tf.square, np.inf), "sin at infinity": (tf.sin, np.inf),
        "relu at nan": (tf.nn.relu, np.nan), "abs at nan": (tf.abs, np.nan), "log_sigmoid at -100": (tf.math.log_sigmoid, -100.0),
        "clip at the lower bound": (lambda x: tf.clip_by_value(x, 1.0, 2.0), 1.0), "clip at the upper bound": (lambda x: tf.clip_by_value(x, 1.0, 2.0), 2.0),
        "clip inside": (lambda x: tf.clip_by_value(x, 1.0, 2.0), 1.5), "clip outside": (lambda x: tf.clip_by_value(x, 1.0, 2.0), 2.5),
        "erfinv at 1": (tf.math.erfinv, 1.0), "round at 0.5": (tf.round, 0.5), "floormod by 3": (lambda x: tf.math.floormod(x, 3.0), 7.0),
    }  # fmt: skip
    found: dict[str, Any] = {f"{name} at 0": _slope(tf, f, 0.0) for name, f in zero.items()}
    return found | {name: _slope(tf, f, x) for name, (f, x) in others.items()}


def binary(tf: Any) -> dict[str, Any]:
    return {
        "maximum of equals": _slope(tf, tf.maximum, 1.0, 1.0),
        "minimum of equals": _slope(tf, tf.minimum, 1.0, 1.0),
        "maximum with nan": _slope(tf, tf.maximum, np.nan, 1.0),
        "0 ** y": _slope(tf, tf.pow, 0.0, 2.0),
        "0 ** 1": _slope(tf, tf.pow, 0.0, 1.0),
        "0 ** 0": _slope(tf, tf.pow, 0.0, 0.0),
        "0 ** -1": _slope(tf, tf.pow, 0.0, -1.0),
        "-1 ** 2": _slope(tf, tf.pow, -1.0, 2.0),
        "-1 ** 3": _slope(tf, tf.pow, -1.0, 3.0),
        "-1 ** 0.5": _slope(tf, tf.pow, -1.0, 0.5),
        "atan2(0, 0)": _slope(tf, tf.atan2, 0.0, 0.0),
        "divide_no_nan(1, 0)": _slope(tf, tf.math.divide_no_nan, 1.0, 0.0),
        "multiply_no_nan(inf, 0)": _slope(tf, tf.math.multiply_no_nan, np.inf, 0.0),
        "xlogy(0, 0)": _slope(tf, tf.math.xlogy, 0.0, 0.0),
        "xlogy(0, 2)": _slope(tf, tf.math.xlogy, 0.0, 2.0),
        "xlogy(2, 0)": _slope(tf, tf.math.xlogy, 2.0, 0.0),
        "xdivy(0, 0)": _slope(tf, tf.math.xdivy, 0.0, 0.0),
        "xlog1py(0, -1)": _slope(tf, tf.math.xlog1py, 0.0, -1.0),
        "1 / 0": _slope(tf, tf.divide, 1.0, 0.0),
        "0 / 0": _slope(tf, tf.divide, 0.0, 0.0),
        "squared_difference of equals": _slope(tf, tf.math.squared_difference, 1.0, 1.0),
        "floormod": _slope(tf, tf.math.floormod, 7.0, 3.0),
        "floormod of a negative": _slope(tf, tf.math.floormod, -7.0, 3.0),
        "floordiv": _slope(tf, tf.math.floordiv, 7.0, 2.0),
        "truncatediv": lambda: tf.truncatediv(tf.constant([-7, 7]), tf.constant([2, -2])),
        "truncatemod": lambda: tf.truncatemod(tf.constant([-7, 7]), tf.constant([2, -2])),
        "nextafter": _slope(tf, tf.math.nextafter, 1.0, 2.0),
    }


def reducing(tf: Any) -> dict[str, Any]:
    return {
        "reduce_max, a tie": _slope(tf, tf.reduce_max, [1.0, 3.0, 3.0]),
        "reduce_max, three tied": _slope(tf, tf.reduce_max, [3.0, 3.0, 3.0]),
        "reduce_min, a tie": _slope(tf, tf.reduce_min, [1.0, 1.0, 3.0]),
        "reduce_max by rows": _slope(tf, lambda x: tf.reduce_max(x, 1), [[1.0, 1.0], [2.0, 1.0]]),
        "reduce_prod, one zero": _slope(tf, tf.reduce_prod, [0.0, 2.0, 3.0]),
        "reduce_prod, two zeros": _slope(tf, tf.reduce_prod, [0.0, 0.0, 3.0]),
        "reduce_prod, none": _slope(tf, tf.reduce_prod, [4.0, 2.0, 3.0]),
        "cumprod through a zero": ours([np.array([1, 4, 0], np.float32)], _slope(tf, tf.math.cumprod, [1.0, 0.0, 3.0])),
        "reduce_std of a constant": _slope(tf, tf.math.reduce_std, [2.0, 2.0]),
        "reduce_variance of a constant": _slope(tf, tf.math.reduce_variance, [2.0, 2.0]),
        "norm of zeros": _slope(tf, tf.norm, [0.0, 0.0]),
        "euclidean norm of zeros": _slope(tf, tf.math.reduce_euclidean_norm, [0.0, 0.0]),
        "l2_normalize of zeros": _slope(tf, lambda x: tf.math.l2_normalize(x)[0], [0.0, 0.0]),
        "logsumexp of minus infinities": _slope(tf, tf.reduce_logsumexp, [-np.inf, -np.inf]),
        "logsumexp of one infinity": _slope(tf, tf.reduce_logsumexp, [0.0, -np.inf]),
        "logsumexp of large": _slope(tf, tf.reduce_logsumexp, [1000.0, 1000.0]),
        "softmax of large": _slope(tf, lambda x: tf.nn.softmax(x)[0], [1000.0, 0.0]),
        "mean of nothing": _slope(tf, tf.reduce_mean, []),
        "max of nothing": _slope(tf, tf.reduce_max, []),
        "sum of nothing": _slope(tf, tf.reduce_sum, []),
        "prod of nothing": _slope(tf, tf.reduce_prod, []),
        "top_k, a tie": _slope(tf, lambda x: tf.math.top_k(x, 1)[0], [1.0, 3.0, 3.0]),
        "sort, a tie": _slope(tf, lambda x: tf.sort(x) * [1.0, 10.0, 100.0], [3.0, 1.0, 1.0]),
        "segment_max, a tie": _slope(tf, lambda x: tf.math.segment_max(x, [0, 0, 1]), [3.0, 3.0, 1.0]),
        "unsorted_segment_max": _slope(tf, lambda x: tf.math.unsorted_segment_max(x, [1, 0, 1], 3), [3.0, 3.0, 1.0]),
        "max_pool, a tie": _slope(tf, lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), np.ones([1, 2, 2, 1])),
        "gather twice": _slope(tf, lambda x: tf.gather(x, [0, 0, 1]), [1.0, 2.0]),
        "clip_by_norm below": _slope(tf, lambda x: tf.clip_by_norm(x, 10.0), [3.0, 4.0]),
        "clip_by_norm above": _slope(tf, lambda x: tf.clip_by_norm(x, 1.0), [3.0, 4.0]),
        "clip_by_norm of zeros": _slope(tf, lambda x: tf.clip_by_norm(x, 1.0), [0.0, 0.0]),
        "cross entropy of a certain answer": _slope(
            tf, lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([0], x), [[1000.0, -1000.0]]
        ),
        "sigmoid cross entropy of large": _slope(
            tf, lambda x: tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones_like(x), logits=x), [-1000.0, 1000.0]
        ),
    }


def failed_factors(tf: Any) -> dict[str, Any]:
    """A matrix that is not positive definite has a Cholesky factor of NaN, eagerly, in functions and in graphs; the others have theirs."""
    bad = [[1.0, 2.0], [2.0, 1.0]]
    both = [bad, [[4.0, 0.0], [0.0, 9.0]]]

    def lower(x: Any) -> Any:
        return tf.linalg.band_part(tf.linalg.cholesky(x), -1, 0)

    def in_session() -> Any:
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            return session.run(lower(tf.constant(both)))

    return {
        "one": lambda: lower(bad),
        "one of two": lambda: lower(both),
        "in a function": lambda: tf.function(lower)(tf.constant(both)),
        "in a session": in_session,
        "gradient": _slope(tf, tf.linalg.cholesky, np.array(bad, np.float32)),
        "logdet": lambda: tf.linalg.logdet(both),
    }


def shape_errors(tf: Any) -> dict[str, Any]:
    v1 = tf.compat.v1

    def in_graph(f: Any, *shapes: Any) -> Any:
        with v1.Graph().as_default():
            return f(*(v1.placeholder(tf.float32, s) for s in shapes))

    a = tf.ones([2, 3])
    return {
        "matmul": raises(lambda: tf.matmul(a, a), "MatMul", "[2,3]"),
        "add": raises(lambda: tf.ones([2]) + tf.ones([3]), "[2]", "[3]", "AddV2"),
        "reshape": raises(lambda: tf.reshape(tf.ones([4]), [3]), "4", "3", "Reshape"),
        "reshape with two unknown": raises(lambda: tf.reshape(tf.ones([4]), [-1, -1])),
        "concat": raises(lambda: tf.concat([tf.ones([2, 2]), tf.ones([3, 3])], 0), "[2,2]", "[3,3]", "ConcatV2"),
        "stack": raises(lambda: tf.stack([tf.ones([2]), tf.ones([3])])),
        "gather": raises(lambda: tf.gather(tf.ones([2]), [5]), "5", "2", "GatherV2"),
        "gather, negative": raises(lambda: tf.gather(tf.ones([2]), [-1]), "-1"),
        "split": raises(lambda: tf.split(tf.ones([3]), 2)),
        "transpose": raises(lambda: tf.transpose(a, [0, 0])),
        "transpose, wrong length": raises(lambda: tf.transpose(a, [0])),
        "squeeze": raises(lambda: tf.squeeze(a, 0)),
        "expand_dims": raises(lambda: tf.expand_dims(a, 5)),
        "reduce": raises(lambda: tf.reduce_sum(a, 2)),
        "tile": raises(lambda: tf.tile(a, [2])),
        "broadcast_to": raises(lambda: tf.broadcast_to(a, [3, 3])),
        "pad": raises(lambda: tf.pad(a, [[1, 1]])),
        "slice": raises(lambda: tf.slice(a, [0, 0], [3, 3])),
        "one_hot": raises(lambda: tf.one_hot([0], -1)),
        "add_n": raises(lambda: tf.add_n([tf.ones([2]), tf.ones([3])]), "AddN"),
        "add_n of nothing": raises(lambda: tf.add_n([])),
        "einsum": raises(lambda: tf.einsum("ij,jk->ik", a, a)),
        "ensure_shape": raises(lambda: tf.ensure_shape(a, [2, 2]), "[2,3]", "[2,2]"),
        "inverse of a singular matrix": raises(lambda: tf.linalg.inv([[1.0, 1.0], [1.0, 1.0]]), "invertible"),
        "graph: matmul": raises(lambda: in_graph(tf.matmul, [2, 3], [2, 3]), "MatMul", "[2,3]"),
        "graph: add": raises(lambda: in_graph(lambda x, y: x + y, [2], [3]), "2", "3"),
        "graph: reshape": raises(lambda: in_graph(lambda x: tf.reshape(x, [3]), [4])),
        "graph: concat": raises(lambda: in_graph(lambda x, y: tf.concat([x, y], 0), [2, 2], [3, 3])),
        "graph: stack": raises(lambda: in_graph(lambda x, y: tf.stack([x, y]), [2], [3])),
        "graph: matmul of vectors": raises(lambda: in_graph(tf.matmul, [2], [2])),
        "graph: squeeze": raises(lambda: in_graph(lambda x: tf.squeeze(x, 0), [2, 3])),
        "graph: transpose": raises(lambda: in_graph(lambda x: tf.transpose(x, [0, 1, 2]), [2, 3])),
        "graph: inverse": raises(lambda: in_graph(tf.linalg.inv, [2, 3])),
    }
