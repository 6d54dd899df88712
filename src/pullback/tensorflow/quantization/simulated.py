"""Simulated quantisation: numbers rounded to so many levels of a range, in floating point, so that training feels what inference will do.

The gradient passes straight through where a number lies in the range; what lies outside moves the end it was cut to.  The range is
nudged first so that 0 is one of its levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...base import tolerance
from ...base.dtypes import float32
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import Tensor, TensorLike, TensorType
from ...kernels import blocked
from ...ops.array.basic import ones_of
from ...ops.array.type_rules import Array, invalid_argument, merge_dims, times_gate
from ...ops.batching import stack_rows
from ...ops.lowering.nn import times_gate as native_times_gate
from ...ops.primitives.cast import cast

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

FLOAT = np.float32


def _levels(num_bits: int, narrow_range: bool) -> tuple[int, int]:
    if not 2 <= num_bits <= 16:
        raise invalid_argument(f"num_bits must be between 2 and 16, inclusive, not {num_bits}")
    return (1 if narrow_range else 0), (1 << num_bits) - 1


class _Range:
    """A range, or one for each channel, moved so that 0 is one of its levels; `empty` where both ends are 0."""

    def __init__(self, low: Array, high: Array, num_bits: int, narrow_range: bool) -> None:
        first, last = _levels(num_bits, narrow_range)
        low, high = low[()], high[()]  # numbers where they have no dimensions, which NumPy is quicker with
        self.empty = (low == 0) & (high == 0)
        if self.empty.any():
            low, high = np.where(self.empty, FLOAT(-1), low), np.where(self.empty, FLOAT(1), high)
        self.scale, self.inverse = (high - low) / FLOAT(last - first), FLOAT(last - first) / (high - low)
        from_min = FLOAT(first) - low / self.scale
        zero = np.minimum(np.maximum(np.floor(from_min + FLOAT(0.5)), FLOAT(first)), FLOAT(last))
        self.low, self.high = (FLOAT(first) - zero) * self.scale, (FLOAT(last) - zero) * self.scale

    def round_to_levels(self, x: Array, multiplied: bool = False) -> Array:
        """The nearest levels; `multiplied`: found with the reciprocal of the step, which rounds otherwise at halves."""
        zero = np.floor(-self.low * self.inverse + FLOAT(0.5))
        held = np.asarray(np.maximum(np.minimum(x, self.high), self.low))
        held -= self.low
        held = np.multiply(held, self.inverse, out=held) if multiplied else np.divide(held, self.scale, out=held)
        held -= zero - FLOAT(0.5)
        np.floor(held, out=held)
        held *= self.scale
        return np.asarray(held if not self.empty.any() else np.where(self.empty, FLOAT(0), held))

    def keep_inside(self, g: Array, x: Array) -> Array:
        """What of g belongs to numbers in the range."""
        inside = (x >= self.low) & (x <= self.high)
        return times_gate(g, inside | self.empty if self.empty.any() else inside)

    def outside(self, x: Array) -> tuple[Array, Array]:
        """Which numbers lie below and above the range."""
        below, above = x < self.low, x > self.high
        return (below & ~self.empty, above & ~self.empty) if self.empty.any() else (below, above)

    def sums(self, g: Array, x: Array) -> Iterator[Array]:
        """The sums of g over the numbers below the range and above it, one for all or one for each channel."""
        for part in self.outside(x):
            if self.empty.ndim:
                yield np.asarray(times_gate(g, part).sum(tuple(range(x.ndim - 1))), FLOAT)
            else:
                yield np.asarray(times_gate(g, part).sum(), FLOAT)


# ---- ranges that are attributes


def _args_range(low: float, high: float, num_bits: int, narrow_range: bool) -> _Range:
    _levels(num_bits, narrow_range)
    if not low < high:
        raise invalid_argument(f"min has to be smaller than max, was: {low:g} >= {high:g}")
    return _Range(np.asarray(low, FLOAT), np.asarray(high, FLOAT), num_bits, narrow_range)


def _args_type(inputs: Any, *, min: float = -6.0, max: float = 6.0, num_bits: int = 8, narrow_range: bool = False) -> TensorType:
    return TensorType(inputs.dims, float32)


def _args_grad_type(gradients: Any, inputs: Any, **_: Any) -> TensorType:
    return TensorType(merge_dims(gradients.dims, inputs.dims, "gradient and input must be the same size"), float32)


def _require_same(gradients: Array, inputs: Array) -> None:
    if gradients.shape != inputs.shape:
        raise invalid_argument(f"gradient and input must be the same size: {show(gradients.shape)} vs. {show(inputs.shape)}")


def _args(inputs: Array, *, min: float = -6.0, max: float = 6.0, num_bits: int = 8, narrow_range: bool = False) -> Array:
    return _args_range(min, max, num_bits, narrow_range).round_to_levels(inputs, multiplied=True)


def _args_grad(
    gradients: Array, inputs: Array, *, min: float = -6.0, max: float = 6.0, num_bits: int = 8, narrow_range: bool = False
) -> Array:
    _require_same(gradients, inputs)
    return _args_range(min, max, num_bits, narrow_range).keep_inside(gradients, inputs)


def _lower_args(builder: Builder, inputs: IndexExpr, *, min: float, max: float, num_bits: int, narrow_range: bool) -> Any:
    """`_Range.round_to_levels` of a range that is known, operation by operation."""
    to = _args_range(min, max, num_bits, narrow_range)
    zero = np.floor(-to.low * to.inverse + FLOAT(0.5))
    held = builder.max(builder.min(inputs, float(to.high)), float(to.low))
    held = (held - float(to.low)) * float(to.inverse) - float(zero - FLOAT(0.5))
    return builder.floor(held) * float(to.scale)


def _lower_args_grad(
    builder: Builder, gradients: IndexExpr, inputs: IndexExpr, *, min: float, max: float, num_bits: int, narrow_range: bool
) -> Any:
    to = _args_range(min, max, num_bits, narrow_range)
    inside = builder.compare("ge", inputs, float(to.low)) & builder.compare("le", inputs, float(to.high))
    return native_times_gate(builder, gradients, inside)


FAKE_QUANT_ARGS: Op = define(
    "FakeQuantWithMinMaxArgs",
    "inputs:float32",
    _args_type,
    blocked.block_kernel(_args),
    {"inputs": lambda g, inputs, attrs: FAKE_QUANT_ARGS_GRADIENT(g, inputs, **attrs)},
    batch=stack_rows(),
    lower=_lower_args,
)
FAKE_QUANT_ARGS_GRADIENT: Op = define(
    "FakeQuantWithMinMaxArgsGradient",
    "gradients:float32 inputs:float32",
    _args_grad_type,
    blocked.block_kernel(_args_grad),
    {"gradients": lambda g, inputs, attrs: FAKE_QUANT_ARGS_GRADIENT(g, inputs, **attrs)},
    batch=stack_rows(),
    lower=_lower_args_grad,
)


# ---- ranges that are inputs, one for all or one for each channel


def _scalar_range(inputs: Any, low: Any, high: Any) -> None:
    for name, end in (("min", low), ("max", high)):
        if end.dims is not None and end.dims != ():
            raise ShapeError(f"Shape must be rank 0 but is rank {len(end.dims)}", f"`{name}` must be rank 0 but is rank {len(end.dims)}")


def _channel_range(inputs: Any, low: Any, high: Any) -> None:
    depth = None
    if inputs.dims is not None:
        if not inputs.dims:
            raise ShapeError("Shape must be at least rank 1 but is rank 0", "inputs must be at least 1-D")
        depth = inputs.dims[-1]
    for name, end in (("min", low), ("max", high)):
        if end.dims is not None and len(end.dims) != 1:
            raise ShapeError(f"Shape must be rank 1 but is rank {len(end.dims)}", f"`{name}` must be rank 1 but is rank {len(end.dims)}")
        if end.dims is not None and None not in (depth, end.dims[0]) and depth != end.dims[0]:
            text = f"{name} has incorrect size, expected {depth} was {end.dims[0]}"
            raise ShapeError(f"Dimensions must be equal, but are {depth} and {end.dims[0]}", text)


def _type_of(array: Array) -> TensorType:
    return TensorType(array.shape, float32)


def _lower_ends(builder: Builder, min: Any, max: Any, num_bits: int, narrow_range: bool) -> tuple[Any, ...]:
    """`_Range` of ends that are computed: low, high, scale, inverse, empty."""
    first, last = _levels(num_bits, narrow_range)
    empty = builder.compare("eq", min, 0) & builder.compare("eq", max, 0)
    low, high = builder.select(empty, -1, min), builder.select(empty, 1, max)
    scale, inverse = (high - low) / float(last - first), float(last - first) / (high - low)
    zero = builder.floor(float(first) - low / scale + 0.5)
    zero = builder.min(builder.max(zero, float(first)), float(last))
    return (float(first) - zero) * scale, (float(last) - zero) * scale, scale, inverse, empty


def _lower_range(builder: Builder, inputs: IndexExpr, min: IndexExpr, max: IndexExpr, *, num_bits: int, narrow_range: bool) -> Any:
    """`_Range.round_to_levels`, operation by operation; one end for all or one for each channel."""
    low, high, scale, inverse, empty = _lower_ends(builder, min, max, num_bits, narrow_range)
    shift = builder.floor(-low * inverse + 0.5) - 0.5
    low, high, scale, shift, empty = (builder.broadcast(end, inputs.dims) for end in (low, high, scale, shift, empty))
    held = builder.max(builder.min(inputs, high), low)
    return builder.select(empty, 0, builder.floor((held - low) / scale - shift) * scale)


def _lower_range_grad(
    builder: Builder, gradients: IndexExpr, inputs: IndexExpr, min: IndexExpr, max: IndexExpr, *, num_bits: int, narrow_range: bool
) -> Any:
    low, high, _, _, empty = _lower_ends(builder, min, max, num_bits, narrow_range)
    low, high, empty = (builder.broadcast(builder.memory(end), inputs.dims) for end in (low, high, empty))  # once, not in each row
    below, above = (builder.compare(how, inputs, end) & ~empty for how, end in (("lt", low), ("gt", high)))
    axes = range(len(inputs.dims) - len(min.dims))
    sums = (builder.reduce("sum", native_times_gate(builder, gradients, part), axes) for part in (below, above))
    inside = builder.compare("ge", inputs, low) & builder.compare("le", inputs, high) | empty
    return native_times_gate(builder, gradients, inside), *sums


def _define_on_range(name: str, check: Any) -> tuple[Op, Op]:
    def infer(inputs: Any, min: Any, max: Any, *, num_bits: int = 8, narrow_range: bool = False) -> TensorType:
        check(inputs, min, max)
        return TensorType(inputs.dims, float32)

    def kernel(inputs: Array, min: Array, max: Array, *, num_bits: int = 8, narrow_range: bool = False) -> Array:
        check(*map(_type_of, (inputs, min, max)))
        return _Range(min, max, num_bits, narrow_range).round_to_levels(inputs)

    def gradient_type(gradients: Any, inputs: Any, min: Any, max: Any, **_: Any) -> tuple[TensorType, TensorType, TensorType]:
        check(inputs, min, max)
        dims = merge_dims(gradients.dims, inputs.dims, "gradient and input must be the same size")
        return TensorType(dims, float32), TensorType(min.dims, float32), TensorType(max.dims, float32)

    def gradient_kernel(
        gradients: Array, inputs: Array, min: Array, max: Array, *, num_bits: int = 8, narrow_range: bool = False
    ) -> tuple[Array, Array, Array]:
        check(*map(_type_of, (inputs, min, max)))
        _require_same(gradients, inputs)
        nudged = _Range(min, max, num_bits, narrow_range)
        below, above = nudged.sums(gradients, inputs)
        return nudged.keep_inside(gradients, inputs), below, above

    def differentiate_again(g: Any, g_min: Any, g_max: Any, inputs: Any, min: Any, max: Any, num_bits: int, narrow_range: bool) -> Any:
        """The range holds 0, so what lies outside is below it where it is negative."""
        inside = backward(ones_of(inputs), inputs, min, max, num_bits=num_bits, narrow_range=narrow_range)[0]
        negative = cast(inputs < 0.0, float32)
        return g * inside + (1.0 - inside) * (g_min * negative + g_max * (1.0 - negative))

    forward: Op = define(
        name,
        "inputs:float32 min:float32 max:float32",
        infer,
        blocked.block_kernel(kernel),
        {
            ("inputs", "min", "max"): lambda g, inputs, min, max, attrs: backward(g, inputs, min, max, **attrs)
        },
        batch=stack_rows("inputs"),
        lower=_lower_range,
    )
    backward: Op = define(
        f"{name}Gradient",
        "gradients:float32 inputs:float32 min:float32 max:float32",
        gradient_type,
        blocked.allow_native(gradient_kernel),
        {
            "gradients": lambda g_backprops_wrt_input, g_backprop_wrt_min, g_backprop_wrt_max, inputs, min, max, num_bits, narrow_range: (
                differentiate_again(g_backprops_wrt_input, g_backprop_wrt_min, g_backprop_wrt_max, inputs, min, max, num_bits, narrow_range)
            )
        },
        outputs="backprops_wrt_input backprop_wrt_min backprop_wrt_max",
        lower=_lower_range_grad,
        tolerance=tolerance.SUMS_SOON,
    )
    return forward, backward


FAKE_QUANT_VARS, FAKE_QUANT_VARS_GRADIENT = _define_on_range("FakeQuantWithMinMaxVars", _scalar_range)
FAKE_QUANT_CHANNELS, FAKE_QUANT_CHANNELS_GRADIENT = _define_on_range("FakeQuantWithMinMaxVarsPerChannel", _channel_range)


@export("quantization.fake_quant_with_min_max_args", v1="fake_quant_with_min_max_args")
def fake_quant_with_min_max_args(
    inputs: TensorLike, min: float = -6, max: float = 6, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> Tensor:
    """inputs rounded to 2 ** num_bits levels between min and max.

    inputs: float32.  min < max: numbers; the range is nudged so that 0 is a level.  num_bits: 2 to 16.  narrow_range: without the lowest
    level.  The gradient passes where inputs lie in the range.  Raises InvalidArgumentError for other bits and ranges.

    >>> tf.quantization.fake_quant_with_min_max_args([-2.0, 0.2, 0.6, 9.0], min=0.0, max=1.0, num_bits=2).numpy().round(3).tolist()
    [0.0, 0.3330000042915344, 0.6669999957084656, 1.0]
    """
    options = {"min": min, "max": max, "num_bits": num_bits, "narrow_range": narrow_range}
    return FAKE_QUANT_ARGS(inputs, name=name, **options)


@export("quantization.fake_quant_with_min_max_args_gradient", v1="fake_quant_with_min_max_args_gradient")
def fake_quant_with_min_max_args_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: float = -6,
    max: float = 6,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of `fake_quant_with_min_max_args`: gradients where inputs lie in the range, 0 elsewhere.

    >>> tf.quantization.fake_quant_with_min_max_args_gradient([1.0, 1.0], [0.5, 7.0]).numpy().tolist()
    [1.0, 0.0]
    """
    options = {"min": min, "max": max, "num_bits": num_bits, "narrow_range": narrow_range}
    return FAKE_QUANT_ARGS_GRADIENT(gradients, inputs, name=name, **options)


@export("quantization.fake_quant_with_min_max_vars", v1="fake_quant_with_min_max_vars")
def fake_quant_with_min_max_vars(
    inputs: TensorLike, min: TensorLike, max: TensorLike, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> Tensor:
    """inputs rounded to 2 ** num_bits levels between min and max, which are tensors and get gradients.

    inputs: float32 of any shape.  min, max: float32 scalars.  num_bits, narrow_range: as `fake_quant_with_min_max_args`.  Raises
    InvalidArgumentError (in graphs ValueError) for ranges that are no scalars.

    >>> tf.quantization.fake_quant_with_min_max_vars([0.2, 0.6], 0.0, 1.0, num_bits=2).numpy().round(3).tolist()
    [0.3330000042915344, 0.6669999957084656]
    """
    return FAKE_QUANT_VARS(inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name)


class FakeQuantGradients(NamedTuple):
    """Gradients by what is quantised, and by the ends of its range."""

    backprops_wrt_input: Tensor
    backprop_wrt_min: Tensor
    backprop_wrt_max: Tensor


@export("quantization.fake_quant_with_min_max_vars_gradient", v1="fake_quant_with_min_max_vars_gradient")
def fake_quant_with_min_max_vars_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> FakeQuantGradients:
    """The gradients of `fake_quant_with_min_max_vars` by inputs, min and max.

    >>> found = tf.quantization.fake_quant_with_min_max_vars_gradient([1.0, 1.0], [0.5, 7.0], 0.0, 1.0)
    >>> [t.numpy().tolist() for t in found]
    [[1.0, 0.0], 0.0, 1.0]
    """
    options = {"num_bits": num_bits, "narrow_range": narrow_range}
    return FakeQuantGradients(*FAKE_QUANT_VARS_GRADIENT(gradients, inputs, min, max, name=name, **options))


@export("quantization.fake_quant_with_min_max_vars_per_channel", v1="fake_quant_with_min_max_vars_per_channel")
def fake_quant_with_min_max_vars_per_channel(
    inputs: TensorLike, min: TensorLike, max: TensorLike, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> Tensor:
    """As `fake_quant_with_min_max_vars`, with a range for each entry of the last axis.

    inputs: float32, [..., depth].  min, max: float32, [depth].  Raises InvalidArgumentError (in graphs ValueError) for other sizes.

    >>> tf.quantization.fake_quant_with_min_max_vars_per_channel([[0.2, 9.0]], [0.0, 0.0], [1.0, 3.0], num_bits=2).numpy().round(3).tolist()
    [[0.3330000042915344, 3.0]]
    """
    return FAKE_QUANT_CHANNELS(inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name)


@export("quantization.fake_quant_with_min_max_vars_per_channel_gradient", v1="fake_quant_with_min_max_vars_per_channel_gradient")
def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> FakeQuantGradients:
    """The gradients of `fake_quant_with_min_max_vars_per_channel` by inputs, min and max.

    >>> found = tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient([[1.0, 1.0]], [[0.5, 7.0]], [0.0, 0.0], [1.0, 1.0])
    >>> [t.numpy().tolist() for t in found]
    [[[1.0, 0.0]], [0.0, 0.0], [0.0, 1.0]]
    """
    options = {"num_bits": num_bits, "narrow_range": narrow_range}
    return FakeQuantGradients(*FAKE_QUANT_CHANNELS_GRADIENT(gradients, inputs, min, max, name=name, **options))
