"""Every case of the case table against TensorFlow's recorded answer: eagerly under a tape, and through graph and Session."""

from __future__ import annotations

from typing import Any

import pytest

import pullback
from tests import cases as table
from tests.cases.case import Case, ErrorCase, is_float
from tests.golden import observe, store
from tests.golden.compare import differences, shapes

Record = dict[str, Any]
FAMILIES = table.families()
GOLDEN = {family: store.read(f"cases_{family}") for family in FAMILIES}
CASES = [pytest.param(family, case, id=f"{family}:{case.id}") for family in FAMILIES for case in table.cases(family)]
ERRORS = [pytest.param(family, wrong, id=f"{family}:{wrong.id}") for family in FAMILIES for wrong in table.errors(family)]


def golden(family: str, section: str, name: str) -> Record:
    records: Record = GOLDEN[family].get(section, {})
    assert name in records, f"{family}: {name} has no golden record; `make golden` records it"
    record: Record = records[name]
    return record


@pytest.mark.every_row
@pytest.mark.parametrize(("family", "case"), CASES)
def test_eager(family: str, case: Case) -> None:
    expected = golden(family, "cases", case.id)
    found = observe.eager(pullback, case)
    if "no kernel" not in expected:  # where TensorFlow has none, it must run here; tests/test_laws.py judges the numbers
        report(case, _compare_values(expected, found, case))


@pytest.mark.parametrize(("family", "case"), CASES)
@pytest.mark.parametrize("key", ["graph", "unknown"])
def test_graph(family: str, case: Case, key: str) -> None:
    expected = golden(family, "cases", case.id)
    if "no kernel" in expected:
        found = observe.eager(pullback, case)
        report(case, _compare_values(found, observe.graph(pullback, case, known=key == "graph"), case))
        return
    mode = expected[key]
    if "refused" in mode:
        _check_refused(case, expected, mode["refused"], key)
        return
    found = observe.graph(pullback, case, known=key == "graph")
    wrong = [d for i, (e, f) in enumerate(zip(mode["static"], found["static"], strict=True)) for d in shapes(e, f, f"output {i}")]
    report(case, wrong + _compare_graph(expected, mode, found, case))


def _check_refused(case: Case, expected: Record, refused: Record, key: str) -> None:
    """TensorFlow cannot build this: Pullback may, and must then give the eager answer, or refuse with the same class."""
    found, failed = observe.outcome(lambda: observe.graph(pullback, case, known=key == "graph"))
    if failed is None:
        report(case, differences(expected["outputs"], found["outputs"], "outputs", case.rtol, case.atol))
    else:
        report(case, _class_differs(refused, failed))


def _compare_values(expected: Record, found: Record, case: Case) -> list[str]:
    wrong = differences(expected["outputs"], found["outputs"], "outputs", case.rtol, case.atol)
    if "gradient error" in expected:
        if "gradient error" not in found and case.smooth and expected["gradient error"]["class"] == "LookupError":
            return wrong  # TensorFlow has no rule: where we have one, tests/test_laws.py judges it by differences
        if "gradient error" not in found:
            return [*wrong, f"gradient: expected {expected['gradient error']['class']}, got {found.get('gradients')}"]
        return wrong + _class_differs(expected["gradient error"], found["gradient error"])
    if "gradient error" in found:
        return [*wrong, f"gradient: {found['gradient error']}"]
    return wrong + differences(expected.get("gradients"), found.get("gradients"), "gradients", case.rtol, case.atol)


def _compare_graph(expected: Record, mode: Record, found: Record, case: Case) -> list[str]:
    wrong = differences(expected["outputs"], found["outputs"], "outputs", case.rtol, case.atol)
    if "kinds" in mode:
        kinds = [None if g is None else "sparse" if isinstance(g, dict) else "dense" for g in found.get("gradients", [])]
        return wrong if kinds == mode["kinds"] else [*wrong, f"gradients: expected {mode['kinds']}, got {kinds}"]
    if "gradients" not in found:
        return wrong
    return wrong + differences(expected.get("gradients"), found["gradients"], "gradients", case.rtol, case.atol)


@pytest.mark.parametrize(("family", "wrong"), ERRORS)
def test_error(family: str, wrong: ErrorCase) -> None:
    expected = golden(family, "errors", wrong.id)
    found = observe.refusal(pullback, wrong)
    assert found is not None, f"expected {expected['class']} ({expected['message'][:200]}), but it was accepted"
    said = _class_differs(expected, found)
    if expected.get("when") == "build" and found.get("when") != "build":
        said.append("expected to be refused while the graph is built, was refused when it ran")
    op = expected["op"]
    if op is not None and op.lower() not in found["message"].lower():
        said.append(f"the message does not name {op}: {found['message'][:300]}")
    assert not said, "\n".join([wrong.id, *said])


def _class_differs(expected: Record, found: Record) -> list[str]:
    if expected["class"] in (found["class"], *found["bases"]):
        return []
    return [f"expected {expected['class']} ({expected['message'][:200]}), got {found['class']}: {found['message'][:300]}"]


def report(case: Case, wrong: list[str]) -> None:
    assert not wrong, "\n".join([f"{case.id} with {[f'{x.dtype}{list(x.shape)}' for x in case.inputs]}", *wrong])


@pytest.mark.parametrize("family", FAMILIES)
def test_no_record_without_its_case(family: str) -> None:
    current = {"cases": {c.id for c in table.cases(family)}, "errors": {e.id for e in table.errors(family)}}
    stale = {section: sorted(set(GOLDEN[family].get(section, {})) - names) for section, names in current.items()}
    assert stale == {"cases": [], "errors": []}, "records of cases that are gone; `make golden` drops them"


def test_gradients_are_recorded_for_every_floating_input() -> None:
    """A record that lost its gradients would let any answer pass."""
    for family in FAMILIES:
        for case in table.cases(family):
            record = golden(family, "cases", case.id)
            sources = [x for x in case.inputs if is_float(x.dtype)]
            assert {"gradient error", "no kernel"} & record.keys() or len(record.get("gradients", [])) == len(sources), case.id
