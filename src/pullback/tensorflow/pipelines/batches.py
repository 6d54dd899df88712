"""TensorFlow 1's batches: threads put examples into a queue, and one operation takes several out (`tf.train.batch` and its kind)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ...api.names import name_scope
from ...base.dtypes import int32
from ...base.export import export
from ...base.shapes import TensorShape
from ...control.smart_cond import smart_cond
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeTensor
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...ops.effects.operations import no_op
from ...ops.primitives.cast import cast
from ...ops.search.partition import dynamic_partition
from ..queues.classes import FIFOQueue, PaddingFIFOQueue, QueueBase, RandomShuffleQueue
from ..queues.runners import QueueRunner, add_queue_runner
from .producers import refuse_eager, summarize_fill

#: What one thread puts in: a list of tensors, or a dictionary.
Example = Any
#: What comes out: a tensor for a list of one, else the like of what was put in.
Batch: TypeAlias = Tensor | list[Tensor] | dict[str, Tensor]


def _as_list(example: Example) -> list[Any]:
    found = [example[key] for key in sorted(example, key=str)] if isinstance(example, Mapping) else list(example)
    if not found:
        raise ValueError("Expected at least one tensor in batch().")
    if any(isinstance(part, CompositeTensor) for part in found):
        raise NotImplementedError("tf.train.batch takes no sparse and ragged tensors here; put them together with tf.data's batch")
    return [convert_to_tensor(part) for part in found]


def _element_shapes(examples: list[list[Any]], shapes: Any, enqueue_many: bool) -> list[Any]:
    if shapes is not None:
        return list(shapes)
    found = []
    for parts in zip(*examples, strict=True):
        merged = TensorShape(None)
        for part in parts:
            if part.shape.rank is None:
                raise ValueError(f"Cannot infer Tensor's rank: {part}")
            merged = merged.merge_with(part.shape[1:] if enqueue_many else part.shape)
        found.append(merged)
    return found


def _put_example(queue: QueueBase, example: list[Any], enqueue_many: bool, keep: Any) -> Any:
    """The operation that puts an example in, or several, where `keep` says so: all of them or each by itself."""
    put = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep is True:
        return put(example)
    keep = convert_to_tensor(keep)
    if keep.shape.rank is None or keep.shape.rank > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions, known at graph construction.")
    if keep.shape.rank == 0:
        return smart_cond(keep, lambda: put(example), no_op)
    if not enqueue_many:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    return put([dynamic_partition(part, cast(keep, int32), 2)[1] for part in example])


def _batch_examples(
    given: Sequence[Example], batch_size: IntLike, make_queue: Callable[[Any, Any], QueueBase], name: str | None, default: str,
    *, keep: Any, threads: int, capacity: int, enqueue_many: bool, shapes: Any, smaller: bool,
) -> Batch:  # fmt: skip
    """A batch of the examples that `threads` put in, each of `given` in its turn."""
    refuse_eager()
    if not given:
        raise ValueError("Expected at least one set of tensors")
    if isinstance(given[0], Mapping) and any(set(example) != set(given[0]) for example in given):
        raise ValueError("All dictionaries in tensors_list must have the same keys")
    with name_scope(name, default) as full:
        examples = [_as_list(example) for example in given]
        types = [part.dtype.base_dtype for part in examples[0]]
        for example in examples[1:]:
            if (other := [part.dtype.base_dtype for part in example]) != types:
                shown = (", ".join(t.name for t in found) for found in (types, other))
                raise TypeError("Expected types to be consistent: {} vs. {}.".format(*shown))
        queue = make_queue(types, _element_shapes(examples, shapes, enqueue_many))
        puts = [_put_example(queue, example, enqueue_many, keep) for example in examples]
        add_queue_runner(QueueRunner(queue, puts * threads))
        summarize_fill(queue, capacity)
        taken = (queue.dequeue_up_to if smaller else queue.dequeue_many)(batch_size, name=full)
    if not isinstance(given[0], Mapping):
        return taken
    parts = taken if isinstance(taken, list) else [taken]
    return dict(zip(sorted(given[0], key=str), parts, strict=True))


def _make_fifo(capacity: int, dynamic_pad: bool, shared_name: str | None) -> Callable[[Any, Any], QueueBase]:
    kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
    return lambda types, shapes: kind(capacity, types, shapes, shared_name=shared_name)


def _make_shuffling(capacity: int, least: int, seed: int | None, shared_name: str | None) -> Callable[[Any, Any], QueueBase]:
    if capacity <= least:
        raise ValueError(f"capacity {capacity} must be bigger than min_after_dequeue {least}.")
    return lambda types, shapes: RandomShuffleQueue(capacity, least, types, shapes, seed=seed, shared_name=shared_name)


@export(v1="train.maybe_batch")
def maybe_batch(
    tensors: Example, keep_input: TensorLike, batch_size: IntLike, num_threads: int = 1, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: str | None = None,
    name: str | None = None,
) -> Batch:  # fmt: skip
    """`tf.train.batch` of the examples for which `keep_input` is true: a scalar, or with `enqueue_many` one for each.

    >>> with tf1.Graph().as_default():
    ...     tf1.train.maybe_batch([tf1.random.uniform([3])], tf1.random.uniform([]) > 0.5, 4).shape
    TensorShape([4, 3])
    """
    make = _make_fifo(capacity, dynamic_pad, shared_name)
    return _batch_examples(
        [tensors], batch_size, make, name, "batch", keep=keep_input, threads=num_threads, capacity=capacity, enqueue_many=enqueue_many,
        shapes=shapes, smaller=allow_smaller_final_batch,
    )  # fmt: skip


@export(v1="train.batch")
def batch(
    tensors: Example, batch_size: IntLike, num_threads: int = 1, capacity: int = 32, enqueue_many: bool = False, shapes: Any = None,
    dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: str | None = None, name: str | None = None,
) -> Batch:  # fmt: skip
    """Batches of what `tensors` give each time they are run, which threads do; a list, or a dictionary as `tensors` is.

    Args:
        tensors: a list of tensors, or a dictionary.
        num_threads: how many threads run them.
        capacity: how many examples may wait.
        enqueue_many: the tensors are of several examples, along a first axis.
        shapes: of an example's tensors, where they are not known.
        dynamic_pad: fill up with zeros where sizes differ.
        allow_smaller_final_batch: give what is left at the end.

    Raises:
        RuntimeError: outside graphs.
        ValueError: no tensors, or a shape that is not known.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     number = tf1.train.range_input_producer(5, num_epochs=1, shuffle=False).dequeue()
    ...     numbers = tf1.train.batch([number], 3, allow_smaller_final_batch=True)
    ...     sess.run(tf1.local_variables_initializer())
    ...     coord = tf1.train.Coordinator()
    ...     threads = tf1.train.start_queue_runners(sess, coord)
    ...     print(sess.run(numbers), sess.run(numbers))
    ...     coord.request_stop()
    ...     coord.join(threads)
    [0 1 2] [3 4]
    """
    return maybe_batch(
        tensors, True, batch_size, num_threads, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch, shared_name, name
    )


@export(v1="train.maybe_batch_join")
def maybe_batch_join(
    tensors_list: Sequence[Example], keep_input: TensorLike, batch_size: IntLike, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: str | None = None,
    name: str | None = None,
) -> Batch:  # fmt: skip
    """`tf.train.batch_join` of the examples for which `keep_input` is true.

    >>> with tf1.Graph().as_default():
    ...     tf1.train.maybe_batch_join([[tf1.zeros([3])], [tf1.ones([3])]], True, 4).shape
    TensorShape([4, 3])
    """
    make = _make_fifo(capacity, dynamic_pad, shared_name)
    return _batch_examples(
        tensors_list, batch_size, make, name, "batch_join", keep=keep_input, threads=1, capacity=capacity, enqueue_many=enqueue_many,
        shapes=shapes, smaller=allow_smaller_final_batch,
    )  # fmt: skip


@export(v1="train.batch_join")
def batch_join(
    tensors_list: Sequence[Example], batch_size: IntLike, capacity: int = 32, enqueue_many: bool = False, shapes: Any = None,
    dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: str | None = None, name: str | None = None,
) -> Batch:  # fmt: skip
    """Batches of the examples of several lists of tensors, for each of which there is a thread.  The other arguments are those of `batch`.

    >>> with tf1.Graph().as_default():
    ...     tf1.train.batch_join([[tf1.zeros([3])], [tf1.ones([3])]], 4).shape
    TensorShape([4, 3])
    """
    return maybe_batch_join(
        tensors_list, True, batch_size, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch, shared_name, name
    )


@export(v1="train.maybe_shuffle_batch")
def maybe_shuffle_batch(
    tensors: Example, batch_size: IntLike, capacity: int, min_after_dequeue: int, keep_input: TensorLike, num_threads: int = 1,
    seed: int | None = None, enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Batch:  # fmt: skip
    """`tf.train.shuffle_batch` of the examples for which `keep_input` is true.

    >>> with tf1.Graph().as_default():
    ...     tf1.train.maybe_shuffle_batch([tf1.zeros([3])], 4, 20, 5, True).shape
    TensorShape([4, 3])
    """
    make = _make_shuffling(capacity, min_after_dequeue, seed, shared_name)
    return _batch_examples(
        [tensors], batch_size, make, name, "shuffle_batch", keep=keep_input, threads=num_threads, capacity=capacity,
        enqueue_many=enqueue_many, shapes=shapes, smaller=allow_smaller_final_batch,
    )  # fmt: skip


@export(v1="train.shuffle_batch")
def shuffle_batch(
    tensors: Example, batch_size: IntLike, capacity: int, min_after_dequeue: int, num_threads: int = 1, seed: int | None = None,
    enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False, shared_name: str | None = None,
    name: str | None = None,
) -> Batch:  # fmt: skip
    """Batches in any order: of `capacity` examples that wait, `min_after_dequeue` at least stay.  The other arguments are those of `batch`.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     row = tf1.train.slice_input_producer([[1, 2, 3, 4]], num_epochs=1)
    ...     rows = tf1.train.shuffle_batch(row, 4, capacity=8, min_after_dequeue=2)
    ...     sess.run(tf1.local_variables_initializer())
    ...     coord = tf1.train.Coordinator()
    ...     threads = tf1.train.start_queue_runners(sess, coord)
    ...     print(sorted(sess.run(rows).tolist()))
    ...     coord.request_stop()
    ...     coord.join(threads)
    [1, 2, 3, 4]
    """
    return maybe_shuffle_batch(
        tensors, batch_size, capacity, min_after_dequeue, True, num_threads, seed, enqueue_many, shapes, allow_smaller_final_batch,
        shared_name, name,
    )  # fmt: skip


@export(v1="train.maybe_shuffle_batch_join")
def maybe_shuffle_batch_join(
    tensors_list: Sequence[Example], batch_size: IntLike, capacity: int, min_after_dequeue: int, keep_input: TensorLike,
    seed: int | None = None, enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False,
    shared_name: str | None = None, name: str | None = None,
) -> Batch:  # fmt: skip
    """`tf.train.shuffle_batch_join` of the examples for which `keep_input` is true.

    >>> with tf1.Graph().as_default():
    ...     tf1.train.maybe_shuffle_batch_join([[tf1.zeros([3])], [tf1.ones([3])]], 4, 20, 5, True).shape
    TensorShape([4, 3])
    """
    make = _make_shuffling(capacity, min_after_dequeue, seed, shared_name)
    return _batch_examples(
        tensors_list, batch_size, make, name, "shuffle_batch_join", keep=keep_input, threads=1, capacity=capacity,
        enqueue_many=enqueue_many, shapes=shapes, smaller=allow_smaller_final_batch,
    )  # fmt: skip


@export(v1="train.shuffle_batch_join")
def shuffle_batch_join(
    tensors_list: Sequence[Example], batch_size: IntLike, capacity: int, min_after_dequeue: int, seed: int | None = None,
    enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False, shared_name: str | None = None,
    name: str | None = None,
) -> Batch:  # fmt: skip
    """Batches in any order of the examples of several lists of tensors.  The arguments are those of `shuffle_batch`.

    >>> with tf1.Graph().as_default():
    ...     tf1.train.shuffle_batch_join([[tf1.zeros([3])], [tf1.ones([3])]], 4, 20, 5).shape
    TensorShape([4, 3])
    """
    return maybe_shuffle_batch_join(
        tensors_list,
        batch_size,
        capacity,
        min_after_dequeue,
        True,
        seed,
        enqueue_many,
        shapes,
        allow_smaller_final_batch,
        shared_name,
        name,
    )
