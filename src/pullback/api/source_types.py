"""What type checkers know of sources, one or a structure of them, and of the gradients that have their structure.  Nothing runs here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, TypedDict, TypeVar

import numpy as np
import numpy.typing as npt

from ..ir.composite import CompositeTensor
from ..ir.tensor import Tensor
from .endpoints import UnconnectedGradients
from .tape import GradientTape
from .variable import Variable

#: What a tape follows.
Source: TypeAlias = Tensor | Variable
#: Where a function is differentiated.
Point: TypeAlias = Tensor | Variable | complex | np.generic | npt.NDArray[Any]


class Dataclass(Protocol):
    """An object of a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


class Attrs(Protocol):
    """An object of an attrs class."""

    __attrs_attrs__: ClassVar[Any]


class Named(Protocol):
    """A named tuple."""

    @property
    def _fields(self) -> tuple[str, ...]: ...
    def _asdict(self) -> dict[str, Any]: ...


class Flattens(Protocol):
    """What takes itself apart."""

    def __tf_flatten__(self) -> Any: ...


#: A structure whose gradients are an object of the same class: its fields are tensors there, and None for a source that nothing reaches.
Record = TypeVar("Record", bound=Dataclass | Attrs | Named | Flattens | CompositeTensor)
Key = TypeVar("Key")
#: A structure that is not one tensor.
Nest: TypeAlias = list[Any] | tuple[Any, ...] | Mapping[Any, Any] | CompositeTensor
Structure: TypeAlias = Nest | Dataclass | Attrs | Named | Flattens
#: A part of a structure in structures.
Part: TypeAlias = Point | Structure
#: The cotangents that targets are given.
Seeds: TypeAlias = Part | Sequence[Part] | None
#: Lists of sources; mypy takes no `list[Tensor]` for a `list[Source]`, and a tuple for a `Sequence`.
SourceList: TypeAlias = list[Tensor] | list[Variable] | list[Source]
PointList: TypeAlias = list[Tensor] | list[Variable] | list[Source] | list[float] | list[npt.NDArray[Any]] | list[Point]
Unconnected: TypeAlias = UnconnectedGradients | Literal["none", "zero"]
Mode: TypeAlias = Literal["reverse", "forward", "mixed"]
#: What a function tells beside its value.
Aux = TypeVar("Aux")
At = TypeVar("At")
#: A function of a point, or of none where it reads variables, or a tensor of a graph.
Target: TypeAlias = Callable[[At], Tensor] | Callable[[], Tensor] | Tensor
#: A function of any arguments, or tensors of a graph.
Asked: TypeAlias = Callable[..., Any] | Source | Structure


class Options(TypedDict, total=False):
    """What all derivatives of a function take by keyword."""

    unconnected_gradients: Unconnected | None


class WholeOptions(Options, total=False):
    """What `value_and_gradient` takes by keyword where the gradient is with respect to all of its arguments."""

    argnums: None
    has_aux: Literal[False]


class DiagonalOptions(Options, total=False):
    """What `hessian_diagonal` takes by keyword."""

    chunk: int | None


class HessianOptions(DiagonalOptions, total=False):
    """What `hessian` takes by keyword."""

    mode: Mode | None


class ExampleOptions(Options, total=False):
    """What `per_example_gradients` takes by keyword."""

    tape: GradientTape | None


class JacobianOptions(HessianOptions, total=False):
    """What `jacobian` and `batch_jacobian` take by keyword."""

    tape: GradientTape | None
