"""Variables cut into parts, each a variable of its own: what `get_variable` makes where there is a partitioner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..base.dtypes import DType
from ..base.shapes import TensorShape
from ..ir.apply import convert_to_tensor
from ..ops.array.basic import identity
from ..ops.array.join import concat

if TYPE_CHECKING:
    from ..ir.tensor import TensorLike


class SaveSliceInfo:
    """Which part of a whole a variable is, by which savers write and read the whole.

    >>> SaveSliceInfo("v", [10, 4], [4, 0], [3, 4]).spec
    '10 4 4,3:0,4'
    """

    def __init__(self, full_name: str, full_shape: Sequence[int], var_offset: Sequence[int], var_shape: Sequence[int]) -> None:
        self.full_name, self.full_shape = full_name, list(full_shape)
        self.var_offset, self.var_shape = list(var_offset), list(var_shape)

    @property
    def spec(self) -> str:
        """The whole's sizes, and of each axis where the part begins and how long it is."""
        sizes = " ".join(map(str, self.full_shape))
        return f"{sizes} {':'.join(f'{o},{n}' for o, n in zip(self.var_offset, self.var_shape, strict=True))}"

    @property
    def slices(self) -> tuple[slice, ...]:
        """The part of an array of the whole."""
        return tuple(slice(o, o + n) for o, n in zip(self.var_offset, self.var_shape, strict=True))


class PartitionInfo:
    """What an initializer may ask of the part that it makes: the whole's shape, and where the part begins."""

    def __init__(self, full_shape: TensorShape, var_offset: list[int]) -> None:
        self.full_shape, self.var_offset = full_shape, var_offset


class PartitionedVariable:
    """A variable in parts, along one axis.  It is a tensor where one is needed, and a list of its parts.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.get_variable("v", [3, 2], initializer=tf1.ones_initializer(), partitioner=tf1.fixed_size_partitioner(2))
    ...     session.run(tf1.global_variables_initializer())
    ...     print([part.name for part in v], session.run(tf1.reduce_sum(v)))
    ['v/part_0:0', 'v/part_1:0'] 6.0
    """

    def __init__(self, name: str, shape: Any, dtype: DType, variable_list: Sequence[Any], partitions: Sequence[int]) -> None:
        self._name, self._shape, self._dtype = name, TensorShape(shape), dtype
        self._variable_list, self._partitions = list(variable_list), list(partitions)

    @property
    def name(self) -> str:
        """The name of the whole."""
        return self._name

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self._dtype

    @property
    def shape(self) -> TensorShape:
        """The shape of the whole."""
        return self._shape

    def get_shape(self) -> TensorShape:
        """The shape of the whole."""
        return self._shape

    @property
    def _graph(self) -> Any:
        return self._variable_list[0]._graph

    def _get_variable_list(self) -> list[Any]:
        return self._variable_list

    def _get_partitions(self) -> list[int]:
        return self._partitions

    def __iter__(self) -> Iterator[Any]:
        return iter(self._variable_list)

    def __len__(self) -> int:
        return len(self._variable_list)

    def as_tensor(self) -> Any:
        """The whole as a tensor."""
        axis = next((i for i, n in enumerate(self._partitions) if n > 1), 0)
        if len(self) == 1:
            return identity(self._variable_list[0], name=self._name)
        return identity(concat(self._variable_list, axis, name=f"{self._name}/ConcatPartitions/concat"), name=self._name)

    def __as_tensor__(self) -> Any:
        return self.as_tensor()

    def _assign_parts(self, method: str, value: Any, **options: Any) -> list[Any]:
        whole = convert_to_tensor(value, self._dtype)
        return [getattr(part, method)(whole[part._save_slice_info.slices], **options) for part in self]

    def assign(self, value: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> list[Any]:
        """Give each part its part of `value`."""
        return self._assign_parts("assign", value, read_value=read_value)

    def assign_add(self, value: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> list[Any]:
        """Add to each part its part of `value`."""
        return self._assign_parts("assign_add", value, read_value=read_value)

    def assign_sub(self, value: TensorLike, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> list[Any]:
        """Take from each part its part of `value`."""
        return self._assign_parts("assign_sub", value, read_value=read_value)


def partitions_of(partitioner: Callable[..., Any], shape: TensorShape, dtype: DType) -> list[int]:
    """What a partitioner says; ValueError where it does not fit the shape."""
    found = partitioner(shape=shape, dtype=dtype)
    if not isinstance(found, (list, tuple)):
        raise ValueError(f"Partitioner must return a sequence, but saw: {found}")
    if len(found) != shape.rank:
        raise ValueError(f"Partitioner returned a partition list that does not match the Variable's rank: {found} vs. {shape}")
    if any(n < 1 for n in found):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {found}")
    if sum(n > 1 for n in found) > 1:
        raise ValueError(f"Can only slice a variable along one dimension: shape: {shape}, partitioning: {list(found)}")
    return list(found)


def slices_of(shape: Sequence[int], partitions: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Of each part where it begins and its sizes; the first ones are longer by one where it does not come out even.

    >>> slices_of([10, 4], [3, 1])
    [([0, 0], [4, 4]), ([4, 0], [3, 4]), ([7, 0], [3, 4])]
    """
    axis = next((i for i, n in enumerate(partitions) if n > 1), 0)
    size, longer = divmod(shape[axis], partitions[axis])
    found, begin = [], 0
    for i in range(partitions[axis]):
        length = size + (i < longer)
        found.append(([begin if k == axis else 0 for k in range(len(shape))], [length if k == axis else n for k, n in enumerate(shape)]))
        begin += length
    return found
