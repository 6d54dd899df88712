"""`tf.train.Checkpoint` and `CheckpointManager`: objects and the variables they hold, saved and restored by name.

A restore first checks every array against its variable, then assigns them all; what is made later is restored as it is made.
Files are those of `files`, with TensorFlow's names for the variables in them.
"""

from __future__ import annotations

import inspect
import logging
import os
import time
import weakref
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..api.names import init_scope
from ..api.variable import Variable
from ..base.errors import NotFoundError
from ..base.export import export
from ..ir.apply import convert_to_tensor
from . import files
from .checkpoint_by_name import NameBasedSaverStatus, check_fits, session_of
from .checkpoint_state import get_checkpoint_state, lies_in, update_checkpoint_state
from .packing import Nodes
from .trackable import (
    KEY,
    STATE,
    ObjectGraph,
    Pending,
    PythonState,
    children,
    is_promised,
    make_walkable,
    may_hold,
    paths_of,
    tree_of,
    variable_of,
    walk,
)
from .wrappers import AutoTrackable, Wrapper, wrap_value
from .written_once import write_once

if TYPE_CHECKING:
    from ..api.session import Session

_log = logging.getLogger("tensorflow")


class CheckpointLoadStatus:
    """What a restore has done so far; it goes on while objects make their variables."""

    def __init__(self, root: Any, arrays: dict[str, np.ndarray], nodes: Nodes | None = None) -> None:
        self._root, self._arrays = root, arrays
        self._nodes = tree_of(arrays) if nodes is None else nodes
        self._paths = paths_of(self._nodes)
        self._bound: dict[int, Any] = {}
        self._in_graph: list[tuple[Any, np.ndarray]] = []
        self._expects_all = True

    def _bind(self, node: int, thing: Any) -> None:
        """Match an object, and what it holds, with the checkpoint's; then restore what was matched."""
        queue, seen, found = [(node, thing)], set[int](), dict[int, Any]()
        for i, held in queue:  # which grows meanwhile
            if i in seen or self._bound.get(i, held) is not held:  # one object in the checkpoint, two in the program: the first has it
                continue
            seen.add(i)
            if i not in self._bound:
                found[i] = held
            inside = children(held) if self._nodes[i] else {}
            queue += [(self._nodes[i][name], child) for name, child in inside.items() if name in self._nodes[i] and may_hold(child)]
        for i, held in found.items():
            if (isinstance(held, Variable) or is_promised(held)) and self._paths[i] + KEY in self._arrays:
                check_fits(self._paths[i], held, self._arrays[self._paths[i] + KEY])
        for i, held in found.items():
            self._bound[i] = held
            self._restore(i, held)

    def _restore(self, node: int, thing: Any) -> None:
        path = self._paths[node]
        if isinstance(thing, Variable) and path + KEY in self._arrays:
            if thing._graph is None:
                with init_scope():  # a function that is being traced may have made it
                    thing.assign(self._arrays[path + KEY])
            else:
                self._in_graph.append((thing, self._arrays[path + KEY]))
        elif is_promised(thing) and path + KEY in self._arrays:
            thing._initializer = lambda shape, dtype=None: convert_to_tensor(self._arrays[path + KEY])
        elif isinstance(thing, PythonState) and path + STATE in self._arrays:
            thing.deserialize(self._arrays[path + STATE].item())
        for holder in (thing, thing._root) if isinstance(thing, Checkpoint) else (thing,):
            pending = getattr(holder, "_pending", None)
            if isinstance(pending, Pending):
                pending.wait(self, node)

    def go_on(self, node: int, name: str, thing: object) -> None:
        """The object bound to `node` holds `thing` under `name` now: restore it, if the checkpoint has it."""
        if name in self._nodes[node]:
            self._bind(self._nodes[node][name], thing)

    def is_done_with(self, node: int) -> bool:
        """Whether all that `node` holds has been found."""
        return self._bound.keys() >= set(self._nodes[node].values())

    def _list_left(self) -> list[str]:
        """What the file holds and nothing was restored from."""
        used = {self._paths[i] for i in self._bound}
        return sorted(key for key in self._arrays if key.removesuffix(KEY).removesuffix(STATE) not in used)

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Raises AssertionError unless all that the file holds was restored, and all variables were."""
        self.assert_existing_objects_matched()
        left = self._list_left()
        if left:
            raise AssertionError(
                f"Unresolved object in checkpoint (root).{left[0].removesuffix(KEY).replace('/', '.')}: in all {len(left)}: {left}"
            )
        return self

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """Raises AssertionError unless all variables there are now were restored."""
        restored = {id(variable_of(thing)) for thing in self._bound.values()}
        left = [v for _, v in walk(self._root) if id(v) not in restored]
        if left:
            raise AssertionError(
                f"Found {len(left)} Python objects that were not bound to checkpointed values, likely due to changes in the Python "
                f"program. Showing {min(10, len(left))} of {len(left)} unmatched objects: {left[:10]}"
            )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """Raises AssertionError unless something beside the root was found."""
        if not self._bound.keys() - {0}:
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means that the checkpoint does not match the "
                f"Python program. It holds {sorted(self._arrays)}"
            )
        return self

    def expect_partial(self) -> CheckpointLoadStatus:
        """Say that not all that the file holds is wanted, so that nothing warns of what is left."""
        self._expects_all = False
        return self

    def __del__(self) -> None:
        left = self._list_left() if self._expects_all and self._bound else []
        if left:
            _log.warning(
                "A checkpoint was restored and let go of before all of its values were used; `status.expect_partial()` says that this "
                "is meant. Value in checkpoint could not be found in the restored object: %s",
                ", ".join(f"(root).{key.removesuffix(KEY).replace('/', '.')}" for key in left[:10]) + ", ..." * (len(left) > 10),
            )

    def initialize_or_restore(self, session: Session | None = None) -> None:
        """Run the restores of variables in graphs, and initialise those that the file has not; eagerly nothing is left to do."""
        restored = {id(variable_of(thing)) for thing in self._bound.values()}
        fresh = [v.initializer for _, v in walk(self._root) if id(v) not in restored and v._graph is not None]
        if fresh:
            session_of(session).run(fresh)
        self.run_restore_ops(session)

    def run_restore_ops(self, session: Session | None = None) -> None:
        """Run the restores of variables in graphs; eagerly they are done."""
        for variable, array in self._in_graph:
            variable.load(array, session_of(session))


class InitializationOnlyStatus(CheckpointLoadStatus):
    """The answer to `restore(None)`: there is nothing to restore."""

    def __init__(self, root: Any) -> None:
        super().__init__(root, {})

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Raises AssertionError: there is no checkpoint."""
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed


def _bytes(state: str | bytes) -> bytes:
    return state.encode() if isinstance(state, str) else state


@export("train.Checkpoint", v1="contrib.eager.Checkpoint")
class Checkpoint(AutoTrackable):
    """Saves and restores variables by the names of the objects that hold them.

    Args:
        root: an object whose attributes are saved as if they were the checkpoint's own.
        kwargs: what to save: variables, lists, tuples, dicts, modules, optimizers, other checkpoints; they become attributes.

    Raises:
        ValueError: something that cannot hold variables.

    >>> import tempfile, pullback as tf
    >>> v = tf.Variable(1.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=v).save(folder + "/model")
    ...     _ = v.assign(5.0)
    ...     _ = tf.train.Checkpoint(v=v).restore(path)
    >>> path.removeprefix(folder), v.numpy().item()
    ('/model-1', 1.0)
    """

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        root = root() if isinstance(root, weakref.ref) else root
        for name, thing in kwargs.items():
            if not may_hold(make_walkable(thing)):
                raise ValueError(
                    f"`Checkpoint` was expecting {name} to be a trackable object (a variable, a list, tuple or dict, a dataclass, a "
                    f"tf.Module, an optimizer or a Checkpoint), got {thing}."
                )
            if root is not None and hasattr(root, name) and getattr(root, name) is not thing:
                raise ValueError(f"Cannot create a Checkpoint with keyword argument {name} if root.{name} already exists.")
        if root is not None and (not may_hold(root) or isinstance(wrap_value(root), (list, tuple, dict))):
            raise ValueError(
                "`Checkpoint` was expecting root to be a trackable object (an object that holds variables under names of its own, not a "
                f"list, tuple or dict: give these names, as in Checkpoint(layers=...)), got {root}."
            )
        self._root = root
        self._counter: Any = None
        self._counting: tuple[Any, Any] | None = None
        for name, thing in sorted(kwargs.items()):
            setattr(self, name, thing)

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        own = {
            name: make_walkable(thing) for name, thing in vars(self).items() if name not in ("_root", "_counter", "_counting", "_self_held")
        }
        own = {name: thing for name, thing in own.items() if may_hold(thing)}
        counter = {} if self._counter is None else {"save_counter": self._counter}
        return {**own, **({} if self._root is None else self._root._trackable_children()), **counter}

    @property
    def save_counter(self) -> Variable:
        """A variable that counts the calls of `save`."""
        if self._counter is None:
            self._counter = Variable(np.int64(0), trainable=False, name="save_counter")
            self._pending.tell("save_counter", self._counter)
        return self._counter

    def write(self, file_prefix: Any, options: object = None, session: Session | None = None) -> str:
        """Write the variables to `file_prefix`, uncounted and unlisted, for `read`.

        Args:
            file_prefix: a folder and the beginning of a file name. options: a `CheckpointOptions`. session: for variables in graphs.

        Returns:
            `file_prefix`.
        """
        prefix = str(os.fspath(file_prefix))
        graph = ObjectGraph(self)
        for thing in graph.objects:
            if isinstance(thing, Wrapper):
                thing.check_saveable()
        named = list(zip(graph.names, graph.objects, strict=True))
        found = [(path, thing) for path, thing in named if isinstance(thing, Variable)]
        in_graph = {path: v for path, v in found if v._graph is not None}
        values = session_of(session).run(in_graph) if in_graph else {}
        arrays = {path + KEY: np.asarray(values[path] if path in values else v.numpy()) for path, v in found}
        arrays |= {path + STATE: np.array(_bytes(state.serialize()), object) for path, state in named if isinstance(state, PythonState)}
        counts = Counter(v._shared_name for _, v in found)
        named_keys = {v._shared_name: path + KEY for path, v in found if counts[v._shared_name] == 1}
        write_once(graph.objects, lambda: files.write_arrays(prefix, arrays, graph.nodes, named_keys))
        for call in getattr(options, "experimental_write_callbacks", None) or ():
            call(*([prefix] if inspect.signature(call).parameters else []))
        return prefix

    def save(self, file_prefix: Any, options: Any = None, session: Any = None) -> str:
        """Write the variables to `file_prefix-1`, `file_prefix-2`, ..., and make it the folder's latest checkpoint.

        Arguments as `write`.

        Returns:
            The name by which to restore.
        """
        prefix = f"{os.fspath(file_prefix)}-{self._count(session)}"
        self.write(prefix, options, session)
        write_once((v for _, v in walk(self)), lambda: update_checkpoint_state(os.path.dirname(prefix), prefix))
        return prefix

    def _count(self, session: Any) -> int:
        counter = self.save_counter
        if counter._graph is None:
            return int(counter.assign_add(1).numpy())
        running = session_of(session)
        if self._counting is None:
            self._counting = counter.is_initialized(), counter.assign_add(1)
        if not running.run(self._counting[0]):
            running.run(counter.initializer)
        return int(running.run(self._counting[1]))

    def read(self, save_path: Any, options: object = None) -> CheckpointLoadStatus | NameBasedSaverStatus:
        """Restore what `write` wrote, or a `tf.compat.v1.train.Saver`, whose file has variables by their names.

        Returns:
            A status that can tell what was matched.

        Raises:
            NotFoundError: no such checkpoint. ValueError, InvalidArgumentError: an array whose shape or dtype does not fit its variable;
                then nothing has changed.
        """
        arrays, nodes = files.read_checkpoint(os.fspath(save_path))
        if nodes is None and arrays and not any(key.endswith((KEY, STATE)) for key in arrays):
            return NameBasedSaverStatus(self, arrays)
        status = CheckpointLoadStatus(self, arrays, nodes)
        status._bind(0, self)
        return status

    def restore(self, save_path: str | os.PathLike[str] | None, options: object = None) -> CheckpointLoadStatus | NameBasedSaverStatus:
        """Restore what `save` saved, now and as further variables are made. None restores nothing. Result and errors as `read`."""
        if save_path is None:
            return InitializationOnlyStatus(self)
        try:
            status = self.read(save_path)
        except NotFoundError as why:
            raise NotFoundError(
                None,
                None,
                f"Error when restoring from checkpoint or SavedModel at {os.fspath(save_path)}: {why.message}\nPlease double-check that "
                "the path is correct. You may be missing the checkpoint suffix (e.g. the '-1' in 'path/to/ckpt-1').",
            ) from why
        counter = self.save_counter
        if isinstance(status, NameBasedSaverStatus):
            status.add_to_optionally_restored(counter)
        return status


@export("train.CheckpointManager")
class CheckpointManager:
    """Keeps the last checkpoints of a folder.

    Args:
        checkpoint: what to save. directory: the folder.
        max_to_keep: how many checkpoints to keep; None for all.
        keep_checkpoint_every_n_hours: keep one for good after so many hours.
        checkpoint_name: the beginning of file names.
        step_counter, checkpoint_interval: save only when this variable has grown by so much.
        init_fn: what `restore_or_initialize` calls when there is no checkpoint.
        last_checkpoint_step: the step of the last save before this manager was made.

    Raises:
        ValueError: `max_to_keep` below 1; an interval without a counter.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     v = tf.Variable(0.0)
    ...     manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), folder, max_to_keep=2)
    ...     for step in range(3):
    ...         path = manager.save()
    ...     print([os.path.basename(kept) for kept in manager.checkpoints])
    ['ckpt-2', 'ckpt-3']
    """

    def __init__(
        self,
        checkpoint: Any,
        directory: Any,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Any = None,
        checkpoint_interval: int | None = None,
        init_fn: Callable[[], Any] | None = None,
        last_checkpoint_step: int | None = None,
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}.")
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError("`step_counter` should be passed if `checkpoint_interval` is not None.")
        self._checkpoint, self._directory, self._name = checkpoint, str(os.fspath(directory)), checkpoint_name
        self._most, self._hours = max_to_keep, keep_checkpoint_every_n_hours
        self._step_counter, self._interval, self._last_step, self._init_fn = (
            step_counter,
            checkpoint_interval,
            last_checkpoint_step,
            init_fn,
        )
        state = get_checkpoint_state(self._directory)
        self._kept: dict[str, float] = {}
        self._latest = None
        self._for_good = time.time()
        if state is not None:
            paths, times = state.all_model_checkpoint_paths, state.all_model_checkpoint_timestamps
            times = times if len(times) == len(paths) else [self._for_good] * len(paths)
            self._kept = {path: when for path, when in zip(paths, times, strict=True) if files.exists(path) and self._is_own(path)}
            self._latest = state.model_checkpoint_path
            self._for_good = state.last_preserved_timestamp or self._for_good

    @property
    def directory(self) -> str:
        """The folder."""
        return self._directory

    @property
    def checkpoint(self) -> Any:
        """What is saved."""
        return self._checkpoint

    @property
    def checkpoints(self) -> list[str]:
        """The checkpoints kept, oldest first."""
        return list(self._kept)

    @property
    def latest_checkpoint(self) -> str | None:
        """The last checkpoint, or None."""
        return self._latest

    @property
    def checkpoint_interval(self) -> int | None:
        """How much the step counter must grow between two saves."""
        return self._interval

    def save(self, checkpoint_number: Any = None, check_interval: bool = True, options: object = None) -> str | None:
        """Save a checkpoint, and delete the oldest if there are too many.

        Args:
            checkpoint_number: the number in its name; how many saves there were, when None.
            check_interval: whether to save only if the step counter has grown enough. options: accepted.

        Returns:
            The name by which to restore, or None if it was not time to save.
        """
        if self._interval is not None:
            step = self._step()
            if self._last_step is not None and (step == self._last_step or (check_interval and step < self._last_step + self._interval)):
                return None
            self._last_step = step
        counted = self._checkpoint._count(None)
        number = counted if checkpoint_number is None else int(checkpoint_number)
        path = self._checkpoint.write(os.path.join(self._directory, f"{self._name}-{number}"))
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        self._latest = path
        write_once((v for _, v in walk(self._checkpoint)), self._list)
        if self._sweep():
            write_once((v for _, v in walk(self._checkpoint)), self._list)
        return str(path)

    def _is_own(self, path: str) -> bool:
        """Whether a checkpoint that the folder's list names is in the folder. Others are not kept, so they are never deleted."""
        if lies_in(path, self._directory):
            return True
        _log.warning("The list of checkpoints in %s names %s, which is not in that folder: it is left alone", self._directory, path)
        return False

    def _list(self) -> None:
        """Write the folder's list: before old checkpoints are deleted, so that it never names but these, and again after."""
        kept, times = list(self._kept), list(self._kept.values())
        update_checkpoint_state(self._directory, str(self._latest), kept, None, times, self._for_good, save_relative_paths=True)

    def _step(self) -> int:
        counter = self._step_counter
        return int(counter.numpy() if counter._graph is None else session_of(None).run(counter))

    def _sweep(self) -> bool:
        """Delete what is too much; whether there was any."""
        too_many = self._most is not None and len(self._kept) > self._most
        while self._most is not None and len(self._kept) > self._most:
            path, when = next(iter(self._kept.items()))
            del self._kept[path]
            if self._hours is not None and when - self._hours * 3600 >= self._for_good:
                self._for_good = when
            else:
                files.remove(path)
        return too_many

    def restore_or_initialize(self) -> str | None:
        """Restore the latest checkpoint, and give its name; without one call `init_fn`, and give None."""
        if self._latest is None:
            if self._init_fn is not None:
                self._init_fn()
            return None
        self._checkpoint.restore(self._latest)
        if self._interval is not None:
            self._last_step = self._step()
        return self._latest

    def sync(self) -> None:
        """Wait until all saves are written; here they are when `save` returns."""
