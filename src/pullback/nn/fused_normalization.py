"""Batch normalisation as one operation."""

from __future__ import annotations

import numpy as np

from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.tensor import NumberLike, Tensor
from ..ops.nn.batch_norm import FUSED_BATCH_NORM

_LEAST_EPSILON = 1.001e-5  # what the cuDNN library accepts; TensorFlow raises smaller ones to it everywhere


@export(v1="nn.fused_batch_norm")
def fused_batch_norm(
    x: NumberLike,
    scale: NumberLike,
    offset: NumberLike,
    mean: NumberLike | None = None,
    variance: NumberLike | None = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
    exponential_avg_factor: float = 1.0,
) -> tuple[Tensor, Tensor, Tensor]:
    """Batch normalisation of images over batch, height and width: the result, and the mean and variance to keep.

    x: rank 4.  mean, variance: the moving ones; they normalise when not `is_training`, and with an `exponential_avg_factor` below 1
    they are mixed into the ones returned.  The variance returned is unbiased.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     y, mean, _ = tf1.nn.fused_batch_norm(tf1.reshape(tf1.range(4.0), [1, 2, 2, 1]), [1.0], [0.0])
    ...     session.run(mean).tolist()
    [1.5]
    """
    if (not is_training or exponential_avg_factor != 1.0) and (mean is None or variance is None):
        raise ValueError(
            "Both `mean` and `variance` must be a 1D tensor when `is_training` is False or `exponential_avg_factor` != 1.0. "
            f"Received: `mean` {mean!r} and `variance` {variance!r}"
        )
    x = convert_to_tensor(x, name="input")
    scale = convert_to_tensor(scale, name="scale")
    nothing = np.zeros(0, scale.dtype.base_dtype.numpy_dtype)
    outputs = FUSED_BATCH_NORM(
        x,
        scale,
        convert_to_tensor(offset, name="offset"),
        convert_to_tensor(nothing if mean is None else mean, scale.dtype),
        convert_to_tensor(nothing if variance is None else variance, scale.dtype),
        epsilon=max(epsilon, _LEAST_EPSILON),
        exponential_avg_factor=exponential_avg_factor,
        data_format=data_format,
        is_training=is_training,
        name=name,
    )
    return outputs[0], outputs[1], outputs[2]
