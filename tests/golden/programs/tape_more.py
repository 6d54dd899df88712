"""The gradient tape: nesting, dtypes, variables, misuse, threads, and tapes inside graphs."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import numpy as np

from tests.golden.programs.kit import logs, ours, raised, raises

FACE = "v2"


def nesting(tf: Any) -> dict[str, Any]:
    x = tf.constant(0.7)

    def second(inner_inside: bool, outer_watches: bool = True, inner_watches: bool = True) -> Any:
        with tf.GradientTape() as outer:
            if outer_watches:
                outer.watch(x)
            with tf.GradientTape() as inner:
                if inner_watches:
                    inner.watch(x)
                y = x * x * x
            if inner_inside:
                g = inner.gradient(y, x)
        if not inner_inside:
            g = inner.gradient(y, x)
        return [g, outer.gradient(g, x) if g is not None else None]

    def nth(n: int) -> Any:
        if n == 0:
            return tf.sin(x)
        with tf.GradientTape() as t:
            t.watch(x)
            y = nth(n - 1)
        return t.gradient(y, x)

    def one_persistent() -> Any:
        with tf.GradientTape(persistent=True) as t:
            t.watch(x)
            y = x**3
            g = t.gradient(y, x)
        return t.gradient(g, x)

    def mixed() -> Any:
        a, b = tf.Variable(2.0), tf.Variable(3.0)
        with tf.GradientTape(persistent=True) as outer:
            with tf.GradientTape() as inner:
                y = a * a * b
            ga, gb = inner.gradient(y, [a, b])
        return [outer.gradient(ga, a), outer.gradient(ga, b), outer.gradient(gb, a), outer.gradient(gb, b)]

    def hvp() -> Any:
        p, v = tf.constant([1.0, 2.0, 3.0]), tf.constant([1.0, 0.0, -1.0])
        with tf.GradientTape() as outer:
            outer.watch(p)
            with tf.GradientTape() as inner:
                inner.watch(p)
                y = tf.reduce_sum(p**3) + p[0] * p[1]
            g = inner.gradient(y, p)
        return outer.gradient(g, p, output_gradients=v)

    def penalty() -> Any:
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = tf.reduce_sum(tf.sin(w))
            g = inner.gradient(y, w)
            loss = y + tf.reduce_sum(g * g)
        return outer.gradient(loss, w)

    return {
        "inner inside outer": lambda: second(True),
        "inner outside outer": lambda: second(False),
        "outer does not watch": lambda: second(True, outer_watches=False),
        "inner does not watch": lambda: second(True, inner_watches=False),
        "third derivative": lambda: nth(3),
        "fourth derivative": lambda: nth(4),
        "one persistent tape": one_persistent,
        "mixed partials of variables": mixed,
        "Hessian by vector": hvp,
        "gradient penalty": penalty,
    }


def dtypes(tf: Any) -> dict[str, Any]:
    def of(x: Any, f: Any) -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            y = f(x)
        return t.gradient(y, x)

    def warned(x: Any) -> Any:
        with logs() as seen, tf.GradientTape() as t:
            t.watch(x)
        return [s for s in seen if "dtype of the watched tensor" in s][:1]

    c = tf.constant(1 + 2j, tf.complex64)
    return {
        "float16": lambda: of(tf.constant([1.5, 2.0], tf.float16), lambda x: x * x),
        "bfloat16": lambda: of(tf.constant([1.5, 2.0], tf.bfloat16), lambda x: x * x),
        "float64": lambda: of(tf.constant([1.5, 2.0], tf.float64), lambda x: x * x),
        "complex64": lambda: of(c, lambda x: x * x),
        "complex128": lambda: of(tf.constant(1 + 2j, tf.complex128), lambda x: x * x),
        "complex abs": lambda: of(c, tf.abs),
        "complex angle": lambda: of(c, tf.math.angle),
        "complex real of exp": lambda: of(c, lambda z: tf.math.real(tf.exp(z))),
        "complex reciprocal": lambda: of(c, lambda z: 1.0 / z),
        "complex log": lambda: of(c, tf.math.log),
        "integer": lambda: of(tf.constant([1, 2]), lambda x: x * x),
        "integer, target is source": lambda: of(tf.constant([1, 2]), lambda x: x),
        "bool, target is source": lambda: of(tf.constant(True), lambda x: x),
        "integer to float": lambda: of(tf.constant([1, 2]), lambda x: tf.cast(x, tf.float32) * 2.0),
        "float to integer": lambda: of(tf.constant([1.5]), lambda x: tf.cast(x, tf.int32)),
        "float to double": lambda: of(tf.constant([1.5]), lambda x: tf.cast(x, tf.float64) * 2.0),
        "double to half": lambda: of(tf.constant([1.5], tf.float64), lambda x: tf.cast(x, tf.float16) * 2.0),
        "argmax": lambda: of(tf.constant([1.5]), tf.argmax),
        "comparison": lambda: of(tf.constant([1.5]), lambda x: x > 1.0),
        "integer warning": lambda: warned(tf.constant(1)),
        "no warning for floats": lambda: warned(tf.constant(1.0)),
    }


def misuse(tf: Any) -> dict[str, Any]:
    x = tf.constant(3.0)

    def taped() -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
        return t, y

    def of(target: Any, source: Any) -> Any:
        return taped()[0].gradient(target, source)

    def reenter() -> Any:
        with tf.GradientTape() as t, t:
            return t

    def stopping(t: Any) -> Any:
        with t.stop_recording():
            return None

    def consumed() -> Any:
        t, y = taped()
        t.gradient(y, x)
        return t

    def watch_in_block(thing: Any) -> Any:
        with tf.GradientTape() as t:
            t.watch(thing)

    def watch_after() -> Any:
        t, y = taped()
        z = tf.constant(1.0)
        t.watch(z)
        return t.gradient(y, [x, z])

    better = raised("TypeError", "ValueError", "AttributeError")
    return {
        "gradient of a tape never entered": raises(lambda: tf.GradientTape().gradient(x, x), "non-persistent"),
        "gradient twice": raises(lambda: (lambda t, y: (t.gradient(y, x), t.gradient(y, x)))(*taped()), "non-persistent"),
        "re-entry": raises(reenter, "still recording"),
        "reset when inactive": raises(lambda: taped()[0].reset(), "not recording"),
        "reset never entered": raises(lambda: tf.GradientTape().reset(), "not recording"),
        "stop_recording never entered": raises(lambda: stopping(tf.GradientTape()), "not recording"),
        "stop_recording consumed": raises(lambda: stopping(consumed()), "not recording"),
        "stop_recording after exit": raises(lambda: stopping(taped()[0]), "not recording"),
        "watch a number": raises(lambda: watch_in_block(3.0), "3.0", "float"),
        "watch an array": raises(lambda: watch_in_block(np.ones(2)), "ndarray"),
        "watch text": raises(lambda: watch_in_block("abc"), "abc"),
        "watch before entering": ours(raised("AttributeError", "RuntimeError", "ValueError"), raises(lambda: tf.GradientTape().watch(x))),
        "watch after exit": watch_after,
        "target None": raises(lambda: of(None, x), "target", "None"),
        "target [None]": ours(better, raises(lambda: of([None], x))),
        "sources None": ours(better, raises(lambda: of(x, None))),
        "target a float": ours(better, raises(lambda: of(3.0, x))),
        "source a float": ours(better, raises(lambda: of(x * x, 3.0))),
        "source an array": ours(better, raises(lambda: of(x * x, np.float32(3.0)))),
        "target a set": ours(better, raises(lambda: of({1.0}, x))),
    }


def variables(tf: Any) -> dict[str, Any]:
    a = tf.Variable(2.0, name="a")
    b = tf.Variable(3.0, name="b")

    def watched(f: Any) -> Any:
        with tf.GradientTape() as t:
            f(t)
        return [v.name for v in t.watched_variables()]

    def assigned() -> Any:
        v = tf.Variable(1.0)
        with tf.GradientTape() as t:
            v.assign(a * 3.0)
            y = v * 2.0
        return t.gradient(y, [a, v])

    def reads() -> Any:
        v = tf.Variable(2.0)
        with tf.GradientTape() as t:
            before = v * v
            v.assign(10.0)
            after = v * v
            y = before + after
        return t.gradient(y, v)

    def of_assign() -> Any:
        v = tf.Variable(1.0)
        with tf.GradientTape() as t:
            y = v.assign(b * 2.0) * 1.0
        return t.gradient(y, [v, b])

    def accumulated() -> Any:
        v = tf.Variable(1.0)
        with tf.GradientTape() as t:
            v.assign_add(5.0)
            y = v * a
        return [t.gradient(y, [v, a]), v.numpy()]

    def of(f: Any, xs: Any) -> Any:
        with tf.GradientTape() as t:
            y = f()
        return t.gradient(y, xs)

    return {
        "none": lambda: watched(lambda t: None),
        "in order of creation": lambda: watched(lambda t: b * a),
        "each once": lambda: watched(lambda t: a * a * a),
        "watched by hand": lambda: watched(lambda t: t.watch(b)),
        "untrainable": lambda: watched(lambda t: tf.Variable(1.0, trainable=False) * 1.0),
        "integer variables are watched": lambda: watched(lambda t: tf.Variable(1, name="i") * 1),
        "before entering": lambda: list(tf.GradientTape().watched_variables()),
        "type": lambda: type(tf.GradientTape().watched_variables()).__name__,
        "assignment cuts": assigned,
        "reads before and after an assignment": reads,
        "the value of an assignment": of_assign,
        "assign_add": accumulated,
        "two": lambda: of(lambda: a * b, [a, b]),
        "sparse": lambda: (lambda v: of(lambda: tf.gather(v, [1, 1]), v))(tf.Variable([1.0, 2.0])),
        "embedding": lambda: (lambda v: of(lambda: tf.nn.embedding_lookup(v, [[2, 0]]), v))(tf.Variable([[1.0], [2.0], [3.0]])),
        "sparse_read": lambda: (lambda v: of(lambda: v.sparse_read([0, 0]), v))(tf.Variable([1.0, 2.0])),
        "index": lambda: (lambda v: of(lambda: v[1] * 3.0, v))(tf.Variable([1.0, 2.0])),
        "operators": lambda: of(lambda: (a + b) * (a - b) / b, [a, b]),
        "read_value": lambda: of(lambda: a.read_value() * a.value(), a),
        "in a list": lambda: of(lambda: tf.stack([a, b]) * [1.0, 10.0], [a, b]),
    }


def sparse(tf: Any) -> dict[str, Any]:
    t = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    def kind(f: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(t)
            y = f(t)
        g = tape.gradient(y, t)
        return [type(g).__name__ == "IndexedSlices", g]

    return {
        "gather": lambda: kind(lambda t: tf.gather(t, [2, 0, 2])),
        "gather of scalar": lambda: kind(lambda t: tf.gather(t, 1)),
        "gather on axis 1": lambda: kind(lambda t: tf.gather(t, [0, 0], axis=1)),
        "gather twice": lambda: kind(lambda t: tf.gather(t, [0]) + tf.gather(t, [2])),
        "gather of identity": lambda: kind(lambda t: tf.gather(tf.identity(t), [0])),
        "gather of double": lambda: kind(lambda t: tf.gather(t * 2.0, [0])),
        "gather of a cast": lambda: kind(lambda t: tf.gather(tf.cast(t, tf.float64), [0])),
        "gather_nd of rows": lambda: kind(lambda t: tf.gather_nd(t, [[1]])),
        "gather_nd of elements": lambda: kind(lambda t: tf.gather_nd(t, [[1, 1]])),
        "dense beside sparse": lambda: kind(lambda t: [tf.gather(t, [0]), t]),
        "boolean_mask": lambda: kind(lambda t: tf.boolean_mask(t, [True, False, False])),
        "index": lambda: kind(lambda t: t[0]),
        "batch_dims": lambda: kind(lambda t: tf.gather(t, [[0], [1], [0]], batch_dims=1)),
    }


def scattering(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0])

    def in_thread() -> Any:
        seen: list[Any] = []

        def work() -> None:
            with tf.GradientTape() as t:
                t.watch(x)
                y = x * x
            seen.append(t.gradient(y, x))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return seen

    def other_thread_is_not_recorded() -> Any:
        made: list[Any] = []
        with tf.GradientTape() as t:
            t.watch(x)
            thread = threading.Thread(target=lambda: made.append(x * x))
            thread.start()
            thread.join()
        return t.gradient(made[0], x)

    def freed() -> Any:
        class Held:
            pass

        held = Held()
        gone = weakref.ref(held)
        with tf.GradientTape() as t:
            t.watch(x)
            y = x * x
        t.held = held
        del held, t, y
        gc.collect()
        return gone() is None

    def in_a_graph() -> Any:
        v1 = tf.compat.v1
        with v1.Graph().as_default():
            p = v1.placeholder(tf.float32, [2])
            with tf.GradientTape(persistent=True) as t:
                t.watch(p)
                y = p * p
                z = tf.sin(y)
            g = t.gradient(z, p)
            h = t.gradient(y, p)
            with v1.Session() as s:
                return s.run([g, h], {p: [1.0, 2.0]})

    def second_in_a_graph() -> Any:
        v1 = tf.compat.v1
        with v1.Graph().as_default():
            p = v1.placeholder(tf.float32, [])
            with tf.GradientTape() as outer:
                outer.watch(p)
                with tf.GradientTape() as inner:
                    inner.watch(p)
                    y = p * p * p
                g = inner.gradient(y, p)
            h = outer.gradient(g, p)
            k = v1.gradients(h, p)
            with v1.Session() as s:
                return s.run([g, h, k[0]], {p: 2.0})

    return {
        "in a thread": in_thread,
        "another thread's operations are not recorded": other_thread_is_not_recorded,
        "a dropped tape is freed": freed,
        "in a graph": in_a_graph,
        "nested in a graph, gradients around": second_in_a_graph,
        "tf.gradients eagerly": raises(lambda: tf.gradients(x, x), "GradientTape"),
        "identity target": lambda: _identity(tf, x),
    }


def _identity(tf: Any, x: Any) -> Any:
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.identity(x)
    return t.gradient(y, x)
