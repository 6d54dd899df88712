"""Slices and margins, each the adjoint of the other: `Slice` and `Pad`.

`PadV2` has no gradient for the value it pads with, as in TensorFlow.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX
from ...base.export import export, is_hot
from ...base.shapes import show
from ...ir.accumulator import add_into
from ...ir.apply import ShapeError
from ...ir.op import Op, Traits, define, is_known
from ...ir.tensor import IntLike, Tensor, TensorLike, TensorType
from ...ir.tracebacks import trim
from ...kernels.memory_limit import require_room
from ..batching import prefix_vectors
from ..lowering import array as native_array, slice as native_slice
from .basic import ones_of, shape_of
from .join import STACK
from .strided_slice import TENSOR_STRIDED_SLICE_ADD
from .type_rules import Array, elements, invalid_argument, plus, rank_of, require_rank


def _slice_type(input: Any, begin: Any, size: Any) -> TensorType:
    rank = rank_of(input)
    counts = [len(found) if found is not None else None for found in (elements(begin), elements(size))]
    for t in (begin, size):
        if t.dims is not None and len(t.dims) != 1:
            raise ShapeError(f"Shape must be rank 1 but is rank {len(t.dims)}", _explain_vectors(rank, begin, size))
    if None not in counts and counts[0] != counts[1]:
        text = f"Dimension 0 in both shapes must be equal, but are {counts[0]} and {counts[1]}"
        raise ShapeError(text, _explain_vectors(rank, begin, size))
    count = counts[0] if counts[0] is not None else counts[1]
    if rank is not None and count is not None and rank != count:
        raise ShapeError(f"Shape must be rank {count} but is rank {rank}", _explain_vectors(rank, begin, size))
    rank = count if rank is None else rank
    if rank is None:
        return TensorType(None, input.dtype)
    starts, sizes = elements(begin) or [None] * rank, elements(size) or [None] * rank
    dims = input.dims or (None,) * rank
    return TensorType(tuple(map(_slice_size, dims, starts, sizes)), input.dtype)


def _explain_vectors(rank: int | None, begin: Any, size: Any) -> str:
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
            raise invalid_argument(f"Expected begin[{axis}] in [0, {n}], but got {start}")
        if length != -1 and not 0 <= length <= n - start:
            raise invalid_argument(f"Expected size[{axis}] in [0, {n - start}], but got {length}")
        index.append(builtins.slice(start, n if length == -1 else start + length))
    return input[tuple(index)]


def _unslice(g: Any, input_type: Any, begin: Any) -> Tensor:
    before = begin.constant if is_known(begin.constant) else begin
    after = shape_of(input_type, begin.dtype) - before - shape_of(g, begin.dtype)
    if isinstance(after, np.ndarray):
        return PAD(g, np.stack([before, after], axis=1))
    return PAD(g, STACK([before, after], axis=1))


def _add_block(total: Any, g: Any, begin: Any) -> Any:
    return add_into(TENSOR_STRIDED_SLICE_ADD, total, begin, begin + shape_of(g, begin.dtype), ones_of(begin), g)


SLICE: Op = define(
    "Slice", "input begin:Index size:Index", _slice_type, _slice, {"input": _unslice}, dtypes={"Index": INDEX, "T": ANY}, holomorphic=False,
    into={"input": _add_block}, takes_part=True, lower=native_slice.slice_of,
    traits=Traits(copies=True, chooses="the slice took", folds_in_part=True),
)  # fmt: skip


@export("slice")
@is_hot
def slice(input_: TensorLike, begin: IntLike, size: IntLike, name: str | None = None) -> Tensor:
    """The block of `input_` that starts at `begin` and has `size`; a size of -1 reaches to the end.

    begin, size: integers, one for each dimension.  Raises InvalidArgumentError for a block that reaches outside.
    Gradient: the upstream gradient in a tensor of zeros.

    >>> tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]).numpy().tolist()
    [[2, 3], [5, 6]]
    """
    try:
        return SLICE(input_, begin, size, name=name)
    except Exception as error:
        trim(error)
        raise


# ---- margins

PAD_DTYPES = {"Tpaddings": INDEX, "T": ANY}


def find_margins(input: Any, paddings: Any) -> list[tuple[int | None, int | None]] | None:
    """The margins before and after each dimension, as far as they are known; refuses paddings that do not fit."""
    if paddings.dims is not None and (len(paddings.dims) != 2 or paddings.dims[1] not in (2, None)):
        text = f"paddings must be a matrix with 2 columns: {show(paddings.dims)}"
        raise ShapeError(f"Shape must be rank 2 but is rank {len(paddings.dims)}" if len(paddings.dims) != 2 else text, text)
    rows = None if paddings.dims is None else paddings.dims[0]
    rank = rank_of(input)
    if rows is not None and rank is not None and rows != rank:
        raise ShapeError(
            f"Shape must be rank {rows} but is rank {rank}",
            f"The first dimension of paddings must be the rank of inputs{show(paddings.dims)} {show(input.dims)}",
        )
    rank = rows if rank is None else rank
    if rank is None:
        return None
    flat = elements(paddings) if paddings.constant is not None else [None] * (2 * rank)
    assert flat is not None
    pairs = list(zip(flat[::2], flat[1::2], strict=True))
    for before, after in pairs:
        if (before is not None and before < 0) or (after is not None and after < 0):
            raise ShapeError("Paddings must be non-negative", f"Paddings must be non-negative: {before} {after}")
    return pairs


def infer_pad(input: Any, paddings: Any) -> TensorType:
    """The type of a tensor with margins around it."""
    pairs = find_margins(input, paddings)
    if pairs is None:
        return TensorType(None, input.dtype)
    dims = input.dims or (None,) * len(pairs)
    return TensorType(tuple(plus(n, *pair) for n, pair in zip(dims, pairs, strict=True)), input.dtype)


def pad_with_zeros(input: Array, paddings: Array) -> Array:
    """The kernel of `Pad`."""
    return _pad_with(input, paddings, np.full((), b"" if input.dtype == object else 0, input.dtype))


def _pad_with(input: Array, paddings: Array, constant_values: Array) -> Array:
    if constant_values.ndim:
        raise ValueError("one number")  # the type rule finds the words
    if paddings.shape != (input.ndim, 2) or (paddings.size and paddings.min() < 0):
        raise ValueError("two sizes of at least 0 for each dimension")
    sizes = [n + int(a) + int(b) for n, (a, b) in zip(input.shape, paddings, strict=True)]
    require_room(sizes, input.dtype)
    out = np.empty(sizes, input.dtype)
    out[...] = constant_values
    out[tuple(builtins.slice(int(a), int(a) + n) for n, (a, _) in zip(input.shape, paddings, strict=True))] = input
    return out


def _unpad(g: Any, paddings: Any, input_type: Any) -> Tensor:
    return SLICE(g, paddings[:, 0], shape_of(input_type, paddings.dtype))


def _pad_v2_type(input: Any, paddings: Any, constant_values: Any) -> TensorType:
    require_rank(constant_values, 0, "constant_values must be a scalar.")
    return infer_pad(input, paddings)


PAD = define(
    "Pad",
    "input paddings:Tpaddings",
    infer_pad,
    pad_with_zeros,
    {"input": _unpad},
    dtypes=PAD_DTYPES,
    holomorphic=False,
    batch=prefix_vectors("paddings"),
    lower=native_array.pad,
    gradient_names="Slice_1",
    traits=Traits(moves=True),
)
PAD_V2 = define(
    "PadV2", "input paddings:Tpaddings constant_values", _pad_v2_type, _pad_with, {"input": _unpad}, dtypes=PAD_DTYPES, holomorphic=False,
    lower=native_array.pad,
    gradient_names="Slice_1",
    traits=Traits(moves=True),
)  # fmt: skip
