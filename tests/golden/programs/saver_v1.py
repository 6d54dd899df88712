"""TensorFlow 1's Saver and the functions around checkpoints; file names inside a checkpoint are our own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raised, raises

FACE = "v1"


def _base(path: Any) -> Any:
    return None if path is None else os.path.basename(path)


def _in_folder(check: Callable[[str], Any]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return check(folder)


def _session(tf: Any) -> Any:
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return session


def _build(tf: Any, scale: float = 1.0) -> list[Any]:
    v = tf.Variable(np.array([1.0, 2.0], np.float32) * np.float32(scale), name="v")
    with tf.variable_scope("net"):
        w = tf.get_variable("w", initializer=np.arange(4, dtype=np.int64).reshape(2, 2))
    return [v, w]


def save_and_restore(tf: Any) -> dict[str, Any]:
    v, w = _build(tf)
    saver = tf.train.Saver()

    def there_and_back(folder: str) -> Any:
        with _session(tf) as session:
            path = saver.save(session, os.path.join(folder, "model.ckpt"))
            session.run([tf.assign(v, [9.0, 9.0]), tf.assign(w, w * 2)])
            changed = session.run([v, w])
            saver.restore(session, path)
            return [_base(path), changed, session.run([v, w])]

    def without_initializing(folder: str) -> Any:
        with _session(tf) as session:
            path = saver.save(session, os.path.join(folder, "model.ckpt"), global_step=7)
        with tf.Session() as session:
            saver.restore(session, path)
            return [_base(path), session.run([v, w])]

    def in_another_graph(folder: str) -> Any:
        with _session(tf) as session:
            path = saver.save(session, os.path.join(folder, "model"))
        with tf.Graph().as_default():
            variables = _build(tf, 5.0)
            with tf.Session() as session:
                tf.train.Saver().restore(session, path)
                return session.run(variables)

    return {
        "there and back": _in_folder(there_and_back),
        "without initializing": _in_folder(without_initializing),
        "in another graph": _in_folder(in_another_graph),
    }


def optimizer_state(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0], name="v")
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(v * v), global_step=step)
    saver = tf.train.Saver()

    def check(folder: str) -> Any:
        with _session(tf) as session:
            session.run(train)
            path = saver.save(session, os.path.join(folder, "m"), global_step=step)
            session.run(train)
            then = session.run(tf.global_variables())
            saver.restore(session, path)
            session.run(train)
            again = session.run(tf.global_variables())
            return [_base(path), then, again, tf.train.list_variables(path)]

    return {"continues": _in_folder(check)}


def which_are_kept(tf: Any) -> dict[str, Any]:
    v = tf.Variable(1.0, name="v")

    def kept(count: int, **options: Any) -> Callable[[str], Any]:
        saver = tf.train.Saver(**options)

        def check(folder: str) -> Any:
            with _session(tf) as session:
                paths = [saver.save(session, os.path.join(folder, "m"), global_step=k) for k in range(count)]
            state = tf.train.get_checkpoint_state(folder)
            return {
                "exist": [bool(tf.train.checkpoint_exists(p)) for p in paths],
                "latest": _base(tf.train.latest_checkpoint(folder)),
                "state": _base(state.model_checkpoint_path),
                "all": [_base(p) for p in state.all_model_checkpoint_paths],
                "last": [_base(p) for p in saver.last_checkpoints],
            }

        return check

    def same_name(folder: str) -> Any:
        saver = tf.train.Saver(max_to_keep=2)
        with _session(tf) as session:
            for _ in range(3):
                saver.save(session, os.path.join(folder, "m"))
        return [_base(p) for p in saver.last_checkpoints]

    def taken_up(folder: str) -> Any:
        with _session(tf) as session:
            tf.train.Saver(max_to_keep=2).save(session, os.path.join(folder, "m"), global_step=1)
            saver = tf.train.Saver(max_to_keep=2)
            saver.recover_last_checkpoints(tf.train.get_checkpoint_state(folder).all_model_checkpoint_paths)
            for k in (2, 3):
                saver.save(session, os.path.join(folder, "m"), global_step=k)
        return [_base(p) for p in saver.last_checkpoints]

    def text(folder: str) -> Any:
        with _session(tf) as session:
            saver = tf.train.Saver(save_relative_paths=True)
            for k in (1, 2):
                saver.save(session, os.path.join(folder, "m"), global_step=k)
        with open(os.path.join(folder, "checkpoint"), encoding="utf-8") as file:
            return [line for line in file.read().splitlines() if "timestamp" not in line]

    def other_files(folder: str) -> Any:
        with _session(tf) as session:
            saver = tf.train.Saver(pad_step_number=True)
            path = saver.save(session, os.path.join(folder, "m"), global_step=12, latest_filename="newest")
            silent = saver.save(session, os.path.join(folder, "quiet"), write_state=False, write_meta_graph=False)
        return [_base(path), _base(silent), _base(tf.train.latest_checkpoint(folder)), _base(tf.train.latest_checkpoint(folder, "newest"))]

    del v
    return {
        "five": _in_folder(kept(7)),
        "two": _in_folder(kept(3, max_to_keep=2)),
        "all": _in_folder(kept(7, max_to_keep=0)),
        "None": _in_folder(kept(7, max_to_keep=None)),
        "same name": _in_folder(same_name),
        "taken up": _in_folder(taken_up),
        "text": _in_folder(text),
        "other files": _in_folder(other_files),
    }


def some_variables(tf: Any) -> dict[str, Any]:
    v, w = _build(tf)

    def save(saver: Any, folder: str) -> str:
        with _session(tf) as session:
            return str(saver.save(session, os.path.join(folder, "m")))

    def list_of(folder: str) -> Any:
        return tf.train.list_variables(save(tf.train.Saver([v]), folder))

    def renamed(folder: str) -> Any:
        path = save(tf.train.Saver({"other/name": v}), folder)
        with _session(tf) as session:
            session.run(tf.assign(v, [0.0, 0.0]))
            tf.train.Saver({"other/name": v}).restore(session, path)
            return [tf.train.list_variables(path), session.run(v)]

    def read(folder: str) -> Any:
        path = save(tf.train.Saver(), folder)
        reader = tf.train.load_checkpoint(path)
        return {
            "shapes": reader.get_variable_to_shape_map(),
            "dtypes": reader.get_variable_to_dtype_map(),
            "has": [reader.has_tensor("v"), reader.has_tensor("nothing")],
            "tensor": reader.get_tensor("net/w"),
            "by folder": tf.train.load_variable(folder, "v"),
            "new reader": tf.train.NewCheckpointReader(path).get_tensor("v"),
        }

    return {"list": _in_folder(list_of), "renamed": _in_folder(renamed), "read": _in_folder(read)}


def refused(tf: Any) -> dict[str, Any]:
    v, w = _build(tf)

    def folder_check(call: Callable[[str, str], Any]) -> Any:
        def check(folder: str) -> Any:
            with _session(tf) as session:
                path = tf.train.Saver([v]).save(session, os.path.join(folder, "m"))
            return call(folder, path)

        return lambda: _in_folder(check)

    def restore(saver: Any, path: Any) -> None:
        with _session(tf) as session:
            saver.restore(session, path)

    def other_shape(folder: str, path: str) -> None:
        with tf.Graph().as_default():
            tf.Variable([1.0, 2.0, 3.0], name="v")
            restore(tf.train.Saver(), path)

    def other_dtype(folder: str, path: str) -> None:
        with tf.Graph().as_default():
            tf.Variable([1, 2], name="v")
            restore(tf.train.Saver(), path)

    def no_variables() -> None:
        with tf.Graph().as_default():
            tf.train.Saver()

    def save_to(path: str) -> None:
        with _session(tf) as session:
            tf.train.Saver().save(session, path)

    return {
        "no variables": raises(no_variables, "No variables to save"),
        "missing variable": raises(folder_check(lambda folder, path: restore(tf.train.Saver(), path)), "net/w"),
        "no such checkpoint": raises(folder_check(lambda folder, path: restore(tf.train.Saver(), path + "x")), "not a valid checkpoint"),
        "None": raises(lambda: restore(tf.train.Saver(), None), "None"),
        "other shape": ours(raised("InvalidArgumentError", says=("v", "[2]", "[3]")), raises(folder_check(other_shape))),
        "other dtype": raises(folder_check(other_dtype)),
        "no such variable": raises(folder_check(lambda folder, path: tf.train.load_variable(path, "nothing")), "nothing"),
        "nothing to load": raises(folder_check(lambda folder, path: tf.train.load_checkpoint(os.path.join(folder, "no")))),
        "two of one name": raises(lambda: tf.train.Saver([v, v]), "v"),
        "not variables": raises(lambda: tf.train.Saver([1.0])),
        "a folder is made": folder_check(lambda folder, path: save_to(os.path.join(folder, "no", "m"))),
        "latest of nothing": _in_folder(lambda folder: tf.train.latest_checkpoint(folder)),
        "state of nothing": _in_folder(lambda folder: tf.train.get_checkpoint_state(folder)),
        "not there": tf.train.checkpoint_exists("no/such/checkpoint"),
        "not initialized": raises(folder_check(lambda folder, path: tf.train.Saver().save(tf.Session(), os.path.join(folder, "n")))),
    }
