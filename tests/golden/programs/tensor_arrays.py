"""TensorArrays, eagerly and in loops of graphs, and gradients through them."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import raises

FACE = "v2"


def eagerly(tf: Any) -> dict[str, Any]:
    def filled(n: int = 3, **options: Any) -> Any:
        array = tf.TensorArray(tf.float32, n, **options)
        for i in range(n):
            array = array.write(i, [float(i), 10.0 * i])
        return array

    def grown() -> Any:
        array = tf.TensorArray(tf.float32, 0, dynamic_size=True)
        for i in range(4):
            array = array.write(i, float(i))
        return [array.size(), array.stack()]

    return {
        "stack": lambda: filled().stack(),
        "read": lambda: filled().read(1),
        "size": lambda: filled().size(),
        "gather": lambda: filled().gather([2, 0]),
        "concat": lambda: filled().concat(),
        "unstack": lambda: tf.TensorArray(tf.float32, 3).unstack(tf.reshape(tf.range(6.0), [3, 2])).read(2),
        "scatter": lambda: tf.TensorArray(tf.float32, 3).scatter([2, 0, 1], tf.reshape(tf.range(6.0), [3, 2])).stack(),
        "split": lambda: tf.TensorArray(tf.float32, 2, infer_shape=False).split(tf.range(5.0), [2, 3]).read(1),
        "dynamic size": grown,
        "dtype": lambda: filled().dtype,
        "integers": lambda: tf.TensorArray(tf.int32, 2).unstack([4, 5]).stack(),
        "outside": raises(lambda: filled().read(5)),
        "outside to write": raises(lambda: tf.TensorArray(tf.float32, 1).write(3, 1.0)),
        "another dtype": raises(lambda: tf.TensorArray(tf.float32, 1).write(0, tf.constant(1))),
        "another shape": raises(lambda: filled().write(1, [1.0])),
    }


def gradients(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0, 3.0])

    def of(f: Any) -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            y = f()
        return [y, t.gradient(y, x)]

    def written() -> Any:
        array = tf.TensorArray(tf.float32, 3)
        for i in range(3):
            array = array.write(i, x[i] * x[i])
        return array.stack() * [1.0, 10.0, 100.0]

    def second() -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.TensorArray(tf.float32, 3).unstack(x**3).stack()
            g = inner.gradient(y, x)
        return outer.gradient(g, x)

    return {
        "write and stack": lambda: of(written),
        "unstack and read": lambda: of(lambda: tf.TensorArray(tf.float32, 3).unstack(x).read(1) * 2.0),
        "unstack and gather": lambda: of(lambda: tf.TensorArray(tf.float32, 3).unstack(x).gather([2, 2, 0])),
        "scatter and stack": lambda: of(lambda: tf.TensorArray(tf.float32, 3).scatter([2, 0, 1], x).stack() * [1.0, 10.0, 100.0]),
        "split and concat": lambda: of(lambda: tf.TensorArray(tf.float32, 2, infer_shape=False).split(x, [1, 2]).concat() * x),
        "second order": second,
        "made shorter": lambda: of(lambda: _resized(tf, x, 2)),
        "made longer": lambda: of(lambda: _resized(tf, x, 5)),
    }


def _resized(tf: Any, x: Any, size: int) -> Any:
    raw, scalar = tf.raw_ops, tf.constant([], tf.int32)
    handle = raw.TensorListResize(input_handle=raw.TensorListFromTensor(tensor=x, element_shape=scalar), size=size)
    return raw.TensorListGather(input_handle=handle, indices=[1, 0], element_shape=scalar, element_dtype=tf.float32)


def in_loops(tf: Any) -> dict[str, Any]:
    v1 = tf.compat.v1

    def graph(make: Any, value: Any, order: int = 1) -> Any:
        with v1.Graph().as_default():
            x = v1.placeholder(tf.float32, [None] if isinstance(value, list) else [])
            y = make(x)
            found = [y]
            for _ in range(order):
                found.append(v1.gradients(found[-1], x)[0])
            with v1.Session() as s:
                return s.run(found, {x: value})

    def powers(x: Any) -> Any:
        def body(i: Any, p: Any, array: Any) -> Any:
            return i + 1, p * x, array.write(i, p)

        array = tf.TensorArray(tf.float32, 4)
        return tf.while_loop(lambda i, p, array: i < 4, body, [tf.constant(0), tf.constant(1.0), array])[2].stack()

    def running(x: Any) -> Any:
        given = tf.TensorArray(tf.float32, tf.shape(x)[0]).unstack(x)

        def body(i: Any, s: Any, array: Any) -> Any:
            s = s * 0.5 + given.read(i)
            return i + 1, s, array.write(i, s)

        n = tf.shape(x)[0]
        return tf.while_loop(lambda i, s, a: i < n, body, [tf.constant(0), tf.constant(0.0), tf.TensorArray(tf.float32, n)])[2].stack()

    return {
        "powers": lambda: graph(powers, 2.0),
        "running mean": lambda: graph(running, [1.0, 2.0, 4.0]),
        "of no elements": lambda: graph(running, [], 0),
    }
