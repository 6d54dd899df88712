"""`tf.queue`: queues of tensors, which threads, sessions and functions share."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...base.dtypes import DType, as_dtype, int64
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.node import Node
from ...ir.tensor import IntLike, SymbolicTensor, Tensor, TensorLike
from ...ops.random.seed import get_seed
from . import operations as ops


@export("queue.QueueBase", v1="QueueBase")
class QueueBase:
    """What all queues have.  A full queue makes `enqueue` wait, an empty one `dequeue`, until another thread takes out or puts in.

    dtypes, shapes, names: of each component of an element; with names elements are dictionaries.

    >>> isinstance(tf.queue.FIFOQueue(3, tf.float32), tf.queue.QueueBase)
    True
    """

    def __init__(self, dtypes: Any, shapes: Any, names: Any, queue_ref: Any) -> None:
        self._dtypes: list[DType] = list(dtypes)
        for what, given in (("shapes", shapes), ("names", names)):
            if given is not None and len(given) != len(self._dtypes):
                found = f"received len({what})={len(given)}, len(dtypes)={len(self._dtypes)}"
                raise ValueError(f"Queue {what} must have the same length as dtypes, {found}")
        self._shapes: list[TensorShape] = list(shapes) if shapes is not None else [TensorShape(None)] * len(self._dtypes)
        self._names: list[str] | None = names
        self._queue_ref = queue_ref
        self._name: str = queue_ref.op.name.split("/")[-1] if isinstance(queue_ref, SymbolicTensor) else queue_ref.value.name

    @staticmethod
    def from_list(index: TensorLike, queues: list[QueueBase]) -> QueueBase:
        """The queue at a place of a list; `index` a number that is known.

        >>> queues = [tf.queue.FIFOQueue(2, tf.int32) for _ in range(2)]
        >>> tf.queue.QueueBase.from_list(1, queues) is queues[1]
        True
        """
        if not queues or not all(isinstance(q, QueueBase) for q in queues):
            raise TypeError("A list of queues expected")
        if any(q.dtypes != queues[0].dtypes for q in queues):
            raise TypeError("Queues do not have matching component dtypes.")
        if any(q.names != queues[0].names for q in queues):
            raise TypeError("Queues do not have matching component names.")
        at = convert_to_tensor(index).constant
        if at is None:
            raise NotImplementedError("QueueBase.from_list: the index must be known when the graph is made; choose among results instead")
        return queues[int(at)]

    @property
    def queue_ref(self) -> Tensor:
        """The handle, a tensor of dtype resource."""
        return self._queue_ref

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def dtypes(self) -> list[DType]:
        """The dtype of each component."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """The shape of each component."""
        return self._shapes

    @property
    def names(self) -> list[str] | None:
        """The name of each component, None where there are none."""
        return self._names

    def _components(self, values: Any) -> list[Any]:
        if isinstance(values, Mapping):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names) != sorted(values, key=str):
                found = f"Dictionary: {sorted(values, key=str)},Queue: {sorted(self._names)}"
                raise ValueError(f"Keys in dictionary to enqueue do not match names of Queue.  {found}")
            values = [values[name] for name in self._names]
        elif self._names:
            raise ValueError("You must enqueue a dictionary in a Queue with names")
        given = values if isinstance(values, (list, tuple)) else [values]
        pairs = zip(given, self._dtypes, strict=False)
        return [convert_to_tensor(value, dtype, name=f"component_{i}") for i, (value, dtype) in enumerate(pairs)]

    def enqueue(self, vals: object, name: str | None = None) -> Node | None:
        """Put an element in: a tensor, a list with one for each component, or a dictionary.

        Raises CancelledError where the queue is closed, ValueError for shapes that do not fit.
        """
        with scope(name, f"{self._name}_enqueue") as full:
            components = self._components(vals)
            for value, shape in zip(components, self._shapes, strict=False):
                value.shape.assert_is_compatible_with(shape)
            return ops.ENQUEUE(self._queue_ref, components, name=full or None)

    def enqueue_many(self, vals: object, name: str | None = None) -> Node | None:
        """Put several elements in: the rows of each component."""
        with scope(name, f"{self._name}_EnqueueMany") as full:
            components = self._components(vals)
            rows = components[0].shape.with_rank_at_least(1)[0]
            for value, shape in zip(components, self._shapes, strict=False):
                found = value.shape.with_rank_at_least(1)
                TensorShape([rows]).assert_is_compatible_with(TensorShape([found[0]]))
                found[1:].assert_is_compatible_with(shape)
            return ops.ENQUEUE_MANY(self._queue_ref, components, name=full or None)

    def _give_elements(self, components: Sequence[Any], first: tuple[Any, ...]) -> Any:
        """What `dequeue` gives its caller; first: the size of the axis of elements, where there is one."""
        for value, shape in zip(components, self._shapes, strict=True):
            if isinstance(value, SymbolicTensor) and shape.rank is not None:
                value.set_shape([*first, *shape.as_list()])
        if self._names:
            return dict(zip(self._names, components, strict=True))
        return components[0] if len(components) == 1 else list(components)

    def dequeue(self, name: str | None = None) -> Any:
        """Take an element out; OutOfRangeError where the queue is closed and empty."""
        found = ops.DEQUEUE(self._queue_ref, component_types=tuple(self._dtypes), name=name or f"{self._name}_Dequeue")
        return self._give_elements(found, ())

    def dequeue_many(self, n: IntLike, name: str | None = None) -> Any:
        """Take `n` elements out, side by side along a first axis; OutOfRangeError where the queue is closed and has fewer."""
        number = convert_to_tensor(n, name="n")
        found = ops.DEQUEUE_MANY(self._queue_ref, number, component_types=tuple(self._dtypes), name=name or f"{self._name}_DequeueMany")
        known = number.constant
        return self._give_elements(found, (None if known is None else int(known),))

    def dequeue_up_to(self, n: IntLike, name: str | None = None) -> Any:
        """Take `n` elements out, or fewer where the queue is closed and has no more."""
        found = ops.DEQUEUE_UP_TO(self._queue_ref, n, component_types=tuple(self._dtypes), name=name or f"{self._name}_DequeueUpTo")
        return self._give_elements(found, (None,))

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Node | None:
        """Take nothing more in.  cancel_pending_enqueues: who waits to put in gets a CancelledError; else it still may."""
        return ops.CLOSE(self._queue_ref, cancel_pending_enqueues=bool(cancel_pending_enqueues), name=name or f"{self._name}_Close")

    def is_closed(self, name: str | None = None) -> Tensor:
        """Whether the queue is closed."""
        return ops.IS_CLOSED(self._queue_ref, name=name or f"{self._name}_Is_Closed")

    def size(self, name: str | None = None) -> Tensor:
        """The number of elements."""
        return ops.SIZE(self._queue_ref, name=name or f"{self._name}_Size")


@export("queue.FIFOQueue", v1="FIFOQueue")
class FIFOQueue(QueueBase):
    """Elements come out in the order in which they were put in.

    capacity: how many there may be, below 0 for any number.  shapes: needed to take several out together.

    >>> queue = tf.queue.FIFOQueue(10, tf.float32, shapes=[()])
    >>> queue.enqueue_many([[1.0, 2.0, 3.0]])
    >>> float(queue.dequeue()), queue.dequeue_many(2).numpy().tolist()
    (1.0, [2.0, 3.0])
    """

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None, name: str = "fifo_queue"
    ) -> None:
        kinds = _dtypes(dtypes)
        dims, called = _shapes(shapes), _names(names)
        ref = ops.FIFO_QUEUE(
            component_types=tuple(kinds), shapes=tuple(dims or ()), capacity=capacity, shared_name=shared_name or "", name=name
        )
        super().__init__(kinds, dims, called, ref)


@export("queue.PaddingFIFOQueue", v1="PaddingFIFOQueue")
class PaddingFIFOQueue(QueueBase):
    """As `FIFOQueue`, for components whose sizes differ: taken out together they are filled up with zeros.

    shapes: of each component, None for sizes that differ.

    >>> queue = tf.queue.PaddingFIFOQueue(10, tf.int32, shapes=[[None]])
    >>> queue.enqueue([[1, 2]]), queue.enqueue([[3]])
    (None, None)
    >>> queue.dequeue_many(2).numpy().tolist()
    [[1, 2], [3, 0]]
    """

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any, names: Any = None, shared_name: str | None = None, name: str = "padding_fifo_queue"
    ) -> None:
        kinds, dims = _dtypes(dtypes), _shapes(shapes, partly=True)
        if dims is None or len(dims) != len(kinds):
            number = 0 if dims is None else len(dims)
            raise ValueError(f"Shapes must be provided for all components, but received {len(kinds)} dtypes and {number} shapes.")
        ref = ops.PADDING_FIFO_QUEUE(
            component_types=tuple(kinds), shapes=tuple(dims), capacity=capacity, shared_name=shared_name or "", name=name
        )
        super().__init__(kinds, dims, _names(names), ref)


@export("queue.RandomShuffleQueue", v1="RandomShuffleQueue")
class RandomShuffleQueue(QueueBase):
    """Elements come out in any order.

    min_after_dequeue: how many stay in, so that there is something to choose from, until the queue is closed.

    >>> queue = tf.queue.RandomShuffleQueue(10, 0, tf.int32, shapes=[()], seed=1)
    >>> queue.enqueue_many([[1, 2, 3]])
    >>> sorted(queue.dequeue_many(3).numpy().tolist())
    [1, 2, 3]
    """

    def __init__(
        self,
        capacity: int,
        min_after_dequeue: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        seed: int | None = None,
        shared_name: str | None = None,
        name: str = "random_shuffle_queue",
    ) -> None:
        kinds, dims, called = _dtypes(dtypes), _shapes(shapes), _names(names)
        first, second = get_seed(seed)
        if first is None or second is None:
            first, second = (int(n) for n in np.random.default_rng().integers(1, 2**31, 2))
        elif seed is None and shared_name is not None:
            second = int(hashlib.md5(f"{first}{shared_name}".encode(), usedforsecurity=False).hexdigest()[:8], 16) & 0x7FFFFFFF
        ref = ops.RANDOM_SHUFFLE_QUEUE(
            component_types=tuple(kinds), shapes=tuple(dims or ()), capacity=capacity, min_after_dequeue=min_after_dequeue,
            seed=first, seed2=second, shared_name=shared_name or "", name=name,
        )  # fmt: skip
        super().__init__(kinds, dims, called, ref)


@export("queue.PriorityQueue", v1="PriorityQueue")
class PriorityQueue(QueueBase):
    """The element of the least priority comes first; the priority is a first component of dtype int64.

    types, shapes: of the other components.

    >>> queue = tf.queue.PriorityQueue(10, [tf.string], [()])
    >>> queue.enqueue((2, "later")), queue.enqueue((1, "now"))
    (None, None)
    >>> queue.dequeue()[1].numpy()
    b'now'
    """

    def __init__(
        self, capacity: int, types: Any, shapes: Any = None, names: Any = None, shared_name: str | None = None, name: str = "priority_queue"
    ) -> None:
        kinds, dims = _dtypes(types), _shapes(shapes)
        ref = ops.PRIORITY_QUEUE(
            component_types=tuple(kinds), shapes=tuple(dims or ()), capacity=capacity, shared_name=shared_name or "", name=name
        )
        super().__init__([int64, *kinds], None if dims is None else [TensorShape(()), *dims], _names(names), ref)


def _dtypes(given: Any) -> list[DType]:
    return [as_dtype(d) for d in (given if isinstance(given, (list, tuple)) else [given])]


def _shapes(given: Any, partly: bool = False) -> list[TensorShape] | None:
    if given is None:
        return None
    if isinstance(given, TensorShape):
        given = [given]
    if not isinstance(given, (list, tuple)):
        raise TypeError("shapes must be a TensorShape or a list or tuple of TensorShapes.")
    if all(n is None or isinstance(n, int) for n in given):
        given = [given]
    found = [TensorShape(s) for s in given]
    if any(s.rank is None for s in found):
        raise ValueError(f"All shapes must have a defined rank: {found}")
    if not partly and not all(s.is_fully_defined() for s in found):
        raise ValueError(f"All shapes must be fully defined: {found}")
    return found


def _names(given: Any) -> list[str] | None:
    return None if given is None else [given] if isinstance(given, str) else list(given)
