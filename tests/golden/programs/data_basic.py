"""Datasets: where they come from, their order and size, eagerly."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"


def _all(dataset: Any) -> list[Any]:
    return list(dataset.as_numpy_iterator())


def made(tf: Any) -> Answers:
    of = tf.data.Dataset
    numbers = of.range(7)
    nested = of.from_tensor_slices(({"b": [1, 2], "a": [[1.0], [2.0]]}, ["x", "y"]))
    generated = of.from_generator(lambda n: ((i, [i] * i) for i in range(int(n))), args=[3],
                                  output_signature=(tf.TensorSpec([], tf.int32), tf.TensorSpec([None], tf.float32)))  # fmt: skip
    older = of.from_generator(lambda: iter([1, 2]), tf.int64, tf.TensorShape([]))
    typed = of.from_generator(lambda: iter([{"a": "x", "b": 2.5}]), {"a": tf.string, "b": tf.float32})
    return {
        "range": lambda: [_all(numbers), _all(of.range(5, 0, -2)), _all(of.range(2, 9, 3, output_type=tf.int32)), _all(of.range(0))],
        "slices": lambda: _all(nested), "one": lambda: _all(of.from_tensors((1, [2.0, 3.0], None))),
        "rows": lambda: _all(of.from_tensor_slices(np.arange(6.0).reshape(3, 2))), "words": lambda: _all(of.from_tensor_slices([["a", "b"], ["c", "dd"]])),
        "generator": lambda: [_all(generated), _all(generated), _all(older), _all(typed)],
        "zip": lambda: [_all(of.zip(numbers, nested)), _all(of.zip({"p": numbers, "q": (numbers,)}))[:2], _all(numbers.zip(older) if False else of.zip((numbers, older)))],
        "specs": lambda: [str(d.element_spec) for d in (numbers, nested, generated, older, typed, of.zip(numbers, nested), of.from_tensors(([1, 2], "a")),
                                                       of.from_tensors(tf.zeros([2, 3])))],
        "repr": lambda: [repr(d) for d in (numbers, nested.map(lambda a, b: b).batch(2), numbers.shuffle(2).repeat())],
    }  # fmt: skip


def order(tf: Any) -> Answers:
    of = tf.data.Dataset
    r = of.range

    def shuffled() -> Any:
        tf.random.set_seed(11)
        found = [_all(r(20).shuffle(7, seed=3))]
        twice = r(6).shuffle(6, seed=1)
        found += [_all(twice), _all(twice), _all(twice)]
        same = r(6).shuffle(6, seed=1, reshuffle_each_iteration=False)
        found += [_all(same), _all(same)]
        unseeded = r(8).shuffle(4)
        return [*found, _all(unseeded), _all(unseeded)]

    def repeated() -> Any:
        tf.random.set_seed(5)
        a, b = r(5).shuffle(3, seed=1).repeat(3), r(5).repeat(3).shuffle(3, seed=1)
        found = [_all(a), _all(a), _all(b), _all(b)]
        found += [_all(r(2).shuffle(100, seed=2).repeat(9)), _all(r(3).shuffle(5, seed=4).repeat().take(20)), _all(r(4).shuffle(4, seed=9).repeat(2).batch(3))]
        found += [_all(r(4).shuffle(3, seed=2, reshuffle_each_iteration=False).repeat(3)), _all(r(0).shuffle(3).repeat().take(3)), _all(r(3).shuffle(2, seed=1).repeat(1))]
        return found

    def large() -> Any:
        tf.random.set_seed(1)
        return [_all(r(1000).shuffle(300, seed=8).batch(1000)), _all(r(50).shuffle(1, seed=8).take(3)), _all(r(50).shuffle(tf.constant(50, tf.int64), seed=2**40).take(5))]

    def whole() -> Any:
        tf.random.set_seed(1)
        d = r(9)
        return [_all(d.shuffle(d.cardinality(), seed=1)), _all(d.shuffle(tf.data.UNKNOWN_CARDINALITY, seed=1)), _all(d.shuffle(tf.data.UNKNOWN_CARDINALITY, seed=1).repeat(2))]

    def nested() -> Any:
        tf.random.set_seed(4)
        return [_all(r(4).shuffle(4).shuffle(2)), _all(r(6).shuffle(3).batch(2).shuffle(2)), _all(r(3).shuffle(3).concatenate(r(3, 6).shuffle(3)))]

    return {
        "shuffled": shuffled, "repeated": repeated, "large": large, "whole": whole, "nested": nested,
        "parts": lambda: [_all(r(5).take(2)), _all(r(5).take(-1)), _all(r(5).skip(3)), _all(r(5).skip(-1)), _all(r(5).skip(9)), _all(r(5).take(0)),
                          _all(r(7).shard(3, 1)), _all(r(2).concatenate(r(5, 7)).repeat(2)), _all(r(3).repeat(0)), _all(r(0).repeat())],
        "enumerate": lambda: _all(of.from_tensor_slices(["a", "b"]).enumerate(5)),
    }  # fmt: skip


def each(tf: Any) -> Answers:
    of = tf.data.Dataset
    r = of.range

    def odd(i: Any) -> Any:
        if i % 2 == 1:
            return i * 10
        return -i

    def drawn() -> Any:
        tf.random.set_seed(7)
        seeded = r(3).map(lambda i: tf.random.uniform([2], seed=1))
        unseeded = r(3).map(lambda i: tf.random.normal([]))
        return [_all(seeded), _all(seeded), _all(unseeded), _all(unseeded)]

    def counted() -> Any:
        v = tf.Variable(0)
        d = r(3).map(lambda i: v.assign_add(1))
        return [_all(d), _all(d), v.numpy()]

    pairs = of.from_tensor_slices(([1, 2], [10.0, 20.0]))
    v = tf.Variable(3.0)
    return {
        "map": lambda: [_all(r(3).map(lambda i: i * i)), _all(pairs.map(lambda a, b: {"s": tf.cast(a, tf.float32) + b * v})),
                        _all(pairs.map(lambda a, b: (b, (a, "x")))), _all(pairs.map(lambda *args: len(args))), _all(r(2).map(lambda i: [i, i + 1])),
                        _all(r(2).map(lambda i: (i, None))), _all(r(2).map(lambda i: 3.5)), _all(r(2).map(lambda i: tf.constant("ab")))],
        "branches": lambda: _all(r(5).map(odd)),
        "filter": lambda: [_all(r(6).filter(lambda i: i % 3 == 0)), _all(pairs.filter(lambda a, b: b > 15.0))],
        "specs": lambda: [str(d.element_spec) for d in (r(3).map(lambda i: [i, i + 1]), pairs.map(lambda a, b: {"a": a}), r(3).map(lambda i: tf.zeros([i])),
                                                       r(2).map(lambda i: (i, None)))],
        "drawn": drawn, "counted": counted,
        "batch": lambda: [_all(r(5).batch(2)), _all(r(5).batch(2, drop_remainder=True)), _all(pairs.batch(3)), _all(of.from_tensor_slices(["a", "bb", ""]).batch(2))],
        "batch specs": lambda: [str(d.element_spec) for d in (r(5).batch(2), pairs.batch(3, drop_remainder=True), r(5).batch(tf.constant(2, tf.int64), True))],
        "prefetch": lambda: [_all(r(4).prefetch(1)), _all(r(4).prefetch(tf.data.AUTOTUNE)), _all(r(4).prefetch(0)), _all(r(9).map(odd, num_parallel_calls=2).prefetch(3))],
    }  # fmt: skip


def sizes(tf: Any) -> Answers:
    of = tf.data.Dataset
    r = of.range
    datasets = {
        "range": r(5), "down": r(5, 0, -2), "none": r(3, 3), "slices": of.from_tensor_slices([[1], [2]]), "batch": r(5).batch(2), "whole batches": r(5).batch(2, True),
        "repeat": r(5).repeat(2), "endless": r(5).repeat(), "endless nothing": r(0).repeat(), "take": r(5).take(3), "take all": r(5).take(-1), "take of endless": r(5).repeat().take(7),
        "skip": r(5).skip(2), "skip of endless": r(5).repeat().skip(2), "filter": r(5).filter(lambda i: True), "filter none": r(0).filter(lambda i: True),
        "zip": of.zip((r(3), r(5))), "zip endless": of.zip((r(3).repeat(), r(5).repeat())), "zip unknown": of.zip((r(3).filter(lambda i: True), r(5))),
        "joined": r(3).concatenate(r(2)), "joined endless": r(3).concatenate(r(2).repeat()), "joined unknown": r(3).concatenate(r(2).filter(lambda i: True)),
        "shard": r(7).shard(3, 0), "shard last": r(7).shard(3, 2), "shuffle": r(7).shuffle(3).prefetch(2), "map": r(7).map(lambda i: i),
        "generator": of.from_generator(lambda: iter([1]), tf.int32), "filter repeat": r(5).filter(lambda i: True).repeat(2), "filter take": r(5).filter(lambda i: True).take(2),
        "filter take none": r(5).filter(lambda i: True).take(0), "filter repeat none": r(5).filter(lambda i: True).repeat(0), "zip none unknown": of.zip((r(0), r(5).filter(lambda i: True))),
    }  # fmt: skip
    return {name: (lambda d=d: d.cardinality()) for name, d in datasets.items()} | {
        "len": lambda: [len(r(5)), bool(r(0))], "len endless": raises(lambda: len(r(1).repeat())), "len unknown": raises(lambda: len(r(1).filter(lambda i: True))),
        "constants": lambda: [tf.data.INFINITE_CARDINALITY, tf.data.UNKNOWN_CARDINALITY, tf.data.AUTOTUNE],
    }  # fmt: skip


def functions(tf: Any) -> Answers:
    r = tf.data.Dataset.range

    @tf.function
    def total(dataset: Any) -> Any:
        found = tf.constant(0, tf.int64)
        for i in dataset:
            found += i
        return found

    @tf.function
    def until(dataset: Any, last: Any) -> Any:
        found, steps = tf.constant(0, tf.int64), 0
        for i in dataset:
            steps += 1
            if i == last:
                break
            if i % 2 == 0:
                continue
            found += i
        return found, steps

    @tf.function
    def two(iterator: Any) -> Any:
        return next(iterator) * 10 + iterator.get_next()

    @tf.function
    def some(iterator: Any, n: Any) -> Any:
        found = tf.constant(0, tf.int64)
        for _ in tf.range(n):
            found += next(iterator)
        return found

    @tf.function
    def first(iterator: Any) -> Any:
        found = tf.constant(-1, tf.int64)
        for i in iterator:
            if i > 5:
                found = i
                break
        return found

    @tf.function
    def inside(n: Any) -> Any:
        found = tf.constant(0.0)
        for a, b in tf.data.Dataset.zip((tf.data.Dataset.range(n), tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]))).map(lambda a, b: (tf.cast(a, tf.float32), b)):
            found += a * b
        return found

    def iterators() -> Any:
        it = iter(r(10))
        return [two(it), two(it), some(it, 3), first(it), next(it)]

    def captured() -> Any:
        it, d = iter(r(5)), r(3)

        @tf.function
        def step(x: Any) -> Any:
            for i in d:
                x += i
            return x + it.get_next()

        return [step(tf.constant(100, tf.int64)), step(tf.constant(100, tf.int64))]

    def variables() -> Any:
        v = tf.Variable(0.0)

        @tf.function
        def train(d: Any) -> Any:
            for x, y in d:
                v.assign_add(x * y)
            return v.read_value()

        return [train(tf.data.Dataset.from_tensor_slices(([1.0, 2.0], [3.0, 4.0]))), v.numpy()]

    def gradients() -> Any:
        w = tf.Variable([1.0, 2.0])

        @tf.function
        def fit(d: Any) -> Any:
            losses = tf.constant(0.0)
            for x in d:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(tf.square(w * x))
                w.assign_sub(0.1 * tape.gradient(loss, w))
                losses += loss
            return losses

        return [fit(tf.data.Dataset.from_tensor_slices([[1.0, 2.0], [0.5, 1.0]]).repeat(2)), w.numpy()]

    @tf.function
    def numbered(d: Any) -> Any:
        found = tf.constant(0, tf.int64)
        for n, i in enumerate(d):
            found += n * i
        return found

    return {
        "total": lambda: [total(r(5)), total(r(0)), total(r(4).map(lambda i: i * 2))], "until": lambda: [until(r(10), 6), until(r(3), 6)], "iterators": iterators, "captured": captured,
        "inside": lambda: [inside(2), inside(tf.constant(3, tf.int64)), inside(tf.constant(2, tf.int64))], "variables": variables, "gradients": gradients, "numbered": lambda: numbered(r(4)),
        "end": raises(lambda: two(iter(r(1)))), "end eagerly": raises(lambda: iter(r(0)).get_next()),
    }  # fmt: skip


def refused(tf: Any) -> Answers:
    of = tf.data.Dataset
    r = of.range
    calls = {
        "scalar slices": lambda: of.from_tensor_slices(3), "uneven slices": lambda: of.from_tensor_slices(([1, 2], [1])), "no zip": lambda: of.zip(), "zip a number": lambda: of.zip(r(3), 3),
        "zip a list": lambda: of.zip((r(3), [r(3)])), "take a word": lambda: r(3).take("a"), "batch a half": lambda: r(3).batch(2.5), "map no function": lambda: r(3).map(3),
        "map too few": lambda: r(3).map(lambda x, y: x), "batch nothing": lambda: r(3).batch(0), "shuffle nothing": lambda: r(3).shuffle(0), "prefetch": lambda: r(3).prefetch(-3),
        "join": lambda: r(1).concatenate(of.from_tensors("a")), "filter": lambda: r(3).filter(lambda x: x), "shard": lambda: r(3).shard(2, 5), "no shards": lambda: r(3).shard(0, 1),
        "range": lambda: r(1, 2, 3, 4), "range of a word": lambda: r("a"), "step 0": lambda: r(1, 2, 0), "index": lambda: r(3)[0],
        "uneven batch": lambda: _all(of.from_generator(lambda: iter([[1], [1, 2]]), output_signature=tf.TensorSpec([None], tf.int32)).batch(2)),
        "generator: a word": lambda: _all(of.from_generator(lambda: [1, "a"], output_signature=tf.TensorSpec([], tf.int32))),
        "generator: a shape": lambda: _all(of.from_generator(lambda: [1, [2]], output_signature=tf.TensorSpec([], tf.int32))),
        "generator: a structure": lambda: _all(of.from_generator(lambda: [(1, 2, 3)], output_signature=(tf.TensorSpec([], tf.int32),) * 2)),
        "generator: an error": lambda: _all(of.from_generator(lambda: (1 // i for i in [1, 0]), tf.int32)), "generator: no types": lambda: of.from_generator(lambda: [1]),
        "generator: a ValueError": lambda: _all(of.from_generator(lambda: (int(i) for i in ["1", "x"]), tf.int32)), "generator: none": lambda: of.from_generator([1], tf.int32),
        "both signatures": lambda: of.from_generator(lambda: [1], tf.int32, output_signature=tf.TensorSpec([])),
        "checked": lambda: _all(r(3).map(lambda i: tf.debugging.check_numerics(1.0 / tf.cast(i, tf.float32), "inf"))),
        "checked ahead": lambda: _all(r(3).map(lambda i: tf.debugging.check_numerics(1.0 / tf.cast(i, tf.float32), "inf"), num_parallel_calls=2).prefetch(2)),
        "an unknown value": lambda: r(3).map(lambda i: object()),
    }  # fmt: skip
    return {name: raises(call) for name, call in calls.items()}
