"""From one dtype to another."""

from __future__ import annotations

import logging
from typing import Any, overload

import numpy as np

from ...base.dtypes import EIGHT_BITS, FOUR_BITS, HELD, DType, as_dtype, find_dtype
from ...base.errors import UnimplementedError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import scope
from ...ir.op import Remedies, Traits, define
from ...ir.tensor import LATE_BOUND, DTypeLike, IndexedSlices, Tensor, TensorLike, TensorType
from ...kernels import blocked
from ..batching import stack_rows
from ..lowering import array as native_array

Array = np.ndarray[Any, Any]
_log = logging.getLogger("pullback")


def _cast(x: Array, *, DstT: DType) -> Array:
    target = DstT.numpy_dtype
    if np.dtype(object) in (x.dtype, target):
        kind = "string" if x.dtype == object else x.dtype.name
        raise UnimplementedError(None, None, f"Cast {kind} to {DstT.name} is not supported")
    source = find_dtype(x)
    narrow = source in FOUR_BITS or DstT in FOUR_BITS
    held = source is not DstT and (source in HELD or DstT in HELD)
    if held or (DstT in EIGHT_BITS and not source.is_floating) or (narrow and not (source.is_integer and DstT.is_integer)):
        raise UnimplementedError(None, None, f"Cast {source.name} to {DstT.name} is not supported")
    if narrow:
        return x.astype(np.int64).astype(target)
    if x.dtype.kind == "c" and target.kind != "c":
        x = x.real
    if x.dtype.kind in "fV" and target.kind == "u" and target.itemsize >= 4:
        return _cast_to_unsigned(x, target)
    return x.astype(target)


def _cast_to_unsigned(x: Array, target: np.dtype[Any]) -> Array:
    """Floats as uint32 or uint64, wherever in the array they stand: NumPy answers by that for what the integers cannot hold.

    As TensorFlow casts a single number: uint32 has the low bits of 64; NaN and what 64 bits lack have only the highest bit set.
    """
    if target.itemsize == 4:
        return x.astype(np.int64).astype(target)
    return (
        np.where(x >= _TOO_LARGE, _HIGHEST, x.astype(target)) if x.dtype.itemsize > 2 else _cast_to_unsigned(x.astype(np.float32), target)
    )


_TOO_LARGE, _HIGHEST = 2.0**64, np.uint64(2**63)


def _cast_back(g: Any, x_type: Any) -> Any:
    dtype = x_type.dtype.base_dtype
    return cast(g, dtype) if dtype.trainable and g.dtype.trainable else None


CAST = define(
    "Cast",
    "x:SrcT",
    lambda x, *, DstT: TensorType(x.dims, DstT),
    blocked.block_kernel(_cast),
    {"x": lambda g, x_type: _cast_back(g, x_type)},
    holomorphic=False,
    batch=stack_rows(),
    sparse=True,
    lower=native_array.cast,
    by_element=True,
    traits=Traits(
        remedies=Remedies("the value is beyond what the dtype holds: scale it down first"),
        on_values=True,
        folds_in_part=True,
        opens_scope=True,
    ),
)


@overload
def cast(x: IndexedSlices, dtype: DTypeLike, name: str | None = None) -> IndexedSlices: ...
@overload
def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor: ...
@export("cast", "dtypes.cast")
@takes_composites
def cast(x: object, dtype: DTypeLike, name: str | None = None) -> Tensor | IndexedSlices:
    """x with its elements of another dtype.

    x: a tensor, an IndexedSlices (its values are cast) or what converts to a tensor.  dtype: a dtype or its name.  Floats are cut
    towards zero for integers, complex numbers lose their imaginary part with a warning in the log, everything but 0 is True.
    The gradient is cast back between floating and complex dtypes; no gradient passes integers.  Raises TypeError for what names no
    dtype, UnimplementedError from and to strings.

    >>> tf.cast([1.8, -2.2], tf.int32).numpy().tolist()
    [1, -2]
    """
    target = as_dtype(dtype).base_dtype
    if isinstance(x, IndexedSlices):
        return IndexedSlices(cast(x.values, target, name), x.indices, x.dense_shape)
    if not isinstance(x, Tensor):
        with scope(name, "Cast") as full:
            x, name = convert_to_tensor(x, name="x"), full or name
    source = x.dtype.base_dtype
    if source is target:
        return x
    if source.is_complex and target.is_floating:
        _log.warning(
            "You are casting an input of type %s to an incompatible dtype %s.  "
            "This will discard the imaginary part and may not be what you intended.",
            source.name,
            target.name,
        )
    return CAST(x, DstT=target, name=name)


LATE_BOUND["cast"] = cast
