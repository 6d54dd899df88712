"""Collectives, of the one replica that there is; tests/test_collective.py has several."""

from __future__ import annotations

from typing import Any

from tests.cases.case import Case, ErrorCase, bools, case, floats, ints


def _dtypes(op: str, f: Any, *shape: int) -> list[Case]:
    return [case(op, dtype, f, floats(*shape, dtype=dtype), beyond=True) for dtype in ("float32", "float64", "complex64", "bfloat16")]


def _in_two_parts(tf: Any, x: Any) -> Any:
    return tf.raw_ops.ReplicaAllReduceFinish(input=[x, x * x], ticket=tf.raw_ops.ReplicaAllReduceStart(input=[x, x * x]))


CASES: list[Case] = [
    *_dtypes("ReplicaAllReduce", lambda tf, x: tf.distribute.all_reduce(x), 2, 3),
    case("ReplicaAllReduce", "mean of a scalar", lambda tf, x: tf.distribute.all_reduce(x, "MEAN"), floats(), beyond=True),
    case("ReplicaAllReduce", "by MPI", lambda tf, x: tf.distribute.all_reduce(x, fast=True), floats(4), beyond=True),
    case("ReplicaAllReduce", "integers", lambda tf, x: tf.distribute.all_reduce(x), ints(4), smooth=False, beyond=True),
    *_dtypes("ReplicaAllReduceStart", _in_two_parts, 2, 3),
    *_dtypes("ReplicaAllReduceRows", lambda tf, x: tf.distribute.all_reduce(x, axis=0), 5, 2),
    case("ReplicaAllReduceRows", "mean, last axis", lambda tf, x: tf.distribute.all_reduce(x, "MEAN", axis=-1), floats(2, 7), beyond=True),
    case("ReplicaAllReduceRows", "a vector", lambda tf, x: tf.distribute.all_reduce(x, axis=0), floats(6), beyond=True),
    case("ReplicaAllReduceRows", "no rows", lambda tf, x: tf.distribute.all_reduce(x, axis=0), floats(0, 2), smooth=False, beyond=True),
    *_dtypes("ReplicaAllGather", lambda tf, x: tf.distribute.all_gather(x), 3, 2),
    case("ReplicaAllGather", "second axis", lambda tf, x: tf.distribute.all_gather(x, axis=1), floats(3, 2), beyond=True),
    case("ReplicaAllGather", "truth values", lambda tf, x: tf.distribute.all_gather(x), bools(3), smooth=False, beyond=True),
    *_dtypes("ReplicaReduceScatter", lambda tf, x: tf.distribute.reduce_scatter(x), 4, 2),
    case("ReplicaReduceScatter", "a count", lambda tf, x: tf.distribute.reduce_scatter(x, 2, axis=1), floats(3, 2), beyond=True),
    *_dtypes("ReplicaBroadcast", lambda tf, x: tf.distribute.broadcast(x), 2, 2),
    *_dtypes("ReplicaReduce", lambda tf, x: tf.distribute.reduce(x), 2, 2),
    *_dtypes("ReplicaExchange", lambda tf, x: tf.distribute.all_to_all(x), 4, 2),
    case("ReplicaExchange", "second axis", lambda tf, x: tf.distribute.all_to_all(x, axis=1), floats(3, 2), beyond=True),
    *_dtypes("Shard", lambda tf, x: tf.distribute.shard(x) * x, 4, 2),
    case("Shard", "parts along two axes", lambda tf, x: tf.distribute.shard(x, [2, 1]), floats(4, 2), beyond=True),
    case("Shard", "integers", lambda tf, x: tf.distribute.shard(x, 2), ints(4), smooth=False, beyond=True),
]
ERRORS: list[ErrorCase] = []
