"""Reading images between their pixels, at points given by number: what crops and warps are made of, and their derivatives.

`SampleImages` and its adjoint `SampleImagesGrad` are ours.  The slope of the value along y or x is a sample too (`dy`, `dx`), so the
two are closed under differentiation and any order exists.  At a whole coordinate the slope is 0, as TensorFlow's gradient of boxes has it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import FLOATING, float32
from ...ir.op import Op, define
from ...ir.tensor import Tensor, TensorType
from ...ops.array.basic import shape_of
from ...ops.array.type_rules import Array, dims_in
from ...ops.primitives.cast import cast
from ...ops.reduce.reductions import reduce_sum
from ...ops.vmap_rules.index import offset_ids
from ...ops.vmap_rules.nn import multiply_axis

if TYPE_CHECKING:
    from ...ops.vmap_rules.base import Rows

FLOAT = np.float32
_CLOSE = 1 << 16  # points that are read at once, so that their matrix stays close to the processor
Shape = tuple[int, ...]


def _find_pixels(point: Array, size: int, slope: int) -> list[tuple[Array, Array]]:
    """The two pixels beside a point on one axis, and their shares of the value, or of its slope; 0 beyond the image."""
    there = ((point >= 0) & (point <= size - 1)).astype(point.dtype)
    below = np.floor(point)
    share = point - below
    first, second = (np.clip(np.nan_to_num(at), 0, max(size - 1, 0)).astype(np.int64) for at in (below, np.ceil(point)))
    if slope:
        return [(first, -there), (second, there)]
    held = np.where(there != 0, share, 0)
    return [(first, there - held), (second, held)]


def are_inside(shape: Shape, y: Array, x: Array) -> Array:
    """Which points lie on the image."""
    lies: Array = (y >= 0) & (y <= shape[1] - 1) & (x >= 0) & (x <= shape[2] - 1)
    return lies


def _matrix(shape: Shape, index: Array, y: Array, x: Array, dy: int, dx: int, dtype: Any) -> tuple[Any, Shape]:
    """The sparse matrix from pixels to points, and the shape of the points."""
    from scipy.sparse import csr_array

    points = np.broadcast_shapes(y.shape, x.shape)
    count = math.prod(points)
    whole = np.int32 if max(math.prod(shape), 4 * count + 1) < 2**31 else np.int64
    at, shares = np.empty((*points, 4), whole), np.empty((*points, 4), dtype)
    first = index.astype(np.int64).reshape(-1, *(1,) * (y.ndim - 1)) * shape[1]
    columns = [(column.astype(whole), wide) for column, wide in _find_pixels(x, shape[2], dx)]
    for i, (row, high) in enumerate(_find_pixels(y, shape[1], dy)):
        line = ((first + row) * shape[2]).astype(whole)
        for j, (column, wide) in enumerate(columns):
            np.add(line, column, out=at[..., 2 * i + j])
            np.multiply(high, wide, out=shares[..., 2 * i + j])
    starts = np.arange(0, 4 * count + 1, 4, dtype=whole)
    return csr_array((shares.ravel(), at.ravel(), starts), shape=(count, math.prod(shape[:3]))), points


def read(images: Array, index: Array, y: Array, x: Array, dy: int = 0, dx: int = 0) -> Array:
    """The values of images [n, height, width, channels] at points; y, x: [m, ...] broadcast against each other, index: [m]."""
    wide = images.astype(FLOAT) if images.dtype.itemsize < 4 else images
    if not images.size:
        return np.zeros((*np.broadcast_shapes(y.shape, x.shape), images.shape[3]), images.dtype)
    flat = wide.reshape(-1, images.shape[3])
    each = math.prod(np.broadcast_shapes(y.shape[1:], x.shape[1:]))
    count = max(_CLOSE // max(each, 1), 1)
    if len(y) <= count:
        return _read(images.shape, flat, index, y, x, dy, dx).astype(images.dtype, copy=False)
    blocks = [slice(start, start + count) for start in range(0, len(y), count)]
    out = np.empty((len(y), *np.broadcast_shapes(y.shape[1:], x.shape[1:]), images.shape[3]), images.dtype)
    for at in blocks:
        out[at] = _read(images.shape, flat, index[at], y[at], x[at], dy, dx)
    return out


def _read(shape: Shape, flat: Array, index: Array, y: Array, x: Array, dy: int, dx: int) -> Array:
    matrix, points = _matrix(shape, index, y, x, dy, dx, flat.dtype)
    values: Array = (matrix @ flat).reshape(*points, shape[3])
    return values


def spread(grads: Array, index: Array, y: Array, x: Array, shape: Shape, dy: int = 0, dx: int = 0) -> Array:
    """The adjoint of `read`, for images of `shape`."""
    wide = grads.astype(FLOAT) if grads.dtype.itemsize < 4 else grads
    if not math.prod(shape):
        return np.zeros(shape, grads.dtype)
    matrix, points = _matrix(shape, index, y, x, dy, dx, wide.dtype)
    total: Array = matrix.T @ wide.reshape(math.prod(points), shape[3])
    return total.reshape(shape).astype(grads.dtype, copy=False)


def _type(images: Any, index: Any, y: Any, x: Any, *, dy: int = 0, dx: int = 0) -> TensorType:
    points = (None, None) if y.dims is None else y.dims
    return TensorType((*points, None if images.dims is None else images.dims[3]), images.dtype)


def _grad_type(grads: Any, index: Any, y: Any, x: Any, shape: Any, *, dy: int = 0, dx: int = 0) -> TensorType:
    return TensorType(dims_in(shape) or (None,) * 4, grads.dtype)


def slope(grads: Tensor, images: Tensor, index: Tensor, y: Tensor, x: Tensor, dy: int, dx: int) -> Any:
    """The sum over channels of `grads` times the values, or slopes, at the points, as float32; None where the slope of a slope is 0."""
    if dy > 1 or dx > 1:
        return None
    return cast(reduce_sum(grads * SAMPLE(images, index, y, x, dy=dy, dx=dx), -1), float32)


def _rows(rows: Rows, images: Any, index: Any, y: Any, x: Any, **attrs: Any) -> Any:
    """Images of all rows are one batch, in which a row's points count on from its first."""
    if rows.has(images):
        index, images = offset_ids(rows, index, rows.shape(images)[0]), rows.fold(images)
    return rows.unfold(rows.op(images, *map(rows.fold, (index, y, x)), **attrs), rows.shape(y)[0])


def _grad_rows(rows: Rows, grads: Any, index: Any, y: Any, x: Any, shape: Any, **attrs: Any) -> Any:
    if rows.has(shape):
        return NotImplemented
    given = (grads, offset_ids(rows, index, shape[0]), y, x)
    dims = rows.node.outputs[0].dims
    return rows.unfold(rows.op(*map(rows.fold, given), multiply_axis(rows, shape, 0), **attrs), None if dims is None else dims[0])


SAMPLE: Op = define(
    "SampleImages",
    "images index:int32 y:float32 x:float32",
    _type,
    read,
    {
        "images": lambda g, images_type, index, y, x, attrs: SAMPLE_GRAD(g, index, y, x, shape_of(images_type), **attrs),
        "y": lambda g, images, index, y, x, dy, dx: slope(g, images, index, y, x, dy + 1, dx),
        "x": lambda g, images, index, y, x, dy, dx: slope(g, images, index, y, x, dy, dx + 1),
    },
    dtypes=FLOATING,
    batch=_rows,
)
SAMPLE_GRAD: Op = define(
    "SampleImagesGrad",
    "grads index:int32 y:float32 x:float32 shape:int32",
    _grad_type,
    lambda grads, index, y, x, shape, *, dy=0, dx=0: spread(grads, index, y, x, tuple(int(n) for n in shape), dy, dx),
    {
        "grads": lambda g, index, y, x, attrs: SAMPLE(g, index, y, x, **attrs),
        "y": lambda g, grads, index, y, x, dy, dx: slope(grads, g, index, y, x, dy + 1, dx),
        "x": lambda g, grads, index, y, x, dy, dx: slope(grads, g, index, y, x, dy, dx + 1),
    },
    dtypes=FLOATING,
    batch=_grad_rows,
)
