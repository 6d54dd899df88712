"""Checkpoint files: what is written comes back, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import resource
import stat
from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import pullback as tf
from pullback.base.errors import (
    DataLossError,
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    OutOfRangeError,
    ResourceExhaustedError,
)
from pullback.train import checkpoint_state, files


def arrays() -> dict[str, np.ndarray]:
    strings = np.empty((2, 2), object)
    strings[:] = [[b"a", b""], [b"\x00\xff", "å".encode()]]
    return {
        **{
            name: np.arange(6).reshape(2, 3).astype(name)
            for name in ("float16", "float32", "float64", "int8", "int64", "uint8", "uint64", "bool")
        },
        "bfloat16": np.array([[1.5, -2.0]], ml_dtypes.bfloat16),
        "complex64": np.array([1 + 2j, np.inf - 1j], np.complex64),
        "complex128": np.array(3 - 4j),
        "scalar": np.array(1.25, np.float32),
        "empty": np.zeros((0, 3), np.float32),
        "not contiguous": np.arange(12.0).reshape(3, 4).T,
        "net/strings:0": strings,
    }


def test_arrays_come_back(tmp_path: Path) -> None:
    prefix = str(tmp_path / "new" / "m.ckpt-3")
    files.write_arrays(prefix, arrays())
    found = files.read_arrays(prefix)
    assert found.keys() == arrays().keys()
    for name, array in arrays().items():
        assert found[name].dtype == array.dtype and found[name].shape == array.shape, name
        np.testing.assert_array_equal(found[name], array, name)
    assert os.listdir(tmp_path / "new") == ["m.ckpt-3.safetensors"]


def test_other_programs_can_read_the_file(tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    files.write_arrays(str(tmp_path / "m"), {"v": np.array([1.0, 2.0])})
    np.testing.assert_array_equal(load_file(tmp_path / "m.safetensors")["v"], [1.0, 2.0])


def test_a_file_has_the_permissions_of_others(tmp_path: Path) -> None:
    files.write_arrays(str(tmp_path / "m"), {"v": np.zeros(1)})
    (tmp_path / "plain").touch()
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("m.safetensors", "plain")]
    assert modes[0] == modes[1]


def test_a_write_that_fails_keeps_the_old_file(tmp_path: Path) -> None:
    prefix = str(tmp_path / "m")
    files.write_arrays(prefix, {"v": np.zeros(1)})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
        with pytest.raises(OutOfRangeError, match=r"m\.safetensors; File too large"):
            files.write_arrays(prefix, {"v": np.ones(1000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert files.read_arrays(prefix)["v"] == 0
    assert os.listdir(tmp_path) == ["m.safetensors"]


def test_what_the_system_refuses_has_the_class_of_tensorflow(tmp_path: Path) -> None:
    """Asked of TensorFlow 2.21: a full disk, a name too long, a folder."""
    with pytest.raises(ResourceExhaustedError, match=FULL):
        tf.io.write_file("/dev/full", b"a" * 100)
    with pytest.raises(InvalidArgumentError, match="File name too long"):
        tf.train.Checkpoint(v=tf.Variable(1.0)).write(str(tmp_path / ("a" * 300)))
    with pytest.raises(FailedPreconditionError, match="Is a directory"):
        tf.io.write_file(str(tmp_path), b"a")


FULL = "/dev/full; No space left on device"
BELOW_A_FILE: dict[str, Callable[[str], object]] = {
    "GFile": lambda path: tf.io.gfile.GFile(path, "w").write("a"),
    "GFile, to read": lambda path: tf.io.gfile.GFile(path).read(),
    "makedirs": tf.io.gfile.makedirs,
    "makedirs, of the file": lambda path: tf.io.gfile.makedirs(os.path.dirname(path)),
    "mkdir": tf.io.gfile.mkdir,
    "stat": tf.io.gfile.stat,
    "remove": tf.io.gfile.remove,
    "copy": lambda path: tf.io.gfile.copy(os.path.dirname(path), path),
    "rename": lambda path: tf.io.gfile.rename(os.path.dirname(path), path),
    "read_file": tf.io.read_file,
    "write_file": lambda path: tf.io.write_file(path, "a"),
    "TFRecordWriter": tf.io.TFRecordWriter,
    "Checkpoint.save": lambda path: tf.train.Checkpoint(v=tf.Variable(1.0)).save(path),
    "Checkpoint.write": lambda path: tf.train.Checkpoint(v=tf.Variable(1.0)).write(path),
    "saved_model.save": lambda path: tf.saved_model.save(tf.Module(), path),
    "TextFileInitializer": lambda path: tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(path, tf.string, 0, tf.int64, 1), 0),
    "Dataset.save": lambda path: tf.data.Dataset.range(3).save(path),
}


@pytest.mark.parametrize("call", BELOW_A_FILE.values(), ids=BELOW_A_FILE)
def test_a_path_through_a_file_is_a_failed_precondition(call: Callable[[str], object], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(FailedPreconditionError, match=r"[Nn]ot a directory"):
        call(str(tmp_path / "file" / "x"))
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("compression", [None, "ZLIB", "GZIP"])
def test_writers_say_that_a_disk_is_full(compression: str | None) -> None:
    for size in (100, 10_000_000):
        with pytest.raises(ResourceExhaustedError, match=FULL), tf.io.TFRecordWriter("/dev/full", compression) as writer:
            writer.write(os.urandom(size))
            with pytest.raises(ResourceExhaustedError, match=FULL):
                writer.flush()
    with pytest.raises(ResourceExhaustedError, match=FULL), tf.io.gfile.GFile("/dev/full", "wb") as file:
        file.write(bytes(1_000_000))


def test_what_cannot_be_read(tmp_path: Path) -> None:
    prefix = str(tmp_path / "m")
    with pytest.raises(NotFoundError, match="Failed to find any matching files"):
        files.read_arrays(prefix)
    (tmp_path / "m.index").touch()
    with pytest.raises(NotFoundError, match="written by TensorFlow"):
        files.read_arrays(prefix)
    files.write_arrays(prefix, {"v": np.zeros(100)})
    whole = (tmp_path / "m.safetensors").read_bytes()
    for length in (0, 4, 20, len(whole) - 1):
        (tmp_path / "m.safetensors").write_bytes(whole[:length])
        with pytest.raises(DataLossError, match="damaged"):
            files.read_arrays(prefix)


def test_the_list_of_checkpoints(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert checkpoint_state.get_checkpoint_state(folder) is None
    assert files.latest_checkpoint(folder) is None
    for k in (1, 2):
        files.write_arrays(f"{folder}/m-{k}", {"v": np.zeros(1)})
    checkpoint_state.update_checkpoint_state(folder, f"{folder}/m-2", [f"{folder}/m-1"], None, [1.5, 2.5], 0.5)
    assert (tmp_path / "checkpoint").read_text() == (
        f'model_checkpoint_path: "{folder}/m-2"\nall_model_checkpoint_paths: "{folder}/m-1"\nall_model_checkpoint_paths: "{folder}/m-2"\n'
        "all_model_checkpoint_timestamps: 1.5\nall_model_checkpoint_timestamps: 2.5\nlast_preserved_timestamp: 0.5\n"
    )
    state = checkpoint_state.get_checkpoint_state(folder)
    assert state is not None
    assert state.all_model_checkpoint_paths == [f"{folder}/m-1", f"{folder}/m-2"]
    assert (state.all_model_checkpoint_timestamps, state.last_preserved_timestamp) == ([1.5, 2.5], 0.5)
    assert files.latest_checkpoint(folder) == f"{folder}/m-2"
    files.remove_checkpoint(f"{folder}/m-2")
    files.remove_checkpoint(f"{folder}/m-2")
    assert files.latest_checkpoint(folder) is None


def test_relative_paths_move_with_their_folder(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    files.write_arrays(str(old / "m-1"), {"v": np.zeros(1)})
    checkpoint_state.update_checkpoint_state(str(old), str(old / "m-1"), save_relative_paths=True)
    old.rename(new)
    assert files.latest_checkpoint(str(new)) == str(new / "m-1")


def test_a_damaged_list(tmp_path: Path) -> None:
    (tmp_path / "checkpoint").write_text("model_checkpoint_path: oops\n")
    with pytest.raises(DataLossError, match="damaged"):
        checkpoint_state.get_checkpoint_state(str(tmp_path))
    (tmp_path / "checkpoint").write_text("")
    assert checkpoint_state.get_checkpoint_state(str(tmp_path)) is None


def test_reading_by_folder_or_prefix(tmp_path: Path) -> None:
    prefix = str(tmp_path / "m")
    with pytest.raises(ValueError, match="Couldn't find 'checkpoint' file"):
        files.load_checkpoint(str(tmp_path))
    files.write_arrays(prefix, {"b": np.zeros((2, 3), np.float32), "a": np.array([b"x"], object)})
    checkpoint_state.update_checkpoint_state(str(tmp_path), prefix)
    for place in (str(tmp_path), prefix):
        assert files.list_variables(place) == [("a", [1]), ("b", [2, 3])]
        assert files.load_variable(place, "a:0").tolist() == [b"x"]
    assert files.load_checkpoint(prefix).debug_string() == b"a (string) [1]\nb (float32) [2, 3]\n"


@pytest.mark.parametrize(
    "write",
    [
        lambda path: tf.io.write_file(path, "x"),
        lambda path: tf.io.gfile.makedirs(path),
        lambda path: tf.io.gfile.mkdir(path),
        lambda path: tf.io.gfile.GFile(path, "w").write("x"),
        lambda path: tf.io.TFRecordWriter(path),
        lambda path: tf.io.read_file(path),
        lambda path: tf.train.Checkpoint(v=tf.Variable(1.0)).save(path),
        lambda path: tf.saved_model.save(tf.Module(), path),
        lambda path: tf.data.Dataset.range(3).save(path),
        lambda path: tf.summary.create_file_writer(path).init(),
    ],
    ids=["write_file", "makedirs", "mkdir", "GFile", "TFRecordWriter", "read_file", "Checkpoint", "SavedModel", "Dataset", "summary"],
)
def test_a_file_is_no_folder(write: Callable[[str], object], tmp_path: Path) -> None:
    """TensorFlow's class of error for each."""
    (tmp_path / "file").write_text("mine")
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"[Nn]ot a directory"):
        write(str(tmp_path / "file" / "below"))
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_records_on_a_full_disk(compression: str) -> None:
    writer = tf.io.TFRecordWriter("/dev/full", compression)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="/dev/full; No space left on device"):
        for _ in range(3):
            writer.write(os.urandom(1 << 20))
        writer.close()
    with contextlib.suppress(tf.errors.ResourceExhaustedError):
        writer.close()
    with pytest.raises(tf.errors.InvalidArgumentError, match="closed"):
        writer.write(b"more")


@pytest.mark.parametrize("mode", ["r+", "w+", "a+", "r+b"])
def test_asking_where_one_is_changes_no_file(mode: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    with tf.io.gfile.GFile(str(path), mode) as file:
        assert file.tell() == 0
        file.seek(-2, whence=2)
        assert (file.tell(), file.read(), file.tell()) == (8, b"89" if "b" in mode else "89", 10)
    assert path.read_bytes() == b"0123456789"


def test_a_variable_has_the_name_it_has_in_tensorflow(tmp_path: Path) -> None:
    """One that several things hold is called by the first in the alphabet, in whatever order they are given."""
    first, second, shared = tf.Module(), tf.Module(), tf.Variable(1.0)
    first.b = second.b = shared
    checkpoint = tf.train.Checkpoint(z=first, y=second)
    names = [name for name, _ in tf.train.list_variables(checkpoint.write(str(tmp_path / "c")))]
    assert names == ["y/b/.ATTRIBUTES/VARIABLE_VALUE"] and list(checkpoint._trackable_children()) == ["y", "z"]
