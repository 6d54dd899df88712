"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import NUMERIC
from ..base.shapes import show as show_dims
from ..ir.apply import ShapeError
from ..ir.op import define
from ..ir.tensor import TensorType


def _matmul_type(a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False) -> TensorType:
    rows, inner = _matrix_dims(a, transpose_a)
    other, columns = _matrix_dims(b, transpose_b)
    if inner is not None and other is not None and inner != other:
        text = f"Matrix size-incompatible: In[0]: {show_dims(a.dims)}, In[1]: {show_dims(b.dims)}"
        raise ShapeError(f"Dimensions must be equal, but are {inner} and {other}", text)
    return TensorType((rows, columns), a.dtype)


def _matrix_dims(x: Any, transposed: bool) -> tuple[int | None, int | None]:
    if x.dims is None:
        return None, None
    if len(x.dims) != 2:
        raise ShapeError(f"Shape must be rank 2 but is rank {len(x.dims)}", f"In[0] and In[1] has different ndims or are no matrices: {show_dims(x.dims)}")
    return (x.dims[1], x.dims[0]) if transposed else x.dims


def _matmul(a: np.ndarray, b: np.ndarray, *, transpose_a: bool = False, transpose_b: bool = False) -> np.ndarray:
    return np.matmul(a.T if transpose_a else a, b.T if transpose_b else b)


def _for_a(g: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    if transpose_a:
        return MATMUL(b, g, transpose_a=transpose_b, transpose_b=True)
    return MATMUL(g, b, transpose_b=not transpose_b)


def _for_b(g: Any, a: Any, transpose_a: bool, transpose_b: bool) -> Any:
    if transpose_b:
        return MATMUL(g, a, transpose_a=True, transpose_b=transpose_a)
    return MATMUL(a, g, transpose_a=not transpose_a)


MATMUL = define("MatMul", "a b", _matmul_type, _matmul, {"a": _for_a, "b": _for_b}, dtypes=NUMERIC)
