"""Control flow: loops, branches, map_fn, scan and folds, one in the other, to second order and forwards.

Pullback's loops with `checkpoint=` are graphs even in eager code, which TensorFlow's are not; there the same loop stands without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.cases.case import Case, ErrorCase, case, error, floats


def _loop(tf: Any, steps: int, body: Callable[..., Any], start: Any, checkpoint: Any = None) -> Any:
    ours = {"checkpoint": checkpoint} if checkpoint is not None and tf.__name__.startswith("pullback") else {}
    return tf.while_loop(lambda i, s: i < steps, lambda i, s: (i + 1, body(i, s)), (tf.constant(0), start), **ours)[1]


def _steps(checkpoint: Any = None) -> Callable[..., Any]:
    return lambda tf, x, w: _loop(tf, 5, lambda i, s: tf.sin(s * w) + 0.3 * x, x, checkpoint)


def _loop_in_loop(checkpoint: Any = None) -> Callable[..., Any]:
    def f(tf: Any, x: Any, w: Any) -> Any:
        return _loop(tf, 3, lambda i, s: _loop(tf, 2, lambda j, t: tf.tanh(t * w + s), x, checkpoint) * 0.7, x * w, checkpoint)

    return f


def _branches(checkpoint: Any = None) -> Callable[..., Any]:
    def f(tf: Any, x: Any, w: Any) -> Any:
        def body(i: Any, s: Any) -> Any:
            def odd() -> Any:
                return tf.switch_case(i, [lambda: s, lambda: s * s * 0.3, lambda: x, lambda: x + s])

            return tf.cond(tf.equal(i % 2, 0), lambda: s * w, odd)

        return _loop(tf, 4, body, x, checkpoint)

    return f


def _array(checkpoint: Any = None) -> Callable[..., Any]:
    def f(tf: Any, x: Any, w: Any) -> Any:
        ours = {"checkpoint": checkpoint} if checkpoint is not None and tf.__name__.startswith("pullback") else {}
        ta = tf.TensorArray(x.dtype, 5, clear_after_read=False, element_shape=x.shape).write(0, x)
        return tf.while_loop(
            lambda i, ta: i < 5, lambda i, ta: (i + 1, ta.write(i, tf.sin(ta.read(i - 1)) * w)), (tf.constant(1), ta), **ours
        )[1].stack()  # fmt: skip

    return f


def _growing(tf: Any, x: Any) -> Any:
    ours = {"checkpoint": "log"} if tf.__name__.startswith("pullback") else {}
    return tf.while_loop(
        lambda i, s: i < 3, lambda i, s: (i + 1, tf.concat([s * s, x[:1] * s[:1]], 0)), (tf.constant(0), x),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])), **ours,
    )[1]  # fmt: skip


def _map_two(tf: Any, x: Any, y: Any) -> Any:
    return tf.map_fn(lambda p: p[0] * p[1] * p[0], (x, y), fn_output_signature=tf.as_dtype(x.dtype))


def _for_ever(body: Callable[..., Any]) -> Callable[..., Any]:
    return lambda tf, x: tf.while_loop(lambda s: True, lambda s: (body(tf, s),), (x,))


PAIR = (floats(3, low=0.3, high=1.5), floats(3, low=0.5, high=1.2, seed=1))
CASES: list[Case] = [
    case("While", "steps", _steps(), *PAIR),
    case("While", "a loop in a loop", _loop_in_loop(), *PAIR),
    case("While", "branches", _branches(), *PAIR),
    case("While", "an array", _array(), *PAIR),
    case("WhileRevolve", "steps, every second", _steps(2), *PAIR),
    case("WhileRevolve", "steps, logarithmic", _steps("log"), *PAIR),
    case("WhileRevolve", "a loop in a loop", _loop_in_loop("log"), *PAIR),
    case("WhileRevolve", "branches", _branches(3), *PAIR),
    case("WhileRevolve", "an array", _array("log"), *PAIR),
    case("WhileRevolve", "growing", _growing, floats(2, low=0.3, high=0.9)),
    case("While", "map_fn", lambda tf, x: tf.map_fn(lambda t: tf.sin(t) * x, x), floats(3)),
    case("While", "map_fn of two", _map_two, *PAIR),
    case("While", "scan", lambda tf, x, w: tf.scan(lambda a, t: tf.tanh(a * t) + w, x, initializer=w), *PAIR),
    case("While", "scan in reverse", lambda tf, x: tf.scan(lambda a, t: a * tf.sin(t), x, reverse=True), floats(4)),
    case("While", "scan of rows", lambda tf, x: tf.scan(lambda a, row: tf.sin(a) * row, x), floats(3, 2)),
    case("While", "foldl", lambda tf, x, w: tf.foldl(lambda a, t: tf.sin(a * t) + w, x, initializer=w), *PAIR),
    case("While", "foldr", lambda tf, x: tf.foldr(lambda a, t: a * tf.sin(t) + t, x), floats(4)),
    case("While", "complex", lambda tf, x: tf.map_fn(lambda t: t * t * x[0], x), floats(3, dtype="complex64")),
    case("Case", "branch 0", lambda tf, x: tf.cond(x[0] < 10.0, lambda: x * x * x, lambda: x), floats(3)),
    case("Case", "branch 1", lambda tf, x: tf.cond(x[0] > 10.0, lambda: x, lambda: tf.sin(x) * x), floats(3)),
]  # fmt: skip
ERRORS: list[ErrorCase] = [
    error("while_loop: another dtype", _for_ever(lambda tf, s: tf.cast(s, tf.int32)), floats(2), mode="graph"),
    error("while_loop: another shape", _for_ever(lambda tf, s: tf.concat([s, s], 0)), floats(2), mode="graph"),
    error("cond: other dtypes", lambda tf, x: tf.cond(x[0] > 0.0, lambda: x, lambda: tf.cast(x, tf.int32)), floats(2), mode="graph"),
]  # fmt: skip
