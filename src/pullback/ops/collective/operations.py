"""The records of the collectives.

Each is linear in what all replicas give together, and its gradient is the collective that is its transpose: the sum over all replicas of
what their `ys` ask of this replica's input.  Every replica therefore takes the same gradients in the same order.  Nodes with a state keep
their order in graphs and compiled programs, so one program calls them in one order everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import INDEX, NUMERIC, bool, int64
from ...ir.apply import ShapeError
from ...ir.op import Op, Traits, define
from ...ir.tensor import Dims, TensorType
from ...kernels.collective import arrays, background
from ..array.basic import broadcast_to, shape_of
from ..array.type_rules import known_int
from ..batching import Batched, Same

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows

Array = np.ndarray[Any, Any]
_ANY = NUMERIC | {bool}


def _same_type(input: Any) -> TensorType:
    return TensorType(input.dims, input.dtype)


def _rows_of(input: Any, call: str) -> Dims:
    """The dims, which have a first axis."""
    if input.dims == ():
        raise ShapeError(f"Shape must be at least rank 1 but is rank 0: {call}", f"{call} needs an axis, and this is a scalar")
    dims: Dims = input.dims
    return dims


def _define(
    name: str,
    inputs: str,
    infer: Callable[..., TensorType],
    kernel: Callable[..., Array],
    transpose: Callable[..., Any],
    batch: Callable[..., Any],
    **options: Any,
) -> Op:
    """A collective: linear in its first input, its kernel called in the same order on every replica."""
    return define(
        name, inputs, infer, lambda *args, site, **attrs: kernel(*args, **attrs), {"input": transpose},
        jvp=None if " " in inputs else _tangent, batch=batch, holomorphic=False, stateful=True, effects=True, **options,
    )  # fmt: skip


def _tangent(node: Any, given: list[Any]) -> list[Any]:
    return [node.primitive.call(given[0], **{name: node.attrs[name] for name in node.primitive.attributes})]


def _batch_elements(rows: Rows, input: Any, *others: Any, **attrs: Any) -> Any:
    """The batching rule of a collective to which all axes are alike."""
    return rows.op(input, *others, **attrs) if rows.has(input) else Same(rows.op(input, *others, **attrs))


def _batch_rows(rows: Rows, input: Any, *others: Any, **attrs: Any) -> Any:
    """The batching rule of a collective of the first axis: it comes before the axis of the rows."""
    if rows.has(*others):
        return NotImplemented
    if not rows.has(input):
        return Same(rows.op(input, *others, **attrs))
    return rows.move_axis(rows.op(rows.move_axis(input, 0, 1), *others, **attrs), 1, 0)


def _batch_reduced(rows: Rows, input: Any) -> Any:
    return rows.op(rows.move_axis(input, 0, 1)) if rows.has(input) else Same(rows.op(input))


ALL_REDUCE: Op = _define(
    "ReplicaAllReduce",
    "input",
    lambda input, *, fast=False: _same_type(input),
    arrays.all_reduce,
    lambda g, fast: ALL_REDUCE(g, fast=fast),
    _batch_elements,
    dtypes=NUMERIC,
)


def _finish_rows(rows: Rows, input: Sequence[Any], ticket: Any, **attrs: Any) -> Batched:
    if rows.has(ticket):
        return NotImplemented
    return [t if rows.has(given) else Same(t) for t, given in zip(rows.op(list(input), ticket, **attrs), input, strict=True)]


def all_reduce_now(values: Sequence[Any], fast: Any) -> list[Any]:
    """The sums over all replicas of several tensors, together."""
    return list(ALL_REDUCE_FINISH(values, background.NOW, fast=fast))


# Sums of several tensors.  Where they are started, the program computes until it asks for them, and a thread sends and adds up.
ALL_REDUCE_START: Op = define(
    "ReplicaAllReduceStart", "*input:any", lambda input, *, fast=False: TensorType((), int64),
    lambda input, *, site, fast: background.start_all_reduce(input, fast=fast), {},
    batch=lambda rows, input, **attrs: Same(rows.op(list(input), **attrs)), stateful=True, effects=True, traits=Traits(early=True),
)  # fmt: skip
ALL_REDUCE_FINISH: Op = define(
    "ReplicaAllReduceFinish", "*input:any ticket:int64", lambda input, ticket, *, fast=False: tuple(map(_same_type, input)),
    lambda input, ticket, *, site, fast: background.finish_all_reduce(input, ticket, fast=fast),
    {"input": lambda gs, fast: all_reduce_now(gs, fast)}, outputs="*output",
    batch=_finish_rows, holomorphic=False, stateful=True, effects=True,
)  # fmt: skip


def _reduced_type(input: Any) -> TensorType:
    dims = _rows_of(input, "all_reduce over an axis")
    return TensorType(None if dims is None else dims[1:], input.dtype)


ALL_REDUCE_ROWS: Op = _define(
    "ReplicaAllReduceRows",
    "input",
    _reduced_type,
    arrays.all_reduce_rows,
    lambda g, input_type: broadcast_to(ALL_REDUCE(g), shape_of(input_type)),
    _batch_reduced,
    dtypes=NUMERIC,
)


def _gathered_type(input: Any, *, replicas: int) -> TensorType:
    dims = _rows_of(input, "all_gather")
    return TensorType(dims if dims is None or replicas == 1 else (None, *dims[1:]), input.dtype)


ALL_GATHER: Op = _define(
    "ReplicaAllGather",
    "input",
    _gathered_type,
    lambda input, *, replicas: arrays.all_gather(input),
    lambda g, input_type: REDUCE_SCATTER(g, shape_of(input_type)[0]),
    _batch_rows,
    dtypes=_ANY,
)


def _scattered_type(input: Any, count: Any) -> TensorType:
    dims = _rows_of(input, "reduce_scatter")
    return TensorType(None if dims is None else (known_int(count), *dims[1:]), input.dtype)


def _replicas_of(input_type: Any, count: Any) -> int:
    """1 where this replica has every row, so that shapes stay known; 2 stands for several."""
    rows = None if input_type.dims is None else input_type.dims[0]
    return 1 if rows is not None and rows == known_int(count) else 2


REDUCE_SCATTER: Op = _define(
    "ReplicaReduceScatter",
    "input count:Tcount",
    _scattered_type,
    arrays.reduce_scatter,
    lambda g, input_type, count: ALL_GATHER(g, replicas=_replicas_of(input_type, count)),
    _batch_rows,
    dtypes={"T": NUMERIC, "Tcount": INDEX},
)
BROADCAST: Op = _define(
    "ReplicaBroadcast",
    "input",
    lambda input, *, root: _same_type(input),
    arrays.broadcast,
    lambda g, root: REDUCE(g, root=root),
    _batch_elements,
    dtypes=_ANY,
)
REDUCE: Op = _define(
    "ReplicaReduce",
    "input",
    lambda input, *, root: _same_type(input),
    arrays.reduce_to,
    lambda g, root: BROADCAST(g, root=root),
    _batch_elements,
    dtypes=NUMERIC,
)


def _exchanged_type(input: Any) -> TensorType:
    return TensorType(_rows_of(input, "all_to_all"), input.dtype)


ALL_TO_ALL: Op = _define(
    "ReplicaExchange", "input", _exchanged_type, arrays.all_to_all, lambda g: ALL_TO_ALL(g), _batch_rows, dtypes=_ANY
)
