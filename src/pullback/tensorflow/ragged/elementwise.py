"""Ragged tensors in operations that work element by element: on the flat values, rows broadcast where they differ.

Two shapes broadcast from their last axes.  An axis of size 1 (by its kind: a tensor's axis, or rows made uniform) repeats; rows of
different lengths never do.  The items that meet are found by one op, `RaggedBroadcast`, and gathered, so gradients add up again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...base import nest
from ...base.dtypes import int32, int64
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import NotATensor
from ...ir.op import OPS, Op, is_known
from ...ir.tensor import Tensor, TensorLike
from ...ops.array.basic import ZEROS_LIKE, reshape, shape_of
from ...ops.array.gather import gather
from ...ops.array.join import concat
from ...ops.math.arithmetic import ADD
from ...ops.math.division import truediv
from ...ops.primitives.cast import cast
from .items import BROADCAST, SAME_SPLITS
from .tensor import RaggedTensor, nest_under


def elementwise(op: Op, args: tuple[Any, ...], attrs: dict[str, Any], name: str | None, error: NotATensor) -> Any:
    """What an op gives that takes ragged tensors; the error of the conversion where it does not work element by element."""
    if not op.by_element:
        raise error
    return map_ragged(lambda *flat: op.call(*flat, name=name, **attrs), args)


def map_ragged(f: Callable[..., Any], args: tuple[Any, ...]) -> RaggedTensor:
    """`f`, which works element by element, of arguments some of which are ragged, as a ragged tensor."""
    like = next(a for a in args if isinstance(a, RaggedTensor))
    if len(args) == 1:
        return like.with_flat_values(f(like.flat_values))
    given = [_tensor(a, like) if isinstance(a, (list, tuple, np.ndarray, np.generic)) else a for a in args]
    flat_rank = len(like.flat_values.dims) if like.flat_values.dims is not None else None
    inner = all(_have_same_rows(a, like) if isinstance(a, RaggedTensor) else _is_inner(a, flat_rank) for a in given)
    if not inner:
        given = _broadcast_all(given)
        like = next(a for a in given if isinstance(a, RaggedTensor))
    out = f(*(a.flat_values if isinstance(a, RaggedTensor) else a for a in given))
    return like.with_flat_values(out)


def lift_to_ragged(name: str, function: Callable[..., Any]) -> Callable[..., Any] | None:
    """A function of tensors as one of ragged tensors, if it works element by element."""
    if name == "embedding_lookup":
        return lambda params, ids, *args, **kwargs: ids.with_flat_values(function(params, ids.flat_values, *args, **kwargs))
    if hasattr(function, "works_on_items"):
        return partial(_map_one, function)
    if name.startswith("assert_"):
        return partial(_assert_items, function)
    if not hasattr(function, "works_by_element"):
        return None

    def call(*args: Any, **kwargs: Any) -> Any:
        count, keys = len(args), list(kwargs)
        return map_ragged(lambda *flat: function(*flat[:count], **dict(zip(keys, flat[count:], strict=True))), (*args, *kwargs.values()))

    return call


def _map_one(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    like = next(a for a in (*args, *kwargs.values()) if isinstance(a, RaggedTensor))
    flat = [a.flat_values if isinstance(a, RaggedTensor) else a for a in args]
    return like.with_flat_values(function(*flat, **{k: v.flat_values if isinstance(v, RaggedTensor) else v for k, v in kwargs.items()}))


def _assert_items(function: Callable[..., Any], x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
    """An assertion about two tensors, made about the items that meet."""
    held: list[Any] = []

    def check(a: Any, b: Any) -> Any:
        held.append(function(a, b, *args, **kwargs))
        return ZEROS_LIKE.call(ADD.call(a, b))

    map_ragged(check, (x, y))
    return held[0]


def _tensor(value: Any, like: RaggedTensor) -> Any:
    return convert_to_tensor(value, dtype_hint=like.dtype)


def _is_inner(value: TensorLike, flat_rank: int | None) -> bool:
    """Whether what is no ragged tensor broadcasts to each item: a number, or a tensor of fewer axes than the flat values."""
    if not isinstance(value, Tensor) or value.dims == ():
        return True
    return flat_rank is not None and _rank(value) < flat_rank


def _rank(value: Any) -> int:
    if not isinstance(value, (Tensor, RaggedTensor)):
        return 0
    if value.dims is None:
        raise ValueError("Unable to broadcast: unknown rank")
    return len(value.dims)


def _have_same_rows(a: RaggedTensor, b: RaggedTensor) -> bool:
    """Whether two ragged tensors are known to have the same rows."""
    if a is b:
        return True
    mine, other = a.nested_row_splits, b.nested_row_splits
    if len(mine) != len(other) or _rank(a.flat_values) != _rank(b.flat_values):
        return False
    return all(
        s is t or (is_known(s.constant) and is_known(t.constant) and np.array_equal(s.constant, t.constant))
        for s, t in zip(mine, other, strict=True)
    )


def _broadcast_all(given: list[Any]) -> list[Any]:
    """The arguments with one set of rows: all broadcast to the first, which by then has grown to hold all."""
    tensors = [a for a in given if _rank(a)]
    common = tensors[0]
    for other in tensors[1:]:
        common = _pair(common, other)[0]
    return [_pair(a, common)[0] if _rank(a) else a for a in given]


def _parts(x: Any, rank: int, depth: int) -> tuple[list[Any], Any]:
    """The axes of `x` down to `depth` ragged ones, of `rank` in all: a size or row splits each; and the items under them."""
    lead: list[Any] = [np.int64(1)] * (rank - _rank(x))
    if isinstance(x, RaggedTensor):
        splits = [cast(s, int64) if u is None else np.int64(u) for s, u in zip(x.nested_row_splits, x._uniforms(), strict=True)]
        own, flat = [cast(x.nrows(), int64), *splits], x.flat_values
    else:
        sizes = shape_of(x, int64)
        own, flat = [sizes[0]], x
    open_axes = depth + 1 - len(lead) - len(own)
    if open_axes > 0:
        sizes = shape_of(flat, int64)
        own += [sizes[1 + i] for i in range(open_axes)]
        flat = reshape(flat, concat([np.array([-1], np.int64), sizes[1 + open_axes :]], 0))
    return [*lead, *own], flat


def _pair(x: Any, y: Any) -> tuple[Any, Any]:
    """Two tensors, ragged or not, broadcast down to the last ragged axis of either."""
    rank = max(_rank(x), _rank(y))
    depths = [rank - _rank(t) + t.ragged_rank if isinstance(t, RaggedTensor) else 0 for t in (x, y)]
    depth = max(depths)
    if not depth:
        return x, y
    (x_parts, x_flat), (y_parts, y_flat) = (_parts(t, rank, depth) for t in (x, y))
    of_x, of_y, *splits = BROADCAST(x_parts, y_parts)
    narrow = [t.row_splits.dtype is int32 for t in (x, y) if isinstance(t, RaggedTensor)]
    if all(narrow):
        splits = [cast(s, int32) for s in splits]
    uniforms = [_uniform(x, y, rank, i + 1) for i in range(depth)]
    return tuple(nest_under(gather(flat, items), splits, uniforms) for flat, items in ((x_flat, of_x), (y_flat, of_y)))


def _uniform(x: Any, y: Any, rank: int, axis: int) -> int | None:
    """The known size of an axis of the broadcast shape."""
    sizes = []
    for t in (x, y):
        at = axis - (rank - _rank(t))
        sizes.append(1 if at < 0 else t.dims[at])
    known = [n for n in sizes if n is not None]
    return None if len(known) < 2 else max(known)


@export("ragged.map_flat_values")
def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> RaggedTensor | Tensor:
    """`op` of the flat values of the ragged tensors among its arguments (in any structure), under their rows.

    Without a ragged tensor it is just `op`.  Raises ValueError where the result has another number of items, InvalidArgumentError
    where the rows differ.

    >>> tf.ragged.map_flat_values(tf.square, tf.ragged.constant([[1, 2], [3]]))
    <tf.RaggedTensor [[1, 4], [9]]>
    """
    found: list[RaggedTensor] = []

    def take_flat(x: Any) -> Any:
        if not isinstance(x, RaggedTensor):
            return x
        found.append(x)
        return x.flat_values

    plain_args, plain_kwargs = nest.map_structure(take_flat, list(args)), nest.map_structure(take_flat, kwargs)
    if not found:
        return op(*args, **kwargs)
    for other in found[1:]:
        if len(other.nested_row_splits) != len(found[0].nested_row_splits):
            raise ValueError("All ragged inputs must have the same ragged_rank.")
        if not _have_same_rows(other, found[0]):
            checked = [require_same_splits(a, b) for a, b in zip(found[0].nested_row_splits, other.nested_row_splits, strict=True)]
            found[0] = nest_under(found[0].flat_values, checked, found[0]._uniforms())
    result = op(*plain_args, **plain_kwargs)
    items = found[0].flat_values
    if isinstance(result, RaggedTensor):
        if not items.shape[:1].is_compatible_with(result.shape[:1]):
            raise _other_size(result.shape, items.shape)
        return found[0].with_flat_values(result) if result.shape.rank is None else nest_above(found[0], result)
    result = convert_to_tensor(result)
    if result.dims == () or not items.shape[:1].is_compatible_with(result.shape[:1]):
        raise _other_size(result.shape, items.shape)
    return found[0].with_flat_values(result)


def _other_size(shape: Any, wanted: Any) -> ValueError:
    return ValueError(
        "tf.ragged.map_flat_values requires that the output of `op` have the same outer-dimension size as flat_values of any ragged "
        f"inputs. (output shape: {shape}; expected outer dimension size: {wanted[:1]})"
    )


def nest_above(outer: RaggedTensor, items: Any) -> RaggedTensor:
    """The rows of `outer` over items that may be ragged themselves."""
    for layer in reversed(outer._layers()):
        items = RaggedTensor(items, layer.row_splits, internal=True, uniform=layer._uniform)
    return items


def require_same_splits(a: Any, b: Any) -> Any:
    """The splits `a`, refused where `b` are others."""
    return SAME_SPLITS(a, cast(b, a.dtype))


def divide_ragged(x: TensorLike, y: TensorLike) -> Any:
    """The operator /."""
    return map_ragged(truediv, (x, y))


def equals(x: TensorLike, y: TensorLike) -> Any:
    """x == y, element by element; False where the shapes do not go together, or for None."""
    return _compare("Equal", x, y, False)


def differs(x: TensorLike, y: TensorLike) -> Any:
    """x != y, element by element; True where the shapes do not go together, or for None."""
    return _compare("NotEqual", x, y, True)


def _compare(op: str, x: Any, y: Any, otherwise: bool) -> Any:
    if y is None:
        return otherwise
    try:
        return OPS[op].call(x, y)
    except InvalidArgumentError:
        return otherwise


RaggedTensor.functions.update(elementwise=elementwise, equals=equals, differs=differs, by_element=lift_to_ragged, divided=divide_ragged)
