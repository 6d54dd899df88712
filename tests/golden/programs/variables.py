"""Variables, eagerly: making, assigning, scattering, and what they refuse."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raises

FACE = "v2"


def making(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0], name="v")
    return {
        "value": v,
        "numpy": v.numpy(),
        "name": v.name,
        "default name": tf.Variable(1.0).name,
        "dtype": v.dtype,
        "shape": v.shape,
        "trainable": [v.trainable, tf.Variable(1.0, trainable=False).trainable],
        "integers are trainable": tf.Variable(1).trainable,
        "given dtype": tf.Variable(1, dtype=tf.float64).dtype,
        "from a function": lambda: tf.Variable(lambda: tf.ones([2])),
        "from a tensor": lambda: tf.Variable(tf.constant([3.0])),
        "from an array": lambda: tf.Variable(np.array([1.0, 2.0])),
        "from a variable": lambda: tf.Variable(v),
        "is a copy": lambda: _copied(tf),
        "unknown shape": lambda: str(tf.Variable([1.0], shape=tf.TensorShape([None])).shape),
        "constraint": lambda: tf.Variable(1.0, constraint=lambda x: x).constraint is not None,
        "no constraint": v.constraint is None,
        "is a variable": [isinstance(v, tf.Variable), isinstance(tf.constant(1.0), tf.Variable)],
        "is not a Tensor": isinstance(v, tf.Tensor),
        "read_value": lambda: v.read_value(),
        "value()": lambda: v.value(),
        "get_shape": v.get_shape(),
        "asarray": lambda: np.asarray(v),
        "float": float(tf.Variable(2.5)),
        "int": int(tf.Variable(2)),
        "bool": lambda: bool(tf.Variable(0.0)),
        "length": lambda: len(list(iter(tf.Variable([1, 2, 3])))),
        "no value": raises(lambda: tf.Variable()),
        "None": raises(lambda: tf.Variable(None)),
        "wrong dtype": raises(lambda: tf.Variable(1.5, dtype=tf.int32)),
        "shape that does not fit": raises(lambda: tf.Variable([1.0, 2.0], shape=[3])),
    }


def _copied(tf: Any) -> Any:
    given = np.array([1.0, 2.0], np.float32)
    v = tf.Variable(given)
    given[0] = 100.0
    found = v.numpy()
    found[1] = 200.0
    return v.numpy()


def assigning(tf: Any) -> dict[str, Any]:
    def after(f: Any, start: Any = (1.0, 2.0)) -> Any:
        v = tf.Variable(start)
        f(v)
        return v.numpy()

    def returned(f: Any) -> Any:
        v = tf.Variable([1.0, 2.0])
        out = f(v)
        return [type(out).__name__ == type(v).__name__ or isinstance(out, tf.Variable), tf.convert_to_tensor(out)]

    def snapshot() -> Any:
        v = tf.Variable([1.0, 2.0])
        read = v.read_value()
        shared = v * 1.0
        v.assign([5.0, 6.0])
        return [read, shared, v]

    def aliasing() -> Any:
        x = tf.constant([1.0, 2.0])
        v = tf.Variable(x)
        v.assign_add([1.0, 1.0])
        return [x, v]

    def source() -> Any:
        given = np.array([1.0, 2.0], np.float32)
        v = tf.Variable([0.0, 0.0])
        v.assign(given)
        given[0] = 100.0
        return v.numpy()

    def identity_is_a_copy() -> Any:
        v = tf.Variable([1.0, 2.0])
        x = tf.identity(v)
        v.assign_sub([1.0, 1.0])
        return [x, v]

    return {
        "assign": lambda: after(lambda v: v.assign([5.0, 6.0])),
        "assign a tensor": lambda: after(lambda v: v.assign(tf.constant([5.0, 6.0]))),
        "assign a variable": lambda: after(lambda v: v.assign(tf.Variable([5.0, 6.0]))),
        "assign itself": lambda: after(lambda v: v.assign(v * v)),
        "assign_add": lambda: after(lambda v: v.assign_add([1.0, 1.0])),
        "assign_sub": lambda: after(lambda v: v.assign_sub([1.0, 1.0])),
        "assign integers": lambda: after(lambda v: v.assign([5, 6])),
        "returns": lambda: returned(lambda v: v.assign([5.0, 6.0])),
        "assign_add returns": lambda: returned(lambda v: v.assign_add([5.0, 6.0])),
        "read_value False": lambda: tf.Variable(1.0).assign(2.0, read_value=False),
        "reads are snapshots": snapshot,
        "a variable does not share its initial value": aliasing,
        "a variable does not share what is assigned": source,
        "identity is a copy": identity_is_a_copy,
        "another shape": raises(lambda: after(lambda v: v.assign([1.0, 2.0, 3.0])), "(2,)", "(3,)"),
        "another dtype": raises(lambda: after(lambda v: v.assign(tf.constant([1, 2]))), "int32", "float32"),
        "a scalar for a vector": raises(lambda: after(lambda v: v.assign(1.0))),
        "assign_add of another shape": raises(lambda: after(lambda v: v.assign_add([1.0, 2.0, 3.0]))),
        "item assignment": raises(lambda: after(lambda v: operator.setitem(v, 0, 1.0))),
        "unknown shape takes any": lambda: (lambda v: (v.assign([1.0, 2.0, 3.0]), v.numpy())[1])(
            tf.Variable([1.0], shape=tf.TensorShape([None]))
        ),
        "+=": raises(lambda: _in_place(tf), "assign_add"),
        "hash": raises(lambda: hash(tf.Variable(1.0))),
        "equality": lambda: tf.Variable([1.0, 2.0]) == [1.0, 3.0],
    }


def _in_place(tf: Any) -> Any:
    v = tf.Variable(1.0)
    v += 1.0
    return v


def scattering(tf: Any) -> dict[str, Any]:
    def after(f: Any) -> Any:
        v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        f(v)
        return v.numpy()

    s = tf.IndexedSlices(tf.constant([[10.0, 20.0], [30.0, 40.0]]), tf.constant([2, 0]), tf.constant([3, 2]))
    twice = tf.IndexedSlices(tf.constant([[10.0, 20.0], [30.0, 40.0]]), tf.constant([1, 1]), tf.constant([3, 2]))
    outside = tf.IndexedSlices(tf.constant([[10.0, 20.0]]), tf.constant([7]), tf.constant([3, 2]))
    methods = ("scatter_add", "scatter_sub", "scatter_mul", "scatter_div", "scatter_max", "scatter_min", "scatter_update")
    found: dict[str, Any] = {m: lambda m=m: after(lambda v: getattr(v, m)(s)) for m in methods}
    found |= {f"{m}, a row twice": lambda m=m: after(lambda v: getattr(v, m)(twice)) for m in methods if m != "scatter_update"}
    nd = ("scatter_nd_add", "scatter_nd_sub", "scatter_nd_update")
    found |= {m: lambda m=m: after(lambda v: getattr(v, m)([[0, 1], [2, 0]], [100.0, 200.0])) for m in nd}
    return found | {
        "scatter_nd_add, rows": lambda: after(lambda v: v.scatter_nd_add([[1]], [[1.0, 1.0]])),
        "batch_scatter_update": lambda: _batched(tf),
        "not IndexedSlices": raises(lambda: after(lambda v: v.scatter_add([1.0]))),
        "outside": raises(lambda: after(lambda v: v.scatter_add(outside)), "7"),
        "sparse_read": lambda: tf.Variable([1.0, 2.0, 3.0]).sparse_read([2, 0]),
        "gather_nd": lambda: tf.Variable([[1.0, 2.0], [3.0, 4.0]]).gather_nd([[1, 0]]),
        "returns": lambda: tf.convert_to_tensor(
            tf.Variable([1.0, 2.0]).scatter_add(tf.IndexedSlices(tf.constant([5.0]), tf.constant([1])))
        ),
    }


def _batched(tf: Any) -> Any:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    v.batch_scatter_update(tf.IndexedSlices(tf.constant([[9.0], [8.0]]), tf.constant([[1], [0]])))
    return v.numpy()


def failed_steps(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0])
    return {
        "a failed assign": raises(lambda: v.assign([1.0, 2.0, 3.0])),
        "leaves the value": lambda: v.numpy(),
        "a failed scatter": raises(lambda: v.scatter_add(tf.IndexedSlices(tf.constant([1.0, 1.0]), tf.constant([0, 9])))),
        "leaves the value too": ours(np.array([1, 2], np.float32), lambda: v.numpy()),
    }
