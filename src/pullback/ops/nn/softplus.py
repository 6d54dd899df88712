"""`softplus`, `log_sigmoid` and `softsign`, and their fused gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOATING
from ...base.export import export, is_hot
from ...base.tolerance import ROUNDED
from ...ir.composite import works_by_element
from ...ir.context import scope
from ...ir.op import Op, Traits
from ...ir.tensor import NumberLike, Tensor
from ...ir.tracebacks import trim
from ...kernels import blocked
from ..array.basic import ones_of
from ..array.type_rules import Array, of_one_shape, same_type
from ..families import elementwise, fused_gradient
from ..lowering import nn as native_nn
from ..math.arithmetic import SIGN, negative
from ..math.kernels import block_function


def _softplus(x: Array) -> Array:
    wide = x.astype(np.float32) if x.dtype.itemsize < 4 else x
    out: Array = np.log1p(np.exp(-np.abs(wide)))
    out += np.maximum(wide, wide.dtype.type(0))
    return out.astype(x.dtype, copy=False)


def _softplus_grad(g: Array, x: Array) -> Array:
    out: Array = g / (np.exp(-x) + x.dtype.type(1))
    return out


def _softplus_curve(g: Any, gradients: Any, features: Any) -> Any:
    """The slope of the logistic function, written so that large features do not overflow into NaN."""
    rise = SOFTPLUS_GRAD.call(ones_of(features), features)
    return g * gradients * rise * (1.0 - rise)


SOFTPLUS_GRAD: Op = fused_gradient(
    "SoftplusGrad",
    "features",
    same_type,
    of_one_shape(_softplus_grad),
    {"gradients": lambda g, features: SOFTPLUS_GRAD.call(g, features), "features": _softplus_curve},
    dtypes=FLOATING,
    lower=native_nn.softplus_grad,
    tolerance=tolerance.LATER,
    gradient_names="SoftplusGrad truediv",
)
SOFTPLUS: Op = elementwise(
    "Softplus",
    "features",
    block_function(_softplus),
    {"features": lambda g, features: SOFTPLUS_GRAD.call(g, features)},
    dtypes=FLOATING,
    lower="softplus",
    tolerance=tolerance.FUNCTION._replace(narrow=ROUNDED),
    gradient_names="mul",
    traits=Traits(slow=True, saturates=True),
)


def _softsign_curve(g: Any, gradients: Any, features: Any) -> Any:
    distance = 1.0 + abs(features)
    return -2.0 * g * gradients * SIGN.call(features) / (distance * distance * distance)


SOFTSIGN_GRAD: Op = fused_gradient(
    "SoftsignGrad",
    "features",
    same_type,
    of_one_shape(lambda g, x: g / (x.dtype.type(1) + np.abs(x)) ** 2),
    {"gradients": lambda g, features: SOFTSIGN_GRAD.call(g, features), "features": _softsign_curve},
    dtypes=FLOATING,
    lower=native_nn.softsign_grad,
)
SOFTSIGN: Op = elementwise(
    "Softsign",
    "features",
    blocked.block_kernel(lambda x: x / (x.dtype.type(1) + np.abs(x))),
    {"features": lambda g, features: SOFTSIGN_GRAD.call(g, features)},
    dtypes=FLOATING,
    lower=native_nn.softsign,
    tolerance=tolerance.NARROW,
    traits=Traits(saturates=True),
)


@export("math.softplus", "nn.softplus")
@is_hot
def softplus(features: NumberLike, name: str | None = None) -> Tensor:
    """log(1 + exp(features)), exact for large features too; features: floating.

    >>> tf.nn.softplus([-200.0, 200.0]).numpy().tolist()
    [0.0, 200.0]
    """
    try:
        return SOFTPLUS.call(features, name)
    except Exception as error:
        trim(error)
        raise


@export("math.softsign", "nn.softsign")
@works_by_element
def softsign(features: NumberLike, name: str | None = None) -> Tensor:
    """features / (1 + |features|); features: floating.

    >>> tf.nn.softsign([-1.0, 3.0]).numpy().tolist()
    [-0.5, 0.75]
    """
    return SOFTSIGN.call(features, name)


@export("math.log_sigmoid", v1="log_sigmoid")
@works_by_element
def log_sigmoid(x: NumberLike, name: str | None = None) -> Tensor:
    """log(sigmoid(x)) as -softplus(-x), finite for every finite x.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.log_sigmoid([-1000.0, 1000.0]).numpy().tolist()
    [-1000.0, -0.0]
    """
    with scope(name, "LogSigmoid") as full:
        return negative(softplus(negative(x)), full)
