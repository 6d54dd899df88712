"""The golden programs run on Pullback, each once a process: their answers, and the ops they applied."""

from __future__ import annotations

from functools import cache

import pytest

import pullback
from pullback.api import tape
from pullback.ops.random import seed as random_seed
from tests.golden.programs import kit
from tests.lawkit import op_types


@cache
def answers(name: str) -> kit.Answers:
    """What a program answers on Pullback, label by label."""
    return _run(name)[0]


@cache
def applied(name: str) -> frozenset[str]:
    """The types of the ops that a program applies."""
    return _run(name)[1]


@cache
def _run(name: str) -> tuple[kit.Answers, frozenset[str]]:
    tape._warned.update(dict.fromkeys(tape._warned, 0))  # other programs may have been warned as often as anybody is
    random_seed._eager = random_seed._Eager()  # nor have they said what is drawn
    with op_types(pytest.MonkeyPatch()) as types:
        found = kit.run(pullback, name, oracle=False)
    return found, frozenset(types)
