"""Gradients of branches, loops, lists and shapes in TensorFlow 1 graphs, where None, zero and unknown sizes must be told apart."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises, run_all

FACE = "v1"
Graphs = Callable[[], Any]


def _fresh(tf: Any, f: Callable[[], Any]) -> Graphs:
    """`f` in a graph of its own."""

    def answer() -> Any:
        with tf.Graph().as_default():
            return f()

    return answer


def second_derivatives(tf: Any) -> Answers:
    """Of branches over placeholders of unknown and known shape: an input that another output depends on gets 0, else None."""

    def of(f: Callable[[Any, Any, Any], Any], shape: Any) -> Graphs:
        def answer() -> list[Any]:
            x, y = tf.placeholder(tf.float32, shape), tf.placeholder(tf.float32, shape)
            p = tf.placeholder(tf.bool, [])
            z = f(x, y, p)
            found = [z, *tf.gradients(z, [x, y])]
            for first in found[1:]:
                found += [] if first is None else tf.gradients(first, [x, y])
            return [run_all(tf, found, {x: 3.0, y: 2.0, p: pred}) for pred in (True, False)]

        return _fresh(tf, answer)

    functions: dict[str, Callable[[Any, Any, Any], Any]] = {
        "a product": lambda x, y, p: tf.cond(p, lambda: x * y, lambda: x),
        "squares": lambda x, y, p: tf.cond(p, lambda: x * x, lambda: y * y),
        "linear": lambda x, y, p: tf.cond(p, lambda: x * 2.0, lambda: y * 3.0),
        "sines": lambda x, y, p: tf.cond(p, lambda: tf.sin(x) + tf.sin(y), lambda: x),
        "exponentials": lambda x, y, p: tf.cond(p, lambda: tf.exp(x) + y, lambda: tf.exp(y * x)),
        "nested": lambda x, y, p: tf.cond(p, lambda: tf.cond(x > y, lambda: x * x, lambda: x), lambda: y),
        "two results": lambda x, y, p: tf.add_n(tf.cond(p, lambda: (x * x, y), lambda: (y, x))),
        "the first of two results": lambda x, y, p: tf.cond(p, lambda: (x * x, y), lambda: (y, x))[0],
        "a difference": lambda x, y, p: tf.cond(p, lambda: x * x - y, lambda: x**2.0),
        "a switch": lambda x, y, p: tf.switch_case(tf.cast(p, tf.int32), [lambda: x * y, lambda: x]),
    }
    return {f"{name}, {'unknown' if s is None else 'scalars'}": of(f, s) for name, f in functions.items() for s in (None, [])}


def second_derivatives_of_one(tf: Any) -> Answers:
    """Where the first gradient is of one input alone: 0 for what the gradient of all inputs reads, else None."""

    def of(f: Callable[[Any, Any, Any], Any], which: int) -> Graphs:
        def answer() -> list[Any]:
            xs = [tf.placeholder_with_default(value, []) for value in (2.0, 3.0, 0.5)]
            (first,) = tf.gradients(f(*xs), xs[which])
            return [None] if first is None else run_all(tf, [first, *tf.gradients(first, xs)])

        return _fresh(tf, answer)

    def branch(f: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any, Any], Any]:
        return lambda x, y, w: tf.cond(tf.placeholder_with_default(True, []), lambda: f(x, y, w), lambda: y)

    def switch(f: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any, Any], Any]:
        return lambda x, y, w: tf.switch_case(tf.placeholder_with_default(1, []), [lambda: y, lambda: f(x, y, w)])

    functions: dict[str, Callable[[Any, Any, Any], Any]] = {
        "a product": lambda x, y, w: x * y,
        "a sum": lambda x, y, w: x + y,
        "a double": lambda x, y, w: x * 2.0,
        "apart": lambda x, y, w: tf.exp(x) * y + w * w,
        "a square beside": lambda x, y, w: x + w * w,
        "an exponential beside": lambda x, y, w: x + y * tf.exp(w),
        "a floor": lambda x, y, w: x + y * tf.floor(w),
        "a sine": lambda x, y, w: tf.sin(x) * 2.0 + y * w,
    }
    calls = {name: f for name, f in functions.items() if name != "a double"}
    kinds = {"a branch": (branch, functions), "a switch": (switch, functions), "a call": (tf.function, calls)}
    return {
        f"{name} in {kind}, {'xyw'[which]}": of(make(f), which)
        for kind, (make, every) in kinds.items()
        for name, f in every.items()
        for which in (range(3) if "apart" in name or "beside" in name else range(1))
    }


def integers(tf: Any) -> Answers:
    """No gradient passes a cast to integers, a loop of integers or a list of integers."""

    def whole(t: Any) -> Any:
        return tf.cast(t, tf.int32)

    def real(t: Any) -> Any:
        return tf.cast(t, tf.float32)

    def looped(body: Callable[..., Any], start: list[Any]) -> Any:
        return tf.while_loop(lambda i, *s: i < 3, lambda i, *s: (i + 1, *body(*s)), [0, *start])[1]

    def of(f: Callable[[Any, Any], Any], *, ints: bool = True) -> Graphs:
        def answer() -> list[Any]:
            x, k = tf.constant(3.7), tf.constant(3)
            y = f(x, k)
            return run_all(tf, [y, tf.gradients(y, x)[0], *([tf.gradients(y, k)[0]] if ints else [])])

        return _fresh(tf, answer)

    return {
        "to integers in the loop": of(lambda x, k: looped(lambda n: (n * whole(x),), [k])),
        "integers all along": of(lambda x, k: looped(lambda n: (n + whole(x),), [whole(x)])),
        "through integers": of(lambda x, k: looped(lambda n: (whole(real(n) * x),), [k])),
        "an integer beside a float": of(lambda x, k: tf.while_loop(lambda i, s: s < 20.0, lambda i, s: (i + 1, s * x), [k, x])[0]),
        "there and back": of(lambda x, k: looped(lambda s: (s * real(whole(x)),), [x])),
        "two variables": of(lambda x, k: looped(lambda s, n: (s + real(n), whole(s * x)), [tf.constant(1.0), whole(x)])),
        "map_fn to integers": of(lambda x, k: tf.map_fn(whole, tf.stack([x, x]), dtype=tf.int32)),
        "map_fn from integers": of(lambda x, k: tf.map_fn(real, tf.stack([k, k]), dtype=tf.float32)),
        "map_fn of integers": of(lambda x, k: tf.map_fn(lambda e: whole(x) * e, tf.stack([k, k]))),
        "map_fn, two results": of(lambda x, k: tf.map_fn(lambda e: (whole(e), e), tf.stack([x, x]), dtype=(tf.int32, tf.float32))[0]),
        "a list of integers": of(lambda x, k: tf.TensorArray(tf.int32, 2).unstack([whole(x), k]).stack()),
        "a branch": of(lambda x, k: tf.cond(x > 0.0, lambda: whole(x) * 2, lambda: k), ints=False),
    }


def sparse_branches(tf: Any) -> Answers:
    def of(f: Callable[[Any, Any], Any]) -> Graphs:
        def answer() -> list[Any]:
            v = tf.get_variable("v", initializer=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], use_resource=True)
            p = tf.placeholder_with_default(True, [])
            (gradient,) = tf.gradients(f(v, p), v)
            parts = [gradient.values, gradient.indices]
            return [run_all(tf, parts), run_all(tf, parts, {p: False})]

        return _fresh(tf, answer)

    def some(v: Any, indices: Any) -> Any:
        return tf.reduce_sum(tf.gather(v, indices))

    return {
        "sparse and none": of(lambda v, p: tf.cond(p, lambda: some(v, [0, 2]), lambda: 0.0)),
        "sparse and sparse": of(lambda v, p: tf.cond(p, lambda: some(v, [0, 2]), lambda: some(v, [1]))),
        "sparse and dense": of(lambda v, p: tf.cond(p, lambda: some(v, [0, 2]), lambda: tf.reduce_sum(v))),
        "rows": of(lambda v, p: tf.reduce_sum(tf.cond(p, lambda: tf.gather(v, [0, 2]), lambda: tf.gather(v, [1, 1])))),
    }


def recomputed(tf: Any) -> Answers:
    """`get_variable` in a function that runs again: the same variable, in the scope of its first run."""

    def of(scope: str | None, reuse: Any = None, inner: str | None = None, times: int = 1) -> Graphs:
        def layer(x: Any) -> Any:
            with tf.variable_scope(inner, reuse=tf.AUTO_REUSE, use_resource=True) if inner else contextlib.nullcontext():
                w = tf.get_variable("w", shape=[2, 2], initializer=tf.ones_initializer(), use_resource=True)
            return tf.tanh(tf.matmul(x, w))

        def answer() -> list[Any]:
            y = x = tf.constant([[1.0, 2.0]])
            forgetful = tf.recompute_grad(layer)
            with tf.variable_scope(scope, reuse=reuse, use_resource=True) if scope else contextlib.nullcontext():
                for _ in range(times):
                    y = forgetful(y)
            found = tf.gradients(y, [x, *tf.global_variables()])
            return [[v.name for v in tf.global_variables()], run_all(tf, [y, *found])]

        return _fresh(tf, answer)

    return {
        "in a scope": of("s", tf.AUTO_REUSE),
        "in a scope, twice": of("s", tf.AUTO_REUSE, times=2),
        "a scope of its own": of(None, inner="i"),
        "a scope of its own, twice": of(None, inner="i", times=2),
        "a scope in a scope": of("s", inner="i"),
        "no reuse": raises(of("s"), "already exists, disallowed"),
        "no scope": raises(of(None), "already exists, disallowed"),
    }


def empty_reshapes(tf: Any) -> Answers:
    def of(shape: Any, fed: tuple[int, ...] = (3, 0)) -> Graphs:
        def answer() -> list[Any]:
            x = tf.placeholder(tf.float32, [None, *fed[1:]])
            y = tf.reshape(x, shape(x) if callable(shape) else shape)
            (g,) = tf.gradients(y, x)
            return [str(y.shape), str(g.shape), run_all(tf, [tf.shape(y), tf.shape(g)], {x: np.zeros(fed)})]

        return _fresh(tf, answer)

    return {
        "the second is left": of([3, -1]),
        "the second is left, of a tensor": of(lambda x: [tf.shape(x)[0], -1]),
        "flat": of([-1]),
        "the first is left": of([-1, 0]),
        "the first is left, of two": of([-1, 2]),
        "the same": of([3, 0]),
        "the same, of a tensor": of(tf.shape),
        "more": of([5, 0]),
        "turned": of([0, 3]),
        "nothing and what is left": of([0, -1]),
        "three axes": of([3, 0, -1], (3, 0)),
        "rows of something": of([-1, 3], (0, 3)),
    }


def gammas(tf: Any) -> Answers:
    """Gradients of draws whose shape has unknown length."""

    def of(draw: Callable[[Any, Any], Any], rank: Any = (None,), fed: Any = (3, 2)) -> Graphs:
        def answer() -> list[Any]:
            shape, alpha = tf.placeholder(tf.int32, rank), tf.constant([1.0, 2.0])
            y = draw(shape, alpha)
            return [str(y.shape), run_all(tf, [tf.shape(t) for t in (y, *tf.gradients(y, alpha))], {shape: fed})]

        return _fresh(tf, answer)

    return {
        "random_gamma": of(tf.random_gamma),
        "of a rate": of(lambda s, a: tf.random.gamma(s, a, beta=2.0)),
        "of a shape of unknown rank": of(tf.random.gamma, None),
        "of no sizes": of(tf.random.gamma, (None,), ()),
        "stateless": of(lambda s, a: tf.random.stateless_gamma(s, [1, 2], a)),
    }


def targets(tf: Any) -> Answers:
    """A variable as the target of a tape, in a graph."""

    def of(f: Callable[[Any, Any], Any], weights: list[Any] | None = None, unconnected: str = "none") -> Graphs:
        def answer() -> list[Any]:
            v = tf.get_variable("v", initializer=[2.0, 3.0], use_resource=True)
            w = tf.get_variable("w", initializer=2.0, use_resource=True)
            with tf.GradientTape(persistent=True) as t:
                y = f(v, w)
            weights_of_y = None if weights is None else [tf.constant(weight) for weight in weights]
            return run_all(tf, t.gradient(y, [v, w], output_gradients=weights_of_y, unconnected_gradients=unconnected))

        return _fresh(tf, answer)

    return {
        "one": of(lambda v, w: v),
        "two": of(lambda v, w: [v, w]),
        "beside a tensor": of(lambda v, w: [v, v * v * w]),
        "weighed": of(lambda v, w: [v, w], [[5.0, 6.0], 7.0]),
        "zeros for the other": of(lambda v, w: w, unconnected="zero"),
    }
