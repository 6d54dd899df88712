"""The dimensions of images, in one layout and in another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import INDEX
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError
from ...ir.op import define
from ...ir.tensor import TensorType
from ..array.gather import gather
from ..array.type_rules import Array, invalid_argument
from ..batching import Batched, stack_rows

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows


def _format_type(x: Any, *, src_format: str = "NHWC", dst_format: str = "NCHW") -> TensorType:
    for which, given in (("Source", src_format), ("Destination", dst_format)):
        if len(given) not in (4, 5):
            text = f"{which} format must be of length 4 or 5, received {given!r}"
            raise ShapeError(text, text)
    if sorted(src_format) != sorted(dst_format):
        text = f"Destination and source format must determine a permutation, got {src_format} and {dst_format}"
        raise ShapeError(text, text)
    return TensorType(x.dims, x.dtype)


def _dim_map(x: Array, *, src_format: str = "NHWC", dst_format: str = "NCHW") -> Array:
    if ((x < -len(src_format)) | (x >= len(src_format))).any():
        raise invalid_argument(f"axes must be in [-{len(src_format)}, {len(src_format)})")
    places = np.array([dst_format.index(letter) for letter in src_format], x.dtype)
    return places[x]


def _vec_permute(x: Array, *, src_format: str = "NHWC", dst_format: str = "NCHW") -> Array:
    """For a vector shorter by two, without the letters N and C."""
    if not 1 <= x.ndim <= 2:
        raise invalid_argument(f"input must be a vector or 2D tensor, but got shape {show_dims(x.shape)}")
    if len(x) == len(src_format) - 2:
        src_format, dst_format = (f.replace("N", "").replace("C", "") for f in (src_format, dst_format))
    if len(x) != len(src_format):
        raise invalid_argument(f"the first dimension of the input must be of size {len(src_format)}, but got shape {show_dims(x.shape)}")
    return x[[src_format.index(letter) for letter in dst_format]]


def _vec_rows(rows: Rows, x: Any, **attrs: Any) -> Batched:
    """Entries are taken in the order in which their numbers are."""
    count = (rows.dims(x) or (None,))[0]
    if count is None:
        return NotImplemented
    return gather(x, rows.op(np.arange(count, dtype=np.int32), **attrs), axis=1, batch_dims=0)


DATA_FORMAT_DIM_MAP = define("DataFormatDimMap", "x:T=int32", _format_type, _dim_map, None, dtypes=INDEX, batch=stack_rows())
DATA_FORMAT_VEC_PERMUTE = define("DataFormatVecPermute", "x:T=int32", _format_type, _vec_permute, None, dtypes=INDEX, batch=_vec_rows)
