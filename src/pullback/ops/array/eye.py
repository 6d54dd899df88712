"""`eye`, the identity matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import as_dtype, float32, int32, int64
from ...base.export import export
from ...base.shapes import Dimension, as_dims
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly, scope
from ...ir.convert import is_tensor_like
from ...ir.tensor import DTypeLike, Tensor
from ...kernels.memory_limit import require_room
from ..primitives.cast import cast
from .basic import BROADCAST_TO, shape_of
from .create import one_hot, range as range_, zeros
from .join import CONCAT


def _is_whole(n: Any) -> bool:
    return isinstance(n, (int, Tensor, Dimension, np.integer)) and not isinstance(n, bool)


@export("eye", "linalg.eye")
def eye(num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """The identity matrix, or a batch of them: ones on the diagonal, zeros elsewhere.

    num_rows, num_columns: integers or scalar tensors; square when `num_columns` is None.  batch_shape: the shape in front.
    Raises InvalidArgumentError (ValueError in a graph) for negative sizes.

    >>> tf.eye(2, 3, dtype=tf.int32).numpy().tolist()
    [[1, 0, 0], [0, 1, 0]]
    """
    with scope(name, "eye"):
        columns = num_rows if num_columns is None else num_columns
        if not (_is_whole(num_rows) and _is_whole(columns)):
            raise TypeError(f"Arguments `num_rows` and `num_columns` must be whole numbers. Received: {num_rows!r}, {num_columns!r}")
        if any(isinstance(n, (int, np.integer)) and n < 0 for n in (num_rows, columns)):
            return zeros([num_rows, columns])  # which says what is wrong with that
        if executing_eagerly() and not (is_tensor_like(num_rows) or is_tensor_like(columns)):
            require_room((int(num_rows), int(columns)), np.dtype(as_dtype(dtype).as_numpy_dtype))
        rows, columns = (cast(n, int32) if is_tensor_like(n) else n for n in (num_rows, columns))
        is_square = num_columns is None or (isinstance(rows, (int, np.integer)) and rows == columns)
        matrix = one_hot(range_(rows, dtype=int32), columns, dtype=as_dtype(dtype), name="diag" if is_square else "set_diag")
        if batch_shape is None:
            return matrix
        if is_tensor_like(batch_shape):
            return BROADCAST_TO(matrix, CONCAT([convert_to_tensor(batch_shape, dtype_hint=int32), shape_of(matrix)], 0))
        front = np.array(as_dims([*batch_shape]), np.int64)
        require_room(front.tolist(), np.dtype(as_dtype(dtype).as_numpy_dtype))
        kind = int32 if front.max(initial=0) < 1 << 31 else int64
        return BROADCAST_TO(matrix, CONCAT([front.astype(kind.numpy_dtype), shape_of(matrix, kind)], 0))
