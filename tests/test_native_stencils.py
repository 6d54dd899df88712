"""Stencils in native programs: values read at neighbouring indices, and loops in which the neighbours are there but at the edges."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.emission.interior import find_interior
from pullback.engine.lowering.index_expr import BOOL
from pullback.engine.lowering.kernel import Instr, Kernel

from .native_kit import draw, held


def slope(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The gradient of the sum of squares of a function's values."""

    def g(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
            total = tf.reduce_sum(y * y)
        return tape.gradient(total, x)

    return g


def differences(x: Any) -> Any:
    s = tf.sin(x)
    return s[1:] - s[:-1]


def curvature(x: Any) -> Any:
    s = tf.tanh(x)
    return s[2:] - 2.0 * s[1:-1] + s[:-2]


def advect(x: Any) -> Any:
    for _ in range(3):
        x = x - 0.1 * x * (tf.roll(x, -1, 0) - tf.roll(x, 1, 0))
    return x


def every_other(x: Any) -> Any:
    s = tf.exp(-x * x)
    return s[1::2] * s[: s.shape[0] // 2 * 2 : 2]


def backwards(x: Any) -> Any:
    return tf.pad(tf.reverse(x, [0])[2:], [[3, 1]]) * tf.pad(x, [[0, 2]])


def reflected(x: Any) -> Any:
    padded = tf.pad(tf.sin(x), [[2, 2]], mode="REFLECT")
    return padded[4:] + padded[:-4] * x


@pytest.mark.parametrize("n", [5, 17, 64, 100, 1000, 40_000])
@pytest.mark.parametrize("f", [differences, curvature, advect, every_other, backwards, reflected])
def test_along_one_axis(f: Callable[[Any], Any], n: int) -> None:
    held(f, draw(n))
    held(slope(f), draw(n))
    held(slope(f), draw(n).astype(np.float32), rtol=2e-5)


@pytest.mark.parametrize("dims", [(5, 7), (40, 33), (3, 300), (300, 3), (260, 260)])
def test_along_two_axes(dims: tuple[int, int]) -> None:
    def laplacian(x: Any) -> Any:
        u = tf.tanh(x)
        return u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]

    def padded(x: Any) -> Any:
        p = tf.pad(x, [[1, 1], [2, 1]], constant_values=0.5)
        return p[2:, 2:-1] * p[:-2, 2:-1] + p[1:-1, 3:] - p[1:-1, :-3]

    for f in (laplacian, padded):
        held(f, draw(*dims))
        held(slope(f), draw(*dims))


def test_other_dtypes_are_padded() -> None:
    held(lambda x: tf.pad(x[1:] > 0.0, [[2, 3]], constant_values=True), draw(300))
    held(lambda x: tf.pad(tf.cast(x * 9.0, tf.int8), [[5, 0]], constant_values=3), draw(300))
    held(lambda x: tf.reduce_max(tf.pad(x, [[70, 70]], constant_values=-9.0)[3:]), draw(300))
    held(lambda x: tf.reduce_sum(tf.pad(x, [[0, 0], [1, 2]])[:, 1:], 1), draw(40, 90))
    held(lambda x: tf.pad(tf.complex(x, -x), [[1, 1]]) * 2.0, draw(130))


def test_what_neighbours_read_is_computed_once() -> None:
    counts = [count for part in held(curvature, draw(1000)) for name, count in part.functions if name == "tanh"]
    assert sum(counts) == 1
    plain = held(lambda x: (x * 2.0)[1:] - (x * 2.0)[:-1], draw(1000))
    assert len([part for part in plain if part.kind == "kernel"]) == 1


@pytest.mark.parametrize("factor", [1, 2, 3, -1, -2])
def test_the_interior_of_a_loop(factor: int) -> None:
    """Held against all turns of it, one by one."""
    for start in range(-6, 12):
        for size in (1, 4, 9):
            instr = Instr("within", (), ((start, ((0, factor),)), size), BOOL, frozenset([0]))
            found = find_interior(Kernel({0: 8}, frozenset(), [instr], []), 0)
            assert found is not None
            turns = [i for i in range(8) if 0 <= start + factor * i < size]
            assert [*range(found.first, found.end)] == turns
            assert found.holds == {instr}
