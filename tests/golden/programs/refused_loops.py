"""Waiting for what is outside a branch, loop or function; loop variables of several tensors; placeholders of sparse tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import either, raises, run_all

FACE = "v1"


def waiting(tf: Any) -> dict[str, Any]:
    """`control_dependencies` of operations that were made outside."""

    def run(use: Any, as_operation: bool) -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.Variable(0.0, use_resource=True)
            written = v.assign_add(1.0, read_value=False) if as_operation else v.assign_add(1.0)
            session.run(v.initializer)
            return [session.run(use(v, written)), session.run(v)]

    def read(v: Any, written: Any) -> Any:
        with tf.control_dependencies([written]):
            return v.read_value()

    def nested(v: Any, written: Any) -> Any:
        inner = lambda: tf.cond(tf.constant(True), lambda: read(v, written), lambda: tf.constant(1.0))  # noqa: E731
        return tf.cond(tf.constant(True), inner, lambda: tf.constant(2.0))

    def checked(value: float) -> Any:
        x = tf.placeholder(tf.float32, [])
        check = tf.assert_less(x, 3.0)

        def branch() -> Any:
            with tf.control_dependencies([check]):
                return tf.identity(x)

        return run_all(tf, [tf.cond(x > 0, branch, lambda: -x)], {x: value})

    def gradient() -> Any:
        x = tf.constant(3.0)
        return run_all(tf, tf.gradients(tf.cond(x > 0, lambda: _gated(tf, x), lambda: x), x))

    def without() -> Any:
        def branch() -> Any:
            with tf.control_dependencies(None):
                return tf.constant(1.0)

        return run_all(tf, [tf.cond(tf.constant(True), branch, lambda: tf.constant(2.0))])

    def repeated(v: Any, written: Any) -> Any:
        return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x + read(v, written)), [0, 0.0])

    calls = {
        "cond": lambda v, w: tf.cond(tf.constant(True), lambda: read(v, w), lambda: tf.constant(1.0)),
        "nested": nested,
        "case": lambda v, w: tf.case([(tf.constant(True), lambda: read(v, w))], default=lambda: tf.constant(1.0)),
        "while_loop": repeated,
        "map_fn": lambda v, w: tf.map_fn(lambda x: x + read(v, w), tf.constant([1.0, 2.0])),
        "scan": lambda v, w: tf.scan(lambda a, x: a + read(v, w), tf.constant([1.0, 2.0])),
        "function": lambda v, w: tf.function(lambda: read(v, w))(),
    }
    found = {f"{label} {'operation' if op else 'result'}": lambda c=c, op=op: run(c, op) for label, c in calls.items() for op in (True, False)}
    return found | {
        "assertion": lambda: checked(1.0),
        "assertion fails": raises(lambda: checked(5.0), "assertion failed"),
        "assertion of the other branch": lambda: checked(-1.0),
        "none": without,
        "gradient": gradient,
    }


def _gated(tf: Any, x: Any) -> Any:
    with tf.control_dependencies([x]):
        return x * x


def growing(tf: Any) -> dict[str, Any]:
    """Loop variables of several tensors, and what stays of their shapes."""

    def sparse(invariant: Any) -> Any:
        start = tf.SparseTensor([[0]], [1.0], [5])
        more = tf.SparseTensor([[0]], [2.0], [5])
        shapes = [tf.TensorShape([]), invariant]
        return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.sparse_concat(0, [s, more])), [0, start], shapes)[1]

    def elements() -> Any:
        """The shape stays, the number of elements does not."""
        start = tf.SparseTensor([[0, 0]], [1.0], [2, 3])
        more = tf.sparse_reorder(tf.SparseTensor([[1, 1], [0, 2]], [2.0, 3.0], [2, 3]))
        found = tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, tf.sparse_add(s, more)), [0, start])[1]
        return run_all(tf, [tf.sparse_tensor_to_dense(found)])

    def ragged(invariant: Any) -> Any:
        more = tf.ragged.constant([[4, 5, 6]])
        start = tf.ragged.constant([[1, 2], [3]])
        shapes = [tf.TensorShape([]), invariant]
        found = tf.while_loop(lambda i, r: i < 2, lambda i, r: (i + 1, tf.concat([r, more], 0)), [0, start], shapes)[1]
        return [found.shape, *run_all(tf, [found.flat_values, found.row_splits])]

    def slices(invariant: Any) -> Any:
        def body(i: Any, s: Any) -> Any:
            return i + 1, tf.IndexedSlices(tf.concat([s.values, s.values], 0), tf.concat([s.indices, s.indices], 0), s.dense_shape)

        start = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0]), tf.constant([3, 2]))
        found = tf.while_loop(lambda i, s: i < 2, body, [0, start], [tf.TensorShape([]), invariant])[1]
        return [found.values.shape, *run_all(tf, [found.values])]

    def nested() -> Any:
        start = {"s": tf.SparseTensor([[0]], [1.0], [5]), "x": tf.ones([1])}
        shapes = [tf.TensorShape([]), {"s": tf.TensorShape([1]), "x": tf.TensorShape([None])}]
        body = lambda i, d: (i + 1, {"s": tf.sparse_concat(0, [d["s"], d["s"]]), "x": tf.concat([d["x"], d["x"]], 0)})  # noqa: E731
        found = tf.while_loop(lambda i, d: i < 2, body, [0, start], shapes)[1]
        return run_all(tf, [tf.sparse_tensor_to_dense(found["s"]), found["x"]])

    def sparse_answer(invariant: Any) -> Any:
        return run_all(tf, [tf.sparse_tensor_to_dense(sparse(invariant))])

    return {
        "sparse": lambda: sparse_answer(tf.TensorShape([1])),
        "sparse of any rank": lambda: sparse_answer(tf.TensorShape([None])),
        "sparse of a spec": lambda: [sparse_answer(tf.SparseTensorSpec([None], tf.float32)), sparse(tf.SparseTensorSpec([None], tf.float32)).shape],
        "sparse of a wrong shape": raises(lambda: sparse(tf.TensorShape([None, None])), "1 dimension"),
        "elements": elements,
        "ragged": lambda: ragged(tf.TensorShape([None, None])),
        "ragged of a spec": lambda: ragged(tf.RaggedTensorSpec([None, None], tf.int32)),
        "ragged that does not fit": raises(lambda: ragged(tf.TensorShape([2, None]))),
        "slices": lambda: slices(tf.TensorShape([None, 2])),
        "slices that do not fit": raises(lambda: slices(tf.TensorShape([1, 2]))),
        "nested": nested,
        "too few": raises(lambda: tf.while_loop(lambda i, s: i < 3, lambda i, s: (i, s), [0, 1], [tf.TensorShape([])])),
    }


def placeholders(tf: Any) -> dict[str, Any]:
    value = tf.SparseTensorValue(np.array([[0, 1]], np.int64), np.float32([1.0]), np.array([2, 3], np.int64))

    def made(shape: Any) -> Any:
        def answer() -> Any:
            p = tf.sparse_placeholder(tf.float32, shape=shape())
            feed = {p: value}
            dense = tf.Session().run(tf.sparse_tensor_to_dense(p), feed)
            return [p.shape, p.dense_shape.shape, p.indices.shape, p.dense_shape.op.type, dense]

        return either(answer)

    def only_parts() -> Any:
        p = tf.sparse_placeholder(tf.float32, shape=[2, 3])
        return tf.Session().run(tf.sparse_tensor_to_dense(p), {p.indices: [[1, 1]], p.values: [4.0]})

    return {
        "tensor": made(lambda: tf.constant([2, 3], tf.int64)),
        "tensor of int32": made(lambda: tf.constant([2, 3])),
        "stack": made(lambda: tf.stack([tf.constant(2, tf.int64), 3])),
        "placeholder": lambda: tf.sparse_placeholder(tf.float32, shape=tf.placeholder(tf.int64, [2])).shape,
        "tuple": made(lambda: (2, 3)),
        "in part": made(lambda: (None, 3)),
        "none": made(lambda: None),
        "shape": made(lambda: tf.TensorShape([2, 3])),
        "array": made(lambda: np.array([2, 3])),
        "fed in parts": only_parts,
    }
