"""Which operations the cases and the golden programs really apply, found by listening at dispatch: once a process."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

import pytest

import pullback
from tests import cases as table
from tests.cases.case import Case
from tests.golden import observe
from tests.golden.programs import kit
from tests.golden.replay import applied
from tests.lawkit import op_types


@dataclass(frozen=True)
class Use:
    """A case that applies an operation, and whether a gradient flows in it."""

    family: str
    case: Case
    has_gradient: bool


@cache
def by_cases() -> dict[str, list[Use]]:
    """By operation, the cases that apply it, eagerly or in a graph, forwards or in a gradient."""
    found: dict[str, list[Use]] = defaultdict(list)
    for family in table.families():
        for case in table.cases(family):
            with op_types(pytest.MonkeyPatch()) as names:
                record, _ = observe.outcome(lambda case=case: observe.eager(pullback, case))
                observe.outcome(lambda case=case: observe.graph(pullback, case, known=False))
            flows = any(g is not None for g in (record or {}).get("gradients", ()))
            for name in names:
                found[name].append(Use(family, case, flows))
    return dict(found)


@cache
def by_programs() -> dict[str, frozenset[str]]:
    """By operation, the golden programs that apply it."""
    found: dict[str, set[str]] = defaultdict(set)
    for program in kit.names():
        for name in applied(program):
            found[name].add(program)
    return {name: frozenset(programs) for name, programs in found.items()}
