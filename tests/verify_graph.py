"""`verify`: does a graph keep its promises?  Run by the tests after everything that builds or changes a graph."""

from __future__ import annotations

from pullback.ir.graph import Graph
from pullback.ir.node import Node
from pullback.ir.op import outputs_of


def verify(graph: Graph) -> None:
    """Check every node of `graph`; an AssertionError names the first one that breaks a promise.

    Inputs and control inputs come before; names are unique and found; the type rule gives the recorded types; the dtypes of the
    inputs agree as the op asks.
    """
    seen: set[Node] = set()
    for position, node in enumerate(graph.nodes):
        _check(node.position == position, node, f"says position {node.position}, stands at {position}")
        _check(graph.by_name.get(node.name) is node, node, "is not found under its name")
        _check(all(t.node in seen for t in node.inputs), node, "reads a tensor that is made after it, or elsewhere")
        _check(all(c in seen for c in node.control_inputs), node, "waits for a node that is made after it")
        _check_types(node)
        seen.add(node)


def _check_types(node: Node) -> None:
    op = node.primitive
    types = outputs_of(op.infer(*op.arguments(node.inputs), **{name: node.attrs[name] for name in op.attributes}))
    _check(len(types) == len(node.outputs), node, f"has {len(node.outputs)} outputs, its type rule gives {len(types)}")
    for tensor, inferred in zip(node.outputs, types, strict=True):
        _check(tensor.dtype is inferred.dtype, node, f"output is {tensor.dtype.name}, its type rule says {inferred.dtype.name}")
        known = inferred.dims is None or tensor.dims is None or len(inferred.dims) == len(tensor.dims)
        _check(known, node, f"output has dims {tensor.dims}, its type rule says {inferred.dims}")
        if inferred.dims is not None and tensor.dims is not None:
            fits = all(m is None or n is None or m == n for m, n in zip(inferred.dims, tensor.dims, strict=True))
            _check(fits, node, f"output has dims {tensor.dims}, its type rule says {inferred.dims}")
    dtypes: dict[str, object] = {}
    for spec, given in zip(op.inputs, op.arguments(node.inputs), strict=True):
        for t in given if isinstance(given, tuple) else (given,):
            if spec.variable:
                _check(
                    dtypes.setdefault(spec.variable, t.dtype.base_dtype) is t.dtype.base_dtype, node, f"mixes dtypes for {spec.variable}"
                )
            elif spec.dtype is not None:
                _check(t.dtype.base_dtype is spec.dtype, node, f"takes {spec.dtype} for {spec.name}, got {t.dtype}")


def _check(holds: bool, node: Node, what: str) -> None:
    if not holds:
        raise AssertionError(f"{node!r} (made at {node.where}) {what}")
