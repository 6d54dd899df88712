"""What a graph knows of values before it runs: small integers as they are added, and what a shape asks for if constants alone make it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import DType
from ..base.errors import KERNEL_ERRORS
from ..base.shapes import num_elements
from .op import Op, is_known
from .tensor import FOLDED_ELEMENTS, SymbolicTensor, Tensor, TensorType

if TYPE_CHECKING:
    from .node import Node

_EVALUATED_NODES = 64
_EVALUATED_ELEMENTS = 4096  # of one constant


def fold_constant(
    op: Op, inputs: tuple[Tensor, ...], arguments: tuple[Any, ...], attrs: dict[str, Any], output: TensorType
) -> np.ndarray | None:
    """The value of a small integer tensor made of constants, so that shapes computed in the graph are known while building it."""
    if num_elements(output.dims) not in range(FOLDED_ELEMENTS + 1) or len(output.dims or ()) > 2:
        return None
    if op.name in ("Pack", "ConcatV2"):
        joined = _join_constants(op, inputs, attrs)
        return None if joined is None else _settle(joined, output.dtype)
    constants = [t.constant for t in inputs]
    if any(c is None for c in constants):
        return None
    partial = not all(is_known(c) for c in constants)
    if partial and (not op.traits.folds_in_part or not all(is_known(c) for c in constants[1:])):
        return None
    if partial and op.name in ("Cast", "Identity"):
        return constants[0]
    values = tuple([t.constant for t in a] if isinstance(a, tuple) else a.constant for a in arguments)
    try:
        folded = op.kernel(*values, **attrs)
    except KERNEL_ERRORS:  # the run that it fails in says so
        return None
    found = np.asarray(folded[0] if isinstance(folded, (list, tuple)) else folded)
    return _settle(found, output.dtype) if partial else found


def _settle(found: np.ndarray, dtype: DType) -> np.ndarray:
    """What is known of a value, in its dtype where that is all of it: `tf.shape(x)[1]` of a shape that is known there alone."""
    return found if any(v is None for v in found.ravel().tolist()) else found.astype(dtype.numpy_dtype)


def _join_constants(op: Op, inputs: tuple[Tensor, ...], attrs: dict[str, Any]) -> np.ndarray | None:
    """Several small tensors put together, unknown elements as None where the sizes are known; None where nothing at all is known."""
    constants = [_fill_unknown(t) if t.constant is None else t.constant for t in inputs]
    if all(t.constant is None for t in inputs) or any(c is None for c in constants):
        return None
    if op.name == "Pack":
        return np.asarray(op.kernel(constants, **attrs))
    return np.asarray(op.kernel(constants[:-1], constants[-1], **attrs)) if is_known(constants[-1]) else None


def _fill_unknown(t: Tensor) -> np.ndarray | None:
    return None if num_elements(t.dims) is None else np.full([n for n in t.dims or () if n is not None], None, object)


def evaluate_constant(t: SymbolicTensor) -> np.ndarray | None:
    """The value of a tensor that a few operations make of constants alone, found by running them; None for any other.

    Shapes ask for it: a graph knows how many rows there are after words in constants are split.
    """
    found: dict[int, Any] = {}
    return np.asarray(found[t.uid]) if not _is_fed(t.node) and _evaluate(t.node, found, 0) else None


def _is_fed(asked: Node) -> bool:
    """Whether a node is not made of constants alone; its graph keeps in mind what was found of each, so that no node is looked at twice."""
    known = asked.graph.fed_nodes
    pending = [asked]
    while pending:
        inputs = pending[-1].inputs
        answers = {known.get(x.node) for x in inputs}
        fed = True in answers or not _may_run(pending[-1])
        if fed or None not in answers:
            known[pending.pop()] = fed
        else:
            pending += [x.node for x in inputs if x.node not in known]
    return known[asked]


def _evaluate(node: Node, found: dict[int, Any], depth: int) -> bool:
    """Whether the outputs of a node that is made of constants are in `found` now: not where too many operations lead to it."""
    if depth > _EVALUATED_NODES or len(found) > _EVALUATED_NODES:
        return False
    inputs: tuple[Any, ...] = node.inputs
    return all(x.uid in found or _evaluate(x.node, found, depth + 1) for x in inputs) and _run_node(node, found)


def _may_run(node: Node) -> bool:
    op = node.primitive
    if op.name == "Const":
        return bool(node.attrs["value"].size <= _EVALUATED_ELEMENTS)
    return not (op.stateful or op.traits.may_be_fed or op.traits.applies_bodies)


def _run_node(node: Node, found: dict[int, Any]) -> bool:
    """Whether a node could be run before the graph; what fails then is left to the run that it fails in."""
    op = node.primitive
    values = op.arguments(tuple([found[x.uid] for x in node.inputs]))
    try:
        made = op.kernel(*(list(v) if isinstance(v, tuple) else v for v in values), **{a: node.attrs[a] for a in op.attributes})
    except KERNEL_ERRORS:
        return False
    made = made if isinstance(made, (list, tuple)) else [made]
    found.update(zip([x.uid for x in node.outputs], made, strict=True))
    return True
