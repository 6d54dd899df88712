"""How ops that move elements, and make them, are lowered for the engine: views that cost nothing, where they can be."""

from __future__ import annotations

from typing import Any

import numpy as np


def sizes(steps: Any, shape: Any) -> tuple[int, ...]:
    """A shape that is known."""
    return tuple(int(n) for n in steps.known(shape).ravel())


def reshape(steps: Any, tensor: Any, shape: Any) -> Any:
    """Reshape: the same elements; -1 is what is left over."""
    wanted = sizes(steps, shape)
    known = int(np.prod([n for n in wanted if n != -1], dtype=np.int64))
    return steps.reshape(tensor, tuple((tensor.size // known if known else 0) if n == -1 else n for n in wanted))


def broadcast_to(steps: Any, input: Any, shape: Any) -> Any:
    """BroadcastTo."""
    return steps.broadcast(input, sizes(steps, shape))


def sum_to(steps: Any, input: Any, shape: Any) -> Any:
    """SumTo: sums over the axes along which `shape` was broadcast."""
    wanted = sizes(steps, shape)
    extra = len(input.dims) - len(wanted)
    axes = [*range(extra), *(i + extra for i, n in enumerate(wanted) if n == 1 and input.dims[i + extra] != 1)]
    return steps.reshape(steps.reduce("sum", input, axes), wanted)


def transpose(steps: Any, x: Any, perm: Any) -> Any:
    """Transpose."""
    return steps.permute(x, [p % max(len(x.dims), 1) for p in sizes(steps, perm)])


def fill(steps: Any, dims: Any, value: Any) -> Any:
    """Fill: one number everywhere."""
    return steps.broadcast(value, sizes(steps, dims))


def squeeze(steps: Any, input: Any, *, squeeze_dims: Any = ()) -> Any:
    """Squeeze: dims of size 1 gone."""
    gone = {d % len(input.dims) for d in squeeze_dims} if squeeze_dims else {i for i, n in enumerate(input.dims) if n == 1}
    return steps.reshape(input, tuple(n for i, n in enumerate(input.dims) if i not in gone))


def expand_dims(steps: Any, input: Any, axis: Any) -> Any:
    """ExpandDims: a dim of size 1 more."""
    at = sizes(steps, axis)[0] % (len(input.dims) + 1)
    return steps.reshape(input, (*input.dims[:at], 1, *input.dims[at:]))


def cast(steps: Any, x: Any, *, DstT: Any) -> Any:
    """Cast."""
    return steps.cast(x, DstT.numpy)
