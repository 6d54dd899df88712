"""The case table: every family module in this folder, collected by name.

A family module is small and needs only NumPy.  A whole one looks like this::

    from typing import Any

    from tests.cases.case import Case, ErrorCase, case, error, floats

    CASES: list[Case] = [
        case("Sin", "vector", lambda tf, x: tf.sin(x), floats(4)),
        case("Sin", "float64 scalar", lambda tf, x: tf.sin(x), floats(dtype="float64")),
        case("Abs", "at zero", lambda tf, x: tf.abs(x), np.zeros(2, np.float32), smooth=False),
        case("AddV2", "row and column", lambda tf, x, y: x + y, floats(1, 3), floats(2, 1, seed=1)),
        case("Sum", "keep_dims of TensorFlow 1", lambda tf, x: tf.reduce_sum(x, 1, keep_dims=True), floats(2, 3), face="v1"),
    ]
    ERRORS: list[ErrorCase] = [
        error("MatMul: inner sizes differ", lambda tf, a, b: tf.matmul(a, b), floats(2, 3), floats(2, 3)),
        error("MatMul: inner sizes differ", lambda tf, a, b: tf.matmul(a, b), floats(2, 3), floats(2, 3), mode="graph"),
    ]

`python -m tests.golden.make --check tests.cases.math` (with TensorFlow 2.21) says which cases TensorFlow itself refuses.
"""

from __future__ import annotations

import importlib
import pkgutil

from tests.cases.case import Case, ErrorCase

__all__ = ["Case", "ErrorCase", "cases", "errors", "families"]


def families() -> list[str]:
    """The names of the family modules, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name != "case")


def cases(family: str) -> list[Case]:
    """The cases of one family, with a check that no two of them share a name."""
    found: list[Case] = importlib.import_module(f"{__name__}.{family}").CASES
    _refuse_twins(family, [f"{c.op} / {c.label}" for c in found])
    return found


def errors(family: str) -> list[ErrorCase]:
    """The error cases of one family; a family may have none."""
    found: list[ErrorCase] = getattr(importlib.import_module(f"{__name__}.{family}"), "ERRORS", [])
    _refuse_twins(family, [f"{e.label} / {e.mode}" for e in found])
    return found


def _refuse_twins(family: str, names: list[str]) -> None:
    twins = sorted({name for name in names if names.count(name) > 1})
    if twins:
        raise ValueError(f"tests.cases.{family} uses these names twice: {twins}")
