"""What operators lean on: solutions whose batches broadcast, and sizes that may be known or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import int32
from ...ir.apply import convert_to_tensor
from ...ops.array.basic import broadcast_to, shape_of
from ...ops.array.join import CONCAT
from ...ops.array.shape import BROADCAST_ARGS
from ...ops.families import broadcast_dims
from ...ops.linalg.factor import solve

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


def solve_with_broadcast(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    """`tf.linalg.solve` for batches that broadcast."""
    if matrix.dims is not None and rhs.dims is not None and matrix.dims[:-2] == rhs.dims[:-2] and None not in matrix.dims[:-2]:
        return solve(matrix, rhs, adjoint=adjoint)
    batch = common_batch(matrix, rhs)
    return solve(broadcast_batch(matrix, batch), broadcast_batch(rhs, batch), adjoint=adjoint)


def common_batch(*tensors: Any) -> Any:
    """The shape that the batches of matrices broadcast to: an array where it is known, else an int32 tensor."""
    known: Any = ()
    for t in tensors:
        known = broadcast_dims(known, None if t.dims is None else t.dims[:-2])
    if known is not None and None not in known:
        return np.array(known, np.int32)
    found: Any = np.zeros(0, np.int32)
    for t in tensors:
        found = BROADCAST_ARGS.call(found, convert_to_tensor(shape_of(t, int32))[:-2])
    return found


def common_sizes(shapes: Sequence[Any]) -> Tensor:
    """The shape that shapes broadcast to, read at run time."""
    found: Any = np.zeros(0, np.int32)
    for sizes in shapes:
        found = BROADCAST_ARGS.call(found, sizes)
    return found


def square_sizes(x: Tensor) -> Tensor:
    """The shape of a square matrix for each vector in `x`, read at run time."""
    sizes = convert_to_tensor(shape_of(x, int32))
    return join_sizes(sizes, sizes[-1:])


def broadcast_batch(x: Tensor, batch: object) -> Tensor:
    """`x` with its batch broadcast to the shape `batch`."""
    if isinstance(batch, np.ndarray) and x.dims is not None and tuple(batch.tolist()) == x.dims[:-2]:
        return x
    return broadcast_to(x, join_sizes(batch, convert_to_tensor(shape_of(x, int32))[-2:]))


def join_sizes(*parts: Any) -> Any:
    """Vectors of sizes, one after the other; an array where all are known."""
    if all(isinstance(p, (np.ndarray, list, tuple)) for p in parts):
        return np.concatenate([np.asarray(p, np.int32) for p in parts])
    return CONCAT.call([convert_to_tensor(p) if hasattr(p, "uid") else np.asarray(p, np.int32) for p in parts], 0)
