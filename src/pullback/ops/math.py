"""Element-wise arithmetic, exponentials and trigonometry."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import COMPLEX, FLOAT_OR_COMPLEX, NUMERIC
from ..ir.tensor import METHODS
from .families import elementwise

ADD = elementwise("AddV2", "x y", np.add, {"x": 1, "y": 1}, dtypes=NUMERIC)
SUB = elementwise("Sub", "x y", np.subtract, {"x": 1, "y": -1}, dtypes=NUMERIC)
MUL = elementwise("Mul", "x y", np.multiply, {"x": lambda g, y: multiply(g, y), "y": lambda g, x: multiply(g, x)}, dtypes=NUMERIC)
NEG = elementwise("Neg", "x", np.negative, {"x": -1}, dtypes=NUMERIC)
SIN = elementwise("Sin", "x", np.sin, {"x": lambda x: cos(x)}, dtypes=FLOAT_OR_COMPLEX)
COS = elementwise("Cos", "x", np.cos, {"x": lambda x: -sin(x)}, dtypes=FLOAT_OR_COMPLEX)
EXP = elementwise("Exp", "x", np.exp, {"x": lambda out: out}, dtypes=FLOAT_OR_COMPLEX)
CONJ = elementwise("Conj", "input", np.conj, {"input": lambda g: conj(g)}, dtypes=COMPLEX, holomorphic=False)


def add(x: Any, y: Any, name: str | None = None) -> Any:
    """x + y, element by element.

    x, y: tensors of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the
    shapes do not fit, TypeError or InvalidArgumentError where the dtypes differ.

    >>> import pullback as tf
    >>> tf.add([1.0, 2.0], 3.0).numpy().tolist()
    [4.0, 5.0]
    """
    return ADD.call(x, y, name or "Add")


def subtract(x: Any, y: Any, name: str | None = None) -> Any:
    """x - y, element by element; shapes, dtypes and errors as `add`.

    >>> import pullback as tf
    >>> tf.subtract([1.0, 2.0], 3.0).numpy().tolist()
    [-2.0, -1.0]
    """
    return SUB.call(x, y, name)


def multiply(x: Any, y: Any, name: str | None = None) -> Any:
    """x * y, element by element; shapes, dtypes and errors as `add`.

    >>> import pullback as tf
    >>> tf.multiply([1.0, 2.0], 3.0).numpy().tolist()
    [3.0, 6.0]
    """
    return MUL.call(x, y, name)


def negative(x: Any, name: str | None = None) -> Any:
    """-x, element by element.

    >>> import pullback as tf
    >>> tf.negative([1.0, -2.0]).numpy().tolist()
    [-1.0, 2.0]
    """
    return NEG.call(x, name)


def sin(x: Any, name: str | None = None) -> Any:
    """The sine of x in radians; x: floating or complex.

    >>> import pullback as tf
    >>> tf.sin(0.0).numpy().item()
    0.0
    """
    return SIN.call(x, name)


def cos(x: Any, name: str | None = None) -> Any:
    """The cosine of x in radians; x: floating or complex.

    >>> import pullback as tf
    >>> tf.cos(0.0).numpy().item()
    1.0
    """
    return COS.call(x, name)


def exp(x: Any, name: str | None = None) -> Any:
    """e to the power x; x: floating or complex.

    >>> import pullback as tf
    >>> tf.exp(0.0).numpy().item()
    1.0
    """
    return EXP.call(x, name)


def conj(x: Any, name: str | None = None) -> Any:
    """The complex conjugate of x; a real x as it is.

    >>> import pullback as tf
    >>> tf.math.conj(tf.constant(1 + 2j)).numpy().item()
    (1-2j)
    """
    if getattr(x, "dtype", None) is not None and not x.dtype.is_complex and hasattr(x, "uid"):
        return x
    return CONJ.call(x, name)


METHODS.update(add=ADD.call, sub=SUB.call, mul=MUL.call, neg=NEG.call)
