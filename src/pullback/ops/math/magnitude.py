"""How large numbers are, and of which sign."""

from __future__ import annotations

from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import works_by_element
from ...ir.tensor import LATE_BOUND, NumberLike, Tensor
from ..primitives.cast import cast
from .arithmetic import ABS, SIGN
from .complex import COMPLEX_ABS
from .division import DIV_NO_NAN


@export("abs", "math.abs")
@works_by_element
def abs(x: NumberLike, name: str | None = None) -> Tensor:
    """The absolute value, of complex numbers the modulus (float32 for complex64, float64 for complex128).

    x: floating, complex or signed integers.  TypeError (eagerly InvalidArgumentError) for other dtypes.  The gradient at 0 is 0.

    >>> tf.abs([1.0, -2.0]).numpy().tolist()
    [1.0, 2.0]
    """
    x = convert_to_tensor(x, name="x")
    return COMPLEX_ABS(x, name=name or "Abs") if x.dtype.is_complex else ABS.call(x, name)


@export("sign", "math.sign")
@works_by_element
def sign(x: NumberLike, name: str | None = None) -> Tensor:
    """-1, 0 or 1 by the sign of x; of complex numbers x / |x|, and 0 for 0.

    x: floating, complex or signed integers.  Raises TypeError (eagerly InvalidArgumentError) for other dtypes.
    The gradient of the real sign is 0.

    >>> tf.sign([3.0, 0.0, -2.0]).numpy().tolist()
    [1.0, 0.0, -1.0]
    """
    x = convert_to_tensor(x, name="x")
    if x.dtype.is_complex:
        return DIV_NO_NAN.call(x, cast(abs(x), x.dtype), name)
    return SIGN.call(x, name)


LATE_BOUND["abs"] = abs
