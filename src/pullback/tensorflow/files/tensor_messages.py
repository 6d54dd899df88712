"""Tensors as protocol buffers, TensorFlow's `TensorProto`: as strings in files, and as messages."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from ...base.dtypes import FROM_NUMPY, DType, as_dtype, float16, string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.convert import array_of
from ...ir.graph_def import add_number, shape_proto, tensor_proto
from ...ir.op import define
from ...ir.tensor import DTypeLike, ShapeLike, Tensor, TensorLike, TensorType
from ...ops.array.type_rules import known_value

Array = np.ndarray[Any, Any]
#: The fields that hold elements one by one.
_FIELDS = ("half_val", "float_val", "double_val", "int_val", "int64_val", "bool_val")


def _serialize(tensor: Array) -> Array:
    from tensorboardX.proto.tensor_pb2 import TensorProto

    value = np.asarray(tensor)
    if value.dtype == object:
        return np.array(tensor_proto(value).SerializeToString(), object)
    made = TensorProto(dtype=as_dtype(value.dtype).as_datatype_enum, tensor_shape=shape_proto(value.shape), tensor_content=value.tobytes())
    return np.array(made.SerializeToString(), object)


def _elements(message: Any, dtype: DType) -> Array:
    """The elements one by one; fewer than the shape has stand for as many as there are, the last for the rest."""
    if dtype is string:
        found: Array = np.empty(len(message.string_val), object)
        found[:] = list(message.string_val)
        return found
    if dtype.is_complex:
        parts = np.array(message.scomplex_val or message.dcomplex_val, dtype.real_dtype.numpy_dtype)
        return parts.view(dtype.numpy_dtype)
    values = next((list(getattr(message, field)) for field in _FIELDS if len(getattr(message, field))), [])
    if dtype is float16 or dtype.name == "bfloat16":
        return np.array(values, np.uint16).view(dtype.numpy_dtype)
    return np.array(values, dtype.numpy_dtype)


@export("make_ndarray")
def make_ndarray(tensor: Any) -> Array:
    """The array that a TensorProto holds.

    Raises TypeError for dtypes that no array has.

    >>> tf.make_ndarray(tf.make_tensor_proto([[1, 2]])).tolist()
    [[1, 2]]
    """
    dtype = as_dtype(tensor.dtype)
    dims = tuple(dim.size for dim in tensor.tensor_shape.dim)
    if tensor.tensor_content:
        return np.frombuffer(tensor.tensor_content, dtype.numpy_dtype).copy().reshape(dims)
    found = _elements(tensor, dtype)
    size = int(np.prod(dims))
    if len(found) < size:
        last = found[-1:] if len(found) else np.zeros(1, dtype.numpy_dtype)
        found = np.concatenate([found, np.repeat(last, size - len(found))])
    return found.reshape(dims)


@export("make_tensor_proto")
def make_tensor_proto(
    values: TensorLike,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    verify_shape: bool = False,
    allow_broadcast: bool = False,
) -> Any:
    """A TensorProto of values that are known; `make_ndarray` reads it.

    shape: of the message, where the values are of another, or fewer: the last then stands for the rest.  allow_broadcast: fewer only if
    there is one.

    Raises:
        TypeError: the values do not fit `dtype`, or with `verify_shape` or `allow_broadcast` the shape.
        ValueError: None, values that are not known yet, more of them than the shape has, or both of these flags.

    >>> tf.make_tensor_proto([1, 2]).tensor_shape.dim[0].size
    2
    """
    if allow_broadcast and verify_shape:
        raise ValueError("allow_broadcast and verify_shape are not both allowed.")
    if values is None:
        raise ValueError("None values not supported.")
    known = known_value(values) if isinstance(values, Tensor) else values
    if known is None:
        raise ValueError("make_tensor_proto: the values of a tensor in a graph are not known before it is run")
    value = array_of(known, None if dtype is None else as_dtype(dtype))
    if shape is None:
        return tensor_proto(value)
    sizes: Any = shape
    wanted = TensorShape([n if n is None else int(n) for n in sizes])  # not of one number, as TensorShape is
    wanted.assert_is_fully_defined()
    dims = [n or 0 for n in wanted.as_list()]
    misfits = list(value.shape) != dims if verify_shape else value.shape not in ((), (1,)) and value.size != np.prod(dims)
    if misfits and (verify_shape or allow_broadcast):
        raise TypeError(f"Expected Tensor's shape: {tuple(dims)}, but got {value.shape}.")
    size = int(np.prod(dims))
    if value.size > size:
        raise ValueError(f"Too many elements provided. Takes at most {size:d}, but got {value.size:d}.")
    if value.size == size:
        return tensor_proto(value.reshape(dims))
    made = tensor_proto(value.ravel()[:0])
    made.tensor_shape.CopyFrom(shape_proto(dims))
    kind = FROM_NUMPY[value.dtype]
    for one in value.ravel():
        if kind is string:
            made.string_val.append(one)
        else:
            add_number(made, kind, one)
    return made


SERIALIZE_TENSOR = define(
    "SerializeTensor", "tensor", lambda tensor: TensorType((), string), _serialize, {}, outputs="serialized",
    batch="one tensor at a time",
)  # fmt: skip


def _parse_type(serialized: Tensor, *, out_type: DType) -> TensorType:
    return TensorType(None, out_type)


def _parse(serialized: Array, *, out_type: DType) -> Array:
    from google.protobuf.message import DecodeError
    from tensorboardX.proto.tensor_pb2 import TensorProto
    from tensorboardX.proto.types_pb2 import DataType

    text = np.asarray(serialized)
    if text.ndim:
        raise InvalidArgumentError(None, None, f"Expected `serialized` to be a scalar, got shape: {list(text.shape)}")
    try:
        message = TensorProto.FromString(text.item())
    except DecodeError:
        shown = base64.b64encode(text.item()).decode()
        raise InvalidArgumentError(None, None, f"Could not parse `serialized` as TensorProto, base64: {shown}") from None
    if message.dtype != out_type.as_datatype_enum:
        names = (
            DataType.Name(message.dtype).removeprefix("DT_").lower(),
            DataType.Name(out_type.as_datatype_enum).removeprefix("DT_").lower(),
        )
        raise InvalidArgumentError(None, None, "Type mismatch between parsed tensor ({}) and dtype ({})".format(*names))
    return make_ndarray(message)


PARSE_TENSOR = define(
    "ParseTensor", "serialized:string", _parse_type, _parse, {}, outputs="output", batch="one tensor at a time"
)  # fmt: skip


@export("io.serialize_tensor", v1="serialize_tensor")
def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Tensor:
    """A tensor as a string, a serialized TensorProto, which `parse_tensor` reads.

    >>> tf.io.parse_tensor(tf.io.serialize_tensor([1, 2]), tf.int32).numpy()
    array([1, 2], dtype=int32)
    """
    return SERIALIZE_TENSOR(tensor, name=name)


@export("io.parse_tensor", v1="parse_tensor")
def parse_tensor(serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Tensor:
    """The tensor of a string that `serialize_tensor` made.

    Raises InvalidArgumentError: no scalar, no TensorProto, or one of another dtype.

    >>> tf.io.parse_tensor(tf.io.serialize_tensor("a"), tf.string).numpy()
    b'a'
    """
    return PARSE_TENSOR(convert_to_tensor(serialized, string), out_type=as_dtype(out_type), name=name)
