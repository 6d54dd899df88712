"""Python's `if` and expressions in rewritten code: on symbolic tensors they become nodes, on everything else they stay what they are.

A statement gets the variables it changes as `get_state`, `set_state` and their names.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from ..base import nest
from ..control.branch import CASE
from ..control.cond import build, cond
from ..control.loop import align_captures
from ..ir.apply import convert_to_tensor
from ..ir.context import current, enter_graph
from ..ir.convert import is_tensor_like
from ..ir.function_graph import Body
from ..ir.node import Node
from ..ir.tensor import SymbolicTensor, Tensor
from ..ops.array.basic import identity
from ..ops.effects.operations import Assert
from ..ops.primitives.cast import cast
from ..ops.primitives.compare import equal, logical_not, not_equal
from .autograph_features import Feature, is_asked_for
from .autograph_lists import GrownList, append_now, check_alone, copy_state, has_grown, holds_elements, is_same_list
from .autograph_values import (
    State,
    UndefinedReturnValue,
    as_symbolic,
    current_line,
    empty_of,
    goes_into_graphs,
    is_undefined,
    read_variables,
)

# ---- if


def if_stmt(test: Any, body: Any, orelse: Any, get_state: Any, set_state: Any, symbol_names: State, nouts: int) -> None:
    """`if test: body() else: orelse()`."""
    choice = as_symbolic(test)
    if choice is None:
        if test:
            body()
        else:
            orelse()
        return
    graph = current().graph
    before = get_state()
    arms = [_Arm(graph, f, label, before, get_state, set_state) for f, label in ((body, "main"), (orelse, "else"))]
    names = [name if i < nouts else "" for i, name in enumerate(symbol_names)]
    settled = [i for i in range(len(before)) if _settles(choice, arms, before[i], i)]
    carried = [i for i in range(len(before)) if i not in settled and _joins(arms, before[i], i, names[i], choice)]
    index = cast(logical_not(cast(choice, "bool")), "int32")
    answers = _node(graph, index, arms, carried)
    after = [a if a is b else before[i] for i, (a, b) in enumerate(zip(arms[0].after, arms[1].after, strict=True))]
    for i, value in [*zip(carried, answers, strict=True), *((i, True) for i in settled)]:
        after[i] = value
    set_state(tuple(after))


def _settles(choice: SymbolicTensor, arms: list[_Arm], before: Any, i: int) -> bool:
    """Whether variable `i` holds afterwards either way: `if not done: done = True`."""
    first, second = arms[0].after[i], arms[1].after[i]
    return first is True and second is before and choice.node.primitive.name == "LogicalNot" and choice.node.inputs[0] is before


class _Arm:
    """One branch, traced: its graph, and the variables after it."""

    def __init__(self, graph: Any, function: Any, label: str, before: State, get_state: Any, set_state: Any) -> None:
        self.label = label
        self.after: list[Any] = []
        self.values: list[Any] = []

        def run() -> Any:
            set_state(copy_state(before))
            function()
            self.after = list(get_state())
            set_state(before)

        self.graph, _ = build(graph, run, f"if_{label}")

    def run_operation(self, i: int, choice: Any) -> None:
        """Put `choice`, known once the operation has run, in the place of variable `i` where that is an operation."""
        operation = self.after[i]
        if isinstance(operation, Node):
            with self.graph.building(), self.graph.control_dependencies([operation]):
                self.after[i] = identity(choice)

    def carry(self, i: int, value: Any) -> None:
        """Give `value`, in this branch, as the value of variable `i`."""
        with self.graph.building():
            flat = [self.graph.own(convert_to_tensor(t)) for t in nest.flatten(value, expand_composites=True)]
        self.values.append(nest.pack_sequence_as(value, flat, expand_composites=True))
        self.after[i] = self.values[-1]

    def read(self, i: int) -> Any:
        """The value of variable `i`, with what `tf.Variable`s have at the end of this branch in their place."""
        with self.graph.building():
            return read_variables(self.after[i])

    def grow(self, i: int, like: GrownList | None, more: list[Any], name: str) -> None:
        """Make the list that is variable `i` one whose length is known when the graph runs."""
        if isinstance(self.after[i], list):
            check_alone(self.after[i], name)
            with self.graph.building():
                self.after[i] = GrownList.of(self.after[i], like, more)


def _joins(arms: list[_Arm], before: Any, i: int, name: str, choice: Any) -> bool:
    """Whether variable `i` is a result of the `if`; if so each branch carries its value."""
    _join_lists(arms, before, i, name)
    values = [arm.after[i] for arm in arms]
    if not name or all(v is before for v in values) or all(is_undefined(v) for v in values):
        return False
    if all(is_undefined(v) or v is None for v in values) or (values[0] is values[1]):
        return False
    for arm in arms:
        arm.run_operation(i, choice)
    values = [arm.after[i] for arm in arms]
    for arm, value, other in zip(arms, values, reversed(values), strict=True):
        _check_defined(arm, value, other, name)
    values = [arm.read(i) for arm in arms]
    if not all(goes_into_graphs(v) or is_undefined(v) for v in values):
        raise TypeError(
            f"'{name}' must be a tensor or nest of tensors after the `if` at {current_line()}, which is decided when the graph runs: it is "
            f"{values[0]!r} after the main branch, {values[1]!r} after the else branch"
        )
    for arm, value, other in zip(arms, values, reversed(values), strict=True):
        arm.carry(i, _make_stand_in(other) if is_undefined(value) else value)
    _check_alike(arms, i, name)
    return True


def _join_lists(arms: list[_Arm], before: Any, i: int, name: str) -> None:
    """Let lists that grew differently in the two branches have one type; a list that stayed as it was is itself again."""
    for arm in arms:
        if is_same_list(before, arm.after[i]):
            arm.after[i] = before
    one, other = (arm.after[i] for arm in arms)
    if one is other or not all(isinstance(v, (list, GrownList)) for v in (one, other)):
        return
    if isinstance(one, list) and isinstance(other, list):
        if not all(v is before or not v or has_grown(before, v) for v in (one, other)):
            return
        if not holds_elements([*one, *other]):
            append_now(before, one, other)
            for arm in arms:
                arm.after[i] = before
            return
        if len(one) == len(other):
            return
    like = next((v for v in (one, other) if isinstance(v, GrownList)), None)
    for arm, rest in zip(arms, (other, one), strict=True):
        arm.grow(i, like, rest if like is None else [], name)


def _check_defined(arm: _Arm, value: Any, other: Any, name: str) -> None:
    returns = name.startswith(("retval_", "do_return"))
    if is_undefined(value) and not isinstance(value, UndefinedReturnValue):
        raise ValueError(f"'{name}' must also be initialized in the {arm.label} branch of the `if` at {current_line()}")
    if value is None and not is_undefined(other):
        if returns:
            raise ValueError(f"the {arm.label} branch must also have a return statement, with a value, at the `if` at {current_line()}")
        raise ValueError(
            f"'{name}' is None at the end of the {arm.label} branch of the `if` at {current_line()}, and a tensor after the other one."
        )


def _check_alike(arms: list[_Arm], i: int, name: str) -> None:
    one, other = arms[0].after[i], arms[1].after[i]
    try:
        nest.assert_same_structure(one, other, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"'{name}' does not have the same nested structure in the main and else branches of the `if` at {current_line()}: {error}"
        ) from None
    for t, u in zip(nest.flatten(one, expand_composites=True), nest.flatten(other, expand_composites=True), strict=True):
        if t.dtype != u.dtype:
            raise TypeError(
                f"'{name}' has dtype {t.dtype.name} in the main branch, but dtype {u.dtype.name} in the else branch of the `if` at "
                f"{current_line()}"
            )


def _make_stand_in(like: Any) -> Any:
    """Zeros in place of a result that is not there yet, and that nobody reads."""
    flat = [convert_to_tensor(t) for t in nest.flatten(like, expand_composites=True)]
    return nest.pack_sequence_as(like, [empty_of(t.dims, t.dtype) for t in flat], expand_composites=True)


def _node(graph: Any, index: Any, arms: list[_Arm], carried: list[int]) -> list[Any]:
    """The results of the branches, joined in one node."""
    outside: dict[int, Tensor] = {t.uid: t for arm in arms for t, _ in arm.graph.captures()}
    bodies = []
    for arm in arms:
        outputs = [t for i in carried for t in nest.flatten(arm.after[i], expand_composites=True)]
        bodies.append(Body(arm.graph, align_captures(arm.graph, arm.graph.captures(), outside), outputs))
    with enter_graph(graph):
        answers = CASE(index, list(outside.values()), branches=tuple(bodies), name="if")
    given = iter(answers if isinstance(answers, (list, tuple)) else ())
    templates = [arms[0].after[i] for i in carried]
    return [
        nest.pack_sequence_as(t, [next(given) for _ in nest.flatten(t, expand_composites=True)], expand_composites=True) for t in templates
    ]


# ---- expressions


def if_exp(test: object, if_true: Callable[[], Any], if_false: Callable[[], Any], expr_repr: str) -> Any:
    """`if_true() if test else if_false()`."""
    choice = as_symbolic(test)
    if choice is None:
        return if_true() if test else if_false()
    return cond(cast(choice, "bool"), if_true, if_false)


def and_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """`a() and b()`."""
    first = a()
    choice = as_symbolic(first)
    if choice is None:
        return first and b()
    return cond(cast(choice, "bool"), lambda: cast(convert_to_tensor(b()), "bool"), lambda: False)


def or_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """`a() or b()`."""
    first = a()
    choice = as_symbolic(first)
    if choice is None:
        return first or b()
    return cond(cast(choice, "bool"), lambda: True, lambda: cast(convert_to_tensor(b()), "bool"))


def not_(a: object) -> Any:
    """`not a`."""
    choice = as_symbolic(a)
    return not a if choice is None else logical_not(cast(choice, "bool"))


def assert_stmt(test: object, message: Callable[[], Any]) -> None:
    """`assert test, message()`.  In a session's graph, where nothing would run the check, it is one only where that is asked for."""
    holds = as_symbolic(test)
    if holds is None or not (holds.node.graph.building_function or is_asked_for(Feature.ASSERT_STATEMENTS)):
        if not test:
            raise AssertionError(message())
        return
    told: Iterable[Any] = nest.flatten(message())
    Assert(holds, list(told))


def handled_error() -> BaseException | None:
    """What `except ... as name` gives the name to."""
    return sys.exception()


def eq(a: Any, b: Any) -> Any:
    """`a == b`: of tensors by element where that is asked for, even if programs have switched it off."""
    return equal(a, b) if _compares(a, b) else a == b


def not_eq(a: Any, b: Any) -> Any:
    """`a != b`, as `eq`."""
    return not_equal(a, b) if _compares(a, b) else a != b


def _compares(a: Any, b: Any) -> bool:
    return is_asked_for(Feature.EQUALITY_OPERATORS) and (is_tensor_like(a) or is_tensor_like(b))


OPERATORS = ("if_stmt", "if_exp", "and_", "or_", "not_", "eq", "not_eq", "assert_stmt", "handled_error")
