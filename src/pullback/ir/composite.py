"""Values made of several tensors that count as one: sparse and ragged tensors.

A class of them says what its parts are, and structures, functions, branches, loops and sessions take it apart and make it again.
Where a program gives one to a function that wants a tensor, the conversion raises `NotATensor`, and whoever called asks the value for
an answer of its own: dispatch for an op that works element by element, a function that `takes_composites` for the whole function.
So early layers know nothing of the classes, and what takes tensors pays a tenth of a microsecond at most.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ..base import nest
from ..base.lazy_import import LazyModule
from .registry import Registry
from .tracebacks import LateSignature, trim
from .type_spec import TypeSpec, describe

if TYPE_CHECKING:
    from ..pictures import values
else:
    values = LazyModule("pullback.pictures.values")


class NotATensor(ValueError):
    """A composite value stands where a tensor is wanted.  Most often somebody has an answer, so the words wait until they are read."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value

    def __str__(self) -> str:
        return f"Attempt to convert a value ({self.value!r}) with an unsupported type ({type(self.value)}) to a Tensor."


class CompositeTensor(metaclass=ABCMeta):  # as TensorFlow's: a program's subclass may have abstract methods
    """What is made of tensors and counts as one.

    A class gives `_components`, the tensors, and `_from_components`, the like of itself made of others; or, as libraries do, a
    `_type_spec` that takes values apart (`_to_components`) and makes them again (`_from_components`).
    """

    _is_composite = True
    #: Whether `tf.is_tensor` says so of it.
    _counts_as_tensor = True
    #: Whether it has rows that a loop goes through: `nrows(dtype)` of them, which it gives by their numbers.
    _has_rows = False
    #: What else than tensors its values are made of, to be the same in structures that are alike.
    _static: Any = None
    #: What the class answers where a function that wants tensors is given one: by the function's name.
    functions: ClassVar[dict[str, Callable[..., Any]]]

    @property
    def _type_spec(self) -> Any:
        """What is known of the value beforehand."""
        raise NotImplementedError(f"{type(self).__name__} has no spec")

    def _components(self) -> list[Any]:
        return nest.flatten(self._type_spec._to_components(self))

    def _repr_html_(self) -> str:
        return values.html_of_parts(self, self._components())

    def _from_components(self, parts: Sequence[Any]) -> Any:
        spec = self._type_spec
        return spec._from_components(nest.pack_sequence_as(spec._to_components(self), parts))

    def _keep_common_shape(self, origins: Sequence[Any]) -> None:  # noqa: B027  # most have nothing to keep
        """Keep what is known of the shapes of all the values of which it may be one, unless its tensors tell it."""

    def _as_argument(self, parts: Sequence[Any]) -> Any:
        """The like of itself inside a function that was traced for this very form."""
        return self._from_components(parts)

    def _feed_arrays(self, value: Any) -> Sequence[Any]:
        """The arrays for its tensors, from a value that a session is fed for it."""
        return value

    @classmethod
    def _answer(cls, name: str, function: Callable[..., Any]) -> Callable[..., Any] | None:
        """What takes the place of a function of tensors; None where nothing does."""
        return cls._function(name)

    @classmethod
    def _function(cls, name: str) -> Callable[..., Any] | None:
        """What the class itself has under a name; None where it has nothing."""
        return cls.functions.find(name) if isinstance(cls.functions, Registry) else cls.functions.get(name)

    def _apply(self, op: Any, args: tuple[Any, ...], attrs: dict[str, Any], name: str | None, error: NotATensor) -> Any:
        """What an op gives that takes one as an input."""
        if op.traits.same and op.traits.on_values:
            return nest.map_structure(op.call, self, expand_composites=True)
        raise error

    def _by_rows(self) -> tuple[list[Any], Callable[[Sequence[Any]], Any]]:
        """The tensors that have a row for each row of this, and what makes one row of theirs."""
        raise NotATensor(self)

    def _get_differentiated(self) -> Any:
        """The tensor that stands for it as the source or target of a gradient."""
        raise ValueError(f"Type {type(self).__name__} is not supported as a gradient source or gradient target.")

    def _with_differentiated(self, gradient: Any) -> Any:
        """The gradient with respect to it, from that of the tensor that stands for it."""
        raise NotImplementedError(f"{type(self).__name__} has a tensor that is differentiated, and does not say what its gradient makes")


def _own_spec(value: Any) -> Any:
    return None if isinstance(value, TypeSpec) else value._type_spec


describe([CompositeTensor], _own_spec)


class CompositeSpec(TypeSpec, CompositeTensor):
    """What is known of a composite value beforehand: its parts are specs of tensors, and of tensors it makes the value."""

    _counts_as_tensor = False

    def flatten(self) -> list[Any]:
        """The specs of the tensors that a value is made of."""
        return [flat for part in self._components() for flat in part.flatten()]

    def to_tensors(self, value: Any) -> list[Any]:
        """The tensors that a value is made of; a TypeError where they do not fit."""
        whole = isinstance(value, self.value_type) and hasattr(value, "_components")
        parts: list[Any] = value._components() if whole else [value]
        wanted = self._components()
        if len(parts) != len(wanted):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return [t for spec, part in zip(wanted, parts, strict=True) for t in spec.to_tensors(part)]

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """The value made of the next tensors."""
        return self._from_components([spec.from_tensors(tensors) for spec in self._components()])

    def placeholder_value(self, placeholder_context: Any) -> Any:
        """The value made of the next tensors that stand for arguments of the function being traced."""
        return self._from_components([spec.placeholder_value(placeholder_context) for spec in self._components()])

    def _of_a_row(self) -> Any:
        """The spec of one row of such a value."""
        raise TypeError(f"there are no rows in what {type(self).__name__} describes")

    def _of_rows(self, count: int | None) -> Any:
        """The spec of so many such values together; None where their number is not known."""
        raise TypeError(f"values that {type(self).__name__} describes cannot be put together")

    def _row_part_specs(self) -> list[Any]:
        """The specs of `_row_parts`, their first axis unknown."""
        raise TypeError(f"what {type(self).__name__} describes cannot be put together row by row")

    def _row_parts(self, value: Any) -> list[Any]:
        """The tensors of a row, to be concatenated with those of the others."""
        raise TypeError(f"what {type(self).__name__} describes cannot be put together row by row")

    def _from_rows(self, parts: Sequence[Any]) -> Any:
        """The value whose rows these are, from their parts concatenated."""
        raise TypeError(f"what {type(self).__name__} describes cannot be put together row by row")

    def _cast(self, value: Any) -> Any:
        """`value` as far as this spec tells of it; a TypeError or ValueError where it does not fit."""
        raise NotImplementedError(f"{type(self).__name__} does not say which values fit it")


F = TypeVar("F", bound=Callable[..., Any])


def takes_composites(function: F) -> F:
    """A function of tensors that asks a composite value, if it is given one, for its own answer."""
    name = function.__name__

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            try:
                return function(*args, **kwargs) if kwargs else function(*args)  # as in `trims_errors`
            except NotATensor as error:
                own = error.value._answer(name, function)
                if own is None:
                    raise
            return own(*args, **kwargs)
        except Exception as error:
            trim(error)
            raise

    vars(call)["trims_errors"] = True
    vars(call)["__signature__"] = LateSignature(function)  # `inspect.getfullargspec` looks nowhere else
    return call  # type: ignore[return-value]  # the same parameters


def works_by_element(function: F) -> F:
    """What `takes_composites` says, of a function that works element by element: a value of many lengths answers with its flat values."""
    function.works_by_element = True  # type: ignore[attr-defined]  # read by those values
    return takes_composites(function)


def works_on_items(function: F) -> F:
    """What `takes_composites` says, of a function of one tensor, among other arguments, whose elements or items it works on."""
    function.works_on_items = True  # type: ignore[attr-defined]  # as above
    return takes_composites(function)
