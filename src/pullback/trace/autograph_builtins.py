"""What Python's built-in functions mean in rewritten code for tensors, and those that look at the frame they are called from.

Few functions call one on a tensor: the module is loaded when one does.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

from ..control.vectorize import vectorize
from ..ops.array.create import range as array_range
from ..ops.array.gather import gather
from ..ops.effects import operations as effects
from ..ops.math.arithmetic import maximum, minimum
from ..ops.primitives.cast import cast
from ..ops.reduce.reductions import reduce_all, reduce_any, reduce_max, reduce_min, reduce_sum
from ..ops.search.sort import argsort, sort
from .autograph_rows import Enumerated, Zipped, leading_size


def call_in_context(f: Any, args: tuple[Any, ...], scope: Any) -> Any:
    """Call `eval`, `super`, `globals` or `locals` as if the function that was rewritten called it."""
    python = importlib.import_module("malt.operators.py_builtins")
    if f is eval:
        return python.eval_in_original_context(f, args, scope)
    if f is super:
        return python.super_in_original_context(f, args, scope)
    return python.globals_in_original_context(scope) if f is globals else python.locals_in_original_context(scope)


def _print(*values: Any, sep: str = " ", end: str = "\n", file: Any = None, flush: bool = False) -> None:
    effects.print(*values, sep=sep, end=end, output_stream=file or sys.stdout)


def _define_least(reduced: Callable[..., Any], pairwise: Callable[..., Any]) -> Callable[..., Any]:
    def find_least(*values: Any) -> Any:
        return reduced(values[0]) if len(values) == 1 else functools.reduce(pairwise, values)

    return find_least


def _sort(values: Any, *, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> Any:
    """A vector in the order of its elements, or of what `key` makes of each."""
    ranks = values if key is None else vectorize(key, values, name="sorted")
    if ranks.shape.rank not in (1, None):
        raise ValueError("sort only supports only 1D tensors")
    direction = "DESCENDING" if reverse else "ASCENDING"
    return sort(values, direction=direction) if key is None else gather(values, argsort(ranks, direction=direction, stable=True))


#: By built-in function, what it means.
MEANT: dict[Any, Callable[..., Any]] = {
    print: _print,
    range: array_range,
    len: leading_size,
    int: lambda x, base=10: cast(x, "int32"),
    float: lambda x: cast(x, "float32"),
    bool: lambda x: cast(x, "bool"),
    min: _define_least(reduce_min, minimum),
    max: _define_least(reduce_max, maximum),
    sum: lambda x, start=0: reduce_sum(x, 0) + start,
    any: reduce_any,
    all: reduce_all,
    enumerate: Enumerated,
    sorted: _sort,
    zip: lambda *columns, strict=False: Zipped(*columns),
}
