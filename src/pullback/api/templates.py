"""`make_template`: a function whose variables are made at its first call and shared by the others; and `op_scope`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..base.export import export
from ..ir.context import executing_eagerly
from ..ir.tensor import TensorLike
from .names import GraphKeys, name_scope
from .variable import Variable
from .variable_creators import variable_creator_scope
from .variable_scope import VariableScope, get_variable_scope, open_store, variable_scope


class Template:
    """What `make_template` gives: call it like the function."""

    def __init__(self, name: str, function: Callable[..., Any], scope: VariableScope | None, getter: Any) -> None:
        self._name, self._function, self._scope, self._getter = name, function, scope, getter
        self._called = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function's result, with the variables of the first call."""
        if self._scope is None:
            with variable_scope(None, self._name, custom_getter=self._getter) as self._scope:
                return self._call(args, kwargs)
        with variable_scope(self._scope, reuse=True if self._called else None):
            return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = self._function(*args, **kwargs)
        self._called = True
        return result

    @property
    def variable_scope(self) -> VariableScope | None:
        """The scope of the variables; None before the first call."""
        return self._scope

    @property
    def var_scope(self) -> VariableScope | None:
        """An older name of `variable_scope`."""
        return self._scope

    @property
    def variable_scope_name(self) -> str | None:
        """The name of that scope with a slash; None before the first call."""
        return None if self._scope is None else f"{self._scope.name}/"

    @property
    def name(self) -> str:
        """The name that was asked for."""
        return self._name

    def _list_variables(self, key: str) -> list[Any]:
        """The variables of a collection that lie in the scope."""
        return [] if self._scope is None else self._scope.get_collection(key)

    @property
    def global_variables(self) -> list[Any]:
        """The variables of the scope that are saved."""
        return self._list_variables(GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self) -> list[Any]:
        """The local variables of the scope."""
        return self._list_variables(GraphKeys.LOCAL_VARIABLES)

    @property
    def variables(self) -> list[Any]:
        """All variables of the scope."""
        return self.global_variables + self.local_variables

    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable variables of the scope."""
        return self._list_variables(GraphKeys.TRAINABLE_VARIABLES)

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The others of `variables`."""
        trainable = {id(v) for v in self.trainable_variables}
        return [v for v in self.variables if id(v) not in trainable]

    @property
    def weights(self) -> list[Any]:
        """Another name of `variables`."""
        return self.variables

    @property
    def trainable_weights(self) -> list[Any]:
        """Another name of `trainable_variables`."""
        return self.trainable_variables

    @property
    def non_trainable_weights(self) -> list[Any]:
        """Another name of `non_trainable_variables`."""
        return self.non_trainable_variables

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        prefix = self.variable_scope_name or ""
        return {v.name.removesuffix(":0").removeprefix(prefix): v for v in self.variables}

    def __repr__(self) -> str:
        return f"<template {self.name} of {self._function!r}>"


class EagerTemplate(Template):
    """A template whose variables are found in a store of its own, and in those of the templates that call it."""

    def __init__(self, name: str, function: Callable[..., Any], scope: VariableScope | None, getter: Any) -> None:
        super().__init__(name, function, scope, getter)
        self._kept: dict[str, Any] = {}

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        with open_store(self._kept), _refuse_new(self._called):
            return super()._call(args, kwargs)

    @property
    def global_variables(self) -> list[Any]:
        """The variables that the template made."""
        return list(self._kept.values())

    @property
    def local_variables(self) -> list[Any]:
        """None: there are no collections."""
        return []

    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable ones of `variables`."""
        return [v for v in self._kept.values() if v.trainable]


@contextmanager
def _refuse_new(called: bool) -> Iterator[None]:
    """In a call after the first one, refuse the trainable variables that it made."""
    made: list[Variable] = []

    def creator(next_creator: Callable[..., Any], **options: Any) -> Any:
        made.append(next_creator(**options))
        return made[-1]

    with variable_creator_scope(creator):
        yield
    new = [v for v in made if v.trainable]
    if called and new:
        raise ValueError(
            "Trainable variable created when calling a template after the first time, perhaps you used tf.Variable when you meant "
            f"tf.get_variable: {new}"
        )


@export(v1=("make_template", "contrib.eager.make_template"))
def make_template(
    name_: str, func_: Callable[..., Any], create_scope_now_: bool = False, unique_name_: str | None = None,
    custom_getter_: Callable[..., Any] | None = None, **kwargs: Any,
) -> Template:  # fmt: skip
    """`func_`, with `kwargs` given, as a function whose calls share the variables that it makes by `get_variable`.

    name_: of the variables' scope, made unique.  create_scope_now_: make the scope now, not at the first call.  unique_name_: the scope's
    name as it is; only in graphs.  custom_getter_: as in `variable_scope`.  The template has `variables`, `trainable_variables` and the
    like, and a checkpoint saves them.
    Raises ValueError: `func_` is no function, a later call makes a trainable variable, or `unique_name_` eagerly.

    >>> with tf1.Graph().as_default():
    ...     scale = tf1.make_template("scale", lambda x: x * tf1.get_variable("factor", []))
    ...     y, z = scale(1.0), scale(2.0)
    ...     [v.name for v in scale.variables], y.name, z.name
    (['scale/factor:0'], 'scale/mul:0', 'scale_1/mul:0')
    """
    if not callable(func_):
        raise ValueError(f"make_template: func_ is a function, not {func_!r}")
    eager = executing_eagerly()
    if eager and unique_name_ is not None:
        raise ValueError("unique_name_ cannot be used when eager execution is enabled.")
    function = (lambda *args, **more: func_(*args, **{**kwargs, **more})) if kwargs else func_
    made = (EagerTemplate if eager else Template)(name_, function, None, custom_getter_)
    if unique_name_ is not None or create_scope_now_:
        with variable_scope(unique_name_, name_, custom_getter=custom_getter_):
            made._scope = get_variable_scope()
    return made


@export(v1="op_scope")
def op_scope(values: TensorLike, name: str | None, default_name: str | None = None) -> name_scope:
    """`name_scope`, with an older order of arguments.

    >>> with tf1.Graph().as_default(), tf1.op_scope([], None, "outer") as scope:
    ...     print(scope)
    outer/
    """
    wanted = name if name is not None else default_name
    return name_scope(wanted)
