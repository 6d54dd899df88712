"""Structures of tensors and variables as one vector of float64, the form in which SciPy knows a point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..api.endpoints import as_sources, call_with
from ..base import nest
from ..ir.apply import convert_to_tensor
from ..ir.tensor import EagerTensor
from ..transforms.sparse import densify

Vector = np.ndarray


class Flat:
    """The shape of a point: how to go from a structure to a vector and back.

    point: a structure of real floating tensors, variables, arrays and numbers.  Raises TypeError for other dtypes.
    """

    def __init__(self, point: Any) -> None:
        self.leaves = as_sources(nest.flatten(point))
        for leaf in self.leaves:
            if not leaf.dtype.base_dtype.is_floating:
                raise TypeError(f"a part of the point is {leaf.dtype.base_dtype.name}; SciPy works on real numbers, so it must be floating")
        self.structure = nest.pack_sequence_as(point, self.leaves)
        self.shapes = [tuple(int(n) for n in leaf.shape) for leaf in self.leaves]
        self.kinds = [leaf.dtype.base_dtype.numpy_dtype for leaf in self.leaves]
        self.bounds = np.cumsum([int(np.prod(shape, dtype=np.int64)) for shape in self.shapes])
        self.size = int(self.bounds[-1]) if self.leaves else 0
        self.start = self.vector([convert_to_tensor(leaf) for leaf in self.leaves])

    def parts(self, vector: object) -> list[Any]:
        """The leaves that a vector stands for, as tensors of their shapes and dtypes."""
        pieces = np.split(np.asarray(vector, np.float64), self.bounds[:-1])
        return [EagerTensor(p.reshape(s).astype(k)) for p, s, k in zip(pieces, self.shapes, self.kinds, strict=True)]

    def unflatten(self, vector: object) -> Any:
        """The structure that a vector stands for."""
        return nest.pack_sequence_as(self.structure, self.parts(vector))

    def place(self, vector: object) -> Any:
        """What to give the user's function: the structure, with variables set to the vector's numbers and handed over themselves."""
        parts = self.parts(vector)
        for i, (leaf, part) in enumerate(zip(self.leaves, parts, strict=True)):
            if hasattr(leaf, "handle"):
                leaf.assign(part)
                parts[i] = leaf
        return nest.pack_sequence_as(self.structure, parts)

    def vector(self, leaves: Sequence[Any]) -> Vector:
        """Leaves (tensors, sparse ones too) as one vector."""
        if not leaves:
            return np.zeros(0)
        return np.concatenate([np.ravel(np.asarray(densify(t))).astype(np.float64) for t in leaves])

    def flatten_filled(self, leaves: Sequence[Any]) -> Vector:
        """Leaves as one vector, zeros for those that are None."""
        zeros = (np.zeros(shape, kind) for shape, kind in zip(self.shapes, self.kinds, strict=True))
        return self.vector([EagerTensor(z) if t is None else t for t, z in zip(leaves, zeros, strict=True)])

    def of(self, structure: Any) -> Vector:
        """A structure like the point as one vector."""
        return self.vector([convert_to_tensor(t) for t in nest.flatten(structure)])


def value_of(function: Callable[..., Any], flat: Flat, vector: object) -> Any:
    """The function at a vector."""
    return call_with(function, flat.place(vector))


def scalar(value: Any, asker: str) -> float:
    """A number; ValueError for anything with more than one element."""
    array = np.asarray(value)
    if array.size != 1:
        raise ValueError(f"{asker} needs a function that returns one number, and got shape {array.shape}; least_squares takes residuals")
    return float(array.reshape(()))
