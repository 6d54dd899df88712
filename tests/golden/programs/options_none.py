"""None in the place of an option that has a default: TensorFlow's functions take it for the default."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


def products(tf: Any) -> Answers:
    a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    found: Answers = {}
    for kind, x in (("matrix", a), ("stack", tf.stack([a, a + 1.0]))):
        for option in ("transpose_a", "adjoint_a", "a_is_sparse", "output_type", "grad_a", "grad_b"):
            found[f"{option} of a {kind}"] = lambda x=x, option=option: tf.matmul(x, x, **{option: None})
            found[f"{option} of a {kind} in a function"] = lambda x=x, option=option: tf.function(lambda: tf.matmul(x, x, **{option: None}))()
        found[f"the other one of a {kind}"] = lambda x=x: tf.matmul(x, x, transpose_a=None, transpose_b=True)
    return found | {
        "a number for a flag of a matrix": raises(lambda: tf.matmul(a, a, transpose_b=1), "transpose_b"),
        "a number for a flag of a stack": lambda: tf.matmul(a[None], a[None], transpose_b=1),
        "vector": lambda: [tf.linalg.matvec(a, a[0], transpose_a=None), tf.linalg.matvec(a, a[0], adjoint_a=None)],
        "raw": lambda: tf.raw_ops.MatMul(a=a, b=a, transpose_a=None, transpose_b=True, grad_a=None),
        "raw in a function": lambda: tf.function(lambda: tf.raw_ops.MatMul(a=a, b=a, transpose_a=None))(),
        "raw with a word": raises(lambda: tf.raw_ops.MatMul(a=a, b=a, transpose_a="yes"), "transpose_a"),
        "raw stack": lambda: tf.raw_ops.BatchMatMulV2(x=a[None], y=a[None], adj_x=None),
    }


def others(tf: Any) -> Answers:
    x, f = tf.reshape(tf.range(32.0), [1, 4, 4, 2]), tf.ones([2, 2, 2, 3])
    found: Answers = {
        f"{option} of a convolution": lambda option=option: tf.conv(x, f, [1] * 4, "SAME", **{option: None})
        for option in ("explicit_paddings", "data_format", "dilations", "batch_dims", "groups")
    }
    return found | {
        "hint": lambda: tf.raw_ops.Conv2D(input=x, filter=f, strides=[1] * 4, padding="SAME", use_cudnn_on_gpu=None),
        "gather": lambda: tf.gather_nd([1.0, 2.0], [[1]], bad_indices_policy=None),
        "scatter": lambda: tf.scatter_nd([[1]], [1.0], [3], bad_indices_policy=None),
        "add": lambda: tf.tensor_scatter_nd_add([1.0, 2.0], [[1]], [1.0], bad_indices_policy=None),
        "padding": raises(lambda: tf.conv(x, f, [1] * 4, None), "padding"),
    }
