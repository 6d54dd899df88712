"""TensorFlow's dtypes over NumPy's.

Each dtype is one object, made once at import; everything that kernels and the operator path read (`numpy_dtype`,
`is_floating`, ...) is a plain slot, because a property call per read would show in the eager loop. Internal code
compares with `is`; `==` also accepts whatever `as_dtype` accepts, as TensorFlow's does.

There is no promotion here on purpose: TensorFlow does not promote, and an operation that needs equal dtypes says so.
Strings are object arrays of `bytes`, as TensorFlow hands them to NumPy.
"""

from __future__ import annotations

import builtins
from abc import ABCMeta, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from .export import export

_REF_OFFSET = 100  # TensorFlow numbers a reference dtype 100 above its base


@export(v2="types.experimental.TraceType")
class TraceType(metaclass=ABCMeta):
    """What a `tf.function` is traced for in place of a value.

    A class whose values say what they are to a trace (`__tf_tracing_type__(self, context)`) gives one of these: it compares with `==`,
    and says with `is_subtype_of` which traces serve it, with `most_specific_common_supertype` what would serve several, and with
    `placeholder_value` what stands for the value in a trace.  `flatten`, `to_tensors` and `from_tensors` are for values with tensors.

    >>> vector, any_vector = tf.TensorSpec([2]), tf.TensorSpec([None])
    >>> isinstance(vector, tf.types.experimental.TraceType), vector.is_subtype_of(any_vector), any_vector.is_subtype_of(vector)
    (True, True, False)
    """

    __slots__ = ()

    @abstractmethod
    def is_subtype_of(self, other: Any) -> builtins.bool:
        """Whether all values of this type are values of `other`."""

    @abstractmethod
    def most_specific_common_supertype(self, others: Sequence[Any]) -> TraceType | None:
        """The narrowest type of which this and all `others` are; None where there is none."""

    @abstractmethod
    def placeholder_value(self, placeholder_context: Any) -> Any:
        """What stands for a value of this type while a function is traced."""

    def flatten(self) -> list[Any]:
        """The specs of the tensors in a value of this type."""
        return []

    def to_tensors(self, value: Any) -> list[Any]:
        """The tensors in a value of this type."""
        return []

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """The value that has these tensors, as many of them as `flatten` names."""
        return self.placeholder_value(None)


class DTypeMeta(ABCMeta):
    """The class of `DType`, under TensorFlow's name."""


@export("DType", "dtypes.DType")
class DType(TraceType, metaclass=DTypeMeta):
    """The type of a tensor's elements.

    Args:
        type_enum: TensorFlow's number for the dtype, or a dtype to take it from.

    Calling the class returns the one existing object, so `DType(1) is float32`.

    Raises:
        TypeError: there is no such dtype.

    >>> float32.is_floating, float32.size, float32 == "float32"
    (True, 4, True)
    """

    __slots__ = (
        "_enum",
        "_is_ref_dtype",
        "_limits",
        "as_numpy_dtype",
        "base_dtype",
        "is_bool",
        "is_complex",
        "is_floating",
        "is_integer",
        "is_numeric",
        "is_numeric_compatible",
        "is_numpy_compatible",
        "is_quantized",
        "is_unsigned",
        "name",
        "numpy_dtype",
        "real_dtype",
        "ref_dtype",
        "size",
        "trainable",
    )

    _enum: int
    _is_ref_dtype: builtins.bool
    _limits: tuple[Any, Any] | None
    as_numpy_dtype: Any
    base_dtype: DType
    is_bool: builtins.bool
    is_complex: builtins.bool
    is_floating: builtins.bool
    is_integer: builtins.bool
    is_numeric: builtins.bool
    is_numeric_compatible: builtins.bool
    is_numpy_compatible: builtins.bool
    is_quantized: builtins.bool
    is_unsigned: builtins.bool
    name: str
    numpy_dtype: np.dtype[Any]
    real_dtype: DType
    ref_dtype: DType
    size: int
    trainable: builtins.bool

    def __new__(cls, type_enum: Any) -> DType:
        """The one object for `type_enum`, which is whatever `as_dtype` takes."""
        return as_dtype(type_enum)

    @property
    def as_datatype_enum(self) -> int:
        """TensorFlow's number for this dtype."""
        return self._enum

    @property
    def _as_ref(self) -> DType:
        return self.ref_dtype

    @property
    def min(self) -> Any:
        """The smallest value. Raises TypeError for dtypes that have no order."""
        return self._bounds("minimum")[0]

    @property
    def max(self) -> Any:
        """The largest value. Raises TypeError for dtypes that have no order."""
        return self._bounds("maximum")[1]

    def _bounds(self, which: str) -> tuple[Any, Any]:
        if self._limits is None:
            kind = "" if not self.is_numpy_compatible else f" with {'quantized ' * self.is_quantized}type {self}"
            raise TypeError(f"Cannot find {which} value of {self}{kind}.")
        return self._limits

    @property
    def limits(self) -> tuple[Any, Any]:
        """The range of values an image of this dtype uses: (0, max) for integers, (0, 1) for float32 and float64."""
        if self.is_bool:
            return (0, True)
        if self.is_integer and self not in FOUR_BITS:
            return (0, self.max)
        if self.base_dtype in (float32, float64):
            return (0, 1)
        raise ValueError(f"{self} does not have defined limits.")

    def is_compatible_with(self, other: object) -> builtins.bool:
        """Whether a value of dtype `other` may stand where this dtype is asked: equal, or a reference to it."""
        other = as_dtype(other)
        return other is self or other is self.ref_dtype

    def is_subtype_of(self, other: Any) -> builtins.bool:
        """Whether all values of this dtype are of `other`: it is the same."""
        return builtins.bool(self == other)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> DType | None:
        """This dtype where all others are the same, else None."""
        return self if all(self == other for other in others) else None

    def placeholder_value(self, placeholder_context: Any) -> None:
        """None: nothing stands for a dtype in a trace, it is known."""

    def __eq__(self, other: object) -> builtins.bool:
        if other is self:
            return True
        if other is None or type(other) is DType:
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __ne__(self, other: object) -> builtins.bool:
        return not self == other

    def __hash__(self) -> int:
        return self._enum

    def __int__(self) -> int:
        return self._enum

    def __repr__(self) -> str:
        return "tf." + self.name

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


_BY_ENUM: dict[int, DType] = {}
_BY_NAME: dict[str, DType] = {}


def _fill(dtype: DType, enum: int, name: str, scalar: Any, kind: str) -> DType:
    """Sets the slots. `kind` is NumPy's letter for the class of values, `e` for floats of 8 bits and less, `4` and `5` for signed and
    unsigned integers of 4 bits and less, `q` for quantized, `-` for none.
    """
    array_dtype = np.dtype(scalar)
    dtype._enum = enum
    dtype._is_ref_dtype = enum > _REF_OFFSET
    dtype.name = name
    dtype.as_numpy_dtype = scalar
    dtype.numpy_dtype = array_dtype
    dtype.size = array_dtype.itemsize if kind in "fciubqe45" else 0
    dtype.is_floating = kind in "fe"
    dtype.is_complex = kind == "c"
    dtype.is_integer = kind in "iu45"
    dtype.is_unsigned = kind in "u5"
    dtype.is_bool = kind == "b"
    dtype.is_quantized = kind == "q"
    dtype.is_numeric = dtype.is_numeric_compatible = kind in "fciu"
    dtype.is_numpy_compatible = kind != "-"
    dtype.trainable = name in _TRAINABLE
    dtype._limits = _limits_of(array_dtype, kind)
    dtype.base_dtype = dtype.real_dtype = dtype
    _BY_ENUM[enum] = _BY_NAME[name] = dtype
    return dtype


_TRAINABLE = frozenset({"float16", "bfloat16", "float32", "float64", "complex64", "complex128", "resource", "variant"})


def _limits_of(array_dtype: np.dtype[Any], kind: str) -> tuple[Any, Any] | None:
    if array_dtype == ml_dtypes.bfloat16:
        return -3.38953e38, 3.38953e38  # the numbers TensorFlow gives, as Python floats
    if kind in "45":
        return int(ml_dtypes.iinfo(array_dtype).min), int(ml_dtypes.iinfo(array_dtype).max)
    if kind == "e":
        found = ml_dtypes.finfo(array_dtype)
        return found.min, found.max
    if kind == "f":
        return np.finfo(array_dtype).min, np.finfo(array_dtype).max
    if kind in "iu":
        return np.iinfo(array_dtype).min, np.iinfo(array_dtype).max
    return None


def _define(enum: int, name: str, scalar: Any, kind: str) -> DType:
    dtype = _fill(object.__new__(DType), enum, name, scalar, kind)
    ref = _fill(object.__new__(DType), enum + _REF_OFFSET, name + "_ref", scalar, kind)
    ref.base_dtype, ref.trainable = dtype, dtype.trainable
    dtype.ref_dtype = ref.ref_dtype = ref
    return dtype


float16 = export("float16", "half", "dtypes.float16", "dtypes.half")(_define(19, "float16", np.float16, "f"))
bfloat16 = export("bfloat16", "dtypes.bfloat16")(_define(14, "bfloat16", ml_dtypes.bfloat16, "f"))
float32 = export("float32", "dtypes.float32")(_define(1, "float32", np.float32, "f"))
float64 = export("double", "float64", "dtypes.double", "dtypes.float64")(_define(2, "float64", np.float64, "f"))
complex64 = export("complex64", "dtypes.complex64")(_define(8, "complex64", np.complex64, "c"))
complex128 = export("complex128", "dtypes.complex128")(_define(18, "complex128", np.complex128, "c"))
int8 = export("int8", "dtypes.int8")(_define(6, "int8", np.int8, "i"))
int16 = export("int16", "dtypes.int16")(_define(5, "int16", np.int16, "i"))
int32 = export("int32", "dtypes.int32")(_define(3, "int32", np.int32, "i"))
int64 = export("int64", "dtypes.int64")(_define(9, "int64", np.int64, "i"))
uint8 = export("uint8", "dtypes.uint8")(_define(4, "uint8", np.uint8, "u"))
uint16 = export("uint16", "dtypes.uint16")(_define(17, "uint16", np.uint16, "u"))
uint32 = export("uint32", "dtypes.uint32")(_define(22, "uint32", np.uint32, "u"))
uint64 = export("uint64", "dtypes.uint64")(_define(23, "uint64", np.uint64, "u"))
bool = export("bool", "dtypes.bool")(_define(10, "bool", np.bool_, "b"))
string = export("string", "dtypes.string")(_define(7, "string", object, "O"))
resource = export("resource", "dtypes.resource")(_define(20, "resource", object, "-"))
variant = export("variant", "dtypes.variant")(_define(21, "variant", object, "-"))
float8_e5m2 = export("dtypes.experimental.float8_e5m2", "experimental.float8_e5m2")(_define(24, "float8_e5m2", ml_dtypes.float8_e5m2, "e"))
float8_e4m3fn = export("dtypes.experimental.float8_e4m3fn", "experimental.float8_e4m3fn")(
    _define(25, "float8_e4m3fn", ml_dtypes.float8_e4m3fn, "e")
)
float8_e4m3fnuz = export("dtypes.experimental.float8_e4m3fnuz", "experimental.float8_e4m3fnuz")(
    _define(26, "float8_e4m3fnuz", ml_dtypes.float8_e4m3fnuz, "e")
)
float8_e4m3b11fnuz = export("dtypes.experimental.float8_e4m3b11fnuz", "experimental.float8_e4m3b11fnuz")(
    _define(27, "float8_e4m3b11fnuz", ml_dtypes.float8_e4m3b11fnuz, "e")
)
float8_e5m2fnuz = export("dtypes.experimental.float8_e5m2fnuz", "experimental.float8_e5m2fnuz")(
    _define(28, "float8_e5m2fnuz", ml_dtypes.float8_e5m2fnuz, "e")
)
int4 = export("dtypes.experimental.int4", "experimental.int4")(_define(29, "int4", ml_dtypes.int4, "4"))
uint4 = export("dtypes.experimental.uint4", "experimental.uint4")(_define(30, "uint4", ml_dtypes.uint4, "5"))
int2 = export("dtypes.experimental.int2", "experimental.int2")(_define(31, "int2", ml_dtypes.int2, "4"))
uint2 = export("dtypes.experimental.uint2", "experimental.uint2")(_define(32, "uint2", ml_dtypes.uint2, "5"))
float4_e2m1fn = export("dtypes.experimental.float4_e2m1fn", "experimental.float4_e2m1fn")(
    _define(33, "float4_e2m1fn", ml_dtypes.float4_e2m1fn, "e")
)
qint8 = export("qint8", "dtypes.qint8")(_define(11, "qint8", np.dtype([("qint8", np.int8)]), "q"))
quint8 = export("quint8", "dtypes.quint8")(_define(12, "quint8", np.dtype([("quint8", np.uint8)]), "q"))
qint16 = export("qint16", "dtypes.qint16")(_define(15, "qint16", np.dtype([("qint16", np.int16)]), "q"))
quint16 = export("quint16", "dtypes.quint16")(_define(16, "quint16", np.dtype([("quint16", np.uint16)]), "q"))
qint32 = export("qint32", "dtypes.qint32")(_define(13, "qint32", np.dtype([("qint32", np.int32)]), "q"))

for _dtype, _real in ((complex64, float32), (complex128, float64)):
    _dtype.real_dtype = _dtype.ref_dtype.real_dtype = _real

FLOATING = frozenset({float16, bfloat16, float32, float64})
COMPLEX = frozenset({complex64, complex128})
SIGNED = frozenset({int8, int16, int32, int64})
INTEGER = SIGNED | {uint8, uint16, uint32, uint64}
INDEX = frozenset({int32, int64})
FLOAT_OR_COMPLEX = FLOATING | COMPLEX
REAL = FLOATING | INTEGER
NUMERIC = REAL | COMPLEX
QUANTIZED = export("dtypes.QUANTIZED_DTYPES", v1="QUANTIZED_DTYPES")(frozenset({qint8, quint8, qint16, quint16, qint32}))
#: Floats of 8 bits are cast, moved and kept; there is no arithmetic on them.
EIGHT_BITS = frozenset({float8_e5m2, float8_e4m3fn})
#: Integers of 4 bits likewise; they are cast to and from integers alone.
FOUR_BITS = frozenset({int4, uint4})
#: As in TensorFlow, arrays of these can be tensors, and nothing is done with them.
HELD = frozenset({float8_e4m3fnuz, float8_e4m3b11fnuz, float8_e5m2fnuz, int2, uint2, float4_e2m1fn})
ANY = NUMERIC | QUANTIZED | EIGHT_BITS | FOUR_BITS | {bool, string, resource, variant}

FROM_NUMPY: dict[np.dtype[Any], DType] = {d.numpy_dtype: d for d in (*NUMERIC, *QUANTIZED, *EIGHT_BITS, *FOUR_BITS, *HELD, bool, string)}
_ALIASES: dict[str, DType] = {"half": float16, "float": float32, "double": float64}
_IN_C = {dtype.name: alias for alias, dtype in _ALIASES.items()}
_ALIASES |= {name + "_ref": dtype.ref_dtype for name, dtype in _ALIASES.items()}
_BY_NAME |= _ALIASES
_PYTHON_TYPES: dict[Any, DType] = {float: float32, np.bool_: bool, builtins.bool: bool, object: string}


def find_dtype(array: np.ndarray[Any, Any] | np.generic) -> DType:
    """The dtype of a NumPy array. Arrays of `str`, of `bytes` and of objects are strings.

    Raises:
        TypeError: NumPy's dtype has no counterpart (dates, records, float128).
    """
    found = FROM_NUMPY.get(array.dtype)
    return found if found is not None else _from_numpy(array.dtype)


def _from_numpy(array_dtype: np.dtype[Any]) -> DType:
    found = FROM_NUMPY.get(array_dtype)
    if found is not None:
        return found
    if array_dtype.kind in "SU":
        return string
    native = array_dtype.newbyteorder("=") if array_dtype.kind in "fciu" else array_dtype
    if native in FROM_NUMPY:
        return FROM_NUMPY[native]
    raise _conversion_error(array_dtype)


def _conversion_error(value: Any) -> TypeError:
    return TypeError(f"Cannot convert the argument `type_value`: {value!r} to a TensorFlow DType.")


def name_in_c(dtype: DType | np.dtype[Any]) -> str:
    """What TensorFlow's runtime calls a dtype: `float` for float32."""
    return _IN_C.get(dtype.name, dtype.name)


@export("as_dtype", "dtypes.as_dtype")
def as_dtype(type_value: Any) -> DType:
    """The dtype that `type_value` names.

    Args:
        type_value: a DType, a NumPy dtype or scalar type, a name (`"float32"`, `"half"`, `"float32_ref"`), one of
            Python's `float` (float32), `bool` and `object` (string), TensorFlow's enum number, or a NumPy
            array or scalar.

    Raises:
        TypeError: it names no dtype; Python's `int`, `complex`, `str` and NumPy's short codes such as "<f4" do not.

    >>> as_dtype("half"), as_dtype(float), as_dtype(3)
    (tf.float16, tf.float32, tf.int32)
    """
    if type(type_value) is DType:
        return type_value
    if isinstance(type_value, np.dtype):
        return _from_numpy(type_value)
    try:
        found = _PYTHON_TYPES.get(type_value) or _BY_ENUM.get(type_value) or _BY_NAME.get(type_value)
    except TypeError:  # not hashable: an array, for one
        found = None
    if found is not None:
        return found
    if isinstance(type_value, type):
        inner = np.dtype(type_value) if issubclass(type_value, np.generic) else None
    else:
        inner = getattr(type_value, "dtype", None)
    try:
        if isinstance(inner, np.dtype):
            return _from_numpy(inner)
    except TypeError:
        raise _conversion_error(type_value) from None
    raise _conversion_error(type_value)
