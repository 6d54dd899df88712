"""ThreeFry: numbers of seeds and of generators, which TensorFlow draws in functions that XLA compiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raises

FACE = "v2"
SHAPES: list[tuple[int, ...]] = [(), (0,), (1,), (7,), (8,), (3, 4), (4, 3), (3, 5), (5, 3), (2, 3, 4), (3, 3, 3), (5, 1, 7)]


def compiled(tf: Any, f: Any) -> Any:
    return lambda: tf.function(f, jit_compile=True)()


def draws(tf: Any) -> dict[str, Any]:
    keyed = {"key": np.array([0x123456789ABCDEF], np.uint64), "counter": np.array([2**32 - 3], np.uint64), "alg": 2}
    found = {}
    for shape in SHAPES:
        for dtype in ("uint32", "int64"):
            kind = getattr(tf, dtype)
            full = lambda shape=shape, kind=kind: tf.raw_ops.StatelessRandomUniformFullIntV2(shape=list(shape), dtype=kind, **keyed)
            found[f"bits, {shape}, {dtype}"] = compiled(tf, full)
        for op in ("RandomUniform", "RandomNormal", "TruncatedNormal"):
            for dtype in ("float32", "float64"):
                kind, raw = getattr(tf, dtype), getattr(tf.raw_ops, f"Stateless{op}V2")
                drawn = lambda shape=shape, kind=kind, raw=raw: raw(shape=list(shape), dtype=kind, **keyed)
                found[f"{op}, {shape}, {dtype}"] = compiled(tf, drawn)
    return found


def narrow(tf: Any) -> dict[str, Any]:
    def drawn(f: Any, dtype: str) -> Any:
        return compiled(tf, lambda: tf.cast(f([6], [1, 2], dtype=getattr(tf, dtype), alg="threefry"), tf.float32))

    return {
        "float16": drawn(tf.random.stateless_uniform, "float16"),
        "bfloat16": drawn(tf.random.stateless_uniform, "bfloat16"),
        "normal, bfloat16": drawn(tf.random.stateless_normal, "bfloat16"),
    }


def seeds(tf: Any) -> dict[str, Any]:
    random, how = tf.random, {"alg": "threefry"}
    return {
        "uniform": compiled(tf, lambda: random.stateless_uniform([5], [1, 2], 3.0, 5.0, **how)),
        "normal": compiled(tf, lambda: random.stateless_normal([2, 3], [-1, 7], 1.0, 2.0, **how)),
        "truncated": compiled(tf, lambda: random.stateless_truncated_normal([4], [0, 0], **how)),
        "integers": compiled(tf, lambda: random.stateless_uniform([6], [3, 4], -5, 100, tf.int32, **how)),
        "long integers": compiled(tf, lambda: random.stateless_uniform([6], [3, 4], -5, 10**12, tf.int64, **how)),
        "every bit": compiled(tf, lambda: random.stateless_uniform([3], [3, 4], None, None, tf.uint64, **how)),
        "split": compiled(tf, lambda: random.split([3, 4], 3, "threefry")),
        "fold_in": compiled(tf, lambda: random.fold_in([3, 4], 9, "threefry")),
        "eagerly, which TensorFlow refuses": ours(
            np.array([0.14646709, 0.54565823], np.float32), lambda: random.stateless_uniform([2], [1, 2], **how)
        ),
    }


def generators(tf: Any) -> dict[str, Any]:
    def moved(f: Any) -> Any:
        def answer() -> Any:
            generator = tf.random.Generator.from_seed(7, alg="threefry")
            first = tf.function(lambda: f(generator), jit_compile=True)()
            return [first, generator.state, generator.key]

        return answer

    return {
        "uniform": moved(lambda g: g.uniform([3])),
        "normal": moved(lambda g: g.normal([2, 2])),
        "truncated": moved(lambda g: g.truncated_normal([3])),
        "integers": moved(lambda g: g.uniform([4], 0, 9, tf.int32)),
        "every bit": moved(lambda g: g.uniform_full_int([2], tf.uint64)),
        "seeds": moved(lambda g: g.make_seeds(2)),
        "skip": moved(lambda g: g.skip(10)),
        "from key and counter": lambda: tf.random.Generator.from_key_counter(3, [4], "threefry").state,
        "from state": lambda: tf.random.Generator.from_state([5, 6], "threefry").state,
        "from a long seed": lambda: tf.random.create_rng_state(2**70 + 5, "threefry"),
        "state of another algorithm": raises(compiled(tf, lambda: tf.random.Generator.from_state([5, 6, 7], "threefry").normal([1]))),
    }
