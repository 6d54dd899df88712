"""The names of `pullback.compat.v2.autodiff`, written by docs/make_exports.py."""

from pullback.api.forward_accumulator import ForwardAccumulator as ForwardAccumulator
from pullback.api.tape import GradientTape as GradientTape

__all__ = [
    "ForwardAccumulator",
    "GradientTape",
]
