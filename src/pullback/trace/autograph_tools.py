"""What rewritten code calls besides statements: reads of variables, the block around a function's body, and options nobody reads.

diastatic-malt writes code that calls `ag__.name`; all those names are ours, so rewritten code that was kept on disk runs without the
package.
"""

from __future__ import annotations

import importlib
import inspect
import types
from collections.abc import Callable
from typing import Any

from .autograph_values import Undefined, UndefinedReturnValue, as_symbolic

ARTIFACT = "autograph_info__"


def ld(value: object) -> Any:
    """The value of a variable; UnboundLocalError where it has none."""
    if isinstance(value, Undefined):
        raise UnboundLocalError(f"'{value.symbol_name}' is used before assignment")
    return value


def ldu(read: Callable[[], Any], name: str) -> Any:
    """What `read` gives, or `Undefined` where it is not there."""
    try:
        return read()
    except (KeyError, AttributeError, NameError):
        return Undefined(name)


class FunctionScope:
    """The block around the code of a function, with a look at what it returns."""

    def __init__(self, function_name: str, scope_name: str, options: Any) -> None:
        self.function_name, self.name, self.options = function_name, scope_name, options

    def __enter__(self) -> FunctionScope:
        return self

    def __exit__(self, *_: object) -> None:
        """Errors go on."""

    def ret(self, value: object, did_return: object) -> Any:
        """What the function gives, which is known to be given."""
        if as_symbolic(did_return) is not None:
            raise ValueError(
                f"in {self.function_name!r} a branch that is chosen when the graph runs does not return: the else branch must also "
                "have a return statement, with a value"
            )
        return None if isinstance(value, UndefinedReturnValue) else value


def with_function_scope(body: Callable[[FunctionScope], Any], scope_name: str, options: object) -> Any:
    """The block around the expression of a lambda."""
    with FunctionScope("lambda_", scope_name, options) as scope:
        return body(scope)


def autograph_artifact(entity: object, extras: object = None) -> Any:
    """`entity`, marked as rewritten."""
    setattr(entity.__func__ if inspect.ismethod(entity) else entity, ARTIFACT, extras)
    return entity


class _Features:
    """Options of the rewriting that the code repeats: by name, to nobody's use."""

    def __getattr__(self, name: str) -> str:
        return name


#: Where the operators stand.  Code without statements on tensors asks for none of them.
_MODULES = ("autograph_statements", "autograph_loops", "autograph_lists")


class Tools(types.ModuleType):
    """What rewritten code knows as `ag__`: what is here, how calls are made, and operators, which are loaded when one is asked for."""

    def __init__(self, converted_call: Callable[..., Any]) -> None:
        super().__init__("ag__")
        own = (Undefined, UndefinedReturnValue, ld, ldu, FunctionScope, with_function_scope, autograph_artifact)
        vars(self).update({value.__name__: value for value in own})
        vars(self).update(converted_call=converted_call, ConversionOptions=lambda **_: None, STD=None, Feature=_Features(), dict=dict)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"rewritten code has no {name}", name=name)
        for module in (importlib.import_module(f"pullback.trace.{one}") for one in _MODULES):
            vars(self).update({one: getattr(module, one) for one in module.OPERATORS})
        return vars(self)[name]
