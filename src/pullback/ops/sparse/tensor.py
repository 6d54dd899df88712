"""`SparseTensor`: indices, values and a dense shape that count as one value; `SparseTensorSpec` and `SparseTensorValue`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ...base.counterparts import name_class
from ...base.dtypes import (
    DType,
    as_dtype,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ...base.shapes import Shape, TensorShape, as_dims, merge
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeSpec, CompositeTensor, NotATensor
from ...ir.context import executing_eagerly, scope
from ...ir.op import OPS
from ...ir.operators import Reference
from ...ir.tensor import EagerTensor, ShapeLike, Tensor, TensorLike
from ...ir.type_spec import Shaped, describe
from ..array.basic import shape
from ..array.create import RANGE
from ..array.join import CONCAT
from ..array.shape import expand_dims
from ..array.type_rules import made_sizes
from ..constant import TensorSpec
from ..primitives.cast import CAST
from ..reduce.reductions import MAX
from ..search.composed import repeat

if TYPE_CHECKING:
    from ...api.session import Session


class SparseTensorValue(NamedTuple):
    """The value of a `SparseTensor`: arrays, as a session gives and takes them.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     found = sess.run(tf1.SparseTensor([[0, 1]], [3.0], [2, 2]))
    >>> found.indices.tolist(), found.values, found.dense_shape
    ([[0, 1]], array([3.], dtype=float32), array([2, 2]))
    """

    indices: Any
    values: Any
    dense_shape: Any


@name_class("framework.sparse_tensor.SparseTensor")
class SparseTensor(CompositeTensor):
    """A tensor of which only some entries are stored: `values[i]` stands at `indices[i]`, 0 everywhere else.

    indices: int64 of shape [n, rank].  values: any dtype, shape [n].  dense_shape: int64 of shape [rank].
    Most operations want the indices in row-major order: see `tf.sparse.reorder`.  Raises ValueError for shapes that do not fit.
    Gradients flow through `values`.

    >>> x = tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])
    >>> tf.sparse.to_dense(x).numpy().tolist()
    [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]]
    """

    functions: ClassVar[dict[str, Callable[..., Any]]] = {"rmul": lambda self, x: self * x}

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        with scope(None, "SparseTensor"):
            self._indices = _int64(indices, "indices")
            self._values = convert_to_tensor(values, name="values")
            self._dense_shape = _int64(dense_shape, "dense_shape")
        if self._dense_shape.dims == ():
            text = f"SparseTensor: `dense_shape` must have a number for each dimension, got {dense_shape!r}"
            raise TypeError(text) if executing_eagerly() else ValueError(text)
        for t, rank in ((self._indices, 2), (self._values, 1), (self._dense_shape, 1)):
            if t.dims is not None and len(t.dims) != rank:
                raise ValueError(f"Shape {t.dims} must have rank {rank}")
        for (a, i), (b, j) in (((self._indices, 0), (self._values, 0)), ((self._indices, 1), (self._dense_shape, 0))):
            m, n = (None if t.dims is None else t.dims[k] for t, k in ((a, i), (b, j)))
            if m is not None and n is not None and m != n:
                raise ValueError(f"Dimensions {m} and {n} are not compatible")
        self._dims: Shape = made_sizes(self._dense_shape)
        if self._dims is None and self._indices.dims is not None and self._indices.dims[1] is not None:
            self._dims = (None,) * self._indices.dims[1]

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """A `SparseTensor` of a `SparseTensorValue` (or the like of another); a TypeError for anything else."""
        if not is_sparse(sparse_tensor_value):
            raise TypeError(f"Argument sparse_tensor_value={sparse_tensor_value} is neither a SparseTensor nor SparseTensorValue.")
        return cls(sparse_tensor_value.indices, sparse_tensor_value.values, sparse_tensor_value.dense_shape)

    @classmethod
    def from_scipy(cls, matrix: Any) -> SparseTensor:
        """A SciPy sparse matrix, such as `sparse_jacobian` gives, as a `SparseTensor` with its entries in row-major order.

        >>> jacobian = tf.sparse_jacobian(lambda x: x[1:] * x[:-1], tf.constant([1.0, 2.0, 3.0]))
        >>> tf.sparse.to_dense(tf.SparseTensor.from_scipy(jacobian)).numpy().tolist()
        [[2.0, 1.0, 0.0], [0.0, 3.0, 2.0]]
        """
        rows = matrix.tocsr().sorted_indices().tocoo()
        return cls(np.stack([rows.row, rows.col], 1).astype(np.int64), rows.data, rows.shape)

    def to_scipy(self) -> Any:
        """The value as a SciPy CSR array; a ValueError in a graph or where the rank is not 2.

        >>> tf.sparse.eye(2).to_scipy().toarray().tolist()
        [[1.0, 0.0], [0.0, 1.0]]
        """
        if not all(isinstance(t, EagerTensor) for t in self._components()) or self.shape.rank != 2:
            raise ValueError(f"to_scipy takes a SparseTensor of rank 2 that has a value, not {self!r}")
        from scipy.sparse import coo_array

        rows, columns = self._indices.numpy().T
        return coo_array((self._values.numpy(), (rows, columns)), shape=tuple(self._dense_shape.numpy().tolist())).tocsr()

    # ---- what it is

    @property
    def indices(self) -> Any:
        """The places of the values: int64 of shape [n, rank]."""
        return self._indices

    @property
    def values(self) -> Any:
        """The values stored."""
        return self._values

    @property
    def dense_shape(self) -> Any:
        """The shape of the whole, an int64 vector."""
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._values.dtype

    @property
    def dims(self) -> Shape:
        """The shape as far as it is known, as a plain tuple."""
        return self._dims

    @property
    def shape(self) -> TensorShape:
        """The shape as far as it is known."""
        return TensorShape.of(self._dims)

    def get_shape(self) -> TensorShape:
        """The shape as far as it is known; TensorFlow's older name for `shape`."""
        return self.shape

    def set_shape(self, shape: ShapeLike) -> None:
        """Say more of the shape; a ValueError where it cannot be that."""
        self._dims = merge(self._dims, as_dims(shape))

    @property
    def op(self) -> Any:
        """The operation that makes the values."""
        return self._values.op

    @property
    def graph(self) -> Any:
        """The graph of its tensors."""
        return self._indices.graph

    def ref(self) -> Reference:
        """A hashable reference to this very object."""
        return Reference(self)

    def with_values(self, new_values: TensorLike) -> SparseTensor:
        """The like of it with other values in the same places."""
        return _set_dims(SparseTensor(self._indices, new_values, self._dense_shape), self._dims)

    def eval(self, feed_dict: Mapping[Any, Any] | None = None, session: Session | None = None) -> SparseTensorValue:
        """The value in a session."""
        parts = (t.eval(feed_dict, session) for t in self._components())
        return SparseTensorValue(*parts)

    def __repr__(self) -> str:
        return f"SparseTensor(indices={self._indices!s}, values={self._values!s}, dense_shape={self._dense_shape!s})"

    # ---- what structures, functions and sessions ask

    def _components(self) -> list[Any]:
        return [self._indices, self._values, self._dense_shape]

    def _from_components(self, parts: Sequence[Any]) -> Any:
        if not all(isinstance(p, (Tensor, np.ndarray)) for p in parts):
            return SparseTensorValue(*parts)  # a structure of anything else
        return SparseTensor(*parts)

    def _keep_common_shape(self, origins: Sequence[Any]) -> None:
        first, *others = (origin.shape for origin in origins)
        self.set_shape(first.most_specific_common_supertype(others))

    def _invariant_dims(self, dims: Shape, as_it_is: bool) -> list[Any]:
        """The shapes of its parts in a loop that may add elements; `dims`: of the vector of its sizes, unless that is `as_it_is`."""
        if as_it_is:
            rank = None if self._dims is None else len(self._dims)
        elif dims is not None and len(dims) != 1:
            raise ValueError(f"Expected a shape with 1 dimension. Obtained: {dims} which has {len(dims)} dimensions.")
        else:
            rank = None if dims is None else dims[0]
        return [(None, rank), (None,), (rank,)]

    def _as_argument(self, parts: Sequence[Any]) -> Any:
        return _set_dims(SparseTensor(*parts), self._dims)

    @property
    def _form(self) -> Any:
        return self._dims

    def _session_value(self, arrays: Sequence[Any]) -> SparseTensorValue:
        return SparseTensorValue(*arrays)

    def _apply(self, op: Any, args: tuple[Any, ...], attrs: dict[str, Any], name: str | None, error: NotATensor) -> Any:
        if op.traits.on_values:
            return self.with_values(op.call(self._values, name=name, **attrs))
        raise error

    # ---- operators

    def __mul__(self, y: Any) -> Any:
        return self._with("Mul", self._values, y)

    def __truediv__(self, y: Any) -> Any:
        y = convert_to_tensor(y, dtype_hint=self.dtype)
        if y.dtype.base_dtype is not self.dtype:
            raise TypeError(f"`x` and `y` must have the same dtype, got {self.dtype!r} != {y.dtype!r}.")
        target = _QUOTIENTS.get(self.dtype)
        if target is None:
            return self._with("Div", self._values, y)
        x, y = (CAST.call(t, DstT=target) for t in (self._values, y))
        return self._with("Div", x, y)

    def _with(self, how: str, values: Any, y: Any) -> Any:
        op = OPS[f"SparseDenseCwise{how}"]
        return self.with_values(op.call(self._indices, values, self._dense_shape, y))


_QUOTIENTS: dict[DType, DType] = {
    uint8: float32,
    int8: float32,
    uint16: float32,
    int16: float32,
    uint32: float64,
    int32: float64,
    uint64: float64,
    int64: float64,
}


class SparseTensorSpec(CompositeSpec, Shaped):
    """What is known of a sparse tensor beforehand: its dense shape, perhaps in part, and its dtype.

    >>> spec = tf.SparseTensorSpec([None, 3], tf.float32)
    >>> total = tf.function(lambda x: tf.sparse.reduce_sum(x), input_signature=[spec])
    >>> total(tf.SparseTensor([[0, 1]], [2.0], [2, 3])).numpy().item()
    2.0
    """

    def __init__(self, shape: Any = None, dtype: Any = float32) -> None:
        self._shape, self._dtype = TensorShape(shape), as_dtype(dtype)

    @property
    def value_type(self) -> type[SparseTensor]:
        """The class of what it describes."""
        return SparseTensor

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The spec of a `SparseTensor` or a `SparseTensorValue`; a TypeError for anything else."""
        if not is_sparse(value):
            raise TypeError(f"Expected SparseTensor or SparseTensorValue. Received: {value} of type {type(value).__name__}.")
        if isinstance(value, SparseTensor):
            return cls(value.shape, value.dtype)
        return cls(value.dense_shape, convert_to_tensor(value.values).dtype)

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype

    def _components(self) -> list[Any]:
        rank = self._shape.rank
        return [TensorSpec([None, rank], int64), TensorSpec([None], self._dtype), TensorSpec([rank], int64)]

    def _from_components(self, parts: Sequence[Any]) -> Any:
        return _set_dims(SparseTensor(*parts), as_dims(self._shape))

    # ---- rows, for `map_fn`

    def _of_a_row(self) -> SparseTensorSpec:
        return SparseTensorSpec(self._shape[1:], self._dtype)

    def _of_rows(self, count: int | None) -> SparseTensorSpec:
        return SparseTensorSpec(TensorShape([count]) + self._shape, self._dtype)

    def _row_part_specs(self) -> list[Any]:
        places = TensorSpec([None, self._shape.rank], int64)
        return [places, TensorSpec([None], self._dtype), TensorSpec([None], int64), places]

    def _row_parts(self, value: Any) -> list[Any]:
        count = shape(value.values, out_type=int64)
        return [value.indices, value.values, count, expand_dims(value.dense_shape, 0)]

    def _from_rows(self, parts: Sequence[Any]) -> SparseTensor:
        indices, values, counts, shapes = parts
        number = shape(counts, out_type=int64)
        rows = repeat(RANGE.call(np.int64(0), number[0], np.int64(1)), counts)
        places = CONCAT.call([expand_dims(rows, 1), indices], 1)
        return SparseTensor(places, values, CONCAT.call([number, MAX.call(shapes, [0])], 0))

    @property
    def _form(self) -> Any:
        return as_dims(self._shape)

    def _cast(self, value: Any) -> Any:
        if isinstance(value, SparseTensorSpec):
            given = value
        else:
            value = to_sparse(value)
            given = SparseTensorSpec(value.shape, value.dtype)
        if not self.is_compatible_with(given):
            raise TypeError(f"Can not cast {given!r} to {self!r}")
        return (
            self
            if isinstance(value, SparseTensorSpec)
            else _set_dims(SparseTensor(*value._components()), as_dims(self._shape), exactly=True)
        )


def _int64(value: Any, name: str) -> Tensor:
    if isinstance(value, Tensor):
        return convert_to_tensor(value, dtype=int64, name=name)
    if isinstance(value, (list, tuple)) and any(isinstance(v, Tensor) for v in value):
        return convert_to_tensor([CAST.call(v, DstT=int64) if isinstance(v, Tensor) else v for v in value], dtype=int64, name=name)
    return convert_to_tensor(value, dtype=int64, name=name)


def _set_dims(tensor: SparseTensor, dims: Shape, exactly: bool = False) -> SparseTensor:
    tensor._dims = dims if exactly else merge(tensor._dims, dims)
    return tensor


describe([SparseTensor, SparseTensorValue], SparseTensorSpec.from_value)


def is_sparse(x: object) -> bool:
    """Whether `x` is a `SparseTensor` or the value of one."""
    return isinstance(x, (SparseTensor, SparseTensorValue))


def to_sparse(x: Any) -> SparseTensor:
    """`x`, a `SparseTensor` or the value of one, as a `SparseTensor`; a TypeError for anything else."""
    if isinstance(x, SparseTensorValue):
        return SparseTensor.from_value(x)
    if not isinstance(x, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return x


def convert_to_tensor_or_sparse_tensor(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` as a tensor, unless it is a `SparseTensor` or the value of one; a RuntimeError for another dtype than the one asked for.

    >>> tf.compat.v1.convert_to_tensor_or_sparse_tensor([1, 2]).numpy()
    array([1, 2], dtype=int32)
    >>> tf.compat.v1.convert_to_tensor_or_sparse_tensor(tf.SparseTensor([[0, 1]], [3.0], [2, 2])).values.numpy()
    array([3.], dtype=float32)
    """
    if not is_sparse(value):
        return convert_to_tensor(value, dtype=dtype, name=name)
    found = SparseTensor.from_value(value) if isinstance(value, SparseTensorValue) else value
    if dtype is not None and as_dtype(dtype).base_dtype != found.dtype:
        raise RuntimeError(f"Sparse dtype mismatch. Requested: {as_dtype(dtype).name},  Actual: {found.dtype.name}")
    return found
