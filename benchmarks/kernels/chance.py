"""What is measured, continued: the rest of random numbers, and candidates sampled for losses."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .table import N, Rows, inside, integers, numbers

FEW = N // 10


def by_key(tf: Any) -> Rows:
    raw, seed = tf.raw_ops, tf.constant([1, 2])
    key, counter = raw.StatelessRandomGetKeyCounter(seed=seed)
    how: dict[str, Any] = {"key": key, "counter": counter, "alg": 1}
    yield "StatelessRandomGetKeyCounter", partial(raw.StatelessRandomGetKeyCounter, seed=seed)
    yield "StatelessRandomGetAlg", raw.StatelessRandomGetAlg
    yield "StatelessRandomGetKeyCounterAlg", partial(raw.StatelessRandomGetKeyCounterAlg, seed=seed)
    yield "StatelessTruncatedNormalV2", partial(raw.StatelessTruncatedNormalV2, shape=[N], **how)
    yield "StatelessRandomUniformFullIntV2", partial(raw.StatelessRandomUniformFullIntV2, shape=[N], dtype=tf.int32, **how)
    yield "StatelessRandomUniformIntV2", partial(raw.StatelessRandomUniformIntV2, shape=[N], minval=0, maxval=100, **how)
    rates = tf.constant(np.full(FEW, 2, "float32"))
    yield "StatelessRandomGammaV3", partial(raw.StatelessRandomGammaV3, shape=[FEW], alpha=rates, **how)
    yield "StatelessShuffle", partial(tf.random.experimental.stateless_shuffle, tf.constant(numbers(FEW, 10)), seed)
    yield "StatelessMultinomial", partial(raw.StatelessMultinomial, logits=[[0.1, 0.2, 0.7]], num_samples=FEW, seed=seed)


def by_seed(tf: Any) -> Rows:
    raw, seed = tf.raw_ops, tf.constant([1, 2])
    for name in ("StatelessRandomUniform", "StatelessRandomNormal", "StatelessTruncatedNormal"):
        yield name, partial(getattr(raw, name), shape=[N], seed=seed)
    yield "StatelessRandomUniformFullInt", partial(raw.StatelessRandomUniformFullInt, shape=[N], seed=seed, dtype=tf.int32)
    yield "StatelessRandomUniformInt", partial(raw.StatelessRandomUniformInt, shape=[N], seed=seed, minval=0, maxval=100)
    rates = tf.constant(np.full(FEW, 2, "float32"))
    yield "StatelessRandomGammaV2", partial(raw.StatelessRandomGammaV2, shape=[FEW], seed=seed, alpha=rates)
    yield "StatelessRandomPoisson", partial(raw.StatelessRandomPoisson, shape=[FEW], seed=seed, lam=3.0, dtype=tf.float32)
    binomial: dict[str, Any] = {"shape": [FEW], "counts": 20.0, "probs": 0.3}
    yield "StatelessRandomBinomial", partial(raw.StatelessRandomBinomial, seed=seed, **binomial)
    one = {"means": [0.0], "stdevs": [1.0], "minvals": [-1.0], "maxvals": [2.0]}
    yield "ParameterizedTruncatedNormal", partial(raw.ParameterizedTruncatedNormal, shape=[FEW], **one)
    cut = {"means": 0.0, "stddevs": 1.0, "minvals": -1.0, "maxvals": 2.0}
    yield "StatelessParameterizedTruncatedNormal", partial(raw.StatelessParameterizedTruncatedNormal, shape=[FEW], seed=seed, **cut)
    index: dict[str, Any] = {"index": tf.constant(integers(1000, FEW, dtype="int64")), "max_index": tf.constant(999, tf.int64)}
    yield "RandomIndexShuffle", partial(raw.RandomIndexShuffle, seed=tf.constant([1, 2, 3]), **index)
    yield "SobolSample", partial(raw.SobolSample, dim=10, num_results=FEW, skip=0)
    yield "NonDeterministicInts", partial(raw.NonDeterministicInts, shape=[N])


def by_generator(tf: Any) -> Rows:
    generator = tf.random.Generator.from_seed(1)
    yield "RngReadAndSkip", partial(generator.normal, [1])
    yield "RngSkip", partial(generator.skip, 5)
    state: dict[str, Any] = {"resource": generator.state.handle, "algorithm": tf.constant(1, tf.int64)}
    raw, shape = tf.raw_ops, tf.constant([N], tf.int64)
    for name in ("StatefulUniform", "StatefulStandardNormalV2", "StatefulTruncatedNormal"):
        yield name, partial(getattr(raw, name), shape=shape, dtype=tf.float32, **state)
    yield "StatefulUniformFullInt", partial(raw.StatefulUniformFullInt, shape=shape, dtype=tf.int32, **state)
    yield "StatefulUniformInt", partial(raw.StatefulUniformInt, shape=shape, minval=0, maxval=100, **state)
    yield "StatefulRandomBinomial", partial(raw.StatefulRandomBinomial, shape=[FEW], counts=20.0, probs=0.3, **state)


def candidates(tf: Any) -> Rows:
    """A thousand classes of a hundred thousand sampled, for a batch of a thousand."""
    raw, classes = tf.raw_ops, tf.constant(integers(FEW, 1000, 1, dtype="int64"))
    common: dict[str, Any] = {"true_classes": classes, "num_true": 1, "num_sampled": 1000, "unique": True, "seed": 1}
    for name in ("Uniform", "LogUniform", "LearnedUnigram", "ThreadUnsafeUnigram"):
        yield f"{name}CandidateSampler", partial(getattr(raw, f"{name}CandidateSampler"), range_max=FEW, **common)
    yield "AllCandidateSampler", partial(raw.AllCandidateSampler, **{**common, "true_classes": classes % 1000})
    weights = inside(1, 2, 1000).tolist()
    few: dict[str, Any] = {"true_classes": classes % 1000, "num_true": 1, "num_sampled": 100, "unique": True, "seed": 1}
    yield "FixedUnigramCandidateSampler", partial(raw.FixedUnigramCandidateSampler, range_max=1000, unigrams=weights, **few)
    sampled = raw.UniformCandidateSampler(range_max=FEW, **common)[0]
    yield "ComputeAccidentalHits", partial(raw.ComputeAccidentalHits, true_classes=classes, sampled_candidates=sampled, num_true=1)
