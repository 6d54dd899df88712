"""Compressed passes: the directions of one colour, summed, sent through a function together.

Functions made by `tf.function` have their passes traced once, all of them with the function itself as one program, which the colouring
keeps; others run them operation by operation, as they run themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base import nest
from ..base.progress import show_progress
from ..base.shapes import num_elements
from ..ir.apply import convert_to_tensor
from ..ir.tensor import Tensor
from ..ops.array.basic import reshape
from ..ops.array.create import zeros
from ..ops.array.join import concat
from ..ops.primitives.cast import cast
from ..ops.primitives.compare import greater
from ..ops.reduce.reductions import reduce_max, reduce_sum
from ..trace.function import Function
from ..transforms.sparse import densify
from .coloring import Coloring
from .derivatives import gradient_way
from .endpoints import as_sources
from .jacobian_blocks import map_rows
from .jacobian_plan import choose_chunk
from .linearization import Linearization, linearization

Array = np.ndarray
#: From how many directions on they are carried through the operations all at once instead of one after the other.
_TOGETHER = 9
#: How many functions' programs a colouring keeps.
_KEPT = 8
TINY = float(np.finfo(np.float64).tiny)


class _UnknownSizes(Exception):
    """A trace does not tell the sizes of the targets."""


def compute_compressed(f: Callable[[Any], Any], x: Tensor, coloring: Coloring, check: bool) -> tuple[Array, Array | None]:
    """A row for each colour, laid out flat; and, where asked, which rows are not what the pattern says.

    Those that the coloured columns tell of are marked, in a boolean array; where they do not, there is instead the product of the matrix
    with the colouring's direction.
    """
    x = nest.pack_sequence_as(x, as_sources(nest.flatten(x)))
    found = _run_compiled(f, x, coloring, check) if isinstance(f, Function) else None
    if found is None:
        found = _passes(f, x, coloring, check)
    return np.asarray(found[0]), np.asarray(found[1]) if check else None


def _run_compiled(f: Function[..., Any], x: Any, coloring: Coloring, check: bool) -> list[Any] | None:
    """The passes by the program that the colouring keeps; None for a function whose trace does not tell sizes."""
    key, programs = (_key(f), check), coloring.programs
    if key not in programs:
        if len(programs) >= _KEPT:
            programs.pop(next(iter(programs)))
        programs[key] = Function(lambda x: _passes(f, x, coloring, check), "compressed", None, False, False, f._jit_compile)
    program = programs[key]
    try:
        return None if program is None else program(x)
    except _UnknownSizes:
        programs[key] = None
        return None


def _key(f: Function[..., Any]) -> Any:
    """What tells functions apart: methods, which are made anew each time they are looked up, by what they are bound to."""
    inner = f.python_function
    bound = getattr(inner, "__self__", None)
    return f if bound is None else (id(bound), inner.__func__)  # type: ignore[attr-defined]  # bound methods have it


def _passes(f: Callable[[Any], Any], x: Tensor, coloring: Coloring, check: bool) -> list[Any]:
    """The same as tensors, where `f` runs."""
    if coloring.kind == "hessian":
        way = gradient_way(f, x, "sparse_hessian")
    else:
        way = linearization(f, x, forwards=coloring.mode == "forward" or check)
    m, n = _length(way.ys), _length(way.flat_sources)
    if coloring.shape != (m, n):
        raise ValueError(f"the colouring is of a matrix of shape {coloring.shape}, and this one has shape {(m, n)}")
    if coloring.mode == "forward":
        found = _push_program(way.push, way.flat_sources, way.ys, coloring, choose_chunk(way, None, coloring.count, forwards=True))
    else:
        found = _push_program(way.pull, way.ys, way.flat_sources, coloring, choose_chunk(way, None, coloring.count))
    if not check:
        return [found]
    pushed = _push_colors(way, coloring)
    return [found, pushed if coloring.weights is None else _find_wrong_rows(found, pushed, coloring.weights)]


def _push_program(
    send: Callable[[Sequence[Any]], list[Any]], given: Sequence[Any], wanted: Sequence[Any], coloring: Coloring, chunk: int | None
) -> Any:  # fmt: skip
    kind = np.result_type(*(t.dtype.base_dtype.numpy_dtype for t in wanted))
    sizes = [_length([t]) for t in wanted]
    if not coloring.count:
        return zeros([0], kind)
    if coloring.count < _TOGETHER:
        rows: list[Any] = []
        for color in show_progress(range(coloring.count), "passes of a sparse matrix"):
            sent = send(_split(given, coloring.colors == color))
            rows += [_flatten_dense(t, [size], kind) for t, size in zip(sent, sizes, strict=True)]
        return concat(rows, 0)
    units = coloring.colors == np.arange(coloring.count)[:, None]
    every = _split(given, units)
    sent = map_rows(lambda *parts: send(list(parts)), every, chunk)
    return reshape(concat([_flatten_dense(t, [coloring.count, size], kind) for t, size in zip(sent, sizes, strict=True)], 1), [-1])


def _push_colors(way: Linearization, coloring: Coloring) -> Any:
    sent = way.push(_split(way.flat_sources, coloring.direction))
    return concat([_flatten_dense(t, [_length([y])], np.float64) for t, y in zip(sent, way.ys, strict=True)], 0)


def _find_wrong_rows(found: Tensor, pushed: Tensor, weights: Array) -> Any:
    """Which rows, multiplied by what stands for the direction in each colour, are not what was pushed."""
    terms = cast(reshape(found, list(weights.shape)), np.float64) * weights
    room = tolerance(found.dtype.name) * (reduce_sum(abs(terms), 0) + reduce_max(abs(pushed)) * 1e-3) + TINY
    return greater(abs(reduce_sum(terms, 0) - pushed), room)


def tolerance(dtype: str) -> float:
    """How far from each other, relatively, two ways to compute a product in this dtype may be."""
    return {"float64": 1e-8, "float32": 2e-3}.get(dtype, 2e-2)


def _split(tensors: Sequence[Any], flat: Array) -> list[Any]:
    """What belongs to each tensor of something laid out flat on the last axis, in its shape and dtype."""
    bounds = np.cumsum([_length([t]) for t in tensors])[:-1]
    parts = np.split(flat, bounds, axis=-1)
    lead = flat.shape[:-1]
    return [cast(reshape(convert_to_tensor(part), [*lead, *_dims(t)]), t.dtype.base_dtype) for part, t in zip(parts, tensors, strict=True)]


def _flatten_dense(tensor: Any, dims: list[int], kind: Any) -> Any:
    return zeros(dims, kind) if tensor is None else cast(reshape(densify(tensor), dims), kind)


def _dims(t: Any) -> tuple[int, ...]:
    dims = tuple(t.shape.as_list()) if t.shape.rank is not None else (None,)
    if None in dims:
        raise _UnknownSizes
    return dims


def _length(tensors: Sequence[Any]) -> int:
    return sum(num_elements(_dims(t)) or 0 for t in tensors)
