"""The key of a plan's program: what the plan computes, spelled out.

Its operations, their attributes, what reads what, the types of what is fed; with it go the stamps of our own source files, the processor
and the compiler.  A plan that holds something without a spelling (a Python function, say) has no key, and is made anew by each process.

Most plans of a short program are asked for on the disk and are not there: this imports nothing that running one would need.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ...base.dtypes import DType
from ...base.shapes import TensorShape
from ...ir.function_graph import Body
from ...ir.node import Node
from ...ir.plan import Plan
from ...ir.references import is_handle, variable_type
from ...ir.tensor import SymbolicTensor, TensorType
from . import disk_cache
from .fingerprint import host_stamp

#: The last format of `marshal` in which equal values give equal bytes: later ones tell objects that occur twice from equal ones.
_PLAIN_FORMAT = 2
#: The values that it spells by itself, each type in its own way.
_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes})
#: The bytes of arrays that stand in a key as they are, and not as a hash.
_SHORT = 64


class _Unspelled(Exception):
    """Something that has no spelling."""


def key_of(plan: Plan, types: Sequence[TensorType]) -> bytes | None:
    """What a plan for inputs of `types` is kept under; None where it cannot be kept."""
    stamp = host_stamp()
    if stamp is None:
        return None
    try:
        spelled = marshal.dumps((_plan(plan), [(t.dtype.name, t.dims) for t in types]), _PLAIN_FORMAT)
    except _Unspelled:
        return None
    return disk_cache.key("program", spelled, stamp, disk_cache.package_stamp(), os.environ.get("PULLBACK_BLAS", ""))


def _plan(plan: Plan) -> Any:
    names: dict[int, Any] = {t.uid: i for i, t in enumerate(plan.fed)}
    steps: dict[Node, int] = {}
    lines: list[Any] = [_spell_value(variable_type(t)) if is_handle(t) else () for t in plan.fed]
    for n, node in enumerate(plan.nodes):
        if node.primitive.stateful and not (node.primitive.effects or node.primitive.traits.siteless):
            raise _Unspelled(node.primitive.name)
        steps[node] = n
        names.update((t.uid, (n, i)) for i, t in enumerate(node.outputs))
        known = [name for name in (*node.primitive.attributes, "variable") if name in node.attrs]
        order = [steps[c] for c in node._control_inputs if c in steps]
        lines.append((node.primitive.name, [_read(t, names) for t in node.inputs], _attributes(node, known), order))
    return lines, [_read(t, names) if isinstance(t, SymbolicTensor) else steps.get(t) for t in plan.fetched]


def _read(t: SymbolicTensor, names: dict[int, Any]) -> Any:
    found = names.get(t.uid)
    return ("value", _spell_value(t.node.attrs["value"])) if found is None else found


def _attributes(node: Node, names: Sequence[str]) -> Any:
    return [(name, _spell_value(node.attrs[name])) for name in names]


def _spell_value(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, (int, float, complex, str, bytes)):
        return (type(value).__name__, repr(value))
    if isinstance(value, DType):
        return ("dtype", value.name)
    if isinstance(value, np.dtype):
        return ("array dtype", _spell_dtype(value))
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.hasobject is False:
        content = value.tobytes()
        return ("array", _spell_dtype(value.dtype), value.shape, content if len(content) <= _SHORT else disk_cache.key(content))
    if isinstance(value, TensorShape):
        return ("shape", repr(value))
    if isinstance(value, (tuple, list)):
        return (type(value).__name__, [_spell_value(v) for v in value])
    if isinstance(value, Body):
        return ("body", [(t.dtype.name, t.dims) for t in value.inputs], _plan(value.plan()))
    raise _Unspelled(type(value).__name__)


@cache
def _spell_dtype(dtype: np.dtype[Any]) -> tuple[str, str]:
    return dtype.str, dtype.name
