"""`explain` and `profile`: what they say of programs is so."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.base.figures import show_amount
from pullback.engine.explanation import Explanation
from pullback.engine.parts import LoopShape, Part

from .native_programs import run


def test_a_kernel_says_what_is_fused_and_how_much_it_moves() -> None:
    f = tf.function(lambda x: tf.tanh(x) * x + 1.0)
    x = tf.ones([30, 100])
    found = f.explain(x)
    (kernel,) = found.parts
    assert found.native and found.reason is None
    assert kernel.kind == "kernel"
    assert kernel.operations == ("Tanh", "Mul", "AddV2")
    assert dict(kernel.functions) == {"tanh": 1, "mul": 1, "add": 1}
    assert [loop.size for loop in kernel.loops] == [3000]
    assert (kernel.read, kernel.written, kernel.flops) == (12000, 12000, 3000 * 12)
    assert kernel.dtype == "float32"


def test_broadcast_arguments_are_read_once() -> None:
    found = tf.function(lambda x, y: x * y).explain(tf.ones([30, 100]), tf.ones([100]))
    assert [part.read for part in found.parts] == [12400]


def test_products_reductions_and_calls_are_told_apart() -> None:
    @tf.function
    def f(a: Any, b: Any) -> Any:
        return tf.reduce_sum(tf.linalg.svd(a @ b, compute_uv=False))

    found = f.explain(tf.ones([30, 40]), tf.ones([40, 30]))
    product, call, total = found.parts
    assert (product.kind, product.sizes, product.flops) == ("product", (1, 30, 30, 40), 2 * 30 * 30 * 40)
    assert (product.read, product.written) == (4 * 2 * 1200, 4 * 900)
    assert (call.kind, call.operations) == ("call", ("Svd",))
    assert call.reason == "its kernel calls LAPACK for it"
    assert total.loops[-1].reduces and total.operations == ("Sum",)


def test_scans_and_factors_are_told() -> None:
    found = tf.function(lambda x: tf.linalg.cholesky(tf.cumsum(x, 1) * 2.0)).explain(tf.ones([3, 8, 8]))
    scan, factors = (next(part for part in found.parts if part.kind == kind) for kind in ("scan", "factors"))
    assert [loop.size for loop in scan.loops] == [3, 8, 8] and scan.functions == (("add", 1),)
    assert [loop.size for loop in factors.loops] == [3, 8, 8] and factors.functions == (("cholesky", 1),)
    assert not [part for part in found.parts if part.kind == "call"]


def test_loops_hold_their_parts() -> None:
    @tf.function
    def f(x: Any, n: Any) -> Any:
        i = 0
        while i < n:
            x = tf.tanh(x)
            i += 1
        return x

    found = f.explain(tf.ones(100), tf.constant(7))
    loops = [part for part in found.all_parts() if part.kind == "loop"]
    assert len(loops) == 1
    assert any(("tanh", 1) in part.functions for part in loops[0].inside)
    if sys.platform == "linux":
        times = {part.name: part.count for part in f.profile(tf.ones(100), tf.constant(7)).all_parts() if ("tanh", 1) in part.functions}
        assert set(times.values()) == {7}


def test_a_program_has_a_picture(tmp_path: Path) -> None:
    @tf.function
    def f(x: Any, w: Any) -> Any:
        h = tf.tanh(x @ w)
        for _ in tf.range(3):
            h = h * 2.0 + tf.sin(h)
        return tf.reduce_sum(h, 1), tf.unique(tf.reshape(h, [-1]))[0]

    found = f.explain(tf.ones([64, 32]), tf.ones([32, 32]))
    parts = {part.name: part for part in found.parts}
    product, loop = (next(part for part in found.parts if part.kind == kind) for kind in ("product", "loop"))
    assert product.takes == ("arguments",) and not product.gives
    (tanh,) = (part for part in found.parts if part.operations == ("Tanh",))
    assert tanh.takes == (product.name,) and tanh.name in loop.takes
    (call,) = (part for part in found.parts if part.kind == "call")
    assert call.gives and loop.name in {name for taken in call.takes for name in (taken, *parts[taken].takes)}
    svg = found.to_svg(tmp_path / "program.svg")
    assert (tmp_path / "program.svg").read_text() == svg
    for words in ("arguments", "MatMul", "Tanh", "sin mul add", "Unique", "results", "64 x 32 x 32"):
        assert words in svg
    assert "<svg" in found._repr_html_() and "<table>" in found._repr_html_() and "loop" in found.to_html()
    times = f.profile(tf.ones([64, 32]), tf.ones([32, 32])).to_svg()
    assert sys.platform != "linux" or "times, " in times


def test_why_there_is_no_program() -> None:
    assert "known shapes" in str(tf.function(lambda x: x * 2.0 + 1.0).explain(tf.TensorSpec([None], tf.float32)))
    assert "nothing is computed" in str(tf.function(lambda x: x).explain(tf.ones(3)))
    none = tf.function(lambda x: tf.py_function(lambda v: v, [x], tf.float32)).explain(tf.ones(3))
    assert not none.native and none.reason and none.reason in str(none) and none.reason in none._repr_html_()
    with pytest.raises(ValueError, match="there is no program to draw"):
        none.to_svg()
    with pytest.raises(ValueError, match="there is no trace"):
        none.write_chrome_trace("nowhere.json")


def test_a_profile_has_times_and_changes_no_variable(tmp_path: Path) -> None:
    v = tf.Variable(tf.ones([50, 40]))

    @tf.function
    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(x @ v))
        v.assign_sub(0.1 * tape.gradient(loss, v))
        return loss

    x = tf.ones([30, 50])
    found = step.profile(x)
    assert np.array_equal(v.numpy(), np.ones([50, 40], np.float32))
    assert found.runs and found.seconds
    assert sum(part.seconds or 0.0 for part in found.parts) < 10 * found.seconds
    for part in found.parts:
        assert part.count == 1
        assert part.seconds is not None and part.seconds > 0.0
        assert part.limit is not None and part.limit > 0.0
        assert part.of_limit is not None
    assert "of limit" in str(found).splitlines()[1]
    path = tmp_path / "trace.json"
    found.write_chrome_trace(path)
    events = json.loads(path.read_text())["traceEvents"]
    assert len(events) == found.runs * len(found.parts)
    assert any("30 x 40 x 50" in event["name"] for event in events)


def test_arguments_are_nested_as_calls_have_them() -> None:
    @tf.function
    def f(xs: Any, scale: Any = None, twice: bool = False) -> Any:
        total = tf.tanh(xs[0]) + xs[1]
        return 2.0 * total if twice else total * scale

    x, v = tf.ones(10), tf.Variable(tf.ones(10))
    assert f.explain([x, x], twice=True).parts[0].operations == ("Tanh", "AddV2", "Mul")
    assert f.profile([x, v], scale=3.0).runs
    assert f.profile([x, x], tf.constant(2.0)).parts[0].read == 84
    with pytest.raises(TypeError):
        f.explain()
    with pytest.raises(TypeError, match="needs values"):
        f.profile([tf.TensorSpec([10], tf.float32)] * 2, twice=True)


def test_called_kernels_are_timed_too() -> None:
    found = tf.function(lambda x: tf.linalg.svd(x * 2.0, compute_uv=False)).profile(tf.eye(5))
    assert {part.kind: bool(part.seconds) for part in found.parts} == {"kernel": True, "call": True}


def test_it_says_whether_a_program_is_in_use() -> None:
    f = tf.function(lambda x: tf.tanh(x) + x, jit_compile=True)
    assert not f.explain(tf.ones(3)).in_use
    f(tf.ones(3))
    assert f.explain(tf.ones(3)).in_use
    assert f.get_concrete_function(tf.ones(3)).explain().in_use


def test_sessions_explain_runs() -> None:
    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf1.float32, [None, 40])
        w = tf1.get_variable("w", [40, 30], initializer=tf1.ones_initializer())
        loss = tf1.reduce_sum(tf1.square(x @ w))
        train = tf1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(tf1.global_variables_initializer())
        feed = {x: np.ones([50, 40])}
        assert "product" in [part.kind for part in session.explain([loss, train], feed).parts]
        assert session.profile([loss, train], feed).runs
        assert session.run(w).tolist() == [[1.0] * 30] * 40


def test_without_llvmlite_it_says_so() -> None:
    text = run(
        """
        import sys
        sys.modules["llvmlite"] = None
        import pullback as tf
        f = tf.function(lambda x: x * 2.0 + 1.0)
        print(f.explain(tf.ones(3)))
        print(f.profile(tf.ones(3)))
        """
    )
    assert text.count("needs llvmlite") == 2


def test_tables_are_cut_and_aligned() -> None:
    long = Part("kernel", "a", tuple(f"Operation{i}" for i in range(30)), (), (LoopShape(5, True, 4, 2),), (), 1500, 3_000_000, 7)
    inner = Part("kernel", "b", functions=(("exp", 2), ("add", 1)))
    text = str(Explanation("f", True, None, (long, Part("loop", "l", inside=(inner,)))))
    lines = text.splitlines()
    assert lines[0] == "f: 2 kernels, 1 loop (not in use yet)"
    assert "over 5/4x2" in lines[2] and "..." in lines[2] and "1.5 kB" in lines[2] and lines[2].rstrip().endswith("7")
    assert lines[4].startswith("  kernel") and "2 exp add" in lines[4]
    assert show_amount(0, "B") == "" and show_amount(999, "B") == "999 B" and show_amount(10**6, "B") == "1 MB"
