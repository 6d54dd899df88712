"""The benchmark of kernels has a row for every operation, or a reason."""

import time
from collections import Counter

import pytest
from benchmarks.kernels.catalogue import FAMILIES
from benchmarks.kernels.left_out import LEFT_OUT, reasons
from benchmarks.kernels.report import Answer, report
from benchmarks.kernels.worker import best, made

import pullback as tf
from pullback.ops.all_operations import load_operations

GROUPS = [group for groups in FAMILIES.values() for group in groups]


@pytest.fixture(scope="module")
def rows() -> list[str]:
    """The names of all rows; the tensors of one group at a time are made, and nothing is computed with them."""
    names: list[str] = []
    for group in GROUPS:
        calls, fault = made(group, tf)
        assert not fault
        names += calls
    return names


def test_every_operation_has_a_row_or_a_reason(rows: list[str]) -> None:
    measured = {row.split(",")[0] for row in rows}
    assert set(load_operations()) - measured == set(reasons())


def test_a_row_and_a_reason_are_given_once(rows: list[str]) -> None:
    assert [row for row, count in Counter(rows).items() if count > 1] == []
    assert sum(len(names.split()) for names in LEFT_OUT.values()) == len(reasons())


def test_a_group_that_fails_gives_what_it_has() -> None:
    def group(tf):
        yield "One", lambda: None
        raise ValueError("no more")

    calls, fault = made(group, tf)
    assert list(calls) == ["One"]
    assert "no more" in fault


def test_the_least_time_counts() -> None:
    clock = iter([0.0, 5.0, 10.0, 12.0, 20.0, 29.0])
    calls = []

    def call() -> None:
        calls.append(1)
        if len(calls) == 13:  # ten that do not count, and three that do
            time.sleep(1.1)

    assert best(call, 0.0, lambda: next(clock)) == 2.0
    assert len(calls) == 13


ANSWERS = [
    Answer("Elements", "Sin", 1e-3, 2e-3),
    Answer("Elements", "Exp", 4e-3, 2e-3),
    Answer("Strings", "Join", None, 1e-3, "pullback: ValueError: so"),
]


def test_the_slowest_comes_first_and_faults_are_told() -> None:
    text = report(ANSWERS, "Today.", ["something was not measured"])
    assert "2 rows: 1 level or ahead, 1 beyond 1.5 times" in text
    assert text.index("| Exp | 4.000 | 2.000 | 2.00 |") < text.index("| Sin | 1.000 | 2.000 | 0.50 |")
    assert "| Join |  | 1.000 | | pullback: ValueError: so |" in text
    assert "- something was not measured" in text
    assert all(why in text for why in LEFT_OUT)
