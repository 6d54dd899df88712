"""Python's statements in rewritten code: on symbolic tensors they become nodes, on everything else they stay what they are.

A statement gets the variables it changes as `get_state`, `set_state` and their names.  A Python loop whose condition turns symbolic half
way goes on as a loop in the graph; a Python loop that a symbolic `break` leaves is unrolled, each step under its condition.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np

from ..base import nest
from ..base.shapes import TensorShape, as_dims, compatible
from ..control.branch import CASE
from ..control.cond import build, cond
from ..control.loop import aligned
from ..control.tensor_array import TensorArray
from ..control.while_loop import while_loop
from ..ir.apply import convert_to_tensor
from ..ir.context import current, entered
from ..ir.function_graph import Body, FunctionGraph
from ..ir.graph import Graph
from ..ir.node import show_source, user_frame
from ..ir.tensor import EagerTensor, SymbolicTensor, Tensor
from ..ops.array_create import zeros
from ..ops.cast import cast
from ..ops.compare import logical_not
from ..ops.effects import Assert
from .autograph_rows import Rows, rows_of

State = tuple[Any, ...]


@cache
def _undefined() -> tuple[type, type]:
    """What stands for a variable that has no value yet, and for a result not returned yet."""
    variables = importlib.import_module("malt.operators.variables")
    return variables.Undefined, variables.UndefinedReturnValue


def _is_undefined(value: Any) -> bool:
    return isinstance(value, _undefined())


def symbolic(value: Any) -> Any:
    """`value` as a symbolic tensor, if it is one or a variable in a graph; else None."""
    if isinstance(value, SymbolicTensor):
        return value
    if current().graph is not None and not isinstance(value, EagerTensor) and not _is_undefined(value) and hasattr(value, "_to_tensor"):
        return convert_to_tensor(value)
    return None


def _goes_into_graphs(value: Any) -> bool:
    """Whether a variable with this value can be carried by a node: tensors, numbers, nests of them."""
    leaves = nest.flatten(value, expand_composites=True)
    return bool(leaves) and all(isinstance(t, (Tensor, int, float, complex, np.ndarray, np.generic)) for t in leaves)


# ---- if


def if_stmt(test: Any, body: Any, orelse: Any, get_state: Any, set_state: Any, symbol_names: State, nouts: int) -> None:
    """`if test: body() else: orelse()`."""
    choice = symbolic(test)
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
    carried = [i for i in range(len(before)) if i not in settled and _joins(arms, before[i], i, names[i])]
    index = cast(logical_not(cast(choice, "bool")), "int32")
    answers = _node(graph, index, arms, carried)
    after = [a if a is b else before[i] for i, (a, b) in enumerate(zip(arms[0].after, arms[1].after, strict=True))]
    for i, value in [*zip(carried, answers, strict=True), *((i, True) for i in settled)]:
        after[i] = value
    set_state(tuple(after))


def _settles(choice: SymbolicTensor, arms: list[_Arm], before: Any, i: int) -> bool:
    """Whether variable `i` holds afterwards either way: `if not done: done = True`."""
    first, second = arms[0].after[i], arms[1].after[i]
    return first is True and second is before and choice.node.op.name == "LogicalNot" and choice.node.inputs[0] is before


class _Arm:
    """One branch, traced: its graph, and the variables after it."""

    def __init__(self, graph: Any, function: Any, label: str, before: State, get_state: Any, set_state: Any) -> None:
        self.label = label
        self.after: list[Any] = []
        self.values: list[Any] = []

        def run() -> Any:
            set_state(before)
            function()
            self.after = list(get_state())
            set_state(before)

        self.graph, _ = build(graph, run, f"if_{label}")

    def carry(self, i: int, value: Any) -> None:
        """Give `value`, in this branch, as the value of variable `i`."""
        with self.graph.building():
            flat = [self.graph.own(convert_to_tensor(t)) for t in nest.flatten(value, expand_composites=True)]
        self.values.append(nest.pack_sequence_as(value, flat, expand_composites=True))
        self.after[i] = self.values[-1]


def _joins(arms: list[_Arm], before: Any, i: int, name: str) -> bool:
    """Whether variable `i` is a result of the `if`; if so each branch carries its value."""
    values = [arm.after[i] for arm in arms]
    if not name or all(v is before for v in values) or all(_is_undefined(v) for v in values):
        return False
    if all(_is_undefined(v) or v is None for v in values) or (values[0] is values[1]):
        return False
    for arm, value, other in zip(arms, values, reversed(values), strict=True):
        _check_defined(arm, value, other, name)
    if not all(_goes_into_graphs(v) or _is_undefined(v) for v in values):
        raise TypeError(
            f"'{name}' must be a tensor or nest of tensors after the `if` at {_here()}, which is decided when the graph runs: it is "
            f"{values[0]!r} after the main branch, {values[1]!r} after the else branch"
        )
    for arm, value, other in zip(arms, values, reversed(values), strict=True):
        arm.carry(i, _stand_in(other) if _is_undefined(value) else value)
    _check_alike(arms, i, name)
    return True


def _check_defined(arm: _Arm, value: Any, other: Any, name: str) -> None:
    returns = name.startswith(("retval_", "do_return"))
    if _is_undefined(value) and not isinstance(value, _undefined()[1]):
        raise ValueError(f"'{name}' must also be initialized in the {arm.label} branch of the `if` at {_here()}")
    if value is None and not _is_undefined(other):
        if returns:
            raise ValueError(f"the {arm.label} branch must also have a return statement, with a value, at the `if` at {_here()}")
        raise ValueError(
            f"'{name}' is None at the end of the {arm.label} branch of the `if` at {_here()}, and a tensor after the other one."
        )


def _check_alike(arms: list[_Arm], i: int, name: str) -> None:
    one, other = arms[0].after[i], arms[1].after[i]
    try:
        nest.assert_same_structure(one, other, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"'{name}' does not have the same nested structure in the main and else branches of the `if` at {_here()}: {error}"
        ) from None
    for t, u in zip(nest.flatten(one, expand_composites=True), nest.flatten(other, expand_composites=True), strict=True):
        if t.dtype != u.dtype:
            raise TypeError(
                f"'{name}' has dtype {t.dtype.name} in the main branch, but dtype {u.dtype.name} in the else branch of the `if` "
                f"at {_here()}"
            )


def _stand_in(like: Any) -> Any:
    """Zeros in place of a result that is not there yet, and that nobody reads."""
    flat = [convert_to_tensor(t) for t in nest.flatten(like, expand_composites=True)]
    return nest.pack_sequence_as(like, [_zeros(t.dims, t.dtype) for t in flat], expand_composites=True)


def _zeros(dims: Any, dtype: Any) -> Any:
    return zeros([0 if n is None else n for n in dims or ()], dtype)


def _node(graph: Any, index: Any, arms: list[_Arm], carried: list[int]) -> list[Any]:
    """The results of the branches, joined in one node."""
    outside: dict[int, Tensor] = {t.uid: t for arm in arms for t, _ in arm.graph.captures()}
    bodies = []
    for arm in arms:
        outputs = [t for i in carried for t in nest.flatten(arm.after[i], expand_composites=True)]
        bodies.append(Body(arm.graph, aligned(arm.graph, arm.graph.captures(), outside), outputs))
    with entered(graph):
        answers = CASE(index, list(outside.values()), branches=tuple(bodies), name="if")
    given = iter(answers if isinstance(answers, (list, tuple)) else ())
    templates = [arms[0].after[i] for i in carried]
    return [
        nest.pack_sequence_as(t, [next(given) for _ in nest.flatten(t, expand_composites=True)], expand_composites=True) for t in templates
    ]


def _here() -> str:
    return show_source(user_frame())


# ---- while and for


class _Options:
    """What `set_loop_options` said in the body of the loop being traced."""

    def __init__(self) -> None:
        self.maximum: Any = None
        self.shapes: list[tuple[Any, Any]] = []
        self.new = False
        self.known = False


_loops: list[_Options] = []


class _AgainError(Exception):
    """A loop's body set options: trace it once more, with them."""


def remember_options(maximum_iterations: Any, shape_invariants: Any) -> None:
    """Take note of options for the innermost loop being traced."""
    if _loops and not _loops[-1].known:
        _loops[-1].maximum, _loops[-1].shapes, _loops[-1].new = maximum_iterations, list(shape_invariants or ()), True


def while_stmt(test: Any, body: Any, get_state: Any, set_state: Any, symbol_names: State, opts: dict[str, Any]) -> None:
    """`while test(): body()`."""
    while True:
        holds = test()
        if symbolic(holds) is not None:
            _Loop(test, lambda _: body(), get_state, set_state, symbol_names, opts).run()
            return
        if not holds:
            return
        body()


def for_stmt(
    iter_: Any, extra_test: Any, body: Any, get_state: Any, set_state: Any, symbol_names: State, opts: dict[str, Any]
) -> None:  # fmt: skip
    """`for ... in iter_: body(item)` while `extra_test()` holds."""
    if isinstance(iter_, Rows) or (
        current().graph is not None and (isinstance(iter_, (Tensor, TensorArray)) or symbolic(iter_) is not None)
    ):
        rows = rows_of(iter_)
        loop = _Loop(extra_test, lambda i: body(rows.item(i)), get_state, set_state, symbol_names, opts)
        loop.length = rows.length
        loop.run()
        return
    for item in iter_:
        holds = True if extra_test is None else extra_test()
        if symbolic(holds) is not None:
            if_stmt(holds, lambda item=item: body(item), lambda: None, get_state, set_state, symbol_names, len(symbol_names))
        elif not holds:
            break
        else:
            body(item)


class _Loop:
    """A loop that becomes a node: its variables that are tensors are the loop's, a counter goes with them where it is over rows."""

    def __init__(self, test: Any, step: Any, get_state: Any, set_state: Any, names: State, opts: dict[str, Any]) -> None:
        self.test, self.step, self.get_state, self.set_state, self.names = test, step, get_state, set_state, names
        self.length: Any = None
        self.maximum = opts.get("maximum_iterations")
        self.before: list[Any] = list(get_state())
        self.slots: list[int] = []
        self.shapes: dict[int, Any] = {}

    def run(self) -> None:
        """Add the node, and make its results the values of the variables."""
        start = list(self.before)
        self._settle()
        options = _Options()
        _loops.append(options)
        try:
            try:
                final = self._node(options)
            except _AgainError:
                options.known = True
                self.set_state(tuple(self.before))
                self.maximum = options.maximum if options.maximum is not None else self.maximum
                final = self._node(options)
        except BaseException:
            self.set_state(tuple(start))
            raise
        finally:
            _loops.pop()
        after = list(start)
        for i, value in zip(self.slots, final[1:], strict=True):
            after[i] = value
        self.set_state(tuple(after))

    def _settle(self) -> None:
        """Find the variables that are the loop's, and give those without a value one of the type they will have."""
        self.slots = [i for i, value in enumerate(self.before) if _goes_into_graphs(value)]
        for i in self.slots:
            self.before[i] = nest.map_structure(convert_to_tensor, self.before[i], expand_composites=True)
        rest = [i for i in range(len(self.before)) if i not in self.slots]
        if not any(_is_undefined(self.before[i]) or self.before[i] is None for i in rest):
            return
        after, graph = self._tried()
        for i in rest:
            value = after[i]
            if _is_undefined(self.before[i]) and _goes_into_graphs(value):
                with graph.building():
                    flat = [convert_to_tensor(t) for t in nest.flatten(value, expand_composites=True)]
                self.before[i] = nest.pack_sequence_as(value, [_zeros(t.dims, t.dtype) for t in flat], expand_composites=True)
                self.shapes[i] = [TensorShape.of(t.dims) for t in flat]
            elif self.before[i] is None and value is not None:
                raise ValueError(
                    f"'{self.names[i]}' is None before the loop at {_here()} and {value!r} after one iteration; give it a tensor first."
                )
        self.slots = [i for i, value in enumerate(self.before) if _goes_into_graphs(value)]

    def _tried(self) -> tuple[State, FunctionGraph]:
        """The variables after one step, taken in a graph that is thrown away."""
        found: list[State] = []

        def once(*_: Any) -> None:
            self.step(convert_to_tensor(0))
            found.append(self.get_state())

        graph, _ = build(_graph(), once, "first_step")
        self.set_state(tuple(self.before))
        return found[0], graph

    def _node(self, options: _Options) -> Any:
        values = [self.before[i] for i in self.slots]
        shapes = [TensorShape([])]
        for i, value in zip(self.slots, values, strict=True):
            flat = [t.shape for t in nest.flatten(value, expand_composites=True)]
            shapes += self._wished(options, i) or self.shapes.get(i) or flat
        return while_loop(
            self._holds, lambda *v: self._stepped(options, v), [convert_to_tensor(0), *values], shapes, maximum_iterations=self.maximum
        )

    def _wished(self, options: _Options, i: int) -> list[Any] | None:
        """The shapes that `set_loop_options` gave for variable `i`."""
        for variable, shape in options.shapes:
            if variable is self.before[i] or (isinstance(variable, str) and variable == self.names[i]):
                return [TensorShape(as_dims(s)) for s in ([shape] if isinstance(shape, TensorShape) else nest.flatten(shape))]
        return None

    def _put(self, values: State) -> None:
        state = list(self.before)
        for i, value in zip(self.slots, values, strict=True):
            state[i] = value
        self.set_state(tuple(state))

    def _holds(self, count: Any, *values: Any) -> Any:
        self._put(values)
        goes_on = None if self.length is None else count < self.length
        if self.test is None:
            return goes_on
        holds = self.test()
        if goes_on is None:
            return cast(convert_to_tensor(holds), "bool")
        return and_(lambda: goes_on, lambda: holds)

    def _stepped(self, options: _Options, variables: State) -> Any:
        count, values = variables[0], variables[1:]
        self._put(values)
        self.step(count)
        after = self.get_state()
        if options.new:
            options.new = False
            if not any(self._wished(options, i) for i in self.slots):
                named = [(self.names[i], s) for v, s in options.shapes for i, value in zip(self.slots, values, strict=True) if v is value]
                options.shapes = named
            raise _AgainError
        return [count + 1, *[self._carried(i, after[i]) for i in self.slots]]

    def _carried(self, i: int, value: Any) -> Any:
        """The new value of a variable, of the type it had."""
        name, old = self.names[i], self.before[i]
        if _is_undefined(value) or value is None:
            raise ValueError(f"'{name}' has no value after one iteration of the loop at {_here()}")
        if not _goes_into_graphs(value):
            raise TypeError(f"'{name}' is {value!r} after one iteration of the loop at {_here()}, and a tensor before it")
        try:
            nest.assert_same_structure(old, value, expand_composites=True)
        except (TypeError, ValueError) as error:
            raise type(error)(
                f"'{name}' does not have the same nested structure after one iteration of the loop at {_here()}: {error}"
            ) from None
        flat = zip(nest.flatten(old, expand_composites=True), nest.flatten(value, expand_composites=True), strict=True)
        return nest.pack_sequence_as(value, [self._agreed(i, t, u) for t, u in flat], expand_composites=True)

    def _agreed(self, i: int, old: Any, new: Any) -> Any:
        new = convert_to_tensor(new, None if isinstance(new, Tensor) else old.dtype)
        name = self.names[i]
        if old.dtype != new.dtype:
            raise TypeError(
                f"'{name}' has dtype {old.dtype.name} before the loop at {_here()}, but dtype {new.dtype.name} after one "
                "iteration; cast it."
            )
        loosened = i in self.shapes or self._wished(_loops[-1], i) is not None
        if not loosened and not (compatible(old.dims, new.dims) and _known_as(old.dims, new.dims)):
            raise ValueError(
                f"'{name}' has shape {old.shape} before the loop at {_here()}, but shape {new.shape} after one iteration. Use "
                "tf.autograph.experimental.set_loop_options to set shape invariants."
            )
        return new


def _known_as(old: Any, new: Any) -> bool:
    """Whether what was known of a shape still is."""
    return old is None or (new is not None and all(m is None or m == n for m, n in zip(old, new, strict=True)))


def _graph() -> Graph:
    graph = current().graph
    assert graph is not None
    return graph


# ---- expressions


def if_exp(test: Any, if_true: Callable[[], Any], if_false: Callable[[], Any], expr_repr: str) -> Any:
    """`if_true() if test else if_false()`."""
    choice = symbolic(test)
    if choice is None:
        return if_true() if test else if_false()
    return cond(cast(choice, "bool"), if_true, if_false)


def and_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """`a() and b()`."""
    first = a()
    choice = symbolic(first)
    if choice is None:
        return first and b()
    return cond(cast(choice, "bool"), lambda: cast(convert_to_tensor(b()), "bool"), lambda: False)


def or_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """`a() or b()`."""
    first = a()
    choice = symbolic(first)
    if choice is None:
        return first or b()
    return cond(cast(choice, "bool"), lambda: True, lambda: cast(convert_to_tensor(b()), "bool"))


def not_(a: Any) -> Any:
    """`not a`."""
    choice = symbolic(a)
    return not a if choice is None else logical_not(cast(choice, "bool"))


def assert_stmt(test: Any, message: Callable[[], Any]) -> None:
    """`assert test, message()`."""
    holds = symbolic(test)
    if holds is None:
        if not test:
            raise AssertionError(message())
        return
    told: Iterable[Any] = nest.flatten(message())
    Assert(holds, list(told))


OPERATORS = ("if_stmt", "while_stmt", "for_stmt", "if_exp", "and_", "or_", "not_", "assert_stmt")

__all__ = ["OPERATORS", "for_stmt", "if_stmt", "remember_options", "symbolic", "while_stmt"]
