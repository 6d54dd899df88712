"""XLA in place of the native engine: the same values and gradients, faults, variables, and a reason for what it does not take."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.special

import pullback as tf
from pullback.engine.jit_policy import Settings, native_program
from pullback.engine.lowering.builder import Unsupported
from pullback.engine.xla import client, program as program_module
from pullback.engine.xla.program import XlaProgram
from pullback.ir.plan import Plan, Run
from pullback.ir.tensor import TensorType
from pullback.kernels.backend import ENGINE
from tests.cases.case import Case
from tests.golden.compare import differences
from tests.test_compiled import _array, _planned, graph_of
from tests.test_laws import PLACED

needs_xla = pytest.mark.skipif(importlib.util.find_spec("jaxlib") is None, reason="needs jaxlib: pip install pullback[xla]")
SOURCE = Path(__file__).parents[1] / "src"
#: Cases that jump where a rounding decides, which XLA does with fused multiply-adds.
JUMPS = {"FakeQuantWithMinMaxVars/(-6.0, 6.0)"}
#: Cases whose gradient is another one by XLA itself (docs/scale.md): 0 times NaN is 0 where a truth value is a factor, and differences of
#: exponents near 1000 are known to 1e-4 in float32.
OTHER_GRADIENTS = {"Max/not a number", "Min/not a number", "CumulativeLogsumexp/large"}


@pytest.fixture
def on_xla() -> Iterator[None]:
    """What has no wish of its own goes to XLA."""
    before = tf.config.optimizer.get_jit()
    tf.config.optimizer.set_jit("xla")
    yield
    tf.config.optimizer.set_jit(before)
    Settings.jit = None if not before else Settings.jit


def _program(plan: Plan, values: list[Any]) -> XlaProgram | None:
    """XLA's program, or None where nothing of the plan is for it."""
    program, _ = native_program(plan, [TensorType(x.shape, t.dtype) for x, t in zip(values, plan.fed, strict=True)])
    return program if isinstance(program, XlaProgram) else None


def _answers(case: Case) -> tuple[XlaProgram | None, list[str]]:
    """XLA's program of a case and its gradients, and where its answers are not those of the kernels."""
    try:
        plan, values = _planned(case)
    except (TypeError, ValueError, LookupError, tf.errors.OpError):
        return None, []
    if any(node.primitive.name == "VarHandleOp" for node in plan.nodes):
        return None, []
    run_plan, ENGINE.run_plan = ENGINE.run_plan, Plan.run_on_kernels
    try:
        with np.errstate(all="ignore"):
            expected = plan.run(values, Run({}, {}))
    finally:
        ENGINE.run_plan = run_plan
    program = _program(plan, values)
    if program is None:
        return None, []
    with np.errstate(all="ignore"):
        found = program.run(values, Run({}, {}))
    if found is None:
        return program, ["XLA's program reports a fault"]
    return program, differences([_array(a) for a in expected], [_array(a) for a in found], "values", case.rtol, case.atol)


@needs_xla
@pytest.mark.rows(60)
@pytest.mark.usefixtures("on_xla")
@pytest.mark.parametrize(("family", "case"), PLACED)
def test_xla_gives_what_the_kernels_give(family: str, case: Case) -> None:
    if case.id in JUMPS:
        pytest.skip("a value between two levels goes to the other one by a rounding")
    program, wrong = _answers(case)
    if program is None:
        pytest.skip("nothing in it is for XLA")
    if case.id in OTHER_GRADIENTS:
        assert [text.partition(":")[0] for text in wrong] == ["values[1]"], "\n".join([case.id, *wrong])
    else:
        assert not wrong, "\n".join([case.id, *wrong])


@needs_xla
def test_how_many_operations_are_xlas_alone_with_their_gradients(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written as modules, not compiled: what they give is the test above's."""
    if not request.config.getoption("--every-row"):
        pytest.skip("half a minute: `make test-all` has it")
    monkeypatch.setattr(program_module, "Module", lambda *_: SimpleNamespace(asks=True))
    taken: set[str] = set()
    for _, case in (place.values for place in PLACED):
        if case.op not in taken and all(x.size for x in case.inputs) and _is_whole_with_gradients(case):
            taken.add(case.op)
    print(f"{len(taken)} operations with their gradients are XLA's alone: {' '.join(sorted(taken))}")
    assert len(taken) >= 300


def _is_whole_with_gradients(case: Case) -> bool:
    try:
        outputs, gradients, inputs = graph_of(case)
    except (TypeError, ValueError, LookupError, tf.errors.OpError):
        return False
    plan = Plan([*outputs, *gradients], inputs)
    if not gradients or any(node.primitive.name == "VarHandleOp" for node in plan.nodes):
        return False
    try:
        program = XlaProgram(plan, [TensorType(x.shape, t.dtype) for x, t in zip(case.inputs, plan.fed, strict=True)])
    except Unsupported:
        return False
    return bool(program.segments) and not any(stage.builder is None and stage.nodes for stage in program._stages)


def _is_xlas_alone(f: Any, *args: Any) -> bool:
    return [part.kind for part in f.explain(*args).parts] == ["module"]


@needs_xla
def test_variables_stay_on_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each goes there once; what is assigned elsewhere goes there again, and what is read here is what is there."""
    library = client.client()._jax
    put, sent = library.batched_device_put, []

    def noted(kind: Any, *rest: Any, **options: Any) -> Any:
        sent.append(kind.shape)
        return put(kind, *rest, **options)

    monkeypatch.setattr(library, "batched_device_put", noted)
    weights, table, narrow = tf.Variable(tf.ones([7])), tf.Variable(tf.ones([5, 3])), tf.Variable(tf.ones([2], tf.bfloat16))

    @tf.function(jit_compile="xla")
    def step(rows: Any) -> Any:
        weights.assign_add(tf.ones([7]) * tf.reduce_sum(tf.gather(table, rows)))
        narrow.assign_add([1.0, 1.0])
        return tf.reduce_sum(weights)

    rows = tf.constant([0, 4])
    assert [step(rows).numpy() for _ in range(3)] == [49, 91, 133]
    assert sent.count((5, 3)) == sent.count((7,)) == 1
    table.scatter_nd_update([[4]], [[0.0, 0.0, 0.0]])
    weights.assign(tf.zeros([7]))
    assert step(rows).numpy() == 21
    assert sent.count((5, 3)) == sent.count((7,)) == 2
    assert weights.numpy().tolist() == [3.0] * 7
    assert tf.cast(narrow, tf.float32).numpy().tolist() == [5.0, 5.0]
    weights.assign_add(tf.ones([7]))  # on the engine here
    assert weights.numpy().tolist() == [4.0] * 7


@needs_xla
def test_variables_are_written_where_they_are_unless_somebody_holds_them() -> None:
    """A new value takes the old one's memory; a tensor that shows the old one goes on showing it."""
    table = tf.Variable(np.zeros((1000, 8), np.float32))
    step = tf.function(lambda ids: table.scatter_add(tf.IndexedSlices(tf.ones([3, 8]), ids)), jit_compile="xla")
    ids = tf.constant([1, 5, 5])

    def where() -> int:
        storage = table.handle.value
        return int(storage.value.ctypes.data)

    step(ids)
    step(ids)
    before = where()
    step(ids)
    assert where() == before
    held = table.read_value()
    shown = held.numpy()
    step(ids)
    assert where() != before
    np.testing.assert_array_equal(held.numpy(), shown)
    del held
    before = where()
    step(ids)
    assert where() == before
    assert table.numpy()[[0, 1, 5], 0].tolist() == [0, 5, 10]


@needs_xla
def test_a_fault_leaves_variables_as_they_were() -> None:
    """Those of which rows were to be changed, and others, where a module had their memory to write to."""
    table, weight = tf.Variable(np.zeros((10, 2), np.float32)), tf.Variable(np.ones(4, np.float32))

    @tf.function(jit_compile="xla")
    def step(ids: tf.Tensor) -> None:
        table.scatter_sub(tf.IndexedSlices(tf.ones([2, 2]), ids))
        weight.assign(weight * 2.0)

    for _ in range(3):
        step(tf.constant([1, 2]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="10"):
        step(tf.constant([3, 10]))
    assert table.numpy()[:5, 0].tolist() == [0, -3, -3, 0, 0]
    assert weight.numpy().tolist() == [8.0] * 4
    step(tf.constant([3, 9]))
    assert table.numpy()[[3, 9], 0].tolist() == [-1, -1]
    assert weight.numpy().tolist() == [16.0] * 4


@needs_xla
def test_arguments_that_come_again_are_on_the_device_already() -> None:
    """A tensor is moved there once, one from outside too; an array of the program's own, which may have changed, is read each time."""
    scale, x = tf.constant([2.0, 3.0]), tf.constant([1.0, 2.0])
    double = tf.function(lambda x: tf.sin(x) * scale, jit_compile="xla")
    double(x)
    double(x)  # the first call had no program to move them for
    there = x.value
    assert client.client().is_kept(there) and client.client().is_kept(scale.value)
    np.testing.assert_allclose(double(x).numpy(), np.sin([1, 2]) * [2, 3], rtol=1e-6)
    assert x.value is there
    own, graph = np.float32([1, 2]), tf.Graph()
    with graph.as_default():
        fed = tf.compat.v1.placeholder(tf.float32, [2])
        fetched = tf.function(lambda x: tf.sin(x) * [2.0, 3.0], jit_compile="xla")(fed)
    session = tf.compat.v1.Session(graph=graph)
    for first in (1, 5, 7):
        own[0] = first
        for found in (double(own).numpy(), session.run(fetched, {fed: own})):
            np.testing.assert_allclose(found, np.sin([first, 2]) * [2, 3], rtol=1e-6)
    session.close()


@needs_xla
def test_what_a_loop_changes_where_it_is_is_read_anew() -> None:
    """A loop on kernels changes its arrays in place, and a function for XLA in it is given the same array each time."""
    total = tf.function(lambda x: tf.reduce_sum(tf.sin(x)), jit_compile="xla")

    def step(i: Any, x: Any, sums: Any) -> Any:
        x = tf.tensor_scatter_nd_update(x, [[i]], [tf.cast(i, tf.float32) + 1.0])
        return i + 1, x, sums.write(i, total(x))

    @tf.function(jit_compile=False)
    def run() -> Any:
        sums = tf.TensorArray(tf.float32, 4)
        return tf.while_loop(lambda i, *_: i < 4, step, (0, tf.zeros([8]), sums))[2].stack()

    np.testing.assert_allclose(run().numpy(), np.cumsum(np.sin([1, 2, 3, 4])), rtol=1e-6)


@needs_xla
def test_training_with_variables_loops_and_branches() -> None:
    def step(x: Any, steps: Any) -> Any:
        with tf.GradientTape() as tape:
            i, total = tf.constant(0), tf.constant(0.0)
            while i < steps:
                total += tf.reduce_sum(tf.tanh(x @ weights)) * tf.cast(i + 1, tf.float32)
                i += 1
            loss = tf.cond(total > 0, lambda: total * 2.0, lambda: -total)
        weights.assign_sub(0.01 * tape.gradient(loss, weights))
        return loss

    rng = np.random.default_rng(0)
    start, x = rng.normal(size=(4, 3)).astype(np.float32), tf.constant(rng.normal(size=(5, 4)).astype(np.float32))
    weights = tf.Variable(start)
    answers = []
    for jit in (False, "xla"):
        weights.assign(start)
        run = tf.function(step, jit_compile=jit)
        answers.append(([float(run(x, tf.constant(3))) for _ in range(3)], weights.numpy()))
    assert "module" in {part.kind for part in run.explain(x, tf.constant(3)).parts}
    np.testing.assert_allclose(answers[1][0], answers[0][0], rtol=1e-5)
    np.testing.assert_allclose(answers[1][1], answers[0][1], rtol=1e-5)


@needs_xla
def test_loops_and_branches_are_xlas_own() -> None:
    def f(x: Any, steps: Any) -> Any:
        i = tf.constant(0)
        while i < steps:
            x = tf.cond(tf.reduce_sum(x) > 0, lambda x=x: tf.sin(x) - 1.0, lambda x=x: tf.cos(x) * 2.0)
            i += 1
        return x, i

    compiled, plain, x = tf.function(f, jit_compile="xla"), tf.function(f, jit_compile=False), tf.constant([0.5, 1.0, -0.25])
    assert _is_xlas_alone(compiled, x, tf.constant(0))
    for n in range(4):
        for found, wanted in zip(compiled(x, tf.constant(n)), plain(x, tf.constant(n)), strict=True):
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5)


@needs_xla
@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128", "int8", "uint8", "int32", "int64", "uint64", "bool"]
)
def test_every_dtype(dtype: str) -> None:
    x = tf.cast(tf.constant([[3, 0, 1], [1, 2, 0]]), dtype)

    def f(x: Any) -> Any:
        parts = tf.concat([x, tf.reverse(x, [1])], 0)
        return tf.where(parts == x[0], parts, tf.zeros_like(parts)), tf.transpose(parts)[1:, ::2], tf.cast(parts, tf.float32)

    compiled = tf.function(f, jit_compile="xla")
    assert _is_xlas_alone(compiled, x)
    for found, wanted in zip(compiled(x), f(x), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found.numpy(), wanted.numpy())


@needs_xla
def test_what_xla_does_not_take_is_called_with_the_reason() -> None:
    @tf.function(jit_compile="xla")
    def f(x: Any) -> Any:
        return tf.linalg.expm(tf.math.special.bessel_j0(tf.tanh(x))) * 2.0

    x = tf.constant([[2.0, 0.5], [0.25, 1.0]])
    np.testing.assert_allclose(f(x).numpy(), scipy.linalg.expm(scipy.special.j0(np.tanh(x.numpy()))) * 2, rtol=1e-5)
    told = f.explain(x)
    assert [part.kind for part in told.parts] == ["module", "call", "call", "module"]
    assert "BesselJ0: XLA has no j0 of float32" in str(told)


def _spanned(x: Any) -> Any:
    """What does not know the signs of eigenvectors and singular vectors."""
    (e, v), (s, left, right), (q, r) = tf.linalg.eigh(x), tf.linalg.svd(x), tf.linalg.qr(x[..., :2])
    general, w = tf.linalg.eig(x)
    whole = tf.cast(s, x.dtype)[..., None, :] * left
    return [
        e, (v * e[..., None, :]) @ tf.linalg.adjoint(v), s, whole @ tf.linalg.adjoint(right), q @ r,
        (w * general[..., None, :]) @ tf.linalg.inv(w),
    ]  # fmt: skip


FACTORISED = {
    "inverse": lambda x: [tf.linalg.inv(x), tf.linalg.inv(x, adjoint=True)],
    "determinant": lambda x: [tf.linalg.det(x), *tf.linalg.slogdet(x)],
    "solution": lambda x: [tf.linalg.solve(x, x[..., :2]), tf.linalg.solve(x, x[..., :2], adjoint=True)],
    "substitution": lambda x: [tf.linalg.triangular_solve(x, x, lower=i > 1, adjoint=i % 2 > 0) for i in range(4)],
    "cholesky": lambda x: [tf.linalg.cholesky(x @ tf.linalg.adjoint(x))],
    "lu": lambda x: [*tf.linalg.lu(x)],
    "spectra": _spanned,
}


@needs_xla
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("what", FACTORISED)
def test_factorisations_are_xlas_own(what: str, dtype: str) -> None:
    """In stacks, whose pivots differ, with their gradients."""
    rng = np.random.default_rng(0)
    real, imaginary = rng.normal(size=(2, 3, 5, 5))
    x = tf.constant((real + 1j * imaginary if dtype.startswith("complex") else real).astype(dtype))

    def f(x: Any) -> Any:
        if what == "spectra":
            x = x + tf.linalg.adjoint(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            found = FACTORISED[what](x)
            total = tf.add_n([tf.reduce_sum(tf.abs(y)) for y in found if not y.dtype.is_integer])
        return [*found, tape.gradient(total, x)]

    compiled = tf.function(f, jit_compile="xla")
    assert _is_xlas_alone(compiled, x)
    single = dtype in ("float32", "complex64")
    for found, wanted in zip(compiled(x), f(x), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=2e-3 if single else 1e-9, atol=2e-4 if single else 1e-10)


@needs_xla
def test_matrices_that_have_no_such_factors_are_the_kernels_errors() -> None:
    singular, odd = tf.constant([[1.0, 2.0], [2.0, 4.0]]), tf.constant([[1.0, np.nan], [2.0, 4.0]])
    for f, x, words in (
        (tf.linalg.inv, singular, "not invertible"),
        (lambda x: tf.linalg.solve(x, x), singular, "not invertible"),
        (lambda x: tf.linalg.lu(x)[0], singular, "not invertible"),
        (lambda x: tf.linalg.eig(x)[0], odd, "not successful"),
    ):
        compiled = tf.function(lambda x, f=f: f(tf.identity(x)) * 1.0, jit_compile="xla")
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            compiled(x)
        assert _is_xlas_alone(compiled, x)
    values = tf.function(lambda x: tf.linalg.svd(x * 1.0, compute_uv=False), jit_compile="xla")(tf.stack([odd, singular])).numpy()
    assert np.isnan(values[0]).all()
    np.testing.assert_allclose(values[1], [5, 0], atol=1e-6)
    assert np.isnan(tf.function(lambda x: tf.linalg.cholesky(-x @ x), jit_compile="xla")(singular).numpy()[0, 0])


@needs_xla
def test_an_index_out_of_range_is_the_kernels_error() -> None:
    @tf.function(jit_compile="xla")
    def f(x: Any, i: Any) -> Any:
        return tf.gather(x, i) * 2.0

    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal(f(x, tf.constant([1, 0])).numpy(), [4.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="is not in"):
        f(x, tf.constant([1, 9]))


@needs_xla
def test_random_numbers_are_the_kernels() -> None:
    def draw() -> Any:
        return tf.random.uniform([5]), tf.random.stateless_normal([4], [1, 2])

    answers = []
    for jit in (False, "xla"):
        tf.random.set_seed(7)
        run = tf.function(draw, jit_compile=jit)
        answers.append(run())
    assert _is_xlas_alone(run)
    np.testing.assert_array_equal(answers[1][0].numpy(), answers[0][0].numpy())
    np.testing.assert_allclose(answers[1][1].numpy(), answers[0][1].numpy(), rtol=1e-5)


@needs_xla
def test_unknown_shapes_are_compiled_for_each_that_comes() -> None:
    @tf.function(jit_compile="xla", input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x: Any) -> Any:
        return tf.cumsum(x) / tf.reduce_sum(x)

    for n in (1, 3, 8):
        x = tf.range(1.0, n + 1.0)
        assert _is_xlas_alone(f, x)
        np.testing.assert_allclose(f(x).numpy(), np.cumsum(x.numpy()) / x.numpy().sum(), rtol=1e-6)


def test_jaxlib_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*(n for n in sys.modules if n.startswith("jaxlib.")), "jaxlib", "jaxlib.xla_client", "jaxlib._jax", "jaxlib._hlo"]:
        monkeypatch.setitem(sys.modules, name, None)
    client.client.cache_clear()

    @tf.function(jit_compile="xla")
    def f(x: Any) -> Any:
        return tf.tanh(x) * 2.0

    with pytest.raises(ImportError, match=r"pip install 'pullback\[xla\]'"):
        f(tf.constant([1.0, 2.0]))
    client.client.cache_clear()


@needs_xla
def test_constants_of_every_kind() -> None:
    mask = np.array([[True, False, True], [False, False, True]])
    known = [
        mask,
        np.arange(6, dtype=np.uint16).reshape(2, 3),
        np.array([1.5, -0.0, np.nan, np.inf]),
        np.array([1 + 2j, 3 - 1j]),
        np.zeros((0, 2)),
    ]

    def f(x: Any) -> Any:
        return [tf.where(tf.constant(mask), x, -x), *(tf.identity(tf.constant(v)) for v in known), tf.constant(known[2]) * x[0, 0]]

    x = tf.constant(np.arange(6.0).reshape(2, 3))
    compiled = tf.function(f, jit_compile="xla")
    assert _is_xlas_alone(compiled, x)
    for found, wanted in zip(compiled(x), f(x), strict=True):
        np.testing.assert_array_equal(found.numpy(), wanted.numpy())


@needs_xla
def test_an_exported_function_runs_without_this_library(tmp_path: Path) -> None:
    weights, scale = tf.Variable(np.linspace(-1, 1, 6).reshape(2, 3).astype(np.float32)), tf.constant([1.0, 2.0, 3.0])

    @tf.function
    def f(x: Any, i: Any, unused: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(tf.math.erf(tf.tan(x @ weights)) * tf.gather(scale, i))
        return loss, tape.gradient(loss, x), x, scale, tf.constant(7)

    specs = tf.TensorSpec([4, 2], name="x"), tf.TensorSpec([3], tf.int32, name="i"), tf.TensorSpec([], tf.bool, name="unused")
    f.export(str(tmp_path), *specs)
    x = np.arange(8.0, dtype=np.float32).reshape(4, 2) / 10
    expected = [v.numpy().tolist() for v in f(x, tf.constant([0, 2, 1]), tf.constant(True))]
    program = (
        f"import json, sys; from load import load; f = load({str(tmp_path)!r})\n"
        f"print(json.dumps([r.tolist() for r in f({x.tolist()}, [0, 2, 1], True)]))\n"
        "assert not {'pullback', 'jax', 'tensorflow'} & set(sys.modules)\n"
        f"try: f({x.tolist()}, [0, 2, 9], True)\n"
        "except ValueError as error: print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env={"PATH": ""}, capture_output=True, text=True, check=False)
    found, fault = run.stdout.splitlines() or (run.stderr, "")
    for a, b in zip(json.loads(found), expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)
    assert "out of range" in fault
    signature = json.loads((tmp_path / "signature.json").read_text())
    assert [(s["name"], s["shape"], s["dtype"]) for s in signature["inputs"]] == [
        ("x", [4, 2], "float32"),
        ("i", [3], "int32"),
        ("unused", [], "bool"),
    ]
    assert len((tmp_path / "load.py").read_text().splitlines()) < 25


def test_what_cannot_be_exported_says_why(tmp_path: Path) -> None:
    v = tf.Variable(1.0)
    one = tf.TensorSpec([2, 2])
    for f, spec, words in (
        (lambda x: x * 2.0, tf.TensorSpec([None], name="x"), "the shape of x is not known"),
        (lambda x: v.assign_add(tf.reduce_sum(x)), one, "changes variables"),
        (lambda x: tf.linalg.inv(x), one, "MatrixInverse: .* a portable module calls no LAPACK"),
    ):
        with pytest.raises(ValueError, match=words):
            tf.function(f).export(str(tmp_path), spec)
    with pytest.raises(ValueError, match="exported as 'stablehlo'"):
        tf.function(lambda x: x).export(str(tmp_path), one, format="onnx")
    assert not list(tmp_path.iterdir())


SHARDED = """
import json
import numpy as np
import pullback as tf
rng = np.random.default_rng(0)
start, x, y = (rng.normal(size=dims).astype(np.float32) for dims in ((6, 4), (32, 6), (32, 4)))
weights = tf.Variable(start)

@tf.function(jit_compile="xla")
def step(x, y):
    x, y = tf.distribute.shard(x), tf.distribute.shard(y, [4, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.tanh(x @ weights) - y) ** 2)
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss

losses = [float(step(x, y)) for _ in range(4)]
told = step.explain(x, y)
print(json.dumps([tf.distribute.xla_devices(), losses, weights.numpy().tolist(), [p.kind for p in told.parts], told.reason or ""]))
"""


def _sharded(devices: int) -> list[Any]:
    environment = os.environ | {"XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}", "PYTHONPATH": str(SOURCE)}
    run = subprocess.run([sys.executable, "-c", SHARDED], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found: list[Any] = json.loads(run.stdout)
    return found


@needs_xla
def test_eight_devices_give_what_one_gives() -> None:
    one, eight, three = (_sharded(devices) for devices in (1, 8, 3))
    assert (one[0], eight[0], three[0]) == (1, 8, 3)
    assert one[3] == eight[3] == ["module"]
    assert "8 parts do not go into 3 devices" in three[4]
    for found in (eight, three):
        np.testing.assert_allclose(found[1], one[1], rtol=1e-5)
        np.testing.assert_allclose(found[2], one[2], rtol=1e-5)


def test_parts_that_are_none() -> None:
    with pytest.raises(ValueError, match="parts are numbers from 1 on"):
        tf.distribute.shard([1.0, 2.0], 0)
    with pytest.raises(ValueError, match="Shape must be at least rank 2 but is rank 1"):
        tf.function(lambda x: tf.distribute.shard(x, [1, 2]))(tf.constant([1.0]))


@needs_xla
@pytest.mark.parametrize("x", [(1, 64, 64), (64, 64, 1), (3, 3, 2), (2, 3, 4, 3)])
def test_products_are_products_of_any_size(x: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """XLA knows which are loops; as sums of products, those of a vector and a matrix took 20 times as long in loops."""
    texts: list[str] = []
    written = program_module.module_of
    monkeypatch.setattr(program_module, "module_of", lambda *given: texts.append(written(*given)) or texts[-1])
    compiled = tf.function(lambda a, b: tf.tanh(a @ b), jit_compile="xla")
    a, b = (np.random.default_rng(0).normal(size=dims) for dims in (x[:-1], (*x[:-3], *x[-2:])))
    np.testing.assert_allclose(compiled(tf.constant(a), tf.constant(b)).numpy(), np.tanh(a @ b), rtol=1e-10)
    (text,) = texts
    assert "dot_general" in text
    assert "stablehlo.reduce" not in text


@needs_xla
def test_rows_are_looked_at_once_for_each_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gradient scatters by the indices that were gathered by: their range is known by then; that of other tables is not."""
    made, x, other, i = [], tf.ones([5, 2]), tf.ones([3, 2]), tf.constant([0, 4])
    monkeypatch.setattr(program_module, "Module", lambda _, builder, *__: made.append(len(builder.checks)) or SimpleNamespace(asks=True))

    def f(*tables: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(tables)
            y = tf.add_n([tf.reduce_sum(tf.gather(t, i) ** 2) for t in tables])
        return [tf.convert_to_tensor(g) for g in tape.gradient(y, tables)]

    for tables in ((x,), (x, x + 1.0), (x, other)):
        XlaProgram(tf.function(f).get_concrete_function(*tables).body.plan(), [TensorType(t.dims, t.dtype) for t in (*tables, i)])
    assert made == [1, 1, 2]
    with pytest.raises(tf.errors.InvalidArgumentError, match="is not in"):
        monkeypatch.undo()
        tf.function(f, jit_compile="xla")(x, other)


@needs_xla
def test_gradients_of_singular_vectors_do_not_divide_by_roundings() -> None:
    """A square less itself is not 0 where XLA rounds one of the two alone."""
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(5, 5)) + 1j * rng.normal(size=(5, 5)))

    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            s, u, v = tf.linalg.svd(x)
            total = tf.reduce_sum(tf.abs((u * tf.cast(s, x.dtype)) @ tf.linalg.adjoint(v)))
        return tape.gradient(total, x)

    np.testing.assert_allclose(tf.function(f, jit_compile="xla")(x).numpy(), f(x).numpy(), rtol=1e-9, atol=1e-10)


@needs_xla
@pytest.mark.usefixtures("on_xla")
def test_sessions_and_variables_without_a_value() -> None:
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        weights = v1.get_variable("weights", [2, 2], initializer=v1.ones_initializer())
        loss = v1.reduce_sum(tf.tanh(weights) * 2.0)
        train = v1.train.GradientDescentOptimizer(0.5).minimize(loss)
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(loss)
        session.run(v1.global_variables_initializer())
        session.run(train)
        np.testing.assert_allclose(session.run(weights), 1 - (1 - np.tanh(1) ** 2) * np.ones((2, 2)), rtol=1e-6)


def _turning(x: Any, start: int, going: Any, step: int, stop: float = np.inf) -> Any:
    """A value after a loop with a counter, its gradient, and the gradient of that."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            _, y = tf.while_loop(
                lambda i, y: tf.logical_and(going(i), tf.reduce_sum(y) < stop), lambda i, y: (i + step, tf.sin(y * x) + 1.0), (start, x)
            )
            total = tf.reduce_sum(y)
        first = inner.gradient(total, x)
    return y, first, outer.gradient(first, x)


LOOPS = {
    "below": (0, lambda i: i < 5, 1),
    "the limit first": (0, lambda i: tf.greater(tf.constant(5), i), 1),
    "up to": (1, lambda i: i <= 5, 2),
    "down to": (7, lambda i: i >= 0, -3),
    "above": (7, lambda i: i > 1, -3),
    "never": (5, lambda i: i < 5, 1),
    "and until another thing": (0, lambda i: i < 50, 1, 4.0),
}


@needs_xla
@pytest.mark.parametrize("how", LOOPS)
def test_gradients_of_loops_whose_turns_are_known_at_most_are_xlas_alone(how: str) -> None:
    x = tf.constant([0.5, 1.0, -0.25])
    compiled, plain = (tf.function(lambda x: _turning(x, *LOOPS[how]), jit_compile=jit) for jit in ("xla", False))
    assert _is_xlas_alone(compiled, x)
    for found, wanted in zip(compiled(x), plain(x), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=2e-4, atol=1e-5)


def _stepped(w: Any, x: Any, turns: int, inner: int = 0, also: Any = None) -> Any:
    """tanh of products with a variable that loops only read, in a loop, and in a loop in it."""
    def turn(i: Any, y: Any) -> Any:
        y = tf.tanh(y @ w + x)
        if inner:
            _, y = tf.while_loop(lambda j, _: j < inner, lambda j, y: (j + 1, tf.sin(y @ w) + also), (0, y))
        return i + 1, y

    return tf.while_loop(lambda i, _: i < turns, turn, (0, x))[1]


READING = {
    "a loop": lambda w, x, p: _stepped(w, x, 4),
    "no turn": lambda w, x, p: _stepped(w, x, 0),
    "loops in a loop": lambda w, x, p: _stepped(w, x, 3, 2, x),
    "in a branch": lambda w, x, p: tf.cond(p > 0, lambda: _stepped(w, x, 3), lambda: _stepped(w, x, 3) * 2.0),
    "in one branch": lambda w, x, p: tf.cond(p > 0, lambda: _stepped(w, x, 3), lambda: x),
    "what it reads twice": lambda w, x, p: _stepped(w, x, 3, 2, tf.reduce_sum(w)) + _stepped(w, tf.sin(x), 2),
}


@needs_xla
@pytest.mark.parametrize("p", [1.0, -1.0])
@pytest.mark.parametrize("how", READING)
def test_derivatives_of_loops_that_read_variables(how: str, p: float) -> None:
    """First and second ones are what they are without XLA."""
    rng = np.random.default_rng(0)
    w, x = tf.Variable(rng.normal(size=(7, 7)) * 0.4), tf.constant(rng.normal(size=(2, 7)))

    def f(x: Any, p: Any) -> Any:
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = READING[how](w, x, p)
                total = tf.reduce_sum(y * y)
            first = tape.gradient(total, [w, x])
            norm = tf.reduce_sum(first[1] ** 2) + (0.0 if first[0] is None else tf.reduce_sum(first[0] ** 3))
        return total, *first, *outer.gradient(norm, [w, x])

    compiled, plain = (tf.function(f, jit_compile=jit) for jit in ("xla", False))
    for found, wanted in zip(compiled(x, tf.constant(p)), plain(x, tf.constant(p)), strict=True):
        assert (found is None) == (wanted is None)
        if found is not None:
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-8, atol=1e-10)


@needs_xla
def test_what_a_loop_only_reads_is_not_kept_for_each_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is in no list of as many as there are turns, as its products are."""
    texts: list[str] = []
    written = program_module.module_of
    monkeypatch.setattr(program_module, "module_of", lambda *given: texts.append(written(*given)) or texts[-1])
    w = tf.Variable(tf.eye(7))

    @tf.function(jit_compile="xla")
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(_stepped(w, x, 4))
        return tape.gradient(total, w)

    x = tf.ones([2, 7])
    f(x)
    assert _is_xlas_alone(f, x)
    assert "tensor<4x2x7xf32>" in texts[0]
    assert "tensor<4x7x7xf32>" not in texts[0]


@needs_xla
def test_lists_with_elements_at_places_are_xlas_own() -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            sums = tf.scan(lambda c, row: tf.tanh(c + row), x)
            squares = tf.map_fn(lambda row: tf.reduce_sum(row * row), x)
            ends = tf.TensorArray(tf.float32, 2)
            for i in tf.range(2):
                ends = ends.write(i, tf.cond(x[i, 0] > 0.0, lambda i=i: x[i] * 2.0, lambda i=i: sums[i]))
            total = tf.reduce_sum(sums) + tf.reduce_sum(squares) + tf.reduce_sum(ends.stack() ** 2)
        return sums, squares, ends.stack(), tape.gradient(total, x)

    x = tf.constant(np.random.default_rng(0).normal(size=(4, 3)), tf.float32)
    compiled = tf.function(f, jit_compile="xla")
    assert _is_xlas_alone(compiled, x)
    for found, wanted in zip(compiled(x), tf.function(f, jit_compile=False)(x), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5, atol=1e-6)


@needs_xla
def test_loops_that_do_not_say_how_often_they_turn_keep_their_lists_with_the_kernels() -> None:
    def f(x: Any, limit: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            while tf.reduce_sum(y) < limit:
                y = y * y + x
        return y, tape.gradient(y, x)

    compiled, x = tf.function(f, jit_compile="xla"), tf.constant([0.5, 1.0])
    for limit in (1.0, 3.0, 40.0):
        for found, wanted in zip(compiled(x, tf.constant(limit)), f(x, tf.constant(limit)), strict=True):
            np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5)
    assert "does not say how many turns" in str(compiled.explain(x, tf.constant(3.0)))


@needs_xla
def test_fourier_transforms_are_xlas_own() -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            half, whole = tf.signal.rfft(x, [5]), tf.signal.fft2d(tf.cast(x, tf.complex64))
            back = tf.signal.irfft(half * half, [5])
            total = tf.reduce_sum(back**2) + tf.reduce_sum(tf.abs(whole)) + tf.reduce_sum(tf.abs(tf.signal.stft(x, 4, 2)) ** 2)
        return half, whole, back, tape.gradient(total, x)

    x = tf.constant(np.random.default_rng(0).normal(size=(3, 8)), tf.float32)
    compiled = tf.function(f, jit_compile="xla")
    assert _is_xlas_alone(compiled, x)
    for found, wanted in zip(compiled(x), f(x), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-4, atol=1e-4)
    short = tf.function(lambda x: tf.raw_ops.RFFT(input=x, fft_length=[9]), jit_compile="xla")
    with pytest.raises(tf.errors.InvalidArgumentError, match="FFT"):
        short(x)


@needs_xla
def test_custom_gradients_and_recomputed_ones_are_xlas_own() -> None:
    @tf.custom_gradient
    def halved(x: Any) -> Any:
        return x * x, lambda upstream: 0.5 * upstream

    again = tf.recompute_grad(lambda x: tf.sin(x) * tf.exp(x))

    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(3):
                y = halved(y) + again(y)
            total = tf.reduce_sum(y)
        return total, tape.gradient(total, x)

    x = tf.constant([0.5, -0.25])
    compiled = tf.function(f, jit_compile="xla")
    for found, wanted in zip(compiled(x), f(x), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5)
    assert _is_xlas_alone(compiled, x)
