"""Every collective, its gradients to second order, in every mode, against what NumPy says of all replicas' inputs."""

import sys
import time

import numpy as np

import pullback as tf
import pullback.distribute as hvd
from pullback.kernels.collective.world import world
from pullback.ops.collective.buckets import all_reduce_together

rank, size = hvd.rank(), hvd.size()


def input_of(replica: int, *shape: int) -> np.ndarray:
    return np.random.default_rng([replica, *shape]).normal(size=shape).astype(np.float64)


def check(got: object, wanted: object, what: str) -> None:
    np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), rtol=1e-12, atol=1e-12, err_msg=f"{what} on replica {rank} of {size}")


ROWS = 12  # which 1, 2, 3 and 4 divide
PART = ROWS // size


def sum_of(x: list[np.ndarray]) -> list[np.ndarray]:
    return [sum(x)] * size


def at(root: int, x: np.ndarray) -> list[np.ndarray]:
    return [x if r == root else np.zeros_like(x) for r in range(size)]


def exchanged(x: list[np.ndarray]) -> list[np.ndarray]:
    return [np.concatenate([x[j][i * PART : (i + 1) * PART] for j in range(size)]) for i in range(size)]


def gathered(x: list[np.ndarray]) -> list[np.ndarray]:
    return [np.concatenate(x)] * size


def scattered(x: list[np.ndarray]) -> list[np.ndarray]:
    return np.split(sum(x), size)


# What each gives from all inputs, and its transpose.
CASES = {
    "all_reduce": (hvd.all_reduce, sum_of, sum_of),
    "all_reduce by MPI": (lambda x: hvd.all_reduce(x, fast=True), sum_of, sum_of),
    "mean": (lambda x: hvd.all_reduce(x, "MEAN"), lambda x: [sum(x) / size] * size, lambda g: [sum(g) / size] * size),
    "all_reduce of rows": (
        lambda x: hvd.all_reduce(x, axis=0),
        lambda x: [sum(x).sum(0)] * size,
        lambda g: [np.broadcast_to(sum(g), (ROWS, *sum(g).shape))] * size,
    ),
    "all_gather": (hvd.all_gather, gathered, lambda g: np.split(sum(g), size)),
    "reduce_scatter": (hvd.reduce_scatter, scattered, lambda g: [np.concatenate(g)] * size),
    "broadcast": (lambda x: hvd.broadcast(x, size - 1), lambda x: [x[-1]] * size, lambda g: at(size - 1, sum(g))),
    "reduce": (lambda x: hvd.reduce(x, size - 1), lambda x: at(size - 1, sum(x)), lambda g: [g[-1]] * size),
    "all_to_all": (hvd.all_to_all, exchanged, exchanged),
}

for name, (call, forwards, backwards) in CASES.items():
    xs = [input_of(r, ROWS, 2) for r in range(size)]
    ys = forwards(xs)
    gs = [input_of(100 + r, *ys[r].shape) for r in range(size)]
    x, g = tf.constant(xs[rank]), tf.constant(gs[rank])
    check(call(x), ys[rank], name)
    # The derivative of sum(g * call(x)^2), and of the sum of its squares, which goes through the transpose of the transpose.
    slopes = backwards([2 * gs[r] * ys[r] for r in range(size)])
    forward_again = forwards([2 * s for s in slopes])
    curvature = backwards([2 * gs[r] * forward_again[r] for r in range(size)])

    def both(x: tf.Tensor, g: tf.Tensor, call=call) -> tuple[tf.Tensor, tf.Tensor]:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                loss = tf.reduce_sum(g * call(x) ** 2)
            slope = inner.gradient(loss, x)
            again = tf.reduce_sum(slope**2)
        return slope, outer.gradient(again, x)

    for mode, f in (("tape", both), ("function", tf.function(both)), ("compiled", tf.function(both, jit_compile=True))):
        slope, again = f(x, g)
        check(slope, slopes[rank], f"the gradient of {name}, {mode}")
        check(again, curvature[rank], f"the second derivative of {name}, {mode}")
    with tf.autodiff.ForwardAccumulator(x, tf.constant(xs[rank])) as forward:
        y = call(x)
    check(forward.jvp(y), ys[rank], f"the tangent of {name}")
    stack = tf.stack([x, 2 * x, 3 * x])
    check(tf.vectorized_map(call, stack), np.stack([ys[rank], 2 * ys[rank], 3 * ys[rank]]), f"rows of {name}")
    with tf.Graph().as_default():
        fed = tf.compat.v1.placeholder(tf.float64, [None, 2])
        (slope,) = tf.compat.v1.gradients(tf.reduce_sum(g.numpy() * call(fed) ** 2), fed)
        with tf.compat.v1.Session() as session:
            check(session.run(slope, {fed: xs[rank]}), slopes[rank], f"the gradient of {name}, session")

# Sums in shared memory and sums of messages have the same bits; the two places for arrays take turns while replicas are late.
channel = world().channel
if channel is not None:
    assert (channel.memory is None) == ("no common memory" in sys.argv)
    memory = channel.memory
    for turn in range(6):
        mine = input_of(10 * turn + rank, 999).astype(np.float32)
        time.sleep(0.002 * ((rank + turn) % size))
        found = []
        for channel.memory in (memory, None, memory):
            found.append(hvd.all_reduce(mine).numpy().tobytes())
        assert len(set(found)) == 1, f"sums on replica {rank} differ"

# Unequal parts, other dtypes, other axes.
whole = np.arange(20.0).reshape(10, 2)
bounds = [10 * r // size for r in range(size)] + [10]
bounds[1:-1] = [b + 1 for b in bounds[1:-1]]
mine = whole[bounds[rank] : bounds[rank + 1]]
check(hvd.all_gather(mine), whole, "unequal parts")
check(hvd.all_gather(mine.T, axis=1), whole.T, "unequal parts, second axis")
check(hvd.all_reduce(mine, "MEAN", axis=0), whole.mean(0), "the mean of unequal parts")
check(hvd.reduce_scatter(whole, len(mine)), size * mine, "unequal parts of a sum")
for dtype in (tf.float32, tf.float16, tf.bfloat16, tf.complex64, tf.int32, tf.int64, tf.uint8):
    found = hvd.all_reduce(tf.cast([1, 2, rank], dtype))
    assert found.dtype == dtype
    check(tf.cast(found, tf.float64 if dtype != tf.complex64 else tf.complex128), [size, 2 * size, size * (size - 1) / 2], dtype.name)
check(hvd.all_gather([rank % 2 == 0]), [r % 2 == 0 for r in range(size)], "truth values")
large = np.arange(50_000.0) * (rank + 1)  # in parts, where there are more than two
check(hvd.all_reduce(large), np.arange(50_000.0) * sum(r + 1 for r in range(size)), "a large sum")

# The same terms in the same order give the same bits, however they are spread.
terms = input_of(7, 37, 5).astype(np.float32) * 10.0 ** np.arange(-2, 3, dtype=np.float32)
ends = np.linspace(0, 37, size + 1).astype(int)
print("bits", rank, hvd.all_reduce(terms[ends[rank] : ends[rank + 1]], axis=0).numpy().tobytes().hex())

# Sums of buckets go on while the program computes: the bits are those of one sum after the other, whoever is late, in every mode.
weights = [tf.Variable(input_of(9, *shape).astype(np.float32)) for shape in ((5, 7), (7,), (7, 7), (7, 2), (3, 2))]


def gradients(x: tf.Tensor) -> list[tf.Tensor]:
    a, b, c, d, rows = weights
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.tanh(tf.tanh(x @ a + b) @ c) @ d) + tf.reduce_sum(tf.gather(rows, [0, rank % 3]) ** 2)
    return tape.gradient(y, weights)


def late(x: tf.Tensor) -> tf.Tensor:
    time.sleep(0.002 * ((rank + calls[0]) % size))
    calls[0] += 1
    return x


calls = [0]
x = tf.constant(input_of(rank, 6, 5), tf.float32)
wanted = [tf.convert_to_tensor(all_reduce_together([g])[0]).numpy() for g in gradients(x)]
for bucket_bytes in (1, 200, 1 << 20):

    def overlapped(x: tf.Tensor, bucket_bytes: int = bucket_bytes) -> list[tf.Tensor]:
        x = tf.py_function(late, [x], tf.float32)
        x.set_shape([6, 5])
        total = hvd.all_reduce(1.0)
        return [tf.convert_to_tensor(g) for g in all_reduce_together(gradients(x), bucket_bytes=bucket_bytes)] + [total]

    modes = {"tape": overlapped, "function": tf.function(overlapped), "compiled": tf.function(overlapped, jit_compile=True)}
    for mode, f in modes.items():
        several = [f(x) for _ in range(3)]
        for *found, total in several:
            check(total, size, "a sum before others")
            for g, again, bits in zip(found, several[0], wanted, strict=False):
                np.testing.assert_allclose(g, bits, rtol=1e-4, atol=1e-6)  # compiled gradients are rounded otherwise
                same = bits if mode == "tape" else again.numpy() if mode == "compiled" else g.numpy()  # the clock compiles functions
                assert g.numpy().tobytes() == same.tobytes(), f"{mode}, buckets of {bucket_bytes} bytes, on replica {rank}"


# Replicas that disagree find out, and can go on.
def refused(kind: type[Exception], words: list[str], call) -> None:
    try:
        call()
    except kind as error:
        missing = [word for word in words if word not in str(error)]
        assert not missing, f"{missing} not in {error}"
        return
    raise AssertionError(f"no {kind.__name__}")


if size > 1:
    words = ["replica 1", "all_reduce", "float64 [2]", "float64 [3]", "pad"]
    refused(tf.errors.InvalidArgumentError, words, lambda: hvd.all_reduce(np.ones(2 + (rank == 1))))
    words = ["replica 1", "all_reduce of", "broadcast from", "same order"]
    other = hvd.all_reduce if rank == 1 else hvd.broadcast
    fed = tf.Graph()
    with fed.as_default():
        session, result = tf.compat.v1.Session(), other(np.ones(2))
    for call in (lambda: other(np.ones(2)), lambda: session.run(result)):
        refused(tf.errors.InternalError, words, call)
    for compiled in (False, True):
        refused(tf.errors.InternalError, words, lambda: tf.function(other, jit_compile=compiled)(tf.ones([2], tf.float64)))  # noqa: B023
    session.close()
    words = ["replica 1", "all_reduce", "float32 [2]", "float32 [3]", "pad"]
    refused(tf.errors.InvalidArgumentError, words, lambda: all_reduce_together([tf.ones(4), tf.ones(2 + (rank == 1))], bucket_bytes=1))
    refused(tf.errors.InvalidArgumentError, ["all_to_all", f"{size} equal parts"], lambda: hvd.all_to_all(np.ones(ROWS + 1)))
    refused(tf.errors.InvalidArgumentError, ["reduce_scatter", "pad"], lambda: hvd.reduce_scatter(np.ones(ROWS + 1)))
    # One replica alone has rows that its number does not divide: all of them hear of it.
    rows, words = np.ones(ROWS + (rank == 1)), ["replica 1", "float64 [12]", "float64 [13]", "pad"]
    refused(tf.errors.InvalidArgumentError, ["all_to_all", *words], lambda: hvd.all_to_all(rows))
    refused(tf.errors.InvalidArgumentError, ["reduce_scatter", *words], lambda: hvd.reduce_scatter(rows))
refused(tf.errors.InvalidArgumentError, ["no replica 99"], lambda: hvd.broadcast(np.ones(2), 99))
check(hvd.all_reduce(1.0), size, "after all that")
print("ok", rank)
