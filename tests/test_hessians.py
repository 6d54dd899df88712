"""Hessians of tensors whose length is known only when the graph runs: TensorFlow refuses them."""

from __future__ import annotations

import numpy as np

import pullback.compat.v1 as tf


def test_a_placeholder_of_unknown_length() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        (hessian,) = tf.hessians(tf.reduce_sum(x * x * x), x)
        assert session.run(hessian, {x: [1.0, 2.0]}).tolist() == [[6.0, 0.0], [0.0, 12.0]]
        assert session.run(hessian, {x: np.zeros(0)}).shape == (0, 0)


def test_a_hessian_can_be_differentiated_again() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 2.0])
        (hessian,) = tf.hessians(tf.reduce_sum(x**4), x)
        assert session.run(tf.gradients(hessian, x)[0]).tolist() == [24.0, 48.0]


def test_the_graph_does_not_grow_with_the_number_of_elements() -> None:
    sizes = []
    for length in (2, 200):
        with tf.Graph().as_default() as graph:
            x = tf.zeros([length])
            tf.hessians(tf.reduce_sum(x * x), x)
            sizes.append(len(graph.get_operations()))
    assert sizes[0] == sizes[1]
