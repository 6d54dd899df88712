"""Square brackets: `tensor[key]` for every key that TensorFlow takes, as one `StridedSlice` (or a boolean mask)."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import bool as bool_, int16, int32, int64
from ...base.export import export
from ...base.lazy_import import LazyModule
from ...base.shapes import Dimension
from ...ir.apply import apply, convert_to_tensor
from ...ir.context import current, scope
from ...ir.tensor import LATE_BOUND, EagerTensor, Tensor
from ..array.strided_slice import STRIDED_SLICE
from ..primitives.cast import cast

if TYPE_CHECKING:
    from . import mask
else:
    mask = LazyModule("pullback.ops.indexing.mask")

newaxis = export("newaxis", v2="experimental.numpy.newaxis")(None)
_ALLOWED = "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid indices"
_BOUNDS = {int16, int32, int64}


class _Entries:
    """What the parts of a key come to: a begin, an end and a stride for each, and the masks."""

    def __init__(self) -> None:
        self.begin: list[Any] = []
        self.end: list[Any] = []
        self.strides: list[Any] = []
        self.masks = {f"{kind}_mask": 0 for kind in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")}

    def add(self, begin: Any, end: Any, stride: Any, *kinds: str) -> None:
        for kind in kinds:
            self.masks[f"{kind}_mask"] |= 1 << len(self.begin)
        self.begin.append(begin)
        self.end.append(end)
        self.strides.append(stride)


def getitem(tensor: Tensor, key: object) -> Any:
    """`tensor[key]`: integers, slices, `...`, None (a new axis), scalar integer tensors, tuples of these, or a mask of booleans.

    Raises TypeError for what is no index (StridedSlice says what is), InvalidArgumentError (ValueError in a graph) for an index out of
    bounds or too many of them.  Gradient: the upstream gradient in a tensor of zeros.

    >>> x = tf.constant([[1, 2, 3], [4, 5, 6]])
    >>> x[0, 1:].numpy().tolist(), x[..., tf.newaxis].shape
    ([2, 3], TensorShape([2, 3, 1]))
    """
    if isinstance(key, bool) or (isinstance(key, (np.ndarray, Tensor)) and key.dtype == bool_):
        return mask.boolean_mask(tensor, key)
    entries = _read_key(key)
    with scope(None, "strided_slice") as full:
        make = EagerTensor if current().graph is None else partial(convert_to_tensor, name="stack")
        return apply(STRIDED_SLICE, (tensor, *_vectors(entries, make)), entries.masks, full)


def slice_of_key(key: object) -> tuple[Any, Any, Any, dict[str, int]]:
    """The vectors and masks of a `StridedSlice` that reads what `tensor[key]` does."""
    entries = _read_key(key)
    return *_vectors(entries), entries.masks


def _read_key(key: object) -> _Entries:
    entries = _Entries()
    for part in key if isinstance(key, (tuple, list)) else (key,):
        if isinstance(part, slice):
            _add_slice(entries, part)
        elif part is Ellipsis:
            entries.add(0, 0, 1, "ellipsis")
        elif part is None:
            entries.add(0, 0, 1, "new_axis")
        else:
            at = _index(part)
            entries.add(at, at + 1, 1, "shrink_axis")
    return entries


def _add_slice(entries: _Entries, part: slice) -> None:
    kinds = [kind for kind, bound in (("begin", part.start), ("end", part.stop)) if bound is None]
    begin, end = (0 if bound is None else _index(bound) for bound in (part.start, part.stop))
    entries.add(begin, end, 1 if part.step is None else _index(part.step), *kinds)


def _index(part: Any) -> Any:
    """One integer of a key: a Python int where it is known, else a scalar tensor."""
    if isinstance(part, Dimension) and part.value is not None:
        return part.value
    if isinstance(part, numbers.Integral):
        return int(part)
    if hasattr(part, "__as_tensor__"):
        part = part.__as_tensor__()
    if isinstance(part, np.ndarray) and part.ndim == 0 and part.dtype.kind in "iu":
        return int(part)
    if not isinstance(part, Tensor) or part.dtype.base_dtype not in _BOUNDS or (part.dims is not None and part.dims != ()):
        raise TypeError(f"{_ALLOWED}, got {part!r} (StridedSlice)")
    return int(part.value) if isinstance(part, EagerTensor) else part


def _vectors(entries: _Entries, make: Callable[[np.ndarray], Any] = np.asarray) -> Any:
    """The three vectors in one dtype: int32, or int64 where a tensor or a large number asks for it.

    make: what is made of them where they hold no tensors.
    """
    lists = (entries.begin, entries.end, entries.strides)
    flat = [v for values in lists for v in values]
    tensors = [v for v in flat if isinstance(v, Tensor)]
    wide = any(v.dtype is int64 for v in tensors) or any(abs(v) > 2**31 - 1 for v in flat if isinstance(v, int))
    dtype = int64 if wide else int32
    if not tensors:
        return [make(np.array(values, dtype.numpy_dtype)) for values in lists]
    given = [[cast(v, dtype) if isinstance(v, Tensor) and v.dtype is not dtype else v for v in values] for values in lists]
    return [convert_to_tensor(values, dtype, name="stack") if values else np.zeros(0, dtype.numpy_dtype) for values in given]


LATE_BOUND["getitem"] = getitem
