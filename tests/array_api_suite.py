"""What the public suite of the array API standard is pointed at, by `make array-api`: the namespace that `start` gives.

The suite holds `x.shape` to be a tuple, and operators to promote. A tensor's shape is TensorFlow's `TensorShape`, and its operators want
one dtype; so here, for the suite only, shapes are tuples that know what a `TensorShape` does, and NumPy's operators are switched on.
"""

from types import ModuleType
from typing import Any

import pullback.array_api as xp
from pullback.array_api import _operators
from pullback.base.shapes import TensorShape
from pullback.ir.tensor import Tensor


class Shape(tuple[int, ...]):
    """A tuple with a `TensorShape`'s methods."""

    def __getattr__(self, name: str) -> Any:
        return getattr(TensorShape(tuple(self)), name)


def start() -> ModuleType:
    """The namespace, in a process that is the suite's alone."""
    Tensor.shape = property(lambda self: Shape(self.dims))  # type: ignore[assignment,method-assign]
    _operators.enable()
    return xp
