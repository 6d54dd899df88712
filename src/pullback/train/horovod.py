"""Horovod's names for training with replicas, over the collectives: a tape and an optimizer that average gradients."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Any

from ..api.tape import GradientTape
from ..base import nest
from ..base.dtypes import DType
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.indexed_slices import IndexedSlices
from ..kernels.collective.world import world
from ..ops.collective.buckets import all_reduce_together
from ..ops.collective.functions import broadcast

Average = export(ours="distribute.Average")("MEAN")
Sum = export(ours="distribute.Sum")("SUM")


def reduce_gradients(gradients: list[Any], op: str, compression: DType | None, sparse_as_dense: bool) -> list[Any]:
    """Gradients summed or averaged over the replicas; None stays None."""
    given = [convert_to_tensor(g) if sparse_as_dense and isinstance(g, IndexedSlices) else g for g in gradients]
    return all_reduce_together(given, op, compression) if world().size > 1 else given


@export(ours="distribute.DistributedGradientTape")
class DistributedGradientTape:
    """A `GradientTape` whose gradients are averaged over the replicas, in buckets; slices are gathered.

    Args:
        gradtape: the tape; a new one without.
        op: `Average` or `Sum`.
        compression: `Compression.fp16` to send floating gradients in half precision.
        sparse_as_dense: whether `IndexedSlices` become tensors first.

    >>> v = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = v * v
    >>> tf.distribute.DistributedGradientTape(tape).gradient(y, v).numpy().item()
    6.0
    """

    def __init__(
        self, gradtape: GradientTape | None = None, op: str = "MEAN", compression: DType | None = None, sparse_as_dense: bool = False
    ) -> None:
        self._tape = GradientTape() if gradtape is None else gradtape
        self._how = op, compression, sparse_as_dense

    def __enter__(self) -> DistributedGradientTape:
        self._tape.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._tape.__exit__(kind, error, trace)

    def watch(self, tensor: Any) -> None:
        """Watch a tensor, as the tape does."""
        self._tape.watch(tensor)

    def gradient(self, target: Any, sources: Any, output_gradients: Any = None) -> Any:
        """The tape's gradients, averaged or summed over the replicas."""
        found = self._tape.gradient(target, sources, output_gradients)
        return nest.pack_sequence_as(sources, reduce_gradients(nest.flatten(found), *self._how))


@export(ours="distribute.DistributedOptimizer")
def DistributedOptimizer(optimizer: Any, op: str = "MEAN", compression: DType | None = None, sparse_as_dense: bool = False) -> Any:
    """The optimizer itself, which from now on averages gradients over the replicas before it applies them.

    Arguments as `DistributedGradientTape`.  Variables are to be equal at the start: `broadcast_variables`.

    >>> v = tf.Variable(3.0)
    >>> optimizer = tf.distribute.DistributedOptimizer(tf.compat.v1.train.GradientDescentOptimizer(0.5))
    >>> _ = optimizer.apply_gradients([(tf.constant(2.0), v)])
    >>> v.numpy().item()
    2.0
    """
    kind = type(optimizer)

    def apply_gradients(self: Any, grads_and_vars: Iterable[tuple[Any, Any]], *args: Any, **kwargs: Any) -> Any:
        pairs = list(grads_and_vars)
        reduced = reduce_gradients([g for g, _ in pairs], op, compression, sparse_as_dense)
        return kind.apply_gradients(self, zip(reduced, [v for _, v in pairs], strict=True), *args, **kwargs)

    averaging = type(kind.__name__, (kind,), {"apply_gradients": apply_gradients, "__module__": kind.__module__, "__doc__": kind.__doc__})
    optimizer.__class__ = averaging
    return optimizer


@export(ours="distribute.broadcast_variables")
def broadcast_variables(variables: Iterable[Any], root_rank: int = 0) -> None:
    """Give variables, on every replica, the values that they have on one.

    >>> tf.distribute.broadcast_variables([tf.Variable(1.0)])
    """
    for variable in variables:
        variable.assign(broadcast(variable, root_rank))
