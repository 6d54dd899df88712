"""What becomes of the files of `Dataset.cache(filename)` when programs are broken off or files are damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

import pullback as tf


def _numbers(path: Path, count: int = 3) -> tf.data.Dataset:
    return tf.data.Dataset.range(count).cache(str(path))


def test_a_pass_that_is_broken_off_leaves_no_file(tmp_path: Path) -> None:
    numbers = _numbers(tmp_path / "n")
    coming = iter(numbers)
    next(coming)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n.data-00000-of-00001.part", "n_0.lockfile"]
    del coming
    assert list(tmp_path.iterdir()) == []
    assert [int(i) for i in numbers] == [0, 1, 2]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n.data-00000-of-00001", "n.index"]


def test_an_error_in_a_pass_leaves_no_file(tmp_path: Path) -> None:
    numbers = tf.data.Dataset.range(3).map(lambda i: tf.debugging.check_numerics(1.0 / tf.cast(1 - i, tf.float32), "inf"))
    with pytest.raises(tf.errors.InvalidArgumentError):
        list(numbers.cache(str(tmp_path / "n")))
    assert list(tmp_path.iterdir()) == []


def test_the_lock_of_a_killed_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "n_0.lockfile").touch()
    with pytest.raises(tf.errors.AlreadyExistsError, match=r"n_0\.lockfile"):
        list(_numbers(tmp_path / "n"))
    assert (tmp_path / "n_0.lockfile").exists()


@pytest.mark.parametrize(
    ("name", "content"), [("n.index", b"{}"), ("n.index", b"\xff"), ("n.data-00000-of-00001", b"abc"), ("n.data-00000-of-00001", b"")]
)
def test_damaged_files_are_told(tmp_path: Path, name: str, content: bytes) -> None:
    list(_numbers(tmp_path / "n"))
    (tmp_path / name).write_bytes(content)
    with pytest.raises(tf.errors.DataLossError):
        list(_numbers(tmp_path / "n"))


def test_files_of_another_dataset_are_refused(tmp_path: Path) -> None:
    list(_numbers(tmp_path / "n"))
    pairs = tf.data.Dataset.range(3).map(lambda i: (i, i)).cache(str(tmp_path / "n"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="elements of 1 components, this dataset has 2"):
        list(pairs)


def test_datasets_are_not_kept_in_files(tmp_path: Path) -> None:
    windows = tf.data.Dataset.range(4).window(2)
    assert [[int(i) for i in window] for window in windows.cache()] == [[0, 1], [2, 3]]
    with pytest.raises(tf.errors.UnimplementedError, match="flat_map"):
        list(windows.cache(str(tmp_path / "n")))
