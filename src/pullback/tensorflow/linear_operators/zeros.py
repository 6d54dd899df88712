"""The operator of zeros."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import as_dtype, float32
from ...base.export import export
from ...ops.array.basic import fill, shape
from ...ops.array.shape import BROADCAST_ARGS
from ...ops.families import broadcast_dims
from .diagonal import Sized, static_size
from .facts import convert
from .operator import LinearOperator
from .solving import join_sizes


@export("linalg.LinearOperatorZeros")
class LinearOperatorZeros(Sized):
    """The operator of zeros, [..., num_rows, num_columns].

    num_columns: as num_rows when None.  batch_shape, dtype: as for `LinearOperatorIdentity`.  Hints that deny what it is are a ValueError.

    >>> tf.linalg.LinearOperatorZeros(2).matvec([1.0, 2.0]).numpy().tolist()
    [0.0, 0.0]
    """

    def __init__(
        self,
        num_rows: Any,
        num_columns: Any = None,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool | None = False,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = False,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ) -> None:
        if not is_self_adjoint and is_square:
            raise ValueError("A zero operator is always self adjoint.")
        if is_non_singular:
            raise ValueError("A zero operator is always singular.")
        if is_positive_definite:
            raise ValueError("A zero operator is always not positive-definite.")
        columns = num_rows if num_columns is None else num_columns
        rows_known, columns_known = static_size(num_rows), static_size(columns)
        if is_square and None not in (rows_known, columns_known) and rows_known != columns_known:
            raise ValueError(
                f"LinearOperatorZeros initialized as is_square=True, but got num_rows({rows_known}) != num_columns({columns_known})"
            )
        given = {"num_rows": num_rows, "num_columns": num_columns, "batch_shape": batch_shape, "dtype": dtype}
        super().__init__(as_dtype(dtype or float32), None, False, is_self_adjoint, False, is_square, name, given)
        self._size_given(num_rows, columns, batch_shape)

    def _fill_zeros(self, sizes: Any) -> Any:
        return fill(sizes, np.zeros((), self._dtype.numpy_dtype))

    def _times(self, x: Any, adjoint: bool) -> Any:
        sizes = self._sizes()
        rows = sizes[-1:] if adjoint else sizes[-2:-1]
        batch = x.dims[:-2] if x.dims is not None and None not in x.dims[:-2] else None
        mine = self._batch_dims()
        if batch is not None and mine is not None and None not in mine:
            together: Any = np.array(broadcast_dims(batch, mine), np.int32)
        else:
            together = BROADCAST_ARGS.call(shape(x)[:-2], convert(sizes[:-2]))
        columns = np.array(x.dims[-1:], np.int32) if x.dims is not None and x.dims[-1] is not None else shape(x)[-1:]
        return self._fill_zeros(join_sizes(together, rows, columns))

    def _dense(self) -> Any:
        return self._fill_zeros(self._sizes())

    def _determinant(self) -> Any:
        return self._fill_zeros(self._batch_sizes())

    def _trace(self) -> Any:
        return self._fill_zeros(self._batch_sizes())

    def _eigenvalues(self) -> Any:
        return self._fill_zeros(self._sizes()[:-1])

    def _add_matrix(self, x: Any) -> Any:
        return x + self._fill_zeros(join_sizes(self._batch_sizes(), [1, 1]))

    def _adjoint(self) -> LinearOperator:
        square: Any = {"is_square": self.is_square, "is_self_adjoint": self.is_self_adjoint}
        return LinearOperatorZeros(self._columns, self._rows, self._batch, self._dtype, **square)
