"""`RaggedTensorValue`: the arrays of a ragged tensor, as sessions give and take them, and as Python sees them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...base.export import export


@export(v1="ragged.RaggedTensorValue")
class RaggedTensorValue:
    """The value of a `RaggedTensor`: arrays, as a session gives and takes them.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     found = sess.run(tf1.ragged.constant([[1, 2], [], [3]]))
    >>> found.values, found.row_splits, found.to_list()
    (array([1, 2, 3], dtype=int32), array([0, 2, 2, 3]), [[1, 2], [], [3]])
    """

    def __init__(self, values: Any, row_splits: Any) -> None:
        if not (isinstance(row_splits, np.ndarray) and row_splits.ndim == 1 and row_splits.dtype in (np.int32, np.int64)):
            raise TypeError(f"Argument `row_splits` must be a 1D int32 or int64 numpy array. Received {row_splits!r}.")
        self.values, self.row_splits = values, row_splits

    @property
    def flat_values(self) -> Any:
        """The values under all partitions, an array."""
        return self.values.flat_values if isinstance(self.values, RaggedTensorValue) else self.values

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row splits of all partitions, the outermost first."""
        return (self.row_splits, *(self.values.nested_row_splits if isinstance(self.values, RaggedTensorValue) else ()))

    @property
    def ragged_rank(self) -> int:
        """The number of partitions."""
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> Any:
        """NumPy's dtype of the values."""
        return self.flat_values.dtype

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The shape, None for ragged axes."""
        return (len(self.row_splits) - 1, None, *self.values.shape[1:])

    def to_list(self) -> list[Any]:
        """Nested lists of Python values."""
        items = self.values.to_list() if isinstance(self.values, RaggedTensorValue) else self.values.tolist()
        ends = self.row_splits.tolist()
        return [items[start:end] for start, end in pairwise(ends)]

    def __repr__(self) -> str:
        return f"tf.RaggedTensorValue(values={self.values!r}, row_splits={self.row_splits!r})"


def array_of(value: object) -> Any:
    """A value as an array."""
    if not isinstance(value, RaggedTensorValue):
        return np.array(value)
    values = array_of(value.values)
    if len(value.row_splits) == 1:
        return np.empty((0, *values.shape), values.dtype)
    rows = np.split(values, value.row_splits[1:-1])
    if len({len(row) for row in rows}) == 1:
        return np.array(rows)
    out = np.empty(len(rows), object)
    for i, row in enumerate(rows):
        out[i] = row
    return out
