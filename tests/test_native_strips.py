"""Columns side by side are read and written by rows: the answers are those of kernels, for all widths, dtypes and numbers of rows."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.emission import strips
from pullback.engine.emission.scheduling import Schedule
from pullback.engine.emission.strips import find_strips
from pullback.engine.lowering.index_expr import Place
from tests.native_kit import draw, held

ROWS = [1, 5, 16, 33, 1000]

pytestmark = pytest.mark.usefixtures("natively")


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("width", [2, 3, 4, 8, 15, 17, 40])
@pytest.mark.parametrize("rows", ROWS)
def test_columns_are_read_and_written(rows: int, width: int, dtype: Any) -> None:
    def mix(x: Any) -> Any:
        columns = tf.unstack(x, axis=1)
        return tf.stack([columns[i - 1] * columns[i] + columns[0] for i in range(width)], 1)

    held(mix, (10 * draw(rows, width)).astype(dtype), rtol=1e-5 if dtype == np.float32 else 1e-13)


@pytest.mark.parametrize("used", [[*range(7), 9], range(3, 11), range(5, 29), [0, 29], [0, *range(12, 20), 29]])
@pytest.mark.parametrize("rows", ROWS)
def test_some_columns(rows: int, used: Sequence[int]) -> None:
    """Those between stay what others made them."""

    def mix(x: Any) -> Any:
        columns = tf.unstack(x, axis=1)
        total = tf.add_n([tf.sin(columns[i]) for i in used])
        return tf.stack([columns[i] * total if i in used else tf.zeros_like(total) + float(i) for i in range(30)], 1)

    held(mix, draw(rows, 30))


@pytest.mark.parametrize("rows", ROWS)
def test_long_bodies(rows: int) -> None:
    """A Jacobian by blocks, whose loop is masked at each step."""

    def blocks(x: Any) -> Any:
        columns = tf.unstack(x, axis=1)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(columns)
            turned = [tf.sin(a) * tf.cos(b) + tf.exp(-c * c) for a, b, c in zip(columns, columns[1:], columns[2:], strict=False)]
            ends = tf.add_n(turned), tf.add_n([t * t for t in turned])
        return tf.stack([tf.stack(tape.gradient(end, columns), 1) for end in ends], 1)

    held(blocks, draw(rows, 12))


@pytest.mark.parametrize("rows", ROWS)
def test_columns_that_others_make_stay(rows: int) -> None:
    """Derivatives that are zero are put beside the others before."""

    def blocks(table: Any, which: Any, x: Any) -> Any:
        columns = tf.unstack(tf.concat([tf.gather(table, which), x[:, None]], 1), axis=1)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(columns)
            total = tf.add_n([tf.sin(a) * b for i, (a, b) in enumerate(pairwise(columns)) if i not in (4, 5)])
            ends = [total * columns[0], total / columns[-1]]
        rows = [tf.stack(tape.gradient(end, columns, unconnected_gradients="zero"), 1) for end in ends]
        return tf.stack(rows, 1), 1.0 - x * x

    held(blocks, draw(5, 11), np.arange(rows, dtype=np.int32) % 5, 2.0 + draw(rows) ** 2)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_points(rows: int, size: int) -> None:
    """Rows of a few elements, and their gradients."""

    def lengths(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            found = tf.sqrt(tf.add_n([(x[:, i] - y[:, i]) ** 2 for i in range(size)]))
        return found, tape.gradient(found, x)

    held(lengths, draw(rows, size), 3.0 + draw(rows, size))


@pytest.mark.parametrize("rows", [16, 100])
def test_rows_of_several_arrays_and_neighbours(rows: int) -> None:
    """Columns of rows before and after, and of arrays with others beside them."""

    def mix(x: Any, y: Any) -> Any:
        before, after = tf.unstack(x[:-1], axis=1), tf.unstack(x[1:], axis=1)
        return tf.stack([a * b - c for a, b, c in zip(before, after, tf.unstack(y[1:, 2:11], axis=1), strict=True)], 1)

    held(mix, draw(rows, 9), draw(rows, 13))


def find(offsets: Sequence[int], pitch: int, lanes: int = 8, is_written: bool = False) -> Any:
    place = Place("temporary", -1, 0)
    plan = Schedule([0], 0, lanes, 1)
    found = find_strips([(at, place, (at, ((0, pitch),)), np.dtype(np.float64)) for at in offsets], plan, is_written)
    return {at: (strip.position[0], strip.starts, strip.holes, column) for at, (strip, column) in found.items()}


@pytest.fixture
def eight_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strips, "host", lambda: _Wide)


class _Wide:
    @staticmethod
    def lanes(itemsize: int) -> int:
        return 64 // itemsize


@pytest.mark.usefixtures("eight_lanes")
def test_squares_cover_the_columns_and_end_with_the_last() -> None:
    found = find(range(15), 15)
    assert {at: column for at, (*_, column) in found.items()} == {at: at for at in range(15)}
    assert {entry[:3] for entry in found.values()} == {(0, (0, 7), ())}
    assert {entry[1:3] for entry in find([4, *range(6, 12)], 20).values()} == {((0,), (1,))}
    assert {entry[1:3] for entry in find(range(3), 3).values()} == {((), ())}


@pytest.mark.usefixtures("eight_lanes")
def test_what_is_no_strip() -> None:
    assert not find([0, 5], 30)
    assert not find(range(7), 30)
    assert not find([0, 2], 3)
    assert not find(range(8), 30, lanes=4)
    assert not find([0, 3, 6, 9], 30)
    assert set(find([*range(8), 40], 50)) == set(range(8))


@pytest.mark.parametrize("rows", [3, 64, 333])
@pytest.mark.parametrize("width", [2, 3, 7, 16, 20])
@pytest.mark.parametrize("axis", [0, 1])
def test_gradients_of_columns_and_rows(rows: int, width: int, axis: int) -> None:
    """What each turn of a short loop chooses is known where the loop is none."""

    def slopes(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            parts = [x[:, i] if axis else x[i] for i in range(width)]
            total = tf.add_n([tf.sin(a) * b for a, b in pairwise(parts)])
            ends = total, tf.reduce_sum(total * parts[0])
        return tape.gradient(ends, x), tf.pad(x[1:, 1:], [[1, 0], [0, 1]]) * x

    held(slopes, draw(*((rows, width) if axis else (width, rows))))


def test_a_short_loop_that_chooses_is_none() -> None:
    """Each column is made of its own terms alone."""

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x[:, 0] * x[:, 1] * x[:, 2]
        return tape.gradient(y, x)

    kernels = [part for part in held(slope, draw(500, 3)) if part.kind == "kernel"]
    assert [loop.size for part in kernels for loop in part.loops] == [500]


def test_a_short_loop_with_much_to_do_stays() -> None:
    parts = held(lambda x: tf.exp(x) + tf.tanh(tf.pad(x, [[0, 0], [1, 1]])[:, 2:]), draw(500, 12))
    assert [loop.size for part in parts if part.kind == "kernel" for loop in part.loops] == [500, 12]


@pytest.mark.parametrize("count", [7, 64, 101])
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_pairs_of_points(count: int, size: int) -> None:
    """What is summed over coordinates, and what is summed over points for each of them."""

    def energy(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            squares = tf.reduce_sum((x[:, None] - x[None]) ** 2, -1)
            total = tf.reduce_sum(tf.exp(-squares) * tf.sqrt(squares + 1.0))
        return total, tape.gradient(total, x), tf.reduce_mean(x * tf.reduce_sum(x, 1, keepdims=True), 0)

    held(energy, draw(count, size))


@pytest.mark.parametrize("kind", ["sum", "prod", "max", "min", "any", "all"])
@pytest.mark.parametrize("axes", [[1], [0], [0, 1], [0, 2]])
def test_reductions_along_rows_of_a_few(kind: str, axes: list[int]) -> None:
    def found(x: Any, y: Any) -> Any:
        z = x[:, :, None] * y[None]
        return getattr(tf, f"reduce_{kind}")(z > 0.5 if kind in ("any", "all") else z, axes)

    held(found, draw(70, 3), draw(3, 2))
