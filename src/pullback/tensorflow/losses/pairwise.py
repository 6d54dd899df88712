"""TensorFlow 1's loss of pairs of errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import float32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly, scope as name_scope
from ...ir.tensor import Tensor, TensorLike
from ...ops.array.basic import ones_of, zeros_of
from ...ops.array.create import range as range_
from ...ops.array.shape import rank, size
from ...ops.array.where import where
from ...ops.math.arithmetic import maximum, multiply, square
from ...ops.math.division import divide_no_nan
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import greater, not_equal
from ...ops.reduce.reductions import reduce_sum
from .v1 import LOSSES, add_loss


@export(v1="losses.mean_pairwise_squared_error")
def mean_pairwise_squared_error(
    labels: Any, predictions: Any, weights: TensorLike = 1.0, scope: str | None = None, loss_collection: str | None = LOSSES
) -> Tensor:
    """The mean over pairs of elements of one example of (difference of predictions - difference of labels)**2, summed over examples.

    labels, predictions: of one shape, the first axis being examples; computed in float32.  weights: a scalar, or one for each example with
    as many axes as the predictions.  The loss is added to `loss_collection`.  Raises ValueError for shapes that differ.

    >>> tf.compat.v1.losses.mean_pairwise_squared_error([[0.0, 0.0]], [[1.0, 3.0]]).numpy()  # only differences between errors count
    np.float32(4.0)
    """
    if labels is None or predictions is None:
        raise ValueError(f"Argument `{'labels' if labels is None else 'predictions'}` must not be None.")
    with name_scope(scope, "mean_pairwise_squared_error"):
        labels, predictions, weights = (cast(convert_to_tensor(t), float32) for t in (labels, predictions, weights))
        if not predictions.shape.is_compatible_with(labels.shape):
            raise ValueError(f"Shapes {predictions.shape} and {labels.shape} are incompatible")
        away = predictions - labels
        axes = np.arange(1, len(away.dims), dtype=np.int32) if away.dims is not None else range_(1, rank(away))
        present = reduce_sum(multiply(ones_of(away), cast(not_equal(weights, 0.0), float32)), axes, keepdims=True)
        if executing_eagerly() and weights.dims == () and bool(weights.numpy()):
            present = cast(size(away), float32)  # TensorFlow counts the whole batch here, eagerly only
        squares, total = reduce_sum(square(away), axes, keepdims=True), reduce_sum(away, axes, keepdims=True)
        first = divide_no_nan(squares, maximum(present - 1.0, 0.0))
        second = divide_no_nan(square(total), maximum(present * (present - 1.0), 0.0))
        loss = reduce_sum(multiply(2.0 * first - 2.0 * second, weights))
        loss = where(greater(reduce_sum(present), 0.0), loss, zeros_of(loss))
        add_loss(loss, loss_collection)
        return loss
