"""Sparse and ragged loop variables: what a body knows of their shapes, and how these may change; indices and limits that are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, either

FACE = "v2"


def _loop(tf: Any, start: Callable[[], Any], step: Callable[[Any], Any], invariant: Callable[[], Any] | None = None) -> Any:
    """The static shapes in the body and at the end, and the value of two steps."""
    shapes: list[str] = []

    def note(value: Any) -> Any:
        shapes.append(str(value.shape))
        return value

    def run() -> Any:
        invariants = None if invariant is None else [tf.TensorShape([]), invariant()]
        body = lambda i, s: (i + 1, step(note(s)))
        found = note(tf.while_loop(lambda i, s: i < 2, body, [tf.constant(0), start()], shape_invariants=invariants)[1])
        return tf.sparse.to_dense(found) if hasattr(found, "dense_shape") else found.to_tensor()

    value = tf.function(run, autograph=False)()
    return [shapes, value]


def sparse(tf: Any) -> Answers:
    start = lambda: tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])
    grown = lambda s: tf.sparse.concat(0, [s, s])
    unknown = lambda: tf.SparseTensorSpec([None, None], tf.float32)
    return {
        "the same": either(lambda: _loop(tf, start, lambda s: s * 2.0)),
        "a shape that is computed": either(lambda: _loop(tf, start, lambda s: tf.SparseTensor(s.indices, s.values, s.dense_shape + 0))),
        "another rank": either(lambda: _loop(tf, start, lambda s: tf.sparse.reshape(s, [4]))),
        "grows by a rank": either(lambda: _loop(tf, start, grown, lambda: tf.TensorShape([2]))),
        "grows by a spec": either(lambda: _loop(tf, start, grown, unknown)),
        "by a spec of its shape": either(lambda: _loop(tf, start, lambda s: s * 2.0, lambda: tf.SparseTensorSpec([2, 2], tf.float32))),
        "by a shape": either(lambda: _loop(tf, start, grown, lambda: tf.TensorShape([None, None]))),
    }


def ragged(tf: Any) -> Answers:
    flat = lambda: tf.ragged.constant([[1.0, 2.0], [3.0]])
    deep = lambda: tf.ragged.constant([[[1.0], [2.0, 3.0]], [[4.0]]])
    even = lambda: tf.ragged.constant([[[1.0, 0.0], [2.0, 3.0]], [[4.0, 5.0]]], ragged_rank=1)
    twice = lambda axis: lambda s: tf.concat([s, s], axis)
    shape = lambda *dims: lambda: tf.TensorShape(dims)
    return {
        "the same": either(lambda: _loop(tf, flat, lambda s: s * 2.0)),
        "fewer values": either(lambda: _loop(tf, flat, lambda s: tf.ragged.boolean_mask(s, s > 1.0))),
        "longer rows": either(lambda: _loop(tf, flat, twice(1))),
        "more rows": either(lambda: _loop(tf, flat, twice(0))),
        "more rows by a shape": either(lambda: _loop(tf, flat, twice(0), shape(None, None))),
        "more rows by a spec": either(lambda: _loop(tf, flat, twice(0), lambda: tf.RaggedTensorSpec([None, None], tf.float32))),
        "more rows than its shape says": either(lambda: _loop(tf, flat, twice(0), shape(2, None))),
        "two partitions": either(lambda: _loop(tf, deep, twice(1))),
        "longer innermost rows": either(lambda: _loop(tf, deep, twice(2))),
        "an even dimension": either(lambda: _loop(tf, even, twice(1))),
        "a shape of rank 1": either(lambda: _loop(tf, flat, lambda s: s, shape(2))),
        "a spec of another rank": either(lambda: _loop(tf, flat, lambda s: s, lambda: tf.RaggedTensorSpec([2, None, None], tf.float32))),
    }


def indices_and_limits(tf: Any) -> Answers:
    ways = [lambda: tf.constant(1.0), lambda: tf.constant(2.0)]
    count = lambda limit: tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [tf.constant(0)], maximum_iterations=limit)[0]
    calls = {
        "an index of floats": lambda: tf.switch_case(tf.constant(1.0), ways),
        "an index of booleans": lambda: tf.switch_case(tf.constant(True), ways),
        "a wide index": lambda: tf.switch_case(tf.constant(1, tf.int64), ways),
        "a vector of indices": lambda: tf.switch_case(tf.constant([1]), ways),
        "no iteration": lambda: count(0),
        "fewer iterations than none": lambda: count(-1),
        "a vector of limits": lambda: count(tf.constant([1])),
        "a condition that is nothing": lambda: tf.while_loop(lambda i: None, lambda i: [i + 1], [tf.constant(0)])[0],
        "a pair and a ragged tensor": lambda: tf.cond(
            tf.constant(True), lambda: (tf.constant(1.0), tf.constant(2.0)), lambda: tf.ragged.constant([[1.0]])
        ),
    }
    eager = {"a pair and a ragged tensor"}  # where a condition is known TensorFlow looks at one branch alone
    found = {f"{label}, eagerly": either(call) for label, call in calls.items() if label not in eager}
    traced = {label: call for label, call in calls.items() if "nothing" not in label}  # TensorFlow fails in an assertion of its own
    return found | {
        f"{label}, in a function": either(lambda call=call: tf.function(call, autograph=False)()) for label, call in traced.items()
    }
