"""What TensorFlow 1's metrics share: sums over batches in local variables, and labels, predictions and weights made to fit."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...api.names import GraphKeys
from ...api.variable import Variable
from ...ir.apply import convert_to_tensor
from ...ir.context import current, executing_eagerly
from ...ops.array.basic import identity
from ...ops.array.create import zeros
from ...ops.array.shape import expand_dims, squeeze
from ...ops.math.arithmetic import maximum
from ...ops.math.division import divide_no_nan
from ..losses.weights import require_broadcastable

if TYPE_CHECKING:
    from ...ir.tensor import Tensor

if TYPE_CHECKING:
    from ...ir.tensor import Tensor

Value = Callable[..., Any]


def refuse_eager(name: str) -> None:
    """A RuntimeError outside graphs, whose collections alone hold the sums."""
    if executing_eagerly():
        raise RuntimeError(f"tf.metrics.{name} is not supported when eager execution is enabled.")


def metric_variable(shape: Any, dtype: Any, name: str) -> Variable:
    """A local variable of zeros that holds a sum."""
    kept = [GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES]
    return Variable(lambda: zeros(shape, dtype), trainable=False, collections=kept, name=name, first_version=True)


def collect(collections: Iterable[Hashable] | None, value: Tensor) -> None:
    """Put a value into the graph's collections, where there are any to put it in."""
    graph = current().graph
    for key in collections or ():
        if graph is not None:
            graph.add_to_collection(key, value)


def read_sum(total: Any, name: str) -> Any:
    """A metric that is the sum itself: its value is read through an Identity, its update is what was written."""
    return identity(total) if name == "value" else total


def stream_value(
    added: Mapping[str, Any], value: Value, metrics_collections: Iterable[Hashable] | None, updates_collections: Iterable[Hashable] | None,
    names: tuple[str, str] = ("value", "update_op"),
) -> tuple[Any, Any]:  # fmt: skip
    """The value over all batches and the operation that adds one, called `names`: `value` of variables that sum up what is `added`."""
    sums = {name: metric_variable(part.shape.as_list(), part.dtype, name) for name, part in added.items()}
    now = value(*(convert_to_tensor(total) for total in sums.values()), name=names[0])
    updated = value(*(convert_to_tensor(total.assign_add(added[name])) for name, total in sums.items()), name=names[1])
    collect(metrics_collections, now)
    collect(updates_collections, updated)
    return now, updated


def squeeze_last(a: Any, b: Any) -> tuple[Any, Any]:
    """Two tensors of which the one of rank one more loses a last axis of size 1."""
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    if a.dims is not None and b.dims is not None:
        if len(a.dims) == len(b.dims) + 1 and a.dims[-1] in (1, None):
            a = squeeze(a, [-1])
        elif len(b.dims) == len(a.dims) + 1 and b.dims[-1] in (1, None):
            b = squeeze(b, [-1])
    return a, b


def match_shapes(labels: Any, predictions: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Labels and predictions of one shape, a ValueError where theirs are not, and weights that broadcast to it."""
    labels, predictions = squeeze_last(labels, predictions)
    if not labels.shape.is_compatible_with(predictions.shape):
        raise ValueError(f"Shapes {predictions.shape} and {labels.shape} are incompatible")
    return labels, predictions, fit_weights(weights, predictions)


def fit_weights(weights: Any, values: Any) -> Any:
    """Weights with an axis more or less where `values` have that; refused where they do not broadcast."""
    if weights is None:
        return None
    weights = convert_to_tensor(weights)
    if weights.dims is None or values.dims is None or not weights.dims:
        return weights
    if len(weights.dims) == len(values.dims) + 1:
        weights = squeeze(weights, [-1])
    elif len(weights.dims) + 1 == len(values.dims):
        weights = expand_dims(weights, -1)
    require_broadcastable(weights, values)
    return weights


def ratio(total: Tensor, count: Tensor, name: str | None = None) -> Tensor:
    """total / count, 0 where count is."""
    return divide_no_nan(total, maximum(count, 0.0), name)
