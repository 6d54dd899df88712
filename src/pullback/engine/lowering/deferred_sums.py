"""Sums over the turns of a loop that are put off: total += a^T b, for matrices of few rows, as one product for many turns.

A gradient with respect to a loop's weights is such a sum: each turn adds a product to a matrix that it does not read otherwise.  Instead,
the rows of a and b are kept, and multiplied when there are enough of them, and what is left after the loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ir.tensor import SymbolicTensor
from .index_expr import Buffer, Place
from .sharing import Block

#: Rows that are multiplied at once.
_ROWS = 256


class DeferredProduct(Block):
    """total += a^T b, for what `turns` turns have put in `kept`, one of a's and one of b's; `word` counts them."""

    __slots__ = ("a", "b", "kept", "makes", "total", "turns", "word")

    def __init__(self, a: Buffer, b: Buffer, total: Buffer, kept: tuple[Buffer, Buffer], turns: int, word: int) -> None:
        self.a, self.b, self.total, self.kept, self.turns, self.word = a, b, total, kept, turns, word
        self.makes = Place("version", -1, 0)

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [self.a.place, self.b.place]

    @property
    def writes(self) -> list[Place]:
        """What stands for its being done; the total is written when the loop is over, as far as others are concerned."""
        return [self.makes]


class DeferredSum:
    """What a body makes of a loop variable, where that is the variable plus products of pairs of matrices."""

    def __init__(self, pairs: list[tuple[Any, Any]]) -> None:
        self.pairs = pairs


def count_turns(rows: int) -> int:
    """How many turns are multiplied at once, for matrices of so many rows."""
    return _ROWS // max(rows, 1)


def find_deferred_sums(
    nodes: Sequence[Any], inputs: Sequence[SymbolicTensor], outputs: Sequence[SymbolicTensor]
) -> dict[int, list[tuple[SymbolicTensor, SymbolicTensor]]]:
    """The outputs of a body that are its input of the same number plus a^T b, by number, with all pairs of a and b.

    Nothing else in the body may read the input, or a sum on the way.
    """
    uses = Counter([t.uid for node in nodes for t in node.inputs])
    uses.update([t.uid for t in outputs])
    found = {}
    for i, (start, end) in enumerate(zip(inputs, outputs, strict=False)):
        terms = _terms(end, uses) if uses[start.uid] == 1 else []
        pairs = [_pair(t, end, uses) for t in terms if t is not start]
        if pairs and len(pairs) == len(terms) - 1 and None not in pairs:
            found[i] = [pair for pair in pairs if pair is not None]
    return found


def _terms(total: SymbolicTensor, uses: Counter[int]) -> list[SymbolicTensor]:
    """What a sum is the sum of, as far as nothing else reads its parts."""
    found, pending = [], [total]
    while pending:
        t = pending.pop()
        if t.node.primitive.name in ("AddV2", "AddN") and uses[t.uid] == 1 and all(x.dims == total.dims for x in t.node.inputs):
            pending += reversed(t.node.inputs)
        else:
            found.append(t)
    return found


def _pair(product: SymbolicTensor, total: SymbolicTensor, uses: Counter[int]) -> tuple[SymbolicTensor, SymbolicTensor] | None:
    """The matrices a and b of a product a^T b that is read once."""
    node = product.node
    if node.primitive.name != "MatMul" or uses[product.uid] != 1 or product.dims != total.dims:
        return None
    a, b = node.inputs
    plain = node.attrs["transpose_a"] and not node.attrs["transpose_b"] and a.dims is not None and b.dims is not None
    if not plain or 0 in (*a.dims, *b.dims) or count_turns(a.dims[0]) < 2 or a.dtype.numpy_dtype not in (np.float32, np.float64):
        return None
    return a, b
