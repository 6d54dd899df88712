"""`ForwardAccumulator`: tangents that travel with the computation, one sweep forwards while it runs.

It listens at dispatch as a tape does, but keeps no nodes: as soon as an operation on its way has run, the tangents of its outputs are
computed and the operation is forgotten.  Those computations are heard by the tapes and accumulators that were entered before this one,
so nesting gives higher orders: an accumulator in an accumulator, an accumulator in a tape, and a tape in an accumulator.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from ..base import nest
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.context import Context, Recorder, current, enter_context, start_listening, stop_listening
from ..ir.node import Node
from ..ir.op import Op
from ..ir.tensor import Gradient, IndexedSlices, SymbolicTensor, Tensor, TensorLike
from ..transforms.sparse import densify
from ..transforms.tangents import tangents_of
from .endpoints import UnconnectedGradients, fill_missing

if TYPE_CHECKING:
    from .source_types import Key, Record, Source, SourceList, Structure, Unconnected

log = logging.getLogger("pullback")


@export("autodiff.ForwardAccumulator")
class ForwardAccumulator(Recorder):
    """Compute Jacobian-vector products of what runs in its block.

    primals: a tensor or variable, or a structure of them.  tangents: the direction, of the same structure, shapes and dtypes.
    Raises ValueError where structures, dtypes or shapes differ or a primal is there twice.

    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
    ...     y = x * x[0]
    >>> acc.jvp(y).numpy()
    array([2., 2.], dtype=float32)
    """

    def __init__(self, primals: Source | Sequence[Source] | Structure, tangents: TensorLike | Structure) -> None:
        nest.assert_same_structure(primals, tangents)
        self.active: dict[int, Any] = {}  # what is followed: the tangents, and outputs that a node was given later
        self._tangents: dict[int, Any] = {}
        self._listening = False
        self._graph: Any = None
        self._late: dict[Node, tuple[int, tuple[Any, ...]]] = {}
        seen = set()
        for primal, tangent in zip(nest.flatten(primals), nest.flatten(tangents), strict=True):
            uid = _tensor_of(primal).uid
            if uid in seen:
                raise ValueError(
                    f"Tensor {primal!r} was specified as a primal multiple times. This may indicate an error. If it was intended, please "
                    "sum the corresponding tangents."
                )
            seen.add(uid)
            if not primal.dtype.base_dtype.trainable:
                log.warning("The dtype of the watched primal must be floating (e.g. tf.float32), got %r", primal.dtype)
                continue
            self.active[uid] = self._tangents[uid] = _direction(primal, tangent)

    def __enter__(self) -> ForwardAccumulator:
        if self._listening:
            raise ValueError("Accumulator is already recording.")
        start_listening(self)
        self._listening, self._graph = True, current().graph
        return self

    def __exit__(self, *_: object) -> None:
        if self._listening:
            stop_listening(self)
            self._listening = False

    def record(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Node | None) -> None:
        """Compute the tangents of the outputs of an operation that has just run."""
        active = self.active
        if node is not None:
            if node.graph is not self._graph:
                return  # part of a body: the node that holds the body will come
            self._catch_up(inputs)
        for t in inputs:
            if t.uid in active:
                break
        else:
            return
        context = current()
        outer = context.recorders[: context.recorders.index(self)]
        if node is not None and op.outputs and op.outputs[0].startswith("*"):
            self._late[node] = (0, outer)  # not finished: a loop is told more after it is made, and may be given more outputs
        else:
            self._push(node or Node(op, inputs, attrs, outputs), outputs, Context(context.graph, outer))

    def _push(self, node: Node, outputs: Sequence[Any], context: Context) -> None:
        with enter_context(context):
            found = tangents_of(node, [self._tangents.get(t.uid) for t in node.inputs])
        new = {out.uid: tangent for out, tangent in zip(outputs, found, strict=False) if tangent is not None}
        self._tangents.update(new)
        self.active.update(new)

    def _catch_up(self, tensors: Sequence[Any]) -> None:
        """Tangents for those of `tensors` that are outputs of a node that holds a body, and have none yet."""
        for t in tensors:
            if isinstance(t, SymbolicTensor) and t.node in self._late and t.index >= self._late[t.node][0]:
                outputs, outer = t.node.outputs, self._late[t.node][1]
                self._late[t.node] = (len(outputs), outer)
                recorders = current().recorders
                self._push(t.node, outputs, Context(t.node.graph, tuple(r for r in outer if r in recorders)))

    def read(self, variable: Any) -> None:
        """Variables are followed by their handles, so reading one is nothing special."""

    @overload
    def jvp(self, primals: Source, unconnected_gradients: Unconnected = ...) -> Gradient: ...
    @overload
    def jvp(self, primals: Record, unconnected_gradients: Unconnected = ...) -> Record: ...
    @overload
    def jvp(self, primals: SourceList, unconnected_gradients: Unconnected = ...) -> list[Gradient]: ...
    @overload
    def jvp(self, primals: tuple[Source, ...], unconnected_gradients: Unconnected = ...) -> tuple[Gradient, ...]: ...
    @overload
    def jvp(self, primals: Mapping[Key, Source], unconnected_gradients: Unconnected = ...) -> dict[Key, Gradient]: ...
    @overload
    def jvp(self, primals: object, unconnected_gradients: Unconnected = ...) -> Any: ...
    def jvp(self, primals: object, unconnected_gradients: Unconnected = UnconnectedGradients.NONE) -> Any:
        """The tangents of `primals`, a tensor, a variable or a structure of them: the Jacobian times the direction given at the start.

        unconnected_gradients: what to give for what does not depend on the watched primals, None or zeros.
        """
        option = UnconnectedGradients(unconnected_gradients)
        followed = [_tensor_of(t) for t in nest.flatten(primals)]
        self._catch_up(followed)
        found = [fill_missing(option, self._tangents.get(t.uid), t) for t in followed]
        return nest.pack_sequence_as(primals, found)


def _tensor_of(thing: Any) -> Tensor:
    """The tensor that stands for a primal: a variable's handle, a tensor itself."""
    if hasattr(thing, "handle"):
        return thing.handle
    if not isinstance(thing, Tensor):
        missing = "dtype" if not hasattr(thing, "dtype") else "_id"
        raise AttributeError(f"'{type(thing).__name__}' object has no attribute '{missing}': {thing!r} is no tensor or variable")
    return thing


def _direction(primal: Any, tangent: Any) -> Tensor:
    """`tangent` as a tensor of the dtype and shape of `primal`."""
    dtype = primal.dtype.base_dtype
    if isinstance(tangent, IndexedSlices):
        tangent = densify(tangent)
    tangent = convert_to_tensor(tangent, dtype)
    if not tangent.shape.is_compatible_with(primal.shape):
        raise ValueError(f"Tensor {tangent!r} was expected to be of shape {primal.shape} but is instead of shape {tangent.shape}")
    return tangent
