"""When functions are compiled: `tf.config.optimizer.set_jit`, and `jit_compile`."""

from typing import Any

import pytest

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.engine import jit_policy
from pullback.engine.jit_policy import Settings


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "jit", None)


def runs_until_native(**options: Any) -> int | None:
    """The number of calls after which a function has a native program; None where ten calls, quick ones, do not do."""
    f = tf.function(lambda x: tf.tanh(x) * x + 1.0, **options)
    x = tf.ones(3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit_policy, "_ANY", 1e9)
        return _calls_until_native(f, x)


def _calls_until_native(f: Any, x: Any) -> int | None:
    for calls in range(1, 11):
        f(x)
        if f.get_concrete_function(x).body.plan().jit_state.programs:
            return calls
    return None


def test_jit_compile_decides_when_a_function_is_compiled() -> None:
    assert runs_until_native() is None
    assert runs_until_native(jit_compile=True) == 1
    assert runs_until_native(experimental_compile=True) == 1
    assert runs_until_native(jit_compile=False) is None


@pytest.mark.parametrize("config", [tf.config, tf1.config])
def test_set_jit_decides_for_all(config: Any) -> None:
    assert config.optimizer.get_jit() == ""
    for on in (True, "autoclustering", 1):
        assert config.optimizer.set_jit(on) is None
        assert config.optimizer.get_jit() == "autoclustering"
        assert runs_until_native() == 1
        assert runs_until_native(jit_compile=False) is None
    for off in (False, "no such word", 2, None):
        config.optimizer.set_jit(off)
        assert config.optimizer.get_jit() == ""
        assert runs_until_native(jit_compile=True) is None


def test_who_wants_the_same_bits_each_time_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "repeats_bits", False)
    tf.config.experimental.enable_op_determinism()
    assert runs_until_native() == 1
    assert runs_until_native(jit_compile=False) is None
    tf.config.optimizer.set_jit(False)
    assert runs_until_native() is None


def test_two_names_for_one_option_are_refused() -> None:
    with pytest.raises(ValueError, match="Cannot specify both 'experimental_compile' and 'jit_compile'"):
        tf.function(lambda x: x, jit_compile=True, experimental_compile=False)


def test_a_function_without_native_code_runs_all_the_same() -> None:
    f = tf.function(lambda x: tf.py_function(lambda v: v + 1.0, [x], tf.float32), jit_compile=True)
    assert [float(f(tf.constant(1.0))) for _ in range(3)] == [2.0, 2.0, 2.0]
