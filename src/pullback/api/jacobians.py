"""Whole Jacobians: `jacobian`, `batch_jacobian`, `hessian`, `hessian_diagonal`, for functions, tapes and graphs.

The rows of the unit matrix are pulled back, or its columns pushed forward, all in one vectorized pass; `jacobian_plan.py` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack, overload

from ..base import nest
from ..base.export import export
from ..ir.tensor import Gradient, Tensor
from ..ops.array.basic import reshape, shape_of, zeros_of
from ..ops.reduce.reductions import reduce_sum
from .derivatives import gradient_way
from .endpoints import UnconnectedGradients
from .jacobian_blocks import Block, BlockType, batch_blocks, jacobian_blocks, map_units, unit_directions, value_of, zeros_block
from .jacobian_plan import JacobianPlan, plan
from .linearization import Linearization, dense, linearization, option_of

if TYPE_CHECKING:
    from .source_types import (
        Asked,
        DiagonalOptions,
        HessianOptions,
        JacobianOptions,
        Key,
        Part,
        Point,
        PointList,
        Record,
        Target,
        Unconnected,
    )


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

    >>> tf.jacobian(lambda x: tf.stack([x[0] * x[1], x[1]]), tf.constant([2.0, 3.0])).numpy()
    array([[3., 2.],
           [0., 1.]], dtype=float32)
    """
    option = option_of(unconnected_gradients)
    way = linearization(target, sources, tape)
    way.check_connected(option)
    with way.place():
        blocks = jacobian_blocks(way, mode, chunk)
        return _arrange_blocks(way, blocks, option)


@export(ours="jacobian_plan")
def jacobian_plan(target: Asked, sources: Part, *, mode: str | None = None) -> JacobianPlan:
    """How `jacobian` would compute the same: which mode, how many directions, and what each mode would cost.

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
def batch_jacobian(
    target: Any, sources: Any, *, mode: str | None = None, tape: Any = None, chunk: int | None = None, unconnected_gradients: Any = None
) -> Any:
    """The Jacobian of each row: row b of the target with respect to row b of each source, where rows do not depend on one another.

    Arguments as for `jacobian`; all targets and sources have one leading size.  Returns blocks of shape `[b, target..., source...]`.
    Raises ValueError where leading sizes differ; InvalidArgumentError where a row depends on another (as with batch normalisation;
    `jacobian` has those derivatives), found out by one more pass where the operations between do not promise it.

    >>> tf.batch_jacobian(lambda x: x * x, tf.constant([[1.0, 2.0], [3.0, 4.0]])).numpy().tolist()
    [[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]]
    """
    option = option_of(unconnected_gradients)
    way = linearization(target, sources, tape)
    way.check_connected(option)
    with way.place():
        return _arrange_blocks(way, batch_blocks(way, mode, chunk), option, batch=True)


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
def hessian(
    target: object, sources: object, *, mode: str | None = None, chunk: int | None = None, unconnected_gradients: Unconnected | None = None
) -> Any:
    """The second derivatives of a scalar: for each source a structure like `sources` of blocks of shape `source.shape + other.shape`.

    target: a function of `sources`, or a scalar of a graph.  mode: how the gradient is differentiated, as for `jacobian`.
    Raises ValueError where the target is no scalar or does not depend on a source (unless `unconnected_gradients` is 'none' or 'zero').

    >>> tf.hessian(lambda x: x[0] * x[0] * x[1], tf.constant([1.0, 2.0])).numpy()
    array([[4., 2.],
           [2., 0.]], dtype=float32)
    """
    way = gradient_way(target, sources, "hessian", unconnected_gradients)
    with way.place():
        blocks = jacobian_blocks(way, mode, chunk)
        rows = [
            [dense(b, BlockType(y, x)) for b, x in zip(row, way.flat_sources, strict=True)] for row, y in zip(blocks, way.ys, strict=True)
        ]
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
def hessian_diagonal(target: object, sources: object, *, chunk: int | None = None, unconnected_gradients: Unconnected | None = None) -> Any:
    """The second derivative of a scalar by each element of each source twice, of the structure and shapes of `sources`.

    The whole Hessian is never held: each direction is pushed through the gradient and only its own element kept, `chunk` directions at
    a time.  For a Hessian with few entries, `sparse_hessian` needs far fewer.  Errors as for `hessian`.

    >>> tf.hessian_diagonal(lambda x: tf.reduce_sum(x * x * x) + x[0] * x[1], tf.constant([1.0, 2.0])).numpy()
    array([ 6., 12.], dtype=float32)
    """
    way = gradient_way(target, sources, "hessian_diagonal", unconnected_gradients)
    found = []
    with way.place():
        for j, source in enumerate(way.flat_sources):

            def push_own(direction: Any, j: int = j) -> list[Any]:
                tangents: list[Any] = [None] * len(way.xs)
                tangents[j] = direction
                t = way.push(tangents)[j]
                return [None if t is None else reduce_sum(t * direction)]

            (diagonal,) = map_units(way, push_own, unit_directions(source), chunk, forwards=True)
            found.append(zeros_of(source) if diagonal is None else reshape(diagonal, shape_of(value_of(source))))
    return nest.pack_sequence_as(way.sources, found)


def _arrange_blocks(way: Linearization, blocks: list[list[Block]], option: UnconnectedGradients | None, batch: bool = False) -> Any:
    rows = []
    for y, row in zip(way.ys, blocks, strict=True):
        if option is not UnconnectedGradients.NONE:
            row = [zeros_block(y, s, batch) if b is None else b for b, s in zip(row, way.flat_sources, strict=True)]
        rows.append(nest.pack_sequence_as(way.sources, row))
    return nest.pack_sequence_as(way.target, rows)
