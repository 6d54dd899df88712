"""Activations that are compositions, and softmax along any axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base.dtypes import DType, int32
from ..base.errors import InvalidArgumentError, OperatorNotAllowedInGraphError
from ..base.export import export
from ..base.shapes import Dimension
from ..ir.apply import convert_to_tensor
from ..ir.attributes import refused_value
from ..ir.composite import takes_composites, works_by_element
from ..ir.context import scope
from ..ir.op import Op
from ..ir.tensor import IntLike, NumberLike, SymbolicTensor, Tensor
from ..ops.array.join import concat
from ..ops.array.transpose import transpose
from ..ops.array.type_rules import known_int
from ..ops.linalg.products import matmul
from ..ops.math.arithmetic import negative
from ..ops.math.functions import sigmoid, tanh
from ..ops.math.power import pow
from ..ops.nn.activations import RELU
from ..ops.nn.bias import bias_add
from ..ops.nn.softmax import LOG_SOFTMAX, SOFTMAX
from ..ops.primitives.cast import cast
from ..ops.special.errors import erfc
from .axes import orders_to_last


@export(v2="nn.gelu")
@works_by_element
def gelu(features: NumberLike, approximate: bool = False, name: str | None = None) -> Tensor:
    """features * P(X <= features) for a standard normal X (Hendrycks and Gimpel, 2016); with `approximate` by their formula in tanh.

    features: floating, a ValueError otherwise.

    >>> tf.nn.gelu(0.0).numpy().item()
    0.0
    """
    with scope(name, "Gelu"):
        x = convert_to_tensor(features, name="features")
        if not x.dtype.is_floating:
            raise ValueError(f"gelu: `features.dtype` must be a floating point tensor. Received: features.dtype={x.dtype!r}")
        if approximate:
            cubic = _single_constant(0.044715, x.dtype)
            return 0.5 * x * (1.0 + tanh(math.sqrt(2 / math.pi) * (x + cubic * pow(x, 3))))
        return 0.5 * x * erfc(-x * _single_constant(math.sqrt(0.5), x.dtype))


def _single_constant(number: float, dtype: Any) -> Any:
    """A constant of `dtype` rounded to single precision first, as TensorFlow's constants here are."""
    return convert_to_tensor(np.asarray(np.float32(number)).astype(dtype.base_dtype.numpy_dtype), name="Cast/x")


@export("nn.silu", "nn.swish")
@works_by_element
def silu(features: NumberLike, beta: NumberLike = 1.0) -> Tensor:
    """features * sigmoid(beta * features); features, beta: floating, broadcast.

    >>> tf.nn.silu(0.0).numpy().item()
    0.0
    """
    x = convert_to_tensor(features, name="features")
    return x * sigmoid(cast(convert_to_tensor(beta, name="beta"), x.dtype) * x)


@export(v2="nn.crelu")
def crelu(features: NumberLike, axis: int = -1, name: str | None = None) -> Tensor:
    """relu of `features` and of its negative, side by side along `axis`, which doubles (Shang et al., 2016).

    >>> tf.nn.crelu([1.0, -2.0]).numpy().tolist()
    [1.0, 0.0, 0.0, 2.0]
    """
    with scope(name, "CRelu") as full:
        x = convert_to_tensor(features, name="features")
        return RELU.call(concat([x, negative(x)], axis, name=full))


@export(v2=("math.softmax", "nn.softmax"))
@takes_composites
def softmax(logits: NumberLike, axis: IntLike | None = None, name: str | None = None) -> Tensor:
    """exp(logits) scaled to sum 1 along `axis`, the last when None.

    logits: floating, at least one dimension; any size, nothing overflows.  Raises InvalidArgumentError for an axis that is not there,
    and (in graphs ValueError) for a scalar.

    >>> tf.nn.softmax([0.0, 0.0]).numpy().tolist()
    [0.5, 0.5]
    """
    return _apply_along(SOFTMAX, logits, axis, name)


@export(v2=("math.log_softmax", "nn.log_softmax"))
def log_softmax(logits: NumberLike, axis: IntLike | None = None, name: str | None = None) -> Tensor:
    """The logarithm of `softmax`, exact where the latter underflows; arguments and errors as there.

    >>> tf.nn.log_softmax([0.0, -1000.0]).numpy().tolist()
    [0.0, -1000.0]
    """
    return _apply_along(LOG_SOFTMAX, logits, axis, name)


def _apply_along(op: Op, logits: NumberLike, axis: Any, name: str | None) -> Tensor:
    logits = convert_to_tensor(logits)
    axis = -1 if axis is None else _check_axis(op, axis, None if logits.dims is None else len(logits.dims))
    if not isinstance(axis, Tensor) and (axis == -1 or (logits.dims is not None and axis + 1 == len(logits.dims))):
        return op(logits, name=name)
    there, back = orders_to_last(axis, logits, f"{op.name}: ")
    found = transpose(op(transpose(logits, there), name=name), back)
    found.set_shape(logits.shape)
    return found


def _check_axis(op: Any, axis: Any, rank: int | None) -> int | Tensor:
    """An axis as a whole number, a tensor where only a run knows it; refused where it is none, or several, or a float but the last."""
    if isinstance(axis, SymbolicTensor) and axis.dtype is int32 and not axis.dims:
        return axis if (known := known_int(axis)) is None else known
    if isinstance(axis, (str, list, tuple, DType)):
        raise TypeError(f"{op.name}: `dim` must be one integer, got {axis!r}")
    if isinstance(axis, SymbolicTensor):
        raise OperatorNotAllowedInGraphError(f"{op.name}: `dim` must be one integer, or an int32 tensor without axes, got {axis!r}")
    given = np.asarray(axis.value if isinstance(axis, Dimension) else axis)
    if not given.ndim and given.dtype.kind == "f" and given in (-1, (rank or 0) - 1):
        return -1
    if not given.ndim and given.dtype.kind == "f" and not (rank is None or -rank <= given < rank):
        raise InvalidArgumentError(None, None, f"{op.name}: `dim` must be one of the dimensions in the input, got {axis!r}")
    if given.ndim or given.dtype.kind not in "biu":
        raise refused_value(f"{op.name}: `dim` must be one integer, got {axis!r}")
    return int(given)


@export(v1="nn.relu_layer")
def relu_layer(x: NumberLike, weights: NumberLike, biases: NumberLike, name: str | None = None) -> Tensor:
    """relu(x @ weights + biases).

    >>> tf.compat.v1.nn.relu_layer([[1.0, 2.0]], [[1.0, -1.0], [1.0, -1.0]], [0.5, 0.5]).numpy()
    array([[3.5, 0. ]], dtype=float32)
    """
    with scope(name, "relu_layer") as inner:
        x, weights = convert_to_tensor(x, name="x"), convert_to_tensor(weights, name="weights")
        return RELU.call(bias_add(matmul(x, weights), convert_to_tensor(biases, name="biases")), inner or None)


@export(v1="nn.xw_plus_b")
def xw_plus_b(x: NumberLike, weights: NumberLike, biases: NumberLike, name: str | None = None) -> Tensor:
    """x @ weights + biases.

    >>> tf.compat.v1.nn.xw_plus_b([[1.0, 2.0]], [[1.0, -1.0], [1.0, -1.0]], [0.5, 0.5]).numpy()
    array([[ 3.5, -2.5]], dtype=float32)
    """
    with scope(name, "xw_plus_b") as inner:
        x, weights = convert_to_tensor(x, name="x"), convert_to_tensor(weights, name="weights")
        return bias_add(matmul(x, weights), convert_to_tensor(biases, name="biases"), name=inner or None)
