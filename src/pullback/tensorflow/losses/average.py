"""Losses averaged over the examples of a batch."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import float32, int32
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.op import is_known
from ...ir.tensor import IntLike, Tensor
from ...ops.array.basic import reshape, shape_of
from ...ops.array.create import ones
from ...ops.array.join import concat
from ...ops.array.shape import expand_dims, rank, squeeze
from ...ops.math.division import divide_no_nan
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, greater, logical_and
from ...ops.reduce.reductions import reduce_sum


@export("nn.compute_average_loss")
def compute_average_loss(per_example_loss: Any, sample_weight: Any = None, global_batch_size: IntLike | None = None) -> Tensor:
    """The sum of the losses of examples, each times its weight, over the number of examples.

    per_example_loss: rank 1 or more.  sample_weight: broadcast against it; weights are applied in float32, as TensorFlow does.
    global_batch_size: a non-negative integer, the number of examples where this is one part of a batch; the first size of
    per_example_loss when None; 0 gives 0.  Raises ValueError for a scalar loss and a negative number, TypeError for a broken one.

    >>> tf.nn.compute_average_loss([1.0, 2.0, 3.0], global_batch_size=4).numpy().item()
    1.5
    """
    loss = convert_to_tensor(per_example_loss)
    if loss.dims == ():
        raise ValueError(
            "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1. "
            f"Received per_example_loss={per_example_loss} with rank 0"
        )
    dtype = loss.dtype
    if sample_weight is not None:
        loss = cast(_weigh_losses(cast(loss, float32), cast(convert_to_tensor(sample_weight), float32)), dtype)
    count = convert_to_tensor(shape_of(loss)[0] if global_batch_size is None else global_batch_size)
    if count.dims != ():
        raise ValueError(f"global_batch_size must be scalar. Received: {global_batch_size}")
    if not count.dtype.is_integer:
        raise TypeError(f"global_batch_size must be an integer. Received: {global_batch_size}")
    if is_known(count.constant) and int(count.constant) < 0:
        raise InvalidArgumentError(None, None, f"global_batch_size must be non-negative. Received: {global_batch_size}")
    return divide_no_nan(reduce_sum(loss), cast(count, dtype))


def _weigh_losses(losses: Any, weights: Any) -> Any:
    """The product; weights of one rank more lose a last axis of size 1, those of one less get one."""
    ranks = [None if t.dims is None else len(t.dims) for t in (losses, weights)]
    if None not in ranks and ranks[1]:
        if ranks[1] == ranks[0] + 1 and weights.dims[-1] == 1:  # type: ignore[operator]  # known
            weights = squeeze(weights, [-1])
        elif ranks[0] == ranks[1] + 1:
            weights = expand_dims(weights, -1)
    elif ranks[1] != 0:
        weights = reshape(weights, _compute_fitting_shape(rank(losses), rank(weights), shape_of(weights)))
    return losses * weights


def _compute_fitting_shape(of_losses: Tensor, of_weights: Tensor, sizes: Tensor) -> Tensor:
    """The shape of weights that go with losses, of ranks that only a run knows."""
    less = cast(equal(of_weights, of_losses + 1), int32)
    more = cast(logical_and(equal(of_losses, of_weights + 1), greater(of_weights, 0)), int32)
    return concat([sizes[: of_weights - less], ones([more], int32)], 0)


@export("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: Any) -> Tensor:
    """The sum of a regularisation loss, divided by the number of replicas, which is one here.

    >>> tf.nn.scale_regularization_loss([1.0, 2.0]).numpy().item()
    3.0
    """
    return reduce_sum(regularization_loss) / 1
