"""Variables: one class for both worlds.

A variable is a handle (a tensor of dtype resource) and ops that read and write what it stands for.  Eagerly it owns its storage;
in a graph the storage belongs to the session.  `ref` variables are TensorFlow 1's: named and printed as such, the same otherwise.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..base.counterparts import name_class
from ..base.dtypes import DType, as_dtype
from ..base.export import export, is_hot
from ..base.lazy_import import LazyModule
from ..base.shapes import TensorShape, as_dims, is_fully_known, merge
from ..ir.apply import convert_to_tensor
from ..ir.context import ROOT, Comparing, current, enter_graph, executing_eagerly
from ..ir.function_graph import FunctionGraph, find_outer_graph
from ..ir.graph import Graph, default_sessions
from ..ir.node import Node
from ..ir.operators import TensorCounterpart, VariableOperators
from ..ir.references import READ
from ..ir.tensor import (
    LATE_BOUND,
    Dims,
    DTypeLike,
    HandleTensor,
    NumberLike,
    Reference,
    ShapeLike,
    SymbolicTensor,
    Tensor,
    TensorLike,
    number_text,
    own_lines,
)
from ..kernels.memory import copy_array
from ..ops.array.gather import gather
from ..ops.array.gather_nd import gather_nd
from ..ops.indexing.index import getitem
from ..ops.state.variables import ASSIGN, IS_INITIALIZED, VAR_HANDLE, Storage
from .names import name_scope
from .variable_creators import VariableAggregation, VariableMetaclass, VariableSynchronization
from .variable_writes import Writes

if TYPE_CHECKING:
    import html

    import numpy.typing as npt

    from ..control import cond as conditional
    from ..ir.tensor import Index
    from ..ops.resources import operations as resources
    from ..pictures import values
    from .session import Session

    class VariablePart(Tensor):
        """What `variable[key]` gives: the part's value, which may be assigned too."""

        def assign(self, value: TensorLike, name: str | None = None) -> Any: ...
else:
    html = LazyModule("html")
    values, resources = LazyModule("pullback.pictures.values"), LazyModule("pullback.ops.resources.operations")
    conditional = LazyModule("pullback.control.cond")

_fresh = itertools.count(1).__next__


class Defaults:
    """What variables are where nobody says: TensorFlow 2's resource variables, or TensorFlow 1's ref variables in graphs."""

    use_resource = True


def _refuse_in_place(sign: str, method: str) -> Callable[[Variable, Any], NoReturn]:
    def refuse(self: Variable, other: Any) -> NoReturn:
        raise RuntimeError(
            f"a variable has no `{sign}=`: call `{method}` to change it, or write `out = variable {sign} value` for a new tensor"
        )

    return refuse


@export(v2="Variable")
@name_class("ops.variables.Variable")
class Variable(Writes, VariableOperators, TensorCounterpart, metaclass=VariableMetaclass):
    """A value that programs change and gradients are taken with respect to.

    initial_value: what converts to a tensor, or a function giving it.  trainable: whether tapes watch it when it is read and
    optimizers change it.  dtype: what the initial value is cast to.  shape: the declared shape, that of the initial value when None.
    constraint: a function applied after an optimizer's update.  Errors: ValueError without an initial value or where a value does not fit.

    >>> v = tf.Variable([1.0, 2.0])
    >>> _ = v.assign_add([1.0, 1.0])
    >>> v.numpy().tolist()
    [2.0, 3.0]
    """

    __array_priority__, __pandas_priority__ = 100, 5000
    _creators_apply = True

    def __init__(
        self,
        initial_value: TensorLike | Callable[[], TensorLike] | None = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: DTypeLike | None = None,
        import_scope: str | None = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: VariableSynchronization | None = None,
        aggregation: VariableAggregation | None = None,
        shape: Any = None,
        experimental_enable_variable_lifting: bool | None = True,
        *,
        use_resource: bool | None = None,
        collections: Any = None,
        full_name: str | None = None,
        first_version: bool = False,
    ) -> None:
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified: `initial_value` must be a Tensor or a Python object "
                "convertible to a Tensor. Got None."
            )
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        self.synchronization = synchronization or VariableSynchronization.AUTO
        self.aggregation = aggregation or VariableAggregation.NONE
        only_read = self.synchronization is VariableSynchronization.ON_READ
        self._trainable = not only_read if trainable is None else bool(trainable)
        self.constraint = constraint
        self._uid = _fresh()
        self._validates = validate_shape
        wanted = None if dtype is None else as_dtype(dtype)
        declared = None if shape is None else as_dims(shape)
        graph = current().graph
        if isinstance(graph, FunctionGraph):
            if experimental_enable_variable_lifting is False:
                raise NotImplementedError(
                    "a function's variables are made once, outside its graph: experimental_enable_variable_lifting=False is not in Pullback"
                )
            initial_value, graph = _lift_initial_value(graph, initial_value)
        if graph is None:
            with enter_graph(None):
                self._make_eagerly(initial_value, wanted, declared, shape is not None, name)
        else:
            ref = first_version and not (Defaults.use_resource if use_resource is None else use_resource)
            with _do_nothing() if current().graph is graph else enter_graph(graph):
                self._make_in_graph(graph, initial_value, wanted, declared, shape is not None, name, full_name, ref)
            held = ["variables"] if collections is None else list(collections)
            if self.trainable and "trainable_variables" not in held:
                held.append("trainable_variables")
            graph.add_to_collections(held, self)
        if type(self) is Variable:
            self.__class__ = RefVariable if self._is_ref else ResourceVariable

    def _make_eagerly(self, initial: Any, dtype: DType | None, declared: Dims, has_shape: bool, name: str | None) -> None:
        with name_scope(name or "Variable") as scope:
            self._name = scope.rstrip("/") + ":0"
            value: Any = convert_to_tensor(initial() if callable(initial) else initial, dtype=dtype)
        if value.dtype.base_dtype.name == "resource":
            raise TypeError("a variable's initial value must be an array, not a resource")
        self._graph: Graph | None = None
        self._dtype = value.dtype.base_dtype
        self._dims: Dims = declared if has_shape else value.dims
        is_fresh = value.value.base is None and not callable(initial) and isinstance(initial, (int, float))
        array = value.value if is_fresh else copy_array(value.value)
        self.handle: Any = HandleTensor(Storage(self._name[:-2], self._dtype, self._dims, array))
        self._check(value)
        self._is_ref = False

    def _make_in_graph(
        self,
        graph: Graph,
        initial: Any,
        dtype: DType | None,
        declared: Dims,
        has_shape: bool,
        name: str | None,
        full_name: str | None,
        ref: bool,
    ) -> None:
        self._graph, self._is_ref = graph, ref
        with graph.control_dependencies(None), _scope_for(graph, full_name or name or "Variable", full_name is not None) as scope:
            own = scope.rstrip("/")
            inner = "Initializer" if callable(initial) or not ref else None
            with graph.name_scope(inner) if inner else _do_nothing(), graph.colocate_as(own) if inner else _do_nothing():
                given = initial() if callable(initial) else initial
                self._initial: Any = convert_to_tensor(given, dtype=dtype, name="initial_value")
            if isinstance(self._initial, SymbolicTensor) and self._initial.graph is not graph:
                raise ValueError(f"the initial value {self._initial} is of another graph than the variable")
            self._dtype = self._initial.dtype.base_dtype
            self._dims = declared if has_shape else (self._initial.dims if self._validates else None)
            if ref and self._validates and not has_shape and not is_fully_known(self._dims):
                raise ValueError(f"initial_value must have a shape specified: {self._initial}")
            with _do_nothing() if ref else graph.colocate_as(own):
                self.handle = VAR_HANDLE(shared_name=own, dtype=self._dtype, shape=self._dims, is_ref=ref, name=own + "/")
            self._name = own + ":0"
            if ref:
                self._initializer = self._write(ASSIGN, self._initial, f"{own}/Assign/")
                self._snapshot = self._read(f"{own}/read/")
            else:
                IS_INITIALIZED(self.handle, name=f"{own}/IsInitialized/VarIsInitializedOp/")
                with graph.colocate_with(None):
                    self._initializer = self._write(ASSIGN, self._initial, f"{own}/Assign/")
                self._snapshot = self._read(f"{own}/Read/ReadVariableOp/")

    @classmethod
    def _from_graph(cls, handle: SymbolicTensor, initial: Tensor, initializer: Tensor, snapshot: Tensor, **known: Any) -> Variable:
        """The variable of nodes that are in a graph already; known: what else is known of it, by the names of attributes."""
        made: Variable = object.__new__(RefVariable if handle.dtype._is_ref_dtype else ResourceVariable)
        made.handle, made._initial, made._initializer, made._snapshot = handle, initial, initializer, snapshot
        made._graph, made._name, made._is_ref = handle.graph, handle.name, handle.dtype._is_ref_dtype
        made._uid, made._validates, made.constraint = _fresh(), True, None
        for name, value in known.items():
            setattr(made, name, value)
        return made

    # ---- reading

    def _read(self, name: str | None = None) -> Any:
        return READ.call(self.handle, name=name, dtype=self._dtype, shape=self._dims)

    @is_hot
    def value(self) -> Tensor:
        """The current value, a tensor."""
        for recorder in current().recorders:
            recorder.read(self)
        return self._snapshot if self._is_ref else self._read()

    @is_hot
    def read_value(self) -> Tensor:
        """The current value, a tensor; in a graph a new read at this place."""
        for recorder in current().recorders:
            recorder.read(self)
        return self._read("read" if self._is_ref else None)

    def _as_written(self) -> Variable:
        return WrittenVariable(self)

    def _after(self, result: SymbolicTensor) -> Any:
        return result if self._is_ref or self._graph is None else UnreadVariable(self, result)

    @is_hot
    def __as_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Tensor:
        return self.value()

    def _as_graph_element(self) -> Tensor:
        return self._snapshot if self._graph is not None else self.value()

    def numpy(self) -> npt.NDArray[Any] | Any:
        """A copy of the value, an array; in a graph use a session."""
        if self._graph is not None:
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        return self.value().numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.value(), dtype)

    def __dlpack__(self, **asked: Any) -> Any:
        """The value as a DLPack capsule.  Who takes it must not change it.  asked: as of `Tensor`."""
        value: Any = self.value()
        return value.__dlpack__(**asked)

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's number of the device: the CPU."""
        value: Any = self.value()
        return value.__dlpack_device__()

    def eval(self, session: Session | None = None, feed_dict: Mapping[Any, Any] | None = None) -> Any:
        """The value in `session`, the default session when None; a RuntimeError eagerly."""
        self._only_in_graphs("operation")
        return self._as_graph_element().eval(feed_dict, session)

    def sparse_read(self, indices: NumberLike, name: str | None = None) -> Tensor:
        """The rows `indices` of the value; the gradient is an `IndexedSlices`."""
        return gather(self.value(), indices, name=name)

    def gather_nd(self, indices: NumberLike, name: str | None = None) -> Tensor:
        """The elements or slices at `indices`."""
        return gather_nd(self.value(), indices, name=name)

    def __getitem__(self, key: Index) -> VariablePart:
        part: Any = getitem(self.value(), key)
        if not isinstance(key, (np.ndarray, Tensor, Variable)):
            part.assign = partial(self._assign_part, key)
        return part

    def count_up_to(self, limit: int) -> Tensor:
        """The value, which then grows by one; an OutOfRangeError at `limit`."""
        return resources.COUNT_UP_TO(self.handle, limit=int(limit))

    def load(self, value: TensorLike, session: Session | None = None) -> None:
        """Make `value` the value in `session` (eagerly: here)."""
        if self._graph is None:
            self.assign(value)
            return
        session = session or self._default_session()
        session.run(self._initializer, {self._initial: value})

    def _default_session(self) -> Any:
        if not default_sessions.stack:
            raise ValueError("Either session argument should be provided or default session should be established")
        return default_sessions.stack[-1]

    # ---- what it is

    @property
    def name(self) -> str:
        """The name, with `:0`."""
        return self._name

    @property
    def _shared_name(self) -> str:
        return self._name[:-2]

    @property
    def _unique_id(self) -> str:
        """What tells this variable from others of its name."""
        return f"{self._shared_name}_{self._uid}"

    @property
    @is_hot
    def dtype(self) -> DType:
        """The type of the elements; a reference type for TensorFlow 1's variables."""
        return self._dtype._as_ref if self._is_ref else self._dtype

    @property
    @is_hot
    def dims(self) -> Dims:
        """The shape as a plain tuple."""
        return self._dims

    @property
    @is_hot
    def shape(self) -> TensorShape:
        """The shape."""
        return TensorShape.of(self._dims)

    def get_shape(self) -> TensorShape:
        """The shape; TensorFlow's older name."""
        return self.shape

    def set_shape(self, shape: ShapeLike) -> None:
        """Add what is known of the shape."""
        self._dims = merge(self._dims, as_dims(shape))

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._dims or ())

    @property
    def device(self) -> str:
        """The device of the value."""
        return str(self.handle.device)

    @property
    def graph(self) -> Graph:
        """The graph the variable was made in."""
        if self._graph is None:
            raise AttributeError("Tensor.graph is undefined when eager execution is enabled.")
        return self._graph

    @property
    def op(self) -> Node:
        """The operation that makes the handle."""
        return self.handle.op

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it when it is read, and optimizers change it."""
        return self._trainable

    @property
    def initializer(self) -> Node | None:
        """The operation that gives the variable its initial value; None for one made eagerly, which has it already."""
        return None if self._graph is None else self._initializer.op

    @property
    def initial_value(self) -> Any:
        """The tensor of the initial value; a RuntimeError eagerly."""
        self._only_in_graphs("property")
        return None if self._graph is None else self._initial

    def _only_in_graphs(self, what: str) -> None:
        if executing_eagerly():
            raise RuntimeError(f"This {what} is not supported when eager execution is enabled.")

    def initialized_value(self) -> Tensor:
        """A value for initialising other variables: the variable's where it has one already, else its initial value."""
        if self._graph is None:
            return self.value()
        return conditional.cond(self.is_initialized(), self.read_value, lambda: self._initial)

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether the variable has a value, a boolean tensor."""
        return IS_INITIALIZED(self.handle, name=name)

    @property
    def create(self) -> Node | None:
        """The operation that gives the variable its initial value; a RuntimeError eagerly."""
        self._only_in_graphs("operation")
        return self.initializer

    def _ref(self) -> Any:
        return self.handle

    def ref(self) -> Reference:
        """A hashable reference to this variable."""
        return Reference(self)

    experimental_ref = ref

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value()) if self._graph is None else self._no_iteration()

    def _no_iteration(self) -> Iterator[Any]:
        raise TypeError("'Variable' object is not iterable.")

    def __len__(self) -> int:
        return len(self.value())

    def __bool__(self) -> bool:
        return bool(self.value())

    def __float__(self) -> float:
        return float(self.value())

    def __int__(self) -> int:
        return int(self.value())

    def __index__(self) -> int:
        return self.value().__index__()

    __iadd__ = _refuse_in_place("+", "assign_add")
    __isub__ = _refuse_in_place("-", "assign_sub")
    __imul__ = _refuse_in_place("*", "assign")
    __itruediv__ = _refuse_in_place("/", "assign")

    def __eq__(self, other: object) -> Any:
        return LATE_BOUND["equal_operator"](self, other) if self._compares_elements() else self is other

    def __ne__(self, other: object) -> Any:
        return LATE_BOUND["not_equal_operator"](self, other) if self._compares_elements() else self is not other

    def _compares_elements(self) -> bool:
        return self._graph is None and ROOT.graph is None and Comparing.elements

    def __hash__(self) -> int:
        if self._compares_elements():
            raise TypeError("Variable is unhashable. Instead, use variable.ref() as the key. (Variable: " + repr(self) + ")")
        return id(self)

    def __repr__(self) -> str:
        head = f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}"
        if self._graph is not None or current().graph is not None:
            return head + ">"
        value = self.handle.value.value
        shown = own_lines(repr(value)) if value.ndim else number_text(value)
        return f"{head}, numpy={shown}>"

    def _repr_html_(self) -> str:
        if self._graph is not None:
            return f"<pre>{html.escape(repr(self))}</pre>"
        head = f"tf.Variable {self.name!r}, shape {self.shape}, {self.dtype.name}"
        return values.html_of_array(head, self.handle.value.value)

    def __copy__(self) -> Variable:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        copied: Variable = self._remade("__deepcopy__")()
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return self._remade("__reduce__"), ()

    def _remade(self, method: str) -> Callable[[], Any]:
        """What makes another variable of the same value."""
        if self._graph is not None or current().graph is not None:
            raise NotImplementedError(f"{method}() is only available when eager execution is enabled.")
        return partial(
            type(self), self.numpy(), trainable=self.trainable, name=self._name[:-2], dtype=self._dtype, constraint=self.constraint
        )


@export(v1="contrib.eager.Variable")
@name_class("ops.resource_variable_ops.ResourceVariable")
class ResourceVariable(Variable):
    """A variable behind a resource, TensorFlow 2's: what `Variable` makes.

    >>> isinstance(tf.Variable(1.0), tf.compat.v1.contrib.eager.Variable)
    True
    """


@name_class("ops.ref_variable.RefVariable")
class RefVariable(Variable):
    """A variable behind a reference, TensorFlow 1's: what its `Variable` makes in graphs by default."""


class WrittenVariable(Variable):
    """A variable as an eager write gives it: the same variable, shown under TensorFlow's name for it."""

    def __init__(self, variable: Variable) -> None:
        vars(self).update(vars(variable))

    @property
    def name(self) -> str:
        """TensorFlow's name for it."""
        return "UnreadVariable"


class UnreadVariable(Variable):
    """A variable of a graph as a write leaves it: what reads it waits for that write."""

    def __init__(self, variable: Variable, result: SymbolicTensor) -> None:
        vars(self).update(vars(variable))
        self._snapshot = result
        self._name = result.op.name

    @property
    def op(self) -> Node:
        """The operation that writes."""
        return self._snapshot.op

    def _read(self, name: str | None = None) -> Any:
        graph: Graph = self._snapshot.graph
        if current().graph is not graph:
            return convert_to_tensor(self._snapshot)
        with graph.control_dependencies([self._snapshot]):
            return super()._read(name)

    def _apply(self, op: Any, *inputs: Any, **attrs: Any) -> Any:
        graph: Graph = self._snapshot.graph
        with graph.control_dependencies([self._snapshot]):
            return super()._apply(op, *inputs, **attrs)


#: What programs that look at `type(v).__name__` find.
for _kind in (WrittenVariable, UnreadVariable):
    _kind.__name__ = _kind.__qualname__ = "_UnreadVariable"


@contextmanager
def _do_nothing() -> Iterator[None]:
    yield


@contextmanager
def _scope_for(graph: Graph, name: str, full: bool) -> Iterator[str]:
    """The scope of a variable's ops: a new one in the current scope, or for `get_variable` exactly `name`."""
    if not full:
        with graph.name_scope(name) as scope:
            yield scope
        return
    before = graph.scope
    graph.scope = ""
    graph.scope = graph.unique_name(name)
    try:
        yield graph.scope + "/"
    finally:
        graph.scope = before


def _lift_initial_value(graph: FunctionGraph, initial: Any) -> tuple[Any, Graph | None]:
    """A variable that a function makes lives outside it: an initial value that can be read there, and where that is."""
    if graph.keeper is not None:
        graph.keeper.admit()
        initial = graph.keeper.initial(initial)
    return initial, find_outer_graph(graph)


def is_variable(x: object) -> bool:
    """Whether `x` is a variable."""
    return isinstance(x, Variable)
