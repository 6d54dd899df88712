"""A value made from all rows of a batching, which every row then reads: what `pfor_config.reduce` gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base import nest
from ..ir.apply import Site, convert_to_tensor
from ..ir.context import current
from ..ir.function_graph import Body, FunctionGraph
from ..ir.op import define
from ..ir.tensor import Tensor, TensorType
from ..ops.batching import NotBatched, Same
from ..ops.vmap_rules.base import Rows
from .call import body_of, call


def _reduced_type(args: Sequence[Any], *, f: Body, count: int) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype) for t in f.outputs)


def _refuse_outside(args: Sequence[Any], *, site: Site, f: Body, count: int) -> Any:
    raise RuntimeError("a reduction over the iterations of pfor has no value for one iteration alone")


def _reduce(rows: Rows, args: Sequence[Any], *, f: Body, count: int) -> list[Any]:
    if rows.has(*args[count:]):
        raise NotBatched("a reduction over the iterations of pfor reads more than it is given")
    return [Same(t) for t in call(f, [*rows.all_stacked(args[:count]), *args[count:]])]


REDUCED = define(
    "RowsReduced",
    "*args:captured",
    _reduced_type,
    _refuse_outside,
    None,
    outputs="*outputs",
    holomorphic=False,
    stateful=True,
    batch=_reduce,
)


def reduce_rows(function: Callable[..., Any], args: Sequence[Any], size: int | None) -> Any:
    """`function` of the stacks of `args` over all rows of the batching that is being traced; for every row the same."""
    outer = current().graph
    if not isinstance(outer, FunctionGraph):
        raise ValueError("pfor_config.reduce is called inside the function that pfor runs")
    tensors = [convert_to_tensor(t) for t in args]
    graph = FunctionGraph("reduced", outer)
    with graph.building():
        returned = function(*(graph.declare(None if t.dims is None else (size, *t.dims), t.dtype) for t in tensors))
        flat = [graph.own(convert_to_tensor(t)) for t in nest.flatten(returned)]
    body, outside = body_of(graph, flat)
    answers: list[Tensor] = REDUCED([*tensors, *outside], f=body, count=len(tensors))
    return nest.pack_sequence_as(returned, answers)
