"""Reverse and roll: the elements change places, and the gradients change them back."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.composite import takes_composites
from ...ir.op import Op, Traits, define
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorLike, TensorType
from ...kernels.memory import make_empty
from ..batching import shift_axes
from ..lowering import array as native_array, moves as native_moves, search as native_search
from .type_rules import Array, check_axis, elements, invalid_argument, rank_of, require_equal, require_rank

# ---- reverse


def _reverse_type(tensor: Any, axis: Any) -> TensorType:
    require_rank(axis, 1, f"'dims' must be 1-dimension, not {len(axis.dims or ())}")
    axes, rank = elements(axis), rank_of(tensor)
    if axes is not None and rank is not None:
        seen: set[int] = set()
        for i, a in enumerate(axes):
            if a is None:
                continue
            text = f"'axis'[{i}] = {a} is out of valid range [0, {rank - 1}]"
            a = check_axis(a, rank, text, text)
            if a in seen:
                raise ShapeError(f"axis {a} specified more than once.", f"axis {a} specified more than once.")
            seen.add(a)
    return TensorType(tensor.dims, tensor.dtype)


def _reverse(tensor: Array, axis: Array) -> Array:
    if axis.ndim != 1:
        raise ValueError("the axes to reverse are a vector")
    return np.flip(tensor, tuple(axis.tolist())) if tensor.ndim else tensor  # eagerly a scalar has every axis


REVERSE: Op = define(
    "ReverseV2",
    "tensor axis:Tidx",
    _reverse_type,
    _reverse,
    {"tensor": lambda g, axis: REVERSE(g, axis)},
    dtypes={"Tidx": INDEX, "T": ANY},
    holomorphic=False,
    batch=shift_axes("axis"),
    lower=native_array.lower_view("ReverseV2"),
    traits=Traits(copies=True),
)


@export("reverse", v1="manip.reverse")
@takes_composites
def reverse(tensor: TensorLike, axis: IntLike, name: str | None = None) -> Tensor:
    """Reverse the order along each of `axis`.

    tensor: any shape and dtype.  axis: a vector of integers in [-rank, rank), none twice.  Returns a tensor of the same shape.
    Raises InvalidArgumentError (ValueError in a graph) for an axis out of range or given twice.
    Gradient: the reversal of the upstream gradient along the same axes.

    >>> tf.reverse([[1, 2], [3, 4]], [1]).numpy().tolist()
    [[2, 1], [4, 3]]
    """
    return REVERSE(tensor, axis, name=name)


# ---- roll


def _roll_type(input: Any, shift: Any, axis: Any) -> TensorType:
    if input.dims == ():
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "input must be 1-D or higher")
    for name, given in (("shift", shift), ("axis", axis)):
        if given.dims is not None and len(given.dims) > 1:
            eagerly = f"{name} must be a scalar or a 1-D vector. Found: {show(given.dims)}"
            raise ShapeError(f"Shape must be at most rank 1 but is rank {len(given.dims)}", eagerly)
    counts = [len(found) for found in (elements(shift), elements(axis)) if found is not None]
    if len(set(counts)) > 1:
        text = f"Dimension 0 in both shapes must be equal, but are {counts[0]} and {counts[1]}"
        raise ShapeError(text, "shift and axis must have the same size")
    return TensorType(input.dims, input.dtype)


def _roll(input: Array, shift: Array, axis: Array) -> Array:
    if not input.ndim or max(shift.ndim, axis.ndim) > 1 or shift.size != axis.size:
        raise ValueError("roll moves the elements of tensors with axes, one shift for each axis")
    for a in axis.ravel():
        if not -input.ndim <= a < input.ndim:
            raise invalid_argument(f"axis {a} is out of range")
    shifts = [0] * input.ndim
    for n, a in zip(shift.ravel().tolist(), axis.ravel().tolist(), strict=True):
        shifts[a] += n
    out = make_empty(input.shape, input.dtype)
    for parts in itertools.product(*map(_moved_slices, input.shape, shifts)):
        out[tuple(to for _, to in parts)] = input[tuple(at for at, _ in parts)]
    return out


def _moved_slices(size: int, shift: int) -> list[tuple[slice, slice]]:
    """The parts of an axis, and where a shift moves each."""
    by = shift % size if size else 0
    return [(slice(0, size - by), slice(by, size)), *([(slice(size - by, size), slice(0, by))] if by else [])]


ROLL: Op = define(
    "Roll",
    "input shift:Tshift axis:Taxis",
    _roll_type,
    _roll,
    {"input": lambda g, shift, axis: ROLL(g, -shift, axis)},
    dtypes={"Tshift": INDEX, "Taxis": INDEX, "T": ANY},
    holomorphic=False,
    batch=shift_axes("axis", others=("shift",)),
    lower=native_moves.roll,
)


@export("roll", v1="manip.roll")
def roll(input: TensorLike, shift: IntLike, axis: IntLike, name: str | None = None) -> Tensor:
    """Move every element `shift` places along `axis`; what leaves at one end comes in at the other.

    input: at least one dimension.  shift, axis: integers or vectors of one length; shifts along the same axis add up.
    Raises InvalidArgumentError (ValueError in a graph) for a scalar input or an axis out of range.
    Gradient: the upstream gradient rolled back.

    >>> tf.roll([0, 1, 2, 3, 4], shift=2, axis=0).numpy().tolist()
    [3, 4, 0, 1, 2]
    """
    return ROLL(input, shift, axis, name=name)


# ---- reverse a part of each row


def _sequence_type(input: Any, seq_lengths: Any, *, seq_dim: int, batch_dim: int = 0) -> TensorType:
    require_rank(seq_lengths, 1, f"seq_lens input must be 1-dim, not {len(seq_lengths.dims or ())}")
    rank = rank_of(input)
    if rank is None:
        return TensorType(None, input.dtype)
    for what, dim in (("batch_dim", batch_dim), ("seq_dim", seq_dim)):
        if not dim < rank:
            text = f"{what} must be < input rank: {dim} vs. {rank}"
            raise ShapeError(text, text)
    if batch_dim < 0:
        raise ShapeError(f"batch_dim must be >=0, got {batch_dim}", None)
    batch, lengths = input.dims[batch_dim], None if seq_lengths.dims is None else seq_lengths.dims[0]
    require_equal(batch, lengths, f"Length of seq_lengths != input.dims({batch_dim}), ({lengths} vs. {batch})")
    dims = list(input.dims)
    dims[batch_dim] = lengths if batch is None else batch
    return TensorType(tuple(dims), input.dtype)


def _reverse_sequence(input: Array, seq_lengths: Array, *, seq_dim: int, batch_dim: int = 0) -> Array:
    for name, dim in (("seq_dim", seq_dim), ("batch_dim", batch_dim)):
        if not 0 <= dim < input.ndim:
            raise invalid_argument(f"Invalid {name} {dim}: the input has {input.ndim} dimensions")
    if seq_dim == batch_dim:
        raise invalid_argument(f"batch_dim == seq_dim == {seq_dim}")
    if seq_lengths.ndim != 1 or seq_lengths.shape[0] != input.shape[batch_dim]:
        raise ValueError("one length for each element of the batch")
    for i, length in enumerate(seq_lengths.tolist()):
        if not 0 <= length <= input.shape[seq_dim]:
            why = f"seq_lens({i}) < 0" if length < 0 else f"seq_lens({i}) > input.dims({seq_dim})"
            raise invalid_argument(why)
    steps = np.arange(input.shape[seq_dim])
    lengths = seq_lengths[:, None]
    source = np.where(steps < lengths, lengths - 1 - steps, steps)
    front = np.moveaxis(input, (batch_dim, seq_dim), (0, 1))
    return np.moveaxis(front[np.arange(front.shape[0])[:, None], source], (0, 1), (batch_dim, seq_dim))


REVERSE_SEQUENCE: Op = define(
    "ReverseSequence",
    "input seq_lengths:Tlen",
    _sequence_type,
    _reverse_sequence,
    {"input": lambda g, seq_lengths, attrs: REVERSE_SEQUENCE(g, seq_lengths, **attrs)},
    dtypes={"Tlen": INDEX, "T": ANY},
    holomorphic=False,
    lower=native_moves.reverse_sequence,
)


@export(v2="reverse_sequence")
def reverse_sequence(
    input: TensorLike, seq_lengths: TensorLike, seq_axis: int | None = None, batch_axis: int | None = None, name: str | None = None
) -> Tensor:
    """Reverse the first `seq_lengths[i]` elements along `seq_axis` in the i-th element of the batch; the rest stays.

    input: at least two dimensions.  seq_lengths: one integer for each index of `batch_axis` (0 when None), at most the size of `seq_axis`.
    Raises InvalidArgumentError (ValueError in a graph) for lengths that do not fit or equal axes.
    Gradient: the same reversal of the upstream gradient.

    >>> tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1).numpy().tolist()
    [[2, 1, 3], [6, 5, 4]]
    """
    batch_axis = 0 if batch_axis is None else batch_axis
    for axis, argument in ((seq_axis, "seq_dim"), (batch_axis, "batch_dim")):
        if axis is None or getattr(axis, "dims", None):
            raise TypeError(f"Expected int for argument '{argument}' not {axis!r}.")
    return REVERSE_SEQUENCE(input, seq_lengths, seq_dim=seq_axis, batch_dim=batch_axis, name=name)


# ---- permutations


def _invert_type(x: Any) -> TensorType:
    return TensorType(require_rank(x, 1, "invert_permutation expects a 1D vector."), x.dtype)


def _invert(x: Array) -> Array:
    if x.ndim != 1:
        raise ValueError("a permutation is a vector")
    inverse = np.full(x.shape, -1, x.dtype)
    if not ((x < 0) | (x >= len(x))).any():
        inverse[x] = np.arange(len(x), dtype=x.dtype)
    if (inverse < 0).any():
        raise _find_fault(x)
    return inverse


def _find_fault(x: Array) -> Exception:
    """The error of the first value that is out of range or was given before."""
    given: set[int] = set()
    for value in x.tolist():
        if not 0 <= value < len(x):
            return invalid_argument(f"{value} is not between 0 and {len(x)}")
        if value in given:
            return invalid_argument(f"{value} is duplicated in the input.")
        given.add(value)
    raise AssertionError(f"{x} is a permutation")


INVERT_PERMUTATION = define(
    "InvertPermutation", "x:T=int32", _invert_type, _invert, {}, dtypes=INDEX,
    lower=native_search.invert_permutation,
)  # fmt: skip


@export("math.invert_permutation", v1="invert_permutation")
def invert_permutation(x: NumberLike, name: str | None = None) -> Tensor:
    """The permutation that undoes `x`: `y[x[i]] = i`.

    x: a vector of int32 or int64 that holds each of 0 ... n-1 once.
    Raises InvalidArgumentError for a value out of range or given twice.

    >>> tf.math.invert_permutation([2, 0, 1]).numpy().tolist()
    [1, 2, 0]
    """
    return INVERT_PERMUTATION(x, name=name)
