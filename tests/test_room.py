"""Arrays that there is no memory for are refused before they are made."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.kernels import memory_limit

WIDE = 2**20
CASES: dict[str, Callable[[], Any]] = {
    "zeros": lambda: tf.zeros([2**31, 2**31]),
    "ones": lambda: tf.ones([2**40]),
    "fill": lambda: tf.fill([2**40], 1.0),
    "eye": lambda: tf.eye(2**20),
    "eye, of a side that there is room for": lambda: tf.eye(2**30),
    "range": lambda: tf.range(1e18),
    "range of integers": lambda: tf.range(tf.constant(2**45, tf.int64)),
    "tile": lambda: tf.tile(tf.ones([1]), [2**40]),
    "one_hot": lambda: tf.one_hot(tf.zeros([2**12], tf.int32), 2**30),
    "pad": lambda: tf.pad(tf.ones([1]), tf.constant([[0, 2**40]], tf.int64)),
    "linspace": lambda: tf.linspace(0.0, 1.0, tf.constant(2**40)),
    "random.normal": lambda: tf.random.normal([2**40]),
    "random.stateless_normal": lambda: tf.random.stateless_normal([2**40], [1, 2]),
    "matmul": lambda: tf.ones([WIDE, 1]) @ tf.ones([1, WIDE]),
    "tensordot": lambda: tf.tensordot(tf.ones([WIDE]), tf.ones([WIDE]), 0),
    "linalg.diag": lambda: tf.linalg.diag(tf.ones([WIDE])),
}


@pytest.fixture(autouse=True)
def a_gigabyte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_limit, "free_bytes", lambda: 1 << 30)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("way", ["eagerly", "in a function"])
def test_what_does_not_fit_is_refused_before_it_is_made(name: str, way: str) -> None:
    call = CASES[name] if way == "eagerly" else tf.function(CASES[name])
    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"OOM when allocating tensor with shape\[\d+(,\d+)*\] and type \w+ on "):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.ones([2**15, 1]) * tf.ones([1, 2**14]),
        lambda: tf.ones([2**14, 1], tf.float64) + tf.ones([2**14], tf.float64),
        lambda: tf.maximum(tf.ones([2**14, 1, 2]), tf.ones([2**14, 1])),
    ],
)
def test_broadcasting_asks_for_room_eagerly(call: Callable[[], Any]) -> None:
    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"OOM when allocating tensor with shape\["):
        call()


GROWING: dict[str, Callable[[Any, Any], Any]] = {
    "a sum": lambda a, b: a + b,
    "a chain": lambda a, b: tf.tanh(a * b) + 1.0,
    "two results": lambda a, b: (a - b, tf.maximum(a, b)),
    "a comparison": lambda a, b: tf.cast(a < b, tf.float32),
    "a branch": lambda a, b: tf.cond(a[0, 0] > 0.0, lambda: a * b, lambda: a + b),
}


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("name", GROWING)
def test_broadcasting_asks_for_room_in_functions(name: str, jit: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_limit, "free_bytes", lambda: 1 << 20)
    function = tf.function(GROWING[name], jit_compile=jit)
    a, b = tf.ones([2**14, 1]), tf.ones([1, 2**13])
    for _ in range(3):
        with pytest.raises(tf.errors.ResourceExhaustedError, match=r"OOM when allocating tensor with shape\["):
            function(a, b)
    function(a[:2], b[:, :3])  # what fits goes on


def test_a_session_asks_for_room() -> None:
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        x, y = v1.placeholder(tf.float32, [None, 1]), v1.placeholder(tf.float32, [1, None])
        both = x * y
        for _ in range(3):
            with pytest.raises(tf.errors.ResourceExhaustedError, match=r"OOM when allocating tensor with shape\["):
                session.run(both, {x: np.ones([2**15, 1]), y: np.ones([1, 2**14])})
        assert session.run(both, {x: np.ones([2, 1]), y: np.ones([1, 3])}).shape == (2, 3)


@pytest.mark.parametrize(
    "call", [lambda: tf.zeros([2**32, 2**32]), lambda: tf.fill([2**32, 2**32], 1.0), lambda: tf.random.uniform([2**32, 2**32])]
)
def test_more_elements_than_can_be_counted_are_refused(call: Callable[[], Any]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="would have more than 2\\*\\*63 - 1 elements"):
        call()


def test_a_range_without_end_is_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Requires \\(\\(limit - start\\) / delta\\) <= 9223372036854775807"):
        tf.range(float("inf"))
    with pytest.raises(ValueError, match="Requires \\(\\(limit - start\\)"):
        tf.function(lambda: tf.range(float("inf")))()


def test_what_numpy_cannot_make_is_out_of_memory() -> None:
    huge = tf.broadcast_to(tf.constant(1.0), [2**24, 2**24])  # as long as nobody writes to it, it is one number
    for call in (lambda: huge + 1.0, lambda: huge * huge, lambda: tf.exp(huge)):
        with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM when allocating tensor with shape"):
            call()

