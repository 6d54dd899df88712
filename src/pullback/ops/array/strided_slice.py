"""Strided slices: `StridedSlice`, its adjoint `StridedSliceGrad`, and what replaces a part of a tensor or adds to it.

The masks of `StridedSlice` become one plan, a list of what each entry of begin/end/strides does to which axis; the kernel
turns the plan into a NumPy index, the type rule into sizes, so the two cannot disagree.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import ANY, INDEX, NUMERIC, int16
from ...base.export import export
from ...base.shapes import Shape, show
from ...ir.accumulator import add_into
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.op import Op, Traits, define
from ...ir.tensor import IntLike, Tensor, TensorLike, TensorType
from ..lowering import slice as native_slice
from .basic import ONES_LIKE, shape_of, sum_to, zeros_of
from .type_rules import Array, elements, invalid_argument, shape_in


class Masks(NamedTuple):
    """The five bit fields of a strided slice."""

    begin: int
    end: int
    ellipsis: int
    new_axis: int
    shrink_axis: int


class Step(NamedTuple):
    """What happens at one place: "new" axis, "all" of an axis, "one" element of it, or a "range"; `entry` points into begin/end/strides."""

    kind: str
    axis: int
    entry: int


def _plan(count: int, rank: int, masks: Masks) -> Iterator[Step]:
    """The steps of a strided slice with `count` entries on a tensor of `rank` dimensions."""
    stars = [i for i in range(count) if masks.ellipsis >> i & 1]
    if masks.ellipsis & (masks.ellipsis - 1):
        raise ShapeError("Multiple ellipses in slice spec not allowed", "Multiple ellipses in slice spec not allowed")
    star = stars[0] if stars else count
    taken = sum(1 for i in range(count) if i != star and not masks.new_axis >> i & 1)
    if taken > rank:
        text = f"Index out of range using input dim {rank}; input has only {rank} dims" if rank else "Attempting to slice scalar input."
        raise ShapeError(text, text)
    axis = 0
    for i in range(count + (not stars)):
        if i == star:
            for _ in range(rank - taken):
                yield Step("all", axis, i)
                axis += 1
        elif masks.new_axis >> i & 1:
            yield Step("new", axis, i)
        else:
            yield Step("one" if masks.shrink_axis >> i & 1 else "range", axis, i)
            axis += 1


def _bounds(entry: int, begin: list[int | None], end: list[int | None], masks: Masks) -> tuple[int | None, int | None]:
    return (None if masks.begin >> entry & 1 else begin[entry]), (None if masks.end >> entry & 1 else end[entry])


def _place(size: int, axis: int, at: int, stride: int) -> int:
    """One index of an axis, from the front."""
    if stride <= 0:
        raise ShapeError("only stride 1 allowed on non-range indexing.", "only stride 1 allowed on non-range indexing.")
    if not -size <= at < size:
        text = f"slice index {at if at >= 0 else at + size} of dimension {axis} out of bounds."
        raise ShapeError(text, text)
    return at + size if at < 0 else at


def _check_strides(strides: list[int | None], masks: Masks) -> None:
    for i, stride in enumerate(strides):
        if stride == 0 and not (masks.ellipsis | masks.new_axis) >> i & 1:
            raise ShapeError(f"strides[{i}] must be non-zero", f"strides[{i}] must be non-zero")


def _check_length(begin: Any, end: Any, strides: Any) -> int | None:
    """The number of entries, where it is known."""
    shapes = ", ".join(show(t.dims) for t in (begin, end)) + f", and {show(strides.dims)}"
    eagerly = f"Expected begin, end, and strides to be 1D equal size tensors, but got shapes {shapes} instead."
    count = None
    for t in (begin, end, strides):
        if t.dims is None:
            continue
        if len(t.dims) != 1:
            raise ShapeError(f"Shape must be rank 1 but is rank {len(t.dims)}", eagerly)
        n = t.dims[0]
        if n is not None and count is not None and n != count:
            raise ShapeError(f"Dimension 0 in both shapes must be equal, but are {count} and {n}", eagerly)
        count = n if count is None else count
    return count


def _entries(t: Any, count: int) -> list[int | None]:
    found = elements(t)
    return [None] * count if found is None else found


def _sliced_dims(dims: Shape, begin: Any, end: Any, strides: Any, masks: Masks) -> Shape:
    count = _check_length(begin, end, strides)
    if dims is None or count is None:
        return None
    begins, ends, steps = (_entries(t, count) for t in (begin, end, strides))
    _check_strides(steps, masks)
    out: list[int | None] = []
    for kind, axis, i in _plan(count, len(dims), masks):
        size = None if kind == "new" else dims[axis]
        if kind == "new":
            out.append(1)
        elif kind == "all":
            out.append(size)
        elif kind == "range":
            out.append(_range_size(size, begins[i], ends[i], steps[i], masks, i))
        elif size is not None and begins[i] is not None:
            _place(size, axis, begins[i], 1 if steps[i] is None else steps[i])  # type: ignore[arg-type]  # None is excluded above
    return tuple(out)


def _range_size(size: int | None, begin: int | None, end: int | None, step: int | None, masks: Masks, i: int) -> int | None:
    open_start, open_end = masks.begin >> i & 1, masks.end >> i & 1
    if size is None or step is None or (begin is None and not open_start) or (end is None and not open_end):
        return None
    return len(range(*builtins.slice(None if open_start else begin, None if open_end else end, step).indices(size)))


def _index(sizes: tuple[int, ...], begin: Array, end: Array, strides: Array, masks: Masks) -> tuple[Any, ...]:
    """The NumPy index that means this strided slice."""
    if begin.ndim != 1 or begin.shape != end.shape or begin.shape != strides.shape:
        shapes = f"{show(begin.shape)}, {show(end.shape)}, and {show(strides.shape)}"
        raise invalid_argument(f"Expected begin, end, and strides to be 1D equal size tensors, but got shapes {shapes} instead.")
    begins, ends, steps = begin.tolist(), end.tolist(), strides.tolist()
    _check_strides(steps, masks)
    index: list[Any] = []
    for kind, axis, i in _plan(len(begins), len(sizes), masks):
        if kind == "new":
            index.append(None)
        elif kind == "all":
            index.append(builtins.slice(None))
        elif kind == "one":
            index.append(_place(sizes[axis], axis, begins[i], steps[i]))
        else:
            index.append(builtins.slice(*_bounds(i, begins, ends, masks), steps[i]))
    return tuple(index)


def _strided_type(
    input: Any, begin: Any, end: Any, strides: Any, *,
    begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0,
) -> TensorType:  # fmt: skip
    masks = Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return TensorType(_sliced_dims(input.dims, begin, end, strides, masks), input.dtype)


def _slice_strided(
    input: Array, begin: Array, end: Array, strides: Array, *,
    begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0,
) -> np.ndarray:  # fmt: skip
    masks = Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return input[(*_index(input.shape, begin, end, strides, masks), ...)]


def _strided_grad_type(shape: Any, begin: Any, end: Any, strides: Any, dy: Any, **_: Any) -> TensorType:
    return TensorType(shape_in(shape), dy.dtype)


def _strided_grad(
    shape: Array, begin: Array, end: Array, strides: Array, dy: Array, *,
    begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0,
) -> Array:  # fmt: skip
    sizes = tuple(shape.tolist())
    index = (*_index(sizes, begin, end, strides, Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)), ...)
    out = np.zeros(sizes, dy.dtype)
    if out[index].shape != dy.shape:
        raise invalid_argument(f"shape of dy was {show(dy.shape)} instead of {show(out[index].shape)}")
    out[index] = dy
    return out


def _update_type(
    input: Any, begin: Any, end: Any, strides: Any, value: Any, *,
    begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0,
) -> TensorType:  # fmt: skip
    return TensorType(input.dims, input.dtype)


def _update(
    input: Array, begin: Array, end: Array, strides: Array, value: Array, *,
    begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0,
) -> Array:  # fmt: skip
    index = _index(input.shape, begin, end, strides, Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask))
    input[(*index, ...)] = value
    return input


def _add(
    input: Array, begin: Array, end: Array, strides: Array, value: Array, *,
    begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0,
) -> Array:  # fmt: skip
    index = _index(input.shape, begin, end, strides, Masks(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask))
    input[(*index, ...)] += value
    return input


def _change_copy(change: Callable[..., Array]) -> Callable[..., Array]:
    """The kernel of an op whose kernel on an array that it may change is `change`."""
    return lambda input, *parts, **masks: change(input.copy(), *parts, **masks)


def _cotangent_of_update(g: Any, value_type: Any, begin: Any, end: Any, strides: Any, attrs: Any) -> Tensor:
    return sum_to(STRIDED_SLICE(g, begin, end, strides, **attrs), value_type)


STRIDED_SLICE: Op = define(
    "StridedSlice", "input begin:Index end:Index strides:Index", _strided_type, _slice_strided,
    {
        "input": lambda g, input_type, begin, end, strides, attrs: STRIDED_SLICE_GRAD(
            shape_of(input_type, begin.dtype), begin, end, strides, g, **attrs
        )
    },
    into={
        "input": lambda total, g, begin, end, strides, attrs: add_into(
            TENSOR_STRIDED_SLICE_ADD, total, begin, end, strides, g, **attrs
        )
    },
    dtypes={"Index": INDEX | {int16}, "T": ANY}, holomorphic=False, takes_part=True,
    lower=native_slice.strided_slice,
    traits=Traits(copies=True, chooses="the slice took", folds_in_part=True),
)  # fmt: skip
STRIDED_SLICE_GRAD: Op = define(
    "StridedSliceGrad", "shape:Index begin:Index end:Index strides:Index dy", _strided_grad_type, _strided_grad,
    {"dy": lambda g, begin, end, strides, attrs: STRIDED_SLICE(g, begin, end, strides, **attrs)},
    dtypes={"Index": INDEX | {int16}, "T": ANY}, holomorphic=False,
    lower=partial(native_slice.strided_slice_grad, _slice_strided),
)  # fmt: skip
TENSOR_STRIDED_SLICE_UPDATE: Op = define(
    "TensorStridedSliceUpdate", "input begin:Index end:Index strides:Index value", _update_type, _change_copy(_update),
    {
        "value": _cotangent_of_update,
        "input": lambda g, value_type, begin, end, strides, attrs: TENSOR_STRIDED_SLICE_UPDATE(
            g, begin, end, strides, zeros_of(value_type), **attrs
        ),
    },
    dtypes={"Index": INDEX, "T": ANY}, holomorphic=False,
    changes=_update, lower=partial(native_slice.strided_update, _slice_strided),
)  # fmt: skip
#: An op of our own: `input` with `value` added to the slice, which is how cotangents of slices are summed.
TENSOR_STRIDED_SLICE_ADD: Op = define(
    "TensorStridedSliceAdd", "input begin:Index end:Index strides:Index value", _update_type, _change_copy(_add),
    {"value": _cotangent_of_update, "input": lambda g: g}, dtypes={"Index": INDEX | {int16}, "T": NUMERIC}, holomorphic=False,
    changes=_add, lower=partial(native_slice.strided_add, _slice_strided),
)  # fmt: skip


# ---- the public function


@export("strided_slice")
def strided_slice(
    input_: TensorLike, begin: IntLike, end: TensorLike, strides: TensorLike | None = None, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: object = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """What Python's `input_[begin:end:strides]` means, with the special forms said by bits.

    begin, end, strides: integer vectors of one length, strides all 1 when None.  Bit i of `begin_mask` or `end_mask` leaves that bound
    open, of `ellipsis_mask` stands for `...`, of `new_axis_mask` inserts an axis, of `shrink_axis_mask` takes the one element at begin[i].
    Raises InvalidArgumentError (ValueError in a graph) for an index out of bounds, a zero stride or too many entries.
    Gradient: the upstream gradient in a tensor of zeros.

    >>> tf.strided_slice([1, 2, 3, 4], [3], [0], [-2]).numpy().tolist()
    [4, 2]
    """
    if strides is None:
        begin = convert_to_tensor(begin, name="begin")
        strides = ONES_LIKE(begin) if begin.dims is None or None in begin.dims else np.ones(begin.dims, begin.dtype.numpy_dtype)
    return STRIDED_SLICE(
        input_, begin, end, strides, begin_mask=begin_mask, end_mask=end_mask, ellipsis_mask=ellipsis_mask, new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask, name=name,
    )  # fmt: skip
