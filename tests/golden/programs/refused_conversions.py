"""Objects of a program's own where tensors are taken, and results by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import either, raises

FACE = "v2"


def objects(tf: Any) -> dict[str, Any]:
    class Private:
        """Its methods are its own affair."""

        dtype = tf.float32

        def _to_tensor(self, dtype: Any = None, name: Any = None) -> Any:
            return tf.constant([1.0, 2.0])

    class Said:
        def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
            return tf.constant([3.0, 4.0], dtype)

    class Registered:
        pass

    class Derived(Registered):
        pass

    class Second:
        pass

    asked: list[Any] = []

    def convert(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        asked.append([None if dtype is None else dtype.name, as_ref])
        return tf.constant([5.0, 6.0], dtype or tf.float32)

    tf.register_tensor_conversion_function(Registered, convert)
    tf.register_tensor_conversion_function(Second, lambda value, dtype=None, name=None, as_ref=False: NotImplemented, 10)
    tf.register_tensor_conversion_function(Second, lambda value, dtype=None, name=None, as_ref=False: tf.constant(2.0), 20)
    calls = {
        "convert": tf.convert_to_tensor,
        "convert to a dtype": lambda x: tf.convert_to_tensor(x, tf.float32),
        "with a hint": lambda x: tf.convert_to_tensor(x, dtype_hint=tf.float32),
        "add": lambda x: tf.add(x, 1.0),
        "added to a tensor": lambda x: tf.constant([1.0, 1.0]) + x,
        "square": tf.square,
        "stack": lambda x: tf.stack([x, x]),
        "concat": lambda x: tf.reduce_sum(tf.stack([x, x]), 0),
        "cast": lambda x: tf.cast(x, tf.int32),
        "reduce": tf.reduce_sum,
        "assign": lambda x: tf.Variable([0.0, 0.0], shape=tf.TensorShape(None)).assign(x),
        "variable": tf.Variable,
        "reshape": lambda x: tf.reshape(x, [-1]),
        "is_tensor": tf.is_tensor,
        "raw": lambda x: tf.raw_ops.Neg(x=x),
    }
    made = {"private": Private, "said": Said, "registered": Registered, "derived": Derived, "second": Second}

    def answer(kind: str, label: str) -> Any:
        def call() -> Any:
            found = calls[label](made[kind]())
            return found if isinstance(found, bool) else [found.numpy(), found.dtype]

        return call if kind != "private" or label == "is_tensor" else raises(call)

    def order() -> Any:
        asked.clear()
        tf.add(tf.constant([1.0, 1.0], tf.float64), Registered())
        tf.identity(Registered())
        return asked

    return {
        **{f"{kind} {label}": answer(kind, label) for kind in made for label in calls},
        "asked": order,
        "hint of another dtype": lambda: tf.convert_to_tensor(Said(), dtype_hint=tf.float64).dtype,
        "hint to a function": lambda: tf.convert_to_tensor(Registered(), dtype_hint=tf.float64).dtype,
        "wrong dtype": raises(lambda: tf.convert_to_tensor(Second(), tf.float64)),
    }


def slices(tf: Any) -> dict[str, Any]:
    """`IndexedSlices` whose dense shape a program gives as it has it."""

    def dense(shape: Any) -> Any:
        return lambda: tf.convert_to_tensor(tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), shape)).numpy()

    return {
        "a tuple": dense((3, 2)),
        "a list": dense([3, 2]),
        "an array": dense(np.array([3, 2])),
        "a tensor": dense(tf.constant([3, 2])),
        "of int64": dense(tf.constant([3, 2], tf.int64)),
        "a shape": dense(tf.TensorShape([3, 2])),
        "none": raises(dense(None), "dense_shape"),
        "arrays": lambda: tf.convert_to_tensor(tf.IndexedSlices(np.float32([[1.0, 2.0]]), np.array([1]), (3, 2))).numpy(),
        "lists": lambda: tf.convert_to_tensor(tf.IndexedSlices([[1.0, 2.0]], [1], (3, 2))).numpy(),
        "in an operation": lambda: tf.add(tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), (3, 2)), 1.0).numpy(),
        "from a function": lambda: tf.function(lambda x: tf.IndexedSlices(x, tf.constant([1]), tf.constant([3, 2])))(tf.ones([1, 2])),
        "dtype": lambda: tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), (3, 2)).dtype,
        "negated": either(lambda: (-tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), (3, 2))).values.numpy()),
    }


def leniences(tf: Any) -> dict[str, Any]:
    """Single numbers for shapes."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    def graph(call: Any) -> Any:
        def run() -> Any:
            with tf.Graph().as_default(), tf.compat.v1.Session() as session:
                return session.run(call(tf.constant([[1.0, 2.0], [3.0, 4.0]])))

        return either(run)

    calls = {
        "reshape": lambda x: tf.reshape(x, -1),
        "reshape to four": lambda x: tf.reshape(x, 4),
        "reshape to a tensor": lambda x: tf.reshape(x, tf.constant(4)),
        "reshape to three": lambda x: tf.reshape(x, 3),
        "raw reshape": lambda x: tf.raw_ops.Reshape(tensor=x, shape=-1),
        "fill": lambda x: tf.fill(7, 1.0),
        "raw fill": lambda x: tf.raw_ops.Fill(dims=7, value=1.0),
        "zeros": lambda x: tf.zeros(3),
        "ones": lambda x: tf.ones(3),
        "broadcast_to": lambda x: tf.broadcast_to(1.0, 3),
        "constant": lambda x: tf.constant(1.0, shape=3),
        "tile": lambda x: tf.tile([1.0], 3),
        "tile a matrix": lambda x: tf.tile(x, 3),
        "slice": lambda x: tf.slice([1.0, 2.0, 3.0], 1, 2),
        "pad": lambda x: tf.pad([1.0], [1, 1]),
        "reverse": lambda x: tf.reverse(x, 0),
        "transpose": lambda x: tf.transpose([1.0, 2.0], 0),
        "squeeze": lambda x: tf.squeeze([[1.0]], 0),
        "expand_dims": lambda x: tf.expand_dims(x, [0]),
        "reduce": lambda x: tf.reduce_sum(x, 0),
        "scatter_nd": lambda x: tf.scatter_nd([[1]], [2.0], 3),
        "ensure_shape": lambda x: tf.ensure_shape([1.0], 1),
        "roll": lambda x: tf.roll([1, 2, 3], 1, 0),
        "gather_nd": lambda x: tf.gather_nd(x, 1),
        "strided_slice": lambda x: tf.strided_slice([1, 2, 3], 1, 2),
        "one_hot": lambda x: tf.one_hot(1, [3]),
        "range": lambda x: tf.range([3]),
        "linspace": lambda x: tf.linspace(0.0, 1.0, [3]),
        "unsorted_segment_sum": lambda x: tf.math.unsorted_segment_sum(x, [0, 1], [2]),
        "top_k": lambda x: tf.math.top_k(x, [1]).values,
        "split": lambda x: tf.split(x, [2])[0],
        "repeat": lambda x: tf.repeat([1, 2], [2]),
        "sequence_mask": lambda x: tf.sequence_mask(2, 3),
        "resize": lambda x: tf.image.resize(tf.ones([1, 2, 2, 1]), 4),
        "broadcast_dynamic_shape": lambda x: tf.broadcast_dynamic_shape(2, [2]),
        "stateless_normal": lambda x: tf.shape(tf.random.stateless_normal([3], 1)),
        "meshgrid": lambda x: tf.meshgrid(1, 2)[0],
        "cumsum": lambda x: tf.cumsum(x, [0]),
        "concat": lambda x: tf.concat(x, 0),
        "concat of axis": lambda x: tf.concat([x, x], [0]),
        "stack of one": lambda x: tf.stack(x),
        "argmax": lambda x: tf.argmax(x, [0]),
    }
    eager = {label: either(lambda call=call: call(x).numpy()) for label, call in calls.items()}
    several = ("reshape", "reshape to four", "raw reshape", "fill", "zeros", "tile", "slice", "reverse", "expand_dims", "range", "stack of one")
    return eager | {f"{label} in a graph": graph(calls[label]) for label in several}
