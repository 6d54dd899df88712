"""Sums over replicas of many tensors at once: small ones go together, so that few messages are sent, and sparse ones as their slices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeVar

from ...base import nest
from ...base.dtypes import DType, float16
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.indexed_slices import IndexedSlices
from ...ir.tensor import SymbolicTensor, Tensor, TensorLike
from ...kernels.collective.world import world
from ..array.basic import reshape
from ..array.join import concat, split, stack
from ..math.division import truediv
from ..primitives.cast import cast
from .functions import all_gather, all_reduce, all_reduce_buckets

R = TypeVar("R")

#: A bucket of gradients is sent once it has so many bytes.
BUCKET_BYTES = 1 << 20


@export(ours="distribute.Compression")
class Compression:
    """In what dtype floating gradients travel: `none`, their own, or `fp16`.

    >>> import pullback
    >>> pullback.distribute.Compression.fp16.name
    'float16'
    """

    none: DType | None = None
    fp16: DType | None = float16


def all_reduce_together(
    values: Sequence[Any], op: str = "SUM", compression: DType | None = None, fast: bool = False, bucket_bytes: int = BUCKET_BYTES
) -> list[Any]:
    """`all_reduce` of each of many tensors, `IndexedSlices` and None, which stays None; the bits are those of one by one."""

    def compress(value: Any) -> Any:
        return cast(value, compression) if compression is not None and value.dtype.is_floating else value

    found = list(values)
    buckets = buckets_of(values, bucket_bytes)
    given = [[compress(values[i]) for i in places] for places in buckets]
    for places, totals in zip(buckets, all_reduce_buckets(given, op, fast), strict=True):
        for i, total in zip(places, totals, strict=True):
            found[i] = cast(total, values[i].dtype)
    return [_reduce_slices(v, op) if isinstance(v, IndexedSlices) else v for v in found]


def _is_dense(value: Any) -> bool:
    return isinstance(value, Tensor)


def buckets_of(values: Sequence[Any], enough: int = BUCKET_BYTES) -> list[list[int]]:
    """The places of dense tensors, those of one dtype together until a bucket has enough bytes; the same on every replica.

    They stand in the order in which a backward pass gives them: that of the graph, and the last variable's gradient first.
    """
    found: list[list[int]] = []
    filled: dict[DType, tuple[list[int], int]] = {}
    for i in sorted((i for i, value in enumerate(values) if _is_dense(value)), key=lambda i: _order_of(values[i], i)):
        value = values[i]
        if value.dims is None or None in value.dims:
            found.append([i])
            continue
        places, size = filled.get(value.dtype, ([], enough))
        if size >= enough:
            places, size = [], 0
            found.append(places)
        places.append(i)
        filled[value.dtype] = places, size + prod(value.dims) * value.dtype.size
    return found


def _order_of(value: Any, place: int) -> tuple[int, int]:
    return (value.node.position if isinstance(value, SymbolicTensor) else 0), -place


def _reduce_slices(value: IndexedSlices, op: str) -> IndexedSlices:
    values = all_gather(value.values)
    if op == "MEAN":
        values = truediv(values, cast(world().size, values.dtype))
    return IndexedSlices(values, all_gather(value.indices), value.dense_shape)


@export(ours="distribute.sum_in_blocks")
def sum_in_blocks(fn: Callable[[Any], R], batch: TensorLike, block: int) -> R:
    """The sum over the blocks of all replicas of what `fn` gives for a block; its bits do not depend on the number of replicas.

    A gradient of a whole batch is rounded as the batch is long.  So that 1 process and 4 take the same steps, the batch is cut in blocks
    of a fixed length, `fn` (a loss and its gradients, most often) is called on each, and the results are added up in a fixed order.

    Args:
        fn: a function of a part of the batch, that gives nested tensors whose shapes do not depend on the part's length.
        batch: this replica's part of the batch: nested tensors with one first axis of known length.
        block: the length of a block.  Every replica but the last has whole blocks: InvalidArgumentError otherwise.

    >>> tf.distribute.sum_in_blocks(tf.reduce_sum, tf.constant([1.0, 2.0, 3.0, 4.0]), block=2).numpy().item()
    10.0
    """
    leaves = [convert_to_tensor(leaf) for leaf in nest.flatten(batch)]
    length = common_length(leaves)
    current = world()
    if block < 1:
        raise ValueError(f"a block has at least one row, and not {block}")
    if length % block and current.rank < current.size - 1:
        raise InvalidArgumentError(
            None, None,
            f"{current.name()} has {length} rows, which are not whole blocks of {block}. Only the last replica may have a shorter block: "
            "choose a batch whose share for each replica is a multiple of the block",
        )  # fmt: skip
    starts = range(0, length, block) or [0]
    results = [fn(nest.pack_sequence_as(batch, [leaf[start : start + block] for leaf in leaves])) for start in starts]
    columns = [[convert_to_tensor(value) for value in column] for column in zip(*map(nest.flatten, results), strict=True)]
    stacks = [stack(column)[: 0 if length == 0 else None] for column in columns]
    return nest.pack_sequence_as(results[0], _sums_of_rows(stacks))


def common_length(leaves: Sequence[Tensor]) -> int:
    """The length of the first axis of all parts of a batch; ValueError where they have not one."""
    lengths = {leaf.dims[0] if leaf.dims else None for leaf in leaves}
    length = lengths.pop() if len(lengths) == 1 else None
    if length is None:
        raise ValueError(f"the parts of a batch have one first axis of known length, and not {[leaf.dims for leaf in leaves]}")
    return length


def _sums_of_rows(stacks: list[Any]) -> list[Any]:
    """The sums over all replicas along the first axis, those of one dtype together."""
    by_dtype: dict[DType, list[int]] = {}
    for i, rows in enumerate(stacks):
        by_dtype.setdefault(rows.dtype, []).append(i)
    found = list(stacks)
    for places in by_dtype.values():
        if any(None in stacks[i].dims for i in places):
            raise ValueError("what is summed in blocks has known shapes: set them with tf.ensure_shape")
        flat = concat([reshape(stacks[i], [stacks[i].dims[0], prod(stacks[i].dims[1:])]) for i in places], 1)
        parts = split(all_reduce(flat, axis=0), [prod(stacks[i].dims[1:]) for i in places])
        for i, part in zip(places, parts, strict=True):
            found[i] = reshape(part, list(stacks[i].dims[1:]))
    return found
