"""`tf.raw_ops` that apply functions: `If`, `Case`, `While`, `PartitionedCall`, as TensorFlow has them, with concrete functions.

Each is the public `cond`, `switch_case` or `while_loop` of calls, so it runs eagerly and in graphs, and can be differentiated to any
order; TensorFlow's own have no gradient eagerly.  What a function reads from outside is passed to it here, or by the caller, who then
appends its `captured_inputs` to the inputs of the node, as TensorFlow wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from ...base import nest
from ...base.dtypes import as_dtype, bool as boolean, int32, string
from ...base.errors import InternalError, InvalidArgumentError
from ...control.cond import cond as choose, switch_case
from ...control.while_loop import while_loop
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, Tensor, TensorLike
from ...ops.array.basic import identity
from ...ops.array.shape import rank, size
from ...ops.array.where import where
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, greater, not_equal
from ...ops.reduce.reductions import reduce_any
from ...trace.concrete import ConcreteFunction


def if_(
    cond: TensorLike, input: TensorLike, Tout: Sequence[DTypeLike], then_branch: object, else_branch: object, output_shapes: object = (),
    name: str | None = None,
) -> Any:  # fmt: skip
    """`then_branch(*input)` where `cond` holds, else `else_branch(*input)`: a list of tensors of the dtypes `Tout`.

    cond: holds where it is True, a number other than 0, a text that is not empty, or a tensor of rank 1 or more with any element.
    Raises InvalidArgumentError: a branch that is no concrete function, or takes another number of tensors; InternalError: other dtypes.

    >>> spec = tf.TensorSpec([], tf.float32)
    >>> twice = tf.function(lambda x: [2.0 * x]).get_concrete_function(spec)
    >>> square = tf.function(lambda x: [x * x]).get_concrete_function(spec)
    >>> float(tf.raw_ops.If(cond=False, input=[3.0], Tout=[tf.float32], then_branch=twice, else_branch=square)[0])
    9.0
    """
    first, second = _calls("If", [then_branch, else_branch], input, Tout)
    return _answer(choose(_holds(convert_to_tensor(cond)), first, second, name=name))


def case(
    branch_index: TensorLike, input: TensorLike, Tout: Sequence[DTypeLike], branches: object, output_shapes: object = (),
    name: str | None = None,
) -> Any:  # fmt: skip
    """The outputs of the branch that `branch_index`, an int32 scalar, names; of the last one where there is no such branch.

    Raises as `If`.

    >>> spec = tf.TensorSpec([], tf.float32)
    >>> twice = tf.function(lambda x: [2.0 * x]).get_concrete_function(spec)
    >>> square = tf.function(lambda x: [x * x]).get_concrete_function(spec)
    >>> float(tf.raw_ops.Case(branch_index=7, input=[3.0], Tout=[tf.float32], branches=[twice, square])[0])
    9.0
    """
    return _answer(switch_case(convert_to_tensor(branch_index, int32), _calls("Case", branches, input, Tout), name=name or "Case"))


def while_(
    input: TensorLike, cond: object, body: object, output_shapes: object = (), parallel_iterations: int = 10, name: str | None = None
) -> Any:
    """The tensors `input` after `body` was applied to them as often as `cond` of them held.

    Raises as `If`.

    >>> spec = tf.TensorSpec([], tf.float32)
    >>> small = tf.function(lambda x: [x < 100.0]).get_concrete_function(spec)
    >>> square = tf.function(lambda x: [x * x]).get_concrete_function(spec)
    >>> float(tf.raw_ops.While(input=[3.0], cond=small, body=square)[0])
    6561.0
    """
    given = _tensors("While", body, input)
    dtypes = [t.dtype for t in given]

    def holds(*state: Any) -> Any:
        return _holds(_results("While", cond, state, [boolean])[0])

    answers = while_loop(holds, lambda *state: _results("While", body, state, dtypes), given, name=name)
    return list(answers)


def partitioned_call(
    args: Iterable[TensorLike], Tout: Sequence[DTypeLike], f: object, config: str = "", config_proto: str = "", executor_type: str = "",
    name: str | None = None,
) -> Any:  # fmt: skip
    """`f(*args)`: a list of tensors of the dtypes `Tout`.  config, config_proto, executor_type: accepted.

    Raises as `If`.

    >>> twice = tf.function(lambda x: [2.0 * x]).get_concrete_function(tf.TensorSpec([], tf.float32))
    >>> float(tf.raw_ops.PartitionedCall(args=[3.0], Tout=[tf.float32], f=twice)[0])
    6.0
    """
    (call,) = _calls("PartitionedCall", [f], args, Tout)
    return _answer(call())


def _calls(op: str, functions: Any, given: Any, dtypes: Any) -> list[Callable[[], Any]]:
    wanted = [as_dtype(d) for d in dtypes]
    tensors = [_tensors(op, f, given) for f in functions]
    return [partial(_results, op, f, t, wanted) for f, t in zip(functions, tensors, strict=True)]


def _results(op: str, function: Any, given: Sequence[Any], wanted: Sequence[Any]) -> list[Any]:
    return _flatten_tensors(_call_branch(op, function, given, wanted))


def _tensors(op: str, function: Any, given: Any) -> list[Any]:
    """The inputs of the node as tensors of the dtypes that `function` declares."""
    if not isinstance(function, ConcreteFunction):
        wrong = f"a function for {op} is a concrete function (tf.function(f).get_concrete_function(...)), not {function!r}"
        raise InvalidArgumentError(None, None, f"unable to set function value attribute: {wrong} [Op:{op}]")
    declared = function.inputs
    own = len(declared) - len(function.captured_inputs)
    if len(given) not in (own, len(declared)):
        raise InvalidArgumentError(None, None, f"{function.name} expects {own} arguments, but {len(given)} is provided [Op:{op}]")
    return [convert_to_tensor(v, None if isinstance(v, Tensor) else t.dtype) for v, t in zip(given, declared, strict=False)]


def _call_branch(op: str, function: Any, given: Sequence[Any], wanted: Sequence[Any]) -> Any:
    """What `function` returns for the first of `given` that are its own; the others it read from outside itself."""
    tensors = _tensors(op, function, given)
    declared = function.inputs[: len(function.inputs) - len(function.captured_inputs)]
    for i, (t, d) in enumerate(zip(tensors, declared, strict=False)):
        if t.dtype.base_dtype is not d.dtype:
            wrong = f"argument {i} of {function.name} is of type {d.dtype.name}, {t.dtype.name} is provided"
            raise InvalidArgumentError(None, None, f"{wrong} [Op:{op}]")
    returned = [t.dtype for t in function.outputs]
    if returned != list(wanted):
        names = [[d.name for d in dtypes] for dtypes in (wanted, returned)]
        raise InternalError(None, None, f"Expect outputs of types {names[0]} from {function.name} but get {names[1]} [Op:{op}]")
    return function.call_on_tensors(tensors[: len(declared)])


def _flatten_tensors(returned: Any) -> list[Any]:
    return [t for t in nest.flatten(returned, expand_composites=True) if isinstance(t, Tensor)]


def _answer(returned: Any) -> Any:
    return list(returned) if isinstance(returned, (list, tuple)) else returned


def _holds(x: Tensor) -> Any:
    """Whether a tensor counts as true."""
    if x.dtype is boolean and x.dims == ():
        return x
    truth = identity(x) if x.dtype is boolean else not_equal(x, "" if x.dtype is string else cast(0, x.dtype))
    if x.dims == ():
        return truth
    filled = greater(size(x), 0)
    return filled if x.dims is not None else where(equal(rank(x), 0), reduce_any(truth), filled)


#: The operations by name.
CONTROL_FLOW: dict[str, Callable[..., Any]] = {
    "If": if_,
    "StatelessIf": if_,
    "Case": case,
    "StatelessCase": case,
    "While": while_,
    "StatelessWhile": while_,
    "PartitionedCall": partitioned_call,
    "StatefulPartitionedCall": partitioned_call,
}
