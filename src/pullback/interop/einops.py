"""einops on tensors: `einops.rearrange(tensor, ...)` and its like take tensors, with gradients.  Loaded when einops is.

>>> import einops
>>> einops.rearrange(tf.reshape(tf.range(6), [2, 3]), "a b -> b a").numpy().tolist()
[[0, 3], [1, 4], [2, 5]]
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ..ir.apply import convert_to_tensor
from ..ir.tensor import Tensor
from ..ops.array.basic import reshape, shape
from ..ops.array.create import range as tensor_range
from ..ops.array.join import concat, stack
from ..ops.array.shape import expand_dims
from ..ops.array.tile import tile
from ..ops.array.transpose import transpose
from ..ops.linalg.einsum import einsum
from ..ops.reduce.reductions import reduce_all, reduce_any, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_sum

_REDUCTIONS = {
    "sum": reduce_sum, "mean": reduce_mean, "max": reduce_max, "min": reduce_min, "prod": reduce_prod, "any": reduce_any, "all": reduce_all,
}  # fmt: skip
_backends: Any = importlib.import_module("einops._backends")


class PullbackBackend(_backends.AbstractBackend):  # type: ignore[misc]  # loaded with the package
    """What einops asks of a library of arrays."""

    framework_name = "pullback"

    def is_appropriate_type(self, tensor: object) -> bool:
        """Whether einops shall come here."""
        return isinstance(tensor, Tensor)

    def from_numpy(self, x: np.ndarray) -> Tensor:
        """A tensor of an array."""
        return convert_to_tensor(x)

    def to_numpy(self, x: Any) -> Any:
        """An array of a tensor."""
        return x.numpy()

    def arange(self, start: int, stop: int) -> Tensor:
        """Whole numbers."""
        return tensor_range(start, stop)

    def shape(self, x: Any) -> tuple[Any, ...]:
        """The sizes, those that a graph does not know as tensors."""
        known = x.dims
        if known is None or None not in known:
            return tuple(known or ())
        asked = shape(x)
        return tuple(asked[i] if n is None else n for i, n in enumerate(known))

    def reshape(self, x: Any, shape: Any) -> Tensor:
        """Another shape."""
        return reshape(x, list(shape))

    def transpose(self, x: Any, axes: Any) -> Tensor:
        """Another order of axes."""
        return transpose(x, list(axes))

    def reduce(self, x: Any, operation: str, axes: Any) -> Tensor:
        """A reduction by its name."""
        return _REDUCTIONS[operation](x, list(axes))

    def stack_on_zeroth_dimension(self, tensors: Any) -> Tensor:
        """Tensors of one shape, one after another."""
        return stack(tensors)

    def add_axis(self, x: Tensor, new_position: int) -> Tensor:
        """A new axis of size one."""
        return expand_dims(x, new_position)

    def tile(self, x: Any, repeats: Any) -> Tensor:
        """Repetitions along each axis."""
        return tile(x, list(repeats))

    def concat(self, tensors: Any, axis: int) -> Tensor:
        """Tensors put together along an axis."""
        return concat(tensors, axis)

    def is_float_type(self, x: Tensor) -> bool:
        """Whether means can be taken."""
        return bool(x.dtype.is_floating or x.dtype.is_complex)

    def einsum(self, pattern: str, *x: Any) -> Tensor:
        """Einstein's sum."""
        return einsum(pattern, *x)
