"""Mistakes of beginners, made eagerly, in a function and in a graph: axes, sizes and seeds that are none, shapes that do not fit, words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, either, raises

FACE = "v2"
Calls = dict[str, Callable[[], Any]]


def _everywhere(tf: Any, make: Callable[[], Calls]) -> Answers:
    """The error of each call eagerly, in a function and in a session; `make` is asked anew in each."""

    def run(name: str) -> Any:
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            return session.run(tf.nest.flatten(make()[name](), expand_composites=True))

    answers: Answers = {}
    for name in make():
        answers[name] = raises(lambda name=name: make()[name]())
        answers[f"{name}, in a function"] = raises(lambda name=name: tf.function(lambda: make()[name](), autograph=False)())
        answers[f"{name}, in a graph"] = raises(lambda name=name: run(name))
    return answers


def axes(tf: Any) -> Answers:
    """Axes that are flags, words, floats, lists, tensors or too few."""

    def make() -> Calls:
        x, one = tf.ones([2, 3]), tf.ones([1, 2])
        sparse = tf.SparseTensor([[0, 0], [1, 2]], [1.0, 2.0], [2, 3])
        return {
            "a transposed axis of two": lambda: tf.sparse.transpose(sparse, [0]),
            "sort along two": lambda: tf.sort(x, axis=[1, 1]),
            "sort along a list": lambda: tf.sort(x, axis=[1]),
            "sort along a word": lambda: tf.sort(x, axis="a"),
            "squeeze a vector": lambda: tf.squeeze(one, tf.constant([0])),
            "squeeze a dtype": lambda: tf.squeeze(one, tf.float32),
            "mask along True": lambda: tf.boolean_mask(x, [True, False, True], axis=True),
            "mask along a word": lambda: tf.boolean_mask(x, [True, False, True], axis="a"),
            "mask along a list": lambda: tf.boolean_mask(x, [True, False, True], axis=[1]),
            "stack along 1.5": lambda: tf.ragged.stack([[1.0], [2.0, 3.0]], axis=1.5),
            "stack along a tensor": lambda: tf.ragged.stack([[1.0], [2.0, 3.0]], axis=tf.constant(0)),
            "stack along NumPy's 0": lambda: tf.ragged.stack([[1.0], [2.0, 3.0]], axis=np.int64(0)),
            "stack along a word": lambda: tf.ragged.stack([[1.0], [2.0, 3.0]], axis="a"),
        }

    return _everywhere(tf, make)


def seeds(tf: Any) -> Answers:
    """Seeds that are no whole numbers."""

    def make() -> Calls:
        x = tf.ones([2, 3])
        return {
            "a list": lambda: tf.random.normal([2], seed=[1, 2]),
            "a pair": lambda: tf.random.uniform([2], seed=(1, 2)),
            "a word": lambda: tf.random.uniform([2], seed="a"),
            "NaN": lambda: tf.nn.dropout(x, 0.5, seed=float("nan")),
            "a complex number": lambda: tf.random.truncated_normal([2], seed=1j),
        }

    return _everywhere(tf, make)


def sizes(tf: Any) -> Answers:
    """Sizes that are fractions, words, NaN, or do not fit."""

    def make() -> Calls:
        image, volume = tf.ones([4, 5, 3]), tf.ones([1, 2, 2, 2, 3])
        return {
            "a volume of 1.5": lambda: tf.nn.conv3d_transpose(volume, tf.ones([2, 2, 2, 2, 3]), [1.5, 4, 4, 4, 2], 2),
            "noise of 2.5": lambda: tf.nn.dropout(tf.ones([2, 3]), 0.5, noise_shape=[2.5, 1]),
            "noise of a word": lambda: tf.nn.dropout(tf.ones([2, 3]), 0.5, noise_shape="a"),
            "noise of another rank": lambda: tf.nn.dropout(tf.ones([2, 3]), 0.5, noise_shape=[None, 1, 1]),
            "padded to 9.5": lambda: tf.image.pad_to_bounding_box(image, 1, 1, 9.5, 9),
            "padded to less": lambda: tf.image.pad_to_bounding_box(image, 1, 1, 1.5, 9),
            "cropped at 1.5": lambda: tf.image.crop_to_bounding_box(image, 1.5, 1, 2, 1),
            "rows 1.5": lambda: tf.RaggedTensor.from_value_rowids([1.0, 2.0], [0, 1], 1.5),
            "rows, a word": lambda: tf.RaggedTensor.from_value_rowids([1.0, 2.0], [0, 1], "a"),
            "rows NaN": lambda: tf.RaggedTensor.from_uniform_row_length([1.0, 2.0], 2, nrows=float("nan")),
            "uniform rows 1.5": lambda: tf.RaggedTensor.from_uniform_row_length([1.0, 2.0], 2, nrows=1.5),
            "rows of a scalar": lambda: tf.RaggedTensor.from_row_lengths(1.0, [1]),
            "starts in a scalar": lambda: tf.RaggedTensor.from_row_starts(1.0, [0]),
            "points of 2 by 1": lambda: tf.nn.separable_conv2d(
                tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 3, 1]), tf.ones([2, 1, 3, 2]), [1, 1, 1, 1], "SAME"
            ),
            "a window of none": lambda: tf.signal.kaiser_window(0),
            "two rates": lambda: tf.signal.linear_to_mel_weight_matrix(4, 17, np.array([8000], np.int32)),
            "a flat image": lambda: tf.io.encode_png(tf.ones([4, 4], tf.uint8)),
            "sets of two ranks": lambda: tf.sets.difference([[1, 2]], [1, 2]),
            "nothing to join": lambda: tf.concat([], 0),
            "sets of two lengths": lambda: tf.sets.union([[1, 2]], [[1], [2]]),
        }

    return _everywhere(tf, make)


def words(tf: Any) -> Answers:
    """Words that an attribute does not know, numbers that it does not take."""

    def make() -> Calls:
        def sample(**options: Any) -> Any:
            return tf.image.sample_distorted_bounding_box([10, 10, 3], [[[0.0, 0.0, 1.0, 1.0]]], **options)

        return {
            "buckets": lambda: tf.strings.to_hash_bucket(["a"], -1),
            "fast buckets": lambda: tf.strings.to_hash_bucket_fast(["a"], 0),
            "strong buckets": lambda: tf.strings.to_hash_bucket_strong(["a"], 0, [1, 2]),
            "errors": lambda: tf.strings.unicode_decode(["a"], "UTF-8", "bogus"),
            "an encoding": lambda: tf.strings.unicode_encode([[97]], "x"),
            "another encoding": lambda: tf.strings.unicode_transcode(["a"], "UTF-8", "x"),
            "a unit": lambda: tf.strings.length(["a"], unit="x"),
            "a unit of parts": lambda: tf.strings.substr(["a"], 0, 1, unit="x"),
            "an area": lambda: sample(area_range=0.1),
            "an area that is a word": lambda: sample(area_range="ab"),
            "an area with a word": lambda: sample(area_range=[0.1, "a"]),
            "an area in an array": lambda: sample(area_range=np.array([0.1, 0.5])),
            "attempts": lambda: sample(max_attempts="a"),
            "boxes of five": lambda: tf.image.sample_distorted_bounding_box([10, 10, 3], tf.ones([1, 2, 5])),
            "sizes of two": lambda: tf.image.sample_distorted_bounding_box([10, 10], tf.ones([1, 2, 4])),
            "a dictionary of words": lambda: tf.strings.join({"a": 1}),
            "the trace of a word": lambda: tf.linalg.trace("a"),
            "the diagonal of words": lambda: tf.linalg.diag_part([["a"]]),
        }

    return _everywhere(tf, make)


def arrays_before_tensors(tf: Any) -> Answers:
    """Operators cast an array on their left to the tensor's dtype, whatever it loses; functions in graphs refuse to."""
    arrays = {
        "fractions": np.array([1.5, 2.5]),
        "complex numbers": np.array([1.5 + 2j, 1j]),
        "flags": np.array([True, False]),
        "numbers": np.array([3, 4]),
    }
    tensors = {"integers": tf.constant([2, 3]), "floats": tf.constant([2.0, 3.0]), "flags": tf.constant([True, True])}
    answers: Answers = {}
    for a, array in arrays.items():
        for t, tensor in tensors.items():
            made: Calls = {
                f"{a} @ {t}": lambda array=array, x=tensor: array[None] @ x[:, None],
                f"{a} + {t}": lambda array=array, x=tensor: array + x,
                f"{a} * {t}": lambda array=array, x=tensor: array * x,
                f"{a} - {t}": lambda array=array, x=tensor: array - x,
            }
            for name, call in made.items():
                answers[name] = either(call)
                answers[f"{name}, in a function"] = either(lambda call=call: tf.function(call, autograph=False)())
    for a, t in (("fractions", "integers"), ("complex numbers", "floats"), ("complex numbers", "integers")):
        for name in ("multiply", "subtract", "maximum", "equal", "math.squared_difference"):
            function = tf
            for part in name.split("."):
                function = getattr(function, part)
            answers[f"{name} of {a} and {t}, in a function"] = raises(
                lambda function=function, a=a, t=t: tf.function(lambda x: function(arrays[a], x), autograph=False)(tensors[t])
            )
    words = np.array(["a", "b"])
    for name in ("multiply", "maximum", "less", "equal"):
        answers[f"{name} of words, in a function"] = raises(
            lambda name=name: tf.function(lambda x: getattr(tf, name)(words, x), autograph=False)(tensors["floats"])
        )
    return answers


def strings_in_arrays(tf: Any) -> Answers:
    """Arrays of strings are joined as tensors of them are."""
    return {
        "bytes": lambda: tf.add(np.array(b"a"), np.array(["a", "b"], object)),
        "text": lambda: tf.add(np.array("a"), np.array(["a", "b"])),
    }
