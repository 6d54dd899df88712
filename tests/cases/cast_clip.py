"""Cases for casts, clipping and checks of values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .case import Case, ErrorCase, bools, case, error, floats, ints
from .math import COMPLEX, REAL, SIGNED, UNSIGNED, inf, nan, via

FLOATING = ("float16", "bfloat16", "float32", "float64")


def to(dtype: str) -> Callable[..., Any]:
    return lambda tf, x: tf.cast(x, getattr(tf, dtype))


def casts() -> Iterator[Case]:
    fractions = np.array([-2.7, -0.5, 0.0, 0.5, 2.7], np.float32)
    for source in FLOATING + COMPLEX:
        for target in FLOATING + COMPLEX:
            if source != target:
                smooth = target not in ("float16", "bfloat16")  # too coarse to take differences of
                yield case("Cast", f"{source} to {target}", to(target), floats(3, dtype=source), smooth=smooth)
    for target in SIGNED:
        yield case("Cast", f"float32 to {target}", to(target), fractions, smooth=False)
    for target in UNSIGNED:
        yield case("Cast", f"float32 to {target}", to(target), np.abs(fractions), smooth=False)
    for source in SIGNED + UNSIGNED:
        yield case("Cast", f"{source} to float32", to("float32"), ints(3, dtype=source), smooth=False)
        yield case("Cast", f"{source} to bool", to("bool"), ints(3, high=2, dtype=source), smooth=False)
    for target in ("float32", "int32", "complex64"):
        yield case("Cast", f"bool to {target}", to(target), bools(4), smooth=False)
    yield case("Cast", "float32 to bool", to("bool"), [0.0, 0.5, -1.0, nan], smooth=False)
    yield case("Cast", "int64 to int8 wraps", to("int8"), np.array([300, -129, 5], np.int64), smooth=False)
    yield case("Cast", "int32 to uint8 wraps", to("uint8"), np.array([-1, 256, 7], np.int32), smooth=False)
    yield case("Cast", "scalar", to("float64"), floats())
    yield case("Cast", "empty", to("float64"), floats(0, 2), smooth=False)
    yield case("Mul", "cast to its own dtype", lambda tf, x: tf.cast(x, tf.float32) * 2.0, floats(3))
    yield case("Cast", "overflow to float16", to("float16"), [1e6, -1e6, inf, nan], smooth=False)
    yield case("Cast", "dtype by name", lambda tf, x: tf.cast(x, "float64"), floats(3))
    yield case("Cast", "dtype by NumPy class", lambda tf, x: tf.cast(x, np.float64), floats(3))
    yield case("Cast", "of a list", lambda tf, x: tf.cast([1, 2, 3], tf.float32) * x, floats(3))
    yield case(
        "Cast",
        "through float16",
        lambda tf, x: tf.cast(tf.cast(x, tf.float16) * 2.0, tf.float32),
        floats(3),
        smooth=False,
    )
    yield case("Cast", "saturate to uint8", lambda tf, x: tf.saturate_cast(x, tf.uint8), [-5.0, 3.7, 300.0], smooth=False)
    yield case("Cast", "saturate to int8", lambda tf, x: tf.saturate_cast(x, tf.int8), np.array([-500, 3, 500], np.int32), smooth=False)
    yield case("Cast", "saturate to float16", lambda tf, x: tf.saturate_cast(x, tf.float16), [-1e6, 3.5, 1e6], smooth=False)
    yield case("Cast", "saturate to a wider dtype", lambda tf, x: tf.saturate_cast(x, tf.float64), floats(3))
    for name in ("to_float", "to_int32", "to_int64", "to_complex64", "to_complex128", "to_bfloat16"):
        yield case(
            "Cast",
            f"v1 {name}",
            via(name),
            floats(3, dtype="float64", low=0.5),
            smooth=name in ("to_float", "to_complex64", "to_complex128"),
            face="v1",
        )
    yield case("Cast", "v1 to_double", via("to_double"), floats(3), face="v1")


def clipping() -> Iterator[Case]:
    clip = lambda tf, x: tf.clip_by_value(x, -0.5, 0.8)
    yield case("Maximum", "clip_by_value", clip, floats(2, 3))
    for dtype in REAL:
        yield case("Maximum", f"clip_by_value {dtype}", clip, floats(4, dtype=dtype))
    yield case("Maximum", "clip_by_value integers", lambda tf, x: tf.clip_by_value(x, 2, 5), ints(5), smooth=False)
    yield case("Maximum", "clip_by_value at the bounds", clip, np.array([-0.5, 0.8, -0.6, 0.9, nan], np.float32), smooth=False)
    yield case(
        "Maximum",
        "clip_by_value tensors",
        via("clip_by_value"),
        floats(2, 3),
        floats(3, low=-1.0, high=-0.5, seed=1),
        floats(3, low=0.5, high=1.0, seed=2),
    )
    yield case("Maximum", "clip_by_value empty", clip, floats(0, 2), smooth=False)
    for label, x in (
        ("long", floats(4, low=1.0)),
        ("short", floats(3, low=-0.1, high=0.1)),
        ("matrix", floats(2, 3)),
        ("scalar", floats()),
        ("float64", floats(3, dtype="float64")),
    ):
        yield case("RealDiv", f"clip_by_norm {label}", lambda tf, x: tf.clip_by_norm(x, 1.0), x)
    yield case("RealDiv", "clip_by_norm zero", lambda tf, x: tf.clip_by_norm(x, 1.0), np.zeros(3, np.float32), smooth=False)
    yield case("RealDiv", "clip_by_norm rows", lambda tf, x: tf.clip_by_norm(x, 1.0, axes=[1]), floats(3, 2))
    yield case("RealDiv", "clip_by_norm axis", lambda tf, x: tf.clip_by_norm(x, 0.5, axes=0), floats(3, 2))
    yield case("RealDiv", "clip_by_norm by a tensor", via("clip_by_norm"), floats(3, low=1.0), floats(low=0.5, high=1.0))
    yield case("RealDiv", "clip_by_norm negative", lambda tf, x: tf.clip_by_norm(x, -1.0), floats(3), smooth=False)
    yield case("RealDiv", "v1 clip_by_norm", lambda tf, x: tf.clip_by_norm(x, 1.0), floats(3), face="v1")
    yield case("Minimum", "clip_by_average_norm", lambda tf, x: tf.clip_by_average_norm(x, 0.1), floats(2, 3), face="v1")
    yield case("Minimum", "clip_by_average_norm of small values", lambda tf, x: tf.clip_by_average_norm(x, 10.0), floats(2, 3), face="v1")
    pair = floats(2, 3), floats(2, seed=1)
    yield case("Minimum", "clip_by_global_norm", lambda tf, a, b: tf.clip_by_global_norm([a, b], 1.0), *pair)
    yield case("Minimum", "clip_by_global_norm float64", lambda tf, a: tf.clip_by_global_norm([a], 1.0), floats(3, dtype="float64"))
    yield case("Minimum", "clip_by_global_norm not reached", lambda tf, a, b: tf.clip_by_global_norm([a, b], 100.0), *pair)
    yield case(
        "Minimum",
        "clip_by_global_norm given norm",
        lambda tf, a, b: tf.clip_by_global_norm((a, b), 1.0, use_norm=tf.constant(4.0))[0],
        *pair,
    )
    yield case("Minimum", "clip_by_global_norm skips None", lambda tf, a, b: tf.clip_by_global_norm([a, None, b], 1.0)[0][::2], *pair)
    yield case("Minimum", "clip_by_global_norm infinite", lambda tf, a: tf.clip_by_global_norm([a], 1.0), [1.0, inf], smooth=False)
    yield case("Sqrt", "global_norm", lambda tf, a, b: tf.linalg.global_norm([a, b]), *pair)
    yield case("Sqrt", "v1 global_norm", lambda tf, a, b: tf.global_norm([a, b]), *pair, face="v1")
    yield case("Sqrt", "global_norm of zeros", lambda tf, a: tf.linalg.global_norm([a]), np.zeros(2, np.float32), smooth=False)
    yield case("Sqrt", "global_norm float64", lambda tf, a: tf.linalg.global_norm([a]), floats(3, dtype="float64"))


def checks() -> Iterator[Case]:
    check = lambda tf, x: tf.debugging.check_numerics(x, "message")
    yield case("CheckNumerics", "vector", check, floats(3))
    yield case("CheckNumerics", "scalar", check, floats())
    yield case("CheckNumerics", "empty", check, floats(0), smooth=False)
    for dtype in REAL:
        yield case("CheckNumerics", dtype, check, floats(3, dtype=dtype))
    yield case("CheckNumerics", "v1", lambda tf, x: tf.check_numerics(x, "message"), floats(3), face="v1")
    yield case("CheckNumerics", "assert_all_finite", lambda tf, x: tf.debugging.assert_all_finite(x, "message"), floats(3))
    yield case(
        "CheckNumerics", "v1 verify_tensor_all_finite", lambda tf, x: tf.verify_tensor_all_finite(x, "message"), floats(3), face="v1"
    )
    for path in ("math.is_non_decreasing", "math.is_strictly_increasing"):
        for label, x in (
            ("rises", [1.0, 2.0, 3.0]),
            ("stays", [1.0, 1.0, 2.0]),
            ("falls", [1.0, 3.0, 2.0]),
            ("single", [1.0]),
            ("matrix", [[1.0, 2.0], [3.0, 4.0]]),
        ):
            yield case("All", f"{path.removeprefix('math.')} {label}", via(path), x, smooth=False)


CASES: list[Case] = [*casts(), *clipping(), *checks()]


def _both(label: str, f: Callable[..., Any], *inputs: Any) -> Iterator[ErrorCase]:
    yield error(label, f, *inputs, mode="eager")
    yield error(label, f, *inputs, mode="graph")


ERRORS: list[ErrorCase] = [
    error("Cast: to string", lambda tf, x: tf.cast(x, tf.string), floats(2)),
    error("Cast: from string", lambda tf, x: tf.cast(x, tf.float32), np.array([b"1"], object)),
    *_both("cast to no dtype", lambda tf, x: tf.cast(x, "nonsense"), floats(2)),
    error("CheckNumerics: NaN", lambda tf, x: tf.debugging.check_numerics(x, "loss"), [1.0, nan]),
    error("CheckNumerics: assert_all_finite", lambda tf, x: tf.debugging.assert_all_finite(x, "loss"), [1.0, nan]),
    error("CheckNumerics: infinity", lambda tf, x: tf.debugging.check_numerics(x, "loss"), [1.0, inf]),
    *_both("CheckNumerics: integers", lambda tf, x: tf.debugging.check_numerics(x, "loss"), ints(2)),
    *_both("clip_by_global_norm of a tensor", lambda tf, x: tf.clip_by_global_norm(x, 1.0), floats(2)),
    *_both("global_norm of a tensor", lambda tf, x: tf.linalg.global_norm(x), floats(2)),
    *_both("clip_by_value grows", via("clip_by_value"), floats(2), floats(3, 2), floats(2)),
    *_both("Minimum: clip_by_value dtypes", lambda tf, x: tf.clip_by_value(x, 0.5, 1.5), ints(2)),
]
