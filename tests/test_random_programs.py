"""A fixed number of random programs: compiled, walked and eager answers agree, on any number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.ir.function_graph import bodies_of
from pullback.ir.tensor import EagerTensor
from pullback.kernels import parallel
from tests import random_programs
from tests.random_lines import Line
from tests.random_programs import Program, compiled, drawn, executor, faults, planned, report, shrunk
from tests.show_python import show_python
from tests.verify_graph import verify

_BLOCK = 15


@pytest.mark.filterwarnings("ignore")  # roundings, overflows and empty means are what these programs are full of
@pytest.mark.parametrize("block", range(10))
def test_compiled_programs_give_what_kernels_give(block: int) -> None:
    found = [f"==== seed {seed}\n{said}" for seed in range(_BLOCK * block, _BLOCK * (block + 1)) if (said := report(seed))]
    assert not found, "\n".join(found)


@pytest.mark.filterwarnings("ignore")
def test_specialised_graphs_verify_and_print_as_python_that_runs() -> None:
    ran = 0
    for seed in range(40):
        program = drawn(seed)
        plan, values = planned(program), list(program.inputs.values())
        native = compiled(plan, values)
        if native is None:
            continue
        spec = native.spec
        verify(spec.graph)
        if any(list(bodies_of(node)) for node in spec.graph.nodes):
            continue
        scope: dict[str, Any] = {}
        exec(show_python(spec.outputs, spec.inputs), scope)
        with executor():
            found = scope["program"](*[tf.constant(x) for x in values])
            expected = plan.run(values, random_programs.Run({}, {}))
        for got, want in zip(found, expected, strict=True):
            np.testing.assert_array_equal(np.asarray(got), want)
        ran += 1
    assert ran >= 20


def test_a_difference_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong native program is caught, and the program shown has nothing left that does not matter."""
    real = random_programs.compiled

    def wrong(plan: Any, values: Any) -> Any:
        native = real(plan, values)
        sines = [i for i, t in enumerate(plan.fetched) if t.node.op.name == "Sin"]

        class Off:
            @staticmethod
            def run(values: Any, run: Any) -> Any:
                found = list(native.run(values, run))
                for i in sines:
                    found[i] = found[i] + np.float32(parallel.threads())
                return found

        return Off()

    monkeypatch.setattr(random_programs, "compiled", wrong)
    lines = [
        Line("v0", "tf.tanh(a0)", ["a0"], True),
        Line("v1", "tf.sin(v0)", ["v0"], True),
        Line("v2", "tf.exp(a1)", ["a1"], True),
        Line("v3", "v2 * 2", ["v2"], True),
    ]
    program = Program(7, {"a0": np.linspace(0, 1, 5, dtype=np.float32), "a1": np.ones(3, np.float32)}, lines, ["v1", "v3"])
    said = faults(program)
    assert any("native: answer 0" in line for line in said) and any("other bits on 3 threads" in line for line in said)
    small = shrunk(program, random_programs.fails)
    assert [line.text for line in small.lines] == ["tf.sin(v0)"]
    assert str(small).startswith("# seed 7\n") and "v1 = tf.sin(v0)" in str(small)
    scope: dict[str, Any] = {}
    exec(str(small), scope)
    (answer,) = scope["program"](tf.constant(scope["v0"]))
    assert isinstance(answer, EagerTensor) and not np.any(np.isnan(answer.numpy()))
