"""Golden programs of graphs, sessions, functions and optimizers again: every plan compiled at its first run, in tiny blocks, on 3 threads.

`make test-all` does that for all golden programs (PULLBACK_JIT=1); these are the ones that make the most plans of different kinds.
"""

from __future__ import annotations

import pytest

import pullback
from pullback.kernels import parallel
from pullback.transforms import registry
from tests.golden import store
from tests.golden.compare import differences
from tests.golden.programs import kit
from tests.random_programs import natively

PROGRAMS = (
    "control_graph", "custom_graph", "functions", "functions_autograph", "functions_gradients", "functions_v1", "gradients_ys", "hessians",
    "jacobians_graph", "loops", "optimizers_v1", "session", "tensor_arrays_v1", "variables",
)  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_program(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})  # programs register gradients by name, once in a process
    golden = store.read(f"program_{name}")["labels"]
    with natively(tiny=True):
        parallel.set_threads(3)
        answers = kit.run(pullback, name, oracle=False)
    wrong = []
    for label, expected in golden.items():
        answer = answers.get(label, answers.get(f"{label.split('/', maxsplit=1)[0]}/*", "no such label"))
        wrong += differences(expected, store.decode(store.encode(answer)), label)
    assert not wrong, "\n".join(wrong)
