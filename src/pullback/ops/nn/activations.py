"""Rectifying activations, and their fused gradients as operations of their own, so that they can be differentiated again.

A rule reads the output where the derivative can be told from it (relu, elu, selu): then a tape need not keep the input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOATING, REAL
from ...base.export import export, is_hot
from ...ir.apply import convert_to_tensor
from ...ir.composite import works_by_element
from ...ir.context import scope
from ...ir.op import OPS, Op, Traits, define
from ...ir.tensor import NumberLike, Tensor, TensorType
from ...ir.tracebacks import trim
from ...kernels import blocked
from ..array.basic import zeros_of
from ..array.type_rules import Array, of_one_shape, same_type, times_gate
from ..array.where import SELECT_V2
from ..batching import stack_rows
from ..families import elementwise, fused_gradient, push_symmetric
from ..lowering import nn as native_nn
from ..primitives.cast import cast

# Klambauer et al., "Self-normalizing neural networks" (2017), appendix A.
SELU_SCALE = 1.0507009873554804934193349852946
SELU_SCALE_ALPHA = 1.7580993408473768599402175208123


def where(condition: Tensor, a: Tensor, b: Tensor) -> Any:
    """`a` where `condition` holds, else `b`."""
    return SELECT_V2.call(condition, a, b)


def _gate(name: str, open_where: Callable[[Array], Array]) -> Op:
    """A fused gradient that lets pass where a gate is open: linear in the gradient, of no slope in the features."""
    return fused_gradient(
        name,
        "features",
        same_type,
        of_one_shape(lambda g, x: times_gate(g, open_where(x))),
        {"gradients": lambda g, features: OPS[name].call(g, features), "features": lambda features_type: zeros_of(features_type)},
        dtypes=REAL,
        lower=native_nn.gate(open_where),
    )


RELU_GRAD: Op = _gate("ReluGrad", lambda x: x > 0)
RELU6_GRAD: Op = _gate("Relu6Grad", lambda x: (x > 0) & (x < 6))
RELU: Op = elementwise(
    "Relu",
    "features",
    lambda x: blocked.clamp_min(x, x.dtype.type(0)),
    {"features": lambda g, out: RELU_GRAD.call(g, out)},
    dtypes=REAL,
    lower=lambda builder, features: builder.max(features, 0),
    tolerance=tolerance.NARROW,
    traits=Traits(flat=True),
)
RELU6: Op = elementwise(
    "Relu6",
    "features",
    blocked.block_kernel(lambda x: blocked.clamp_max(blocked.clamp_min(x, x.dtype.type(0)), x.dtype.type(6))),
    {"features": lambda g, out: RELU6_GRAD.call(g, out)},
    dtypes=REAL,
    lower=lambda builder, features: builder.min(builder.max(features, 0), 6),
    tolerance=tolerance.SLOW,
    traits=Traits(flat=True, opens_scope=True),
)


def _pull_negative(g: Any, gradients: Any, outputs: Any) -> Any:
    return where(outputs < 0, g * gradients, zeros_of(outputs))


@blocked.block_kernel
def _elu(x: Array) -> Array:
    out: Array = np.expm1(np.minimum(x, x.dtype.type(0)))
    out += np.maximum(x, x.dtype.type(0))
    return out


@blocked.block_kernel
def _selu(x: Array) -> Array:
    out: Array = np.expm1(np.minimum(x, x.dtype.type(0))) * x.dtype.type(SELU_SCALE_ALPHA)
    out += np.maximum(x, x.dtype.type(0)) * x.dtype.type(SELU_SCALE)
    return out


ELU_GRAD: Op = fused_gradient(
    "EluGrad",
    "outputs",
    same_type,
    of_one_shape(lambda g, y: blocked.select(y < 0, (y + y.dtype.type(1)) * g, g)),
    {"gradients": lambda g, outputs: ELU_GRAD.call(g, outputs), "outputs": _pull_negative},
    dtypes=FLOATING,
    lower=native_nn.elu_grad,
    gradient_names="EluGrad Select",
)
SELU_GRAD: Op = fused_gradient(
    "SeluGrad",
    "outputs",
    same_type,
    of_one_shape(lambda g, y: blocked.select(y < 0, y + y.dtype.type(SELU_SCALE_ALPHA), y.dtype.type(SELU_SCALE)) * g),
    {"gradients": lambda g, outputs: SELU_GRAD.call(g, outputs), "outputs": _pull_negative},
    dtypes=FLOATING,
    lower=native_nn.selu_grad(SELU_SCALE, SELU_SCALE_ALPHA),
    gradient_names="SeluGrad Select",
)
ELU: Op = elementwise(
    "Elu",
    "features",
    _elu,
    {"features": lambda g, out: ELU_GRAD.call(g, out)},
    dtypes=FLOATING,
    lower=native_nn.elu,
    tolerance=tolerance.SLOW,
    traits=Traits(slow=True, saturates=True),
)
SELU: Op = elementwise(
    "Selu",
    "features",
    _selu,
    {"features": lambda g, out: SELU_GRAD.call(g, out)},
    dtypes=FLOATING,
    lower=native_nn.selu(SELU_SCALE, SELU_SCALE_ALPHA),
    tolerance=tolerance.SLOW,
    traits=Traits(slow=True, saturates=True),
)


def _leaky_type(features: Any, *, alpha: float = 0.2) -> TensorType:
    return TensorType(features.dims, features.dtype)


def _leaky_pair_type(gradients: Any, features: Any, *, alpha: float = 0.2) -> TensorType:
    return same_type(gradients, features)


LEAKY_RELU_GRAD: Op = define(
    "LeakyReluGrad",
    "gradients:T=float32 features",
    _leaky_pair_type,
    blocked.block_kernel(of_one_shape(lambda g, x, *, alpha=0.2: blocked.select(x > 0, g, g * g.dtype.type(np.float32(alpha))))),
    {
        "gradients": lambda g, features, alpha: LEAKY_RELU_GRAD(g, features, alpha=alpha),
        "features": lambda features_type: zeros_of(features_type),
    },
    dtypes=FLOATING,
    jvp=push_symmetric,
    batch=stack_rows(),
    lower=native_nn.leaky_relu_grad,
)
LEAKY_RELU: Op = define(
    "LeakyRelu",
    "features:T=float32",
    _leaky_type,
    blocked.block_kernel(lambda x, *, alpha=0.2: blocked.select(x > 0, x, x * x.dtype.type(np.float32(alpha)))),
    {"features": lambda g, features, alpha: LEAKY_RELU_GRAD(g, features, alpha=alpha)},
    dtypes=FLOATING,
    jvp=push_symmetric,
    batch=stack_rows(),
    lower=native_nn.leaky_relu,
    by_element=True,
    traits=Traits(opens_scope=True),
)


@export("nn.relu")
@is_hot
def relu(features: NumberLike, name: str | None = None) -> Tensor:
    """max(features, 0), element by element; the gradient at 0 is 0.

    features: real numbers of any shape.  Raises InvalidArgumentError (in graphs TypeError) for other dtypes.

    >>> tf.nn.relu([-1.0, 0.0, 2.0]).numpy().tolist()
    [0.0, 0.0, 2.0]
    """
    try:
        return RELU.call(features, name)
    except Exception as error:
        trim(error)
        raise


@export("nn.relu6")
@works_by_element
def relu6(features: NumberLike, name: str | None = None) -> Tensor:
    """min(max(features, 0), 6), element by element; the gradient at 0 and at 6 is 0.

    >>> tf.nn.relu6([-1.0, 2.0, 9.0]).numpy().tolist()
    [0.0, 2.0, 6.0]
    """
    return RELU6.call(features, name)


@export("nn.elu")
@works_by_element
def elu(features: NumberLike, name: str | None = None) -> Tensor:
    """features where positive, exp(features) - 1 elsewhere (Clevert, Unterthiner and Hochreiter, 2016).

    features: floating.

    >>> tf.nn.elu([0.0, 2.0]).numpy().tolist()
    [0.0, 2.0]
    """
    return ELU.call(features, name)


@export("nn.selu")
def selu(features: NumberLike, name: str | None = None) -> Tensor:
    """Scaled exponential linear units (Klambauer et al., 2017): elu with two constants that keep mean 0 and variance 1.

    features: floating.

    >>> round(tf.nn.selu(1.0).numpy().item(), 4)
    1.0507
    """
    return SELU.call(features, name)


@export("nn.leaky_relu")
@works_by_element
def leaky_relu(features: NumberLike, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """features where positive, alpha * features elsewhere; integers become float32 first.

    >>> tf.nn.leaky_relu([-10.0, 2.0], alpha=0.5).numpy().tolist()
    [-5.0, 2.0]
    """
    features = convert_to_tensor(features)
    if features.dtype.is_integer:
        with scope(name, "LeakyRelu") as full:
            return LEAKY_RELU(cast(features, "float32"), alpha=alpha, name=full or None)
    return LEAKY_RELU(features, alpha=alpha, name=name)
