"""Whole Jacobians: `jacobian`, `batch_jacobian`, `hessian`, `hessian_diagonal`, for functions, tapes and graphs.

The rows of the unit matrix are pulled back, or its columns pushed forward, all in one vectorized pass; `jacobian_plan.py` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack, overload

from ..base import nest
from ..base.dtypes import int32
from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..base.progress import over
from ..base.shapes import num_elements
from ..control.vectorize import apply_rows, trace_rows
from ..ir.apply import convert_to_tensor
from ..ir.tensor import EagerTensor, Gradient, Tensor, TensorType
from ..ir.tracebacks import trims_errors
from ..ops.array.basic import broadcast_to, reshape, shape_of, zeros_of
from ..ops.array.create import zeros
from ..ops.array.join import concat
from ..ops.array.transpose import transpose
from ..ops.reduce.reductions import reduce_prod, reduce_sum
from ..ops.search.composed import eye
from ..transforms.sparse import densify
from .batch_probe import check_rows
from .derivatives import gradient_way
from .jacobian_plan import JacobianPlan, at_once, plan
from .linearization import Linearization, dense, linearization, option_of
from .row_structure import before_product, rows_apart
from .unconnected import UnconnectedGradients

if TYPE_CHECKING:
    from .source_types import DiagonalOptions, HessianOptions, JacobianOptions, Key, Part, Point, PointList, Record, Target

Block = Any


@overload
def jacobian(target: Target[Tensor], sources: Point, **options: Unpack[JacobianOptions]) -> Gradient: ...
@overload
def jacobian(target: Target[Record], sources: Record, **options: Unpack[JacobianOptions]) -> Record: ...
@overload
def jacobian(
    target: Target[tuple[Tensor, ...]], sources: tuple[Point, ...], **options: Unpack[JacobianOptions]
) -> tuple[Gradient, ...]: ...
@overload
def jacobian(target: Target[list[Tensor]], sources: PointList, **options: Unpack[JacobianOptions]) -> list[Gradient]: ...
@overload
def jacobian(
    target: Target[dict[Key, Tensor]], sources: Mapping[Key, Point], **options: Unpack[JacobianOptions]
) -> dict[Key, Gradient]: ...
@overload
def jacobian(
    target: Callable[..., Tensor] | Tensor, sources: Sequence[Part] | Mapping[Any, Part], **options: Unpack[JacobianOptions]
) -> Any: ...
@overload
def jacobian(
    target: Callable[..., Sequence[Any] | Mapping[Any, Any]] | Sequence[Any] | Mapping[Any, Any],
    sources: Any,
    **options: Unpack[JacobianOptions],
) -> Any: ...
@export(ours="jacobian")
@trims_errors
def jacobian(
    target: Any, sources: Any, *, mode: str | None = None, tape: Any = None, chunk: int | None = None, unconnected_gradients: Any = None
) -> Any:
    """The derivative of every element of the target with respect to every element of each source.

    target: a function of `sources` (or of no arguments, reading variables among them), tensors of a graph, or tensors that `tape`
    recorded.  sources: a tensor, variable or number, or a structure of them.  mode: "reverse", "forward" or "mixed"; the cheapest when
    None (`jacobian_plan` tells which).  chunk: how many directions to carry at once; when None all, or a part where that takes seconds.
    Returns blocks of shape `target.shape + source.shape`: for each target a structure like `sources`.
    Raises ValueError where the target does not depend on a source (unless `unconnected_gradients` is 'none' or 'zero'), TypeError for
    integer sources.  Complex numbers follow TensorFlow: each row is the gradient of one element.

    >>> import pullback as tf
    >>> tf.jacobian(lambda x: tf.stack([x[0] * x[1], x[1]]), tf.constant([2.0, 3.0])).numpy()
    array([[3., 2.],
           [0., 1.]], dtype=float32)
    """
    option = option_of(unconnected_gradients)
    way = linearization(target, sources, tape)
    way.check_connected(option)
    with way.place():
        blocks = jacobian_blocks(way, mode, chunk)
        return _arranged(way, blocks, option)


@export(ours="jacobian_plan")
@trims_errors
def jacobian_plan(target: Any, sources: Any, *, mode: str | None = None) -> JacobianPlan:
    """How `jacobian` would compute the same: which mode, how many directions, and what each mode would cost.

    >>> import pullback as tf
    >>> tf.jacobian_plan(lambda x: tf.reduce_sum(tf.sin(x)), tf.zeros([1000])).mode
    'reverse'
    >>> tf.jacobian_plan(lambda t: tf.sin(t * tf.ones([1000])), tf.constant(1.0)).mode
    'forward'
    """
    return plan(linearization(target, sources), mode)


@overload
def batch_jacobian(target: Target[Tensor], sources: Point, **options: Unpack[JacobianOptions]) -> Gradient: ...
@overload
def batch_jacobian(target: Target[Record], sources: Record, **options: Unpack[JacobianOptions]) -> Record: ...
@overload
def batch_jacobian(
    target: Target[tuple[Tensor, ...]], sources: tuple[Point, ...], **options: Unpack[JacobianOptions]
) -> tuple[Gradient, ...]: ...
@overload
def batch_jacobian(target: Target[list[Tensor]], sources: PointList, **options: Unpack[JacobianOptions]) -> list[Gradient]: ...
@overload
def batch_jacobian(
    target: Target[dict[Key, Tensor]], sources: Mapping[Key, Point], **options: Unpack[JacobianOptions]
) -> dict[Key, Gradient]: ...
@overload
def batch_jacobian(
    target: Callable[..., Tensor] | Tensor, sources: Sequence[Part] | Mapping[Any, Part], **options: Unpack[JacobianOptions]
) -> Any: ...
@overload
def batch_jacobian(
    target: Callable[..., Sequence[Any] | Mapping[Any, Any]] | Sequence[Any] | Mapping[Any, Any],
    sources: Any,
    **options: Unpack[JacobianOptions],
) -> Any: ...
@export(ours="batch_jacobian")
@trims_errors
def batch_jacobian(
    target: Any, sources: Any, *, mode: str | None = None, tape: Any = None, chunk: int | None = None, unconnected_gradients: Any = None
) -> Any:
    """The Jacobian of each row: row b of the target with respect to row b of each source, where rows do not depend on one another.

    Arguments as for `jacobian`; all targets and sources have one leading size.  Returns blocks of shape `[b, target..., source...]`.
    Raises ValueError where leading sizes differ; InvalidArgumentError where a row depends on another (as with batch normalisation;
    `jacobian` has those derivatives), found out by one more pass where the operations between do not promise it.

    >>> import pullback as tf
    >>> tf.batch_jacobian(lambda x: x * x, tf.constant([[1.0, 2.0], [3.0, 4.0]])).numpy().tolist()
    [[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]]
    """
    option = option_of(unconnected_gradients)
    way = linearization(target, sources, tape)
    way.check_connected(option)
    with way.place():
        return _arranged(way, batch_blocks(way, mode, chunk), option, batch=True)


@overload
def hessian(target: Target[Tensor], sources: Point, **options: Unpack[HessianOptions]) -> Tensor: ...
@overload
def hessian(target: Target[Record], sources: Record, **options: Unpack[HessianOptions]) -> Any: ...
@overload
def hessian(
    target: Target[tuple[Tensor, ...]], sources: tuple[Point, ...], **options: Unpack[HessianOptions]
) -> tuple[tuple[Tensor, ...], ...]: ...
@overload
def hessian(target: Target[list[Tensor]], sources: PointList, **options: Unpack[HessianOptions]) -> list[list[Tensor]]: ...
@overload
def hessian(
    target: Target[dict[Key, Tensor]], sources: Mapping[Key, Point], **options: Unpack[HessianOptions]
) -> dict[Key, dict[Key, Tensor]]: ...
@overload
def hessian(
    target: Callable[..., Tensor] | Tensor, sources: Sequence[Part] | Mapping[Any, Part], **options: Unpack[HessianOptions]
) -> Any: ...
@export(ours="hessian")
@trims_errors
def hessian(target: Any, sources: Any, *, mode: str | None = None, chunk: int | None = None, unconnected_gradients: Any = None) -> Any:
    """The second derivatives of a scalar: for each source a structure like `sources` of blocks of shape `source.shape + other.shape`.

    target: a function of `sources`, or a scalar of a graph.  mode: how the gradient is differentiated, as for `jacobian`.
    Raises ValueError where the target is no scalar or does not depend on a source (unless `unconnected_gradients` is 'none' or 'zero').

    >>> import pullback as tf
    >>> tf.hessian(lambda x: x[0] * x[0] * x[1], tf.constant([1.0, 2.0])).numpy()
    array([[4., 2.],
           [2., 0.]], dtype=float32)
    """
    way = gradient_way(target, sources, "hessian", unconnected_gradients)
    with way.place():
        blocks = jacobian_blocks(way, mode, chunk)
        rows = [[dense(b, _Of(y, x)) for b, x in zip(row, way.flat_sources, strict=True)] for row, y in zip(blocks, way.ys, strict=True)]
        return nest.pack_sequence_as(way.sources, [nest.pack_sequence_as(way.sources, row) for row in rows])


@overload
def hessian_diagonal(target: Target[Tensor], sources: Point, **options: Unpack[DiagonalOptions]) -> Gradient: ...
@overload
def hessian_diagonal(target: Target[Record], sources: Record, **options: Unpack[DiagonalOptions]) -> Record: ...
@overload
def hessian_diagonal(
    target: Target[tuple[Tensor, ...]], sources: tuple[Point, ...], **options: Unpack[DiagonalOptions]
) -> tuple[Gradient, ...]: ...
@overload
def hessian_diagonal(target: Target[list[Tensor]], sources: PointList, **options: Unpack[DiagonalOptions]) -> list[Gradient]: ...
@overload
def hessian_diagonal(
    target: Target[dict[Key, Tensor]], sources: Mapping[Key, Point], **options: Unpack[DiagonalOptions]
) -> dict[Key, Gradient]: ...
@overload
def hessian_diagonal(
    target: Callable[..., Tensor] | Tensor, sources: Sequence[Part] | Mapping[Any, Part], **options: Unpack[DiagonalOptions]
) -> Any: ...
@export(ours="hessian_diagonal")
@trims_errors
def hessian_diagonal(target: Any, sources: Any, *, chunk: int | None = None, unconnected_gradients: Any = None) -> Any:
    """The second derivative of a scalar by each element of each source twice, of the structure and shapes of `sources`.

    The whole Hessian is never held: each direction is pushed through the gradient and only its own element kept, `chunk` directions at
    a time.  For a Hessian with few entries, `sparse_hessian` needs far fewer.  Errors as for `hessian`.

    >>> import pullback as tf
    >>> tf.hessian_diagonal(lambda x: tf.reduce_sum(x * x * x) + x[0] * x[1], tf.constant([1.0, 2.0])).numpy()
    array([ 6., 12.], dtype=float32)
    """
    way = gradient_way(target, sources, "hessian_diagonal", unconnected_gradients)
    found = []
    with way.place():
        for j, source in enumerate(way.flat_sources):

            def own(direction: Any, j: int = j) -> list[Any]:
                tangents: list[Any] = [None] * len(way.xs)
                tangents[j] = direction
                t = way.push(tangents)[j]
                return [None if t is None else reduce_sum(t * direction)]

            (diagonal,) = _rows(own, _units(source), at_once(way, chunk, _length(source), forwards=True))
            found.append(zeros_of(source) if diagonal is None else reshape(diagonal, shape_of(_value(source))))
    return nest.pack_sequence_as(way.sources, found)


# ---- blocks


def jacobian_blocks(way: Linearization, mode: str | None = None, chunk: int | None = None) -> list[list[Block]]:
    """The block of each y (outer list) and each x, of shape `y.shape + x.shape`; None where nothing connects them."""
    chosen = plan(way, mode)
    if chosen.mode == "mixed":
        return _mixed(way, chosen.cut, chunk)
    if chosen.mode == "reverse":
        return [_pulled(way, i, chunk) for i in range(len(way.ys))]
    columns = [_pushed(way, j, chunk) for j in range(len(way.xs))]
    return [[column[i] for column in columns] for i in range(len(way.ys))]


def _pulling(way: Linearization, i: int) -> Callable[[Any], list[Any]]:
    """From a cotangent of the y number i to those of the xs, dense."""

    def row(g: Any) -> list[Any]:
        seeds: list[Any] = [None] * len(way.ys)
        seeds[i] = g
        return [None if gx is None else densify(gx) for gx in way.pull(seeds)]

    return row


def _pulled(way: Linearization, i: int, chunk: int | None) -> list[Block]:
    y = _value(way.flat_targets[i])
    if not y.dtype.trainable:
        return [None] * len(way.xs)

    found = _rows(_pulling(way, i), _units(y), at_once(way, chunk, _length(y)))
    return [None if b is None else _shaped(b, y, s) for b, s in zip(found, way.flat_sources, strict=True)]


def _pushed(way: Linearization, j: int, chunk: int | None) -> list[Block]:
    source = way.flat_sources[j]

    def column(direction: Any) -> list[Any]:
        tangents: list[Any] = [None] * len(way.xs)
        tangents[j] = direction
        return way.push(tangents)

    found = _rows(column, _units(source), at_once(way, chunk, _length(source), forwards=True))
    return [None if b is None else _shaped(_turned(b, _length(source)), y, source) for b, y in zip(found, way.ys, strict=True)]


def pulled_rows(way: Linearization, chunk: int | None = None) -> list[Block]:
    """The blocks of the first y, pulled back whatever it costs: what a tape gives."""
    return _pulled(way, 0, chunk)


def batch_pulled_rows(way: Linearization, chunk: int | None = None) -> Block:
    """The batch Jacobian of the first y by the first x, pulled back, its rows known to be independent; None where nothing connects."""
    blocks = [_batch_pulled(way, 0, chunk)]
    size = None if way.ys[0].dims is None else way.ys[0].dims[0]
    return (blocks if _apart(way, size) else check_rows(way, blocks))[0][0]


def _mixed(way: Linearization, cut: Any, chunk: int | None) -> list[list[Block]]:
    """Forwards from a narrow place to the targets, backwards from there to the sources, and the product of the two."""
    behind = Linearization(way.nodes, way.sources, way.xs, cut, [cut])
    ahead = Linearization(way.nodes, cut, [cut], way.target, way.ys)
    (first,) = [_pulled(behind, 0, chunk)]
    second = _pushed(ahead, 0, chunk)
    size = num_elements(cut.dims)
    blocks: list[list[Block]] = []
    for y, b in zip(way.ys, second, strict=True):
        blocks.append(
            [
                None if a is None or b is None else _shaped(reshape(b, [-1, size]) @ reshape(a, [size, -1]), y, s)
                for a, s in zip(first, way.flat_sources, strict=True)
            ]
        )
    return blocks


def batch_blocks(way: Linearization, mode: str | None = None, chunk: int | None = None, probe: bool = True) -> list[list[Block]]:
    """The block of each y and each x, of shape `[b, y..., x...]`; None where nothing connects them."""
    size = _common_size(way)
    chosen = plan(way, mode, rows=size or 1) if size != 0 else plan(way, "reverse")
    if chosen.mode == "mixed":
        raise ValueError("mode='mixed' is not there for batch_jacobian: 'reverse', 'forward' or None")
    if chosen.mode == "reverse":
        blocks = [_batch_pulled(way, i, chunk) for i in range(len(way.ys))]
    else:
        columns = [_batch_pushed(way, j, chunk) for j in range(len(way.xs))]
        blocks = [[column[i] for column in columns] for i in range(len(way.ys))]
    return check_rows(way, blocks) if probe and not _apart(way, size) else blocks


def _apart(way: Linearization, size: int | None) -> bool:
    return size is not None and (size < 2 or rows_apart(way, size))


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


def _batch_pulled(way: Linearization, i: int, chunk: int | None) -> list[Block]:
    y = _value(way.flat_targets[i])
    if not y.dtype.trainable:
        return [None] * len(way.xs)

    product = before_product(way, y)
    if product is None:
        found = _rows(_pulling(way, i), _units_of_rows(y), chunk)
    else:
        h, seeds = product
        behind = Linearization(way.nodes, way.sources, way.xs, h, [h])
        found = _rows(lambda g: [None if gx is None else densify(gx) for gx in behind.pull([g])], seeds, chunk)
    return [None if b is None else _batch_shaped(_first_two_swapped(b), y, s) for b, s in zip(found, way.flat_sources, strict=True)]


def _batch_pushed(way: Linearization, j: int, chunk: int | None) -> list[Block]:
    source = way.flat_sources[j]

    def column(direction: Any) -> list[Any]:
        tangents: list[Any] = [None] * len(way.xs)
        tangents[j] = direction
        return way.push(tangents)

    found = _rows(column, _units_of_rows(source), chunk)
    return [None if b is None else _batch_shaped(_first_to_last(b), y, source) for b, y in zip(found, way.ys, strict=True)]


# ---- rows


def _rows(f: Callable[..., list[Any]], stacked: Any, chunk: int | None = None) -> list[Any]:
    """`f` of every row of `stacked`, in one vectorized pass or in several of `chunk` rows."""
    return carried(f, [stacked], chunk)


def carried(f: Callable[..., list[Any]], stacked: Sequence[Any], chunk: int | None = None) -> list[Any]:
    """`f` of every row of several stacked tensors, in one vectorized pass or in several of `chunk` rows; None where it gives None."""
    kinds = [TensorType(None if t.dims is None else t.dims[1:], t.dtype) for t in stacked]
    traced = trace_rows(f, kinds, "jacobian")
    size = None if stacked[0].dims is None else stacked[0].dims[0]
    if size == 0:
        flat = [None if t is None else zeros([0, *_known(t)], t.dtype) for t in nest.flatten(traced.returned)]
        return nest.pack_sequence_as(traced.returned, flat)
    if chunk is not None and chunk < 1:
        raise ValueError(f"chunk must be at least 1, got {chunk}")
    if size is None or chunk is None or size <= chunk:
        count = size if size is not None else shape_of(stacked[0])[0]
        return apply_rows(traced, stacked, count)
    starts = over(range(0, size, chunk), f"{size} directions", f"times {chunk}")
    parts = [apply_rows(traced, [t[at : at + chunk] for t in stacked], min(chunk, size - at)) for at in starts]
    return [None if column[0] is None else concat(list(column), 0) for column in zip(*parts, strict=True)]


def _known(t: Any) -> Sequence[int]:
    if t.dims is None or None in t.dims:
        raise InvalidArgumentError(None, None, "the Jacobian of an empty tensor needs sources of known shape")
    return t.dims


def _units(t: Any) -> Any:
    """The unit vectors of a tensor's space, stacked: `[size, *t.shape]`."""
    t = _value(t)
    dtype = t.dtype.base_dtype
    if t.dims is not None and None not in t.dims:
        size = num_elements(t.dims)
        return reshape(eye(size, dtype=dtype), [size, *t.dims])
    shape = shape_of(t)
    count = reduce_prod(shape)
    return _told(reshape(eye(count, dtype=dtype), concat([[count], shape], 0)), (None, *t.dims) if t.dims is not None else None)


def _units_of_rows(t: Any) -> Any:
    """The unit vectors of a row, each repeated for all rows: `[size of a row, *t.shape]`."""
    t = _value(t)
    dtype = t.dtype.base_dtype
    if t.dims is not None and None not in t.dims:
        size = num_elements(t.dims[1:])
        return broadcast_to(reshape(eye(size, dtype=dtype), [size, 1, *t.dims[1:]]), [size, *t.dims])
    shape = convert_to_tensor(shape_of(t), int32)
    count = reduce_prod(shape[1:])
    units = reshape(eye(count, dtype=dtype), concat([[count, 1], shape[1:]], 0))
    return _told(broadcast_to(units, concat([[count], shape], 0)), (None, *t.dims) if t.dims is not None else None)


def _told(t: Any, dims: Any) -> Any:
    if dims is not None and not isinstance(t, EagerTensor):
        t.set_shape(dims)
    return t


def _value(source: Any) -> Any:
    return convert_to_tensor(source) if hasattr(source, "handle") else source


def _length(t: Any) -> Any:
    t = _value(t)
    if t.dims is not None and None not in t.dims:
        return num_elements(t.dims)
    return reduce_prod(shape_of(t))


class _Of:
    """The type of a block: what `zeros_of` and `dense` ask."""

    def __init__(self, y: Any, x: Any) -> None:
        self.dims = (*y.dims, *x.dims)
        self.dtype = x.dtype.base_dtype


def _shaped(block: Any, y: Any, source: Any) -> Any:
    """A block with the axes of y, then those of the source."""
    x = _value(source)
    if y.dims is not None and x.dims is not None and None not in (*y.dims, *x.dims):
        return reshape(block, [*y.dims, *x.dims])
    shape = concat([convert_to_tensor(shape_of(y), int32), convert_to_tensor(shape_of(x), int32)], 0)
    return _told(reshape(block, shape), (*y.dims, *x.dims) if y.dims is not None and x.dims is not None else None)


def _batch_shaped(block: Any, y: Any, source: Any) -> Any:
    x = _value(source)
    if y.dims is not None and x.dims is not None and None not in (*y.dims, *x.dims):
        return reshape(block, [*y.dims, *x.dims[1:]])
    shape = concat([convert_to_tensor(shape_of(y), int32), convert_to_tensor(shape_of(x), int32)[1:]], 0)
    return _told(reshape(block, shape), (*y.dims, *x.dims[1:]) if y.dims is not None and x.dims is not None else None)


def _turned(columns: Any, count: Any) -> Any:
    """`[n, ...]` as `[..., n]`, the rest flat."""
    return transpose(reshape(columns, [count, -1] if not isinstance(count, int) or count else [0, _flat_size(columns)]))


def _flat_size(t: Any) -> int:
    return num_elements(t.dims[1:]) or 0


def _first_two_swapped(t: Any) -> Any:
    return transpose(t, [1, 0, *range(2, len(t.dims))])


def _first_to_last(t: Any) -> Any:
    return transpose(t, [*range(1, len(t.dims)), 0])


def _arranged(way: Linearization, blocks: list[list[Block]], option: UnconnectedGradients | None, batch: bool = False) -> Any:
    rows = []
    for y, row in zip(way.ys, blocks, strict=True):
        if option is not UnconnectedGradients.NONE:
            row = [zeros_block(y, s, batch) if b is None else b for b, s in zip(row, way.flat_sources, strict=True)]
        rows.append(nest.pack_sequence_as(way.sources, row))
    return nest.pack_sequence_as(way.target, rows)


def zeros_block(y: Any, source: Any, batch: bool = False) -> Any:
    """Zeros for a block that nothing connects."""
    x = _value(source)
    mine, theirs = convert_to_tensor(shape_of(_value(y)), int32), convert_to_tensor(shape_of(x), int32)
    return zeros(concat([mine, theirs[1:] if batch else theirs], 0), x.dtype.base_dtype)


__all__ = [
    "batch_blocks",
    "batch_jacobian",
    "batch_pulled_rows",
    "carried",
    "hessian",
    "hessian_diagonal",
    "jacobian",
    "jacobian_blocks",
    "jacobian_plan",
    "pulled_rows",
    "zeros_block",
]
