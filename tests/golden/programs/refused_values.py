"""Values that TensorFlow refuses for what they say: shapes, words, numbers beyond 32 bits, flags that are none, dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


def _refused(calls: dict[str, Callable[[], Any]]) -> Answers:
    return {name: raises(call) for name, call in calls.items()}


def of_structures(tf: Any) -> Answers:
    """Ragged tensors, lists and variants."""
    ragged, raw = tf.RaggedTensor, tf.raw_ops
    values, rows = tf.ones([4]), tf.ones([2, 2])
    calls: dict[str, Callable[[], Any]] = {}
    for wrong in (2, None, [True], 1.5):
        calls |= {
            f"row splits, validate={wrong}": lambda w=wrong: ragged.from_row_splits(values, [0, 2, 4], validate=w),
            f"row lengths, validate={wrong}": lambda w=wrong: ragged.from_row_lengths(values, [2, 2], validate=w),
            f"row limits, validate={wrong}": lambda w=wrong: ragged.from_row_limits(values, [2, 4], validate=w),
            f"row starts, validate={wrong}": lambda w=wrong: ragged.from_row_starts(values, [0, 2], validate=w),
        }
    for wrong in ([[2]], 1):
        calls |= {
            f"a list of shape {wrong}": lambda w=wrong: raw.TensorListFromTensor(tensor=rows, element_shape=tf.constant(w)),
            f"a scattered list of shape {wrong}": lambda w=wrong: raw.TensorListScatter(tensor=rows, indices=[0, 1], element_shape=tf.constant(w)),
        }
    splits = tf.constant([0, 2, 4], tf.int64)
    for name, given, dense in (
        ("too many values", [splits], tf.ones([5])),
        ("a matrix of splits", [splits[None]], values),
        ("no splits", [splits[:0]], values),
        ("inner splits of another length", [splits, splits], values),
        ("a scalar", [splits], tf.constant(1.0)),
    ):
        calls[f"a variant of {name}"] = lambda g=given, d=dense: raw.RaggedTensorToVariant(
            rt_nested_splits=g, rt_dense_values=d, batched_input=False
        )
    calls |= {
        "segments of a float number": lambda: tf.ragged.segment_ids_to_row_splits([0, 0, 2], num_segments=tf.constant(4.0)),
        "segments of several numbers": lambda: tf.ragged.segment_ids_to_row_splits([0, 0, 2], num_segments=tf.constant([4, 4])),
        "segments of words": lambda: tf.ragged.segment_ids_to_row_splits("bogus", num_segments=4),
    }
    return _refused(calls)


def of_attributes(tf: Any) -> Answers:
    """Words, radii, and whole numbers of more than 32 bits."""
    raw, x = tf.raw_ops, tf.ones([1, 4, 4, 1])
    large = 2**40
    boxes, of = tf.zeros([1, 4]), tf.zeros([1], tf.int32)
    return _refused(
        {
            "MirrorPadGrad": lambda: raw.MirrorPadGrad(input=x, paddings=[[0, 0]] * 4, mode="x"),
            "BiasAddGrad": lambda: raw.BiasAddGrad(out_backprop=x, data_format="x"),
            "CropAndResizeGradBoxes": lambda: raw.CropAndResizeGradBoxes(grads=x, image=x, boxes=boxes, box_ind=of, method="nearest"),
            "a radius below zero": lambda: tf.nn.lrn(x, depth_radius=-1),
            "a large radius": lambda: tf.nn.lrn(x, depth_radius=large),
            "large strides": lambda: tf.nn.avg_pool(x, 2, large, "SAME"),
            "large ksize": lambda: raw.MaxPool(input=x, ksize=[1, large, 2, 1], strides=[1] * 4, padding="SAME"),
            "large maxsplit": lambda: raw.StringSplitV2(input=["a b"], sep=" ", maxsplit=large),
            "large width": lambda: tf.strings.as_string([1], width=large),
            "large k": lambda: raw.InTopK(predictions=[[1.0]], targets=[0], k=large),
            "None for ksize": lambda: raw.AvgPool(value=x, ksize=None, strides=[1] * 4, padding="SAME"),
            "None for ksize beside a list": lambda: raw.AvgPool(value=[[[[1.0]]]], ksize=None, strides=[1] * 4, padding="SAME"),
            "99 for a dtype": lambda: raw.Shape(input=x, out_type=99),
            "99 for a dtype beside a list": lambda: raw.Shape(input=[1.0], out_type=99),
            "99 for the dtype of a draw": lambda: raw.RandomUniform(shape=[4], dtype=99),
            "a word for boundaries": lambda: raw.Bucketize(input=[1.0], boundaries="bogus"),
            "a number for boundaries": lambda: raw.Bucketize(input=[1.0], boundaries=1.0),
        }
    )


def of_functions(tf: Any) -> Answers:
    """Functions of several operations."""
    v1, x, image = tf.compat.v1, tf.ones([2, 3]), tf.ones([8, 8, 1])
    ones = [1, 1, 1, 1]
    square = tf.ones([1, 4, 4, 1])
    return _refused(
        {
            "two names of a filter": lambda: v1.nn.dilation2d(square, tf.ones([2, 2, 1]), ones, ones, "SAME", filters=0),
            "two names of rates": lambda: v1.nn.dilation2d(square, tf.ones([2, 2, 1]), ones, ones, "SAME", dilations=0),
            "two names of sizes": lambda: v1.extract_image_patches(square, ones, ones, ones, "VALID", sizes=[]),
            "arg_max along None": lambda: v1.arg_max(x, None),
            "rank True": lambda: tf.debugging.assert_rank(x, True),
            "rank True among others": lambda: tf.debugging.assert_rank_in(x, [True, 2]),
            "a large rank": lambda: tf.debugging.assert_rank_at_least(x, 2**40),
            "concat of one along a vector": lambda: tf.concat([x], [0, 0]),
            "classes of uint8": lambda: tf.random.stateless_categorical(x, 5, [1, 2], dtype=tf.uint8),
            "classes of strings": lambda: v1.random.multinomial(x, 5, output_dtype=tf.string),
            "classes of complex numbers": lambda: tf.random.categorical(x, 5, dtype=tf.complex64),
            "complex Sobol numbers": lambda: tf.math.sobol_sample(2, 3, dtype=tf.complex64),
            "softmax along 1.5": lambda: tf.nn.softmax(x, axis=1.5),
            "log_softmax along a word": lambda: tf.nn.log_softmax(x, axis="bogus"),
            "layer of two dtypes": lambda: v1.nn.relu_layer(x, np.ones([3, 4]), tf.ones([4])),
            "unravelled nothing": lambda: tf.unravel_index(tf.zeros([0], tf.int32), [2, 3]),
            "images of two dtypes": lambda: tf.image.ssim(image, tf.cast(image, tf.float16), 1.0, filter_size=3),
            "eye of a batch of 2": lambda: tf.eye(2, batch_shape=2),
            "boxes, flags None": lambda: tf.image.non_max_suppression_padded(tf.ones([1, 2, 4]), tf.ones([1, 2]), 2, 0.5, pad_to_max_output_size=True, canonicalized_coordinates=None),
            "state of no algorithm": lambda: tf.random.create_rng_state([1, 2], None),
            "statistics along 0": lambda: tf.nn.sufficient_statistics(x, 0),
            "statistics, an integer shift": lambda: tf.nn.sufficient_statistics(x, [0], shift=0),
            "string_split, skip_empty 1.5": lambda: v1.string_split(tf.constant(["a"]), skip_empty=1.5, result_type="RaggedTensor"),
            "batch_gather of a vector": lambda: v1.batch_gather(tf.ones([4]), tf.zeros([2, 2], tf.int32)),
            "batch_gather by a scalar": lambda: v1.batch_gather(x, 0),
            "gather_nd, batch_dims None": lambda: tf.gather_nd(x, tf.zeros([2, 1], tf.int32), batch_dims=None),
            "gather_nd, batch_dims -1": lambda: tf.gather_nd(x, tf.zeros([2, 1], tf.int32), batch_dims=-1),
            "silu of integers": lambda: tf.nn.silu([1, 2]),
            "argmax along an array": lambda: tf.argmax(x, np.int64(1)),
        }
    )


def before_conversion(tf: Any) -> Answers:
    """Functions that ask something of an argument before they convert it, and lists of the wrong kind."""
    x, image = tf.ones([2, 3]), tf.ones([1, 4, 4, 1])
    calls: dict[str, Callable[[], Any]] = {}
    for name, wrong in (("None", None), ("a word", "bogus"), ("a ragged list", [[1.0, 2.0], [3.0]])):
        calls |= {
            f"eig of {name}": lambda w=wrong: tf.linalg.eig(w),
            f"eigvals of {name}": lambda w=wrong: tf.linalg.eigvals(w),
            f"grayscale_to_rgb of {name}": lambda w=wrong: tf.image.grayscale_to_rgb(w),
            f"sobel_edges of {name}": lambda w=wrong: tf.image.sobel_edges(w),
            f"image_gradients of {name}": lambda w=wrong: tf.image.image_gradients(w),
            f"total_variation of {name}": lambda w=wrong: tf.image.total_variation(w),
            f"dct of {name}": lambda w=wrong: tf.signal.dct(w, type=1),
            f"einsum of {name}": lambda w=wrong: tf.einsum("ij->ji", w),
            f"moments of {name}": lambda w=wrong: tf.nn.moments(w, [0]),
            f"tridiagonal_solve of {name}": lambda w=wrong: tf.linalg.tridiagonal_solve(w, tf.ones([3, 1])),
        }
    for wrong in (-1, [1, 2], 1.5):
        calls |= {
            f"zeros, layout {wrong}": lambda w=wrong: tf.zeros([2], layout=w),
            f"ones, layout {wrong}": lambda w=wrong: tf.ones([2], layout=w),
            f"fill, layout {wrong}": lambda w=wrong: tf.fill([2], 1.0, layout=w),
            f"zeros_like, layout {wrong}": lambda w=wrong: tf.zeros_like(x, layout=w),
            f"a window of dtype {wrong}": lambda w=wrong: tf.signal.hann_window(4, dtype=w),
            f"pool of layout {wrong}": lambda w=wrong: tf.nn.avg_pool2d(image, 2, 2, "SAME", data_format=w),
            f"convolution of layout {wrong}": lambda w=wrong: tf.nn.conv2d(image, tf.ones([1, 1, 1, 1]), 1, "SAME", data_format=w),
        }
    calls |= {
        "identity_n of None": lambda: tf.identity_n(None),
        "add_n of None": lambda: tf.add_n(None),
        "is_non_decreasing of words": lambda: tf.math.is_non_decreasing("bogus"),
        "is_strictly_increasing of booleans": lambda: tf.math.is_strictly_increasing([True, False]),
        "rgb_to_yiq of a scalar": lambda: tf.image.rgb_to_yiq(tf.constant(1.0)),
        "yuv_to_rgb of a scalar": lambda: tf.image.yuv_to_rgb(tf.constant(1.0)),
        "ragged mask of another shape": lambda: tf.ragged.boolean_mask(x, [[True, False], [True, True]]),
        "a width of 1.5": lambda: tf.image.resize_with_crop_or_pad(image, 2, 1.5),
        "a padded width of 1.5": lambda: tf.image.resize_with_pad(image, 2, 1.5),
        "squeeze along a word": lambda: tf.squeeze(x, axis="bogus"),
        "transposed convolution, padding None": lambda: tf.nn.atrous_conv2d_transpose(image, tf.ones([2, 2, 1, 1]), [1, 4, 4, 1], 2, None),
        "multiply_no_nan of two dtypes": lambda: tf.math.multiply_no_nan(x, tf.cast(x, tf.float16)),
        "extract_patches, sizes None": lambda: tf.image.extract_patches(image, None, [1] * 4, [1] * 4, "VALID"),
        "erosion2d, dilations None": lambda: tf.nn.erosion2d(image, tf.ones([2, 2, 1]), [1] * 4, "SAME", "NHWC", None),
        "a dtype that is a number": lambda: tf.raw_ops.CropAndResizeGradImage(
            grads=image, boxes=tf.ones([1, 4]), box_ind=[0], image_size=[1, 4, 4, 1], T=99
        ),
        "reversed along -100": lambda: tf.reverse_sequence(x, [1, 2], seq_axis=1, batch_axis=-100),
        "reversed along -1": lambda: tf.reverse_sequence(x, [1, 2], seq_axis=-1, batch_axis=0),
    }
    return _refused(calls)


def of_sizes(tf: Any) -> Answers:
    """Sizes, ranks and flags that do not fit."""
    v1, raw = tf.compat.v1, tf.raw_ops
    x, image = tf.ones([3, 3]), tf.ones([8, 8, 1])
    return _refused(
        {
            "a matrix of diagonals": lambda: raw.MatrixDiagPartV2(input=x, k=[[0, 1]], padding_value=0.0),
            "several paddings of diagonals": lambda: tf.linalg.diag_part(x, padding_value=[1.0, 2.0]),
            "several paddings of a band": lambda: tf.linalg.diag_part(x, k=(0, 1), padding_value=[1.0, 2.0]),
            "several paddings of a matrix": lambda: tf.linalg.diag(tf.ones([2]), padding_value=[1.0, 2.0]),
            "ragged rows of a scalar": lambda: tf.RaggedTensor.from_row_splits(1.0, [0, 2], validate=False),
            "ragged lengths of a scalar": lambda: tf.RaggedTensor.from_row_lengths(1.0, [1], validate=False),
            "ragged limits of a scalar": lambda: tf.RaggedTensor.from_row_limits(1.0, [1], validate=False),
            "a generator's state of one word": lambda: tf.random.Generator.from_state([1], alg="philox"),
            "ones like words": lambda: tf.ones_like(["a"]),
            "ones that are words": lambda: tf.ones_like([1], dtype=tf.string),
            "one label for all logits": lambda: tf.nn.softmax_cross_entropy_with_logits(tf.constant(1.0), tf.ones([2, 5])),
            "searchsorted in a scalar": lambda: tf.searchsorted(1.0, tf.ones([4])),
            "an array for one placeholder": lambda: tf.strings.format("{}", np.arange(12)),
            "segments below zero": lambda: tf.ragged.segment_ids_to_row_splits([0, 0, 2], num_segments=-1),
            "keep_dims of reduce_join": lambda: v1.reduce_join([["a"]], reduction_indices=1, keep_dims=2),
            "InvGrad of two sizes": lambda: raw.InvGrad(y=tf.ones([3]), dy=tf.constant(1.0)),
            "a window of -1": lambda: tf.image.ssim(image, image, 1.0, filter_size=-1),
            "a window of 1.5": lambda: tf.image.ssim(image, image, 1.0, filter_size=1.5),
            "one_hot of True": lambda: tf.one_hot(0, 3, on_value=True),
            "a sparse matrix of integers": lambda: raw.SparseMatrixZeros(dense_shape=[2, 2], type=tf.int32),
            "a bound that is a vector": lambda: raw.StatelessRandomUniformInt(shape=[5], seed=[1, 2], minval=0, maxval=[5]),
            "OnesLike of words": lambda: raw.OnesLike(x="a"),
            "uniform rows, validate 2": lambda: tf.RaggedTensor.from_uniform_row_length(tf.ones([4]), 2, validate=2),
            "gather_nd of other batches": lambda: tf.gather_nd(tf.ones([3, 3]), tf.zeros([2, 1], tf.int32), batch_dims=1),
            "one dilation": lambda: tf.nn.separable_conv2d(tf.ones([1, 4, 4, 1]), tf.ones([2, 2, 1, 1]), tf.ones([1, 1, 1, 1]), [1] * 4, "SAME", dilations=2),
        }
    )
