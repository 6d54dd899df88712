"""Routines that native programs share: compiled once, and found by their names."""

import ctypes
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings
from pullback.engine.runtime import ahead, codegen, disk_cache, machine, routines, symbols

from .native_kit import needs_layout
from .native_programs import cache_in, run


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[disk_cache.DiskCache]:
    monkeypatch.setattr(Settings, "jit", True)
    monkeypatch.setattr(routines, "_LOADED", {})
    yield from cache_in(tmp_path / "cache")


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the compiler was given."""
    texts: list[str] = []
    real = codegen.object_of

    def noted(text: str, *rest: Any) -> Any:
        texts.append(text)
        return real(text, *rest)

    monkeypatch.setattr(codegen, "object_of", noted)
    return texts


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def call(name: str, *arguments: Any) -> None:
    at = symbols.addresses([name])[name]
    ctypes.CFUNCTYPE(None, *[type(a) for a in arguments])(at)(*arguments)


def lanes(dtype: type) -> int:
    return machine.host().lanes(np.dtype(dtype).itemsize)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("adds", [0, 1])
@pytest.mark.parametrize("rows", [1, 7, 8, 19])
def test_a_name_says_all_of_a_product(cache: disk_cache.DiskCache, dtype: type, adds: int, rows: int) -> None:
    width, inner = lanes(dtype), 5
    n = 2 * width - 1
    rng = np.random.default_rng(rows)
    drawn: list[np.ndarray] = [np.array(rng.integers(-4, 5, size), dtype) for size in ((rows, inner), (inner, n), (rows, n + 2))]
    a, c, out = drawn
    expected = out.copy()
    expected[:, :n] = a @ c + adds * out[:, :n]
    numbers = [ctypes.c_int64(k) for k in (rows, inner, inner, 1, n, n + 2)]
    call(f"pb_tiles_{np.dtype(dtype)}_{width}_2_{width - 1}_{adds}", pointer(a), pointer(c), pointer(out), *numbers)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("what", ["copy", "turn"])
def test_a_name_says_all_of_a_copy(cache: disk_cache.DiskCache, what: str) -> None:
    rows, columns = 37, 35
    shape = (rows, columns) if what == "copy" else (columns, rows)
    given = np.arange(rows * columns, dtype=np.float32).reshape(shape)
    out = np.full((rows, columns + 1), -1, np.float32)
    numbers = [ctypes.c_int64(k) for k in (rows, columns, shape[1], columns + 1)]
    call(f"pb_{what}_float32_{lanes(np.float32)}", pointer(given), pointer(out), *numbers)
    np.testing.assert_array_equal(out[:, :columns], given if what == "copy" else given.T)
    assert (out[:, columns] == -1).all()


def product(rows: int, inner: int) -> np.ndarray:
    function = tf.function(lambda x, w: tf.nn.relu(x @ w), jit_compile=True)
    return function(tf.ones([rows, inner]), tf.ones([inner, 2 * lanes(np.float32)])).numpy()  # type: ignore[no-any-return]


def test_programs_share_what_they_call(cache: disk_cache.DiskCache, compiled: list[str]) -> None:
    assert (product(24, 40) == 40).all()
    called, defined = (f'{word} void @"pb_tiles_float32_{lanes(np.float32)}_2_0_0"' for word in ("call", "define"))
    assert sum(defined in text for text in compiled) == sum(called in text for text in compiled) == 1
    before = len(compiled)
    assert (product(25, 48) == 48).all()
    assert [(called in text, defined in text) for text in compiled[before:]] == [(True, False)], "one module, that of the program"


def test_a_lost_routine_is_made_again(cache: disk_cache.DiskCache, compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"pb_square_float64_{lanes(np.float64)}"
    for expected in (1, 1):
        symbols.addresses([name])
        routines._LOADED.clear()
        assert len(compiled) == expected, "from the disk the second time"
    monkeypatch.setattr(disk_cache, "lookup", lambda key: None)
    symbols.addresses([name])
    assert len(compiled) == 2
    routines._LOADED.clear()
    monkeypatch.setattr(routines, "native", lambda module: None)
    with pytest.raises(machine.NativeError, match=f"{name}.*llvmlite"):
        symbols.addresses([name])


@needs_layout
def test_a_second_process_finds_them_by_name(tmp_path: Path) -> None:
    program = """
        import sys
        import numpy as np, pullback as tf
        from pullback.engine.runtime import routines
        x = tf.constant(np.linspace(-1, 1, 96 * 80).reshape(96, 80).astype("f"))
        y = tf.function(lambda x: tf.transpose(x @ tf.ones([80, 40])), jit_compile=True)(x)
        print("llvmlite" in sys.modules, sorted({name.split("_")[1] for name in routines._LOADED}), y.numpy().tobytes().hex())
    """
    first, second = (run(program, PULLBACK_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert first.startswith("True ['square', 'tiles'] ")
    assert second == first.replace("True", "False", 1)


def test_routines_are_compiled_while_llvm_works_on_the_program(cache: disk_cache.DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    made, waited, real = threading.Event(), [], codegen.object_of

    def wait_for_routines(text: str, *how: Any) -> Any:
        if 'ModuleID = "program"' in text:
            waited.append(made.wait(60))
            return real(text, *how)
        found = real(text, *how)
        if any(name.startswith("pb_tiles_") for name in found.defines):
            made.set()
        return found

    monkeypatch.setattr(codegen, "object_of", wait_for_routines)
    x = tf.constant(np.ones((40, 40), "f"))
    assert (tf.function(lambda x: tf.nn.relu(x @ x) + x, jit_compile=True)(x).numpy() == 41).all()
    assert waited == [True]
