"""Lists that grow in loops and branches of a graph: the same numbers as the Python they are, and clear words where they cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf


def _in_a_loop(x: Any) -> Any:
    found = []
    for i in tf.range(4):
        found.append(x * x * tf.cast(i, tf.float32))
    return tf.stack(found)


def _in_a_while(x: Any) -> Any:
    found = [x]
    while x < 100.0:
        x = x * x
        found.append(x)
    return tf.stack(found) * found[0] + found[-1]


def _with_break_and_continue(x: Any) -> Any:
    found = []
    for i in tf.range(20):
        if i % 2 == 0:
            continue
        if i > 7:
            break
        found.append(x ** tf.cast(i, tf.float32))
    return tf.stack(found)


def _nested(x: Any) -> Any:
    rows = []
    for i in tf.range(3):
        row = []
        for j in tf.range(4):
            row.append(x * tf.sin(x * tf.cast(i * j, tf.float32)))
        rows.append(tf.stack(row))
    return tf.stack(rows, axis=1)


def _inner_list_of_outer(x: Any) -> Any:
    found = []
    for i in tf.range(3):
        for j in tf.range(i + 1):
            found.append(x**2 * tf.cast(i + j, tf.float32))
    return tf.stack(found)


def _in_a_branch(x: Any) -> Any:
    found = []
    for i in tf.range(5):
        if tf.cast(i, tf.float32) < x:
            found.append(x * x)
        else:
            found.append(x)
            found.append(-x)
    return tf.stack(found)


def _branch_alone(x: Any) -> Any:
    found = [x]
    if x > 0.0:
        found.append(x * x)
    return tf.reduce_sum(tf.stack(found))


def _read_in_the_loop(x: Any) -> Any:
    found: list[Any] = []
    for i in tf.range(4):
        if found and x > 0.0:
            found.append(found[-1] * x)
        elif not found:
            found.append(x + tf.cast(i, tf.float32))
    return tf.stack(found)


def _emptied(x: Any) -> Any:
    chunk = []
    total = 0.0
    for i in tf.range(6):
        chunk.append(x * tf.cast(i, tf.float32))
        if i % 3 == 2:
            total += tf.reduce_prod(tf.stack(chunk) + 1.0)
            chunk = []
    return total


def _python_loop_left(x: Any) -> Any:
    found = [x]
    for _ in range(5):
        if x > 50.0:
            break
        x = x * 3.0
        found.append(x)
    return tf.stack(found)


def _plus_and_extend(x: Any) -> Any:
    first, second, third = [], [x], []
    for i in tf.range(3):
        first += [x * 2.0]
        second = second + [x * tf.cast(i, tf.float32)]  # noqa: RUF005  # as in programs
        third.extend([x, -x * x])
    return tf.concat([tf.stack(first), tf.stack(second), tf.stack(third)], 0)


def _walked(x: Any) -> Any:
    found = []
    while x < 30.0:
        x = x * 2.0
        found.append(x)
    total = 0.0
    for i, y in enumerate(found):
        total += y * y * tf.cast(i, tf.float32)
    for y, z in zip(found, found):  # noqa: B905  # as in programs
        total += y * z
    return total / tf.cast(len(found), tf.float32)


def _comprehended(x: Any) -> Any:
    found = []
    for _ in tf.range(3):
        x = x * 1.5
        found.append(x)
    return tf.add_n([y * y for y in found]) * len(found)


def _two_loops(x: Any) -> Any:
    found = []
    for _ in tf.range(3):
        found.append(x)
    for i in tf.range(2):
        found.append(x * x + tf.cast(i, tf.float32))
    return tf.stack(found[1:]) * found[0]


def _vectors(x: Any) -> Any:
    found = []
    for i in tf.range(3):
        found.append(tf.stack([x, x * tf.cast(i, tf.float32)])[None])
    return tf.concat([tf.concat(found, 0)[:, 0], tf.reshape(tf.concat(found, -1), [-1])], 0)


def _tape_in_the_function(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = []
        for i in tf.range(3):
            found.append(x ** (tf.cast(i, tf.float32) + 1.0))
        y = tf.reduce_sum(tf.stack(found))
    return tape.gradient(y, x)


PROGRAMS = [
    _in_a_loop, _in_a_while, _with_break_and_continue, _nested, _inner_list_of_outer, _in_a_branch, _branch_alone, _read_in_the_loop,
    _emptied, _python_loop_left, _plus_and_extend, _walked, _comprehended, _two_loops, _vectors, _tape_in_the_function,
]  # fmt: skip


def _derivatives(f: Callable[[Any], Any], at: float) -> list[np.ndarray]:
    x = tf.constant(at)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.convert_to_tensor(f(x))
        g = inner.gradient(y, x)
    return [t.numpy() for t in (y, g, outer.gradient(g, x, unconnected_gradients="zero"))]


ENDLESS_BELOW_ONE = (_in_a_while, _walked)
RUNS = [(f, at) for f in PROGRAMS for at in (2.0, 0.5, -1.5) if at > 1.0 or f not in ENDLESS_BELOW_ONE]


@pytest.mark.parametrize(("program", "at"), RUNS, ids=lambda value: getattr(value, "__name__", value))
def test_the_numbers_of_plain_python(program: Callable[[Any], Any], at: float) -> None:
    want = _derivatives(program, at)
    for world in (tf.function(program), tf.function(program, jit_compile=True), tf.function(lambda x: tf.function(program)(x))):
        for there, here in zip(_derivatives(world, at), want, strict=True):
            np.testing.assert_allclose(there, here, rtol=2e-5, atol=2e-5)


def test_in_a_version_1_graph_through_a_function() -> None:
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [])
        y = tf.function(_inner_list_of_outer)(x)
        g = v1.gradients(y, x)[0]
        found = session.run([y, g, v1.gradients(g, x)[0]], {x: 2.0})
    for there, here in zip(found, _derivatives(_inner_list_of_outer, 2.0), strict=True):
        np.testing.assert_allclose(there, here, rtol=1e-5)


def test_no_step_at_all() -> None:
    @tf.function
    def f(x: Any, n: Any) -> Any:
        found = []
        for _ in tf.range(n):
            found.append(x)
        return tf.stack(found), len(found)

    rows, count = f(tf.constant([1.0, 2.0]), tf.constant(0))
    assert rows.shape == (0, 2) and int(count) == 0
    assert f(tf.constant([1.0, 2.0]), tf.constant(2))[0].numpy().tolist() == [[1.0, 2.0]] * 2


def test_the_length_is_known_where_a_loop_has_a_known_length() -> None:
    seen: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        found = [x]
        for _ in tf.range(3):
            found.append(x)
            found.append(-x)
        seen.append((len(found), tf.stack(found).shape))
        return found

    f(tf.constant(1.0))
    assert seen == [(7, (7,))]


def test_what_a_function_returns_is_a_list_to_python() -> None:
    @tf.function
    def f(x: Any) -> Any:
        found = []
        while x < 20.0:
            found.append(x)
            x = x * 2.0
        return found

    found = f(tf.constant(3.0))
    assert [float(t) for t in found] == [3.0, 6.0, 12.0]
    assert len(found) == 3 and bool(found) and float(found[-1]) == 12.0 and found[:2].numpy().tolist() == [3.0, 6.0]
    longer = found + [1.0]  # noqa: RUF005  # as in programs
    assert tf.stack(longer).numpy().tolist() == [3.0, 6.0, 12.0, 1.0]
    found.append(5.0)
    assert tf.stack(found).numpy().tolist() == [3.0, 6.0, 12.0, 5.0]
    assert float(tf.function(lambda ts: tf.reduce_sum(tf.stack(ts)))(found)) == 26.0
    with pytest.raises(IndexError, match="4 elements"):
        found[4]


def test_python_lists_stay_pythons() -> None:
    kept: list[Any] = []

    @tf.function
    def f(x: Any, verbose: bool) -> Any:
        words: list[str] = []
        parts: list[Any] = []
        same = parts
        for i in range(3):
            parts.append(x * float(i))
            words.append(f"part {i}")
        for i in tf.range(2):
            words.append("step")
            if x > 0.0:
                words.append("yes")
            else:
                words.append("no")
            x = x + tf.cast(i, tf.float32)
        assert same is parts
        kept.append(words)
        return parts, [p + x for p in parts]

    parts, sums = f(tf.constant(1.0), True)
    assert [float(t) for t in parts] == [0.0, 1.0, 2.0] and [float(t) for t in sums] == [2.0, 3.0, 4.0]
    assert kept == [["part 0", "part 1", "part 2", "step", "yes", "no"]]


_outside: list[Any] = []


def _of_an_argument(x: Any) -> Any:
    def collect(found: list[Any]) -> None:
        for i in tf.range(3):
            found.append(x * tf.cast(i, tf.float32))

    found: list[Any] = []
    collect(found)
    return tf.stack(found)


def _of_a_second_name(x: Any) -> Any:
    found: list[Any] = []
    other = found
    for _ in tf.range(3):
        found.append(x)
    return tf.stack(other)


def _in_a_display(x: Any) -> Any:
    a: list[Any] = []
    b: list[Any] = []
    for which in (a, b):
        for _ in tf.range(2):
            which.append(x)
    return tf.stack(a)


def _known_to_another_object(x: Any) -> Any:
    found: list[Any] = []
    keeper: dict[str, Any] = {}
    keeper.setdefault("found", found)
    for _ in tf.range(3):
        found.append(x)
    return tf.stack(keeper["found"])


def _of_pairs(x: Any) -> Any:
    found = []
    for i in tf.range(3):
        found.append((x, i))
    return found


def _of_two_dtypes(x: Any) -> Any:
    found = [tf.constant(1)]
    for _ in tf.range(3):
        found.append(x)
    return found


def _of_two_shapes(x: Any) -> Any:
    found = []
    for _ in tf.range(3):
        found.append(x)
        found.append(tf.stack([x, x]))
    return found


def _of_a_global(x: Any) -> Any:
    for i in tf.range(3):
        _outside.append(x * tf.cast(i, tf.float32))
    return tf.stack(_outside)


REFUSED: dict[Callable[[Any], Any], str] = {
    _of_an_argument: "'found'.*argument.*TensorArray",
    _of_a_second_name: "'found'.*second name.*TensorArray",
    _in_a_display: "'which'.*second name.*TensorArray",
    _known_to_another_object: "'found'.*does not follow",
    _of_pairs: "not tuples of tensors",
    _of_two_dtypes: r"int32 of shape \[\], then float32 of shape \[\]",
    _of_two_shapes: r"float32 of shape \[\], then float32 of shape \[2\]",
    _of_a_global: "out of scope.*TensorArray",
}


@pytest.mark.parametrize("program", REFUSED, ids=lambda f: f.__name__)
def test_what_cannot_be_is_refused_in_words(program: Callable[[Any], Any]) -> None:
    _outside.clear()
    with pytest.raises(TypeError, match=REFUSED[program]):
        tf.function(program)(tf.constant(1.0))


def test_iterating_where_the_length_is_not_known_says_the_way_out() -> None:
    @tf.function
    def f(x: Any) -> Any:
        found = []
        while x < 20.0:
            found.append(x)
            x = x * 2.0
        return [y * 2.0 for y in found]

    with pytest.raises(TypeError, match=r"`for` statement.*tf\.stack"):
        f(tf.constant(1.0))


def test_other_ways_to_change_a_list_say_the_way_out() -> None:
    def grown(x: Any) -> Any:
        found = []
        for _ in tf.range(3):
            found.append(x)
        return found

    def pops(x: Any) -> Any:
        return grown(x).pop()

    def sets(x: Any) -> Any:
        found = grown(x)
        found[0] = x
        return found

    with pytest.raises(AttributeError, match=r"pop is not possible.*TensorArray"):
        tf.function(pops)(tf.constant(1.0))
    with pytest.raises(TypeError, match=r"assignment to an element is not possible.*TensorArray"):
        tf.function(sets)(tf.constant(1.0))
    assert not hasattr(tf.function(grown)(tf.constant(1.0)), "anything")


def test_what_programs_do_with_lists() -> None:
    @tf.function
    def mean_above(x: Any, limit: Any) -> Any:
        kept = []
        for row in x:
            if row > limit:
                kept.append(row)
        if len(kept) > 0:
            return tf.reduce_mean(tf.stack(kept)), sum(kept), max(kept)
        return tf.constant(0.0), tf.constant(0.0), tf.constant(0.0)

    x = tf.constant([1.0, 2.0, 4.0])
    assert [float(t) for t in mean_above(x, tf.constant(1.5))] == [3.0, 6.0, 4.0]
    assert [float(t) for t in mean_above(x, tf.constant(9.0))] == [0.0, 0.0, 0.0]
