"""Python's loops in rewritten code: over tensors, or while a symbolic tensor holds, they become nodes; others stay what they are.

A Python loop whose condition turns symbolic half way goes on as a loop in the graph; a Python loop that a symbolic `break` leaves is
unrolled, each step under its condition.
"""

from __future__ import annotations

from typing import Any

from ..base import nest
from ..base.dtypes import int32, int64
from ..base.export import export
from ..base.shapes import TensorShape, are_compatible
from ..control.cond import build
from ..control.tensor_array import TensorArray
from ..control.while_loop import ShapesOfTensors, invariant_dims, while_of
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeSpec
from ..ir.context import current
from ..ir.function_graph import FunctionGraph
from ..ir.graph import Graph
from ..ir.tensor import IntLike, Tensor
from ..ops.effects.operations import Assert
from ..ops.primitives.cast import cast
from .autograph_appends import GROWING
from .autograph_kinds import GraphLoops
from .autograph_lists import Copy, GrownList, append_now, check_alone, copy_state, give_up_list, has_grown, holds_elements
from .autograph_rows import Rows, has_rows, rows_of
from .autograph_statements import and_, if_stmt
from .autograph_values import (
    State,
    UndefinedReturnValue,
    as_symbolic,
    current_line,
    empty_of,
    goes_into_graphs,
    is_unchanged,
    is_undefined,
    read_variables,
)


@export("autograph.experimental.set_loop_options")
def set_loop_options(
    parallel_iterations: IntLike | None = None,
    swap_memory: Any = None,
    maximum_iterations: IntLike | None = None,
    shape_invariants: Any = None,
) -> None:
    """Options of the loop around: the first statement of its body, from where AutoGraph moves the arguments before the loop.

    shape_invariants: a list of (variable, shape) for variables whose shape changes.  maximum_iterations: stop after so many.  The others
    are accepted and not needed.  Outside a loop over tensors nothing happens.

    >>> @tf.function
    ... def ones(n):
    ...     x = tf.zeros([0])
    ...     for _ in tf.range(n):
    ...         tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
    ...         x = tf.concat([x, [1.0]], 0)
    ...     return x
    >>> ones(tf.constant(3)).numpy().tolist()
    [1.0, 1.0, 1.0]
    """


def while_stmt(test: Any, body: Any, get_state: Any, set_state: Any, symbol_names: State, opts: dict[str, Any]) -> None:
    """`while test(): body()`."""
    while True:
        holds = test()
        if as_symbolic(holds) is not None:
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
        current().graph is not None
        and (isinstance(iter_, (Tensor, TensorArray, GrownList)) or has_rows(iter_) or as_symbolic(iter_) is not None)
    ):
        rows = rows_of(iter_)
        loop = _Loop(extra_test, lambda i: body(rows.item(i)), get_state, set_state, symbol_names, opts)
        loop.length = rows.length
        loop.run()
        return
    if isinstance(iter_, GraphLoops) and current().graph is not None:
        has_next, take = iter_._graph_loop()
        test = has_next if extra_test is None else lambda: and_(extra_test, has_next)
        loop = _Loop(test, lambda _: body(take()), get_state, set_state, symbol_names, opts)
        loop.relaxes = iter_._relaxes_shapes
        loop.run()
        return
    for item in iter_:
        holds = True if extra_test is None else extra_test()
        if as_symbolic(holds) is not None:
            if_stmt(holds, lambda item=item: body(item), lambda: None, get_state, set_state, symbol_names, len(symbol_names))
        elif not holds:
            break
        else:
            body(item)


class _ShapeChangedError(Exception):
    """A part of variable `i` has another shape after a step of a loop that may forget what it had before."""

    def __init__(self, i: int, old: Tensor, new: Tensor) -> None:
        self.i, self.old, self.shape = i, old, old.shape.most_specific_compatible_shape(new.shape)


class _Loop:
    """A loop that becomes a node: its variables that are tensors are the loop's, a counter goes with them where it is over rows."""

    def __init__(self, test: Any, step: Any, get_state: Any, set_state: Any, names: State, opts: dict[str, Any]) -> None:
        self.test, self.step, self.get_state, self.set_state, self.names = test, step, get_state, set_state, names
        self.length: Any = None
        self.maximum = opts.get("maximum_iterations")
        self.before: list[Any] = list(get_state())
        invariants = opts.get("shape_invariants") or ()
        self.invariants = {i: shape for variable, shape in invariants for i, value in enumerate(self.before) if value is variable}
        #: Whether variables may lose what is known of their shapes.
        self.relaxes = False
        self.slots: list[int] = []
        self.shapes: dict[int, Any] = {}
        #: The lists that grow in place, and how many elements each gets in one step, where that is known.
        self.grown: set[int] = set()
        self.pushed: dict[int, int | None] = {}
        #: The variables that have a value only once the loop has run.
        self.late: list[str] = []

    def run(self) -> None:
        """Add the node, and make its results the values of the variables."""
        start = list(self.before)
        self._settle()
        try:
            final = self._settle_node()
        except BaseException:
            self.set_state(tuple(start))
            raise
        if self.late:
            Assert(
                final[0] > 0, [f"the loop at {current_line()} must iterate at least once to initialize {', '.join(map(repr, self.late))}"]
            )
        after = list(start)
        for i, value in zip(self.slots, final[1:], strict=True):
            after[i] = value.lasting(self._count(i)) if isinstance(value, GrownList) else value
            if i in self.grown:
                give_up_list(start[i], self.names[i])
        self.set_state(tuple(after))

    def _count(self, i: int) -> int | None:
        """How long the list `i` is after the loop, where that is known."""
        before, pushed = self.before[i]._find_length(), self.pushed.get(i)
        certain = self.test is None and self.maximum is None and isinstance(self.length, int)
        return before + pushed * self.length if certain and None not in (before, pushed) else None

    def _settle(self) -> None:
        """Find the variables that are the loop's, and give those without a value one of the type they will have."""
        self.slots = [i for i, value in enumerate(self.before) if goes_into_graphs(value)]
        for i in self.slots:
            self.before[i] = nest.map_structure(convert_to_tensor, self.before[i], expand_composites=True)
        rest = [i for i in range(len(self.before)) if i not in self.slots]
        lists = [i for i, value in enumerate(self.before) if isinstance(value, list) and self.names[i] in GROWING]
        read = {i: value for i in rest for value in (read_variables(self.before[i]),) if value is not self.before[i]}
        if not lists and not read and not any(is_undefined(self.before[i]) or self.before[i] is None for i in rest):
            return
        after, graph = self._try_step()
        for i, value in read.items():
            if not is_unchanged(self.before[i], after[i]):
                self.before[i] = value
        for i in lists:
            self._grow(i, after[i])
        for i in rest:
            before, value = self.before[i], after[i]
            if (is_undefined(before) or before is None) and goes_into_graphs(value):
                with graph.building():
                    flat = [convert_to_tensor(t) for t in nest.flatten(value, expand_composites=True)]
                self.before[i] = nest.pack_sequence_as(value, [empty_of(t.dims, t.dtype) for t in flat], expand_composites=True)
                self.shapes[i] = [TensorShape.of(t.dims) for t in flat]
                if not isinstance(before, UndefinedReturnValue):
                    self.late.append(self.names[i])
        self.slots = [i for i, value in enumerate(self.before) if goes_into_graphs(value)]

    def _grow(self, i: int, after: Any) -> None:
        """Make a list that grows by tensors one whose length is known when the graph runs."""
        before = self.before[i]
        if isinstance(after, GrownList):
            self.before[i] = GrownList.of(before, after)
        elif has_grown(before, after) and holds_elements(after):
            check_alone(after, self.names[i])
            self.before[i] = GrownList.of(before, None, after)
        if self.before[i] is not before and isinstance(after, (Copy, GrownList)):
            self.grown.add(i)

    def _try_step(self) -> tuple[State, FunctionGraph]:
        """The variables after one step, taken in a graph that is thrown away."""
        found: list[State] = []

        def run_once(*_: Any) -> None:
            self.set_state(copy_state(self.before))
            graph = current().graph
            assert isinstance(graph, FunctionGraph)
            self.step(graph.declare((), int32, "count"))  # of no row it is known that it is not there
            found.append(self.get_state())

        graph, _ = build(_graph(), run_once, "first_step")
        self.set_state(tuple(self.before))
        return found[0], graph

    def _settle_node(self) -> Any:
        """The node, once the shapes of the variables are those of every step."""
        while True:
            try:
                return self._node()
            except _ShapeChangedError as changed:
                parts = nest.flatten(self.before[changed.i], expand_composites=True)
                self.shapes[changed.i] = [changed.shape if t is changed.old else t.shape for t in parts]
                self.set_state(tuple(self.before))

    def _node(self) -> Any:
        values = [self.before[i] for i in self.slots]
        shapes = ShapesOfTensors([TensorShape([])])
        for i, value in zip(self.slots, values, strict=True):
            flat = [t.shape for t in nest.flatten(value, expand_composites=True)]
            shapes += self._shapes_given(i) or self.shapes.get(i) or flat
        wide = self.length.dtype if isinstance(self.length, Tensor) else int64 if self.length and self.length > int32.max else int32
        return while_of(self._holds, self._take_step, [convert_to_tensor(0, wide), *values], shapes, maximum=self.maximum)

    def _shapes_given(self, i: int) -> list[Any] | None:
        """The shapes that `set_loop_options` gave for variable `i`."""
        if i not in self.invariants:
            return None
        shape = self.invariants[i]
        shapes = [shape] if isinstance(shape, (TensorShape, CompositeSpec)) else nest.flatten(shape)
        leaves = nest.flatten(self.before[i])
        return [TensorShape(dims) for leaf, s in zip(leaves, shapes, strict=True) for dims in invariant_dims(leaf, s)]

    def _put(self, values: State) -> None:
        state = list(copy_state(self.before))
        for i, value in zip(self.slots, values, strict=True):
            state[i] = value.counting() if isinstance(value, GrownList) else value
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

    def _take_step(self, count: Any, *values: Any) -> Any:
        self._put(values)
        self.step(count)
        after = self.get_state()
        for i, value in enumerate(after):
            if i not in self.slots:
                append_now(self.before[i], value)
                self._check_unchanged(self.names[i], self.before[i], value)
        return [count + 1, *[self._carry_value(i, after[i]) for i in self.slots]]

    def _check_unchanged(self, name: str, before: Any, after: Any) -> None:
        """Refuse to lose what a step does to a variable that a node cannot carry."""
        if is_undefined(before) or is_unchanged(before, after):
            return
        kind = ValueError if any(v is None for v in nest.flatten(before)) else TypeError
        raise kind(
            f"'{name}' is {before!r} before the loop at {current_line()} and {after!r} after one iteration. The loop is part of the "
            "graph, where variables are tensors, or nests of tensors whose structure stays the same."
        )

    def _carry_value(self, i: int, value: Any) -> Any:
        """The new value of a variable, of the type it had."""
        name, old = self.names[i], self.before[i]
        if isinstance(old, GrownList):
            if isinstance(value, list) and holds_elements(value):
                value = GrownList.of(value, old)
            self.pushed[i] = value._pushed if isinstance(value, GrownList) else None
        if is_undefined(value) or value is None:
            raise ValueError(f"'{name}' has no value after one iteration of the loop at {current_line()}")
        if not goes_into_graphs(value):
            raise TypeError(f"'{name}' is {value!r} after one iteration of the loop at {current_line()}, and a tensor before it")
        try:
            nest.assert_same_structure(old, value, expand_composites=True)
        except (TypeError, ValueError) as error:
            raise type(error)(
                f"'{name}' does not have the same nested structure after one iteration of the loop at {current_line()}: {error}"
            ) from None
        flat = zip(nest.flatten(old, expand_composites=True), nest.flatten(value, expand_composites=True), strict=True)
        return nest.pack_sequence_as(value, [self._agree_on_type(i, t, u) for t, u in flat], expand_composites=True)

    def _agree_on_type(self, i: int, old: Any, new: Any) -> Any:
        new = convert_to_tensor(new, None if isinstance(new, Tensor) else old.dtype)
        name = self.names[i]
        if old.dtype != new.dtype:
            raise TypeError(
                f"'{name}' has dtype {old.dtype.name} before the loop at {current_line()}, but dtype {new.dtype.name} after one "
                "iteration; cast it."
            )
        loosened = i in self.shapes or i in self.invariants
        if not loosened and not (are_compatible(old.dims, new.dims) and _is_still_known(old.dims, new.dims)):
            if self.relaxes:
                raise _ShapeChangedError(i, old, new)
            raise ValueError(
                f"'{name}' has shape {old.shape} before the loop at {current_line()}, but shape {new.shape} after one iteration. Use "
                "tf.autograph.experimental.set_loop_options to set shape invariants."
            )
        return new


def _is_still_known(old: Any, new: Any) -> bool:
    """Whether what was known of a shape still is."""
    return old is None or (new is not None and all(m is None or m == n for m, n in zip(old, new, strict=True)))


def _graph() -> Graph:
    graph = current().graph
    assert graph is not None
    return graph


OPERATORS = ("while_stmt", "for_stmt")
