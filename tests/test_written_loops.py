"""Loops written in Python: what native code of them gives is what Python gives, and what is not in their language is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pullback.engine.jit_policy import Settings
from pullback.engine.loop_code import Loops
from pullback.kernels import loops
from pullback.kernels.backend import ENGINE
from pullback.kernels.loops import bits, ceil, exp, f16, f32, f64, floor, rint, sqrt, unroll

written = pytest.importorskip("pullback.engine.loop_compiler")
NativeError = pytest.importorskip("pullback.engine.runtime.loaded").NativeError
SCALE, NAME = 3, np.float32(0.25)
MUCH = 1 << 20


def both(function: Any, *given: Any, **constants: int) -> Any:
    """What native code gives, and leaves in its arrays, which are what Python gives and leaves."""
    copies = [x.copy() if isinstance(x, np.ndarray) else x for x in given]
    numbers = [np.float32(x) if isinstance(x, float) else x for x in copies]
    with np.errstate(all="ignore"):
        expected = function(*numbers, **constants)
    run = Loops()(function, MUCH)
    assert run is not None
    found = run(*given, **constants)
    assert found == expected
    for x, y in zip(given, copies, strict=True):
        if isinstance(x, np.ndarray):
            np.testing.assert_array_equal(x, y)
    return found


def sums(x: Any, out: Any, count: int, least: float) -> int:
    total = 0.0
    seen = 0
    for i in range(count):
        if x[i] < least or x[i] != x[i]:  # a NaN
            continue
        total += x[i]
        seen += 1
        if seen == 7:
            break
    out[0] = total
    out[1] = NAME
    return seen * SCALE


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_loops_with_branches(dtype: str) -> None:
    x = np.random.default_rng(0).standard_normal(50).astype(dtype)
    x[[3, 9]] = np.nan
    for count in (0, 1, 5, 50):
        both(sums, x, np.zeros(2, dtype), count, -0.5)


def integers(x: Any, out: Any) -> int:
    k = 0
    i = len_of(x, 5)
    while i > 0:
        i -= 1
        v = x[i]
        out[k] = v * 2 + (v & 6) - (v | 1) + (v ^ 3) + (abs(v) >> 1) + (abs(v) << 2) + abs(v) // 3 + abs(v) % 7 + ~v
        out[k] += -v if v > 2 else int(v in (1, 2))
        k += 1
    for j in range(4, 1, -1):
        k += j
    for j in range(0, 9, 4):
        k += j
    return k if not (k == 3 and x[100] == 0) else 0


def len_of(x: Any, count: int) -> int:
    """Another loop, which this one calls."""
    return count if x[0] <= x[0] else 0


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"])
def test_integers_of_every_width(dtype: str) -> None:
    values = np.array([0, 1, 2, 3, 100]) if dtype.startswith("u") else np.array([-3, 1, 2, 3, -100])
    x = values.astype(dtype)
    out = np.zeros(5, np.int64)
    run = Loops()(integers, MUCH)
    assert run is not None
    expected = np.zeros(5, np.int64)
    assert run(x, out) == integers(values, expected)
    np.testing.assert_array_equal(out, expected)


def words(x: Any, out: Any, i: int) -> int:
    v = x[i]
    out[0], out[1], out[2], out[3] = floor(v), ceil(v), rint(v), sqrt(abs(v))
    out[4] = f16(v)
    out[5] = min(v, 0.5)
    out[6] = max(v, 0.5)
    out[7] = f32(f64(v) / 3.0)
    out[8] = f32(int(v)) / 2.0
    out[9] = 1.0 if (bool(i) and v > 0.0) or v < -1.0 else 0.0
    return bits(v) + int(0.0 < v <= 1.0)


def test_words_of_loops() -> None:
    x = np.array([-2.5, -0.3, 0.5, 1.5, 2.5, 1e4, 0.1], np.float32)
    for i in range(len(x)):
        both(words, x, np.zeros(10, np.float32), i)


def growth(x: Any, out: Any, count: int) -> int:
    for i in range(count):
        out[i] = exp(x[i])
    return 0


def test_exponentials_are_the_c_librarys() -> None:
    for dtype in (np.float32, np.float64):
        x, out = np.linspace(-5, 5, 33).astype(dtype), np.zeros(33, dtype)
        run = Loops()(growth, MUCH)
        assert run is not None
        run(x, out, 33)
        np.testing.assert_allclose(out, np.exp(x), rtol=4 * np.finfo(dtype).eps)


def shares(out: Any, count: int, parts: int) -> int:
    out[0] = count // parts if parts > 0 else -1
    return int(parts > 0 and count % parts == 0)


def test_what_is_not_chosen_divides_by_nothing() -> None:
    assert [both(shares, np.zeros(1, np.int64), 12, parts) for parts in (3, 5, 0)] == [1, 0, 0]


def signs(x: Any, out: Any, count: int) -> int:
    largest = x[0]
    for i in range(count):
        largest = max(largest, x[i])
        out[i] = x[i] >> 1
    return int(largest > x[0])


def test_integers_without_a_sign_are_compared_so() -> None:
    x = np.array([3, 2**64 - 1, 2**63], np.uint64)
    assert both(signs, x, np.zeros(3, np.uint64), 3) == 1


def smallest(a: float, b: float) -> float:
    return min(a, b)


def specialised(x: Any, out: Any, *, count: int, doubled: int) -> int:
    for i in unroll(count):
        if doubled:
            out[i] = smallest(2.0 * x[i], 1.0)
        else:
            out[i] = smallest(x[i], 1.0)
    return count


def test_constants_make_code_of_their_own() -> None:
    x = np.array([0.25, 0.75, np.nan, 4.0], np.float32)
    for count in (0, 1, 4):
        for doubled in (0, 1):
            assert both(specialised, x, np.zeros(4, np.float32), count=count, doubled=doubled) == count


def with_lists(x: Any) -> int:
    found = [x[0]]
    return len(found)


def with_quotient(x: Any, i: int) -> int:
    return i / 2  # type: ignore[return-value]


def with_unknown(x: Any) -> int:
    return sorted(x)  # type: ignore[return-value]


def with_fraction(x: Any) -> int:
    i = 1
    i = x[0]
    return i


def with_generator(x: Any) -> int:
    for value in x:
        return int(value)
    return 0


@pytest.mark.parametrize(
    ("function", "given", "why"),
    [
        (with_lists, (np.zeros(1, np.float32),), "no such expression"),
        (with_quotient, (np.zeros(1, np.float32), 3), "no quotients"),
        (with_unknown, (np.zeros(1, np.float32),), "no number"),
        (with_fraction, (np.zeros(1, np.float32),), "float is none of type i64"),
        (with_generator, (np.zeros(1, np.float32),), "loops go over ranges"),
    ],
)
def test_what_is_not_in_the_language(function: Any, given: Any, why: str) -> None:
    kinds = [x.dtype if isinstance(x, np.ndarray) else type(x) for x in given]
    with pytest.raises(NativeError, match=why):
        written.module_of(function, kinds, {})
    run = Loops()(function, MUCH)
    assert run is not None
    assert run(*given) is None


def test_dtypes_without_code() -> None:
    run = Loops()(sums, MUCH)
    assert run is not None
    assert run(np.zeros(3, np.float16), np.zeros(2, np.float16), 3, 0.0) is None


def test_arrays_with_gaps_are_refused() -> None:
    run = Loops()(sums, MUCH)
    assert run is not None
    with pytest.raises(ValueError, match="gaps"):
        run(np.zeros(6, np.float32)[::2], np.zeros(2, np.float32), 3, 0.0)


def test_when_there_is_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "jit", None)
    found = Loops()
    assert [found(sums, 1) is None for _ in range(6)] == [True] * 4 + [False] * 2
    assert found(integers, MUCH) is not None
    monkeypatch.setattr(Settings, "jit", False)
    assert found(sums, MUCH) is None
    monkeypatch.setattr(Settings, "jit", True)
    assert Loops()(sums, 1) is not None
    monkeypatch.setattr(ENGINE, "find_loop", lambda *_: None)
    assert loops.native_loop(sums, MUCH) is None
