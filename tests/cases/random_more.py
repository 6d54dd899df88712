"""Cases: random numbers of rarer kinds, and candidate samplers.  As in `random`, each begins by setting the global seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats
from .random import drawn, fixed, seeded

FLOATS = ("float16", "bfloat16", "float32", "float64")
GROSS = {"float16": 2e-2, "bfloat16": 2e-2, "float32": 2e-5, "float64": 1e-9}
SEED = np.array([1, 2], np.int32)
TRUE = np.array([[1, 2], [3, 4]], np.int64)


def raw(op: str, *names: str, **options: Any) -> Callable[..., Any]:
    def call(tf: Any, *inputs: Any) -> Any:
        given = {k: tf.as_dtype(v) if k == "dtype" else v for k, v in options.items()}
        return getattr(tf.raw_ops, op)(**dict(zip(names, inputs, strict=True)), **given)

    return call


def stateless(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, *x: getattr(tf.random, "stateless_" + name)(*args, [1, 2], *x, **options)


def algorithm(of: Callable[..., Any]) -> Callable[..., Any]:
    return lambda tf: tf.random.stateless_uniform([4], [1, 2], alg=of(tf))


def index(largest: int, dtype: str = "int32", seed: Any = (1, 2)) -> Callable[..., Any]:
    return lambda tf, i: tf.random.experimental.index_shuffle(tf.cast(i, dtype), list(seed), tf.constant(largest, dtype))


def truncated(*parameters: Any, shape: tuple[int, ...] = (6,), dtype: str = "float32") -> Callable[..., Any]:
    def call(tf: Any) -> Any:
        given = dict(zip(("means", "stdevs", "minvals", "maxvals"), (tf.constant(p, dtype) for p in parameters), strict=True))
        return tf.raw_ops.ParameterizedTruncatedNormal(shape=list(shape), **given, seed=1, seed2=2)

    return call


def binomial(counts: Any, probs: Any, shape: tuple[int, ...] = (8,), output: str = "int32", of: str = "float32") -> Callable[..., Any]:
    return lambda tf: tf.random.stateless_binomial(shape, [1, 2], tf.constant(counts, of), tf.constant(probs, of), tf.as_dtype(output))


def generator(draw: Callable[..., Any], alg: Any = None) -> Callable[..., Any]:
    def call(tf: Any) -> Any:
        g = tf.random.Generator.from_seed(1234, alg=alg)
        return [draw(g), draw(g)]

    return call


def _state(tf: Any) -> Any:
    return tf.Variable(np.array([5, 0, 7], np.int64))


def moving(op: str, **options: Any) -> Callable[..., Any]:
    def call(tf: Any) -> Any:
        state = _state(tf)
        given = {k: tf.as_dtype(v) if k == "dtype" else tf.constant(v) for k, v in options.items()}
        return [getattr(tf.raw_ops, op)(resource=state.handle, algorithm=1, shape=[3], **given) for _ in range(2)]

    return call


def skipped(tf: Any) -> Any:
    state = _state(tf)
    tf.raw_ops.RngSkip(resource=state.handle, algorithm=1, delta=5)
    return state.read_value()


def sampler(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: getattr(tf.random, name + "_candidate_sampler")(x, 2, *args, **options, seed=3)


def nce(tf: Any, w: Any, b: Any, x: Any, **options: Any) -> Any:
    return tf.nn.nce_loss(w, b, TRUE, x, 4, 6, num_true=2, sampled_values=tf.random.uniform_candidate_sampler(TRUE, 2, 4, True, 6,
           seed=3), **options)


def softmax(tf: Any, w: Any, b: Any, x: Any, **options: Any) -> Any:
    return tf.nn.sampled_softmax_loss(w, b, TRUE, x, 4, 6, num_true=2, seed=3, **options)


TABLES = (floats(6, 3), floats(6, seed=1), floats(2, 3, seed=2))
CASES: list[Case] = [
    # as TensorFlow first had them
    *(fixed("StatelessRandomUniform", d, raw("StatelessRandomUniform", "seed", shape=[3, 5], dtype=d), SEED, rtol=GROSS[d])
           for d in FLOATS),
    *(fixed("StatelessRandomNormal", d, raw("StatelessRandomNormal", "seed", shape=[7], dtype=d), SEED, rtol=GROSS[d]) for d in FLOATS),
    *(fixed("StatelessTruncatedNormal", d, raw("StatelessTruncatedNormal", "seed", shape=[30], dtype=d), SEED, rtol=GROSS[d])
           for d in FLOATS),
    *(fixed("StatelessRandomUniformFullInt", d, raw("StatelessRandomUniformFullInt", "seed", shape=[5], dtype=d), SEED)
      for d in ("int32", "int64", "uint32", "uint64")),
    *(fixed("StatelessRandomUniformInt", str(m.dtype), raw("StatelessRandomUniformInt", "seed", "minval", "maxval", shape=[5]), SEED, -m, m)
      for m in (np.int32(9), np.int64(2**40))),
    fixed("StatelessRandomGammaV2", "alphas", raw("StatelessRandomGammaV2", "seed", "alpha", shape=[5, 2]), SEED, np.array([0.4, 2.5],
           np.float32)),
    fixed("StatelessRandomGammaV2", "float64", raw("StatelessRandomGammaV2", "seed", "alpha", shape=[3]), SEED, np.float64(1.5)),
    fixed("StatelessRandomGetAlg", "a number", raw("StatelessRandomGetAlg")),
    fixed("StatelessRandomGetKeyCounterAlg", "of a seed", raw("StatelessRandomGetKeyCounterAlg", "seed"), SEED),
    drawn("RandomPoisson", "rates", raw("RandomPoisson", shape=[4], rate=np.array([0.5, 3.0, 20.0]), seed=1, seed2=2)),
    # algorithms
    *(fixed("random.Algorithm", label, algorithm(of)) for label, of in (
        ("philox", lambda tf: tf.random.Algorithm.PHILOX), ("auto", lambda tf: tf.random.Algorithm.AUTO_SELECT), ("name",
               lambda tf: "Auto-Select"),
        ("number", lambda tf: 1), ("three", lambda tf: 3))),
    fixed("random.Algorithm", "values", lambda tf: [tf.constant(a.value) for a in tf.random.Algorithm]),
    fixed("random.Algorithm", "raw", raw("StatelessRandomUniformV2", shape=[3], key=np.array([1], np.uint64), counter=np.array([1, 2],
           np.uint64), alg=3)),
    fixed("RngReadAndSkip", "auto", generator(lambda g: g.normal([2]), "auto_select")),
    # shuffled indices
    *(fixed("RandomIndexShuffle", f"up to {n}", index(n), np.arange(min(n + 1, 12), dtype=np.int32)) for n in (0, 1, 2, 5, 10, 1000,
           2**31 - 1)),
    *(fixed("RandomIndexShuffle", f"{d}", index(2**20 + 3, d), np.array([0, 5], np.int32)) for d in ("uint32", "int64", "uint64")),
    fixed("RandomIndexShuffle", "large", index(2**40, "int64"), np.array([0, 5], np.int32)),
    fixed("RandomIndexShuffle", "a scalar", index(9), np.int32(4)),
    fixed("RandomIndexShuffle", "a seed for each", raw("RandomIndexShuffle", "index", "max_index", seed=[[1, 2, 3], [4, 5, 6]], rounds=4),
           np.array([4, 4]), np.array([9, 9])),
    fixed("RandomIndexShuffle", "a range for each", raw("RandomIndexShuffle", "index", "max_index", seed=[-1, 2, 3], rounds=6),
           np.array([3, 3]), np.array([9, 20])),
    # between bounds
    *(drawn("ParameterizedTruncatedNormal", f"{label}, {d}", truncated(*p, dtype=d), rtol=GROSS[d])
      for d in ("float16", "float32", "float64") for label, p in (
        ("around the mean", (0.0, 1.0, -1.0, 1.5)), ("near bounds", (0.0, 1.0, 0.1, 0.2)), ("a tail", (0.0, 1.0, 4.0, 9.0)))),
    drawn("ParameterizedTruncatedNormal", "below the mean", truncated(1.0, 2.0, -9.0, -5.0)),
    drawn("ParameterizedTruncatedNormal", "one bound", truncated(0.0, 1.0, -np.inf, -3.0)),
    drawn("ParameterizedTruncatedNormal", "vectors", truncated([0.0, 1, 2], [1.0, 2, 3], [-1.0, 0, 1], 9.0, shape=(3, 2))),
    drawn("ParameterizedTruncatedNormal", "nothing", truncated(0.0, 1.0, -1.0, 1.0, shape=(0, 2))),
    fixed("StatelessParameterizedTruncatedNormal", "defaults", stateless("parameterized_truncated_normal", [9])),
    *(fixed("StatelessParameterizedTruncatedNormal", f"{d}, gradients", stateless("parameterized_truncated_normal", [2, 3]), floats(3,
           dtype=d),
            floats(low=1, high=2, dtype=d), np.full(3, -1.5, d), np.array([2.0, 3.0, 9.0], d), rtol=2e-4) for d in ("float32", "float64")),
    fixed("StatelessParameterizedTruncatedNormal", "a tail", stateless("parameterized_truncated_normal", [6]), *np.array([0, 1, 5, 9],
           np.float32)),
    # successes
    *(fixed("StatelessRandomBinomial", f"{n} of {p}", binomial(n, p)) for n, p in (
        (10.0, 0.3), (100.0, 0.4), (100.0, 0.8), (7.0, 0.9), (10.0, 1.3), (10.0, 0.0), (-3.0, 0.3), (1000.0, 0.5))),
    fixed("StatelessRandomBinomial", "broadcast", binomial([10.0, 100, 5], [[0.1], [0.5]], (4, 2, 3))),
    *(fixed("StatelessRandomBinomial", f"{out} of {of}", binomial(20.0, 0.25, output=out, of=of))
      for out, of in (("float32", "float64"), ("int64", "float16"), ("float64", "float32"))),
    fixed("StatefulRandomBinomial", "a generator's", generator(lambda g: g.binomial([4], 10.0, 0.3))),
    fixed("StatefulRandomBinomial", "large", generator(lambda g: g.binomial([3, 2], [50.0, 4.0], 0.3))),
    # generators whose draws move them
    *(fixed(op, "twice", moving(op, **options), rtol=1e-4) for op, options in (
        ("StatefulUniform", {"dtype": "float64"}), ("StatefulStandardNormalV2", {"dtype": "float32"}), ("StatefulUniformFullInt",
               {"dtype": "int32"}),
        ("StatefulTruncatedNormal", {"dtype": "float32"}), ("StatefulUniformInt", {"minval": -5, "maxval": 90}))),
    fixed("RngSkip", "by five", skipped),
    case("NonDeterministicInts", "none", raw("NonDeterministicInts", shape=[0, 2])),
    fixed("RandomIndexShuffle", "the operation", lambda tf, i: tf.random_index_shuffle(i, [1, 2, 3], 20, 4), np.array([3, 4], np.int32)),
    # candidates
    *(drawn(f"{op}CandidateSampler", f"unique={u}, {n} of {r}", sampler(name, n, u, r), TRUE)
      for op, name in (("Uniform", "uniform"), ("LogUniform", "log_uniform"), ("LearnedUnigram", "learned_unigram"))
      for u, n, r in ((True, 5, 10), (False, 5, 10), (True, 8, 8), (False, 20, 1000))),
    drawn("ThreadUnsafeUnigramCandidateSampler", "raw", raw("ThreadUnsafeUnigramCandidateSampler", "true_classes", num_true=2,
           num_sampled=3,
                                                             unique=True, range_max=9, seed=1, seed2=2), TRUE),
    *(drawn("FixedUnigramCandidateSampler", f"unique={u}", sampler("fixed_unigram", 4, u, 6, unigrams=[1.0, 2, 3, 4, 5, 6]), TRUE)
           for u in (True, False)),
    drawn("FixedUnigramCandidateSampler", "a power, reserved", sampler("fixed_unigram", 9, False, 8, distortion=0.5, num_reserved_ids=2,
                                                                       unigrams=[1.0, 2, 3, 4, 5, 6]), TRUE),
    drawn("FixedUnigramCandidateSampler", "a shard", sampler("fixed_unigram", 3, False, 5, num_shards=2, shard=1,
           unigrams=[float(i) for i in range(10)]), TRUE),
    drawn("AllCandidateSampler", "five", sampler("all", 5, True), TRUE),
    case("ComputeAccidentalHits", "some", lambda tf, t, s: tf.nn.compute_accidental_hits(t, s, 2), TRUE, np.array([2, 5, 3, 1], np.int64)),
    case("ComputeAccidentalHits", "none", lambda tf, t, s: tf.nn.compute_accidental_hits(t, s, 2), TRUE, np.array([9], np.int64)),
    case("ComputeAccidentalHits", "twice drawn", lambda tf, t, s: tf.nn.compute_accidental_hits(t, s, 2), TRUE, np.array([2, 3, 2],
           np.int64)),
    drawn("nn.nce_loss", "plain", nce, *TABLES, smooth=True),
    drawn("nn.nce_loss", "without hits", lambda tf, *x: nce(tf, *x, remove_accidental_hits=True), *TABLES, smooth=True),
    drawn("nn.nce_loss", "several tables", lambda tf, w, v, b, x: nce(tf, [w, v], b, x), floats(3, 3), floats(3, 3, seed=4),
           *TABLES[1:], smooth=True),
    drawn("nn.sampled_softmax_loss", "plain", softmax, *TABLES, smooth=True),
    drawn("nn.sampled_softmax_loss", "with hits", lambda tf, *x: softmax(tf, *x, remove_accidental_hits=False), *TABLES, smooth=True),
    drawn("nn.sampled_softmax_loss", "version 1, in turn", lambda tf, w, v, b, x: softmax(tf.compat.v1, [w, v], b, x), floats(3, 3),
          floats(3, 3, seed=4), *TABLES[1:], smooth=True),
]  # fmt: skip


def sampled(name: str, true: Any, *args: Any, **options: Any) -> Callable[..., Any]:
    return seeded(lambda tf: getattr(tf.random, name + "_candidate_sampler")(true, *args, **options))


ERRORS: list[ErrorCase] = [
    error("StatelessRandomUniform: seed of three", raw("StatelessRandomUniform", "seed", shape=[3]), np.arange(3)),
    error("StatelessRandomUniformInt: empty range", raw("StatelessRandomUniformInt", "seed", shape=[3], minval=5, maxval=5), SEED),
    error("stateless_uniform: unknown number", algorithm(lambda tf: 7)),
    error("stateless_uniform: no algorithm", algorithm(lambda tf: 1.5)),
    error("RandomIndexShuffle: negative range", index(-1), np.int32(0)),
    error("RandomIndexShuffle: short seed", raw("RandomIndexShuffle", "seed", index=0, max_index=5), SEED),
    error("ParameterizedTruncatedNormal: no range", truncated(0.0, 1.0, 2.0, 1.0)),
    error("ParameterizedTruncatedNormal: negative deviation", truncated(0.0, -1.0, -2.0, 1.0)),
    error("ParameterizedTruncatedNormal: no bounds", truncated(0.0, 1.0, -np.inf, np.inf)),
    error("ParameterizedTruncatedNormal: sizes differ", truncated([0.0, 1.0], 1.0, -1.0, 1.0, shape=(3,))),
    error("ParameterizedTruncatedNormal: a matrix", truncated([[0.0]], 1.0, -1.0, 1.0, shape=(3,))),
    error("StatelessParameterizedTruncatedNormal: no range", stateless("parameterized_truncated_normal", [3]), *np.array([0, 1, 5, 4],
           np.float32)),
    error("StatelessParameterizedTruncatedNormal: sizes differ", lambda tf: tf.random.stateless_parameterized_truncated_normal([3], [1,
           2], [0.0, 1.0])),
    error("StatelessRandomBinomial: sizes differ", binomial([10.0, 2.0], 0.3, (3,))),
    error("StatelessRandomBinomial: no broadcasting", binomial([10.0, 2.0], [0.3, 0.2, 0.1], (3,))),
    error("UniformCandidateSampler: too few classes", sampled("uniform", TRUE, 2, 15, True, 10)),
    error("UniformCandidateSampler: another number of true classes", sampled("uniform", TRUE, 1, 5, True, 10)),
    error("UniformCandidateSampler: a vector", sampled("uniform", TRUE[0], 2, 5, True, 10)),
    error("UniformCandidateSampler: int32", lambda tf, x: tf.random.uniform_candidate_sampler(x, 2, 5, True, 10), TRUE.astype(np.int32)),
    *(error(f"{op}CandidateSampler: a class out of range", sampled(name, [[1, 20]], 2, 4, True, 6, **more)) for op, name, more in (
        ("Uniform", "uniform", {}), ("LogUniform", "log_uniform", {}), ("LearnedUnigram", "learned_unigram", {}),
        ("FixedUnigram", "fixed_unigram", {"unigrams": [1.0] * 6}))),
    error("FixedUnigramCandidateSampler: no weights", sampled("fixed_unigram", TRUE, 2, 4, True, 6)),
    error("FixedUnigramCandidateSampler: too few weights", sampled("fixed_unigram", TRUE, 2, 4, True, 6, unigrams=[1.0])),
    error("FixedUnigramCandidateSampler: no file", sampled("fixed_unigram", TRUE, 2, 4, True, 6, vocab_file="/nowhere/at/all")),
    error("ComputeAccidentalHits: another number of true classes", lambda tf, t: tf.nn.compute_accidental_hits(t, [1], 1), TRUE),
]  # fmt: skip
