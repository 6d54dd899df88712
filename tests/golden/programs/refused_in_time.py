"""Which refusals come while a graph is built and which when it runs, where shapes are known and where no dimension is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v2"
Given = Callable[[Any], Any]
Calls = dict[str, Callable[[Given], Any]]


def _refusal(call: Callable[[], Any]) -> Callable[[], Any]:
    """An answer: the error of a call, or a word where it is taken."""

    def answer() -> Any:
        found = raises(call)()
        return found if found["raises"] else "taken"

    return answer


def _everywhere(tf: Any, calls: Calls) -> Answers:
    """The error of each call eagerly, in a function and in a session; values that are given are known eagerly alone, dimensions not in a session."""

    def keep_dims(x: Any) -> Any:
        return tf.compat.v1.placeholder_with_default(np.asarray(x), np.shape(x))

    def open_dims(x: Any) -> Any:
        return tf.compat.v1.placeholder_with_default(np.asarray(x), [None] * np.ndim(x))

    def run(call: Callable[[Given], Any], given: Given) -> Any:
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            found = tf.nest.flatten(call(given), expand_composites=True)
            return session.run([x.op if x.dtype == tf.variant else x for x in found])

    answers: Answers = {}
    for name, call in calls.items():
        answers[name] = _refusal(lambda call=call: call(tf.constant))
        answers[f"{name}, in a graph"] = _refusal(lambda call=call: run(call, keep_dims))
        answers[f"{name}, in an open graph"] = _refusal(lambda call=call: run(call, open_dims))
    return answers


def _floats(*shape: int) -> Any:
    return np.linspace(0.1, 0.9, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def _whole(*values: Any) -> Any:
    return np.array(values, np.int32)


def searches(tf: Any) -> Answers:
    x, raw = _floats(4), tf.raw_ops
    answers = _everywhere(tf, {
        "counts of a matrix": lambda t: tf.unique_with_counts(t(_floats(2, 3))),
        "counts of a scalar": lambda t: tf.unique_with_counts(np.int32(3)),
        "counts of a word": lambda t: tf.unique_with_counts("bogus"),
        "distinct in a matrix": lambda t: tf.unique(t(_floats(2, 3))),
        "distinct in a scalar": lambda t: tf.unique(np.int32(3)),
        "places of a matrix": lambda t: tf.unravel_index(t(_whole([1, 2, 3])), t(_whole(2, 3))),
        "places in a matrix": lambda t: tf.unravel_index(t(_whole(1)), t(_whole([2, 3]))),
        "places in a scalar": lambda t: tf.unravel_index(t(_whole(1)), t(np.int32(4))),
        "a target below zero": lambda t: tf.math.approx_min_k(t(x), 2, recall_target=-100),
        "a target of 1.5": lambda t: tf.math.approx_max_k(t(x), 2, recall_target=1.5),
        "a target of nothing": lambda t: tf.math.approx_max_k(t(x), 2, recall_target=0.0),
        "k below zero": lambda t: tf.math.approx_max_k(t(x), -1),
    })  # fmt: skip
    del answers["a target below zero"]  # TensorFlow has no kernel for it
    return answers


def shapes(tf: Any) -> Answers:
    x, raw = _floats(2, 3), tf.raw_ops
    update, rows = raw.TensorStridedSliceUpdate, {"values": _floats(5), "default_value": np.float32(0.0)}
    ragged = {"row_partition_types": ["FIRST_DIM_SIZE", "VALUE_ROWIDS"]}
    first, ids = np.int64(4), np.array([0, 0, 2, 2, 2])

    def dense(t: Given, shape: Any, *partitions: Any) -> Any:
        return raw.RaggedTensorToTensor(
            shape=shape, **{k: t(v) for k, v in rows.items()}, row_partition_tensors=[*map(t, partitions)], **ragged
        )

    answers = _everywhere(tf, {
        "an axis of two": lambda t: tf.expand_dims(t(x), t(_whole(0, 1))),
        "an axis of two, known": lambda t: tf.expand_dims(t(x), [0, 1]),
        "an axis of none": lambda t: tf.expand_dims(t(x), t(np.zeros(0, np.int32))),
        "nothing as four": lambda t: tf.reshape(t(_whole()), [2, 2]),
        "nothing as four and more": lambda t: tf.reshape(t(np.zeros((0, 2), np.int32)), [2, -1, 2]),
        "six as nothing": lambda t: tf.reshape(t(x), [0, 2]),
        "six as nothing and more": lambda t: tf.reshape(t(x), [0, -1]),
        "a written slice with three beginnings": lambda t: update(input=t(x), begin=[0, 0, 0], end=[1, 1], strides=[1, 1], value=t(_floats(1, 1))),
        "a written slice with one end": lambda t: update(input=t(x), begin=[0], end=1, strides=[1], value=t(_floats(1, 3))),
        "a written slice of another size": lambda t: update(input=t(x), begin=[0], end=[1], strides=[1], value=t(_floats(2, 3))),
        "a written slice with too many": lambda t: update(input=t(x), begin=[0, 0, 0], end=[1, 1, 1], strides=[1, 1, 1], value=t(_floats(1))),
        "a slice with three beginnings": lambda t: raw.StridedSlice(input=t(x), begin=[0, 0, 0], end=[1, 1], strides=[1, 1]),
        "a dense shape of 4": lambda t: dense(t, 4, first, ids),
        "a dense shape of -1": lambda t: dense(t, -1, first, ids),
        "one partition more": lambda t: dense(t, [4, -1], first, ids, ids),
        "items of shape 2": lambda t: raw.TensorListScatter(tensor=t(_floats(2, 2)), indices=[2, 0], element_shape=2),
        "items of an unknown shape": lambda t: raw.TensorListScatter(tensor=t(_floats(2, 2)), indices=[2, 0], element_shape=t(np.int32(2))),
        "rows of shape 2": lambda t: raw.TensorListFromTensor(tensor=t(_floats(2, 2)), element_shape=2),
        "room for shape 2": lambda t: raw.TensorListReserve(element_shape=2, num_elements=3, element_dtype=tf.float32),
        "an empty list of shape 2": lambda t: raw.EmptyTensorList(element_shape=2, max_num_elements=3, element_dtype=tf.float32),
        "points below zero": lambda t: raw.SobolSample(dim=3, num_results=-100, skip=t(np.int32(0)), dtype=tf.float64),
        "no points": lambda t: raw.SobolSample(dim=3, num_results=0, skip=t(np.int32(0)), dtype=tf.float64),
        "points in no dimensions": lambda t: raw.SobolSample(dim=0, num_results=3, skip=t(np.int32(0)), dtype=tf.float64),
    })  # fmt: skip
    del answers["one partition more"]  # which TensorFlow does not look at eagerly
    return answers


def images(tf: Any) -> Answers:
    raw, image, boxes = tf.raw_ops, _floats(1, 4, 5, 3), _floats(2, 10, 4)

    def gradient(t: Given, size: Any) -> Any:
        return raw.ResizeNearestNeighborGrad(grads=t(image), size=size)

    def suppressed(t: Given, scores: Any) -> Any:
        return tf.image.non_max_suppression_padded(t(boxes), t(scores), 5, 0.3, pad_to_max_output_size=True, canonicalized_coordinates=True)

    def separable(t: Given, strides: Any) -> Any:
        return tf.nn.separable_conv2d(t(image), t(_floats(2, 2, 3, 1)), t(_floats(1, 1, 3, 2)), strides, "SAME")

    def depthwise(t: Given, strides: Any) -> Any:
        return raw.DepthwiseConv2dNative(input=t(image), filter=t(_floats(2, 2, 3, 1)), strides=strides, padding="SAME")

    return _everywhere(tf, {
        "a gradient to a height below zero": lambda t: gradient(t, [-100, 5]),
        "a gradient to no height": lambda t: gradient(t, [0, 5]),
        "a gradient to one size": lambda t: gradient(t, [5]),
        "scores of one less": lambda t: suppressed(t, _floats(2, 9)),
        "scores of one batch": lambda t: suppressed(t, _floats(10)),
        "separable, a batch's step below zero": lambda t: separable(t, [-1, 1, 1, 1]),
        "separable, no step": lambda t: separable(t, [1, 0, 0, 1]),
        "depthwise, a batch's step below zero": lambda t: depthwise(t, [-1, 1, 1, 1]),
        "depthwise, a channel's step below zero": lambda t: depthwise(t, [1, 1, 1, -1]),
        "depthwise, a step below zero": lambda t: depthwise(t, [1, -1, -1, 1]),
        "depthwise, no steps": lambda t: depthwise(t, [0, 0, 0, 0]),
        "pooled, a batch's step below zero": lambda t: raw.MaxPool(input=t(image), ksize=[1, 2, 2, 1], strides=[-1, 1, 1, 1], padding="SAME"),
        "convolved, a batch's step below zero": lambda t: raw.Conv2D(
            input=t(image), filter=t(_floats(2, 2, 3, 1)), strides=[-1, 1, 1, 1], padding="SAME"
        ),
        "averaged, a batch's step below zero": lambda t: raw.AvgPool(value=t(image), ksize=[1, 2, 2, 1], strides=[-1, 1, 1, 1], padding="SAME"),
        "convolved, a channel's step below zero": lambda t: raw.Conv2D(
            input=t(image), filter=t(_floats(2, 2, 3, 1)), strides=[1, 1, 1, -1], padding="SAME"
        ),
        "convolved, a batch's rate below zero": lambda t: raw.Conv2D(
            input=t(image), filter=t(_floats(2, 2, 3, 1)), strides=[1, 1, 1, 1], padding="SAME", dilations=[-1, 1, 1, 1]
        ),
        "convolved, a rate of none": lambda t: raw.Conv2D(
            input=t(image), filter=t(_floats(2, 2, 3, 1)), strides=[1, 1, 1, 1], padding="SAME", dilations=[1, 0, 1, 1]
        ),
        "depthwise, a batch's rate of two": lambda t: raw.DepthwiseConv2dNative(
            input=t(image), filter=t(_floats(2, 2, 3, 1)), strides=[1, 1, 1, 1], padding="SAME", dilations=[2, 1, 1, 1]
        ),
        "depthwise, a batch's step of two": lambda t: depthwise(t, [2, 1, 1, 1]),
        "depthwise, a channel's step of two": lambda t: depthwise(t, [1, 1, 1, 2]),
        "a depthwise gradient of a channel's step of two": lambda t: raw.DepthwiseConv2dNativeBackpropInput(
            input_sizes=[1, 4, 5, 3], filter=t(_floats(2, 2, 3, 1)), out_backprop=t(image), strides=[1, 1, 1, 2], padding="SAME"
        ),
        "a gradient of a batch's step of two": lambda t: raw.Conv2DBackpropInput(
            input_sizes=[1, 4, 5, 3], filter=t(_floats(2, 2, 3, 3)), out_backprop=t(image), strides=[2, 1, 1, 1], padding="SAME"
        ),
        "resized to a height below zero": lambda t: raw.ResizeBilinear(images=t(image), size=[-100, 5]),
        "resized to a height of -1": lambda t: raw.ResizeBilinear(images=t(image), size=[-1, 5]),
        "nearest to a height below zero": lambda t: raw.ResizeNearestNeighbor(images=t(image), size=[-100, 5]),
        "cut to a height below zero": lambda t: raw.CropAndResize(
            image=t(image), boxes=t(_floats(1, 4)), box_ind=t(_whole(0)), crop_size=[-100, 5]
        ),
        "two greys": lambda t: tf.image.grayscale_to_rgb(t(_floats(2, 2, 2))),
        "rates that are a tensor": lambda t: tf.nn.convolution(t(image), t(_floats(2, 2, 3, 1)), dilations=t(_whole(1, 1))),
    })  # fmt: skip


def arguments(tf: Any) -> Answers:
    x = _floats(3)
    return _everywhere(tf, {
        "the sum of a tensor": lambda t: tf.add_n(t(x)),
        "a vector as a batch's size": lambda t: tf.nn.compute_average_loss(t(x), global_batch_size=t(_floats(3))),
        "a fraction as a batch's size": lambda t: tf.nn.compute_average_loss(t(x), global_batch_size=1.5),
        "weights and a flag": lambda t: tf.sparse.bincount([1, 2], weights=[1.0, 2.0], binary_output=True),
        "a tensor as a flag": lambda t: tf.linalg.lu_solve(t(_floats(2, 2)), [1, 0], t(_floats(2, 1)), validate_args=t(x)),
        "a tensor as a flag of an inverse": lambda t: tf.linalg.lu_matrix_inverse(t(_floats(2, 2)), [1, 0], validate_args=t(x)),
        "a tensor as a flag of a product": lambda t: tf.linalg.lu_reconstruct(t(_floats(2, 2)), [1, 0], validate_args=t(x)),
        "a tensor as a flag of a pseudo-inverse": lambda t: tf.linalg.pinv(t(_floats(2, 2)), validate_args=t(x)),
        "a tensor as a flag of a rank": lambda t: tf.linalg.matrix_rank(t(_floats(2, 2)), validate_args=t(x)),
        "a tensor as a flag of a root": lambda t: tf.linalg.matrix_transpose(t(_floats(2, 2)), conjugate=t(x)),
        "frames along 1.5": lambda t: tf.signal.frame(t(_floats(2, 11)), 6, 4, pad_end=True, axis=1.5),
        "frames along 1.5, no margin": lambda t: tf.signal.frame(t(_floats(2, 11)), 6, 4, axis=1.5),
        "an algorithm that is a tensor": lambda t: tf.random.experimental.stateless_shuffle(t(_whole(1, 2, 3)), [1, 2], alg=t(x)),
        "uneven classes": lambda t: tf.random.log_uniform_candidate_sampler([[1.0, 2.0], [3.0]], 2, 20, False, 1000, seed=3),
        "uneven whole classes": lambda t: tf.random.log_uniform_candidate_sampler([[1, 2], [3]], 2, 20, False, 1000, seed=3),
        "a generator of a word": lambda t: tf.random.Generator.from_seed("word").normal([2]),
        "losses of no classes": lambda t: tf.nn.sparse_softmax_cross_entropy_with_logits(t(np.zeros(0, np.int32)), t(_floats(0, 0))),
        "losses of rows without classes": lambda t: tf.nn.sparse_softmax_cross_entropy_with_logits(t(_whole(0, 0)), t(_floats(2, 0))),
    })  # fmt: skip


def lengths(tf: Any) -> Answers:
    raw, image, box = tf.raw_ops, _floats(1, 4, 5, 3), {"boxes": _floats(1, 4), "box_ind": _whole(0)}
    spectrum, waves = _floats(3, 5).astype(np.complex64), _floats(2, 11)

    def in_function(call: Callable[[Given], Any]) -> Any:
        """Only a function asks for the static shape of what is made."""
        return tf.function(lambda: call(lambda x: raw.PlaceholderWithDefault(input=x, shape=np.shape(x))), autograph=False)()

    def calls(size: int) -> Calls:
        both = [size, 5]
        resized = {
            f"{name} to {size}": lambda t, name=name: getattr(raw, name)(images=t(image), size=both)
            for name in ("ResizeArea", "ResizeBicubic", "ResizeBilinear", "ResizeNearestNeighbor")
        }
        return resized | {
            f"a gradient to {size}": lambda t: raw.ResizeNearestNeighborGrad(grads=t(image), size=both),
            f"a crop of {size}": lambda t: raw.CropAndResize(image=t(image), **{k: t(v) for k, v in box.items()}, crop_size=both),
            f"moved to {size}": lambda t: raw.ScaleAndTranslate(images=t(image), size=both, scale=[1.0, 1.0], translation=[0.0, 0.0]),
            f"a glimpse of {size}": lambda t: raw.ExtractGlimpse(input=t(image), size=both, offsets=t(_floats(1, 2))),
            f"projected to {size}": lambda t: raw.ImageProjectiveTransformV3(
                images=t(image), transforms=t(_floats(1, 8)), output_shape=both, fill_value=0.0, interpolation="NEAREST"
            ),
            f"{size} points": lambda t: tf.math.sobol_sample(5, size),
            f"points of {size} dimensions": lambda t: tf.math.sobol_sample(size, 3),
            f"a wave of {size}": lambda t: tf.signal.irfft(t(spectrum[0]), [size]),
            f"waves of {size}": lambda t: tf.signal.rfft2d(t(waves), [size, 2]),
            f"frames {size} apart, added": lambda t: tf.signal.inverse_stft(t(spectrum[None]), 5, size),
            f"frames of {size}, added": lambda t: tf.signal.inverse_stft(t(spectrum), size, 4, window_fn=None),
            f"{size} rows": lambda t: tf.strings.unsorted_segment_join(t(np.array(["a", "b"], object)), t(_whole(0, 1)), size),
            f"a constant of {size}": lambda t: tf.constant(1.0, "float32", shape=size),
            f"an axis of {size}": lambda t: tf.stack(t(waves), axis=size),
        }

    found = _everywhere(tf, calls(-100) | calls(-1))
    for name, call in (calls(-100) | calls(-1)).items():
        found[f"{name}, in a function"] = _refusal(lambda call=call: in_function(call))
    return found


def windows(tf: Any) -> Answers:
    image, volume = _floats(1, 4, 4, 1), _floats(1, 4, 4, 4, 1)
    right = {"sizes": [1, 2, 2, 1], "strides": [1, 1, 1, 1], "rates": [1, 1, 1, 1]}
    calls: Calls = {
        f"{name} {steps}": lambda t, name=name, steps=steps: tf.image.extract_patches(t(image), **right | {name: steps}, padding="SAME")
        for name in right
        for steps in ([2, 2, 2, 1], [1, 2, 2, 2], [1, 0, 2, 1], [0, 1, 1, 1])
        if (name, steps) != ("strides", [1, 0, 2, 1])
    }
    return _everywhere(tf, calls | {
        "a volume's size along images": lambda t: tf.compat.v1.extract_volume_patches(t(volume), [2, 2, 2, 2, 1], [1] * 5, "SAME"),
        "a volume's size of none": lambda t: tf.compat.v1.extract_volume_patches(t(volume), [1, 0, 2, 2, 1], [1] * 5, "SAME"),
        "a window larger than two images": lambda t: tf.image.ssim(t(_floats(13, 15, 1)), t(_floats(13, 15, 1)), 1.0, filter_size=99),
    })  # fmt: skip


def lists(tf: Any) -> Answers:
    rows, raw = np.ones((2, 2)), tf.raw_ops
    return _everywhere(tf, {
        "joined rows": lambda t: tf.strings.join(np.array([["a", "b"], ["c", "d"]], object)),
        "added rows": lambda t: raw.AddN(inputs=rows),
        "rows behind each other": lambda t: raw.ConcatV2(values=rows, axis=0),
        "the same rows": lambda t: raw.IdentityN(input=rows),
        "None before a list": lambda t: tf.constant([None, [1, 0]]),
        "None before a list, whole": lambda t: tf.constant([None, [1, 0]], tf.int32),
        "None before a number": lambda t: tf.constant([None, 1]),
        "segments of None": lambda t: tf.strings.unsorted_segment_join([["a", "b"]], [None, [1, 0]], 2),
        "margins of None": lambda t: tf.pad(t(_floats(2, 3)), [None, [1, 0]]),
        "several partitions": lambda t: tf.ragged.stack_dynamic_partitions(t(_floats(3)), [0, 1, 0], [2, 2]),
        "no unigrams": lambda t: tf.random.fixed_unigram_candidate_sampler([[1]], 1, 2, True, 6, unigrams=None),
        "a window of a word": lambda t: tf.signal.hann_window(np.array(b"a", object)),
        "a word as k": lambda t: raw.TopKV2(input=t(_floats(3)), k=np.array(b"a", object)),
        "words as numbers": lambda t: tf.convert_to_tensor(np.array([b"a"], object), tf.int32),
        "-1 as the dtype of all": lambda t: tf.debugging.assert_same_float_dtype([t(_floats(3))], dtype=-1),
        "a pool of another word": lambda t: tf.nn.pool(t(_floats(1, 4, 4, 1)), [2, 2], "MAX", padding="bogus"),
    })  # fmt: skip


def empty_lists(tf: Any) -> Answers:
    x, raw = np.float32(2.0), tf.raw_ops
    return _everywhere(tf, {
        "slice": lambda t: tf.slice(t(x), [], []),
        "strided slice": lambda t: tf.strided_slice(t(x), [], [], []),
        "gather": lambda t: tf.gather(t(_floats(1)), []),
        "gather_nd": lambda t: tf.gather_nd(t(_floats(2)), []),
        "roll": lambda t: tf.roll(t(x), [], []),
        "reverse": lambda t: tf.reverse(t(x), []),
        "transpose": lambda t: tf.transpose(t(x), []),
        "tile": lambda t: tf.tile(t(x), []),
        "fill": lambda t: tf.fill([], t(x)),
        "broadcast_to": lambda t: tf.broadcast_to(t(x), []),
        "scatter_nd": lambda t: tf.scatter_nd(np.zeros((1, 0), np.int32), t(_floats(1)), []),
        "segments": lambda t: tf.math.segment_sum(t(np.zeros(0, np.float32)), []),
        "rows": lambda t: tf.nn.embedding_lookup(t(_floats(2, 2)), []),
        "partitions": lambda t: tf.dynamic_partition(t(np.zeros(0, np.float32)), [], 2),
        "sizes of random numbers": lambda t: raw.RandomStandardNormal(shape=[], dtype=tf.float32),
        "a shuffled index": lambda t: tf.random_index_shuffle(t(_whole(1, 2)), [], 20, 4),
        "a shifted scalar": lambda t: tf.signal.fftshift(t(x)),
        "a scalar shifted back": lambda t: tf.signal.ifftshift(t(x)),
        "a size that is a vector": lambda t: raw.NonDeterministicInts(shape=[t(_whole(1, 2)), 2]),
        "a step of 2**40 backwards": lambda t: raw.Conv2DBackpropInput(
            input_sizes=[1, 4, 5, 3], filter=t(_floats(2, 2, 3, 3)), out_backprop=t(_floats(1, 4, 5, 3)), strides=[1, 2**40, 1, 1], padding="SAME"
        ),
        "a crop's method": lambda t: raw.CropAndResizeGradImage(
            grads=t(_floats(1, 2, 2, 1)), boxes=t(_floats(1, 4)), box_ind=t(_whole(0)), image_size=[1, 4, 4, 1], T=tf.float32, method="bogus"
        ),
        "a seed of one number": lambda t: tf.image.stateless_sample_distorted_bounding_box([9, 9, 3], t(_floats(1, 2, 4)), [0]),
    })  # fmt: skip


def axes(tf: Any) -> Answers:
    v1, labels, logits = tf.compat.v1, _floats(4, 3), _floats(4, 3)

    def loss(t: Given, axis: Any) -> Any:
        return tf.nn.softmax_cross_entropy_with_logits(labels=t(labels), logits=t(logits), axis=axis)

    return _everywhere(tf, {
        "a loss along a dtype": lambda t: loss(t, tf.complex64),
        "softmax along NaN": lambda t: tf.nn.softmax(t(logits), axis=float("nan")),
        "log_softmax along NaN": lambda t: v1.nn.log_softmax(t(logits), axis=float("nan")),
        "the largest of NaN": lambda t: tf.sparse.bincount(t(_whole(1, 2)), maxlength=float("nan")),
        "the least of a word": lambda t: tf.sparse.bincount(t(_whole(1, 2)), minlength="bogus"),
        "a pool padded with 3": lambda t: tf.nn.pool(t(_floats(1, 4, 4, 1)), [2, 2], "MAX", padding=3),
        "a wide pool padded with 3": lambda t: tf.nn.pool(t(_floats(1, 4, 4, 1)), [2, 2], "MAX", padding=3, dilations=[2, 2]),
        "a sparse tensor of -100": lambda t: tf.SparseTensor(t(np.zeros((1, 2), np.int64)), t(_floats(1)), [2, -100]).values,
    })  # fmt: skip


def two_names(tf: Any) -> Answers:
    """Arguments that have two names, both given; numbers where one for each axis is needed; lists that are too short."""
    v1, raw, x, c = tf.compat.v1, tf.raw_ops, _floats(2, 3), np.ones((2, 3), np.complex64)
    return _everywhere(tf, {
        "an axis and its default": lambda t: v1.nn.softmax_cross_entropy_with_logits(labels=t(x), logits=t(x), axis=1),
        "an axis and none": lambda t: v1.nn.softmax_cross_entropy_with_logits(labels=t(x), logits=t(x), axis=1, dim=None),
        "two messages": lambda t: v1.verify_tensor_all_finite(t(x), "one", message="other"),
        "one axis of many": lambda t: tf.signal.fftnd(t(c), None, 1),
        "one axis with its size": lambda t: tf.signal.ifftnd(t(c), [2], 1),
        "one size": lambda t: tf.signal.fftnd(t(c), 2, [1]),
        "a list as a type": lambda t: tf.signal.dct(t(x), type=[3, 3]),
        "a list as a type back": lambda t: tf.signal.idct(t(x), type=[3, 3]),
        "offsets of one": lambda t: raw.ConcatOffset(concat_dim=0, shape=[t(_whole(1))]),
    })  # fmt: skip


def words_and_scalars(tf: Any) -> Answers:
    """Words and scalars where something else is needed, and an axis that only a run finds too large."""
    x, image, raw = _floats(2, 3), _floats(1, 4, 4, 1), tf.raw_ops
    return _everywhere(tf, {
        "a pool's margins of words": lambda t: tf.nn.pool(t(image), [2, 2], "MAX", padding=["a"]),
        "a pool's margins of numbers": lambda t: tf.nn.pool(t(image), [2, 2], "MAX", padding=[1, 2]),
        "too few margins": lambda t: tf.nn.pool(t(image), [2, 2], "MAX", padding=[[0, 0]]),
        "margins of a mean": lambda t: tf.nn.pool(t(image), [2, 2], "AVG", padding=[[0, 0]] * 4),
        "a layout of sequences": lambda t: tf.nn.max_pool1d(t(_floats(2, 4, 3)), 2, 1, "VALID", data_format="bogus"),
        "another layout of sequences": lambda t: tf.nn.avg_pool1d(t(_floats(2, 4, 3)), 2, 1, "VALID", data_format="NHWC"),
        "a list as a layout": lambda t: tf.nn.conv1d_transpose(t(_floats(2, 3, 3)), _floats(3, 2, 3), [2, 6, 2], 2, data_format=[]),
        "entries of a scalar": lambda t: tf.gather_nd(t(_floats()), np.zeros((2, 0), np.int32)),
        "a hot axis beyond": lambda t: tf.one_hot(t(_whole(1, 2)), 3, axis=99),
        "a hot axis of -2": lambda t: tf.one_hot(t(_whole(1, 2)), 3, axis=-2),
        "a norm of a dtype": lambda t: tf.clip_by_global_norm([t(x)], 1.0, use_norm=tf.complex64)[0],
        "a norm of a list": lambda t: tf.clip_by_global_norm([t(x)], 1.0, use_norm=[1.0, 2.0])[0],
        "an axis of a word": lambda t: tf.signal.fftshift(t(x), axes="bogus"),
        "no epsilon": lambda t: tf.nn.batch_normalization(t(x), _floats(3), _floats(3), None, None, None),
        "a product with an array": lambda t: tf.einsum("ij,jk", t(np.ones((2, 2))), np.ones((2, 2), np.float32)),
        "a product of an array": lambda t: tf.einsum("ij,jk", np.ones((2, 2), np.int32), t(np.ones((2, 2)))),
        "no dilations": lambda t: tf.nn.conv3d(t(_floats(1, 3, 4, 3, 2)), _floats(2, 2, 2, 2, 1), [1] * 5, "VALID", dilations=[]),
        "a dilation of 0": lambda t: tf.nn.conv3d(t(_floats(1, 3, 4, 3, 2)), _floats(2, 2, 2, 2, 1), [1] * 5, "VALID", dilations=0),
        "cosines of a scalar": lambda t: tf.signal.dct(t(_floats())),
        "cosines of a scalar back": lambda t: tf.signal.idct(t(_floats())),
        "no axis of a grid": lambda t: tf.meshgrid(t(_floats(2)), None),
        "gamma of bfloat16": lambda t: raw.StatelessRandomGammaV2(shape=[3], seed=[1, 2], alpha=tf.cast(t(_floats()), tf.bfloat16)),
        "gamma by key of bfloat16": lambda t: tf.random.stateless_gamma([3], [1, 2], t(_floats()), dtype=tf.bfloat16),
        "plain gamma of bfloat16": lambda t: raw.RandomGamma(shape=[3], alpha=tf.cast(t(_floats()), tf.bfloat16)),
        "None in what an assertion shows": lambda t: tf.compat.v1.assert_less(t(x), -9.0, data=[None]) or t(x),
    })  # fmt: skip


def taken(tf: Any) -> Answers:
    image = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)
    return {
        "a pool's margins": lambda: tf.nn.pool(image, [2, 2], "MAX", padding=[[0, 0], [1, 0], [0, 1], [0, 0]]),
        "a table without a dtype": lambda: tf.math.confusion_matrix([0, 1, 1], [0, 0, 1], 3, dtype=None),
    }
