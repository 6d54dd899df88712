"""What `print` prints in a function, and which structure a loop gives back eagerly."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers

FACE = "v2"


def prints(tf: Any) -> Answers:
    """Symbols once, while tracing; values at every call only when asked."""

    def printed(options: Any, **more: Any) -> Callable[[], str]:
        def body(x: Any) -> Any:
            print("x is", x)
            return x + 1

        def answer() -> str:
            f, out = tf.function(body, experimental_autograph_options=options, **more), io.StringIO()
            with contextlib.redirect_stdout(out):
                f(tf.constant(1))
                f(tf.constant(2))
            return out.getvalue()

        return answer

    def branch(x: Any) -> Any:
        if x > 0:
            print("positive")
        else:
            print("not")
        return x

    def branches() -> list[str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            f = tf.function(branch)
            f(tf.constant(1))
            f(tf.constant(-1))
        return sorted(out.getvalue().split())

    features = tf.autograph.experimental.Feature
    return {
        "by itself": printed(None),
        "with lists": printed(features.LISTS),
        "without AutoGraph": printed(None, autograph=False),
        "with functions of Python": printed(features.BUILTIN_FUNCTIONS),
        "with some": printed((features.BUILTIN_FUNCTIONS, features.NAME_SCOPES)),
        "with all": printed(features.ALL),
        "both branches": branches,
    }


def _kinds(x: Any) -> Any:
    return [type(x).__name__, *map(_kinds, x)] if isinstance(x, (list, tuple)) else "tensor"


def structures(tf: Any) -> Answers:
    def of(body: Callable[..., Any], start: Any, loop: Any = tf.while_loop, **options: Any) -> Callable[[], Any]:
        return lambda: _kinds(loop(lambda i, *_: i < 10, body, start, **options))

    old = tf.compat.v1.while_loop
    zero, one = tf.constant(0), tf.constant(1)
    return {
        "a list of a list": of(lambda i: [i + 1], [zero]),
        "a tuple of a list": of(lambda i: (i + 1,), [zero]),
        "a list of a tuple": of(lambda i: [i + 1], (zero,)),
        "two, a tuple of a list": of(lambda i, j: (i + 1, j), [zero, one]),
        "two, a list of a tuple": of(lambda i, j: [i + 1, j], (zero, one)),
        "nested": of(lambda i, j: (i + 1, [j[0], j[1]]), [zero, [zero, one]]),
        "no turn": of(lambda i: (i + 1,), [one * 20]),
        "v1, bare": of(lambda i: i + 1, [zero], old),
        "v1, bare, its value": lambda: old(lambda i: i < 10, lambda i: i + 1, [zero]),
        "v1, a list": of(lambda i: [i + 1], [zero], old),
        "v1, two": of(lambda i, j: (i + 1, j), [zero, one], old),
    }


def exponential_integral(tf: Any) -> Answers:
    points = [-10.0, -1.0, -1e-6, -0.0, 0.0, 0.5, 1.0, 2.0, 10.0, 50.0, float("nan"), float("inf"), float("-inf")]

    def of(dtype: Any) -> Callable[[], Any]:
        def answer() -> Any:
            x, f = tf.constant(points, dtype), tf.function(tf.math.special.expint)
            return [tf.math.special.expint(x), [f(x) for _ in range(4)][-1]]

        return answer

    return {"float32": of(tf.float32), "float64": of(tf.float64)}
