"""Seeded random numbers, call after call: which numbers come for which seeds, eagerly, in graphs, in functions, in sessions."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

FACE = "v2"
SEEDS: tuple[tuple[int | None, int | None], ...] = (
    (7, None), (7, 3), (0, 0), (0, None), (None, 3), (None, 0), (-5, 2**33 + 1), (2**31 - 1, -1), (1234567890123, 2**31),
)  # fmt: skip
SIZES = (1, 2, 3, 5, 33)
KINDS: dict[str, tuple[str, ...]] = {
    "uniform": ("float16", "bfloat16", "float32", "float64"),
    "normal": ("float16", "bfloat16", "float32", "float64"),
    "truncated_normal": ("float16", "bfloat16", "float32", "float64"),
    "integers": ("int32", "int64"),
}
TRUE = np.array([[1, 2], [3, 4]], np.int64)


def _draw(tf: Any, kind: str, shape: Any, dtype: str, seed: int | None) -> Any:
    if kind == "integers":
        return tf.random.uniform(shape, -1000, 1000, dtype, seed=seed)
    return getattr(tf.random, kind)(shape, dtype=dtype, seed=seed)


def _value(tensor: Any) -> Any:
    """An array; narrow floats as float32, and float32 to so many digits as `log` and `sin` leave."""
    found = np.asarray(tensor.numpy() if hasattr(tensor, "numpy") else tensor)
    return found.astype(np.float32) if found.dtype.itemsize == 2 else found


def _restored(tf: Any, seed: int | None) -> None:
    tf.random.set_seed(0 if seed is None else seed)


def eager(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for whole, own in SEEDS:
        if whole is None:
            continue
        for kind in KINDS:
            tf.random.set_seed(whole)
            dtype = KINDS[kind][-2]
            found[f"{kind}: {whole}, {own}"] = [_value(_draw(tf, kind, [3], dtype, own)) for _ in range(3)]
        tf.random.set_seed(whole)
        found[f"others: {whole}, {own}"] = [_value(t) for t in (
            tf.random.shuffle(tf.range(7), own), tf.random.categorical([[0.1, 0.5, 0.4]], 5, seed=own),
            tf.random.poisson([3], [0.5, 20.0], seed=own), tf.random.gamma([3], [0.5, 2.0], seed=own),
        )]  # fmt: skip
    _restored(tf, None)
    return found


def sizes(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind, dtypes in KINDS.items():
        for dtype in dtypes:
            for n in SIZES:
                tf.random.set_seed(11)
                found[f"{kind} {dtype} {n}"] = [_value(_draw(tf, kind, [n], dtype, 5)), _value(_draw(tf, kind, [2], dtype, 5))]
    for kind in ("uniform", "normal", "truncated_normal"):
        tf.random.set_seed(11)
        many = _value(_draw(tf, kind, [100, 41], "float32", 5))
        found[f"{kind}, many"] = [many[::13, ::7], many.shape]
    tf.random.set_seed(11)
    found["shuffle, many"] = [_value(tf.random.shuffle(tf.range(n), 5)) for n in (256, 257, 1000)]
    _restored(tf, None)
    return found


def stateless(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for seed in ([0, 0], [1, 2], [-1, 2**31 - 1], [2**40, -(2**50)]):
        given = np.array(seed, np.int64)
        for kind in ("uniform", "normal", "truncated_normal"):
            for dtype in KINDS[kind]:
                found[f"{kind} {dtype} {seed}"] = _value(getattr(tf.random, f"stateless_{kind}")([7], given, dtype=dtype))
        for dtype in ("int32", "int64", "uint32", "uint64"):
            found[f"bits {dtype} {seed}"] = _value(tf.random.stateless_uniform([5], given, None, None, dtype))
        found[f"others {seed}"] = [_value(t) for t in (
            tf.random.stateless_categorical([[0.1, 0.5, 0.4]], 5, given), tf.random.stateless_poisson([4, 2], given, [0.5, 20.0]),
            tf.random.stateless_gamma([4, 2], given, [0.5, 2.0]), tf.random.stateless_binomial([4, 2], given, [9.0, 90.0], 0.4),
            tf.random.experimental.stateless_shuffle(tf.range(7), given), tf.random.split(given, 3), tf.random.fold_in(given, 5),
            tf.random.stateless_parameterized_truncated_normal([4, 2], given, [0.0, 1.0], 1.0, -1.0, 3.0),
        )]  # fmt: skip
    return found


def graphs(tf: Any) -> dict[str, Any]:
    v1 = tf.compat.v1
    found: dict[str, Any] = {}
    for whole, own in SEEDS:
        with v1.Graph().as_default():
            if whole is not None:
                v1.set_random_seed(whole)
            drawn = [_draw(tf, kind, [3], KINDS[kind][-2], own) for kind in KINDS] + [v1.random_uniform([2], seed=own)]
            if whole is None and own is None:
                continue
            with v1.Session() as session:
                found[f"{whole}, {own}"] = [[_value(x) for x in session.run(drawn)] for _ in range(2)]
            with v1.Session() as session:
                found[f"{whole}, {own}, again"] = [_value(x) for x in session.run(drawn)]
    return found


def functions(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for whole, own in ((7, None), (7, 3)):
        tf.random.set_seed(whole)
        drawn = tf.function(lambda own=own: [draw([2], seed=own) for draw in (tf.random.uniform, tf.random.normal, tf.random.uniform)])
        found[f"{whole}, {own}"] = [[_value(x) for x in drawn()] for _ in range(2)]
    _restored(tf, None)
    return found


def generators(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for seed in (0, 5, -1, 2**40):
        g = tf.random.Generator.from_seed(seed)
        found[f"{seed}"] = [_value(t) for t in (
            g.uniform([3]), g.normal([3]), g.truncated_normal([5], dtype="float64"), g.uniform([3], maxval=100, dtype="int64"),
            g.binomial([3], 10.0, 0.3), g.uniform_full_int([2]), g.make_seeds(2), g.state.read_value(),
        )]  # fmt: skip
        parts = g.split(2)
        found[f"{seed}, split"] = [_value(p.normal([2])) for p in parts]
    return found


def integers_of_any_dtype(tf: Any) -> dict[str, Any]:
    """Numbers without a dtype are int64 for an operation that takes any dtype, whatever shape and algorithm are."""
    state = tf.Variable([1, 2, 3], dtype=tf.int64)
    shapes = {"list": [4], "tuple": (4,), "tensor": tf.constant([4]), "array": np.array([4])}
    bounds = {
        "numbers": (0, 100), "a large one": (0, 2**40), "arrays": (np.int32(0), np.int32(9)), "a tensor": (0, tf.constant(9)),
        "a float": (0.0, 3), "bytes": (tf.constant(0, tf.uint8), 3),
    }  # fmt: skip
    found: dict[str, Any] = {}
    for (of, shape), (kind, (low, high)) in itertools.product(shapes.items(), bounds.items()):
        try:
            draw = tf.raw_ops.StatefulUniformInt(resource=state.handle, algorithm=1, shape=shape, minval=low, maxval=high)
            found[f"{of}, {kind}"] = [draw.dtype.name, _value(draw)]
        except (TypeError, tf.errors.InvalidArgumentError) as error:
            found[f"{of}, {kind}"] = type(error).__name__
    return found


def samplers(tf: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("uniform", "log_uniform", "learned_unigram"):
        for unique in (True, False):
            tf.random.set_seed(3)
            draw = getattr(tf.random, f"{name}_candidate_sampler")
            found[f"{name}, {unique}"] = [[_value(x) for x in draw(TRUE, 2, 4, unique, 9, seed=4)] for _ in range(4)]
    tf.random.set_seed(3)
    truncated = {"means": 0.0, "stdevs": 1.0, "minvals": -1.0, "maxvals": 1.5}
    found["parameterized truncated normal"] = [
        _value(tf.raw_ops.ParameterizedTruncatedNormal(shape=[n], **truncated, seed=1, seed2=2)) for n in (3, 90, 5)
    ]
    _restored(tf, None)
    return found
