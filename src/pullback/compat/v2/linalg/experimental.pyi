"""The names of `pullback.compat.v2.linalg.experimental`, written by docs/make_exports.py."""

from pullback.tensorflow.linear_operators.conjugate_gradient import conjugate_gradient as conjugate_gradient

__all__ = [
    "conjugate_gradient",
]
