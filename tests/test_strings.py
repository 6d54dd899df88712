"""Tensors of strings, whose content is Python's objects, a packed column, or both; and kernels over columns, natively and in Python."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings
from pullback.ir.strings import StringTensor
from pullback.kernels import parallel, string_objects
from pullback.kernels.strings import StringArray, from_lengths, from_list, pack_strings
from pullback.tensorflow.strings import columns
from tests.native_kit import run_loops

TEXTS = [b"", b"a", b"b\0c", b"\xff\xfe", "hé".encode(), b" x\t", b"a" * 16, b"b" * 17, b"c" * 70, b"\0"]


def objects(rows: list[bytes]) -> np.ndarray:
    found = np.empty(len(rows), object)
    found[:] = rows
    return found


def column(rows: list[bytes]) -> StringTensor:
    """A tensor that holds a column and no objects."""
    return StringTensor(from_list(rows))


def drawn(count: int, longest: int = 40, alphabet: bytes = bytes(range(256))) -> list[bytes]:
    rng = np.random.default_rng(count + longest)
    letters = np.frombuffer(alphabet, np.uint8)
    return [letters[rng.integers(0, len(letters), n)].tobytes() for n in rng.integers(0, longest, count)]


# ---- columns


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("rows", [[], [b""], TEXTS, [b""] * 40, TEXTS * 10], ids=len)
def test_columns_and_objects(rows: list[bytes], native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    run_loops(native, monkeypatch)
    whole = objects(rows)
    for given, expected in ((whole, rows), (whole[::-1], rows[::-1]), (whole[::2], rows[::2])):
        found = pack_strings(given)
        assert found.starts[0] == 0
        assert found.starts[-1] == len(found.data)
        assert found.tolist() == expected
        assert found.objects().tolist() == expected
        assert found.objects().dtype == object
    table = pack_strings(whole.reshape(1, -1))
    assert table.shape == (1, len(rows))
    assert table.objects().shape == (1, len(rows))


def test_a_column_says_what_an_array_says() -> None:
    x = from_list([b"ab", b"", b"c"])
    assert (x.shape, x.ndim, x.size, len(x), x.dtype) == ((3,), 1, 3, 3, np.dtype(object))
    assert x.item(2) == b"c"
    assert x.lengths().tolist() == [2, 0, 1]
    assert x.is_ascii()
    assert not from_list([b"\x80"]).is_ascii()
    assert from_list([]).is_ascii()
    assert x.reshape((3, 1)).objects().tolist() == [[b"ab"], [b""], [b"c"]]
    assert from_lengths(x.data, np.array([1, 1, 1]), (3,)).tolist() == [b"a", b"b", b"c"]
    assert from_list([b"ab"], ()).objects().item() == b"ab"
    assert "ab" in repr(x)


@pytest.mark.parametrize("native", [True, False])
def test_what_is_no_bytes_is_refused(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    run_loops(native, monkeypatch)
    for wrong in ("text", 3, None):
        with pytest.raises(TypeError):
            pack_strings(np.array([b"a"] * 40 + [wrong], object))


def test_objects_are_kept_by_those_who_have_them() -> None:
    Settings.jit = True
    found = string_objects.make_objects(np.frombuffer(b"xyz" * 20, np.uint8), np.arange(0, 61, 3))
    assert found is not None
    kept = found[7]
    del found
    assert kept == b"xyz"


@pytest.mark.parametrize("native", [True, False])
def test_cutting_and_gathering(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    run_loops(native, monkeypatch)
    x = from_list(TEXTS)
    assert columns.take_strings(x, np.array([[3, 0], [8, 8]])).objects().tolist() == [[TEXTS[3], b""], [TEXTS[8], TEXTS[8]]]
    assert columns.take_strings(x, np.zeros((0, 2), int)).objects().shape == (0, 2)
    assert columns.broadcast(from_list([b"a", b"b"]).reshape((2, 1)), (2, 2)).tolist() == [b"a", b"a", b"b", b"b"]
    assert columns.find_common_length(from_list([b"ab", b"cd"])) == 2
    assert columns.find_common_length(from_list([b"a", b"bcd"])) is None
    assert columns.find_common_length(from_list([])) == 0


# ---- tensors

MADE: list[Callable[[list[bytes]], Any]] = [tf.constant, column, lambda rows: tf.strings.join([rows, [b""] * len(rows)])]


@pytest.mark.parametrize("make", MADE, ids=["objects", "column", "result"])
def test_a_tensor_of_strings(make: Callable[[list[bytes]], Any]) -> None:
    x = make(TEXTS)
    assert type(x) is StringTensor
    assert isinstance(x, tf.Tensor)
    assert x.dtype is tf.string
    assert (tuple(x.shape), x.dims, x.ndim, x.size, len(x)) == ((10,), (10,), 1, 10, 10)
    assert x.numpy().tolist() == TEXTS
    assert x.numpy() is not x.value
    assert np.array(x).tolist() == TEXTS
    assert x.constant.tolist() == TEXTS
    assert [t.numpy() for t in x] == TEXTS
    assert x[2].numpy() == b"b\0c"
    assert x[::2].numpy().tolist() == TEXTS[::2]
    assert tf.reduce_all(x == tf.constant(TEXTS)).numpy()
    assert (x != b"a").numpy().tolist() == [row != b"a" for row in TEXTS]
    assert (x + b"!").numpy().tolist() == [row + b"!" for row in TEXTS]
    for other in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x)), tf.identity(x)):
        assert type(other) is StringTensor
        assert other.numpy().tolist() == TEXTS
    assert str(x) == str(tf.constant(TEXTS))
    assert repr(x) == repr(tf.constant(TEXTS))
    assert [bool(t) for t in make([b"a", b""])] == [True, False]


@pytest.mark.parametrize("make", MADE, ids=["objects", "column", "result"])
def test_operations_of_all_dtypes_take_them(make: Callable[[list[bytes]], Any]) -> None:
    x = make([b"a", b"\0b", b"", b"d"])
    assert tf.reshape(x, [2, 2]).numpy().tolist() == [[b"a", b"\0b"], [b"", b"d"]]
    assert tf.gather(x, [3, 0]).numpy().tolist() == [b"d", b"a"]
    assert tf.concat([x, x], 0).numpy().tolist() == [b"a", b"\0b", b"", b"d"] * 2
    assert tf.stack([x, x]).shape == (2, 4)
    assert tf.where([True, False, True, False], x, "no").numpy().tolist() == [b"a", b"no", b"", b"no"]
    assert tf.expand_dims(x, 0).shape == (1, 4)
    assert tf.boolean_mask(x, [False, True, False, True]).numpy().tolist() == [b"\0b", b"d"]
    assert tf.zeros_like(x).numpy().tolist() == [b""] * 4
    assert tf.unique(tf.concat([x, x], 0))[0].numpy().tolist() == [b"a", b"\0b", b"", b"d"]
    assert tf.shape(x).numpy().tolist() == [4]
    assert [t.numpy() for t in tf.unstack(x)] == [b"a", b"\0b", b"", b"d"]
    with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
        tf.exp(x)
    with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
        tf.add(x, 1.0)


def test_scalars_and_empty_tensors() -> None:
    scalar = StringTensor(from_list([b"a\0"], ()))
    assert scalar.numpy() == b"a\0"
    assert scalar.shape == ()
    assert tf.strings.length(scalar).numpy() == 2
    assert tf.strings.upper("é!").numpy() == "é!".encode()
    empty = tf.zeros([0, 3], tf.string)
    assert type(empty) is StringTensor
    for f in (tf.strings.upper, tf.strings.strip, lambda x: tf.strings.substr(x, 0, 1), lambda x: tf.strings.join([x, x])):
        assert f(empty).shape == (0, 3)
        assert f(empty).numpy().shape == (0, 3)
    assert tf.strings.length(empty).shape == (0, 3)
    assert tf.strings.to_number(empty).shape == (0, 3)
    assert tf.io.decode_raw(empty, tf.int32).shape == (0, 3, 0)


def test_text_in_arrays_is_text_still_after_bytes_were_taken() -> None:
    assert tf.strings.length(np.array([b"a"], object)).numpy().tolist() == [1]
    assert tf.strings.length(np.array(["hé"], object)).numpy().tolist() == [3]


def test_functions_sessions_and_variables() -> None:
    x = tf.strings.upper(tf.constant(["a", "b"]))
    made = tf.function(lambda x: tf.strings.join([tf.strings.lower(x), tf.strings.as_string(tf.strings.length(x))]))
    for _ in range(4):
        assert made(x).numpy().tolist() == [b"a1", b"b1"]
        assert made(tf.strings.join([x, x])).numpy().tolist() == [b"aa2", b"bb2"]
    assert type(made(x)) is StringTensor
    assert tf.strings.length(made(x)).numpy().tolist() == [2, 2]
    v = tf.Variable(["x", "y"])
    v.assign(x)
    assert tf.strings.join([v, x]).numpy().tolist() == [b"AA", b"BB"]
    v[0].assign("z")
    assert v.numpy().tolist() == [b"z", b"B"]
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        p = tf.compat.v1.placeholder(tf.string, [None])
        assert session.run(tf.strings.substr(p, 0, 1), {p: ["ab", "cd"]}).tolist() == [b"a", b"c"]


@pytest.mark.parametrize("length", [5, 300])
def test_strings_stay_packed_within_a_plan(length: int) -> None:
    """Short plans are programs, long ones are walked; what another operation reads, or the caller, is unpacked."""

    def f(x: Any) -> Any:
        for i in range(length):
            x = tf.strings.join([x, "!"]) if i % 2 else tf.strings.substr(x, 0, 4)
        upper = tf.strings.upper(x)
        return tf.strings.length(upper), tf.gather(upper, [1, 0]), tf.strings.join([tf.reshape(x, [2]), upper]), x

    expected = f(tf.constant(["abcdef", "xy"]))
    made = tf.function(f)
    for _ in range(3):
        for one, other in zip(made(tf.constant(["abcdef", "xy"])), expected, strict=True):
            assert one.numpy().tolist() == other.numpy().tolist()


def test_an_error_within_a_plan_knows_the_strings() -> None:
    made = tf.function(lambda x: tf.strings.substr(tf.strings.upper(x), 3, 1))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"pos 3 out of range for string b'AB' at index 1"):
        made(["abcd", "ab"])


def test_strings_in_loops_and_branches() -> None:
    @tf.function
    def repeated(x: tf.Tensor, n: tf.Tensor) -> tf.Tensor:
        while n > 0:
            x = tf.strings.join([tf.strings.upper(x), "b"]) if n % 2 == 0 else tf.strings.lower(x)
            n -= 1
        return x

    assert repeated(tf.constant(["a", ""]), tf.constant(4)).numpy().tolist() == [b"abb", b"bb"]


def test_a_tape_passes_them_by() -> None:
    w, words = tf.Variable(2.0), tf.constant(["a", "bc"])
    with tf.GradientTape() as tape:
        size = tf.cast(tf.strings.length(tf.strings.join([words, tf.as_string(w)])), tf.float32)
        y = tf.reduce_sum(size * w)
    assert tape.gradient(y, w).numpy() == 2 * 8 + 3
    with tf.GradientTape() as tape:
        tape.watch(w)
        z = tf.strings.as_string(w)
    assert tape.gradient(z, w) is None


def test_errors_name_the_operation() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"pos 3 out of range for string b'ab' at index 1.*Op:Substr"):
        tf.strings.substr(["abcd", "ab"], 3, 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="element 1 has size 2"):
        tf.io.decode_raw([b"a", b"bc"], tf.uint8)
    with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert string: x"):
        tf.strings.to_number(["1", "x"])


# ---- native loops, and Python itself

LETTERS = drawn(300, alphabet=b"abcXYZ ,\t\n")
ANY = drawn(300)
ACCENTS = ["".join(chr(c) for c in np.random.default_rng(i).integers(0x20, 0x2FF, i % 20)).encode() for i in range(200)]
INTEGERS = [b"%d" % n for n in np.random.default_rng(0).integers(-(2**31), 2**31, 300)]
UNSIGNED = [b"7", b" 4294967295", b"+0"]
DECIMALS = [
    *(*INTEGERS[:50], b"1.5", b" -.25\n", b"1e10", b"2E-3", b"inf", b"-nan"),
    *(b"0x1p3", b"-0", b"9007199254740993", b"1e23", b"3.", b"+7"),
]
POSITIONS = np.random.default_rng(1).integers(-3, 1, 200)

SAME: dict[str, Callable[[], Any]] = {
    **{
        f"{name} of {kind}": lambda f=f, rows=rows: f(column(rows))
        for kind, rows in (("letters", LETTERS), ("bytes", ANY), ("accents", ACCENTS))
        for name, f in {
            "length": tf.strings.length,
            "characters": lambda x: tf.strings.length(x, unit="UTF8_CHAR"),
            "upper": tf.strings.upper,
            "lower": lambda x: tf.strings.lower(x, encoding="utf-8"),
            "strip": tf.strings.strip,
            "join": lambda x: tf.strings.join([x, "-", x], "+"),
            "substr": lambda x: tf.strings.substr(x, 0, 3),
            "substr by characters": lambda x: tf.strings.substr(x, 0, 3, unit="UTF8_CHAR"),
            "hash": lambda x: tf.strings.to_hash_bucket(x, 12345),
            "fast hash": lambda x: tf.strings.to_hash_bucket_fast(x, 2**62 + 1),
            "strong hash": lambda x: tf.strings.to_hash_bucket_strong(x, 1000, [2**63 + 5, 7]),
            "fingerprint": tf.fingerprint,
            "fingerprint of rows": lambda x: tf.fingerprint(tf.reshape(x, [-1, 2])),
            "padded": lambda x: tf.io.decode_raw(x, tf.int16, fixed_length=8),
        }.items()
    },
    **{
        f"reduce_join {axes}, {keep}": lambda axes=axes, keep=keep: tf.strings.reduce_join(
            tf.reshape(column(ANY), [10, 6, 5]), axes, keepdims=keep, separator="--"
        )
        for axes in (0, [1], [2, 0], [0, 1, 2], [])
        for keep in (True, False)
    },
    "reduce_join of nothing": lambda: tf.strings.reduce_join(tf.zeros([3, 0], tf.string), 1, separator="-"),
    "unsorted_segment_join": lambda: tf.strings.unsorted_segment_join(column(ANY), np.arange(300) * 7 % 40, 42, ", "),
    "unsorted_segment_join of rows": lambda: tf.strings.unsorted_segment_join(tf.reshape(column(ANY), [30, 10]), np.arange(30) % 4, 5),
    "transcoded": lambda: tf.strings.unicode_transcode(column(ACCENTS), "UTF-8", "UTF-16-BE"),
    "encoded": lambda: tf.strings.unicode_encode(tf.strings.unicode_decode(column(ACCENTS), "UTF-8"), "UTF-8"),
    "substr from the end": lambda: tf.strings.substr(column([b"abc" + row for row in ACCENTS]), POSITIONS, POSITIONS + 2),
    "characters from the end": lambda: tf.strings.substr(
        column([b"abc" + row for row in ACCENTS]), POSITIONS, abs(POSITIONS + 2), "UTF8_CHAR"
    ),
    "characters, and none": lambda: tf.strings.substr(
        column([b"abc" + row for row in ACCENTS]), abs(POSITIONS), POSITIONS + 2, "UTF8_CHAR"
    ),
    "substr, broadcast": lambda: tf.strings.substr(tf.reshape(column([b"abcdef", b"ghijk"]), [2, 1]), [[0, 1, -2]], [[2, -1, 5]]),
    "long hashes": lambda: tf.strings.to_hash_bucket_fast([bytes(range(256)) * 3 + row for row in ANY], 2**40),
    "fingerprint of numbers": lambda: tf.fingerprint(np.random.default_rng(0).normal(size=(50, 33)).astype(np.float32)),
    **{
        f"as_string, {dtype}": lambda dtype=dtype: tf.as_string(np.random.default_rng(0).integers(0, 2**62, 300).astype(dtype))
        for dtype in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    },
    "as_string, bounds": lambda: tf.as_string(
        np.array([-(2**63), 2**63 - 1, 0, -1, *(10**k for k in range(19)), *(10**k - 1 for k in range(19))])
    ),
    **{
        f"as_string, {dtype.name}, {precision} digits": lambda dtype=dtype, precision=precision: tf.as_string(
            tf.cast(tf.constant(NUMBERS), dtype), precision=precision
        )
        for dtype in (tf.float16, tf.bfloat16, tf.float32, tf.float64)
        for precision in (-1, 0, 1, 3, 9, 15, 20)
    },
    **{
        f"as_string, {dtype.name}, {digits} digits, {notation}": lambda dtype=dtype, digits=digits, notation=notation: tf.as_string(
            tf.cast(tf.constant(NUMBERS), dtype), precision=digits, **{notation: True}
        )
        for dtype in (tf.float32, tf.float64)
        for digits in (-1, 0, 1, 5, 16, 17, 30)
        for notation in ("scientific", "shortest")
    },
    **{
        f"as_string, width {width}, {fill!r}": lambda width=width, fill=fill: tf.as_string(tf.constant(NUMBERS), width=width, fill=fill)
        for width, fill in ((12, ""), (20, "0"), (9, "-"), (400, "+"), (-1, " "))
    },
    "as_string, truth": lambda: tf.as_string(tf.constant(NUMBERS) > 0),
    "as_string, large": lambda: tf.as_string(tf.constant([1e300, -1e20, 1.5], tf.float64)),
    **{
        f"to_number, {dtype.name}": lambda dtype=dtype, rows=rows: tf.strings.to_number(rows, dtype)
        for dtype, rows in ((tf.int32, INTEGERS), (tf.int64, INTEGERS), (tf.uint32, UNSIGNED), (tf.uint64, UNSIGNED))
    },
    "to_number, float32": lambda: tf.strings.to_number(column(DECIMALS), tf.float32),
    "to_number, float64": lambda: tf.strings.to_number(column(DECIMALS), tf.float64),
}
NUMBERS = np.concatenate([
    np.random.default_rng(0).normal(size=100) * 10.0 ** np.random.default_rng(1).integers(-9, 5, 100),
    np.random.default_rng(2).integers(-1000, 1000, 100) / 64,
    10.0 ** np.arange(-20, 20),
    np.nextafter(10.0 ** np.arange(-20, 20), 0),
    [0.00064, 0.0095, 99999.95, 999999.5, 9.9999995, 123456, 1234567, 1e300],
    [0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 5e-324],
    [0.5, 1.5, 2.5, 0.125, 0.0000005, 0.0000015, 0.9999995, 99999.9999995, 4503599627370.5],
])


@pytest.mark.parametrize("name", SAME)
def test_natively_as_in_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run_loops(True, monkeypatch)
    found = SAME[name]()
    run_loops(False, monkeypatch)
    expected = SAME[name]()
    assert found.dtype is expected.dtype
    assert found.shape == expected.shape
    if found.dtype is tf.string:
        assert found.value.tolist() == expected.value.tolist()
    else:
        assert found.numpy().tobytes() == expected.numpy().tobytes()


def test_many_strings_go_to_threads_and_are_the_same() -> None:
    Settings.jit = True
    x = column(drawn(40_000, 12))
    numbers = tf.constant(np.random.default_rng(0).normal(size=40_000))
    found = []
    try:
        for threads in (1, 3):
            parallel.set_threads(threads)
            parts = tf.strings.substr(tf.strings.join([x, "-", x, "abc"]), 1, 3)
            found.append([
                *(parts, tf.strings.strip(x), tf.as_string(numbers), tf.as_string(tf.cast(numbers * 1e6, tf.int64))),
                *(tf.strings.length(x, unit="UTF8_CHAR"), tf.strings.to_hash_bucket_fast(x, 99), tf.fingerprint(x)),
                tf.io.decode_raw(x, tf.int16, fixed_length=8),
            ])
    finally:
        parallel.set_threads(0)
    for one, three in zip(*found, strict=True):
        assert one.numpy().tolist() == three.numpy().tolist()
    assert found[0][0].numpy().tolist() == [(row + b"-" + row + b"abc")[1:4] for row in x.numpy().tolist()]


NO_NUMBERS = (b"", b" ", b"+", b".", b"1e", b"e5", b"1..2", b"--1", b"1 2", b"1_0", b"1\x000", b"-", b"0x")


@pytest.mark.parametrize("native", [True, False])
def test_what_spells_no_number(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    run_loops(native, monkeypatch)
    for wrong in NO_NUMBERS:
        for dtype in (tf.int32, tf.uint32, tf.float32):
            with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert"):
                tf.strings.to_number([b"1", wrong], dtype)
    for large in (b"4294967296", b"-4294967296", b"1" * 30):
        for dtype in (tf.int32, tf.uint32):
            with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert"):
                tf.strings.to_number([b"1", large], dtype)


def test_a_nan_says_its_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    nans = np.array([0x7FC00000, 0xFFC00000] * 40, np.uint32).view(np.float32)
    for native in (True, False):
        run_loops(native, monkeypatch)
        for form in ({}, {"shortest": True}, {"precision": 20}):
            assert tf.as_string(nans, **form).numpy().tolist() == [b"nan", b"-nan"] * 40
        assert tf.as_string(nans, width=6, fill="0").numpy().tolist() == [b"   nan", b"  -nan"] * 40
        assert tf.as_string(nans[1]).numpy() == b"-nan"
        assert tf.as_string(tf.complex(nans[1], nans[0])).numpy() == b"(-nan,nan)"


def test_arguments_are_left_as_they_were() -> None:
    Settings.jit = True
    x = column(ANY)
    before = x.packed.data.copy()
    x.packed.data.flags.writeable = False
    for f in (tf.strings.upper, tf.strings.strip, tf.strings.length, lambda x: tf.strings.join([x, x])):
        f(x)
    decoded = tf.io.decode_raw(column([b"abcd"] * 20), tf.uint8)
    assert decoded.numpy().flags.writeable
    assert (x.packed.data == before).all()
    assert isinstance(x.packed, StringArray)
