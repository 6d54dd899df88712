"""TensorFlow 1's queues of names, numbers and slices, which threads fill again and again: `tf.train.string_input_producer` and its kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...api.names import GraphKeys, control_dependencies, name_scope
from ...api.variable_v1 import VariableV1
from ...base.dtypes import float32, string
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly
from ...ir.op import define
from ...ir.tensor import IntLike, Tensor, TensorLike, TensorType
from ...ops.array.basic import identity, shape_of
from ...ops.array.create import range as range_of
from ...ops.array.gather import gather
from ...ops.array.shape import size
from ...ops.effects.operations import Assert
from ...ops.effects.summary import scalar as summarize
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import greater
from ...ops.random.functions import shuffle as shuffled
from ..files.gfile import glob
from ..queues.classes import FIFOQueue, QueueBase
from ..queues.runners import QueueRunner, add_queue_runner


def refuse_eager() -> None:
    """Raise RuntimeError outside graphs: nobody would run the threads."""
    if executing_eagerly():
        raise RuntimeError(
            "Input pipelines based on Queues are not supported when eager execution is enabled. "
            "Please use tf.data to ingest data into your model instead."
        )


def summarize_fill(queue: QueueBase, capacity: int, name: str | None = None) -> None:
    """A summary of how full a queue is."""
    summarize(name or f"fraction_of_{capacity}_full", cast(queue.size(), float32) * (1.0 / capacity))


def _find_matching(pattern: np.ndarray[Any, Any], *, site: Any) -> np.ndarray[Any, Any]:
    found = sorted(glob([p.decode() for p in np.ravel(pattern).tolist()]))
    out = np.empty(len(found), object)
    out[:] = [name.encode() for name in found]
    return out


MATCHING_FILES = define(
    "MatchingFiles", "pattern:string", lambda pattern: TensorType((None,), string), _find_matching, {}, outputs="filenames", stateful=True,
    batch="one pattern at a time",
)  # fmt: skip


@export("io.matching_files", v1="matching_files")
def matching_files(pattern: TensorLike, name: str | None = None) -> Tensor:
    """The names of the files that a pattern, or one of several, fits, sorted: a vector of strings.

    >>> import os, pullback as tf
    >>> path = os.path.join(getfixture("tmp_path"), "a.txt")
    >>> tf.io.write_file(path, "")
    >>> tf.io.matching_files(path.replace("a.", "*.")).numpy()[0] == path.encode()
    True
    """
    return MATCHING_FILES(pattern, name=name)


@export("io.match_filenames_once", v1="train.match_filenames_once")
def match_filenames_once(pattern: TensorLike, name: str | None = None) -> Any:
    """A local variable with the names of the files that a pattern fits; it is looked for when the variable is initialized.

    >>> with tf1.Graph().as_default():
    ...     tf1.train.match_filenames_once("/nowhere/*").dtype
    tf.string
    """
    with name_scope(name, "matching_filenames") as full:
        found = matching_files(pattern)
        return VariableV1(found, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], validate_shape=False, name=full)


@export(v1="train.limit_epochs")
def limit_epochs(tensor: TensorLike, num_epochs: int | None = None, name: str | None = None) -> Any:
    """A tensor that can be had `num_epochs` times, then there is an OutOfRangeError; a local variable counts.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     once = tf1.train.limit_epochs(tf1.constant(7), 1)
    ...     sess.run(tf1.local_variables_initializer())
    ...     print(sess.run(once))
    7
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with name_scope(name, "limit_epochs") as full:
        epochs = VariableV1(np.int64(0), name="epochs", trainable=False, collections=[GraphKeys.LOCAL_VARIABLES])
        with control_dependencies([epochs.count_up_to(num_epochs)]):
            return identity(tensor, name=full)


@export(v1="train.input_producer")
def input_producer(
    input_tensor: TensorLike,
    element_shape: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    summary_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> FIFOQueue:
    """A queue with the rows of a tensor, again and again or `num_epochs` times; `start_queue_runners` starts the thread that fills it.

    element_shape: of a row, where it is not known.  shuffle: in another order each time.  summary_name: of how full the queue is.

    Raises:
        RuntimeError: outside graphs.
        ValueError: the shape of a row is not known.

    >>> with tf1.Graph().as_default():
    ...     tf1.train.input_producer([[1, 2], [3, 4]]).shapes
    [TensorShape([2])]
    """
    refuse_eager()
    with name_scope(name, "input_producer"):
        rows = convert_to_tensor(input_tensor, name="input_tensor")
        shape = rows.shape[1:].merge_with(element_shape)
        if not shape.is_fully_defined():
            raise ValueError("Either `input_tensor` must have a fully defined shape or `element_shape` must be specified")
        rows = limit_epochs(shuffled(rows, seed=seed) if shuffle else rows, num_epochs)
        queue = FIFOQueue(capacity, [rows.dtype.base_dtype], [shape], shared_name=shared_name, name=name or "FIFOQueueV2")
        add_queue_runner(QueueRunner(queue, [queue.enqueue_many([rows])], cancel_op=cancel_op))
        if summary_name is not None:
            summarize_fill(queue, capacity, summary_name)
        return queue


@export(v1="train.string_input_producer")
def string_input_producer(
    string_tensor: TensorLike,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> FIFOQueue:
    """`input_producer` of strings, names of files mostly; there must be one.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     queue = tf1.train.string_input_producer(["a", "b"], shuffle=False)
    ...     names = queue.dequeue_many(3)
    ...     coord = tf1.train.Coordinator()
    ...     threads = tf1.train.start_queue_runners(sess, coord)
    ...     print(sess.run(names))
    ...     coord.request_stop()
    ...     coord.join(threads)
    [b'a' b'b' b'a']
    """
    missing = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, Tensor) and not len(string_tensor):  # type: ignore[arg-type]  # text, a list or an array
        raise ValueError(missing)
    refuse_eager()
    with name_scope(name, "input_producer") as full:
        names = convert_to_tensor(string_tensor, string)
        with control_dependencies([Assert(greater(size(names), 0), [missing])]):
            names = identity(names)
        summary = f"fraction_of_{capacity}_full"
        return input_producer(names, [], num_epochs, shuffle, seed, capacity, shared_name, summary, full, cancel_op)


@export(v1="train.range_input_producer")
def range_input_producer(
    limit: IntLike,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> FIFOQueue:
    """`input_producer` of the numbers below `limit`.

    >>> with tf1.Graph().as_default():
    ...     tf1.train.range_input_producer(5).dtypes
    [tf.int32]
    """
    refuse_eager()
    with name_scope(name, "input_producer") as full:
        numbers = range_of(limit)
        return input_producer(numbers, [], num_epochs, shuffle, seed, capacity, shared_name, f"fraction_of_{capacity}_full", full)


@export(v1="train.slice_input_producer")
def slice_input_producer(
    tensor_list: Sequence[Any],
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """One row of each tensor, the same of all; another one each time it is run.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     row = tf1.train.slice_input_producer([[1, 2], ["a", "b"]], shuffle=False)
    ...     coord = tf1.train.Coordinator()
    ...     threads = tf1.train.start_queue_runners(sess, coord)
    ...     print(*sess.run(row))
    ...     coord.request_stop()
    ...     coord.join(threads)
    1 b'a'
    """
    refuse_eager()
    with name_scope(name, "input_producer"):
        tensors = [convert_to_tensor(t) for t in tensor_list]
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        queue = range_input_producer(shape_of(tensors[0])[0], num_epochs, shuffle, seed, capacity, shared_name)
        index = queue.dequeue()
        return [gather(t, index) for t in tensors]
