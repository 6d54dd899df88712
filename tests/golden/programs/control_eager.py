"""`cond`, `case`, `switch_case`, `while_loop` and custom gradients, eagerly under tapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


def _of(tf: Any, f: Any, *values: float) -> Any:
    xs = [tf.constant(v) for v in values]
    with tf.GradientTape() as t:
        t.watch(xs)
        y = f(*xs)
    return [y, t.gradient(y, xs)]


def control(tf: Any) -> dict[str, Any]:
    def loop(x: Any) -> Any:
        return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * x), [tf.constant(0), x])[1]

    def switch(x: Any) -> Any:
        return tf.switch_case(tf.constant(1), [lambda: x, lambda: x * x])

    def several(x: Any) -> Any:
        return tf.case([(x < 0.0, lambda: -x), (x < 2.0, lambda: x * x)], default=lambda: x)

    return {
        "cond, true": lambda: _of(tf, lambda x: tf.cond(x > 0.0, lambda: x * x, lambda: -x), 3.0),
        "cond, false": lambda: _of(tf, lambda x: tf.cond(x > 0.0, lambda: x * x, lambda: -x), -3.0),
        "cond of a Python bool": lambda: _of(tf, lambda x: tf.cond(True, lambda: x * x, lambda: -x), 3.0),
        "cond, a tuple": lambda: _of(tf, lambda x: tf.cond(x > 0.0, lambda: (x, x * x), lambda: (x, x))[1], 3.0),
        "while_loop": lambda: _of(tf, loop, 2.0),
        "while_loop, no iterations": lambda: _of(tf, lambda x: tf.while_loop(lambda s: s < 0.0, lambda s: s * s, [x])[0], 2.0),
        "while_loop, maximum": lambda: _of(
            tf, lambda x: tf.while_loop(lambda s, r: s < 1e9, lambda s, r: (s * s, r), (x, x), maximum_iterations=2)[0], 2.0
        ),
        "switch_case": lambda: _of(tf, switch, 3.0),
        "case": lambda: _of(tf, several, 1.5),
        "case, default": lambda: _of(tf, several, 2.5),
        "Python if": lambda: _of(tf, lambda x: x * x if x > 0.0 else -x, 3.0),
        "not a function": raises(lambda: tf.cond(tf.constant(True), 1.0, lambda: 2.0), "true_fn"),
    }


def custom(tf: Any) -> dict[str, Any]:
    @tf.custom_gradient
    def ten(x: Any) -> Any:
        return x * x, lambda dy: dy * 10.0

    @tf.custom_gradient
    def product(x: Any, y: Any) -> Any:
        return x * y, lambda dz: (dz * y * 100.0, dz * x * 1000.0)

    @tf.custom_gradient
    def both(x: Any) -> Any:
        return (x * 2.0, x * 3.0), lambda da, db: da + 10.0 * db

    @tf.custom_gradient
    def nothing(x: Any) -> Any:
        return x * 2.0, lambda dy: None

    @tf.custom_gradient
    def too_many(x: Any) -> Any:
        return x * 2.0, lambda dy: (dy, dy)

    @tf.custom_gradient
    def cube(x: Any) -> Any:
        return x**3, lambda dy: dy * 3.0 * x**2

    @tf.custom_gradient
    def clipped(x: Any) -> Any:
        return tf.identity(x), lambda dy: tf.clip_by_value(dy, -1.0, 1.0)

    def second(f: Any) -> Any:
        x = tf.constant(2.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            g = inner.gradient(y, x)
        return [g, outer.gradient(g, x)]

    return {
        "one argument": lambda: _of(tf, ten, 3.0),
        "a Python number": lambda: ten(3.0),
        "two arguments": lambda: _of(tf, product, 3.0, 4.0),
        "one of two": lambda: _of(tf, lambda x: product(x, 4.0), 3.0),
        "two results": lambda: _of(tf, lambda x: both(x)[0] + both(x)[1], 3.0),
        "one of two results": lambda: _of(tf, lambda x: both(x)[1], 3.0),
        "None": lambda: _of(tf, nothing, 3.0),
        "within a chain": lambda: _of(tf, lambda x: tf.sin(ten(x * 2.0)), 0.3),
        "clipped": lambda: _of(tf, lambda x: clipped(x) * 5.0, 3.0),
        "second order": lambda: second(cube),
        "second order of another rule": lambda: second(ten),
        "a wrong number": raises(lambda: _of(tf, too_many, 3.0)),
        "name is kept": lambda: ten.__name__,
    }


def custom_with_variables(tf: Any) -> dict[str, Any]:
    v = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        def grad(dy: Any, variables: Any = None) -> Any:
            return dy * 100.0, [dy * 1000.0 for _ in variables]

        return x * v, grad

    @tf.custom_gradient
    def careless(x: Any) -> Any:
        return x * v, lambda dy: dy

    def both() -> Any:
        x = tf.constant(3.0)
        with tf.GradientTape() as t:
            t.watch(x)
            y = scaled(x)
        return t.gradient(y, [x, v])

    def taped(f: Any) -> Any:
        with tf.GradientTape() as t:
            y = f(tf.constant(3.0))
        return t.gradient(y, v)

    return {
        "argument and variable": both,
        "grad_fn takes no variables": raises(lambda: taped(careless), "variables"),
    }


def helpers(tf: Any) -> dict[str, Any]:
    calls: list[int] = []

    @tf.recompute_grad
    def layer(x: Any) -> Any:
        calls.append(1)
        return tf.sin(x) * x

    @tf.grad_pass_through
    def stepped(x: Any) -> Any:
        return tf.round(x) * 3.0

    def counted() -> Any:
        calls.clear()
        x = tf.constant(0.5)
        with tf.GradientTape() as t:
            t.watch(x)
            y = layer(x)
        before = len(calls)
        g = t.gradient(y, x)
        return [before, len(calls), y, g]

    return {
        "recompute_grad": counted,
        "recompute_grad value": lambda: layer(tf.constant(np.float32(0.5))),
        "grad_pass_through": lambda: _of(tf, stepped, 1.7),
    }


def cases_without_default(tf: Any) -> Answers:
    def three(x: Any, **options: Any) -> Any:
        return tf.case([(x > 3.0, lambda: x), (x > 1.0, lambda: x * x)], **options)

    def slope(f: Any, at: float) -> list[Any]:
        x = tf.constant(at)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return [y, tape.gradient(y, x)]

    none, several = "None of conditions evaluated as True", "more than 1 conditions"
    exclusive = tf.function(lambda x: three(x, default=lambda: x**3, exclusive=True))
    inexclusive = tf.function(lambda x: three(x, default=lambda: x**3))
    without = tf.function(three)
    return {
        "exclusive": lambda: [slope(exclusive, x) for x in (2.0, 0.5)],
        "exclusive, two hold": raises(lambda: exclusive(tf.constant(4.0)), several),
        "the first of two": lambda: [slope(inexclusive, x) for x in (4.0, 2.0, 0.5)],
        "no default": lambda: [slope(without, x) for x in (4.0, 2.0)],
        "no default, none holds": raises(lambda: without(tf.constant(0.0)), none),
        "no default, none holds, eagerly": raises(lambda: three(tf.constant(0.0)), none),
        "back_prop, eagerly": lambda: slope(lambda x: tf.while_loop(lambda y: y < 9.0, lambda y: (y * x,), [x], back_prop=False)[0], 1.5),
        "back_prop, in a function": lambda: slope(
            tf.function(lambda x: tf.while_loop(lambda y: y < 9.0, lambda y: (y * x,), [x], back_prop=False)[0] * x), 1.5
        ),
    }
