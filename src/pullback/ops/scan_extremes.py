"""Running maxima and minima along one axis, `Cummax` and `Cummin`, which TensorFlow has not; an exclusive run begins with the limit.

The cotangent of a stretch of equal results goes to the element that began it, the first of equals: a sum from the end of the stretch, by
`LinearRecurrence`, which starts again at every element that is new.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtypes import INDEX, REAL
from ..ir.op import OPS, Op, define
from ..ir.operators import METHODS
from . import native_scan
from .array_types import invalid
from .reduce import limits
from .rows import shifted
from .scan import RECURRENCE, _along, _back, _scan_type

Array = np.ndarray[Any, Any]


def _kernel(accumulate: Callable[[Array], Array], least: int) -> Callable[..., Array]:
    def kernel(x: Array, axis: Array, *, exclusive: bool = False, reverse: bool = False) -> Array:
        if not x.ndim:
            raise invalid("a scalar has no axis to run along")
        run = _along(x, axis, reverse)
        if exclusive:
            first = np.full((min(len(run), 1), *run.shape[1:]), limits(x.dtype)[least], x.dtype)
            run = np.concatenate([first, run[:-1]])
        return _back(accumulate(run), axis, reverse)

    return kernel


def _rule(name: str, beyond: str) -> Callable[..., Any]:
    def back(g: Any, x: Any, axis: Any, exclusive: bool, reverse: bool) -> Any:
        before = OPS[name](x, axis, exclusive=True, reverse=reverse)
        new = METHODS["cast"](OPS[beyond].call(x, before), g.dtype)
        same = 1.0 - new
        if exclusive:  # each result is the inclusive one of the place before
            g = RECURRENCE(OPS["ZerosLike"].call(g), g, axis, reverse=not reverse)
        return new * (g + RECURRENCE(same, same * g, axis, reverse=not reverse))

    return back


def _define(name: str, accumulate: Callable[[Array], Array], least: int, beyond: str) -> Op:
    return define(
        name, "x axis:Tidx", _scan_type, _kernel(accumulate, least), {"x": _rule(name, beyond)}, dtypes={"T": REAL, "Tidx": INDEX},
        holomorphic=False, batch=shifted("axis"), lower=native_scan.scan(name.removeprefix("Cum")),
    )  # fmt: skip


CUMMAX = _define("Cummax", lambda run: np.maximum.accumulate(run), 0, "Greater")
CUMMIN = _define("Cummin", lambda run: np.minimum.accumulate(run), 1, "Less")
