"""`for` over `tf.range` in a `tf.function`: the numbers, and ranges too long to be held in memory."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers, either, ours

FACE = "v2"

LONG = 10**15


def _collect(tf: Any, dtype: Any, *bounds: float) -> Answers:
    """The numbers that a loop meets, in a function of tensors and in one of Python's numbers."""

    @tf.function
    def numbers(*given: Any) -> Any:
        found, count = tf.TensorArray(dtype, 0, dynamic_size=True), 0
        for number in tf.range(*given, dtype=dtype):
            found = found.write(count, number)
            count += 1
        return found.stack(), count

    return {
        f"{dtype.name} {bounds}, tensors": either(lambda: numbers(*(tf.constant(n, dtype) for n in bounds))),
        f"{dtype.name} {bounds}, numbers": either(lambda: numbers(*bounds)),
    }


def numbers(tf: Any) -> Answers:
    integers = [(5,), (0,), (-3,), (2, 7), (7, 2), (0, 7, 3), (7, 0, -3), (7, 0, 3), (0, 7, -3), (-7, 8, 4)]
    floats = [(2.5,), (0.0, 1.0, 0.25), (1.0, 0.0, -0.5)]
    asked = [
        (dtype, b)
        for dtypes, bounds in (((tf.int32, tf.int64), integers), ((tf.float32, tf.float64), floats))
        for dtype in dtypes
        for b in bounds
    ]
    return {label: answer for dtype, bounds in asked for label, answer in _collect(tf, dtype, *bounds).items()}


def long(tf: Any) -> Answers:
    """Ranges of 8 petabytes, left early."""

    @tf.function
    def left(n: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for i in tf.range(n):
            if i > 5:
                break
            total += i
        return total

    @tf.function
    def left_by_return(n: Any) -> Any:
        for i in tf.range(n, dtype=tf.int64):
            if i > 5:
                return i
        return tf.constant(-1, tf.int64)

    @tf.function
    def backwards(n: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for i in tf.range(n, 0, -3):
            if i < n - 10:
                break
            total += n - i
        return total

    @tf.function
    def together(n: Any, x: Any) -> Any:
        total = tf.constant(0.0)
        for i, element in zip(tf.range(n), x, strict=False):
            total += tf.cast(i, tf.float32) * element
        for number, i in enumerate(tf.range(n)):
            if i > 3:
                break
            total += tf.cast(number, tf.float32)
        return total

    n = tf.constant(LONG, tf.int64)
    return {
        "a tensor": lambda: left(n),
        "a number": lambda: left(LONG),
        "from its end": lambda: backwards(n),
        "left by return": ours(6, lambda: left_by_return(n).numpy().item()),
        "zip and enumerate": ours(9.0, lambda: together(n, tf.constant([1.0, 1.0, 1.0])).numpy().item()),
    }
