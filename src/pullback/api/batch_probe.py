"""Does a batch Jacobian mean anything: is row b of the target independent of the other rows of the sources?

One more pass tells.  With rows that depend on nothing else, pulling back weights that differ from row to row is the same as multiplying
each row's Jacobian with its weights.  With rows that do, the blocks hold sums over rows, and the two differ.
"""

from __future__ import annotations

import warnings
from typing import Any

from ..base.dtypes import int32
from ..base.errors import InvalidArgumentError
from ..control.cond import cond
from ..ir.apply import convert_to_tensor
from ..ir.context import current, stop_recorders
from ..ir.tensor import EagerTensor, Tensor
from ..ops.array.basic import identity, reshape, shape_of
from ..ops.array.create import range as range_of
from ..ops.array.join import concat
from ..ops.effects.operations import Assert, print as print_tensors
from ..ops.linalg.products import matmul
from ..ops.math.arithmetic import add
from ..ops.math.trigonometric import sin
from ..ops.primitives.cast import cast
from ..ops.primitives.compare import greater, logical_not
from ..ops.reduce.reductions import reduce_any, reduce_prod
from ..transforms.sparse import densify
from .linearization import Linearization

_MEET = (
    "batch_jacobian: a row of the target depends on another row of a source (through a mean over the batch, batch normalisation or a "
    "product between rows), so there is no Jacobian for each row"
)
_ADVICE = "jacobian has the derivatives of all rows by all rows."
_SUMS = f"{_MEET}: what is given is its sum over the rows of the target; {_ADVICE}"
TOLERANCE = {"float64": 1e-7, "float32": 2e-3, "float16": 0.1, "bfloat16": 0.5}


def check_rows(way: Linearization, blocks: list[list[Any]], refuse: bool = True) -> list[list[Any]]:
    """`blocks`, once they are known to be the Jacobians of independent rows; in a graph, checked when they are used.

    Where they are not, raises InvalidArgumentError, or, unless `refuse`, says so and gives sums over rows, as TensorFlow does in silence.
    """
    if any(t.dtype.base_dtype.is_complex for t in (*way.ys, *way.flat_sources)):
        return blocks
    with stop_recorders():
        verdict = _depends(way, blocks)
    if verdict is None:
        return blocks
    if isinstance(verdict, EagerTensor):
        if bool(verdict) and refuse:
            raise InvalidArgumentError(None, None, f"{_MEET}; {_ADVICE}")
        if bool(verdict):
            warnings.warn(_SUMS, stacklevel=5)  # the caller of the tape's or the graph's `batch_jacobian`
        return blocks
    graph = current().graph
    assert graph is not None  # the verdict is symbolic
    check = Assert(logical_not(verdict), [f"{_MEET}; {_ADVICE}"]) if refuse else cond(verdict, _print_warning, lambda: False)
    with graph.control_dependencies([check]):
        return [[None if b is None else identity(b) for b in row] for row in blocks]


def _print_warning() -> bool:
    print_tensors(_SUMS)
    return True


def _depends(way: Linearization, blocks: list[list[Any]]) -> Any:
    """Whether some row depends on another, a boolean tensor; None where nothing is connected."""
    weights = [vary_elements(y) if y.dtype.trainable else None for y in way.ys]
    pulled = way.pull(weights)
    verdict = None
    for j, g in enumerate(pulled):
        found = expected = scale = None
        for u, row in zip(weights, blocks, strict=True):
            if u is None or row[j] is None:
                continue
            flat = _matrix(row[j], u)
            rows = reshape(u, concat([_sizes(u)[:1], [1, -1]], 0))
            term, size = matmul(rows, flat), matmul(abs(rows), abs(flat))
            expected = term if expected is None else add(expected, term)
            scale = size if scale is None else add(scale, size)
        if g is None or expected is None or scale is None:
            continue
        found = reshape(densify(g), _sizes(expected))
        room = scale * TOLERANCE[found.dtype.name] + abs(found) * 0.0
        wrong = reduce_any(greater(abs(found - expected), room))
        verdict = wrong if verdict is None else verdict | wrong
    return verdict


def _sizes(t: Any) -> Any:
    return convert_to_tensor(shape_of(t), int32)


def vary_elements(y: Tensor) -> Any:
    """Weights between -1 and 1 that differ from element to element, with no pattern from row to row."""
    count = reduce_prod(_sizes(y))
    return reshape(sin(cast(range_of(count), y.dtype) * 2.399963 + 0.5), _sizes(y))


def _matrix(block: Any, u: Any) -> Any:
    """`[b, y..., x...]` as `[b, all of y, all of x]`."""
    sizes = _sizes(u)
    return reshape(block, concat([sizes[:1], reshape(reduce_prod(sizes[1:]), [1]), [-1]], 0))
