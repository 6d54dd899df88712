"""Checkpoint files: named arrays in one `.safetensors` file, and the small text file that lists a folder's checkpoints.

A checkpoint is known by its prefix, as in TensorFlow: `folder/model.ckpt-7` is the file `folder/model.ckpt-7.safetensors`.
Files are written aside and moved into place, so that a reader (or a crash) never meets half of one.  safetensors has no
complex numbers, no bfloat16 in NumPy and no strings: these are stored as numbers it has, and its metadata says as what.
The text file `checkpoint` is TensorFlow's, line for line.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np

from ..base import dtypes
from ..base.errors import DataLossError, NotFoundError
from ..base.files import local_path

SUFFIX = ".safetensors"
_NOTE = "pullback.dtypes"
_fresh = itertools.count().__next__


def file_of(prefix: str) -> str:
    """The file of the checkpoint `prefix`."""
    return local_path(prefix) + SUFFIX


def write_arrays(prefix: str, arrays: Mapping[str, np.ndarray]) -> None:
    """Write a checkpoint; the folder is made if it is not there.

    Raises:
        OSError: the file system refuses.
    """
    from safetensors.numpy import save

    packed: dict[str, np.ndarray] = {}
    notes: dict[str, Any] = {}
    for name, array in arrays.items():
        packed[name], note = _pack(np.asarray(array))
        if note is not None:
            notes[name] = note
    _write_whole(file_of(prefix), save(packed, {_NOTE: json.dumps(notes)}))


def read_arrays(prefix: str) -> dict[str, np.ndarray]:
    """The arrays of a checkpoint by name.

    Raises:
        NotFoundError: there is no such checkpoint. DataLossError: the file is damaged.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    data = _read_whole(prefix)
    try:
        arrays = load(data)
        (size,) = np.frombuffer(data[:8], "<u8")
        notes = json.loads(json.loads(data[8 : 8 + int(size)]).get("__metadata__", {}).get(_NOTE, "{}"))
        return {name: _unpack(array, notes.get(name)) for name, array in arrays.items()}
    except (SafetensorError, ValueError, KeyError) as why:
        raise DataLossError(None, None, f"The checkpoint file {file_of(prefix)} is damaged: {why}") from why


def _pack(array: np.ndarray) -> tuple[np.ndarray, Any]:
    """An array that safetensors takes, and a note on how to undo it."""
    if array.dtype == ml_dtypes.bfloat16:
        return array.view(np.uint16).copy(order="C"), "bfloat16"
    if array.dtype.kind == "c":
        return np.stack([array.real, array.imag], -1), array.dtype.name
    if array.dtype.kind in "OSU":
        items = [item if isinstance(item, bytes) else str(item).encode() for item in array.ravel().tolist()]
        return np.frombuffer(b"".join(items), np.uint8), {"shape": list(array.shape), "lengths": [len(item) for item in items]}
    return array.copy(order="C"), None


def _unpack(array: np.ndarray, note: Any) -> np.ndarray:
    if note is None:
        return array
    if note == "bfloat16":
        return array.view(ml_dtypes.bfloat16)
    if isinstance(note, str):
        return np.asarray(array[..., 0] + 1j * array[..., 1], note)
    ends = np.cumsum(note["lengths"])
    text = array.tobytes()
    strings = np.empty(len(ends), object)
    strings[:] = [text[end - length : end] for end, length in zip(ends, note["lengths"], strict=True)]
    return strings.reshape(note["shape"])


def _write_whole(path: str, data: bytes) -> None:
    path = local_path(path)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    aside = f"{path}.{os.getpid()}-{_fresh()}.part"
    try:
        with open(aside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(aside)
        raise


def _read_whole(prefix: str) -> bytes:
    try:
        with open(file_of(prefix), "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        foreign = "; what is there was written by TensorFlow, whose checkpoint files Pullback does not read" * os.path.exists(
            prefix + ".index"
        )
        raise NotFoundError(
            None, None, f"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {prefix}{foreign}"
        ) from None


def exists(prefix: str) -> bool:
    """Whether there is a checkpoint `prefix`."""
    return os.path.isfile(file_of(prefix))


def remove(prefix: str) -> None:
    """Delete a checkpoint; one that is gone already is no error."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(file_of(prefix))


class CheckpointReader:
    """What a checkpoint holds.

    >>> import tempfile
    >>> import pullback.compat.v1 as tf
    >>> with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable([1.0, 2.0], name="v")
    ...     session.run(v.initializer)
    ...     reader = tf.train.NewCheckpointReader(tf.train.Saver([v]).save(session, folder + "/model.ckpt"))
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
        return {name: dtypes.of(array) for name, array in self._arrays.items()}

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether there is an array of this name."""
        return tensor_str in self._arrays

    def get_tensor(self, tensor_str: str) -> Any:
        """The array of this name. Raises NotFoundError if there is none."""
        if tensor_str not in self._arrays:
            raise NotFoundError(None, None, f"Key {tensor_str} not found in checkpoint")
        return self._arrays[tensor_str]

    def debug_string(self) -> bytes:
        """A line for each array: its name, dtype and shape."""
        return "".join(f"{name} ({dtypes.of(a).name}) {list(a.shape)}\n" for name, a in sorted(self._arrays.items())).encode()


# ---- the list of a folder's checkpoints


class CheckpointState:
    """What the text file `checkpoint` of a folder says: the latest checkpoint and all that are kept, oldest first."""

    def __init__(
        self,
        model_checkpoint_path: str = "",
        all_model_checkpoint_paths: list[str] | None = None,
        all_model_checkpoint_timestamps: list[float] | None = None,
        last_preserved_timestamp: float | None = None,
    ) -> None:
        self.model_checkpoint_path = model_checkpoint_path
        self.all_model_checkpoint_paths = all_model_checkpoint_paths or []
        self.all_model_checkpoint_timestamps = all_model_checkpoint_timestamps or []
        self.last_preserved_timestamp = last_preserved_timestamp

    def __str__(self) -> str:
        lines = [f"model_checkpoint_path: {json.dumps(self.model_checkpoint_path)}"]
        lines += [f"all_model_checkpoint_paths: {json.dumps(path)}" for path in self.all_model_checkpoint_paths]
        lines += [f"all_model_checkpoint_timestamps: {time!r}" for time in self.all_model_checkpoint_timestamps]
        if self.last_preserved_timestamp is not None:
            lines.append(f"last_preserved_timestamp: {self.last_preserved_timestamp!r}")
        return "\n".join(lines) + "\n"

    __repr__ = __str__


def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: list[float] | None = None,
    last_preserved_timestamp: float | None = None,
    save_relative_paths: bool = False,
) -> None:
    """Write a folder's list of checkpoints.

    Args:
        save_dir: the folder.
        model_checkpoint_path: the latest checkpoint.
        all_model_checkpoint_paths: all that are kept, oldest first; the latest is put last.
        latest_filename: the name of the text file, `checkpoint` if None.
        all_model_checkpoint_timestamps: when each was written, in seconds.
        last_preserved_timestamp: when the newest one was written that is kept for good.
        save_relative_paths: write paths relative to the folder, so that it can be moved.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.compat.v1.train.update_checkpoint_state(folder, folder + "/ckpt-2", [folder + "/ckpt-1"])
    ...     found = tf.train.get_checkpoint_state(folder)
    >>> len(found.all_model_checkpoint_paths), found.model_checkpoint_path == folder + "/ckpt-2"
    (2, True)
    """
    kept = [*(p for p in all_model_checkpoint_paths or [] if p != model_checkpoint_path), model_checkpoint_path]

    def shown(path: str) -> str:
        if os.path.isabs(path) and not save_relative_paths:
            return path
        return os.path.relpath(path, save_dir)

    state = CheckpointState(
        shown(model_checkpoint_path), [shown(p) for p in kept], all_model_checkpoint_timestamps, last_preserved_timestamp
    )
    _write_whole(os.path.join(save_dir, latest_filename or "checkpoint"), str(state).encode())


def get_checkpoint_state(checkpoint_dir: str, latest_filename: str | None = None) -> CheckpointState | None:
    """What a folder's list of checkpoints says, with full paths; None if there is no list.

    Raises:
        DataLossError: the list cannot be read.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(tf.train.get_checkpoint_state(folder))
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/ckpt")
    ...     print(tf.train.get_checkpoint_state(folder).model_checkpoint_path == path)
    None
    True
    """
    path = local_path(os.path.join(checkpoint_dir, latest_filename or "checkpoint"))
    try:
        with open(path, encoding="utf-8") as file:
            fields = re.findall(r"^(\w+):\s*(.+)$", file.read(), re.MULTILINE)
    except (FileNotFoundError, NotADirectoryError):
        return None
    found: dict[str, list[Any]] = {}
    try:
        for name, value in fields:
            found.setdefault(name, []).append(json.loads(value))
    except ValueError as why:
        raise DataLossError(None, None, f"The list of checkpoints {path} is damaged: {why}") from why
    if "model_checkpoint_path" not in found:
        return None

    def whole(stored: str) -> str:
        return stored if os.path.isabs(stored) else os.path.join(checkpoint_dir, stored)

    return CheckpointState(
        whole(found["model_checkpoint_path"][0]),
        [whole(p) for p in found.get("all_model_checkpoint_paths", [])],
        found.get("all_model_checkpoint_timestamps"),
        found.get("last_preserved_timestamp", [None])[0],
    )


def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """The newest checkpoint that a folder's list names; None if there is no list, or the file is gone.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/ckpt")
    ...     print(tf.train.latest_checkpoint(folder) == path)
    True
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    return state.model_checkpoint_path if state is not None and exists(state.model_checkpoint_path) else None


def load_checkpoint(ckpt_dir_or_file: str) -> CheckpointReader:
    """A reader of a checkpoint, or of the latest one in a folder.

    Raises:
        ValueError: the folder has no checkpoint. NotFoundError: there is no such checkpoint.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).save(folder + "/ckpt")
    ...     reader = tf.train.load_checkpoint(path)
    >>> reader.get_variable_to_shape_map()["v/.ATTRIBUTES/VARIABLE_VALUE"]
    [2]
    """
    return CheckpointReader(_resolved(ckpt_dir_or_file))


def _resolved(ckpt_dir_or_file: str) -> str:
    place = local_path(ckpt_dir_or_file)
    if not os.path.isdir(place):
        return place
    found = latest_checkpoint(place)
    if found is None:
        raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {place}")
    return found


def list_variables(ckpt_dir_or_file: str) -> list[tuple[str, list[int]]]:
    """Names and shapes of what a checkpoint holds, sorted by name. Raises as `load_checkpoint`.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).save(folder + "/ckpt")
    ...     for name, shape in tf.train.list_variables(path):
    ...         print(name, shape)
    save_counter/.ATTRIBUTES/VARIABLE_VALUE []
    v/.ATTRIBUTES/VARIABLE_VALUE [2]
    """
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file: str, name: str) -> Any:
    """One array of a checkpoint. Raises as `load_checkpoint`, and NotFoundError if there is none of this name.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).save(folder + "/ckpt")
    ...     print(tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE"))
    [1. 2.]
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Whether there is a checkpoint `checkpoint_prefix`.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/ckpt")
    ...     print(tf.compat.v1.train.checkpoint_exists(path), tf.compat.v1.train.checkpoint_exists(folder + "/other"))
    True False
    """
    return exists(os.fspath(checkpoint_prefix))


def remove_checkpoint(checkpoint_prefix: str) -> None:
    """Delete a checkpoint, if it is there.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/ckpt")
    ...     tf.compat.v1.train.remove_checkpoint(path)
    ...     print(tf.compat.v1.train.checkpoint_exists(path))
    False
    """
    remove(os.fspath(checkpoint_prefix))
