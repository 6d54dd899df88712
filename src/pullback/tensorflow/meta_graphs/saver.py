"""TensorFlow 1's `Saver`: the variables of a session in a file, and back.

A restore is one `Session.run` of assignments, so it happens whole or not at all. The graph is written beside them, as a meta graph.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ...api.collections import global_variables
from ...api.default import get_default_graph
from ...api.names import control_dependencies, name_scope, placeholder
from ...api.partitioned import PartitionedVariable
from ...api.variable import Variable
from ...base.dtypes import find_dtype
from ...base.errors import FailedPreconditionError, InvalidArgumentError, NotFoundError
from ...base.export import export
from ...base.files import local_path
from ...base.shapes import TensorShape
from ...ir.context import enter_graph, executing_eagerly
from ...ir.graph import Graph
from ...ir.tensor import IntLike
from ...ops.state.variables import ASSIGN, NO_OP
from ...train import files
from ...train.checkpoint_state import lies_in, update_checkpoint_state
from ...train.optimizer import restore_on_failure
from ...train.written_once import write_once
from .meta_graph import MetaGraph, export_meta_graph

_log = logging.getLogger("tensorflow")


@export(v1="train.Saver")
class Saver:
    """Saves and restores variables.

    Args:
        var_list: variables, or a dict of them by the names to save them under; None for all variables of the default graph.
        reshape: let a saved array of as many elements take the variable's shape.
        sharded: accepted; a checkpoint is one file.
        max_to_keep: how many checkpoints to keep; None or 0 for all.
        keep_checkpoint_every_n_hours: keep one for good after so many hours.
        name: of the operations. restore_sequentially, saver_def, builder, write_version, filename: accepted.
        defer_build: find the variables at the first use. allow_empty: no error without variables.
        pad_step_number: write steps with eight digits. save_relative_paths: write the list of checkpoints so that the folder can move.

    Raises:
        ValueError: no variables, or two of the same name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable(1.0, name="v")
    ...     saver = tf1.train.Saver()
    ...     sess.run(tf1.global_variables_initializer())
    ...     path = saver.save(sess, folder + "/model", global_step=3)
    ...     _ = sess.run(v.assign(5.0))
    ...     saver.restore(sess, path)
    ...     print(path.removeprefix(folder), sess.run(v))
    /model-3 1.0
    """

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: Any = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: Any = 2,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
    ) -> None:
        self._reshape, self._name, self._allow_empty = reshape, name or "save", allow_empty
        self._pad, self._relative = pad_step_number, save_relative_paths
        self._most = max_to_keep or 0
        self._hours = keep_checkpoint_every_n_hours
        self._next_for_good = time.time() + keep_checkpoint_every_n_hours * 3600
        self._last: list[tuple[str, float]] = []
        self._recovered: set[str] = set()
        self._given = var_list
        self._variables: dict[str, Any] | None = None
        self._restorers: dict[str, tuple[Any, Any]] = {}
        if not defer_build:
            self.build()

    def build(self) -> None:
        """Find the variables and make the operations that restore them."""
        if self._variables is not None:
            return
        if self._given is None and executing_eagerly():
            raise RuntimeError("When eager execution is enabled, `var_list` must specify a list or dict of variables to save")
        given = global_variables() + get_default_graph().get_collection("saveable_objects") if self._given is None else self._given
        variables = _name_variables(given)
        if not variables and not self._allow_empty:
            raise ValueError("No variables to save")
        self._variables = variables
        in_graph = {key: v for key, v in variables.items() if v._graph is not None}
        if not in_graph:
            return
        with enter_graph(next(iter(in_graph.values()))._graph), control_dependencies(None), name_scope(self._name):
            for key, v in in_graph.items():
                source = placeholder(v.dtype.base_dtype, v.dims, name="Placeholder")
                self._restorers[key] = source, ASSIGN.call(v.handle, source, name="Assign").op
            with control_dependencies([assign for _, assign in self._restorers.values()]):
                NO_OP(name="restore_all")

    def _build_variables(self) -> dict[str, Any]:
        self.build()
        assert self._variables is not None
        return self._variables

    def save(
        self,
        sess: Any,
        save_path: str,
        global_step: IntLike | None = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str:
        """Write the variables' values.

        Args:
            sess: the session that holds them; None for eager variables.
            save_path: where to: a folder and the beginning of a file name.
            global_step: a number, or a variable or tensor that holds it, to append to the name.
            latest_filename: the name of the list of checkpoints, `checkpoint` if None.
            write_state: whether to enter the checkpoint in that list.
            write_meta_graph: whether to write the graph too, for `import_meta_graph`; a warning says why where it cannot be.
            meta_graph_suffix: what its file ends in. strip_default_attrs, save_debug_info: accepted, and not needed.

        Returns:
            The name by which to restore.

        Raises:
            FailedPreconditionError: a variable without a value. ValueError: a `latest_filename` with a folder in it, a path below a file.
        """
        if latest_filename is not None and os.path.basename(latest_filename) != latest_filename:
            raise ValueError("'latest_filename' must not contain path components")
        variables = self._build_variables()
        prefix = os.fspath(save_path)
        if global_step is not None:
            number = _step_number(sess, global_step)
            prefix += f"-{number:08d}" if self._pad else f"-{number}"
        in_graph = {key: v for key, v in variables.items() if v._graph is not None}
        values = sess.run(in_graph) if in_graph else {}
        values |= {key: v.numpy() for key, v in variables.items() if v._graph is None}
        try:
            write_once(variables.values(), lambda: files.write_arrays(prefix, _join_parts(variables, values)))
        except FailedPreconditionError:
            if os.path.isdir(os.path.dirname(prefix)):
                raise
            raise ValueError(f"Parent directory of {prefix} doesn't exist, can't save.") from None
        if write_meta_graph and in_graph:
            self._write_meta_graph(sess.graph, f"{prefix}.{meta_graph_suffix}", variables)
        if write_state:
            if self._most:
                self._last = [(path, when) for path, when in self._last if path != prefix] + [(prefix, time.time())]
            write_once(variables.values(), lambda: self._list(prefix, latest_filename))
            if self._forget(os.path.dirname(prefix)):
                write_once(variables.values(), lambda: self._list(prefix, latest_filename))
        return prefix

    def _write_meta_graph(self, graph: Graph, path: str, variables: Mapping[str, Any]) -> None:
        try:
            with enter_graph(graph):
                made = export_meta_graph(saver_def=self)
        except ValueError as why:
            _log.warning("No meta graph is written with the checkpoint, so import_meta_graph cannot read it: %s", why)
            with suppress(FileNotFoundError):
                os.unlink(local_path(path))
            return
        write_once(variables.values(), lambda: made.write(path))

    def export_meta_graph(
        self, filename: str | None = None, collection_list: Sequence[str] | None = None, as_text: bool = False,
        export_scope: str | None = None, clear_devices: bool = False, clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False, save_debug_info: bool = False,
    ) -> MetaGraph:  # fmt: skip
        """`tf.train.export_meta_graph` of the default graph, with this saver."""
        return export_meta_graph(
            filename,
            saver_def=self,
            collection_list=collection_list,
            as_text=as_text,
            export_scope=export_scope,
            clear_devices=clear_devices,
        )

    def _describe(self) -> dict[str, Any]:
        parts = {key: v.handle.name for key, v in self._build_variables().items() if v._graph is not None}
        restorers = {key: [source.name, assign.name] for key, (source, assign) in self._restorers.items()}
        given = {"reshape": self._reshape, "pad_step_number": self._pad, "save_relative_paths": self._relative, "name": self._name}
        given |= {"max_to_keep": self._most, "keep_checkpoint_every_n_hours": self._hours, "allow_empty": self._allow_empty}
        return {"given": given, "variables": parts, "restorers": restorers}

    @classmethod
    def _from_description(
        cls, written: Mapping[str, Any], variable_of: Callable[[str], Variable], element_of: Callable[[str], Any]
    ) -> Saver:
        """The saver that `_describe` described, whose operations are in the graph already."""
        made = cls(**written["given"], defer_build=True)
        made._variables = {key: variable_of(name) for key, name in written["variables"].items()}
        made._restorers = {key: (element_of(source), element_of(assign)) for key, (source, assign) in written["restorers"].items()}
        return made

    def _list(self, prefix: str, latest_filename: str | None) -> None:
        """Write the folder's list: before old checkpoints are deleted, so that it never names but these, and again after."""
        kept, times = [path for path, _ in self._last], [when for _, when in self._last]
        update_checkpoint_state(os.path.dirname(prefix), prefix, kept, latest_filename, times or None, save_relative_paths=self._relative)

    def _forget(self, folder: str) -> bool:
        """Delete those of the last checkpoints that are too many, but for one in some hours; whether there was any.

        A checkpoint that was recovered, from a list that anybody may have written, is deleted from the folder saved to only.
        """
        too_many = bool(self._most) and len(self._last) > self._most
        while self._most and len(self._last) > self._most:
            path, when = self._last.pop(0)
            if when > self._next_for_good:
                self._next_for_good += self._hours * 3600
            elif path not in self._recovered or lies_in(path, folder):
                files.remove(path)
        return too_many

    def restore(self, sess: Any, save_path: str) -> None:
        """Read the variables' values; they need not be initialized.

        Args:
            sess: the session to restore into; None for eager variables.
            save_path: what `save` gave.

        Raises:
            ValueError: None, or no such checkpoint. NotFoundError: a variable is not in it. InvalidArgumentError: one has another
                dtype or shape. Then no variable is changed.
        """
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        prefix = os.fspath(save_path)
        if not files.exists(prefix):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {prefix}")
        arrays, variables = files.read_arrays(prefix), self._build_variables()
        if not variables.keys() <= arrays.keys():  # it may be of a `Checkpoint`, which says what the variables' names were
            arrays = files.read_arrays_by_name(prefix) | arrays
        values = {key: self._fitting(key, v, arrays, prefix) for key, v in variables.items()}
        feeds = {source: values[key] for key, (source, _) in self._restorers.items()}
        if feeds:
            sess.run([assign for _, assign in self._restorers.values()], feeds)
        eager = [(v, values[key]) for key, v in variables.items() if v._graph is None]
        with restore_on_failure([v for v, _ in eager]):
            for v, value in eager:
                v.assign(value)

    def _fitting(self, key: str, v: Any, arrays: Mapping[str, np.ndarray], prefix: str) -> np.ndarray:
        """The saved array for a variable, or for a part of one."""
        info = getattr(v, "_save_slice_info", None)
        if info is not None and info.full_name in arrays and list(arrays[info.full_name].shape) == info.full_shape:
            arrays = {key: arrays[info.full_name][info.slices]}
        if key not in arrays:
            raise NotFoundError(
                None,
                None,
                "Restoring from checkpoint failed. This is most likely due to a Variable name or other graph key that is missing from "
                f"the checkpoint: Key {key} not found in checkpoint {prefix}. It has {sorted(arrays)}.",
            )
        array = arrays[key]
        problem = None
        if find_dtype(array) is not v.dtype.base_dtype:
            problem = f"its dtype there is {find_dtype(array).name}, the variable's {v.dtype.base_dtype.name}"
        elif not v.shape.is_compatible_with(TensorShape(array.shape)):
            if self._reshape and v.shape.num_elements() == array.size:
                return array.reshape(v.shape.as_list())
            problem = f"its shape there is {list(array.shape)}, the variable's {v.shape.as_list()}"
        if problem:
            raise InvalidArgumentError(
                None,
                None,
                "Restoring from checkpoint failed. This is most likely due to a mismatch between the current graph and the graph from "
                f"the checkpoint {prefix}: {key}: {problem}.",
            )
        return array

    # ---- the checkpoints kept

    @property
    def last_checkpoints(self) -> list[str]:
        """The checkpoints kept, oldest first."""
        return [path for path, _ in self._last]

    def set_last_checkpoints(self, last_checkpoints: Sequence[str]) -> None:
        """Take these as the checkpoints kept, oldest first."""
        self._last = [(path, time.time()) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: Sequence[tuple[str, float]]) -> None:
        """Take these as the checkpoints kept, oldest first, each with the time it was written."""
        self._last = list(last_checkpoints_with_time)

    def recover_last_checkpoints(self, checkpoint_paths: Sequence[str]) -> None:
        """Take those of these checkpoints that are there as the ones kept, oldest first: to go on after a restart."""
        self._last = [(path, os.path.getmtime(files.file_of(path))) for path in checkpoint_paths if files.exists(path)]
        self._recovered = {path for path, _ in self._last}


def _join_parts(variables: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The values by name, parts of a variable put together."""
    found: dict[str, np.ndarray] = {}
    for key, v in variables.items():
        value, info = np.asarray(values[key]), getattr(v, "_save_slice_info", None)
        if info is None:
            found[key] = value
        else:
            found.setdefault(info.full_name, np.zeros(info.full_shape, value.dtype))[info.slices] = value
    return found


def _name_variables(given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return dict(given)
    found: dict[str, Any] = {}
    for v in (part for each in given for part in (each if isinstance(each, PartitionedVariable) else (each,))):
        if not isinstance(v, Variable):
            raise AttributeError(f"'{type(v).__name__}' object has no attribute 'name': {v!r} is not a variable to save")
        if v._shared_name in found:
            raise ValueError(f"At least two variables have the same name: {v._shared_name}")
        found[v._shared_name] = v
    return found


def _step_number(sess: Any, global_step: Any) -> int:
    if isinstance(global_step, (int, np.integer)):
        return int(global_step)
    if getattr(global_step, "_graph", None) is None and isinstance(global_step, Variable):
        return int(global_step.numpy())
    return int(sess.run(global_step))
