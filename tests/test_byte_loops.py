"""Loops over bytes, whose annotations say what they take: what each word of them does once it is compiled, and what is refused."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import numpy as np
import pytest

import pullback.tensorflow.strings
from pullback.engine.jit_policy import Settings
from pullback.engine.loop_code import Loops
from pullback.kernels.loops import (
    Bools,
    Bytes,
    Double,
    Floats,
    Floats32,
    Ints,
    Ints32,
    Word,
    Words,
    bits,
    copy,
    f64,
    from_bits,
    high_zeros,
    load8,
    load32,
    load64,
    low_zeros,
    native_or_python,
    new_bytes,
    print_number,
    release,
    signature,
    store8,
    store32,
    store64,
    to_uint128,
    word,
)  # fmt: skip
from pullback.tensorflow.strings import hash_loops
from tests.native_kit import run_loops

written = pytest.importorskip("pullback.engine.loop_compiler")
NativeError = pytest.importorskip("pullback.engine.runtime.loaded").NativeError
TABLE = np.array([3, 1, 4, 1, 5], np.int64)
LETTERS = b"abc"
BIG = np.uint64(0xFFFFFFFFFFFFFFFF)


def native(function: Any) -> Any:
    found = Loops()(function, None)
    assert found is not None, function.__name__
    return found


def arithmetic(a: int, b: int, out: Ints) -> None:
    out[0] = a + b
    out[1] = a - b
    out[2] = a * b
    out[3] = a // b
    out[4] = a % b
    out[5] = a & b
    out[6] = a | b
    out[7] = a ^ b
    out[8] = a << 3
    out[9] = a >> 1
    out[10] = ~a
    out[11] = -a
    out[12] = abs(a)
    out[13] = min(a, b)
    out[14] = max(a, b)


def test_integers() -> None:
    out = np.zeros(15, np.int64)
    native(arithmetic)(-17, 5, out)
    assert out.tolist() == [-12, -22, -85, -3, -2, -17 & 5, -17 | 5, -17 ^ 5, -136, -9, 16, 17, 17, -17, 5]


def words(a: Word, b: Word, out: Words) -> None:
    out[0] = a + b
    out[1] = a * b
    out[2] = a // b
    out[3] = a % b
    out[4] = a >> 60
    out[5] = min(a, b)
    out[6] = word(a < b)
    out[7] = word((to_uint128(a) * to_uint128(b)) >> 64)
    out[8] = word(low_zeros(b))
    out[9] = word(high_zeros(b))
    out[10] = BIG - a


def test_words_have_no_sign_and_wrap() -> None:
    a, b, out = 2**64 - 3, 12, np.zeros(11, np.uint64)
    native(words)(a, b, out)
    assert out.tolist() == [9, a * b % 2**64, a // b, a % b, 15, b, 0, a * b >> 64, 2, 60, 2]


def floats(a: Double, narrow: Floats32, out: Floats) -> bool:
    out[0] = a + narrow[0]
    out[1] = -a
    out[2] = abs(a)
    out[3] = a / 4.0
    out[4] = f64(int(a))
    out[5] = from_bits(bits(a) ^ 0x8000000000000000)
    out[6] = f64(word(3)) * 2.0
    narrow[1] = a
    return bool(a < 0.0 and a != -1.0)


def test_floats() -> None:
    out, narrow = np.zeros(7), np.array([0.1, 0], np.float32)
    assert native(floats)(-0.0, narrow, out) is False
    assert np.signbit(out[[2, 5]]).tolist() == [False, False]
    assert native(floats)(-2.7, narrow, out) is True
    assert out.tolist() == [-2.7 + float(np.float32(0.1)), 2.7, 2.7, -0.675, -2.0, 2.7, 6.0]
    assert narrow[1] == np.float32(-2.7)


def _twice(x: int) -> int:
    return x * 2


def _both(x: int) -> tuple[int, int]:
    return x, -x


def flow(data: Bytes, count: int, found: Ints32, seen: Bools) -> int:
    """Every kind of statement."""
    total = 0
    for i in range(count):
        if data[i] == 32:
            continue
        if data[i] == 33:
            break
        total += TABLE[i % 5] if data[i] != LETTERS[0] else 100
        seen[i] = data[i] == LETTERS[1] or (i > 0 and seen[i - 1])
    at = 0
    while True:
        at += 1
        if at >= 7 or not (at < 6):
            break
    for j in range(3, -1, -1):
        found[j] = _twice(j) - at
    a, b = _both(at)
    a, b = b, a
    found[4] = a
    found[5] = b
    found[6] = -2147483648
    return total if 0 < total <= 1000 else -1


def test_statements() -> None:
    data, found, seen = np.frombuffer(b"ab cd!x", np.uint8), np.zeros(7, np.int32), np.zeros(7, bool)
    assert native(flow)(data, 7, found, seen) == 100 + 1 + 1 + 5
    assert found.tolist() == [-6, -4, -2, 0, -6, 6, -(2**31)]
    assert seen.tolist() == [False, True, False, False, False, False, False]
    assert native(flow)(data, 0, found, seen) == -1


def moved(source: Bytes, count: int, out: Bytes, found: Words) -> None:
    copy(out, 1, source, 0, count)
    found[0] = load64(source, 1)
    found[1] = load32(source, 3)
    store64(out, 60, word(0x0102030405060708))


def test_bytes_are_copied_whatever_their_number() -> None:
    source, found = np.arange(1, 60, dtype=np.uint8), np.zeros(2, np.uint64)
    for count in range(40):
        out = np.zeros(68, np.uint8)
        native(moved)(source, count, out, found)
        assert out[:60].tolist() == [0, *range(1, count + 1), *[0] * (59 - count)]
        assert out[60:].tolist() == [8, 7, 6, 5, 4, 3, 2, 1]
    assert found[0] == int.from_bytes(source[1:9].tobytes(), "little")
    assert found[1] == int.from_bytes(source[3:7].tobytes(), "little")


def shown(n: int, x: Double, form: Bytes, other: Bytes, out: Bytes) -> int:
    size = print_number(out, 0, 40, form, n)
    return size * 100 + print_number(out, size, 40, other, x)


def test_numbers_are_printed_by_the_c_library() -> None:
    forms, out = [np.frombuffer(form, np.uint8) for form in (b"%+05lld|\0", b"%.3e\0")], np.zeros(80, np.uint8)
    assert native(shown)(-12, 0.1, *forms, out) == 609
    assert out.tobytes().rstrip(b"\0") == b"-0012|1.000e-01"


def test_arrays_of_another_kind_are_refused() -> None:
    for out in (np.zeros(15, np.int32), np.zeros(30, np.int64)[::2]):
        with pytest.raises(TypeError, match="out is a contiguous array of int64"):
            native(arithmetic)(1, 2, out)


def mixed(a: int, b: Word) -> Any:
    return a + b


def unsaid(a: Word) -> int:
    return a  # type: ignore[no-any-return]


def unknown(a: int) -> int:
    return len(a)  # type: ignore[arg-type]


def listed(a: int) -> None:
    a = [a]  # type: ignore[assignment]


def changes_kind(a: int) -> int:
    x = a
    x = 1.5  # type: ignore[assignment]
    return x


def no_bytes(a: Ints) -> Word:
    return load64(a, 0)


def of_other_arrays(a: Ints) -> int:
    return flow(a, 1, a, a)


def too_few(a: int) -> int:
    return _twice()  # type: ignore[call-arg]


def one_of_one(a: int) -> int:
    b, c = _twice(a)  # type: ignore[misc]
    return b + c  # type: ignore[no-any-return, has-type]


def replaces_an_array(a: Bytes) -> None:
    a = int(a[0])  # type: ignore[assignment]


REFUSED = [mixed, unsaid, unknown, listed, changes_kind, no_bytes, of_other_arrays, too_few, one_of_one, replaces_an_array, _both]


@pytest.mark.parametrize("wrong", REFUSED, ids=lambda wrong: wrong.__name__)
def test_what_is_no_loop_is_refused(wrong: Any) -> None:
    with pytest.raises(NativeError, match=wrong.__name__):
        written.module_of(wrong, tuple(signature(wrong).parameters.values()), {})
    assert Loops()(wrong, None) is None


def test_few_strings_wait_for_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "jit", None)
    once = Loops()
    assert once(_twice, 5) is None
    assert once(_twice, 1 << 20) is not None
    assert once(_twice, 5) is not None
    assert Loops()(_twice, None) is not None
    monkeypatch.setattr(Settings, "jit", False)
    assert once(_twice, 1 << 20) is None
    assert once(_twice, 1 << 20, is_only=True) is not None  # a kernel has no other way, and it is functions that are not compiled


def pieces(source: Bytes, out: Bytes, found: Words) -> int:
    found[0] = load8(source, 2)
    store32(out, 1, load64(source, 0))
    store8(out, 6, word(0x1FF))
    found[1] = word(bits(from_bits(word(5)))) - 6
    found[2] = word(-1) % 10
    return high_zeros(word(1)) * 100 + low_zeros(word(0))


def test_python_gives_the_same_as_the_engine() -> None:
    text = np.frombuffer(bytes(range(200, 256)) * 4, np.uint8)
    starts = np.array([0, 0, 1, 3, 4, 11, 27, 60, 130, 224], np.int64)
    cases: list[Any] = [(hash_loops.murmur_hashes, (1000,)), (hash_loops.sip_hashes, (2**63 + 1, 7, 0))]
    for function, more in cases:
        one, other = np.zeros(9, np.uint64), np.zeros(9, np.uint64)
        native(function)(text, starts, 9, *more, one)
        with pytest.MonkeyPatch.context() as patch:
            run_loops(False, patch)
            native_or_python(function, None)(text, starts, 9, *more, other)
        assert one.tolist() == other.tolist()
    results = []
    for run in (native(pieces), pieces):
        out, found = np.zeros(8, np.uint8), np.zeros(3, np.uint64)
        with np.errstate(over="ignore"):
            results.append((run(text, out, found), out.tolist(), found.tolist()))
    assert results[0] == results[1]
    assert results[0][0] == 6364
    for count in range(20):
        out = np.zeros(32, np.uint8)
        copy(out, 3, text, 1, count)
        assert out.tolist() == [0] * 3 + text[1 : 1 + count].tolist() + [0] * (29 - count)


def test_what_only_the_engine_has() -> None:
    nothing = np.zeros(1, np.uint8)
    with pytest.raises(TypeError, match="compiled"):
        print_number(nothing, 0, 1, nothing, 1)
    with pytest.raises(TypeError, match="compiled"):
        new_bytes(nothing, 0, 1)
    with pytest.raises(TypeError, match="compiled"):
        release(0)


def _is_loop(function: Any) -> bool:
    try:
        said = signature(function)
    except NameError:  # of a type that only type checkers import
        return False
    kinds = said.parameters.values()
    return None not in kinds and any(isinstance(kind, np.dtype) for kind in kinds) and len(said.results) < 2


def test_every_loop_of_the_library_compiles() -> None:
    """Those that say what they take; the others' kernels are tested one by one."""
    names = [module.name for module in pkgutil.walk_packages(pullback.tensorflow.strings.__path__, "pullback.tensorflow.strings.")]
    found = []
    for name in [*names, "pullback.kernels.string_objects"]:
        for value in vars(importlib.import_module(name)).values():
            if getattr(value, "__module__", "") == name and hasattr(value, "__code__") and _is_loop(value):
                found.append(value)
    assert len(found) > 20
    for one in found:
        assert native(one) is not None
