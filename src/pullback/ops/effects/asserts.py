"""The `assert_*` family: conditions on values, ranks, shapes and dtypes.

What is known when the call is made is checked at once, and refused at once; the rest becomes an `Assert` operation in the graph.
The functions take TensorFlow 1's `data` by keyword; TensorFlow 2's face does without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import current, scope
from ...ir.op import is_known
from ...ir.tensor import NumberLike, TensorLike
from ..array.basic import identity
from ..array.type_rules import Array
from ..primitives.compare import equal, greater, greater_equal, less, less_equal, not_equal
from ..reduce.reductions import reduce_all
from .operations import Assert

if TYPE_CHECKING:
    from ...ir.node import Node

_EVERYTHING = 10**9


def wait_for(checks: Sequence[Any], tensor: Any) -> Any:
    """`tensor`, which in a graph waits for checks."""
    nodes, graph = [check for check in checks if check is not None], current().graph
    if not nodes or graph is None:
        return tensor
    with graph.control_dependencies(nodes):
        return identity(tensor)


def _describe_tensor(tensor: Any) -> str:
    """What messages call a tensor: its name in a graph, its shape and dtype eagerly."""
    if current().graph is None:
        return f"shape={tensor.shape} dtype={tensor.dtype.name}"
    return str(tensor.name)


def _known_value(tensor: Any) -> Array | None:
    constant: Array | None = tensor.numpy() if current().graph is None else tensor.constant
    return np.asarray(constant) if is_known(np.asarray(constant)) and constant is not None else None


def _show_item(item: Any, limit: int) -> str:
    """A piece of a message: text as it is, arrays by their first elements."""
    if isinstance(item, str):
        return item
    array = np.asarray(item.numpy() if hasattr(item, "numpy") else item)
    if not array.ndim:
        return str(array[()])
    flat = [str(v) for v in array.reshape(-1)[:limit]]
    return str([*flat, "..."] if len(flat) < array.size else flat)


def _fail(data: Iterable[Any], message: str | None, summarize: int | None) -> InvalidArgumentError:
    limit = 3 if summarize is None else _EVERYTHING if summarize < 0 else summarize
    lines = [*([message] if message else []), *(_show_item(item, limit) for item in data)]
    return InvalidArgumentError(None, None, "\n".join(lines))


def _differences(name: str, symbol: str, x: Array, y: Array, test: Array, summarize: int | None) -> list[str]:
    """What to say of two arrays of which `test` tells where the condition holds."""
    limit = 3 if summarize is None else _EVERYTHING if summarize < 0 else summarize
    lines = [f"{name}: Condition x {symbol} y did not hold."]
    if x.shape == y.shape and x.ndim:
        wrong = np.argwhere(~test)[:limit]
        at = tuple(wrong.T)
        lines += [f"Indices of first {len(wrong)} different values:", str(wrong)]
        lines += ["Corresponding x values:", str(x[at]), "Corresponding y values:", str(y[at])]
    for label, array in (("x", x), ("y", y)):
        shown = array.reshape(-1)[:limit]
        lines += [f"First {len(shown)} elements of {label}:", str(shown)]
    return lines


def _assert_comparison(
    name: str,
    symbol: str,
    compare: Callable[[Any, Any], Any],
    x: Any,
    y: Any,
    data: Any,
    summarize: int | None,
    message: str | None,
    scope_name: str | None,
) -> Node | None:
    with scope(scope_name, name):
        x, y = convert_to_tensor(x, name="x"), convert_to_tensor(y, name="y")
        test = compare(x, y)
        if current().graph is None:
            if test.numpy().all():
                return None
            described = _differences(name, symbol, x.numpy(), y.numpy(), test.numpy(), summarize) if data is None else data
            raise _fail(described, message, summarize)
        if data is None:
            data = [f"Condition x {symbol} y did not hold element-wise:", f"x ({x.name}) = ", x, f"y ({y.name}) = ", y]
        return _guard_test(test, (x, y), name, data, summarize, message)


def _guard_test(test: Any, operands: tuple[Any, ...], name: str, data: Any, summarize: int | None, message: str | None) -> Any:
    """In a graph: refuse at once what constants decide, else an operation that checks."""
    found = [_known_value(t) for t in operands]
    if all(value is not None for value in found) and not _holds(test, found):
        lines = [
            *([message] if message else []),
            *(str(_known_value(d)) if not isinstance(d, str) and _known_value(d) is not None else str(d) for d in data),
        ]
        raise InvalidArgumentError(None, None, f"{name}: " + "\n".join(lines))
    return Assert(reduce_all(test), [*([message] if message else []), *data], summarize=summarize)


def _holds(test: Any, values: list[Any]) -> bool:
    return bool(np.all(test.node.primitive.kernel(*values)))


@export(v2=("assert_equal", "debugging.assert_equal"))
@takes_composites
def assert_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
    *,
    data: TensorLike | None = None,
) -> Node | None:
    """Check that x == y everywhere (both empty: it holds).

    x, y: of one dtype, broadcast against each other.  message: what the error begins with.  summarize: how many elements it shows,
    3 when None, all when negative.  Raises InvalidArgumentError, at once where the values are known.  Returns None eagerly, in a
    graph the operation that checks.

    >>> tf.debugging.assert_equal([1, 2], [1, 2])
    """
    return _assert_comparison("assert_equal", "==", equal, x, y, data, summarize, message, name)


@export(v2="debugging.assert_none_equal")
@takes_composites
def assert_none_equal(
    x: TensorLike,
    y: TensorLike,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
    *,
    data: TensorLike | None = None,
) -> Node | None:
    """Check that x != y everywhere; arguments and errors as `assert_equal`.

    >>> tf.debugging.assert_none_equal([1, 2], [2, 1])
    """
    return _assert_comparison("assert_none_equal", "!=", not_equal, x, y, data, summarize, message, name)


@export(v2=("assert_less", "debugging.assert_less"))
@takes_composites
def assert_less(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
    *,
    data: TensorLike | None = None,
) -> Node | None:
    """Check that x < y everywhere; arguments and errors as `assert_equal`.

    >>> tf.debugging.assert_less([1, 2], 3)
    """
    return _assert_comparison("assert_less", "<", less, x, y, data, summarize, message, name)


@export(v2="debugging.assert_less_equal")
@takes_composites
def assert_less_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
    *,
    data: TensorLike | None = None,
) -> Node | None:
    """Check that x <= y everywhere; arguments and errors as `assert_equal`.

    >>> tf.debugging.assert_less_equal([1, 2], 2)
    """
    return _assert_comparison("assert_less_equal", "<=", less_equal, x, y, data, summarize, message, name)


@export(v2=("assert_greater", "debugging.assert_greater"))
@takes_composites
def assert_greater(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
    *,
    data: TensorLike | None = None,
) -> Node | None:
    """Check that x > y everywhere; arguments and errors as `assert_equal`.

    >>> tf.debugging.assert_greater([1, 2], 0)
    """
    return _assert_comparison("assert_greater", ">", greater, x, y, data, summarize, message, name)


@export(v2="debugging.assert_greater_equal")
@takes_composites
def assert_greater_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
    *,
    data: TensorLike | None = None,
) -> Node | None:
    """Check that x >= y everywhere; arguments and errors as `assert_equal`.

    >>> tf.debugging.assert_greater_equal([1, 2], 1)
    """
    return _assert_comparison("assert_greater_equal", ">=", greater_equal, x, y, data, summarize, message, name)


@export(v2="debugging.assert_near")
@takes_composites
def assert_near(
    x: NumberLike,
    y: NumberLike,
    rtol: TensorLike | None = None,
    atol: TensorLike | None = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
    *,
    data: Any = None,
) -> Node | None:
    """Check that |x - y| < atol + rtol * |y| everywhere; both tolerances ten times the dtype's precision when None.

    >>> tf.debugging.assert_near([1.0], [1.1], atol=0.2)
    """
    with scope(name, "assert_near"):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype, name="y")
        real = x.dtype.real_dtype if x.dtype.is_complex else x.dtype
        small = 10 * float(ml_dtypes.finfo(real.numpy_dtype).eps)
        rtol = convert_to_tensor(small if rtol is None else rtol, real, name="rtol")
        atol = convert_to_tensor(small if atol is None else atol, real, name="atol")
        test = less(abs(x - y), atol + rtol * abs(y))
        if data is None:
            text = f"assert_near: x and y not equal to tolerance rtol = {rtol}, atol = {atol}"
            data = [message or "", text, f"x ({_describe_tensor(x)}) = ", x, f"y ({_describe_tensor(y)}) = ", y]
        return Assert(reduce_all(test), data, summarize=summarize)


def _assert_sign(name: str, condition: str, check: Callable[..., Any], x: Any, zero_first: bool, options: dict[str, Any]) -> Node | None:
    data, message, summarize, scope_name = (options[k] for k in ("data", "message", "summarize", "name"))
    with scope(scope_name, name):
        x = convert_to_tensor(x, name="x")
        if data is None:
            prefix = f"{message}.  " if message else ""
            data = [prefix, f"{name}: Condition x {condition} did not hold element-wise:", f"x ({_describe_tensor(x)}) = ", x]
        zero = convert_to_tensor(0, x.dtype)
        return check(zero, x, data=data, summarize=summarize) if zero_first else check(x, zero, data=data, summarize=summarize)


@export(v2="debugging.assert_positive")
def assert_positive(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None, *, data: TensorLike | None = None
) -> Node | None:
    """Check that x > 0 everywhere; arguments and errors as `assert_equal`.

    >>> tf.debugging.assert_positive([1, 2])
    """
    return _assert_sign(
        "assert_positive", "> 0", assert_less, x, True, {"data": data, "message": message, "summarize": summarize, "name": name}
    )


@export(v2="debugging.assert_negative")
def assert_negative(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None, *, data: TensorLike | None = None
) -> Node | None:
    """Check that x < 0 everywhere; arguments and errors as `assert_equal`.

    >>> tf.debugging.assert_negative([-1, -2])
    """
    return _assert_sign(
        "assert_negative", "< 0", assert_less, x, False, {"data": data, "message": message, "summarize": summarize, "name": name}
    )


@export(v2="debugging.assert_non_positive")
def assert_non_positive(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None, *, data: TensorLike | None = None
) -> Node | None:
    """Check that x <= 0 everywhere; arguments and errors as `assert_equal`.

    >>> tf.debugging.assert_non_positive([-1, 0])
    """
    options = {"data": data, "message": message, "summarize": summarize, "name": name}
    return _assert_sign("assert_non_positive", "<= 0", assert_less_equal, x, False, options)


@export(v2="debugging.assert_non_negative")
def assert_non_negative(
    x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None, *, data: TensorLike | None = None
) -> Node | None:
    """Check that x >= 0 everywhere; arguments and errors as `assert_equal`.

    >>> tf.debugging.assert_non_negative([0, 2])
    """
    options = {"data": data, "message": message, "summarize": summarize, "name": name}
    return _assert_sign("assert_non_negative", ">= 0", assert_less_equal, x, True, options)
