"""Colourings: which directions of a sparse matrix can travel together.

For a Jacobian two columns (or rows) may share a colour when no row (column) has entries in both: distance-2 colouring of the columns.  For
a Hessian, which is symmetric, an entry can be read from either of two places, and a star colouring needs fewer: neighbours differ, and no
path of four vertices has two colours only (Coleman and More 1984; Gebremedhin, Manne and Pothen, "What color is your Jacobian?", 2005).
Both are greedy, in the order of the columns, which is optimal for bands.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ..base.export import export
from ..base.progress import show_progress

Array = np.ndarray


@dataclass(frozen=True)
class Coloring:
    """How to compute a sparse matrix in few passes; made once, used at many points, and picklable.

    kind: "jacobian" or "hessian".  mode: "forward" (colours of columns) or "reverse" (colours of rows).  colors: the colour of each
    column or row.  count: how many there are, which is the number of passes.  shape, indptr, indices: the pattern in CSR form.
    """

    kind: str
    mode: str
    colors: Array
    count: int
    shape: tuple[int, int]
    indptr: Array
    indices: Array

    @property
    def pattern(self) -> Any:
        """The pattern as a boolean CSR matrix."""
        from scipy.sparse import csr_array

        return csr_array((np.ones(self.indices.size, bool), self.indices, self.indptr), shape=self.shape)

    @cached_property
    def places(self) -> Array:
        """Where each entry stands in the compressed matrix, which has a row for each colour, laid out flat.

        Forward, entry (i, j) is in row `colors[j]`, column i.  Backward, in row `colors[i]`, column j.  In a Hessian's, it is in row
        `colors[j]`, column i where no other neighbour of i has the colour of j, and else, as a star colouring promises, in row
        `colors[i]`, column j.
        """
        rows = np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))
        if self.mode == "reverse":
            return np.asarray(self.colors[rows] * self.shape[1] + self.indices)
        forward = np.asarray(self.colors[self.indices] * self.shape[0] + rows)
        if self.kind == "jacobian":
            return forward
        counts = np.bincount(forward, minlength=self.shape[0] * max(self.count, 1))
        return np.where(counts[forward] == 1, forward, self.colors[rows] * self.shape[1] + self.indices)

    @cached_property
    def direction(self) -> Array:
        """A random vector to check matrices with, of as many elements as there are columns."""
        return np.random.default_rng(56).uniform(0.5, 1.5, self.shape[1])

    @cached_property
    def weights(self) -> Array | None:
        """The direction's elements where the compressed matrix has those of their columns; None where it is not by columns."""
        if self.kind != "jacobian" or self.mode != "forward" or not self.indices.size:
            return None
        weights = np.zeros(self.count * self.shape[0])
        weights[self.places] = self.direction[self.indices]
        return weights.reshape(self.count, self.shape[0])

    @cached_property
    def programs(self) -> dict[Any, Any]:
        """The compiled passes of functions that were evaluated with this colouring."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __repr__(self) -> str:
        m, n = self.shape
        return f"<Coloring of a {self.kind}, {m} by {n} with {self.indices.size} entries: {self.count} colours, {self.mode}>"


@export(ours="color_jacobian")
def color_jacobian(pattern: object, mode: str | None = None) -> Coloring:
    """A colouring of the columns (mode "forward") or rows ("reverse") of a Jacobian's pattern, whichever needs fewer when None.

    pattern: a SciPy sparse matrix or an array whose entries that are not zero may be.  Raises ValueError for another mode.

    >>> import numpy as np
    >>> color_jacobian(np.eye(5) + np.eye(5, k=1))
    <Coloring of a jacobian, 5 by 5 with 9 entries: 2 colours, forward>
    """
    if mode not in (None, "forward", "reverse"):
        raise ValueError(f"mode must be 'forward', 'reverse' or None, got {mode!r}")
    matrix = _csr(pattern)
    found = []
    for way, lines in (("forward", matrix.T.tocsr()), ("reverse", matrix)):
        if mode in (None, way):
            colors = _distance_two(lines)
            found.append(Coloring("jacobian", way, colors, _count(colors), matrix.shape, matrix.indptr, matrix.indices))
    return min(found, key=lambda c: c.count)


@export(ours="color_hessian")
def color_hessian(pattern: object) -> Coloring:
    """A star colouring of the columns of a Hessian's pattern, which is made symmetric.

    pattern: a square SciPy sparse matrix or array.  Raises ValueError where it is not square.

    >>> import numpy as np
    >>> arrow = np.eye(6); arrow[0] = arrow[:, 0] = 1.0
    >>> color_hessian(arrow).count, color_jacobian(arrow).count
    (2, 6)
    """
    matrix = _csr(pattern)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a Hessian is square, the pattern has shape {matrix.shape}")
    matrix = _csr(matrix + matrix.T)
    colors = _star(matrix)
    return Coloring("hessian", "forward", colors, _count(colors), matrix.shape, matrix.indptr, matrix.indices)


def _csr(pattern: Any) -> Any:
    from scipy.sparse import csr_array

    matrix = csr_array(pattern).astype(bool)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    matrix.sort_indices()
    if max(matrix.nnz, *matrix.shape) <= np.iinfo(np.int32).max:
        matrix.indices, matrix.indptr = matrix.indices.astype(np.int32), matrix.indptr.astype(np.int32)
    return matrix


def _count(colors: Array) -> int:
    return int(colors.max(initial=-1)) + 1


def _lists(matrix: Any) -> list[list[int]]:
    indices, ends = matrix.indices.tolist(), matrix.indptr.tolist()
    return [indices[a:b] for a, b in pairwise(ends)]


def _distance_two(lines: Any) -> Array:
    """Colours of the rows of `lines` such that no column has two entries of one colour; rows without entries get colour 0."""
    of_line, of_cross = _lists(lines), _lists(lines.T.tocsr())
    colors = [-1] * len(of_line)
    for v, crosses in enumerate(show_progress(of_line, "colours of rows that share columns")):
        taken = {colors[w] for c in crosses for w in of_cross[c]}
        color = 0
        while color in taken:
            color += 1
        colors[v] = color
    return np.array(colors, np.int64)


def _star(matrix: Any) -> Array:
    """Greedy star colouring, by the rule of Gebremedhin, Manne and Pothen's algorithm 4.1; dense rows first, the rest in order."""
    neighbours = [[w for w in row if w != v] for v, row in enumerate(_lists(matrix))]
    typical = 4 * (sum(map(len, neighbours)) // max(len(neighbours), 1) + 1)
    order = sorted(range(len(neighbours)), key=lambda v: -len(neighbours[v]) if len(neighbours[v]) > typical else 0)
    colors = [-1] * len(neighbours)
    for v in show_progress(order, "colours of a Hessian"):
        taken = set()
        for w in neighbours[v]:
            color = colors[w]
            taken.add(color)
            for x in neighbours[w]:
                if x == v or colors[x] < 0:
                    continue
                if color < 0 or any(y != w and colors[y] == color for y in neighbours[x]):
                    taken.add(colors[x])
        color = 0
        while color in taken:
            color += 1
        colors[v] = color
    return np.array(colors, np.int64)
