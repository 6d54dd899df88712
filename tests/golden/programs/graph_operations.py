"""All operations that functions of several put into a graph: names and types, in their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kit import Answers, raises

FACE = "v2"


def _operations(tf: Any, calls: dict[str, Callable[[], Any]]) -> Answers:
    def listed(call: Callable[[], Any]) -> list[str]:
        with tf.Graph().as_default() as graph:
            call()
            return [f"{op.name} {op.type}" for op in graph.get_operations()]

    return {label: lambda call=call: listed(call) for label, call in calls.items()}


def _input(tf: Any, dtype: Any = None) -> Callable[..., Any]:
    return lambda *shape: tf.compat.v1.placeholder(dtype or tf.float32, shape, name="x")


def reductions(tf: Any) -> Answers:
    x, flags = _input(tf), _input(tf, tf.bool)
    calls: dict[str, Callable[[], Any]] = {
        "of a scalar": lambda: tf.reduce_sum(x()), "mean of a scalar": lambda: tf.reduce_mean(x()), "of a list": lambda: tf.reduce_sum([x(2), x(2)]),
        "of a list along an axis": lambda: tf.reduce_sum([x(2), x(2)], 0), "of numbers": lambda: tf.reduce_sum([[1.0, 2.0]]),
        "of one number": lambda: tf.reduce_mean(1.0), "maximum of a list": lambda: tf.reduce_max([x(), x()]), "flags": lambda: tf.reduce_all(flags()),
        "of no known rank": lambda: tf.reduce_sum(tf.compat.v1.placeholder(tf.float32)), "deviation": lambda: tf.math.reduce_std(x()),
        "of a matrix": lambda: tf.reduce_sum(x(2, 3)), "variance": lambda: tf.math.reduce_variance(x(2)), "not zero": lambda: tf.math.count_nonzero(x(2)),
    }  # fmt: skip
    static = lambda call: lambda: _static(tf, call)
    shapes = {f"shape {label}": static(call) for label, call in calls.items() if label not in ("flags", "not zero")}
    return _operations(tf, calls) | shapes


def _static(tf: Any, call: Callable[[], Any]) -> Any:
    with tf.Graph().as_default():
        return call().shape


def operators(tf: Any) -> Answers:
    bits, flags = _input(tf, tf.int32), _input(tf, tf.bool)
    return _operations(tf, {
        "and": lambda: flags(2) & flags(2), "or": lambda: flags(2) | True, "xor": lambda: flags(2) ^ flags(2), "on the right": lambda: True & flags(2),
        "not": lambda: ~flags(2), "bits and": lambda: bits(2) & bits(2), "bits or": lambda: bits(2) | 3, "bits xor": lambda: bits(2) ^ bits(2),
        "bits not": lambda: ~bits(2),
    })  # fmt: skip


def of_arrays(tf: Any) -> Answers:
    x, bits = _input(tf), _input(tf, tf.int32)
    return _operations(tf, {
        "stack": lambda: tf.stack([x(), 2.0]), "stack along the last": lambda: tf.stack([x(2), [2.0, 3.0]], 1), "one joined": lambda: tf.concat([x(2)], 0),
        "hot": lambda: tf.one_hot(bits(2), 3), "hot values": lambda: tf.one_hot(bits(2), 3, 5.0, 7.0), "hot value": lambda: tf.one_hot(bits(2), 3, 5.0),
        "scaled": lambda: tf.math.scalar_mul(2.0, x(2)), "saturated": lambda: tf.saturate_cast(x(2), tf.uint8), "uniform": lambda: tf.random.uniform([]),
        "clipped": lambda: tf.clip_by_value(x(2), 0.0, 1.0), "split": lambda: tf.split(x(4), [1, 3]), "repeated": lambda: tf.tile(x(2), [2]),
        "hann": lambda: tf.signal.hann_window(4), "norm": lambda: tf.norm(x(2)), "chosen": lambda: tf.where(x(2) > 0.0, x(2), 0.0),
    })  # fmt: skip


def of_networks(tf: Any) -> Answers:
    x, bits = _input(tf), _input(tf, tf.int32)
    return _operations(tf, {
        "sigmoid loss": lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=x(2), logits=x(2)),
        "leaky": lambda: tf.nn.leaky_relu(bits(2)), "gelu": lambda: tf.nn.gelu(x(2)), "gelu by tanh": lambda: tf.nn.gelu(x(2), True),
        "mean pool": lambda: tf.nn.avg_pool(x(1, 4, 4, 1), 2, 2, "SAME"), "pool": lambda: tf.nn.max_pool2d(x(1, 4, 4, 1), 2, 2, "SAME"),
        "transpose": lambda: tf.nn.conv_transpose(x(1, 4, 4, 1), x(2, 2, 1, 1), [1, 8, 8, 1], 2), "dropout": lambda: tf.nn.dropout(x(2, 3), 0.5),
        "sequence": lambda: tf.nn.conv1d_transpose(x(1, 4, 1), x(2, 1, 1), [1, 8, 1], 2), "resize": lambda: tf.image.resize(x(1, 4, 4, 1), [2, 2]),
        "unit length": lambda: tf.nn.l2_normalize(x(2)), "embedding": lambda: tf.nn.embedding_lookup(x(4, 2), bits(2)),
    }) | {"moments of a list": raises(lambda: tf.nn.moments([1.0, 2.0], [0]), "'list' object has no attribute 'dtype'")}  # fmt: skip


def of_images(tf: Any) -> Answers:
    image, bytes_ = lambda: _input(tf)(4, 4, 1), lambda: _input(tf, tf.uint8)(4, 4, 1)
    calls = {
        "brighter": lambda: tf.image.adjust_brightness(image(), 0.1), "brighter bytes": lambda: tf.image.adjust_brightness(bytes_(), 0.1),
        "contrast": lambda: tf.image.adjust_contrast(image(), 2.0), "contrast of bytes": lambda: tf.image.adjust_contrast(bytes_(), 2.0),
        "gamma": lambda: tf.image.adjust_gamma(image(), 2.0), "to floats": lambda: tf.image.convert_image_dtype(bytes_(), tf.float32),
        "to bytes": lambda: tf.image.convert_image_dtype(image(), tf.uint8, saturate=True),
        "to more bits": lambda: tf.image.convert_image_dtype(bytes_(), tf.uint16), "to fewer": lambda: tf.image.convert_image_dtype(bytes_(), tf.int8),
    }  # fmt: skip
    return _operations(tf, calls)


def of_lists(tf: Any) -> Answers:
    x, words = _input(tf), _input(tf, tf.string)
    array = lambda: tf.TensorArray(tf.float32, 2)
    return _operations(tf, {
        "written": lambda: array().write(0, 1.0).write(1, 2.0).stack(), "rows": lambda: array().unstack(x(2, 3)).read(0),
        "gathered": lambda: array().unstack(x(2, 3)).gather([0]), "scattered": lambda: array().scatter([0, 1], x(2)).stack(),
        "ragged": lambda: tf.ragged.constant([[1, 2], [3]]), "ranges": lambda: tf.ragged.range([1, 2]),
        "words": lambda: tf.strings.lower(tf.RaggedTensor.from_row_splits(words(2), [0, 1, 2], validate=False)),
    })  # fmt: skip


def too_many_outputs(tf: Any) -> Answers:
    """More outputs than an operation may have, where the sizes are not known, too."""
    open_ = lambda: tf.compat.v1.placeholder(tf.float32, [None, 3])  # noqa: E731
    words = "Number of outputs is too big"
    calls = {
        "split": lambda: tf.split(open_(), 2**40), "split raw": lambda: tf.raw_ops.Split(axis=0, value=open_(), num_split=2**31),
        "unstacked": lambda: tf.unstack(open_(), 2**40), "parts": lambda: tf.dynamic_partition(open_(), [0, 1], 2**40),
        "uneven": lambda: tf.raw_ops.SplitV(value=open_(), size_splits=[1, 2], axis=1, num_split=2**40),
    }  # fmt: skip

    def in_graph(call: Callable[[], Any]) -> Any:
        with tf.Graph().as_default():
            return call()

    found = {label: raises(lambda call=call: in_graph(call), words) for label, call in calls.items()}
    return found | {"eagerly": raises(lambda: tf.split(tf.ones([4, 3]), 2**40), words)}
