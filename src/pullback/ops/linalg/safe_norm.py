"""`safe_norm`: the Euclidean norm with derivatives at zero."""

from __future__ import annotations

from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import IntLike, NumberLike, Tensor
from ..array.basic import ones_of, zeros_of
from ..array.identity import stop_gradient
from ..array.shape import squeeze
from ..array.where import where
from ..math.arithmetic import square
from ..math.complex import imag, real
from ..math.functions import sqrt
from ..math.magnitude import abs as absolute
from ..primitives.compare import equal, is_finite, logical_and, not_equal
from ..reduce.reductions import reduce_max, reduce_sum


@export(ours="safe_norm")
def safe_norm(x: NumberLike, axis: IntLike | None = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The Euclidean norm, with derivatives of 0, of every order, where the norm is 0 (`tf.norm` has NaN there).

    x: a floating or complex tensor.  axis: the axis or axes of the vectors, all if None.  keepdims: whether these remain, of size 1.
    Elements are divided by the largest first, so that neither large nor small ones are lost.  For a quotient that is 0 where its
    denominator is, with derivatives of 0 there, see `tf.math.divide_no_nan`.
    Raises TypeError for other dtypes.

    >>> x = tf.constant([[3.0, 4.0], [0.0, 0.0]])
    >>> norms, pull = tf.vjp(lambda x: tf.safe_norm(x, axis=1), x)
    >>> norms.numpy().tolist(), pull([1.0, 1.0]).numpy().round(1).tolist()
    ([5.0, 0.0], [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]])
    """
    with scope(name, "safe_norm"):
        x = convert_to_tensor(x)
        if not (x.dtype.is_floating or x.dtype.is_complex):
            raise TypeError(f"safe_norm takes floating and complex tensors, and x is {x.dtype.name}: cast it, for example to tf.float32")
        size = stop_gradient(reduce_max(absolute(x), axis, keepdims=True))
        size = where(logical_and(is_finite(size), not_equal(size, zeros_of(size))), size, ones_of(size))
        squares = square(real(x) / size) + square(imag(x) / size) if x.dtype.is_complex else square(x / size)
        total = reduce_sum(squares, axis, keepdims=True)
        at_zero = equal(total, zeros_of(total))
        norm = size * where(at_zero, zeros_of(total), sqrt(where(at_zero, ones_of(total), total)))
        return norm if keepdims else squeeze(norm, axis)
