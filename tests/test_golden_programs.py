"""Every label of every golden program against TensorFlow's recorded answer, one test a label."""

from __future__ import annotations

from typing import Any

import pytest

from tests import cases as table
from tests.golden import store
from tests.golden.compare import differences
from tests.golden.programs import kit
from tests.golden.replay import answers as found

GOLDEN = {name: store.read(f"program_{name}").get("labels", {}) for name in kit.names()}
LABELS = [pytest.param(name, label, id=f"{name}:{label}") for name, labels in GOLDEN.items() for label in labels]


@pytest.mark.parametrize(("name", "label"), LABELS)
def test_label(name: str, label: str) -> None:
    answers = found(name)
    whole = f"{label.split('/', maxsplit=1)[0]}/*"
    answer = answers[label] if label in answers else answers.get(whole, "no such label")
    if isinstance(answer, dict) and "unexpected" in answer:
        pytest.fail(f"{name}: {label}: {answer['unexpected']['class']}: {answer['unexpected']['message'][:500]}")
    wrong = differences(GOLDEN[name][label], _stored(answer), label)
    assert not wrong, "\n".join(wrong)


def _stored(answer: Any) -> Any:
    """The answer as it would come back from a golden file."""
    return store.decode(store.encode(answer))


@pytest.mark.parametrize("name", kit.names())
def test_every_label_is_recorded(name: str) -> None:
    new = sorted(label for label in found(name) if label not in GOLDEN[name] and not label.endswith("/*"))
    assert new == [], "labels without a golden record; `make golden` records them"


def test_there_are_enough_golden_checks(capsys: pytest.CaptureFixture[str]) -> None:
    cases = sum(len(table.cases(family)) for family in table.families())
    errors = sum(len(table.errors(family)) for family in table.families())
    labels = sum(map(len, GOLDEN.values()))
    with capsys.disabled():
        print(f"\ngolden checks: {cases} cases + {errors} errors + {labels} labels = {cases + errors + labels}")
    assert cases + errors + labels >= 1500
