"""Calls that TensorFlow refuses: branches of different structures, invariants that are none, mixed dtypes, shapes that are no vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"


def branches(tf: Any) -> Answers:
    pairs: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "number": (lambda: (1, 2), lambda: 1),
        "list and tuple": (lambda: [1, 2], lambda: (1, 2)),
        "dictionary": (lambda: {"a": 1}, lambda: {"b": 1}),
        "length": (lambda: (1, 2), lambda: (1, 2, 3)),
        "nested": (lambda: (1, (2, 3)), lambda: (1, 2, 3)),
        "None": (lambda: None, lambda: 1),
        "None inside": (lambda: (None, 1), lambda: (1, None)),
        "dtype": (lambda: 1, lambda: 1.0),
        "ragged": (lambda: tf.ragged.constant([[1]]), lambda: 1),
    }
    answers: Answers = {
        "no predicate": raises(lambda: tf.cond(None, lambda: 1, lambda: 2)),
        "no predicate, 1": raises(lambda: tf.compat.v1.cond(None, lambda: 1, lambda: 2)),
    }
    for name, (a, b) in pairs.items():
        other = ("TypeError",)  # TensorFlow counts the outputs first, and fails in an assertion of its own
        answers[f"cond {name}"] = raises(lambda a=a, b=b: tf.function(lambda p: tf.cond(p, a, b))(tf.constant(True)), otherwise=other)
        answers[f"case {name}"] = raises(lambda a=a, b=b: tf.function(lambda p: tf.case([(p, a)], default=b))(tf.constant(True)), otherwise=other)
        if name != "None inside":
            answers[f"switch {name}"] = raises(lambda a=a, b=b: tf.function(lambda i: tf.switch_case(i, [a, b]))(tf.constant(1)), otherwise=other)
    return answers


def invariants(tf: Any) -> Answers:
    def loop(invariants: Any) -> Any:
        return tf.function(lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], shape_invariants=invariants))()

    scalar = tf.TensorShape([])
    given = {
        "text": "a", "number": 3, "list of a number": [3], "list of text": ["a"], "other dtype": [tf.TensorSpec([])], "bare": scalar,
        "two": [scalar, scalar], "tuple": (scalar,), "tensor": [tf.constant(1)], "nested": [[scalar]],
    }  # fmt: skip
    answers: Answers = {name: raises(lambda value=value: loop(value)) for name, value in given.items()}
    return answers | {name: lambda value=value: loop(value) for name, value in {"shape": [scalar], "None": [None]}.items()}


def arrays(tf: Any) -> Answers:
    entropy, sparse_entropy = tf.nn.softmax_cross_entropy_with_logits, tf.nn.sparse_softmax_cross_entropy_with_logits
    zeros = tf.zeros
    return {
        "meshgrid": raises(lambda: tf.meshgrid([1, 2], [1.0, 2.0])),
        "meshgrid of arrays": raises(lambda: tf.meshgrid(np.array([1, 2]), np.array([1.0, 2.0]), indexing="ij")),
        "meshgrid in a function": raises(lambda: tf.function(lambda: tf.meshgrid([1, 2], [1.0, 2.0]))()),
        "scalar labels": raises(lambda: entropy(labels=1.0, logits=[1.0, 2.0])),
        "scalar logits": raises(lambda: entropy(labels=[1.0, 2.0], logits=1.0)),
        "scalars": raises(lambda: entropy(labels=1.0, logits=1.0)),
        "scalars, sparse": raises(lambda: sparse_entropy(labels=0, logits=1.0)),
        "scatter to nothing": raises(lambda: tf.scatter_nd([[0]], [1.0], [0])),
        "scatter to no columns": raises(lambda: tf.scatter_nd([[0]], zeros([1, 0]), [2, 0])),
        "scatter to no rows": raises(lambda: tf.scatter_nd([[0]], zeros([1, 3]), [0, 3])),
        "scatter nothing": lambda: [
            tf.scatter_nd(zeros([0, 1], tf.int32), zeros([0]), [0]), tf.scatter_nd(zeros([0, 1], tf.int32), zeros([0, 3]), [0, 3]),
        ],
        "scatter in a function": raises(lambda: tf.function(lambda: tf.scatter_nd([[0]], [1.0], [0]))()),
    }  # fmt: skip


def shapes_of_draws(tf: Any) -> Answers:
    generator = tf.random.Generator.from_seed(1)
    draws = {
        "normal": lambda: tf.random.normal(7),
        "uniform": lambda: tf.random.uniform(7),
        "integers": lambda: tf.random.uniform(7, maxval=3, dtype=tf.int32),
        "truncated": lambda: tf.random.truncated_normal(7),
        "gamma": lambda: tf.random.gamma(7, 1.0),
        "poisson": lambda: tf.random.poisson(7, 1.0),
        "stateless normal": lambda: tf.random.stateless_normal(7, [1, 2]),
        "stateless uniform": lambda: tf.random.stateless_uniform(7, [1, 2]),
        "stateless gamma": lambda: tf.random.stateless_gamma(7, [1, 2], 1.0),
        "stateless poisson": lambda: tf.random.stateless_poisson(7, [1, 2], 1.0),
        "stateless binomial": lambda: tf.random.stateless_binomial(7, [1, 2], 1.0, 0.5),
        "generator": lambda: generator.normal(7),
        "generator uniform": lambda: generator.uniform(7),
        "in a function": lambda: tf.function(lambda: tf.random.normal(7))(),
        "array": lambda: tf.random.normal(np.int32(7)),
        "tensor": lambda: tf.random.normal(tf.constant(7)),
        "older": lambda: tf.compat.v1.random_normal(7),
    }
    return {name: raises(draw) for name, draw in draws.items()}
