"""Names and types of all operations that functions of several operations add to a graph, and names of what metrics and averages give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .graph_names import _made
from .kit import Answers

FACE = "v1"


def _x(tf: Any, *shape: int | None) -> Any:
    return tf.placeholder(tf.float32, shape or (3, 4), name="x")


def _each(tf: Any, made: dict[str, Callable[[], Any]]) -> Answers:
    return {name: lambda make=make: _made(tf, make) for name, make in made.items()}


def results(tf: Any) -> Answers:
    """What functions of several operations give has TensorFlow's name, though the steps are fewer."""
    image = lambda *shape, dtype=tf.float32: tf.placeholder(dtype, shape)  # noqa: E731
    calls: dict[str, Callable[[], Any]] = {
        "eye": lambda: tf.eye(2),
        "eye, not square": lambda: tf.eye(2, 3),
        "eye of one size twice": lambda: tf.eye(2, 2),
        "eye with a name": lambda: tf.eye(2, name="mine"),
        "linspace": lambda: tf.linspace(0.0, 1.0, 3),
        "linspace with a name": lambda: tf.linspace(0.0, 1.0, 3, name="mine"),
        "repeat": lambda: tf.repeat([1], 2),
        "repeat with a name": lambda: tf.repeat([1, 2], [1, 2], name="mine"),
        "histogram": lambda: tf.histogram_fixed_width([1.0], [0.0, 1.0]),
        "histogram with a name": lambda: tf.histogram_fixed_width([1.0], [0.0, 1.0], name="mine"),
        "expm": lambda: tf.linalg.expm(tf.ones([2, 2])),
        "pinv": lambda: tf.linalg.pinv(tf.eye(2)),
        "convolution": lambda: tf.nn.convolution(image(1, 2, 2, 1), tf.ones([1, 1, 1, 1]), "SAME"),
        "convolution of rows": lambda: tf.nn.convolution(image(1, 2, 1), tf.ones([1, 1, 1]), "SAME"),
        "convolution with a name": lambda: tf.nn.convolution(image(1, 2, 2, 2, 1), tf.ones([1, 1, 1, 1, 1]), "SAME", name="mine"),
        "standardized image": lambda: tf.image.per_image_standardization(image(2, 2, 1)),
        "grey image": lambda: tf.image.rgb_to_grayscale(image(2, 2, 3)),
        "grey image of bytes": lambda: tf.image.rgb_to_grayscale(image(2, 2, 3, dtype=tf.uint8), name="mine"),
        "image as floats": lambda: tf.image.convert_image_dtype(image(2, 2, 1, dtype=tf.uint8), tf.float32),
        "image as bytes": lambda: tf.image.convert_image_dtype(image(2, 2, 1), tf.uint8),
        "image as doubles": lambda: tf.image.convert_image_dtype(image(2, 2, 1), tf.float64, name="mine"),
        "random window": lambda: tf.random_crop(image(4, 4), [2, 2]),
    }

    def name(call: Callable[[], Any]) -> str:
        with tf.Graph().as_default():
            return str(call().name)

    return {label: lambda call=call: name(call) for label, call in calls.items()}


def operators(tf: Any) -> Answers:
    """Numbers beside a tensor, and square brackets: their constants belong to the operation."""
    return _each(
        tf,
        {
            "x / number": lambda: _x(tf) / 2.0,
            "number / x": lambda: 2.0 / _x(tf),
            "integers": lambda: tf.constant([4, 2], name="c") / 2,
            "twice": lambda: _x(tf) / 2.0 / 3.0,
            "x // number": lambda: _x(tf) // 2.0,
            "x - number": lambda: 1.0 - _x(tf),
            "x ** number": lambda: _x(tf) ** 2,
            "row": lambda: _x(tf)[0],
            "column": lambda: _x(tf)[:, 1],
            "rows": lambda: _x(tf)[1:][::-1],
            "new axis": lambda: _x(tf)[..., None],
            "by a tensor": lambda: _x(tf)[tf.constant(1, name="i")],
            "size": lambda: tf.shape(_x(tf, None, 4))[0],
        },
    )


def shapes(tf: Any) -> Answers:
    """A shape that is known is a constant of the operation's name; lists with tensors in them are packed beneath the operation."""
    size = lambda: tf.shape(_x(tf, None, 4))[0]
    return _each(
        tf,
        {
            "shape": lambda: tf.shape(_x(tf)),
            "shape that is not known": lambda: tf.shape(_x(tf, None, 4)),
            "size": lambda: tf.size(_x(tf)),
            "rank": lambda: tf.rank(_x(tf)),
            "rank of a list": lambda: tf.rank(_x(tf, None, None)),
            "with a name": lambda: tf.shape(_x(tf), name="mine"),
            "reshape": lambda: tf.reshape(_x(tf, None, 4), [size(), 2, 2]),
            "tile": lambda: tf.tile(_x(tf), [1, size()]),
            "fill": lambda: tf.fill([size(), 2], 1.0),
            "zeros": lambda: tf.zeros([size(), 2]),
            "many zeros": lambda: tf.zeros([100, 100]),
            "transpose": lambda: tf.transpose(tf.placeholder(tf.float32, None, name="x")),
            "matrix_transpose": lambda: tf.matrix_transpose(_x(tf)),
            "adjoint": lambda: tf.linalg.adjoint(_x(tf)),
        },
    )


def layers(tf: Any) -> Answers:
    """Functions of neural networks and of linear algebra."""
    images, sequences = lambda: _x(tf, 2, 5, 5, 3), lambda: _x(tf, 2, 5, 3)
    labels = lambda: tf.placeholder(tf.int32, [3], name="labels")
    return _each(
        tf,
        {
            "batch_normalization": lambda: tf.nn.batch_normalization(_x(tf), _x(tf, 4), _x(tf, 4), _x(tf, 4), _x(tf, 4), 1e-3),
            "sufficient_statistics": lambda: tf.nn.sufficient_statistics(_x(tf), [0]),
            "dropout": lambda: tf.nn.dropout(_x(tf), rate=0.5),
            "conv1d": lambda: tf.nn.conv1d(sequences(), _x(tf, 2, 3, 4), 1, "SAME"),
            "max_pool1d": lambda: tf.nn.max_pool1d(sequences(), 2, 2, "SAME"),
            "crelu": lambda: tf.nn.crelu(_x(tf)),
            "sparse softmax cross-entropy": lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels(), logits=_x(tf)),
            "in_top_k": lambda: tf.nn.in_top_k(_x(tf), labels(), 1),
            "erosion2d": lambda: tf.nn.erosion2d(images(), _x(tf, 2, 2, 3), [1] * 4, [1] * 4, "SAME"),
            "global_norm": lambda: tf.global_norm([_x(tf), _x(tf)]),
            "norm": lambda: tf.norm(_x(tf)),
            "diag": lambda: tf.matrix_diag(_x(tf)),
            "diag_part": lambda: tf.matrix_diag_part(_x(tf)),
            "trace": lambda: tf.trace(_x(tf)),
            "band_part": lambda: tf.matrix_band_part(_x(tf), -1, 0),
            "logdet": lambda: tf.linalg.logdet(_x(tf, 3, 3)),
            "sparse tensor": lambda: tf.SparseTensor([[0, 0]], [1.0], [2, 2]),
        },
    )


def fetched(tf: Any) -> Answers:
    """What programs fetch by name: a metric's value and its update, the fraction of zeros, an average's update."""
    truth, guess = lambda: tf.constant([0, 1, 1]), lambda: tf.constant([0, 1, 0])
    share, ranks = lambda: tf.constant([0.1, 0.9, 0.6]), lambda: tf.constant([[0.1, 0.9], [0.8, 0.2], [0.7, 0.3]])
    classes = lambda: tf.constant([[0], [1], [1]], tf.int64)
    metrics: dict[str, Callable[[Any], Any]] = {
        "mean": lambda m: m.mean([1.0, 2.0]),
        "mean_tensor": lambda m: m.mean_tensor([1.0, 2.0]),
        "accuracy": lambda m: m.accuracy(truth(), guess()),
        "accuracy with a name": lambda m: m.accuracy(truth(), guess(), name="acc"),
        "precision": lambda m: m.precision(truth(), guess()),
        "recall": lambda m: m.recall(truth(), guess()),
        "auc": lambda m: m.auc(truth(), share()),
        "precision_at_thresholds": lambda m: m.precision_at_thresholds(truth(), share(), [0.5]),
        "sensitivity_at_specificity": lambda m: m.sensitivity_at_specificity(truth(), share(), 0.5),
        "mean_per_class_accuracy": lambda m: m.mean_per_class_accuracy(truth(), guess(), 2),
        "recall_at_k": lambda m: m.recall_at_k(classes(), ranks(), 1),
        "average_precision_at_k": lambda m: m.average_precision_at_k(classes(), ranks(), 1),
        "percentage_below": lambda m: m.percentage_below(share(), 0.5),
    }

    def names(make: Callable[[Any], Any]) -> list[str]:
        with tf.Graph().as_default():
            return [str(part.name) for part in make(tf.metrics)]

    def average() -> list[str]:
        w = tf.get_variable("w", [2], use_resource=False)
        tf.train.ExponentialMovingAverage(0.9).apply([w])
        return [op.name for op in tf.get_default_graph().get_operations() if op.type == "AssignSub"]

    found: Answers = {name: lambda make=make: names(make) for name, make in metrics.items()}
    return found | {
        "zero_fraction": lambda: _of_graph(tf, lambda: tf.nn.zero_fraction(_x(tf)).name),
        "moving average": lambda: _of_graph(tf, average),
        "colocation of Adam's": lambda: _of_graph(tf, lambda: _colocated(tf)),
    }


def _of_graph(tf: Any, make: Callable[[], Any]) -> Any:
    with tf.Graph().as_default():
        return make()


def _colocated(tf: Any) -> list[Any]:
    w = tf.get_variable("w", [2], use_resource=False)
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(w * w))
    return [
        [op.name, [group.decode() for group in op.colocation_groups()]]
        for op in tf.get_default_graph().get_operations()
        if "power" in op.name
    ]
