"""Convolutions and pools of `tf.compat.v1.nn` that load when first asked for, with TensorFlow 1's argument names."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import int64
from ...base.export import export
from ...base.renamed_arguments import resolve_renamed
from ...ir.tensor import DTypeLike, IntLike, NumberLike, Padding, ShapeLike, Tensor, TensorLike
from ...nn import pooling_indices, volumes
from ...ops.windows.conv3d import CONV3D, CONV3D_FILTER
from ...ops.windows.pool_argmax import MAX_POOL_WITH_ARGMAX
from ...ops.windows.pool_fractional import FRACTIONAL_AVG_POOL, FRACTIONAL_MAX_POOL

_ONES = [1, 1, 1, 1, 1]


@export(v1="nn.conv3d")
def conv3d(
    input: TensorLike,
    filter: TensorLike | None = None,
    strides: IntLike | None = None,
    padding: Padding | None = None,
    data_format: str = "NDHWC",
    dilations: IntLike = _ONES,
    name: str | None = None,
    filters: TensorLike | None = None,
) -> Tensor:
    """`tf.nn.conv3d` of TensorFlow 2, whose `filters` is called `filter` here.

    >>> tf.compat.v1.nn.conv3d(tf.ones([1, 3, 3, 3, 1]), filter=tf.ones([2, 2, 2, 1, 4]), strides=[1] * 5, padding="VALID").shape
    TensorShape([1, 2, 2, 2, 4])
    """
    filters = resolve_renamed("filters", filters, "filter", filter)
    return CONV3D(input, filters, strides=strides, padding=padding, data_format=data_format, dilations=dilations, name=name)


@export(v1="nn.conv3d_transpose")
def conv3d_transpose(
    value: NumberLike | None,
    filter: NumberLike | None = None,
    output_shape: ShapeLike | None = None,
    strides: IntLike | None = None,
    padding: str = "SAME",
    data_format: str = "NDHWC",
    name: str | None = None,
    input: NumberLike | None = None,
    filters: NumberLike | None = None,
    dilations: IntLike | None = None,
) -> Tensor:
    """`tf.nn.conv3d_transpose` of TensorFlow 2, with `value` for `input` and `filter` for `filters`.

    >>> value, filter = tf.ones([1, 2, 2, 2, 4]), tf.ones([2, 2, 2, 1, 4])
    >>> tf.compat.v1.nn.conv3d_transpose(value, filter, [1, 3, 3, 3, 1], strides=[1] * 5, padding="VALID").shape
    TensorShape([1, 3, 3, 3, 1])
    """
    value, filter = resolve_renamed("input", input, "value", value), resolve_renamed("filters", filters, "filter", filter)
    return volumes.conv3d_transpose(value, filter, output_shape, strides, padding, data_format, dilations, name)


@export(v1=("nn.conv3d_backprop_filter", "nn.conv3d_backprop_filter_v2"))
def conv3d_backprop_filter(
    input: TensorLike,
    filter_sizes: IntLike,
    out_backprop: TensorLike,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Any = _ONES,
    name: str | None = None,
) -> Tensor:
    """The gradient of `conv3d` with respect to filters of `filter_sizes`, for the gradient `out_backprop` of its output.

    >>> g = tf.ones([1, 2, 2, 2, 1])
    >>> tf.compat.v1.nn.conv3d_backprop_filter(tf.ones([1, 3, 3, 3, 1]), [2, 2, 2, 1, 1], g, [1] * 5, "VALID").numpy().ravel()
    array([8., 8., 8., 8., 8., 8., 8., 8.], dtype=float32)
    """
    options = {"strides": list(strides), "padding": padding, "data_format": data_format, "dilations": list(dilations)}
    return CONV3D_FILTER(input, filter_sizes, out_backprop, **options, name=name)


@export(v1="nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input: TensorLike,
    ksize: IntLike,
    strides: IntLike,
    padding: str,
    data_format: str = "NHWC",
    Targmax: DTypeLike | None = None,
    name: str | None = None,
    output_dtype: DTypeLike | None = None,
    include_batch_in_index: bool = False,
) -> pooling_indices.MaxPoolWithArgmax:
    """`tf.nn.max_pool_with_argmax` of TensorFlow 2, with `Targmax` for `output_dtype`.

    >>> image = tf.reshape(tf.constant([1.0, 5.0, 3.0, 2.0]), [1, 2, 2, 1])
    >>> values, places = tf.compat.v1.nn.max_pool_with_argmax(image, [1, 2, 2, 1], [1, 2, 2, 1], "VALID", Targmax=tf.int32)
    >>> values.numpy().ravel(), places.numpy().ravel()
    (array([5.], dtype=float32), array([1], dtype=int32))
    """
    dtype = resolve_renamed("output_dtype", output_dtype, "Targmax", Targmax)
    if data_format != "NHWC":
        raise ValueError(f"`data_format` values other  than 'NHWC' are not supported. Received: data_format={data_format}")
    options = {"ksize": ksize, "strides": strides, "padding": padding, "Targmax": int64 if dtype is None else dtype}
    return pooling_indices.MaxPoolWithArgmax(
        *MAX_POOL_WITH_ARGMAX(input, **options, include_batch_in_index=include_batch_in_index, name=name)
    )


@export(v1="nn.fractional_max_pool")
def fractional_max_pool(
    value: TensorLike,
    pooling_ratio: TensorLike,
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
) -> pooling_indices.FractionalMaxPool:
    """`tf.nn.fractional_max_pool` of TensorFlow 2, with both seeds as they are; pooling_ratio: four numbers.

    >>> found = tf.compat.v1.nn.fractional_max_pool(tf.ones([1, 6, 6, 1]), [1.0, 1.5, 1.5, 1.0])
    >>> found[0].shape, found[1].shape
    (TensorShape([1, 4, 4, 1]), TensorShape([5]))
    """
    options = _fractional(pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2)
    return pooling_indices.FractionalMaxPool(*FRACTIONAL_MAX_POOL(value, **options, name=name))


@export(v1="nn.fractional_avg_pool")
def fractional_avg_pool(
    value: TensorLike,
    pooling_ratio: TensorLike,
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
) -> pooling_indices.FractionalAvgPool:
    """`tf.nn.fractional_avg_pool` of TensorFlow 2, with both seeds as they are; pooling_ratio: four numbers.

    >>> found = tf.compat.v1.nn.fractional_avg_pool(tf.ones([1, 6, 6, 1]), [1.0, 1.5, 1.5, 1.0])
    >>> found[0].shape, found[1].shape
    (TensorShape([1, 4, 4, 1]), TensorShape([5]))
    """
    options = _fractional(pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2)
    return pooling_indices.FractionalAvgPool(*FRACTIONAL_AVG_POOL(value, **options, name=name))


def _fractional(ratio: Any, pseudo_random: bool, overlapping: bool, deterministic: bool, seed: int, seed2: int) -> dict[str, Any]:
    return {
        "pooling_ratio": ratio,
        "pseudo_random": pseudo_random,
        "overlapping": overlapping,
        "deterministic": deterministic,
        "seed": seed,
        "seed2": seed2,
    }
