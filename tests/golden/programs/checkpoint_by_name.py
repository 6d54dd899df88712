"""Objects restored from what TensorFlow 1's Saver wrote, by the names of variables."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

from .kit import Answers, raises

FACE = "v2"


def restored(tf: Any) -> Answers:
    v1 = tf.compat.v1

    def reads(check: Callable[[str], Any]) -> Callable[[], Any]:
        def answer() -> Any:
            with tempfile.TemporaryDirectory() as folder:
                with tf.Graph().as_default(), v1.Session() as session:
                    v1.get_variable("v", initializer=tf.constant([1.0, 2.0]))
                    v1.get_variable("w", initializer=tf.constant(3.0))
                    session.run(v1.global_variables_initializer())
                    path = v1.train.Saver().save(session, os.path.join(folder, "m"))
                return check(path)

        return answer

    def read(path: str) -> Any:
        v = tf.Variable([0.0, 0.0], name="v")
        status = tf.train.Checkpoint(other=v).read(path)
        status.assert_consumed().assert_existing_objects_matched().expect_partial()
        return [v, type(status).__name__]

    def inside(path: str) -> Any:
        module = tf.Module()
        module.q, module.many = tf.Variable([0.0, 0.0], name="v"), [tf.Variable(0.0, name="w")]
        tf.train.Checkpoint(model=module).restore(path).assert_consumed()
        return [module.q, module.many[0]]

    def later(path: str) -> Any:
        checkpoint = tf.train.Checkpoint()
        checkpoint.read(path)
        checkpoint.found = tf.Variable([0.0, 0.0], name="v")
        return checkpoint.found

    def of_another_name(path: str) -> Any:
        v = tf.Variable([0.0, 0.0], name="u")
        status = tf.train.Checkpoint(v=v).read(path)
        return [v, raises(status.assert_existing_objects_matched)(), raises(status.assert_consumed)()]

    def of_another_shape(path: str) -> Any:
        return raises(lambda: tf.train.Checkpoint(v=tf.Variable([0.0, 0.0, 0.0], name="v")).read(path))()

    return {f.__name__: reads(f) for f in (read, inside, later, of_another_name, of_another_shape)}


def saved_by_objects(tf: Any) -> Answers:
    """TensorFlow 1's Saver restores what a Checkpoint of objects wrote, by the names that the variables had; readers give scalars as such."""
    v1 = tf.compat.v1

    def written(check: Callable[[str], Any], *more: Any) -> Callable[[], Any]:
        def answer() -> Any:
            with tempfile.TemporaryDirectory() as folder:
                module = tf.Module()
                module.q, module.many = tf.Variable([1.0, 2.0], name="v"), [tf.Variable(5, name="scope/w"), *(m() for m in more)]
                return check(tf.train.Checkpoint(model=module).save(os.path.join(folder, "m")))

        return answer

    def restore(*names: str) -> Callable[[str], Any]:
        def check(path: str) -> Any:
            initial = {"v": [0.0, 0.0], "scope/w": 0, "missing": 1.0}
            with tf.Graph().as_default(), v1.Session() as session:
                variables = [v1.get_variable(name, initializer=tf.constant(initial[name])) for name in names]
                v1.train.Saver().restore(session, path)
                return session.run(variables)

        return check

    def read(path: str) -> Any:
        reader = tf.train.load_checkpoint(path)
        keys = ("model/many/0", "model/many/1", "model/many/2", "model/q")
        return [type(reader.get_tensor(f"{key}/.ATTRIBUTES/VARIABLE_VALUE")).__name__ for key in keys]

    return {
        "both": written(restore("v", "scope/w")),
        "one": written(restore("scope/w")),
        "one that is not there": raises(written(restore("v", "missing"))),
        "kinds": written(read, lambda: tf.Variable("abc"), lambda: tf.Variable(True)),
    }
