"""Convolutions and pools of volumes as users call them."""

from __future__ import annotations

from typing import Any

from ..base.export import export
from ..ir.context import scope
from ..ir.tensor import IntLike, NumberLike, ShapeLike, Tensor
from ..ops.array.basic import reshape, shape_of
from ..ops.array.join import concat
from ..ops.windows.conv3d import CONV3D, CONV3D_INPUT
from ..ops.windows.layout import expand_steps
from ..ops.windows.pool3d import AVG_POOL3D, MAX_POOL3D
from .layout import convert_beside, layout_of


def _channel(layout: str) -> int:
    return 1 if layout.startswith("NC") else 4


@export(v2="nn.conv3d")
def conv3d(
    input: NumberLike,
    filters: NumberLike,
    strides: IntLike,
    padding: str,
    data_format: str = "NDHWC",
    dilations: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Correlate a batch of volumes with filters.

    input: [batch..., depth, height, width, channels], or channels first when data_format is "NCDHW".  filters: [depth, height, width,
    channels, out]; input channels that are a multiple of the filters' make groups.  strides, dilations: one number for each of the five
    dimensions.  padding: "VALID" or "SAME".  float16 to float64.  Raises InvalidArgumentError (in graphs ValueError) for shapes that do
    not fit, TypeError for strides that are no list.

    >>> tf.nn.conv3d(tf.ones([1, 2, 2, 2, 1]), tf.ones([2, 2, 2, 1, 1]), [1] * 5, "VALID").numpy().item()
    8.0
    """
    x = convert_beside(input, filters, "input", 5)
    rates = [1] * 5 if dilations is None else dilations
    options: dict[str, Any] = {"strides": strides, "padding": padding, "data_format": data_format, "dilations": rates}
    if x.dims is None or len(x.dims) <= 5:
        return CONV3D(x, filters, **options, name=name)
    with scope(name, "squeeze_batch_dims"):
        sizes = shape_of(x)
        out = CONV3D(reshape(x, concat([[-1], sizes[-4:]], 0)), filters, **options)
        return reshape(out, concat([sizes[:-4], shape_of(out)[-4:]], 0))


@export(v2="nn.conv3d_transpose")
def conv3d_transpose(
    input: NumberLike,
    filters: NumberLike,
    output_shape: ShapeLike | None,
    strides: IntLike | None,
    padding: str = "SAME",
    data_format: str = "NDHWC",
    dilations: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv3d`, which with these arguments takes volumes of `output_shape` to `input`.

    filters: [depth, height, width, out channels, channels of input].  output_shape: all five sizes, or a tensor of them.  strides,
    dilations: one number, three, or five.

    >>> tf.nn.conv3d_transpose(tf.ones([1, 1, 1, 1, 1]), tf.ones([2, 2, 2, 1, 1]), [1, 2, 2, 2, 1], 2).numpy().sum().item()
    8.0
    """
    layout = layout_of(data_format, "NDHWC")
    with scope(name, "conv3d_transpose") as inner:
        return CONV3D_INPUT(
            output_shape,
            filters,
            input,
            strides=expand_steps(strides, 3, _channel(layout), "strides"),
            padding=padding,
            data_format=layout,
            dilations=expand_steps(dilations, 3, _channel(layout), "dilations"),
            name=inner or None,
        )


@export("nn.max_pool3d")
def max_pool3d(
    input: NumberLike, ksize: IntLike, strides: IntLike, padding: str, data_format: str = "NDHWC", name: str | None = None
) -> Tensor:
    """The largest number of each window of a batch of volumes.

    input: [batch, depth, height, width, channels], or channels first when data_format is "NCDHW"; floating.  ksize, strides: one number,
    three, or five.  padding: "VALID" or "SAME".  Where several numbers are largest, each gets the gradient, as in TensorFlow.  Raises
    InvalidArgumentError (in graphs ValueError) for shapes that do not fit, ValueError for lists of another length.

    >>> tf.nn.max_pool3d(tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1]), 2, 2, "VALID").numpy().item()
    7.0
    """
    return _pool(MAX_POOL3D, input, ksize, strides, padding, layout_of(data_format, "NDHWC"), name)


@export("nn.avg_pool3d")
def avg_pool3d(
    input: NumberLike, ksize: IntLike, strides: IntLike, padding: str, data_format: str = "NDHWC", name: str | None = None
) -> Tensor:
    """The mean of each window of a batch of volumes, padding not counted; arguments and errors as `max_pool3d`.

    >>> tf.nn.avg_pool3d(tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1]), 2, 2, "VALID").numpy().item()
    3.5
    """
    return _pool(AVG_POOL3D, input, ksize, strides, padding, layout_of(data_format, "NDHWC"), name)


def _pool(op: Any, input: Any, ksize: Any, strides: Any, padding: str, layout: str, name: str | None) -> Any:
    sizes, steps_ = (expand_steps(value, 3, _channel(layout), what) for value, what in ((ksize, "ksize"), (strides, "strides")))
    return op(input, ksize=sizes, strides=steps_, padding=padding, data_format=layout, name=name or op.name)
