"""Cases: assertions, printing, and the operations that do nothing but order others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints


def after(check: Callable[..., Any]) -> Callable[..., Any]:
    """The first input, passed through once `check` has held."""

    def call(tf: Any, *tensors: Any) -> Any:
        held = check(tf, *tensors)
        with tf.control_dependencies([] if held is None else [held]):
            return tf.identity(tensors[0])

    return call


def named(name: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, *tensors: getattr(tf.debugging, name)(*tensors, **options)


LOW, HIGH = floats(3, low=-2, high=-1), floats(3, low=1, high=2)
TRUE, FALSE = np.array(True), np.array(False)
PAIRS: dict[str, tuple[Any, Any]] = {  # one pair that holds
    "assert_equal": (LOW, LOW),
    "assert_none_equal": (LOW, HIGH),
    "assert_less": (LOW, HIGH),
    "assert_less_equal": (LOW, LOW),
    "assert_greater": (HIGH, LOW),
    "assert_greater_equal": (HIGH, HIGH),
    "assert_near": (LOW, LOW * np.float32(1 + 1e-7)),
}
FAILING: dict[str, tuple[Any, Any]] = {
    "assert_equal": (LOW, HIGH),
    "assert_none_equal": (LOW, LOW),
    "assert_less": (HIGH, LOW),
    "assert_less_equal": (HIGH, LOW),
    "assert_greater": (LOW, LOW),
    "assert_greater_equal": (LOW, HIGH),
    "assert_near": (LOW, HIGH),
}
SIGNS: dict[str, tuple[Any, Any]] = {  # what holds, what does not
    "assert_positive": (HIGH, LOW),
    "assert_negative": (LOW, HIGH),
    "assert_non_positive": (LOW, HIGH),
    "assert_non_negative": (HIGH, LOW),
}
STRICT = {"assert_none_equal", "assert_less", "assert_greater"}  # these hold in a neighbourhood too

CASES: list[Case] = [
    *(case("Assert", f"{name} holds", after(named(name)), *pair, smooth=name in STRICT) for name, pair in PAIRS.items()),
    *(case("Assert", f"{name} holds", after(named(name)), good) for name, (good, _) in SIGNS.items()),
    case("Assert", "equal broadcasts", after(named("assert_equal")), np.ones((2, 3), np.float32), np.ones(3, np.float32), smooth=False),
    case("Assert", "equal of integers", after(named("assert_equal")), ints(3), ints(3), smooth=False),
    case("Assert", "equal of empty tensors", after(named("assert_equal")), floats(0), floats(0), smooth=False),
    case("Assert", "less of nothing against something", after(named("assert_less")), floats(0), floats(1), smooth=False),
    case("Assert", "raw", after(lambda tf, x, c: tf.debugging.Assert(c, [x])), floats(3), TRUE),
    case("Assert", "near with tolerance", after(named("assert_near", rtol=0.5, atol=0.5)), HIGH, HIGH * np.float32(1.2)),
    case("Assert", "rank", after(lambda tf, x: tf.debugging.assert_rank(x, 2)), floats(2, 3)),
    case("Assert", "rank at least", after(lambda tf, x: tf.debugging.assert_rank_at_least(x, 1)), floats(2, 3)),
    case("Assert", "rank in", after(lambda tf, x: tf.debugging.assert_rank_in(x, [1, 2])), floats(2, 3)),
    case("Assert", "type", after(lambda tf, x: tf.debugging.assert_type(x, tf.float32)), floats(2, 3)),
    case("Assert", "integer", after(lambda tf, x: tf.debugging.assert_integer(x)), ints(2), smooth=False),
    case("Assert", "scalar", after(lambda tf, x: tf.debugging.assert_scalar(x)), floats()),
    case("Assert", "shapes", after(lambda tf, x, y: tf.debugging.assert_shapes([(x, ("N", "D")), (y, ("D",))])), floats(2, 3), floats(3)),
    case("Assert", "same float dtype", lambda tf, x: (tf.debugging.assert_same_float_dtype([x]), x)[1], floats(2)),
    case("Assert", "proper iterable", after(lambda tf, x: tf.debugging.assert_proper_iterable([x])), floats(2)),
    case("Assert", "is numeric tensor", lambda tf, x: tf.constant(tf.debugging.is_numeric_tensor(x)), floats(2), smooth=False),
    case("Assert", "is non decreasing", lambda tf, x: tf.math.is_non_decreasing(x), np.array([1, 1, 2], np.float32), smooth=False),
    case(
        "Assert", "is strictly increasing", lambda tf, x: tf.math.is_strictly_increasing(x), np.array([1, 1, 2], np.float32), smooth=False
    ),
    case(
        "Assert",
        "version 1 data and message",
        after(lambda tf, x: tf.assert_less(x, 9.0, data=[x], summarize=2, message="too much")),
        floats(3),
        face="v1",
    ),
    case("Assert", "version 1 positive", after(lambda tf, x: tf.assert_positive(x)), HIGH, face="v1"),
    case("Assert", "version 1 rank", after(lambda tf, x: tf.assert_rank(x, 1)), HIGH, face="v1"),
    case("Assert", "version 1 Assert", after(lambda tf, x, c: tf.Assert(c, [x])), floats(3), TRUE, face="v1"),
    case("NoOp", "before an identity", after(lambda tf, x: tf.no_op()), floats(3)),
    case("NoOp", "a group", after(lambda tf, x: tf.group(x, x + 1.0)), floats(3)),
    case("NoOp", "an empty group", after(lambda tf, x: tf.group()), floats(3)),
    case("IdentityN", "tuple", lambda tf, x, y: tf.tuple([x, y]), floats(2), floats(3, seed=1)),
    case(
        "IdentityN", "tuple with None", lambda tf, x, y: [t for t in tf.tuple([x, None, y]) if t is not None], floats(2), floats(3, seed=1)
    ),
    case(
        "Print",
        "version 1",
        lambda tf, x: tf.Print(x * 2.0, [x, tf.constant("seen")], message="x: ", first_n=1, summarize=2),
        floats(3),
        face="v1",
    ),
    case("PrintV2", "nothing", after(lambda tf, x: tf.print("x is", x, summarize=1)), floats(3)),
]

ERRORS: list[ErrorCase] = [
    *(error(f"{name}: fails", named(name), *pair) for name, pair in FAILING.items()),
    *(error(f"{name}: fails", named(name), bad) for name, (_, bad) in SIGNS.items()),
    error("assert_equal: with a message", named("assert_equal", message="must be alike", summarize=2), LOW, HIGH),
    error("assert_equal: shapes do not broadcast", named("assert_equal"), floats(2), floats(3)),
    error("assert_equal: dtypes differ", named("assert_equal"), floats(2), ints(2)),
    error("assert_equal: constants in a graph", lambda tf: tf.debugging.assert_equal(tf.constant([1]), tf.constant([2])), mode="graph"),
    error("assert_less: constants in a graph", lambda tf: tf.debugging.assert_less(tf.constant([1]), tf.constant([1])), mode="graph"),
    error("assert_positive: constants in a graph", lambda tf: tf.debugging.assert_positive(tf.constant([0])), mode="graph"),
    error("Assert: false", lambda tf, c, x: tf.debugging.Assert(c, [x]), FALSE, floats(3)),
    error("assert_rank: fails", lambda tf, x: tf.debugging.assert_rank(x, 1), floats(2, 3)),
    error("assert_rank: fails", lambda tf, x: tf.debugging.assert_rank(x, 1), floats(2, 3), mode="graph"),
    error("assert_rank_at_least: fails", lambda tf, x: tf.debugging.assert_rank_at_least(x, 3), floats(2, 3)),
    error("assert_rank_in: fails", lambda tf, x: tf.debugging.assert_rank_in(x, [0, 3]), floats(2, 3)),
    error("assert_rank: rank is no scalar", lambda tf, x: tf.debugging.assert_rank(x, [1, 2]), floats(2, 3)),
    error("assert_type: fails", lambda tf, x: tf.debugging.assert_type(x, tf.int32), floats(2)),
    error("assert_integer: fails", lambda tf, x: tf.debugging.assert_integer(x), floats(2)),
    error("assert_scalar: fails", lambda tf, x: tf.debugging.assert_scalar(x), floats(2)),
    error(
        "assert_shapes: sizes differ", lambda tf, x, y: tf.debugging.assert_shapes([(x, ("N", "D")), (y, ("D",))]), floats(2, 3), floats(4)
    ),
    error("assert_shapes: rank differs", lambda tf, x: tf.debugging.assert_shapes([(x, ("N",))]), floats(2, 3)),
    error(
        "assert_same_float_dtype: two dtypes",
        lambda tf, x, y: tf.debugging.assert_same_float_dtype([x, y]),
        floats(2),
        floats(2, dtype="float64"),
    ),
    error("assert_same_float_dtype: integers", lambda tf, x: tf.debugging.assert_same_float_dtype([x]), ints(2)),
    error("assert_proper_iterable: a tensor", lambda tf, x: tf.debugging.assert_proper_iterable(x), floats(2)),
    error("tuple: nothing", lambda tf: tf.tuple([None]), mode="graph"),
    error("group: a number", lambda tf: tf.group(5), mode="graph"),
    error("assert_equal: version 1", lambda tf, x: tf.assert_equal(x, 9.0), floats(2), face="v1"),
    error("print: unknown option", lambda tf, x: tf.print(x, colour="red"), floats(2)),
    error("print: unknown output", lambda tf, x: tf.print(x, output_stream=5), floats(2)),
]
