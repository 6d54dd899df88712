"""Sparse Jacobians and Hessians: the pattern, a colouring of it, and compressed passes, as SciPy CSR matrices.

Columns (or rows) of one colour travel together, so a band of width 3 costs three passes whatever its length.  After each evaluation one
more pass multiplies with a random vector: a pattern that has become wrong, because another branch was taken or an index moved, is found
out and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base import nest
from ..ir.apply import convert_to_tensor
from ..ir.context import executing_eagerly
from ..ir.tensor import EagerTensor, Tensor
from ..transforms.sparse import densify
from .coloring import Coloring, color_hessian, color_jacobian
from .derivatives import gradient_way
from .jacobians import carried
from .linearization import linearization
from .patterns import pattern_of

Array = np.ndarray
Matrix = Any
_TOLERANCE = {"float64": 1e-8, "float32": 2e-3}
#: From how many directions on they are carried through the operations all at once instead of one after the other.
_TOGETHER = 9


def jacobian_pattern(f: Callable[[Any], Any], x: Any) -> Matrix:
    """Which element of `f(x)` depends on which element of `x`: a boolean CSR matrix, at most too full, never too empty near `x`.

    f: a function of one structure of tensors.  x: the point, floating.  A row for each element of the result, a column for each of `x`.
    Raises ValueError for complex numbers and where the pattern is so full that the matrix is not sparse; TypeError outside eager execution.

    >>> import pullback as tf
    >>> tf.jacobian_pattern(lambda x: x[1:] - x[:-1], tf.zeros([4])).toarray().astype(int)
    array([[1, 1, 0, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 1]])
    """
    _eager("jacobian_pattern", f)
    way_sources, flat = _point(x)
    return pattern_of(f, way_sources, flat)


def hessian_pattern(f: Callable[[Any], Any], x: Any) -> Matrix:
    """Which second derivatives of a scalar may be other than zero: a boolean CSR matrix, symmetric.  Arguments and errors as above.

    >>> import pullback as tf
    >>> tf.hessian_pattern(lambda x: tf.reduce_sum(x[1:] * x[:-1]), tf.zeros([3])).toarray().astype(int)
    array([[0, 1, 0],
           [1, 0, 1],
           [0, 1, 0]])
    """
    _eager("hessian_pattern", f)
    sources, flat = _point(x)

    def gradient(at: Any) -> list[Any]:
        way = linearization(f, at, forwards=False)
        (y,) = way.ys
        if np.asarray(y).size != 1:
            raise ValueError(f"hessian_pattern needs a scalar, and the target has shape {tuple(y.shape)}; jacobian_pattern takes any shape")
        pulled = way.pull([EagerTensor(np.ones(y.dims, y.dtype.numpy))])
        return [
            EagerTensor(np.zeros(_shape(s), s.dtype.base_dtype.numpy)) if g is None else densify(g)
            for g, s in zip(pulled, flat, strict=True)
        ]

    return pattern_of(gradient, sources, flat)


def sparse_jacobian(f: Callable[[Any], Any], x: Any, coloring: Coloring | None = None, *, check: bool = True) -> Matrix:
    """The Jacobian of `f` at `x` as a SciPy CSR matrix, in as many passes as its colouring has colours.

    f: a function of one structure of tensors, whose result is a tensor or a structure of them.  x: the point.  coloring: from
    `color_jacobian(jacobian_pattern(f, x))`, to use again; made here when None.  check: whether to spend one more pass on finding out
    whether the pattern holds at this point.
    Returns the matrix with a row for each element of the results and a column for each element of `x`.
    Raises ValueError where the pattern does not hold, has another shape, or is not sparse.

    >>> import pullback as tf
    >>> tf.sparse_jacobian(lambda x: x[1:] * x[:-1], tf.constant([1.0, 2.0, 3.0])).toarray()
    array([[2., 1., 0.],
           [0., 3., 2.]], dtype=float32)
    """
    _eager("sparse_jacobian", f)
    if coloring is None:
        coloring = color_jacobian(jacobian_pattern(f, x))
    way = linearization(f, x, forwards=coloring.mode == "forward" or check)
    _check_shape(coloring, sum(_sizes(way.ys)), sum(_sizes(way.flat_sources)))
    if coloring.mode == "forward":
        compressed = _compressed(way.push, way.xs, way.flat_sources, way.ys, coloring)
    else:
        compressed = _compressed(way.pull, way.ys, way.ys, way.flat_sources, coloring)
    found = _matrix(coloring, compressed)
    if check:
        _probe(found, way.push, way.flat_sources, way.ys, "sparse_jacobian")
    return found


def sparse_hessian(f: Callable[[Any], Any], x: Any, coloring: Coloring | None = None, *, check: bool = True) -> Matrix:
    """The Hessian of a scalar function at `x` as a SciPy CSR matrix, in as many Hessian-vector products as its colouring has colours.

    Arguments and errors as for `sparse_jacobian`; the colouring is `color_hessian(hessian_pattern(f, x))`.

    >>> import pullback as tf
    >>> tf.sparse_hessian(lambda x: tf.reduce_sum(x[1:] ** 2 * x[:-1]), tf.constant([1.0, 2.0, 3.0])).toarray()
    array([[0., 4., 0.],
           [4., 2., 6.],
           [0., 6., 4.]], dtype=float32)
    """
    _eager("sparse_hessian", f)
    if coloring is None:
        coloring = color_hessian(hessian_pattern(f, x))
    way = gradient_way(f, x, "sparse_hessian")
    size = sum(_sizes(way.flat_sources))
    _check_shape(coloring, size, size)
    compressed = _compressed(way.push, way.xs, way.flat_sources, way.ys, coloring)
    found = _matrix(coloring, compressed)
    if check:
        _probe(found, way.push, way.flat_sources, way.ys, "sparse_hessian")
    return found


# ---- passes


def _compressed(
    send: Callable[[Sequence[Any]], list[Any]], ends: Sequence[Any], given: Sequence[Any], wanted: Sequence[Any], coloring: Coloring
) -> Array:
    """The sum of the directions of each colour, sent: a matrix with a row for each colour, laid out flat."""
    kinds = [t.dtype.base_dtype.numpy for t in wanted]
    sizes = _sizes(wanted)
    bounds = np.cumsum(_sizes(given))[:-1]
    shapes = [_shape(t) for t in given]
    dtypes = [t.dtype.base_dtype.numpy for t in given]

    def seeds(color: int) -> list[Array]:
        parts = np.split(coloring.colors == color, bounds)
        return [part.astype(kind).reshape(shape) for part, kind, shape in zip(parts, dtypes, shapes, strict=True)]

    if coloring.count < _TOGETHER:
        rows: list[Array] = []
        for color in range(coloring.count):
            found = send([EagerTensor(seed) for seed in seeds(color)])
            rows += [_flat(t, size, kind) for t, size, kind in zip(found, sizes, kinds, strict=True)]
        return np.concatenate(rows) if rows else np.zeros(0, kinds[0])
    every = [np.array(part) for part in zip(*(seeds(c) for c in range(coloring.count)), strict=True)]
    found = carried(lambda *parts: send(list(parts)), [EagerTensor(e) for e in every])
    blocks = [
        np.zeros((coloring.count, size), kind) if t is None else np.asarray(t).reshape(coloring.count, size)
        for t, size, kind in zip(found, sizes, kinds, strict=True)
    ]
    return np.ravel(np.concatenate(blocks, axis=1))


def _flat(tensor: Any, size: int, kind: Any) -> Array:
    return np.zeros(size, kind) if tensor is None else np.ravel(np.asarray(densify(tensor)))


def _matrix(coloring: Coloring, compressed: Array) -> Matrix:
    from scipy.sparse import csr_array

    return csr_array((np.take(compressed, coloring.places), coloring.indices.copy(), coloring.indptr.copy()), shape=coloring.shape)


def _probe(found: Matrix, push: Callable[[Sequence[Any]], list[Any]], sources: Sequence[Any], ys: Sequence[Any], asker: str) -> None:
    """One product with a random vector, both ways; ValueError where they differ."""
    random = np.random.default_rng(56)
    directions = [random.uniform(0.5, 1.5, _shape(s)).astype(s.dtype.base_dtype.numpy) for s in sources]
    pushed = np.concatenate([_flat(t, n, np.float64) for t, n in zip(push([EagerTensor(d) for d in directions]), _sizes(ys), strict=True)])
    vector = np.concatenate([np.ravel(d) for d in directions]).astype(np.float64)
    room = (
        _TOLERANCE.get(str(found.dtype), 2e-2) * (abs(found) @ vector + np.abs(pushed).max(initial=0.0) * 1e-3) + np.finfo(np.float64).tiny
    )
    wrong = np.abs(found @ vector - pushed) > room
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"{asker}: the pattern does not hold at this point: row {row} depends on more than it says ({wrong.sum()} rows do). "
            "Values decide here which elements are read (a branch, a sort, a gather by computed indices): make a new colouring at this "
            "point, or add entries to the pattern that cover all cases"
        )


# ---- places and sizes


def _eager(asker: str, f: Any) -> None:
    if not executing_eagerly() or not callable(f) or isinstance(f, Tensor):
        raise TypeError(f"{asker} takes a function, outside of graphs and tf.function: SciPy's matrices have values")


def _point(x: Any) -> tuple[Any, list[Any]]:
    flat = [s if hasattr(s, "handle") or isinstance(s, Tensor) else convert_to_tensor(s) for s in nest.flatten(x)]
    for s in flat:
        if not s.dtype.base_dtype.is_floating:
            raise TypeError(f"a source is {s.dtype.base_dtype.name}, and sparse derivatives are with respect to real floating tensors")
    return nest.pack_sequence_as(x, flat), flat


def _shape(t: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in t.shape)


def _sizes(tensors: Sequence[Any]) -> list[int]:
    return [int(np.prod(_shape(t), dtype=np.int64)) for t in tensors]


def _check_shape(coloring: Coloring, m: int, n: int) -> None:
    if coloring.shape != (m, n):
        raise ValueError(f"the colouring is of a matrix of shape {coloring.shape}, and this one has shape {(m, n)}")


__all__ = ["hessian_pattern", "jacobian_pattern", "sparse_hessian", "sparse_jacobian"]
