"""Compiled programs give what the NumPy executor gives: every case and its gradient, as one native program, on any number of threads.

Blocks are made tiny here, so that small cases too are cut in blocks that several threads share.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import pullback
from pullback.engine.emission import blas_calls, segment
from pullback.engine.jit_policy import Settings, native_program
from pullback.engine.lowering import convolution, factors, scans
from pullback.ir.plan import Plan, Run
from pullback.ir.tensor import IndexedSlices, TensorType
from pullback.kernels import parallel
from pullback.kernels.backend import ENGINE
from tests.cases.case import Case, cotangent, is_float
from tests.golden import observe
from tests.golden.compare import differences
from tests.test_laws import CASES, GOLDEN, PLACED


@pytest.fixture
def tiny_blocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Cut everything in blocks, run bodies natively from the first time on, and put the number of threads back."""
    monkeypatch.setattr(Settings, "jit", True)
    for module in (segment, blas_calls, convolution, factors, scans):
        monkeypatch.setattr(module, "_BLOCK_WORK", 64)
    monkeypatch.setattr(blas_calls, "_LEAST_SIDE", 1)
    before = parallel.threads()
    yield
    parallel.set_threads(before)


def _planned(case: Case) -> tuple[Plan, list[Any]]:
    """The plan of a case's outputs and its gradients, and the values to feed."""
    outputs, gradients, inputs = graph_of(case)
    return Plan([*outputs, *gradients], inputs), list(case.inputs)


def graph_of(case: Case) -> tuple[list[Any], list[Any], list[Any]]:
    """A case's outputs, its gradients and its inputs, in a graph of their own."""
    v1 = pullback.compat.v1
    with v1.Graph().as_default():
        inputs = [observe.placeholder(v1, x, known=True) for x in case.inputs]
        outputs = [y for y in observe.leaves(case.f(pullback if case.face == "v2" else v1, *inputs)) if hasattr(y, "op")]
        targets = [
            y for y in outputs if observe.differentiable(y) and None not in (y.shape.as_list() if y.shape.rank is not None else [None])
        ]
        sources = [x for x, given in zip(inputs, case.inputs, strict=True) if is_float(given.dtype)]
        found: list[Any] = []
        if sources and targets:
            seeds = [pullback.constant(cotangent(tuple(y.shape.as_list()), y.dtype.as_numpy_dtype)) for y in targets]
            found = [g for g in v1.gradients(targets, sources, grad_ys=seeds) if g is not None]
    parts = [part for g in found for part in ((g.values, g.indices) if isinstance(g, IndexedSlices) else (g,))]
    return outputs, [p for p in parts if hasattr(p, "op")], inputs


@pytest.mark.usefixtures("tiny_blocks")
@pytest.mark.parametrize(("family", "case"), PLACED)
def test_compiled_gives_what_the_executor_gives(family: str, case: Case) -> None:
    """Values and gradients to rounding; to the bit between 1, 2 and 3 threads."""
    try:
        plan, values = _planned(case)
    except (TypeError, ValueError, LookupError, pullback.errors.OpError):
        assert "refused" in GOLDEN[family]["cases"][case.id].get("graph", {}), "only what TensorFlow cannot build may be refused"
        return
    if any(node.primitive.name == "VarHandleOp" for node in plan.nodes):
        pytest.skip("a variable has no value without a session: tests/test_golden_compiled.py has those")
    run_plan, ENGINE.run_plan = ENGINE.run_plan, Plan.run_on_kernels
    try:
        with np.errstate(all="ignore"):
            expected = plan.run(values, Run({}, {}))
    finally:
        ENGINE.run_plan = run_plan
    program, why = native_program(plan, [TensorType(x.shape, t.dtype) for x, t in zip(values, plan.fed, strict=True)])
    if program is None:  # all of it is called: tests/test_golden_cases.py judges that
        assert not _is_arithmetic(plan), f"{case.id} has no native program: {why}"
        pytest.skip("nothing in it has native code")
    answers = []
    for threads in (1, 2, 3):
        parallel.set_threads(threads)
        with np.errstate(all="ignore"):
            found = program.run(values, Run({}, {}))
        assert found is not None, f"{case.id}: the native program reports a fault"
        answers.append([_array(a) for a in found])
    wrong = differences([_array(a) for a in expected], answers[0], "values", case.rtol, case.atol)
    for threads, others in zip((2, 3), answers[1:], strict=True):
        wrong += [
            f"{i}: {threads} threads give other bits" for i, (a, b) in enumerate(zip(answers[0], others, strict=True)) if not _same(a, b)
        ]
    assert not wrong, "\n".join([case.id, *wrong])


def _is_arithmetic(plan: Plan) -> bool:
    """Whether a plan is arithmetic on real numbers of known shapes: what the engine must never refuse."""
    given = {t.uid for t in plan.fed}
    steps = [node for node in plan.nodes if node.primitive.name not in ("Const", "Identity")]
    made = [t for node in steps for t in node.outputs]
    constants = [t.node.attrs["value"] for node in plan.nodes for t in node.inputs if t.node.primitive.name == "Const"]
    if any(np.isin(value, (0, 1)).all() for value in constants):
        return False  # a factor of one, or a term of zero, leaves nothing to compute
    return any(t.uid in given for node in steps for t in node.inputs) and all(
        [node.primitive.name in _ARITHMETIC for node in steps]
        + [t.dims is not None and None not in t.dims and 0 not in t.dims and t.dtype in _REAL for t in made]
    )


_ARITHMETIC = frozenset(("AddV2", "Sub", "Mul", "Neg", "RealDiv", "Exp", "Log", "Tanh", "Square", "Sqrt", "TanhGrad", "MatMul"))
_REAL = (pullback.float32, pullback.float64)


def _array(value: Any) -> Any:
    return np.array(value) if isinstance(value, (np.ndarray, np.generic)) else None


def _same(a: Any, b: Any) -> bool:
    return a is b or (a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()) or a.dtype.kind == "O"


def test_arithmetic_that_must_compile_is_among_the_cases() -> None:
    cases = [case for _, case in CASES if case.op in _ARITHMETIC and case.face == "v2"]
    arithmetic = [case.id for case in cases if _is_arithmetic(_planned(case)[0])]
    assert len(arithmetic) > 20, arithmetic


def test_large_programs_give_the_same_bits_on_any_number_of_threads() -> None:
    """Blocks as they are: element-wise loops, sums of all and of rows and columns, products, in float32 and float64, with gradients."""
    rng = np.random.default_rng(3)
    for dtype, rtol in ((np.float32, 2e-5), (np.float64, 1e-12)):
        x, w = rng.normal(size=(700, 300)).astype(dtype), rng.normal(size=(300, 210)).astype(dtype)
        with pullback.Graph().as_default():
            given = [pullback.compat.v1.placeholder(dtype, a.shape) for a in (x, w)]
            h = pullback.tanh(pullback.matmul(*given) * 0.1)
            loss = pullback.reduce_sum(pullback.nn.log_softmax(h)[:, 3]) + pullback.reduce_mean(h * pullback.reduce_sum(h, 0))
            plan = Plan([loss, h, *pullback.compat.v1.gradients(loss, given)], given)
        program, reason = native_program(plan, [TensorType(a.shape, t.dtype) for a, t in zip((x, w), given, strict=True)])
        assert program is not None, reason
        before, answers = parallel.threads(), []
        try:
            for threads in (1, 2, 3):
                parallel.set_threads(threads)
                answers.append([np.array(a) for a in program.run([x, w], Run({}, {}))])
        finally:
            parallel.set_threads(before)
        assert all(_same(a, b) for others in answers[1:] for a, b in zip(answers[0], others, strict=True))
        run_plan, ENGINE.run_plan = ENGINE.run_plan, Plan.run_on_kernels
        try:
            expected = plan.run([x, w], Run({}, {}))
        finally:
            ENGINE.run_plan = run_plan
        for found, wanted in zip(answers[0], expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=rtol, atol=rtol * float(np.abs(wanted).max()))
