"""`constant`, `convert_to_tensor`, `cast` and the shapes that tensors have."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import raises

FACE = "v2"


def _what(t: Any) -> list[Any]:
    return [t.dtype, t.shape, t]


def constants(tf: Any) -> dict[str, Any]:
    made = {
        "float": lambda: tf.constant(1.5),
        "integer": lambda: tf.constant(3),
        "large integer": lambda: tf.constant(2**40),
        "bool": lambda: tf.constant(True),
        "text": lambda: tf.constant("ab"),
        "bytes": lambda: tf.constant(b"ab"),
        "complex": lambda: tf.constant(1 + 2j),
        "list": lambda: tf.constant([1, 2, 3]),
        "nested": lambda: tf.constant([[1.0, 2.0], [3.0, 4.0]]),
        "tuple": lambda: tf.constant((1, 2)),
        "integers and floats": lambda: tf.constant([1, 2.5]),
        "floats and integers": lambda: tf.constant([2.5, 1]),
        "empty": lambda: tf.constant([]),
        "empty integers": lambda: tf.constant([], tf.int32),
        "float64 array": lambda: tf.constant(np.array([1.0, 2.0])),
        "float32 array": lambda: tf.constant(np.array([1.0], np.float32)),
        "int64 array": lambda: tf.constant(np.array([1, 2])),
        "bool array": lambda: tf.constant(np.array([True])),
        "NumPy scalar": lambda: tf.constant(np.float64(2.0)),
        "given dtype": lambda: tf.constant([1, 2], tf.float32),
        "given dtype by name": lambda: tf.constant([1, 2], "float64"),
        "given NumPy dtype": lambda: tf.constant([1, 2], np.float16),
        "given Python dtype": lambda: tf.constant(1, dtype=float),
        "bfloat16": lambda: tf.constant([1.0, 2.0], tf.bfloat16),
        "given shape": lambda: tf.constant([1, 2, 3, 4], shape=[2, 2]),
        "one value for a shape": lambda: tf.constant(7, shape=[2, 3]),
        "a list of tensors": lambda: tf.convert_to_tensor([tf.constant(1.0), 2.0]),
        "a list of tensors of constant": lambda: tf.constant(tf.constant([1.0, 2.0])),
        "uint8": lambda: tf.constant(200, tf.uint8),
        "array cast to a given dtype": lambda: tf.constant(np.array([1.5, 2.5]), tf.float32),
        "range": lambda: tf.constant(range(3)),
        "array of text": lambda: tf.constant(np.array(["a", "bc"])),
        "text in a list": lambda: tf.constant([["a"], ["b"]]),
    }
    return {name: lambda make=make: _what(make()) for name, make in made.items()}


def refused_constants(tf: Any) -> dict[str, Any]:
    return {
        "ragged": raises(lambda: tf.constant([[1, 2], [3]])),
        "None": raises(lambda: tf.constant(None)),
        "None inside": raises(lambda: tf.constant([1, None])),
        "text and numbers": raises(lambda: tf.constant(["a", 1])),
        "float for int32": raises(lambda: tf.constant(1.5, tf.int32), "1.5", "int32"),
        "text for float32": raises(lambda: tf.constant("a", tf.float32)),
        "far too large": raises(lambda: tf.constant(2**70)),
        "wrong shape": raises(lambda: tf.constant([1, 2, 3], shape=[2, 2])),
        "no such dtype": raises(lambda: tf.constant(1, "float31"), "float31"),
        "an object": raises(lambda: tf.constant(object())),
        "a dictionary": raises(lambda: tf.constant({"a": 1})),
        "a set": raises(lambda: tf.constant({1, 2})),
    }


def converting(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.0, 2.0])
    v = tf.Variable([3.0])
    return {
        "a tensor is itself": tf.convert_to_tensor(x) is x,
        "a variable is read": lambda: tf.convert_to_tensor(v),
        "a variable gives a tensor": tf.is_tensor(tf.convert_to_tensor(v)),
        "dtype hint": lambda: _what(tf.convert_to_tensor([1, 2], dtype_hint=tf.float32)),
        "dtype hint that fails": lambda: _what(tf.convert_to_tensor([1.5], dtype_hint=tf.int32)),
        "dtype": lambda: _what(tf.convert_to_tensor([1, 2], tf.float64)),
        "a shape": lambda: _what(tf.convert_to_tensor(tf.TensorShape([2, 3]))),
        "a numpy scalar": lambda: _what(tf.convert_to_tensor(np.int64(4))),
        "is_tensor": [tf.is_tensor(x), tf.is_tensor(v), tf.is_tensor(1.0), tf.is_tensor(np.ones(1))],
        "another dtype": raises(lambda: tf.convert_to_tensor(x, tf.int32), "int32", "float32"),
        "a variable, another dtype": raises(lambda: tf.convert_to_tensor(v, tf.int32)),
        "a shape that is not known": raises(lambda: tf.convert_to_tensor(tf.TensorShape([None, 3]))),
        "None": raises(lambda: tf.convert_to_tensor(None), "None"),
        "mixed dtypes in a list": raises(lambda: tf.convert_to_tensor([tf.constant(1.0), tf.constant(1)])),
        "mixed shapes in a list": raises(lambda: tf.convert_to_tensor([tf.constant([1.0]), tf.constant([1.0, 2.0])])),
        "identity of a variable": lambda: tf.identity(v),
        "an op takes lists": lambda: tf.add([1.0, 2.0], [3, 4]),
        "an op takes numbers": lambda: _what(tf.add(1, 2)),
        "an op takes an array": lambda: _what(tf.add(np.ones(2), 1)),
        "the first tensor decides": lambda: _what(tf.multiply(tf.constant(2.0, tf.float64), 3)),
        "a later tensor decides": lambda: _what(tf.multiply(3, tf.constant(2.0, tf.float64))),
        "maximum with a number": lambda: _what(tf.maximum(tf.constant([1, -1]), 0)),
        "where with numbers": lambda: _what(tf.where([True, False], 1.0, 0.0)),
        "stack of numbers and tensors": lambda: _what(tf.stack([tf.constant(1.0), 2.0])),
        "concat of arrays": lambda: _what(tf.concat([np.ones(1), np.zeros(1)], 0)),
    }


def casts(tf: Any) -> dict[str, Any]:
    x = tf.constant([1.7, -1.7, 300.0])
    targets = ("float16", "bfloat16", "float64", "int32", "int64", "int16", "bool", "complex64", "complex128")
    found: dict[str, Any] = {f"float32 to {t}": lambda t=t: tf.cast(x, t) for t in targets}
    found |= {f"int32 to {t}": lambda t=t: tf.cast(tf.constant([0, 1, -3]), t) for t in targets}
    found |= {f"bool to {t}": lambda t=t: tf.cast(tf.constant([True, False]), t) for t in targets if t != "bool"}
    return found | {
        "same dtype is the same tensor": tf.cast(x, tf.float32) is x,
        "numbers": lambda: _what(tf.cast(3, tf.float32)),
        "a list": lambda: _what(tf.cast([1, 2], tf.float64)),
        "a variable": lambda: tf.cast(tf.Variable(2.5), tf.int32),
        "complex to float": lambda: tf.cast(tf.constant(1.5 + 2j), tf.float32),
        "complex to complex": lambda: tf.cast(tf.constant(1.5 + 2j), tf.complex64),
        "saturate_cast": lambda: tf.saturate_cast(tf.constant([300.0, -5.0]), tf.uint8),
        "Python dtype": raises(lambda: tf.cast(x, int)),
        "bitwise large": lambda: tf.cast(tf.constant(2**31 + 5, tf.int64), tf.int32),
        "text": raises(lambda: tf.cast("a", tf.float32), "Cast"),
        "no such dtype": raises(lambda: tf.cast(x, "float31"), "float31"),
        "of IndexedSlices": lambda: tf.cast(tf.IndexedSlices(x, tf.constant([0, 1, 2]), tf.constant([3])), tf.float64),
        "to_float gradient": lambda: _cast_gradient(tf, x, tf.float64),
        "to half gradient": lambda: _cast_gradient(tf, x, tf.float16),
        "to integer gradient": lambda: _cast_gradient(tf, x, tf.int32),
        "to complex gradient": lambda: _cast_gradient(tf, x, tf.complex64),
    }


def _cast_gradient(tf: Any, x: Any, dtype: Any) -> Any:
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.cast(x, dtype) * 2
    return t.gradient(y, x)


def shapes(tf: Any) -> dict[str, Any]:
    s = tf.TensorShape([2, 3])
    u = tf.TensorShape([None, 3])
    n = tf.TensorShape(None)
    x = tf.zeros([2, 3])
    return {
        "of a tensor": x.shape,
        "as_list": s.as_list(),
        "as_list with unknown": u.as_list(),
        "rank": [s.rank, u.rank, n.rank],
        "ndims": [s.ndims, n.ndims],
        "dims": [s.dims is not None, n.dims is None],
        "length": len(s),
        "index": [s[0], s[-1], u[0]],
        "slice": [str(s[1:]), str(u[:1])],
        "iteration": list(s),
        "num_elements": [s.num_elements(), u.num_elements(), n.num_elements()],
        "is_fully_defined": [s.is_fully_defined(), u.is_fully_defined(), n.is_fully_defined()],
        "is_compatible_with": [s.is_compatible_with(u), s.is_compatible_with([2, 4]), s.is_compatible_with(None)],
        "merge_with": str(u.merge_with([2, None])),
        "concatenate": str(s.concatenate(u)),
        "concatenate with a list": str(s.concatenate([7])),
        "plus": str(s + [4]),
        "with_rank": str(n.with_rank(2)),
        "with_rank_at_least": str(s.with_rank_at_least(1)),
        "most_specific_compatible_shape": str(s.most_specific_compatible_shape([2, 5])),
        "equal": [s == [2, 3], s == (2, 3), s == tf.TensorShape([2, 3]), s == [2, 4]],
        "unknown is equal to unknown": [u == tf.TensorShape([None, 3]), n == tf.TensorShape(None)],
        "hash": hash(s) == hash(tf.TensorShape([2, 3])),
        "bool": [bool(s), bool(n)],
        "of one": str(tf.TensorShape([5])),
        "tf.shape": tf.shape(x),
        "tf.shape int64": tf.shape(x, out_type=tf.int64).dtype,
        "tf.size": tf.size(x),
        "tf.rank": tf.rank(x),
        "broadcast_static_shape": str(tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3]))),
        "tuple": tuple(s) == (2, 3),
        "merge refused": raises(lambda: s.merge_with([2, 4]), "3", "4"),
        "merge of ranks": raises(lambda: s.merge_with([2])),
        "with_rank refused": raises(lambda: s.with_rank(3), "3"),
        "assert_is_compatible_with": raises(lambda: s.assert_is_compatible_with([2, 4])),
        "assert_is_fully_defined": raises(lambda: u.assert_is_fully_defined()),
        "length of unknown": raises(lambda: len(n)),
        "as_list of unknown": raises(lambda: n.as_list()),
        "iteration of unknown": raises(lambda: list(n)),
        "negative": raises(lambda: tf.TensorShape([-2])),
        "text": raises(lambda: tf.TensorShape(["a"])),
    }


def set_shapes(tf: Any) -> dict[str, Any]:
    v1 = tf.compat.v1
    with v1.Graph().as_default():
        p = v1.placeholder(tf.float32)
        q = v1.placeholder(tf.float32, [None, 3])
        q.set_shape([2, None])
        p.set_shape([None, 4])
        return {
            "merged": str(q.shape),
            "from unknown": str(p.shape),
            "refused": raises(lambda: q.set_shape([5, 3]), "2", "5"),
            "rank refused": raises(lambda: q.set_shape([2])),
            "sum": str((q + 1.0).shape),
            "broadcast": str((q + p[:, :1]).shape),
            "reduce": str(tf.reduce_sum(p, 1).shape),
            "matmul": str(tf.matmul(q, p, transpose_a=True).shape),
            "reshape with -1": str(tf.reshape(p, [-1, 2]).shape),
            "concat": str(tf.concat([q, q], 0).shape),
            "stack": str(tf.stack([p, p]).shape),
            "transpose": str(tf.transpose(p).shape),
            "expand_dims": str(tf.expand_dims(p, -1).shape),
            "tile": str(tf.tile(q, [1, 2]).shape),
            "gather": str(tf.gather(p, [0, 1, 1]).shape),
            "ensure_shape": str(tf.ensure_shape(p, [7, None]).shape),
            "identity keeps it": str(tf.identity(p).shape),
            "unknown rank": str((v1.placeholder(tf.float32) + q).shape),
        }
