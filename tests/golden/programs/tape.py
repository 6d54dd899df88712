"""The gradient tape: watching, structures, targets and sources, persistence, nesting."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from tests.golden.programs.kit import logs, raises

FACE = "v2"
Point = collections.namedtuple("Point", "x y")


def watching(tf: Any) -> dict[str, Any]:
    x = tf.constant(3.0)
    z = tf.constant(2.0)
    v = tf.Variable(4.0)
    u = tf.Variable(5.0, trainable=False)

    def by(watch: Any, f: Any, source: Any, **options: Any) -> Any:
        with tf.GradientTape(**options) as t:
            watch(t)
            y = f()
        return t.gradient(y, source)

    def watch_returns() -> Any:
        with tf.GradientTape() as t:
            return t.watch(x)

    def late() -> Any:
        with tf.GradientTape() as t:
            y = x * x
            t.watch(x)
        return t.gradient(y, x)

    def half() -> Any:
        with tf.GradientTape() as t:
            y = x * x
            t.watch(x)
            w = y + x * 5.0
        return t.gradient(w, x)

    def nothing(t: Any) -> None:
        pass

    return {
        "constant, watched": lambda: by(lambda t: t.watch(x), lambda: x * x, x),
        "constant, not watched": lambda: by(nothing, lambda: x * x, x),
        "variable": lambda: by(nothing, lambda: v * v, v),
        "untrainable variable": lambda: by(nothing, lambda: u * u, u),
        "untrainable variable, watched": lambda: by(lambda t: t.watch(u), lambda: u * u, u),
        "watch_accessed_variables off": lambda: by(nothing, lambda: v * v, v, watch_accessed_variables=False),
        "off, watched": lambda: by(lambda t: t.watch(v), lambda: v * v, v, watch_accessed_variables=False),
        "a list": lambda: by(lambda t: t.watch([x, z]), lambda: x * z, [x, z]),
        "a dict": lambda: by(lambda t: t.watch({"a": x, "b": [z]}), lambda: x * z, [x, z]),
        "watch twice": lambda: by(lambda t: (t.watch(x), t.watch(x)), lambda: x * x, x),
        "watch returns": watch_returns,
        "after the operation": late,
        "between two operations": half,
        "intermediate": lambda: _intermediate(tf, x),
        "variable read before the tape": lambda: _read_before(tf, v),
    }


def _intermediate(tf: Any, x: Any) -> Any:
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
        z = y * y
    return t.gradient(z, [x, y])


def _read_before(tf: Any, v: Any) -> Any:
    read = tf.identity(v)
    with tf.GradientTape() as t:
        y = read * 2.0
    return t.gradient(y, v)


def structures(tf: Any) -> dict[str, Any]:
    a, b, c = tf.constant(1.0), tf.constant(2.0), tf.constant(3.0)

    def of(sources: Any) -> Any:
        with tf.GradientTape() as t:
            t.watch([a, b, c])
            y = a * b * c
        return t.gradient(y, sources)

    def targets(make: Any, sources: Any = None, **options: Any) -> Any:
        with tf.GradientTape() as t:
            t.watch([a, b, c])
            ys = make()
        return t.gradient(ys, [a, b, c] if sources is None else sources, **options)

    return {
        "one": lambda: of(a),
        "list": lambda: of([a, b]),
        "list type": lambda: type(of([a, b])).__name__,
        "tuple": lambda: of((a, b)),
        "tuple type": lambda: type(of((a, b))).__name__,
        "dict": lambda: of({"p": a, "q": c}),
        "dict type": lambda: type(of({"p": a})).__name__,
        "ordered dict type": lambda: type(of(collections.OrderedDict([("z", a), ("y", b)]))).__name__,
        "ordered dict order": lambda: list(of(collections.OrderedDict([("z", a), ("y", b)]))),
        "namedtuple": lambda: list(of(Point(a, b))),
        "namedtuple type": lambda: type(of(Point(a, b))).__name__,
        "nested": lambda: of([a, (b, {"k": c})]),
        "empty tuple": lambda: of(()),
        "empty list": lambda: of([]),
        "empty dict": lambda: of({}),
        "duplicate sources": lambda: of([a, a]),
        "unrelated among sources": lambda: of([a, tf.constant(9.0)]),
        "list of targets": lambda: targets(lambda: [a * b, b * c]),
        "dict of targets": lambda: targets(lambda: {"p": a * b, "q": b * c}),
        "duplicate targets": lambda: targets(lambda: [a * b] * 2),
        "vector target is summed": lambda: targets(lambda: tf.stack([a, b * b, c])),
        "target is source": lambda: targets(lambda: a, a),
        "target is an unwatched source": lambda: (lambda q: targets(lambda: q, q))(tf.constant(5.0)),
        "target is a vector source": lambda: (lambda q: targets(lambda: q, q))(tf.constant([5.0, 6.0])),
        "variable as target": lambda: (lambda v: targets(lambda: v, v))(tf.Variable(2.0)),
        "intermediate and target": lambda: targets(lambda: [a * b, a]),
    }


def unconnected(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0])
    far = tf.constant([[3.0]])
    i = tf.constant([1, 2])
    v = tf.Variable([5.0, 6.0, 7.0])

    def of(source: Any, how: Any = None) -> Any:
        with tf.GradientTape() as t:
            t.watch([x, far])
            y = x * x
        return t.gradient(y, source) if how is None else t.gradient(y, source, unconnected_gradients=how)

    zero = tf.UnconnectedGradients.ZERO
    return {
        "None": lambda: of(far),
        "NONE": lambda: of(far, tf.UnconnectedGradients.NONE),
        "none by name": lambda: of(far, "none"),
        "ZERO": lambda: of(far, zero),
        "zero by name": lambda: of(far, "zero"),
        "integer": lambda: of(i),
        "integer zero": lambda: of(i, zero),
        "variable": lambda: of(v),
        "variable zero": lambda: of(v, zero),
        "string zero": lambda: of(tf.constant("a"), zero),
        "bool zero": lambda: of(tf.constant(True), zero),
        "mixed": lambda: of([x, far], zero),
        "bad value": raises(lambda: of(far, "zeros"), "zeros"),
        "no targets": lambda: _no_targets(tf, x),
    }


def _no_targets(tf: Any, x: Any) -> Any:
    with tf.GradientTape() as t:
        t.watch(x)
    return t.gradient([], x)


def output_gradients(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0])
    v = tf.Variable([10.0, 20.0])

    def of(given: Any, make: Any = lambda: x * x, source: Any = None) -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            y = make()
        return t.gradient(y, x if source is None else source, output_gradients=given)

    def pair() -> Any:
        return [x * x, 3.0 * x]

    return {
        "a tensor": lambda: of(tf.constant([1.0, 10.0])),
        "a list of one": lambda: of([tf.constant([1.0, 10.0])]),
        "None": lambda: of(None),
        "an array": lambda: of(np.array([1.0, 10.0], np.float32)),
        "a Python list is a structure": lambda: of([1.0, 10.0]),
        "a variable": lambda: of(v),
        "a scalar broadcasts": lambda: of(tf.constant(2.0)),
        "a list for a list": lambda: of([tf.constant([1.0, 0.0]), tf.constant([0.0, 1.0])], pair),
        "too short": lambda: of([tf.constant([1.0, 0.0])], pair),
        "too long": lambda: of([tf.constant([1.0, 0.0])] * 3, pair),
        "for a dict": lambda: of({"p": tf.constant([2.0, 2.0])}, lambda: {"p": x * x}),
        "target is source, unchecked": lambda: of(tf.constant([1.0, 2.0, 3.0]), lambda: x),
        "ignored when unconnected": lambda: of(tf.constant([1.0]), lambda: tf.constant(1.0)),
        "larger through sin": lambda: of(tf.ones([3, 2]), lambda: tf.sin(x)),
        "None in a list": raises(lambda: of([None]), "None"),
        "wrong shape": raises(lambda: of(tf.ones([3])), "[3]", "[2]"),
        "wrong dtype": raises(lambda: of(np.array([1.0, 2.0])), "float"),
    }


def persistence(tf: Any) -> dict[str, Any]:
    x = tf.constant(3.0)

    def twice(persistent: bool) -> Any:
        with tf.GradientTape(persistent=persistent) as t:
            t.watch(x)
            y = x * x
        return [t.gradient(y, x), t.gradient(y, x)]

    def several() -> Any:
        with tf.GradientTape(persistent=True) as t:
            t.watch(x)
            y = x * x
            z = y * y
        return [t.gradient(z, x), t.gradient(z, y), t.gradient(y, x)]

    def inside(persistent: bool) -> Any:
        with tf.GradientTape(persistent=persistent) as t:
            t.watch(x)
            y = x * x
            g = t.gradient(y, x)
        return g

    def inside_records() -> Any:
        with tf.GradientTape(persistent=True) as t:
            t.watch(x)
            y = x * x * x
            g = t.gradient(y, x)
        return [g, t.gradient(g, x)]

    def resumed() -> Any:
        t = tf.GradientTape(persistent=True)
        with t:
            t.watch(x)
            y = x * x
        with t:
            z = y * x
        return t.gradient(z, x)

    def after_consuming() -> Any:
        t = tf.GradientTape()
        with t:
            t.watch(x)
            y = x * x
        first = t.gradient(y, x)
        with t:
            t.watch(x)
            z = x * 5.0
        return [first, t.gradient(z, x)]

    def unlogged() -> Any:
        with logs() as seen:
            inside(True)
        return ["persistent tape inside" in " ".join(seen), len(seen)]

    return {
        "persistent, twice": lambda: twice(True),
        "not persistent, twice": raises(lambda: twice(False), "non-persistent", "one"),
        "several": several,
        "inside the block": lambda: inside(False),
        "inside the block, persistent": lambda: inside(True),
        "inside, persistent, is recorded": inside_records,
        "resumed": resumed,
        "used again after consuming": after_consuming,
        "a warning about inside": unlogged,
    }


def recording_control(tf: Any) -> dict[str, Any]:
    x = tf.constant(3.0)

    def stop() -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
            with t.stop_recording():
                w = x * 10.0
            z = y + w
        return t.gradient(z, x)

    def stop_all() -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            with t.stop_recording():
                y = x * x
        return t.gradient(y, x)

    def stop_twice() -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            with t.stop_recording():
                a = x * 2.0
            b = x * 3.0
            with t.stop_recording():
                c = x * 4.0
            y = a + b + c
        return t.gradient(y, x)

    def reset() -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
            t.reset()
            t.watch(x)
            z = x * 7.0 + y
        return t.gradient(z, x)

    def reset_forgets() -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
            t.reset()
        return t.gradient(y, x)

    def gradient_while_stopped() -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
            with t.stop_recording():
                g = t.gradient(y, x)
        return g

    def survives_an_exception() -> Any:
        try:
            with tf.GradientTape() as t:
                t.watch(x)
                y = x * x
                raise KeyError("stop")
        except KeyError:
            pass
        w = y * 2.0
        return [t.gradient(y, x), w]

    def out_of_order() -> Any:
        t, u = tf.GradientTape(), tf.GradientTape()
        t.__enter__()
        u.__enter__()
        t.watch(x)
        u.watch(x)
        y = x * x
        t.__exit__(None, None, None)
        z = y * x
        u.__exit__(None, None, None)
        return [t.gradient(y, x), u.gradient(z, x)]

    return {
        "stop_recording": stop,
        "stop_recording of all": stop_all,
        "stop_recording twice": stop_twice,
        "reset": reset,
        "reset forgets": reset_forgets,
        "gradient while stopped": gradient_while_stopped,
        "an exception inside": survives_an_exception,
        "tapes exit out of order": out_of_order,
        "exit without enter": lambda: tf.GradientTape().__exit__(None, None, None),
    }
