"""Several replicas in one process: what the goldens (local_replicas) do not say, of turns, errors and what is refused."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

import pullback as tf
from pullback.interop import options


@pytest.fixture
def strategy() -> tf.distribute.MirroredStrategy:
    return tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


@pytest.fixture
def two_devices(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(options, "_told", {})
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    yield
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()])


def test_logical_devices_have_a_replica_each(two_devices: None) -> None:
    assert tf.distribute.MirroredStrategy().num_replicas_in_sync == 2
    assert tf.distribute.MirroredStrategy(["CPU:0"]).num_replicas_in_sync == 1


def test_devices_have_names_of_their_own() -> None:
    with pytest.raises(ValueError, match="No duplicates"):
        tf.distribute.MirroredStrategy(["CPU:1", "/device:cpu:1"])


def test_a_trained_variable_is_not_written_apart(strategy: tf.distribute.MirroredStrategy) -> None:
    with strategy.scope():
        v = tf.Variable([1.0, 2.0])
        own = tf.Variable([1.0, 2.0], trainable=False)
    with pytest.raises(ValueError, match="is assigned in a replica without aggregation"):
        strategy.run(lambda: v.assign([3.0, 4.0]))
    with pytest.raises(NotImplementedError, match="not with Scatter"):
        strategy.run(lambda: v.scatter_nd_add([[0]], [1.0]))
    assert v.numpy().tolist() == [1.0, 2.0]
    v.scatter_nd_add([[0]], [1.0])
    assert v.numpy().tolist() == [2.0, 2.0]

    def add() -> None:
        own.scatter_nd_add([[1]], [tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32) + 1.0])

    strategy.run(add)
    assert [part.numpy().tolist() for part in own.values] == [[1.0, 3.0], [1.0, 4.0]]
    own.scatter_nd_add([[1]], [1.0])
    assert [part.numpy().tolist() for part in own.values] == [[1.0, 4.0], [1.0, 5.0]]


def test_a_function_called_in_replicas_reads_what_each_has(strategy: tf.distribute.MirroredStrategy) -> None:
    """One that was traced in one replica is not used in another, nor across them."""
    with strategy.scope():
        own = tf.Variable(0.0, trainable=False)
    read = tf.function(lambda: own + 1.0)

    def step() -> tf.Tensor:
        own.assign(tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32) * 10.0)
        return read()

    for _ in range(2):
        assert [float(part) for part in strategy.run(step).values] == [1.0, 11.0]
    assert float(read()) == 1.0
    own.assign(5.0)
    assert [float(part) for part in strategy.run(read).values] == [6.0, 6.0]
    assert float(read()) == 6.0


def test_replicas_end_with_the_one_that_fails(strategy: tf.distribute.MirroredStrategy) -> None:
    ended = []

    def step() -> None:
        context = tf.distribute.get_replica_context()
        if int(context.replica_id_in_sync_group):
            raise KeyError("the second")
        try:
            context.all_reduce("SUM", tf.constant(1.0))
        finally:
            ended.append(True)

    before = threading.active_count()
    with pytest.raises(KeyError, match="the second"):
        strategy.run(step)
    assert ended == [True]
    assert threading.active_count() == before
    assert float(strategy.reduce("SUM", strategy.run(lambda: tf.constant(1.0)), axis=None)) == 2.0


def test_replicas_of_two_threads_keep_out_of_each_others_way(strategy: tf.distribute.MirroredStrategy) -> None:
    found: list[float] = []

    def train(number: float) -> None:
        own = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

        @tf.function
        def step(x: tf.Tensor) -> tf.Tensor:
            return tf.distribute.get_replica_context().all_reduce("SUM", x * number)

        for _ in range(5):
            found.append(float(own.run(step, args=(tf.constant(1.0),)).values[0]))

    threads = [threading.Thread(target=train, args=(float(i),)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(found) == sorted([2.0 * i for i in range(4)] * 5)


def test_name_scopes_are_those_of_the_replica(strategy: tf.distribute.MirroredStrategy) -> None:
    names: list[str] = []

    @tf.function
    def whole() -> None:
        def step() -> None:
            with tf.name_scope("inside"):
                tf.distribute.get_replica_context().all_reduce("SUM", tf.constant(1.0))
                names.append(tf.constant(1.0).name)

        with tf.name_scope("outside"):
            strategy.run(step)
            names.append(tf.constant(1.0).name)

    whole()
    assert [name.rpartition("/")[0] for name in names] == ["outside/inside", "outside/inside_1", "outside"]
