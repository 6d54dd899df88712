"""tf.train.Checkpoint and CheckpointManager; file names inside a checkpoint are our own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import raises

FACE = "v2"


def _base(path: Any) -> Any:
    return None if path is None else os.path.basename(path)


def _in_folder(check: Callable[[str], Any]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return check(folder)


def _named(tf: Any, path: str) -> list[Any]:
    return [[name, list(shape)] for name, shape in tf.train.list_variables(path) if not name.startswith("_")]


def objects(tf: Any) -> dict[str, Any]:
    class Net(tf.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.a = tf.Variable(1.0)
            self.layers = [tf.Variable([2.0]), tf.Variable(3.0)]
            self.by_name = {"k": tf.Variable(4.0)}
            self.number = 5

    def build() -> Any:
        net = Net()
        return net, tf.train.Checkpoint(net=net, step=tf.Variable(0), rows=[tf.Variable(7.0)])

    def names(folder: str) -> Any:
        return _named(tf, build()[1].write(os.path.join(folder, "x")))

    def restored(folder: str) -> Any:
        net, checkpoint = build()
        for v in (net.a, net.layers[1], net.by_name["k"], checkpoint.step):
            v.assign_add(v.dtype.as_numpy_dtype(10))
        path = checkpoint.save(os.path.join(folder, "ckpt"))
        other, again = build()
        again.restore(path).assert_consumed()
        values = [other.a, *other.layers, other.by_name["k"], again.step, again.rows[0], again.save_counter]
        return [_base(path), [v.numpy() for v in values]]

    return {"names": _in_folder(names), "restored": _in_folder(restored)}


def saves(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0])

    def count(folder: str) -> Any:
        checkpoint = tf.train.Checkpoint(v=v)
        paths = [checkpoint.save(os.path.join(folder, "ckpt")) for _ in range(3)]
        state = tf.train.get_checkpoint_state(folder)
        return [
            [_base(p) for p in paths],
            int(checkpoint.save_counter.numpy()),
            _base(tf.train.latest_checkpoint(folder)),
            [_base(p) for p in state.all_model_checkpoint_paths],
        ]

    def write_leaves_no_state(folder: str) -> Any:
        path = tf.train.Checkpoint(v=v).write(os.path.join(folder, "x"))
        return [_base(path), tf.train.latest_checkpoint(folder), _named(tf, path)]

    def read(folder: str) -> Any:
        w = tf.Variable([0.0, 0.0])
        path = tf.train.Checkpoint(v=v).write(os.path.join(folder, "x"))
        tf.train.Checkpoint(v=w).read(path).assert_consumed()
        return w.numpy()

    def later(folder: str) -> Any:
        path = tf.train.Checkpoint(v=v).save(os.path.join(folder, "x"))
        checkpoint = tf.train.Checkpoint()
        checkpoint.restore(path).expect_partial()
        checkpoint.v = tf.Variable([0.0, 0.0])
        return checkpoint.v.numpy()

    def in_function(folder: str) -> Any:
        path = tf.train.Checkpoint(layer=tf.train.Checkpoint(w=v)).save(os.path.join(folder, "x"))
        layer = tf.Module()
        status = tf.train.Checkpoint(layer=layer).restore(path)

        @tf.function
        def apply(x: Any) -> Any:
            if not hasattr(layer, "w"):
                layer.w = tf.Variable(tf.zeros([2]))
            return x + layer.w

        answers = [apply(tf.constant(1.0)), apply(tf.constant(2.0))]
        status.assert_consumed()
        return [*answers, layer.w.numpy()]

    def replaced(folder: str) -> Any:
        checkpoint = tf.train.Checkpoint(v=v)
        path = checkpoint.save(os.path.join(folder, "x"))
        v.assign([5.0, 5.0])
        checkpoint.restore(path)
        return v.numpy()

    def nested(folder: str) -> Any:
        inner = tf.train.Checkpoint(v=v)
        return _named(tf, tf.train.Checkpoint(inner=inner, same=v).write(os.path.join(folder, "x")))

    def loaded(folder: str) -> Any:
        path = tf.train.Checkpoint(v=v).write(os.path.join(folder, "x"))
        reader = tf.train.load_checkpoint(path)
        key = "v/.ATTRIBUTES/VARIABLE_VALUE"
        return [reader.get_variable_to_shape_map()[key], reader.get_tensor(key), tf.train.load_variable(path, key)]

    return {
        "count": _in_folder(count),
        "write leaves no state": _in_folder(write_leaves_no_state),
        "read": _in_folder(read),
        "restored when made later": _in_folder(later),
        "restored when made in a function": _in_folder(in_function),
        "replaced": _in_folder(replaced),
        "nested": _in_folder(nested),
        "loaded": _in_folder(loaded),
        "None": type(tf.train.Checkpoint(v=v).restore(None)).__name__,
    }


def optimizer(tf: Any) -> dict[str, Any]:
    def build() -> Any:
        v, adam = tf.Variable([1.0, 2.0]), tf.keras.optimizers.Adam(0.1)
        return v, adam, tf.train.Checkpoint(v=v, adam=adam)

    def step(v: Any, adam: Any) -> None:
        adam.apply_gradients([(2.0 * v, v)])

    def values(v: Any, adam: Any) -> list[Any]:
        return [np.asarray(x.numpy()) for x in (v, *adam.variables)]

    def continues(folder: str) -> Any:
        v, adam, checkpoint = build()
        step(v, adam)
        path = checkpoint.save(os.path.join(folder, "ckpt"))
        step(v, adam)
        then = values(v, adam)
        v2, adam2, again = build()
        status = again.restore(path)
        step(v2, adam2)
        status.assert_consumed()
        return [then, values(v2, adam2), _named(tf, path)]

    return {"continues": _in_folder(continues)}


def manager(tf: Any) -> dict[str, Any]:
    def kept(folder: str) -> Any:
        v = tf.Variable(0.0)
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), folder, max_to_keep=2)
        paths = []
        for _ in range(4):
            v.assign_add(1.0)
            paths.append(_base(manager.save()))
        v.assign(-1.0)
        restored = manager.restore_or_initialize()
        with open(os.path.join(folder, "checkpoint"), encoding="utf-8") as file:
            text = [line for line in file.read().splitlines() if "timestamp" not in line]
        last = _base(manager.latest_checkpoint)
        return [
            paths,
            [_base(p) for p in manager.checkpoints],
            last,
            _base(restored),
            v.numpy(),
            text,
            _base(manager.directory) == _base(folder),
        ]

    def taken_up(folder: str) -> Any:
        v = tf.Variable(0.0)
        for _ in range(3):
            manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), folder, max_to_keep=2)
            manager.restore_or_initialize()
            v.assign_add(1.0)
            manager.save()
        return [[_base(p) for p in manager.checkpoints], v.numpy(), manager.checkpoint.save_counter.numpy()]

    def interval(folder: str) -> Any:
        step = tf.Variable(0)
        checkpoint = tf.train.Checkpoint(step=step)
        manager = tf.train.CheckpointManager(checkpoint, folder, 3, checkpoint_name="model", step_counter=step, checkpoint_interval=2)
        paths = []
        for _ in range(5):
            step.assign_add(1)
            paths.append(_base(manager.save()))
        return [paths, manager.checkpoint_interval, _base(manager.save(check_interval=False))]

    def numbered(folder: str) -> Any:
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(0.0)), folder, max_to_keep=None)
        return [_base(manager.save(checkpoint_number=77)), _base(manager.save())]

    def initialized(folder: str) -> Any:
        called: list[int] = []
        checkpoint = tf.train.Checkpoint(v=tf.Variable(0.0))
        manager = tf.train.CheckpointManager(checkpoint, folder, 2, init_fn=lambda: called.append(1))
        return [manager.restore_or_initialize(), called, manager.latest_checkpoint, list(manager.checkpoints)]

    return {check.__name__: _in_folder(check) for check in (kept, taken_up, interval, numbered, initialized)}


def averages(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0])
    average = tf.train.ExponentialMovingAverage(0.9)
    path = []
    for _ in range(3):
        average.apply([v])
        path.append(average.average(v).numpy())
        v.assign_add([1.0, -1.0])
    counted = tf.train.ExponentialMovingAverage(0.9, num_updates=tf.Variable(4))
    counted.apply([v])
    v.assign_add([1.0, 1.0])
    counted.apply([v])
    return {"path": path, "counted": counted.average(v).numpy(), "name": average.name, "unknown": average.average(tf.Variable(1.0))}


def refused(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0])

    def saved(call: Callable[[str], Any]) -> Any:
        return lambda: _in_folder(lambda folder: call(tf.train.Checkpoint(v=v).save(os.path.join(folder, "x"))))

    def restore(path: str, **variables: Any) -> Any:
        return tf.train.Checkpoint(**variables).restore(path)

    def only_manager(**options: Any) -> Any:
        return tf.train.CheckpointManager(tf.train.Checkpoint(v=v), "no_such_folder", **options)

    return {
        "number": raises(lambda: tf.train.Checkpoint(a=1), "a", "1"),
        "no such checkpoint": raises(saved(lambda path: restore(path + "x", v=v))),
        "read of nothing": raises(saved(lambda path: tf.train.Checkpoint(v=v).read(path + "x"))),
        "not in the file": raises(saved(lambda path: restore(path, v=v, w=tf.Variable(1.0)).assert_existing_objects_matched())),
        "not all used": raises(saved(lambda path: restore(path).assert_consumed()), "v"),
        "other shape": raises(saved(lambda path: restore(path, v=tf.Variable([1.0, 2.0, 3.0]))), "(2,)", "(3,)"),
        "other dtype": raises(saved(lambda path: restore(path, v=tf.Variable([1, 2]))), "int32", "float"),
        "nothing to keep": raises(lambda: only_manager(max_to_keep=0), "max_to_keep"),
        "interval without steps": raises(lambda: only_manager(max_to_keep=2, checkpoint_interval=3), "step_counter"),
    }
