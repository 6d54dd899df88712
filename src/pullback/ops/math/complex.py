"""Complex numbers: their parts, and putting them together.

A cotangent of a complex tensor is the conjugate of the derivative of what is differentiated, as in TensorFlow.  These ops are not
holomorphic, so their rules say themselves what is conjugated; the sweep does it for all others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import COMPLEX, DType, complex64, complex128, float32, float64
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import works_by_element
from ...ir.context import scope
from ...ir.op import Traits, define
from ...ir.tensor import NumberLike, Tensor, TensorType
from ...kernels import blocked
from ..array.basic import ones_of, zeros_of
from ..array.where import select
from ..batching import broadcast_rows, stack_rows
from ..families import broadcast_dims
from ..lowering import math as native_math
from ..primitives.cast import cast
from ..primitives.compare import less
from .arithmetic import CONJ, conj, multiply, negative
from .division import DIV_NO_NAN, divide_by

_WIDE = {float32: complex64, float64: complex128}


def _part_type(input: Any) -> TensorType:
    return TensorType(input.dims, input.dtype.base_dtype.real_dtype)


def _angle(input: np.ndarray[Any, Any]) -> Any:
    return np.arctan2(input.imag, input.real)


def _angle_back(g: Any, z: Any) -> Tensor:
    return negative(divide_by(cast(g, z.dtype), complex(imag(z), real(z))))


REAL_PART = define(
    "Real",
    "input:T=complex64",
    _part_type,
    blocked.block_kernel(lambda input: np.array(input.real)),
    {"input": lambda g: complex(g, zeros_of(g))},
    dtypes=COMPLEX,
    holomorphic=False,
    batch=stack_rows(),
    lower=native_math.lower_real_valued("real"),
    by_element=True,
    traits=Traits(chooses="it takes the real parts, which are", opens_scope=True),
)
IMAG_PART = define(
    "Imag",
    "input:T=complex64",
    _part_type,
    blocked.block_kernel(lambda input: np.array(input.imag)),
    {"input": lambda g: complex(zeros_of(g), g)},
    dtypes=COMPLEX,
    holomorphic=False,
    batch=stack_rows(),
    lower=native_math.lower_real_valued("imag"),
    by_element=True,
    traits=Traits(chooses="it takes the imaginary parts, which are", opens_scope=True),
)
ANGLE = define(
    "Angle",
    "input:T=complex64",
    _part_type,
    _angle,
    {"input": lambda g, input: _angle_back(g, input)},
    dtypes=COMPLEX,
    holomorphic=False,
    batch=stack_rows(),
    lower=native_math.lower_real_valued("angle"),
    gradient_names="mul",
    by_element=True,
    traits=Traits(opens_scope=True),
)
COMPLEX_ABS = define(
    "ComplexAbs",
    "x:T=complex64",
    lambda x: _part_type(x),
    np.abs,
    {"x": lambda g, x, out: multiply(cast(DIV_NO_NAN.call(g, out), x.dtype), x)},
    dtypes=COMPLEX,
    holomorphic=False,
    batch=stack_rows(),
    lower=native_math.lower_real_valued("abs"),
    gradient_names="div_no_nan",
    by_element=True,
    traits=Traits(opens_scope=True),
)


def _complex_type(real: Any, imag: Any) -> TensorType:
    return TensorType(broadcast_dims(real.dims, imag.dims), _WIDE[real.dtype.base_dtype])


def _complex(real: np.ndarray[Any, Any], imag: np.ndarray[Any, Any]) -> np.ndarray:
    out = np.empty(np.broadcast_shapes(real.shape, imag.shape), _WIDE_NUMPY[real.dtype])
    out.real, out.imag = real, imag
    return out


_WIDE_NUMPY = {narrow.numpy_dtype: wide.numpy_dtype for narrow, wide in _WIDE.items()}
COMPLEX_OF = define(
    "Complex",
    "real:T=float32 imag",
    _complex_type,
    blocked.block_kernel(_complex),
    {"real": lambda g: real(g), "imag": lambda g: imag(g)},
    dtypes={float32, float64},
    broadcasts=True,
    holomorphic=False,
    batch=broadcast_rows,
    lower="complex",
    by_element=True,
    traits=Traits(moves=True, opens_scope=True),
)


@works_by_element
def complex(real: NumberLike, imag: NumberLike, name: str | None = None) -> Tensor:
    """real + i imag: complex64 from float32, complex128 from float64.

    real, imag: float32 or float64, of one dtype, broadcast against each other.  Raises TypeError for other dtypes,
    InvalidArgumentError (in graphs ValueError) where the shapes do not fit.

    >>> tf.complex([1.0], [2.0]).numpy().tolist()
    [(1+2j)]
    """
    real, imag = convert_to_tensor(real, name="real"), convert_to_tensor(imag, name="imag")
    dtypes: tuple[DType, DType] = (real.dtype.base_dtype, imag.dtype.base_dtype)
    if dtypes[0] is not dtypes[1] or dtypes[0] not in _WIDE:
        raise TypeError(
            f"Complex: the `real` and `imag` components have incorrect types: {dtypes[0].name} {dtypes[1].name}. "
            "They must be both float32 or both float64."
        )
    return COMPLEX_OF(real, imag, name=name)


export("complex", "dtypes.complex")(complex)


@works_by_element
def real(input: NumberLike, name: str | None = None) -> Tensor:
    """The real part; a real tensor as it is.

    input: numeric.  Raises TypeError for other dtypes.

    >>> tf.math.real([1 + 2j]).numpy().tolist()
    [1.0]
    """
    input = convert_to_tensor(input, name="input")
    if input.dtype.is_complex:
        return REAL_PART(input, name=name)
    if not input.dtype.is_numeric:
        raise TypeError(f"Real: input must be a numeric tensor, but got tensor with dtype {input.dtype}")
    return input


export("math.real", v1="real")(real)


@works_by_element
def imag(input: NumberLike, name: str | None = None) -> Tensor:
    """The imaginary part; zeros for a real tensor.

    >>> tf.math.imag([1 + 2j]).numpy().tolist()
    [2.0]
    """
    input = convert_to_tensor(input, name="input")
    return IMAG_PART(input, name=name) if input.dtype.is_complex else zeros_of(input)


export("math.imag", v1="imag")(imag)


@export("math.angle", v1="angle")
@works_by_element
def angle(input: NumberLike, name: str | None = None) -> Tensor:
    """The argument of complex numbers, in (-pi, pi]; for real ones pi where they are negative, else 0.

    Gradient: -g / (imag + i real).

    >>> [f"{v:.4f}" for v in tf.math.angle([1.0, -1.0]).numpy()]
    ['0.0000', '3.1416']
    """
    with scope(name, "Angle") as full:
        input = convert_to_tensor(input, name="input")
        if input.dtype.is_complex:
            return ANGLE(input, name=full)
        return select(less(input, 0), multiply(np.pi, ones_of(input)), zeros_of(input))


__all__ = ["CONJ", "angle", "complex", "conj", "imag", "real"]
