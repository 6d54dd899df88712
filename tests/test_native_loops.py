"""Products in native loops: those with a matrix that stays the same, and sums of products over the turns."""

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings
from pullback.engine.runtime import layout
from tests.native_kit import draw, held
from tests.native_programs import run

F64 = np.float64

pytestmark = pytest.mark.usefixtures("natively")


def recurrent(turns: int, cell: Callable[..., Any]) -> Callable[..., Any]:
    """The gradients of a loop h = cell(h, x, *weights) with respect to the weights."""

    def step(x: Any, *weights: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(weights)
            h = tf.while_loop(lambda i, _: i < turns, lambda i, h: (i + 1, cell(h, x, *weights)), (0, tf.zeros_like(x)))[1]
            y = tf.reduce_sum(h * h)
        return y, *tape.gradient(y, weights)

    return step


def names(parts: list[Any]) -> list[str]:
    return [part.kind for part in parts]


@pytest.mark.parametrize("turns", [0, 1, 5, 85, 86, 200, 257, 513])
@pytest.mark.parametrize("rows", [1, 3])
def test_a_gradient_is_one_product_for_many_turns(turns: int, rows: int) -> None:
    cell = lambda h, x, w: tf.tanh(tf.matmul(h, w) + x)
    parts = held(recurrent(turns, cell), draw(rows, 24), 0.2 * draw(24, 24), rtol=1e-9)
    assert names(parts).count("deferred product") == 1


@pytest.mark.parametrize("turns", [0, 1, 7])
@pytest.mark.parametrize("limit", [None, 5])
def test_turns_are_counted_where_all_that_is_kept_stays_the_same(turns: int, limit: int | None) -> None:
    """The gradient by x needs a variable's value in each turn, which is not stored, and how many turns there were."""

    w = tf.Variable(0.2 * draw(24, 24))

    def step(x: Any, n: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            h = tf.while_loop(lambda i, _: i < n, lambda i, h: (i + 1, tf.matmul(h, w)), (0, x), maximum_iterations=limit)[1]
            y = tf.reduce_sum(h * h)
        return y, tape.gradient(y, x)

    assert names(held(step, draw(3, 24), np.int32(turns))).count("loop") == 2


@pytest.mark.parametrize(("rows", "hidden", "dtype"), [(32, 80, np.float32), (5, 300, F64), (128, 40, F64), (7, 37, np.float32)])
def test_weights_that_stay_the_same_are_put_in_order_once(rows: int, hidden: int, dtype: Any) -> None:
    """Forwards and, transposed, backwards; tiles that end in the middle of a vector, and blocks for several threads."""
    cell = lambda h, x, w: tf.sin(tf.matmul(h, w) + x)
    given = draw(rows, hidden, dtype=dtype), (draw(hidden, hidden) / hidden**0.5).astype(dtype)
    parts = held(recurrent(12, cell), *given, rtol=1e-4 if dtype == np.float32 else 1e-10)
    assert names(parts).count("deferred product") == 1


def test_a_total_of_two_products_a_turn() -> None:
    """The same weights twice in a cell: the gradient is the sum of both products of all turns."""
    cell = lambda h, x, w: tf.tanh(tf.matmul(tf.tanh(tf.matmul(h, w) + x), w))
    parts = held(recurrent(70, cell), draw(4, 20), 0.3 * draw(20, 20), rtol=1e-9)
    assert names(parts).count("deferred product") == 2


def test_a_total_that_the_loop_reads_is_added_to_at_once() -> None:
    def f(a: Any, b: Any) -> Any:
        body = lambda i, t, s: (i + 1, t + tf.matmul(a, b * tf.cast(i, b.dtype), transpose_a=True), s + tf.reduce_sum(t))
        return tf.while_loop(lambda i, t, s: i < 9, body, (0, tf.zeros([20, 30], a.dtype), tf.constant(0.0, a.dtype)))[1:]

    assert "deferred product" not in names(held(f, draw(3, 20), draw(3, 30)))


def test_sums_in_loops_in_loops() -> None:
    """The inner loop's total starts anew from the outer one's in each turn."""

    def f(a: Any, b: Any) -> Any:
        def outer(i: Any, t: Any) -> Any:
            c = b * tf.cast(i + 1, b.dtype)
            inner = lambda j, t: (j + 1, t + tf.matmul(a + tf.cast(j, a.dtype), c, transpose_a=True))
            return i + 1, 0.5 * tf.while_loop(lambda j, t: j < 30, inner, (0, t))[1]

        return tf.while_loop(lambda i, t: i < 4, outer, (0, tf.ones([18, 25], a.dtype)))[1]

    assert "deferred product" in names(held(f, draw(10, 18), draw(10, 25)))


def test_a_matrix_that_changes_in_the_loop_is_read_anew() -> None:
    def f(x: Any, w: Any) -> Any:
        def body(i: Any, x: Any, w: Any) -> Any:
            return i + 1, tf.tanh(tf.matmul(x, w, transpose_b=True)), w * 0.9

        return tf.while_loop(lambda i, x, w: i < 6, body, (0, x, w))[1:]

    held(f, draw(1, 60), 0.2 * draw(60, 60))
    held(f, draw(20, 60), 0.2 * draw(60, 60))


def test_a_matrix_of_an_outer_loop() -> None:
    """It stays the same in the inner loop, and changes in the outer one."""

    def f(x: Any, w: Any) -> Any:
        def outer(i: Any, x: Any, w: Any) -> Any:
            inner = lambda j, x: (j + 1, tf.tanh(tf.matmul(x, w) + tf.matmul(x, w, transpose_b=True)))
            return i + 1, tf.while_loop(lambda j, x: j < 3, inner, (0, x))[1], w * 0.9

        return tf.while_loop(lambda i, x, w: i < 4, outer, (0, x, w))[1]

    held(f, draw(1, 50), 0.2 * draw(50, 50))
    held(f, draw(9, 50), 0.2 * draw(50, 50))


def test_a_loop_that_was_differentiated_meets_another_shape() -> None:
    """Its function is planned by then, and the loop keeps more than it did."""
    any_length = [tf.TensorSpec([None], tf.float64)]

    @tf.function(input_signature=any_length)
    def f(x: Any) -> Any:
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * x), (0, x))[1]

    @tf.function(input_signature=any_length)
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(f(x))
        return tape.gradient(y, x)

    x = tf.constant([1.0, 2.0], tf.float64)
    before = f(x).numpy()
    slope(x)
    after = f(tf.constant([1.0, 2.0, 3.0], tf.float64)).numpy()
    np.testing.assert_array_equal(after[:2], before)


def last_of(at: Callable[..., Any], count: int, read: int) -> Callable[..., Any]:
    """A loop that writes its state to a TensorArray in every turn, at a place of its own choice; one place is read, with its gradient."""

    def step(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            rows = tf.TensorArray(tf.float64, tf.shape(x)[0]).unstack(x)

            def turn(i: Any, out: Any, h: Any) -> Any:
                h = tf.tanh(tf.matmul(rows.read(i), w) + h)
                return i + 1, out.write(at(i), h), h

            start = (tf.constant(0), tf.TensorArray(tf.float64, count, clear_after_read=False), tf.zeros_like(x[0]))
            _, out, h = tf.while_loop(lambda i, *_: i < x.shape[0], turn, start)
            y = tf.reduce_sum(out.read(read) * h)
        return y, tape.gradient(y, w)

    return step


@pytest.mark.parametrize("count", [1, 3])
def test_an_element_that_is_written_in_every_turn(count: int) -> None:
    """As Keras's recurrent layers do that give their last output only: the cotangent has one place, which is known."""
    parts = held(last_of(lambda i: count - 1, count, count - 1), draw(7, 4, 6), 0.3 * draw(6, 6), rtol=1e-10)
    assert names(parts).count("loop") == 2
    assert "call" not in names(parts)


@pytest.mark.parametrize("read", [0, 3, 6])
def test_an_element_of_many_that_is_read(read: int) -> None:
    held(last_of(lambda i: i, 7, read), draw(7, 4, 6), 0.3 * draw(6, 6), rtol=1e-10)


def test_a_loop_over_an_element_of_a_dataset_is_native() -> None:
    """The dataset, which is none, parts the program in two; the lists are made where they are used."""
    x, w = draw(6, 4, 3), 0.3 * draw(3, 3)
    step = last_of(lambda i: 0, 1, 0)

    def go_through(jit: bool) -> tuple[list[Any], Any]:
        Settings.jit = jit
        function = tf.function(lambda iterator, w: tf.experimental.Optional.from_value(step(iterator.get_next(), w)))
        iterator = iter(tf.data.Dataset.from_tensors(x).repeat())
        found = [function(iterator, tf.constant(w)).get_value() for _ in range(2)]
        return [t.numpy() for pair in found for t in pair], function.explain(iterator, tf.constant(w))

    expected, _ = go_through(False)
    found, explained = go_through(True)
    for one, known in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, known, rtol=1e-10)
    kinds = names(explained.all_parts())
    assert kinds.count("loop") == 2
    assert kinds.count("call") == 2  # the iterator and the optional


def test_what_a_loop_keeps_stays_as_long_as_somebody_may_run_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The callable alone is enough: a thread that is in the middle of it does not hold the program."""
    given_back, free = [], layout._free_stacks
    monkeypatch.setattr(layout, "_free_stacks", lambda *stacks: given_back.append(stacks) or free(*stacks))
    given = tf.constant(draw(5, 7)), tf.constant(0.3 * draw(7, 7))
    f = tf.function(recurrent(50, lambda h, x, w: tf.sin(tf.matmul(h, w) + x)), autograph=False)
    expected = [t.numpy() for t in f(*given)]
    plan = f.get_concrete_function(*given).body.plan()
    ready = plan.ready
    assert ready is not None
    plan.ready = None
    plan.jit_state.programs.clear()
    gc.collect()
    assert not given_back
    for found, known in zip(ready(*[t.numpy() for t in given]), expected, strict=True):
        np.testing.assert_array_equal(found, known)
    del ready
    gc.collect()
    assert len(given_back) == 1


def test_a_loop_runs_at_the_end_of_the_process_too() -> None:
    """Threads that the end does not wait for may be in it, and what was asked for earlier is done after our own part of the end."""
    program = """
        import atexit
        last = []
        atexit.register(lambda: print(last[0]()))
        import numpy as np, pullback as tf
        x = tf.constant(np.linspace(-1, 1, 35).reshape(5, 7))
        def slope(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.while_loop(lambda i, _: i < 50, lambda i, h: (i + 1, tf.sin(h + x)), (0, x))[1]
            return tape.gradient(y, x)
        f = tf.function(slope, jit_compile=True)
        first = f(x).numpy()
        def again():
            other = []
            for n in range(1000, 40000, 500):
                other.append(bytearray(n))
                same = np.array_equal(f(x).numpy(), first)
            return "well" if same and not any(map(any, other)) else "memory of others was written"
        last.append(again)
    """
    assert run(program, PULLBACK_CACHE="0") == "well\n"


LISTS_OF_FILTERED: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "foldl": (lambda x: tf.foldl(lambda a, e: e + a, x), [4.0]),
    "scan": (lambda x: tf.scan(lambda a, e: e * a, x), [1.0, 3.0]),
    "map_fn": (lambda x: tf.map_fn(lambda e: e * e, x), [1.0, 9.0]),
    "writes": (lambda x: tf.concat([_unstack(x).write(0, -x[1]).stack(), _unstack(x).write(1, x[0]).stack()], 0), [-3.0, 3.0, 1.0, 1.0]),
}


def _unstack(x: Any) -> Any:
    return tf.TensorArray(x.dtype, 2).unstack(x)


@pytest.mark.parametrize("name", LISTS_OF_FILTERED)
def test_lists_of_rows_whose_number_is_known_when_it_runs(name: str) -> None:
    f, expected = LISTS_OF_FILTERED[name]
    compiled = tf.function(lambda x: f(tf.boolean_mask(x, x > 0.0)), jit_compile=True)
    assert np.ravel(compiled(tf.constant([1.0, -2.0, 3.0], tf.float64))).tolist() == expected
