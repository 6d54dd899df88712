"""`pullback.distribute.shard`: how a tensor is to lie on the devices of XLA.  Elsewhere it is the tensor itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import NUMERIC, bool
from ...base.export import export
from ...ir.apply import ShapeError
from ...ir.op import Op, Traits, define
from ...ir.tensor import Tensor, TensorLike, TensorType
from ..batching import Batched, Same


def _type(input: Any, *, parts: Sequence[int] = ()) -> TensorType:
    if input.dims is not None and len(input.dims) < max(len(parts), 1):
        raise ShapeError(
            f"Shape must be at least rank {max(len(parts), 1)} but is rank {len(input.dims)}: shard",
            f"shard was asked for parts along {max(len(parts), 1)} axes",
        )
    return TensorType(input.dims, input.dtype)


def _batch_parts(rows: Any, input: Any, *, parts: Sequence[int] = ()) -> Batched:
    return Same(rows.op(input, parts=parts)) if not rows.has(input) else rows.op(input, parts=(1, *parts) if parts else ())


SHARD: Op = define(
    "Shard",
    "input",
    _type,
    lambda input, *, parts=(): input,
    {"input": lambda g, parts: SHARD(g, parts=parts)},
    jvp=lambda node, given: [SHARD(given[0], parts=node.attrs["parts"])],
    dtypes=NUMERIC | {bool},
    holomorphic=False,
    batch=_batch_parts,
    lower=lambda builder, input, *, parts=(): builder.shard(input, tuple(parts)),
    traits=Traits(copies=True),
)


@export(ours="distribute.shard")
def shard(input: TensorLike, parts: int | Sequence[int] = ()) -> Tensor:
    """`input` itself, which XLA is to cut in parts, one for each of its devices; its gradient is cut likewise.

    parts: into how many along each axis from the first on; nothing for as many along the first axis as there are devices.  Where they are
    fewer than devices, several have the same part.  XLA then finds how all that is computed from it is best cut, and what the devices have
    to tell each other.  Values are what they are without it, to rounding.  Outside `jit_compile="xla"` it changes nothing.

    >>> batch = tf.distribute.shard([[1.0, 2.0], [3.0, 4.0]])
    >>> batch.numpy().tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    given = (parts,) if isinstance(parts, (int, np.integer)) else tuple(parts)
    if any(n < 1 for n in given):
        raise ValueError(f"shard: parts are numbers from 1 on, one for each axis, not {given}")
    return SHARD(input, parts=tuple(int(n) for n in given))
