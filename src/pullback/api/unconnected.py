"""What to answer for a source that no differentiable path reaches."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from ..base.export import export
from ..ops.array.basic import zeros_of

if TYPE_CHECKING:
    from .source_types import Unconnected


@export("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """None, or zeros of the source's shape and dtype.

    >>> import pullback as tf
    >>> x, z = tf.Variable(3.0), tf.Variable([1.0, 2.0])
    >>> with tf.GradientTape(persistent=True) as tape:
    ...     y = x * x
    >>> print(tape.gradient(y, z))
    None
    >>> tape.gradient(y, z, unconnected_gradients=tf.UnconnectedGradients.ZERO).numpy()
    array([0., 0.], dtype=float32)
    """

    NONE = "none"
    ZERO = "zero"


@export("AggregationMethod")
class AggregationMethod:
    """How the cotangents of one tensor are summed: one AddN, or pairwise.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     x = tf.constant(3.0)
    ...     print(sess.run(tf.gradients(x * x + x, x, aggregation_method=tf.AggregationMethod.ADD_N)[0]))
    7.0
    """

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def unconnected(option: Unconnected) -> UnconnectedGradients:
    """`option` as the enum; a ValueError for anything but 'none' and 'zero'."""
    if type(option) is UnconnectedGradients:
        return option
    try:
        return UnconnectedGradients(option)
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {option!r}; it may be 'none' or 'zero'") from None


def filled(option: UnconnectedGradients, gradient: object, source: object) -> Any:
    """`gradient`, or what stands for a missing one."""
    return zeros_of(source) if gradient is None and option is UnconnectedGradients.ZERO else gradient
