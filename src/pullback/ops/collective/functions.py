"""`pullback.distribute`: what replicas, one a process, give each other, as functions of tensors.

Every replica calls the same ones in the same order.  A program that no MPI launcher started is the only replica: sums are of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.dtypes import int64
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...kernels.collective.world import use_communicator, world
from ..array.basic import shape_of
from ..array.transpose import transpose
from ..math.division import truediv
from ..primitives.cast import cast
from .operations import (
    ALL_GATHER,
    ALL_REDUCE,
    ALL_REDUCE_FINISH,
    ALL_REDUCE_ROWS,
    ALL_REDUCE_START,
    ALL_TO_ALL,
    BROADCAST,
    REDUCE,
    REDUCE_SCATTER,
    all_reduce_now,
)


@export(ours="distribute.init")
def init(comm: object = None) -> None:
    """Meet the other processes now, and not at the first collective.

    comm: an mpi4py communicator whose processes are the replicas; None for all that the launcher started.  RuntimeError if they have met.

    >>> import pullback
    >>> pullback.distribute.init()
    """
    if comm is None:
        world()
    else:
        use_communicator(comm)


@export(ours="distribute.size")
def size() -> int:
    """How many replicas there are.

    >>> import pullback
    >>> pullback.distribute.size()
    1
    """
    return world().size


@export(ours="distribute.rank")
def rank() -> int:
    """Which of the replicas this is, from 0.

    >>> import pullback
    >>> pullback.distribute.rank()
    0
    """
    return world().rank


@export(ours="distribute.local_rank")
def local_rank() -> int:
    """Which of the replicas of this machine this is, from 0.

    >>> import pullback
    >>> pullback.distribute.local_rank()
    0
    """
    return world().local_rank


@export(ours="distribute.set_timeout")
def set_timeout(seconds: float) -> None:
    """How long a replica waits for another one before a DeadlineExceededError says for whom: 60 seconds, or PULLBACK_MPI_TIMEOUT.

    >>> import pullback
    >>> pullback.distribute.set_timeout(600)
    """
    if not seconds > 0:
        raise ValueError(f"a time limit is positive, and not {seconds}")
    channel = world().channel
    if channel is not None:
        channel.timeout = seconds


@export(ours="distribute.all_reduce")
def all_reduce(value: TensorLike, op: str = "SUM", axis: int | None = None, fast: bool = False, name: str | None = None) -> Tensor:
    """The sum or mean over all replicas of a tensor of one shape, on every replica.

    The same terms in the same order give the same bits, however many replicas hold them.  float16 and bfloat16 are added up in float32.

    Args:
        value: a tensor of numbers.
        op: "SUM" or "MEAN".
        axis: an axis to sum over too, along which replicas may have different lengths: the terms are its entries, replica by replica.
        fast: by MPI's own reduction, whose bits may depend on the number of replicas.  Not with `axis`.

    Gradient: the sum over all replicas of the upstream gradients.

    >>> tf.distribute.all_reduce([1.0, 2.0]).numpy().tolist()
    [1.0, 2.0]
    >>> tf.distribute.all_reduce([1.0, 2.0], "MEAN", axis=0).numpy().item()
    1.5
    """
    how = _sum_or_mean(op)
    value = convert_to_tensor(value)
    if axis is None:
        return _scale_total(ALL_REDUCE(value, fast=fast, name=name), how)
    if fast:
        raise ValueError("MPI's own reduction does not sum over an axis: reduce_sum it first, and all_reduce that")
    total = ALL_REDUCE_ROWS(first_axis(value, axis), name=name)
    if how == "SUM":
        return total
    rows = ALL_REDUCE(shape_of(value, int64)[axis])
    return truediv(total, cast(rows, total.dtype))


def all_reduce_buckets(buckets: Sequence[Sequence[Tensor]], op: str = "SUM", fast: bool = False) -> list[list[Tensor]]:
    """`all_reduce` of each tensor of each bucket; buckets leave while other tensors are computed where there are processors for it."""
    how = _sum_or_mean(op)
    if len(buckets) > 1 and world().overlaps:
        tickets = [ALL_REDUCE_START(values, fast=fast) for values in buckets]
        totals = [ALL_REDUCE_FINISH(values, ticket, fast=fast) for values, ticket in zip(buckets, tickets, strict=True)]
    else:
        together = iter(all_reduce_now([v for values in buckets for v in values], fast) if buckets else ())
        totals = [[next(together) for _ in values] for values in buckets]
    return [[_scale_total(total, how) for total in each] for each in totals]


def _sum_or_mean(op: object) -> str:
    how = str(getattr(op, "name", op)).upper()
    if how not in ("SUM", "MEAN"):
        raise ValueError(f'all_reduce gives the "SUM" or "MEAN", and not {op!r}')
    return how


def _scale_total(total: Tensor, how: str) -> Tensor:
    return total if how == "SUM" else truediv(total, cast(world().size, total.dtype))


@export(ours="distribute.all_gather")
def all_gather(value: TensorLike, axis: int = 0, name: str | None = None) -> Tensor:
    """The tensors of all replicas, one behind the other along an axis, on every replica.

    They have one shape but for the length of that axis.  Gradient: each replica's part of the sum of the upstream gradients of all.

    >>> tf.distribute.all_gather([1, 2]).numpy().tolist()
    [1, 2]
    """
    value = convert_to_tensor(value)
    return move_back(ALL_GATHER(first_axis(value, axis), replicas=world().size, name=name), axis)


@export(ours="distribute.reduce_scatter")
def reduce_scatter(value: TensorLike, count: IntLike | None = None, axis: int = 0, name: str | None = None) -> Tensor:
    """This replica's part, along an axis, of the sum over all replicas of a tensor of one shape.

    Args:
        value: a tensor of numbers.
        count: the length of this replica's part; together the parts are the axis.  None: the same for all, InvalidArgumentError where
            the number of replicas does not divide the axis.
        axis: the axis that is parted.

    Gradient: the upstream gradients of all replicas, one behind the other.

    >>> tf.distribute.reduce_scatter([1.0, 2.0]).numpy().tolist()
    [1.0, 2.0]
    """
    parted = first_axis(convert_to_tensor(value), axis)
    if count is None:
        rows = shape_of(parted, int64)[0] if parted.dims is None or parted.dims[0] is None else parted.dims[0]
        count = rows // world().size
    return move_back(REDUCE_SCATTER(parted, count, name=name), axis)


@export(ours="distribute.broadcast")
def broadcast(value: TensorLike, root: int = 0, name: str | None = None) -> Tensor:
    """The tensor of replica `root`, on every replica.  All give one of its shape and dtype.

    Gradient: the sum over all replicas of the upstream gradients at the root, and zeros elsewhere.

    >>> tf.distribute.broadcast([1.0, 2.0]).numpy().tolist()
    [1.0, 2.0]
    """
    return BROADCAST(convert_to_tensor(value), root=root, name=name)


@export(ours="distribute.reduce")
def reduce(value: TensorLike, root: int = 0, name: str | None = None) -> Tensor:
    """The sum over all replicas of a tensor of one shape, on replica `root`; zeros on the others.

    Gradient: the upstream gradient of the root.

    >>> tf.distribute.reduce([1.0, 2.0]).numpy().tolist()
    [1.0, 2.0]
    """
    return REDUCE(convert_to_tensor(value), root=root, name=name)


@export(ours="distribute.all_to_all")
def all_to_all(value: TensorLike, axis: int = 0, name: str | None = None) -> Tensor:
    """Part i of replica j becomes part j of replica i: each cuts an axis in as many equal parts as there are replicas.

    InvalidArgumentError where the number of replicas does not divide the axis.  Gradient: the same exchange of the upstream gradients.

    >>> tf.distribute.all_to_all([1, 2]).numpy().tolist()
    [1, 2]
    """
    return move_back(ALL_TO_ALL(first_axis(convert_to_tensor(value), axis), name=name), axis)


def first_axis(value: Tensor, axis: int) -> Tensor:
    """A tensor with one of its axes in front; ValueError for an axis that it has not."""
    if value.dims is not None and not -len(value.dims) <= axis < len(value.dims):
        rank = len(value.dims)
        raise ValueError(f"axis {axis} is out of range [{-rank}, {rank}) for a tensor of rank {rank}")
    return value if axis == 0 else transpose(value, _order(value, axis))


def move_back(value: Tensor, axis: int) -> Tensor:
    """A tensor whose first axis goes back to its place."""
    if axis == 0:
        return value
    order = _order(value, axis)
    return transpose(value, [order.index(i) for i in range(len(order))])


def _order(value: Any, axis: int) -> list[int]:
    if value.dims is None:
        raise ValueError(f"axis {axis} of a tensor of unknown rank: set its shape, or use the first axis")
    axis %= len(value.dims)
    return [axis, *(i for i in range(len(value.dims)) if i != axis)]
