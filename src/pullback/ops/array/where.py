"""Choosing element by element, and finding what is true.

`SelectV2` broadcasts all three inputs; TensorFlow 1's `Select` wants branches of one shape and takes a vector of conditions for rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import NUMERIC, bool, int64, string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import NO_ATTRS, ShapeError, apply, convert_to_tensor, explain_error
from ...ir.composite import takes_composites
from ...ir.context import current
from ...ir.fast_dispatch import plain_number
from ...ir.op import Op, Traits, define
from ...ir.tensor import Dims, EagerTensor, NumberLike, Tensor, TensorLike, TensorType
from ...kernels import blocked
from ..batching import broadcast_rows
from ..families import broadcast_dims
from ..lowering import array as native_array
from .basic import zeros_of
from .type_rules import merge_dims

Array = np.ndarray[Any, Any]
SELECTABLE = NUMERIC | {bool, string}


def _select_type(condition: Any, t: Any, e: Any) -> TensorType:
    try:
        return TensorType(broadcast_dims(broadcast_dims(t.dims, e.dims), condition.dims), t.dtype)
    except ShapeError as error:
        shapes = [str(list(x.dims)).replace(" ", "") for x in (condition, t, e)]
        raise ShapeError(str(error), f"condition {shapes[0]}, then {shapes[1]}, and else {shapes[2]} must be broadcastable") from None


def _dispatch_select(op: Op) -> Any:
    """The short way for eager tensors, and for Python numbers beside one."""
    kernel, kinds = op.kernel, frozenset(d.numpy_dtype for d in SELECTABLE)

    def call(condition: Any, t: Any, e: Any, name: str | None = None) -> Any:
        if type(condition) is EagerTensor:
            if type(t) is not EagerTensor and type(e) is EagerTensor and (number := plain_number(t, e.value.dtype)) is not None:
                t = number
            elif type(e) is not EagerTensor and type(t) is EagerTensor and (number := plain_number(e, t.value.dtype)) is not None:
                e = number
            if type(t) is EagerTensor and type(e) is EagerTensor:
                c, a, b = condition.value, t.value, e.value
                context = current()
                if c.dtype == np.bool_ and a.dtype is b.dtype and a.dtype in kinds and context.graph is None:
                    try:
                        out = EagerTensor(kernel(c, a, b))
                    except (ValueError, MemoryError) as error:
                        raise explain_error(op, (condition, t, e), NO_ATTRS, error) from None
                    for recorder in context.recorders:
                        recorder.record(op, (condition, t, e), NO_ATTRS, (out,), None)
                    return out
        return apply(op, (condition, t, e), NO_ATTRS, name)

    return call


SELECT_V2 = define(
    "SelectV2", "condition:bool t e", _select_type, blocked.block_kernel(blocked.select),
    {"t": lambda g, condition: where(condition, g, 0), "e": lambda g, condition: where(condition, 0, g)},
    dtypes=SELECTABLE, broadcasts=True, holomorphic=False, gradient_names="SelectV2 SelectV2_1",
    batch=broadcast_rows,
    lower=native_array.select, by_element=True, call=_dispatch_select,
    traits=Traits(chooses="the condition chose"),
)  # fmt: skip


def _select_rows_type(condition: Any, t: Any, e: Any) -> TensorType:
    dims = _merge_dims(t.dims, e.dims)
    rows = condition.dims
    if rows and dims is not None:
        if len(rows) == 1 and len(dims) > 1:
            _merge_dims(rows, dims[:1])
        else:
            dims = _merge_dims(dims, rows)
    return TensorType(dims, t.dtype)


def _merge_dims(a: Dims, b: Dims) -> Dims:
    return merge_dims(a, b, "Inputs to operation Select of type Select must have the same size and shape.  Input 0", "!= input 1:")


def _select_rows(condition: Array, t: Array, e: Array) -> Array:
    if t.shape != e.shape or condition.shape not in ((), t.shape, t.shape[:1]):
        raise ValueError("Inputs to operation Select of type Select must have the same size and shape.")
    if condition.shape == t.shape:
        return SELECT_V2.kernel(condition, t, e)
    if condition.ndim == 1 and t.ndim > 1:
        condition = condition.reshape((-1,) + (1,) * (t.ndim - 1))
    return blocked.select(condition, t, e)


SELECT: Op = define(
    "Select", "condition:bool t e", _select_rows_type, _select_rows,
    {"t": lambda g, condition: SELECT(condition, g, zeros_of(g)), "e": lambda g, condition: SELECT(condition, zeros_of(g), g)},
    dtypes=SELECTABLE, holomorphic=False,
    lower=native_array.select_rows,
    traits=Traits(raw_names={"t": "x", "e": "y"}, chooses="the condition chose"),
)  # fmt: skip


def choose(condition: Any, x: Any, y: Any, name: str | None = None) -> Any:
    """`where` of operands of one shape, in graphs a `Select`, as what TensorFlow's functions write in terms of TensorFlow 1's choice."""
    return _CHOOSE(condition, x, y, name)


_CHOOSE = _dispatch_select(SELECT_V2.replace_fields(name="Select", gradient_names=("Select", "Select_1")))


def _where_type(input: Any) -> TensorType:
    return TensorType((None, None if input.dims is None else len(input.dims)), int64)


def _where(input: Array) -> Array:
    if not input.ndim:
        raise InvalidArgumentError(None, None, "WhereOp : Unhandled input dimensions: 0; the condition must have at least one dimension")
    if input.ndim == 1 or input.size < blocked.LARGE or not input.flags.c_contiguous:
        return np.argwhere(input)
    at = np.flatnonzero(input)
    places = np.empty((len(at), input.ndim), np.int64)
    for axis, n in reversed([*enumerate(input.shape)][1:]):
        rows = at // n
        np.subtract(at, rows * n, out=places[:, axis])
        at = rows
    places[:, 0] = at
    return places


WHERE = define(
    "Where", "input:T=bool", _where_type, _where, None, dtypes=NUMERIC | {bool}, batch="shape depends on values",
    traits=Traits(raw_names={"input": "condition"}),
)  # fmt: skip


@takes_composites
def where(condition: NumberLike, x: object = None, y: TensorLike | None = None, name: str | None = None) -> Tensor:
    """x where `condition` is true, y where it is not; without x and y the places where it is true.

    condition: bool.  x, y: of one dtype; all three broadcast against each other.  The places: int64 of shape [count, rank], in order.
    Raises ValueError where only one of x and y is given, InvalidArgumentError (in graphs ValueError) where the shapes do not fit,
    TypeError or InvalidArgumentError where the dtypes differ.  Gradients: g where an operand was chosen, 0 elsewhere; what makes an
    operand NaN where it is not chosen can still make its gradient NaN.

    >>> tf.where([True, False], [1, 2], 0).numpy().tolist(), tf.where([False, True]).numpy().tolist()
    ([1, 0], [[1]])
    """
    if (x is None) is not (y is None):
        raise ValueError("where: x and y must both be non-None or both be None.")
    if x is None:
        return WHERE(convert_to_tensor(condition, dtype_hint=bool, name="condition"), name=name)
    return SELECT_V2.call(condition, x, y, name)


export(v2="where", v1="where_v2")(where)


def select(condition: object, x: object, y: object, name: str | None = None) -> Any:
    """TensorFlow 1's choice: x and y of one shape; `condition` of that shape, a scalar, or a vector that chooses rows.

    condition: bool.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do not fit, TypeError or
    InvalidArgumentError where the dtypes differ.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.where([True, False], [[1, 1], [2, 2]], [[3, 3], [4, 4]])).tolist()
    [[1, 1], [4, 4]]
    """
    return SELECT(condition, x, y, name=name)
