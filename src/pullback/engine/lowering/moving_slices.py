"""Slices whose ends are both computed but a known number of elements apart, such as x[i:i + 3], and their gradients.

Type rules cannot tell their size; a program can.  It takes for granted that the part lies inside, which is checked when it runs: where it
does not (Python's slices are cut off at the end), the fault leaves the run to the kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ir.tensor import SymbolicTensor

Tensor = SymbolicTensor
#: What adds an operation: its name, its inputs (tensors and arrays), its attributes.
Make = Callable[..., Tensor]
#: A sign, what it is the sign of (None: nothing), and the number added to it.
Linear = tuple[int, Any, Any]


def value_of(t: Tensor) -> np.ndarray | None:
    """The array that a constant is; None for other tensors."""
    return t.node.attrs["value"] if t.node.primitive.name == "Const" else None


def linear(t: Tensor) -> Linear:
    """A tensor of whole numbers as a sign times another one, plus a constant."""
    value, name, inputs = value_of(t), t.node.primitive.name, t.node.inputs
    if value is not None:
        return 0, None, value.astype(np.int64)
    if name == "Cast" and inputs[0].dtype.is_integer:
        return linear(inputs[0])
    if name in ("AddV2", "Sub") and t.dtype.is_integer:
        first, second = linear(inputs[0]), linear(inputs[1])
        way = 1 if name == "AddV2" else -1
        if not first[0]:
            return way * second[0], second[1], first[2] + way * second[2]
        if not second[0]:
            return first[0], first[1], first[2] + way * second[2]
    return 1, t.uid, np.int64(0)


def _dims(t: Tensor) -> list[int]:
    return [n for n in t.dims or () if n is not None]


def _element(t: Tensor, i: int) -> Linear:
    """Element i of a vector."""
    if t.node.primitive.name == "Pack" and not t.node.attrs.get("axis"):
        return linear(t.node.inputs[i])
    sign, key, constant = linear(t)
    return sign, None if key is None else (key, i), np.broadcast_to(constant, _dims(t))[i]


def _scalar(make: Make, t: Tensor, i: int) -> Any:
    if t.node.primitive.name == "Pack" and not t.node.attrs.get("axis"):
        return t.node.inputs[i]
    ends = [np.array([k], t.dtype.numpy_dtype) for k in (i, i + 1, 1)]
    return make("StridedSlice", t, *ends, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=1)


def rewrite_slice(make: Make, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> Tensor | None:
    """A StridedSlice as a Slice, where the sizes are known though the bounds are not."""
    x, begin, end, strides = inputs
    steps = value_of(strides)
    if (value_of(begin) is not None and value_of(end) is not None) or attrs["ellipsis_mask"] or attrs["new_axis_mask"]:
        return None
    if steps is None or (steps != 1).any() or len(_dims(x)) < steps.size:
        return None
    starts: list[Any] = []
    sizes: list[int] = []
    gone, moves = set(), False
    for axis, n in enumerate(_dims(x)):
        masks = [axis >= steps.size or bool(attrs[name] >> axis & 1) for name in ("begin_mask", "end_mask")]
        if all(masks):
            starts.append(0)
            sizes.append(n)
            continue
        low = (0, None, np.int64(0)) if masks[0] else _element(begin, axis)
        high = (0, None, np.int64(n)) if masks[1] else _element(end, axis)
        if axis < steps.size and attrs["shrink_axis_mask"] >> axis & 1:
            high = (low[0], low[1], low[2] + 1)
            gone.add(axis)
        if low[:2] != high[:2] or not 0 < high[2] - low[2] <= n or (not low[0] and not 0 <= low[2] <= high[2] <= n):
            return None
        moves = moves or (bool(low[0]) and axis not in gone)
        starts.append(_scalar(make, begin, axis) if low[0] else int(low[2]))
        sizes.append(int(high[2] - low[2]))
    if not moves:
        return None
    where = make("Pack", *(np.asarray(s, begin.dtype.numpy_dtype) if isinstance(s, int) else s for s in starts), axis=0)
    part = make("Slice", x, where, np.array(sizes, begin.dtype.numpy_dtype))
    return make("Reshape", part, np.array([n for i, n in enumerate(sizes) if i not in gone], np.int32)) if gone else part


def rewrite_pad(make: Make, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> Tensor | None:
    """The gradient of such a slice, zeros around a part, whose place alone is computed."""
    x, paddings = inputs
    node = paddings.node
    if node.primitive.name != "Pack" or node.attrs.get("axis") not in (1, -1) or len(node.inputs) != 2:
        return None
    before = node.inputs[0]
    first, second = (linear(t) for t in node.inputs)
    if first[0] != 1 or second[0] != -1 or first[1] != second[1]:
        return None
    part = np.array(x.dims, before.dtype.numpy_dtype)
    whole = (part + first[2] + second[2]).astype(before.dtype.numpy_dtype)
    if (whole < part).any():
        return None
    end = make("AddV2", before, part)
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    return make("StridedSliceGrad", whole, before, end, np.ones_like(part), x, **masks)
