"""`MirroredStrategy` over several devices of one process: what replicas give, variables, sums, data, training."""

from __future__ import annotations

import tempfile
from functools import cache
from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v2"
DEVICES = 4


@cache
def _two(tf: Any) -> Any:
    """One for all: sums of a second strategy in a process fail in TensorFlow, whose collectives have the numbers of the first one's."""
    return tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


def _here(tf: Any) -> Any:
    return tf.distribute.get_replica_context()


def _number(tf: Any) -> Any:
    return tf.cast(_here(tf).replica_id_in_sync_group, tf.float32)


def values(tf: Any) -> Answers:
    s = _two(tf)
    parts = s.experimental_local_results
    numbers = s.run(lambda: _number(tf))
    uneven = s.run(lambda: tf.ones([_here(tf).replica_id_in_sync_group + 1]) * (_number(tf) + 1))

    def mixed() -> Any:
        return {"a": [1, _number(tf)], "b": (None, "x")}

    return {
        "numbers": lambda: parts(numbers),
        "shown": lambda: repr(numbers),
        "printed": lambda: str(numbers),
        "values": lambda: numbers.values,
        "kind": lambda: isinstance(numbers, tf.distribute.DistributedValues),
        "given again": lambda: parts(s.run(lambda x: x * 2 + 1, args=(numbers,))),
        "by name": lambda: parts(s.run(lambda x: x["x"][0] * 2 + 1, kwargs={"x": {"x": [numbers]}})),
        "structures": lambda: [[p["a"][0], p["a"][1], p["b"][0] is None, p["b"][1]] for p in parts(s.run(mixed))],
        "the same": lambda: [s.run(lambda: 3), s.run(lambda: None) is None],
        "sum": lambda: s.reduce("SUM", numbers, axis=None),
        "mean": lambda: s.reduce(tf.distribute.ReduceOp.MEAN, numbers, axis=None),
        "sum of rows": lambda: s.reduce("SUM", uneven, axis=0),
        "mean of rows": lambda: s.reduce("MEAN", uneven, axis=0),
        "sum of one value": raises(lambda: s.reduce("SUM", tf.constant(3.0), axis=None), "A non-DistributedValues value"),
        "mean of one value": lambda: s.reduce("MEAN", tf.constant(3.0), axis=None),
        "rows of one value": lambda: s.reduce("SUM", tf.ones([2]), axis=0),
        "gathered": lambda: s.gather(uneven, axis=0),
        "local results": lambda: [parts(tf.constant(1)), parts([numbers, 1])],
        "made": lambda: parts(s.experimental_distribute_values_from_function(lambda c: c.replica_id_in_sync_group / c.num_replicas_in_sync)),
        "number": lambda: [s.num_replicas_in_sync, len(s.extended.worker_devices)],
    }


def together(tf: Any) -> Answers:
    s = _two(tf)
    parts = s.experimental_local_results

    def rows() -> Any:
        return tf.ones([_here(tf).replica_id_in_sync_group + 1, 2]) * (_number(tf) + 1)

    def slices() -> Any:
        summed = _here(tf).all_reduce("SUM", tf.IndexedSlices(_number(tf) * tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2])))
        return tf.convert_to_tensor(summed)

    def merged(strategy: Any, x: Any, y: Any) -> Any:
        return [tf.distribute.in_cross_replica_context(), len(strategy.experimental_local_results(x)), strategy.reduce("SUM", x, None) + y]

    def uneven() -> Any:
        return _here(tf).all_reduce("SUM", 1.0) if int(_here(tf).replica_id_in_sync_group) else 0.0

    def fails() -> Any:
        if int(_here(tf).replica_id_in_sync_group):
            raise KeyError("one of them")
        return _here(tf).all_reduce("SUM", 1.0)

    inner = tf.function(lambda: _here(tf).all_reduce("SUM", tf.constant(1.0)))

    @tf.function
    def whole() -> Any:
        with tf.name_scope("scope"):
            return s.run(lambda: _here(tf).all_reduce("SUM", {"a": _number(tf) + 1, "b": tf.ones([2])}))

    return {
        "sum": lambda: parts(s.run(lambda: _here(tf).all_reduce("SUM", _number(tf) + 1))),
        "mean": lambda: parts(s.run(lambda: _here(tf).all_reduce("MEAN", [_number(tf), tf.ones([2])]))),
        "gathered": lambda: parts(s.run(lambda: _here(tf).all_gather(rows(), axis=0))),
        "slices": lambda: parts(s.run(slices)),
        "merged": lambda: s.run(lambda: _here(tf).merge_call(merged, args=(_number(tf),), kwargs={"y": 2.0})),
        "uneven": raises(lambda: s.run(uneven), "Some replicas made a different number of replica_context().merge_call() calls."),
        "fails": raises(lambda: s.run(fails)),
        "within a function": raises(lambda: s.run(lambda: inner()), "`merge_call` called while defining a new graph or a tf.function"),
        "a function": lambda: parts(s.run(inner)),
        "in a function": lambda: [[p["a"], p["b"]] for p in parts(whole())],
        "twice": lambda: parts(s.run(lambda: _here(tf).all_reduce("SUM", _here(tf).all_reduce("SUM", _number(tf)) + _number(tf)))),
        "where": lambda: [
            tf.distribute.in_cross_replica_context(),
            s.run(lambda: tf.distribute.get_strategy() is s and _here(tf).num_replicas_in_sync),
            tf.distribute.has_strategy(),
        ],
    }


def variables(tf: Any) -> Answers:
    s = _two(tf)
    parts = s.experimental_local_results
    how, when = tf.VariableAggregation, tf.VariableSynchronization
    with s.scope():
        mirrored = {k: tf.Variable(1.0, aggregation=how[k]) for k in ("MEAN", "SUM", "ONLY_FIRST_REPLICA")}
        apart = {k: tf.Variable(1.0, synchronization=when.ON_READ, aggregation=how[k]) for k in ("MEAN", "SUM", "NONE")}
        named = tf.Variable([1.0, 2.0], name="w")
    local = tf.function(lambda: apart["SUM"] + 1.0)

    def answers(v: Any) -> Any:
        found = []
        for write in (v.assign, v.assign_add, v.assign_sub):
            s.run(lambda write=write: write(_number(tf) + 2.0))
            found.append([*parts(s.run(v.read_value))])
        return found

    def differentiated() -> Any:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(named * named) * (_number(tf) + 1)
        return tape.gradient(y, named)

    def many() -> Any:
        for v in apart.values():
            s.run(lambda v=v: v.assign(_number(tf) + 1))
        return [apart["MEAN"].numpy(), apart["SUM"].numpy(), *parts(s.run(local)), *parts(s.run(local))]

    def across() -> Any:
        for v in (*mirrored.values(), apart["MEAN"], apart["SUM"]):
            v.assign(4.0)
        return [*[v.numpy() for v in mirrored.values()], *parts(s.run(apart["SUM"].read_value)), *parts(s.run(apart["MEAN"].read_value))]

    return {
        **{f"mirrored {k}": lambda v=v: answers(v) for k, v in mirrored.items()},
        **{f"apart {k}": lambda v=v: answers(v) for k, v in apart.items()},
        "apart, read across": lambda: many(),
        "across": across,
        "none, read across": raises(lambda: apart["NONE"].numpy(), "Could not convert from `tf.VariableAggregation`"),
        "a sum, added to across": raises(lambda: apart["SUM"].assign_add(1.0), "SyncOnReadVariable does not support `assign_add`"),
        "the same value in a sum": raises(lambda: s.run(lambda: mirrored["SUM"].assign(5.0)), "A non-DistributedValues value 5.0"),
        "in a function": lambda: parts(s.run(tf.function(lambda: mirrored["MEAN"].assign_add(_number(tf))))),
        "shown": lambda: repr(named),
        "apart, shown": lambda: repr(apart["NONE"]),
        "kind": lambda: [isinstance(named, tf.distribute.DistributedValues), isinstance(named, tf.Variable), named.name, named.trainable],
        "gradients": lambda: parts(s.run(differentiated)),
        "gradients in a function": lambda: parts(s.run(tf.function(differentiated))),
        "made in a function": lambda: _made_in_a_function(tf, s),
        "saved": lambda: _saved(tf, s),
    }


def _made_in_a_function(tf: Any, s: Any) -> Any:
    made: list[Any] = []

    @tf.function
    def make() -> Any:
        if not made:
            made.append(tf.Variable(3.0))
        return made[0] * 2.0

    with s.scope():
        found = make()
    return [found, isinstance(made[0], tf.distribute.DistributedValues)]


def _saved(tf: Any, s: Any) -> Any:
    with s.scope():
        v = tf.Variable([1.0, 2.0])
        total = tf.Variable(0.0, synchronization=tf.VariableSynchronization.ON_READ, aggregation=tf.VariableAggregation.SUM)
    s.run(lambda: total.assign(_number(tf) + 1.0))
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(v=v, total=total).save(f"{folder}/c")
        v.assign([0.0, 0.0])
        total.assign(0.0)
        tf.train.Checkpoint(v=v, total=total).restore(path)
    return [v.numpy(), total.numpy()]


def data(tf: Any) -> Answers:
    s = _two(tf)
    four = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1", "CPU:2", "CPU:3"])

    def listed(strategy: Any, dataset: Any) -> Any:
        return [[p.numpy().tolist() for p in strategy.experimental_local_results(x)] for x in dataset]

    pairs = s.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices(([1.0, 2.0, 3.0], [1, 2, 3])).batch(2))

    @tf.function
    def total(iterator: Any) -> Any:
        found = 0.0
        for _ in tf.range(2):
            x, y = next(iterator)
            found += s.reduce("SUM", s.run(lambda x, y: tf.reduce_sum(x) * 10 + tf.cast(tf.reduce_sum(y), tf.float32), args=(x, y)), axis=None)
        return found

    @tf.function
    def whole(dataset: Any) -> Any:
        found = 0.0
        for x, _ in dataset:
            found += s.reduce("SUM", s.run(tf.reduce_sum, args=(x,)), axis=None)
        return found

    def optional() -> Any:
        iterator = iter(s.experimental_distribute_dataset(tf.data.Dataset.range(3).batch(2)))
        found = [iterator.get_next_as_optional() for _ in range(3)]
        return [[bool(o.has_value()) for o in found], [p.numpy().tolist() for p in s.experimental_local_results(found[1].get_value())]]

    return {
        **{
            f"{n} by {size}": lambda n=n, size=size: listed(four, four.experimental_distribute_dataset(tf.data.Dataset.range(n).batch(size)))
            for n, size in ((10, 4), (10, 10), (3, 4), (3, 10), (5, 4), (5, 10))
        },
        "spec": lambda: repr(pairs.element_spec),
        "pairs": lambda: [[p.numpy().tolist() for p in s.experimental_local_results(y)] for _, y in pairs],
        "kinds": lambda: [isinstance(pairs, tf.distribute.DistributedDataset), isinstance(iter(pairs), tf.distribute.DistributedIterator)],
        "other kinds": lambda: [isinstance(tf.data.Dataset.range(2), k) for k in (tf.distribute.DistributedDataset, tf.distribute.DistributedIterator)],
        "from a function": lambda: listed(s, s.distribute_datasets_from_function(lambda _: tf.data.Dataset.range(5).batch(1))),
        "what the function is told": lambda: listed(
            s,
            s.distribute_datasets_from_function(
                lambda c: tf.data.Dataset.from_tensors([[c.num_input_pipelines, c.input_pipeline_id, c.num_replicas_in_sync]]).repeat(2)
            ),
        ),
        "its spec": lambda: repr(s.distribute_datasets_from_function(lambda _: tf.data.Dataset.range(5).batch(1)).element_spec),
        "an iterator in a function": lambda: total(iter(pairs)),
        "a dataset in a function": lambda: whole(pairs),
        "optional": optional,
        "as an argument": lambda: tf.function(lambda x: s.reduce("SUM", x, axis=0))(next(iter(pairs))[0]),
    }


def kinds(tf: Any) -> Answers:
    """Classes by name, synchronization, and what a tensor counts that all replicas give."""
    s = _two(tf)
    parts = s.experimental_local_results
    same, on_read = tf.constant([1.0, 2.0]), tf.VariableSynchronization.ON_READ
    types = tf.types.experimental.distributed
    with s.scope():
        trained, plain = tf.Variable([1.0, 2.0]), tf.Variable(1.0, trainable=False)
        read = tf.Variable(1.0, synchronization=on_read, aggregation=tf.VariableAggregation.SUM)
        trained_read = tf.Variable(1.0, trainable=True, synchronization=on_read)
    numbers = s.run(lambda: _number(tf))
    variables = {"trained": trained, "plain": plain, "read": read, "trained, read": trained_read}
    return {
        **{
            name: lambda v=v: [type(v).__name__, v.synchronization.name, v.trainable, isinstance(v, types.Mirrored), isinstance(v, types.PerReplica)]
            for name, v in variables.items()
        },
        "numbers": lambda: [isinstance(numbers, types.PerReplica), isinstance(numbers, types.Mirrored)],
        "no strategy": lambda: [tf.Variable(1.0, trainable=True, synchronization=on_read).trainable, tf.Variable(1.0).synchronization.name],
        "sum of the same": lambda: parts(s.run(lambda: _here(tf).all_reduce("SUM", same))),
        "mean of the same": lambda: parts(s.run(lambda: _here(tf).all_reduce("MEAN", same))),
        "sum of the same in a function": lambda: parts(tf.function(lambda: s.run(lambda: _here(tf).all_reduce("SUM", same)))()),
        "sum of equal ones": lambda: parts(s.run(lambda: _here(tf).all_reduce("SUM", same * 1.0))),
        "sum of a variable": lambda: parts(s.run(lambda: _here(tf).all_reduce("SUM", trained))),
    }


def training(tf: Any) -> Answers:
    s = _two(tf)
    xs = tf.reshape(tf.range(24.0), [12, 2]) / 10.0
    ys = tf.reduce_sum(xs, 1, keepdims=True)

    def trained(optimizer: Any) -> Any:
        dataset = s.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices((xs, ys)).batch(4))
        with s.scope():
            w = tf.Variable([[0.5], [-0.5]])
            o = optimizer()

        def step(x: Any, y: Any) -> Any:
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((x @ w - y) ** 2) / 4.0
            o.apply_gradients([(tape.gradient(loss, w), w)])
            if loss > 1.0:
                loss = loss * 1.0
            return loss

        @tf.function
        def epoch() -> Any:
            total = 0.0
            for x, y in dataset:
                total += s.reduce("SUM", s.run(step, args=(x, y)), axis=None)
            return total

        return [epoch(), epoch(), w.numpy()]

    v1 = tf.compat.v1.train
    return {
        "descent": lambda: trained(lambda: v1.GradientDescentOptimizer(0.01)),
        "momentum": lambda: trained(lambda: v1.MomentumOptimizer(0.01, 0.9)),
        "adam": lambda: trained(lambda: v1.AdamOptimizer(0.1)),
    }



