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
from tests.against import random_answers, random_programs as held
from tests.random_lines import Line
from tests.random_lines_public import WideDraw, usable_calls
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
        sines = [i for i, t in enumerate(plan.fetched) if t.node.primitive.name == "Sin"]

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


@pytest.mark.filterwarnings("ignore")
def test_programs_of_any_public_function_give_the_same_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is held against TensorFlow is held against itself too: complex and short floats, loops, tapes, calls of the case tables."""
    monkeypatch.setattr(WideDraw, "calls", usable_calls())
    found = {seed: wrong for seed in range(30) if (wrong := faults(drawn(seed, 4, 10, WideDraw)))}
    assert not found


class _Both:
    """Both sides in this process: Pullback, and a Pullback whose arc tangent is wrong and which refuses to sort."""

    @staticmethod
    def ask_theirs(programs: list[Program]) -> list[random_answers.Said]:
        class Wrong:
            atan = staticmethod(lambda x: tf.atan(x) + 0.25 * tf.square(x))

            def __getattr__(self, name: str) -> Any:
                return getattr(tf, name)

            @staticmethod
            def sort(x: Any) -> Any:
                raise NotImplementedError("no sorting")

        return list(random_answers.answers(Wrong(), programs))

    judge = staticmethod(lambda pairs: list(random_answers.judge(tf, pairs)))
    judge_quickly = staticmethod(lambda pairs: list(random_answers.judge_quickly(tf, pairs)))
    lines = staticmethod(lambda programs: list(random_answers.lines_alone(tf, programs)))
    pieces = staticmethod(lambda programs: list(random_answers.pieces(tf, programs)))


@pytest.mark.filterwarnings("ignore")
def test_lines_that_differ_are_found_and_the_rest_is_held_without_them() -> None:
    texts = ["tf.tanh(a0)", "tf.atan(v0)", "tf.sort(a0)", "tf.square(v2)", "v0 * 2.0", "tf.atan(v4)"]
    reads = [["a0"], ["v0"], ["a0"], ["v2"], ["v0"], ["v4"]]
    lines = [Line(f"v{k}", text, read, True) for k, (text, read) in enumerate(zip(texts, reads, strict=True))]
    program = Program(5, {"a0": np.linspace(0.5, 2, 4).astype(np.float32)}, lines, ["v1", "v3", "v5"])
    (said,) = _Both.ask_theirs([program])
    assert said.refused == [("v2", "NotImplementedError: no sorting")]
    found = held._examined(_Both, [(program, said, ("function",))], set())  # type: ignore[arg-type]  # its processes are this one
    assert [d.words.partition(" of ")[0] for d in found] == ["`v2 = tf.sort(a0)`", "`v1 = tf.atan(v0)`", "`v5 = tf.atan(v4)`"]


@pytest.mark.filterwarnings("ignore")
def test_what_differs_only_as_a_whole_is_made_small() -> None:
    """Each line agrees alone; together they do not, as the second reads what the first one made."""
    lines = [Line("v0", "tf.tanh(a0)", ["a0"], True), Line("v1", "tf.exp(v0)", ["v0"], True), Line("v2", "tf.cos(v1)", ["v1"], True)]
    program = Program(5, {"a0": np.ones(3, np.float32)}, lines, ["v2"])

    class Whole(_Both):
        @staticmethod
        def judge(pairs: Any) -> list[str]:
            return ["eager: apart" if {"v0", "v1"} <= {line.name for line in program.lines} else "" for program, *_ in pairs]

        judge_quickly = judge

    (found,) = held._examined(Whole, [(program, random_answers.Said(2, [np.ones(3)]), ("function",))], set())  # type: ignore[arg-type]  # as above
    assert found.words.startswith("`v0 = tf.tanh(a0); v1 = tf.exp(v0)` of a0: float32[3]")


def test_only_the_ways_that_show_a_difference_run_again() -> None:
    asked = ("function", "session", "compiled")
    shown = {"eager: answer 0": (), "TensorFlow: ValueError: no": (), "compiled: answer 0": ("compiled",), "graph: KeyError": asked}
    assert {words: held._ways(words, asked) for words in shown} == shown
    program = Program(3, {"a0": np.ones(2, np.float32)}, [Line("v0", "tf.sin(a0)", ["a0"], True)], ["v0"])
    assert {ways: list(random_answers._answered(program, ways).ways) for ways in ((), ("function",), ("session",))} == {
        (): ["eager"],
        ("function",): ["eager", "function"],
        ("session",): ["eager", "session"],
    }
    wrong = random_answers.Said(2, [np.ones(2, np.float32)] * 3)
    assert [words.split(":")[0] for words in random_answers.judge(tf, [(program, wrong, ("function",))])] == ["eager"]


@pytest.mark.filterwarnings("ignore")
def test_a_line_that_is_blamed_by_chance_does_not_end_the_search() -> None:
    lines = [Line("v0", "tf.tanh(a0)", ["a0"], True), Line("v1", "tf.atan(v0)", ["v0"], True)]
    program = Program(7, {"a0": np.ones(3, np.float32)}, lines, ["v1"])
    (said,) = _Both.ask_theirs([program])
    found = held._examined(_Both, [(program, said, ("function",))], {"tf.tanh"})  # type: ignore[arg-type]  # its processes are this one
    assert [d.words.partition(" of ")[0] for d in found] == ["`v1 = tf.atan(v0)`"]
