"""The blocks of Jacobians, one for each target and source: rows of the unit matrix pulled back, or its columns pushed forward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..base import nest
from ..base.dtypes import int32
from ..base.errors import InvalidArgumentError
from ..base.lazy_import import LazyModule
from ..base.progress import show_progress
from ..base.shapes import num_elements
from ..control.vectorize import apply_rows, trace_rows
from ..ir.apply import convert_to_tensor
from ..ir.context import current, drop_recorders, enter_context, watchers
from ..ir.tensor import EagerTensor, Tensor, TensorType
from ..ops.array.basic import broadcast_to, ones_of, reshape, shape_of
from ..ops.array.create import zeros
from ..ops.array.join import concat
from ..ops.array.transpose import transpose
from ..ops.reduce.reductions import reduce_prod
from ..transforms.sparse import densify
from .linearization import Linearization
from .row_structure import find_product, keeps_rows_apart

if TYPE_CHECKING:
    from ..ops.array import eye as unit
    from . import batch_probe, jacobian_plan
else:
    unit, jacobian_plan = LazyModule("pullback.ops.array.eye"), LazyModule("pullback.api.jacobian_plan")
    batch_probe = LazyModule("pullback.api.batch_probe")

Block = Any


def jacobian_blocks(way: Linearization, mode: str | None = None, chunk: int | None = None) -> list[list[Block]]:
    """The block of each y (outer list) and each x, of shape `y.shape + x.shape`; None where nothing connects them."""
    chosen = jacobian_plan.plan(way, mode)
    if chosen.mode == "mixed":
        return _mix_modes(way, chosen.cut, chunk)
    if chosen.mode == "reverse":
        return [_pull_rows(way, i, chunk) for i in range(len(way.ys))]
    columns = [_push_columns(way, j, chunk) for j in range(len(way.xs))]
    return [[column[i] for column in columns] for i in range(len(way.ys))]


def _make_pullback(way: Linearization, i: int) -> Callable[[Any], list[Any]]:
    """From a cotangent of the y number i to those of the xs, dense."""

    def row(g: Any) -> list[Any]:
        seeds: list[Any] = [None] * len(way.ys)
        seeds[i] = g
        return [None if gx is None else densify(gx) for gx in way.pull(seeds)]

    return row


def _pull_rows(way: Linearization, i: int, chunk: int | None) -> list[Block]:
    y = value_of(way.flat_targets[i])
    if not y.dtype.trainable:
        return [None] * len(way.xs)

    found = _show_sweep(way, i, lambda: map_units(way, _make_pullback(way, i), unit_directions(y), chunk))
    return [None if b is None else _shape_block(b, y, s) for b, s in zip(found, way.flat_sources, strict=True)]


def _show_sweep(way: Linearization, i: int, rows: Callable[[], list[Any]]) -> list[Any]:
    """What `rows` gives of the y number i, shown as one sweep to those who watch eager sweeps."""
    watching = watchers() if current().graph is None else []
    if not watching:
        return rows()
    with enter_context(drop_recorders(watching)):
        found = rows()
        seeds = [ones_of(y) if k == i else None for k, y in enumerate(way.ys)]
        for watcher in watching:
            watcher.note_sweep(way.nodes, way.ys, seeds, way.xs, way.active, found)
    return found


def _push_columns(way: Linearization, j: int, chunk: int | None) -> list[Block]:
    source = way.flat_sources[j]

    def column(direction: Any) -> list[Any]:
        tangents: list[Any] = [None] * len(way.xs)
        tangents[j] = direction
        return way.push(tangents)

    found = map_units(way, column, unit_directions(source), chunk, forwards=True)
    return [None if b is None else _shape_block(_columns_last(b, length_of(source)), y, source) for b, y in zip(found, way.ys, strict=True)]


def pull_blocks(way: Linearization, chunk: int | None = None) -> list[Block]:
    """The blocks of the first y, pulled back whatever it costs: what a tape gives."""
    return _pull_rows(way, 0, chunk)


def pull_batch_rows(way: Linearization, chunk: int | None = None) -> Block:
    """The batch Jacobian of the first y by the first x, pulled back, with a warning where rows meet; None where nothing connects."""
    blocks = [_pull_batch(way, 0, chunk)]
    size = None if way.ys[0].dims is None else way.ys[0].dims[0]
    return (blocks if _has_separate_rows(way, size) else batch_probe.check_rows(way, blocks, refuse=False))[0][0]


def _mix_modes(way: Linearization, cut: Any, chunk: int | None) -> list[list[Block]]:
    """Forwards from a narrow place to the targets, backwards from there to the sources, and the product of the two."""
    behind = Linearization(way.nodes, way.sources, way.xs, cut, [cut])
    ahead = Linearization(way.nodes, cut, [cut], way.target, way.ys)
    (first,) = [_pull_rows(behind, 0, chunk)]
    second = _push_columns(ahead, 0, chunk)
    size = num_elements(cut.dims)
    blocks: list[list[Block]] = []
    for y, b in zip(way.ys, second, strict=True):
        blocks.append(
            [
                None if a is None or b is None else _shape_block(reshape(b, [-1, size]) @ reshape(a, [size, -1]), y, s)
                for a, s in zip(first, way.flat_sources, strict=True)
            ]
        )
    return blocks


def batch_blocks(way: Linearization, mode: str | None = None, chunk: int | None = None, probe: bool = True) -> list[list[Block]]:
    """The block of each y and each x, of shape `[b, y..., x...]`; None where nothing connects them."""
    size = _common_size(way)
    chosen = jacobian_plan.plan(way, mode, rows=size or 1) if size != 0 else jacobian_plan.plan(way, "reverse")
    if chosen.mode == "mixed":
        raise ValueError("mode='mixed' is not there for batch_jacobian: 'reverse', 'forward' or None")
    if chosen.mode == "reverse":
        blocks = [_pull_batch(way, i, chunk) for i in range(len(way.ys))]
    else:
        columns = [_push_batch(way, j, chunk) for j in range(len(way.xs))]
        blocks = [[column[i] for column in columns] for i in range(len(way.ys))]
    return batch_probe.check_rows(way, blocks) if probe and not _has_separate_rows(way, size) else blocks


def _has_separate_rows(way: Linearization, size: int | None) -> bool:
    return size is not None and (size < 2 or keeps_rows_apart(way, size))


def _common_size(way: Linearization) -> int | None:
    for t, kind in (*((y, "target") for y in way.ys), *((s, "source") for s in way.flat_sources)):
        if t.dims is not None and len(t.dims) == 0:
            raise ValueError(f"a {kind} of batch_jacobian is a scalar and has no rows; jacobian takes any shape")
    sizes = {t.dims[0] for t in (*way.ys, *way.flat_sources) if t.dims is not None and t.dims[0] is not None}
    if len(sizes) > 1:
        raise ValueError(
            f"Need first dimension of target shape ({way.ys[0].shape}) and source shape ({way.flat_sources[0].shape}) to match."
        )
    return sizes.pop() if sizes else None


def _pull_batch(way: Linearization, i: int, chunk: int | None) -> list[Block]:
    y = value_of(way.flat_targets[i])
    if not y.dtype.trainable:
        return [None] * len(way.xs)

    product = find_product(way, y)
    if product is None:
        found = map_units(way, _make_pullback(way, i), _units_of_rows(y), chunk)
    else:
        h, seeds = product
        behind = Linearization(way.nodes, way.sources, way.xs, h, [h])
        found = map_units(behind, lambda g: [None if gx is None else densify(gx) for gx in behind.pull([g])], seeds, chunk)
    return [None if b is None else _shape_batch(_swap_first_two(b), y, s) for b, s in zip(found, way.flat_sources, strict=True)]


def _push_batch(way: Linearization, j: int, chunk: int | None) -> list[Block]:
    source = way.flat_sources[j]

    def column(direction: Any) -> list[Any]:
        tangents: list[Any] = [None] * len(way.xs)
        tangents[j] = direction
        return way.push(tangents)

    found = map_units(way, column, _units_of_rows(source), chunk, forwards=True)
    return [None if b is None else _shape_batch(_move_first_to_last(b), y, source) for b, y in zip(found, way.ys, strict=True)]


# ---- rows


def map_units(way: Linearization, f: Callable[..., list[Any]], units: Tensor, chunk: int | None, forwards: bool = False) -> list[Any]:
    """`f` of some directions, which it carries along `way`: `chunk` at a time, all at once, or in parts where that takes seconds."""
    if current().graph is None:  # what is traced goes in one part
        chunk = jacobian_plan.choose_chunk(way, chunk, None if units.dims is None else units.dims[0], forwards)
    return map_rows(f, [units], chunk)


def map_rows(f: Callable[..., list[Any]], stacked: Sequence[Any], chunk: int | None) -> list[Any]:
    """`f` of every row of several stacked tensors, in one vectorized pass or in several of `chunk` rows; None where it gives None."""
    kinds = [TensorType(None if t.dims is None else t.dims[1:], t.dtype) for t in stacked]
    traced = trace_rows(f, kinds, "jacobian")
    size = None if stacked[0].dims is None else stacked[0].dims[0]
    if size == 0:
        flat = [None if t is None else zeros([0, *_known_dims(t)], t.dtype) for t in nest.flatten(traced.returned)]
        return nest.pack_sequence_as(traced.returned, flat)
    if chunk is not None and chunk < 1:
        raise ValueError(f"chunk must be at least 1, got {chunk}")
    if size is None or chunk is None or size <= chunk:
        count = size if size is not None else shape_of(stacked[0])[0]
        return apply_rows(traced, stacked, count)
    starts = show_progress(range(0, size, chunk), f"{size} directions", f"times {chunk}")
    parts = [apply_rows(traced, [t[at : at + chunk] for t in stacked], min(chunk, size - at)) for at in starts]
    return [None if column[0] is None else concat(list(column), 0) for column in zip(*parts, strict=True)]


def _known_dims(t: Any) -> Sequence[int]:
    if t.dims is None or None in t.dims:
        raise InvalidArgumentError(None, None, "the Jacobian of an empty tensor needs sources of known shape")
    return t.dims


def unit_directions(t: Any) -> Tensor:
    """The unit vectors of a tensor's space, stacked: `[size, *t.shape]`."""
    t = value_of(t)
    dtype = t.dtype.base_dtype
    if t.dims is not None and None not in t.dims:
        size = num_elements(t.dims)
        return reshape(unit.eye(size, dtype=dtype), [size, *t.dims])
    shape = shape_of(t)
    count = reduce_prod(shape)
    units = reshape(unit.eye(count, dtype=dtype), concat([[count], shape], 0))
    return _set_known_shape(units, (None, *t.dims) if t.dims is not None else None)


def _units_of_rows(t: Any) -> Any:
    """The unit vectors of a row, each repeated for all rows: `[size of a row, *t.shape]`."""
    t = value_of(t)
    dtype = t.dtype.base_dtype
    if t.dims is not None and None not in t.dims:
        size = num_elements(t.dims[1:])
        return broadcast_to(reshape(unit.eye(size, dtype=dtype), [size, 1, *t.dims[1:]]), [size, *t.dims])
    shape = convert_to_tensor(shape_of(t), int32)
    count = reduce_prod(shape[1:])
    units = reshape(unit.eye(count, dtype=dtype), concat([[count, 1], shape[1:]], 0))
    return _set_known_shape(broadcast_to(units, concat([[count], shape], 0)), (None, *t.dims) if t.dims is not None else None)


def _set_known_shape(t: Any, dims: Any) -> Any:
    if dims is not None and not isinstance(t, EagerTensor):
        t.set_shape(dims)
    return t


def value_of(source: object) -> Any:
    """A variable's value; a tensor itself."""
    return convert_to_tensor(source) if hasattr(source, "handle") else source


def length_of(t: Any) -> Any:
    """How many elements a tensor or variable has: an int where that is known, else a tensor."""
    t = value_of(t)
    if t.dims is not None and None not in t.dims:
        return num_elements(t.dims)
    return reduce_prod(shape_of(t))


class BlockType:
    """The type of a block: what `zeros_of` and `dense` ask."""

    def __init__(self, y: Any, x: Any) -> None:
        self.dims = (*y.dims, *x.dims)
        self.dtype = x.dtype.base_dtype


def _shape_block(block: Any, y: Any, source: Any) -> Any:
    """A block with the axes of y, then those of the source."""
    x = value_of(source)
    if y.dims is not None and x.dims is not None and None not in (*y.dims, *x.dims):
        return reshape(block, [*y.dims, *x.dims])
    shape = concat([convert_to_tensor(shape_of(y), int32), convert_to_tensor(shape_of(x), int32)], 0)
    return _set_known_shape(reshape(block, shape), (*y.dims, *x.dims) if y.dims is not None and x.dims is not None else None)


def _shape_batch(block: Any, y: Any, source: Any) -> Any:
    x = value_of(source)
    if y.dims is not None and x.dims is not None and None not in (*y.dims, *x.dims):
        return reshape(block, [*y.dims, *x.dims[1:]])
    shape = concat([convert_to_tensor(shape_of(y), int32), convert_to_tensor(shape_of(x), int32)[1:]], 0)
    return _set_known_shape(reshape(block, shape), (*y.dims, *x.dims[1:]) if y.dims is not None and x.dims is not None else None)


def _columns_last(columns: Any, count: Any) -> Any:
    """`[n, ...]` as `[..., n]`, the rest flat."""
    return transpose(reshape(columns, [count, -1] if not isinstance(count, int) or count else [0, _flat_size(columns)]))


def _flat_size(t: Any) -> int:
    return num_elements(t.dims[1:]) or 0


def _swap_first_two(t: Any) -> Any:
    return transpose(t, [1, 0, *range(2, len(t.dims))])


def _move_first_to_last(t: Any) -> Any:
    return transpose(t, [*range(1, len(t.dims)), 0])


def zeros_block(y: Any, source: Any, batch: bool = False) -> Tensor:
    """Zeros for a block that nothing connects."""
    x = value_of(source)
    mine, theirs = convert_to_tensor(shape_of(value_of(y)), int32), convert_to_tensor(shape_of(x), int32)
    return zeros(concat([mine, theirs[1:] if batch else theirs], 0), x.dtype.base_dtype)
