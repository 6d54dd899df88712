"""Cases: random numbers.  Each begins by setting the global seed, so that its numbers do not depend on what ran before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int32", "int64")
ROUNDING = {"rtol": 2e-5}  # log, sin and cos of the transform differ in the last bits
GROSS = {"float16": 2e-2, "bfloat16": 2e-2, "float32": 2e-5, "float64": 1e-9}


def seeded(f: Callable[..., Any], seed: int = 7) -> Callable[..., Any]:
    def call(tf: Any, *inputs: Any) -> Any:
        tf.random.set_seed(seed)
        return f(tf, *inputs)

    return call


def seeded_v1(f: Callable[..., Any], seed: int = 7) -> Callable[..., Any]:
    def call(tf: Any, *inputs: Any) -> Any:
        tf.set_random_seed(seed)
        return f(tf, *inputs)

    return call


def draw(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf: getattr(tf.random, name)(*args, **options)


def drawn(op: str, label: str, f: Callable[..., Any], *inputs: Any, **options: Any) -> Case:
    return case(op, label, seeded(f), *inputs, **{"smooth": False, **ROUNDING, **options})


def fixed(op: str, label: str, f: Callable[..., Any], *inputs: Any, **options: Any) -> Case:
    return case(op, label, f, *inputs, **{"smooth": False, **ROUNDING, **options})


RATES = np.array([0.5, 3.0, 9.5, 10.0, 20.0, 300.0, 0.0], np.float32)
UNIFORM, INT, NORMAL, TRUNCATED = "RandomUniform", "RandomUniformInt", "RandomStandardNormal", "TruncatedNormal"
CASES: list[Case] = [
    *(drawn(UNIFORM, dtype, draw("uniform", [3, 5], dtype=dtype, seed=3), rtol=GROSS[dtype]) for dtype in FLOATS),
    *(drawn(NORMAL, dtype, draw("normal", [3, 5], dtype=dtype, seed=3), rtol=GROSS[dtype]) for dtype in FLOATS),
    *(drawn(TRUNCATED, dtype, draw("truncated_normal", [50], dtype=dtype, seed=3), rtol=GROSS[dtype]) for dtype in FLOATS),
    *(drawn(INT, dtype, draw("uniform", [7], -4, 9, dtype=dtype, seed=3)) for dtype in INTEGERS),
    drawn(UNIFORM, "range", draw("uniform", [6], -2.0, 5.0, seed=3)),
    drawn(UNIFORM, "up to one", draw("uniform", [6], 0.5, 1.0, seed=3)),
    drawn(UNIFORM, "scalar", draw("uniform", [], seed=4)),
    drawn(UNIFORM, "empty", draw("uniform", [0, 3], seed=4)),
    drawn(UNIFORM, "shape tensor", lambda tf, n: tf.random.uniform(n, seed=4), np.array([2, 3])),
    drawn(UNIFORM, "int64 shape", lambda tf, n: tf.random.uniform(n, seed=4), np.array([2, 3], np.int64)),
    drawn(UNIFORM, "bounds", lambda tf, a, b: tf.random.uniform([4], a, b, seed=4), floats(), floats(low=3, high=4), smooth=True),
    drawn(UNIFORM, "bounds that broadcast", lambda tf, a: tf.random.uniform([2, 3], a, 9.0, seed=4), floats(3), smooth=True),
    drawn(UNIFORM, "two calls go on", lambda tf: [tf.random.uniform([3], seed=3), tf.random.uniform([3], seed=5)]),
    drawn(UNIFORM, "many", lambda tf: tf.reduce_sum(tf.random.uniform([2000], seed=3))),
    drawn(UNIFORM, "raw op", lambda tf: tf.raw_ops.RandomUniform(shape=[4], dtype=tf.float32, seed=1, seed2=2)),
    drawn(UNIFORM, "negative seed", draw("uniform", [4], seed=-3)),
    drawn(UNIFORM, "large seed", draw("uniform", [4], seed=2**40 + 5)),
    drawn(
        NORMAL, "mean and deviation", lambda tf, m, s: tf.random.normal([2, 3], m, s, seed=4), floats(), floats(low=1, high=2), smooth=True
    ),
    drawn(NORMAL, "means that broadcast", lambda tf, m: tf.random.normal([2, 3], m, seed=4), floats(3), smooth=True),
    drawn(NORMAL, "odd count", draw("normal", [5], dtype="float64", seed=9)),
    drawn(
        TRUNCATED,
        "mean and deviation",
        lambda tf, m, s: tf.random.truncated_normal([5], m, s, seed=4),
        floats(),
        floats(low=1, high=2),
        smooth=True,
    ),
    drawn(INT, "wide", draw("uniform", [6], -(2**62), 2**62, dtype="int64", seed=3)),
    drawn(INT, "bound tensor", lambda tf, n: tf.random.uniform([6], maxval=n, dtype=tf.int32, seed=3), np.array(6, np.int32)),
    drawn("RandomShuffle", "vector", lambda tf, x: tf.random.shuffle(x, seed=3), floats(9), smooth=False),
    drawn("RandomShuffle", "rows", lambda tf, x: tf.random.shuffle(x, seed=3), ints(5, 2)),
    drawn("RandomShuffle", "one", lambda tf, x: tf.random.shuffle(x, seed=3), ints(1)),
    drawn("RandomShuffle", "empty", lambda tf, x: tf.random.shuffle(x, seed=3), ints(0, 2)),
    drawn("Multinomial", "two rows", lambda tf, x: tf.random.categorical(x, 12, seed=3), floats(2, 4)),
    drawn("Multinomial", "int32 float64", lambda tf, x: tf.random.categorical(x, 5, dtype=tf.int32, seed=3), floats(1, 6, dtype="float64")),
    drawn(
        "Multinomial",
        "impossible classes",
        lambda tf, x: tf.random.categorical(x, 9, seed=3),
        np.array([[-np.inf, 0, -np.inf, 1]], np.float32),
    ),
    drawn("RandomPoissonV2", "small and large rates", lambda tf, r: tf.stop_gradient(tf.random.poisson([9], r, seed=3)), RATES),
    drawn("RandomPoissonV2", "integers", lambda tf, r: tf.random.poisson([9], r, "int64", seed=3), np.array([3, 12], np.int32)),
    drawn("RandomPoissonV2", "twice", lambda tf: [tf.random.poisson([3], 5.0, seed=3), tf.random.poisson([3], 6.0, seed=5)]),
    drawn("RandomGamma", "alphas", lambda tf, a: tf.random.gamma([5], a, seed=3), np.array([0.4, 1.0, 2.5], np.float32)),
    drawn(
        "RandomGamma",
        "beta",
        lambda tf, a, b: tf.random.gamma([2], a, b, tf.float64, seed=3),
        np.array([0.4, 3.0], np.float64),
        np.array([2.0, 0.5], np.float64),
    ),
    drawn("RandomGamma", "scalar", lambda tf, a: tf.random.gamma([], a, seed=3), np.array(1.5, np.float32)),
]


def stateless(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf: getattr(tf.random, "stateless_" + name)(*args, seed=[1, 2], **options)


FULL = {"minval": None, "maxval": None}
CASES += [
    *(fixed("StatelessRandomUniformV2", dtype, stateless("uniform", [3, 5], dtype=dtype), rtol=GROSS[dtype]) for dtype in FLOATS),
    *(fixed("StatelessRandomNormalV2", dtype, stateless("normal", [3, 5], dtype=dtype), rtol=GROSS[dtype]) for dtype in FLOATS),
    *(fixed("StatelessTruncatedNormalV2", dtype, stateless("truncated_normal", [50], dtype=dtype), rtol=GROSS[dtype]) for dtype in FLOATS),
    *(fixed("StatelessRandomUniformIntV2", dtype, stateless("uniform", [7], minval=-3, maxval=11, dtype=dtype)) for dtype in INTEGERS),
    *(fixed("StatelessRandomUniformFullIntV2", d, stateless("uniform", [7], dtype=d, **FULL)) for d in (*INTEGERS, "uint32", "uint64")),
    fixed("StatelessRandomUniformV2", "range", stateless("uniform", [6], minval=-2.0, maxval=5.0)),
    fixed("StatelessRandomUniformV2", "seed tensor", lambda tf, s: tf.random.stateless_uniform([4], s), np.array([5, -6])),
    fixed(
        "StatelessRandomUniformV2", "int64 seed tensor", lambda tf, s: tf.random.stateless_uniform([4], s), np.array([2**40, 6], np.int64)
    ),
    fixed("StatelessRandomUniformV2", "algorithm", stateless("uniform", [4], alg="philox")),
    fixed(
        "StatelessRandomNormalV2",
        "mean",
        lambda tf, m, s: tf.random.stateless_normal([5], [1, 2], m, s),
        floats(),
        floats(low=1, high=2),
        smooth=True,
    ),
    fixed(
        "StatelessTruncatedNormalV2", "mean", lambda tf, m: tf.random.stateless_truncated_normal([2, 3], [3, 4], m), floats(3), smooth=True
    ),
    fixed("StatelessMultinomial", "two rows", lambda tf, x: tf.random.stateless_categorical(x, 12, [1, 2]), floats(2, 4)),
    fixed("StatelessMultinomial", "bfloat16", lambda tf, x: tf.random.stateless_categorical(x, 9, [1, 2]), floats(2, 4, dtype="bfloat16")),
    fixed("StatelessMultinomial", "int32", lambda tf, x: tf.random.stateless_categorical(x, 5, [1, 2], dtype=tf.int32), floats(1, 6)),
    fixed("StatelessRandomGammaV3", "alphas", lambda tf, a: tf.random.stateless_gamma([5, 2], [1, 2], a), np.array([0.4, 2.5], np.float32)),
    fixed("StatelessRandomPoisson", "rates", lambda tf, r: tf.random.stateless_poisson([5, 7], [1, 2], r), RATES),
    fixed("StatelessRandomPoisson", "float64", lambda tf, r: tf.random.stateless_poisson([2, 7], [1, 2], r, "float64"), RATES),
    fixed("random.split", "three", lambda tf: tf.random.split([1, 2], 3)),
    fixed("random.fold_in", "three", lambda tf: tf.random.fold_in([1, 2], 3)),
    fixed("random.stateless_shuffle", "vector", lambda tf, x: tf.random.experimental.stateless_shuffle(x, [1, 2]), ints(9)),
]


def v1(op: str, label: str, f: Callable[..., Any], *inputs: Any, **options: Any) -> Case:
    return case(op, label, seeded_v1(f), *inputs, **{"smooth": False, "face": "v1", **ROUNDING, **options})


CASES += [
    v1(NORMAL, "version 1", lambda tf: tf.random_normal([2, 3], mean=1.0, stddev=2.0, seed=5)),
    v1(UNIFORM, "version 1", lambda tf: tf.random_uniform([2, 3], -1, 1, seed=5)),
    v1(INT, "version 1", lambda tf: tf.random_uniform([5], maxval=9, dtype=tf.int32, seed=5)),
    v1(TRUNCATED, "version 1", lambda tf: tf.truncated_normal([7], stddev=0.1, seed=5)),
    v1("RandomShuffle", "version 1", lambda tf, x: tf.random_shuffle(x, seed=5), ints(6)),
    v1("Multinomial", "version 1", lambda tf, x: tf.multinomial(x, 6, seed=5), floats(2, 3)),
    v1(
        "Multinomial",
        "version 1 output dtype",
        lambda tf, x: tf.random.multinomial(logits=x, num_samples=6, seed=5, output_dtype=tf.int32),
        floats(2, 3),
    ),
    v1("RandomPoissonV2", "version 1", lambda tf: tf.random_poisson([1.0, 20.0], [3], seed=5)),
    v1("RandomGamma", "version 1", lambda tf, a: tf.random_gamma([3], a, seed=5), np.array([0.5, 2.0], np.float32)),
]


def initialized(name: str, *args: Any, shape: tuple[int, ...] = (4, 3), dtype: str = "float32", **options: Any) -> Callable[..., Any]:
    return lambda tf: getattr(tf.initializers, name)(*args, **options)(shape, dtype=dtype)


def initialized_v1(name: str, shape: tuple[int, ...] = (4, 3), dtype: str = "float32", **options: Any) -> Callable[..., Any]:
    return lambda tf: getattr(tf, name)(**options)(shape, dtype=tf.as_dtype(dtype))


SPREADS = (
    "glorot_uniform_initializer",
    "glorot_normal_initializer",
    "variance_scaling_initializer",
    "random_normal_initializer",
    "random_uniform_initializer",
)
CASES += [
    *(v1("initializers", name, initialized_v1(name, seed=5)) for name in (*SPREADS, "truncated_normal_initializer")),
    *(v1("initializers", f"{name} of a filter", initialized_v1(name, (3, 3, 2, 4), seed=5)) for name in SPREADS[:3]),
    *(v1("initializers", f"{name} of a vector", initialized_v1(name, (6,), seed=5)) for name in SPREADS[:3]),
    *(
        v1(
            "initializers",
            f"variance scaling {mode} {kind}",
            initialized_v1("variance_scaling_initializer", scale=2.0, mode=mode, distribution=kind, seed=5),
        )
        for mode, kind in (("fan_in", "uniform"), ("fan_out", "normal"), ("fan_avg", "truncated_normal"), ("fan_avg", "untruncated_normal"))
    ),
    v1("initializers", "random_normal float64", initialized_v1("random_normal_initializer", dtype="float64", mean=1.0, stddev=0.5, seed=5)),
    v1("initializers", "random_uniform range", initialized_v1("random_uniform_initializer", minval=-3.0, maxval=-1.0, seed=5)),
    v1("initializers", "zeros", initialized_v1("zeros_initializer")),
    v1("initializers", "ones int32", initialized_v1("ones_initializer", dtype="int32")),
    v1("initializers", "constant", initialized_v1("constant_initializer", value=2.5)),
    v1("initializers", "constant of a list", initialized_v1("constant_initializer", shape=(2, 2), value=[1, 2, 3, 4])),
    v1("initializers", "he_normal", lambda tf: tf.initializers.he_normal(seed=5)((4, 3))),
    v1("initializers", "lecun_uniform", lambda tf: tf.initializers.lecun_uniform(seed=5)((4, 3))),
    v1("initializers", "identity", lambda tf: tf.initializers.identity(gain=2.0)((3, 4))),
    drawn("initializers", "zeros, version 2", lambda tf: tf.zeros_initializer()([2, 2])),
    drawn("initializers", "constant, version 2", lambda tf: tf.constant_initializer(3)([2, 2], dtype=tf.float32)),
    drawn("initializers", "random_normal, version 2", lambda tf: tf.random_normal_initializer(0.5, 2.0, seed=4)([3, 2])),
    drawn("initializers", "random_uniform, version 2", lambda tf: tf.random_uniform_initializer(-1.0, 2.0, seed=4)([3, 2])),
]


def generated(draw: Callable[..., Any]) -> Callable[..., Any]:
    """Two draws of one generator.  (In a graph its state would have to be initialized, which these cases do not do: it is refused.)"""

    def call(tf: Any, *inputs: Any) -> Any:
        generator = tf.random.Generator.from_seed(1234)
        return [draw(generator, *inputs), draw(generator, *inputs)]

    return call


GENERATOR = "RngReadAndSkip"
CASES += [
    fixed(GENERATOR, "normal", generated(lambda g: g.normal([3]))),
    fixed(GENERATOR, "normal float64", generated(lambda g: g.normal([5], dtype="float64"))),
    fixed(GENERATOR, "mean", generated(lambda g, m: g.normal([2, 3], m, 2.0)), floats(3), smooth=True),
    fixed(GENERATOR, "truncated normal", generated(lambda g: g.truncated_normal([3]))),
    fixed(GENERATOR, "uniform", generated(lambda g: g.uniform([300], 1.0, 3.0))),
    fixed(GENERATOR, "uniform of integers", generated(lambda g: g.uniform([3], maxval=10, dtype="int32"))),
    fixed(GENERATOR, "all integers", generated(lambda g: g.uniform_full_int([2], dtype="int64"))),
    fixed(GENERATOR, "seeds", generated(lambda g: g.make_seeds(2))),
    fixed(GENERATOR, "skip", generated(lambda g: g.skip(3))),
    fixed("random.create_rng_state", "large", lambda tf: tf.random.create_rng_state(2**63 - 1, "philox")),
    fixed("random.create_rng_state", "negative", lambda tf: tf.random.create_rng_state(-5, "philox")),
    fixed("random.create_rng_state", "a list", lambda tf: tf.random.create_rng_state([-1, 2], "philox")),
]


def call_v1(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf: getattr(tf, name)(*args, **options)


ERRORS: list[ErrorCase] = [
    error("RandomUniform: negative size", lambda tf: tf.random.uniform([2, -1])),
    error("RandomUniform: float shape", lambda tf: tf.random.uniform([2.5])),
    error("random.uniform: integers without a bound", lambda tf: tf.random.uniform([2], dtype=tf.int32)),
    error("RandomUniformInt: empty range", lambda tf: tf.random.uniform([2], 5, 5, dtype=tf.int32)),
    error("random.uniform: bound of another dtype", lambda tf, n: tf.random.uniform([2], maxval=n, dtype=tf.int32), np.array(6)),
    error("random.uniform: strings", lambda tf: tf.random.uniform([2], dtype=tf.string)),
    error("RandomStandardNormal: integers", lambda tf: tf.random.normal([2], dtype=tf.int32)),
    error("Multinomial: a vector", lambda tf, x: tf.random.categorical(x, 2), floats(3)),
    error("Multinomial: a vector", lambda tf, x: tf.random.categorical(x, 2), floats(3), mode="graph"),
    error("Multinomial: no classes", lambda tf, x: tf.random.categorical(x, 2), floats(2, 0)),
    error("Multinomial: negative count", lambda tf, x: tf.random.categorical(x, -1), floats(2, 3)),
    error("stateless_uniform: seed of three", lambda tf: tf.random.stateless_uniform([2], [1, 2, 3])),
    error("stateless_uniform: one bound of integers", lambda tf: tf.random.stateless_uniform([2], [1, 2], None, 5, dtype=tf.int32)),
    error("stateless_uniform: integers without bounds", lambda tf: tf.random.stateless_uniform([2], [1, 2], dtype=tf.int32)),
    error("stateless_uniform: unknown algorithm", lambda tf: tf.random.stateless_uniform([2], [1, 2], alg="mersenne")),
    error("StatelessRandomPoisson: sizes differ", lambda tf: tf.random.stateless_poisson([2, 3], [1, 2], [1.0, 2.0])),
    error("Generator: unknown algorithm", lambda tf: tf.random.Generator.from_seed(1, alg="mersenne")),
    error("variance_scaling_initializer: mode", call_v1("variance_scaling_initializer", mode="fan_none"), face="v1"),
    error("variance_scaling_initializer: scale", call_v1("variance_scaling_initializer", scale=-1.0), face="v1"),
    error("constant_initializer: None", lambda tf: tf.constant_initializer(object()), face="v1"),
    error("random_normal_initializer: integers", lambda tf: tf.random_normal_initializer()([2], dtype=tf.int32)),
]
