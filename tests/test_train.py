"""Optimizers and checkpoints beyond the golden programs: all or nothing, programs' own optimizers, graphs, odd inputs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.api.variable import Defaults
from pullback.ir.context import enter_graph
from pullback.ops import training
from tests.golden import store
from tests.golden.compare import differences
from tests.golden.programs import kit

V1 = {
    "gradient descent": lambda: tf1.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf1.train.MomentumOptimizer(0.1, 0.9),
    "adam": lambda: tf1.train.AdamOptimizer(0.1),
    "rmsprop": lambda: tf1.train.RMSPropOptimizer(0.1, momentum=0.5, centered=True),
    "adagrad": lambda: tf1.train.AdagradOptimizer(0.1),
    "adadelta": lambda: tf1.train.AdadeltaOptimizer(0.1),
    "ftrl": lambda: tf1.train.FtrlOptimizer(0.1),
}


@pytest.fixture
def graph() -> Iterator[Any]:
    with tf1.Graph().as_default() as made:
        yield made


def values(variables: Any) -> list[np.ndarray]:
    return [v.numpy() for v in variables]


def assert_equal(found: Any, expected: Any) -> None:
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


# ---- eager execution of TensorFlow 1's optimizers


@pytest.mark.parametrize("name", V1)
def test_eager_steps_are_the_steps_of_a_graph(name: str) -> None:
    start = np.array([1.0, -2.0, 3.0], np.float32)
    v, optimizer = tf.Variable(start), V1[name]()
    for _ in range(3):
        optimizer.minimize(lambda: tf.reduce_sum(v * v), var_list=[v])
    with tf1.Graph().as_default(), tf1.Session() as session:
        w = tf1.Variable(start)
        train = V1[name]().minimize(tf.reduce_sum(w * w))
        session.run(tf1.global_variables_initializer())
        for _ in range(3):
            session.run(train)
        expected = session.run(w)
    np.testing.assert_allclose(v.numpy(), expected, rtol=1e-6)


def test_minimize_finds_the_variables_a_function_reads() -> None:
    v, w, unread = tf.Variable(2.0), tf.Variable(3.0, trainable=False), tf.Variable(4.0)
    tf1.train.GradientDescentOptimizer(0.5).minimize(lambda: v * w)
    assert_equal(values([v, w, unread]), [np.float32(0.5), np.float32(3.0), np.float32(4.0)])


def test_an_eager_loss_must_be_a_function() -> None:
    with pytest.raises(RuntimeError, match="should be a function when eager execution is enabled"):
        tf1.train.GradientDescentOptimizer(0.5).minimize(tf.constant(1.0))


def test_an_eager_global_step_counts() -> None:
    step, v = tf.Variable(0, trainable=False), tf.Variable(1.0)
    assert tf1.train.GradientDescentOptimizer(0.5).apply_gradients([(tf.constant(1.0), v)], global_step=step) is None
    assert step.numpy() == 1


# ---- all or nothing


@pytest.mark.parametrize("name", V1)
def test_a_v1_step_that_fails_changes_nothing(name: str) -> None:
    v, table, optimizer = tf.Variable([1.0, 2.0]), tf.Variable([[1.0], [2.0]]), V1[name]()
    good = [(tf.constant([1.0, 1.0]), v), (tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0])), table)]
    optimizer.apply_gradients(good)
    before = values([v, table, *optimizer.variables()])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[0\] = 5 is not in \[0, 2\)"):
        optimizer.apply_gradients([good[0], (tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([5])), table)])
    assert_equal(values([v, table, *optimizer.variables()]), before)


# ---- sparse gradients


@pytest.mark.parametrize("name", [name for name in V1 if name != "adam"])
def test_v1_touches_only_the_rows_given(name: str) -> None:
    table, optimizer = tf.Variable(np.ones((4, 2), np.float32)), V1[name]()
    optimizer.apply_gradients([(tf.constant(np.full((4, 2), 0.5, np.float32)), table)])
    before = values([table, *optimizer.variables()])
    optimizer.apply_gradients([(tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([2])), table)])
    for old, new in zip(before, values([table, *optimizer.variables()]), strict=True):
        np.testing.assert_array_equal(np.delete(old, 2, 0), np.delete(new, 2, 0))
    assert not np.array_equal(before[0][2], table.numpy()[2])


def test_sparse_gradients_that_do_not_fit() -> None:
    sgd, table, scalar = tf1.train.GradientDescentOptimizer(0.1), tf.Variable([[1.0, 2.0]]), tf.Variable(1.0)
    cases = [
        (tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0])), table, "do not fit"),
        (tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([-1])), table, r"indices\[0\] = -1"),
        (tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])), scalar, "is a scalar"),
    ]
    for gradient, variable, message in cases:
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            sgd.apply_gradients([(gradient, variable)])


def test_an_empty_sparse_gradient() -> None:
    table = tf.Variable([[1.0, 2.0]])
    nothing = tf.IndexedSlices(tf.constant(np.zeros((0, 2), np.float32)), tf.constant(np.zeros(0, np.int64)))
    tf1.train.MomentumOptimizer(0.1, 0.9).apply_gradients([(nothing, table)])
    assert table.numpy().tolist() == [[1.0, 2.0]]


# ---- optimizers that programs define


class SignDescent(tf1.train.Optimizer):
    """What a TensorFlow 1 program writes."""

    def __init__(self, rate: float) -> None:
        super().__init__(False, "SignDescent")
        self._rate = rate

    def _create_slots(self, var_list: Any) -> None:
        for v in var_list:
            self._zeros_slot(v, "steps", self._name)

    def _prepare(self) -> None:
        self._rate_tensor = tf.convert_to_tensor(self._call_if_callable(self._rate), name="rate")

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        counted = self.get_slot(var, "steps").assign_add(tf.ones_like(grad))
        with tf1.control_dependencies([counted]):
            return var.assign_sub(self._rate_tensor * tf.sign(grad))

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return var.scatter_sub(tf.IndexedSlices(self._rate_tensor * tf.sign(grad.values), grad.indices))


def test_an_own_v1_optimizer(graph: Any) -> None:
    v, table = tf1.Variable([1.0, -2.0], name="v"), tf1.Variable([[1.0], [2.0]], name="table")
    optimizer = SignDescent(0.5)
    train = optimizer.minimize(tf.reduce_sum(v * v) + tf.reduce_sum(tf.gather(table, [1, 1])))
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        session.run(train)
        found = session.run([v, table, optimizer.get_slot(v, "steps")])
    assert [x.tolist() for x in found] == [[0.5, -1.5], [[1.0], [1.5]], [1.0, 1.0]]
    assert train.name == "SignDescent"


def test_a_v1_optimizer_that_says_nothing(graph: Any) -> None:
    v = tf1.Variable([1.0])
    plain = tf1.train.Optimizer(False, "Plain")
    with pytest.raises(NotImplementedError, match="_apply_dense"):
        plain.minimize(v * v)
    with pytest.raises(NotImplementedError, match="_apply_sparse"):
        plain.minimize(tf.gather(v, [0]))


# ---- TensorFlow 1's ref variables


def test_ref_variables_take_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Defaults, "use_resource", False)
    found = kit.run(tf, "optimizers_v1", oracle=False)
    golden = store.read("program_optimizers_v1")["labels"]
    paths = [label for label in golden if "paths" in label or "steps" in label or label.startswith("names/")]
    assert len(paths) > 60
    for label in paths:
        assert not differences(golden[label], store.decode(store.encode(found[label])), label)


# ---- rules


def test_a_tape_does_not_record_a_step() -> None:
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(v * v)
        tf1.train.AdamOptimizer(0.1).apply_gradients([(tf.constant([1.0, 1.0]), v)])
    assert tape.gradient(loss, v).numpy().tolist() == [2.0, 4.0]


def test_rules_do_not_change_arrays_in_place() -> None:
    v = tf.Variable([1.0, 2.0])
    before = v.handle.value.value
    training.GRADIENT_DESCENT.dense(v.handle, 0.5, tf.constant([1.0, 1.0]))
    assert before.tolist() == [1.0, 2.0] and v.numpy().tolist() == [0.5, 1.5]


def test_a_gradient_of_another_dtype_is_refused_by_the_rule() -> None:
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="float32, its gradient float64"):
        training.GRADIENT_DESCENT.dense(v.handle, 0.5, tf.constant([1.0, 1.0], tf.float64))


# ---- checkpoints and modules


class Line(tf.Module):
    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self.slope = tf.Variable(2.0)
        self.parts = {"b": [tf.Variable(1.0, trainable=False)], "a": (tf.Variable(3.0),)}
        self.number = 3

    @tf.Module.with_name_scope
    def scope(self) -> str:
        with tf.name_scope("inner") as scope:
            return str(scope)


def test_modules() -> None:
    line = Line()
    line.other = Line("second")
    assert line.name == "line" and line.scope() == "line/inner/"
    assert sorted(v.numpy() for v in line.variables) == [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
    assert len(line.trainable_variables) == 4 and len(line.non_trainable_variables) == 2
    assert [m.name for m in line.submodules] == ["second"]
    with pytest.raises(ValueError, match="not a valid module name"):
        Line("no name")


def test_a_module_is_restored_as_it_grows(tmp_path: Path) -> None:
    line = Line()
    line.slope.assign(7.0)
    path = tf.train.Checkpoint(line=line).save(str(tmp_path / "m"))
    empty = tf.Module()
    status = tf.train.Checkpoint(line=empty).restore(path)
    empty.slope = tf.Variable(0.0)
    assert empty.slope.numpy() == 7.0
    status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match=r"line\.parts"):
        status.assert_consumed()


def test_a_restore_that_does_not_fit_changes_nothing(tmp_path: Path) -> None:
    path = tf.train.Checkpoint(a=tf.Variable([1.0, 2.0]), b=tf.Variable([3.0])).save(str(tmp_path / "m"))
    a, b = tf.Variable([0.0, 0.0]), tf.Variable([0.0, 0.0])
    with pytest.raises(ValueError, match="incompatible tensor"):
        tf.train.Checkpoint(a=a, b=b).restore(path)
    assert_equal(values([a, b]), [np.zeros(2), np.zeros(2)])


def test_a_checkpoint_of_a_graph(tmp_path: Path, graph: Any) -> None:
    v = tf1.Variable([1.0, 2.0])
    checkpoint = tf.train.Checkpoint(v=v)
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        path = checkpoint.save(str(tmp_path / "m"), session=session)
    with tf1.Session() as session:
        checkpoint.restore(path).assert_consumed().run_restore_ops(session)
        assert session.run(v).tolist() == [1.0, 2.0]
    other = tf1.Variable([5.0])
    with tf1.Session() as session:
        tf.train.Checkpoint(v=v, other=other).restore(path).initialize_or_restore(session)
        assert [x.tolist() for x in session.run([v, other])] == [[1.0, 2.0], [5.0]]
    with pytest.raises(ValueError, match="give the session"):
        checkpoint.write(str(tmp_path / "n"))


def test_a_manager_in_a_graph(tmp_path: Path, graph: Any) -> None:
    v, step = tf1.Variable(1.0), tf1.Variable(0)
    checkpoint = tf.train.Checkpoint(v=v, step=step)
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, 2, step_counter=step, checkpoint_interval=2)
    grow = step.assign_add(1)
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        paths = [manager.save() for _ in range(4) if session.run(grow)]
        nodes = len(graph.get_operations())
        manager.save(check_interval=False)
        assert len(graph.get_operations()) == nodes
    assert [path and os.path.basename(path) for path in paths] == ["ckpt-1", None, "ckpt-2", None]
    assert os.path.basename(str(manager.latest_checkpoint)) == "ckpt-3"


def test_a_root_lends_its_names(tmp_path: Path) -> None:
    line = Line()
    path = tf.train.Checkpoint(line).write(str(tmp_path / "m"))
    names = [name.split("/.")[0] for name, _ in tf.train.list_variables(path)]
    assert names == ["parts/a/0", "parts/b/0", "slope"]
    line.slope.assign(0.0)
    tf.train.Checkpoint(line).read(path).assert_consumed()
    assert line.slope.numpy() == 2.0


def test_a_status_of_nothing(tmp_path: Path) -> None:
    status = tf.train.Checkpoint(v=tf.Variable(1.0)).restore(None)
    with pytest.raises(AssertionError, match="No checkpoint specified"):
        status.assert_consumed()
    status.expect_partial().initialize_or_restore()
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(str(tmp_path / "m"))
    with pytest.raises(AssertionError, match="Nothing except the root object matched"):
        tf.train.Checkpoint(w=tf.Variable(1.0)).read(path).assert_nontrivial_match()


def test_one_checkpoint_in_some_hours_is_kept_for_good(tmp_path: Path) -> None:
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), tmp_path, 1, keep_checkpoint_every_n_hours=0.0)
    for _ in range(3):
        manager.save()
    assert sorted(p for p in os.listdir(tmp_path) if p.endswith("safetensors")) == [f"ckpt-{k}.safetensors" for k in (1, 2, 3)]
    assert [os.path.basename(p) for p in manager.checkpoints] == ["ckpt-3"]


# ---- Saver beyond the golden program


def test_saver_without_a_session(tmp_path: Path) -> None:
    v = tf.Variable([1.0, 2.0], name="v")
    saver = tf1.train.Saver([v])
    path = saver.save(None, str(tmp_path / "m"))
    v.assign([5.0, 5.0])
    saver.restore(None, path)
    assert v.numpy().tolist() == [1.0, 2.0]


def test_a_saver_restore_that_fails_changes_nothing(tmp_path: Path, graph: Any) -> None:
    a, b = tf1.Variable(1.0, name="a"), tf1.Variable(2.0, name="b")
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        path = tf1.train.Saver([a]).save(session, str(tmp_path / "m"))
        session.run([a.assign(5.0), b.assign(6.0)])
        with pytest.raises(tf.errors.NotFoundError, match="Key b not found"):
            tf1.train.Saver([a, b]).restore(session, path)
        assert session.run([a, b]) == [5.0, 6.0]


def test_saver_reshapes_only_when_told(tmp_path: Path, graph: Any) -> None:
    v = tf1.Variable([[1.0, 2.0]], name="v")
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        path = tf1.train.Saver().save(session, str(tmp_path / "m"))
    with tf1.Graph().as_default(), tf1.Session() as session:
        w = tf1.Variable([0.0, 0.0], name="v")
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"its shape there is \[1, 2\], the variable's \[2\]"):
            tf1.train.Saver().restore(session, path)
        tf1.train.Saver(reshape=True).restore(session, path)
        assert session.run(w).tolist() == [1.0, 2.0]
    del v


def test_saver_works_in_a_finalized_graph(tmp_path: Path, graph: Any) -> None:
    v = tf1.Variable(1.0, name="v")
    saver, init = tf1.train.Saver(), tf1.global_variables_initializer()
    graph.finalize()
    with tf1.Session() as session:
        session.run(init)
        saver.restore(session, saver.save(session, str(tmp_path / "m")))
        assert session.run(v) == 1.0


def test_saver_keeps_one_in_some_hours_for_good(tmp_path: Path, graph: Any) -> None:
    tf1.Variable(1.0, name="v")
    saver = tf1.train.Saver(max_to_keep=1, keep_checkpoint_every_n_hours=0.0)
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        for k in range(3):
            saver.save(session, str(tmp_path / "m"), global_step=k)
    assert len([p for p in os.listdir(tmp_path) if p.endswith("safetensors")]) == 3


def test_a_saver_does_not_save_below_a_file(tmp_path: Path, graph: Any) -> None:
    tf1.get_variable("weight", shape=[])
    saver, file = tf1.train.Saver(), tmp_path / "file"
    file.write_text("")
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        with pytest.raises(ValueError, match=r"Parent directory of .*/file/x doesn't exist, can't save\."):
            saver.save(session, str(file / "x"))


def test_latest_filename_is_a_name(tmp_path: Path, graph: Any) -> None:
    tf1.Variable(1.0, name="v")
    with tf1.Session() as session, pytest.raises(ValueError, match="path components"):
        tf1.train.Saver().save(session, str(tmp_path / "m"), latest_filename="a/b")


# ---- the global step


def test_what_is_no_global_step(graph: Any) -> None:
    with pytest.raises(TypeError, match="does not have integer type"):
        tf1.train.assert_global_step(tf1.Variable(1.0))
    with pytest.raises(TypeError, match="is not scalar"):
        tf1.train.assert_global_step(tf1.Variable([1]))
    for k in range(2):
        tf1.add_to_collection(tf1.GraphKeys.GLOBAL_STEP, tf1.Variable(k))
    with pytest.raises(TypeError, match="Multiple tensors"):
        tf1.train.get_global_step()


# ---- moving averages


def test_averages_of_what_they_cannot_average(graph: Any) -> None:
    average = tf.train.ExponentialMovingAverage(0.9)
    with pytest.raises(TypeError, match="must be half, float, or double"):
        average.apply([tf1.Variable(1)])
    with enter_graph(None), pytest.raises(TypeError, match="takes variables"):
        average.apply([tf.constant(1.0)])
