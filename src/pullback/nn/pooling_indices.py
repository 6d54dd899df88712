"""Pools with the places of maxima, and fractional pools, as users call them."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ..base.dtypes import int64
from ..base.export import export
from ..ir.tensor import DTypeLike, IntLike, TensorLike
from ..ops.random.seed import get_seed
from ..ops.windows.layout import expand_steps
from ..ops.windows.pool_argmax import MAX_POOL_WITH_ARGMAX
from ..ops.windows.pool_fractional import FRACTIONAL_AVG_POOL, FRACTIONAL_MAX_POOL

MaxPoolWithArgmax = namedtuple("MaxPoolWithArgmax", "output argmax")
FractionalMaxPool = namedtuple("FractionalMaxPool", "output row_pooling_sequence col_pooling_sequence")
FractionalAvgPool = namedtuple("FractionalAvgPool", "output row_pooling_sequence col_pooling_sequence")


@export(v2="nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input: TensorLike,
    ksize: IntLike,
    strides: IntLike,
    padding: str,
    data_format: str = "NHWC",
    output_dtype: DTypeLike = int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> MaxPoolWithArgmax:
    """The largest number of each window of a batch of images, and where it stands.

    input: [batch, height, width, channels], any real dtype.  ksize, strides: one number, two, or four.  Returns (output, argmax): argmax,
    of `output_dtype` (int32 or int64), is (y * width + x) * channels + channel, plus the image's number times the size of an image when
    `include_batch_in_index`.  Raises ValueError for another layout, InvalidArgumentError (in graphs ValueError) for shapes that do not fit.

    >>> output, argmax = tf.nn.max_pool_with_argmax(tf.reshape([1.0, 4.0, 3.0, 2.0], [1, 2, 2, 1]), 2, 2, "VALID")
    >>> output.numpy().item(), argmax.numpy().item()
    (4.0, 1)
    """
    if data_format != "NHWC":
        raise ValueError(f"`data_format` values other  than 'NHWC' are not supported. Received: data_format={data_format}")
    found = MAX_POOL_WITH_ARGMAX(
        input,
        ksize=expand_steps(ksize, 2, 3, "ksize"),
        strides=expand_steps(strides, 2, 3, "strides"),
        padding=padding,
        Targmax=output_dtype,
        include_batch_in_index=include_batch_in_index,
        name=name,
    )
    return MaxPoolWithArgmax(*found)


def _ratios(pooling_ratio: Any) -> list[float]:
    """The ratio of each axis, for `fractional_max_pool`, which checks them itself as TensorFlow's does."""
    if isinstance(pooling_ratio, (int, float)):
        if pooling_ratio < 1.0:
            raise ValueError(f"`pooling_ratio` should be >= 1.0. Received: pooling_ratio={pooling_ratio}")
        return [1.0, float(pooling_ratio), float(pooling_ratio), 1.0]
    if not isinstance(pooling_ratio, (list, tuple)):
        raise ValueError(f"`pooling_ratio` should be an int or a list of ints. Received: pooling_ratio={pooling_ratio}")
    if pooling_ratio[0] != 1.0 or pooling_ratio[-1] != 1.0:
        raise ValueError(f"`pooling_ratio` should have first and last elements with value 1.0. Received: pooling_ratio={pooling_ratio}")
    if any(ratio < 1.0 for ratio in pooling_ratio):
        raise ValueError(f"`pooling_ratio` elements should be >= 1.0. Received: pooling_ratio={pooling_ratio}")
    return [float(ratio) for ratio in pooling_ratio]


def _draw_pool(op: Any, value: Any, pooling_ratio: Any, pseudo_random: bool, overlapping: bool, seed: int, name: str | None) -> Any:
    first, second = get_seed(seed) if seed else (0, 0)
    return op(
        value,
        pooling_ratio=pooling_ratio,
        pseudo_random=pseudo_random,
        overlapping=overlapping,
        deterministic=bool(seed),
        seed=first or 0,
        seed2=second or 0,
        name=name,
    )


@export(v2="nn.fractional_max_pool")
def fractional_max_pool(
    value: TensorLike,
    pooling_ratio: TensorLike,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> FractionalMaxPool:
    """The largest number of each window of a batch of images, in windows of random sizes that make images `pooling_ratio` times smaller.

    value: [batch, height, width, channels]; float32, float64, int32 or int64.  pooling_ratio: a number of at least 1, or four, the first
    and last being 1.  pseudo_random: sizes follow a regular pattern at a random offset, else they are shuffled.  overlapping: windows
    share their borders.  seed: 0 for other windows each time.  Returns (output, row_pooling_sequence, col_pooling_sequence), the
    sequences being where windows begin, and the size at last.  Raises ValueError for ratios that do not fit.

    >>> found = tf.nn.fractional_max_pool(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), 2.0, seed=1)
    >>> found.output.numpy().ravel().tolist(), found.row_pooling_sequence.numpy().tolist()
    ([5.0, 7.0, 13.0, 15.0], [0, 2, 4])
    """
    return FractionalMaxPool(*_draw_pool(FRACTIONAL_MAX_POOL, value, _ratios(pooling_ratio), pseudo_random, overlapping, seed, name))


@export(v2="nn.fractional_avg_pool")
def fractional_avg_pool(
    value: TensorLike,
    pooling_ratio: TensorLike,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> FractionalAvgPool:
    """The mean of each window of a batch of images, in windows of random sizes; results as `fractional_max_pool`.

    pooling_ratio: four numbers; the other arguments as there.

    >>> found = tf.nn.fractional_avg_pool(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), [1.0, 2.0, 2.0, 1.0], seed=1)
    >>> found.output.numpy().ravel().tolist()
    [2.5, 4.5, 10.5, 12.5]
    """
    return FractionalAvgPool(*_draw_pool(FRACTIONAL_AVG_POOL, value, pooling_ratio, pseudo_random, overlapping, seed, name))
