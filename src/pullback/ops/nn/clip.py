"""Keeping values and norms within bounds.  All of it is composed of other ops, which bring the gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from ...base.dtypes import DType, float32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import IndexedSlices, IntLike, NumberLike, Tensor
from ..array.basic import identity, ones_of
from ..array.join import STACK
from ..array.shape import size
from ..array.where import choose
from ..math.arithmetic import maximum, minimum, multiply
from ..math.division import truediv
from ..math.functions import rsqrt, sqrt
from ..math.saturate import restore_form, values_of
from ..primitives.cast import cast
from ..primitives.compare import greater
from ..reduce.reductions import reduce_sum
from .bias import L2_LOSS


@overload
def clip_by_norm(t: IndexedSlices, clip_norm: NumberLike, axes: Any = None, name: str | None = None) -> IndexedSlices: ...
@overload
def clip_by_norm(t: NumberLike, clip_norm: NumberLike, axes: Any = None, name: str | None = None) -> Tensor: ...
@export("clip_by_norm")
def clip_by_norm(t: Any, clip_norm: NumberLike, axes: IntLike | None = None, name: str | None = None) -> Tensor | IndexedSlices:
    """t scaled down so that its L2 norm is at most clip_norm: t clip_norm / max(norm, clip_norm).

    t: floating, or an IndexedSlices of floating values.  clip_norm: a scalar; negative counts as 0.  axes: the axes to take norms along,
    all when None.  The norm of zeros is 0 and so is its gradient.

    >>> [f"{v:.2f}" for v in tf.clip_by_norm([3.0, 4.0], 1.0).numpy()]
    ['0.60', '0.80']
    """
    with scope(name, "clip_by_norm") as full:
        values = values_of(t, "t")
        most: Any
        if np.isscalar(clip_norm):
            most = max(clip_norm, 0)  # type: ignore[type-var]  # a number, as isscalar has it
        else:
            most = cast(maximum(clip_norm, 0), values.dtype)
        squares = reduce_sum(values * values, axes, keepdims=True)
        is_positive = greater(squares, 0)
        norm = choose(is_positive, sqrt(choose(is_positive, squares, ones_of(squares))), squares)
        scaled = values * most
        values.shape.assert_is_compatible_with(scaled.shape)
        return restore_form(identity(truediv(scaled, maximum(norm, most)), full), t)


@export(v1="clip_by_average_norm")
def clip_by_average_norm(t: NumberLike, clip_norm: NumberLike, name: str | None = None) -> Tensor:
    """t scaled down so that its L2 norm divided by its number of elements is at most clip_norm.

    t: float32, as in TensorFlow.  clip_norm: a scalar.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.clip_by_average_norm([3.0, 4.0], 1.25)).round(4).tolist()
    [1.5, 2.0]
    """
    with scope(name, "clip_by_average_norm") as full:
        t = convert_to_tensor(t, name="t")
        inverse = rsqrt(reduce_sum(t * t))
        count = multiply(inverse, cast(size(t), float32))
        return identity(multiply(multiply(t, clip_norm), minimum(count, truediv(np.float32(1.0), clip_norm))), full)


def _list_tensors(t_list: Any) -> list[Any]:
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    return list(t_list)


@export("linalg.global_norm", v1="global_norm")
def global_norm(t_list: object, name: str | None = None) -> Tensor:
    """The L2 norm of all elements of several tensors together: sqrt(sum of squares).

    t_list: a sequence of floating tensors, IndexedSlices (their values count) and None (which does not).  Raises TypeError for what is
    no sequence.

    >>> tf.linalg.global_norm([tf.constant([3.0]), None, tf.constant([4.0])]).numpy().item()
    5.0
    """
    members = _list_tensors(t_list)
    with scope(name, "global_norm"):
        halves = [L2_LOSS(values_of(t, f"t_{i}")) for i, t in enumerate(members) if t is not None]
        half = reduce_sum(STACK(halves, axis=0, name="stack")) if halves else convert_to_tensor(0.0)
        return sqrt(half * convert_to_tensor(2.0, half.dtype), "global_norm")


@export("clip_by_global_norm")
def clip_by_global_norm(
    t_list: Sequence[NumberLike | IndexedSlices | None], clip_norm: NumberLike, use_norm: Any = None, name: str | None = None
) -> tuple[list[Tensor], Tensor]:
    """Several tensors scaled down alike so that their norm together is at most clip_norm; returns (the list, the norm).

    t_list: a sequence of floating tensors, IndexedSlices and None, which stays None.  clip_norm: a scalar.  use_norm: a norm to use in
    place of `global_norm(t_list)`.  Where the norm is infinite or NaN all values become NaN.  Raises TypeError for what is no sequence.

    >>> clipped, norm = tf.clip_by_global_norm([tf.constant([3.0]), tf.constant([4.0])], 1.0)
    >>> [f"{t.numpy()[0]:.2f}" for t in clipped], norm.numpy().item()
    (['0.60', '0.80'], 5.0)
    """
    members = _list_tensors(t_list)
    if use_norm is None:
        use_norm = global_norm(members, name)
    if isinstance(use_norm, (str, bytes, list, tuple, DType)):
        raise TypeError(f"clip_by_global_norm: `use_norm` is a scalar tensor, not {use_norm!r}")
    with scope(name, "clip_by_global_norm") as full:
        one = convert_to_tensor(1.0, dtype=use_norm.dtype)
        scale = clip_norm * minimum(one / use_norm, one / clip_norm)
        scale = scale + (use_norm - use_norm)  # NaN where the norm is not finite
        clipped: list[Any] = []
        for i, t in enumerate(members):
            if t is None:
                clipped.append(None)
            else:
                values = values_of(t, f"t_{i}")
                clipped.append(
                    restore_form(identity(multiply(values, cast(scale, values.dtype)), f"{full or 'clip_by_global_norm'}_{i}"), t)
                )
        return clipped, use_norm
