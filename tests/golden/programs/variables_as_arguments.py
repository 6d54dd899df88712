"""A variable passed to a function that reads the same variable, or another, of its own accord: both are one inside the trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, ours

FACE = "v2"


def _with(tf: Any, check: Callable[[Any, Any], Any]) -> Callable[[], Any]:
    return lambda: check(tf.Variable(3.0), tf.Variable(5.0))


def _taped(tf: Any, f: Callable[[], Any], sources: Any) -> Any:
    with tf.GradientTape() as tape:
        y = f()
    return tape.gradient(y, sources)


def identity(tf: Any) -> Answers:
    def same(v: Any, w: Any) -> Any:
        f = tf.function(lambda a: (tf.constant(a is v), tf.constant(a is w), a * 1.0))
        return [f(v), f(w)]

    def handles(v: Any, w: Any) -> Any:
        return tf.function(lambda a: tf.constant(a.handle is v.handle))(v)

    def twice(v: Any, w: Any) -> Any:
        f = tf.function(lambda a, b: (a * 10.0 + b, tf.constant(a is b), tf.constant(a is v)))
        return [f(v, v), f(v, w), f(w, v), f(w, w), f.experimental_get_tracing_count()]

    def named(v: Any, w: Any) -> Any:
        return tf.function(lambda a: tf.constant([a.name, str(a.shape), str(a.trainable)]))(tf.Variable(1.0, name="named"))

    return {"same": _with(tf, same), "handles": _with(tf, handles), "twice": _with(tf, twice), "named": _with(tf, named)}


def calls(tf: Any) -> Answers:
    """A trace that was made for the variable it closes over reads, from then on, the variable it is given."""

    def own_first(v: Any, w: Any) -> Any:
        f = tf.function(lambda a: a * 10.0 + v)
        return [f(v), f(w), f(v), f.experimental_get_tracing_count()]

    def other_first(v: Any, w: Any) -> Any:
        f = tf.function(lambda a: a * 10.0 + v)
        return [f(w), f(v), f(w)]

    def nested(v: Any, w: Any) -> Any:
        inner = tf.function(lambda a: a * v)
        outer = tf.function(lambda a: inner(a) + inner(v))
        return [outer(v), outer(w), inner(w), inner(v)]

    def in_a_dict(v: Any, w: Any) -> Any:
        f = tf.function(lambda d: d["a"] * v + d["b"])
        return [f({"a": v, "b": w}), f({"a": w, "b": v}), f({"a": v, "b": v}), f({"a": w, "b": w})]

    def written(v: Any, w: Any) -> Any:
        def write(a: Any) -> Any:
            a.assign_add(1.0)
            return v.read_value(), a.read_value()

        f, g = tf.function(write), tf.function(write)
        return [f(v), v, f(w), v, w, g(w), v, g(v), v, w]

    def concrete(v: Any, w: Any) -> Any:
        def described(f: Any) -> Any:
            return [len(f.variables), len(f.trainable_variables), len(f.captured_inputs), len(f.inputs)]

        own = tf.function(lambda a: a * v).get_concrete_function(v)
        other = tf.function(lambda a: a * v).get_concrete_function(w)
        return [*described(own), own(v), own(w), *described(other), other(w), other(v)]

    checks = {
        "own first": own_first, "other first": other_first, "nested": nested, "in a dict": in_a_dict, "written": written,
        "concrete": concrete,
    }  # fmt: skip
    return {label: _with(tf, check) for label, check in checks.items()}


def gradients(tf: Any) -> Answers:
    def inside(make: Callable[[Any, Any], Any]) -> Callable[[], Any]:
        """`tf.gradients` by the argument of what `make` computes with the variable from outside."""
        return _with(tf, lambda v, w: tf.function(lambda a: tf.gradients(make(a, v), a))(v))

    def tape_inside(make: Callable[[Any, Any], Any]) -> Callable[[], Any]:
        return _with(tf, lambda v, w: tf.function(lambda a: _taped(tf, lambda: make(a, v), [a, v]))(v))

    def function_of(f: Callable[..., Any]) -> Any:
        return tf.function(f)

    product = function_of(lambda x, u: x * u)
    makes = {
        "argument of a function": lambda a, v: product(2.0, v),
        "capture of a function": lambda a, v: tf.function(lambda x: x * v)(2.0),
        "in place": lambda a, v: v * 2.0,
        "both": lambda a, v: product(a, v) * v,
        "while_loop": lambda a, v: tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, product(x, v)), [0, 1.0])[1],
        "cond": lambda a, v: tf.cond(a > 0.0, lambda: product(2.0, v), lambda: 1.0),
        "map_fn": lambda a, v: tf.map_fn(lambda x: product(x, v), tf.constant([1.0, 2.0])),
        "scan": lambda a, v: tf.scan(lambda s, x: s * v + a, tf.constant([1.0, 2.0])),
        "vectorized_map": lambda a, v: tf.vectorized_map(lambda x: x * v * a, tf.constant([1.0, 2.0])),
        "recompute_grad": lambda a, v: tf.recompute_grad(lambda x: x * v)(tf.constant(2.0)),
    }

    def outside(v: Any, w: Any) -> Any:
        found = []
        f = tf.function(lambda a: a * v)
        for u in (v, w, v):
            found.append(_taped(tf, lambda u=u: f(u), [v, w]))
        return found

    def other_first(v: Any, w: Any) -> Any:
        f = tf.function(lambda a: a * v)
        return [_taped(tf, lambda u=u: f(u), [v, w]) for u in (w, v)]

    def watched(v: Any, w: Any) -> Any:
        @tf.function
        def f(a: Any) -> Any:
            with tf.GradientTape() as tape:
                y = a * v
            return tf.constant(len(tape.watched_variables())), tape.gradient(y, [a, v])

        return [f(v), f(w)]

    def descended(v: Any, w: Any) -> Any:
        @tf.function
        def step(a: Any) -> Any:
            with tf.GradientTape() as tape:
                y = a * a * v
            a.assign_sub(0.01 * tape.gradient(y, a))
            return y

        return [step(v), step(v), step(w), v, w]

    def second(v: Any, w: Any) -> Any:
        f = tf.function(lambda a: a * a * v)
        with tf.GradientTape(persistent=True) as tape:
            first = tape.gradient(f(v), v)
        return [first, tape.gradient(first, v)]

    def forward(v: Any, w: Any) -> Any:
        f = tf.function(lambda a: a * a * v)
        with tf.autodiff.ForwardAccumulator(v, tf.constant(2.0)) as accumulator:
            y = f(v)
        return accumulator.jvp(y)

    checks = {"outside": outside, "other first": other_first, "watched": watched, "descended": descended}
    checks["second order"] = second
    return (
        {f"gradients, {label}": inside(make) for label, make in makes.items() if label not in ("vectorized_map", "recompute_grad")}
        | {f"tape, {label}": tape_inside(make) for label, make in makes.items()}
        | {label: _with(tf, check) for label, check in checks.items()}
        | {"forward": ours(np.float32(54.0), _with(tf, forward))}  # TensorFlow fails with an internal error
    )
