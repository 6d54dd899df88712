"""TensorArrays, eagerly and in loops of graphs, and gradients through them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import either, raises

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


def manners(tf: Any) -> dict[str, Any]:
    """What an eager array takes, gives and refuses: it is a Python list of tensors."""

    def array(size: Any = 3, dtype: Any = tf.float32, **options: Any) -> Any:
        return tf.TensorArray(dtype, size, **options)

    def two(**options: Any) -> Any:
        return array(**options).write(0, 1.0).write(1, 2.0)

    def after(change: Any, look: Any, **options: Any) -> Any:
        held = two(**options)
        change(held)
        return look(held)

    def both(first: Any, second: Any, **options: Any) -> Any:
        held = two(**options)
        return [first(held), second(held), held.size()]

    calls = {
        "flow": lambda: two().flow,
        "dynamic size": lambda: [two().dynamic_size, array(dynamic_size=True).dynamic_size],
        "closed": lambda: after(lambda a: a.close(), lambda a: [a.size(), a.stack()]),
        "closed and written": lambda: after(lambda a: a.close(), lambda a: a.write(0, 1.0)),
        "identity": lambda: after(lambda a: a.identity().write(2, 7.0), lambda a: a.stack()),
        "gradients by hand": lambda: two().grad("source"),
        "a flow alone": lambda: tf.TensorArray(tf.float32, flow=tf.constant(1)),
        "a handle": lambda: tf.TensorArray(tf.float32, handle=tf.constant(1)),
        "no size": lambda: tf.TensorArray(tf.float32),
        "size of a float": lambda: array(2.5),
        "size of a list": lambda: array([2]),
        "negative size": lambda: array(-1).size(),
        "size of a tensor": lambda: array(tf.constant(2, tf.int64)).size(),
        "size of an array": lambda: array(np.array(2)).size(),
        "nothing written": lambda: array().read(0),
        "nothing written, open shape": lambda: array(element_shape=[None]).read(0),
        "nothing written, shape": lambda: array(element_shape=[2]).read(0),
        "nothing written, strings": lambda: array(dtype=tf.string, element_shape=[2]).read(0),
        "read negative": lambda: two().read(-1),
        "read at a float": lambda: two().read(1.0),
        "read at a float tensor": lambda: two().read(tf.constant(1.0)),
        "read at a string": lambda: two().read("1"),
        "read at a list": lambda: two().read([1]),
        "read at a vector": lambda: two().read(tf.constant([1])),
        "read at None": lambda: two().read(None),
        "read twice": lambda: both(lambda a: a.read(0), lambda a: a.read(0)),
        "read, written, read": lambda: both(lambda a: a.read(0), lambda a: a.write(0, 5.0).read(0)),
        "read twice, not cleared": lambda: both(lambda a: a.read(0), lambda a: a.read(0), clear_after_read=False),
        "write at a float": lambda: two().write(1.0, 2.0),
        "write at False": lambda: two().write(False, 2.0).stack(),
        "write negative": lambda: two().write(-1, 2.0),
        "write an int": lambda: two().write(1, 2).stack(),
        "write an array of another dtype": lambda: two().write(1, np.float64(5.0)).stack(),
        "write a tensor of another dtype": lambda: two().write(1, tf.constant(1.0, tf.float64)),
        "write a float to ints": lambda: array(dtype=tf.int32).write(0, 1.5),
        "write a variable": lambda: two().write(1, tf.Variable(5.0)).stack(),
        "write a string": lambda: two().write(1, "a"),
        "write None": lambda: two().write(1, None),
        "write another shape": lambda: two(infer_shape=False).write(1, [1.0]).stack(),
        "stack after a read": lambda: both(lambda a: a.read(0), lambda a: a.stack()),
        "stack and read after a read": lambda: both(lambda a: [a.read(0), a.stack()], lambda a: a.read(0)),
        "gather after a read": lambda: both(lambda a: [a.read(0), a.gather([0])], lambda a: a.read(0)),
        "concat after a read": lambda: both(lambda a: a.read(0), lambda a: a.concat()),
        "gather places never written": lambda: two().gather([0, 2, 2]),
        "gather from the end": lambda: two().gather([-2]),
        "gather outside": lambda: two().gather([7]),
        "gather none": lambda: two().gather([]),
        "gather at a number": lambda: two().gather(1),
        "gather at floats": lambda: two().gather([0.0]),
        "gather at a matrix": lambda: two().gather([[0], [1]]),
        "gather at an array": lambda: two().gather(np.array([1, 0])),
        "stack of none": lambda: array(0).stack(),
        "stack of none, shape": lambda: array(0, element_shape=[2]).stack(),
        "stack of none, open shape": lambda: array(0, element_shape=[None]).stack(),
        "stack of nothing written": lambda: array().stack(),
        "concat of none": lambda: array(0).concat(),
        "concat of numbers": lambda: two().concat(),
        "concat of other lengths": lambda: array(2, infer_shape=False).write(0, [1.0]).write(1, [2.0, 3.0]).concat(),
        "concat of other ranks": lambda: array(2, infer_shape=False).write(0, [[1.0]]).write(1, [2.0]).concat(),
        "concat of nothing written": lambda: array(2, infer_shape=False).write(0, [1.0]).concat(),
        "unstack fewer": lambda: [two().unstack([1.0, 2.0]).size(), two().unstack([1.0, 2.0]).stack()],
        "unstack more": lambda: two().unstack([1.0, 2.0, 3.0, 4.0]),
        "unstack more, growing": lambda: two(dynamic_size=True).unstack([1.0, 2.0, 3.0, 4.0]).stack(),
        "unstack ints": lambda: two().unstack([1, 2]).stack(),
        "unstack ints, write a float": lambda: two().unstack([1, 2]).write(0, 5.0).stack(),
        "unstack another shape": lambda: [two().unstack([[1.0, 2.0]]).element_shape, two().unstack([[1.0, 2.0]]).stack()],
        "unstack a number": lambda: two().unstack(1.0),
        "unstack after a read": lambda: both(lambda a: a.read(0), lambda a: a.unstack([7.0]).read(0)),
        "scatter": lambda: two().scatter([2, 0], [5.0, 6.0]).stack(),
        "scatter at fewer": lambda: two().scatter([2], [5.0, 6.0]).stack(),
        "scatter at more": lambda: two().scatter([2, 0, 1], [5.0, 6.0]).stack(),
        "scatter outside": lambda: two().scatter([9], [5.0]),
        "scatter outside, growing": lambda: two(dynamic_size=True).scatter([4], [5.0]).stack(),
        "scatter ints": lambda: two().scatter([1], [5]),
        "scatter at a number": lambda: two().scatter(1, [5.0]),
        "scatter at a matrix": lambda: two().scatter([[0], [1]], [1.0, 2.0]),
        "split": lambda: [array(2).split([1.0, 2.0, 3.0], [1, 2]).element_shape, array(2).split([1.0, 2.0, 3.0], [1, 2]).concat()],
        "split to fewer": lambda: two().split([1.0, 2.0, 3.0], [1, 1]),
        "split to another number": lambda: two().split([1.0, 2.0, 3.0], [1, 2]),
        "split to another number, growing": lambda: two(dynamic_size=True).split([1.0, 2.0], [2]).size(),
        "split a number": lambda: two().split(1.0, [1]),
        "split by a number": lambda: two().split([1.0, 2.0], 2),
        "split by a negative": lambda: two().split([1.0, 2.0], [-1, 2, 1]),
        "split to none": lambda: array(0).split(tf.zeros([0]), tf.zeros([0], tf.int32)),
        "split to another shape": lambda: array(2, element_shape=[5]).split([1.0, 2.0], [1, 1]).stack(),
        "no elements to join": lambda: tf.concat([], 0),
        "tensors of two dtypes": lambda: tf.convert_to_tensor([tf.constant(1.0), tf.constant(2)], tf.float32),
        "tensors of two dtypes, the other first": lambda: tf.convert_to_tensor([tf.constant(1), tf.constant(2.0)], tf.float32),
        "zeros of variants": lambda: tf.zeros([], tf.variant),
    }
    return {label: either(call) for label, call in calls.items()}


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
