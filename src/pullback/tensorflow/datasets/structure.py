"""How the elements of a dataset nest, and what tensors they are made of.

Tuples, dictionaries and attrs objects are structures here; a list is not, it becomes a tensor.  A sparse or ragged tensor, a dataset and
None are leaves of several tensors, of one, and of none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, TypeVar, TypeVarTuple

from ...base import nest
from ...base.shapes import as_dims
from ...ir.apply import convert_to_tensor, wrap
from ...ir.composite import CompositeTensor
from ...ir.tensor import Tensor
from ...ir.type_spec import TypeSpec, known_spec
from ...ops.constant import TensorSpec
from ...trace.call_key import packer

if TYPE_CHECKING:
    from ...api.variable import Variable
    from ...ir.tensor import SupportsArray

#: The raw values of the tensors in an element.
Element = tuple[Any, ...]

# ---- what type checkers are told

R = TypeVar("R")
S = TypeVar("S")
K = TypeVar("K")
A_co = TypeVar("A_co", covariant=True)
Ts = TypeVarTuple("Ts")

if TYPE_CHECKING:
    from typing_extensions import TypeVar as WithDefault

    #: An element as a program sees it; `Dataset` alone says nothing of it.
    E_co = WithDefault("E_co", covariant=True, default=Any)

    class Named(Protocol):
        """A named tuple."""

        def _asdict(self) -> dict[str, Any]: ...

    class _Attrs(Protocol):
        __attrs_attrs__: ClassVar[Any]

    #: What becomes one tensor of one or more rows; a tuple has parts.
    Column: TypeAlias = Tensor | Variable | SupportsArray | list[Any] | range
    Value: TypeAlias = Column | complex | str | bytes
    #: What a predicate may answer.
    Holds: TypeAlias = Tensor | Variable | SupportsArray | bool
    #: An element that a function is given whole; a tuple is given as several arguments.
    W = TypeVar("W", bound=Tensor | Mapping[Any, Any] | CompositeTensor | Named | _Attrs | None)
    #: Where nothing is known of the elements.
    Anyhow: TypeAlias = Callable[[Any], R] | Callable[[Any, Any], R] | Callable[[Any, Any, Any], R] | Callable[[Any, Any, Any, Any], R]
    N = TypeVar("N", bound=Named)
    Nest: TypeAlias = tuple[Any, ...] | Mapping[Any, Any] | CompositeTensor | _Attrs | None
else:
    E_co = TypeVar("E_co", covariant=True)
    Column = Value = Holds = W = Anyhow = N = Nest = Any


def is_structure(value: object) -> bool:
    """Whether a value has parts that are elements themselves."""
    return isinstance(value, (tuple, Mapping)) or hasattr(type(value), "__attrs_attrs__")


def map_leaves(function: Callable[[Any], Any], structure: object) -> Any:
    """The structure with `function` of each leaf in its place."""
    if not is_structure(structure):
        return function(structure)
    return nest.rebuild(structure, [map_leaves(function, part) for part in nest.children(structure, False)], False)


def flatten(structure: object) -> list[Any]:
    """The leaves of a structure."""
    if not is_structure(structure):
        return [structure]
    return [leaf for part in nest.children(structure, False) for leaf in flatten(part)]


def as_leaf(value: object) -> Any:
    """What a leaf stands for: a tensor, a composite value or None."""
    if value is None or isinstance(value, (Tensor, CompositeTensor)):
        return value
    if known_spec(value) is not None and not hasattr(value, "handle"):
        return known_spec(value)._cast(value)  # type: ignore[union-attr]  # the value of a sparse or ragged tensor
    return convert_to_tensor(value)


def spec_of(structure: object) -> Any:
    """The specs of the leaves, nested as they are."""
    return map_leaves(_leaf_spec, structure)


def _leaf_spec(value: Any) -> TypeSpec:
    found = known_spec(value)
    if found is None:
        raise TypeError(f"{value!r} of type {type(value).__name__} cannot be an element of a dataset")
    return found


class Layout:
    """Elements of one spec: from what a program sees to the tensors in it, and back."""

    def __init__(self, spec: Any) -> None:
        self.spec = spec
        self.leaves: list[Any] = flatten(spec)
        #: The specs of all the tensors.
        self.flat: list[Any] = [part for leaf in self.leaves for part in leaf.flatten()]
        self.plain = all(isinstance(leaf, TensorSpec) for leaf in self.leaves)

    @cached_property
    def _packed(self) -> Callable[[Sequence[Any]], Any]:
        return packer(self.spec, [True] * len(self.leaves)) if self.plain else self._pack

    @cached_property
    def key(self) -> Any:
        """The spec as something that can be hashed."""
        return spec_key(self.spec)

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """What an operation that gives an element is told of it."""
        return {
            "output_types": tuple(part.dtype for part in self.flat),
            "output_shapes": tuple(as_dims(part.shape) for part in self.flat),
        }

    def _pack(self, tensors: Sequence[Any]) -> Any:
        rest: Iterator[Any] = iter(tensors)
        return map_leaves(lambda leaf: leaf.from_tensors(rest), self.spec)

    def pack(self, tensors: Sequence[Any]) -> Any:
        """The element that these tensors make."""
        return self._packed(tensors)

    def eager(self, element: Element) -> Any:
        """The element that these raw values make, as eager tensors."""
        return self._packed([wrap(value) for value in element])

    def tensors(self, structure: object) -> list[Any]:
        """The tensors in an element whose leaves `as_leaf` has made."""
        return [tensor for spec, leaf in zip(self.leaves, flatten(structure), strict=True) for tensor in spec.to_tensors(leaf)]

    def leaf_values(self, element: Element) -> list[Element]:
        """The raw values of each leaf."""
        if self.plain:
            return [(value,) for value in element]
        rest = iter(element)
        return [tuple(next(rest) for _ in leaf.flatten()) for leaf in self.leaves]


def spec_key(spec: object) -> Any:
    """A structure of specs as something that can be hashed."""
    return tuple(nest.flatten(spec)), str(nest.map_structure(lambda _: ".", spec))


def arguments(structure: object) -> tuple[Any, ...]:
    """An element as the arguments of a function: a tuple is taken apart."""
    return structure if type(structure) is tuple else (structure,)
