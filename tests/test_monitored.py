"""Monitored sessions of TensorFlow 1: when hooks are called, what they may add, what is saved, and how a session ends.

The values and orders are those of TensorFlow 2.21.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pullback.compat.v1 as tf

train = tf.train


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield


def descent() -> tuple[Any, Any, Any, Any]:
    step, w = train.get_or_create_global_step(), tf.get_variable("w", [], initializer=tf.zeros_initializer())
    loss = tf.square(w - 3.0)
    return step, w, loss, train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)


class Told(train.SessionRunHook):
    def __init__(self) -> None:
        self.of: list[Any] = []

    def begin(self) -> None:
        self.extra = tf.constant(7.0)
        self.of.append("begin")

    def after_create_session(self, session: Any, coord: Any) -> None:
        assert session.graph.finalized and isinstance(coord, train.Coordinator)
        self.of.append("created")

    def before_run(self, run_context: Any) -> Any:
        assert isinstance(run_context.session, tf.Session) and run_context.original_args.fetches is not None
        return train.SessionRunArgs({"e": self.extra})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self.of.append(float(run_values.results["e"]))

    def end(self, session: Any) -> None:
        self.of.append("end")


def test_training_stops_saves_and_starts_from_where_it_was(tmp_path: Path) -> None:
    folder, told, losses = str(tmp_path), Told(), []
    _, _, loss, move = descent()
    hooks = [told, train.StopAtStepHook(last_step=5)]
    with train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks, save_checkpoint_steps=2, log_step_count_steps=None) as session:
        while not session.should_stop():
            losses.append(round(float(session.run([move, loss])[1]), 4))
    assert losses == [9.0, 5.76, 3.6864, 2.3593, 1.5099] and session.should_stop()
    assert told.of == ["begin", "created", *[7.0] * 5, "end"]
    saved = sorted(path.stem for path in tmp_path.glob("model.*.safetensors"))
    assert saved == ["model.ckpt-0", "model.ckpt-2", "model.ckpt-4", "model.ckpt-5"]
    with tf.Graph().as_default():
        step, _, _, move = descent()
        hooks = [train.StopAtStepHook(num_steps=3)]
        with train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks, save_checkpoint_secs=None) as session:
            assert session.run(step) == 5
            while not session.should_stop():
                session.run(move)
            assert session.raw_session().run(step) == 8
            with pytest.raises(RuntimeError, match="should_stop"):
                session.run(step)


def test_the_end_of_the_data_ends_the_block_and_other_errors_go_on() -> None:
    following = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3)).get_next()
    told, found = Told(), []
    with train.MonitoredSession(hooks=[told]) as session:
        while not session.should_stop():
            found.append(int(session.run(following)))
    assert found == [0, 1, 2] and told.of[-1] == "end"
    told = Told()
    with tf.Graph().as_default(), pytest.raises(ValueError, match="mine"), train.MonitoredSession(hooks=[told]):
        raise ValueError("mine")
    assert told.of == ["begin", "created"]


def test_hooks_feed_and_may_not_feed_what_the_program_feeds() -> None:
    x = tf.placeholder(tf.float32)
    with train.MonitoredSession(hooks=[train.FeedFnHook(lambda: {x: 5.0})]) as session:
        assert session.run(x) == 5.0
        with pytest.raises(RuntimeError, match="fed by a SessionRunHook and user"):
            session.run(x, {x: 1.0})
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32)
        twice = [train.FeedFnHook(lambda: {x: 5.0})] * 2
        with train.MonitoredSession(hooks=twice) as session, pytest.raises(RuntimeError, match="fed by two hooks"):
            session.run(x)


def test_a_loss_that_is_nan_raises_or_stops() -> None:
    _, w, _, move = descent()
    with (
        pytest.raises(train.NanLossDuringTrainingError, match="NaN loss"),
        train.MonitoredSession(hooks=[train.NanTensorHook(tf.log(w - 1.0))]) as s,
    ):
        s.run(move)
    with tf.Graph().as_default():
        _, w, _, move = descent()
        runs = 0
        with train.MonitoredSession(hooks=[train.NanTensorHook(tf.log(w - 1.0), fail_on_nan_loss=False)]) as s:
            while not s.should_stop():
                s.run(move)
                runs += 1
    assert runs == 1


def test_hooks_write_checkpoints_summaries_and_rates(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder, heard = str(tmp_path), []
    _, w, loss, move = descent()
    tf.summary.scalar("loss", loss)

    class Listener(train.CheckpointSaverListener):
        def before_save(self, session: Any, global_step_value: int) -> None:
            heard.append(("before", global_step_value))

        def after_save(self, session: Any, global_step_value: int) -> None:
            heard.append(("after", global_step_value))

        def end(self, session: Any, global_step_value: int) -> None:
            heard.append(("end", global_step_value))

    last = train.FinalOpsHook(w)
    hooks = [
        train.CheckpointSaverHook(folder, save_steps=2, listeners=[Listener()]), last, train.GlobalStepWaiterHook(0),
        train.SummarySaverHook(save_steps=1, output_dir=folder, summary_op=tf.summary.merge_all()),
        train.StepCounterHook(every_n_steps=2, output_dir=folder), train.LoggingTensorHook({"l": loss}, every_n_iter=2),
    ]  # fmt: skip
    with caplog.at_level("INFO", "tensorflow"), train.MonitoredSession(hooks=hooks) as session:
        for _ in range(5):
            session.run(move)
    assert heard == [*((kind, i) for i in (0, 2, 4, 5) for kind in ("before", "after")), ("end", 5)]
    assert float(last.final_ops_values) == pytest.approx(2.017, abs=1e-3)
    events = [
        (int(e.step), v.tag) for path in tmp_path.glob("*tfevents*") for e in train.summary_iterator(str(path)) for v in e.summary.value
    ]
    assert sorted(events) == sorted([*((i, "loss") for i in range(1, 6)), (3, "global_step/sec"), (5, "global_step/sec")])
    assert next(m for m in caplog.messages if m.startswith("l = ")) == "l = 9.0"


def test_a_second_session_of_a_finished_graph_makes_nothing_new(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        with tf.train.MonitoredTrainingSession(str(tmp_path), save_checkpoint_secs=None) as session:
            session.run(v)
        count = len(graph.get_operations())
        graph.finalize()
        for make in (tf.train.MonitoredSession, tf.train.SingularMonitoredSession):
            with make() as session:
                assert session.run(v) == 1.0
        assert len(graph.get_operations()) == count and graph.finalized
        graph.get_collection_ref(tf.GraphKeys.READY_OP).append(v)
        with pytest.raises(RuntimeError, match="More than one item"):
            tf.train.MonitoredSession()


def test_the_graph_of_a_session_that_is_closed_may_grow_again() -> None:
    with tf.Graph().as_default() as graph:
        v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        with tf.train.MonitoredSession() as session, pytest.raises(RuntimeError, match="Graph is finalized"):
            v + 1.0
        assert not graph.finalized
        more = v + 1.0
        with tf.train.MonitoredSession() as session:
            assert session.run(more) == 2.0


def test_a_scaffold_says_what_initialises() -> None:
    _, w, _, _ = descent()
    scaffold = train.Scaffold(init_fn=lambda scaffold, session: w.load(10.0, session))
    with train.MonitoredSession(train.ChiefSessionCreator(scaffold)) as session:
        assert session.run(w) == 10.0 and session.run_step_fn(_stepped(w)) == 10.0 and session.should_stop()
        with pytest.raises(ValueError, match="one `step_context` argument"):
            session.run_step_fn(lambda other: other)
    with tf.Graph().as_default():
        tf.get_variable("w", [])
        with pytest.raises(RuntimeError, match="Variables not initialized: w"):
            train.MonitoredSession(train.ChiefSessionCreator(train.Scaffold(init_op=tf.no_op())))
        with pytest.raises(RuntimeError, match="Global step should be created to use StepCounterHook"):
            train.MonitoredTrainingSession(checkpoint_dir="nowhere")


def _stepped(w: Any) -> Callable[[Any], float]:
    def step(step_context: Any) -> float:
        found = float(step_context.run_with_hooks(w))
        step_context.request_stop()
        return found

    return step


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: train.StopAtStepHook(), "One of num_steps or last_step"),
        (lambda: train.StopAtStepHook(1, 2), "Only one of num_steps or last_step"),
        (lambda: train.LoggingTensorHook({}, every_n_iter=0), "invalid every_n_iter=0"),
        (lambda: train.LoggingTensorHook({}), "exactly one of every_n_iter and every_n_secs"),
        (lambda: train.CheckpointSaverHook("d", save_steps=1, save_secs=1), "both every_secs and every_steps"),
        (lambda: train.SummarySaverHook(save_steps=1), "Exactly one of scaffold or summary_op"),
        (lambda: train.SecondOrStepTimer(1, 2), "both every_secs and every_steps"),
    ],
)  # fmt: skip
def test_refused(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


def test_a_supervisor_saves_and_sums_up_in_threads(tmp_path: Path) -> None:
    folder, calls = str(tmp_path), []
    _, _, loss, _ = descent()
    tf.summary.scalar("loss", loss)
    steps: list[Any] = []

    class Writer(tf.summary.FileWriter):  # type: ignore[misc]  # its class is Any
        def add_summary(self, summary: Any, global_step: Any = None) -> None:
            steps.append(global_step)
            super().add_summary(summary, global_step)

    supervisor = train.Supervisor(logdir=folder, save_model_secs=1000, save_summaries_secs=1000, summary_writer=Writer(folder))
    with supervisor.managed_session() as session:
        while not ((tmp_path / "checkpoint").exists() and len(steps) == 2) and not supervisor.should_stop():  # by threads, at once
            supervisor.coord.wait_for_stop(0.01)
        looper = supervisor.loop(None, lambda: (calls.append(session), supervisor.request_stop()))
        supervisor.wait_for_stop()
    assert calls == [session] and not looper.is_alive()
    assert train.latest_checkpoint(folder) == str(tmp_path / "model.ckpt-0")
    (events,) = tmp_path.glob("*tfevents*")
    tags = {value.tag for event in train.summary_iterator(str(events)) for value in event.summary.value}
    assert tags == {"loss", "global_step/sec"}
