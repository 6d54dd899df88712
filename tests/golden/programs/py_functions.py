"""Python functions as operations, eagerly and in functions: py_function, numpy_function."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raises

FACE = "v2"
X = np.array([1.0, 2.0, 3.0], np.float32)


def _taped(tf: Any, f: Any, *values: Any, order: int = 1) -> Any:
    """The value of `f`, and the derivatives of its sum with respect to its arguments, `order` times in the first."""
    xs = [tf.constant(v) for v in values]

    def derivative(n: int) -> Any:
        if n == 0:
            return f(*xs)
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = derivative(n - 1)
            y = y[0] if n > 1 else y
        return tape.gradient(y, xs)

    return lambda: [derivative(n) for n in range(order + 1)]


def _both(tf: Any, name: str, f: Any, *values: Any, order: int = 1) -> dict[str, Any]:
    return {
        name: _taped(tf, f, *values, order=order),
        f"{name}, in a function": lambda: _taped(tf, tf.function(f, autograph=False), *values, order=order)(),
    }


def py_function(tf: Any) -> dict[str, Any]:
    def powers(x: Any) -> Any:
        return x * x, tf.exp(x)

    def branching(x: Any) -> Any:
        return x * 2.0 if float(x) > 1.0 else tf.sin(x)

    def several(x: Any) -> Any:
        a, b = tf.py_function(powers, [x], [tf.float32, tf.float32])
        return a * b

    def one_of(x: Any) -> Any:
        return tf.py_function(powers, [x], [tf.float32, tf.float32])[1] * 3.0

    found = _both(tf, "one argument", lambda x: tf.py_function(lambda t: t * t * t, [x], tf.float32), X)
    found |= _both(tf, "two arguments", lambda x, y: tf.py_function(lambda a, b: tf.sin(a) * b, [x, y], tf.float32), X, X + 1.0)
    found |= _both(tf, "several results", several, X)
    found |= _both(tf, "one of several results", one_of, X)
    found |= _both(tf, "the same argument twice", lambda x: tf.py_function(lambda a, b: a * b * b, [x, x], tf.float32), X)
    found |= _both(tf, "in a chain", lambda x: tf.exp(tf.py_function(tf.sin, [x * 2.0], tf.float32)), X)
    found |= _both(tf, "a python branch", lambda x: tf.py_function(branching, [x], tf.float32), np.float32(0.5))
    found |= _both(tf, "the other branch", lambda x: tf.py_function(branching, [x], tf.float32), np.float32(1.5))
    constant = lambda x: x * tf.py_function(lambda t: tf.constant(2.0), [x], tf.float32)  # noqa: E731
    found |= _right(tf, "constant", constant, 2.0 * X, np.full(3, 2.0, np.float32))
    power = lambda x: tf.py_function(lambda t, n: t ** float(n), [x, 3], tf.float32)  # noqa: E731
    found |= _right(tf, "an integer argument", power, X**3, 3.0 * X**2)
    of_numpy = lambda x: x * tf.py_function(lambda t: np.sin(t.numpy()), [x], tf.float32)  # noqa: E731
    found |= _right(tf, "numpy inside", of_numpy, X * np.sin(X), np.sin(X))
    found |= _both(tf, "a list of one", lambda x: tf.py_function(lambda t: t * 3.0, [x], [tf.float32])[0], X)
    found |= _both(tf, "a tape inside", lambda x: tf.py_function(lambda t: _slope(tf, t), [x], tf.float32), X)
    cube = lambda x: tf.py_function(lambda t: t * t * t, [x], tf.float32)  # noqa: E731
    second = [X**3, [3 * X**2], [6 * X]]
    found["second order"] = ours(second, _taped(tf, cube, X, order=2))
    found["second order, in a function"] = ours(second, lambda: _taped(tf, tf.function(cube, autograph=False), X, order=2)())
    return found


def _right(tf: Any, name: str, f: Any, value: Any, slope: Any) -> dict[str, Any]:
    """Where TensorFlow's gradient of an argument without influence has the wrong shape or fails."""
    return {key: ours([value, [slope]], call) for key, call in _both(tf, name, f, X).items()}


def _slope(tf: Any, t: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(t)
        y = t * t * t
    return tape.gradient(y, t)


def numpy_function(tf: Any) -> dict[str, Any]:
    def sinh(x: Any) -> Any:
        return np.sinh(x)

    def beside(x: Any) -> Any:
        return x * tf.numpy_function(sinh, [x], tf.float32)

    @tf.custom_gradient
    def with_rule(x: Any) -> Any:
        return tf.numpy_function(sinh, [x], tf.float32), lambda g: g * tf.numpy_function(np.cosh, [x], tf.float32)

    def split(x: Any) -> Any:
        low, high = tf.numpy_function(lambda t: (t.min(), t.max()), [x], [tf.float32, tf.float32])
        return x * (high - low)

    def kinds(*args: Any) -> Any:
        return np.array([type(a).__name__ for a in args])

    found = _both(tf, "no gradient", lambda x: tf.numpy_function(sinh, [x], tf.float32), X)
    found |= _both(tf, "beside another path", beside, X)
    found |= _both(tf, "with a gradient of one's own", with_rule, X)
    found |= _both(tf, "several results", split, X)
    x = tf.constant(X)
    named = lambda: tf.numpy_function(kinds, [x, 1.0, 2], tf.string)  # noqa: E731
    found |= {
        "what it is given": named,
        "what it is given, in a function": lambda: tf.function(named)(),
        "strings": lambda: tf.numpy_function(lambda s: s + b"!", [tf.constant("ab")], tf.string),
        "a variable": lambda: tf.numpy_function(sinh, [tf.Variable(X)], tf.float32),
        "integers": lambda: tf.function(lambda: tf.numpy_function(lambda n: n * 2, [tf.constant([1, 2])], tf.int32))(),
        "booleans": lambda: tf.function(lambda: tf.numpy_function(lambda n: n > 1, [tf.constant([1, 2])], tf.bool))(),
        "unknown shape": lambda: _shape_seen(tf, lambda x: tf.numpy_function(sinh, [x], tf.float32)),
        "unknown shape of py_function": lambda: _shape_seen(tf, lambda x: tf.py_function(tf.sin, [x], tf.float32)),
        "stateless": lambda: tf.numpy_function(sinh, [x], tf.float32, stateful=False),
        "stateless, in a function": lambda: tf.function(lambda: tf.numpy_function(sinh, [x], tf.float32, stateful=False))(),
    }
    return found


def _shape_seen(tf: Any, f: Any) -> Any:
    seen = []

    @tf.function(autograph=False)
    def traced(x: Any) -> Any:
        y = f(x)
        seen.append(str(y.shape))
        return y

    traced(tf.constant(X))
    return seen


def effects(tf: Any) -> dict[str, Any]:
    log: list[Any] = []
    v = tf.Variable(2.0)

    def noted(x: Any) -> Any:
        log.append(float(x))
        return x

    def nothing(x: Any) -> None:
        log.append(float(x))

    def order() -> Any:
        del log[:]

        @tf.function(autograph=False)
        def f(x: Any) -> Any:
            tf.py_function(nothing, [x], [])
            tf.py_function(nothing, [x + 1.0], [])
            tf.numpy_function(noted, [x + 2.0], tf.float32)
            return x

        f(tf.constant(1.0))
        f(tf.constant(5.0))
        return list(log)

    def calls() -> Any:
        del log[:]
        x = tf.constant(3.0)
        f = tf.function(lambda x: tf.py_function(lambda t: noted(t) * t, [x], tf.float32), autograph=False)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        before = len(log)
        return [before, tape.gradient(y, x), len(log)]

    def eagerly() -> Any:
        del log[:]
        return [tf.py_function(nothing, [tf.constant(4.0)], []), list(log)]

    def in_loop() -> Any:
        f = lambda x: tf.py_function(lambda t: t * t, [x], tf.float32)  # noqa: E731

        def looped(x: Any) -> Any:
            return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.ensure_shape(f(s), [])), [tf.constant(0), x])[1]

        right = [np.float32(1.1**8), [np.float32(8 * 1.1**7)]]
        x = np.float32(1.1)
        return ours([right, right], lambda: [_taped(tf, looped, x)(), _taped(tf, tf.function(looped, autograph=False), x)()])

    def in_branch() -> Any:
        f = lambda x: tf.cond(x > 0.0, lambda: tf.py_function(lambda t: t * t, [x], tf.float32), lambda: x)  # noqa: E731
        return [_taped(tf, tf.function(f, autograph=False), np.float32(v))() for v in (1.5, -1.5)]

    return {
        "order": order,
        "calls": calls,
        "nothing returned, eagerly": eagerly,
        "a variable as an argument": lambda: tf.py_function(lambda t: t * 2.0, [v], tf.float32),
        "in a loop": in_loop(),
        "in a branch": in_branch,
    }


def refusals(tf: Any) -> dict[str, Any]:
    x = tf.constant(X)

    def both(name: str, call: Any, *says: str) -> dict[str, Any]:
        return {
            name: raises(call, *says),
            f"{name}, in a function": raises(lambda: tf.function(call, autograph=False)(), *says),
        }

    def fail(error: Exception) -> Any:
        def f(*_: Any) -> Any:
            raise error

        return f

    found = both("not callable", lambda: tf.py_function(3, [x], tf.float32), "callable")
    found |= {
        "wrong dtype": raises(lambda: tf.py_function(lambda t: tf.constant(1), [x], tf.float32)),
        "wrong dtype, in a function": raises(tf.function(lambda: tf.py_function(lambda t: tf.constant(1), [x], tf.float32))),
        "numpy: wrong dtype, in a function": raises(
            tf.function(lambda: tf.numpy_function(lambda t: t.astype(np.float64), [x], tf.float32)), "double", "float"
        ),
        "numpy: too many, in a function": raises(tf.function(lambda: tf.numpy_function(lambda t: (t, t), [x], tf.float32)), "2", "1"),
        "numpy: too few, in a function": raises(
            tf.function(lambda: tf.numpy_function(lambda t: (t,), [x], [tf.float32, tf.float32])), "1", "2"
        ),
    }
    for error in (ValueError("no way"), TypeError("no way"), KeyError("no way"), RuntimeError("no way"), NotImplementedError("no way")):
        found |= _refused_with(tf, type(error).__name__, fail(error), x)
    return found


def _refused_with(tf: Any, name: str, f: Any, x: Any) -> dict[str, Any]:
    eager = lambda: tf.py_function(f, [x], tf.float32)  # noqa: E731
    numpy = lambda: tf.numpy_function(f, [x], tf.float32)  # noqa: E731
    return {
        name: raises(eager, "no way"),
        f"{name}, in a function": raises(tf.function(eager, autograph=False), "no way"),
        f"numpy: {name}": raises(numpy, "no way"),
        f"numpy: {name}, in a function": raises(tf.function(numpy, autograph=False), "no way"),
    }


def together(tf: Any) -> dict[str, Any]:
    """In a session functions that do not wait for each other run at the same time: two that meet at a barrier end."""
    v1 = tf.compat.v1

    def asked(build: Any) -> Any:
        def run() -> Any:
            with v1.Graph().as_default(), v1.Session() as session:
                return session.run(build())

        return run

    def meeting(barrier: threading.Barrier, factor: float = 1.0) -> Any:
        def function(x: Any) -> Any:
            barrier.wait(20)
            return np.float32(x * factor)

        return function

    def two(kind: Any) -> Any:
        def build() -> Any:
            barrier, x = threading.Barrier(2), tf.constant(3.0)
            a = kind(meeting(barrier), [x], tf.float32)
            b = kind(meeting(barrier, 2.0), [tf.square(x)], tf.float32)
            return [a, b, a + b]

        return build

    def in_rows() -> Any:
        first, second, x = threading.Barrier(2), threading.Barrier(2), tf.constant(1.0)
        a, b = (tf.numpy_function(meeting(first, k), [x], tf.float32) for k in (1.0, 2.0))
        return [tf.numpy_function(meeting(second, k), [y + 1.0], tf.float32) for k, y in ((3.0, a), (5.0, b))]

    def in_order() -> Any:
        seen: list[int] = []

        def noting(n: int, x: Any) -> Any:
            seen.append(n)
            return np.float32(len(seen) + x)

        a = tf.numpy_function(lambda x: noting(1, x), [1.0], tf.float32)
        with tf.control_dependencies([a]):
            b = tf.numpy_function(lambda x: noting(2, x), [1.0], tf.float32)
        return [b, a]

    def failing() -> Any:
        def fails(x: Any) -> Any:
            raise ValueError("none of these")

        good = tf.numpy_function(lambda x: x, [1.0], tf.float32)
        return [good, tf.numpy_function(fails, [1.0], tf.float32, name="bad")]

    def for_their_effects() -> Any:
        barrier, seen = threading.Barrier(2), []

        def meets(x: Any) -> None:
            barrier.wait(20)
            seen.append(float(x))

        with v1.Graph().as_default(), v1.Session() as session:
            session.run([tf.numpy_function(meets, [n], []) for n in (1.0, 2.0)])
        return sorted(seen)

    def nothing(kind: Any) -> Any:
        with v1.Graph().as_default():
            return kind(lambda x: None, [1.0], []).type

    return {
        "numpy_function": asked(two(tf.numpy_function)),
        "py_function": asked(two(tf.py_function)),
        "py_func": asked(two(v1.py_func)),
        "in rows": asked(in_rows),
        "in order": asked(in_order),
        "one fails": raises(asked(failing), "none of these"),
        "for their effects": for_their_effects,
        "without results": lambda: [nothing(tf.numpy_function), nothing(tf.py_function), nothing(v1.py_func)],
    }
