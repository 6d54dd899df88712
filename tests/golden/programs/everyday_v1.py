"""Everyday programs of TensorFlow 1: what whole ones print, where they once printed something else here."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np

from .kit import Answers

FACE = "v1"


def averages_to_restore(tf: Any) -> Answers:
    """A program that trains with averages, and one that reads them in place of the variables."""
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    step = tf.train.get_or_create_global_step()
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(w**2), step)
    averages = tf.train.ExponentialMovingAverage(0.9, step)
    with tf.control_dependencies([train]):
        update = averages.apply([w])
    to_restore = averages.variables_to_restore()
    names = {name: v.name for name, v in to_restore.items()}
    with tf.Session() as session, tempfile.TemporaryDirectory() as folder:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(update)
        path = tf.train.Saver().save(session, folder + "/model", global_step=step)
        before = session.run([w, averages.average(w)])
        tf.train.Saver(to_restore).restore(session, path)
        after = session.run([w, averages.average(w)])
    return {"names": dict(sorted(names.items())), "before": before, "after": after}


def names_of_pipelines(tf: Any) -> Answers:
    dataset = tf.data.Dataset.range(3)
    iterator = tf.data.Iterator.from_structure(tf.data.get_output_types(dataset), tf.data.get_output_shapes(dataset))
    made = [iterator.make_initializer(dataset), iterator.make_initializer(dataset), iterator.make_initializer(dataset, name="begin")]
    tf.train.input_producer(np.arange(3), shuffle=False)
    tf.train.input_producer(np.arange(3), shuffle=False, name="mine")
    return {
        "initializers": [op.name for op in made], "next": iterator.get_next().name,
        "producers": [runner.name for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)],
    }  # fmt: skip


def text_of_tensors(tf: Any) -> Answers:
    with tf.device("/cpu:0"):
        a = tf.constant(1.0, name="a")
        x = tf.placeholder(tf.float32, name="x")
        sparse = tf.SparseTensor([[0]], [1.0], [1])
        v = tf.Variable(1.0, name="v", use_resource=False)
    with tf.device("/gpu:0"):
        b = tf.add(a, 1.0, name="b")
    tensors = {"a": a, "b": b, "x": x, "sparse": sparse, "v": v.value(), "slices": tf.IndexedSlices(a, a), "elsewhere": tf.identity(x, name="y")}
    return {name: str(t) for name, t in tensors.items()} | {"shown": [repr(a), f"{b}", str(v)]}


def quantized(tf: Any) -> Answers:
    """Quantized numbers come out of a session as plain ones."""
    answers: Answers = {}
    with tf.Session() as session:
        for dtype in (tf.qint8, tf.quint8, tf.qint32):
            numbers = tf.quantize_v2([1.0, 2.0], 0.0, 2.0, dtype)[0]
            fed = tf.placeholder(dtype)
            found = session.run(numbers)
            answers[dtype.name] = [found, found.dtype.name, repr(session.run(tf.identity(fed), {fed: found}))]
        answers["fed"] = repr(session.run(fed, {fed: [3, 4]}))
    return answers


def variables_of_words(tf: Any) -> Answers:
    def made(**how: Any) -> Any:
        def answer() -> list[Any]:
            v = tf.get_variable("v", [2], tf.string, **how)
            with tf.Session() as session:
                session.run(v.initializer)
                return [session.run(v), v.dtype.name, v.initializer.inputs[1].name]

        return answer

    with tf.variable_scope("a"):
        answers: Answers = {"none given": made(use_resource=False)()}
    with tf.variable_scope("b"):
        answers["a resource"] = made(use_resource=True)()
    return answers
