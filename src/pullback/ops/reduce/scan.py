"""Running sums, products and log-sum-exps along one axis, and the linear recurrence their gradients are made of.

A running product's gradient divides nowhere, so it is right where elements are zero.  With E the product before each element,

    d/dx_k sum_i g_i prod_(j<=i) x_j  =  E_k (g_k + R_k),   R_k = x_(k+1) (g_(k+1) + R_(k+1))

and R is one backward run of `LinearRecurrence`, an op that is closed under its own gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOATING, INDEX, NUMERIC
from ...base.export import export
from ...ir.composite import takes_composites
from ...ir.op import Op, Traits, define
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorType
from ...kernels import blocked
from ..array.basic import ZEROS_LIKE
from ..array.type_rules import invalid_argument
from ..array.where import where
from ..batching import shift_axes
from ..lowering import scan as native_scan
from ..lowering.reduce import is_narrow
from ..math.arithmetic import TERMS
from ..math.functions import exp
from ..primitives.compare import equal

Array = np.ndarray[Any, Any]


def _scan_type(x: Any, axis: Any, *, exclusive: bool = False, reverse: bool = False) -> TensorType:
    return TensorType(x.dims, x.dtype)


def _recurrence_type(a: Any, b: Any, axis: Any, *, reverse: bool = False) -> TensorType:
    return TensorType(b.dims, b.dtype)


# ---- kernels


def _bring_axis_first(x: Array, axis: Array, reverse: bool) -> Array:
    """`x` with the scanned axis first, in the order of the scan."""
    if axis.ndim:
        raise invalid_argument(f"ScanOp: axis must be a scalar, not {list(axis.shape)}")
    if not -x.ndim <= int(axis) < x.ndim:
        raise invalid_argument(f"ScanOp: Expected scan axis in the range [{-x.ndim}, {x.ndim}), but got {int(axis)}")
    first = x.swapaxes(int(axis), 0)
    return first[::-1] if reverse else first


def _put_axis_back(x: Array, axis: Array, reverse: bool) -> Array:
    """What `_bring_axis_first` changed, changed back."""
    return np.ascontiguousarray((x[::-1] if reverse else x).swapaxes(0, int(axis)))


def _scan(accumulate: Callable[[Array], Array], start: float, wide: bool = False) -> Callable[..., Any]:
    def kernel(x: Array, axis: Array, *, exclusive: bool = False, reverse: bool = False) -> Array:
        run = _bring_axis_first(x, axis, reverse)
        if exclusive:
            first = np.full((min(len(run), 1), *run.shape[1:]), start, x.dtype)
            run = np.concatenate([first, run[:-1]])
        if wide and is_narrow(x):
            return _put_axis_back(accumulate(run.astype(np.float32)).astype(x.dtype), axis, reverse)
        return _put_axis_back(accumulate(run), axis, reverse)

    return blocked.allow_native(kernel)


def _recurrence(a: Array, b: Array, axis: Array, *, reverse: bool = False) -> Array:
    """R[0] = 0, R[1] = b[0], R[k] = b[k-1] + a[k-1] R[k-1]; from the other end when reversed.  Nothing reads a[0]."""
    factors, terms = _bring_axis_first(a, axis, reverse), _bring_axis_first(b, axis, reverse)
    run = np.zeros(terms.shape, b.dtype)
    run[1:2] = terms[:1]
    for k in range(2, len(run)):
        run[k] = terms[k - 1] + factors[k - 1] * run[k - 1]
    return _put_axis_back(run, axis, reverse)


# ---- gradients


def _sum_back(g: Any, axis: Any, exclusive: bool, reverse: bool) -> Tensor:
    return CUMSUM(g, axis, exclusive=exclusive, reverse=not reverse)


def _prod_back(g: Any, x: Any, axis: Any, exclusive: bool, reverse: bool) -> Tensor:
    before = CUMPROD(x, axis, exclusive=True, reverse=reverse)
    if exclusive:
        return before * RECURRENCE(x, g, axis, reverse=not reverse)
    return before * (g + RECURRENCE(x, x * g, axis, reverse=not reverse))


def _recurrence_for_a(g: Any, a: Any, axis: Any, out: Any, reverse: bool) -> Any:
    return RECURRENCE(a, g, axis, reverse=not reverse) * out


def _recurrence_for_b(g: Any, a: Any, axis: Any, reverse: bool) -> Any:
    return RECURRENCE(a, g, axis, reverse=not reverse)


def _logsumexp_back(g: Any, x: Any, axis: Any, exclusive: bool, reverse: bool) -> Any:
    """Shares that never overflow: each element's share of the running sum that ends with it, and what later elements leave of it."""
    total = CUMULATIVE_LOGSUMEXP(x, axis, reverse=reverse)
    own = exp(x - total)
    before = CUMULATIVE_LOGSUMEXP(x, axis, exclusive=True, reverse=reverse)
    left = where(equal(before, total), 1, exp(before - total))  # infinite ones leave all
    if exclusive:
        g = RECURRENCE(ZEROS_LIKE.call(g), g, axis, reverse=not reverse)
    return own * (g + RECURRENCE(left, left * g, axis, reverse=not reverse))


def _define(
    name: str, kernel: Callable[..., Any], back: Callable[..., Any], dtypes: Any, step: str, holomorphic: bool = True, **more: Any
) -> Op:
    return define(
        name,
        "x axis:Tidx",
        _scan_type,
        kernel,
        {"x": back},
        dtypes={"T": dtypes, "Tidx": INDEX},
        holomorphic=holomorphic,
        batch=shift_axes("axis"),
        lower=native_scan.scan(step),
        **more,
    )


CUMSUM = _define(
    "Cumsum", _scan(lambda run: np.add.accumulate(run, dtype=run.dtype), 0), _sum_back, NUMERIC, "add", holomorphic=False,
    traits=Traits(remedies=TERMS, opens_scope=True),
)  # fmt: skip
CUMPROD = _define(
    "Cumprod",
    _scan(lambda run: np.multiply.accumulate(run, dtype=run.dtype), 1),
    _prod_back,
    NUMERIC,
    "mul",
    gradient_names="div_no_nan",
    traits=Traits(multiplies=True, opens_scope=True),
)
CUMULATIVE_LOGSUMEXP = _define(
    "CumulativeLogsumexp",
    _scan(np.logaddexp.accumulate, -np.inf, wide=True),
    _logsumexp_back,
    FLOATING,
    "logaddexp",
    gradient_names="sub_2",
    tolerance=tolerance.SUMS,
    traits=Traits(opens_scope=True),
)
RECURRENCE = define(
    "LinearRecurrence", "a b axis:Tidx", _recurrence_type, _recurrence, {"a": _recurrence_for_a, "b": _recurrence_for_b},
    dtypes={"T": NUMERIC, "Tidx": INDEX},
    batch=shift_axes("axis"),
    lower=native_scan.recurrence,
)  # fmt: skip


# ---- functions


@export("cumsum", "math.cumsum")
@takes_composites
def cumsum(x: NumberLike, axis: IntLike = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """The running sum along `axis`.

    x: numeric, rank 1 or more.  exclusive: each element is the sum of those before it.  reverse: from the end.
    Raises InvalidArgumentError (in graphs ValueError) for an axis that is not there.

    >>> tf.cumsum([1, 2, 3]).numpy().tolist(), tf.cumsum([1, 2, 3], exclusive=True, reverse=True).numpy().tolist()
    ([1, 3, 6], [5, 3, 0])
    """
    return CUMSUM(x, axis, exclusive=exclusive, reverse=reverse, name=name)


@export("math.cumprod", v1="cumprod")
def cumprod(x: NumberLike, axis: IntLike = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """The running product along `axis`; arguments and errors as `cumsum`.

    The gradient is the derivative also where a product passes a zero (TensorFlow answers zeros there).

    >>> tf.math.cumprod([2, 3, 4]).numpy().tolist(), tf.math.cumprod([2, 3, 4], exclusive=True).numpy().tolist()
    ([2, 6, 24], [1, 2, 6])
    """
    return CUMPROD(x, axis, exclusive=exclusive, reverse=reverse, name=name)


@export("math.cumulative_logsumexp")
def cumulative_logsumexp(
    x: NumberLike, axis: IntLike = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """log(cumsum(exp(x))), without overflow; x: floating; the rest as `cumsum`.

    >>> tf.math.cumulative_logsumexp([0.0, 0.0, 0.0]).numpy().round(3).tolist()
    [0.0, 0.6930000185966492, 1.0989999771118164]
    """
    return CUMULATIVE_LOGSUMEXP(x, axis, exclusive=exclusive, reverse=reverse, name=name)
