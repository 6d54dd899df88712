"""Algebra on native programs: each pattern is found, and gives what the graph as it was written gives, for special values too."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings, native_program
from pullback.engine.lowering.simplify import RULES
from pullback.engine.lowering.specialise import Specialised, specialise_graph
from pullback.engine.program import Program
from pullback.ir.plan import Plan, Run
from pullback.ir.tensor import TensorType
from tests.show_python import show_python
from tests.verify_graph import verify

F = np.array([0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 3e38, -3e38, 2.5, -7.25, 1e-30, 0.3, 4], np.float32)
D = np.array([0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 5e-324, -1e-310, 1.7e308, -1e300, 2.5, -7.25, 1e-300, 0.3, 4])
I = np.array([0, 1, -1, 2**31 - 1, -(2**31), 7], np.int32)
B = np.array([True, False, True])
FLIPPED = F[::-1].copy()
ONE, ZERO = tf.constant(1.0), tf.constant(0.0)



def _part_back(x: Any, i: Any) -> Any:
    """What goes back to x from a part of it."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.slice(x, [i], [5])
    return tape.gradient(y, x, FLIPPED[:5])


# The expression, its arguments, the operations left, and how many units in the last place may differ.
CASES: dict[str, tuple[Callable[..., Any], Sequence[np.ndarray], list[str], float]] = {
    "x**2": (lambda x: x**2.0, [F], ["Square"], 0),
    "x**2, integers": (lambda x: x**2, [I], ["Square"], 0),
    "x**3": (lambda x: x**3.0, [D], ["Mul", "Mul"], 0),
    "x**1": (lambda x: x**1.0, [F], [], 0),
    "x**0.5": (lambda x: x**0.5, [F], ["AddV2", "Sqrt", "Equal", "SelectV2"], 1),
    "x**0.5, float64": (lambda x: x ** tf.constant(0.5, tf.float64), [D], ["AddV2", "Sqrt", "Equal", "SelectV2"], 1),
    "x**-1": (lambda x: x**-1.0, [F], ["Reciprocal"], 1),
    "x**2.5 stays": (lambda x: x**2.5, [F], ["Pow"], 4),
    "x * 1": (lambda x: x * 1.0, [F], [], 0),
    "1 * x, integers": (lambda x: 1 * x, [I], [], 0),
    "x * -1": (lambda x: x * -1.0, [F], ["Neg"], 0),
    "x * ones that make it longer stays": (lambda x: x * tf.ones([2, 16]), [F], ["Mul"], 0),
    "x * 0 stays": (lambda x: x * 0.0, [F], ["Mul"], 0),
    "-x * -y": (lambda x, y: -x * -y, [F, FLIPPED], ["Mul"], 0),
    "x / 1": (lambda x: x / 1.0, [D], [], 0),
    "x / 4": (lambda x: x / 4.0, [F], ["Mul"], 0),
    "x / -2**-100": (lambda x: x / -(2.0**-100), [F], ["Mul"], 0),
    "x / 2**127 stays": (lambda x: x / 2.0**127, [F], ["RealDiv"], 0),
    "x / 3 stays": (lambda x: x / 3.0, [F], ["RealDiv"], 0),
    "x - 0": (lambda x: x - 0.0, [F], [], 0),
    "x - -0 stays": (lambda x: x - (-0.0), [F], ["Sub"], 0),
    "x + 0 stays": (lambda x: x + 0.0, [F], ["AddV2"], 0),
    "x + -0": (lambda x: x + (-0.0), [F], [], 0),
    "x + 0, integers": (lambda x: x + 0, [I], [], 0),
    "x - -y": (lambda x, y: x - -y, [F, FLIPPED], ["AddV2"], 0),
    "x + -y": (lambda x, y: x + -y, [F, FLIPPED], ["Sub"], 0),
    "-x + y": (lambda x, y: -x + y, [F, FLIPPED], ["Sub"], 0),
    "--x": (lambda x: tf.negative(-x), [F], [], 0),
    "not not x": (lambda x: tf.logical_not(tf.logical_not(x)), [B], [], 0),
    "(-x)^2": (lambda x: tf.square(-x), [F], ["Square"], 0),
    "|-x|": (lambda x: tf.abs(-x), [F], ["Abs"], 0),
    "|-x|, integers": (lambda x: tf.abs(-x), [I], ["Abs"], 0),
    "cos(-x)": (lambda x: tf.cos(-x), [F], ["Cos"], 4),
    "conj conj z": (lambda z: tf.math.conj(tf.math.conj(z)), [F + 1j], [], 0),
    "z * 1 stays": (lambda z: z * 1.0, [F + 1j], ["Mul"], 0),
    "transposed twice": (lambda x: tf.transpose(tf.transpose(x)), [F.reshape(2, 8)], [], 0),
    "two transposes": (
        lambda x: tf.transpose(tf.transpose(x, [1, 2, 0]), [1, 2, 0]), [F.reshape(2, 4, 2)], ["Transpose"], 0,
    ),
    "transposed not at all": (lambda x: tf.transpose(x, [0, 1]), [F.reshape(2, 8)], [], 0),
    "two reshapes": (lambda x: tf.reshape(tf.reshape(x, [4, 4]), [8, -1]), [F], ["Reshape"], 0),
    "reshaped and back": (lambda x: tf.reshape(tf.reshape(x, [4, 4]), [-1]), [F], [], 0),
    "cast to wider and back": (lambda x: tf.cast(tf.cast(x, tf.float64), tf.float32), [F], [], 0),
    "cast to narrower and back stays": (lambda x: tf.cast(tf.cast(x, tf.float32), tf.float64), [D], ["Cast", "Cast"], 0),
    "int32 to float64 and back": (lambda x: tf.cast(tf.cast(x, tf.float64), tf.int32), [I], [], 0),
    "int32 to float32 and back stays": (lambda x: tf.cast(tf.cast(x, tf.float32), tf.int32), [I // 2], ["Cast", "Cast"], 0),
    "two broadcasts": (lambda x: tf.broadcast_to(tf.broadcast_to(x, [3, 16]), [2, 3, 16]), [F], ["BroadcastTo"], 0),
    "broadcast to its own shape": (lambda x: tf.broadcast_to(x, [16]), [F], [], 0),
    "known choice": (lambda x, y: tf.where(True, x, y), [F, FLIPPED], [], 0),
    "known choice, the other": (lambda x, y: tf.where(tf.zeros([16], tf.bool), x, y), [F, FLIPPED], [], 0),
    "choice of a shorter stays": (lambda x, y: tf.where(True, x, y), [F[:1], F], ["SelectV2"], 0),
    "sum of a broadcast": (
        lambda x: tf.reduce_sum(tf.broadcast_to(x, [4, 16]), 0), [F / 8], ["Mul", "AddV2"], 1,
    ),
    "sum of a broadcast number": (lambda x: tf.reduce_sum(tf.broadcast_to(x, [50, 3])), [np.array(0.1, np.float32)], ["Mul", "AddV2"], 1),
    "sum along another axis stays": (lambda x: tf.reduce_sum(tf.broadcast_to(x, [4, 2]), 1), [F[:2] / 8], ["BroadcastTo", "Sum"], 1),
    "a part whose place is computed": (lambda x, i: x[i + 1 : i + 4], [F, np.array(3, np.int32)], ["AddV2", "Pack", "Slice"], 0),
    "a part to a computed place stays": (lambda x, i: x[1:i], [F, np.array(3, np.int32)], ["Pack", "StridedSlice"], 0),
    "the gradient of a part whose place is computed": (_part_back, [F, np.array(3, np.int32)], ["Pack", "AddV2", "StridedSliceGrad"], 0),
    "sum with dims kept": (
        lambda x: tf.reduce_sum(tf.broadcast_to(x, [5, 6, 3]), [0, 1], keepdims=True), [I[3:].reshape(1, 3)], ["Reshape", "Mul"], 0,
    ),
}  # fmt: skip


def traced(f: Callable[..., Any], values: Sequence[np.ndarray]) -> Plan:
    """The plan of an expression whose result is doubled, so that there is something left to run."""
    specs = [tf.TensorSpec(v.shape, v.dtype) for v in values]
    return tf.function(f).get_concrete_function(*specs).body.plan()


def special(plan: Plan, values: Sequence[np.ndarray]) -> Specialised:
    return specialise_graph(
        plan.nodes, plan.fed, plan.fetched, [TensorType(v.shape, t.dtype) for v, t in zip(values, plan.fed, strict=True)]
    )


def reached(spec: Specialised) -> list[str]:
    """The operations that the result needs, in order, without constants and arguments."""
    nodes, pending = set(), [t.node for t in spec.outputs]
    while pending:
        node = pending.pop()
        nodes.add(node)
        pending += [t.node for t in node.inputs if t.node not in nodes]
    return [n.primitive.name for n in sorted(nodes, key=lambda n: n.position) if n.primitive.name not in ("Const", "Placeholder")]


def assert_equal(found: np.ndarray, wanted: np.ndarray, ulps: float) -> None:
    """Equal to the bit, any NaN as good as another, or up to some units in the last place; zeros with their signs."""
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    if wanted.dtype.kind == "c":
        assert_equal(found.real, wanted.real, ulps)
        assert_equal(found.imag, wanted.imag, ulps)
    elif wanted.dtype.kind != "f":
        assert np.array_equal(found, wanted)
    else:
        one, other = (np.nan_to_num(x.astype(np.float64)) for x in (found, wanted))
        assert np.array_equal(np.isnan(found), np.isnan(wanted))
        assert np.array_equal(np.isinf(found), np.isinf(wanted))
        assert np.array_equal(np.signbit(found)[~np.isnan(wanted)], np.signbit(wanted)[~np.isnan(wanted)])
        with np.errstate(all="ignore"):
            assert (np.abs(one - other) <= ulps * np.nan_to_num(np.spacing(np.abs(wanted)).astype(np.float64))).all()


@pytest.mark.parametrize("name", CASES)
def test_what_is_left_gives_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    f, values, left, ulps = CASES[name]
    plan = traced(f, values)
    spec = special(plan, values)
    assert reached(spec) == left
    verify(spec.graph)
    monkeypatch.setattr(Settings, "jit", False)
    with np.errstate(all="ignore"):
        (wanted,) = plan.run(values, Run({}, {}))
        again: dict[str, Any] = {}
        exec(show_python(spec.outputs, spec.inputs), again)
        (shown,) = again["program"](*[tf.constant(v) for v in values])
    assert_equal(np.asarray(shown.numpy()), np.asarray(wanted), ulps)
    types = [TensorType(v.shape, t.dtype) for v, t in zip(values, plan.fed, strict=True)]
    program, _ = native_program(plan, types, partial(Program, as_kernel=True))
    if program is not None:
        assert_equal(np.asarray(program.run(values, Run({}, {}))[0]), np.asarray(wanted), max(ulps, 0))


def test_every_pattern_has_a_case() -> None:
    reduced = {"Cosh": "Cos", "Select": "SelectV2"}
    without: set[str] = set()
    for name in RULES:
        found = False
        for f, values, left, _ in CASES.values():
            ops = [n.primitive.name for n in traced(f, values).nodes]
            found = found or (reduced.get(name, name) in ops and len(left) < len(ops)) or (name in ops and name not in left)
        if not found:
            without.add(name)
    assert without == set()


def test_eager_roots_are_powers_at_zero_and_infinity() -> None:
    for dtype in (np.float16, np.float32, np.float64):
        roots = tf.pow(tf.constant(np.array([-0.0, -np.inf, np.inf, 4, -1], dtype)), tf.constant(np.array(0.5, dtype))).numpy()
        assert_equal(roots, np.array([0.0, np.inf, np.inf, 2, np.nan], dtype), 0)
