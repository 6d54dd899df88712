"""The benchmark's programs give right gradients, at sizes where differences can tell; and its driver sees what is wrong."""

import math
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from benchmarks.engine import training
from benchmarks.engine.hosts.tensorflow_ import ready
from benchmarks.engine.report import amount, disagreements, first_calls, lines, page, summary
from benchmarks.engine.rows import ROWS
from benchmarks.engine.run import Found, Plan, Result, distance, measure
from benchmarks.engine.works import (
    ba,
    banded,
    chain,
    convnet,
    curvature,
    embedding,
    fused,
    gmm,
    hessian,
    jacobian,
    lstm,
    mlp,
    per_example,
    rnn,
    sparse,
    transformer,
)
from benchmarks.everyday import command as everyday, worker as everyday_worker
from benchmarks.everyday.programs import PROGRAMS
from benchmarks.libraries import LIBRARIES, ROOT
from benchmarks.longest import longest, measure as calls_of
from benchmarks.worker import Worker, WorkerFailed

import pullback as tf

EPS = 1e-6


def doubles(value):
    """Data in float64, so that differences are sharp."""
    if isinstance(value, list | tuple):
        return [doubles(v) for v in value]
    return value.astype(np.float64) if isinstance(value, np.ndarray) and value.dtype == np.float32 else value


def tiny(work, **sizes):
    return SimpleNamespace(**{name: doubles(value) for name, value in vars(work.data(**{**work.TINY, **sizes})).items()})


def program(work, d):
    """The work's program as the benchmark runs it: compiled at its first call."""
    made = work.in_tensorflow(tf, d)
    return replace(made, function=tf.function(made.function, autograph=False, jit_compile=True))


def call(program, arguments=None):
    """Everything a program answers."""
    outputs = program.function(*[tf.constant(a) for a in (arguments or program.arguments)])
    return [v.numpy() for v in tf.nest.flatten(outputs)]


def directions(arrays):
    draw = np.random.default_rng(1)
    return [draw.normal(size=a.shape) for a in arrays]


def slope(f, arrays, along):
    """The derivative of f along directions, by central differences."""
    ahead, behind = (f([a + sign * EPS * u for a, u in zip(arrays, along, strict=True)]) for sign in (1, -1))
    return (ahead - behind) / (2 * EPS)


@pytest.mark.parametrize(
    ("work", "sizes"),
    [(chain, {}), (fused, {}), (gmm, {"products": False}), (gmm, {"products": True}), (rnn, {})],
    ids=["chain", "fused", "gmm", "gmm-products", "rnn"],
)
def test_gradients_are_those_of_the_first_output(work, sizes):
    made = program(work, tiny(work, **sizes))
    arrays = [made.arguments[i] for i in made.wrt]

    def total(moved):
        arguments = list(made.arguments)
        for i, a in zip(made.wrt, moved, strict=True):
            arguments[i] = a
        return np.sum(call(made, arguments)[0])

    along = directions(arrays)
    gradients = call(made)[1:]
    assert len(gradients) == len(arrays)
    assert np.isclose(sum(np.sum(g * u) for g, u in zip(gradients, along, strict=True)), slope(total, arrays, along), rtol=1e-6)


@pytest.mark.parametrize("work", [mlp, lstm, convnet, transformer, embedding], ids=lambda work: work.__name__.split(".")[-1])
def test_a_training_step_moves_against_the_gradient(work):
    made = program(work, tiny(work))
    before = [v.numpy() for v in made.state]
    along = directions(before)

    def loss(moved):
        for variable, value in zip(made.state, moved, strict=True):
            variable.assign(value)
        return call(made)[0]

    loss(before)
    gradients = [(a - v.numpy()) / training.RATE for a, v in zip(before, made.state, strict=True)]
    assert all(np.any(g) for g in gradients)
    assert np.isclose(sum(np.sum(g * u) for g, u in zip(gradients, along, strict=True)), slope(loss, before, along), rtol=1e-6)


def test_the_two_forms_of_the_mixture_agree():
    for plain, products in zip(*(call(program(gmm, tiny(gmm, products=p))) for p in (False, True)), strict=True):
        assert np.allclose(plain, products, rtol=1e-12)


def test_the_mixture_is_gradbenchs():
    """The objective, in loops over components and samples, from the density of a Gaussian and of a Wishart distribution."""
    d = tiny(gmm)
    (n, dims), k = d.x.shape, len(d.alphas)
    factors = []
    for row in d.icf:
        factor, packed = np.diag(np.exp(row[:dims])), iter(row[dims:])
        for column in range(dims):
            for at in range(column + 1, dims):
                factor[at, column] = next(packed)
        factors.append(factor)
    value = -0.5 * n * dims * math.log(2 * math.pi) - n * np.log(np.sum(np.exp(d.alphas)))
    for x in d.x:
        apart = [np.sum((q @ (x - m)) ** 2) for q, m in zip(factors, d.means, strict=True)]
        value += np.log(np.sum(np.exp(d.alphas + np.sum(d.icf[:, :dims], 1) - 0.5 * np.array(apart))))
    degrees = dims + 1
    scale = degrees * dims * -0.5 * math.log(2) - dims * (dims - 1) / 4 * math.log(math.pi)
    scale -= sum(math.lgamma((degrees - j) / 2) for j in range(dims))
    value += sum(0.5 * np.sum(q**2) for q in factors) - k * scale
    assert np.isclose(call(program(gmm, d))[0], value, rtol=1e-12)


def test_blocks_of_bundle_adjustment():
    made = program(ba, tiny(ba))
    cameras, points, weights, camera, point, features = made.arguments
    found, blocks, lapse, slopes = call(made)
    along = directions([cameras, points, weights])
    rows = np.concatenate([along[0][camera], along[1][point], along[2][:, None]], 1)
    expected = slope(lambda moved: call(made, [*moved, camera, point, features])[0], [cameras, points, weights], along)
    assert found.shape == (len(camera), 2)
    assert np.allclose(np.einsum("nij,nj->ni", blocks, rows), expected, rtol=1e-6)
    assert np.allclose(lapse, 1 - weights**2)
    assert np.allclose(slopes, -2 * weights)


def test_curvature():
    whole, alone = (program(curvature, tiny(curvature, product=p)) for p in (True, False))
    parameters, v, batch = whole.arguments[:4], whole.arguments[4:8], list(whole.arguments[8:])
    answer = call(whole)
    for g, expected in zip(answer[:4], call(alone), strict=True):
        assert np.allclose(g, expected, rtol=1e-10)
    for at in range(4):
        expected = slope(lambda moved, at=at: call(alone, [*moved, *batch])[at], parameters, v)
        assert np.allclose(answer[4 + at], expected, rtol=1e-5, atol=1e-9)


def test_hessian():
    made = program(hessian, tiny(hessian))
    p, rows = made.arguments
    (along,) = directions([p])
    g, h = call(made)
    assert np.allclose(h @ along, slope(lambda moved: call(made, [*moved, rows])[0], [p], [along]), rtol=1e-6)
    logistic = slope(lambda moved: np.mean(np.log1p(np.exp(-(rows @ moved[0])))) + 0.1 * np.sum(moved[0] ** 4), [p], [along])
    assert np.isclose(np.sum(g * along), logistic, rtol=1e-6)


def test_jacobians():
    made = program(jacobian, tiny(jacobian))
    x, *parameters = made.arguments
    (along,) = directions([x])
    found = call(made)[1]
    expected = slope(lambda moved: call(made, [*moved, *parameters])[0], [x], [along])
    assert np.allclose(np.einsum("bij,bj->bi", found, along), expected, rtol=1e-6)


def test_per_example_gradients():
    d = tiny(per_example)
    made = program(per_example, d)
    along = directions(d.parameters)

    def losses(parameters):
        w1, b1, w2, b2 = parameters
        logits = np.tanh(d.x @ w1 + b1) @ w2 + b2
        return np.log(np.sum(np.exp(logits), 1)) - logits[np.arange(len(logits)), d.labels]

    rows = sum(np.sum((g * u).reshape(len(d.x), -1), 1) for g, u in zip(call(made), along, strict=True))
    assert np.allclose(rows, slope(losses, d.parameters, along), rtol=1e-6)


def test_three_passes_hold_the_bands():
    made = program(banded, tiny(banded))
    x = made.arguments[0]
    y, passes = call(made)
    dense = np.zeros((x.size, x.size))
    for row in range(x.size):
        for column in range(max(row - 1, 0), min(row + 2, x.size)):
            dense[row, column] = passes[row % banded.COLOURS, column]
    function = program(banded, tiny(banded, jacobian=False))
    (along,) = directions([x])
    assert np.allclose(call(function)[0], y)
    assert np.allclose(dense @ along, slope(lambda moved: call(function, moved)[0], [x], [along]), rtol=1e-6)


def test_a_sparse_jacobian_holds_the_bands():
    d = tiny(sparse)
    dense = sparse.in_pullback(tf, d).function(tf.constant(d.x)).toarray()
    made = program(banded, tiny(banded))
    passes = call(made)[1]
    for row in range(len(dense)):
        expected = np.where(np.abs(np.arange(len(dense)) - row) <= 1, passes[row % banded.COLOURS], 0)
        assert np.allclose(dense[row], expected, rtol=1e-12)


def test_a_session_and_a_function_give_the_same():
    d = mlp.data(**mlp.TINY)
    answers = []
    for mode in ("function", "session"):
        running = ready(tf, lambda: mlp.in_tensorflow(tf, d), mode)()
        answers.append(running.read(running.step()))
    assert distance(*answers) < 1e-6


def result(name, **seconds):
    return Result(name, ROWS[name], {who.replace("_", " "): Found(seconds=s) for who, s in seconds.items()})


def test_what_is_reached_and_what_is_missed():
    ahead = result("mlp", pullback_function=1e-3, pullback_session=9e-3, jax_jit=1.3e-3, torch_eager=5e-3)
    behind = result("mlp", pullback_function=1e-3, jax_jit=1.1e-3)
    assert ahead.best_peer() == ("jax jit", 1.3e-3)
    assert lines([ahead], ahead) == [("1.2x ahead of the best peer (1.30x)", True)]
    assert [met for _, met in lines([behind], behind)] == [False]
    pair = [result("gmm", pullback_function=1.0, jax_jit=3.5), result("gmm-products", pullback_function=2.0, jax_jit=0.5)]
    assert [met for _, met in lines(pair, pair[0])] == [True, False]
    pair = [result("gradient", pullback_function=1.0), result("hvp", pullback_function=2.5, jax_jit=3.0)]
    assert [met for _, met in lines(pair, pair[1])] == [True, True]
    assert "| MISSED |" in summary([behind])


def test_the_geometric_mean_stands_at_the_head():
    rows = [result("gradient", pullback_function=1.0, jax_jit=2.0), result("hvp", pullback_function=1.0, jax_jit=8.0), result("sparse")]
    assert summary(rows).startswith("Geometric mean over 2 rows: 4.00 times ahead of the best peer (to reach: 3): met.\n\n| work |")
    assert "2.00 times ahead of the best peer (to reach: 3): MISSED." in summary(rows[:1])
    assert summary(rows[2:]).startswith("| work |")


def test_a_program_that_cannot_run_says_why():
    said = result("jacobian", jax_jit=1.0)
    said.found["pullback function"] = Found(reason="NotImplementedError: not yet")
    assert "NotImplementedError: not yet" in summary([said])
    assert lines([said], said) == []
    said.found["torch eager"] = Found(seconds=1.0, off=0.5)
    assert disagreements([said]) == ["jacobian: torch eager differs from the first peer by 5.0e-01, more than 0.0001"]
    assert "## What did not run" in page([said], {"jax": "1"}, Plan([], {}, 1, 0.1, 2, 60))


def test_first_calls_beside_jax():
    """The medians of what several processes took."""
    found = {"pullback function": Found(firsts=[0.9, 0.3, 0.4], agains=[0.09]), "jax jit": Found(firsts=[1.0])}
    assert "| mlp | 400 ms | 0.40 | 90 ms | 0.09 | met |" in first_calls([Result("mlp", ROWS["mlp"], found)])
    found["jax jit"].firsts = [0.7]
    assert "| MISSED |" in first_calls([Result("mlp", ROWS["mlp"], found)])


def test_answers_are_compared_by_their_largest_element():
    assert distance([np.array([1.0, 100.0])], [np.array([2.0, 100.0])]) == 0.01
    assert distance([np.zeros(2)], [np.zeros(3)]) == math.inf
    assert distance([np.array([np.nan])], [np.ones(1)]) == math.inf


def test_amounts():
    assert [amount(s) for s in (1.234e-6, 0.0123, 5.0, math.nan)] == ["1.23 us", "12.3 ms", "5 s", ""]


def test_one_row_of_our_own():
    """The driver and its worker, from a fresh process to the table."""
    ours = [library for library in LIBRARIES if library.name == "pullback"]
    found = measure("chain16", Plan(ours, {"pullback": sys.executable}, rounds=1, seconds=0.001, threads=1, patience=60))
    assert {name: f.reason for name, f in found.found.items()} == {"pullback function": "", "pullback session": ""}
    assert all(0 < f.fastest <= f.seconds < f.first for f in found.found.values())
    assert found.found["pullback function"].again > 0


def test_a_worker_that_is_late_or_fails_gives_its_reason(tmp_path):
    script = tmp_path / "late_.py"
    script.write_text("import sys, time\nsys.stdin.readline()\ntime.sleep(60)\n")
    with Worker(Path(sys.executable), script) as worker, pytest.raises(WorkerFailed) as late:
        worker.ask("anything", within=0.2)
    assert late.value.reason == "no answer within 0.2 s"
    script.write_text("raise ValueError('what is wrong')\n")
    with Worker(Path(sys.executable), script) as worker, pytest.raises(WorkerFailed) as failed:
        worker.ask("anything", within=20)
    assert failed.value.reason == "ValueError: what is wrong"


def test_the_calls_of_a_program_are_timed(tmp_path):
    """Those that AutoGraph meets while it rewrites a function are parts of that function's call."""
    program = tmp_path / "calls.py"
    program.write_text(
        "import pullback as tf\n"
        "inner = tf.function(lambda x: x * 2.0)\n"
        "@tf.function\n"
        "def outer(x):\n"
        "    for _ in tf.range(3):\n"
        "        x = inner(x)\n"
        "    with tf.GradientTape() as tape:\n"
        "        tape.watch(x)\n"
        "        y = inner(x)\n"
        "    return tape.gradient(y, x)\n"
        "for _ in range(4):\n"
        "    outer(tf.constant(1.0))\n"
        "inner(tf.constant(1.0))\n"
    )
    times = calls_of(sys.executable, program)
    assert {line: len(calls) for line, calls in times.items()} == {"line 12": 4, "line 13": 1}
    assert all(seconds > 0 for calls in times.values() for seconds in calls)


def test_a_call_is_held_against_the_same_call_on_kernels():
    on_kernels = {"line 3": [0.5, 0.1, 0.1], "line 4": [0.2]}
    found = longest({"line 3": [0.6, 0.2, 0.01], "line 4": [0.5]}, on_kernels)
    assert found == ("line 4", 0.5, 0.2) and found.ratio == 2.5
    assert longest({"line 3": [0.6, 0.01, 0.4]}, {"line 3": [0.5, 0.1, 0.001]}) == ("line 3", 0.4, 0.1), "the median is longer"


def test_every_work_has_a_row():
    works = {path.stem for path in (ROOT / "benchmarks" / "engine" / "works").glob("*.py")} - {"__init__"}
    assert {row.work.__name__.rsplit(".", 1)[-1] for row in ROWS.values()} == works


@pytest.mark.parametrize("name", PROGRAMS)
def test_everyday_programs_give_the_same_compiled(name, monkeypatch):
    """Value and gradient of each, small enough to run here, compiled and on kernels."""
    monkeypatch.setattr(everyday_worker, "_SECONDS", 0.0)
    monkeypatch.setattr(everyday_worker, "_WARM", 0)
    compiled, kernels = (everyday_worker.measure(everyday_worker.prepare(tf, name, jit)) for jit in (True, False))
    assert math.isclose(compiled["size"], kernels["size"], rel_tol=1e-4)


def test_everyday_programs_are_measured_in_turns(monkeypatch):
    turns = []

    def measure(python, way, names):
        turns.append((python, way))
        return {name: {"size": 1.0, "call": 1.0 / len(turns)} for name in names}

    monkeypatch.setattr(everyday, "measure", measure)
    found = everyday.measure_in_turns({"pullback": "ours", "tensorflow": "theirs"}, ["a"], 2)
    assert turns == [("ours", "Pullback"), ("theirs", "XLA"), ("theirs", "graph")] * 2
    assert {way: entries["a"]["call"] for way, entries in found.items()} == {"Pullback": 1 / 4, "XLA": 1 / 5, "graph": 1 / 6}


def test_everyday_rows_begin_with_the_least_ahead():
    found = {
        way: {name: {"size": 2.0, "call": seconds} for name, seconds in zip(("a", "b"), calls, strict=True)}
        for way, calls in {"Pullback": (1.0, 1.0), "XLA": (4.0, 2.0), "graph": (8.0, 8.0)}.items()
    }
    rows = everyday.compare(found)
    assert [(row.name, row.ahead) for row in rows] == [("b", 2.0), ("a", 4.0)]
    assert "| b | 1e+06 | 2e+06 | 8e+06 | 2.00 |" in everyday.table(rows)
    found["XLA"]["a"]["size"] = 2.1
    with pytest.raises(SystemExit, match="the answers differ"):
        everyday.compare(found)
