"""`make_template`: a function whose variables are made at its first call and shared by the others; and `op_scope`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir.context import executing_eagerly
from .names import name_scope
from .variable_scope import VariableScope, get_variable_scope, variable_scope


class Template:
    """What `make_template` gives: call it like the function."""

    def __init__(self, name: str, function: Callable[..., Any], scope: VariableScope | None, getter: Any) -> None:
        self._name, self._function, self._scope, self._getter = name, function, scope, getter
        self._called = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function's result, with the variables of the first call."""
        if self._scope is None:
            with variable_scope(None, self._name, custom_getter=self._getter) as self._scope:
                return self._first(args, kwargs)
        with variable_scope(self._scope, reuse=True if self._called else None):
            return self._first(args, kwargs)

    def _first(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = self._function(*args, **kwargs)
        self._called = True
        return result

    @property
    def variable_scope(self) -> VariableScope | None:
        """The scope of the variables; None before the first call."""
        return self._scope

    @property
    def name(self) -> str:
        """The name of that scope, or before the first call what it was asked to be."""
        return self._name if self._scope is None else self._scope.name

    def __repr__(self) -> str:
        return f"<template {self.name} of {self._function!r}>"


def make_template(
    name_: str, func_: Callable[..., Any], create_scope_now_: bool = False, unique_name_: str | None = None, custom_getter_: Any = None,
    **kwargs: Any,
) -> Template:  # fmt: skip
    """`func_`, with `kwargs` given, as a function whose calls share the variables that it makes by `get_variable`; in graphs.

    name_: of the variables' scope, made unique.  create_scope_now_: make the scope now, not at the first call.  unique_name_: the scope's
    name as it is.  custom_getter_: as in `variable_scope`.
    Raises ValueError: `func_` is no function, or a later call makes a variable; RuntimeError: eagerly, where a `tf.Module` keeps variables.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     scale = tf.make_template("scale", lambda x: x * tf.get_variable("factor", []))
    ...     y, z = scale(1.0), scale(2.0)
    ...     [v.name for v in tf.global_variables()], y.name, z.name
    (['scale/factor:0'], 'scale/mul:0', 'scale_1/mul:0')
    """
    if not callable(func_):
        raise ValueError(f"make_template: func_ is a function, not {func_!r}")
    if executing_eagerly():
        raise RuntimeError("make_template shares variables by their names, which is for graphs; eagerly keep them in a tf.Module")
    function = (lambda *args, **more: func_(*args, **{**kwargs, **more})) if kwargs else func_
    made = Template(name_, function, None, custom_getter_)
    if unique_name_ is not None or create_scope_now_:
        with variable_scope(unique_name_, name_, custom_getter=custom_getter_):
            made._scope = get_variable_scope()
    return made


def op_scope(values: Any, name: str | None, default_name: str | None = None) -> Any:
    """`name_scope`, with an older order of arguments.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.op_scope([], None, "outer") as scope:
    ...     print(scope)
    outer/
    """
    wanted = name if name is not None else default_name
    return name_scope(wanted)


__all__ = ["Template", "make_template", "op_scope"]
