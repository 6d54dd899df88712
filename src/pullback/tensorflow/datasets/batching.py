"""Sources that put elements together: batches."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...base.errors import InvalidArgumentError
from ...base.shapes import TensorShape, show
from ...ir.apply import convert_to_tensor, wrap
from ...ir.context import Context, enter_context
from ...ir.type_spec import TypeSpec
from ...kernels.strings import StringArray
from ...ops.array.join import concat
from ...ops.constant import TensorSpec
from .sequence import scalar
from .source import UNKNOWN, Pass, Source
from .structure import Element, Layout, map_leaves


def as_array(value: object) -> Any:
    """A raw value as an array."""
    return value.objects() if isinstance(value, StringArray) else scalar(value)


def stack_component(parts: Sequence[Any], place: int) -> np.ndarray:
    """One component of several elements as one array."""
    arrays = [as_array(part) for part in parts]
    shape = arrays[0].shape
    for i, array in enumerate(arrays):
        if array.shape != shape:
            text = f"Cannot batch tensors with different shapes in component {place}."
            raise InvalidArgumentError(
                None, None, f"{text} First element had shape {show(shape)} and element {i} had shape {show(array.shape)}."
            )
    out = np.empty((len(arrays), *shape), arrays[0].dtype)
    if shape:
        np.stack(arrays, out=out)
    else:
        out[:] = [array[()] for array in arrays]
    return out


def batched_spec(spec: object, count: int | None) -> Any:
    """The spec of a batch."""
    return map_leaves(lambda leaf: _batch_leaf(leaf, count), spec)


def _batch_leaf(leaf: TypeSpec, count: int | None) -> Any:
    if isinstance(leaf, TensorSpec):
        return TensorSpec(TensorShape([count]) + leaf.shape, leaf.dtype)
    return leaf._of_rows(count)  # type: ignore[attr-defined]  # a composite spec


def batcher(layout: Layout) -> Callable[[Sequence[Element]], Element]:
    """What makes one element of several."""
    return _stack_all if layout.plain else lambda elements: _batch(layout, elements)


def _stack_all(elements: Sequence[Element]) -> Element:
    return tuple([stack_component(column, i) for i, column in enumerate(zip(*elements, strict=True))])


def _batch(layout: Layout, elements: Sequence[Element]) -> Element:
    columns = zip(*elements, strict=True)
    found: list[Any] = []
    for leaf in layout.leaves:
        mine = [next(columns) for _ in leaf.flatten()]
        found += [stack_component(mine[0], len(found))] if isinstance(leaf, TensorSpec) else _join_rows(leaf, list(zip(*mine, strict=True)))
    return tuple(found)


def _join_rows(leaf: Any, rows: Sequence[Element]) -> list[Any]:
    """The components of sparse or ragged tensors put together."""
    with enter_context(Context(None, ())):
        values = [leaf.from_tensors(iter([wrap(part) for part in row])) for row in rows]
        parts = zip(*(leaf._row_parts(value) for value in values), strict=True)
        whole = leaf._from_rows([concat([convert_to_tensor(p) for p in part], 0) for part in parts])
        return [tensor.value for tensor in leaf._of_rows(None).to_tensors(whole)]


def batch_elements(
    source: Source, sizes: int | Sequence[int], drops: bool, batch: Callable[[Sequence[Element]], Element], nothing: Element | None = None
) -> Source:
    """`batch` of as many elements as the sizes say, in turn; of the last ones, where they are fewer, unless that is dropped.

    nothing: the batch of no elements, where sizes may be 0.
    """
    turns = [sizes] if isinstance(sizes, int) else list(sizes)
    if not any(turns) or min(turns) < (nothing is None):
        raise InvalidArgumentError(None, None, "Batch size must be greater than zero.")
    rounds, rest = divmod(source.size, sum(turns))
    ends = list(itertools.accumulate(turns))
    last = bisect_right(ends, rest) if drops else bisect_left([0, *ends], rest)
    number = min(source.size, UNKNOWN) if source.size < 0 or 0 in turns else rounds * len(turns) + last

    def elements(run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        for size in itertools.cycle(turns):
            some = list(itertools.islice(coming, size))
            if len(some) < size and (drops or not some):
                return
            yield batch(some) if some or nothing is None else nothing
            if len(some) < size:
                return

    return Source(elements, number, source)
