"""Views of checkpoints and of what they save, folders watched for checkpoints, states of Python's, and what a save calls."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import pullback as tf
from pullback.train import checkpoint_views

v1 = tf.compat.v1


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = tf.Variable(1.0)
        self.b = [tf.Variable(2.0), tf.Variable(3.0)]


def test_views_meet(tmp_path: Path) -> None:
    model = Model()
    checkpoint = tf.train.Checkpoint(model=model, step=tf.Variable(1))
    path = checkpoint.save(tmp_path / "c")
    view = tf.train.CheckpointView(path)
    assert set(view.children(0)) == {"model", "step", "save_counter"} and view.descendants() == list(range(8))
    matched = view.match(checkpoint)
    assert len(matched) == 8 and matched[0] is checkpoint and matched[view.children(0)["model"]] is model
    other = tf.Variable(0.0)
    less = tf.train.Checkpoint(model=model, other=other)
    matched, nodes, objects = view.diff(less)
    assert {view.children(0)["step"], view.children(0)["save_counter"]} == set(nodes)
    assert objects == [other] and len(matched) == 6
    with pytest.raises(ValueError, match="numbered 0 to 7"):
        view.children(8)
    with pytest.raises(tf.errors.NotFoundError):
        tf.train.CheckpointView(tmp_path / "none")


def test_what_an_object_holds() -> None:
    model = Model()
    view = tf.train.TrackableView(tf.train.Checkpoint(model=model))
    assert list(view.children(model)) == ["a", "b"] and view.children(model)["b"] is model.b
    assert view.descendants() == [view.root, model, model.a, model.b, *model.b]


def test_times_of_checkpoints(tmp_path: Path) -> None:
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(tmp_path / "c")
    os.utime(path + ".safetensors", (5.0, 7.0))
    assert v1.train.get_checkpoint_mtimes([path, str(tmp_path / "none")]) == [7.0]


class TestWatchedFolder:
    def test_ends_by_time(self, tmp_path: Path) -> None:
        assert list(tf.train.checkpoints_iterator(tmp_path, timeout=0)) == []

    def test_asks_whether_to_end(self, tmp_path: Path) -> None:
        answers = iter([False, True])
        assert list(tf.train.checkpoints_iterator(tmp_path, timeout=0, timeout_fn=lambda: next(answers))) == []
        assert next(answers, None) is None

    def test_gives_each_once(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(checkpoint_views, "_PAUSE", 0.01)
        checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
        first = checkpoint.save(tmp_path / "c")
        found = tf.train.checkpoints_iterator(tmp_path, min_interval_secs=0.05, timeout=10)
        began = time.time()
        assert next(found) == first
        saved: list[str] = []
        thread = threading.Timer(0.1, lambda: saved.append(checkpoint.save(tmp_path / "c")))
        thread.start()
        second = next(found)
        thread.join()
        assert [second] == saved and time.time() - began >= 0.05


class Words(tf.train.experimental.PythonState):
    def __init__(self, words: list[str]) -> None:
        self.words = words

    def serialize(self) -> bytes:
        return ",".join(self.words).encode()

    def deserialize(self, string_value: Any) -> None:
        self.words = string_value.decode().split(",")


def test_states_of_python_are_saved(tmp_path: Path) -> None:
    words = Words(["a", "b"])
    path = tf.train.Checkpoint(v=tf.Variable(1.0), words=words).write(tmp_path / "c")
    fresh = Words([])
    status = tf.train.Checkpoint(v=tf.Variable(0.0), words=fresh).read(path)
    status.assert_consumed()
    assert fresh.words == ["a", "b"]
    assert ("words/.ATTRIBUTES/py_state", []) in tf.train.list_variables(path)
    for call in (tf.train.experimental.PythonState().serialize, lambda: tf.train.experimental.PythonState().deserialize("")):
        with pytest.raises(NotImplementedError):
            call()


def test_a_save_calls_back(tmp_path: Path) -> None:
    seen: list[str] = []
    options = tf.train.CheckpointOptions(experimental_write_callbacks=[seen.append, lambda: seen.append("done")])
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(tmp_path / "c", options)
    assert seen == [path, "done"]


def test_a_checkpoint_is_one_file() -> None:
    with pytest.raises(NotImplementedError, match="one file"):
        tf.train.CheckpointOptions(experimental_sharding_callback=object())
    assert tf.train.CheckpointOptions(experimental_enable_async_checkpoint=True).enable_async


def test_eager_variables_begin_at_once(tmp_path: Path) -> None:
    path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(tmp_path / "c")
    v = tf.Variable([0.0, 0.0])
    v1.train.init_from_checkpoint(path, {"v/.ATTRIBUTES/VARIABLE_VALUE": v})
    assert v.numpy().tolist() == [1.0, 2.0]


def test_noise_is_drawn_anew() -> None:
    tf.random.set_seed(1)
    rate = v1.train.noisy_linear_cosine_decay(0.1, tf.constant(1), 10)
    drawn = [float(rate()) for _ in range(200)]
    middle = float(v1.train.linear_cosine_decay(0.1, tf.constant(1), 10)())
    spread = 0.1 * (0.5 * (1 + 0.9510565)) * (1.0 / 2**0.55) ** 0.5
    assert abs(sum(drawn) / 200 - middle) < 4 * spread / 200**0.5 and len(set(drawn)) > 190
