"""Gradients of loops over the rows of a tensor cost n rows, not n tensors: elements that are written are counted, nothing is timed."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from benchmarks.growing_loops import NAMES, WIDTH, arrays, losses

import pullback as tf
from pullback.engine.parts import Part
from pullback.ops.all_operations import load_operations
from pullback.transforms import cotangents
from tests.golden.programs import rows_read_in_loops

#: The exponent that is linear: above it, growth is not.
LINEAR = 1.1
_GRAPH = [name for name in NAMES if name != "eager tape"]


class Count:
    """How many elements were written."""

    def __init__(self) -> None:
        self.elements = 0

    def of(self, kernel: Callable[..., Any], is_change: bool) -> Callable[..., Any]:
        """A kernel that is counted: its results where they are no views, or what it changes an array by."""

        def call(*values: Any, **attrs: Any) -> Any:
            result = kernel(*values, **attrs)
            if is_change:
                self.elements += np.size(values[-1])
            else:
                for one in result if isinstance(result, (tuple, list)) else (result,):
                    if isinstance(one, np.ndarray) and one.base is None and not any(one is v for v in values):
                        self.elements += one.size
            return result

        return call


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Count]:
    """Count what kernels write, and what sweeps add up."""
    count = Count()
    before = [(op, op.kernel, op.changes) for op in load_operations().values()]
    put = object.__setattr__  # records do not change otherwise
    with monkeypatch.context() as patch:
        for op, kernel, changes in before:
            if op.hands_on is None:  # what runs bodies writes nothing itself
                put(op, "kernel", count.of(kernel, False))
            if changes is not None:
                put(op, "changes", count.of(changes, True))
        patch.setattr(cotangents, "add_arrays", count.of(cotangents.add_arrays, False))
        try:
            yield count
        finally:
            for op, kernel, changes in before:
                put(op, "kernel", kernel)
                put(op, "changes", changes)


def gradient_of(loss: Any) -> Any:
    def gradient(xs: Any, weights: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch((xs, weights))
            made = loss(xs, weights)
            total = tf.reduce_sum(made * made)
        return tape.gradient(total, (xs, weights))

    return gradient


def gradient_of_gradient(loss: Any) -> Any:
    first = gradient_of(loss)

    def gradient(xs: Any, weights: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch((xs, weights))
            total = tf.add_n([tf.reduce_sum(tf.convert_to_tensor(g) ** 2) for g in first(xs, weights)])
        return tape.gradient(total, (xs, weights))

    return gradient


def exponent(few: float, many: float, times: float) -> float:
    return math.log(many / few) / math.log(times)


def loss_of(name: str) -> Any:
    loss = losses(tf)[name]
    return tf.autograph.to_graph(loss) if name == "AutoGraph" else loss


def given(n: int) -> list[Any]:
    return [tf.constant(a) for a in arrays(n)]


@pytest.mark.parametrize("order", [gradient_of, gradient_of_gradient])
@pytest.mark.parametrize("name", ["eager tape", "while_loop with gather", "while_loop with slice", "TensorArray.read"])
def test_eager_tapes_write_rows(name: str, order: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for n in (32, 256):
        with counted(monkeypatch) as count:
            order(loss_of(name))(*given(n))
        found.append(count.elements)
    assert exponent(*found, 8) < LINEAR


@pytest.mark.parametrize("name", _GRAPH)
def test_loops_that_kernels_run_write_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for n in (32, 256):
        with counted(monkeypatch) as count:
            function = tf.function(gradient_of(loss_of(name)), jit_compile=False, autograph=False)
            function(*given(n))
        found.append(count.elements)
    assert exponent(*found, 8) < LINEAR


def others() -> dict[str, Any]:
    """Loops that read rows in a variable, along another axis, in loops, branches and functions inside, or keep few states."""

    def cell(h: Any, weights: Any, x: Any) -> Any:
        return tf.tanh(h @ weights + x[None])

    def start() -> Any:
        return tf.zeros((1, WIDTH))

    def columns(xs: Any, weights: Any) -> Any:
        turned = tf.transpose(xs)
        step = lambda i, h: (i + 1, cell(h, weights, turned[:, i] + tf.gather(turned, i, axis=1)))
        return tf.while_loop(lambda i, h: i < xs.shape[0], step, (0, start()))[1]

    def nested(xs: Any, weights: Any) -> Any:
        def outer(i: Any, h: Any) -> Any:
            inner = lambda j, h: (j + 1, cell(h, weights, xs[(i + j) % xs.shape[0]]))
            return i + 1, tf.while_loop(lambda j, h: j < 3, inner, (0, h))[1]

        return tf.while_loop(lambda i, h: i < xs.shape[0], outer, (0, start()))[1]

    def branches(xs: Any, weights: Any) -> Any:
        step = lambda i, h: (i + 1, tf.cond(i % 2 == 0, lambda: cell(h, weights, xs[i]), lambda: h * 0.5))
        return tf.while_loop(lambda i, h: i < xs.shape[0], step, (0, start()))[1]

    def function(xs: Any, weights: Any) -> Any:
        inner = tf.function(lambda h, xs, i: cell(h, weights, xs[i]), autograph=False)
        return tf.while_loop(lambda i, h: i < xs.shape[0], lambda i, h: (i + 1, inner(h, xs, i)), (0, start()))[1]

    def few_states(xs: Any, weights: Any) -> Any:
        step = lambda i, h: (i + 1, cell(h, weights, xs[i]))
        return tf.while_loop(lambda i, h: i < xs.shape[0], step, (0, start()), checkpoint=8)[1]

    def unrolled(xs: Any, weights: Any) -> Any:
        return losses(tf)["eager tape"](xs, weights)

    every = {"columns": columns, "nested": nested, "branches": branches, "function": function}
    return every | {"few states": few_states, "unrolled": unrolled}


@pytest.mark.parametrize("name", others())
def test_other_loops_that_kernels_run_write_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for n in (32, 256):
        with counted(monkeypatch) as count:
            tf.function(gradient_of(others()[name]), jit_compile=False, autograph=False)(*given(n))
        found.append(count.elements)
    assert exponent(*found, 8) < LINEAR


def written(parts: tuple[Part, ...], turns: int) -> int:
    return sum(written(p.inside, turns) * turns if p.kind == "loop" else written(p.inside, turns) + p.written for p in parts)


@pytest.mark.parametrize("name", _GRAPH)
def test_native_loops_write_rows(name: str) -> None:
    pytest.importorskip("llvmlite")
    found = []
    for n in (32, 256):
        function = tf.function(gradient_of(loss_of(name)), jit_compile=True, autograph=False)
        function(*given(n))
        program = function.explain(*given(n))
        assert any(part.kind == "loop" for part in program.parts), str(program)
        found.append(written(program.parts, n))
    assert exponent(*found, 8) < LINEAR


@pytest.mark.parametrize("name", NAMES)
def test_all_ways_agree(name: str) -> None:
    rows = given(5)
    loss = loss_of(name)
    eager = [tf.convert_to_tensor(g).numpy() for g in gradient_of(loss)(*rows)]
    for jit in (False, True):
        function = tf.function(gradient_of(loss), jit_compile=jit, autograph=False)
        for _ in range(2):
            for a, b in zip(eager, function(*rows), strict=True):
                np.testing.assert_allclose(a, tf.convert_to_tensor(b).numpy(), rtol=2e-5, atol=1e-7)


@pytest.mark.parametrize("order", [rows_read_in_loops.gradient, rows_read_in_loops.second])
@pytest.mark.parametrize("name", rows_read_in_loops._losses(tf))
def test_native_programs_agree_with_tapes(name: str, order: Any) -> None:
    gradient = order(tf, rows_read_in_loops._losses(tf)[name])
    given = tf.constant(rows_read_in_loops.ROWS), tf.constant(rows_read_in_loops.WEIGHTS)
    function = tf.function(gradient, jit_compile=True, autograph=False)
    function(*given)
    for a, b in zip(gradient(*given), function(*given), strict=True):
        np.testing.assert_allclose(tf.convert_to_tensor(a), tf.convert_to_tensor(b), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("jit", [False, True])
def test_elements_of_an_array_that_no_turn_writes_are_zeros(jit: bool) -> None:
    def made(turns: Any) -> Any:
        rows = tf.TensorArray(tf.float32, 3)
        step = lambda i, rows: (i + 1, rows.write(i, tf.fill([2], tf.cast(i + 1, tf.float32))))
        return tf.while_loop(lambda i, rows: i < turns, step, (0, rows))[1].stack()

    function = tf.function(made, jit_compile=jit, autograph=False)
    assert function(tf.constant(2)).numpy().tolist() == [[1, 1], [2, 2], [0, 0]]
    assert function(tf.constant(0)).numpy().tolist() == [[0, 0], [0, 0], [0, 0]]
