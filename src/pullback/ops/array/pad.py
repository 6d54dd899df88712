"""`pad`: margins of a constant, or such that mirror what is inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...base.export import export
from ...base.lazy_import import LazyModule
from ...ir.tensor import NumberLike, Tensor, TensorLike
from .slice import PAD, PAD_V2

if TYPE_CHECKING:
    from . import mirror_pad
else:
    mirror_pad = LazyModule("pullback.ops.array.mirror_pad")


@export(v2="pad")
def pad(tensor: TensorLike, paddings: NumberLike, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None) -> Tensor:
    """Add a margin around a tensor.

    paddings: integers of shape [rank, 2], the widths before and after along each dimension.  mode: "CONSTANT" (`constant_values`
    all around), "REFLECT" (the elements mirrored, the edge not repeated) or "SYMMETRIC" (the edge repeated), in any case.
    Raises ValueError for another mode; InvalidArgumentError (ValueError in a graph) for negative widths and for mirrors wider than the
    tensor.
    Gradient: the upstream gradient inside the margin, with the mirrored margins folded back onto it.

    >>> tf.pad([1, 2, 3], [[1, 2]]).numpy().tolist()
    [0, 1, 2, 3, 0, 0]
    >>> tf.pad([1, 2, 3], [[2, 1]], mode="REFLECT").numpy().tolist()
    [3, 2, 1, 2, 3, 2]
    """
    kind = mode.upper()
    if kind == "CONSTANT":
        if isinstance(constant_values, (int, float)) and constant_values == 0:
            return PAD(tensor, paddings, name=name)
        return PAD_V2(tensor, paddings, constant_values, name=name)
    if kind not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(f'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". Received `mode` = {mode}')
    return mirror_pad.MIRROR_PAD(tensor, paddings, mode=kind, name=name)
