"""`tf.layers.InputSpec`: what a layer asks of its inputs, and the errors where they are not so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...base.dtypes import as_dtype
from ...base.export import export
from ...base.shapes import are_compatible, as_dims
from ...ir.tensor import DTypeLike, ShapeLike


@export(v1="layers.InputSpec")
class InputSpec:
    """What a layer asks of an input: dtype, shape, number of dimensions, the least and greatest of it, sizes by axis.

    Raises TypeError: axes that are no integers.  ValueError: an axis beyond the number of dimensions.

    >>> tf1.layers.InputSpec(ndim=2, axes={-1: 3})
    InputSpec(ndim=2, axes={-1: 3})
    """

    def __init__(
        self, dtype: DTypeLike | None = None, shape: ShapeLike | None = None, ndim: int | None = None, max_ndim: int | None = None,
        min_ndim: int | None = None, axes: Mapping[Any, int | None] | None = None,
    ) -> None:  # fmt: skip
        self.dtype = None if dtype is None else as_dtype(dtype).name
        self.shape = as_dims(shape)
        self.ndim = ndim if self.shape is None else len(self.shape)
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        try:
            self.axes = {int(axis): size for axis, size in (axes or {}).items()}
        except (ValueError, TypeError):
            raise TypeError("The keys in axes must be integers.") from None
        rank = self.ndim or max_ndim
        if self.axes and rank and max(self.axes) > rank - 1:
            raise ValueError(f"Axis {max(self.axes)} is greater than the maximum allowed value: {rank - 1}")

    def __repr__(self) -> str:
        said = [f"{key}={value}" for key, value in vars(self).items() if value is not None and value != {}]
        return f"InputSpec({', '.join(said)})"


def check_inputs(specs: InputSpec | Sequence[InputSpec] | None, inputs: Sequence[Any], name: str) -> None:
    """A ValueError where what a layer is called with is not what it asks for; sizes that are not known pass."""
    if specs is None:
        return
    wanted = [specs] if isinstance(specs, InputSpec) else specs
    if len(wanted) != len(inputs):
        raise ValueError(
            f"Layer {name} expects {len(wanted)} input(s), but it received {len(inputs)} input tensors. Inputs received: {list(inputs)}"
        )
    for number, (spec, given) in enumerate(zip(wanted, inputs, strict=True)):
        wrong = _find_mismatch(spec, given)
        if wrong is not None:
            raise ValueError(f"Input {number} of layer {name} is incompatible with the layer: {wrong}")


def _find_mismatch(spec: InputSpec, given: Any) -> str | None:
    dims = given.shape.dims
    if spec.dtype is not None and given.dtype.base_dtype.name != spec.dtype:
        return f"expected dtype={spec.dtype}, found dtype={given.dtype}"
    if dims is None:
        return None
    sizes, rank = tuple(given.shape.as_list()), len(dims)
    shape = f"Full shape received: {sizes}"
    if spec.ndim is not None and rank != spec.ndim:
        return f"expected ndim={spec.ndim}, found ndim={rank}. {shape}"
    if spec.max_ndim is not None and rank > spec.max_ndim:
        return f"expected max_ndim={spec.max_ndim}, found ndim={rank}"
    if spec.min_ndim is not None and rank < spec.min_ndim:
        return f": expected min_ndim={spec.min_ndim}, found ndim={rank}. {shape}"
    for axis, size in spec.axes.items():
        if size is not None and sizes[axis] not in (size, None):
            return f"expected axis {axis} of input shape to have value {size} but received input with shape {sizes}"
    if spec.shape is not None and not are_compatible(spec.shape, sizes):
        return f"expected shape={spec.shape}, found shape={sizes}"
    return None
