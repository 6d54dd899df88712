"""`ForwardAccumulator`: alone, nested, over and under tapes, in functions, over loops and branches, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raised, raises

FACE = "v2"
POINT = np.array([[0.5, 1.5, -0.75], [1.25, -0.5, 2.0]], np.float64)
ALONG = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]], np.float64)


def functions(lib: Any) -> dict[str, Callable[[Any], Any]]:
    """Smooth functions of a [2, 3] tensor."""
    w = lib.constant([[0.5, -1.0], [1.5, 0.25], [-0.5, 2.0]], lib.float64)
    return {
        "cubes": lambda x: x * x * x,
        "sine times x": lambda x: lib.sin(x) * x,
        "product with a matrix": lambda x: lib.matmul(x, w),
        "product with itself": lambda x: lib.matmul(x, x, transpose_b=True),
        "softmax": lambda x: lib.nn.softmax(x),
        "log of sums of exponentials": lambda x: lib.reduce_logsumexp(x, axis=1),
        "means of squares": lambda x: lib.reduce_mean(x**2, axis=0),
        "products along an axis": lambda x: lib.reduce_prod(x, axis=1),
        "rows gathered twice": lambda x: lib.gather(x, [1, 0, 1]) ** 2,
        "slices and their difference": lambda x: x[:, 1:] * x[:, :-1] - x[0, 0],
        "stack and concat": lambda x: lib.concat([lib.stack([x[0], x[1] * 2.0]), x * x], axis=1),
        "where": lambda x: lib.where(x > 0.0, lib.exp(x), x * x),
        "maximum": lambda x: lib.maximum(x, 0.25) * x,
        "cumulative sums": lambda x: lib.cumsum(x * x, axis=1),
        "einsum": lambda x: lib.einsum("ij,jk,kl->il", x, w, lib.transpose(w)),
        "an inverse": lambda x: lib.linalg.inv(lib.matmul(x, x, transpose_b=True)),
        "a loop": lambda x: lib.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, lib.sin(s) * x), [0, x])[1],
        "a branch": lambda x: lib.cond(lib.reduce_sum(x) > 0.0, lambda: x * x, lambda: -x),
        "layers": lambda x: lib.tanh(lib.matmul(lib.tanh(lib.matmul(x, w)), w, transpose_b=True)),
        "division and powers": lambda x: (x**3 + 1.0) / (x**2 + 2.0),
        "squared differences broadcast": lambda x: lib.math.squared_difference(x, x[:, :1]),
        "norms": lambda x: lib.norm(x, axis=1),
    }


def products(tf: Any) -> dict[str, Any]:
    """Each function: its tangent, in and out of a function, its Hessian's product, and its tangent of second order."""
    x, v = tf.constant(POINT), tf.constant(ALONG)
    accumulator = tf.autodiff.ForwardAccumulator

    def once(f: Any) -> Any:
        with accumulator(x, v) as acc:
            y = f(x)
        return acc.jvp(y)

    def over_tape(f: Any) -> Any:
        with accumulator(x, v) as acc:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(f(x) ** 2)
            g = tf.convert_to_tensor(tape.gradient(y, x))
        return tf.convert_to_tensor(acc.jvp(g))

    def under_tape(f: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            with accumulator(x, v) as acc:
                y = f(x)
            j = acc.jvp(y)
        return tf.convert_to_tensor(tape.gradient(j, x, unconnected_gradients="zero"))

    def twice(f: Any) -> Any:
        with accumulator(x, v) as outer:
            with accumulator(x, v) as inner:
                y = f(x)
            j = inner.jvp(y)
        return outer.jvp(j, unconnected_gradients="zero")

    def inside(f: Any) -> Any:
        @tf.function
        def g(x: Any, v: Any) -> Any:
            with accumulator(x, v) as acc:
                y = f(x)
            return acc.jvp(y)

        return g(x, v)

    found: dict[str, Any] = {}
    ways = {"once": once, "over a tape": over_tape, "under a tape": under_tape, "twice": twice, "in a function": inside}
    for name, f in functions(tf).items():
        for way, call in ways.items():
            found[f"{name}, {way}"] = lambda f=f, call=call: call(f)
    return found


def normalised(tf: Any) -> dict[str, Any]:
    """Batches that are normalised by given means and variances: along images, scales and offsets, eagerly and in a function."""
    dims = (2, 10, 10, 4)
    x = tf.constant(np.sin(np.arange(np.prod(dims))).reshape(dims), tf.float32)
    scale, offset, mean, variance = (tf.constant([a, 0.5, 1.5, 2.0 * a]) for a in (0.25, 0.5, 1.0, 2.0))

    def along(which: int) -> Any:
        def product() -> Any:
            given = [x, scale, offset]
            with tf.autodiff.ForwardAccumulator(given[which], tf.ones_like(given[which]) * 0.5) as acc:
                y = tf.compat.v1.nn.fused_batch_norm(*given, mean, variance, is_training=False)[0]
            return acc.jvp(y)

        return lambda: [product(), tf.function(product)()]

    def over_a_tape() -> Any:
        with tf.autodiff.ForwardAccumulator(scale, tf.ones_like(scale)) as acc:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.compat.v1.nn.fused_batch_norm(x, scale, offset, mean, variance, is_training=False)[0] ** 2
            g = tape.gradient(y, x)
        return acc.jvp(g)

    return {"images": along(0), "scales": along(1), "offsets": along(2), "over a tape": over_a_tape}


def what_it_follows(tf: Any) -> dict[str, Any]:
    accumulator = tf.autodiff.ForwardAccumulator
    x, one = tf.constant(2.0), tf.constant(1.0)
    v = tf.Variable(3.0)

    def variable() -> Any:
        with accumulator(v, one) as acc:
            y = v * v
        return [acc.jvp(y), acc.jvp(v)]

    def structure() -> Any:
        with accumulator([x, v], [one, tf.constant(2.0)]) as acc:
            y = x * v
        return acc.jvp({"a": y, "b": [x, v]})

    def several_times() -> Any:
        acc = accumulator(x, one)
        with acc:
            y = x * 2.0
        with acc:
            z = y * x
        return acc.jvp([y, z])

    def before() -> Any:
        return accumulator(x, one).jvp(x)

    def elsewhere() -> Any:
        y = x * x
        with accumulator(x, one) as acc:
            pass
        return acc.jvp(y)

    def nothing(option: Any) -> Any:
        with accumulator(x, one) as acc:
            pass
        return acc.jvp([tf.constant([1.0, 2.0]), tf.constant([1, 2])], unconnected_gradients=option)

    def through_function() -> Any:
        f = tf.function(lambda a: tf.sin(a) * a)
        with accumulator(x, one) as acc:
            y = f(x)
        return acc.jvp(y)

    def stopped() -> Any:
        with accumulator(x, one) as acc:
            y = tf.stop_gradient(x) * x
        return acc.jvp(y)

    def integers() -> Any:
        with accumulator(x, one) as acc:
            y = tf.cast(x, tf.int32)
        return acc.jvp(y)

    def assigned() -> Any:
        u = tf.Variable(3.0)
        with accumulator(u, one) as acc:
            y = u * u
            u.assign(u * 5.0)
            z = u * 1.0
        return [acc.jvp(y), acc.jvp(z)]

    def inner_of_outer() -> Any:
        with accumulator(x, one) as outer, accumulator(x, one) as inner:
            y = x**3
            j = outer.jvp(y)
        return inner.jvp(j)

    def tape_inside() -> Any:
        with accumulator(x, one) as acc:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x**3
                j = acc.jvp(y)
            return tape.gradient(j, x)

    def gathered() -> Any:
        e = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        with accumulator(e, tf.ones([2, 2])) as acc:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(tf.gather(e, [1, 1]) ** 3)
            g = tape.gradient(y, e)
        return acc.jvp(g.values)

    return {
        "a variable": variable,
        "a structure": structure,
        "entered again": several_times,
        "before it is entered": before,
        "what was computed before": elsewhere,
        "nothing": lambda: nothing("none"),
        "zeros": lambda: nothing("zero"),
        "zeros by the enum": lambda: nothing(tf.UnconnectedGradients.ZERO),
        "a function": through_function,
        "stop_gradient": stopped,
        "integers": integers,
        "assignments": assigned,
        "the inner one of the outer's tangent": inner_of_outer,
        "a tape inside, of the tangent": tape_inside,
        "values of a sparse gradient": gathered,
    }


def refused(tf: Any) -> dict[str, Any]:
    accumulator = tf.autodiff.ForwardAccumulator
    x, one = tf.constant(2.0), tf.constant(1.0)

    def again() -> None:
        acc = accumulator(x, one)
        with acc, acc:
            pass

    return {
        "structures": raises(lambda: accumulator(x, [one])),
        "kinds of sequences": raises(lambda: accumulator([x], (one,))),
        "dtypes": raises(lambda: accumulator(x, tf.constant(1.0, tf.float64))),
        "an integer tangent": raises(lambda: accumulator(x, tf.constant(1))),
        "no tangent": raises(lambda: accumulator(x, None)),
        "a number": raises(lambda: accumulator(3.0, 1.0)),
        "twice the same": raises(lambda: accumulator([x, x], [one, one]), "multiple times"),
        "entered twice": raises(again, "already recording"),
        "an unknown option": raises(lambda: accumulator(x, one).jvp(x, unconnected_gradients="foo")),
        "a number asked for": raises(lambda: accumulator(x, one).jvp(3.0)),
        "None asked for": raises(lambda: accumulator(x, one).jvp(None)),
        "a tangent of another shape": ours(raised("ValueError"), raises(lambda: accumulator(x, tf.constant([1.0, 2.0])))),
    }
