"""From nodes to expressions: each op's `lower` is asked; an op without one, or that refuses, stays a call of its kernel.

`Op.lower` is the name of a scalar function, for an element-wise op, or a function of (builder, an expression for each input, attributes)
that gives an expression for each output.  It may ask `builder` for memory and library routines, and raise `Unsupported` with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import resource, variant
from ..base.lazy_import import LazyModule
from ..ir.apply import ShapeError
from ..ir.node import Node
from .lowering import index_expr
from .lowering.builder import Builder, Unsupported
from .lowering.index_expr import IndexExpr, Pointwise, Scalar
from .lowering.specialise import CALLS
from .scalars import scalars

if TYPE_CHECKING:
    from .lowering import lists
else:  # few programs have lists
    lists = LazyModule("pullback.engine.lowering.lists")

CONTROL = frozenset({"While", "Case"})
WITH_BODIES = CONTROL | CALLS


def is_native(dtype: Any, dims: Any) -> bool:
    """Whether a tensor of the dtype and dims can be in a native program."""
    return dims is not None and None not in dims and dtype.is_numpy_compatible and scalars.has_registers(dtype.numpy_dtype)


def is_list_operation(node: Node) -> bool:
    """Whether a node makes, reads or changes a list of tensors, in a way that has native code."""
    return any(t.dtype is variant for t in (*node.inputs, *node.outputs)) and node.primitive.name in lists.LISTS


def is_plain(node: Node, builder: Builder, inputs: Sequence[Any]) -> bool:
    """Whether a node is an operation of arrays alone: no loop, branch or list, nothing that remembers or changes a part where it is."""
    op = node.primitive
    if op.stateful or op.name in CONTROL or node in builder.root.chained:
        return False
    return all(isinstance(v, IndexExpr) for v in inputs) and not is_list_operation(node)


def replaces_value(node: Node) -> bool:
    """Whether all that a node does is to give variables new values, whole ones."""
    op = node.primitive
    if not op.effects or op.lower is None or node.inputs[0].dtype is not resource:
        return False
    return all(given.name != "indices" for given in op.inputs)


def lower_operation(node: Node, builder: Builder, inputs: list[IndexExpr]) -> list[IndexExpr]:
    """The outputs of a node as expressions; raises Unsupported with the reason where it has no native code."""
    mark = builder.mark()
    try:
        outputs = expressions_of(node, builder, inputs)
        for expr in outputs:
            _check(expr, builder.checked)
    except Unsupported:
        builder.rollback(mark)
        raise
    except ShapeError as error:  # which the kernel says in its own words
        builder.rollback(mark)
        raise Unsupported(str(error)) from error
    return outputs


def expressions_of(node: Node, builder: Builder, inputs: list[IndexExpr]) -> list[IndexExpr]:
    """What a node's rule says its outputs are, whether or not the functions in them have code."""
    op = node.primitive
    if op.lower is None:
        raise Unsupported(f"{op.name} has no lowering")
    for t in () if op.effects else node.outputs:
        if not is_native(t.dtype, t.dims):
            raise Unsupported(f"no native code for {t.dtype.name} of dims {t.dims}")
    if isinstance(op.lower, str):
        found: Any = index_expr.pointwise(op.lower, *inputs, dtype=node.outputs[0].dtype.numpy_dtype)
    else:
        found = op.lower(builder, *op.arguments(tuple(inputs)), **{name: node.attrs[name] for name in op.attributes})
    outputs = list(found) if isinstance(found, (tuple, list)) else [found]
    for t, expr in zip(node.outputs, outputs, strict=not op.effects):
        if (t.dims is not None and expr.dims != t.dims) or expr.dtype != t.dtype.numpy_dtype:
            raise AssertionError(f"{op.name}: lowered to {expr!r}, its type is {t.dtype.numpy_dtype}{list(t.dims or ())}")
    return outputs


def _check(expr: IndexExpr, checked: set[IndexExpr]) -> None:
    """Refuse functions without native code; `checked` are the expressions that have some, and grows."""
    pending, seen = [expr], set()
    while pending:
        at = pending.pop()
        if at in seen or at in checked:
            continue
        seen.add(at)
        if not scalars.has_registers(at.dtype):
            raise Unsupported(f"no native code for {at.dtype}")
        if isinstance(at, Pointwise):
            scalars.check(at.function, [a.dtype for a in at.args], at.dtype)
        pending += at.parts
    checked.update(seen)


def constant(value: np.ndarray, builder: Builder) -> IndexExpr:
    """A known array as an expression: one number where all elements are the same, to the bit."""
    if not scalars.has_registers(value.dtype):
        raise Unsupported(f"a constant of {value.dtype}")
    if value.size and (value.size == 1 or value.tobytes() == value.flat[0].tobytes() * value.size):
        return Scalar(value.flat[0], value.dtype, value.shape)
    return builder.constant(value)
