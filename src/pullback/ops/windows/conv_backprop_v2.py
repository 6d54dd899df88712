"""The gradients of a convolution by input and filter instead of their shapes: `conv2d_backprop_input_v2` and `_filter_v2`."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor, TensorLike
from ..array.basic import shape
from .conv import CONV2D_FILTER, CONV2D_INPUT


@export("conv2d_backprop_filter_v2")
def conv2d_backprop_filter_v2(
    input: TensorLike, filter: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str, use_cudnn_on_gpu: bool = True,
    explicit_paddings: Sequence[int] = (), data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), name: str | None = None,
) -> Tensor:  # fmt: skip
    """The gradient of a 2-D convolution with respect to its filter, of the shape of `filter`, whose values are not read.

    input, out_backprop: the convolution's input and the gradient of its output.  The others are as in `tf.nn.conv2d`.

    >>> g = tf.conv2d_backprop_filter_v2(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), tf.ones([1, 2, 2, 1]), [1, 1, 1, 1], "VALID")
    >>> g.numpy().ravel().tolist()
    [4.0, 4.0, 4.0, 4.0]
    """
    attrs = {"strides": strides, "padding": padding, "explicit_paddings": explicit_paddings}
    wanted = shape(convert_to_tensor(filter))
    return CONV2D_FILTER(input, wanted, out_backprop, data_format=data_format, dilations=dilations, name=name, **attrs)


@export("conv2d_backprop_input_v2")
def conv2d_backprop_input_v2(
    input: TensorLike, filter: TensorLike, out_backprop: TensorLike, strides: Sequence[int], padding: str, use_cudnn_on_gpu: bool = True,
    explicit_paddings: Sequence[int] = (), data_format: str = "NHWC", dilations: Sequence[int] = (1, 1, 1, 1), name: str | None = None,
) -> Tensor:  # fmt: skip
    """The gradient of a 2-D convolution with respect to its input, of the shape of `input`, whose values are not read.

    filter, out_backprop: the convolution's filter and the gradient of its output.  The others are as in `tf.nn.conv2d`.

    >>> g = tf.conv2d_backprop_input_v2(tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1]), tf.ones([1, 1, 1, 1]), [1, 1, 1, 1], "VALID")
    >>> g.numpy().ravel().tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    attrs = {"strides": strides, "padding": padding, "explicit_paddings": explicit_paddings}
    wanted = shape(convert_to_tensor(input))
    return CONV2D_INPUT(wanted, filter, out_backprop, data_format=data_format, dilations=dilations, name=name, **attrs)
