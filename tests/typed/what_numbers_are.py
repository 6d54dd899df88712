"""What an operation on numbers takes: numbers, tensors, arrays, and sequences of them at any depth."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import pullback as tf


def summed(x: float | npt.NDArray[np.float32] | tf.Tensor | tf.Variable | list[float] | Sequence[Sequence[float]]) -> tf.Tensor:
    return tf.reduce_sum(x)


def of_sequences(tensors: list[tf.Tensor], variables: tuple[tf.Variable, ...], arrays: list[npt.NDArray[np.float64]]) -> list[tf.Tensor]:
    return [tf.reduce_sum(tensors), tf.reduce_max(variables), tf.sin(arrays)[0, 0], tf.nn.softmax(tensors)[0]]


class Reading:
    """A library's own array."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array([1.0, 2.0])


def main() -> None:
    x, v = tf.constant(1.0), tf.Variable(2.0)
    print(summed(2), summed(2.5), summed(np.ones(2, np.float32)), summed(x), summed(v), summed([1.0, 2.0]), summed([[1.0], [2.0]]))
    print(of_sequences([x, x], (v, v), [np.ones(2)])[0])
    print(tf.reduce_sum([x, 1.0, v]), tf.reduce_sum([[x, 1.0], [2.0, v]]), tf.reduce_sum([[[[1.0]]]]), tf.reduce_sum([]))
    print(tf.reduce_sum(range(3)), tf.reduce_sum(deque([1.0])), tf.reduce_sum((1, 2.0)), tf.reduce_sum(Reading()), tf.abs(np.float32(-1)))
    print(tf.stack([1, x.shape.rank or 0, tf.shape(x)[:0].shape.rank or 0]), tf.stack([x, 1.0]), tf.fill([2], "a"), tf.stack(["a", "b"]))
    print(tf.where([True, True], x, [0.0, 1.0]), tf.gather(["a", "b"], [1]), tf.sort([3, 1]), tf.range(3, 5), tf.one_hot([0, 1], 2))


if __name__ == "__main__":
    main()
