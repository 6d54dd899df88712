"""`tape.jacobian` and `tape.batch_jacobian`: shapes, structures, options, nesting, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
import warnings
from typing import Any

import numpy as np

from tests.golden.programs.forward_mode import POINT, functions
from tests.golden.programs.kit import ours, raised, raises

FACE = "v2"


def whole(tf: Any) -> dict[str, Any]:
    """The Jacobian of each function, eagerly, in a function, and from a persistent tape by rows."""
    x = tf.constant(POINT)

    def eager(f: Any, **options: Any) -> Any:
        with tf.GradientTape(persistent=bool(options)) as tape:
            tape.watch(x)
            y = f(x)
        return tape.jacobian(y, x, **options)

    found: dict[str, Any] = {}
    for name, f in functions(tf).items():
        found[name] = lambda f=f: eager(f)
        if name not in ("a loop", "a branch"):
            found[f"{name}, in a function"] = lambda f=f: tf.function(lambda: eager(f))()
            found[f"{name}, row by row"] = lambda f=f: eager(f, experimental_use_pfor=False)
    return found


def rows(tf: Any) -> dict[str, Any]:
    """Functions of each row."""
    x = tf.constant(POINT)
    w = tf.constant([[0.5, -1.0], [1.5, 0.25], [-0.5, 2.0]], tf.float64)
    functions: dict[str, Callable[[Any], Any]] = {
        "squares": lambda x: x * x,
        "a layer": lambda x: tf.tanh(tf.matmul(x, w)),
        "softmax": lambda x: tf.nn.softmax(x),
        "sums": lambda x: tf.reduce_sum(x**3, axis=1, keepdims=True),
        "matrices": lambda x: x[:, :, None] * x[:, None, :],
        "sorted": lambda x: tf.sort(x, axis=1),
        "cumulative products": lambda x: tf.math.cumprod(x, axis=1),
    }

    def batch(f: Any, **options: Any) -> Any:
        with tf.GradientTape(persistent=bool(options)) as tape:
            tape.watch(x)
            y = f(x)
        return tape.batch_jacobian(y, x, **options)

    def second(f: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            j = batch(f)
        return outer.gradient(j, x)

    found: dict[str, Any] = {}
    for name, f in functions.items():
        found[name] = lambda f=f: batch(f)
        found[f"{name}, row by row"] = lambda f=f: batch(f, experimental_use_pfor=False)
        found[f"{name}, some at a time"] = lambda f=f: batch(f, parallel_iterations=2)
        found[f"{name}, in a function"] = lambda f=f: tf.function(lambda: batch(f))()
        found[f"{name}, differentiated"] = lambda f=f: second(f)
    return found


def meeting(tf: Any) -> dict[str, Any]:
    """Rows that depend on one another: what is given is the sum over the rows of the target."""
    x = tf.constant(POINT)
    targets = {
        "a mean over the batch": lambda: (x - tf.reduce_mean(x, 0, keepdims=True)) ** 2,
        "a sum of all": lambda: x * tf.reduce_sum(x),
        "a running sum": lambda: tf.cumsum(x, 0) ** 2,
    }
    found = {}
    for name, target in targets.items():
        with tf.GradientTape() as t, warnings.catch_warnings(action="ignore"):
            t.watch(x)
            y = target()
            found[name] = t.batch_jacobian(y, x)
    return found


def sources(tf: Any) -> dict[str, Any]:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    w = tf.Variable([[1.0, 2.0], [0.0, 1.0]])
    other = tf.ones([3, 4])
    e = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    z = tf.constant([1.0 + 2.0j, 3.0 - 1.0j], tf.complex64)

    def recorded(f: Any, persistent: bool = True) -> Any:
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch([x, z])
            y = f()
        return tape, y

    def asked(f: Any, source: Any, method: str = "jacobian", **options: Any) -> Any:
        tape, y = recorded(f)
        return getattr(tape, method)(y, source, **options)

    def product() -> Any:
        return tf.matmul(x, w) ** 2

    def hessian() -> Any:
        u = tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as outer:
            outer.watch(u)
            with tf.GradientTape() as inner:
                inner.watch(u)
                y = tf.reduce_sum(u**3) + u[0] * u[1]
            g = inner.gradient(y, u)
        return outer.jacobian(g, u)

    return {
        "a tensor and a variable": lambda: asked(product, [x, w]),
        "a dictionary": lambda: asked(product, {"a": x, "b": [w]}),
        "an empty structure": lambda: asked(product, []),
        "a scalar target": lambda: asked(lambda: tf.reduce_sum(product()), x),
        "a variable target": lambda: asked(lambda: w, w),
        "unconnected": lambda: asked(product, other),
        "unconnected, zeros": lambda: asked(product, other, unconnected_gradients="zero"),
        "unconnected among others": lambda: asked(product, [x, other]),
        "unconnected rows": lambda: asked(product, other, "batch_jacobian"),
        "unconnected rows, zeros": lambda: asked(product, other, "batch_jacobian", unconnected_gradients="zero"),
        "a lookup": lambda: asked(lambda: tf.gather(e, [0, 0, 2]) ** 2, e),
        "an integer target": lambda: asked(lambda: tf.cast(x, tf.int32), x),
        "some at a time": lambda: asked(product, x, parallel_iterations=4),
        "row by row": lambda: asked(product, [x, w], experimental_use_pfor=False),
        "complex squares": lambda: asked(lambda: z * z, z),
        "absolute values": lambda: asked(lambda: tf.abs(z), z),
        "real parts": lambda: asked(lambda: tf.math.real(z), z),
        "a Hessian": hessian,
        "no rows": ours(np.zeros((0, 2, 2, 2), np.float32), lambda: asked(lambda: tf.matmul(tf.zeros([0, 2]), w), w)),
    }


def refused(tf: Any) -> dict[str, Any]:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    w = tf.constant([[1.0, 2.0], [0.0, 1.0]])

    def tape(persistent: bool = False) -> Any:
        with tf.GradientTape(persistent=persistent) as t:
            t.watch(x)
            y = tf.matmul(x, w) ** 2
        return t, y

    def call(method: str, *args: Any, persistent: bool = False, **options: Any) -> Any:
        t, y = tape(persistent)
        return getattr(t, method)(*[y if a is tf else a for a in args], **options)

    def twice(method: str) -> Any:
        t, y = tape()
        getattr(t, method)(y, x)
        return getattr(t, method)(y, x)

    return {
        "twice": raises(lambda: twice("jacobian"), "non-persistent"),
        "rows twice": raises(lambda: twice("batch_jacobian"), "non-persistent"),
        "a list as target": raises(lambda: call("jacobian", [x], x)),
        "no target": raises(lambda: call("jacobian", None, x)),
        "no source": raises(lambda: call("jacobian", tf, None)),
        "an unknown option": raises(lambda: call("jacobian", tf, x, unconnected_gradients="foo")),
        "row by row from a tape that is not persistent": raises(
            lambda: call("jacobian", tf, x, experimental_use_pfor=False), "persistent=True", "experimental_use_pfor"
        ),
        "rows row by row from a tape that is not persistent": raises(
            lambda: call("batch_jacobian", tf, x, experimental_use_pfor=False), "persistent=True", "experimental_use_pfor"
        ),
        "rows of different numbers": raises(lambda: call("batch_jacobian", tf, w), "Need first dimension of target shape"),
        "a list as source of rows": raises(lambda: call("batch_jacobian", tf, [x])),
        "rows of no target": raises(lambda: call("batch_jacobian", None, x)),
    }
