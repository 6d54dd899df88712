"""Shapes of which a graph knows only the rank, or that are one size, for what fills tensors and for initializers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import either

FACE = "v1"


def _shapes(tf: Any) -> dict[str, Callable[[dict[Any, Any]], Any]]:
    def fed(value: Any, dtype: Any, shape: Any) -> Callable[[dict[Any, Any]], Any]:
        def make(feeds: dict[Any, Any]) -> Any:
            placeholder = tf.placeholder(dtype, shape)
            feeds[placeholder] = value
            return placeholder

        return make

    size = fed(2, tf.int32, [])
    return {
        "a size": size,
        "a size of 64 bits": fed(2, tf.int64, []),
        "a vector": fed([2, 3], tf.int32, [2]),
        "a vector of unknown length": fed([2, 3], tf.int64, [None]),
        "a size of unknown rank": fed(2, tf.int32, None),
        "a vector of unknown rank": fed([2, 3], tf.int32, None),
        "a list with a tensor": lambda feeds: [size(feeds), 3],
        "the shape of a tensor": lambda feeds: tf.shape(fed(np.zeros((2, 3)), tf.float64, [None, 3])(feeds)),
        "a size of it": lambda feeds: tf.shape(fed(np.zeros((2, 3)), tf.float64, [None, 3])(feeds))[0],
        "an array": lambda feeds: np.array([2, 3]),
        "a number": lambda feeds: 2,
        "a shape": lambda feeds: tf.TensorShape([2, 3]),
        "a shape that is not known": lambda feeds: tf.TensorShape([None, 3]),
        "a negative size": lambda feeds: [-1, 2],
    }


def _answer(tf: Any, make: Callable[[Any], Any], shape: Callable[[dict[Any, Any]], Any]) -> Callable[[], Any]:
    def run() -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            feeds: dict[Any, Any] = {}
            filled = make(shape(feeds))
            return [str(filled.shape), session.run(tf.shape(filled), feeds), session.run(tf.reduce_max(filled) < 4.0, feeds)]

    return either(run)


def fills(tf: Any) -> dict[str, Any]:
    return {
        f"{name} of {words}": _answer(tf, make, shape)
        for name, make in {"zeros": tf.zeros, "ones": tf.ones, "fill": lambda shape: tf.fill(shape, 3.0)}.items()
        for words, shape in _shapes(tf).items()
    }


def initializers(tf: Any) -> dict[str, Any]:
    made = {
        "zeros": tf.zeros_initializer(),
        "ones": tf.ones_initializer(),
        "normal": tf.truncated_normal_initializer(seed=1),
        "uniform": tf.random_uniform_initializer(seed=1),
    }
    return {
        f"{name} of {words}": _answer(tf, initializer, shape)
        for name, initializer in made.items()
        for words, shape in _shapes(tf).items()
        if (name, words) != ("uniform", "a shape that is not known")
    }
