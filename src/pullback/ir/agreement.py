"""The arguments of an operation as tensors whose dtypes agree: which dtype a value takes that leaves it open.

As in TensorFlow there are two ways, and programs see both.  Eagerly, where every argument is a tensor, a variable, an array or a single
number, what is no tensor takes the dtype of one beside it, or else the operation's default, to which arrays are cast.  Everywhere else (in
graphs, and eagerly beside lists and words) a value keeps its own dtype where the operation takes that, and the default is a second try.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..base.dtypes import FROM_NUMPY, DType, int32, int64, name_in_c
from ..base.errors import InvalidArgumentError
from .composite import NotATensor
from .context import executing_eagerly
from .convert import array_of, first_leaf, holds_tensors, is_single, is_tensor_like, to_tensor
from .op import Input, Op
from .tensor import Tensor

Make = Callable[[np.ndarray, str | None], Tensor]


class _Argument(NamedTuple):
    """A single tensor's place among the arguments: its input, its name there, and what was given for it."""

    spec: Input
    name: str
    given: Any


def convert_inputs(op: Op, args: tuple[Any, ...], make: Make, eager: bool) -> tuple[Tensor, ...]:
    """The arguments of a call as a flat tuple of tensors whose dtypes agree with each other and with the op."""
    flat: list[_Argument] = []
    for spec, arg in zip(op.inputs, args, strict=True):
        if spec.variadic:
            require_list(op, spec.name, arg)
            flat += [_Argument(spec, f"{spec.name}_{i}", a) for i, a in enumerate(arg)]
        else:
            flat.append(_Argument(spec, spec.name, arg))
    if op.lists > 1 and len({len(arg) for spec, arg in zip(op.inputs, args, strict=True) if spec.variadic}) > 1:
        raise _uneven_error(op, args, eager and all(is_tensor_like(argument.given) for argument in flat))
    singly = eager and all(is_single(argument.given) for argument in flat)
    known = _known_dtypes(flat, eager, singly)
    inputs: list[Tensor] = []
    for argument in flat:
        spec, name, given = argument
        wanted = spec.dtype or known.get(spec.variable)
        if eager and not singly and wanted is not None:
            _check_beside_values(op, argument, wanted, flat)
        try:
            tensor = given if isinstance(given, Tensor) else _convert_value(op, spec, name, given, wanted, make, singly)
        except (TypeError, ValueError) as error:
            if eager or not spec.variadic or (spec.dtype is None and not inputs) or isinstance(error, NotATensor):
                raise
            raise _mismatch_error(op, spec, flat) from None
        if wanted is None and spec.variable:
            known[spec.variable] = tensor.dtype.base_dtype
        inputs.append(tensor)
    for i, ((spec, name, _), tensor) in enumerate(zip(flat, inputs, strict=True)):
        dtype, wanted = tensor.dtype.base_dtype, spec.dtype or known.get(spec.variable)
        if wanted is not None and dtype is not wanted:
            raise _mismatch(op, i, name, dtype, wanted, flat, eager)
        allowed = op.dtypes.get(spec.variable) if spec.variable else None
        if allowed is not None and dtype not in allowed:
            raise _disallowed_error(op, spec, name, dtype, allowed, eager)
    return tuple(inputs)


def _known_dtypes(flat: list[_Argument], eager: bool, singly: bool) -> dict[str, DType]:
    """The dtypes that tensors among the arguments settle, by variable, before anything is converted.

    A variable does so eagerly among single things; in a graph nothing does so that has a list or an array before it.
    """
    known: dict[str, DType] = {}
    met: set[str] = set()
    for spec, _, given in flat:
        if spec.variable and spec.variable not in known:
            if is_tensor_like(given) and (singly or isinstance(given, Tensor) if eager else spec.variable not in met):
                known[spec.variable] = given.dtype.base_dtype
            elif isinstance(given, (list, tuple)) and holds_tensors(given):
                known[spec.variable] = spec.default or _dtype_among(given)
            elif isinstance(given, (list, tuple, np.ndarray)) and not spec.variadic:
                met.add(spec.variable)
    return known


def _check_beside_values(op: Op, argument: _Argument, wanted: DType, flat: list[_Argument]) -> None:
    """Refuse a tensor of another dtype that is converted with others: where one dtype is taken, or beside something that is no tensor."""
    spec, name, given = argument
    if not is_tensor_like(given) or given.dtype.base_dtype is wanted:
        return
    if spec.dtype is None and all(isinstance(a.given, Tensor) for a in flat if a.spec.variable == spec.variable):
        return
    kind, words = ("Tensor", "Tensor") if isinstance(given, Tensor) else ("Incompatible type", "variable")
    raise ValueError(
        f"{kind} conversion requested dtype {wanted.name} for {words} with dtype {given.dtype.name}: {given!r} "
        f"(input '{name}' of '{op.name}')"
    )


#: NumPy's numbers and words that are Python's own, too, as TensorFlow finds those in lists.
_OF_PYTHON = (float, complex, str, bytes)


def require_list(op: Op, name: str, values: object) -> None:
    """Refuse what is no list of tensors: a word, a number, most arrays.  A tensor is the list of its rows."""
    if isinstance(values, np.ndarray) and values.ndim < 2 and not (values.ndim and isinstance(next(iter(values), 0.0), _OF_PYTHON)):
        raise TypeError(f"Expected list for '{name}' argument to '{op.name}' Op, not {values!r}.")
    if isinstance(values, np.ndarray) and values.ndim > 1:
        kind = ValueError if executing_eagerly() else TypeError
        raise kind(f"expected a sequence for attr N of '{op.name}' Op, got an array of rank {values.ndim} for '{name}'")
    if not hasattr(values, "__len__") or isinstance(values, (str, bytes, dict)):
        raise TypeError(f"Expected list for '{name}' argument to '{op.name}' Op, not {values!r}.")


def index_hint(op: Op, spec: Input) -> DType | None:
    """int32 for an input that takes integers only, among them int32."""
    allowed = op.dtypes.get(spec.variable)
    return int32 if allowed is not None and int32 in allowed and all(d.is_integer for d in allowed) else None


def _uneven_error(op: Op, args: tuple[Any, ...], quick: bool) -> Exception:
    """quick: whether TensorFlow's quick way takes the arguments, eager tensors all of them, whose error is the operation's."""
    (first, count), *others = ((spec.name, len(arg)) for spec, arg in zip(op.inputs, args, strict=True) if spec.variadic)
    name, other = next((name, n) for name, n in others if n != count)
    text = f"List argument '{name}' to '{op.name}' Op with length {other} must match length {count} of argument '{first}'."
    return InvalidArgumentError(None, None, text) if quick else ValueError(text)


def _dtype_among(values: Any) -> DType:
    for value in values:
        if is_tensor_like(value):
            found: DType = value.dtype.base_dtype
            return found
        if isinstance(value, (list, tuple)) and holds_tensors(value):
            return _dtype_among(value)
    raise AssertionError("called with tensors inside")


# ---- one value


def _convert_value(op: Op, spec: Input, name: str, given: Any, wanted: DType | None, make: Make, singly: bool) -> Tensor:
    """A value as a tensor: of the dtype wanted, or of the one that the op's default and the dtypes it takes leave."""
    try:
        if is_tensor_like(given):
            return to_tensor(given, None, make=make, name=name)
        if wanted is None and singly:
            wanted = int64 if _needs_64_bits(op, spec, given) else spec.default
        if wanted is None and isinstance(given, (int, float, complex, list, tuple, np.ndarray, np.generic)) and not holds_tensors(given):
            return make(_convert_to_allowed(op, spec, given), name)
        return to_tensor(given, wanted, make=make, name=name)
    except NotATensor:
        raise
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, ValueError) and wanted is not None and _converts_alone(given) else type(error)
        raise kind(f"{error} (input '{name}' of '{op.name}')") from None


def _converts_alone(given: Any) -> bool:
    """Whether, in a graph, a value makes a tensor of a dtype of its own: it is of another kind then, and no error in itself."""
    if executing_eagerly() or holds_tensors(given):
        return False
    try:
        array_of(given)
    except (TypeError, ValueError):
        return False
    return True


def _convert_to_allowed(op: Op, spec: Input, given: Any) -> np.ndarray:
    """The array of a value in its own dtype, or in the op's default where the op does not take that dtype and the value converts.

    An operation that takes any dtype has its default first.
    """
    hint = int64 if _needs_64_bits(op, spec, given) else index_hint(op, spec)
    is_empty = isinstance(first_leaf(given), (list, tuple))  # an empty list is one of floats
    array = array_of(given, None, None if is_empty else hint)
    allowed = op.dtypes.get(spec.variable)
    if spec.default is None or (allowed is not None and any(array.dtype == dtype.numpy_dtype for dtype in allowed)):
        return array
    try:
        return array_of(given, spec.default)
    except (TypeError, ValueError):
        return array


def _needs_64_bits(op: Op, spec: Input, given: Any) -> bool:
    """Whether among Python's integers is one that int32, which the input takes by default, does not hold, and int64 does."""
    if (spec.default or index_hint(op, spec)) is not int32 or int64 not in op.dtypes.get(spec.variable, ()):
        return False
    values = given if isinstance(given, (list, tuple)) else (given,)
    return any(type(v) is int and not -(2**31) <= v < 2**31 for v in values)


# ---- refusals


def _mismatch(op: Op, index: int, name: str, dtype: DType, wanted: DType, flat: list[_Argument], eager: bool) -> Exception:
    if eager:
        c = [name_in_c(d) for d in (wanted, dtype)]
        text = f"cannot compute {op.name} as input #{index}(zero-based) was expected to be a {c[0]} tensor but is a {c[1]} tensor"
        return InvalidArgumentError(None, None, f"{text} [Op:{op.name}] name: ")
    spec = flat[index].spec
    if spec.dtype is None and spec.variadic:
        return _mismatch_error(op, spec, flat)
    if spec.dtype is None:
        first = next(other for s, other, _ in flat if s.variable == spec.variable)
        return TypeError(
            f"Input '{name}' of '{op.name}' Op has type {dtype.name} that does not match type {wanted.name} of argument '{first}'."
        )
    return TypeError(f"Input '{name}' of '{op.name}' Op has type {dtype.name} that does not match expected type of {wanted.name}.")


def _mismatch_error(op: Op, spec: Input, flat: list[_Argument]) -> TypeError:
    kinds = ", ".join(_kind(argument.given) for argument in flat if argument.spec is spec)
    return TypeError(f"Tensors in list passed to '{spec.name}' of '{op.name}' Op have types [{kinds}] that don't all match.")


def _kind(given: Any) -> str:
    try:
        if is_tensor_like(given):
            return str(given.dtype.base_dtype.name)
        return (_dtype_among(given) if holds_tensors(given) else FROM_NUMPY[array_of(given, None).dtype]).name
    except (TypeError, ValueError):
        return "<NOT CONVERTIBLE TO TENSOR>"


def _disallowed_error(op: Op, spec: Input, name: str, dtype: DType, allowed: frozenset[DType], eager: bool) -> Exception:
    names = ", ".join(sorted(d.name for d in allowed))
    if eager:
        names = ", ".join(sorted(map(name_in_c, allowed)))
        kind = name_in_c(dtype)
        text = f"Value for attr '{spec.variable}' of {kind} is not in the list of allowed values: {names} (input '{name}')"
        return InvalidArgumentError(None, None, f"{text} [Op:{op.name}] name: ")
    return TypeError(f"Value passed to parameter '{name}' has DataType {dtype.name} not in list of allowed values: {names} ('{op.name}')")
