"""Arguments of the wrong kind, and values that are taken in silence nowhere: classes of errors, and answers beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, ours, raised, raises

FACE = "v2"


def _refused(calls: dict[str, Callable[[], Any]]) -> Answers:
    return {name: raises(call) for name, call in calls.items()}


def of_windows(tf: Any) -> Answers:
    """Strides, paddings and layouts of convolutions and pools."""
    x, w, v1 = tf.ones([1, 4, 4, 2]), tf.ones([2, 2, 2, 1]), tf.compat.v1.nn
    row, u, volume = tf.ones([1, 4, 2]), tf.ones([2, 2, 1]), tf.ones([1, 3, 3, 3, 1])
    block, depth = tf.ones([2, 2, 2, 1, 1]), tf.ones([2, 2, 2, 1])
    four = [1, 1, 1, 1]
    return _refused(
        {
            "a stride that is a word": lambda: tf.nn.avg_pool2d(x, 2, [1, "a", 1, 1], "SAME"),
            "a window that is a word": lambda: tf.nn.avg_pool(volume, "bogus", 2, "SAME", "NDHWC"),
            "a stride of NaN": lambda: tf.nn.conv2d(x, w, float("nan"), "SAME"),
            "a padding in a list, mean": lambda: tf.nn.avg_pool2d(x, 2, 1, ["a"]),
            "a padding in a list, sequences": lambda: tf.nn.conv1d(row, u, 1, ["a"]),
            "a padding in a list, by rank": lambda: tf.nn.convolution(x, w, padding=["a"]),
            "a padding in bytes, mean": lambda: tf.nn.avg_pool1d(row, 2, 1, b"x"),
            "a padding in bytes, largest": lambda: tf.nn.max_pool1d(row, 2, 1, b"x"),
            "no padding": lambda: v1.conv2d(x, w, four),
            "a number for a layout of volumes": lambda: tf.nn.conv3d(volume, block, [1] * 5, "SAME", data_format=1),
            "a flag for a layout": lambda: tf.nn.convolution(x, w, padding="SAME", data_format=True),
            "a number for a layout of sequences": lambda: tf.nn.conv1d(row, u, 1, "SAME", data_format=1.5),
            "no strides of volumes": lambda: tf.nn.conv3d(volume, block, None, "SAME"),
            "no strides by depth": lambda: tf.nn.depthwise_conv2d(x, depth, None, "SAME"),
            "one number for gaps by depth": lambda: tf.nn.depthwise_conv2d(x, depth, four, "SAME", dilations=0),
            "filters of another dtype by depth": lambda: tf.nn.depthwise_conv2d(x, np.ones([2, 2, 2, 1], np.uint8), four, "SAME"),
            "filters of another dtype by rank": lambda: tf.nn.convolution(np.ones([1, 4, 4, 2], np.float16), np.ones([2, 2, 2, 1])),
            "volumes with two batches": lambda: v1.conv3d(volume[None], block, [1] * 5, "SAME"),
            "a number for a flag": lambda: v1.conv2d(x, w, four, "SAME", use_cudnn_on_gpu=1),
            "places of maxima, a word for a window": lambda: v1.max_pool_with_argmax(x, "bogus", four, "SAME"),
            "places of maxima, windows of five": lambda: v1.max_pool_with_argmax(x, [1, 2, 2, 1, 1], four, "SAME"),
            "places of maxima, no strides": lambda: v1.max_pool_with_argmax(x, four, [], "SAME"),
            "places of maxima, a number": lambda: v1.max_pool_with_argmax(x, 1, four, "SAME"),
            "ratios that are a word": lambda: v1.fractional_avg_pool(x, "bogus"),
            "no ratios": lambda: v1.fractional_max_pool(x, None),
            "no ratios, mean": lambda: tf.nn.fractional_avg_pool(x, None, seed=3),
            "a transpose of five sizes": lambda: tf.nn.atrous_conv2d_transpose(x, tf.ones([2, 2, 1, 2]), [1, 5, 5, 1, 1], 2, "SAME"),
        }
    )


def of_dtypes(tf: Any) -> Answers:
    """Dtypes that an attribute or an input does not take."""
    raw, v1, nan = tf.raw_ops, tf.compat.v1, float("nan")
    words, matrix = tf.constant(["1", "2"]), tf.ones([2, 2])
    return _refused(
        {
            "complex Poisson numbers": lambda: tf.random.poisson([2], 3.0, dtype=tf.complex64),
            "complex Poisson numbers without state": lambda: tf.random.stateless_poisson([2], [1, 2], 3.0, dtype=tf.complex64),
            "rates in bfloat16": lambda: tf.random.stateless_poisson([2], [1, 2], tf.constant(3.0, tf.bfloat16)),
            "Sobol's whole points": lambda: tf.math.sobol_sample(2, 3, dtype=tf.int64),
            "Sobol's points of no dtype": lambda: tf.math.sobol_sample(2, 3, dtype=-100),
            "numbers of no dtype": lambda: v1.string_to_number(words, 99),
            "bytes of no dtype": lambda: v1.decode_raw(words, None),
            "strings added": lambda: raw.AddV2(x=words, y=words),
            "places of no dtype": lambda: v1.arg_max(matrix, tf.constant(1.0)),
            "places along a word": lambda: v1.arg_max(matrix, "bogus"),
            "rows of no dtype": lambda: tf.ragged.row_splits_to_segment_ids([0, 2], out_type=True),
            "the rank of whole numbers": lambda: tf.linalg.matrix_rank(tf.constant([[1, 2], [3, 4]])),
            "the rank of a word": lambda: tf.linalg.matrix_rank("bogus"),
            "the exponential of a word": lambda: tf.linalg.expm("bogus"),
            "the exponential of truth values": lambda: tf.linalg.expm(tf.constant([[True]])),
            "truth values made of length 1": lambda: tf.linalg.normalize(tf.constant([[True]]), 1),
            "counted bytes": lambda: tf.math.bincount(np.array([1, 2, 3], np.uint8)),
            "a shape of floats": lambda: tf.ones(tf.constant([2.0])),
            "zeros in a shape of floats": lambda: tf.zeros(tf.constant([2.0])),
            "joined numbers": lambda: tf.strings.reduce_join(tf.constant([1.0, 2.0])),
            "joined bytes": lambda: v1.reduce_join(np.array([[1, 2]], np.int8), axis=1),
            "numbers in bytes": lambda: tf.strings.bytes_split([1, 2, 3]),
            "numbers split": lambda: v1.string_split([1, 2, 3]),
            "frames in bytes": lambda: tf.nn.ctc_greedy_decoder(tf.ones([2, 1, 3]), tf.constant([2], tf.uint8)),
            "frames in half numbers": lambda: tf.nn.ctc_beam_search_decoder(tf.ones([2, 1, 3]), tf.constant([2.0], tf.float16)),
            "two axes of frames": lambda: tf.nn.ctc_greedy_decoder(tf.ones([2, 1, 3]), np.array([[2]], np.int32)),
            "a weight for columns": lambda: v1.nn.xw_plus_b(matrix, np.ones([2, 2], np.int32), tf.ones([2])),
            "counting to True": lambda: tf.range(True),
            "counting by True": lambda: tf.range(1, 5, True),
            "counting to a word": lambda: tf.range("bogus"),
            "rows counted by True": lambda: tf.ragged.range([0, 5], [3, 12], True),
            "rows counted to NaN": lambda: tf.ragged.range([5.0, 1.0], nan, [-2.0, -0.25]),
            "a shape that is a word": lambda: tf.random.poisson("bogus", 5.0),
            "a shape of halves": lambda: tf.random.gamma([1.5], [5.0]),
            "two dtypes of a tridiagonal system": lambda: tf.linalg.tridiagonal_solve(tf.ones([3, 3]), tf.ones([3, 1], tf.float64)),
            "two dtypes of factors": lambda: tf.linalg.lu_solve(matrix, [1, 0], tf.constant([[1], [2]], tf.int64)),
        }
    )


def of_values(tf: Any) -> Answers:
    """Permutations that are none, sizes below zero, axes that are no numbers, lists for numbers."""
    raw, eye, x, nan = tf.raw_ops, tf.eye(2), tf.ones([2, 3]), float("nan")
    two, real, waves = tf.eye(2, batch_shape=[2]), tf.ones([5]), tf.ones([5], tf.complex64)
    boxes, scores = tf.ones([2, 4]), tf.ones([2])
    calls: dict[str, Callable[[], Any]] = {
        "a system's row 99": lambda: tf.linalg.lu_solve(eye, [99, 0], tf.ones([2, 1])),
        "a system's row -1": lambda: tf.linalg.lu_solve(eye, [-1, 0], tf.ones([2, 1])),
        "an inverse's row 99": lambda: tf.linalg.lu_matrix_inverse(eye, [99, 0]),
        "a product's row 99": lambda: tf.linalg.lu_reconstruct(eye, [99, 0]),
        "a product's row twice": lambda: tf.linalg.lu_reconstruct(eye, [0, 0]),
        "a product's row twice, of two": lambda: tf.linalg.lu_reconstruct(two, [[0, 1], [0, 0]]),
        "products' rows of each other": lambda: tf.linalg.lu_reconstruct(two, [[0, 2], [-1, 1]]),
        "systems' rows of each other": lambda: tf.linalg.lu_solve(two, [[0, 2], [-1, 1]], tf.ones([2, 2, 1])),
        "an index into sizes below 0": lambda: tf.unravel_index([1], [-2, -3]),
        "an index into nothing": lambda: tf.unravel_index([1], [0, 3]),
        "an index into too much": lambda: tf.unravel_index([1], [10**6, 10**6]),
        "shares of two shapes": lambda: tf.math.betainc(tf.ones([3]), tf.ones([1, 3]), tf.fill([3], 0.5)),
        "a margin of three numbers": lambda: tf.pad(tf.ones([2]), [[1, 0]], constant_values=tf.ones([3])),
        "a mask along 1.5": lambda: tf.boolean_mask(x, [True, False, True], axis=1.5),
        "a mask that is a word": lambda: tf.ragged.boolean_mask(x, "bogus"),
        "no flag": lambda: tf.sparse.bincount([1, 2], binary_output=None),
        "a gradient's flag": lambda: tf.matmul(eye, eye, grad_a=-1),
        "a box's flag": lambda: tf.image.non_max_suppression_padded(boxes, scores, 2, sorted_input=99),
        "a gradient of no dtype": lambda: raw.CropAndResizeGradImage(
            grads=tf.ones([1, 2, 2, 1]), boxes=boxes[:1], box_ind=[0], image_size=[1, 4, 4, 1]
        ),
        "axes of probabilities": lambda: tf.nn.softmax(x, axis=[0, 0]),
        "no axes of probabilities": lambda: tf.nn.log_softmax(x, axis=[]),
        "weights in a list": lambda: tf.nn.weighted_cross_entropy_with_logits(labels=[1.0], logits=[1.0], pos_weight=[1.0]),
        "a rate for each": lambda: tf.nn.dropout(x, rate=tf.constant([0.5, 0.5])),
        "repeated along 99": lambda: tf.repeat(x, 2, axis=99),
        "repeated along a tensor": lambda: tf.repeat(x, 2, axis=tf.constant(1.0)),
        "two names of one axis": lambda: tf.nn.l2_normalize([3.0, 4.0], axis=0, dim=0),
        "a norm of a list": lambda: tf.norm(x, ["a"]),
        "regression along -100": lambda: tf.nn.isotonic_regression(x, axis=-100),
        "a scalar spectrum": lambda: tf.signal.mfccs_from_log_mel_spectrograms(tf.constant(1.0)),
        "scalar labels": lambda: tf.nn.ctc_unique_labels(tf.constant(1)),
        "a scale of NaN": lambda: raw.ScaleAndTranslate(
            images=tf.ones([1, 4, 4, 1]), size=[2, 2], scale=[0.5, nan], translation=[0.0, 0.0], kernel_type="gaussian", antialias=True
        ),
        "splits that end early": lambda: raw.UnicodeEncode(
            input_values=np.arange(65, 72, dtype=np.int32), input_splits=np.array([0, 2, 6]), output_encoding="UTF-8"
        ),
        "a ragged shape of one number": lambda: raw.RaggedTensorToTensor(
            shape=4, values=real, default_value=0.0, row_partition_tensors=[[0, 2, 5]], row_partition_types=["ROW_SPLITS"]
        ),
        "words of 2**40": lambda: tf.strings.ngrams(["a", "b"], 2**40, preserve_short_sequences=True),
        "padding for a row": lambda: tf.RaggedTensor.from_tensor(tf.ones([1, 4, 3]), padding=0),
        "a sparse tensor of one size": lambda: tf.SparseTensor([[0]], [1.0], 5),
        "a mask of 2**40": lambda: tf.sequence_mask(tf.constant([1, 2], tf.uint8), 2**40),
        "a mask to a word": lambda: tf.sequence_mask([1, 2], "bogus"),
        "an array for a list of places": lambda: tf.dynamic_stitch(np.array([0, 1], np.int32), [1.0, 2.0]),
    }
    for name, length in (("a number", 5), ("below 0", -1), ("a scalar", tf.constant(5)), ("below 0 in a list", [-7])):
        calls |= {
            f"real waves, length {name}": lambda n=length: tf.signal.rfft(real, n),
            f"waves, length {name}": lambda n=length: tf.signal.irfft(waves, n),
            f"waves along axes, length {name}": lambda n=length: tf.signal.irfftnd(waves, n, [0]),
        }
    for name, values in (("a scalar", np.array(1.0)), ("a vector", np.array([1, 2], np.int32))):
        calls |= {
            f"{name} of an array added up": lambda v=values: raw.AddN(inputs=v),
            f"{name} of an array joined": lambda v=values: raw.ConcatV2(values=v, axis=0),
            f"{name} of an array stacked": lambda v=values: raw.Pack(values=v, axis=0),
            f"the shapes of {name} of an array": lambda v=values: raw.ShapeN(input=v),
        }
    return _refused(calls)


def of_comparing(tf: Any) -> Answers:
    """== and != with what is of another kind: it takes the tensor's dtype, or is refused."""
    given = {"whole": tf.constant([1, 2]), "real": tf.constant([1.0, 2.0]), "words": tf.constant(["a", "b"])}
    others = {
        "a word": "none", "a float": 1.5, "an int": 2, "a complex number": 1j, "True": True, "floats": [1.5, 2.0], "ints": [1, 2],
        "words": ["a", "b"], "an array of floats": np.array([1.5, 2.0]), "an array of ints": np.array([1, 3]), "three": np.ones(3),
        "NumPy's float": np.float64(1.5),
    }  # fmt: skip
    answers: Answers = {}
    for kind, x in given.items():
        for name, y in others.items():
            for sign, compare in (("==", lambda a, b: a == b), ("!=", lambda a, b: a != b)):
                call = lambda x=x, y=y, c=compare: c(x, y)  # noqa: E731
                refused = (kind == "words") != (name in ("a word", "words")) or (
                    kind != "words" and (name == "a complex number" or (kind == "whole" and name in ("a float", "floats")))
                )
                answers[f"{kind} {sign} {name}"] = raises(call) if refused else call
    return answers


def of_answers(tf: Any) -> Answers:
    """What is taken, and was refused or answered otherwise."""
    x, v1 = tf.ones([2, 3]), tf.compat.v1
    return {
        "a mask to 1.5": lambda: tf.sequence_mask([1, 2], 1.5),
        "a mask of bytes to 1.5": lambda: tf.sequence_mask(tf.constant([1, 2], tf.uint8), 1.5),
        "a mask of floats": lambda: tf.sequence_mask(tf.constant([1.5, 2.0]), 2),
        "a mask of no dtype": lambda: tf.sequence_mask([1, 2], 2, dtype=None),
        "a mask of int64": lambda: tf.sequence_mask(tf.constant([1, 2], tf.int64), dtype=tf.float32),
        "a mask of bytes": lambda: tf.sequence_mask([[1, 2], [0, 3]], tf.constant(3, tf.int64)),
        "rows counted to 1.5": lambda: tf.ragged.range(tf.constant([0, 1], tf.int64), limits=1.5).to_list(),
        "rows counted to 2**33": lambda: tf.ragged.range([2**33 - 2], [2**33]).to_list(),
        "the norm of nothing": lambda: tf.linalg.global_norm([]),
        "nothing clipped": lambda: tf.clip_by_global_norm([], 1.0)[1],
        "one axis by its older name": lambda: tf.nn.l2_normalize([[3.0, 4.0]], dim=1),
        "images of two dtypes": lambda: tf.image.psnr(np.full([3, 4, 3], 9, np.uint8), np.full([3, 4, 3], 0.5, np.float32), 255),
        "a length in no unit": lambda: tf.strings.length(["hé"], unit=None),
        "a part in no unit": lambda: tf.strings.substr(["abc"], 1, 1, unit=None),
        "a diagonal not aligned": lambda: tf.linalg.diag([[1.0, 2.0]], align=None),
        "the greatest of no dtype": lambda: tf.argmax(x, 1, None).dtype,
        "numbers of no dtype": lambda: v1.string_to_number(["1.5"], None),
        "Sobol's points of no dtype": lambda: tf.math.sobol_sample(2, 3, dtype=None),
        "a hot row far away": lambda: tf.one_hot(2**40, 3),
        "hot rows far away": lambda: tf.one_hot([2**40, 1], 3),
        "factors in two orders": lambda: tf.linalg.lu_reconstruct(
            tf.constant([[[2.0, 1.0], [0.5, 3.0]], [[1.0, 4.0], [2.0, 2.0]]]), [[1, 0], [0, 1]]
        ),
        "factors in one order": lambda: tf.linalg.lu_reconstruct(tf.constant([[2.0, 1.0, 0.0], [0.5, 3.0, 1.0], [0.25, 2.0, 1.0]]), [2, 0, 1]),
        "a sum along 2**40": ours(raised("InvalidArgumentError"), raises(lambda: tf.reduce_sum(x, 2**40))),
        "joined along 2**40": ours(raised("InvalidArgumentError"), raises(lambda: tf.concat([x, x], 2**40))),
    }
