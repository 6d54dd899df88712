"""`tf.Module`: a named holder of variables and other modules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

from ..api.names import name_scope
from ..api.variable import Variable
from ..base import nest
from ..base.export import export
from .wrappers import AutoTrackable

M = TypeVar("M", bound="Module")
P = ParamSpec("P")
R = TypeVar("R")


@export("Module")
class Module(AutoTrackable):
    """A holder of variables: its attributes, and what its lists, tuples, dicts and modules hold.

    Args:
        name: a Python identifier; the class name in snake case when None.

    Raises:
        ValueError: a name that is no identifier.

    >>> class Line(tf.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.slope, self.offset = tf.Variable(2.0), tf.Variable(1.0, trainable=False)
    >>> [v.numpy().item() for v in Line().variables], len(Line().trainable_variables), Line().name
    ([1.0, 2.0], 1, 'line')
    """

    #: Attributes that `variables` and `submodules` pass over; a class adds its own.
    _TF_MODULE_IGNORED_PROPERTIES: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, name: str | None = None) -> None:
        given = name if name is not None else snake_case(type(self).__name__)
        if not given.isidentifier():
            raise ValueError(
                f"{given!r} is not a valid module name. Module names must be valid Python identifiers (e.g. a valid class name)."
            )
        self._name = given
        with name_scope(given) as scope:
            self._scope_name = scope

    @property
    def name(self) -> str:
        """The module's name."""
        return self._name

    @property
    def name_scope(self) -> AbstractContextManager[str]:
        """A block whose names begin with the module's."""
        return name_scope(self._scope_name)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables of this module and those it holds, attributes in the order of their names."""
        return tuple(self._flatten(predicate=lambda thing: isinstance(thing, Variable)))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The trainable ones of `variables`."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """The others of `variables`."""
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All modules that this one holds."""
        return tuple(self._flatten(predicate=lambda thing: isinstance(thing, Module) and thing is not self))

    def _flatten(self, recursive: bool = True, predicate: Callable[[Any], bool] | None = None) -> Iterator[Any]:
        """What this module holds, attributes by name, then what its modules hold, one after another.

        Classes of libraries call it by this name.  recursive: whether to look into modules.  predicate: of what; None for all.
        """
        seen, modules = {id(self)}, [self]
        while modules:
            module, inner = modules.pop(), []
            looked_at = sorted(vars(module).keys() - module._TF_MODULE_IGNORED_PROPERTIES)
            for thing in nest.flatten([vars(module)[name] for name in looked_at], strict=True):
                if id(thing) in seen:
                    continue
                seen.add(id(thing))
                if predicate is None or predicate(thing):
                    yield thing
                if recursive and isinstance(thing, Module):
                    inner.append(thing)
            modules += reversed(inner)

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        held = super()._trackable_children(save_type, **kwargs)
        return held if save_type == "checkpoint" else dict(sorted(held.items()))

    @classmethod
    def with_name_scope(cls, method: Callable[Concatenate[M, P], R]) -> Callable[Concatenate[M, P], R]:
        """A method that runs in the module's name scope."""

        def call_in_scope(self: M, /, *args: P.args, **kwargs: P.kwargs) -> R:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return call_in_scope


def snake_case(name: str) -> str:
    """The name of a class as scopes are called after it."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
