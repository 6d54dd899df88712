"""Forwards: tangents of the xs go in, tangents of the ys come out.

A VJP is linear in its cotangent, so transposing it gives the JVP: the rules of a node are recorded once as a function of the
cotangent, and that recording is pulled back.  Every op has a forward rule this way, with no second table of rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.dtypes import variant
from ..ir.context import start_listening, stop_listening
from ..ir.node import Node
from ..ir.tensor import IndexedSlices
from ..ops.array_basic import ones_of, zeros_of
from .recording import Recording
from .reverse import cotangents_of, pullback
from .sparse import densify


def pushforward(nodes: Sequence[Node], xs: Sequence[Any], tangents: Sequence[Any], ys: Sequence[Any]) -> list[Any]:
    """Walk `nodes` forwards once.

    xs, tangents: tensors and their directions, of the same shapes.  Returns the tangent of each y, None where it does not depend on
    the xs.  Raises LookupError for an op on the way that has no gradient registered.
    """
    known = {x.uid: t for x, t in zip(xs, tangents, strict=True)}
    for node in nodes:
        live = {t.uid for t in node.inputs if t.uid in known}
        if live:
            for out, tangent in zip(node.outputs, _transposed(node, known, live), strict=True):
                if tangent is not None:
                    known[out.uid] = tangent
    return [known.get(y.uid) for y in ys]


def _transposed(node: Node, known: dict[int, Any], live: set[int]) -> list[Any]:
    """The tangents of the node's outputs: the transpose of its VJP applied to the tangents of its inputs."""
    seeds = [(zeros_of if t.dtype is variant else ones_of)(t) if t.dtype.trainable else None for t in node.outputs]
    recording = Recording(reads_variables=False)
    for seed in seeds:
        if seed is not None:
            recording.watch(seed)
    start_listening(recording)
    try:
        found = cotangents_of(node, seeds[0] if len(seeds) == 1 else seeds, live)
        pulled = [(known[x.uid], densify(gx) if isinstance(gx, IndexedSlices) else gx) for x, gx in found]
    finally:
        stop_listening(recording)
    tangents: list[Any] = [None] * len(seeds)
    watched = [(i, seed) for i, seed in enumerate(seeds) if seed is not None]
    answers = pullback(
        tuple(recording.nodes), [gx for _, gx in pulled], [t for t, _ in pulled], [seed for _, seed in watched], recording.active
    )
    for (i, _), answer in zip(watched, answers, strict=True):
        tangents[i] = densify(answer)
    return tangents
