"""The tool for GradBench: each evaluation on small input against a closed form, its definition in plain loops, or differences."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from math import lgamma, log, pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.gradbench import ba, particle, saddle
from benchmarks.gradbench.protocol import MODULES, evaluate, functions
from scipy.linalg import expm

import pullback as tf

ROOT = Path(__file__).parent.parent
Array = np.ndarray[Any, Any]


def run(module: str, function: str, **given: Any) -> Any:
    return evaluate(functions(module)[function], given)["output"]


def differences(f: Callable[[Array], Any], x: Array, h: float = 1e-5) -> Array:
    """The derivative of `f` by each element of `x`, along the last axis."""
    columns = []
    for step in np.eye(x.size).reshape(x.size, *x.shape) * h:
        columns.append((np.asarray(f(x + step)) - np.asarray(f(x - step))) / (2 * h))
    return np.stack(columns, -1)


def close(found: Any, expected: Any, tolerance: float = 1e-9) -> None:
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=tolerance, atol=tolerance)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def test_hello() -> None:
    known = functions("hello")
    assert evaluate(known["square"], 3.0)["output"] == 9.0
    assert evaluate(known["double"], 3.0)["output"] == 6.0


@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_lse(rng: np.random.Generator, shift: float) -> None:
    x = rng.normal(size=6)
    exponentials = np.exp(x)
    given = (x + shift).tolist()
    close(run("lse", "primal", x=given), np.log(exponentials.sum()) + shift)
    close(run("lse", "gradient", x=given), exponentials / exponentials.sum())


@pytest.mark.parametrize(("n", "m"), [(7, 1), (6, 2), (9, 13)])
def test_llsq(rng: np.random.Generator, n: int, m: int) -> None:
    x, t = rng.normal(size=m), np.linspace(-1, 1, n)
    powers = t[:, None] ** np.arange(m)
    rest = np.sign(np.round(t, 12)) - powers @ x
    close(run("llsq", "primal", x=x.tolist(), n=n), rest @ rest / 2)
    close(run("llsq", "gradient", x=x.tolist(), n=n), -powers.T @ rest)


@pytest.mark.parametrize("steps", [1, 3])
def test_ode(rng: np.random.Generator, steps: int) -> None:
    """Up to the fourth power of t the method is exact."""
    x = rng.uniform(0.5, 1.5, size=4)
    y = np.cumprod(x * 2.0 / np.arange(1, 5))
    close(run("ode", "primal", x=x.tolist(), s=steps), y)
    close(run("ode", "gradient", x=x.tolist(), s=steps), y[-1] / x)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_det(rng: np.random.Generator, n: int) -> None:
    a = rng.normal(size=(n, n))
    close(run("det", "primal", A=a.ravel().tolist(), ell=n), np.linalg.det(a))
    close(run("det", "gradient", A=a.ravel().tolist(), ell=n), (np.linalg.det(a) * np.linalg.inv(a).T).ravel())


def test_kmeans(rng: np.random.Generator) -> None:
    points = rng.normal(size=(20, 3))
    centroids = points[-4:] + 0.01
    squares = np.square(points[:, None] - centroids).sum(2)
    nearest = squares.argmin(1)
    given = {"points": points.tolist(), "centroids": centroids.tolist()}
    close(run("kmeans", "cost", **given), squares.min(1).sum())
    close(run("kmeans", "dir", **given), [c - points[nearest == j].mean(0) for j, c in enumerate(centroids)])


def _log_posterior(alpha: Array, mu: Array, q: Array, l: Array, x: Array, m: int, gamma: float) -> float:
    """The logarithm of the likelihood times the prior, density by density."""
    d = x.shape[1]
    columns, rows = np.triu_indices(d, 1)
    precisions = []
    for diagonal, below in zip(q, l, strict=True):
        factor = np.diag(np.exp(diagonal))
        factor[rows, columns] = below
        precisions.append(factor.T @ factor)
    weights = np.exp(alpha) / np.exp(alpha).sum()
    total, freedom = 0.0, d + m + 1
    for row in x:
        density = 0.0
        for w, mean, p in zip(weights, mu, precisions, strict=True):
            density += w * np.exp(-(row - mean) @ p @ (row - mean) / 2) * np.sqrt(np.linalg.det(p) / (2 * pi) ** d)
        total += log(density)
    multigamma = d * (d - 1) / 4 * log(pi) + sum(lgamma((freedom - j) / 2) for j in range(d))
    for p in precisions:
        total += (freedom - d - 1) / 2 * np.linalg.slogdet(p)[1] - gamma**2 * np.trace(p) / 2
        total -= freedom * d / 2 * log(2) - freedom * d * log(gamma) + multigamma
    return total


@pytest.mark.parametrize(("d", "m", "gamma"), [(3, 0, 1.0), (2, 2, 0.7), (1, 1, 2.0)])
def test_gmm(rng: np.random.Generator, d: int, m: int, gamma: float) -> None:
    k, n = 4, 5
    x, low = rng.normal(size=(n, d)), d * (d - 1) // 2
    at = {"alpha": rng.normal(size=k), "mu": rng.normal(size=(k, d)), "q": rng.normal(size=(k, d)), "l": rng.normal(size=(k, low))}
    given = {name: array.tolist() for name, array in at.items()} | {"d": d, "k": k, "n": n, "x": x.tolist(), "m": m, "gamma": gamma}
    close(run("gmm", "objective", **given), _log_posterior(**at, x=x, m=m, gamma=gamma))
    found = run("gmm", "jacobian", **given)
    assert list(found) == ["alpha", "mu", "q", "l"]
    for name, array in at.items():
        if array.size:
            slope = differences(lambda a, name=name: _log_posterior(**(at | {name: a}), x=x, m=m, gamma=gamma), array)  # type: ignore[misc]
            close(found[name], slope.reshape(array.shape), 1e-6)


def _lstm_loss(main: Array, extra: Array, state: Array, sequence: Array) -> float:
    sigmoid = lambda z: 1 / (1 + np.exp(-z))
    hidden, cell = list(state[0::2]), list(state[1::2])
    total = 0.0
    for now, following in pairwise(sequence):
        below = now * extra[0]
        for i in range(len(hidden)):
            forget, ingate, outgate, change = np.split(main[2 * i], 4)
            forget_bias, in_bias, out_bias, change_bias = np.split(main[2 * i + 1], 4)
            added = sigmoid(hidden[i] * ingate + in_bias) * np.tanh(hidden[i] * change + change_bias)
            cell[i] = cell[i] * sigmoid(below * forget + forget_bias) + added
            below = hidden[i] = sigmoid(below * outgate + out_bias) * np.tanh(cell[i])
        guess = below * extra[1] + extra[2]
        total += following @ (guess - log(np.exp(guess).sum() + 2))
    return -total / ((len(sequence) - 1) * sequence.shape[1])


@pytest.mark.parametrize(("layers", "characters"), [(1, 4), (3, 6), (3, 3)])
def test_lstm(rng: np.random.Generator, layers: int, characters: int) -> None:
    bits = 2
    main, extra = rng.normal(size=(2 * layers, 4 * bits)), rng.normal(size=(3, bits))
    state, sequence = rng.normal(size=(2 * layers, bits)), rng.integers(0, 2, size=(characters, bits)).astype(float)
    given = {"main_params": main.tolist(), "extra_params": extra.tolist(), "state": state.tolist(), "sequence": sequence.tolist()}
    close(run("lstm", "objective", **given), _lstm_loss(main, extra, state, sequence))
    by_main = differences(lambda main: _lstm_loss(main, extra, state, sequence), main)
    by_extra = differences(lambda extra: _lstm_loss(main, extra, state, sequence), extra)
    close(run("lstm", "jacobian", **given), np.concatenate([by_main, by_extra]), 1e-6)


def _turn(axis: Array) -> Array:
    x, y, z = axis
    return expm(np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]))  # type: ignore[no-any-return]


def _projected(camera: Array, point: Array) -> Array:
    seen = _turn(camera[:3]) @ (point - camera[3:6])
    flat = seen[:2] / seen[2]
    squares = flat @ flat
    return flat * (1 + camera[9] * squares + camera[10] * squares**2) * camera[6] + camera[7:9]  # type: ignore[no-any-return]


def test_ba(rng: np.random.Generator) -> None:
    n, m, p = 3, 2, 4
    observed = np.array([[0, 1, 2, 0], [0, 1, 0, 1]])
    parameters = rng.normal(size=11 * n + 3 * m + p)
    parameters[11:14] = 0.0  # a camera that is not turned
    seen = rng.normal(size=(p, 2))

    def parts(given: Array) -> tuple[Array, Array, Array]:
        return given[: 11 * n].reshape(n, 11), given[11 * n : -p].reshape(m, 3), given[-p:]

    def errors(given: Array) -> Array:
        cameras, points, weights = parts(given)
        each = [weights[i] * (_projected(cameras[c], points[x]) - seen[i]) for i, (c, x) in enumerate(observed.T)]
        return np.concatenate([*each, 1 - weights**2])

    arguments = [tf.constant(part) for part in (*parts(parameters), observed.astype(np.int32), seen)]
    reprojection, own = ba.errors(*arguments)
    close(np.concatenate([reprojection.numpy().ravel(), own.numpy()]), errors(parameters))

    rows, columns, values = (tensor.numpy() for tensor in ba.jacobian(*arguments))
    dense = np.zeros((3 * p, parameters.size))
    for row, (start, end) in enumerate(pairwise(rows)):
        dense[row, columns[start:end]] = values[start:end]
    close(dense, differences(errors, parameters), 1e-5)


def test_ba_sends_what_is_not_repeated() -> None:
    given = {"n": 3, "m": 2, "p": 12, "cam": [0.1] * 11, "x": [0.5, 0.4, 0.3], "w": 0.5, "feat": [0.1, 0.2]}
    errors = run("ba", "objective", **given)
    assert errors["w_err"] == {"element": 0.75, "repeated": 12}
    assert len(errors["reproj_error"]["elements"]) == 2
    assert errors["reproj_error"]["repeated"] == 12
    matrix = run("ba", "jacobian", **given)
    assert {name: len(values) for name, values in matrix.items()} == {"rows": 31, "cols": 31, "vals": 31}
    assert matrix["rows"][:3] + matrix["rows"][-1:] == [0, 15, 30, 372]
    assert matrix["cols"][10:15] + matrix["cols"][-1:] == [10, 33, 34, 35, 39, 50]
    assert matrix["vals"][-1] == -1.0


PARENTS = (-1, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0, 13, 14, 15, 0, 17, 18, 19, 0)


def _hand(rng: np.random.Generator, vertices: int, points: int, on_triangles: bool, mirrored: bool) -> dict[str, Any]:
    bones, triangles = len(PARENTS), 5
    affine = np.concatenate([rng.normal(size=(2, bones, 3, 4)), np.broadcast_to([[0.0, 0, 0, 1]], (2, bones, 1, 4))], 2)
    model = {
        "parents": PARENTS,
        "base_relatives": affine[0],
        "inverse_base_absolutes": affine[1],
        "base_positions": np.concatenate([rng.normal(size=(vertices, 3)), np.ones((vertices, 1))], 1),
        "weights": rng.uniform(size=(vertices, bones)),
        "triangles": rng.integers(0, vertices, size=(triangles, 3)),
        "is_mirrored": mirrored,
    }
    chosen = rng.integers(0, triangles if on_triangles else vertices, size=points)
    us = rng.uniform(size=(points, 2)) if on_triangles else np.zeros((0, 2))
    data = {"model": model, "correspondences": chosen, "points": rng.normal(size=(points, 3))}
    return {"theta": rng.normal(size=26) / 4, "us": us, "data": data}


def _differences_of_hand(theta: Array, us: Array, data: dict[str, Any]) -> Array:
    model = data["model"]
    absolutes: list[Array] = []
    for bone, parent in enumerate(PARENTS):
        finger, joint = divmod(bone - 1, 4)
        bend = spread = 0.0
        if 0 <= finger < 5 and joint > 0:
            bend = theta[6 + 4 * finger + (0, 0, 2, 3)[joint]]
            spread = theta[7 + 4 * finger] if joint == 1 else 0.0
        turn = np.eye(4)
        turn[:3, :3] = _turn(np.array([0, 0, spread])) @ _turn(np.array([bend, 0, 0]))
        relative = model["base_relatives"][bone] @ turn
        absolutes.append(relative if parent < 0 else absolutes[parent] @ relative)
    skin = np.zeros((len(model["base_positions"]), 3))
    for bone, absolute in enumerate(absolutes):
        moved = model["base_positions"] @ (absolute @ model["inverse_base_absolutes"][bone]).T
        skin += model["weights"][:, bone : bone + 1] * moved[:, :3]
    if model["is_mirrored"]:
        skin[:, 0] *= -1
    skin = skin @ _turn(theta[:3]).T + theta[3:6]
    chosen = data["correspondences"]
    place = skin[chosen]
    if len(us):
        corners = skin[model["triangles"][chosen]]
        place = us[:, :1] * corners[:, 0] + us[:, 1:] * corners[:, 1] + (1 - us.sum(1, keepdims=True)) * corners[:, 2]
    return (data["points"] - place).ravel()  # type: ignore[no-any-return]


def _as_json(value: Any) -> Any:
    return json.loads(json.dumps(value, default=lambda array: array.tolist()))


# With fewer vertices than corners of points, the whole skin is posed; else only the corners.
@pytest.mark.parametrize(
    ("vertices", "points", "on_triangles", "mirrored"), [(9, 2, True, False), (4, 3, True, True), (6, 4, False, False)]
)
def test_ht(rng: np.random.Generator, vertices: int, points: int, on_triangles: bool, mirrored: bool) -> None:
    hand = _hand(rng, vertices, points, on_triangles, mirrored)
    theta, us, data = hand["theta"], hand["us"], hand["data"]
    close(run("ht", "objective", **_as_json(hand)), _differences_of_hand(theta, us, data))
    columns = [differences(lambda t: _differences_of_hand(t, us, data), theta)]
    if on_triangles:
        # A point's differences depend on its own place alone, so all points are moved at once.
        along = [_differences_of_hand(theta, us + e, data) - _differences_of_hand(theta, us - e, data) for e in np.eye(2) / 2]
        columns.insert(0, np.stack(along, 1))
    close(run("ht", "jacobian", **_as_json(hand)), np.concatenate(columns, 1), 1e-6)


def test_ht_pose_that_is_not_turned(rng: np.random.Generator) -> None:
    hand = _hand(rng, 4, 2, on_triangles=False, mirrored=False)
    hand["theta"][:3] = 0.0
    close(run("ht", "objective", **_as_json(hand)), _differences_of_hand(hand["theta"], hand["us"], hand["data"]))
    assert np.isfinite(run("ht", "jacobian", **_as_json(hand))).all()


def test_saddle() -> None:
    close(run("saddle", "fr", start=[1.0, 0.5]), np.zeros(4), 1e-4)


@pytest.mark.parametrize("outer", ["f", "r"])
@pytest.mark.parametrize("inner", ["f", "r"])
def test_particle_gradient(outer: str, inner: str) -> None:
    missed = lambda w: particle.missed_by(w, particle.MODES[inner])
    value, slope = tf.function(lambda w: particle.MODES[outer](missed, w))(tf.constant([0.3], tf.float64))
    nearby = tf.function(missed)
    above, below = (nearby(tf.constant([0.3 + h], tf.float64)).numpy() for h in (1e-5, -1e-5))
    close(value, (above + below) / 2, 1e-6)
    close(slope, [(above - below) / 2e-5], 1e-6)


def test_particle() -> None:
    found = run("particle", "rr", w=0.18)
    missed = particle.missed_by(tf.constant([found], tf.float64), saddle.MODES["r"])
    assert missed.numpy() < 1e-6


def test_runs_and_seconds() -> None:
    square = functions("hello")["square"]
    names = lambda answer: [timing["name"] for timing in answer["timings"]]
    assert names(evaluate(square, 2.0)) == ["prepare", "evaluate"]
    lse = functions("lse")["primal"]
    assert names(evaluate(lse, {"x": [1.0], "min_runs": 3, "min_seconds": 0})) == ["prepare"] + ["evaluate"] * 3
    timings = evaluate(lse, {"x": [1.0], "min_runs": 1, "min_seconds": 0.01})["timings"]
    assert sum(timing["nanoseconds"] for timing in timings if timing["name"] == "evaluate") >= 10_000_000


def test_a_conversation() -> None:
    messages = [
        {"kind": "start", "eval": "hello"},
        {"kind": "define", "module": "hello"},
        {"kind": "evaluate", "module": "hello", "function": "double", "input": 4.0, "description": "eight"},
        {"kind": "analysis", "of": 2, "valid": True},
        {"kind": "evaluate", "module": "hello", "function": "treble", "input": 4.0},
        {"kind": "evaluate", "module": "kmeans", "function": "cost", "input": {"points": [[1.0, 2.0]], "centroids": [[1.0]]}},
        {"kind": "define", "module": "goodbye"},
        {"kind": "evaluate", "module": "goodbye", "function": "double", "input": 4.0},
    ]
    lines = "".join(json.dumps({"id": i} | message) + "\n" for i, message in enumerate(messages))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    command = [sys.executable, "-m", "benchmarks.gradbench"]
    done = subprocess.run(command, check=False, input=lines, text=True, capture_output=True, env=environment, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [reply.pop("id") for reply in replies] == list(range(len(messages)))
    start, define, double, analysis, unknown, wrong, undefined, missing = replies
    assert (start, define, analysis) == ({"tool": "pullback"}, {"success": True}, {})
    assert (double["success"], double["output"]) == (True, 8.0)
    assert not unknown["success"]
    assert "double, square" in unknown["error"] or "square, double" in unknown["error"]
    assert not wrong["success"]
    assert "InvalidArgumentError" in wrong["error"] or "ValueError" in wrong["error"]
    assert not undefined["success"]
    assert "goodbye" in undefined["error"]
    assert not missing["success"]


def test_every_evaluation_is_there() -> None:
    names = {module: set(functions(module)) for module in MODULES}
    assert len(names) == 12
    assert names["gmm"] == names["lstm"] == names["ba"] == names["ht"] == {"objective", "jacobian"}
    assert names["saddle"] == names["particle"] == {"ff", "fr", "rf", "rr"}
    assert names["lse"] == names["llsq"] == names["ode"] == names["det"] == {"primal", "gradient"}
    assert (names["kmeans"], names["hello"]) == ({"cost", "dir"}, {"square", "double"})
