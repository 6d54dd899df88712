"""What TensorFlow 1 begins variables with from checkpoints, and a noisy learning rate whose noise is next to nothing."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v1"


def _written(tf: Any, folder: str) -> str:
    """A checkpoint of `x/a`, `x/deep/c` and `b`."""
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("x"):
            tf.get_variable("a", initializer=[5.0, 6.0])
            tf.get_variable("deep/c", initializer=8.0)
        tf.get_variable("b", initializer=7.0)
        session.run(tf.global_variables_initializer())
        return str(tf.train.Saver().save(session, os.path.join(folder, "model.ckpt")))


def _begun(tf: Any, pairs: Callable[..., Any], whole_folder: bool = False) -> Callable[[], Any]:
    def answer() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = _written(tf, folder)
            with tf.Graph().as_default(), tf.Session() as session:
                with tf.variable_scope("new"):
                    a = tf.get_variable("a", [2], initializer=tf.zeros_initializer())
                    c = tf.get_variable("deep/c", [], initializer=tf.zeros_initializer())
                b = tf.get_variable("b", [], initializer=tf.zeros_initializer())
                tf.train.init_from_checkpoint(folder if whole_folder else path, pairs(a, b, c))
                session.run(tf.global_variables_initializer())
                return session.run([a, b, c])

    return answer


def init_from_checkpoint(tf: Any) -> Answers:
    """Names, variables and scopes, and what does not fit."""
    return {
        "variables": _begun(tf, lambda a, b, c: {"x/a": a, "b": b}),
        "names": _begun(tf, lambda a, b, c: {"x/a": "new/a", "b": "b"}),
        "pairs": _begun(tf, lambda a, b, c: [("b", b), ("x/deep/c", c)]),
        "scopes": _begun(tf, lambda a, b, c: {"x/": "new/", "b": b}),
        "inner scope": _begun(tf, lambda a, b, c: {"x/deep/": "new/deep/"}),
        "one value for two": _begun(tf, lambda a, b, c: [("b", b), ("b", c)]),
        "latest of a folder": _begun(tf, lambda a, b, c: {"b": b}, whole_folder=True),
        "no such array": raises(_begun(tf, lambda a, b, c: {"none": "new/a"}), "none", "not found"),
        "no such variable": raises(_begun(tf, lambda a, b, c: {"x/a": "none"}), "should map to scope only"),
        "shape": raises(_begun(tf, lambda a, b, c: {"x/a": "b"}), "doesn't match with shape"),
        "scope lacks one": raises(_begun(tf, lambda a, b, c: {"x/deep/": "new/"}), "not found"),
        "all": raises(_begun(tf, lambda a, b, c: {"/": "/"}), "not found"),
    }


def noisy_linear_cosine_decay(tf: Any) -> Answers:
    """The rate with a variance of 1e-20."""

    def rates(**options: Any) -> Callable[[], Any]:
        def answer() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                step = tf.placeholder(tf.int32, [])
                rate = tf.train.noisy_linear_cosine_decay(0.1, step, 10, initial_variance=1e-20, **options)
                return [session.run(rate, {step: n}) for n in (0, 1, 5, 9, 10, 25)]

        return answer

    return {
        "plain": rates(),
        "options": rates(variance_decay=2.0, num_periods=1.5, alpha=0.2, beta=0.1),
        "no step": raises(lambda: tf.train.noisy_linear_cosine_decay(0.1, None, 10), otherwise=("ValueError",)),
    }


def slots(tf: Any) -> Answers:
    """Variables that go with others, made in the scope of those, in another and in none."""

    def names(make: Callable[[], Any], opened: str | None, within: str = "s", *, partitioned: bool = False) -> Callable[[], list[str]]:
        def answer() -> list[str]:
            with tf.Graph().as_default():
                with tf.variable_scope(within, partitioner=tf.fixed_size_partitioner(2) if partitioned else None):
                    w = tf.get_variable("w", [4, 1])
                made = make()
                with contextlib.nullcontext() if opened is None else tf.variable_scope(opened):
                    if isinstance(made, tf.train.ExponentialMovingAverage):
                        made.apply([w, tf.identity(w, name="x")])
                    else:
                        made.minimize(tf.reduce_sum(tf.convert_to_tensor(w) ** 2.0))
                return [v.name for v in tf.global_variables()]

        return answer

    kinds = {
        "Adam": lambda: tf.train.AdamOptimizer(0.1),
        "Momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
        "Adagrad": lambda: tf.train.AdagradOptimizer(0.1),
        "Ftrl": lambda: tf.train.FtrlOptimizer(0.1),
        "RMSProp": lambda: tf.train.RMSPropOptimizer(0.1, centered=True),
        "Adadelta": lambda: tf.train.AdadeltaOptimizer(0.1),
        "averages": lambda: tf.train.ExponentialMovingAverage(0.9, zero_debias=True),
    }
    found: Answers = {}
    for name, make in kinds.items():
        found[name] = names(make, None)
        found[f"{name}, in the scope"] = names(make, "s")
        found[f"{name}, in another"] = names(make, "other/deep")
    found["parts"] = names(kinds["Adam"], None, partitioned=True)
    found["parts, in the scope"] = names(kinds["Adam"], "s", partitioned=True)
    found["in a scope of names"] = names(lambda: tf.train.AdamOptimizer(0.1, name="mine"), "s")
    return found
