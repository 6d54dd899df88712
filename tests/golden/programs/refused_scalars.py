"""Vectors where an operation takes one number: refused by the input's name, in graphs as TensorFlow's rules of shapes refuse them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, either, raises

FACE = "v2"


def _calls(tf: Any, two: Any, halves: Any) -> dict[str, tuple[Callable[[], Any], str]]:
    """Calls with `two` or `halves`, each of two elements, for a number; what eager execution's message says."""
    raw, x, boxes = tf.raw_ops, tf.ones([3, 3]), [[[0.0, 0.0, 1.0, 1.0]]]
    counts = {"size": two, "weights": [1.0, 2.0], "binary_output": False}
    return {
        "top_k": (lambda: tf.math.top_k(x, two), "k must be scalar"),
        "nth_element": (lambda: raw.NthElement(input=x, n=two), "must be scalar"),
        "in_top_k": (lambda: tf.math.in_top_k([0, 1, 1], x, two), "k must be 0-D"),
        "num_lower": (lambda: tf.linalg.band_part(x, two, np.int32(-1)), "num_lower must be scalar"),
        "num_upper": (lambda: tf.linalg.band_part(x, np.int32(0), two), "num_upper must be scalar"),
        "num_rows": (lambda: tf.linalg.diag([1.0, 2.0], num_rows=two, num_cols=2), "num_rows must be a scalar"),
        "num_cols": (lambda: tf.linalg.diag([1.0, 2.0], num_rows=2, num_cols=two), "num_cols must be a scalar"),
        "unsorted sum": (lambda: tf.math.unsorted_segment_sum(x, [0, 1, 1], two), "num_segments should be a scalar"),
        "unsorted mean": (lambda: tf.math.unsorted_segment_mean(x, [0, 1, 1], two), "num_segments should be a scalar"),
        "sparse sum": (lambda: tf.sparse.segment_sum(x, [0, 1, 1], [0, 1, 1], num_segments=two), "num_segments should be a scalar"),
        "unsorted join": (lambda: tf.strings.unsorted_segment_join(["a", "b"], [0, 1], two), "must be a scalar"),
        "dense counts": (lambda: raw.DenseBincount(input=[1, 2], **counts), "rank 0"),
        "sparse counts": (lambda: raw.SparseBincount(indices=[[0], [1]], values=[1, 2], dense_shape=[3], **counts), "rank 0"),
        "nbins": (lambda: tf.histogram_fixed_width([1.0], [0.0, 1.0], two), "nbins should be a scalar"),
        "least cover": (lambda: tf.image.sample_distorted_bounding_box([9, 9, 3], boxes, min_object_covered=halves), "must be 0-D"),
        "least cover, stateless": (
            lambda: tf.image.stateless_sample_distorted_bounding_box([9, 9, 3], boxes, [1, 2], min_object_covered=halves),
            "must be 0-D",
        ),
        "rows to fill": (
            lambda: raw.RaggedFillEmptyRows(value_rowids=[0, 1], values=[1.0, 2.0], nrows=tf.cast(two, tf.int64), default_value=0.0),
            "must be a scalar",
        ),
    }


def eagerly(tf: Any) -> Answers:
    calls = _calls(tf, tf.constant([1, 1]), tf.constant([0.5, 0.5]))
    return {name: raises(call, says) for name, (call, says) in calls.items()}


def in_functions(tf: Any) -> Answers:
    """The vectors are arguments, so that the function knows their shape and not their numbers."""

    def traced(name: str) -> Any:
        return tf.function(lambda two, halves: _calls(tf, two, halves)[name][0](), autograph=False)(tf.constant([1, 1]), tf.constant([0.5, 0.5]))

    return {name: raises(lambda name=name: traced(name)) for name in _calls(tf, 1, 0.5)}


def in_graphs(tf: Any) -> Answers:
    """The vectors are constants, which TensorFlow's rules of shapes may look at."""

    def run(name: str) -> Any:
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            found = _calls(tf, tf.constant([1, 1]), tf.constant([0.5, 0.5]))[name][0]()
            return session.run(tf.nest.flatten(found))

    return {name: raises(lambda name=name: run(name)) for name in _calls(tf, 1, 0.5)}


def matrices_of_axes(tf: Any) -> Answers:
    """Eager execution takes the numbers of a matrix of axes, a graph refuses it."""
    x = tf.ones([2, 3])
    calls: dict[str, Callable[[], Any]] = {
        "reduce_sum": lambda: tf.reduce_sum(x, [[0], [1]]),
        "reduce_prod": lambda: tf.reduce_prod(x, [[0]]),
        "reduce_any": lambda: tf.reduce_any(x > 0.0, [[0]]),
        "reduce_join": lambda: tf.strings.reduce_join([["a", "b"]], [[0]]),
    }
    answers: Answers = {name: either(call) for name, call in calls.items()}
    return answers | {f"{name} in a function": raises(lambda call=call: tf.function(call, autograph=False)()) for name, call in calls.items()}


def arrays_beside_tensors(tf: Any) -> Answers:
    """An array before a tensor takes the tensor's dtype, whatever its own is."""
    answers: Answers = {}
    weights, factor = tf.ones([2, 2, 2, 1]), tf.constant([[2.0, 0.0], [1.0, 2.0]])
    for dtype in ("int8", "int32", "float64", "bool", "complex64"):
        images, square = np.ones([1, 3, 3, 2], dtype), np.array([[2, 0], [1, 2]], dtype)
        answers |= {
            f"conv2d {dtype}": lambda images=images: tf.nn.conv2d(images, weights, 1, "VALID"),
            f"conv2d of version 1 {dtype}": lambda images=images: tf.compat.v1.nn.conv2d(images, weights, [1, 1, 1, 1], "VALID"),
            f"conv2d of batches {dtype}": either(lambda images=images: tf.nn.conv2d(images[None], weights, 1, "VALID")),
            f"conv3d {dtype}": lambda images=images: tf.nn.conv3d(images[None], weights[None], [1] * 5, "VALID"),
            f"conv {dtype}": lambda images=images: tf.conv(images, weights, [1] * 4, "VALID"),
            f"cholesky_solve {dtype}": lambda square=square: tf.linalg.cholesky_solve(square, tf.ones([2, 1])),
            f"lu_solve {dtype}": lambda square=square: tf.linalg.lu_solve(square, [0, 1], np.ones([2, 1])),
            f"lu_matrix_inverse {dtype}": lambda square=square: tf.linalg.lu_matrix_inverse(square, [0, 1]),
        }
    return answers | {"cholesky_solve of a tensor": either(lambda: tf.linalg.cholesky_solve(factor, np.ones([2, 1], np.int32)))}
