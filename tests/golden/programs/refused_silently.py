"""Calls that were taken here where TensorFlow refuses them: wrong ranks, kinds of numbers, empty sides, arguments that are not there."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


def arguments(tf: Any) -> Answers:
    """Arguments that are out of range, of another dtype, or of no kind at all."""
    image, boxes = tf.ones([13, 15, 1]), np.array([[[0.1, 0.2, 0.5, 0.6]]], "f4")
    spectra = tf.ones([2, 3, 5], tf.complex64)

    def crop(covered: Any = 0.5, ratios: Any = (0.5, 2.0), areas: Any = (0.1, 0.6)) -> Any:
        return tf.image.stateless_sample_distorted_bounding_box(
            [100, 37, 3], boxes, [2, 3], min_object_covered=covered, aspect_ratio_range=ratios, area_range=areas
        )

    def crop_gradient(dtype: Any) -> Any:
        return tf.raw_ops.CropAndResizeGradImage(
            grads=tf.ones([1, 2, 3, 2]), boxes=boxes[0], box_ind=[0], image_size=[2, 5, 6, 2], T=dtype
        )

    def proto(value: Any, **options: Any) -> Any:
        return tf.make_tensor_proto(value, shape=[2, 2], **options)

    entropy = tf.nn.softmax_cross_entropy_with_logits
    ngrams = {"separator": " ", "ngram_widths": [3], "left_pad": "L", "right_pad": "R", "pad_width": -1, "preserve_short_sequences": False}
    refused = {
        "areas": [lambda areas=areas: crop(areas=areas) for areas in ([np.inf, 0.6], [0.1, np.nan], [0.1, 1.5], [1.2, 0.5], [0.0, 0.5])],
        "ratios": [lambda ratios=ratios: crop(ratios=ratios) for ratios in ([0.5, np.nan], [-1.0, 2.0])],
        "covered": [lambda covered=covered: crop(covered) for covered in (-0.5, np.nan)],
        "gradient of a crop": [lambda name=name: crop_gradient(tf.dtypes.as_dtype(name)) for name in ("int32", "uint8", "bfloat16")],
        "powers": [lambda: tf.image.ssim_multiscale(image, image, 1.0, power_factors=[0.5, None], filter_size=3)],
        "webp": [lambda: tf.raw_ops.DecodeWebP(contents=b"RIFF", channels=3, dtype=True)],
        "protos": [
            lambda: proto([7.0, 8.0], allow_broadcast="bogus"),
            lambda: proto([7.0] * 5, allow_broadcast=True),
            lambda: proto([[7.0]], allow_broadcast=True),
            lambda: proto([], allow_broadcast=True),
            lambda: proto([7.0], allow_broadcast=True, verify_shape=True),
        ],
        "inverse_stft": [lambda: tf.signal.inverse_stft(spectra, 1.5, 2)],
        "meshgrid": [lambda: tf.meshgrid("bogus"), lambda: tf.meshgrid("a", "b")],
        "characters from the end": [lambda n=n: tf.strings.substr(["hello", "b"], [-1, 0], [n, 1], unit="UTF8_CHAR") for n in (-1, -3)],
    }
    answers: Answers = {f"{name} {i}": raises(call) for name, calls in refused.items() for i, call in enumerate(calls)}
    return answers | {
        "no bounds": lambda: [list(crop(*given)) for given in ((1.5,), (np.inf,), (0.5, (0.5, np.inf)))],
        "gradient of a crop in float64": lambda: crop_gradient(tf.float64).dtype.name,
        "entropy": raises(lambda: entropy(tf.ones([3, 4]), tf.ones([3, 4]), axis=True), otherwise=("InvalidArgumentError",)),
        "protos of one": lambda: [list(proto(value, allow_broadcast=True).float_val) for value in (7.0, [7.0], [7.0, 8.0, 9.0, 1.0])],
        "meshgrid of booleans": lambda: tf.meshgrid([True, False], [True]),
        "ragged.stack": lambda: [tf.ragged.stack(values) for values in ("bogus", tf.constant([0.5, 1.5]), np.array([1, 2]), 1)],
        "tuple": lambda: [tf.tuple(values) for values in ("bogus", tf.ones([2]), 5, {"a": tf.ones([2])}, [tf.ones([2]), None])],
        "characters to the end": lambda: [tf.strings.substr(["hello", "bcd", "ééé"], at, -1, unit="UTF8_CHAR") for at in (0, 1, 3)],
        "bytes to the end": lambda: [tf.strings.substr(["hello", "bcd"], at, -1) for at in (0, 1, -2)],
        "no n-grams": lambda: [
            tf.strings.ngrams(tf.constant([], tf.string), 3, pad_values=["L", "R"]),
            tf.strings.ngrams(tf.zeros([2, 0], tf.string), 3, pad_values=["L", "R"]),
            tf.strings.ngrams(tf.constant([], tf.string), 3, pad_values=["L", "R"], preserve_short_sequences=True),
        ],
        "n-grams of an empty row": lambda: list(tf.raw_ops.StringNGrams(data=["a"], data_splits=[0, 0, 1], **ngrams)),
        "zero_fraction": lambda: [tf.math.zero_fraction(values) for values in (["a", ""], "bogus", [True, False])],
        "max_pool of arrays": lambda: [
            tf.nn.max_pool(np.ones([1, 2, 2, 1], dtype), [1, 2, 2, 1], [1, 1, 1, 1], "VALID") for dtype in ("f8", "i4", "i8", "u1")
        ],
        "overlaps": lambda: tf.image.non_max_suppression_overlaps(tf.ones([4, 4]), [0.1, 0.2, 0.3, 0.4], 4, np.nan, 0.0),
        "counts of nothing": lambda: [
            [counts.indices, counts.values, counts.dense_shape]
            for counts in (tf.sparse.bincount(tf.constant([], tf.int32)), tf.sparse.bincount(tf.zeros([2, 0], tf.int32), axis=-1))
        ],
    }


def kinds(tf: Any) -> Answers:
    """Numbers of another kind than the argument's."""
    x, y = tf.ones([2, 3]), tf.ones([4, 3])
    entropy = tf.nn.softmax_cross_entropy_with_logits
    sampler = tf.random.fixed_unigram_candidate_sampler
    picture = tf.io.encode_png(tf.zeros([2, 2, 3], tf.uint8))
    image = tf.ones([1, 4, 4, 2])
    return {
        "ragged lengths": raises(lambda: tf.RaggedTensor.from_tensor(x, lengths=[1.5, 3])),
        "ragged lengths, nested": raises(lambda: tf.RaggedTensor.from_tensor(tf.ones([1, 2, 3]), lengths=[[2.0], [1.0, 3.0]]), otherwise=("TypeError",)),
        "csv": raises(lambda: tf.io.decode_csv(["a,b"], ["", ""], na_value=tf.ones([3]))),
        "csv, a number": raises(lambda: tf.io.decode_csv(["a,b"], ["", ""], na_value=3)),
        "csv, the delimiter": raises(lambda: tf.io.decode_csv(["a,b"], ["", ""], field_delim=3)),
        "csv, a flag": raises(lambda: tf.io.decode_csv(["a,b"], ["", ""], use_quote_delim=3)),
        "proto": raises(lambda: tf.make_tensor_proto([7.0, 8.0], shape=2)),
        "entropy, a tensor": raises(lambda: entropy(y, y, axis=tf.constant(1.0))),
        "entropy, a number": raises(lambda: entropy(y, y, axis=1.5)),
        "entropy, a vector": raises(lambda: entropy(y, y, axis=tf.constant([1, 1]))),
        "entropy, an integer tensor": lambda: entropy(y, y, axis=tf.constant(0)),
        "poisson": raises(lambda: tf.random.stateless_poisson([2, 3], [1, 2], tf.ones([3]), None)),
        "poisson, a word": raises(lambda: tf.random.stateless_poisson([2, 3], [1, 2], tf.ones([3]), "bogus")),
        "statistics": raises(lambda: tf.nn.sufficient_statistics(y, [1.5])),
        "sampler": raises(lambda: sampler(tf.ones([2, 2], tf.int64), 2, 9, False, 3, unigrams=[1.0, tf.constant(2.0), 3.0], seed=3)),
        "range": raises(lambda: tf.range(1j, 1.0, 0.25)),
        "png channels": lambda: tf.io.decode_png(picture, channels=1.5).shape,
        "bmp channels": raises(lambda: tf.io.decode_bmp(_bmp(), channels=1.5)),
        "bmp channels, a flag": raises(lambda: tf.io.decode_bmp(_bmp(), channels=True)),
        "separable": raises(lambda: tf.nn.separable_conv2d(image, tf.ones([2, 2, 2, 1]), np.ones([1, 1, 2, 3], np.int32), [1] * 4, "SAME")),
        "separable, the depth": raises(lambda: tf.nn.separable_conv2d(image, np.ones([2, 2, 2, 1], np.int32), tf.ones([1, 1, 2, 3]), [1] * 4, "SAME")),
        "eye": raises(lambda: tf.compat.v1.initializers.identity(dtype=tf.complex64)),
        "eye, integers": raises(lambda: tf.compat.v1.initializers.identity(dtype=tf.int32)),
        "normal": raises(lambda: tf.compat.v1.random_normal([2, 3], dtype=tf.complex64)),
        "normal, integers": raises(lambda: tf.random.normal([2, 3], dtype=tf.int32)),
        "truncated": raises(lambda: tf.random.truncated_normal([2, 3], dtype=tf.complex64)),
        "splits": raises(lambda: tf.ragged.segment_ids_to_row_splits([0, 0, 2], num_segments=4, out_type=tf.complex64)),
    }


def _bmp() -> bytes:
    size = 2 * (2 * 3 + 2)
    head = b"BM" + (54 + size).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    about = (40).to_bytes(4, "little") + (2).to_bytes(4, "little") * 2 + b"\x01\x00\x18\x00" + bytes(24)
    return head + about + bytes(size)


def ranks(tf: Any) -> Answers:
    """Values of another rank, and empty ones."""
    raw = tf.raw_ops
    boxes = tf.zeros([0, 4])
    norm, images = tf.compat.v1.nn.fused_batch_norm, tf.ones([2, 2, 2, 2, 3])
    softmax, weights = tf.nn.sampled_softmax_loss, (tf.ones([6, 3]), tf.ones([6]), tf.ones([2, 2], tf.int64), tf.ones([2, 3]))
    rows = {"value_rowids": tf.constant([0, 2], tf.int64), "nrows": tf.constant(3, tf.int64), "default_value": tf.constant(0.0)}
    dense = {"shape": [4, -1], "default_value": 0.0, "row_partition_types": ["FIRST_DIM_SIZE", "VALUE_ROWIDS"]}
    partitions = [tf.constant(4, tf.int64), tf.constant([0, 0, 2], tf.int64)]
    return {
        "boxes": raises(lambda: tf.image.sample_distorted_bounding_box([20, 30, 3], boxes, seed=4, use_image_if_no_bounding_boxes=True)),
        "boxes, stateless": raises(
            lambda: tf.image.stateless_sample_distorted_bounding_box([20, 30, 3], boxes, [1, 2], use_image_if_no_bounding_boxes=True)
        ),
        "boxes of three": raises(lambda: tf.image.sample_distorted_bounding_box([20, 30, 3], tf.zeros([1, 1, 3]), seed=4)),
        "filled, a matrix": raises(lambda: raw.RaggedFillEmptyRows(values=tf.ones([1, 2]), **rows)),
        "filled, a number": raises(lambda: raw.RaggedFillEmptyRows(values=tf.constant(1.0), **rows)),
        "filled, other lengths": raises(lambda: raw.RaggedFillEmptyRows(values=tf.ones([3]), **rows)),
        "dense": raises(lambda: raw.RaggedTensorToTensor(values=tf.constant(1.0), row_partition_tensors=partitions, **dense)),
        "strided slice": raises(lambda: tf.strided_slice(tf.ones([2, 3, 4]), [0, 1], [0, 2], ellipsis_mask=-100)),
        "strided slice, two": raises(lambda: tf.strided_slice(tf.ones([2, 3, 4]), [0, 1], [0, 2], ellipsis_mask=3)),
        "blocks": raises(lambda: tf.compat.v1.space_to_batch(tf.ones([1, 2, 4, 1]), [[0, 0], [0, 0]], [2, 2])),
        "norm, one variance": raises(
            lambda: norm(tf.ones([2, 2, 2, 3]), tf.ones([3]), tf.ones([3]), tf.ones([3]), tf.constant(1.0), is_training=False)
        ),
        "gradient of filled rows": raises(lambda: raw.SparseFillEmptyRowsGrad(reverse_index_map=[[0, 1, 2]], grad_values=tf.ones([5]))),
        "gradient of a filled matrix": raises(lambda: raw.SparseFillEmptyRowsGrad(reverse_index_map=[0, 1], grad_values=tf.ones([1, 5]))),
        "sound": raises(lambda: tf.audio.decode_wav(tf.audio.encode_wav(tf.zeros([3, 1]), 8), 1, desired_samples=-100)),
        "sound, channels": raises(lambda: tf.audio.decode_wav(tf.audio.encode_wav(tf.zeros([3, 1]), 8), desired_channels=-100)),
        "norm, another layout": raises(lambda: norm(images, tf.ones([3]), tf.ones([3]), data_format="bogus"), "Value for attr 'data_format'"),
        "norm, a complex offset": raises(lambda: norm(tf.ones([2, 2, 2, 3]), tf.ones([3]), np.ones(3, np.complex64))),
        "softmax, half a class": raises(lambda: softmax(*weights, 1.5, 6, num_true=2, seed=3), "was expected to be a int32 tensor"),
        "softmax, real classes": raises(lambda: softmax(*weights, 4.0, 6, num_true=2, seed=3), "was expected to be a int32 tensor"),
        "entropy, an axis too far": raises(lambda: tf.nn.softmax_cross_entropy_with_logits(tf.ones([4, 3]), tf.ones([4, 3]), axis=99)),
    }


def files(tf: Any) -> Answers:
    """Channels that a GIF file does not have."""
    gif = bytes.fromhex("47494638396101000100800000ff0000ffffff2c00000000010001000002024401003b")
    found: Answers = {}
    for reads in (tf.io.decode_image, tf.io.decode_png, tf.io.decode_jpeg):
        found[f"{reads.__name__}, 3"] = lambda reads=reads: reads(gif, channels=3)
        found[f"{reads.__name__}, 1"] = raises(lambda reads=reads: reads(gif, channels=1), "channels must be 0 or 3 for GIF, got 1")
    return found


def lists(tf: Any) -> Answers:
    """Numbers of elements below -1, labels of three dimensions, a policy that there is not."""
    raw, x = tf.raw_ops, tf.ones([2, 2])
    scatter = {"tensor": x, "indices": [2, 0], "element_shape": [2]}
    add = {"input": tf.ones([3]), "indices": [[1], [1]], "updates": tf.ones([2])}
    return {
        "as many as needed": lambda: raw.TensorListLength(input_handle=raw.TensorListScatterV2(num_elements=-1, **scatter)),
        "fewer than none": raises(lambda: raw.TensorListScatterV2(num_elements=-2, **scatter), "expects num_elements >= -1, found: -2"),
        "labels": raises(lambda: tf.nn.ctc_unique_labels(tf.ones([1, 3, 3], tf.int32)), "unique expects a 1D vector"),
        "policy": raises(lambda: raw.ScatterNdNonAliasingAdd(bad_indices_policy="bogus", **add), "Unknown bad indices handling attribute"),
        "policy, raising": lambda: raw.ScatterNdNonAliasingAdd(bad_indices_policy="ERROR", **add),
    }


def names(tf: Any) -> Answers:
    """Arguments that are not there."""
    raw, x = tf.raw_ops, tf.ones([2, 2])
    return {
        "list": raises(lambda: raw.TensorListFromTensor(tensor=x, element_shape=[2], bogus=1), "unexpected keyword argument"),
        "scatter": raises(lambda: raw.TensorListScatter(tensor=x, indices=[1, 0], element_shape=[2], bogus=1), "unexpected keyword argument"),
        "scatter 2": raises(
            lambda: raw.TensorListScatterV2(tensor=x, indices=[1, 0], element_shape=[2], num_elements=3, bogus=1), "unexpected keyword argument"
        ),
        "add": raises(lambda: raw.Add(x=x, y=x, bogus=1), "unexpected keyword argument"),
    }


def classes(tf: Any) -> Answers:
    """Errors of another class than TensorFlow's."""
    draw = tf.random.log_uniform_candidate_sampler
    return {
        "too many": raises(lambda: draw([[1]], 1, 2**40, False, 5), "out of range for an int32"),
        "a word for classes": raises(lambda: draw("bogus", 1, 2, False, 5)),
        "a word for the drawn": raises(lambda: tf.nn.compute_accidental_hits(tf.constant([[1]], tf.int64), "bogus", 1)),
        "truth values have no length": raises(lambda: tf.linalg.normalize(tf.constant([True, False]))),
    }


def more_arguments(tf: Any) -> Answers:
    """Numbers that are too large, flags and sizes of another kind, and dtypes without bits."""
    matrix, image = tf.ones([2, 2]), tf.ones([1, 6, 6, 2])
    refused = {
        "partitions": [lambda: tf.dynamic_partition([1.0, 2.0], [0, 1], 2**40)],
        "bits": [lambda: tf.bitcast(np.ones(2, "u1"), tf.bool), lambda: tf.bitcast([True], tf.uint8)],
        "flags": [lambda: tf.matmul(matrix, matrix, grad_a=0), lambda: tf.matmul(matrix, matrix, transpose_a=1)],
        "windows": [lambda size=size: tf.image.ssim(image, image, 1.0, filter_size=size) for size in (3.0, "x", tf.constant(3.0))],
        "rates": [
            lambda rate=rate: tf.nn.atrous_conv2d_transpose(tf.ones([1, 3, 3, 3]), tf.ones([2, 2, 2, 3]), [1, 3, 3, 2], rate, "SAME")
            for rate in (1.5, 2.0)
        ],
        "channels": [
            lambda: tf.nn.conv2d_transpose(tf.ones([1, 3, 3, 3]), tf.ones([3, 2, 2, 3]), [1, 5, 4, 0], [1, 1, 1, 1], "VALID"),
        ],
    }
    return {f"{name} {i}": raises(call) for name, calls in refused.items() for i, call in enumerate(calls)}


def taken(tf: Any) -> Answers:
    """Calls that TensorFlow takes: one value for a scalar, an axis twice, a scalar for a tensor, nothing for a default."""
    words, file = ["hello", "héé", "a"], tf.audio.encode_wav(np.zeros([4, 1], "f4"), 8000)
    return {
        "fill": lambda: [tf.fill([2], [3.0]), tf.fill([2, 1], np.float32([5]))],
        "fill two": raises(lambda: tf.fill([2], [3.0, 4.0])),
        "fill a matrix": raises(lambda: tf.fill([2], [[3.0]])),
        "fill in a function": raises(lambda: tf.function(lambda: tf.fill([2], [3.0]))()),
        "squeeze": lambda: [tf.squeeze(np.zeros([1, 3, 1]), axis).shape for axis in ([0, 0], [0, -3], [0, 2, 2], [], None)],
        "squeeze in a function": lambda: tf.function(lambda x: tf.squeeze(x, [0, 0]))(tf.ones([1, 3])),
        "diagonal": lambda: [tf.linalg.tensor_diag_part(3.0), tf.linalg.tensor_diag_part(np.int32(3))],
        "reverse": lambda: [tf.reverse("abc", [0]), tf.reverse(3, [5]), tf.raw_ops.Reverse(tensor=3, dims=[True, True])],
        "as_string": lambda: [
            tf.strings.as_string(words, width=width, precision=precision, fill=fill)
            for width, precision, fill in ((6, 0, ""), (6, 3, ""), (-1, 3, ""), (6, 2, "-"), (-1, 2, " "), (2, 4, ""))
        ],
        "decode_wav": lambda: [tf.audio.decode_wav(file, None, 2), tf.audio.decode_wav(file, desired_samples=1.5)],
        "matrix_rank": lambda: [tf.linalg.matrix_rank([[1, 2], [2, 4]]), tf.linalg.matrix_rank(np.int32([[1, 2], [3, 4]]))],
        "matrix_rank of integers": raises(lambda: tf.linalg.matrix_rank(tf.constant([[1, 2], [3, 4]]))),
    }
