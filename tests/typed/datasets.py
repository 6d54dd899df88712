"""Elements of datasets keep their types through what is made of them, in loops, in folds and in sessions."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import pullback as tf
import pullback.compat.v1 as tf1


class Example(NamedTuple):
    """An input and what it should give."""

    x: tf.Tensor
    y: tf.Tensor


def examples(x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> tf.data.Dataset[Example]:
    pairs = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(8, seed=1)
    return pairs.filter(lambda x, y: tf.abs(y) < 9.0).map(lambda x, y: Example(x, 2.0 * y), num_parallel_calls=tf.data.AUTOTUNE).batch(2)


def fit(data: tf.data.Dataset[Example], slope: tf.Variable) -> float:
    for number, batch in data.repeat(30).enumerate():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(slope * batch.x - batch.y))
        slope.assign_sub(0.05 * tape.gradient(loss, slope))
        if number.numpy() == 0:
            print(batch.x.shape.as_list(), loss.numpy() > 0.0)
    return float(slope.numpy())


def numbers() -> Iterator[tuple[int, float]]:
    yield from ((i, i / 2) for i in range(4))


def of_nests(features: dict[str, npt.NDArray[np.float32]], labels: list[int]) -> None:
    for x, label in tf.data.Dataset.from_tensor_slices((features, labels)).batch(2).take(1):
        print(x["width"].numpy() + x["height"].numpy(), label.numpy())
    generated = tf.data.Dataset.from_generator(numbers, output_signature=(tf.TensorSpec([], tf.int32), tf.TensorSpec([], tf.float32)))
    count, total = generated.reduce((0, 0.0), lambda state, element: (state[0] + 1, state[1] + element[1]))
    print(count.numpy(), total.numpy())
    both = tf.data.Dataset.zip((generated, tf.data.Dataset.from_tensor_slices(["a", "b"])))
    print([(i.numpy(), half.numpy(), tf.strings.length(text).numpy()) for (i, half), text in both])


def of_sequences(series: tf.Tensor) -> list[float]:
    windows = tf.data.Dataset.from_tensor_slices(series).window(3, shift=1, drop_remainder=True)
    rows = windows.flat_map(lambda window: window.batch(3))
    sums = rows.scan(0.0, lambda total, row: (total + tf.reduce_sum(row), total))
    near = tf.data.Dataset.range(3).interleave(lambda i: tf.data.Dataset.from_tensors(i).repeat(2), cycle_length=2)
    print([row.numpy().tolist() for row in rows], list(near.unique().as_numpy_iterator()))
    return [float(value) for value in sums.take_while(lambda total: total < 100.0)]


def in_a_session() -> None:
    with tf1.Graph().as_default(), tf1.Session() as session:
        iterator = tf1.data.Dataset.from_tensor_slices(([1.0, 2.0], [3.0, 4.0])).map(lambda x, y: x * y).make_one_shot_iterator()
        following = iterator.get_next()
        print([float(session.run(tf.sqrt(following))) for _ in range(2)])


def of_any(data: tf.data.Dataset) -> int:
    return len(list(data.map(lambda x, y: x + y).filter(lambda total: total > 0.0)))


def main() -> None:
    x = np.array([1, 2, 3, 4, 5, 6], np.float32)
    print(round(fit(examples(x / np.float32(6), x), tf.Variable(1.0)), 2))
    of_nests({"width": x, "height": -x}, [0, 1, 0, 1, 0, 1])
    print(of_sequences(tf.range(6.0)))
    in_a_session()
    print(of_any(tf.data.Dataset.from_tensor_slices((x, x))))
    iterator = iter(tf.data.Dataset.from_tensor_slices(tf.eye(2)))
    print(next(iterator).numpy().tolist(), iterator.get_next_as_optional().get_value().numpy().tolist())


if __name__ == "__main__":
    main()
