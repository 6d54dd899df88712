"""`tf.test.TestCase`: which checks of values pass; whether an AssertionError is raised is the answer."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from .kit import Answers

FACE = "v2"

Pair = namedtuple("Pair", "a b")


def verdict(check: Any, *arguments: Any, **options: Any) -> Any:
    """What a check says: "passes", "fails", or the class of another error."""

    def ask() -> str:
        try:
            check(*arguments, **options)
        except AssertionError:
            return "fails"
        except Exception as error:
            return type(error).__name__
        return "passes"

    return ask


def values(tf: Any) -> Answers:
    class Tests(tf.test.TestCase):
        def runTest(self) -> None:
            pass

    t = Tests()
    nan = float("nan")
    half, brain = tf.constant([1.0, 2.0], tf.float16), tf.constant([1.0, 2.0], tf.bfloat16)
    ragged = tf.ragged.constant([[1.0, 2.0], [3.0]])
    texts = tf.constant(["a", "b"])
    return {
        "close": verdict(t.assertAllClose, tf.constant([1.0, 2.0]), [1.0, 2.0]),
        "close within": verdict(t.assertAllClose, tf.constant([1.0, 2.0]), [1.0000009, 2.0]),
        "close beyond": verdict(t.assertAllClose, tf.constant([1.0, 2.0]), [1.0001, 2.0]),
        "close by tolerance": verdict(t.assertAllClose, [1.0], [1.05], rtol=0.1),
        "close of shapes": verdict(t.assertAllClose, [1.0], [[1.0]]),
        "close of a scalar": verdict(t.assertAllClose, 1.0, tf.constant(1.0)),
        "close of NaN": verdict(t.assertAllClose, [nan, 1.0], [nan, 1.0]),
        "close of NaN and a number": verdict(t.assertAllClose, [nan], [1.0]),
        "close of infinities": verdict(t.assertAllClose, [np.inf, -np.inf], [np.inf, -np.inf]),
        "close of integers": verdict(t.assertAllClose, tf.constant([1, 2]), [1.0, 2.0]),
        "close of dicts": verdict(t.assertAllClose, {"a": tf.constant(1.0), "b": [1.0]}, {"a": 1.0, "b": tf.constant([1.0])}),
        "close of other dicts": verdict(t.assertAllClose, {"a": 1.0}, {"b": 1.0}),
        "close of a dict and a list": verdict(t.assertAllClose, {"a": 1.0}, [1.0]),
        "close of named tuples": verdict(t.assertAllClose, Pair(1.0, [2.0, 3.0]), Pair(tf.constant(1.0), tf.constant([2.0, 3.0]))),
        "close of other named tuples": verdict(t.assertAllClose, Pair(1.0, 2.0), Pair(1.0, 3.0)),
        "close of lists of lengths": verdict(t.assertAllClose, [[1.0], [2.0, 3.0]], [tf.constant([1.0]), tf.constant([2.0, 3.0])]),
        "close of uneven lists": verdict(t.assertAllClose, [[1.0], [2.0, 3.0]], [[1.0]]),
        "close of lists of tensors": verdict(t.assertAllClose, [tf.constant(1.0), tf.constant(2.0)], np.array([1.0, 2.0])),
        "close of ragged": verdict(t.assertAllClose, ragged, [[1.0, 2.0], [3.0]]),
        "close of other ragged": verdict(t.assertAllClose, ragged, [[1.0, 2.0], [4.0]]),
        "close of ragged and other rows": verdict(t.assertAllClose, ragged, [[1.0], [2.0, 3.0]]),
        "close of float16": verdict(t.assertAllClose, half, [1.0005, 2.0]),
        "close by type of float16": verdict(t.assertAllCloseAccordingToType, half, [1.0005, 2.0]),
        "close by type of float16 beyond": verdict(t.assertAllCloseAccordingToType, half, [1.005, 2.0]),
        "close by type of bfloat16": verdict(t.assertAllCloseAccordingToType, brain, [1.005, 2.0]),
        "close by type of float64": verdict(t.assertAllCloseAccordingToType, np.array([1.0]), np.array([1.0 + 1e-7]), rtol=1e-9, atol=1e-9),
        "not close": verdict(t.assertNotAllClose, [1.0], [2.0]),
        "not close of close": verdict(t.assertNotAllClose, [1.0], [1.0]),
        "near": verdict(t.assertNear, 1.0, 1.1, 0.2),
        "near beyond": verdict(t.assertNear, 1.0, 1.1, 0.05),
        "near of infinities": verdict(t.assertNear, np.inf, np.inf, 0.05),
        "arrays near": verdict(t.assertArrayNear, [1.0, 2.0], [1.1, 2.0], 0.2),
        "arrays near of lengths": verdict(t.assertArrayNear, [1.0, 2.0], [1.1], 0.2),
        "norms near": verdict(t.assertNDArrayNear, np.ones(4), np.ones(4) * 1.1, 0.3),
        "norms near beyond": verdict(t.assertNDArrayNear, np.ones(4), np.ones(4) * 1.1, 0.1),
        "equal": verdict(t.assertAllEqual, tf.constant([1, 2]), [1, 2]),
        "equal of other dtypes": verdict(t.assertAllEqual, tf.constant([1, 2]), [1.0, 2.0]),
        "equal beyond": verdict(t.assertAllEqual, tf.constant([1, 2]), [1, 3]),
        "equal of shapes": verdict(t.assertAllEqual, [1, 2], [[1, 2]]),
        "equal of a scalar and a vector": verdict(t.assertAllEqual, 1, [1]),
        "equal of NaN": verdict(t.assertAllEqual, [nan], [nan]),
        "equal of bytes": verdict(t.assertAllEqual, texts, [b"a", b"b"]),
        "equal of text": verdict(t.assertAllEqual, texts, ["a", "b"]),
        "equal of two texts": verdict(t.assertAllEqual, ["a", "b"], ["a", "b"]),
        "equal of ragged": verdict(t.assertAllEqual, ragged, [[1.0, 2.0], [3.0]]),
        "equal of two ragged": verdict(t.assertAllEqual, ragged, tf.ragged.constant([[1.0, 2.0], [3.0]])),
        "equal of other ragged": verdict(t.assertAllEqual, ragged, [[1.0], [2.0, 3.0]]),
        "equal of variables": verdict(t.assertAllEqual, tf.Variable([1, 2]), tf.constant([1, 2])),
        "equal of lists of tensors": verdict(t.assertAllEqual, [tf.constant(1), tf.constant(2)], [1, 2]),
        "not equal": verdict(t.assertNotAllEqual, [1], [2]),
        "not equal of equal": verdict(t.assertNotAllEqual, [1], [1]),
        "shapes": verdict(t.assertShapeEqual, np.ones([2, 3]), tf.ones([2, 3])),
        "other shapes": verdict(t.assertShapeEqual, tf.ones([3]), tf.ones([2, 3])),
        "dtypes": verdict(t.assertDTypeEqual, tf.constant(1), tf.int32),
        "dtypes of NumPy": verdict(t.assertDTypeEqual, np.ones(2), np.float64),
        "other dtypes": verdict(t.assertDTypeEqual, tf.constant(1), np.float32),
        "greater": verdict(t.assertAllGreater, tf.constant([1.0, 2.0]), 0.5),
        "greater of equal": verdict(t.assertAllGreater, tf.constant([1.0, 2.0]), 1.0),
        "greater or equal": verdict(t.assertAllGreaterEqual, tf.constant([1.0, 2.0]), 1.0),
        "less": verdict(t.assertAllLess, [1.0, 2.0], 2.0),
        "less or equal": verdict(t.assertAllLessEqual, [1.0, 2.0], 2.0),
        "in range": verdict(t.assertAllInRange, [1.0, 2.0], 1.0, 2.0),
        "in an open range": verdict(t.assertAllInRange, [1.0, 2.0], 1.0, 2.0, open_upper_bound=True),
        "in a range of text": verdict(t.assertAllInRange, ["a"], 1.0, 2.0),
        "in a set": verdict(t.assertAllInSet, tf.constant([1, 2, 1]), {1, 2}),
        "in another set": verdict(t.assertAllInSet, tf.constant([1, 2, 3]), {1, 2}),
        "lengths": verdict(t.assertLen, [1, 2], 2),
        "evaluate": lambda: t.evaluate({"a": tf.constant(1.0), "b": [tf.constant(2)]}),
        "evaluate a number": verdict(t.evaluate, [tf.constant(2), 3]),
        "evaluate sparse": lambda: list(t.evaluate(tf.sparse.from_dense([[0, 1], [2, 0]]))),
        "evaluate ragged": lambda: t.evaluate(ragged).to_list(),
        "evaluate a function": lambda: t.evaluate(lambda: tf.constant(3.0)),
        "a session eagerly": verdict(lambda: t.session().__enter__().run),
    }


def errors(tf: Any) -> Answers:
    class Tests(tf.test.TestCase):
        def runTest(self) -> None:
            pass

    t = Tests()

    def inside(manager: Any, call: Any) -> Any:
        def ask() -> None:
            with manager():
                call()

        return verdict(ask)

    def bad() -> Any:
        return tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])

    def other() -> Any:
        raise ValueError("other")

    invalid = tf.errors.InvalidArgumentError
    return {
        "op error": inside(lambda: t.assertRaisesOpError("ncompatible"), bad),
        "op error of other words": inside(lambda: t.assertRaisesOpError("nothing like it"), bad),
        "op error of none": inside(lambda: t.assertRaisesOpError("x"), lambda: None),
        "op error of another": inside(lambda: t.assertRaisesOpError("other"), other),
        "predicate": inside(lambda: t.assertRaisesWithPredicateMatch(invalid, lambda e: "shapes" in str(e)), bad),
        "predicate that is false": inside(lambda: t.assertRaisesWithPredicateMatch(invalid, lambda e: False), bad),
        "shapes": inside(lambda: t.assertRaisesIncompatibleShapesError(), bad),
        "shapes of another class": inside(lambda: t.assertRaisesIncompatibleShapesError(ValueError), bad),
        "expression": inside(lambda: t.assertRaisesRegex(ValueError, "oth"), other),
    }


def seeds(tf: Any) -> Answers:
    class Tests(tf.test.TestCase):
        def test_draws(self) -> None:
            self.drawn = [tf.random.uniform([2]), np.random.rand(2), tf.random.normal([2])]

        def test_session(self) -> None:  # type: ignore[override]
            raise AssertionError("it is no test")

    case = Tests("test_draws")
    case.debug()
    return {"draws": lambda: case.drawn, "test_session": verdict(Tests("test_session").debug)}


def graphs(tf: Any) -> Answers:
    tf1 = tf.compat.v1
    found: dict[str, Any] = {}

    class Tests(tf.test.TestCase):
        def test_all(self) -> None:
            with tf.Graph().as_default(), self.session() as session:
                x = tf1.get_variable("x", initializer=[1.0, 2.0])
                self.evaluate(tf1.global_variables_initializer())
                found["evaluated"] = self.evaluate([x * 2.0, {"sum": tf.reduce_sum(x)}])
                self.assertAllClose(x + 1.0, [2.0, 3.0])
                self.assertAllEqual(session.run(x), x)
            with tf.Graph().as_default():
                with self.cached_session() as session:
                    v = tf1.get_variable("v", initializer=3.0)
                    session.run(v.initializer)
                with self.cached_session() as session:
                    found["kept"] = session.run(v)
                    found["fails"] = verdict(self.assertAllClose, v, 4.0)()

    Tests("test_all").debug()
    return {name: lambda value=value: value for name, value in found.items()}
