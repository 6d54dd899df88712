"""`Slice`: a block of a tensor."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import OPS, Op, define, is_known
from ...ir.owned import add_into
from ...ir.tensor import TensorType
from ...ir.tracebacks import trim
from ..native import slice as native_slice
from .basic import ones_of, shape_of
from .join import STACK
from .strided_slice import TENSOR_STRIDED_SLICE_ADD
from .types import Array, elements, invalid, rank_of


def _slice_type(input: Any, begin: Any, size: Any) -> TensorType:
    rank = rank_of(input)
    counts = [len(found) if found is not None else None for found in (elements(begin), elements(size))]
    for t in (begin, size):
        if t.dims is not None and len(t.dims) != 1:
            raise ShapeError(f"Shape must be rank 1 but is rank {len(t.dims)}", _both_vectors(rank, begin, size))
    if None not in counts and counts[0] != counts[1]:
        text = f"Dimension 0 in both shapes must be equal, but are {counts[0]} and {counts[1]}"
        raise ShapeError(text, _both_vectors(rank, begin, size))
    count = counts[0] if counts[0] is not None else counts[1]
    if rank is not None and count is not None and rank != count:
        raise ShapeError(f"Shape must be rank {count} but is rank {rank}", _both_vectors(rank, begin, size))
    rank = count if rank is None else rank
    if rank is None:
        return TensorType(None, input.dtype)
    starts, sizes = elements(begin) or [None] * rank, elements(size) or [None] * rank
    dims = input.dims or (None,) * rank
    return TensorType(tuple(map(_slice_size, dims, starts, sizes)), input.dtype)


def _both_vectors(rank: int | None, begin: Any, size: Any) -> str:
    given = f"but got shapes {show(begin.dims)} and {show(size.dims)} instead."
    return f"Expected begin and size arguments to be 1-D tensors of size {rank}, {given}"


def _slice_size(n: int | None, start: int | None, size: int | None) -> int | None:
    if size != -1:
        return size
    return None if n is None or start is None else max(n - start, 0)


def _slice(input: Array, begin: Array, size: Array) -> Array:
    if begin.ndim != 1 or begin.shape != size.shape or len(begin) != input.ndim:
        raise ValueError("one start and one size for each dimension")
    index = []
    for axis, (n, start, length) in enumerate(zip(input.shape, begin.tolist(), size.tolist(), strict=True)):
        if not 0 <= start <= n:
            raise invalid(f"Expected begin[{axis}] in [0, {n}], but got {start}")
        if length != -1 and not 0 <= length <= n - start:
            raise invalid(f"Expected size[{axis}] in [0, {n - start}], but got {length}")
        index.append(builtins.slice(start, n if length == -1 else start + length))
    return input[tuple(index)]


def _unslice(g: Any, input_type: Any, begin: Any) -> Any:
    before = begin.constant if is_known(begin.constant) else begin
    after = shape_of(input_type, begin.dtype) - before - shape_of(g, begin.dtype)
    if isinstance(after, np.ndarray):
        return OPS["Pad"](g, np.stack([before, after], axis=1))
    return OPS["Pad"](g, STACK([before, after], axis=1))


def _add_block(total: Any, g: Any, begin: Any) -> Any:
    return add_into(TENSOR_STRIDED_SLICE_ADD, total, begin, begin + shape_of(g, begin.dtype), ones_of(begin), g)


SLICE: Op = define(
    "Slice", "input begin:Index size:Index", _slice_type, _slice, {"input": _unslice}, dtypes={"Index": INDEX, "T": ANY}, holomorphic=False,
    into={"input": _add_block}, takes_part=True, lower=native_slice.slice_of,
)  # fmt: skip


@export("slice")
def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Any:
    """The block of `input_` that starts at `begin` and has `size`; a size of -1 reaches to the end.

    begin, size: integers, one for each dimension.  Raises InvalidArgumentError for a block that reaches outside.
    Gradient: the upstream gradient in a tensor of zeros.

    >>> import pullback as tf
    >>> tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]).numpy().tolist()
    [[2, 3], [5, 6]]
    """
    try:
        return SLICE(input_, begin, size, name=name)
    except Exception as error:
        trim(error)
        raise
