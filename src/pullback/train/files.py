"""Checkpoint files: named arrays in one `.safetensors` file, and what can be asked of them by name.

A checkpoint is known by its prefix, as in TensorFlow: `folder/model.ckpt-7` is the file `folder/model.ckpt-7.safetensors`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.errors import DataLossError, NotFoundError
from ..base.export import export
from ..base.files import local_path
from .atomic_files import SUFFIX, read_whole, write_atomically
from .checkpoint_state import get_checkpoint_state
from .packing import Nodes, pack, unpack, unpack_by_name
from .trackable import KEY


def file_of(prefix: str) -> str:
    """The file of the checkpoint `prefix`."""
    return local_path(prefix) + SUFFIX


def saved_model_in(folder: str) -> str:
    """The checkpoint that the file of a SavedModel is."""
    return os.path.join(local_path(folder), "saved_model")


def write_arrays(prefix: str, arrays: Mapping[str, np.ndarray], nodes: Nodes | None = None, names: Mapping[str, str] | None = None) -> None:
    """Write a checkpoint, with the objects that held the arrays and the names of variables; the folder is made if it is not there.

    Raises:
        OpError: the file system refuses.
    """
    write_atomically(file_of(prefix), pack(arrays, nodes, names))


def read_arrays(prefix: str) -> dict[str, np.ndarray]:
    """The arrays of a checkpoint by name. Raises as `read_checkpoint`."""
    return read_checkpoint(prefix)[0]


def read_arrays_by_name(prefix: str) -> dict[str, np.ndarray]:
    """The arrays of a checkpoint of objects, by the names that their variables had. Raises as `read_checkpoint`."""
    try:
        return unpack_by_name(read_whole(file_of(prefix)))
    except ValueError as why:
        raise DataLossError(None, None, f"The checkpoint file {file_of(prefix)} is damaged: {why}") from why


def read_checkpoint(prefix: str) -> tuple[dict[str, np.ndarray], Nodes | None]:
    """The arrays of a checkpoint by name, and the objects that held them if it says so.

    Raises:
        NotFoundError: there is no such checkpoint. DataLossError: the file is damaged.
    """
    try:
        if exists(saved := saved_model_in(prefix)):
            arrays, nodes = unpack(read_whole(file_of(saved)))
            return {name: array for name, array in arrays.items() if name.endswith(KEY)}, nodes
        return unpack(read_whole(file_of(prefix)))
    except (FileNotFoundError, NotADirectoryError):
        foreign = "; what is there was written by TensorFlow, whose checkpoint files Pullback does not read" * os.path.exists(
            prefix + ".index"
        )
        raise NotFoundError(
            None, None, f"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {prefix}{foreign}"
        ) from None
    except ValueError as why:
        raise DataLossError(None, None, f"The checkpoint file {file_of(prefix)} is damaged: {why}") from why


def exists(prefix: str) -> bool:
    """Whether there is a checkpoint `prefix`."""
    return os.path.isfile(file_of(prefix))


def remove(prefix: str, meta_graph_suffix: str = "meta") -> None:
    """Delete a checkpoint, and the graph beside it; one that is gone already is no error."""
    for path in (file_of(prefix), f"{local_path(prefix)}.{meta_graph_suffix}"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


@export(v1="train.NewCheckpointReader")
class CheckpointReader:
    """What a checkpoint holds.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.Variable([1.0, 2.0], name="v")
    ...     session.run(v.initializer)
    ...     reader = tf1.train.NewCheckpointReader(tf1.train.Saver([v]).save(session, folder + "/model.ckpt"))
    >>> reader.get_variable_to_shape_map(), reader.get_tensor("v")
    ({'v': [2]}, array([1., 2.], dtype=float32))
    """

    def __init__(self, prefix: str) -> None:
        self._arrays = read_arrays(prefix)

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shapes by name."""
        return {name: list(array.shape) for name, array in self._arrays.items()}

    def get_variable_to_dtype_map(self) -> dict[str, dtypes.DType]:
        """The dtypes by name."""
        return {name: dtypes.find_dtype(array) for name, array in self._arrays.items()}

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether there is an array of this name."""
        return tensor_str in self._arrays

    def get_tensor(self, tensor_str: str) -> Any:
        """The array of this name, a scalar as a number or bytes. Raises NotFoundError if there is none."""
        if tensor_str not in self._arrays:
            raise NotFoundError(None, None, f"Key {tensor_str} not found in checkpoint")
        return self._arrays[tensor_str][()]

    def debug_string(self) -> bytes:
        """A line for each array: its name, dtype and shape."""
        return "".join(f"{name} ({dtypes.find_dtype(a).name}) {list(a.shape)}\n" for name, a in sorted(self._arrays.items())).encode()


@export("train.latest_checkpoint")
def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """The newest checkpoint that a folder's list names; None if there is no list, or the file is gone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/ckpt")
    ...     print(tf.train.latest_checkpoint(folder) == path)
    True
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    return state.model_checkpoint_path if state is not None and exists(state.model_checkpoint_path) else None


@export("train.load_checkpoint", v1="contrib.framework.load_checkpoint")
def load_checkpoint(ckpt_dir_or_file: str) -> CheckpointReader:
    """A reader of a checkpoint, or of the latest one in a folder.

    Raises:
        ValueError: the folder has no checkpoint. NotFoundError: there is no such checkpoint.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).save(folder + "/ckpt")
    ...     reader = tf.train.load_checkpoint(path)
    >>> reader.get_variable_to_shape_map()["v/.ATTRIBUTES/VARIABLE_VALUE"]
    [2]
    """
    return CheckpointReader(_resolve_path(ckpt_dir_or_file))


def _resolve_path(ckpt_dir_or_file: str) -> str:
    place = local_path(ckpt_dir_or_file)
    if not os.path.isdir(place):
        return place
    found = latest_checkpoint(place) or (place if exists(saved_model_in(place)) else None)
    if found is None:
        raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {place}")
    return found


@export("train.list_variables", v1="contrib.framework.list_variables")
def list_variables(ckpt_dir_or_file: str) -> list[tuple[str, list[int]]]:
    """Names and shapes of what a checkpoint holds, sorted by name. Raises as `load_checkpoint`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).save(folder + "/ckpt")
    ...     for name, shape in tf.train.list_variables(path):
    ...         print(name, shape)
    save_counter/.ATTRIBUTES/VARIABLE_VALUE []
    v/.ATTRIBUTES/VARIABLE_VALUE [2]
    """
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


@export("train.load_variable", v1="contrib.framework.load_variable")
def load_variable(ckpt_dir_or_file: str, name: str) -> np.ndarray | Any:
    """One array of a checkpoint. Raises as `load_checkpoint`, and NotFoundError if there is none of this name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).save(folder + "/ckpt")
    ...     print(tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE"))
    [1. 2.]
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


@export(v1="train.checkpoint_exists")
def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Whether there is a checkpoint `checkpoint_prefix`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/ckpt")
    ...     print(tf.compat.v1.train.checkpoint_exists(path), tf.compat.v1.train.checkpoint_exists(folder + "/other"))
    True False
    """
    return exists(os.fspath(checkpoint_prefix))


@export(v1="train.remove_checkpoint")
def remove_checkpoint(checkpoint_prefix: str, checkpoint_format_version: Any = 2, meta_graph_suffix: str = "meta") -> None:
    """Delete a checkpoint, and the graph beside it, if they are there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/ckpt")
    ...     tf.compat.v1.train.remove_checkpoint(path)
    ...     print(tf.compat.v1.train.checkpoint_exists(path))
    False
    """
    remove(os.fspath(checkpoint_prefix), meta_graph_suffix)
