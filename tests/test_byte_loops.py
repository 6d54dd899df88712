"""Loops over bytes, written as Python: what each word of them does once it is compiled, and what is refused."""

import importlib
import pkgutil

import numpy as np
import pytest

import pullback.ops
from pullback.base import byte_loops
from pullback.base.byte_loops import (
    Bools,
    Bytes,
    Floats,
    Floats32,
    Ints,
    Ints32,
    Loop,
    Word,
    Words,
    bits,
    copy,
    from_bits,
    high_zeros,
    load32,
    load64,
    loop,
    low_zeros,
    printed,
    store64,
    wide,
    word,
)
from pullback.compile.native.byte_loops import Unsupported, text_of
from pullback.compile.tiers import Settings

TABLE = np.array([3, 1, 4, 1, 5], np.int64)
LETTERS = b"abc"
BIG = np.uint64(0xFFFFFFFFFFFFFFFF)


@loop
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
    arithmetic.native(-17, 5, out)
    assert out.tolist() == [-12, -22, -85, -3, -2, -17 & 5, -17 | 5, -17 ^ 5, -136, -9, 16, 17, 17, -17, 5]


@loop
def words(a: Word, b: Word, out: Words) -> None:
    out[0] = a + b
    out[1] = a * b
    out[2] = a // b
    out[3] = a % b
    out[4] = a >> 60
    out[5] = min(a, b)
    out[6] = word(a < b)
    out[7] = word((wide(a) * wide(b)) >> 64)
    out[8] = word(low_zeros(b))
    out[9] = word(high_zeros(b))
    out[10] = BIG - a


def test_words_have_no_sign_and_wrap() -> None:
    a, b, out = 2**64 - 3, 12, np.zeros(11, np.uint64)
    words.native(a, b, out)
    assert out.tolist() == [9, a * b % 2**64, a // b, a % b, 15, b, 0, a * b >> 64, 2, 60, 2]


@loop
def floats(a: float, narrow: Floats32, out: Floats) -> bool:
    out[0] = a + narrow[0]
    out[1] = -a
    out[2] = abs(a)
    out[3] = a / 4.0
    out[4] = float(int(a))
    out[5] = from_bits(bits(a) ^ 0x8000000000000000)
    out[6] = float(word(3)) * 2.0
    narrow[1] = a
    return a < 0.0 and a != -1.0


def test_floats() -> None:
    out, narrow = np.zeros(7), np.array([0.1, 0], np.float32)
    assert floats.native(-0.0, narrow, out) is False
    assert np.signbit(out[[2, 5]]).tolist() == [False, False]
    assert floats.native(-2.7, narrow, out) is True
    assert out.tolist() == [-2.7 + float(np.float32(0.1)), 2.7, 2.7, -0.675, -2.0, 2.7, 6.0]
    assert narrow[1] == np.float32(-2.7)


@loop
def _twice(x: int) -> int:
    return x * 2


@loop
def _both(x: int) -> tuple[int, int]:
    return x, -x


@loop
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
    assert flow.native(data, 7, found, seen) == 100 + 1 + 1 + 5
    assert found.tolist() == [-6, -4, -2, 0, -6, 6, -(2**31)]
    assert seen.tolist() == [False, True, False, False, False, False, False]
    assert flow.native(data, 0, found, seen) == -1


@loop
def moved(source: Bytes, count: int, out: Bytes, found: Words) -> None:
    copy(out, 1, source, 0, count)
    found[0] = load64(source, 1)
    found[1] = load32(source, 3)
    store64(out, 60, word(0x0102030405060708))


def test_bytes_are_copied_whatever_their_number() -> None:
    source, found = np.arange(1, 60, dtype=np.uint8), np.zeros(2, np.uint64)
    for count in range(40):
        out = np.zeros(68, np.uint8)
        moved.native(source, count, out, found)
        assert out[:60].tolist() == [0, *range(1, count + 1), *[0] * (59 - count)]
        assert out[60:].tolist() == [8, 7, 6, 5, 4, 3, 2, 1]
    assert found[0] == int.from_bytes(source[1:9].tobytes(), "little")
    assert found[1] == int.from_bytes(source[3:7].tobytes(), "little")


@loop
def shown(n: int, x: float, form: Bytes, other: Bytes, out: Bytes) -> int:
    size = printed(out, 0, 40, form, n)
    return size * 100 + printed(out, size, 40, other, x)


def test_numbers_are_printed_by_the_c_library() -> None:
    forms, out = [np.frombuffer(form, np.uint8) for form in (b"%+05lld|\0", b"%.3e\0")], np.zeros(80, np.uint8)
    assert shown.native(-12, 0.1, *forms, out) == 609
    assert out.tobytes().rstrip(b"\0") == b"-0012|1.000e-01"


def test_arrays_of_another_kind_are_refused() -> None:
    for out in (np.zeros(15, np.int32), np.zeros(30, np.int64)[::2]):
        with pytest.raises(TypeError, match="out is a contiguous array of int64"):
            arithmetic.native(1, 2, out)


def test_a_loop_is_not_for_python() -> None:
    with pytest.raises(TypeError, match="loop to be compiled"):
        arithmetic(1, 2, np.zeros(15, np.int64))
    with pytest.raises(TypeError, match="nothing elsewhere"):
        word(3)


@loop
def mixed(a: int, b: Word) -> int:
    return a + b


@loop
def unknown(a: int) -> int:
    return len(a)


@loop
def listed(a: int) -> None:
    a = [a]


@loop
def changes_kind(a: int) -> int:
    x = a
    x = 1.5
    return x


@loop
def never_reached(a: int) -> int:
    return a
    return 0


@pytest.mark.parametrize("wrong", [mixed, unknown, listed, changes_kind, never_reached], ids=lambda wrong: wrong.name)
def test_what_is_no_loop_is_refused(wrong: Loop) -> None:
    with pytest.raises(Unsupported, match=wrong.name):
        text_of(wrong)


def test_few_strings_wait_for_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "jit", None)
    once = Loop(_twice.function)
    assert once.over(5) is None
    assert once.over(1 << 20) is not None
    assert once.over(5) is not None
    assert Loop(_twice.function).native is not None
    monkeypatch.setattr(Settings, "jit", False)
    assert once.over(1 << 20) is None


def test_every_loop_of_the_library_compiles() -> None:
    found = set()
    for module in pkgutil.walk_packages(pullback.ops.__path__, "pullback.ops."):
        if ".string." in module.name:
            found |= {value for value in vars(importlib.import_module(module.name)).values() if isinstance(value, Loop)}
    found |= {value for value in vars(importlib.import_module("pullback.base.string_objects")).values() if isinstance(value, Loop)}
    assert len(found) > 20
    for one in found:
        if "[" not in str(one.function.__annotations__.get("return")):  # several results are for other loops
            assert one.native is not None, one.name
    assert byte_loops.HOST.compiled is not None
