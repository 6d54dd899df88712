"""Constants and `TensorSpec`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base.dtypes import as_dtype
from ..base.export import export, is_hot
from ..base.shapes import TensorShape, as_dims
from ..ir.apply import convert_to_tensor, tensor_maker
from ..ir.composite import CompositeTensor
from ..ir.context import current
from ..ir.convert import array_of, holds_tensors, is_tensor_like
from ..ir.operators import TensorCounterpart
from ..ir.tensor import DTypeLike, EagerTensor, ShapeLike, SymbolicTensor, Tensor, TensorLike
from ..ir.tracebacks import trim
from ..ir.type_spec import BatchableTypeSpec, DenseSpec, TypeSpec, describe


@export(v2="constant")
@is_hot
def constant(value: TensorLike, dtype: DTypeLike | None = None, shape: ShapeLike | None = None, name: str = "Const") -> Tensor:
    """A tensor with the value of `value`.

    value: a number, string, nested list or NumPy array; an eager tensor is returned itself, so gradients flow, of a variable the value is
    copied, so none do (NotImplementedError in a graph).  dtype: what it is cast to; Python numbers must fit, and a tensor must have it
    (else TypeError).  shape: a scalar is repeated to it, more elements are arranged in it (TypeError where their number is another).

    >>> tf.constant([1, 2, 3, 4], shape=[2, 2]).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    try:
        return _constant(value, dtype, shape, name, allow_fill=True)
    except Exception as error:
        trim(error)
        raise


@export(v1="constant")
def constant_v1(
    value: TensorLike, dtype: DTypeLike | None = None, shape: ShapeLike | None = None, name: str = "Const", verify_shape: bool = False
) -> Tensor:
    """`constant` with TensorFlow 1's signature: in a graph too few elements are filled up with the last one, unless `verify_shape`.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.constant([1, 2], shape=[2, 2])).tolist()
    [[1, 2], [2, 2]]
    """
    repeats_last = not verify_shape and current().graph is not None
    return _constant(value, dtype, shape, name, allow_fill=not verify_shape, repeats_last=repeats_last, exactly=verify_shape)


def _constant(
    value: Any, dtype: Any, shape: Any, name: str, *, allow_fill: bool, repeats_last: bool = False, exactly: bool = False
) -> Tensor:
    wanted = None if dtype is None else as_dtype(dtype).base_dtype
    if isinstance(value, SymbolicTensor):
        raise TypeError(
            f"Expected any non-tensor type, but got a tensor instead: {value}. Use tf.identity or tf.convert_to_tensor for tensors."
        )
    if isinstance(shape, int) and current().graph is not None:
        raise TypeError(f"tf.constant: in a graph `shape` is a list of sizes, not {shape}: 'int' object is not iterable")
    dims = None if shape is None else TensorShape(shape).as_list()
    if isinstance(value, EagerTensor):
        if wanted not in (None, value.dtype):
            text = f"Expected tensor {value.value} with dtype {wanted!r}, but got dtype {value.dtype!r}"
            raise TypeError(f"{text}: tf.cast makes another dtype of a tensor.")
        if current().graph is None and dims in (None, list(value.dims)):
            return value
        array = value.value
    elif hasattr(value, "handle") and is_tensor_like(value):
        array = array_of(_value_of(value), wanted)
    elif is_tensor_like(value) or holds_tensors(value):
        return convert_to_tensor(value, dtype, name=name)
    else:
        array = array_of(value, wanted)
    if exactly and dims is not None and list(array.shape) != dims:
        raise TypeError(f"Expected Tensor {array} (converted from {value!r}) with shape {tuple(dims)}, but got shape {array.shape}.")
    if dims is not None:
        array = _shape_array(array, value, dims, allow_fill, repeats_last)
    return tensor_maker()(array, name or "Const")


def _value_of(variable: Any) -> np.ndarray:
    if current().graph is not None:
        raise NotImplementedError(
            f"tf.constant of the variable {variable.name}: numpy() is only available when eager execution is enabled. Read it with "
            "tf.identity or tf.convert_to_tensor in a graph."
        )
    return variable.numpy()


def _shape_array(array: np.ndarray, value: Any, dims: list[int | None], allow_fill: bool, repeats_last: bool) -> np.ndarray:
    size = int(np.prod(dims, dtype=np.int64))  # type: ignore[arg-type]  # constants have known shapes
    if array.size == size:
        return array.reshape(dims)  # type: ignore[arg-type]
    if array.size == 1 and allow_fill:
        return np.full(dims, array.ravel()[0], array.dtype)  # type: ignore[arg-type]
    if repeats_last and 0 < array.size < size:
        return np.concatenate([array.ravel(), np.full(size - array.size, array.ravel()[-1], array.dtype)]).reshape(dims)  # type: ignore[arg-type]
    if repeats_last:
        raise ValueError(f"Too many elements provided. Takes at most {size}, but got {array.size}.")
    raise TypeError(f"tf.constant: {value!r} has {array.size} elements, but got `shape` {tuple(dims)} with {size} elements.")


@export("is_tensor")
@is_hot
def is_tensor(x: TensorLike) -> bool:
    """Whether `x` is a tensor, a variable, `IndexedSlices`, or a sparse or ragged tensor; arrays and numbers are not.

    >>> tf.is_tensor(tf.constant(1.0)), tf.is_tensor(1.0)
    (True, False)
    """
    stands_for_tensors = is_tensor_like(x) or isinstance(x, CompositeTensor)
    return isinstance(x, TensorCounterpart) or (stands_for_tensors and getattr(x, "_counts_as_tensor", True))


@export("TensorSpec", v1="contrib.eager.TensorSpec")
class TensorSpec(DenseSpec, BatchableTypeSpec):
    """The shape, dtype and name that a tensor should have.

    >>> tf.TensorSpec([None, 2], tf.float32).is_compatible_with(tf.zeros([3, 2]))
    True
    """

    @property
    def value_type(self) -> type[Tensor]:
        """The class of what it describes."""
        return Tensor

    @classmethod
    def from_tensor(cls, tensor: TensorLike, name: str | None = None) -> TensorSpec:
        """The spec of a tensor; a ValueError for anything else."""
        if not isinstance(tensor, Tensor):
            raise ValueError(f"`tensor` should be a tf.Tensor, but got type {type(tensor)}.")
        return cls(
            tensor.dims,
            tensor.dtype,
            name or getattr(getattr(tensor, "op", None) if isinstance(tensor, SymbolicTensor) else None, "name", None),
        )

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """A copy of a spec, perhaps of another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, spec_or_tensor: object) -> bool:
        """Whether a tensor or spec has this dtype and a shape that fits; False for anything else."""
        if not isinstance(spec_or_tensor, (TensorSpec, Tensor)):
            return False
        return self._dtype.is_compatible_with(spec_or_tensor.dtype) and self._shape.is_compatible_with(as_dims(spec_or_tensor.shape))

    def is_subtype_of(self, other: Any) -> bool:
        """Whether all tensors of this spec are of `other`: its shape is as narrow, the dtype the same, and the name, if it has one."""
        if not isinstance(other, TensorSpec) or self._dtype != other._dtype:
            return False
        return (not self._name or self._name == other._name) and self._shape.is_subtype_of(other._shape)

    def flatten(self) -> list[TypeSpec]:
        """The spec itself."""
        return [self]

    def to_tensors(self, value: Any) -> list[Any]:
        """`value` as a tensor; a TypeError where it does not fit."""
        tensor = value if isinstance(value, Tensor) else convert_to_tensor(value, self._dtype)
        given = TensorSpec(tensor.dims, tensor.dtype, self._name)
        if not given.is_subtype_of(self):
            raise TypeError(f"Can not cast {given!r} to {self!r}")
        return [tensor]

    def from_tensors(self, tensors: Iterator[Any]) -> Tensor:
        """The next tensor."""
        return next(tensors)

    def placeholder_value(self, placeholder_context: Any) -> Any:
        """The next tensor that stands for an argument of the function being traced."""
        return placeholder_context.next_tensor()

    __eq__ = TypeSpec.__eq__

    def __hash__(self) -> int:
        return hash((self._shape, self._dtype))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


describe([Tensor], lambda tensor: TensorSpec(tensor.dims, tensor.dtype.base_dtype))
