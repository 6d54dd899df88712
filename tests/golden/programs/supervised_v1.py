"""TensorFlow 1's supervised sessions: what `Supervisor` finds in the graph, what its sessions start from, and how they end."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import raises

FACE = "v1"


def _in_folder(check: Callable[[str], Any]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return check(folder)


def _descent(tf: Any) -> tuple[Any, Any, Any]:
    step, w = tf.train.get_or_create_global_step(), tf.get_variable("w", initializer=np.float32(0.0))
    loss = tf.square(w - 3.0)
    tf.summary.scalar("loss", loss)
    return w, loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)


def what_it_finds(tf: Any) -> dict[str, Any]:
    _descent(tf)
    supervisor = tf.train.Supervisor(save_model_secs=7)
    graph = tf.get_default_graph()
    found = [supervisor.is_chief, supervisor.global_step.name, supervisor.saver is None, supervisor.summary_op.name, supervisor.save_path]
    keys = [tf.GraphKeys.INIT_OP, tf.GraphKeys.READY_OP, tf.GraphKeys.LOCAL_INIT_OP, tf.GraphKeys.SUMMARY_OP, tf.GraphKeys.SAVERS]
    return {
        "parts": found,
        "kept": [[len(graph.get_collection(key)) for key in keys], supervisor.init_op is graph.get_collection(tf.GraphKeys.INIT_OP)[0]],
        "finalized": graph.finalized,
        "seconds": [supervisor.save_summaries_secs, supervisor.save_model_secs, supervisor.summary_writer],
        "refused": raises(lambda: tf.constant(1.0), "finalized"),
        "no writer": raises(lambda: supervisor.summary_computed(None, b""), "summary writer"),
    }


def sessions(tf: Any) -> dict[str, Any]:
    w, loss, move = _descent(tf)

    def train(folder: str) -> list[Any]:
        answers: list[Any] = []
        supervisor = tf.train.Supervisor(logdir=folder, save_model_secs=0, save_summaries_secs=0)
        with supervisor.managed_session() as session:
            for _ in range(3):
                answers.append(session.run([move, loss])[1])
            path = supervisor.saver.save(session, supervisor.save_path, global_step=supervisor.global_step)
            answers.append(os.path.basename(path))
            session.run(move)
        answers.append(supervisor.should_stop())
        with supervisor.managed_session() as session:  # from the checkpoint
            answers += [session.run(supervisor.global_step), session.run(w), supervisor.should_stop()]
        return answers

    return {"trained": lambda: _in_folder(train)}


def ends(tf: Any) -> dict[str, Any]:
    following = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3)).get_next()
    supervisor = tf.train.Supervisor()

    def read() -> list[int]:
        found: list[int] = []
        with supervisor.managed_session() as session:
            while not supervisor.should_stop():
                found.append(int(session.run(following)))
        return found

    def fail() -> None:
        with supervisor.managed_session():
            raise KeyError("mine")

    def fail_in_a_thread() -> None:
        def boom() -> None:
            raise ZeroDivisionError("thread")

        with supervisor.managed_session():
            supervisor.loop(None, boom)
            supervisor.wait_for_stop()

    counted: list[int] = []

    def count(session: Any, by: int, most: int = 0) -> None:
        counted.append(by)
        if len(counted) >= most:
            supervisor.request_stop()

    def loop() -> list[int]:
        tf.train.basic_train_loop(supervisor, count, (2,), {"most": 3})
        return counted

    return {
        "end of the data": read,
        "an error": raises(fail, "mine"),
        "of a thread": raises(fail_in_a_thread, "thread"),
        "basic_train_loop": loop,
        "no coordinator": raises(lambda: tf.train.LooperThread(None, 1.0), "Coordinator"),
        "no target": raises(lambda: tf.train.LooperThread(tf.train.Coordinator(), 1.0, args=(1,)), "target"),
    }


def what_is_given(tf: Any) -> dict[str, Any]:
    def given(make: Callable[[Any, Any, Any], dict[str, Any]]) -> Any:
        with tf.Graph().as_default():
            v, w = (tf.Variable(k, name=name, use_resource=False) for k, name in ((1.0, "v"), (2.0, "w")))
            supervisor = tf.train.Supervisor(**make(v, w, tf.placeholder(tf.float32, [])))
            with supervisor.managed_session() as session:
                return [session.run([v, w]), supervisor.saver, supervisor.global_step, supervisor.summary_op]

    def fed_and_called(v: Any, w: Any, x: Any) -> dict[str, Any]:
        made = {"init_op": v.assign(x).op, "init_feed_dict": {x: 7.0}, "init_fn": lambda session: w.load(5.0, session)}
        return {**made, "saver": None, "summary_op": None, "global_step": None}

    return {
        "fed": lambda: given(fed_and_called),
        "half": raises(lambda: given(lambda v, w, x: {"init_op": v.initializer}), "Variables not initialized: w"),
        "nothing": raises(lambda: given(lambda v, w, x: {"init_op": None, "local_init_op": None}), "no init_op"),
        "not the chief": raises(lambda: given(lambda v, w, x: {"is_chief": False}), "device"),
    }


def managers(tf: Any) -> dict[str, Any]:
    v = tf.Variable(3.0, name="v")
    local = tf.Variable(4.0, name="local", collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False)
    saver, ready = tf.train.Saver([v]), tf.report_uninitialized_variables()
    manager = tf.train.SessionManager(tf.local_variables_initializer(), ready, tf.report_uninitialized_variables([v]))

    def prepare() -> Any:
        with manager.prepare_session("", init_op=v.initializer) as session:
            return session.run([v, local])

    def recover(folder: str) -> Any:
        session, found = manager.recover_session("", saver, folder)
        with session:
            session.run(v.assign(6.0))
            saver.save(session, os.path.join(folder, "m"))
        again, restored = manager.recover_session("", saver, folder)
        with again:
            return [found, restored, again.run([v, local])]

    return {
        "prepared": prepare,
        "recovered": lambda: _in_folder(recover),
        "not ready": raises(lambda: manager.prepare_session(""), "v"),
        "both": raises(
            lambda: manager.prepare_session("", saver=saver, checkpoint_dir="a", checkpoint_filename_with_path="b"), "Can not provide both"
        ),
    }
