"""Shapes that do not fit, operation by operation: what the shape functions refuse while a graph is built, and what only kernels refuse.

Each operation is called rightly once, and then with one array of another rank or length.  In functions shapes are known and values are not;
in graphs that are fed placeholders no dimension is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

FACE = "v2"
Array = np.ndarray[Any, Any]


def _floats(*shape: int) -> Array:
    return np.linspace(0.1, 0.9, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def _whole(values: Any, dtype: Any = np.int32) -> Array:
    return np.array(values, dtype)


_LABELS = _whole([[0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2]], np.int64)
_SIX, _IMAGE, _VOLUME = _whole([1, 2, 1, 0, 1, 2]), _floats(2, 3, 4, 3), _floats(2, 3, 2, 2, 3)
_VECTORS = {"scale": _floats(3), "offset": _floats(3), "mean": _floats(3), "variance": _floats(3)}
_RESERVED = {"scale": _floats(3), "reserve_space_1": _floats(3), "reserve_space_2": _floats(3)}
_BOXES = np.array([[0, 0, 0.5, 0.5], [0.1, 0.1, 0.9, 0.9], [0, 0, 1, 1]], np.float32)
_STEPS, _STEPS_3D = [1, 1, 1, 1], [1, 1, 1, 1, 1]

#: Arrays become tensors of which no value is known; lists are constants, and other values attributes.
CALLS: dict[str, dict[str, Any]] = {
    "CTCLoss": {
        "inputs": _floats(6, 3, 4), "labels_indices": _LABELS, "labels_values": _SIX, "sequence_length": _whole([6, 6, 6]),
    },
    "CTCGreedyDecoder": {"inputs": _floats(6, 3, 4), "sequence_length": _whole([6, 6, 6])},
    "CTCBeamSearchDecoder": {"inputs": _floats(6, 3, 4), "sequence_length": _whole([6, 6, 6]), "beam_width": 4, "top_paths": 1},
    "SparseTensorToCSRSparseMatrix": {"indices": _LABELS[:2], "values": _floats(2), "dense_shape": [3, 3]},
    "DenseToCSRSparseMatrix": {"dense_input": _floats(3, 3), "indices": _LABELS},
    "SparseMatrixZeros": {"dense_shape": [3, 3], "type": "float32"},
    "DenseBincount": {"input": _SIX, "size": 4, "weights": _floats(6)},
    "Bincount": {"arr": _SIX, "size": 4, "weights": _floats(6)},
    "FusedBatchNorm": {"x": _IMAGE, **_VECTORS, "is_training": False},
    "FusedBatchNormV3": {"x": _IMAGE, **_VECTORS, "is_training": False},
    "FusedBatchNormGrad": {"y_backprop": _IMAGE, "x": _IMAGE, **_RESERVED},
    "FusedBatchNormGradV3": {"y_backprop": _IMAGE, "x": _IMAGE, **_RESERVED, "reserve_space_3": _floats(0)},
    "RandomIndexShuffle": {"index": _whole([1, 2]), "seed": _whole([[1, 2, 3], [4, 5, 6]]), "max_index": _whole([5, 6]), "rounds": 4},
    "NonDeterministicInts": {"shape": [2, 3]},
    "ResizeBicubicGrad": {"grads": _floats(2, 6, 8, 3), "original_image": _IMAGE},
    "ResizeBilinearGrad": {"grads": _floats(2, 6, 8, 3), "original_image": _IMAGE},
    "ResizeBilinear": {"images": _IMAGE, "size": [6, 8]},
    "ResizeNearestNeighbor": {"images": _IMAGE, "size": [6, 8]},
    "ResizeNearestNeighborGrad": {"grads": _IMAGE, "size": [6, 8]},
    "ScaleAndTranslateGrad": {
        "grads": _floats(2, 6, 8, 3), "original_image": _IMAGE, "scale": [2.0, 2.0], "translation": [0.0, 0.0],
    },
    "CropAndResize": {"image": _IMAGE, "boxes": _BOXES, "box_ind": _whole([0, 1, 1]), "crop_size": [2, 2]},
    "CropAndResizeGradImage": {
        "grads": _floats(3, 2, 2, 3), "boxes": _BOXES, "box_ind": _whole([0, 1, 1]), "image_size": [2, 3, 4, 3], "T": "float32",
    },
    "CropAndResizeGradBoxes": {"grads": _floats(3, 2, 2, 3), "image": _IMAGE, "boxes": _BOXES, "box_ind": _whole([0, 1, 1])},
    "ImageProjectiveTransformV2": {
        "images": _IMAGE, "transforms": _floats(2, 8), "output_shape": [3, 4], "interpolation": "NEAREST",
    },
    "NonMaxSuppressionV3": {
        "boxes": _BOXES, "scores": _floats(3), "max_output_size": 2, "iou_threshold": 0.5, "score_threshold": 0.0,
    },
    "SparseFillEmptyRowsGrad": {"reverse_index_map": _whole([0, 1], np.int64), "grad_values": _floats(3)},
    "SparseSegmentSumGrad": {
        "grad": _floats(2, 3), "indices": _whole([0, 1, 2]), "segment_ids": _whole([0, 0, 1]), "output_dim0": 4,
    },
    "TensorListFromTensor": {"tensor": _floats(3, 2), "element_shape": [2]},
    "TensorListScatter": {"tensor": _floats(2, 2), "indices": _whole([2, 0]), "element_shape": [2]},
    "UniqueWithCountsV2": {"x": _SIX, "axis": _whole([0], np.int64)},
    "UniqueV2": {"x": _SIX, "axis": _whole([0], np.int64)},
    "ComputeAccidentalHits": {"true_classes": _LABELS, "sampled_candidates": _whole([0, 1, 5], np.int64), "num_true": 2},
    "MatrixDiagV2": {"diagonal": _floats(2, 3), "k": [-1, 0], "num_rows": 3, "num_cols": 3, "padding_value": 0.0},
    "MatrixDiagV3": {"diagonal": _floats(2, 3), "k": [-1, 0], "num_rows": 3, "num_cols": 3, "padding_value": 0.0},
    "MatrixSetDiagV2": {"input": _floats(3, 3), "diagonal": _floats(2, 3), "k": [-1, 0]},
    "MatrixSetDiagV3": {"input": _floats(3, 3), "diagonal": _floats(2, 3), "k": [-1, 0]},
    "BiasAdd": {"value": _floats(2, 3), "bias": _floats(3)},
    "BiasAddGrad": {"out_backprop": _floats(2, 3, 4), "data_format": "NCHW"},
    "CholeskyGrad": {"l": _floats(2, 3, 3), "grad": _floats(2, 3, 3)},
    "AvgPool": {"value": _IMAGE, "ksize": [1, 2, 2, 1], "strides": _STEPS, "padding": "SAME"},
    "AvgPoolGrad": {"orig_input_shape": [2, 3, 4, 3], "grad": _IMAGE, "ksize": [1, 2, 2, 1], "strides": _STEPS, "padding": "SAME"},
    "AvgPool3DGrad": {
        "orig_input_shape": [2, 3, 2, 2, 3], "grad": _VOLUME, "ksize": [1, 2, 2, 2, 1], "strides": _STEPS_3D, "padding": "SAME",
    },
    "MaxPoolGrad": {"orig_input": _IMAGE, "orig_output": _IMAGE, "grad": _IMAGE, "ksize": _STEPS, "strides": _STEPS, "padding": "SAME"},
    "Conv2DBackpropInput": {
        "input_sizes": [2, 3, 4, 3], "filter": _floats(2, 2, 3, 3), "out_backprop": _IMAGE, "strides": _STEPS, "padding": "SAME",
    },
    "Conv2DBackpropFilter": {
        "input": _IMAGE, "filter_sizes": [2, 2, 3, 3], "out_backprop": _IMAGE, "strides": _STEPS, "padding": "SAME",
    },
    "Conv3DBackpropInputV2": {
        "input_sizes": [2, 3, 2, 2, 3], "filter": _floats(2, 2, 2, 3, 3), "out_backprop": _VOLUME, "strides": _STEPS_3D, "padding": "SAME",
    },
    "Conv3DBackpropFilterV2": {
        "input": _VOLUME, "filter_sizes": [2, 2, 2, 3, 3], "out_backprop": _VOLUME, "strides": _STEPS_3D, "padding": "SAME",
    },
    "DepthwiseConv2dNativeBackpropInput": {
        "input_sizes": [2, 3, 4, 3], "filter": _floats(2, 2, 3, 1), "out_backprop": _IMAGE, "strides": _STEPS, "padding": "SAME",
    },
    "DepthwiseConv2dNativeBackpropFilter": {
        "input": _IMAGE, "filter_sizes": [2, 2, 3, 1], "out_backprop": _IMAGE, "strides": _STEPS, "padding": "SAME",
    },
}  # fmt: skip


#: Where TensorFlow reads beyond what there is, takes gradients of other images, or ends its process.
_UNGUARDED = {
    "Bincount": ("arr of a rank more", "weights of a rank more"),
    "ResizeBicubicGrad": ("longer",),
    "ResizeBilinearGrad": ("longer",),
    "ScaleAndTranslateGrad": ("longer",),
    "TensorListScatter": ("indices of a rank more",),
    "AvgPoolGrad": ("grad longer",),
    "AvgPool3DGrad": ("grad longer",),
    "SparseMatrixZeros": ("right", "longer"),
    "Conv2DBackpropInput": ("out_backprop longer along 1", "out_backprop longer along 2", "filter nothing"),
    "Conv2DBackpropFilter": ("input", "out_backprop"),
    "Conv3DBackpropInputV2": ("filter", "out_backprop"),
    "Conv3DBackpropFilterV2": ("input", "out_backprop"),
    "DepthwiseConv2dNativeBackpropInput": ("filter", "out_backprop"),
    "DepthwiseConv2dNativeBackpropFilter": ("input", "out_backprop"),
}
#: Whose shape functions refuse every open dimension.
_CLOSED = (
    "SparseTensorToCSRSparseMatrix", "DenseToCSRSparseMatrix", "RandomIndexShuffle",
    "MatrixDiagV2", "MatrixDiagV3", "MatrixSetDiagV2", "MatrixSetDiagV3",
)  # fmt: skip
#: Sizes that are inputs of their operations, and constants here.
_SIZES = ("size", "max_output_size", "output_dim0", "num_rows", "num_cols", "padding_value", "iou_threshold", "score_threshold")
_LISTS_OF_ATTRIBUTES = ("ksize", "strides")
_DTYPES = ("T", "type")


def _spoiled(name: str, x: Any) -> Iterator[tuple[str, Any]]:
    """One input with other shapes; a constant stays a constant."""
    if name in _LISTS_OF_ATTRIBUTES or (not isinstance(x, (np.ndarray, list)) and name not in _SIZES):
        return
    array = np.asarray(x)
    constant = not isinstance(x, np.ndarray)
    found = {"of a rank more": array[None]}
    if array.ndim:
        found["of a rank less"] = array[0] if array.size else np.zeros(array.shape[1:], array.dtype)
    if array.ndim > 1:
        found["a scalar"] = array.ravel()[0]
    for axis in range(array.ndim):
        if array.shape[axis]:
            found[f"longer along {axis}"] = np.concatenate([array, np.take(array, [0], axis)], axis)
    if name == "output_dim0" or (name.endswith(("sizes", "shape")) and name != "output_shape"):
        found["below zero"] = array * 0 - 2
    for words, wrong in found.items():
        yield f"{name} {words}", wrong.tolist() if constant else wrong


def _calls(tf: Any, among: Iterable[str]) -> Iterator[tuple[str, Any, dict[str, Array], dict[str, Any]]]:
    """Labels, and for each the operation, the arrays that become tensors, and what else it is given."""
    for op in among:
        given = CALLS[op]
        every = [("right", given), *((words, {**given, name: x}) for name in given for words, x in _spoiled(name, given[name]))]
        for words, call in every:
            if not any(left in words for left in _UNGUARDED.get(op, ())):
                arrays = {name: x for name, x in call.items() if isinstance(x, (np.ndarray, np.generic))}
                rest = {name: getattr(tf, x) if name in _DTYPES else x for name, x in call.items() if name not in arrays}
                yield f"{op}: {words}", getattr(tf.raw_ops, op), arrays, rest


def _answer(call: Callable[[], Any]) -> str:
    try:
        call()
    except Exception as e:
        return type(e).__name__
    return "taken"


def attributes(tf: Any) -> dict[str, Any]:
    """Attributes below their least value or beyond 32 bits, steps and axes: eagerly, and in a function."""
    raw, classes, image, square = tf.raw_ops, np.ones((2, 2), np.int64), np.ones((1, 5, 5, 2), np.float32), np.ones((2, 2), np.float32)
    sampled = {"true_classes": classes, "num_true": 2, "num_sampled": 2, "unique": True}

    def dilate(strides: list[int], rates: list[int]) -> Any:
        return raw.Dilation2D(input=image, filter=np.ones((2, 3, 2), np.float32), strides=strides, rates=rates, padding="SAME")

    def keyed(**other: Any) -> Any:
        given = {"shape": [3], "key": np.array([1], np.uint64), "counter": np.array([1, 2], np.uint64), "alg": 1}
        return raw.StatelessRandomUniformV2(**given | other)

    def normalize(**options: Any) -> Any:
        nothing, ones = np.ones(0, np.float32), np.ones(2, np.float32)
        return raw.FusedBatchNorm(x=image, scale=ones, offset=ones, mean=nothing, variance=nothing, **options)

    calls = {
        "few sampled": lambda: raw.UniformCandidateSampler(**{**sampled, "num_sampled": -1}, range_max=5),
        "no true": lambda: raw.LearnedUnigramCandidateSampler(**{**sampled, "num_true": 0}, range_max=5),
        "no range": lambda: raw.ThreadUnsafeUnigramCandidateSampler(**sampled, range_max=0),
        "no beams": lambda: raw.CTCBeamSearchDecoder(inputs=_floats(6, 3, 4), sequence_length=[6, 6, 6], beam_width=0, top_paths=1),
        "no optional": lambda: raw.OptionalFromValue(components=[]),
        "a step over images": lambda: dilate([2, 1, 1, 1], [1, 1, 1, 1]),
        "a step back over images": lambda: dilate([-1, 2, 3, 1], [1, 1, 1, 1]),
        "no step": lambda: dilate([1, 0, 1, 1], [1, 1, 1, 1]),
        "a rate over images": lambda: dilate([1, 1, 1, 1], [2, 1, 1, 1]),
        "too few steps": lambda: dilate([1, 1, 1], [1, 1, 1, 1]),
        "windows of nothing": lambda: tf.nn.avg_pool2d(image, 0, 2, "VALID"),
        "windows of less than nothing": lambda: tf.nn.avg_pool(np.ones((2, 3, 4, 3, 2), np.float32), -100, 2, "SAME", "NDHWC"),
        "too far": lambda: tf.nn.max_pool(image, 2, 2**40, "SAME"),
        "too many": lambda: tf.math.in_top_k([0], square[:1], 2**40),
        "blocks too large": lambda: tf.nn.space_to_depth(image, 2**40),
        "layout": lambda: raw.AvgPoolGrad(
            orig_input_shape=[1, 5, 5, 2], grad=image, ksize=_STEPS, strides=_STEPS, padding="SAME", data_format="bogus"
        ),
        "padding": lambda: raw.AvgPoolGrad(orig_input_shape=[1, 5, 5, 2], grad=image, ksize=_STEPS, strides=_STEPS, padding="bogus"),
        "mirror": lambda: raw.MirrorPadGrad(input=square, paddings=[[0, 0], [0, 0]], mode="bogus"),
        "statistics that are not read": lambda: normalize(is_training=True),
        "statistics that are averaged": lambda: normalize(is_training=True, exponential_avg_factor=0.5),
        "broadcast": lambda: raw.BroadcastGradientArgs(s0=np.array([2, 3, 4], np.int32), s1=np.array([2, 2], np.int32)),
        "broadcast sizes": lambda: raw.BroadcastArgs(s0=np.array([2, 3, 4], np.int32), s1=np.array([2, 2], np.int32)),
        "a diagonal too long": lambda: raw.MatrixSetDiag(input=_floats(2, 3), diagonal=_floats(3)),
        "diagonals of other batches": lambda: raw.MatrixSetDiag(input=_floats(2, 2, 3), diagonal=_floats(3, 2)),
        "slices along two axes": lambda: raw.UniqueV2(x=square, axis=np.array([0, 1])),
        "slices along none": lambda: raw.UniqueV2(x=square, axis=np.zeros(0, np.int64)),
        "a bias of float64": lambda: tf.nn.bias_add(tf.constant(square), tf.constant([1.0, 2.0], tf.float64)),
        "a bias of words": lambda: tf.compat.v1.nn.xw_plus_b(tf.constant(square), tf.constant(square), tf.constant(["a", "b"])),
        "an axis out of range": lambda: tf.nn.softmax_cross_entropy_with_logits(square, square, axis=-100),
        "half an axis": lambda: tf.nn.softmax(square, axis=1.5),
        "no filter": lambda: tf.image.ssim(np.ones((2, 6, 6, 2), np.float32), np.ones((2, 6, 6, 2), np.float32), 1.0, filter_size=-1),
        "two kinds of images": lambda: tf.image.ssim(tf.ones([6, 6, 2]), tf.ones([6, 6, 2], tf.int32), 1.0, filter_size=3),
        "paddings below zero": lambda: raw.SpaceToBatchND(input=_floats(1, 4, 4, 1), block_shape=[2, 2], paddings=[[0, 0], [-2, 0]]),
        "no shapes": lambda: raw.ConcatOffset(concat_dim=1, shape=[]),
        "channels below zero": lambda: tf.image.decode_bmp(b"", -1),
        "channels below zero of a PNG": lambda: tf.image.decode_png(b"", -1),
        "four channels": lambda: tf.image.rgb_to_grayscale(_floats(2, 3, 4, 4)),
        "ragged rows of a number": lambda: raw.RaggedTensorToVariant(
            rt_nested_splits=[[0, 2, 3, 5]], rt_dense_values=np.float32(1), batched_input=False
        ),
        "splits of rank 2": lambda: raw.RaggedTensorToVariant(
            rt_nested_splits=[[[0, 2]]], rt_dense_values=np.ones(3, np.float32), batched_input=False
        ),
        "a window of no sizes": lambda: raw.AvgPool3DGrad(
            orig_input_shape=[2, 3, 2, 2, 3], grad=_VOLUME, ksize=[], strides=_STEPS_3D, padding="SAME"
        ),
        "a step too few": lambda: raw.AvgPoolGrad(
            orig_input_shape=[2, 3, 4, 3], grad=_IMAGE, ksize=_STEPS, strides=[1] * 3, padding="SAME"
        ),
        "a blank that is a word": lambda: tf.nn.ctc_greedy_decoder(_floats(6, 3, 4), [6, 6, 6], False, "bogus"),
        "an order that is a number": lambda: tf.nn.conv1d_transpose(_floats(2, 3, 3), _floats(3, 2, 3), [2, 6, 2], 2, data_format=99),
        "a key that is a number": lambda: keyed(key=np.uint64(1)),
        "two keys": lambda: keyed(key=np.array([1, 2], np.uint64)),
        "a counter that is a number": lambda: keyed(counter=np.uint64(1)),
        "a list of algorithms": lambda: keyed(alg=[1]),
        "a matrix of sizes": lambda: keyed(shape=[[3]]),
        "a size below -1": lambda: keyed(shape=[-2]),
        "a key that is a number, for whole numbers": lambda: raw.StatelessRandomUniformIntV2(
            shape=[3], key=np.uint64(1), counter=np.array([1, 2], np.uint64), alg=1, minval=0, maxval=5
        ),
        "a seed of three": lambda: raw.StatelessMultinomial(logits=square, num_samples=2, seed=[1, 2, 3]),
        "samples below zero": lambda: raw.StatelessMultinomial(logits=square, num_samples=-2, seed=[1, 2]),
        "one weight for a matrix": lambda: raw.DenseCountSparseOutput(values=classes, weights=np.float32(1), binary_output=False),
        "weights of another shape": lambda: raw.DenseCountSparseOutput(values=classes, weights=_floats(2, 3), binary_output=False),
        "a list of rows": lambda: raw.SparseSegmentSumGradV2(grad=square, indices=[0, 1, 2], segment_ids=[0, 0, 1], dense_output_dim0=[4]),
        "pixels of uint8": lambda: raw.CropAndResizeGradImage(
            grads=_floats(1, 2, 2, 3), boxes=_BOXES[:1], box_ind=[0], image_size=[1, 3, 3, 3], T=tf.uint8
        ),
        "weights of a unit that are a vector": lambda: raw.GRUBlockCell(
            x=square, h_prev=_floats(2, 3), w_ru=_floats(6), w_c=_floats(5, 3), b_ru=_floats(6), b_c=_floats(3)
        ),
        "words for scores": lambda: tf.math.in_top_k([0], np.array([["a", "b"]], object), 1),
        "labels of rank 3": lambda: tf.nn.ctc_unique_labels(np.ones((1, 3, 3), np.int32)),
        "an order in bytes": lambda: tf.nn.max_pool2d(image, 1, 1, "SAME", b"NHWC"),
        "an order in bytes, of any rank": lambda: tf.nn.avg_pool(image, 1, 1, "SAME", b"x"),
        "a number for an order, of any rank": lambda: tf.nn.max_pool(image, 1, 1, "SAME", 3),
        "an order in bytes of a convolution": lambda: tf.nn.convolution(image, _floats(2, 2, 2, 1), 1, "SAME", b"NHWC"),
        "a word in bytes for an order": lambda: tf.nn.convolution(image, _floats(2, 2, 2, 1), 1, "SAME", b"x"),
        "diagonals of a rank more": lambda: tf.raw_ops.MatrixSetDiagV2(input=square, diagonal=_floats(1, 1, 2, 2), k=0),
        "a matrix of words": lambda: tf.linalg.expm(tf.constant([["a"]])),
        "a seed that is a dtype": lambda: tf.nn.compute_accidental_hits(classes, classes[0], 2, seed=tf.complex64),
        "a ragged list of fractions for whole numbers": lambda: raw.Bincount(arr=[[1.0, 2.0], [3.0]], size=5, weights=square),
        "a ragged list of fractions for words": lambda: raw.StringSplit(input=[[1.0, 2.0], [3.0]], delimiter=""),
        "a ragged list of fractions": lambda: raw.Bincount(arr=[1, 2], size=5, weights=[[1.0, 2.0], [3.0]]),
    }
    open_matrix = [tf.TensorSpec([None, None], tf.float32)]
    found = {label: lambda call=call: _answer(call) for label, call in calls.items()}
    found |= {f"{label}, in a function": lambda call=call: _answer(tf.function(call, autograph=False)) for label, call in calls.items()}
    statistics = tf.function(lambda x: tf.nn.sufficient_statistics(x, [])[:3], open_matrix)
    return found | {"statistics along no axes": lambda: [x.numpy() for x in statistics(square)]}


def in_functions(tf: Any) -> dict[str, Any]:
    def run(op: Any, arrays: dict[str, Array], rest: dict[str, Any]) -> Any:
        call = tf.function(lambda *tensors: op(**dict(zip(arrays, tensors, strict=True)), **rest), autograph=False)
        return call(*map(tf.constant, arrays.values()))

    return {label: lambda call=call: _answer(lambda: run(*call)) for label, *call in _calls(tf, CALLS)}


def in_graphs(tf: Any) -> dict[str, Any]:
    def run(op: Any, arrays: dict[str, Array], rest: dict[str, Any]) -> Any:
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            fed = {name: tf.compat.v1.placeholder(x.dtype, [None] * x.ndim) for name, x in arrays.items()}
            flat = tf.nest.flatten(op(**fed, **rest))
            fetches = [x.op if x.dtype == tf.variant else x for x in flat]
            return session.run(fetches, {fed[name]: x for name, x in arrays.items()})

    return {label: lambda call=call: _answer(lambda: run(*call)) for label, *call in _calls(tf, [op for op in CALLS if op not in _CLOSED])}
