"""Ops that hand a tensor on: as it is, as a constant, or with its bits read as another dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import ANY, NUMERIC, QUANTIZED, DType
from ...base.export import export
from ...ir.apply import ShapeError
from ...ir.attributes import refused_value
from ...ir.composite import works_by_element
from ...ir.op import Traits, define
from ...ir.tensor import LATE_BOUND, Tensor, TensorLike, TensorType
from ..batching import stack_rows
from ..families import elementwise
from ..lowering import math as native_math
from .type_rules import Array


def _refuse(g: Any, message: Any) -> Any:
    text = message if isinstance(message, bytes) else str(message).encode()
    raise LookupError(f"Gradient explicitly disabled. Reason: {text!r} (PreventGradient)")


def _prevent_type(input: Any, *, message: Any = "") -> TensorType:
    return TensorType(input.dims, input.dtype)


STOP_GRADIENT = elementwise(
    "StopGradient", "input", lambda input: input, {}, dtypes=ANY, lower=lambda builder, input: input,
    traits=Traits(same=True, shares=True, on_values=True, copies=True, ends="stop_gradient"),
)  # fmt: skip
GUARANTEE_CONST = elementwise(
    "GuaranteeConst", "input", lambda input: input, None, dtypes=ANY, lower=lambda builder, input: input,
    traits=Traits(same=True),
)  # fmt: skip
PREVENT_GRADIENT = define(
    "PreventGradient", "input", _prevent_type, lambda input, *, message="": input, {"input": _refuse}, dtypes=ANY, batch=stack_rows(),
    traits=Traits(same=True, shares=True),
)


def _same_types(input: Any) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype) for t in input)


IDENTITY_N = define(
    "IdentityN",
    "*input:any",
    _same_types,
    lambda input: list(input),
    {"input": lambda gs: gs},
    outputs="*output",
    holomorphic=False,
    lower=lambda builder, input: list(input),
    traits=Traits(copies=True, moves=True),
)


@export("identity_n")
def identity_n(input: Sequence[TensorLike] | Tensor, name: str | None = None) -> list[Tensor]:
    """The values of several tensors as new tensors, made together.

    input: a list of at least one tensor, each of any shape and dtype; InvalidArgumentError (ValueError in a graph) for an empty one.
    Gradient: the upstream gradients, zeros for outputs that nobody used.

    >>> [int(t) for t in tf.identity_n([1, 2])]
    [1, 2]
    """
    if input is None:
        raise TypeError("'NoneType' object is not iterable")
    if not len(input):
        text = "Attr 'T' of 'IdentityN' Op passed list of length 0 less than minimum 1."
        raise refused_value(text)
    return IDENTITY_N(input, name=name)


@export("stop_gradient")
@works_by_element
def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """The value of `input`, a constant to every gradient.

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.stop_gradient(x) * x
    >>> float(tape.gradient(y, x))
    3.0
    """
    return STOP_GRADIENT.call(input, name)


@export("guarantee_const")
def guarantee_const(input: TensorLike, name: str | None = None) -> Tensor:
    """The value of `input`, promised never to change; gradients through it are a LookupError, as in TensorFlow.

    >>> int(tf.guarantee_const(3))
    3
    """
    return GUARANTEE_CONST.call(input, name)


# ---- bits


_WITH_BITS = NUMERIC | QUANTIZED


def _bitcast_type(input: Any, *, type: DType) -> TensorType:
    old, new, dims = input.dtype.size, type.size, input.dims
    if not old or not new:
        raise ValueError(f"cannot bitcast {input.dtype.name} to {type.name}: both need a size in bytes")
    if dims is None or old == new:
        return TensorType(dims, type)
    if old > new:
        return TensorType((*dims, old // new), type)
    if not dims or dims[-1] not in (new // old, None):
        text = f"Cannot bitcast from {input.dtype.as_datatype_enum} to {type.as_datatype_enum}"
        kinds = f"{input.dtype.name} of shape {list(dims)} to {type.name}"
        raise ShapeError(f"{text} due to shape. {dims[-1] if dims else 1} does not match {new // old} ({kinds})", f"{text} ({kinds})")
    return TensorType(dims[:-1], type)


def _bitcast(input: Array, *, type: DType) -> Array:
    old, new = input.dtype.itemsize, type.size
    whole = np.ascontiguousarray(input).reshape(input.shape)
    if old == new:
        return whole.view(type.numpy_dtype)
    if old > new:
        return whole.reshape(*input.shape, 1).view(type.numpy_dtype)
    if not input.ndim or input.shape[-1] != new // old:
        raise ValueError("the last axis holds the parts of one element")
    return whole.view(type.numpy_dtype).reshape(input.shape[:-1])


def _refuse_gradient(g: Any, input_type: Any, type: DType) -> None:
    """None where integers stand in the way; between floating dtypes there is no derivative to give."""
    if input_type.dtype.trainable and type.trainable:
        raise LookupError(f"gradient registry has no entry for: Bitcast (from {input_type.dtype.name} to {type.name})")


BITCAST = define(
    "Bitcast", "input", _bitcast_type, _bitcast, {"input": _refuse_gradient}, dtypes={"T": _WITH_BITS, "type": _WITH_BITS},
    batch=stack_rows(), lower=native_math.bitcast, by_element=True,
)  # fmt: skip


@export("bitcast")
@works_by_element
def bitcast(input: TensorLike, type: object, name: str | None = None) -> Tensor:
    """The bytes of `input` read as elements of another dtype.

    A smaller dtype adds a last axis of the parts of each element; a larger one takes the last axis, which must hold the parts of one
    element, else InvalidArgumentError (ValueError in a graph).  No gradient is defined.

    >>> tf.bitcast(1.0, tf.int32).numpy().item()
    1065353216
    """
    return BITCAST(input, type=type, name=name)


LATE_BOUND["stop_gradient"] = stop_gradient
