"""Fractional pooling (Graham, "Fractional Max-Pooling", 2014): windows of sizes drawn at random, so that images shrink by any ratio.

The two sequences of window borders are drawn from the Philox stream of the seeds, as TensorFlow draws them: lengths shuffled, or a common
random offset of an arithmetic progression (`pseudo_random`).  Windows are products of intervals, so maxima and sums go axis by axis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import float32, float64, int32, int64
from ...base.errors import UnimplementedError
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...kernels.native_loops import run_natively
from ..array.basic import shape_of, zeros_of
from ..array.type_rules import Array, dims_in, invalid_argument, plus, require_rank
from ..batching import Batched, Same, fold_rows
from ..math.kernels import truncate_div
from ..random.kernels import doubles, permutation
from ..random.philox import Philox, from_seeds
from ..vmap_rules import nn as rows_nn
from . import fractional_loops as walks
from .conv3d import require_rank as require_dims

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows

_DTYPES = (float32, float64, int32, int64)


def _pooled_size(n: int | None, ratio: float) -> int | None:
    return None if n is None else math.floor(np.float32(n) / np.float32(ratio))


def _check_ratios(pooling_ratio: Sequence[float]) -> None:
    if len(pooling_ratio) != 4:
        text = f"pooling_ratio field must specify 4 dimensions, got {list(pooling_ratio)}"
        raise ShapeError(text, text)
    if any(ratio < 1.0 for ratio in pooling_ratio):
        text = f"pooling_ratio cannot be smaller than 1, got: {min(pooling_ratio)}"
        raise ShapeError(text, text)
    if pooling_ratio[0] != 1.0 or pooling_ratio[3] != 1.0:
        raise UnimplementedError(None, None, "Fractional pooling is not yet supported on the batch nor channel dimension.")


def _type(value: Any, *, pooling_ratio: Sequence[float], **_: Any) -> tuple[TensorType, ...]:
    _check_ratios(pooling_ratio)
    require_rank(value, 4, "tensor_in must be 4-dimensional")
    dims = [_pooled_size(n, ratio) for n, ratio in zip(value.dims or (None,) * 4, pooling_ratio, strict=True)]
    borders = [TensorType((plus(n, 1),), int64) for n in dims[1:3]]
    return TensorType(tuple(dims), value.dtype), *borders


def _lengths(stream: Philox, size: int, count: int, pseudo_random: bool) -> tuple[Array, Philox]:
    """How long each of `count` windows on an axis of `size` is, and the stream that the next axis draws from."""
    if size % count == 0:
        return np.full(count, size // count), stream
    if not pseudo_random:
        lengths = np.full(count, size // count)
        lengths[: size % count] += 1
        return lengths[permutation(stream, count)], stream.skip(-(-count // 4))
    alpha, least = size / count, size // count
    bound = min((least + 2) / alpha - 1, (size + 1 - least) / alpha - (count - 1))
    offset = float(doubles(stream.words(2))[0]) * bound
    inner = np.ceil(alpha * (np.arange(1, count) + offset)).astype(np.int64)
    return np.diff(np.concatenate([[1], inner, [size + 1]])), stream.skip(1)


def _borders(shape: Sequence[int], out: Sequence[int], pseudo_random: bool, stream: Philox) -> list[Array]:
    found = []
    for axis in (1, 2):
        lengths, stream = _lengths(stream, shape[axis], out[axis], pseudo_random)
        found.append(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
    return found


@lru_cache(maxsize=256)
def _seeded_borders(shape: tuple[int, ...], out: tuple[int, ...], pseudo_random: bool, seed: int, seed2: int) -> list[Array]:
    """The same from two seeds: each step of a program draws these again."""
    return _borders(shape, out, pseudo_random, from_seeds(seed, seed2))


def _draw_borders(
    shape: tuple[int, ...], out: tuple[int, ...], pseudo_random: bool, deterministic: bool, seed: int, seed2: int
) -> list[Array]:
    if not deterministic and (seed or seed2):
        raise invalid_argument("Both seed and seed2 should be 0 if deterministic is false.")
    if not (seed or seed2):
        return _borders(shape, out, pseudo_random, from_seeds(_fresh_seed(), _fresh_seed()))
    return [edges.copy() for edges in _seeded_borders(shape, out, pseudo_random, seed, seed2)]


def _fresh_seed() -> int:
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])


def _combine_windows(x: Array, borders: Sequence[Array], overlapping: bool, combine: np.ufunc) -> Array:
    """`combine` over windows of height and width; those that overlap take the first point of the next one, too."""
    for axis, edges in enumerate(borders, 1):
        lengths = np.diff(edges)
        if overlapping:
            lengths[:-1] += 1
        y = x.take(edges[:-1], axis=axis)
        for i in range(1, int(lengths.max())):
            if combine is np.maximum:  # a window that is over is none the worse for its last point once more
                combine(y, x.take(edges[:-1] + np.minimum(i, lengths - 1), axis=axis), out=y)
                continue
            longer = np.flatnonzero(lengths > i)
            more = x.take(edges[longer] + i, axis=axis)
            if len(longer) == len(lengths):
                combine(y, more, out=y)
            else:
                at = (slice(None),) * axis + (longer,)
                y[at] = combine(y.take(longer, axis=axis), more)
        x = y
    return x


def _points(borders: Sequence[Array], overlapping: bool) -> Array:
    """How many points each window has: [height, width, 1]."""
    lengths = []
    for edges in borders:
        length = np.diff(edges)
        if overlapping:
            length[:-1] += 1
        lengths.append(length)
    return (lengths[0][:, None] * lengths[1])[..., None]


def _average(total: Array, points: Array) -> Array:
    """The quotient, towards zero for integers."""
    if total.dtype.kind == "i":
        return np.asarray(truncate_div(total, points.astype(total.dtype)))
    mean: Array = total / np.repeat(points.astype(total.dtype), total.shape[-1], axis=-1)
    return mean


def _pool(x: Array, borders: tuple[Array, Array], overlapping: bool, average: bool) -> Array:
    """The means or the maxima of windows."""
    out = np.empty((x.shape[0], *(len(edges) - 1 for edges in borders), x.shape[3]), x.dtype)
    sizes, given = (*x.shape[:3], *out.shape[1:3]), (x.reshape(-1), *borders)
    constants = {"channels": x.shape[3], "more": int(overlapping)}
    if average and x.dtype.kind == "f":
        done = run_natively(walks.averages, x.size, out.reshape(-1), np.empty(x.shape[3], x.dtype), *given, *sizes, **constants)
    else:
        done = None if average else run_natively(walks.find_largest, x.size, out.reshape(-1), *given, *sizes, **constants)
    if done is not None:
        return out
    y = _combine_windows(x, borders, overlapping, np.add if average else np.maximum)
    return _average(y, _points(borders, overlapping)) if average else y


def _forward(average: bool) -> Callable[..., Any]:
    def kernel(
        value: Array,
        *,
        pooling_ratio: Sequence[float],
        pseudo_random: bool = False,
        overlapping: bool = False,
        deterministic: bool = False,
        seed: int = 0,
        seed2: int = 0,
        site: Any,
    ) -> tuple[Array, ...]:
        require_dims(value.shape, 4, "tensor_in")
        _check_ratios(pooling_ratio)
        for axis, ratio in enumerate(pooling_ratio):
            if value.shape[axis] < ratio and ratio > 1:
                raise invalid_argument(
                    f"Pooling ratio is higher than input dimension size for dimension {axis}. "
                    f"Input dim size: {value.shape[axis]} pooling ratio: {ratio:g}"
                )
        out = tuple([_pooled_size(n, ratio) or 0 for n, ratio in zip(value.shape, pooling_ratio, strict=True)])
        rows, columns = _draw_borders(value.shape, out, pseudo_random, deterministic, seed, seed2)
        return _pool(value, (rows, columns), overlapping, average), rows, columns

    return kernel


def _check_borders(shape: Sequence[int], rows: Array, columns: Array) -> list[Array]:
    """The borders of windows on images of `shape`; refused where they do not rise from 0 to the size."""
    for edges, size, name in ((rows, shape[1], "row_pooling_sequence"), (columns, shape[2], "col_pooling_sequence")):
        if edges.ndim != 1 or len(edges) < 2 or edges[0] != 0 or edges[-1] != size or (np.diff(edges) <= 0).any():
            raise invalid_argument(f"{name} must rise from 0 to {size}, got {edges.tolist()}")
    return [rows, columns]


def _require_pooled(found: Array, shape: Sequence[int], borders: Sequence[Array], name: str) -> None:
    expected = (shape[0], *(len(edges) - 1 for edges in borders), shape[3])
    if found.shape != expected:
        raise invalid_argument(f"{name} must have the shape of the pooled input, {list(expected)}, got {list(found.shape)}")


def _window_points(borders: Sequence[Array], overlapping: bool) -> Iterator[tuple[tuple[Array, Array], tuple[Array, Array]]]:
    """For each place in a window, in row-major order: the windows that have it, and the point of the image that each sees there."""
    places = []
    for edges in borders:
        length = np.diff(edges)
        if overlapping:
            length[:-1] += 1
        places.append([(np.flatnonzero(length > i), edges[:-1][length > i] + i) for i in range(int(length.max()))])
    for window_rows, rows in places[0]:
        for window_columns, columns in places[1]:
            yield (window_rows, window_columns), (rows, columns)


def _take_points(x: Array, at: tuple[Array, Array]) -> Array:
    """Some rows and columns of images."""
    return x.take(at[0], axis=1).take(at[1], axis=2)


def _index_of(places: tuple[Array, Array]) -> Any:
    return slice(None), places[0][:, None], places[1]


def _max_grad(
    orig_input: Array,
    orig_output: Array,
    out_backprop: Array,
    row_pooling_sequence: Array,
    col_pooling_sequence: Array,
    *,
    overlapping: bool,
) -> Array:
    require_dims(orig_input.shape, 4, "orig_input")
    borders = _check_borders(orig_input.shape, row_pooling_sequence, col_pooling_sequence)
    _require_pooled(orig_output, orig_input.shape, borders, "orig_output")
    _require_pooled(out_backprop, orig_input.shape, borders, "out_backprop")
    if not overlapping and out_backprop.dtype == orig_input.dtype:
        back, room = np.empty(orig_input.shape, orig_input.dtype), np.empty(orig_input.shape[3], f"i{orig_input.itemsize}")
        given = [x.reshape(-1) for x in (back, orig_input, orig_output, out_backprop)]
        sizes = *orig_input.shape[:3], *orig_output.shape[1:3]
        if run_natively(walks.add_to_largest, back.size, *given, room, *borders, *sizes, channels=len(room)) is not None:
            return back
    back, pending = np.zeros_like(orig_input), np.ones(orig_output.shape, bool)
    for window, point in _window_points(borders, overlapping):
        open_ = _take_points(pending, window)
        chosen = (_take_points(orig_input, point) == _take_points(orig_output, window)) & open_
        back[_index_of(point)] += np.where(chosen, _take_points(out_backprop, window), 0).astype(back.dtype, copy=False)
        pending[_index_of(window)] = open_ & ~chosen
    return back


def _max_grad_grad(
    orig_input: Array, orig_output: Array, grad: Array, row_pooling_sequence: Array, col_pooling_sequence: Array, *, overlapping: bool
) -> Array:
    borders = _check_borders(orig_input.shape, row_pooling_sequence, col_pooling_sequence)
    _require_pooled(orig_output, orig_input.shape, borders, "orig_output")
    found, pending = np.zeros_like(orig_output), np.ones(orig_output.shape, bool)
    for window, point in _window_points(borders, overlapping):
        open_ = _take_points(pending, window)
        chosen = (_take_points(orig_input, point) == _take_points(orig_output, window)) & open_
        found[_index_of(window)] = np.where(chosen, _take_points(grad, point), _take_points(found, window))
        pending[_index_of(window)] = open_ & ~chosen
    return found


def _avg_grad(
    orig_input_tensor_shape: Array, out_backprop: Array, row_pooling_sequence: Array, col_pooling_sequence: Array, *, overlapping: bool
) -> Array:
    shape = tuple(int(n) for n in orig_input_tensor_shape)
    require_dims(shape, 4, "orig_input_tensor_shape")
    borders = _check_borders(shape, row_pooling_sequence, col_pooling_sequence)
    _require_pooled(out_backprop, shape, borders, "out_backprop")
    back = _average(out_backprop, _points(borders, overlapping))
    for axis in (2, 1):
        edges = borders[axis - 1]
        shared = back
        back = np.repeat(back, np.diff(edges), axis=axis)
        if overlapping and len(edges) > 2:
            np.moveaxis(back, axis, 0)[edges[1:-1]] += np.moveaxis(shared, axis, 0)[:-1]
    return back


def _avg_grad_grad(grad: Array, row_pooling_sequence: Array, col_pooling_sequence: Array, *, overlapping: bool) -> Array:
    borders = _check_borders(grad.shape, row_pooling_sequence, col_pooling_sequence)
    return _pool(grad, (borders[0], borders[1]), overlapping, True)


def _count_windows(borders: Any) -> int | None:
    return None if borders.dims is None or borders.dims[0] is None else borders.dims[0] - 1


def _avg_grad_grad_type(grad: Any, row_pooling_sequence: Any, col_pooling_sequence: Any, *, overlapping: bool = False) -> TensorType:
    dims = grad.dims or (None,) * 4
    return TensorType((dims[0], _count_windows(row_pooling_sequence), _count_windows(col_pooling_sequence), dims[3]), grad.dtype)


def _avg_grad_type(
    orig_input_tensor_shape: Any, out_backprop: Any, row_pooling_sequence: Any, col_pooling_sequence: Any, *, overlapping: bool = False
) -> TensorType:
    return TensorType(dims_in(orig_input_tensor_shape) or (None,) * 4, out_backprop.dtype)


def _forward_rows(rows: Rows, value: Any, **attrs: Any) -> Batched:
    """Rows of one seeded draw are one batch; without seeds each row draws for itself."""
    if not (attrs["seed"] or attrs["seed2"]):
        return NotImplemented
    y, heights, widths = rows.op(rows.fold(value), **attrs)
    dims = rows.node.outputs[0].dims
    return rows.unfold(y, None if dims is None else dims[0]), Same(heights), Same(widths)


_SEQUENCES = "row_pooling_sequence:int64 col_pooling_sequence:int64"

FRACTIONAL_MAX_POOL: Op = define(
    "FractionalMaxPool",
    "value",
    _type,
    _forward(average=False),
    {
        "value": lambda g_output, value, output, row_pooling_sequence, col_pooling_sequence, overlapping: FRACTIONAL_MAX_POOL_GRAD(
            value, output, g_output, row_pooling_sequence, col_pooling_sequence, overlapping=overlapping
        )
    },
    outputs="output row_pooling_sequence col_pooling_sequence",
    dtypes=_DTYPES,
    stateful=True,
    batch=_forward_rows,
)
FRACTIONAL_AVG_POOL: Op = define(
    "FractionalAvgPool",
    "value",
    _type,
    _forward(average=True),
    {
        "value": lambda g_output, value_type, row_pooling_sequence, col_pooling_sequence, overlapping: FRACTIONAL_AVG_POOL_GRAD(
            shape_of(value_type, int64), g_output, row_pooling_sequence, col_pooling_sequence, overlapping=overlapping
        )
    },
    outputs="output row_pooling_sequence col_pooling_sequence",
    dtypes=_DTYPES,
    stateful=True,
    batch=_forward_rows,
)
FRACTIONAL_MAX_POOL_GRAD: Op = define(
    "FractionalMaxPoolGrad",
    f"orig_input orig_output out_backprop {_SEQUENCES}",
    lambda orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence, *, overlapping=False: TensorType(
        orig_input.dims, orig_input.dtype
    ),
    _max_grad,
    {
        "orig_input": lambda orig_input_type: zeros_of(orig_input_type),
        "orig_output": lambda orig_output_type: zeros_of(orig_output_type),
        "out_backprop": lambda g, orig_input, orig_output, row_pooling_sequence, col_pooling_sequence, overlapping: (
            FRACTIONAL_MAX_POOL_GRAD_GRAD(
                orig_input, orig_output, g, row_pooling_sequence, col_pooling_sequence, overlapping=overlapping
            )
        ),
    },
    outputs="output",
    dtypes=_DTYPES,
    batch=fold_rows("orig_input", "orig_output", "out_backprop"),
)
FRACTIONAL_MAX_POOL_GRAD_GRAD: Op = define(
    "FractionalMaxPoolGradGrad",  # ours: TensorFlow has no second derivative
    f"orig_input orig_output grad {_SEQUENCES}",
    lambda orig_input, orig_output, grad, row_pooling_sequence, col_pooling_sequence, *, overlapping=False: TensorType(
        orig_output.dims, orig_output.dtype
    ),
    _max_grad_grad,
    {
        "orig_input": lambda orig_input_type: zeros_of(orig_input_type),
        "orig_output": lambda orig_output_type: zeros_of(orig_output_type),
        "grad": lambda g, orig_input, orig_output, row_pooling_sequence, col_pooling_sequence, overlapping: FRACTIONAL_MAX_POOL_GRAD(
            orig_input, orig_output, g, row_pooling_sequence, col_pooling_sequence, overlapping=overlapping
        ),
    },
    outputs="output",
    dtypes=_DTYPES,
    batch=fold_rows("orig_input", "orig_output", "grad"),
)
FRACTIONAL_AVG_POOL_GRAD: Op = define(
    "FractionalAvgPoolGrad",
    f"orig_input_tensor_shape:int64 out_backprop {_SEQUENCES}",
    _avg_grad_type,
    _avg_grad,
    {
        "out_backprop": lambda g, row_pooling_sequence, col_pooling_sequence, overlapping: FRACTIONAL_AVG_POOL_GRAD_GRAD(
            g, row_pooling_sequence, col_pooling_sequence, overlapping=overlapping
        )
    },
    outputs="output",
    dtypes=_DTYPES,
    batch=rows_nn.average_pool_grad,
)
FRACTIONAL_AVG_POOL_GRAD_GRAD: Op = define(
    "FractionalAvgPoolGradGrad",  # ours: TensorFlow has no second derivative
    f"grad {_SEQUENCES}",
    _avg_grad_grad_type,
    _avg_grad_grad,
    {
        "grad": lambda g, grad_type, row_pooling_sequence, col_pooling_sequence, overlapping: FRACTIONAL_AVG_POOL_GRAD(
            shape_of(grad_type, int64), g, row_pooling_sequence, col_pooling_sequence, overlapping=overlapping
        )
    },
    outputs="output",
    dtypes=_DTYPES,
    batch=fold_rows("grad"),
)
