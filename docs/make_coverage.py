"""Write docs/coverage.md, what each operation's record gives to each transformation, from the registry and the case table: `make docs`."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests import cases as table
from tests.cases.case import Case, cotangent, is_float
from tests.golden import observe
from tests.lawkit import heard

import pullback
from pullback.control.batch import way_of
from pullback.engine.lower import CONTROL
from pullback.engine.lowering.lists import LISTS
from pullback.engine.lowering.specialise import CALLS
from pullback.ir.op import Op
from pullback.ops.all_operations import load_operations
from pullback.ops.lowering.factor import XLA_ALONE
from pullback.transforms.tangents import forward_rule

PAGE = Path(__file__).with_name("coverage.md")
HEAD = """# What every operation gives to every transformation

Made from the registry and the case table by `make docs`; a test keeps it up to date. There are {count} operations. Each has an entry in
every column. An operation without a rule of its own takes a general way, which is right and slower.

{sums}

## What the words mean

| column | word | meaning |
|---|---|---|
| reverse (`vjp`) | rule | gradients flow by the rule of its record |
| | none | no gradient flows; the answer is None |
| | not registered | asking for the gradient is a LookupError, as in TensorFlow |
| forward (`jvp`) | rule | it has a rule of its own |
| | partials | the partial derivatives of the reverse rule, which are a diagonal matrix |
| | itself | it is linear, or linear in each of two inputs, and is applied to tangents |
| | transposed | the reverse rule, transposed |
| batch | rule | one larger operation for all rows, or a loop where axes, sizes or segments differ from row to row |
| | element by element | the operation itself, with aligned ranks |
| | loop | one row after the other, and the reason, if no rule can help |
| second order | yes | its gradient can be differentiated again; otherwise the operation without a gradient in its rule |
| native | inlined | part of the loops of a native program, for some dtypes or arguments at least |
| | inside | control flow, lists and variables, which the program runs itself |
| | kernel | a native program calls the NumPy kernel |

## The operations

| operation | reverse | forward | batch | second order | native |
|---|---|---|---|---|---|
"""


def reverse(op: Op) -> str:
    return "_not registered_" if op.rules is None else "rule" if op.rules else "_none_"


def forward(op: Op) -> str:
    if not op.rules:
        return "–"
    if op.jvp is not None:
        return "rule"
    if op.pointwise:
        return "partials"
    return "transposed" if forward_rule(op) is None else "itself"


def batch(op: Op) -> str:
    if isinstance(op.batch, str):
        return f"loop: {op.batch}"
    return way_of(op) if op.inputs or op.stateful else "–"


#: What a native program opens, or keeps in its own memory, instead of calling a kernel.
INSIDE = CONTROL | LISTS.keys() | CALLS | {"ReadVariableOp"}


def is_inlined(op: Op) -> bool:
    return op.lower is not None and op.lower not in XLA_ALONE


def native(op: Op) -> str:
    if is_inlined(op):
        return "inlined"
    return "inside" if op.name in INSIDE or op.traits.same else "kernel"


def second_order(op: Op, blocked: dict[str, set[str]]) -> str:
    if not op.rules:
        return "–"
    return ", ".join(f"no: `{name}`" for name in sorted(blocked.get(op.name, ()))) or "yes"


def without_gradient() -> dict[str, set[str]]:
    """By operation, those without a registered gradient that its own gradient applies to floating numbers, in its cases."""
    found: dict[str, set[str]] = {}
    ops = load_operations()
    for family in table.families():
        for case in table.cases(family):
            if case.op in ops and ops[case.op].rules and any(is_float(x.dtype) for x in case.inputs):
                found.setdefault(case.op, set()).update(_unregistered(case))
    return found


def _unregistered(case: Case) -> set[str]:
    face = pullback if case.face == "v2" else pullback.compat.v1
    inputs = [observe.constant(pullback, x) for x in case.inputs]
    sources = [t for t, x in zip(inputs, case.inputs, strict=True) if is_float(x.dtype)]
    with pullback.GradientTape() as tape:
        tape.watch(sources)
        targets = [y for y in observe.leaves(case.f(face, *inputs)) if observe.differentiable(y)]
    seeds = [observe.constant(pullback, cotangent(tuple(y.shape), y.dtype.as_numpy_dtype)) for y in targets]
    with heard() as applications, suppress(LookupError):  # of another operation in the case
        tape.gradient(targets, sources, output_gradients=seeds)
    return {a.op.name for a in applications if a.op.rules is None and any(_carries(t) for t in a.inputs)}


def _carries(t: Any) -> bool:
    return bool(t.dtype.is_floating or t.dtype.is_complex)


def page() -> str:
    blocked = without_gradient()
    ops = [op for _, op in sorted(load_operations().items())]
    rows = [f"| `{op.name}` | {reverse(op)} | {forward(op)} | {batch(op)} | {second_order(op, blocked)} | {native(op)} |" for op in ops]
    ways = [batch(op) for op in ops]
    sums = (
        f"Batched by a rule: {ways.count('rule')}; element by element: {ways.count('element by element')}; "
        f"by a loop: {sum(way.startswith('loop') for way in ways)}. "
        f"Inlined in native programs: {sum(map(is_inlined, ops))}."
    )
    return HEAD.format(count=len(rows), sums=sums) + "\n".join(rows) + "\n"


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        PAGE.write_text(page())
    print(f"written: {PAGE}")
