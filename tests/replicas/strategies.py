"""`tf.distribute` in several processes: variables, sums, datasets, optimizers, checkpoints; each replica judges what it sees."""

import os
import sys

import numpy as np

import pullback as tf
import pullback.distribute as hvd

folder = sys.argv[1]
strategy = tf.distribute.MirroredStrategy()
rank, size = hvd.rank(), strategy.num_replicas_in_sync
assert size == hvd.size()


def check(got: object, wanted: object) -> None:
    np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), rtol=1e-6, err_msg=f"on replica {rank} of {size}")


# Variables begin equal, and are in step.
with strategy.scope():
    v = tf.Variable(tf.random.normal([3]), aggregation=tf.VariableAggregation.MEAN)
    total = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)
    plain = tf.Variable([1.0, 2.0])
    assert tf.distribute.in_cross_replica_context()
check(hvd.all_gather(v[None]), [v.numpy()] * size)


@tf.function
def replica_step(x: tf.Tensor) -> tf.Tensor:
    context = tf.distribute.get_replica_context()
    assert context.num_replicas_in_sync == size
    total.assign_add(tf.reduce_sum(x))
    v.assign(tf.fill([3], tf.cast(context.replica_id_in_sync_group, tf.float32)))
    return context.all_reduce(tf.distribute.ReduceOp.SUM, x), context.all_gather(x, axis=0)


mine = tf.constant([float(rank), 1.0])
summed, gathered = strategy.run(replica_step, args=(mine,))
check(summed, [size * (size - 1) / 2, size])
check(gathered, [n for r in range(size) for n in (r, 1)])
check(total, size * (size - 1) / 2 + size)
check(v, [(size - 1) / 2] * 3)
check(strategy.reduce("MEAN", mine, axis=None), [(size - 1) / 2, 1])
check(strategy.reduce("SUM", tf.ones([rank + 1]), axis=0), size * (size + 1) / 2)
check(strategy.reduce("MEAN", tf.fill([rank + 1], float(rank)), axis=0), sum(r * (r + 1) for r in range(size)) / (size * (size + 1) / 2))
check(strategy.gather(tf.fill([1, 2], rank), axis=0), [[r, r] for r in range(size)])
check(strategy.experimental_local_results(mine)[0], mine)
check(strategy.run(lambda: plain.assign_add([1.0 + rank, 0.0])), [2.0 + rank, 2.0])  # without aggregation each has its own
plain.assign([1.0, 2.0])

# Variables that replicas write apart (recorded of TensorFlow 2.21 with two devices: 10 and 10, then 11 and 12).
for how, wanted in {"SUM": 10 * size + size * (size + 1) / 2, "MEAN": 10 + (size + 1) / 2, "ONLY_FIRST_REPLICA": 11.0}.items():
    aggregation = tf.VariableAggregation[how]
    with strategy.scope():
        apart = tf.Variable(10.0, synchronization=tf.VariableSynchronization.ON_READ, aggregation=aggregation)
    assert not apart.trainable
    check(strategy.run(tf.function(lambda v=apart: v.assign_add(1.0 + rank).read_value())), 11 + rank)
    check(strategy.run(lambda v=apart: v * 1.0), 11 + rank)
    check(apart.read_value(), wanted)
    check(apart * 1.0, wanted)
    path = tf.train.Checkpoint(v=apart).write(os.path.join(folder, how))
    apart.assign(6.0)
    check(strategy.run(apart.read_value), 6 / size if how == "SUM" else 6)
    tf.train.Checkpoint(v=apart).restore(path)
    check(apart.read_value(), wanted)
    if how == "SUM" and size > 1:
        try:
            apart.assign_add(1.0)
        except ValueError as error:
            assert "cross-replica context" in str(error)
        else:
            raise AssertionError("added to a sum of replicas")
if size > 1:
    with strategy.scope():
        alone = tf.Variable(1, synchronization=tf.VariableSynchronization.ON_READ)
    check(strategy.run(lambda: alone.assign_add(rank)), 1 + rank)
    try:
        alone.numpy()
    except ValueError as error:
        assert "aggregation" in str(error)
    else:
        raise AssertionError("read a value that replicas do not agree on")
    try:
        with strategy.scope():
            tf.Variable(1, aggregation=tf.VariableAggregation.MEAN)
    except ValueError as error:
        assert "non-floating" in str(error)
    else:
        raise AssertionError("the mean of whole numbers")

# What merge_call is given is applied everywhere.
def update_all(across: tf.distribute.Strategy, g: tf.Tensor) -> None:
    across.extended.update(plain, lambda variable, change: variable.assign_sub(change), (g,))


strategy.run(lambda: tf.distribute.get_replica_context().merge_call(update_all, (tf.ones([2]),)))
check(plain, [0.0, 1.0])

# Each batch is parted among the replicas, a shuffle without a seed too.
data = tf.data.Dataset.from_tensor_slices((np.arange(25.0), np.arange(25))).shuffle(25).batch(10)
shares = [(x.numpy(), y.numpy()) for x, y in strategy.experimental_distribute_dataset(data)]
assert len(shares) == 3
sizes = [[len(part) for part in np.array_split(np.empty(n), size)] for n in (10, 10, 5)]
assert [len(x) for x, _ in shares] == [min(-(-n // size), max(0, n - rank * -(-n // size))) for n in (10, 10, 5)]
check(np.sort(hvd.all_gather(np.concatenate([x for x, _ in shares]))), np.arange(25.0))
for x, y in shares:
    check(x, y)


def make_part(context: tf.distribute.InputContext) -> tf.data.Dataset:
    part = tf.data.Dataset.range(8).shard(context.num_input_pipelines, context.input_pipeline_id)
    return part.batch(context.get_per_replica_batch_size(12))


made = strategy.distribute_datasets_from_function(make_part)
check(np.sort(hvd.all_gather(np.concatenate([x.numpy() for x in made]))), np.arange(8))

# Optimizers sum gradients over replicas: the step of the whole batch, dense and sparse.
features = np.random.default_rng(0).normal(size=(12, 3)).astype(np.float32)
rows = np.arange(12) % 5
share = slice(12 * rank // size, 12 * (rank + 1) // size)


def losses(w: tf.Variable, table: tf.Variable, x: np.ndarray, ids: np.ndarray) -> tf.Tensor:
    return tf.reduce_sum(tf.sin(x @ w[:, None])) + tf.reduce_sum(tf.gather(table, ids) ** 3)


def train(optimizer: object, distribute: bool) -> list[np.ndarray]:
    with strategy.scope() if distribute else tf.distribute.get_strategy().scope():
        w, table = tf.Variable([0.1, 0.2, 0.3]), tf.Variable(np.linspace(0, 1, 10, dtype=np.float32).reshape(5, 2))

    def step() -> None:
        part = share if distribute else slice(None)
        with tf.GradientTape() as tape:
            loss = losses(w, table, features[part], rows[part])
        optimizer.apply_gradients(zip(tape.gradient(loss, [w, table]), [w, table], strict=True))

    for _ in range(3):
        strategy.run(step) if distribute else step()
    return [w.numpy(), table.numpy()]


for make in (lambda: tf.compat.v1.train.GradientDescentOptimizer(0.1), lambda: tf.compat.v1.train.AdamOptimizer(0.1)):
    for got, wanted in zip(train(make(), True), train(make(), False), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=1e-6)

# Horovod's names.
w, table = tf.Variable([0.1, 0.2, 0.3]), tf.Variable(np.ones((5, 2), np.float32))
hvd.broadcast_variables([w, table])
with hvd.DistributedGradientTape(op=hvd.Sum) as tape:
    loss = losses(w, table, features[share], rows[share])
slopes = tape.gradient(loss, {"w": w, "t": table})
assert isinstance(slopes["t"], tf.IndexedSlices)
with tf.GradientTape() as alone:
    loss = losses(w, table, features, rows)
wanted = alone.gradient(loss, {"w": w, "t": table})
for name in "wt":
    np.testing.assert_allclose(tf.convert_to_tensor(slopes[name]), tf.convert_to_tensor(wanted[name]), rtol=2e-5, atol=1e-6)
optimizer = hvd.DistributedOptimizer(tf.compat.v1.train.GradientDescentOptimizer(1.0), compression=hvd.Compression.fp16)
u = tf.Variable([1.0, 1.0])
optimizer.apply_gradients([(tf.constant([float(rank), 2.0]), u)])
check(u, [1 - (size - 1) / 2, -1])

# One writes, all restore.
with strategy.scope():
    saved = tf.Variable([1.0, 2.0])
manager = tf.train.CheckpointManager(tf.train.Checkpoint(saved=saved), os.path.join(folder, "checkpoints"), max_to_keep=2)
for _ in range(3):
    path = manager.save()
saved.assign([9.0, 9.0])
tf.train.Checkpoint(saved=saved).restore(manager.latest_checkpoint)
check(saved, [1.0, 2.0])
assert len(manager.checkpoints) == 2
files = [name for name in os.listdir(os.path.join(folder, "checkpoints")) if name.endswith(".safetensors")]
assert len(files) == 2, files
open(os.path.join(folder, "no folder"), "w").close()
try:
    tf.train.Checkpoint(saved=saved).write(os.path.join(folder, "no folder", "model"))
except tf.errors.FailedPreconditionError as error:
    assert rank == 0 or "replica 0" in str(error)
else:
    raise AssertionError("written into a file")
print("ok", rank)
