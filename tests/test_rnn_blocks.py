"""What TensorFlow cannot tell of recurrent layers: gradients of version 2, of single steps, and second derivatives, by differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from tests.cases import rnn_blocks as cases
from tests.cases.case import floats

LAYER = [v.astype(np.float64) for v in cases.ALL]
CELL = [v.astype(np.float64) for v in cases.CELL]
GRU = [v.astype(np.float64) for v in cases.GRU]
STATES = [floats(2, 2, seed=k, low=0.1, high=0.9, dtype="float64") for k in range(20, 28)]
GRU_STATES = [floats(2, 3, seed=k, low=0.1, high=0.9, dtype="float64") for k in range(30, 34)]


def cell_grad(tf: Any, *values: Any, **options: Any) -> Any:
    """Of an LSTM's step, as a function of all it reads; the states need not be those of the step."""
    names = ("i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad")
    return list(tf.raw_ops.LSTMBlockCellGrad(**cases.inputs(values[:5], values[5]), **dict(zip(names, values[6:], strict=True)), **options))


def gru_grad(tf: Any, *values: Any) -> Any:
    return list(tf.raw_ops.GRUBlockCellGrad(**dict(zip((*cases.GRU_NAMES, "r", "u", "c", "d_h"), values, strict=True))))


CALLS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "BlockLSTM with peepholes": (cases.layer("BlockLSTM", use_peephole=True, cell_clip=0.0), LAYER),
    "BlockLSTM, two steps of three": (cases.layer("BlockLSTM", 2, cell_clip=0.0), LAYER),
    "BlockLSTMV2": (cases.layer("BlockLSTMV2"), LAYER),
    "BlockLSTMV2 with peepholes": (cases.layer("BlockLSTMV2", use_peephole=True), LAYER),
    "LSTMBlockCell with peepholes": (lambda tf, *v: cases.cell(tf, *v, use_peephole=True), CELL),
    "LSTMBlockCell, clipped": (lambda tf, *v: cases.cell(tf, *v, cell_clip=0.4), CELL),
    "GRUBlockCell": (lambda tf, *v: list(tf.raw_ops.GRUBlockCell(**dict(zip(cases.GRU_NAMES, v, strict=True)))), GRU),
    "LSTMBlockCellGrad": (lambda tf, *v: cell_grad(tf, *v, use_peephole=False), [*CELL, *STATES]),
    "LSTMBlockCellGrad with peepholes": (lambda tf, *v: cell_grad(tf, *v, use_peephole=True), [*CELL, *STATES]),
    "GRUBlockCellGrad": (gru_grad, [*GRU, *GRU_STATES]),
}


def measure(call: Callable[..., Any], inputs: list[Any]) -> Any:
    return tf.add_n([tf.reduce_sum(tf.sin(y * float(k + 1))) for k, y in enumerate(call(tf, *inputs))])


def gradient(call: Callable[..., Any], inputs: list[Any]) -> list[Any]:
    tensors = [tf.constant(x) for x in inputs]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        y = measure(call, tensors)
    return tape.gradient(y, tensors, unconnected_gradients="zero")


@pytest.mark.parametrize("name", CALLS)
def test_first_and_second_derivatives_are_those_of_differences(name: str) -> None:
    call, inputs = CALLS[name]
    rng = np.random.default_rng(3)
    along, across = ([rng.standard_normal(x.shape) for x in inputs] for _ in range(2))
    step = 1e-6
    there, back = ([x + s * step * d for x, d in zip(inputs, along, strict=True)] for s in (1, -1))
    slope = float(measure(call, there) - measure(call, back)) / (2 * step)
    first = sum(float(np.sum(g.numpy() * d)) for g, d in zip(gradient(call, inputs), along, strict=True))
    assert first == pytest.approx(slope, rel=1e-7)
    pairs = zip(gradient(call, there), gradient(call, back), across, strict=True)
    bend = sum(float(np.sum((a.numpy() - b.numpy()) * d)) for a, b, d in pairs) / (2 * step)
    tensors = [tf.constant(x) for x in inputs]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        paired = tf.add_n([tf.reduce_sum(g * d) for g, d in zip(gradient_of(call, tensors), across, strict=True)])
    bent = tape.gradient(paired, tensors, unconnected_gradients="zero")
    second = sum(float(np.sum(g.numpy() * d)) for g, d in zip(bent, along, strict=True))
    assert second == pytest.approx(bend, rel=1e-6)


def gradient_of(call: Callable[..., Any], tensors: list[Any]) -> list[Any]:
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        y = measure(call, tensors)
    return tape.gradient(y, tensors, unconnected_gradients="zero")


def test_a_number_of_steps_that_does_not_fit_is_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="seq_len_max must lie in"):
        cases.layer("BlockLSTM", 4)(tf, *LAYER)


@pytest.mark.parametrize("peepholes", [False, True])
@pytest.mark.parametrize(("kind", "steps"), [("BlockLSTM", 0), ("BlockLSTM", 1), ("BlockLSTM", 3), ("BlockLSTMV2", 3)])
def test_derivatives_of_a_layer_whose_number_of_steps_is_not_known_when_the_graph_is_built(kind: str, steps: int, peepholes: bool) -> None:
    """Of second and third order, of which the last of three steps is no part."""
    clip = {"cell_clip": 0.0} if kind == "BlockLSTM" else {}
    call = cases.layer(kind, min(steps, 2), use_peephole=peepholes, **clip)
    given = [LAYER[0][:steps], *LAYER[1:]]

    def squares(*tensors: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(tensors)
            with tf.GradientTape() as tape:
                tape.watch(tensors)
                total = tf.add_n([tf.reduce_sum(g * g) for g in gradient_of(call, list(tensors))])
            second = tape.gradient(total, tensors, unconnected_gradients="zero")
            again = tf.add_n([tf.reduce_sum(tf.sin(g)) for g in second])
        return [*second, *outer.gradient(again, tensors, unconnected_gradients="zero")]

    unknown = [tf.TensorSpec([None] * x.ndim, tf.float64) for x in given]
    found = tf.function(squares, input_signature=unknown)(*given)
    known = squares(*map(tf.constant, given)) if steps else [np.zeros(x.shape) for x in given * 2]
    for a, b in zip(found, known, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)
