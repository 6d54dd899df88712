"""Gradients of one's own, eagerly and in functions: custom_gradient, recompute_grad, grad_pass_through."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raises

FACE = "v2"


def _taped(tf: Any, f: Any, *values: Any, order: int = 1, watched: Any = None) -> Any:
    """The derivatives of the sum of `f` with respect to its first argument up to `order`, and the first with respect to the others."""
    xs = [tf.convert_to_tensor(v) for v in values]

    def derivative(n: int) -> Any:
        if n == 0:
            return f(*xs)
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = derivative(n - 1)
            y = y[0] if n > 1 else y
        return tape.gradient(y, xs)

    return lambda: [derivative(n) for n in range(1, order + 1)]


def _everywhere(tf: Any, name: str, f: Any, *values: Any, order: int = 1, refused: tuple[str, ...] = ()) -> dict[str, Any]:
    """The same derivatives eagerly, of a function, and inside one.  refused: where TensorFlow raises; what it answers eagerly is right."""

    def inside(*args: Any) -> Any:
        return [g for row in _taped(tf, f, *args, order=order)() for g in row]

    flat = [tf.constant(v) for v in values]
    eagerly = _taped(tf, f, *values, order=order)
    found = {"of a function": lambda: _taped(tf, tf.function(f, autograph=False), *values, order=order)()}
    found["in a function"] = lambda: [list(row) for row in _rows(tf.function(inside, autograph=False)(*flat), len(flat))]
    return {name: eagerly} | {f"{name}, {k}": ours(eagerly(), call) if k in refused else call for k, call in found.items()}


def _rows(flat: Any, length: int) -> list[Any]:
    return [flat[i : i + length] for i in range(0, len(flat), length)]


def basics(tf: Any) -> dict[str, Any]:
    @tf.custom_gradient
    def tenfold(x: Any) -> Any:
        return x * x, lambda g: 10.0 * g

    @tf.custom_gradient
    def cubic(x: Any) -> Any:
        return x * x * x, lambda g: g * 5.0 * x * x

    @tf.custom_gradient
    def log1pexp(x: Any) -> Any:
        e = tf.exp(x)
        return tf.math.log(1.0 + e), lambda g: g * (1.0 - 1.0 / (1.0 + e))

    @tf.custom_gradient
    def weighted(x: Any, y: Any) -> Any:
        return x * y, lambda g: (2.0 * g * y, 3.0 * g * x)

    @tf.custom_gradient
    def halted(x: Any, y: Any) -> Any:
        return x * y, lambda g: (None, g * x)

    found: dict[str, Any] = {"value": tenfold(tf.constant(3.0))}
    found |= _everywhere(tf, "constant rule", tenfold, 3.0)
    found |= _everywhere(tf, "orders", cubic, 3.0, order=3)
    found |= _everywhere(tf, "stable log1pexp", log1pexp, 100.0, order=2)
    found |= _everywhere(tf, "vector", cubic, np.array([1.0, -2.0], np.float32), order=2)
    found |= _everywhere(tf, "two arguments", weighted, 2.0, 5.0, order=2)
    found |= _everywhere(tf, "the same argument twice", lambda x: weighted(x, x), 3.0, order=2)
    found |= _everywhere(tf, "None for an argument", halted, 2.0, 5.0)
    found |= _everywhere(tf, "in a chain", lambda x: tf.sin(tenfold(tf.exp(x))), 0.5, order=2)
    found |= _everywhere(tf, "nested", lambda x: cubic(tenfold(x)), 1.5, order=2)
    found |= _everywhere(tf, "float64", cubic, np.float64(2.0), order=2)
    return found


def shapes_of_calls(tf: Any) -> dict[str, Any]:
    @tf.custom_gradient
    def pair(x: Any) -> Any:
        return (x * 2.0, x * 3.0), lambda g1, g2: g1 * 100.0 + g2

    @tf.custom_gradient
    def table(x: Any) -> Any:
        return {"b": x * 2.0, "a": [x, x + 1.0]}, lambda ga, ga1, gb: ga + 10.0 * ga1 + 100.0 * gb

    @tf.custom_gradient
    def of_list(xs: Any) -> Any:
        return xs[0] * xs[1], lambda g: [g * 7.0, g * 11.0]

    @tf.custom_gradient
    def scaled(x: Any, factor: Any = 2.0) -> Any:
        return x * factor, lambda g: g * factor * 10.0

    @tf.custom_gradient
    def only_keyword(x: Any, *, factor: Any) -> Any:
        return x * factor, lambda g: g * factor * 10.0

    @tf.custom_gradient
    def integers(x: Any, n: Any) -> Any:
        return x * tf.cast(n, tf.float32), lambda g: (g * 3.0, None)

    @tf.custom_gradient
    def with_count(x: Any) -> Any:
        return (x * 2.0, tf.size(x)), lambda g, unused: g * 4.0

    class Layer:
        def __init__(self) -> None:
            self.scale = 3.0

        @tf.custom_gradient
        def call(self, x: Any) -> Any:
            return x * self.scale, lambda g: g * self.scale * 2.0

    found = _everywhere(tf, "two results, one used", lambda x: pair(x)[0], 1.0)
    found |= _everywhere(tf, "two results, the other used", lambda x: pair(x)[1], 1.0)
    found |= _everywhere(tf, "two results, both", lambda x: pair(x)[0] * pair(x)[1], 1.0, order=2)
    found |= _everywhere(tf, "a dictionary", lambda x: table(x)["b"] * table(x)["a"][1], 2.0)
    found |= _everywhere(tf, "a list for an argument", lambda x, y: of_list([x, y]), 2.0, 5.0)
    found |= _everywhere(tf, "an integer argument", lambda x: integers(x, tf.constant(4)), 2.0)
    found |= _everywhere(tf, "an integer result", lambda x: with_count(x)[0], np.ones(3, np.float32))
    found |= _everywhere(tf, "a method", Layer().call, 2.0)
    found |= {
        "a default": _taped(tf, scaled, 2.0),
        "a keyword": _taped(tf, lambda x: scaled(x, factor=5.0), 2.0),
        "a keyword in a function": ours([[np.float32(50.0)]], _taped(tf, tf.function(lambda x: scaled(x, factor=5.0)), 2.0)),
        "keyword only": _taped(tf, lambda x: only_keyword(x, factor=5.0), 2.0),
        "structure": sorted(table(tf.constant(1.0))),
        "a number": scaled(3.0),
        "without a tape": scaled(tf.constant(3.0)),
        "name": scaled.__name__,
        "unwatched": _unwatched(tf, scaled),
    }
    return found


def _unwatched(tf: Any, f: Any) -> Any:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = f(x)
    return tape.gradient(y, x)


def when_called(tf: Any) -> dict[str, Any]:
    calls: list[Any] = []

    @tf.custom_gradient
    def noted(x: Any, y: Any) -> Any:
        def grad(g1: Any, g2: Any) -> Any:
            calls.append([float(g1), float(g2)])
            return g1, g2

        return (x * 1.0, y * 1.0), grad

    def counted(use: Any, watch: Any) -> Any:
        x, y = tf.constant(2.0), tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch([x, y] if watch else tf.constant(1.0))
            z = use(noted(x, y), x)
        del calls[:]
        found = tape.gradient(z, [x, y])
        return [found, list(calls)]

    return {
        "both": lambda: counted(lambda r, x: r[0] * r[1], True),
        "the first": lambda: counted(lambda r, x: r[0] * 2.0, True),
        "the second": lambda: counted(lambda r, x: r[1] * 2.0, True),
        "none used": lambda: counted(lambda r, x: x * 2.0, True),
        "nothing watched": lambda: counted(lambda r, x: r[0] * 2.0, False),
    }


def variables(tf: Any) -> dict[str, Any]:
    v, w = tf.Variable(2.0, name="v"), tf.Variable(3.0, name="w")
    frozen = tf.Variable(5.0, trainable=False, name="frozen")

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        def grad(g: Any, variables: Any = None) -> Any:
            return g * 100.0, [g * 1000.0 for _ in variables]

        return x * v, grad

    @tf.custom_gradient
    def catching(x: Any) -> Any:
        return x * v, lambda g, **kwargs: (g * v, [g * x * 2.0])

    @tf.custom_gradient
    def of_two(x: Any) -> Any:
        def grad(g: Any, *, variables: Any) -> Any:
            return g, [g * 10.0 if u is v else g * 20.0 for u in variables]

        return x * v * w, grad

    @tf.custom_gradient
    def with_frozen(x: Any) -> Any:
        return x * frozen, lambda g: g * 7.0

    @tf.custom_gradient
    def given(x: Any, u: Any) -> Any:
        return x * u, lambda g: (g * 4.0, g * 6.0)

    def taped(f: Any, *sources: Any) -> Any:
        def answer() -> Any:
            x = tf.constant(7.0)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, [x, *sources])

        return answer

    def second(f: Any) -> Any:
        x = tf.constant(7.0)
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            g = inner.gradient(y, [x, v])
        return [outer.gradient(g[0], [x, v]), outer.gradient(g[1], [x, v])]

    function = functools.partial(tf.function, autograph=False)
    return {
        "one": taped(scaled, v),
        "one, in a function": taped(function(scaled), v),
        "by **kwargs": taped(catching, v),
        "by **kwargs, in a function": taped(function(catching), v),
        "two": taped(of_two, v, w),
        "two, in a function": taped(function(of_two), v, w),
        "not trainable": taped(with_frozen, frozen),
        "as an argument": taped(lambda x: given(x, v), v),
        "as an argument, in a function": taped(function(lambda x: given(x, v)), v),
        "not asked for": taped(scaled),
        "second order": lambda: second(catching),
        "second order, in a function": lambda: second(function(catching)),
    }


def refusals(tf: Any) -> dict[str, Any]:
    v = tf.Variable(2.0)
    x = tf.constant(3.0)

    def taped(f: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    def custom(f: Any) -> Any:
        return lambda: taped(tf.custom_gradient(f))

    def in_function(f: Any) -> Any:
        return lambda: taped(tf.function(tf.custom_gradient(f), autograph=False))

    too_many = lambda x: (x * 1.0, lambda g: (g, g))  # noqa: E731
    too_few = lambda x: (x * 1.0, lambda g: [])  # noqa: E731
    silent = lambda x: (x * v, lambda g: g)  # noqa: E731
    miscounted = lambda x: (x * v, lambda g, variables: (g, [g, g]))  # noqa: E731
    no_pair = lambda x: x * 1.0  # noqa: E731
    failing = lambda x: (x * 1.0, lambda g: _refuse())  # noqa: E731
    wanting = lambda x: (x * 1.0, lambda g, variables: (g, []))  # noqa: E731
    return {
        "too many": raises(custom(too_many), "1", "2", "gradients"),
        "too many, in a function": raises(in_function(too_many), "2", "Num gradients", "do not match num inputs"),
        "too few": raises(custom(too_few), "1", "0", "gradients"),
        "takes no variables": raises(custom(silent), "@tf.custom_gradient grad_fn must accept keyword argument 'variables'"),
        "takes no variables, in a function": raises(
            in_function(silent), "@tf.custom_gradient grad_fn must accept keyword argument 'variables'"
        ),
        "wrong number for variables": raises(custom(miscounted), "Must return gradient for each variable from @custom_gradient grad_fn"),
        "wrong number for variables, in a function": raises(in_function(miscounted), "Must return gradient for each variable"),
        "no pair": raises(custom(no_pair)),
        "no pair, in a function": raises(in_function(no_pair), otherwise=("TypeError",)),
        "grad_fn raises": raises(custom(failing), "no way"),
        "grad_fn raises, in a function": raises(in_function(failing), "no way"),
        "wants variables, reads none": raises(custom(wanting), "variables"),
    }


def _refuse() -> Any:
    raise KeyError("no way")


def in_loops(tf: Any) -> dict[str, Any]:
    @tf.custom_gradient
    def doubled(x: Any) -> Any:
        return x * x, lambda g: g * 3.0 * x

    def looped(x: Any) -> Any:
        return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, doubled(s)), [tf.constant(0), x])[1]

    def branched(x: Any) -> Any:
        return tf.cond(x > 0.0, lambda: doubled(x), lambda: x * 5.0)

    def nested(x: Any) -> Any:
        def body(i: Any, s: Any) -> Any:
            return i + 1, tf.cond(i > 0, lambda: doubled(s), lambda: tf.sin(s))

        return tf.while_loop(lambda i, s: i < 3, body, [tf.constant(0), x])[1]

    def around(x: Any) -> Any:
        @tf.custom_gradient
        def whole(x: Any) -> Any:
            y = looped(x)
            return y, lambda g: g * y

        return whole(x)

    found = _everywhere(tf, "in a loop", looped, 1.1, order=2)
    found |= _everywhere(tf, "in a branch", branched, 1.5, order=2, refused=("of a function", "in a function"))
    found |= _everywhere(tf, "the other branch", branched, -1.5, refused=("of a function",))
    found |= _everywhere(tf, "in a branch in a loop", nested, 0.7, order=2, refused=("of a function", "in a function"))
    found |= _everywhere(tf, "around a loop", around, 1.1)
    return found


def passing_through(tf: Any) -> dict[str, Any]:
    v = tf.Variable(4.0)
    found = _everywhere(tf, "round", tf.grad_pass_through(tf.round), 2.6, refused=("of a function",))
    found |= _everywhere(tf, "square in a chain", lambda x: tf.exp(tf.grad_pass_through(tf.square)(x)), 0.5, order=2)
    found |= _everywhere(tf, "two arguments", tf.grad_pass_through(lambda x, y: (x * y, x + y)), 2.0, 3.0)

    def taped(f: Any) -> Any:
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, [x, v])

    found["variables get None"] = lambda: taped(tf.grad_pass_through(lambda x: x * v))
    found["variables get None, in a function"] = lambda: taped(tf.function(tf.grad_pass_through(lambda x: x * v)))
    return found


def recomputing(tf: Any) -> dict[str, Any]:
    v = tf.Variable([[0.5, -0.25], [0.1, 0.3]])
    calls: list[int] = []

    def layer(x: Any) -> Any:
        calls.append(1)
        return tf.tanh(tf.matmul(x, v)) * x

    def stacked(x: Any) -> Any:
        for _ in range(3):
            x = tf.recompute_grad(layer)(x)
        return x

    def taped(f: Any) -> Any:
        def answer() -> Any:
            x = tf.constant([[1.0, 2.0]])
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return [y, *tape.gradient(y, [x, v])]

        return answer

    def counted() -> Any:
        x = tf.constant([[1.0, 2.0]])
        del calls[:]
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.recompute_grad(layer)(x)
        before = len(calls)
        tape.gradient(y, x)
        return [before, len(calls)]

    product = tf.recompute_grad(lambda x, y: tf.sin(x * y) * x)
    pair = tf.recompute_grad(lambda x: (tf.exp(x), [x * x, x + 1.0]))

    def in_loop(x: Any, wrap: Any = tf.recompute_grad) -> Any:
        f = wrap(lambda s: tf.sin(s) * s)
        return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, f(s)), [tf.constant(0), x])[1]

    found = _everywhere(tf, "two arguments", product, 0.7, 1.3, order=2, refused=("of a function", "in a function"))
    found |= _everywhere(tf, "one of several results", lambda x: pair(x)[1][0], 0.7, order=2, refused=("of a function", "in a function"))
    found |= {
        "in a loop": _taped(tf, in_loop, 0.7),
        "in a loop, second order": ours(
            _taped(tf, lambda x: in_loop(x, lambda f: f), 0.7, order=2)(), _taped(tf, in_loop, 0.7, order=2)
        ),
        "variables": taped(tf.recompute_grad(layer)),
        "variables, in a function": taped(tf.function(tf.recompute_grad(layer), autograph=False)),
        "stacked": taped(stacked),
        "stacked, in a function": taped(tf.function(stacked, autograph=False)),
        "runs": counted,
        "name": tf.recompute_grad(layer).__name__,
        "wrapped": tf.recompute_grad(layer).__wrapped__ is layer,
        "a wrong argument": raises(lambda: tf.recompute_grad(layer)(tf.ones([3, 3]))),
    }
    return found


