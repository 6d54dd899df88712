"""`Dimension` objects where TensorFlow takes tensors, shapes and numbers, in graphs and eagerly."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import either, raises, run_all

FACE = "v1"
X = np.arange(12, dtype=np.float32).reshape(3, 4)


def calls(tf: Any, x: Any, /) -> dict[str, Callable[[], Any]]:
    """Calls whose results are tensors; `x` is a tensor of shape (3, 4)."""
    three, four = x.shape.dims
    return {
        "zeros": lambda: tf.zeros([three, 5]),
        "zeros of one": lambda: tf.zeros(three),
        "ones": lambda: tf.ones((2, four), tf.int32),
        "fill": lambda: tf.fill([three, 2], 7.0),
        "reshape": lambda: tf.reshape(x, [four, three]),
        "reshape to a product": lambda: tf.reshape(x, [three * four]),
        "reshape with minus one": lambda: tf.reshape(x, [-1, three]),
        "reshape beside a tensor": lambda: tf.reshape(x, [tf.shape(x)[1], three]),
        "range": lambda: tf.range(three),
        "range from": lambda: tf.range(1, four),
        "range with a step": lambda: tf.range(0, four, tf.constant(2)),
        "stack": lambda: tf.stack([three, four, 1]),
        "stack with tensors": lambda: tf.stack([three, tf.constant(5)]),
        "concat": lambda: tf.concat([[three], [four]], 0),
        "tile": lambda: tf.tile([[1.0, 2.0]], [three, 1]),
        "cast": lambda: tf.cast(three, tf.float32),
        "to_float": lambda: tf.to_float(four),
        "cast of a list": lambda: tf.cast([three, four], tf.float64),
        "constant of a list": lambda: tf.constant([three, four, 2]),
        "constant int64": lambda: tf.constant(three, tf.int64),
        "constant with shape": lambda: tf.constant(1.0, shape=[three, 2]),
        "convert": lambda: tf.convert_to_tensor(four),
        "convert int64": lambda: tf.convert_to_tensor(four, tf.int64),
        "convert a list": lambda: tf.convert_to_tensor([three, 2]),
        "convert a shape": lambda: tf.convert_to_tensor(x.shape),
        "convert a shape int64": lambda: tf.convert_to_tensor(x.shape, tf.int64),
        "identity of a shape": lambda: tf.identity(x.shape),
        "identity": lambda: tf.identity(three),
        "tensor times": lambda: tf.constant(2) * three,
        "times tensor": lambda: three * tf.constant(2),
        "tensor plus": lambda: tf.constant(2) + three,
        "plus tensor": lambda: three + tf.constant(2),
        "tensor minus": lambda: tf.constant(2) - three,
        "minus tensor": lambda: three - tf.constant(2),
        "tensor over": lambda: tf.constant(7) // three,
        "tensor modulo": lambda: tf.constant(7) % three,
        "tensor divided": lambda: tf.constant(7) / three,
        "int64 tensor times": lambda: tf.constant(2, tf.int64) * three,
        "multiply": lambda: tf.multiply(three, four),
        "add": lambda: tf.add(tf.constant([1, 2]), three),
        "less": lambda: tf.constant(2) < three,
        "tf.less": lambda: tf.less(three, four),
        "equal": lambda: tf.equal(tf.constant(3), three),
        "maximum": lambda: tf.maximum(three, tf.constant(1)),
        "one_hot": lambda: tf.one_hot([0, 2], three),
        "slice": lambda: tf.slice(x, [0, 0], [three - 1, 2]),
        "getitem": lambda: x[: three - 1],
        "getitem of one": lambda: x[three - 1],
        "getitem with a step": lambda: x[:, 0 : four : tf.Dimension(2)],
        "strided_slice": lambda: tf.strided_slice(x, [0, 0], [three, four], [1, 2]),
        "pad": lambda: tf.pad([1.0], [[three, 1]]),
        "split": lambda: tf.split(x, four, 1)[1],
        "split by sizes": lambda: tf.split(x, [three, 1], 1)[0],
        "linspace": lambda: tf.linspace(0.0, 1.0, three),
        "broadcast_to": lambda: tf.broadcast_to(1.0, [three, 2]),
        "top_k": lambda: tf.nn.top_k(x, three).values,
        "sequence_mask": lambda: tf.sequence_mask([1, 2], three),
        "scatter_nd": lambda: tf.scatter_nd([[1]], [5.0], [three]),
        "unstack": lambda: tf.unstack(x, three)[1],
        "gather": lambda: tf.gather(x, three - 1),
        "roll": lambda: tf.roll(x, three, 1),
        "expand_dims": lambda: tf.expand_dims(x, three - 1),
        "matrix_band_part": lambda: tf.matrix_band_part(x, three - 2, 0),
        "random_uniform": lambda: tf.shape(tf.random_uniform([three, 2])),
        "random_normal": lambda: tf.shape(tf.random_normal(shape=[four])),
        "truncated_normal": lambda: tf.shape(tf.truncated_normal([2, four])),
        "random of a shape": lambda: tf.shape(tf.random_normal(x.shape)),
        "while_loop": lambda: tf.while_loop(lambda i, s: i < three, lambda i, s: (i + 1, s * 2), [tf.constant(0), tf.constant(1)]),
        "space_to_depth": lambda: tf.space_to_depth(tf.reshape(tf.range(4), [1, 2, 2, 1]), three - 1),
        "where": lambda: tf.where(tf.constant([True, False]), [three, 1], [2, four]),
        "reduce_sum": lambda: tf.reduce_sum([three, four]),
        "mean by hand": lambda: tf.reduce_sum(x) / tf.cast(three * four, tf.float32),
        "ones_like": lambda: tf.ones_like([three, four]),
        "unsorted_segment_sum": lambda: tf.unsorted_segment_sum(x, [0, 1, 0], four),
        "bincount": lambda: tf.math.bincount([0, 1, 1], minlength=four),
        "meshgrid": lambda: tf.meshgrid(tf.range(three), tf.range(2))[0],
        "reduce_max axis": lambda: tf.reduce_max(x, axis=three - 2),
    }


def in_graphs(tf: Any) -> dict[str, Any]:
    def answer(label: str) -> Any:
        return either(lambda: run_all(tf, tf.nest.flatten(calls(tf, tf.constant(X))[label]())))

    return {label: answer(label) for label in calls(tf, tf.constant(X))}


def static(tf: Any) -> dict[str, Any]:
    x = tf.placeholder(tf.float32, [None, 4])
    unknown, four = x.shape.dims
    return {
        "placeholder": lambda: tf.placeholder(tf.float32, [None, four]).shape,
        "placeholder unknown": lambda: tf.placeholder(tf.float32, [unknown, four]).shape,
        "zeros": lambda: tf.zeros([four, 2]).shape,
        "get_variable": lambda: tf.get_variable("v", [four, 3]).shape,
        "variable": lambda: tf.Variable(tf.zeros([four])).shape,
        "reshape": lambda: tf.reshape(x, [-1, four * 2]).shape,
        "reshape to a stack": lambda: tf.reshape(x, tf.stack([tf.shape(x)[0], four])).shape,
        "set_shape": lambda: (x.set_shape([5, four]), x.shape)[1],
        "ensure_shape": lambda: tf.ensure_shape(x, [None, four]).shape,
        "shape of shapes": lambda: tf.TensorShape([four, None, 2]),
        "concatenate": lambda: tf.TensorShape([four]).concatenate([four, 1]),
    }


def numbers(tf: Any) -> dict[str, Any]:
    d = tf.Dimension(4)
    return {
        "int": lambda: int(d),
        "range": lambda: list(range(d)),
        "list": lambda: [0] * d,
        "numpy shape": lambda: np.zeros([d, 2]).shape,
        "numpy reshape": lambda: np.arange(8).reshape(2, d).shape,
        "value": lambda: d.value,
        "times int": lambda: str(d * 2),
        "int times": lambda: str(2 * d),
        "minus": lambda: str(10 - d),
        "over": lambda: str(d // 3),
        "reversed over": lambda: str(9 // d),
        "modulo": lambda: str(d % 3),
        "plus none": lambda: str(d + None),
        "equal": lambda: d == 4,
        "equal none": lambda: d == None,  # noqa: E711
        "less": lambda: d < 5,
        "compare unknown": lambda: tf.Dimension(None) < 5,
        "repr": lambda: repr(d),
        "str unknown": lambda: str(tf.Dimension(None)),
        "hash": raises(lambda: hash(tf.Dimension(4)), "unhashable"),
        "index": lambda: [1, 2, 3, 4, 5][d],
        "dimension of dimension": lambda: tf.Dimension(d).value,
        "dimension of numpy": lambda: tf.Dimension(np.int64(3)).value,
        "dimension_value": lambda: tf.dimension_value(d),
        "of text": raises(lambda: tf.Dimension("3"), "__index__"),
        "sqrt": lambda: math.sqrt(d),
    }


def refused(tf: Any) -> dict[str, Any]:
    unknown, d = tf.Dimension(None), tf.Dimension(4)
    return {
        "zeros": either(lambda: tf.zeros([unknown, 2]).shape),
        "convert": raises(lambda: tf.convert_to_tensor(unknown), "unknown Dimension"),
        "convert a list": raises(lambda: tf.convert_to_tensor([unknown, 2])),
        "convert to float": raises(lambda: tf.convert_to_tensor(d, tf.float32), "float32"),
        "convert a shape": raises(lambda: tf.convert_to_tensor(tf.TensorShape([2, None])), "partially known"),
        "convert a shape to float": raises(lambda: tf.convert_to_tensor(tf.TensorShape([2]), tf.float32), "float32"),
        "convert an unknown shape": raises(lambda: tf.convert_to_tensor(tf.TensorShape(None))),
        "float tensor times": raises(lambda: tf.constant(2.0) * d),
        "range": raises(lambda: tf.range(unknown)),
        "reshape": raises(lambda: tf.reshape(tf.zeros([4]), [unknown])),
        "int": raises(lambda: int(unknown)),
        "divided": raises(lambda: d / 2, "//"),
        "divides": raises(lambda: 2 / d, "//"),
        "divided by a tensor": raises(lambda: d / tf.constant(2)),
        "times float": raises(lambda: d * 2.0),
        "of a float": raises(lambda: tf.Dimension(2.5)),
        "of a negative": raises(lambda: tf.Dimension(-1)),
        "float": raises(lambda: tf.constant(d, tf.float32)),
    }


def attributes(tf: Any) -> dict[str, Any]:
    """Sizes that operations take as Python numbers."""
    x = tf.constant(np.arange(32, dtype=np.float32).reshape(1, 4, 4, 2))
    two, four = x.shape.dims[3], x.shape.dims[1]
    one = tf.Dimension(1)
    calls = {
        "max_pool": lambda: tf.nn.max_pool(x, [1, four, four, 1], [1, 1, 1, 1], "VALID"),
        "avg_pool": lambda: tf.nn.avg_pool(x, [1, two, 2, 1], [1, two, two, 1], "VALID"),
        "conv2d": lambda: tf.nn.conv2d(x, tf.ones([2, 2, two, 3]), strides=[1, two, two, 1], padding="SAME"),
        "conv2d dilations": lambda: tf.nn.conv2d(x, tf.ones([2, 2, two, 1]), [1, 1, 1, 1], "VALID", dilations=[1, two, two, 1]),
        "depth_to_space": lambda: tf.depth_to_space(tf.reshape(x, [1, 2, 4, 4]), two),
        "lrn": lambda: tf.nn.lrn(x, depth_radius=two),
        "one_hot axis": lambda: tf.one_hot([1, 0], 3, axis=one),
        "concat axis": lambda: tf.concat([[[1]], [[2]]], one),
        "cumsum axis": lambda: tf.cumsum([[1, 2], [3, 4]], one),
        "reduce axes": lambda: tf.reduce_sum(x, [one, two]),
        "squeeze": lambda: tf.squeeze([[1], [2]], [one]),
        "gather axis": lambda: tf.gather(x, 1, axis=two),
        "extract": lambda: tf.image.extract_image_patches(x, [1, two, two, 1], [1, two, two, 1], [1, 1, 1, 1], "VALID"),
        "resize": lambda: tf.image.resize_bilinear(x, [two, four]),
        "crop": lambda: tf.image.resize_image_with_crop_or_pad(x, two, two),
        "batch_to_space": lambda: tf.batch_to_space(tf.ones([4, 1, 1, 1]), [[0, 0], [0, 0]], two),
        "dropout noise": lambda: tf.shape(tf.nn.dropout(x, 0.5, noise_shape=[one, four, 1, 1])),
        "l2_normalize": lambda: tf.nn.l2_normalize(x, one),
        "moments": lambda: tf.nn.moments(x, [one, two])[0],
        "softmax": lambda: tf.nn.softmax(x, tf.Dimension(3)),  # of another axis TensorFlow's arithmetic fails
        "softmax dim": lambda: tf.nn.softmax(x, dim=tf.Dimension(3)),
        "log_softmax": lambda: tf.nn.log_softmax(x, tf.Dimension(3)),
        "cross-entropy": lambda: tf.nn.softmax_cross_entropy_with_logits_v2(labels=x, logits=x, axis=one),
        "reverse": lambda: tf.reverse(x, [one]),
        "embedding": lambda: tf.nn.embedding_lookup(tf.ones([four, 2]), [one]),
        "confusion": lambda: tf.confusion_matrix([1, 0], [1, 1], num_classes=two),
        "histogram": lambda: tf.histogram_fixed_width([1.0, 2.0], [0.0, 3.0], nbins=two),
        "top_k": lambda: tf.nn.in_top_k([[1.0, 2.0]], [1], one),
        "xavier": lambda: tf.shape(tf.glorot_uniform_initializer()([two, four])),
        "variance": lambda: tf.shape(tf.variance_scaling_initializer()([two, four])),
        "zeros_initializer": lambda: tf.zeros_initializer()([two, four]),
        "constant_initializer": lambda: tf.constant_initializer(2.0)([two]),
        "multinomial": lambda: tf.shape(tf.multinomial([[1.0, 2.0]], four)),
        "array": lambda: tf.TensorArray(tf.float32, size=two).unstack([1.0, 2.0]).stack(),
        "print": lambda: tf.Print(x, [two])[0, 0, 0, 0],
        "assert_equal": lambda: tf.identity(1.0) if tf.assert_equal(tf.shape(x)[1], four) is None else tf.identity(1.0),
        "clip": lambda: tf.clip_by_value([1, 5], one, two),
        "squared": lambda: tf.square(two),
        "get_variable": lambda: tf.get_variable("w", [two, four], initializer=tf.ones_initializer()),
        "map_fn": lambda: tf.map_fn(lambda i: i * two, tf.range(two)),
        "cond": lambda: tf.cond(tf.constant(2) > one, lambda: two * tf.constant(1), lambda: tf.constant(5)),
        "python cond": lambda: tf.constant(1.0 if four > two else 0.0),
        "sequence": lambda: tf.reduce_sum(tf.sequence_mask([1, 2], four, tf.float32)),
    }
    return {label: either(lambda call=call: run_all(tf, tf.nest.flatten(call()))) for label, call in calls.items()}


def older_shapes(tf: Any) -> dict[str, Any]:
    """What is made of shapes whose elements are `Dimension` objects, as they were before TensorFlow 2."""

    def older(call: Callable[[], Any]) -> Callable[[], Any]:
        def answer() -> Any:
            tf.disable_v2_tensorshape()
            try:
                with tf.Graph().as_default():
                    return run_all(tf, tf.nest.flatten(call()))
            finally:
                tf.enable_v2_tensorshape()

        return answer

    def x() -> Any:
        return tf.constant(np.arange(6, dtype=np.float32).reshape(2, 3))

    d = tf.distributions
    calls = {
        "zeros": lambda: tf.zeros([x().shape[1], 2]),
        "reshape": lambda: tf.reshape(x(), [-1, x().shape[0]]),
        "variable": lambda: tf.get_variable("w", [x().shape[1], 2], initializer=tf.ones_initializer()),
        "loop": lambda: tf.while_loop(lambda i: i < x().shape[1], lambda i: i + x().shape[0], [0]),
        "Categorical": lambda: [d.Categorical(logits=x()).log_prob([0, 1]), d.Categorical(probs=[0.25, 0.75]).entropy()],
        "Categorical, draws": lambda: tf.shape(d.Categorical(logits=x()).sample(4)),
        "Categorical, divergence": lambda: d.kl_divergence(d.Categorical(logits=x()), d.Categorical(logits=x() * 2.0)),
        "Dirichlet": lambda: [d.Dirichlet(x() + 1.0).mean(), d.Dirichlet([1.0, 2.0, 3.0]).entropy()],
        "Multinomial": lambda: d.Multinomial(4.0, probs=[0.25, 0.75]).log_prob([1.0, 3.0]),
        "DirichletMultinomial": lambda: d.DirichletMultinomial(4.0, [1.0, 2.0]).mean(),
        "Normal": lambda: d.Normal(x(), 1.0).log_prob(0.0),
        "losses": lambda: tf.losses.absolute_difference(x(), x() * 2.0, weights=tf.ones([x().shape[0], 1])),
        "metrics": lambda: tf.nn.in_top_k(x(), [0, 1], x().shape[0]),
        "resize": lambda: tf.image.resize_images(tf.ones([1, 2, 2, 1]), [x().shape[0], x().shape[1]]),
        "transposed convolution": lambda: tf.nn.conv2d_transpose(
            tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1]), [1, x().shape[0] * 2, x().shape[0] * 2, 1], [1, 2, 2, 1]
        ),
    }
    return {label: older(call) for label, call in calls.items()}
