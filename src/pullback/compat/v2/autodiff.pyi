"""The names of `pullback.compat.v2.autodiff`, written by docs/make_exports.py."""

from pullback.api.forward_accumulator import ForwardAccumulator
from pullback.api.tape import GradientTape

__all__ = [
    "ForwardAccumulator",
    "GradientTape",
]
