"""Whether public functions return what their annotations say, looked at while the examples of the docstrings run.

A type checker believes an annotation: nearly every operation is called by a table, so that its result is `Any` on its way.  Every public
function has an example (test_documented.py), so each is looked at.
"""

from __future__ import annotations

import dis
import importlib
import inspect
import runpy
import sys
import types
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple, Protocol, TypeVar

import pullback
from pullback.api.variable import Variable
from pullback.api.variable_scope import VariableScope
from pullback.ir.composite import CompositeTensor
from pullback.ir.node import Node
from pullback.tensorflow.ragged.tensor import RaggedTensor

exports = runpy.run_path(str(Path(__file__).parent.parent / "docs" / "make_exports.py"))
#: What modules name in annotations for type checkers alone.
NAMES = {"Variable": Variable, "Node": Node, "RaggedTensor": RaggedTensor, "VariableScope": VariableScope}


class Public(NamedTuple):
    """A public function, and what it says that it returns."""

    name: str
    function: Callable[..., Any]
    returned: Any


@cache
def public_functions() -> dict[CodeType, Public]:
    """The functions behind the public names, by their code, for those that say what they return."""
    found = {}
    for _, name, module, original in exports["find_exports"]():
        thing = getattr(importlib.import_module(module), original)
        while hasattr(thing, "__wrapped__"):
            thing = thing.__wrapped__
        if isinstance(thing, types.FunctionType) and not inspect.isgeneratorfunction(thing):
            said = thing.__annotations__.get("return", Any)
            if isinstance(said, str):
                said = eval(said, {**NAMES, **thing.__globals__})
            found[thing.__code__] = Public(f"{module}.{name}", thing, said)
    return found


def fits(value: Any, said: Any) -> bool:
    """Whether a value is of the type that an annotation says.

    A composite value (a ragged, sparse or masked tensor) may stand for a tensor: operations on its elements answer with its like.
    """
    origin, inner = typing.get_origin(said), typing.get_args(said)
    if said is Any or isinstance(said, TypeVar):
        return True
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, one) for one in inner)
    if origin is tuple:
        if len(inner) == 2 and inner[1] is Ellipsis:
            return isinstance(value, tuple) and all(fits(v, inner[0]) for v in value)
        return isinstance(value, tuple) and len(value) == len(inner) and all(map(fits, value, inner))
    if origin is list:
        return isinstance(value, list) and all(fits(v, inner[0]) for v in value)
    if said is None:
        return value is None
    kind = origin or said
    if not isinstance(kind, type):
        raise TypeError(f"{said!r} is an annotation that tests/returned_types.py does not know")
    if Protocol in kind.__bases__:  # from Python 3.12 on `isinstance` does not see the fields of a protocol buffer
        return all(hasattr(value, name) for name in {**kind.__annotations__, **vars(kind)} if not name.startswith("_"))
    return isinstance(value, kind) or (kind is pullback.Tensor and isinstance(value, CompositeTensor))


@contextmanager
def looking() -> Iterator[None]:
    """Look at what public functions return in the block; an AssertionError at its end for those that returned something else."""
    wrong: list[str] = []
    known = public_functions()

    def look(frame: FrameType, event: str, value: Any) -> None:
        code = frame.f_code
        public = known.get(code) if event == "return" else None
        if public is None or not dis.opname[code.co_code[frame.f_lasti]].startswith("RETURN"):  # or it ends with an error
            return
        if not fits(value, public.returned):
            wrong.append(f"{public.name} says {public.function.__annotations__['return']}, and returned {value!r} ({type(value).__name__})")

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)
    assert not wrong, "\n".join(wrong)
