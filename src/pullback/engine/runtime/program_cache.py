"""Programs that an earlier process left on the disk, by keys that say what they compute (`program_key`): no LLVM, nothing lowered.

Kept are programs of one native segment, as their layout and the name of their object code.
"""

from __future__ import annotations

import marshal
from typing import Any

import numpy as np

from ...ir.plan import Plan
from . import disk_cache, objects
from .driver import SegmentProgram, Sources
from .layout import Kind, Layout, Native
from .symbols import addresses

#: Constants of more bytes are not written down a second time.
_MOST = 1 << 20


def keep(key: bytes, layout: Layout, single: SegmentProgram, text: str, reason: str | None) -> None:
    """Write a program down: its layout, where its values come from, and the text its object code is kept under."""
    sources = single.sources
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
        "shortcut": None if single.ready is None else single.ready.__code__,
    }
    disk_cache.store(key, marshal.dumps(facts, 4))


def load(blob: bytes, plan: Plan) -> SegmentProgram | None:
    """The program of an entry, for a plan that is spelled as its key says; None where it does not load here."""
    facts = marshal.loads(blob)
    code = objects.recall(facts["place"], addresses)
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
    return SegmentProgram(plan, Native(layout, code, flushes=True), sources, facts["reason"], facts["shortcut"])


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
