"""`vectorized_map`: functions of a row, with gradients inside and outside, branches, loops, lists, and maps in maps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error, floats, ints


def _map(f: Callable[..., Any]) -> Callable[..., Any]:
    """The case that maps `f(tf, row)` over the rows of one input, or `f(tf, row, another row)` over those of several."""

    def run(tf: Any, *stacks: Any) -> Any:
        stacks = tuple(_dense(x) for x in stacks)
        if len(stacks) == 1:
            return tf.vectorized_map(lambda row: f(tf, row), stacks[0])
        return tf.vectorized_map(lambda rows: f(tf, *rows), stacks)

    return run


def _dense(x: Any) -> Any:
    """`x` behind a multiplication: TensorFlow takes rows by gather, so that a gradient may be sparse; what comes through this is not."""
    return x * 1 if x.dtype.is_floating or x.dtype.is_complex else x


def _shared(f: Callable[..., Any]) -> Callable[..., Any]:
    """The case that maps `f(tf, row, w)` over the rows of the first input; the second is the same for all."""

    def run(tf: Any, x: Any, w: Any) -> Any:
        w = _dense(w)
        return tf.vectorized_map(lambda row: f(tf, row, w), _dense(x))

    return run


def _slope(f: Callable[..., Any]) -> Callable[..., Any]:
    """The gradient of `f(tf, row)` for the row, by a tape inside the map."""

    def inside(tf: Any, row: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(row)
            y = f(tf, row)
        return tape.gradient(y, row)

    return inside


def _weight_slope(tf: Any, row: Any, w: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = tf.reduce_sum(tf.tanh(tf.linalg.matvec(w, row)))
    return tape.gradient(y, w)


def _curvature(tf: Any, row: Any) -> Any:
    with tf.GradientTape() as outer:
        outer.watch(row)
        with tf.GradientTape() as inner:
            inner.watch(row)
            y = tf.reduce_sum(tf.sin(row) * row)
        slope = inner.gradient(y, row)
    return outer.gradient(slope, row)


def _steps(tf: Any, row: Any) -> Any:
    return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.sin(s) * 1.5), (tf.constant(0), row))[1]


def _own_number_of_steps(tf: Any, x: Any, n: Any) -> Any:
    return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s * tf.sin(s)), (tf.constant(0), x))[1]


def _until_large(tf: Any, x: Any) -> Any:
    return tf.while_loop(lambda s: s < 10.0, lambda s: (s * (1.5 + 0.1 * s),), (x,))[0]


def _in_a_list(tf: Any, row: Any) -> Any:
    ta = tf.TensorArray(row.dtype, 3, clear_after_read=False, element_shape=row.shape)
    ta = tf.while_loop(lambda i, ta: i < 3, lambda i, ta: (i + 1, ta.write(i, row * tf.cast(i, row.dtype))), (tf.constant(0), ta))[1]
    return ta.stack()


def _fibonacci(tf: Any, row: Any) -> Any:
    ta = tf.TensorArray(row.dtype, 5, clear_after_read=False, element_shape=row.shape).write(0, row).write(1, 0.5 * row)

    def body(i: Any, ta: Any) -> Any:
        return i + 1, ta.write(i, ta.read(i - 1) * 0.9 + ta.read(i - 2))

    return tf.while_loop(lambda i, ta: i < 5, body, (tf.constant(2), ta))[1].concat()


def _branch(tf: Any, x: Any) -> Any:
    return tf.cond(x > 0.0, lambda: tf.math.log(x) * x, lambda: x * x)


def _switch(tf: Any, x: Any, i: Any) -> Any:
    return tf.switch_case(i, [lambda: x * x, lambda: tf.sin(x), lambda: 3.0 * x])


def _branch_on_shared(tf: Any, x: Any, w: Any) -> Any:
    return tf.cond(w[0] > 0.0, lambda: tf.sin(x) * w, lambda: x)


def _shared_list(tf: Any, x: Any, w: Any) -> Any:
    ta = tf.TensorArray(w.dtype, 3, clear_after_read=False, element_shape=w.shape[1:]).unstack(w)
    ta = ta.write(1, x)
    return ta.stack() * ta.read(0)


def _outer_products(tf: Any, x: Any, y: Any) -> Any:
    x, y = _dense(x), _dense(y)
    return tf.vectorized_map(lambda a: tf.vectorized_map(lambda b: tf.reduce_sum(a * b), y), x)


def _function(tf: Any, row: Any) -> Any:
    inner = tf.function(lambda a: tf.reduce_sum(tf.exp(a)) * a)
    return inner(row) + inner(2.0 * row)


def _nest(tf: Any, x: Any, y: Any) -> Any:
    return tf.vectorized_map(
        lambda d: {"sum": d["a"] + d["b"][0], "both": [d["a"] * 2.0, (d["b"][0], 7.0)]}, {"a": _dense(x), "b": (_dense(y),)}
    )


def _convolved(tf: Any, x: Any, w: Any) -> Any:
    return tf.nn.conv2d(x[None], w, 1, "SAME")[0]


def _convolution_slope(tf: Any, x: Any, w: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = tf.reduce_sum(tf.sin(_convolved(tf, x, w)))
    return tape.gradient(y, w)


def _per_example(tf: Any, x: Any, w: Any, b: Any) -> Any:
    def slopes(row: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch((w, b))
            loss = tf.reduce_sum(tf.square(tf.tanh(row[None] @ w + b)))
        return tape.gradient(loss, (w, b))

    w, b = _dense(w), _dense(b)
    return tf.vectorized_map(slopes, _dense(x))


def _embedding_slope(tf: Any, i: Any, w: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = tf.reduce_sum(tf.gather(w, [i, 0, i]) ** 2)
    return tape.gradient(y, w)


def _pooled(tf: Any, x: Any) -> Any:
    return tf.nn.max_pool2d(x, 2, 2, "VALID") + tf.nn.avg_pool2d(x, 2, 2, "VALID")


def _normal(tf: Any, x: Any) -> Any:
    mean, variance = tf.nn.moments(x, 0)
    return tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3)


def _spd(*shape: int) -> Any:
    a = floats(*shape, shape[-1], low=-0.5, high=0.5, seed=3)
    return np.matmul(a, a.swapaxes(-1, -2)) + np.eye(shape[-1], dtype=np.float32)


X, W = floats(3, 2, low=0.3, high=1.4), floats(2, low=0.5, high=1.2, seed=1)
S = floats(4, low=-1.5, high=1.5, seed=5)
M, V = floats(3, 2, 2, seed=2), floats(3, 2, 4, seed=4)
IMAGES, FILTER = floats(2, 4, 4, 2, seed=7), floats(3, 3, 2, 3, seed=8)
P = "vectorized_map"
CASES: list[Case] = [
    case(P, "element by element", _map(lambda tf, r: tf.sin(r) * r + 1.0), X),
    case(P, "two stacks", _map(lambda tf, a, b: a * tf.exp(b)), X, floats(3, 2, seed=9)),
    case(P, "ranks that broadcast", _map(lambda tf, a, b: a * b), X, floats(3, low=0.5, seed=9)),
    case(P, "one slice for all", _map(lambda tf, a, b: a * b), X, floats(1, 2, seed=9)),
    case(P, "shared", _shared(lambda tf, r, w: r * w), X, W),
    case(P, "a nest", _nest, X, floats(3, 2, seed=9)),
    case(P, "a constant result", _map(lambda tf, r: tf.constant([1.0, 2.0])), X, smooth=False),
    case(P, "a number as result", _map(lambda tf, r: 3.0), X, smooth=False),
    case(P, "no rows", _map(lambda tf, r: r * 2.0), floats(0, 3)),
    case(P, "float64", _map(lambda tf, r: tf.tanh(r)), floats(3, 2, dtype="float64")),
    case(P, "complex", _map(lambda tf, r: r * tf.math.conj(r) * r), floats(3, 2, dtype="complex64")),
    case(P, "strings", _map(lambda tf, r: r + "!"), np.array([b"a", b"b"], object), smooth=False),
    case(P, "integers", _map(lambda tf, r: r // 2 + tf.reduce_sum(r)), ints(3, 2), smooth=False),
    case(P, "reductions", _map(lambda tf, r: [tf.reduce_sum(r), tf.reduce_mean(r), tf.reduce_prod(r), tf.norm(r)]), X),
    case(P, "extremes", _map(lambda tf, r: [tf.reduce_max(r), tf.reduce_min(r), tf.argmax(r)]), X),
    case(P, "reduced along an axis", _map(lambda tf, m: tf.reduce_sum(m, -1, keepdims=True) * tf.reduce_max(m, 0)), M),
    case(P, "all and any", _map(lambda tf, r: [tf.reduce_all(r > 0.5), tf.reduce_any(r > 1.0)]), X, smooth=False),
    case(P, "reshape", _map(lambda tf, m: tf.reshape(tf.sin(m), [-1])), M),
    case(P, "transpose", _map(lambda tf, m: tf.transpose(m) * m[0]), M),
    case(P, "expand and squeeze", _map(lambda tf, m: tf.squeeze(tf.expand_dims(m, 1), 1) * tf.expand_dims(m[0], -1)), M),
    case(P, "slices", _map(lambda tf, m: [m[1:], m[..., 0], m[::-1, None], m[0, 1]]), M),
    case(P, "slice at a row's own place", _map(lambda tf, r, i: r[i]), X, np.int32([1, 0, 1])),
    case(P, "shared sliced at a row's own place", _shared(lambda tf, k, w: w[k] ** 2), np.int32([1, 0, 1]), X),
    case(P, "concat and stack", _map(lambda tf, m: tf.concat([m, m * m], 1) + tf.stack([m[0], m[1], m[0], m[1]], 1)), M),
    case(P, "split", _map(lambda tf, m: [a * 2.0 for a in tf.split(m, 2, 0)]), V),
    case(P, "unstack", _map(lambda tf, m: tf.add_n(tf.unstack(m, axis=1))), M),
    case(P, "pad", _map(lambda tf, r: tf.pad(r, [[1, 2]])), X),
    case(P, "mirrored", _map(lambda tf, r: tf.pad(r, [[1, 1]], "REFLECT")), X),
    case(P, "tile", _map(lambda tf, r: tf.tile(r, [3])), X),
    case(P, "roll and reverse", _map(lambda tf, m: tf.roll(m, 1, 0) + tf.reverse(m, [-1])), M),
    case(P, "shape", _map(lambda tf, m: tf.zeros(tf.shape(m)) + tf.cast(tf.size(m), tf.float32)), M, smooth=False),
    case(P, "fill", _map(lambda tf, r: tf.fill([2, 3], r[0])), X),
    case(P, "broadcast", _map(lambda tf, r: tf.broadcast_to(r, [3, 2])), X),
    case(P, "one-hot", _map(lambda tf, i: tf.one_hot(i, 4)), ints(3, 2, high=4), smooth=False),
    case(P, "gather", _map(lambda tf, m: tf.gather(m, [1, 0, 1])), M),
    case(P, "gather at own indices", _map(lambda tf, m, i: tf.gather(m, i)), M, ints(3, 3, high=2)),
    case(P, "gather of what is shared", _shared(lambda tf, k, w: tf.gather(w, k)), ints(3, 2, high=2), M),
    case(P, "gather along an axis", _map(lambda tf, m, i: tf.gather(m, i, axis=1)), M, ints(3, 3, high=2)),
    case(P, "gather_nd", _map(lambda tf, m, i: tf.gather_nd(m, i)), M, ints(3, 4, 2, high=2)),
    case(P, "scatter_nd", _map(lambda tf, r, i: tf.scatter_nd(i[:, None], r, [4])), X, np.int32([[1, 0], [0, 0], [3, 2]])),
    case(P, "scattered into", _map(lambda tf, m, r: tf.tensor_scatter_nd_add(m, [[1]], r[None])), M, X),
    case(P, "where", _map(lambda tf, r: tf.where(r > 0.8, r * r, -r)), X),
    case(P, "clipped", _map(lambda tf, r: tf.clip_by_value(r, 0.5, 1.0)), X, smooth=False),
    case(P, "cumulative", _map(lambda tf, r: tf.cumsum(r) * tf.math.cumprod(r, reverse=True)), X),
    case(P, "sorted", _map(lambda tf, r: [tf.sort(r), tf.math.top_k(r, 1)[0]]), X),
    case(P, "segments", _map(lambda tf, m: tf.math.segment_sum(m, [0, 0])), M),
    case(P, "unsorted segments", _map(lambda tf, r, i: tf.math.unsorted_segment_sum(r, i, 3)), X, np.int32([[1, 0], [0, 0], [2, 1]])),
    case(P, "matrix and vector", _shared(lambda tf, r, w: tf.linalg.matvec(w, r)), X, floats(3, 2, seed=9)),
    case(P, "matrices", _map(lambda tf, a, b: a @ b), M, V),
    case(P, "shared left factor", _shared(lambda tf, m, w: tf.matmul(w, m, transpose_a=True)), V, floats(2, 3, seed=9)),
    case(P, "shared right factor", _shared(lambda tf, m, w: tf.matmul(m, w)), M, floats(2, 3, seed=9)),
    case(P, "stacks of matrices", _map(lambda tf, a, b: tf.matmul(a, b)), floats(2, 3, 2, 2), floats(2, 2, 2, seed=1)),
    case(P, "einsum", _map(lambda tf, a, b: tf.einsum("ij,jk->ki", a, b)), M, V),
    case(P, "outer product", _map(lambda tf, r: tf.tensordot(r, r, 0)), X),
    case(P, "diagonals", _map(lambda tf, r: tf.linalg.diag(r) + tf.linalg.band_part(tf.tensordot(r, r, 0), 0, 0)), X),
    case(P, "inverse", _map(lambda tf, m: tf.linalg.inv(m)), _spd(3, 2), rtol=1e-4),  # two eliminations
    case(P, "cholesky", _map(lambda tf, m: tf.linalg.cholesky(0.5 * (m + tf.transpose(m)))), _spd(3, 2), rtol=1e-4),
    case(P, "solve", _map(lambda tf, m, v: tf.linalg.solve(m, v)), _spd(3, 2), V, rtol=1e-4),
    case(P, "determinant", _map(lambda tf, m: tf.linalg.det(m)), _spd(3, 2), rtol=1e-4),
    case(P, "softmax", _map(lambda tf, r: tf.nn.softmax(r) * tf.nn.log_softmax(r)), X),
    case(
        P, "sparse cross-entropy",
        _map(lambda tf, r, i: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i, logits=r)), X, np.int32([1, 0, 1]),
    ),
    case(P, "layers", _map(lambda tf, r: [tf.nn.relu(r - 0.7), tf.nn.elu(r), tf.nn.softplus(r), tf.nn.leaky_relu(r)]), X),
    case(P, "normalised", _map(_normal), M, rtol=1e-3),  # two values a column, whose variance cancels
    case(P, "convolution", _shared(_convolved), IMAGES, FILTER, rtol=1e-4),
    case(P, "convolutions with filters of their own", _map(_convolved), IMAGES, floats(2, 3, 3, 2, 3, seed=8), rtol=1e-4),
    case(P, "gradient of a shared filter", _shared(_convolution_slope), IMAGES, FILTER, rtol=1e-3),
    case(P, "pools", _map(_pooled), floats(2, 1, 4, 4, 2)),
    case(P, "bias", _map(lambda tf, m, b: tf.nn.bias_add(m, b)), M, X),
    case(P, "loss", _map(lambda tf, r: tf.nn.l2_loss(r)), X),
    case(P, "gradient inside", _map(_slope(lambda tf, r: tf.reduce_sum(r**3))), X),
    case(P, "gradient of a shared matrix", _shared(_weight_slope), X, floats(2, 2, seed=9)),
    case(P, "gradients per example", _per_example, X, floats(2, 3, seed=9), floats(3, seed=8)),
    case(P, "sparse gradient", _shared(_embedding_slope), np.int32([1, 2, 0]), M),
    case(P, "gradient of a gradient inside", _map(_curvature), X),
    case(P, "branch of a row's own", _map(_branch), S),
    case(P, "switch of a row's own", _map(_switch), S, np.int32([0, 2, 1, 0])),
    case(P, "branch on what is shared", _shared(_branch_on_shared), X, W),
    case(P, "loop", _map(_steps), X),
    case(P, "number of steps of a row's own", _map(_own_number_of_steps), floats(4, low=0.5, seed=3), np.int32([1, 0, 3, 2])),
    case(P, "until a row's own end", _map(_until_large), floats(4, low=0.7, high=3.0, seed=3), rtol=1e-4),
    case(P, "a list", _map(_in_a_list), X),
    case(P, "a list read and written", _map(_fibonacci), X),
    case(P, "a shared list with a row's own entry", _shared(_shared_list), X, floats(3, 2, seed=9)),
    case(P, "a map in a map", _outer_products, X, floats(4, 2, seed=9)),
    case(P, "a function", _map(_function), X),
]  # fmt: skip
ERRORS: list[ErrorCase] = [
    error("vectorized_map: a scalar", lambda tf, x: tf.vectorized_map(lambda r: r, x), np.float32(1.0)),
    error("vectorized_map: no function", lambda tf, x: tf.vectorized_map(3, x), floats(3)),
]
