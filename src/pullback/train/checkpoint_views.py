"""What a checkpoint holds as a graph of objects, beside the graph of a program's objects; and a folder watched for checkpoints.

A file that names no objects has the names of variables only: then the nodes are the parts of these names.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..base.export import export
from . import files
from .trackable import children, may_hold, objects, tree_of


@export("train.CheckpointOptions")
class CheckpointOptions:
    """How `Checkpoint.save`, `write`, `read` and `restore` go about it.

    Args:
        experimental_io_device: accepted; there is one machine.
        experimental_enable_async_checkpoint, enable_async: accepted; a save is complete when it returns.
        experimental_write_callbacks: functions to call after a save, without arguments or with the checkpoint's name.
        experimental_skip_slot_variables: whether `restore` may leave out what optimizers keep; accepted: it restores what it finds.
        experimental_sharding_callback: must be None: a checkpoint is one file. NotImplementedError for another.

    >>> tf.train.CheckpointOptions(enable_async=True).enable_async
    True
    """

    def __init__(
        self,
        experimental_io_device: str | None = None,
        experimental_enable_async_checkpoint: bool = False,
        experimental_write_callbacks: Sequence[Callable[..., Any]] | None = None,
        enable_async: bool = False,
        experimental_skip_slot_variables: bool = False,
        experimental_sharding_callback: Any = None,
    ) -> None:
        if experimental_sharding_callback is not None:
            raise NotImplementedError("CheckpointOptions: a checkpoint is one file here, so experimental_sharding_callback has to be None")
        self.experimental_io_device = experimental_io_device
        self.experimental_enable_async_checkpoint = experimental_enable_async_checkpoint
        self.experimental_write_callbacks = experimental_write_callbacks
        self.enable_async = enable_async or experimental_enable_async_checkpoint
        self.experimental_skip_slot_variables = experimental_skip_slot_variables
        self.experimental_sharding_callback = None


@export(v2="train.TrackableView")
class TrackableView:
    """The objects that a root holds, as a checkpoint of it sees them.

    >>> view = tf.train.TrackableView(tf.train.Checkpoint(v=tf.Variable(1.0), more=[tf.Variable(2.0)]))
    >>> list(view.children(view.root)), len(view.descendants())
    (['more', 'v'], 4)
    """

    def __init__(self, root: Any) -> None:
        self._root = root

    @property
    def root(self) -> Any:
        """The object that holds all others."""
        return self._root

    @classmethod
    def children(cls, obj: object, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """What an object holds, by the names under which it does."""
        return {name: child for name, child in children(obj).items() if may_hold(child)}

    def descendants(self) -> list[Any]:
        """The root and all that it holds, each once, the nearest first."""
        return [thing for _, thing in objects(self._root)]


@export(v2="train.CheckpointView")
class CheckpointView:
    """The objects that a checkpoint was made of, as numbered nodes; the root is 0.

    Raises:
        NotFoundError: there is no such checkpoint.

    >>> import tempfile, pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     view = tf.train.CheckpointView(tf.train.Checkpoint(v=tf.Variable(1.0), w=[tf.Variable(2.0)]).write(folder + "/c"))
    >>> view.children(0), view.children(2), view.descendants()
    ({'v': 1, 'w': 2}, {'0': 3}, [0, 1, 2, 3])
    """

    def __init__(self, save_path: Any) -> None:
        arrays, nodes = files.read_checkpoint(os.fspath(save_path))
        self._nodes = tree_of(arrays) if nodes is None else nodes

    def children(self, node_id: int) -> dict[str, int]:
        """The nodes below one, by their names. Raises ValueError for a number that no node has."""
        if node_id not in range(len(self._nodes)):
            raise ValueError(f"the checkpoint has no node {node_id}: they are numbered 0 to {len(self._nodes) - 1}")
        return dict(self._nodes[node_id])

    def descendants(self) -> list[int]:
        """All nodes, the root first."""
        return list(range(len(self._nodes)))

    def match(self, obj: object) -> dict[int, Any]:
        """The objects that `obj` holds under names that the checkpoint has, by node."""
        found, queue = {0: obj}, [0]
        for i in queue:  # which grows meanwhile
            held = TrackableView.children(found[i])
            for name, child in self._nodes[i].items():
                if name in held and child not in found:
                    found[child] = held[name]
                    queue.append(child)
        return found

    def diff(self, obj: object) -> tuple[dict[int, Any], list[int], list[Any]]:
        """What `match` gives, the nodes that nothing of `obj` matches, and the objects that match no node."""
        matched = self.match(obj)
        known = {id(thing) for thing in matched.values()}
        left = [thing for thing in TrackableView(obj).descendants() if id(thing) not in known]
        return matched, [i for i in self.descendants() if i not in matched], left


@export(v1="train.get_checkpoint_mtimes")
def get_checkpoint_mtimes(checkpoint_prefixes: Sequence[str]) -> list[float]:
    """When checkpoints were written, in seconds; those that are gone are left out.

    >>> import tempfile, pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/c")
    ...     len(tf.compat.v1.train.get_checkpoint_mtimes([path, folder + "/none"]))
    1
    """
    return [os.path.getmtime(files.file_of(prefix)) for prefix in map(os.fspath, checkpoint_prefixes) if files.exists(prefix)]


@export("train.checkpoints_iterator")
def checkpoints_iterator(
    checkpoint_dir: Any, min_interval_secs: float = 0, timeout: float | None = None, timeout_fn: Callable[[], bool] | None = None
) -> Iterator[str]:
    """The checkpoints of a folder as they are written: the latest one, then each time that there is a newer one.

    Args:
        checkpoint_dir: the folder.
        min_interval_secs: the least time from one checkpoint to the next.
        timeout: how long to wait for a checkpoint, in seconds; None for ever.
        timeout_fn: what to ask after that time: True ends, False waits on. None: the time ends it.

    >>> import tempfile, pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/c")
    ...     list(tf.train.checkpoints_iterator(folder, timeout=0)) == [path]
    True
    """
    last: str | None = None
    while True:
        newer = _wait_for_newer(os.fspath(checkpoint_dir), last, timeout)
        if newer is None:
            if timeout_fn is None or timeout_fn():
                return
            continue
        last, began = newer, time.time()
        yield last
        time.sleep(max(0.0, began + min_interval_secs - time.time()))


_PAUSE = 0.5


def _wait_for_newer(folder: str, last: str | None, timeout: float | None) -> str | None:
    end = None if timeout is None else time.time() + timeout
    while True:
        found = files.latest_checkpoint(folder)
        if found is not None and found != last:
            return found
        if end is not None and time.time() >= end:
            return None
        time.sleep(_PAUSE if end is None else max(0.0, min(_PAUSE, end - time.time())))
