"""The text file `checkpoint` of a folder, TensorFlow's, line for line: its latest checkpoint, and all that are kept."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from ..base.errors import DataLossError
from ..base.export import export
from .atomic_files import read_whole, write_atomically


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
        lines = [f"model_checkpoint_path: {_quote(self.model_checkpoint_path)}"]
        lines += [f"all_model_checkpoint_paths: {_quote(path)}" for path in self.all_model_checkpoint_paths]
        lines += [f"all_model_checkpoint_timestamps: {time!r}" for time in self.all_model_checkpoint_timestamps]
        if self.last_preserved_timestamp is not None:
            lines.append(f"last_preserved_timestamp: {self.last_preserved_timestamp!r}")
        return "\n".join(lines) + "\n"

    __repr__ = __str__


def _quote(text: str) -> str:
    """A string as protocol buffers write it: bytes that are no plain characters by their octal numbers."""
    escapes = {"\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\"", "'": r"\'", "\\": r"\\"}
    shown = (escapes.get(chr(byte)) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in os.fsencode(text))
    return f'"{"".join(shown)}"'


def _unquote(text: str) -> str:
    if not re.fullmatch(r""""([^"\\]|\\.)*"|'([^'\\]|\\.)*'""", text):
        raise ValueError(f"{text[:80]} is no string")
    plain = "".join(c if c.isascii() else "".join(f"\\{byte:03o}" for byte in c.encode()) for c in text)
    try:
        found = os.fsdecode(ast.literal_eval("b" + plain))
    except SyntaxError as why:
        raise ValueError(f"{text[:80]} is no string") from why
    if "\0" in found:
        raise ValueError("a path has a zero byte")
    return found


_FIELDS: dict[str, Callable[[str], Any]] = {
    "model_checkpoint_path": _unquote,
    "all_model_checkpoint_paths": _unquote,
    "all_model_checkpoint_timestamps": float,
    "last_preserved_timestamp": float,
}


def _parse(text: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {name: [] for name in _FIELDS}
    for line in text.split("\n"):
        name, colon, value = line.strip().partition(":")
        if (not name and not colon) or name.startswith("#"):
            continue
        if not colon or name not in _FIELDS:
            raise ValueError(f"{line[:80]!r} is no field of it")
        found[name].append(_FIELDS[name](value.strip()))
    if any(len(found[name]) > 1 for name in ("model_checkpoint_path", "last_preserved_timestamp")):
        raise ValueError("a field is given twice")
    return found


@export(v1="train.update_checkpoint_state")
def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
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
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.compat.v1.train.update_checkpoint_state(folder, folder + "/ckpt-2", [folder + "/ckpt-1"])
    ...     found = tf.train.get_checkpoint_state(folder)
    >>> len(found.all_model_checkpoint_paths), found.model_checkpoint_path == folder + "/ckpt-2"
    (2, True)
    """
    kept = [*(p for p in all_model_checkpoint_paths or [] if p != model_checkpoint_path), model_checkpoint_path]

    def show_path(path: str) -> str:
        if os.path.isabs(path) and not save_relative_paths:
            return path
        return os.path.relpath(path, save_dir)

    times = [float(time) for time in all_model_checkpoint_timestamps or []]
    state = CheckpointState(show_path(model_checkpoint_path), [show_path(p) for p in kept], times, last_preserved_timestamp)
    write_atomically(os.path.join(save_dir, latest_filename or "checkpoint"), str(state).encode())


@export("train.get_checkpoint_state")
def get_checkpoint_state(checkpoint_dir: str, latest_filename: str | None = None) -> CheckpointState | None:
    """What a folder's list of checkpoints says, with full paths; None if there is no list.

    Raises:
        DataLossError: the list cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(tf.train.get_checkpoint_state(folder))
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/ckpt")
    ...     print(tf.train.get_checkpoint_state(folder).model_checkpoint_path == path)
    None
    True
    """
    path = os.path.join(checkpoint_dir, latest_filename or "checkpoint")
    try:
        found = _parse(read_whole(path).decode())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as why:
        raise DataLossError(None, None, f"The list of checkpoints {path} is damaged: {why}") from why
    if not found["model_checkpoint_path"]:
        return None

    def complete_path(stored: str) -> str:
        return stored if os.path.isabs(stored) else os.path.join(checkpoint_dir, stored)

    return CheckpointState(
        complete_path(found["model_checkpoint_path"][0]),
        [complete_path(p) for p in found["all_model_checkpoint_paths"]],
        found["all_model_checkpoint_timestamps"],
        next(iter(found["last_preserved_timestamp"]), None),
    )


def lies_in(path: str, folder: str) -> bool:
    """Whether a path is below a folder, links followed: what a list of checkpoints names need not be."""
    inside = os.path.realpath(folder)
    return os.path.commonpath([os.path.realpath(os.path.dirname(path) or "."), inside]) == inside
