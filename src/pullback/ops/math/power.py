"""Powers."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import (
    FLOAT_OR_COMPLEX,
    SIGNED,
)
from ...base.export import export, is_hot
from ...ir.op import Op, Remedies, Traits
from ...ir.tensor import LATE_BOUND, NumberLike, Tensor
from ...ir.tracebacks import trim
from ..array.where import where
from ..families import elementwise
from ..lowering import math as native_math
from ..primitives.compare import greater, not_equal
from . import kernels as kernels
from .arithmetic import multiply
from .functions import log


def _power_by_exponent(g: Any, x: Any, out: Any) -> Any:
    """The exponent's cotangent g x^y log(x), with log(x) read as 0 where a real x is not positive: there x^y has no slope in y.

    Whole numbers have no slope in their exponents at all: None.
    """
    if x.dtype.is_integer:
        return None
    is_base = not_equal(x, 0.0) if x.dtype.is_complex else greater(x, 0.0)
    logarithm = where(is_base, log(where(is_base, x, 1.0)), 0.0)
    return multiply(multiply(g, out), logarithm)


_REMEDIES = Remedies(
    "keep the base from zero (negative exponents) and from below zero (fractions): tf.pow(tf.maximum(x, 1e-12), p)",
    "the slope of a power is infinite at 0 for exponents below 1: use tf.pow(tf.maximum(x, 1e-12), p)",
)
POW: Op = elementwise(
    "Pow",
    "x y",
    kernels.power,
    {"x": lambda g, x, y: multiply(multiply(g, y), POW.call(x, y - 1)), "y": lambda g, x, out: _power_by_exponent(g, x, out)},
    dtypes=FLOAT_OR_COMPLEX | SIGNED,
    lower=native_math.power,
    gradient_names="mul_1 mul_3",
    traits=Traits(remedies=_REMEDIES, slow=True, multiplies=True, opens_scope=True, numbers_made="always"),
)


@export("pow", "math.pow")
@is_hot
def pow(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x to the power y.

    x, y: floating, complex or signed integers of one dtype, broadcast against each other.  Raises InvalidArgumentError for negative
    powers of integers and for shapes that do not fit (in graphs ValueError), TypeError or InvalidArgumentError where dtypes differ.
    Gradients: g y x^(y-1), and g x^y log(x) with log(x) read as 0 where x is not positive.

    >>> tf.pow([2.0, 3.0], 2.0).numpy().tolist()
    [4.0, 9.0]
    """
    try:
        return POW.call(x, y, name or "Pow")
    except Exception as error:
        trim(error)
        raise


LATE_BOUND["pow"] = POW.call
