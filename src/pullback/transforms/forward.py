"""Forwards: tangents of the xs go in, tangents of the ys come out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.node import Node
from .tangents import walk


def pushforward(nodes: Sequence[Node], xs: Sequence[Any], tangents: Sequence[Any], ys: Sequence[Any]) -> list[Any]:
    """Walk `nodes` forwards once.

    xs, tangents: tensors and their directions, of the same shapes.  Returns the tangent of each y, None where it does not depend on
    the xs.  Raises LookupError for an op on the way that has no gradient registered.
    """
    known = {x.uid: t for x, t in zip(xs, tangents, strict=True)}
    walk(nodes, known)
    return [known.get(y.uid) for y in ys]
