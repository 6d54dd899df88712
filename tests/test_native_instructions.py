"""What LLVM is given: its work grows with the instructions, so none is written twice."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine import program
from pullback.engine.runtime import codegen, machine

#: An instruction that finds an address or fills a vector: what it computes, without its name.
PURE = re.compile(r"^  %\S+ = ((?:mul|add|sub|getelementptr|insertelement|shufflevector)\b.*)$")


def text_of(monkeypatch: pytest.MonkeyPatch, f: Callable[..., Any], *arrays: np.ndarray) -> str:
    """A function's program as LLVM is given it."""
    texts: list[str] = []
    object_of = codegen.object_of

    def seen(text: str, *args: Any) -> codegen.ObjectCode:
        texts.append(text)
        return object_of(text, *args)

    monkeypatch.setenv("PULLBACK_CACHE", "0")
    monkeypatch.setattr(codegen, "object_of", seen)
    tf.function(f, jit_compile=True)(*arrays)
    return "\n".join(texts)


def written(monkeypatch: pytest.MonkeyPatch, f: Callable[..., Any], *arrays: np.ndarray) -> list[str]:
    """The kernels of a function's program, as text."""
    text = text_of(monkeypatch, f, *arrays)
    return re.findall(r"^define internal void @\"segment0_\d+_block\".*?^}", text, re.MULTILINE | re.DOTALL)


def layer(x: tf.Tensor, b: tf.Tensor) -> Any:
    with tf.GradientTape() as tape:
        tape.watch((x, b))
        loss = tf.reduce_sum(tf.nn.relu(x + b) * 0.5)
    return tape.gradient(loss, (x, b))


def test_no_address_is_computed_twice_in_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = written(monkeypatch, layer, np.ones((64, 512), "f"), np.ones(512, "f"))
    assert kernels
    for kernel in kernels:
        for block in re.split(r"^\S+:$", kernel, flags=re.MULTILINE):
            pure = [match.group(1) for line in block.splitlines() if (match := PURE.match(line))]
            assert len(pure) == len(set(pure)), kernel


def test_rows_are_found_without_a_multiplication_in_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    (kernel,) = written(monkeypatch, lambda x, b: tf.nn.relu(x + b), np.ones((64, 512), "f"), np.ones(512, "f"))
    _, _, inside = kernel.partition("\ninside.")
    assert inside
    assert "= mul " not in inside
    assert re.search(r"= add i64 %\S+, 512$", kernel, re.MULTILINE), "from row to row"


@pytest.mark.parametrize(("bits", "long", "short"), [(128, [4, 4], [4, 4, 4]), (256, [32, 32], [8, 8, 8]), (512, [16, 16, 16], [16, 16])])
def test_registers_make_one_vector_where_sixteen_hold_the_constants(
    monkeypatch: pytest.MonkeyPatch, bits: int, long: list[int], short: list[int]
) -> None:
    monkeypatch.setattr(program, "host", lambda: machine.host()._replace(vector_bits=bits))
    for size, expected in ((1000, long), (30, short)):
        f: Any = lambda x: tf.tanh(x) * tf.exp(x) * bits  # each its own, for the disk knows a program by what it computes
        (kernel,) = written(monkeypatch, f, np.ones(size, "f"))
        assert [int(lanes) for lanes in re.findall(r'call <(\d+) x float> @"pullback\.tanh', kernel)] == expected
