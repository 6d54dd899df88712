"""Repeat along axes: `Tile`, whose gradient sums over the repetitions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX, int32
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.composite import takes_composites
from ...ir.op import Traits, define, is_known
from ...ir.tensor import IntLike, Tensor, TensorLike, TensorType
from ...kernels.memory_limit import require_room
from ..batching import prefix_vectors
from ..lowering import array as native_array
from ..primitives.cast import cast
from .basic import ONES_LIKE, SUM_TO, reshape, shape_of
from .join import STACK
from .type_rules import Array, elements, invalid_argument, rank_of, times, unknown_dims


def _tile_type(input: Any, multiples: Any) -> TensorType:
    times_each, rank = elements(multiples), rank_of(input)
    if multiples.dims is not None and len(multiples.dims) != 1:
        raise ShapeError(
            f"Shape must be rank 1 but is rank {len(multiples.dims)}", f"Expected multiples to be 1-D, but got shape {show(multiples.dims)}"
        )
    if times_each is None:
        return TensorType(unknown_dims(rank), input.dtype)
    if rank is not None and rank != len(times_each):
        raise ShapeError(
            f"Shape must be rank {rank} but is rank {len(times_each)}",
            f"Expected multiples argument to be a vector of length {rank} but got length {len(times_each)}",
        )
    dims = input.dims or (None,) * len(times_each)
    return TensorType(tuple(None if m is not None and m < 0 else times(n, m) for n, m in zip(dims, times_each, strict=True)), input.dtype)


def _tile(input: Array, multiples: Array) -> Array:
    if multiples.shape != (input.ndim,):
        raise ValueError("one multiple for each dimension")
    for i, m in enumerate(multiples.tolist()):
        if m < 0:
            raise invalid_argument(f"Expected multiples[{i}] >= 0, but got {m}")
    require_room([n * m for n, m in zip(input.shape, multiples.tolist(), strict=True)], input.dtype)
    return np.tile(input, multiples.tolist())


def _untile(g: Any, input_type: Any, multiples: Any) -> Tensor:
    """The sum over the copies: each size n was repeated m times, so it is seen as [m, n] and the m are summed."""
    sizes = shape_of(input_type)
    counts = multiples.constant if is_known(multiples.constant) else cast(multiples, int32)
    if isinstance(sizes, np.ndarray) and isinstance(counts, np.ndarray):
        ones = np.ones_like(sizes)
        apart, kept = np.stack([counts, sizes], axis=1).reshape(-1), np.stack([ones, sizes], axis=1).reshape(-1)
        return reshape(SUM_TO(reshape(g, apart), kept), sizes)
    pairs = reshape(STACK([counts, sizes], axis=1), [-1])
    summed = reshape(STACK([ONES_LIKE(sizes), sizes], axis=1), [-1])
    return reshape(SUM_TO(reshape(g, pairs), summed), sizes)


TILE = define(
    "Tile",
    "input multiples:Tmultiples",
    _tile_type,
    _tile,
    {"input": _untile},
    dtypes={"Tmultiples": INDEX, "T": ANY},
    holomorphic=False,
    batch=prefix_vectors("multiples", first=1),
    lower=native_array.tile,
    gradient_names="Sum",
    traits=Traits(copies=True),
)


@export("tile", v1="manip.tile")
@takes_composites
def tile(input: TensorLike, multiples: IntLike, name: str | None = None) -> Tensor:
    """Repeat a whole tensor `multiples[i]` times along each axis i.

    multiples: integers of at least 0, one for each dimension, else InvalidArgumentError (ValueError in a graph).
    Gradient: the upstream gradient summed over the copies.

    >>> tf.tile([1, 2], [2]).numpy().tolist()
    [1, 2, 1, 2]
    """
    return TILE(input, multiples, name=name)
