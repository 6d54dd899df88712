"""Sparse Jacobians and Hessians: the pattern, a colouring of it, and compressed passes, as SciPy CSR matrices.

Columns (or rows) of one colour travel together, so a band of width 3 costs three passes whatever its length.  After each evaluation one
more pass multiplies with a random vector: a pattern that has become wrong, because another branch was taken or an index moved, is found
out and refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import nest
from ..base.export import export
from ..ir.context import executing_eagerly
from ..ir.tensor import EagerTensor, Tensor
from ..transforms.sparse import densify
from .coloring import Coloring, color_hessian, color_jacobian
from .compressed import TINY, compute_compressed, tolerance
from .endpoints import as_sources
from .linearization import linearization
from .patterns import pattern_of

if TYPE_CHECKING:
    from .source_types import Part

Array = np.ndarray
Matrix = Any


@export(ours="jacobian_pattern")
def jacobian_pattern(f: Callable[[Any], Any], x: Part) -> Matrix:
    """Which element of `f(x)` depends on which element of `x`: a boolean CSR matrix, at most too full, never too empty near `x`.

    f: a function of one structure of tensors.  x: the point, floating.  A row for each element of the result, a column for each of `x`.
    Raises ValueError for complex numbers and where the pattern is so full that the matrix is not sparse; TypeError outside eager execution.

    >>> tf.jacobian_pattern(lambda x: x[1:] - x[:-1], tf.zeros([4])).toarray().astype(int)
    array([[1, 1, 0, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 1]])
    """
    _require_eager("jacobian_pattern", f)
    way_sources, flat = _point(x)
    return pattern_of(f, way_sources, flat)


@export(ours="hessian_pattern")
def hessian_pattern(f: Callable[[Any], Any], x: Part) -> Matrix:
    """Which second derivatives of a scalar may be other than zero: a boolean CSR matrix, symmetric.  Arguments and errors as above.

    >>> tf.hessian_pattern(lambda x: tf.reduce_sum(x[1:] * x[:-1]), tf.zeros([3])).toarray().astype(int)
    array([[0, 1, 0],
           [1, 0, 1],
           [0, 1, 0]])
    """
    _require_eager("hessian_pattern", f)
    sources, flat = _point(x)

    def gradient(at: Any) -> list[Any]:
        way = linearization(f, at, forwards=False)
        (y,) = way.ys
        if np.asarray(y).size != 1:
            raise ValueError(f"hessian_pattern needs a scalar, and the target has shape {tuple(y.shape)}; jacobian_pattern takes any shape")
        pulled = way.pull([EagerTensor(np.ones(y.dims, y.dtype.numpy_dtype))])
        return [
            EagerTensor(np.zeros(_shape(s), s.dtype.base_dtype.numpy_dtype)) if g is None else densify(g)
            for g, s in zip(pulled, flat, strict=True)
        ]

    return pattern_of(gradient, sources, flat)


@export(ours="sparse_jacobian")
def sparse_jacobian(f: Callable[[Any], Any], x: Part, coloring: Coloring | None = None, *, check: bool = True) -> Matrix:
    """The Jacobian of `f` at `x` as a SciPy CSR matrix, in as many passes as its colouring has colours.

    f: a function of one structure of tensors, whose result is a tensor or a structure of them.  x: the point.  coloring: from
    `color_jacobian(jacobian_pattern(f, x))`, to use again; made here when None.  check: whether to spend one more pass on finding out
    whether the pattern holds at this point.
    Returns the matrix with a row for each element of the results and a column for each element of `x`.
    Raises ValueError where the pattern does not hold, has another shape, or is not sparse.

    >>> tf.sparse_jacobian(lambda x: x[1:] * x[:-1], tf.constant([1.0, 2.0, 3.0])).toarray()
    array([[2., 1., 0.],
           [0., 3., 2.]], dtype=float32)
    """
    _require_eager("sparse_jacobian", f)
    if coloring is None:
        coloring = color_jacobian(jacobian_pattern(f, x))
    return _evaluate_passes(f, x, coloring, check, "sparse_jacobian")


@export(ours="sparse_hessian")
def sparse_hessian(f: Callable[[Any], Any], x: Part, coloring: Coloring | None = None, *, check: bool = True) -> Matrix:
    """The Hessian of a scalar function at `x` as a SciPy CSR matrix, in as many Hessian-vector products as its colouring has colours.

    Arguments and errors as for `sparse_jacobian`; the colouring is `color_hessian(hessian_pattern(f, x))`.

    >>> tf.sparse_hessian(lambda x: tf.reduce_sum(x[1:] ** 2 * x[:-1]), tf.constant([1.0, 2.0, 3.0])).toarray()
    array([[0., 4., 0.],
           [4., 2., 6.],
           [0., 6., 4.]], dtype=float32)
    """
    _require_eager("sparse_hessian", f)
    if coloring is None:
        coloring = color_hessian(hessian_pattern(f, x))
    return _evaluate_passes(f, x, coloring, check, "sparse_hessian")


def _evaluate_passes(f: Callable[[Any], Any], x: Any, coloring: Coloring, check: bool, name: str) -> Matrix:
    """The matrix from compressed passes; refused where the check product says that the pattern lacks something."""
    values, told = compute_compressed(f, x, coloring, check)
    found = _matrix(coloring, values)
    if told is not None:
        _refuse(told if told.dtype == bool else _find_wrong_rows(found, told, coloring.direction), name)
    return found


# ---- matrices


def _matrix(coloring: Coloring, values: Array) -> Matrix:
    from scipy.sparse import csr_array

    return csr_array((np.take(values, coloring.places), coloring.indices.copy(), coloring.indptr.copy()), shape=coloring.shape)


def _find_wrong_rows(found: Matrix, pushed: Array, vector: Array) -> Array:
    """In which rows the matrix times the vector is not what the function says."""
    room = tolerance(str(found.dtype)) * (abs(found) @ vector + np.abs(pushed).max(initial=0.0) * 1e-3) + TINY
    return np.asarray(np.abs(found @ vector - pushed) > room)


def _refuse(wrong: Array, asker: str) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"{asker}: the pattern does not hold at this point: row {row} depends on more than it says ({wrong.sum()} rows do). "
            "Values decide here which elements are read (a branch, a sort, a gather by computed indices): make a new colouring at this "
            "point, or add entries to the pattern that cover all cases"
        )


# ---- places and sizes


def _require_eager(asker: str, f: Any) -> None:
    if not executing_eagerly() or not callable(f) or isinstance(f, Tensor):
        raise TypeError(f"{asker} takes a function, outside of graphs and tf.function: SciPy's matrices have values")


def _point(x: Any) -> tuple[Any, list[Any]]:
    flat = as_sources(nest.flatten(x))
    for s in flat:
        if not s.dtype.base_dtype.is_floating:
            raise TypeError(f"a source is {s.dtype.base_dtype.name}, and sparse derivatives are with respect to real floating tensors")
    return nest.pack_sequence_as(x, flat), flat


def _shape(t: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in t.shape)
