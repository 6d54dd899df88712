"""Running maxima and minima along one axis, `Cummax` and `Cummin`, which TensorFlow has not; an exclusive run begins with the limit.

The cotangent of a stretch of equal results goes to the element that began it, the first of equals: a sum from the end of the stretch, by
`LinearRecurrence`, which starts again at every element that is new.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, REAL
from ...base.export import export
from ...ir.op import OPS, Op, define
from ...ir.tensor import IntLike, NumberLike, Tensor
from ..array.basic import ZEROS_LIKE
from ..array.type_rules import invalid_argument
from ..batching import shift_axes
from ..lowering import scan as native_scan
from ..primitives.cast import cast
from .reductions import limits
from .scan import RECURRENCE, _bring_axis_first, _put_axis_back, _scan_type

Array = np.ndarray[Any, Any]


def _kernel(accumulate: Callable[[Array], Array], least: int) -> Callable[..., Array]:
    def kernel(x: Array, axis: Array, *, exclusive: bool = False, reverse: bool = False) -> Array:
        if not x.ndim:
            raise invalid_argument("a scalar has no axis to run along")
        run = _bring_axis_first(x, axis, reverse)
        if exclusive:
            first = np.full((min(len(run), 1), *run.shape[1:]), limits(x.dtype)[least], x.dtype)
            run = np.concatenate([first, run[:-1]])
        return _put_axis_back(accumulate(run), axis, reverse)

    return kernel


def _rule(name: str, beyond: str) -> Callable[..., Any]:
    def pull_back(g: Any, x: Any, axis: Any, exclusive: bool, reverse: bool) -> Any:
        before = OPS[name](x, axis, exclusive=True, reverse=reverse)
        new = cast(OPS[beyond].call(x, before), g.dtype)
        same = 1.0 - new
        if exclusive:  # each result is the inclusive one of the place before
            g = RECURRENCE(ZEROS_LIKE.call(g), g, axis, reverse=not reverse)
        return new * (g + RECURRENCE(same, same * g, axis, reverse=not reverse))

    return pull_back


def _define(name: str, accumulate: Callable[[Array], Array], least: int, beyond: str) -> Op:
    return define(
        name, "x axis:Tidx", _scan_type, _kernel(accumulate, least), {"x": _rule(name, beyond)}, dtypes={"T": REAL, "Tidx": INDEX},
        holomorphic=False, batch=shift_axes("axis"), lower=native_scan.scan(name.removeprefix("Cum")),
    )  # fmt: skip


CUMMAX = _define("Cummax", lambda run: np.maximum.accumulate(run), 0, "Greater")
CUMMIN = _define("Cummin", lambda run: np.minimum.accumulate(run), 1, "Less")


@export(ours="cumulative_max")
def cumulative_max(x: NumberLike, axis: IntLike = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """The greatest element so far along `axis`; not in TensorFlow.

    x: floating or integers, rank 1 or more.  exclusive: of the elements before each one; the dtype's least value (-inf) where there are
    none.  reverse: from the end.  Gradient: to the first of equals.  Raises InvalidArgumentError (in graphs ValueError) for an axis that is
    not there.

    >>> tf.cumulative_max([1, 3, 2, 5]).numpy().tolist(), tf.cumulative_max([1, 3, 2, 5], reverse=True).numpy().tolist()
    ([1, 3, 3, 5], [5, 5, 5, 5])
    """
    return CUMMAX(x, axis, exclusive=exclusive, reverse=reverse, name=name)


@export(ours="cumulative_min")
def cumulative_min(x: NumberLike, axis: IntLike = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """The least element so far along `axis`; arguments, gradient and errors as `cumulative_max`.

    >>> tf.cumulative_min([[2.0, 1.0, 3.0]], axis=1).numpy().tolist()
    [[2.0, 1.0, 1.0]]
    """
    return CUMMIN(x, axis, exclusive=exclusive, reverse=reverse, name=name)
