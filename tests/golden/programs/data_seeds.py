"""When datasets draw seeds: when an iterator is made, or when it comes to them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers

FACE = "v2"
_ELEMENTS = 12
_LATER_ORDERS = 6


def seeds_drawn(tf: Any) -> Answers:
    """How many orders of a shuffled dataset an iterator uses up: when it is made, after 1, 3 and 13 elements, and at its end."""
    of = tf.data.Dataset
    experimental = tf.data.experimental

    def shuffled() -> Any:
        return of.range(_ELEMENTS).shuffle(8, seed=2)

    def unfused(d: Any) -> Any:
        options = tf.data.Options()
        options.experimental_optimization.shuffle_and_repeat_fusion = False
        return d.with_options(options)

    def parity(i: Any) -> Any:
        return tf.cast(i % 2, tf.int32)

    add_one = lambda i: i + 1
    pair = lambda i: of.range(2)
    transformations: dict[str, Callable[[Any], Any]] = {
        "itself": lambda d: d, "map": lambda d: d.map(add_one), "parallel map": lambda d: d.map(add_one, num_parallel_calls=2),
        "filter": lambda d: d.filter(lambda i: i > 1), "batch": lambda d: d.batch(3), "padded batch": lambda d: d.padded_batch(3),
        "unbatch": lambda d: d.batch(3).unbatch(), "window": lambda d: d.window(3), "take": lambda d: d.take(3), "take nothing": lambda d: d.take(0),
        "take all": lambda d: d.take(-1), "skip": lambda d: d.skip(3), "skip all": lambda d: d.skip(-1), "shard": lambda d: d.shard(2, 0),
        "enumerate": lambda d: d.enumerate(), "zip": lambda d: of.zip((d, d)), "join": lambda d: d.concatenate(d), "join after": lambda d: of.range(2).concatenate(d),
        "repeat": lambda d: d.repeat(2), "repeat thrice": lambda d: d.repeat(3), "repeat mapped": lambda d: d.map(add_one).repeat(2), "repeat once": lambda d: d.repeat(1),
        "repeat unfused": lambda d: unfused(d.repeat(2)), "repeat for ever": lambda d: d.repeat().take(30), "repeat mapped for ever": lambda d: d.map(add_one).repeat().take(30),
        "shuffle": lambda d: d.shuffle(4, seed=1), "prefetch": lambda d: d.prefetch(2), "prefetch nothing": lambda d: d.prefetch(0), "prefetch as it pays": lambda d: d.prefetch(-1),
        "cache": lambda d: d.cache(), "flat_map": lambda d: d.flat_map(pair), "flat_map to it": lambda d: of.range(2).flat_map(lambda i: d), "interleave": lambda d: d.interleave(pair),
        "group": lambda d: d.group_by_window(lambda i: i % 2, lambda key, group: group.batch(2), 2), "scan": lambda d: d.scan(np.int64(0), lambda s, i: (s + i, s)),
        "take_while": lambda d: d.take_while(lambda i: i < 5), "unique": lambda d: d.unique(), "sample": lambda d: of.sample_from_datasets([d, d], seed=3),
        "choose": lambda d: of.choose_from_datasets([d, d], of.range(2)), "options": lambda d: d.with_options(tf.data.Options()), "rebatch": lambda d: d.batch(4).rebatch(2),
        "bucket": lambda d: d.bucket_by_sequence_length(parity, [1], [2, 2]), "ignore_errors": lambda d: d.ignore_errors(),
        "count": lambda d: d.apply(experimental.assert_cardinality(_ELEMENTS)), "resample": lambda d: d.rejection_resample(parity, [0.5, 0.5], seed=3),
        "ragged batch": lambda d: d.map(lambda i: tf.ones([i])).ragged_batch(2), "sparse batch": lambda d: d.map(lambda i: tf.ones([i])).sparse_batch(2, [20]),
        "reduce by key": lambda d: d.apply(experimental.group_by_reducer(lambda i: i % 2, experimental.Reducer(lambda key: np.int64(0), lambda s, i: s + i, lambda s: s))),
    }  # fmt: skip

    def count(transform: Callable[[Any], Any]) -> list[int]:
        tf.random.set_seed(11)
        one = shuffled()
        orders = [[int(i) for i in one] for _ in range(_LATER_ORDERS)]
        found = []
        for taken in (0, 1, 3, 13, 99):
            d = shuffled()
            iterator = iter(transform(d))
            for _ in range(taken):
                next(iterator, None)
            found.append(orders.index([int(i) for i in d]))
        return found

    return {name: lambda transform=transform: count(transform) for name, transform in transformations.items()}


def checkpoints(tf: Any) -> Answers:
    """An iterator's place in a checkpoint: what came before, behind it, again after a restore, in a new iterator, and the next time."""
    of = tf.data.Dataset

    def kept(make: Callable[[], Any], count: int = 3, later: bool = True) -> Callable[[], Any]:
        def answer() -> Any:
            tf.random.set_seed(5)
            dataset = make()
            iterator = iter(dataset)
            before = [next(iterator) for _ in range(count)]
            with tempfile.TemporaryDirectory() as folder:
                path = tf.train.Checkpoint(iterator=iterator).save(os.path.join(folder, "c"))
                rest = list(iterator)
                tf.train.Checkpoint(iterator=iterator).restore(path)
                again = list(iterator)
                tf.random.set_seed(5)
                fresh = iter(make())
                tf.train.Checkpoint(iterator=fresh).restore(path)
                return [before, rest, again, list(fresh), list(dataset) if later else None]

        return answer

    r = of.range
    return {
        "range": kept(lambda: r(6)), "at the beginning": kept(lambda: r(3), 0), "batches": kept(lambda: r(9).map(lambda i: i * i).batch(2)),
        "shuffled": kept(lambda: r(9).shuffle(4, seed=2)), "shuffled and repeated": kept(lambda: r(4).shuffle(4, seed=2).repeat(2), 5),
        "shuffled maps repeated": kept(lambda: r(4).shuffle(4, seed=2).map(lambda i: i + 1).repeat(2), 5, later=False), "twice shuffled": kept(lambda: r(7).shuffle(3, seed=1).shuffle(3, seed=2)),
        "in one order": kept(lambda: r(6).shuffle(6, seed=2, reshuffle_each_iteration=False)), "sampled": kept(lambda: of.sample_from_datasets([r(4), r(10, 14)], seed=3)),
        "zipped": kept(lambda: of.zip((r(5).shuffle(3, seed=1), r(5).shuffle(3, seed=2)))), "interleaved": kept(lambda: r(3).interleave(lambda i: of.from_tensors(i).repeat(3), 2, 1)),
        "prefetched": kept(lambda: r(5).shuffle(3, seed=1).prefetch(2)), "strings": kept(lambda: of.from_tensor_slices(["a", "b", "c", "d"])),
    }  # fmt: skip


def resampled(tf: Any) -> Answers:
    of = tf.data.Dataset
    third = lambda i: tf.cast(i % 3 == 0, tf.int32)

    def drawn(d: Any, *args: Any, **kwargs: Any) -> Callable[[], Any]:
        def call() -> Any:
            tf.random.set_seed(3)
            return list(d.rejection_resample(third, *args, **kwargs).take(40).as_numpy_iterator())

        return call

    r = of.range(60)
    pairs = of.zip((r, r)).rejection_resample(lambda i, j: third(j), [0.5, 0.5])
    return {
        "estimated": drawn(r, [0.5, 0.5], seed=4), "given": drawn(r, [0.5, 0.5], [0.67, 0.33], seed=4), "the same": drawn(r, [0.5, 0.5], [0.5, 0.5], seed=4),
        "only one": drawn(r, [0.0, 1.0], [0.6, 0.4], seed=4), "shuffled": drawn(r.shuffle(9, seed=1), [0.5, 0.5], seed=4), "unseeded": drawn(r, [0.5, 0.5]),
        "integers": drawn(r, [0, 1], seed=4), "tensors": drawn(r, tf.constant([0.5, 0.5]), tf.constant([0.99, 0.01]), seed=4), "pairs": lambda: [str(pairs.element_spec), repr(pairs)],
    }  # fmt: skip
