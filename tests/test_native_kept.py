"""Programs that an earlier process left on the disk: found by what they compute, and run without the compiler."""

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.base.named_values import NamedValues
from pullback.engine.jit_policy import Settings, type_of_given
from pullback.engine.runtime import disk_cache, elf, linking, objects, program_key

from .native_kit import needs_layout
from .native_programs import cache_in, run


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[disk_cache.DiskCache]:
    monkeypatch.setattr(Settings, "jit", True)
    yield from cache_in(tmp_path / "cache")


def plan_of(function: Any, *args: Any) -> Any:
    return function.get_concrete_function(*args).body.plan()


def key_of(function: Callable[..., Any], *args: Any) -> bytes | None:
    """What a function traced for these arguments is kept under."""
    plan = plan_of(tf.function(function), *args)
    return program_key.key_of(plan, [type_of_given(t, t) for t in plan.fed])


def kind_of_program(function: Any, *args: Any) -> str:
    (program,) = plan_of(function, *args).jit_state.programs.values()
    return type(program).__name__


PROGRAM = """
    import sys
    import numpy as np, pullback as tf
    w, table = tf.Variable(np.linspace(-1, 1, 12).reshape(3, 4).astype("f")), tf.Variable(tf.ones([50, 4]))
    optimizer = tf.keras.optimizers.SGD(0.1)
    @tf.function
    def step(x, ids):
        grown = lambda i, h: (i + 1, tf.tanh(h + tf.constant([0.5, 0.25, 0.125])))
        h = tf.while_loop(lambda i, h: i < 3, grown, [0, x])[1]
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(h @ w) * tf.gather(table, ids))
        gradients = tape.gradient(loss, [w, table])
        optimizer.apply_gradients(zip(gradients, [w, table]))
        return loss, gradients[0], tf.constant([1.0, 2.0])
    x, ids = tf.constant(np.linspace(0, 1, 15).reshape(5, 3).astype("f")), tf.constant([3, 3, 0, 49, 7])
    for _ in range(4):
        loss, gradient, known = step(x, ids)
    plan = step.get_concrete_function(x, ids).body.plan()
    print([type(p).__name__ for p in plan.jit_state.programs.values()], "llvmlite" in sys.modules)
    print(loss.numpy().tobytes().hex(), w.numpy().tobytes().hex(), table.numpy().tobytes().hex(), known.numpy().tolist())
"""


@needs_layout
def test_a_second_process_runs_the_same_bits_without_the_compiler(tmp_path: Path) -> None:
    first, second = (run(PROGRAM, PULLBACK_JIT="1", PULLBACK_CACHE_DIR=str(tmp_path)).splitlines() for _ in range(2))
    assert first[0] == "['Program'] True" and second[0] == "['SegmentProgram'] False"
    assert first[1] == second[1]


SESSION = """
    import sys
    import numpy as np, pullback.compat.v1 as tf
    tf.disable_eager_execution()
    w = tf.Variable(np.linspace(-1, 1, 12).reshape(3, 4).astype("f"))
    x = tf.placeholder(tf.float32, [5, 3])
    loss = tf.reduce_sum(tf.tanh(tf.matmul(x, w)) ** 2)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run(w.initializer)
        for _ in range(4):
            said, _ = session.run([loss, train], {x: np.linspace(0, 1, 15).reshape(5, 3)})
        *_, (plan, *_) = session._plans.values()
        print([type(p).__name__ for p in plan.jit_state.programs.values()], plan.ready is not None, "llvmlite" in sys.modules)
        print(said.tobytes().hex(), session.run(w).tobytes().hex())
"""


@needs_layout
def test_a_session_runs_what_an_earlier_process_compiled_for_its_variables(tmp_path: Path) -> None:
    first, second = (run(SESSION, PULLBACK_JIT="1", PULLBACK_CACHE_DIR=str(tmp_path)).splitlines() for _ in range(2))
    assert first[0] == "['Program'] True True" and second[0] == "['SegmentProgram'] True False"
    assert first[1] == second[1]


def test_sessions_with_variables_of_other_kinds_have_other_keys() -> None:
    keys = []
    for shape, dtype in (([2], tf.float32), ([3], tf.float32), ([2], tf.float64), ([2], tf.float32)):
        with tf1.Graph().as_default(), tf1.Session() as session:
            v = tf1.get_variable("v", shape, dtype, use_resource=True)
            session.run(v.initializer)
            session.run(tf.reduce_sum(tf.exp(v)))
            *_, (plan, _, _, given) = session._plans.values()
            keys.append(program_key.key_of(plan, [type_of_given(t, value) for t, value in zip(plan.fed, given, strict=True)]))
    assert keys[0] == keys[3] and None not in keys and len(set(keys)) == 3


@needs_layout
def test_a_second_process_makes_no_class_that_compiles_code(tmp_path: Path) -> None:
    ask = """
        loaded = [module for name, module in sys.modules.items() if name.startswith("pullback.engine.runtime.")]
        kinds = [kind for module in loaded for kind in vars(module).values() if isinstance(kind, type)]
        print(len(kinds), [kind.__name__ for kind in kinds if hasattr(kind, "_fields") or hasattr(kind, "__dataclass_fields__")])
    """
    program = textwrap.dedent(PROGRAM) + textwrap.dedent(ask)
    *_, said = [run(program, PULLBACK_JIT="1", PULLBACK_CACHE_DIR=str(tmp_path)).splitlines()[-1] for _ in range(2)]
    count, slow = said.split(" ", 1)
    assert int(count) > 10 and slow == "[]"


def test_named_values_are_given_by_place_by_name_and_by_their_class() -> None:
    class Point(NamedValues):
        x: int
        y: int = 2

    assert [(p.x, p.y) for p in (Point(1), Point(1, 3), Point(x=4, y=5))] == [(1, 2), (1, 3), (4, 5)]
    surplus: list[dict[str, Any]] = [{"z": 1}, {"x": 1, "z": 2}]
    for named in surplus:
        with pytest.raises(TypeError, match="has the values x, y"):
            Point(**named)
    with pytest.raises(TypeError, match="3 by place"):
        Point(*range(3))


@needs_layout
def test_without_its_object_code_a_program_is_made_anew(tmp_path: Path) -> None:
    drop = """
        import marshal
        from pullback.engine.runtime import disk_cache
        lookup = disk_cache.lookup
        disk_cache.lookup = lambda key: blob if (blob := lookup(key)) and type(marshal.loads(blob)) is dict else None  # no lists of pieces
    """
    first = run(PROGRAM, PULLBACK_JIT="1", PULLBACK_CACHE_DIR=str(tmp_path)).splitlines()
    second = run(textwrap.dedent(drop) + textwrap.dedent(PROGRAM), PULLBACK_JIT="1", PULLBACK_CACHE_DIR=str(tmp_path)).splitlines()
    assert second == [first[0], first[1]]


def test_large_constants_make_no_long_key() -> None:
    """A key that differs in one element of a constant, found in the time that reading the constant takes."""
    x, large = tf.zeros([1000, 100]), np.zeros((1000, 100), np.float32)
    key = key_of(lambda x: x + large, x)
    plan = plan_of(tf.function(lambda x: x + large), x)
    assert len(repr(program_key._plan(plan))) < 2000
    large[7, 7] = 1.0
    assert key not in (None, key_of(lambda x: x + large, x))


def test_what_differs_has_another_key() -> None:
    x, y = tf.constant([[1.0, 2.0]]), tf.constant([[1.0], [2.0]])
    functions: list[tuple[Callable[..., Any], Any]] = [
        (lambda x: tf.exp(x) * 2.0, x),
        (lambda x: tf.exp(x) * 3.0, x),
        (lambda x: tf.exp(x) * -0.0, x),
        (lambda x: tf.exp(x) * 0.0, x),
        (lambda x: tf.exp(x) * 2.0, y),
        (lambda x: 2.0 * tf.exp(x), x),
        (lambda x: tf.reduce_sum(tf.exp(x), 0), x),
        (lambda x: tf.reduce_sum(tf.exp(x), 1), x),
        (lambda x: tf.reduce_sum(tf.exp(x), 0, keepdims=True), x),
        (lambda x: (tf.exp(x), tf.sin(x)), x),
        (lambda x: (tf.sin(x), tf.exp(x)), x),
        (lambda x: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2.0), [0, x])[1], x),
        (lambda x: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 4.0), [0, x])[1], x),
    ]
    keys = [key_of(function, given) for function, given in functions]
    assert None not in keys and len(set(keys)) == len(keys)
    assert keys == [key_of(function, given) for function, given in functions], "and what does not has the same"


def test_what_has_no_spelling_is_not_kept() -> None:
    x = tf.constant([1.0, 2.0])
    assert key_of(lambda x: tf.numpy_function(np.sin, [x], tf.float32) + x, x) is None
    assert key_of(lambda x: tf.random.uniform([2]) + x, x) is None


def test_one_variable_under_two_names_and_other_values_fall_back(cache: disk_cache.DiskCache) -> None:
    def made() -> Any:
        @tf.function
        def step(v: Any, w: Any, x: Any) -> Any:
            v.assign_add(x * 2.0)
            w.assign(v * x)
            return v + w

        return step

    x = tf.constant([1.0, 2.0])
    for kind in ("Program", "SegmentProgram"):
        v, w, step = tf.Variable([0.0, 1.0]), tf.Variable([0.0, 0.0]), made()
        assert step(v, w, x).numpy().tolist() == [4.0, 15.0]
        assert kind_of_program(step, v, w, x) == kind
        assert step(v, v, x).numpy().tolist() == [8.0, 36.0] and v.numpy().tolist() == [4.0, 18.0]


def test_object_code_of_another_kind_goes_to_llvm(cache: disk_cache.DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "can_lay_out", lambda: False)
    f = tf.function(lambda x: tf.reduce_sum(tf.tanh(x) * x, 1))
    x = tf.constant(np.linspace(-1, 1, 60, dtype=np.float32).reshape(4, 15))
    for _ in range(2):
        np.testing.assert_allclose(f(x).numpy(), (np.tanh(x.numpy()) * x.numpy()).sum(1), rtol=1e-6)


def test_what_is_no_elf_file_is_foreign() -> None:
    made = objects.ObjectCode(b"\xcf\xfa\xed\xfe" + bytes(100), (), ())
    with pytest.raises(elf.Foreign):
        elf.lay_out(made)
