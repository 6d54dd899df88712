"""What is refused before an operation runs: what is no list of tensors, dtypes that an attribute does not take, numbers that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, either, raises

FACE = "v2"


def _refused(calls: dict[str, Callable[[], Any]]) -> Answers:
    return {name: raises(call) for name, call in calls.items()}


def lists(tf: Any) -> Answers:
    """Operations on lists of tensors."""
    one, two = tf.constant([0, 1]), tf.constant([1.0, 2.0])
    found = (
        _refused(
            {
                "strings.join of a string": lambda: tf.strings.join("abc"),
                "shape_n of a string": lambda: tf.shape_n("abc"),
                "stack of None": lambda: tf.stack(None),
                "dynamic_stitch, lists of two lengths": lambda: tf.dynamic_stitch([one, one], [two]),
                "dynamic_stitch in a function": lambda: tf.function(lambda: tf.dynamic_stitch([one, one], [two]))(),
            }
        )
        | {
            "dynamic_stitch of numbers": raises(
                lambda: tf.dynamic_stitch([[0], [1]], [[1]]), "length 1 must match length 2 of argument 'indices'"
            ),
            "dynamic_stitch of more": raises(
                lambda: tf.dynamic_stitch([[0]], [[1], two]), "length 2 must match length 1 of argument 'indices'"
            ),
        }
        | {"rows of a tensor": either(lambda: tf.dynamic_stitch(tf.reshape(tf.range(4), [2, 2]), tf.reshape(tf.range(4.0), [2, 2])))}
    )
    found |= {"add_n of rows": either(lambda: tf.add_n(tf.reshape(two, [2, 1])))}
    return found | {"stack of a number": either(lambda: tf.stack(3)), "stack of a tensor": either(lambda: tf.stack(two))}


def attributes(tf: Any) -> Answers:
    """Dtypes, lists and words that are attributes."""
    x, images = tf.constant([1, 2]), tf.ones([1, 4, 4, 1])
    return _refused(
        {
            "out_idx float64": lambda: tf.unique(x, out_idx=tf.float64),
            "out_idx 99": lambda: tf.unique(x, out_idx=99),
            "output_type 99": lambda: tf.argmax(x, output_type=99),
            "output_idx_type complex64": lambda: tf.linalg.lu(tf.eye(2), output_idx_type=tf.complex64),
            "bitcast to 99": lambda: tf.bitcast(x, 99),
            "padding as other bytes": lambda: tf.nn.max_pool2d(images, 2, 2, b"x"),
            "index_type bool": lambda: tf.math.top_k(x, 1, index_type=tf.bool),
            "a hint that is no flag": lambda: tf.raw_ops.BatchMatMul(x=tf.eye(2), y=tf.eye(2), grad_x=[]),
            "rows of another shape in a list": lambda: tf.raw_ops.TensorListFromTensor(tensor=images[0, 0], element_shape=tf.constant([3])),
            "hash key, a word": lambda: tf.strings.to_hash_bucket_strong(["a"], 3, "bogus"),
            "hash key, a word in it": lambda: tf.strings.to_hash_bucket_strong(["a"], 3, [1, "b"]),
        }
    ) | {"padding as bytes": either(lambda: tf.nn.avg_pool2d(images, 2, 2, b"SAME"))}


def numbers(tf: Any) -> Answers:
    """What ought to be whole numbers."""
    return _refused(
        {
            "axis, a word": lambda: tf.reduce_sum([1.0, 2.0], "bogus"),
            "axes, words": lambda: tf.reduce_mean([1.0, 2.0], ["bogus"]),
            "eye of a word": lambda: tf.eye("bogus"),
            "eye of None": lambda: tf.eye(None),
            "eye of True": lambda: tf.eye(True),
            "eye of a float": lambda: tf.eye(2.0),
            "seed, a word": lambda: tf.random.uniform([2], seed="bogus"),
            "seed of a generator, None": lambda: tf.random.Generator.from_seed(None),
            "seed of a generator, a word": lambda: tf.random.Generator.from_seed("bogus"),
            "indices None": lambda: tf.SparseTensor(None, [1.0], [3]),
            "dense_shape, a word": lambda: tf.SparseTensor([[0]], [1.0], "bogus"),
            "frame_length 1.5": lambda: tf.signal.frame([1.0, 2.0, 3.0], 1.5, 1),
            "frame_length below 0": lambda: tf.signal.frame(tf.constant([1.0, 2.0, 3.0]), -100, 3),
            "maxlen True": lambda: tf.sequence_mask(tf.constant([1, 2]), True),
            "words and numbers": lambda: tf.constant(["a", 1]),
            "numbers and words": lambda: tf.constant([1, "a"]),
            "no weight": lambda: tf.nn.weighted_cross_entropy_with_logits([1.0], [1.0]),
            "biases of another dtype": lambda: tf.compat.v1.nn.xw_plus_b(tf.eye(2), tf.eye(2), np.ones(2, np.complex64)),
            "any of a word": lambda: tf.reduce_any("bogus"),
        }
    ) | {"any of numbers": either(lambda: tf.reduce_any(np.ones(3, np.int32)))}


def rows(tf: Any) -> Answers:
    """The partitions of ragged tensors."""
    make = tf.RaggedTensor
    values = [1.0, 2.0, 3.0]
    return _refused(
        {
            "lengths, a word": lambda: make.from_row_lengths(values, "bogus"),
            "lengths None": lambda: make.from_row_lengths(values, None),
            "partitions, too few": lambda: tf.ragged.stack_dynamic_partitions(values, [0, 1], 2),
            "stack of None": lambda: tf.ragged.stack(None),
            "lengths of a scalar": lambda: make.from_row_starts(1.0, [0]),
            "starts, one number": lambda: make.from_row_starts(values, 0),
            "row numbers, too few": lambda: make.from_value_rowids(values, [0, 0]),
            "row numbers, a float": lambda: make.from_value_rowids(values, [0, 0, 1.5]),
            "one length, which does not divide": lambda: make.from_uniform_row_length(values, 2),
            "one length, a vector": lambda: make.from_uniform_row_length(values, [3, 1]),
        }
    ) | {"one length": either(lambda: make.from_uniform_row_length(values, 3).to_tensor())}


def images_and_blocks(tf: Any) -> Answers:
    """Images of other dtypes and sizes, blocks and margins."""
    image, filters = tf.ones([1, 4, 4, 1]), tf.ones([2, 2, 1, 1])
    return _refused(
        {
            "rgb_to_yiq of integers": lambda: tf.image.rgb_to_yiq(tf.ones([2, 2, 3], tf.int64)),
            "rgb_to_yuv of four channels": lambda: tf.image.rgb_to_yuv(tf.ones([2, 2, 4])),
            "yuv_to_rgb of a word": lambda: tf.image.yuv_to_rgb("bogus"),
            "atrous_conv2d, rate 0": lambda: tf.nn.atrous_conv2d(image, filters, 0, "SAME"),
            "atrous_conv2d, padding": lambda: tf.nn.atrous_conv2d(image, filters, 2, "bogus"),
            "atrous_conv2d, filters": lambda: tf.nn.atrous_conv2d(image, filters[0], 2, "SAME"),
            "matrix_rank of a vector": lambda: tf.linalg.matrix_rank([1.0]),
            "batch_to_space without blocks": lambda: tf.compat.v1.batch_to_space(tf.ones([4, 1, 1, 1]), [[0, 0], [0, 0]]),
            "crops of one row": lambda: tf.batch_to_space(tf.ones([4, 1, 1, 1]), [2, 2], [[0, 0]]),
            "paddings, a vector": lambda: tf.space_to_batch(tf.ones([1, 2, 2, 1]), [2, 2], [0, 0]),
        }
    )
