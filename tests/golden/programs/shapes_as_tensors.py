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


def _fed(tf: Any, value: np.ndarray[Any, Any], call: Callable[[Any], Any]) -> Callable[[], Any]:
    """The static shape and the value of a function of a tensor whose rank the graph does not know."""

    def run() -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(value.dtype, None)
            found = call(x)
            return [str(found.shape), session.run(found, {x: value})]

    return either(run)


MATRIX = np.linspace(-1.0, 2.0, 12, dtype=np.float32).reshape(4, 3)
IMAGE = np.arange(24, dtype=np.float32).reshape(4, 3, 2)


def tensors_of_unknown_rank(tf: Any) -> dict[str, Any]:
    reductions = ("sum", "mean", "max", "min", "prod", "logsumexp", "any", "all", "euclidean_norm", "variance", "std")
    answers = {
        f"reduce_{name}": _fed(tf, MATRIX > 0 if name in ("any", "all") else MATRIX, getattr(tf.math, f"reduce_{name}"))
        for name in reductions
    }
    for name in ("prod", "max", "euclidean_norm"):
        answers[f"gradient of reduce_{name}"] = _fed(
            tf, MATRIX, lambda x, name=name: tf.gradients(getattr(tf.math, f"reduce_{name}")(x), x)[0]
        )
    answers["einsum"] = _fed(tf, MATRIX, lambda x: tf.einsum("ij,kj->ik", x, x))
    answers["gradient of einsum"] = _fed(
        tf, MATRIX, lambda x: tf.ensure_shape(tf.gradients(tf.einsum("ij,kj->ik", x, tf.sin(x)), x)[0], [4, 3])
    )
    answers["count_nonzero"] = _fed(tf, MATRIX, tf.count_nonzero)
    answers["zero_fraction"] = _fed(tf, MATRIX, tf.nn.zero_fraction)
    for axis in (0, 1):
        answers[f"cross entropy along {axis}"] = _fed(
            tf, MATRIX, lambda x, axis=axis: tf.nn.softmax_cross_entropy_with_logits(labels=tf.abs(x), logits=x, dim=axis)
        )
    for name, call in {
        "transposed": tf.image.transpose,
        "turned": tf.image.rot90,
        "turned three times": lambda x: tf.image.rot90(x, 3),
        "flipped": lambda x: tf.image.stateless_random_flip_left_right(x, [1, 2]),
    }.items():
        answers[f"an image {name}"] = _fed(tf, IMAGE, call)
        if name == "flipped":  # the others are refused there
            answers[f"a batch {name}"] = _fed(tf, np.stack([IMAGE, IMAGE + 1]), call)
    answers["cropped and padded"] = _fed(tf, IMAGE, lambda x: tf.image.resize_image_with_crop_or_pad(x, 5, 2))
    answers["grey as colours"] = _fed(tf, IMAGE[..., :1], tf.image.grayscale_to_rgb)
    return answers


def steps_of_windows(tf: Any) -> dict[str, Any]:
    """Strides and rates as arrays, tensors and variables."""
    x, kernel = np.ones((1, 5, 4, 2), np.float32), np.ones((2, 2, 2, 3), np.float32)
    volume, cube = np.ones((1, 3, 4, 3, 2), np.float32), np.ones((2, 2, 2, 2, 3), np.float32)

    def run(call: Callable[[], Any]) -> Callable[[], Any]:
        return either(lambda: [call().shape.as_list()])

    return {
        "strides in an array": run(lambda: tf.nn.convolution(volume, cube, "SAME", np.array([1, 2, 1]))),
        "a rate in an array": run(lambda: tf.nn.atrous_conv2d(x, kernel, np.array(2), "SAME")),
    }


def rows_of_one_length(tf: Any) -> dict[str, Any]:
    """The dtype of row splits follows that of the length."""
    lengths = {"a number": 2, "int32": np.int32(2), "int64": np.array(2), "an int32 tensor": tf.constant(2)}
    values = np.arange(6.0)
    return {
        words: either(lambda length=length: [tf.RaggedTensor.from_uniform_row_length(values, length).row_splits.dtype.name])
        for words, length in lengths.items()
    }


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


def sizes_that_are_known(tf: Any) -> dict[str, Any]:
    """One size of a shape of which another is open."""
    v1 = tf.compat.v1

    def static(make: Any) -> Any:
        def answer() -> Any:
            with v1.Graph().as_default():
                x = v1.placeholder(tf.float32, [None, 3])
                shape = make(x, v1.shape(x)[1]).shape
                return None if shape.rank is None else shape.as_list()

        return answer

    return {
        "range": static(lambda x, n: tf.range(n)),
        "range less": static(lambda x, n: tf.range(n - 1)),
        "range of one of several": static(lambda x, n: tf.range(tf.unstack(v1.shape(x))[1])),
        "range of int64": static(lambda x, n: tf.range(tf.cast(n, tf.int64))),
        "range of the last": static(lambda x, n: tf.range(v1.shape(x)[-1])),
        "one_hot": static(lambda x, n: tf.one_hot([0, 1], n)),
        "sequence_mask": static(lambda x, n: tf.sequence_mask([1, 2], maxlen=n)),
        "eye": static(lambda x, n: tf.eye(n)),
        "top_k": static(lambda x, n: tf.nn.top_k(x, n)[0]),
        "unsorted_segment_sum": static(lambda x, n: v1.unsorted_segment_sum([1.0], [0], n)),
        "split": static(lambda x, n: tf.split(x, [1, n - 1], 1)[1]),
        "bincount": static(lambda x, n: v1.bincount([1], minlength=n, maxlength=n)),
        "zeros": static(lambda x, n: tf.zeros([2, n])),
        "product": static(lambda x, n: tf.zeros([n * n])),
        "strided": static(lambda x, n: tf.ones([5])[:n]),
        "joined with an open one": static(lambda x, n: tf.zeros([v1.shape(x)[0], n])),
        "reshape": static(lambda x, n: tf.reshape(x, [-1, 1, n])),
        "how many words, beside a number": static(lambda x, n: tf.zeros([v1.shape(tf.strings.split(["a b c"]).values)[0], 1])),
        "how many words, beside an open one": static(lambda x, n: tf.zeros([v1.shape(tf.strings.split(["a b c"]).values)[0], v1.shape(x)[0]])),
        "a sum, beside a number": static(lambda x, n: tf.zeros([tf.cast(tf.reduce_sum([1.0, 2.0]), tf.int32), 1])),
    }
