"""Convolutions as users call them: strides, paddings and layouts in every way TensorFlow takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.export import export
from ..base.lazy_import import LazyModule
from ..ir.apply import convert_to_tensor
from ..ir.attributes import as_word, read_text
from ..ir.context import scope
from ..ir.tensor import IntLike, NumberLike, Padding, ShapeLike, Tensor
from ..ops.array.basic import reshape, shape_of
from ..ops.array.join import concat
from ..ops.array.shape import expand_dims, squeeze
from ..ops.windows.conv import CONV2D, CONV2D_INPUT, DEPTHWISE
from ..ops.windows.layout import expand_steps, padding_of
from .layout import as_sizes, convert_beside, layout_of

if TYPE_CHECKING:
    from ..ops.windows import conv3d
else:
    conv3d = LazyModule("pullback.ops.windows.conv3d")


@export(v2="nn.conv2d")
def conv2d(
    input: NumberLike,
    filters: NumberLike,
    strides: IntLike | None,
    padding: Padding,
    data_format: str | None = "NHWC",
    dilations: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Correlate a batch of images with filters.

    input: [batch..., height, width, channels], or channels first when data_format is "NCHW".  filters: [height, width, channels, out];
    input channels that are a multiple of the filters' make groups.  strides, dilations: one number, two, or one for each dimension.
    padding: "VALID", "SAME", or a pair of numbers for each dimension.  Raises InvalidArgumentError (in graphs ValueError) for shapes
    that do not fit, ValueError for a list of another length.

    >>> tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), 1, "VALID")[0, :, :, 0].numpy().tolist()
    [[4.0, 4.0], [4.0, 4.0]]
    """
    layout = layout_of(data_format, "NHWC")
    channel = 1 if layout.startswith("NC") else 3
    word, explicit = padding_of(padding)
    options: dict[str, Any] = {
        "strides": expand_steps(strides, 2, channel, "strides"),
        "padding": word,
        "explicit_paddings": explicit,
        "data_format": layout,
        "dilations": expand_steps(dilations, 2, channel, "dilations"),
    }
    x = convert_beside(input, filters, "input", 4)
    if x.dims is not None and len(x.dims) > 4:
        return _merge_batch(x, lambda flat: CONV2D(flat, filters, **options), name)
    return CONV2D(x, filters, **options, name=name)


def _check_word(padding: Any) -> str:
    """A padding that may not be a list."""
    return read_text(as_word("padding", padding))


def _merge_batch(x: Any, call: Any, name: str | None) -> Any:
    """`call` on one batch dimension instead of several."""
    with scope(name, "squeeze_batch_dims"):
        sizes = shape_of(x)
        out = call(reshape(x, concat([[-1], sizes[-3:]], 0) if not isinstance(sizes, np.ndarray) else [-1, *sizes[-3:]]))
        inner = shape_of(out)
        if isinstance(sizes, np.ndarray) and isinstance(inner, np.ndarray):
            return reshape(out, np.concatenate([sizes[:-3], inner[-3:]]))
        return reshape(out, concat([sizes[:-3], inner[-3:]], 0))


@export(v2="nn.conv2d_transpose")
def conv2d_transpose(
    input: NumberLike,
    filters: NumberLike,
    output_shape: ShapeLike | None,
    strides: IntLike | None,
    padding: Padding = "SAME",
    data_format: str | None = "NHWC",
    dilations: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv2d`, which with these arguments takes images of `output_shape` to `input`.

    filters: [height, width, out channels, channels of input].  output_shape: all four sizes, or a tensor of them.

    >>> tf.nn.conv2d_transpose(tf.ones([1, 1, 1, 1]), tf.ones([2, 2, 1, 1]), [1, 2, 2, 1], 2)[0, :, :, 0].numpy().tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    layout = layout_of(data_format, "NHWC")
    channel = 1 if layout.startswith("NC") else 3
    word, explicit = padding_of(padding)
    with scope(name, "conv2d_transpose") as inner:
        return CONV2D_INPUT(
            as_sizes(output_shape),
            filters,
            input,
            strides=expand_steps(strides, 2, channel, "strides"),
            padding=word,
            explicit_paddings=explicit,
            data_format=layout,
            dilations=expand_steps(dilations, 2, channel, "dilations"),
            name=inner or None,
        )


@export(v2="nn.depthwise_conv2d")
def depthwise_conv2d(
    input: NumberLike,
    filter: NumberLike,
    strides: IntLike,
    padding: Padding,
    data_format: str | None = None,
    dilations: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Correlate each channel with its own filters.

    filter: [height, width, channels, multiplier]; the result has channels * multiplier channels.  strides: one for each dimension.

    >>> tf.nn.depthwise_conv2d(tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 3, 1]), [1, 1, 1, 1], "VALID").numpy().ravel().tolist()
    [4.0, 4.0, 4.0]
    """
    layout = layout_of(data_format, "NHWC")
    channel = 1 if layout.startswith("NC") else 3
    word, explicit = padding_of(padding)
    if dilations is not None and not hasattr(dilations, "__len__"):
        raise TypeError(f"`dilations` must have a number for each of the 2 spatial dimensions. Received: dilations={dilations}")
    return DEPTHWISE(
        convert_to_tensor(input, name="tensor_in"),
        convert_to_tensor(filter, name="filter_in"),
        strides=strides,
        padding=word,
        explicit_paddings=explicit,
        data_format=layout,
        dilations=expand_steps(dilations, 2, channel, "dilations"),
        name=name or "depthwise",
    )


@export(v2="nn.separable_conv2d")
def separable_conv2d(
    input: NumberLike,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: IntLike,
    padding: Padding,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`depthwise_conv2d`, then a `conv2d` of one point that mixes the channels.

    >>> x, depth, point = tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 3, 1]), tf.ones([1, 1, 3, 2])
    >>> tf.nn.separable_conv2d(x, depth, point, [1, 1, 1, 1], "VALID").numpy().ravel().tolist()
    [12.0, 12.0]
    """
    with scope(name, "separable_conv2d") as inner:
        if dilations is not None and np.ndim(dilations) != 1:
            raise ValueError(f"`dilation_rate.shape.rank` must be 1. Received: dilations={dilations}")
        pointwise = convert_to_tensor(pointwise_filter)
        if pointwise.dims is not None and len(pointwise.dims) != 4:
            raise ValueError(f"Shape {pointwise.shape} must have rank 4 (pointwise_filter of separable_conv2d)")
        for size in pointwise.shape[:2] if pointwise.dims is not None else ():
            if size not in (None, 1):
                raise ValueError(f"Dimensions {size} and 1 are not compatible: pointwise_filter looks at one point, not {pointwise.shape}")
        spread = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
        return conv2d(spread, pointwise, [1, 1, 1, 1], "VALID", data_format, name=inner or None)


@export(v2="nn.conv1d")
def conv1d(
    input: NumberLike,
    filters: NumberLike,
    stride: IntLike | None,
    padding: Padding,
    data_format: str | None = "NWC",
    dilations: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Correlate a batch of sequences with filters: `conv2d` on images of height 1.

    input: [batch, width, channels], channels first when data_format is "NCW".  filters: [width, channels, out].

    >>> tf.nn.conv1d(tf.ones([1, 3, 1]), tf.ones([2, 1, 1]), 1, "VALID").numpy().ravel().tolist()
    [2.0, 2.0]
    """
    with scope(name, "conv1d") as full:
        layout = "NWC" if data_format is None else data_format
        if layout not in ("NWC", "NCW", "NHWC", "NCHW"):
            raise ValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
        first = layout.startswith("NC")
        axis, channel = (2, 1) if first else (1, 2)
        step, rate = expand_steps(stride, 1, channel, "stride"), expand_steps(dilations, 1, channel, "dilations")
        step.insert(axis, 1)
        rate.insert(axis, 1)
        x = expand_dims(convert_to_tensor(input), axis)
        out = conv2d(x, expand_dims(convert_to_tensor(filters), 0), step, _check_word(padding), "NCHW" if first else "NHWC", rate, full)
        return squeeze(out, [axis])


def _is_above_one(values: Any) -> bool:
    """Whether a stride or dilation, or one of a list of them, is above one."""
    return values is not None and any(value > 1 for value in (values if hasattr(values, "__iter__") else [values]))


@export(v2="nn.convolution")
def convolution(
    input: NumberLike,
    filters: NumberLike,
    strides: IntLike | None = None,
    padding: Padding = "VALID",
    data_format: str | None = None,
    dilations: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`conv1d`, `conv2d` or `conv3d`, by the rank of `filters`.

    >>> tf.nn.convolution(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1])).shape
    TensorShape([1, 2, 2, 1])
    """
    with scope(name, "convolution") as full:
        input, filters, padding = convert_to_tensor(input), convert_to_tensor(filters), _check_word(padding)
        rank = next((len(x.dims) for x in (filters, input) if x.dims is not None), None)
        if rank is None:
            raise ValueError("convolution: the rank of `input` or of `filters` must be known")
        if _is_above_one(strides) and _is_above_one(dilations):
            raise ValueError(
                "`strides > 1` not supported in conjunction with `dilation_rate > 1`. "
                f"Received: strides={strides} and dilation_rate={dilations}. conv1d, conv2d and conv3d take both."
            )
        if rank == 3:
            return conv1d(input, filters, 1 if strides is None else strides, padding, data_format, dilations, name=full)
        if rank == 4:
            layout = "NHWC" if data_format is None else read_text(as_word("data_format", data_format))
            return conv2d(input, filters, 1 if strides is None else strides, padding, layout, dilations, name=full)
        if rank == 5:
            layout = "NDHWC" if data_format is None else read_text(as_word("data_format", data_format))
            channel = 1 if layout.startswith("NC") else 4
            step, rate = expand_steps(strides, 3, channel, "strides"), expand_steps(dilations, 3, channel, "dilations")
            return conv3d.CONV3D(input, filters, strides=step, padding=padding, data_format=layout, dilations=rate, name=full)
        raise ValueError(f"convolution is there for filters of rank 3, 4 and 5 (one, two and three spatial dimensions), not rank {rank}")


@export("nn.atrous_conv2d")
def atrous_conv2d(value: NumberLike, filters: NumberLike, rate: int, padding: Padding, name: str | None = None) -> Tensor:
    """`conv2d` with filters whose points lie `rate` apart.

    >>> tf.nn.atrous_conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), 2, "VALID").shape
    TensorShape([1, 1, 1, 1])
    """
    if not isinstance(padding, str) or padding.upper() not in ("SAME", "VALID"):
        raise ValueError(f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding}")
    images, kernels = convert_to_tensor(value, name="value"), convert_to_tensor(filters, name="filters")
    if images.dims is not None and len(images.dims) != 4:
        raise ValueError(f"`input.shape.rank` must be 4. Received: input.shape={images.shape}")
    if kernels.dims is not None and len(kernels.dims) != 4:
        raise ValueError(f"`filters.shape.rank` must be 4. Received: filters.shape={kernels.shape}")
    depth, taken = (None if t.dims is None else t.dims[at] for t, at in ((images, 3), (kernels, 2)))
    if depth is not None and taken and depth % taken:
        raise ValueError(f"The number of input channels is not divisible by that of the filters: {images.shape} and {kernels.shape}")
    if rate < 1:
        raise ValueError(f"all values of `dilation_rate` must be positive. Received: dilation_rate={rate}")
    return conv2d(images, kernels, 1, padding, dilations=[rate], name=name or "convolution")
