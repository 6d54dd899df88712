"""Partitioners, and variables that are cut into parts."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

from .kit import Answers, raises

FACE = "v1"


def partitioners(tf: Any) -> Answers:
    wide = tf.TensorShape([10, 4])
    found: Answers = {}
    for name, made in {
        "fixed": tf.fixed_size_partitioner(3), "fixed on axis 1": tf.fixed_size_partitioner(3, axis=1), "fixed beyond": tf.fixed_size_partitioner(30),
        "by bytes": tf.variable_axis_size_partitioner(64), "by bytes, few": tf.variable_axis_size_partitioner(64, max_shards=2),
        "by bytes on axis 1": tf.variable_axis_size_partitioner(64, axis=1), "few": tf.min_max_variable_partitioner(4),
        "few and small": tf.min_max_variable_partitioner(4, min_slice_size=50), "few on axis 1": tf.min_max_variable_partitioner(4, 1, 16),
    }.items():  # fmt: skip
        found[name] = lambda made=made: [made(shape=wide, dtype=tf.float32), made(shape=wide, dtype=tf.float64)]
    found["words"] = lambda: tf.variable_axis_size_partitioner(64)(shape=wide, dtype=tf.string)
    found["sizes"] = lambda: [
        tf.min_max_variable_partitioner(8, min_slice_size=size)(shape=tf.TensorShape([n, 1]), dtype=tf.float32)
        for n in (250, 251, 3)
        for size in (300, 1000, 333, 4)
    ]
    return found | {
        "no bytes": raises(lambda: tf.variable_axis_size_partitioner(0)),
        "no axis": raises(lambda: tf.min_max_variable_partitioner(2, axis=3)(shape=wide, dtype=tf.float32)),
        "unknown": raises(lambda: tf.variable_axis_size_partitioner(8)(shape=tf.TensorShape([2, None]), dtype=tf.float32)),
    }


def variables(tf: Any) -> Answers:
    def runs(program: Callable[[Any], Any]) -> Callable[[], Any]:
        def answer() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                return program(session)

        return answer

    two, ones = tf.fixed_size_partitioner(2), tf.ones_initializer()

    def parts(session: Any) -> Any:
        v = tf.get_variable("v", [10, 4], initializer=ones, partitioner=tf.fixed_size_partitioner(3))
        session.run(tf.global_variables_initializer())
        whole = v.as_tensor()
        names = [v.name, whole.name, [p.name for p in v], [x.name for x in tf.trainable_variables()]]
        return [*names, v.shape, v.dtype, [p.shape for p in v], len(v), [p._save_slice_info.spec for p in v], session.run(whole)]

    def in_scopes(session: Any) -> Any:
        with tf.variable_scope("a", partitioner=two):
            v, w = tf.get_variable("v", [5, 2]), tf.get_variable("w", [])
        with tf.variable_scope("a", reuse=True, partitioner=two):
            return [tf.get_variable("v", [5, 2]) is v, [p.name for p in v], [p.shape for p in v], w.name]

    def trained(session: Any) -> Any:
        v = tf.get_variable("v", [4, 2], initializer=ones, partitioner=two)
        step = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.square(v)))
        session.run(tf.global_variables_initializer())
        session.run(step)
        return [session.run(v.as_tensor()), session.run(tf.gradients(tf.reduce_sum(tf.matmul(tf.ones([1, 4]), v)), list(v)))]

    def looked_up(session: Any) -> Any:
        v = tf.get_variable("v", initializer=tf.constant([[1.0], [2.0], [3.0]]), partitioner=two)
        session.run(tf.global_variables_initializer())
        return [session.run(tf.nn.embedding_lookup(v, [0, 1, 2], partition_strategy="div")), [p.name for p in v]]

    def told(session: Any) -> Any:
        def offset(shape: Any, dtype: Any, partition_info: Any) -> Any:
            return tf.fill(shape, float(partition_info.var_offset[0])) + float(partition_info.full_shape[0])

        v = tf.get_variable("v", [5, 2], initializer=offset, partitioner=two)
        session.run(tf.global_variables_initializer())
        return session.run(v.as_tensor())

    def saved(session: Any) -> Any:
        v = tf.get_variable("v", initializer=tf.constant([[1.0], [2.0], [3.0]]), partitioner=two)
        session.run(tf.global_variables_initializer())
        with tempfile.TemporaryDirectory() as folder:
            path = tf.train.Saver().save(session, os.path.join(folder, "m"))
            session.run([p.assign(p * 0.0) for p in v])
            tf.train.Saver().restore(session, path)
            found = [tf.train.list_variables(path), session.run(v.as_tensor())]
            with tf.Graph().as_default(), tf.Session() as other:
                whole = tf.get_variable("v", [3, 1])
                tf.train.Saver().restore(other, path)
                return [*found, other.run(whole)]

    def created(session: Any) -> Any:
        with tf.variable_scope("outer"):
            return [p.name for p in tf.create_partitioned_variables([4, 2], [2, 1], ones, name="q")]

    def refused(make: Callable[[], Any]) -> Callable[[], Any]:
        return raises(runs(lambda session: make()))

    def without(first: Any, second: Any) -> None:
        tf.get_variable("v", [4, 2], partitioner=first)
        tf.get_variable("v", [4, 2], partitioner=second)

    programs = (parts, in_scopes, trained, looked_up, told, saved, created)
    return {f.__name__: runs(f) for f in programs} | {
        "two axes": refused(lambda: tf.get_variable("v", [4, 2], partitioner=lambda shape, dtype: [2, 2])),
        "another rank": refused(lambda: tf.get_variable("v", [4, 2], partitioner=lambda shape, dtype: [2])),
        "no list": refused(lambda: tf.get_variable("v", [4, 2], partitioner=lambda shape, dtype: 2)),
        "then whole": refused(lambda: without(two, None)), "first whole": refused(lambda: without(None, two)), "twice": refused(lambda: without(two, two)),
        "added to": refused(lambda: tf.get_variable("v", [4, 2], partitioner=two) + 1.0),
    }  # fmt: skip
