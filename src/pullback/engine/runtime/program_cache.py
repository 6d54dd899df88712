"""Programs that an earlier process left on the disk, found by what they compute: without LLVM, and without lowering anything.

The key is a plan spelled out: its operations, their attributes, what reads what, the types of what is fed; with it go the stamps of our
own source files, the processor and the compiler.  Kept are programs of one native segment, as their layout and the name of their object
code.  A plan that holds something without a spelling (a Python function, say) has no key, and is made anew by each process.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import DType
from ...base.shapes import TensorShape
from ...ir.function_graph import Body
from ...ir.node import Node
from ...ir.plan import Plan
from ...ir.tensor import SymbolicTensor, TensorType
from ..background import COMPILER
from . import disk_cache, objects
from .driver import Single, Sources
from .fingerprint import host_stamp
from .layout import Kind, Layout, Native
from .symbols import addresses

#: Constants of more bytes are not written down a second time.
_MOST = 1 << 20


class _Unspelled(Exception):
    """Something that has no spelling."""


class CachedProgram:
    """A program from the disk, in the place of a `Program`."""

    def __init__(self, single: Single, reason: str | None) -> None:
        self.run, self.ready, self.reason = single.run, single.ready, reason


# ---- keys


def key_of(plan: Plan, types: Sequence[TensorType]) -> bytes | None:
    """What a plan for inputs of `types` is kept under; None where it cannot be kept."""
    stamp = host_stamp()
    if stamp is None:
        return None
    try:
        text = repr((_plan(plan), [(t.dtype.name, t.dims) for t in types]))
    except _Unspelled:
        return None
    return disk_cache.key("program", text, stamp, disk_cache.package_stamp(), os.environ.get("PULLBACK_BLAS", ""))


def _plan(plan: Plan) -> Any:
    names: dict[int, Any] = {t.uid: i for i, t in enumerate(plan.fed)}
    steps: dict[Node, int] = {}
    lines = [(_attributes(t.node, ("variable",)) if "variable" in t.node.attrs else ()) for t in plan.fed]
    for n, node in enumerate(plan.nodes):
        COMPILER.breathe()
        if node.op.stateful and not (node.op.effects or node.op.traits.siteless):
            raise _Unspelled(node.op.name)
        steps[node] = n
        names.update((t.uid, (n, i)) for i, t in enumerate(node.outputs))
        known = [name for name in (*node.op.attributes, "variable") if name in node.attrs]
        order = [steps[c] for c in node._control_inputs if c in steps]
        lines.append((node.op.name, [_read(t, names) for t in node.inputs], _attributes(node, known), order))
    return lines, [_read(t, names) if isinstance(t, SymbolicTensor) else steps.get(t) for t in plan.fetched]


def _read(t: SymbolicTensor, names: dict[int, Any]) -> Any:
    found = names.get(t.uid)
    return _spell_value(t.node.attrs["value"]) if found is None else found


def _attributes(node: Node, names: Sequence[str]) -> Any:
    return [(name, _spell_value(node.attrs[name])) for name in names]


def _spell_value(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return (type(value).__name__, repr(value))
    if isinstance(value, DType):
        return ("dtype", value.name)
    if isinstance(value, np.dtype):
        return ("array dtype", value.str, value.name)
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.hasobject is False:
        return ("array", value.dtype.name, value.shape, value.tobytes())
    if isinstance(value, TensorShape):
        return ("shape", repr(value))
    if isinstance(value, (tuple, list)):
        return (type(value).__name__, [_spell_value(v) for v in value])
    if isinstance(value, Body):
        return ("body", [(t.dtype.name, t.dims) for t in value.inputs], _plan(value.plan()))
    raise _Unspelled(type(value).__name__)


# ---- entries


def keep(key: bytes, layout: Layout, sources: Sources, text: str, reason: str | None) -> None:
    """Write a program down: its layout, where its values come from, and the text its object code is kept under."""
    known = [value for kind, value in sources.answers if kind == "known" and value is not None]
    if sum(a.nbytes for a in (*layout.constants, *known)) > _MOST:
        return
    facts = {
        "place": objects.place_of(text),
        "reason": reason,
        "layout": {
            "name": layout.name,
            "arena": layout.arena,
            "constants": [_write_array(c) for c in layout.constants],
            "words": layout.words,
            "stacks": [(word, _kind(kind)) for word, kind in layout.stacks],
            "inputs": [_kind(kind) for kind in layout.inputs],
            "outputs": [_kind(kind) for kind in layout.outputs],
            "long": layout.long,
        },
        "sources": {
            "fed": sources.fed,
            "given": sources.given,
            "answers": [(kind, _write_array(which) if kind == "known" else which) for kind, which in sources.answers],
            "writes": sources.writes,
            "changed": sources.changed,
        },
    }
    disk_cache.store(key, marshal.dumps(facts, 4))


def recall(key: bytes, plan: Plan) -> CachedProgram | None:
    """The program kept under a key, for a plan that is spelled so; None where there is none, or it does not load here."""
    blob = disk_cache.lookup(key)
    if blob is None:
        return None
    facts = marshal.loads(blob)
    try:
        code = objects.recall(facts["place"], addresses)
    except LookupError:
        # a library that the program calls is not there any more
        return None
    if code is None:
        return None
    said, from_ = facts["layout"], facts["sources"]
    layout = Layout(
        said["name"],
        said["arena"],
        tuple([_array(c) for c in said["constants"]]),
        said["words"],
        tuple([(word, None if kind is None else _kind_of(kind)) for word, kind in said["stacks"]]),
        tuple([_kind_of(kind) for kind in said["inputs"]]),
        tuple([_kind_of(kind) for kind in said["outputs"]]),
        said["long"],
    )
    answers = [(kind, _array(which) if kind == "known" else which) for kind, which in from_["answers"]]
    given = [(i, is_variable) for i, is_variable in from_["given"]]
    sources = Sources(from_["fed"], given, answers, [(i, n) for i, n in from_["writes"]], from_["changed"])
    return CachedProgram(Single(plan, Native(layout, code, flushes=True), sources), facts["reason"])


def _kind(kind: Kind | None) -> Any:
    return None if kind is None else (kind[0], kind[1].name)


def _kind_of(said: Any) -> Kind:
    return tuple(said[0]), np.dtype(said[1])


def _write_array(array: Any) -> Any:
    return None if array is None else (array.shape, array.dtype.name, array.tobytes())


def _array(said: Any) -> Any:
    if said is None:
        return None
    return np.frombuffer(bytearray(said[2]), np.dtype(said[1])).reshape(said[0])
