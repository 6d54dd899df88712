"""The part of `make against` that draws programs of loops and branches, held against Pullback itself."""

from __future__ import annotations

import numpy as np
import pytest

import pullback as tf
from tests.against import control_flow


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_a_program_gives_the_same_in_a_graph_in_both_control_flows_and_in_a_function(seed: int) -> None:
    answers = list(control_flow.attempts(tf, [(seed, way) for way in control_flow._WAYS]))
    assert [kind for kind, _ in answers] == ["returned"] * 3
    graph, version_1, function = (found for _, found in answers)
    assert not list(control_flow._compare(("returned", graph), ("returned", function)))
    for name, found in version_1.items():
        a, b = (0.0 if x is None else x for x in (graph[name], found))
        assert np.allclose(a, b, **control_flow._NEAR)


def test_none_is_not_zero_and_an_error_is_no_answer() -> None:
    def kinds(theirs: object, ours: object) -> list[str]:
        return [kind for kind, _ in control_flow._compare(theirs, ours)]

    zero, none = ("returned", {"gradient of x": np.zeros(3)}), ("returned", {"gradient of x": None})
    error, other = (
        ("raised", ("ValueError", ["ValueError", "Exception"], "no")),
        ("raised", ("TypeError", ["TypeError", "Exception"], "no")),
    )
    assert kinds(zero, zero) == kinds(none, none) == kinds(error, error) == []
    assert kinds(zero, none) == kinds(none, zero) == ["differs"]
    assert [kinds(error, zero), kinds(zero, error), kinds(error, other)] == [["takes"], ["refuses"], ["class"]]
    assert kinds(zero, ("ended", "SIGSEGV")) == ["ends"]
    failed = ("returned", {"gradient of x": np.zeros(3), control_flow._FAILED: "TypeError: no"})
    assert [kinds(failed, failed), kinds(failed, zero), kinds(zero, failed)] == [[], ["order 2"], ["order 2"]]


def test_a_seed_draws_one_program() -> None:
    assert control_flow.draw(3) == control_flow.draw(3) != control_flow.draw(5)
