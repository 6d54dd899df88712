"""Attributes of another kind than theirs, None for a default, and numbers that inputs of a fixed dtype take."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


def flags(tf: Any) -> Answers:
    """A flag is True or False, and None where there is a default."""
    x = tf.constant([[4.0, 1.0], [1.0, 3.0]])
    answers: Answers = {}
    for wrong in (2, "yes", [True], 1.5):
        answers |= {
            f"cumsum {wrong}": raises(lambda w=wrong: tf.cumsum(x, exclusive=w), "Expected bool", "exclusive"),
            f"cumprod {wrong}": raises(lambda w=wrong: tf.math.cumprod(x, reverse=w), "Expected bool"),
            f"matmul {wrong}": raises(lambda w=wrong: tf.matmul(x, x, transpose_b=w), "Expected bool"),
            f"qr {wrong}": raises(lambda w=wrong: tf.linalg.qr(x, full_matrices=w), "Expected bool"),
            f"inverse {wrong}": raises(lambda w=wrong: tf.linalg.inv(x, adjoint=w), "Expected bool"),
            f"solve {wrong}": raises(lambda w=wrong: tf.linalg.triangular_solve(x, x, lower=w), "Expected bool"),
            f"top_k {wrong}": raises(lambda w=wrong: tf.math.top_k(x, 1, sorted=w), "Expected bool"),
            f"base64 {wrong}": raises(lambda w=wrong: tf.io.encode_base64("ab", pad=w), "Expected bool"),
            f"sampler {wrong}": raises(lambda w=wrong: tf.random.uniform_candidate_sampler([[1]], 1, 1, w, 3), "Expected bool"),
        }
    answers["reductions take what has a truth"] = lambda: tf.reduce_sum(x, 0, keepdims=2)
    answers["None"] = lambda: tf.raw_ops.Cumsum(x=x, axis=0, exclusive=None)
    return answers


def words_and_numbers(tf: Any) -> Answers:
    """Words, numbers, lists and dtypes."""
    image = tf.ones([1, 3, 3, 1])
    raw = tf.raw_ops
    return {
        "padding": raises(lambda: raw.MaxPool(input=image, ksize=[1, 2, 2, 1], strides=[1] * 4, padding=3), "Expected string", "padding"),
        "layout": raises(lambda: raw.BiasAdd(value=image, bias=[1.0], data_format=3), "Expected string"),
        "sizes": raises(lambda: raw.MaxPool(input=image, ksize="abcd", strides=[1] * 4, padding="SAME"), "Expected list", "ksize"),
        "a stride": raises(lambda: raw.MaxPool(input=image, ksize=[1] * 4, strides=[1, "a", 1, 1], padding="SAME"), "Expected int"),
        "block": raises(lambda: tf.nn.depth_to_space(image, "two")),
        "message": raises(lambda: tf.debugging.check_numerics(image, 3), "Expected string"),
        "dtype": raises(lambda: raw.RandomUniform(shape=[2], dtype=None), "Expected DataType"),
        "a float for an int": lambda: raw.OneHot(indices=[0, 1], depth=2, on_value=1.0, off_value=0.0, axis=1.0),
        "patches": raises(lambda: tf.image.extract_patches(image, [1, 2, 2, 1], [1] * 4, [1] * 4, 3), "Expected string"),
        "align": raises(lambda: tf.linalg.diag_part([[1.0]], align=["a"]), "Expected string"),
        "policy": raises(lambda: tf.gather_nd([1.0], [[0]], bad_indices_policy=-1), "Expected string"),
        "unit": raises(lambda: tf.strings.length("a", ["a"]), "Expected string"),
    }


def given(tf: Any) -> Answers:
    """Values for inputs whose dtype is known."""
    x, words = tf.constant([[1.0, 2.0]]), np.array([b"a"], object)
    answers: Answers = {
        "axis 1.5": raises(lambda: tf.raw_ops.Sum(input=x, axis=1.5), "Cannot convert 1.5"),
        "axis True": lambda: tf.raw_ops.Sum(input=x, axis=True),
        "axis of int8": lambda: tf.raw_ops.Sum(input=x, axis=np.int8(1)),
        "shape 2.0": raises(lambda: tf.raw_ops.Reshape(tensor=x, shape=2.0), "Cannot convert 2.0"),
        "axis of words": raises(lambda: tf.raw_ops.ExpandDims(input=x, axis=words)),
        "logic of numbers": raises(lambda: tf.logical_not([1, 2]), "Cannot convert [1, 2]"),
        "logic of an array": lambda: tf.logical_not(np.array([1, 0, 2])),
        "words for numbers": raises(lambda: tf.constant(words, tf.float32), "could not convert string to float"),
        "numbers for words": raises(lambda: tf.constant(np.array([1]), tf.string), "Unsupported object type int"),
        "more than 64 bits": lambda: tf.constant(2**70, tf.float32),
        "complex for real": lambda: tf.constant(np.array([1 + 2j]), tf.float32),
        "int8 and 1.5": raises(lambda: tf.constant([1], tf.int8) + 1.5),
        "equal": lambda: tf.raw_ops.Equal(x=tf.constant([1, 2], tf.int8), y=1),
        "equal of another kind": raises(lambda: tf.raw_ops.Equal(x=tf.constant([1]), y=1.5)),
        "integers wrap beside a tensor": lambda: tf.add(tf.constant([1, 2], tf.int8), [129, 130]),
    }
    for value in (300, -1, 2**40, [129, -300]):
        for dtype in ("int8", "uint8", "int32", "uint32"):
            answers[f"{value} as {dtype}"] = lambda v=value, d=dtype: tf.constant(v, d)
    return answers
