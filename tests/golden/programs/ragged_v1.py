"""Ragged tensors in TensorFlow 1's graphs: what is refused when a session runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v1"


def _asked(tf: Any, build: Callable[[], Any]) -> Callable[[], Any]:
    """What a session gives for the parts of ragged tensors that are built in a graph of their own."""

    def run() -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            return session.run([[x.flat_values, *x.nested_row_splits] for x in build()])

    return run


def matmul(tf: Any) -> Answers:
    def product(a: Any, b: Any) -> Callable[[], Any]:
        return _asked(tf, lambda: [tf.matmul(tf.ragged.constant(a), tf.ragged.constant(b))])

    two = [[[1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0]]]
    return {
        "sizes agree": product(two, [[[1.0], [2.0]], [[3.0], [4.0]]]),
        "sizes differ": raises(product([[[1.0, 2.0], [3.0, 4.0]]], [[[1.0, 2.0, 5.0]]])),
        "sizes of one row differ": raises(product(two, [[[1.0], [2.0]], [[3.0], [4.0], [5.0]]])),
    }


def dynamic_partition(tf: Any) -> Answers:
    def parted(partitions: list[int], fed: bool = False) -> Callable[[], Any]:
        def build() -> Any:
            numbers = tf.placeholder_with_default(partitions, [None]) if fed else partitions
            return tf.dynamic_partition(tf.ragged.constant([[1.0], [2.0, 3.0], [4.0]]), numbers, 2)

        return _asked(tf, build)

    return {
        "within": parted([0, 1, 0]),
        "within, fed": parted([0, 1, 0], fed=True),
        "too great": raises(parted([0, 2, 0]), "partitions must be less than num_partitions"),
        "too great, fed": raises(parted([0, 2, 0], fed=True), "partitions must be less than num_partitions"),
        "negative": raises(parted([0, -1, 0]), "partitions must be non-negative"),
        "negative, fed": raises(parted([0, -1, 0], fed=True), "partitions must be non-negative"),
    }
