"""Dtypes: what TensorFlow 2.21 prints for the same lines."""

from __future__ import annotations

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

from pullback.base import dtypes

NUMBERS = {
    "float16": (19, np.float16, 2),
    "bfloat16": (14, ml_dtypes.bfloat16, 2),
    "float32": (1, np.float32, 4),
    "float64": (2, np.float64, 8),
    "complex64": (8, np.complex64, 8),
    "complex128": (18, np.complex128, 16),
    "int8": (6, np.int8, 1),
    "int16": (5, np.int16, 2),
    "int32": (3, np.int32, 4),
    "int64": (9, np.int64, 8),
    "uint8": (4, np.uint8, 1),
    "uint16": (17, np.uint16, 2),
    "uint32": (22, np.uint32, 4),
    "uint64": (23, np.uint64, 8),
    "bool": (10, np.bool_, 1),
    "string": (7, object, 0),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_one_object_for_every_way_to_name_it(name: str) -> None:
    enum, scalar, size = NUMBERS[name]
    dtype = getattr(dtypes, name)
    assert (dtype.name, dtype.as_datatype_enum, dtype.as_numpy_dtype, dtype.size) == (name, enum, scalar, size)
    for spelling in (name, enum, scalar, np.dtype(scalar), dtype):
        assert dtypes.as_dtype(spelling) is dtype
        assert dtype == spelling
    assert dtypes.FROM_NUMPY[np.dtype(scalar)] is dtype
    assert dtypes.find_dtype(np.zeros(2, scalar)) is dtype
    assert (repr(dtype), str(dtype), hash(dtype)) == (f"tf.{name}", f"<dtype: '{name}'>", enum)
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.deepcopy(dtype) is dtype


def test_classes_of_values() -> None:
    by_flag = {
        "is_floating": "float16 bfloat16 float32 float64",
        "is_complex": "complex64 complex128",
        "is_integer": "int8 int16 int32 int64 uint8 uint16 uint32 uint64",
        "is_unsigned": "uint8 uint16 uint32 uint64",
        "is_bool": "bool",
        "is_quantized": "",
        "trainable": "float16 bfloat16 float32 float64 complex64 complex128",
    }
    for flag, names in by_flag.items():
        assert {n for n in NUMBERS if getattr(dtypes.as_dtype(n), flag)} == set(names.split()), flag
    assert dtypes.variant.trainable and dtypes.resource.trainable
    assert not dtypes.variant.is_numpy_compatible
    assert dtypes.qint8.is_quantized and not dtypes.qint8.is_integer
    assert {d for d in dtypes.ANY if d.is_floating} == dtypes.FLOATING | dtypes.EIGHT_BITS
    assert {d for d in dtypes.ANY if d.is_integer} == dtypes.INTEGER | dtypes.FOUR_BITS
    assert {d for d in dtypes.INTEGER if not d.is_unsigned} == dtypes.SIGNED
    assert {dtypes.int32, dtypes.int64} == dtypes.INDEX
    assert {d for d in dtypes.ANY if d.is_numeric_compatible} == dtypes.NUMERIC
    assert dtypes.REAL == dtypes.NUMERIC - dtypes.COMPLEX
    assert dtypes.FLOAT_OR_COMPLEX == dtypes.FLOATING | dtypes.COMPLEX


def test_real_and_reference_forms() -> None:
    assert dtypes.complex64.real_dtype is dtypes.float32
    assert dtypes.complex128.real_dtype is dtypes.float64
    assert dtypes.int8.real_dtype is dtypes.int8
    ref = dtypes.as_dtype("float32_ref")
    assert (ref.name, ref.as_datatype_enum, ref._is_ref_dtype, hash(ref)) == ("float32_ref", 101, True, 101)
    assert ref.base_dtype is dtypes.float32 and ref.real_dtype is ref
    assert dtypes.float32._as_ref is ref and dtypes.as_dtype(101) is ref and dtypes.as_dtype("float_ref") is ref
    assert dtypes.float32 != ref
    assert dtypes.float32.is_compatible_with(ref) and not ref.is_compatible_with(dtypes.float32)


def test_limits() -> None:
    assert (dtypes.int8.min, dtypes.int8.max, dtypes.int8.limits) == (-128, 127, (0, 127))
    assert dtypes.uint64.max == 18446744073709551615
    assert dtypes.float16.max == np.float16(65504) and dtypes.float32.limits == (0, 1)
    assert dtypes.bfloat16.min == -3.38953e38
    assert dtypes.bool.limits == (0, True)
    with pytest.raises(TypeError, match="Cannot find minimum value of <dtype: 'complex64'> with type <dtype: 'complex64'>"):
        _ = dtypes.complex64.min
    with pytest.raises(TypeError, match="Cannot find maximum value of <dtype: 'qint8'> with quantized type <dtype: 'qint8'>"):
        _ = dtypes.qint8.max
    with pytest.raises(TypeError, match=r"Cannot find minimum value of <dtype: 'resource'>\."):
        _ = dtypes.resource.min
    with pytest.raises(ValueError, match="<dtype: 'float16'> does not have defined limits"):
        _ = dtypes.float16.limits


def test_other_names_for_dtypes() -> None:
    expected = {
        "half": dtypes.float16,
        "float": dtypes.float32,
        "double": dtypes.float64,
        float: dtypes.float32,
        bool: dtypes.bool,
        object: dtypes.string,
        np.str_: dtypes.string,
        np.bytes_: dtypes.string,
        np.longlong: dtypes.int64,
        np.dtype("S3"): dtypes.string,
        np.dtype("U3"): dtypes.string,
        np.dtype(">f4"): dtypes.float32,
    }
    for spelling, dtype in expected.items():
        assert dtypes.as_dtype(spelling) is dtype, spelling
    assert dtypes.as_dtype(np.array(1.0)) is dtypes.float64
    assert dtypes.find_dtype(np.array(["a"])) is dtypes.string
    assert dtypes.find_dtype(np.float32(1)) is dtypes.float32
    assert dtypes.DType(3) is dtypes.int32


@pytest.mark.parametrize("bad", ["abc", "int", "<f4", "S3", None, 99, int, complex, str, bytes, dict, np.longdouble, np.datetime64, [1]])
def test_what_is_no_dtype(bad: object) -> None:
    with pytest.raises(TypeError) as caught:
        dtypes.as_dtype(bad)
    assert str(caught.value) == f"Cannot convert the argument `type_value`: {bad!r} to a TensorFlow DType."
    assert not dtypes.float32 == bad  # noqa: SIM201 (both operators are under test)
    assert dtypes.float32 != bad


def test_an_array_without_a_dtype_of_ours() -> None:
    with pytest.raises(TypeError, match="M8"):
        dtypes.find_dtype(np.array(["2020-01-01"], dtype="datetime64[D]"))
