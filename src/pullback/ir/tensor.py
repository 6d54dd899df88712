"""Tensors: a type, and where it is known already, a value.

An eager tensor holds its value and does not know what made it, so a dropped tape frees everything at once.
A graph tensor knows its node and has no value.  `Forgotten` stands in a tape for a value no rule will read.
All three answer `dims`, `dtype`, `uid` and `constant`; type rules and gradient rules ask nothing more of a type.
"""

from __future__ import annotations

import importlib
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, SupportsIndex, TypeAlias, TypeVar

import numpy as np

from ..base.counterparts import name_class
from ..base.dtypes import FROM_NUMPY, DType
from ..base.errors import OperatorNotAllowedInGraphError
from ..base.export import export, is_hot
from ..base.lazy_import import LazyModule
from ..base.shapes import TensorShape, as_dims, merge
from .context import ROOT, Comparing, Dispatch
from .indexed_slices import IndexedSlices as IndexedSlices
from .node import show_source, user_frame
from .operators import LATE_BOUND as LATE_BOUND, Operators, Reference as Reference, TensorCounterpart as TensorCounterpart
from .tracebacks import trim, trims_errors

if TYPE_CHECKING:
    import html
    from types import EllipsisType

    import numpy.typing as npt

    from ..api.partitioned import PartitionedVariable
    from ..api.session import Session
    from ..api.variable import Variable
    from ..base.shapes import Dimension
    from ..pictures import values
    from .composite import CompositeTensor
    from .graph import Graph
    from .node import Node
else:
    html = LazyModule("html")
    values = LazyModule("pullback.pictures.values")

Dims = tuple[int | None, ...] | None
FOLDED_ELEMENTS = 64  #: of a tensor whose value a graph knows before it runs, at most
fresh_uid = itertools.count(1).__next__


class TensorType:
    """What is known of a tensor before it has a value: dimensions (None where unknown), dtype, and the content of constants.

    `constant` is an array, an object array with None for unknown elements, or None when nothing is known.
    """

    __slots__ = ("constant", "dims", "dtype")

    def __init__(self, dims: Dims, dtype: DType, constant: np.ndarray | None = None) -> None:
        self.dims = dims
        self.dtype = dtype
        self.constant = constant

    def __repr__(self) -> str:
        return f"TensorType({self.dims}, {self.dtype.name})"


class Forgotten:
    """The type and identity of a tensor whose value a tape did not need to keep; `kind` is NumPy's dtype, or variant for a list."""

    __slots__ = ("dims", "kind", "uid")
    constant = None

    def __init__(self, uid: int, dims: Dims, kind: np.dtype[Any] | DType) -> None:
        self.uid = uid
        self.dims = dims
        self.kind = kind

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self.kind if isinstance(self.kind, DType) else FROM_NUMPY[self.kind]

    @property
    def shape(self) -> TensorShape:
        """The shape that it had."""
        return TensorShape.of(self.dims)


@export("Tensor", v2="experimental.numpy.ndarray")
@name_class("framework.tensor.Tensor")
class Tensor(Operators, TensorCounterpart):
    """An array of one dtype that gradients can flow through; `EagerTensor` has a value, `SymbolicTensor` a place in a graph.

    >>> isinstance(tf.constant([1.0, 2.0]), tf.Tensor)
    True
    """

    __slots__ = ("__dict__", "__weakref__", "uid")  # programs keep notes of their own on tensors
    uid: int

    @property
    def dims(self) -> Dims:
        """The shape as a plain tuple, None for what is unknown."""
        raise NotImplementedError

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        raise NotImplementedError

    @property
    def constant(self) -> np.ndarray | None:
        """The value as far as it is known already; object arrays hold None for unknown elements."""
        raise NotImplementedError

    @property
    @is_hot
    def shape(self) -> TensorShape:
        """The shape, a `TensorShape`."""
        return TensorShape.of(self.dims)

    def get_shape(self) -> TensorShape:
        """The shape, a `TensorShape`; TensorFlow's older name for `shape`."""
        return TensorShape.of(self.dims)

    @property
    def ndim(self) -> int:
        """The number of dimensions; a ValueError where it is unknown."""
        dims = self.dims
        if dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(dims)

    def ref(self) -> Reference:
        """A hashable reference to this tensor, for dicts and sets."""
        return Reference(self)

    experimental_ref = ref

    @property
    def size(self) -> int | None:
        """The number of elements; None where a size is unknown."""
        dims = self.dims
        return None if dims is None or None in dims else math.prod(dims)  # type: ignore[arg-type]  # all known

    @property
    def T(self) -> Tensor:
        """A matrix with its axes exchanged; a ValueError for other ranks."""
        if self.ndim != 2:
            raise ValueError(f"x.T is for matrices, and this tensor has {self.ndim} axes: x.mT exchanges the last two")
        return LATE_BOUND["matrix_transpose"](self)

    @property
    def mT(self) -> Tensor:
        """The tensor with its last two axes exchanged."""
        if self.ndim < 2:
            raise ValueError(f"x.mT exchanges the last two axes, and this tensor has {self.ndim}")
        return LATE_BOUND["matrix_transpose"](self)

    @property
    def name(self) -> str:
        """The name in the graph, with the number of the output."""
        raise NotImplementedError

    def set_shape(self, shape: ShapeLike) -> None:
        """Say what else is known of the shape; a ValueError where it does not go together with what is known."""
        raise NotImplementedError

    def eval(self, feed_dict: Mapping[Any, Any] | None = None, session: Session | None = None) -> Any:
        """The value in `session`, by default the current one."""
        raise NotImplementedError("eval is not supported when eager execution is enabled, is .numpy() what you're looking for?")

    def __bool__(self) -> bool:
        raise NotImplementedError

    def __nonzero__(self) -> bool:
        return bool(self)  # Python 2's name, which libraries take from the class still

    def __len__(self) -> int:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Tensor]:
        raise NotImplementedError

    if TYPE_CHECKING:
        # What only some tensors have, and a type checker cannot know: the values of eager ones, the place in a graph of symbolic ones.
        @property
        def op(self) -> Node: ...
        @property
        def graph(self) -> Graph: ...
        @property
        def value_index(self) -> int: ...
        @property
        def device(self) -> str: ...
        def numpy(self) -> npt.NDArray[Any] | Any: ...
        def consumers(self) -> list[Node]: ...
        def __eq__(self, other: object) -> Any: ...
        def __ne__(self, other: object) -> Any: ...
        def __hash__(self) -> int: ...
        def __int__(self) -> int: ...
        def __float__(self) -> float: ...
        def __complex__(self) -> complex: ...
        def __index__(self) -> int: ...

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise NotImplementedError

    def __round__(self, digits: int = 0) -> Any:
        raise AttributeError(f"{type(self).__name__} object has no attribute 'astype': round it with tf.round")

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Tensor:
        return Dispatch.convert(self, dtype, name=name)

    #: The operators that `tf.Tensor` gives a meaning.
    OVERLOADABLE_OPERATORS: ClassVar[frozenset[str]] = frozenset(
        f"__{prefix}{name}__"
        for names, prefixes in (
            ("abs eq ge getitem gt invert le lt ne neg", ("",)),
            ("add and div floordiv matmul mod mul or pow sub truediv xor", ("", "r")),
        )
        for name in names.split()
        for prefix in prefixes
    )

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """The functions of the Python array API standard: `pullback.array_api`.

        Raises ValueError for a version of the standard that is not known.
        """
        if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
            raise ValueError(f"array API version {api_version!r} is not here; the newest is 2024.12")
        return importlib.import_module("pullback.array_api")

    def to_device(self, device: object, /, *, stream: object = None) -> Tensor:
        """The tensor itself: the CPU is the only device; a ValueError for another."""
        if device not in ("cpu", "CPU:0", "/CPU:0", DEVICE) or stream is not None:
            raise ValueError(f"there is one device, the CPU ({DEVICE!r}), and not {device!r} with stream {stream!r}")
        return self


#: What a tensor's `device` says.
DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
#: The devices that the CPU counts as: names, for strategies that have a replica on each (`tf.config.set_logical_device_configuration`).
LOGICAL_DEVICES = [DEVICE]


@name_class("framework.ops.EagerTensor")
class EagerTensor(Tensor):
    """A tensor with a value, a NumPy array that nobody changes."""

    __slots__ = ("value",)

    def __init__(self, value: np.ndarray) -> None:
        self.value = value
        self.uid = fresh_uid()

    @property
    def dims(self) -> tuple[int, ...]:
        """The sizes of the axes, None where one is unknown; None for an unknown rank."""
        return self.value.shape

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return FROM_NUMPY[self.value.dtype]

    @property
    def constant(self) -> np.ndarray:
        """The value as an array where it is known before anything runs, else None."""
        return self.value

    @property
    def device(self) -> str:
        """The device of the value; always the CPU."""
        return DEVICE

    backing_device = device

    def numpy(self) -> npt.NDArray[Any] | Any:
        """A copy of the value: an array, for a scalar a NumPy scalar, for a string bytes."""
        if self.value.ndim:
            return self.value.copy()
        return self.value[()]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        other = dtype is not None and np.dtype(dtype) != self.value.dtype
        if other and copy is False:
            raise ValueError(f"{self.value.dtype} becomes {np.dtype(dtype)} only by a copy, and copy=False")
        if copy or other:
            return np.array(self.value, dtype)
        view = self.value.view()
        view.setflags(write=False)
        return view

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None) -> Any:
        """The value as a DLPack capsule, without a copy unless asked for.  Who takes it must not change it.

        Raises BufferError for dtypes that DLPack or NumPy do not speak of (bfloat16, strings).
        """
        return self.value.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's number of the device: the CPU."""
        return self.value.__dlpack_device__()

    @trims_errors
    def __len__(self) -> int:
        if not self.value.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return len(self.value)

    @trims_errors
    def __iter__(self) -> Iterator[Tensor]:
        if not self.value.ndim:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (LATE_BOUND["getitem"](self, i) for i in range(len(self.value)))

    def __bool__(self) -> bool:
        try:
            value = self.value
            return bool(value) if value.size else False  # where NumPy refuses
        except Exception as error:
            trim(error)
            raise

    def __int__(self) -> int:
        try:
            return int(self.value)
        except Exception as error:
            trim(error)
            raise

    def __float__(self) -> float:
        try:
            return float(self.value)
        except Exception as error:
            trim(error)
            raise

    @trims_errors
    def __complex__(self) -> complex:
        return complex(self.value)

    @trims_errors
    def __index__(self) -> int:
        return self.value.__index__()

    def __round__(self, digits: int = 0) -> Any:
        scalar: Any = self.value[()]
        return scalar.__round__(digits)

    def __format__(self, spec: str) -> str:
        return self.numpy().__format__(spec)

    def __eq__(self, other: object) -> Any:
        if (ROOT.graph is not None and not isinstance(other, EagerTensor)) or not Comparing.elements:
            return self is other
        return LATE_BOUND["equal_operator"](self, other)

    def __ne__(self, other: object) -> Any:
        if (ROOT.graph is not None and not isinstance(other, EagerTensor)) or not Comparing.elements:
            return self is not other
        return LATE_BOUND["not_equal_operator"](self, other)

    @trims_errors
    def __hash__(self) -> int:
        if ROOT.graph is not None or not Comparing.elements:
            return id(self)
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __copy__(self) -> EagerTensor:
        return self._with_notes(self.value)

    def __deepcopy__(self, memo: dict[int, Any]) -> EagerTensor:
        return self._with_notes(self.value.copy())

    def _with_notes(self, value: np.ndarray) -> EagerTensor:
        """A tensor of `value` with the attributes that the program gave this one."""
        tensor = EagerTensor(value)
        tensor.__dict__.update(self.__dict__)
        return tensor

    def __reduce__(self) -> tuple[Any, ...]:
        return _tensor_of, (self.value,)

    @trims_errors
    def set_shape(self, shape: ShapeLike) -> None:
        """Check that the value has `shape`; a ValueError where it has not."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"Tensor's shape {self.dims} is not compatible with supplied shape {tuple(TensorShape(shape))}.")

    def _only_in_graphs(self, what: str) -> NoReturn:
        raise AttributeError(f"Tensor.{what} is undefined when eager execution is enabled.")

    op = property(trims_errors(lambda self: self._only_in_graphs("op")))
    graph = property(trims_errors(lambda self: self._only_in_graphs("graph")))
    name = property(trims_errors(lambda self: self._only_in_graphs("name")))
    value_index = property(trims_errors(lambda self: self._only_in_graphs("value_index")))

    @trims_errors
    def consumers(self) -> list[Node]:
        """Only tensors of graphs have consumers."""
        raise NotImplementedError("Tensor.consumers is undefined when eager execution is enabled.")

    def _show_value(self) -> str:
        if not self.value.ndim:
            return repr(self.value[()]) if self.value.dtype == object else str(self.value[()])
        return str(self.value)

    def __str__(self) -> str:
        return f"tf.Tensor({own_lines(self._show_value())}, shape={self.value.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        value = own_lines(repr(self.value)) if self.value.ndim else number_text(self.value)
        return f"<tf.Tensor: shape={self.value.shape}, dtype={self.dtype.name}, numpy={value}>"

    def _repr_html_(self) -> str:
        return values.html_of_array(f"tf.Tensor, shape {self.value.shape}, {self.dtype.name}", self.value)


def _tensor_of(value: np.ndarray) -> EagerTensor:
    return EagerTensor(value)


def number_text(value: np.ndarray) -> str:
    """The only element of `value`; a number with all the digits of its binary value, as `repr` shows it."""
    if value.dtype.kind in "fcV":
        return repr(complex(value) if value.dtype.kind == "c" else float(value))
    return repr(value[()]) if value.dtype == object else str(value[()])


def own_lines(text: str) -> str:
    """Text of several lines starts on one of its own."""
    return "\n" + text if "\n" in text else text


class HandleTensor(EagerTensor):
    """A scalar whose value is no array: a variable's storage (dtype resource), a list of tensors (variant); the value tells which."""

    __slots__ = ()
    value: Any

    def __init__(self, value: Any) -> None:
        super().__init__(value)

    @property
    def dims(self) -> tuple[int, ...]:
        """The sizes of the axes, None where one is unknown; None for an unknown rank."""
        return ()

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self.value.tensor_dtype

    @property
    def constant(self) -> None:  # type: ignore[override]  # a resource has no content to know
        """The value as an array where it is known before anything runs, else None."""
        return None

    def __repr__(self) -> str:
        return "<tf.Tensor: shape=(), dtype=resource, value=<Resource Tensor>>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)


@name_class("framework.ops.SymbolicTensor")
class SymbolicTensor(Tensor):
    """One output of a node of a graph."""

    __slots__ = ("_constant", "_dims", "_dtype", "index", "node")

    def __init__(self, node: Node, index: int, dims: Dims, dtype: DType, constant: np.ndarray | None) -> None:
        self.node = node
        self.index = index
        self._dims = dims
        self._dtype = dtype
        self._constant = constant
        self.uid = fresh_uid()

    @property
    def dims(self) -> Dims:
        """The sizes of the axes, None where one is unknown; None for an unknown rank."""
        return self._dims

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._dtype

    @property
    def constant(self) -> np.ndarray | None:
        """The value as an array where it is known before anything runs, else None."""
        return self._constant

    @property
    def op(self) -> Node:
        """The operation that computes this tensor."""
        return self.node

    @property
    def value_index(self) -> int:
        """Which output of its operation this tensor is."""
        return self.index

    @property
    def graph(self) -> Graph:
        """The graph this tensor belongs to."""
        return self.node.graph

    @property
    def name(self) -> str:
        """The operation's name, a colon and the output's index."""
        return f"{self.node.name}:{self.index}"

    @property
    def device(self) -> str:
        """The device asked for when the operation was made."""
        return self.node.device

    def consumers(self) -> list[Node]:
        """The operations that read this tensor, in the order they were made; one that reads it twice stands there twice."""
        return [node for node in self.graph.nodes for t in node.inputs if t is self]

    @trims_errors
    def set_shape(self, shape: ShapeLike) -> None:
        """Add what is known of the shape; a ValueError where it contradicts what was known."""
        self._dims = merge(self._dims, as_dims(shape))

    @trims_errors
    def eval(self, feed_dict: Mapping[Any, Any] | None = None, session: Session | None = None) -> Any:
        """Compute this tensor in `session`, the default session when None."""
        session = session or self.graph.default_session()
        if session is None:
            raise ValueError(
                "Cannot evaluate tensor using `eval()`: No default session is registered. "
                "Use `with sess.as_default()` or pass an explicit session to `eval(session=sess)`"
            )
        return session.run(self, feed_dict)

    def _no_python_value(self, task: str) -> Exception:
        way_out = "Run it in a Session, or use the op that does the same in the graph."
        if self.node.graph.building_function:
            way_out = (
                "Python's own `if`, `while` and `for` on it need AutoGraph: decorate the function with @tf.function, leave "
                "`autograph=True`, and keep its source where Python finds it; or use tf.cond, tf.while_loop, tf.where."
            )
        return OperatorNotAllowedInGraphError(
            f"{task} is not allowed, at {show_source(user_frame())}: {self} has no value while the graph is being built (made at "
            f"{self.node.where}). {way_out}"
        )

    @trims_errors
    def __bool__(self) -> bool:
        raise self._no_python_value("Using a symbolic `tf.Tensor` as a Python `bool`")

    @trims_errors
    def __iter__(self) -> Iterator[Tensor]:
        raise self._no_python_value("Iterating over a symbolic `tf.Tensor`")

    @trims_errors
    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({self.name}). Please call `x.shape` rather than `len(x)` for shape "
            "information."
        )

    @trims_errors
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array. It has no value until a Session runs it (made at "
            f"{self.node.where})."
        )

    @property
    @trims_errors
    def numpy(self) -> NoReturn:
        """Raises AttributeError: a tensor of a graph has no value until a session runs it."""
        raise AttributeError(f"'SymbolicTensor' object has no attribute 'numpy': {self.name} has no value until a Session runs it")

    @trims_errors
    def __index__(self) -> int:
        raise TypeError(f"{self} has no value while the graph is being built, so it cannot be used as a Python index")

    def __eq__(self, other: object) -> Any:
        return LATE_BOUND["equal_operator"](self, other) if self.node.graph.compares_elements else self is other

    def __ne__(self, other: object) -> Any:
        return LATE_BOUND["not_equal_operator"](self, other) if self.node.graph.compares_elements else self is not other

    def __hash__(self) -> int:
        return id(self)

    def __str__(self) -> str:
        shape = "" if self._dims is None else f", shape={self.shape}"
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self._dtype.name}{device})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self._dtype.name}>"


# ---- what arguments may be, for annotations

if TYPE_CHECKING:

    class SupportsTensor(Protocol):
        """What converts itself to a tensor."""

        def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Tensor: ...

    class TensorSequence(Protocol):
        """A sequence, nested at will.  A protocol, because Jedi ends in a RecursionError at `Sequence["TensorLike"]`."""

        def __len__(self) -> int: ...
        def __getitem__(self, index: int, /) -> TensorLike: ...
        @property
        def count(self) -> object: ...
        @property
        def index(self) -> object: ...

    Item_co = TypeVar("Item_co", covariant=True)

    class Items(Protocol[Item_co]):
        """A sequence that may be asked for anything, as those of numbers: text and bytes may be asked for text and bytes alone."""

        def __contains__(self, value: object, /) -> bool: ...
        def __len__(self) -> int: ...
        def __getitem__(self, index: int, /) -> Item_co: ...
        @property
        def count(self) -> object: ...
        @property
        def index(self) -> object: ...

    class SupportsArray(Protocol):
        """An array, or what converts itself to one."""

        def __array__(self) -> npt.NDArray[Any]: ...

    #: What converts to a tensor, beside Python's and NumPy's values.
    Convertible: TypeAlias = Tensor | Variable | PartitionedVariable | CompositeTensor | SupportsTensor | TensorShape | Dimension
    #: What an operation on numbers takes.
    NumberLike: TypeAlias = Convertible | SupportsArray | complex | Items["NumberLike"]
    #: What an operation on texts takes.
    TextLike: TypeAlias = Convertible | SupportsArray | str | bytes | Items["TextLike"]
    #: What `tf.convert_to_tensor` takes.
    TensorLike: TypeAlias = Convertible | npt.ArrayLike | TensorSequence
    #: Whole numbers: an axis or several, a length, a seed.
    Whole: TypeAlias = int | np.integer[Any] | Dimension | Tensor | Variable | npt.NDArray[np.integer[Any]]
    IntLike: TypeAlias = Whole | Sequence[Whole] | Sequence[Sequence[Whole]]
    #: What stands in brackets behind a tensor.
    Key: TypeAlias = SupportsIndex | slice | EllipsisType | IntLike | npt.NDArray[Any] | list[Any] | None
    Index: TypeAlias = Key | tuple[Key, ...]
    ShapeLike: TypeAlias = TensorShape | Whole | Sequence[Whole | None]
    #: "SAME" or "VALID", or how many to add before and after along each axis.
    Padding: TypeAlias = str | Sequence[Sequence[int]]
    DTypeLike: TypeAlias = DType | npt.DTypeLike | int
    #: A gradient: most often a tensor.  None where nothing connects, and `IndexedSlices` where it is sparse, which no type can say
    #: beforehand; so nothing asks a program to rule them out (`Any`).
    Gradient: TypeAlias = Tensor | Any
else:
    TensorLike = NumberLike = TextLike = IntLike = ShapeLike = Padding = DTypeLike = Gradient = Any
