"""The operations on queues: making one, putting elements in and taking them out, closing it and asking for its size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from ...base.dtypes import DType, as_dtype, bool as bool_, int32, int64, resource
from ...base.errors import InvalidArgumentError
from ...base.shapes import as_dims
from ...ir.apply import Site
from ...ir.op import Op, define
from ...ir.tensor import Dims, Tensor, TensorType
from ...ops.batching import answer_once, write_once
from ...ops.random.philox import from_seeds
from .value import Element, PaddingQueue, Queue, ShuffleQueue, SortedQueue

Array = np.ndarray[Any, Any]
S = TypeVar("S")


def _components(component_types: Any, shapes: Any) -> tuple[list[DType], list[Dims]]:
    dtypes, dims = [as_dtype(d) for d in component_types], [as_dims(s) for s in shapes]
    if dims and len(dims) != len(dtypes):
        raise InvalidArgumentError(None, None, f"{len(dims)} shapes for {len(dtypes)} components: give one for each, or none")
    return dtypes, dims


def share_resource(site: Site, shared_name: str, make: Callable[[str], S], container: str = "") -> S:
    """What has this name in a container of the memory; a new one where there is none."""
    name = shared_name or site.name
    if not name:
        return make("eager")
    known = site.memory.setdefault("shared", {})
    place = container, name
    found: S = known.get(place) or known.setdefault(place, make(name))
    return found


def resource_type(*inputs: Any, **_: Any) -> TensorType:
    """The type of a handle."""
    return TensorType((), resource)


def deadline(site: Site) -> float | None:
    """When an operation that waits gives up."""
    return None if site.run is None else site.run.deadline


def _fifo(*, site: Site, component_types: Any, shapes: Any = (), capacity: int = -1, container: str = "", shared_name: str = "") -> Queue:
    dtypes, dims = _components(component_types, shapes)
    return share_resource(site, shared_name, lambda name: Queue(name, dtypes, dims, capacity), container)


def _padding(
    *, site: Site, component_types: Any, shapes: Any = (), capacity: int = -1, container: str = "", shared_name: str = ""
) -> Queue:  # fmt: skip
    dtypes, dims = _components(component_types, shapes)
    if not dims:
        raise InvalidArgumentError(None, None, "Shapes must be provided for all components, but received 0 shapes")
    return share_resource(site, shared_name, lambda name: PaddingQueue(name, dtypes, dims, capacity), container)


def _shuffle(
    *, site: Site, component_types: Any, shapes: Any = (), capacity: int = -1, min_after_dequeue: int = 0, seed: int = 0, seed2: int = 0,
    container: str = "", shared_name: str = "",
) -> Queue:  # fmt: skip
    dtypes, dims = _components(component_types, shapes)
    if 0 <= capacity < min_after_dequeue:
        raise InvalidArgumentError(None, None, f"min_after_dequeue {min_after_dequeue} must be <= capacity {capacity}")
    stream = from_seeds(seed, seed2)
    return share_resource(site, shared_name, lambda name: ShuffleQueue(name, dtypes, dims, capacity, min_after_dequeue, stream), container)


def _priority(
    *, site: Site, shapes: Any, component_types: Any = (), capacity: int = -1, container: str = "", shared_name: str = ""
) -> Queue:  # fmt: skip
    dtypes, dims = _components(component_types, shapes)
    shapes = [(), *dims] if dims or not dtypes else ()
    return share_resource(site, shared_name, lambda name: SortedQueue(name, [int64, *dtypes], shapes, capacity), container)


def _maker(name: str, kernel: Callable[..., Queue]) -> Op:
    return define(name, "", resource_type, kernel, {}, outputs="handle", stateful=True, batch=answer_once)


FIFO_QUEUE = _maker("FIFOQueueV2", _fifo)
PADDING_FIFO_QUEUE = _maker("PaddingFIFOQueueV2", _padding)
RANDOM_SHUFFLE_QUEUE = _maker("RandomShuffleQueueV2", _shuffle)
PRIORITY_QUEUE = _maker("PriorityQueueV2", _priority)


# ---- putting in and taking out


def _enqueue(handle: Queue, components: Sequence[Array], *, site: Site, timeout_ms: int = -1) -> None:
    handle.enqueue([tuple(map(np.asarray, components))], deadline(site))


def _enqueue_many(handle: Queue, components: Sequence[Array], *, site: Site, timeout_ms: int = -1) -> None:
    if any(not v.ndim for v in components) or len({len(v) for v in components}) > 1:
        raise InvalidArgumentError(None, None, "All input tensors must have the same size in the 0th dimension")
    parts = [np.asarray(v) for v in components]
    handle.enqueue([tuple(part[i, ...] for part in parts) for i in range(len(parts[0]))], deadline(site))


def _dequeue(handle: Queue, *, site: Site, component_types: Any, timeout_ms: int = -1) -> list[Array]:
    _check_types(handle, component_types)
    (element,) = handle.dequeue(1, deadline=deadline(site))
    return list(element)


def _define_several(fewer: bool) -> Callable[..., list[Array]]:
    def kernel(handle: Queue, n: Array, *, site: Site, component_types: Any, timeout_ms: int = -1) -> list[Array]:
        _check_types(handle, component_types)
        number = int(n)
        what = "DequeueUpTo" if fewer else "DequeueMany"
        if number < 0:
            raise InvalidArgumentError(None, None, f"{what} requested {number} < 0 elements")
        if not handle.shapes:
            text = f"{handle.kind}'s DequeueMany and DequeueUpTo require the components to have specified shapes."
            raise InvalidArgumentError(None, None, text)
        elements: list[Element] = handle.dequeue(number, fewer, deadline(site))
        return [handle.stack_component([e[i] for e in elements], i) for i in range(len(handle.dtypes))]

    return kernel


def _check_types(queue: Queue, component_types: Any) -> None:
    asked = [as_dtype(d) for d in component_types]
    if asked != list(queue.dtypes):
        text = f"expected {', '.join(d.name for d in asked)}, has {', '.join(d.name for d in queue.dtypes)}"
        raise InvalidArgumentError(None, None, f"{queue.kind} '{queue.name}': {text}")


def _put_type(handle: Tensor, components: Any, *, timeout_ms: int = -1) -> tuple[()]:
    return ()


def _taken_type(handle: Tensor, *, component_types: Any, timeout_ms: int = -1) -> tuple[TensorType, ...]:
    return tuple(TensorType(None, as_dtype(d)) for d in component_types)


def _taken_many_type(handle: Any, n: Any, *, component_types: Any, timeout_ms: int = -1) -> tuple[TensorType, ...]:
    return tuple(TensorType(None, as_dtype(d)) for d in component_types)


def _putter(name: str, kernel: Callable[..., None]) -> Op:
    return define(name, "handle:R *components:any", _put_type, kernel, {}, outputs="", stateful=True, effects=True, batch=write_once)


def _taker(name: str, inputs: str, kernel: Callable[..., list[Array]], infer: Callable[..., Any]) -> Op:
    return define(name, inputs, infer, kernel, {}, outputs="*components", stateful=True, effects=True, batch=write_once)


ENQUEUE = _putter("QueueEnqueueV2", _enqueue)
ENQUEUE_MANY = _putter("QueueEnqueueManyV2", _enqueue_many)
DEQUEUE = _taker("QueueDequeueV2", "handle:R", _dequeue, _taken_type)
DEQUEUE_MANY = _taker("QueueDequeueManyV2", "handle:R n:int32", _define_several(False), _taken_many_type)
DEQUEUE_UP_TO = _taker("QueueDequeueUpToV2", "handle:R n:int32", _define_several(True), _taken_many_type)
CLOSE = define(
    "QueueCloseV2", "handle:R", lambda handle, *, cancel_pending_enqueues=False: (),
    lambda handle, *, site, cancel_pending_enqueues=False: handle.close(cancel_pending_enqueues),
    {}, outputs="", stateful=True, effects=True, batch=write_once,
)  # fmt: skip
IS_CLOSED = define(
    "QueueIsClosedV2", "handle:R", lambda handle: TensorType((), bool_), lambda handle, *, site: np.asarray(handle.is_closed), {},
    outputs="is_closed", stateful=True, effects=True, batch=write_once,
)  # fmt: skip
SIZE = define(
    "QueueSizeV2", "handle:R", lambda handle: TensorType((), int32), lambda handle, *, site: np.int32(handle.size()), {},
    outputs="size", stateful=True, effects=True, batch=write_once,
)  # fmt: skip
