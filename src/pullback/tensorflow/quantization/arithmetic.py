"""Arithmetic of quantised tensors: products, convolutions, pools, rectifiers, and from one range to another.

A quantised number is an integer; what it stands for is told by the range that goes with its tensor, an even scale from the lowest
integer to the highest. Each function takes the integers as numbers of 64 bits, in which sums of products are exact, and gives
integers and their range. There are no gradients, as in TensorFlow: simulated quantisation passes them (`tf.quantization`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import DType, as_dtype, float32, float64, int64, qint8, qint16, qint32, quint8, quint16
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, ShapeLike, Tensor, TensorLike
from ...nn.convolution import conv2d
from ...nn.pooling import avg_pool, max_pool
from ...ops.array.basic import reshape
from ...ops.array.identity import bitcast, stop_gradient
from ...ops.array.type_rules import known_value
from ...ops.array.where import where
from ...ops.linalg.products import matmul
from ...ops.math.arithmetic import floor, maximum, minimum
from ...ops.math.bitwise import right_shift
from ...ops.math.magnitude import sign
from ...ops.primitives.cast import cast
from ...ops.reduce.reductions import reduce_max, reduce_min
from .quantize import Quantized

_WHOLE = {quint8: np.uint8, qint8: np.int8, quint16: np.uint16, qint16: np.int16, qint32: np.int32}


class Filtered(NamedTuple):
    """The same of convolutions and pools."""

    output: Any
    min_output: Any
    max_output: Any


class Product(NamedTuple):
    """The same of matrices."""

    out: Any
    min_out: Any
    max_out: Any


class Elementwise(NamedTuple):
    """The same of products element by element."""

    z: Any
    min_z: Any
    max_z: Any


class Activations(NamedTuple):
    """The same of rectifiers."""

    activations: Any
    min_activations: Any
    max_activations: Any


class Range(NamedTuple):
    """The ends of a range."""

    output_min: Any
    output_max: Any


def _numbers(tensor: Any, allowed: tuple[DType, ...] = tuple(_WHOLE)) -> tuple[Any, np.iinfo[Any]]:
    """The integers of a quantised tensor, and their bounds."""
    tensor = convert_to_tensor(tensor)
    if tensor.dtype not in allowed:
        raise TypeError(f"the tensor's dtype must be one of {', '.join(d.name for d in allowed)}, not {tensor.dtype.name}")
    whole = _WHOLE[tensor.dtype]
    return bitcast(tensor, as_dtype(whole)), np.iinfo(whole)


def _as_quantised(numbers: Any, dtype: DType) -> Any:
    """Whole numbers within the dtype's bounds as a quantised tensor."""
    return stop_gradient(bitcast(cast(numbers, as_dtype(_WHOLE[dtype])), dtype))


def _end(x: Any) -> Any:
    x = convert_to_tensor(x, dtype=float32)
    if x.dims is not None and len(x.dims) > 1:
        raise InvalidArgumentError(None, None, f"the ends of a range are scalars, not of shape {list(x.dims)}")
    return reshape(x, [])


def _round_away(x: Any) -> Any:
    return sign(x) * floor(abs(x) + 0.5)


def _count_steps(bounds: np.iinfo[Any]) -> float:
    return float(int(bounds.max) - int(bounds.min) + 1)


def _width(low: Any, high: Any, bounds: np.iinfo[Any]) -> Any:
    """What one step of the scale stands for, float64, where that is not 0."""
    steps = _count_steps(bounds)
    wide = cast(high - low, float64) * (steps / (steps - 1)) / steps
    return where(wide == 0, 1.0, wide)


def _level(x: Any, low: Any, high: Any, bounds: np.iinfo[Any]) -> Any:
    """The number on a scale that stands for x, float64, maybe beyond its ends."""
    width = _width(low, high, bounds)
    found = _round_away(cast(x, float64) / width) - _round_away(cast(low, float64) / width) + float(bounds.min)
    return where(low == high, float(bounds.min), found)


def _dequantize(numbers: Any, low: Any, high: Any, bounds: np.iinfo[Any]) -> Any:
    """What numbers on a scale stand for, float64."""
    width = _width(low, high, bounds)
    narrow = cast(cast(width, float32), float64)
    start = _round_away(cast(low, float64) / narrow) * narrow
    return where(low == high, cast(low, float64), start + (cast(numbers, float64) - float(bounds.min)) * width)


def _centre_numbers(tensor: Any, low: Any, high: Any, allowed: tuple[DType, ...] = (quint8, qint8)) -> tuple[Any, Any]:
    """Numbers counted from the one that stands for 0, float64, and what a step stands for, float32."""
    numbers, bounds = _numbers(tensor, allowed)
    return cast(numbers, float64) - _level(0.0, low, high, bounds), (high - low) / (float(bounds.max) - float(bounds.min))


def _product(form: Callable[[Any, Any], Any], a: Any, a_ends: tuple[Any, Any], b: Any, b_ends: tuple[Any, Any], out_type: Any) -> Quantized:
    if as_dtype(out_type) is not qint32:
        raise TypeError(f"products of quantised numbers are qint32, not {as_dtype(out_type).name}")
    x, x_step = _centre_numbers(a, *map(_end, a_ends))
    y, y_step = _centre_numbers(b, *map(_end, b_ends))
    step = x_step * y_step
    return Quantized(_as_quantised(form(x, y), qint32), step * float(-(2**31)), step * float(2**31 - 1))


@export(v1="nn.quantized_conv2d")
def quantized_conv2d(
    input: TensorLike,
    filter: TensorLike,
    min_input: TensorLike,
    max_input: TensorLike,
    min_filter: TensorLike,
    max_filter: TensorLike,
    strides: Sequence[int],
    padding: str,
    out_type: DTypeLike = qint32,
    dilations: Sequence[int] = (1, 1, 1, 1),
    name: str | None = None,
) -> Filtered:
    """A convolution of quantised images with quantised filters: qint32 and its range; the padding stands for 0.

    input: quint8 or qint8 [batch, height, width, channels].  filter: the same [height, width, in, out].  The ends of ranges are scalars.
    strides, padding: as `tf.nn.conv2d`.  Raises InvalidArgumentError for dilations, which are not there, TypeError for other dtypes.

    >>> image, low, high = tf1.quantize([[[[0.0], [255.0]]]], 0.0, 255.0, tf1.quint8)
    >>> with tf1.Session() as session:
    ...     found = tf1.nn.quantized_conv2d(image, tf1.reshape(image, [1, 2, 1, 1]), low, high, low, high, [1, 1, 1, 1], "VALID")
    ...     session.run(tf1.bitcast(found.output, tf1.int32)).ravel().tolist()
    [65025]
    """
    if any(n != 1 for n in dilations):
        raise InvalidArgumentError(
            None, None, "Current implementation only supports dilated rate as 1 in the row and column dimensions. [Op:QuantizedConv2D]"
        )

    def form(x: Any, y: Any) -> Any:
        return conv2d(x, y, list(strides), padding, name=name)

    return Filtered(*_product(form, input, (min_input, max_input), filter, (min_filter, max_filter), out_type))


def quantized_matmul(
    a: TensorLike,
    b: TensorLike,
    min_a: TensorLike,
    max_a: TensorLike,
    min_b: TensorLike,
    max_b: TensorLike,
    Toutput: DTypeLike = qint32,
    transpose_a: bool = False,
    transpose_b: bool = False,
    Tactivation: DTypeLike = quint8,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The product of two quantised matrices: qint32 and its range."""

    def form(x: Any, y: Any) -> Any:
        return matmul(x, y, transpose_a=transpose_a, transpose_b=transpose_b, name=name)

    return Product(*_product(form, a, (min_a, max_a), b, (min_b, max_b), Toutput))


def quantized_mul(
    x: TensorLike, y: TensorLike, min_x: TensorLike, max_x: TensorLike, min_y: TensorLike, max_y: TensorLike, Toutput: DTypeLike = qint32,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """x * y of quantised tensors, element by element: qint32 and its range."""
    return Elementwise(*_product(lambda a, b: a * b, x, (min_x, max_x), y, (min_y, max_y), Toutput))


def _pool(pool: Callable[..., Any], input: Any, low: Any, high: Any, ksize: Any, strides: Any, padding: str, name: Any) -> Filtered:
    tensor = convert_to_tensor(input)
    numbers, bounds = _numbers(tensor, (quint8,))
    found = pool(cast(numbers, float64), list(ksize), list(strides), padding, name=name)
    return Filtered(_as_quantised(minimum(maximum(found, float(bounds.min)), float(bounds.max)), tensor.dtype), _end(low), _end(high))


@export(v1="nn.quantized_avg_pool")
def quantized_avg_pool(
    input: TensorLike, min_input: TensorLike, max_input: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str,
    name: str | None = None,
) -> Filtered:  # fmt: skip
    """Means of windows of quantised images, rounded down, in the range of the images.

    input: quint8 [batch, height, width, channels].  ksize, strides, padding: as `tf.nn.avg_pool`.

    >>> image, low, high = tf1.quantize([[[[0.0], [255.0]]]], 0.0, 255.0, tf1.quint8)
    >>> with tf1.Session() as session:
    ...     found = tf1.nn.quantized_avg_pool(image, low, high, [1, 1, 2, 1], [1, 1, 1, 1], "VALID")
    ...     session.run(tf1.bitcast(found.output, tf1.uint8)).ravel().tolist()
    [127]
    """

    def pool(x: Any, *args: Any, **named: Any) -> Any:
        return floor(avg_pool(x, *args, **named))

    return _pool(pool, input, min_input, max_input, ksize, strides, padding, name)


@export(v1="nn.quantized_max_pool")
def quantized_max_pool(
    input: TensorLike, min_input: TensorLike, max_input: TensorLike, ksize: Sequence[int], strides: Sequence[int], padding: str,
    name: str | None = None,
) -> Filtered:  # fmt: skip
    """The greatest elements of windows of quantised images, in the range of the images; arguments as `quantized_avg_pool`.

    >>> image, low, high = tf1.quantize([[[[0.0], [255.0]]]], 0.0, 255.0, tf1.quint8)
    >>> with tf1.Session() as session:
    ...     found = tf1.nn.quantized_max_pool(image, low, high, [1, 1, 2, 1], [1, 1, 1, 1], "VALID")
    ...     session.run(tf1.bitcast(found.output, tf1.uint8)).ravel().tolist()
    [255]
    """
    return _pool(max_pool, input, min_input, max_input, ksize, strides, padding, name)


def _rectify(features: Any, low: Any, high: Any, most: Any, out_type: Any) -> Activations:
    tensor = convert_to_tensor(features)
    if as_dtype(out_type) is not tensor.dtype:
        raise TypeError(f"rectified quantised numbers keep their dtype {tensor.dtype.name}: they are not {as_dtype(out_type).name}")
    numbers, bounds = _numbers(tensor)
    low, high = _end(low), _end(high)

    def level(x: Any) -> Any:
        return minimum(maximum(_level(x, low, high, bounds), float(bounds.min)), float(bounds.max))

    found = maximum(cast(numbers, float64), level(0.0))
    return Activations(_as_quantised(found if most is None else minimum(found, level(most)), tensor.dtype), low, high)


def quantized_relu(
    features: TensorLike, min_features: TensorLike, max_features: TensorLike, out_type: DTypeLike = quint8, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """`tf.nn.relu` of quantised numbers, in their range."""
    return _rectify(features, min_features, max_features, None, out_type)


def quantized_relu6(
    features: TensorLike, min_features: TensorLike, max_features: TensorLike, out_type: DTypeLike = quint8, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """`tf.nn.relu6` of quantised numbers, in their range."""
    return _rectify(features, min_features, max_features, 6.0, out_type)


@export(v1="nn.quantized_relu_x")
def quantized_relu_x(
    features: TensorLike, max_value: TensorLike, min_features: TensorLike, max_features: TensorLike, out_type: DTypeLike = quint8,
    name: str | None = None,
) -> Activations:  # fmt: skip
    """Quantised numbers from 0 to `max_value`, in their range.  TensorFlow has no kernel of it.

    >>> x, low, high = tf1.quantize([-10.0, 5.0, 200.0], -55.0, 200.0, tf1.quint8)
    >>> with tf1.Session() as session:
    ...     found = tf1.nn.quantized_relu_x(x, 100.0, low, high)
    ...     session.run(tf1.dequantize(*found)).round(3).tolist()
    [0.0, 5.0, 100.0]
    """
    return _rectify(features, min_features, max_features, _end(max_value), out_type)


def quantized_reshape(
    tensor: TensorLike, shape: ShapeLike, input_min: TensorLike, input_max: TensorLike, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """A quantised tensor in another shape, and its range."""
    return Quantized(reshape(tensor, shape, name=name), _end(input_min), _end(input_max))


def requantization_range(input: TensorLike, input_min: TensorLike, input_max: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """What the least and the greatest number of a qint32 tensor stand for, the least at most 0."""
    numbers, bounds = _numbers(input, (qint32,))
    low, high = _end(input_min), _end(input_max)
    least, greatest = (cast(_dequantize(find(numbers), low, high, bounds), float32) for find in (reduce_min, reduce_max))
    return Range(minimum(least, 0.0), greatest)


def requantize(
    input: TensorLike,
    input_min: TensorLike,
    input_max: TensorLike,
    requested_output_min: TensorLike,
    requested_output_max: TensorLike,
    out_type: DTypeLike,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """A qint32 tensor on the scale of another range and dtype, which must begin at 0 or below (else InvalidArgumentError)."""
    dtype = as_dtype(out_type)
    numbers, bounds = _numbers(input, (qint32,))
    low, high, new_low, new_high = map(_end, (input_min, input_max, requested_output_min, requested_output_max))
    least = known_value(new_low)
    if least is not None and float(least) > 0:
        raise InvalidArgumentError(None, None, f"requested_output_min must be <= 0, but got {float(least)} [Op:Requantize]")
    if dtype is quint8:
        found = _fixed_point(cast(numbers, int64), low, high, new_low, new_high)
    else:
        target: np.iinfo[Any] = np.iinfo(np.dtype(_WHOLE[dtype]))
        found = _level(cast(_dequantize(numbers, low, high, bounds), float32), new_low, new_high, target)
        found = minimum(maximum(found, float(target.min)), float(target.max))
    return Quantized(_as_quantised(found, dtype), new_low, new_high)


_SHIFT = 16


def _fixed_point(numbers: Any, low: Any, high: Any, new_low: Any, new_high: Any) -> Any:
    """From 32 bits to 8 in integers of 64, with 16 bits behind the point, as TensorFlow's kernel counts."""
    unit = float(1 << _SHIFT)
    width, wide = new_high - new_low, high - low
    there = where(width == 0, 1.0, width)
    exact = [255.0 * unit * wide / there, (low + high) / 2.0 * (255.0 / there) * unit, unit * (new_low * 255.0) / there]
    scale, centre, start = (cast(x, int64) for x in exact)
    placed = right_shift(numbers * scale, convert_to_tensor(32, int64)) + centre - start + (1 << (_SHIFT - 1))
    levels = minimum(maximum(right_shift(placed, convert_to_tensor(_SHIFT, int64)), 0), 255)
    return where(width == 0, cast(0, int64), levels)


def quantize_down_and_shrink_range(
    input: TensorLike, input_min: TensorLike, input_max: TensorLike, out_type: DTypeLike, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """A qint32 tensor on the scale of another dtype, from its least number (0 if that is less) to its greatest."""
    low, high = requantization_range(input, input_min, input_max)
    return requantize(input, input_min, input_max, low, high, out_type)


#: By the names of the raw operations.
QUANTIZED: dict[str, Callable[..., Any]] = {
    "QuantizedConv2D": quantized_conv2d,
    "QuantizedMatMul": quantized_matmul,
    "QuantizedMul": quantized_mul,
    "QuantizedAvgPool": quantized_avg_pool,
    "QuantizedMaxPool": quantized_max_pool,
    "QuantizedRelu": quantized_relu,
    "QuantizedRelu6": quantized_relu6,
    "QuantizedReluX": quantized_relu_x,
    "QuantizedReshape": quantized_reshape,
    "RequantizationRange": requantization_range,
    "Requantize": requantize,
    "QuantizeDownAndShrinkRange": quantize_down_and_shrink_range,
}
