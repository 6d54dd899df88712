"""What maps, scans and folds refuse: eagerly, in functions and in graphs; and the ragged and sparse accumulators that folds take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, either

FACE = "v2"


def _everywhere(tf: Any, calls: dict[str, Callable[[], Any]]) -> Answers:
    v1 = tf.compat.v1

    def in_graph(call: Callable[[], Any]) -> Any:
        with v1.Graph().as_default(), v1.Session() as session:
            return session.run(call())

    found: Answers = {}
    for label, call in calls.items():
        found[f"{label}, eagerly"] = either(call)
        found[f"{label}, in a function"] = either(lambda call=call: tf.function(call, autograph=False)())
        found[f"{label}, in a graph"] = either(lambda call=call: in_graph(call))
    return found


def scans_and_folds(tf: Any) -> Answers:
    def calls(name: str) -> dict[str, Callable[[], Any]]:
        walk = getattr(tf, name)
        zero = lambda: tf.constant(0.0)
        return {
            "a scalar": lambda: walk(lambda a, x: a + x, 3.0),
            "a scalar and an initializer": lambda: walk(lambda a, x: a + x, tf.constant(3.0), initializer=0.0),
            "numbers": lambda: walk(lambda a, x: a + x, [1.0, 2.0], initializer=zero()),
            "text": lambda: walk(lambda a, x: a, "abc", initializer=zero()),
            "nothing": lambda: walk(lambda a, x: a, [], initializer=zero()),
            "no iterations at once": lambda: walk(lambda a, x: a + x, tf.constant([1.0, 2.0]), parallel_iterations=0),
            "another dtype": lambda: walk(lambda a, x: tf.cast(a, tf.int32), tf.constant([1.0, 2.0]), initializer=zero()),
            "another shape": lambda: walk(lambda a, x: tf.concat([a, a], 0), tf.zeros([2]), initializer=tf.zeros([1])),
            "another structure": lambda: walk(lambda a, x: (a, a), tf.zeros([2]), initializer=zero()),
        }

    found: dict[str, Callable[[], Any]] = {}
    for name in ("scan", "foldl", "foldr"):
        found |= {f"{name} of {label}": call for label, call in calls(name).items()}
    return _everywhere(tf, found)


def maps(tf: Any) -> Answers:
    two = lambda: tf.constant([1.0, 2.0])
    return _everywhere(
        tf,
        {
            "a scalar": lambda: tf.map_fn(lambda x: x, 3.0),
            "nothing": lambda: tf.map_fn(lambda x: x, []),
            "another dtype": lambda: tf.map_fn(lambda x: tf.cast(x, tf.int32), two()),
            "another dtype than it says": lambda: tf.map_fn(lambda x: x, two(), fn_output_signature=tf.int32),
            "no iterations at once": lambda: tf.map_fn(lambda x: x, two(), parallel_iterations=0),
            "fewer iterations than none": lambda: tf.map_fn(lambda x: x, two(), parallel_iterations=-1),
            "a loop of no iterations at once": lambda: tf.while_loop(
                lambda i: i < 3, lambda i: (i + 1,), [tf.constant(0)], parallel_iterations=0
            ),
        },
    )


def composite_accumulators(tf: Any) -> Answers:
    two = lambda: tf.constant([1.0, 2.0])
    ragged = lambda: tf.ragged.constant([[1.0, 2.0], [3.0]])
    sparse = lambda: tf.sparse.from_dense([[1.0, 2.0], [3.0, 0.0]])
    found: dict[str, Callable[[], Any]] = {}
    for name, fold in (("foldl", tf.foldl), ("foldr", tf.foldr)):
        found |= {
            f"{name} into a ragged tensor": lambda fold=fold: fold(lambda a, x: a * 0.5 + x, two(), initializer=ragged()).to_tensor(),
            f"{name} into a sparse tensor": lambda fold=fold: tf.sparse.to_dense(fold(lambda a, x: a * x, two(), initializer=sparse())),
            f"{name} into a structure": lambda fold=fold: fold(
                lambda a, x: {"r": a["r"] * x, "s": a["s"] + x}, two(), initializer={"r": ragged(), "s": tf.constant(0.0)}
            )["r"].to_tensor(),
        }
    return _everywhere(tf, found)


def lengths_that_differ(tf: Any) -> Answers:
    """The first tensor says how many slices there are, as far as a graph does not know better."""
    v1 = tf.compat.v1

    def fed(name: str, shapes: Any, counts: tuple[int, int]) -> Callable[[], Any]:
        def run() -> Any:
            with v1.Graph().as_default(), v1.Session() as session:
                given = {v1.placeholder(tf.int32, shape): range(count) for shape, count in zip(shapes, counts, strict=True)}
                if name == "map_fn":
                    walked = tf.map_fn(lambda x: x[0] + x[1], tuple(given), fn_output_signature=tf.int32)
                else:
                    walked = getattr(tf, name)(lambda a, x: a + x[0] + x[1], tuple(given), initializer=0)
                return [str(walked.shape), session.run(walked, given)]

        return either(run)

    found = {
        f"{name} of {counts}, shapes {[shape if known else None for known, shape in zip(which, counts, strict=True)]}": fed(
            name, [[count] if known else [None] for known, count in zip(which, counts, strict=True)], counts
        )
        for name in ("foldl", "foldr", "scan", "map_fn")
        for counts in ((3, 4), (4, 3))
        for which in ((True, True), (True, False), (False, True), (False, False))
    }
    eagerly = {
        name: either(lambda name=name: getattr(tf, name)(lambda a, x: a + x[0], (tf.range(3), tf.range(4)), 0))
        for name in ("foldl", "scan")
    }
    return found | {f"{name}, eagerly": answer for name, answer in eagerly.items()}


def conditions(tf: Any) -> Answers:
    """What is no boolean, as the condition of a branch."""
    given = {"a number": 1, "zero": 0, "a fraction": 0.5, "a word": "x", "a NumPy number": np.int32(1)}
    return _everywhere(
        tf,
        {
            f"{words}, which is {how}": lambda p=p, make=make: tf.cond(make(p), lambda: tf.constant(1), lambda: tf.constant(2))
            for words, p in given.items()
            for how, make in {"Python's": lambda p: p, "a tensor": tf.constant}.items()
            if (words, how) != ("a word", "a tensor")
        },
    )
