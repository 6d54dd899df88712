"""TensorFlow 1's `Optimizer`: gradients of a loss, and an operation that applies them.

Subclasses say which slots a variable has (`_create_slots`), which numbers a step needs (`_prepare`) and how one variable is
changed (`_apply_dense`, `_apply_sparse`): TensorFlow's own hooks, so that optimizers which programs define work here too.
An eager step is all or nothing: if a variable cannot be changed, none is. In graphs `Session.run` sees to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from ..api.collections import trainable_variables
from ..api.default import get_default_graph
from ..api.gradients import gradients_v1
from ..api.names import GraphKeys, control_dependencies, get_collection_ref, name_scope
from ..api.tape import GradientTape
from ..api.variable import Variable
from ..api.variable_scope import get_variable_scope
from ..base import nest
from ..base.dtypes import DType, bfloat16, float16, float32, float64
from ..base.export import export, is_hot
from ..base.lazy_import import LazyModule
from ..base.shapes import TensorShape, is_fully_known
from ..ir.apply import convert_to_tensor
from ..ir.context import executing_eagerly
from ..ir.graph import Graph
from ..ir.tensor import Gradient, HandleTensor, IndexedSlices, IntLike, SymbolicTensor, Tensor, TensorLike
from ..ir.tracebacks import trims_errors
from ..ops.array.basic import fill, shape_of
from ..ops.array.create import ones, zeros
from ..ops.constant import constant_v1
from ..ops.effects.operations import tuple_
from ..ops.indexing.index import getitem
from ..ops.search.search import unique
from ..ops.segment.dense import unsorted_segment_sum
from ..ops.state.locks import lock_all
from ..ops.state.variables import NO_OP

if TYPE_CHECKING:
    from ..diagnose import reasons
    from ..ir.node import Node
    from . import distribute
else:
    reasons = LazyModule("pullback.diagnose.reasons")
    distribute = LazyModule("pullback.train.distribute")

_DTYPES = (float32, float64, float16, bfloat16)
Pair = tuple[Any, Any]


@contextmanager
def restore_on_failure(variables: Iterable[Any]) -> Iterator[Callable[[Iterable[Any]], None]]:
    """Put eager variables back as they were if the block fails, but for those it lets go: it is given a function that takes them.

    No other thread changes them meanwhile.
    """
    storages = _storages(variables)
    before: dict[Any, Any] = {}

    def let_go(those: Iterable[Any]) -> None:
        for storage in _storages(those):
            before.pop(storage, None)

    with lock_all(storages if executing_eagerly() else ()):
        before.update((s, s.value) for s in storages)
        try:
            yield let_go
        except BaseException:
            for storage, value in before.items():
                storage.value = value
            raise


def _storages(variables: Iterable[Any]) -> list[Any]:
    """What variables keep their values in; a function's argument has it only when the function runs."""
    return [v.handle.value for v in variables if isinstance(v, Variable) and isinstance(v.handle, HandleTensor)]


@export(v1="train.Optimizer")
class Optimizer:
    """The base class of TensorFlow 1's optimizers.

    Args:
        use_locking: accepted; updates are never interleaved here.
        name: the name of the optimizer, of its operations and of its slots.
        use_own_namescope_for_non_slot_vars: accepted.

    Raises:
        ValueError: no name.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable(2.0)
    ...     train = tf1.train.GradientDescentOptimizer(0.25).minimize(v * v)
    ...     sess.run(tf1.global_variables_initializer())
    ...     sess.run(train)
    ...     print(sess.run(v))
    1.0
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(self, use_locking: bool, name: str, use_own_namescope_for_non_slot_vars: bool = False) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        self._slots: dict[str, dict[int, Any]] = {}
        self._non_slots: dict[tuple[str, Graph | None], Any] = {}

    def get_name(self) -> str:
        """The optimizer's name."""
        return self._name

    # ---- what programs call

    @trims_errors
    def minimize(
        self,
        loss: Any,
        global_step: IntLike | None = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Node | Any:
        """One step towards a smaller `loss`: `compute_gradients`, then `apply_gradients`.

        Args:
            loss: a tensor, or a function without arguments that gives one; eagerly it must be a function.
            global_step: a variable to add 1 to.
            var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss: as `compute_gradients`.
            name: of the operation, the optimizer's name when None.

        Returns:
            The operation to run; eagerly the step is done, and the result None.

        Raises:
            ValueError: no variable, or none that `loss` depends on.
        """
        pairs = self.compute_gradients(loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss)
        if all(g is None for g, _ in pairs):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support gradients, between variables "
                f"{[str(v) for _, v in pairs]} and loss {loss}.{reasons.why_none_for([v for _, v in pairs])}"
            )
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    @trims_errors
    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Gradient, Variable]]:
        """The gradients of `loss` with respect to variables.

        Args:
            loss: a tensor of any shape (its elements are summed), or a function without arguments that gives one.
            var_list: variables, or a structure of them; None for all trainable ones.
            gate_gradients: `GATE_NONE`, `GATE_OP` (the gradients of each operation are computed before any is used) or
                `GATE_GRAPH` (all gradients before any is used).
            aggregation_method, colocate_gradients_with_ops: as `tf.gradients`.
            grad_loss: the cotangent of `loss`, ones when None.

        Returns:
            Pairs of gradient (a tensor, an `IndexedSlices`, or None) and variable.

        Raises:
            ValueError: no variables, an unknown gate, or a dtype that is not floating. RuntimeError: eagerly, `loss` is not a
                function.
        """
        if callable(loss):
            return _gradients_by_tape(loss, var_list, grad_loss)
        if executing_eagerly():
            raise RuntimeError("`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled.")
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ValueError(
                f"gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  Not {gate_gradients}"
            )
        self._assert_valid_dtypes([t for t in (loss, grad_loss) if t is not None])
        variables = trainable_variables() if var_list is None else nest.flatten(var_list)
        if not variables:
            raise ValueError("No variables to optimize.")
        gradients = gradients_v1(
            loss, variables, grad_loss, "gradients", colocate_gradients_with_ops, gate_gradients == self.GATE_OP, aggregation_method
        )
        if gate_gradients == self.GATE_GRAPH:
            gradients = tuple_(gradients)
        pairs = list(zip(gradients, variables, strict=True))
        self._assert_valid_dtypes([v for g, v in pairs if g is not None])
        return pairs

    @trims_errors
    def apply_gradients(
        self,
        grads_and_vars: Iterable[Pair],
        global_step: IntLike | None = None,
        name: str | None = None,
        skip_gradients_aggregation: bool = False,
    ) -> Node | Any:
        """Change variables by their gradients.

        Args:
            grads_and_vars: pairs as `compute_gradients` gives them; those without a gradient are left out.
            global_step: a variable to add 1 to, after the others.
            name: of the operation, the optimizer's name when None.
            skip_gradients_aggregation: whether each replica of a `tf.distribute` strategy applies its own gradients, and not their sum.

        Returns:
            The operation to run; eagerly the step is done, and the result None.

        Raises:
            ValueError: no pairs, no gradients, or a gradient whose shape does not fit. TypeError: what is no gradient, or one of
                another dtype than its variable.
        """
        pairs = [(_as_gradient(g), v) for g, v in tuple(grads_and_vars)]
        if not pairs:
            raise ValueError("No variables provided.")
        live = [(g, v) for g, v in pairs if g is not None]
        if not live:
            told = reasons.why_none_for([v for _, v in pairs])
            raise ValueError(f"No gradients provided for any variable: {[str(v) for _, v in pairs]}.{told}")
        for g, v in live:
            _check(g, v)
        variables = [v for _, v in live]
        self._create_slots(variables)
        if any(hasattr(v, "_distribute_strategy") for v in variables):
            replica = distribute.get_replica_context()
            if replica is not None and replica.num_replicas_in_sync > 1:
                gradients = [g for g, _ in live]
                summed = gradients if skip_gradients_aggregation else replica.all_reduce("SUM", gradients)
                return replica.merge_call(lambda _: self._apply(list(zip(summed, variables, strict=True)), global_step, name))
        return self._apply(live, global_step, name)

    def _apply(self, live: Sequence[Pair], global_step: Any, name: str | None) -> Node | None:
        variables = [v for _, v in live]
        with restore_on_failure([*variables, *self.variables(), *([] if global_step is None else [global_step])]) as let_go:
            return self._apply_updates(live, global_step, name, let_go)

    def _apply_updates(
        self, pairs: Sequence[Pair], global_step: Any, name: str | None, let_go: Callable[[Iterable[Any]], None]
    ) -> Node | None:
        with name_scope(name or self._name) as scope:
            self._prepare()
            updates = []
            for i, (g, v) in enumerate(pairs, 1):
                if i == len(pairs) and global_step is None and v.constraint is None and self._changes_at_once():
                    let_go([v, *(slots[v._uid] for slots in self._slots.values() if v._uid in slots)])  # nothing after it can fail
                with name_scope("update_" + ("" if v._graph is None else v.op.name)), beside(v):
                    updates.append(self._update_variable(g, v))
            if global_step is None:
                operation = self._finish(updates, scope)
            else:
                with control_dependencies(operations([self._finish(updates, "update")])), beside(global_step):
                    operation = global_step.assign_add(1, name=scope, read_value=False)
        if executing_eagerly():
            return None
        collected = get_collection_ref(GraphKeys.TRAIN_OP)
        if operation not in collected:
            collected.append(operation)
        return operation

    def _update_variable(self, grad: Any, var: Any) -> Any:
        """The operation that changes one variable, and applies its constraint."""
        if not isinstance(var, Variable):
            raise NotImplementedError(f"Trying to update a Tensor {var}: optimizers change variables")
        if isinstance(grad, IndexedSlices):
            if var.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            return self._apply_sparse_duplicate_indices(grad, var)
        update = self._apply_dense(grad, var)
        if var.constraint is None:
            return update
        with control_dependencies(operations([update])):
            return var.assign(var.constraint(var.read_value()), read_value=False)

    def get_slot(self, var: Variable, name: str) -> Variable | None:
        """The slot `name` of a variable, or None if it has none."""
        return self._slots.get(name, {}).get(var._uid)

    def get_slot_names(self) -> list[str]:
        """The names of the slots made so far, sorted."""
        return sorted(self._slots)

    @is_hot
    def variables(self) -> list[Any]:
        """The optimizer's own variables in the current graph, sorted by name."""
        graph = None if executing_eagerly() else get_default_graph()
        own = [*self._non_slots.values(), *(slot for slots in self._slots.values() for slot in slots.values())]
        return sorted((v for v in own if v._graph is graph), key=lambda v: v.name)

    def _changes_at_once(self) -> bool:
        """Whether a variable's step changes it and its slots at once or not at all, and what comes after the last one cannot fail."""
        return False

    # ---- what subclasses define

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        """Make the slots of the variables that will be changed."""

    def _prepare(self) -> None:
        """Make the tensors that a step needs: learning rate and the like."""

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        """Change `var` by a gradient of its shape; gives an operation or a tensor."""
        return self._resource_apply_dense(grad, var)

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        """Change `var` by a gradient whose rows may repeat; by default they are summed for `_apply_sparse`."""
        rows, place = unique(grad.indices)
        summed = unsorted_segment_sum(grad.values, place, getitem(shape_of(rows), 0))
        return self._apply_sparse(IndexedSlices(summed, rows, grad.dense_shape), var)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        """Change `var` by a gradient of some of its rows, each once."""
        return self._resource_apply_sparse(grad.values, var, grad.indices)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not say how to apply a dense gradient: define _apply_dense")

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not say how to apply a sparse gradient: define _apply_sparse")

    def _finish(self, update_ops: Sequence[Any], name_scope: str) -> Node | None:
        """The operation, named `name_scope`, that is done when all updates are."""
        with control_dependencies(operations(update_ops)):
            return NO_OP(name=name_scope)

    def _valid_dtypes(self) -> Iterable[DType]:
        """The dtypes of losses and variables that this optimizer takes."""
        return _DTYPES

    # ---- what subclasses use

    def _assert_valid_dtypes(self, tensors: Iterable[Any]) -> None:
        valid = list(self._valid_dtypes())
        for t in tensors:
            if t.dtype.base_dtype not in valid:
                raise ValueError(f"Invalid type {t.dtype.base_dtype!r} for {t.name}, expected: {valid}.")

    def _call_if_callable(self, param: Any) -> Any:
        return param() if callable(param) else param

    def _slot_dict(self, slot_name: str) -> dict[int, Any]:
        return self._slots.setdefault(slot_name, {})

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Variable:
        """The slot `slot_name` of `var`, made of zeros if it is not there."""
        return self._fill_slot(var, 0.0, slot_name, op_name)

    def _fill_slot(self, var: Any, value: float, slot_name: str, op_name: str) -> Variable:
        shape = var.dims if var.shape.is_fully_defined() else shape_of(var.initialized_value())
        dtype = var.dtype.base_dtype

        def initial() -> Tensor:
            if value in (0.0, 1.0):
                return ones(shape, dtype) if value else zeros(shape, dtype)
            if var.dims is not None and is_fully_known(var.dims):
                return constant_v1(value, dtype, shape)
            return fill(shape, convert_to_tensor(value, dtype=dtype, name="Const/value"), name="Const")

        return self._get_or_make_slot(var, initial, slot_name, op_name)

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> Variable:
        """The slot `slot_name` of `var`, made with the initial value `val` if it is not there."""
        slots = self._slot_dict(slot_name)
        if var._uid not in slots:
            slots[var._uid] = slot_variable(var, val, op_name)
        return slots[var._uid]

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any) -> Variable:
        """The variable `name` of this optimizer, made beside `colocate_with` if it is not there."""
        key = (name, colocate_with._graph)
        if key not in self._non_slots:
            resource = not colocate_with._is_ref
            with beside(colocate_with):
                self._non_slots[key] = Variable(initial_value, trainable=False, name=name, first_version=True, use_resource=resource)
        return self._non_slots[key]

    def _get_non_slot_variable(self, name: str, graph: Graph | None = None) -> Any:
        return self._non_slots.get((name, graph))


def slot_variable(var: Variable, initial_value: Callable[..., Any] | TensorLike, op_name: str) -> Variable:
    """A variable that goes with `var` and is named after it, within the variable scope: `var/op_name`."""
    name = within_scope(f"{var._shared_name}/{op_name}")
    dtype, resource = var.dtype.base_dtype, not var._is_ref
    with beside(var):
        return Variable(initial_value, False, name=name, full_name=name, dtype=dtype, first_version=True, use_resource=resource)


def within_scope(name: str) -> str:
    """A name in the variable scope that is open."""
    scope = get_variable_scope().name
    return f"{scope}/{name}" if scope else name


def beside(var: Any) -> AbstractContextManager[None]:
    """Ask that what is added to the graph in the block shares the device of a variable; nothing eagerly."""
    return nullcontext() if getattr(var, "_graph", None) is None else var._graph.colocate_with(var.op)


def _gradients_by_tape(loss: Callable[[], Any], var_list: Any, grad_loss: Any) -> list[Pair]:
    with GradientTape() as tape:
        if var_list is not None:
            tape.watch(var_list)
        value = loss()
    variables = list(tape.watched_variables()) if var_list is None else nest.flatten(var_list)
    return list(zip(tape.gradient(value, variables, grad_loss), variables, strict=True))


def _as_gradient(g: Any) -> Any:
    if g is None or isinstance(g, (Tensor, IndexedSlices)):
        return g
    try:
        return convert_to_tensor(g)
    except (TypeError, ValueError) as why:
        raise TypeError(f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {g}") from why


def _check(g: Any, v: Any) -> None:
    if g.dtype.base_dtype is not v.dtype.base_dtype:
        raise TypeError(
            f"The gradient {g} is {g.dtype.base_dtype.name}, its variable {v.name} {v.dtype.base_dtype.name}: cast the gradient"
        )
    if not isinstance(g, IndexedSlices) and not TensorShape(g.dims).is_compatible_with(v.shape):
        raise ValueError(f"Shapes must be equal, but the gradient {g} has shape {g.shape} and its variable {v.name} {v.shape}")


def operations(updates: Iterable[Any]) -> list[Any]:
    """The operations among what updates gave, for control dependencies; eagerly there are none."""
    if executing_eagerly():
        return []
    waited = [u for u in updates if u is not None and not (isinstance(u, Variable) and u._graph is None)]  # a function keeps those in order
    return [u.op if isinstance(u, (SymbolicTensor, Variable)) else u for u in waited]
