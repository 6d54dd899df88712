"""Datasets: padded, windowed, grouped, interleaved, folded, sampled, and their options."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kit import Answers, ours, raises

FACE = "v2"


def _all(dataset: Any) -> list[Any]:
    return list(dataset.as_numpy_iterator())


def _int(tf: Any, i: int) -> Any:
    return tf.constant(i, tf.int64)


def gathered(tf: Any) -> Answers:
    of = tf.data.Dataset
    r = of.range
    filled = r(1, 5).map(lambda n: tf.fill([n], n))
    pairs = r(1, 4).map(lambda n: {"a": tf.fill([n], n), "b": (tf.fill([2, n], "x"), n)})
    return {
        "padded": lambda: [_all(filled.padded_batch(2)), _all(filled.padded_batch(3, drop_remainder=True)), _all(filled.padded_batch(2, [None])), _all(filled.padded_batch(2, [6], _int(tf, -1))),
                           _all(filled.padded_batch(2, 5)) if False else 0, _all(filled.padded_batch(4, tf.TensorShape([7])))],
        "padded nests": lambda: [_all(pairs.padded_batch(2)), _all(pairs.padded_batch(3, {"a": [4], "b": ([2, None], [])}, {"a": _int(tf, 9), "b": ("-", _int(tf, 0))}))],
        "padded specs": lambda: [str(d.element_spec) for d in (filled.padded_batch(2), filled.padded_batch(2, [6]), pairs.padded_batch(2, drop_remainder=True))],
        "padded bare": lambda: _all(filled.padded_batch(2, padding_values=7)) if False else 0,
        "ragged": lambda: [[b.to_list() for b in filled.ragged_batch(3)], str(filled.ragged_batch(3).element_spec), [b.to_list() for b in pairs.map(lambda e: e["b"][0]).ragged_batch(2)],
                           _all(r(3).ragged_batch(2)), str(filled.ragged_batch(2, True, tf.int32).element_spec)],
        "unbatched": lambda: [_all(of.from_tensor_slices([[1, 2], [3, 4]]).unbatch()), _all(r(7).batch(3).unbatch()), _all(of.from_tensors(([1, 2], ["a", "b"])).unbatch()), _all(r(7).batch(3).rebatch(2)),
                              _all(r(7).batch(3).rebatch(2, True)), _all(filled.unbatch())],
        "unbatched specs": lambda: [str(d.element_spec) for d in (r(7).batch(3).unbatch(), filled.unbatch(), r(6).batch(3).rebatch(2, True))] + [int(d.cardinality()) for d in (r(6).batch(3, True).unbatch(), r(6).batch(3).unbatch())],
        "windows": lambda: [[_all(w) for w in d] for d in (r(7).window(3), r(7).window(3, 1, 2), r(7).window(3, drop_remainder=True), r(7).window(2, 4), r(3).window(5), r(9).window(2, 1, 3, True))],
        "window sizes": lambda: [int(d.cardinality()) for d in (r(7).window(3), r(7).window(3, 1, 2), r(7).window(3, drop_remainder=True), r(7).window(2, 4), r(3).window(5, drop_remainder=True), r(7).repeat().window(2))],
        "windows of nests": lambda: [(_all(w["a"]), _all(w["b"])) for w in of.from_tensor_slices({"a": [1, 2, 3], "b": ["x", "y", "z"]}).window(2)],
        "windows flat": lambda: _all(r(6).window(3, 1, drop_remainder=True).flat_map(lambda w: w.batch(3))),
        "windows zipped": lambda: _all(of.zip((r(4), r(4, 8))).window(2).flat_map(lambda a, b: of.zip((a.batch(2), b.batch(2))))),
        "window specs": lambda: [str(r(7).window(3).element_spec), len(next(iter(r(7).window(3)))), str(next(iter(r(7).window(3))).element_spec)],
        "groups": lambda: [_all(r(9).group_by_window(lambda i: i % 2, lambda k, g: g.batch(9), 3)), _all(r(9).group_by_window(lambda i: 2 - i % 3, lambda k, g: g.map(lambda i: (k, i)), window_size_func=lambda k: k + 1))],
        "buckets": lambda: [_all(of.from_tensor_slices([1, 5, 2, 7, 3, 6, 4, 8, 2]).map(lambda n: tf.fill([n], n)).bucket_by_sequence_length(lambda x: tf.shape(x)[0], [3, 6], [2, 2, 2], **how))
                            for how in ({}, {"drop_remainder": True}, {"padding_values": -1}, {"padded_shapes": [9]})],
        "buckets to boundaries": lambda: _all(of.from_tensor_slices([1, 5, 2, 3, 4]).map(lambda n: tf.fill([n], n)).bucket_by_sequence_length(lambda x: tf.shape(x)[0], [3, 6], [2, 2, 1], pad_to_bucket_boundary=True)),
        "sparse batches": lambda: [[[b.indices, b.values, b.dense_shape] for b in filled.sparse_batch(3, [5])], str(filled.sparse_batch(3, [5]).element_spec),
                                   [b.values for b in pairs.map(lambda e: e["b"][0]).apply(tf.data.experimental.dense_to_sparse_batch(2, [2, 4]))]],
        "reduced by key": lambda: [_all(r(10).apply(tf.data.experimental.group_by_reducer(lambda i: 2 - i % 3, tf.data.experimental.Reducer(lambda k: (k, _int(tf, 0)), lambda s, i: (s[0], s[1] + i), lambda k, n: {"k": k, "n": n}))))],
        "buckets unpadded": lambda: _all(of.from_tensor_slices([1, 3, 1, 3]).map(lambda n: tf.fill([n], n)).bucket_by_sequence_length(lambda x: tf.shape(x)[0], [2], [2, 2], no_padding=True)),
    }  # fmt: skip


def composites(tf: Any) -> Answers:
    of = tf.data.Dataset
    ragged = tf.ragged.constant([[1, 2], [], [3]])
    sparse = tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 2])

    def listed(x: Any) -> Any:
        return x.to_list() if hasattr(x, "to_list") else tf.sparse.to_dense(x).numpy() if isinstance(x, tf.SparseTensor) else x.numpy()

    def found(dataset: Any) -> Any:
        return [listed(x) for x in dataset] + [str(dataset.element_spec)]

    return {
        "ragged": lambda: [found(of.from_tensor_slices(ragged)), found(of.from_tensors(ragged)), found(of.from_tensor_slices(ragged).batch(2)), found(of.from_tensors(ragged).batch(2)),
                           found(of.from_tensors(ragged).unbatch())],
        "sparse": lambda: [found(of.from_tensor_slices(sparse)), found(of.from_tensors(sparse)), found(of.from_tensor_slices(sparse).batch(2)), found(of.from_tensor_slices(sparse).batch(2, True).map(lambda s: s * 2.0))],
        "mapped": lambda: [found(of.range(1, 4).map(lambda n: tf.ragged.range(tf.stack([n, 2 * n])))), found(of.range(3).map(lambda n: tf.sparse.from_dense([n, 0, 1])))],
        "summed": lambda: found(of.from_tensor_slices(ragged).map(tf.reduce_sum)),
        "together": lambda: [[listed(a), int(b)] for a, b in of.from_tensor_slices((ragged, [5, 6, 7]))],
        "numpy": lambda: [[v.tolist() if hasattr(v, "tolist") else list(v) for v in of.from_tensor_slices(ragged).as_numpy_iterator()]],
        "looped": lambda: tf.function(lambda d: d.reduce(0, lambda n, x: n + tf.reduce_sum(x)))(of.from_tensor_slices(ragged)),
    }  # fmt: skip


def folded(tf: Any) -> Answers:
    of = tf.data.Dataset
    r = of.range

    def cached() -> Any:
        calls = tf.Variable(0)
        d = r(3).map(lambda i: calls.assign_add(1)).cache()
        found = [_all(d.take(2)), int(calls)]
        return [*found, _all(d), int(calls), _all(d), int(calls)]

    def scanned(state: Any, x: Any) -> Any:
        return state + x, (state, state * x)

    one = of.from_tensor_slices([1, 2, 3])
    return {
        "flat map": lambda: [_all(r(4).flat_map(r)), _all(one.flat_map(lambda x: of.from_tensors(x).repeat(2))), _all(r(3).flat_map(lambda i: of.from_tensor_slices([i, i + 10]).map(lambda j: (i, j))))],
        "interleave": lambda: [_all(r(1, 6).interleave(lambda i: of.from_tensors(i).repeat(4), cycle_length=c, block_length=b)) for c, b in ((1, 1), (2, 1), (3, 2), (2, 4), (9, 3))]
        + [_all(r(5).interleave(r, cycle_length=2)), _all(r(5).interleave(r, cycle_length=3, block_length=2, num_parallel_calls=2)), _all(r(1, 6).interleave(lambda i: r(i), 2, 1, num_parallel_calls=tf.data.AUTOTUNE))],
        "scan": lambda: [_all(r(1, 5).scan(_int(tf, 0), scanned)), _all(r(3).scan((tf.zeros([0], tf.int64), "a"), lambda s, i: ((tf.concat([s[0], [i]], 0), s[1] + "b"), s))),
                         str(r(3).scan(tf.zeros([0], tf.int64), lambda s, i: (tf.concat([s, [i]], 0), s)).element_spec)],
        "reduce": lambda: [r(5).reduce(_int(tf, 0), lambda s, i: s + i), r(5).reduce((0, _int(tf, 1)), lambda s, i: (s[0] + 1, s[1] * (i + 1))), of.zip((r(3), one)).reduce(0, lambda s, p: s + p[1]),
                           r(0).reduce(7, lambda s, i: s), of.from_tensor_slices({"x": [1.0, 2.0]}).reduce({"n": 0.0}, lambda s, e: {"n": s["n"] + e["x"]}),
                           r(4).reduce(tf.zeros([0], tf.int64), lambda s, i: tf.concat([s, [i]], 0))],
        "reduce in a function": lambda: tf.function(lambda n: r(n).map(lambda i: i * n).reduce(_int(tf, 0), lambda s, i: s + i * n))(_int(tf, 4)),
        "single": lambda: [of.from_tensors((1, "a")).get_single_element(), r(3).batch(3).get_single_element()],
        "take while": lambda: [_all(r(9).take_while(lambda i: i * i < 10)), _all(of.from_tensor_slices([3, 1, 3]).take_while(lambda i: i > 2))],
        "cached": cached, "unique": lambda: [_all(of.from_tensor_slices([1, 37, 2, 37, 2, 1]).unique()), _all(of.from_tensor_slices(["a", "b", "a"]).unique())],
        "ignored": lambda: [_all(of.from_tensor_slices([1.0, 0.0, 2.0]).map(lambda x: tf.debugging.check_numerics(1.0 / x, "inf")).ignore_errors())],
        "applied": lambda: [_all(r(5).apply(lambda d: d.take(2))), _all(r(4).apply(tf.data.experimental.shuffle_and_repeat(2, 2, seed=3))), _all(r(4).apply(tf.data.experimental.map_and_batch(lambda i: i * 2, 3))),
                            _all(r(3).apply(tf.data.experimental.enumerate_dataset(4))), _all(r(3).apply(tf.data.experimental.assert_cardinality(3))), _all(tf.data.experimental.from_list([(1, "a"), (2, "b")])),
                            _all(tf.data.experimental.Counter(3).take(2)), int(tf.data.experimental.cardinality(r(4)))],
    }  # fmt: skip


def sampled(tf: Any) -> Answers:
    of = tf.data.Dataset
    ones, twos, threes = (of.from_tensors(i).repeat(6) for i in (1, 2, 3))

    def seeded(call: Any) -> Any:
        def found() -> Any:
            tf.random.set_seed(9)
            return call()

        return found

    return {
        "random": seeded(lambda: [_all(of.random(seed=4).take(5)), _all(of.random().take(3)), _all(of.random(seed=1, rerandomize_each_iteration=True).take(2))]),
        "sample": seeded(lambda: [_all(of.sample_from_datasets([ones, twos, threes], seed=2)), _all(of.sample_from_datasets([ones, twos], [0.9, 0.1], seed=3)), _all(of.sample_from_datasets([ones, twos], [0.5, 0.5], seed=3, stop_on_empty_dataset=True))]),
        "sample again": seeded(lambda: [_all(d) for d in [of.sample_from_datasets([ones, twos], seed=5)] * 2]),
        "choose": lambda: [_all(of.choose_from_datasets([ones, twos], of.range(2).repeat(4))), _all(of.choose_from_datasets([ones.take(1), twos], of.range(2).repeat(4))), _all(of.choose_from_datasets([ones.take(1), twos], of.range(2).repeat(4), False))],
        "sizes": lambda: [int(d.cardinality()) for d in (of.sample_from_datasets([ones, twos]), of.random(), of.choose_from_datasets([ones, twos], of.range(2)), of.counter())],
    }  # fmt: skip


def described(tf: Any) -> Answers:
    of = tf.data.Dataset
    r = of.range

    def options() -> Any:
        one, two = tf.data.Options(), tf.data.Options()
        one.deterministic, two.experimental_optimization.map_fusion = False, True
        d = r(3).with_options(one).map(lambda i: i).with_options(two)
        both = d.options()
        return [both.deterministic, both.experimental_optimization.map_fusion, both.experimental_optimization.noop_elimination, one == tf.data.Options(), tf.data.Options() == tf.data.Options(), one.experimental_deterministic,
                r(3).options().deterministic, len(d)]

    def unfused() -> Any:
        o = tf.data.Options()
        o.experimental_optimization.shuffle_and_repeat_fusion = False
        tf.random.set_seed(5)
        return [_all(r(5).shuffle(3, seed=1).repeat(3).with_options(o)), _all(r(5).shuffle(3, seed=1).repeat(3))]

    def inner() -> Any:
        tf.random.set_seed(5)
        return [_all(r(2).flat_map(lambda i: r(5).shuffle(3, seed=1).repeat(2))), r(4).shuffle(3, seed=2).repeat(2).reduce(tf.zeros([0], tf.int64), lambda s, i: tf.concat([s, [i]], 0))]

    def optionals() -> Any:
        o = tf.experimental.Optional
        there, missing = o.from_value((5, "a")), o.empty(tf.TensorSpec([], tf.int32))
        it = iter(r(1))
        first, second = it.get_next_as_optional(), tf.data.experimental.get_next_as_optional(it)
        return [there.has_value(), there.get_value(), missing.has_value(), first.get_value(), second.has_value(), str(there.element_spec), str(tf.OptionalSpec.from_value(there))]

    def optional_in_function() -> Any:
        @tf.function
        def f(it: Any) -> Any:
            total = tf.constant(0, tf.int64)
            o = it.get_next_as_optional()
            if o.has_value():
                total += o.get_value()
            return total, o.has_value()

        it = iter(r(5, 6))
        return [f(it), f(it)]

    def specs() -> Any:
        d = r(3)
        spec = tf.data.DatasetSpec(tf.TensorSpec([], tf.int64))
        f = tf.function(lambda ds: ds.reduce(_int(tf, 0), lambda a, b: a + b), input_signature=[spec])
        g = tf.function(lambda it: it.get_next(), input_signature=[tf.data.IteratorSpec(tf.TensorSpec([], tf.int64))])
        it = iter(d)
        return [f(d), f(r(9)), g(it), g(it), spec.is_compatible_with(d), tf.type_spec_from_value(d) == spec, str(spec), isinstance(it, tf.data.Iterator), isinstance(d, tf.data.Dataset),
                str(tf.data.experimental.get_structure(d)), f.experimental_get_tracing_count()]

    def returned() -> Any:
        f = tf.function(lambda n: tf.data.Dataset.range(n).map(lambda i: i + n))
        return [_all(f(_int(tf, 3))), str(f(_int(tf, 3)).element_spec)]

    return {
        "options": options, "unknown option": raises(lambda: setattr(tf.data.Options(), "foo", 1)), "unfused": unfused, "inner": inner, "optionals": optionals, "optional in a function": optional_in_function,
        "specs": specs, "returned": returned, "missing": raises(lambda: tf.experimental.Optional.empty(tf.TensorSpec([], tf.int32)).get_value()),
    }  # fmt: skip


def python_functions(tf: Any) -> Answers:
    r = tf.data.Dataset.range

    @tf.function
    def looped(d: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for i in map(lambda i: i * 2, d):
            total += i
        for i in filter(lambda i: i > 1, d):
            total += i
        for i, j in zip(d, d.skip(1)):
            total += i * j
        return total, len(d)

    @tf.function
    def asked(d: Any) -> Any:
        return any(d.map(lambda i: i > 2)), all(d.map(lambda i: i > 2))

    @tf.function
    def next_or(it: Any) -> Any:
        return next(it, tf.constant(-1, tf.int64))

    def defaults() -> Any:
        it = iter(r(1))
        return [next_or(it), next_or(it)]

    length = tf.function(lambda d: len(d))
    return {"looped": lambda: looped(r(4)), "asked": lambda: [asked(r(4)), asked(r(3, 9))], "next": ours([np.int64(0), np.int64(-1)], defaults),  # TensorFlow takes an element in any case
         "endless": raises(lambda: length(r(3).repeat())), "unknown": raises(lambda: length(r(3).filter(lambda i: True)))}


def refused(tf: Any) -> Answers:
    of = tf.data.Dataset
    r = of.range
    filled = r(1, 5).map(lambda n: tf.fill([n], n))
    calls = {
        "padded smaller": lambda: _all(filled.padded_batch(2, [1])), "padded rank": lambda: filled.padded_batch(2, [1, 1]), "padded fixed": lambda: of.from_tensors([1, 2, 3]).padded_batch(2, [2]),
        "padded unknown": lambda: of.from_generator(lambda: [1], tf.int32).padded_batch(2), "padded value": lambda: filled.padded_batch(2, padding_values="a"), "padded none": lambda: filled.padded_batch(0),
        "padded ragged": lambda: of.from_tensors(tf.ragged.constant([[1]])).padded_batch(2), "padded shape of values": lambda: filled.padded_batch(2, padding_values=tf.constant([1], tf.int64)),
        "sparse batch": lambda: list(filled.sparse_batch(2, [1])), "sparse rank": lambda: list(filled.sparse_batch(2, [2, 2])),
        "unbatch scalars": lambda: r(3).unbatch(), "unbatch uneven": lambda: _all(of.from_tensors(([1, 2], [1])).map(lambda a, b: (a[: tf.size(a)], b[: tf.size(b)])).unbatch()),
        "window": lambda: r(3).window(0), "window shift": lambda: r(3).window(2, 0), "window stride": lambda: r(3).window(2, 1, 0),
        "group key": lambda: r(3).group_by_window(lambda i: "a", lambda k, g: g, 2), "group no dataset": lambda: r(3).group_by_window(lambda i: i, lambda k, g: k, 2), "group both": lambda: r(3).group_by_window(lambda i: i, lambda k, g: g, 2, lambda k: k),
        "group neither": lambda: r(3).group_by_window(lambda i: i, lambda k, g: g), "group of none": lambda: _all(r(3).group_by_window(lambda i: i, lambda k, g: g, 0)),
        "buckets": lambda: filled.bucket_by_sequence_length(lambda x: 1, [1], [2]), "interleave": lambda: r(3).interleave(r, cycle_length=0), "interleave block": lambda: r(3).interleave(r, 1, 0),
        "scan": lambda: r(3).scan(0, lambda s, i: s), "scan type": lambda: r(3).scan(0, lambda s, i: (i, i)), "reduce type": lambda: r(3).reduce(0, lambda s, i: i), "reduce structure": lambda: r(3).reduce(0, lambda s, i: (s, s)),
        "single of none": lambda: r(0).get_single_element(), "single of two": lambda: r(2).get_single_element(), "take while": lambda: r(3).take_while(lambda i: i), "apply": lambda: r(3).apply(lambda d: 3),
        "sample none": lambda: of.sample_from_datasets([]), "sample weights": lambda: of.sample_from_datasets([r(3), r(3)], [0.5]), "sample whole weights": lambda: of.sample_from_datasets([r(3), r(3)], [1, 2]),
        "sample kinds": lambda: of.sample_from_datasets([r(3), of.from_tensors("a")]), "choose": lambda: of.choose_from_datasets([r(3)], [0]), "choose by words": lambda: of.choose_from_datasets([r(3)], of.from_tensors("a")),
        "choose beyond": lambda: _all(of.choose_from_datasets([r(3), r(2)], of.range(5))), "fewer": lambda: _all(r(3).apply(tf.data.experimental.assert_cardinality(4))), "more": lambda: _all(r(3).apply(tf.data.experimental.assert_cardinality(2))),
        "no files": lambda: of.list_files("/no/such/*.txt"), "structure": lambda: tf.data.experimental.get_structure(3), "parallel": lambda: _all(r(3).map(lambda i: i, num_parallel_calls=0)),
        "an end inside": lambda: _all(r(3).map(lambda i: tf.py_function(lambda: next(iter([])), [], tf.int64))),
    }  # fmt: skip
    return {name: raises(call) for name, call in calls.items()}
