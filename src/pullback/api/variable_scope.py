"""`get_variable` and `variable_scope`: variables by name, shared where a scope says so.

The variables of a graph are kept in a store that belongs to the graph.  A scope carries what `get_variable` takes when it is not
told: reuse, initializer, regularizer, dtype, constraint, whether ref or resource.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

from ..base.dtypes import DType, as_dtype, float32
from ..base.export import export
from ..base.shapes import TensorShape
from ..ir.context import executing_eagerly
from ..ir.convert import array_of, is_tensor_like
from ..ir.node import show_source, user_frame
from ..ir.tensor import DTypeLike, ShapeLike, TensorLike
from .default import get_default_graph
from .initializers import default_initializer
from .names import GraphKeys, ReentrantBlock
from .partitioned import PartitionedVariable, PartitionInfo, SaveSliceInfo, partitions_of, slices_of
from .variable import Variable
from .variable_creators import VariableAggregation, VariableSynchronization


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = export(v1="AUTO_REUSE")(_ReuseMode.AUTO_REUSE)
_STORE, _SCOPE = "_variable_store", "_variable_scope"


@export(v1="VariableScope")
class VariableScope:
    """What `get_variable` takes from its surroundings.

    >>> with tf1.Graph().as_default():
    ...     with tf1.variable_scope("layer", reuse=tf1.AUTO_REUSE) as scope:
    ...         print(scope.name, tf1.get_variable("w", [2]) is tf1.get_variable("w"))
    layer True
    """

    def __init__(self, reuse: Any, name: str = "", original_name_scope: str = "", **settings: Any) -> None:
        self.reuse = reuse
        self.name = name
        self.original_name_scope = original_name_scope
        self.initializer: Any = settings.get("initializer")
        self.regularizer: Any = settings.get("regularizer")
        self.constraint: Any = settings.get("constraint")
        self.dtype: DType = as_dtype(settings.get("dtype") or float32)
        self.use_resource: bool | None = settings.get("use_resource")
        self.custom_getter: Any = settings.get("custom_getter")
        self.partitioner: Any = settings.get("partitioner")
        self.caching_device: Any = settings.get("caching_device")

    def reuse_variables(self) -> None:
        """From here on `get_variable` returns existing variables only."""
        self.reuse = True

    def set_initializer(self, initializer: Callable[..., Any] | TensorLike | None) -> None:
        """Set the default initializer."""
        self.initializer = initializer

    def set_regularizer(self, regularizer: Callable[[Any], Any]) -> None:
        """Set the default regularizer."""
        self.regularizer = regularizer

    def set_dtype(self, dtype: DTypeLike) -> None:
        """Set the default dtype."""
        self.dtype = as_dtype(dtype)

    def set_use_resource(self, use_resource: bool) -> None:
        """Set whether variables are resource variables."""
        self.use_resource = use_resource

    def set_caching_device(self, caching_device: object) -> None:
        """Say where values that were read are kept: on the only device there is."""
        self.caching_device = caching_device

    def set_partitioner(self, partitioner: Callable[..., Any]) -> None:
        """Set the default partitioner."""
        self.partitioner = partitioner

    def set_custom_getter(self, custom_getter: Callable[..., Any]) -> None:
        """Set the function that `get_variable` goes through."""
        self.custom_getter = custom_getter

    def global_variables(self) -> list[Any]:
        """The variables whose names start with this scope's."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def trainable_variables(self) -> list[Any]:
        """The trainable variables whose names start with this scope's."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def local_variables(self) -> list[Any]:
        """The local variables whose names start with this scope's."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_collection(self, name: str) -> list[Any]:
        """What a collection of the graph has whose names start with this scope's."""
        return get_default_graph().get_collection(name, self.name + "/" if self.name else "")

    def settings(self) -> dict[str, Any]:
        """Everything an inner scope inherits."""
        names = ("initializer", "regularizer", "constraint", "dtype", "use_resource", "custom_getter", "partitioner")
        return {name: getattr(self, name) for name in names}


def _store() -> dict[str, Any]:
    kept = get_default_graph().get_collection_ref((_STORE,))
    if not kept:
        kept.append({"variables": {}, "partitioned": {}, "made": {}, "counts": {}})
    return kept[0]


#: Eagerly, `get_variable` finds variables again in the stores that are open, the innermost first, and keeps new ones in all of them.
_EAGER_STORES: ContextVar[tuple[dict[str, Any], ...]] = ContextVar("eager variable stores", default=())


@contextmanager
def open_store(variables: dict[str, Any]) -> Iterator[None]:
    """Keep the variables that `get_variable` makes eagerly in the block in `variables`, and give those that are there again."""
    token = _EAGER_STORES.set((*_EAGER_STORES.get(), variables))
    try:
        yield
    finally:
        _EAGER_STORES.reset(token)


def collect_variables() -> dict[str, Any]:
    """The variables that `get_variable` made in the default graph, by name."""
    return dict(_store()["variables"])


@export(v1="get_variable_scope")
def get_variable_scope() -> VariableScope:
    """The current variable scope.

    >>> with tf1.Graph().as_default(), tf1.variable_scope("outer"), tf1.variable_scope("inner"):
    ...     print(tf1.get_variable_scope().name)
    outer/inner
    """
    kept = get_default_graph().get_collection_ref((_SCOPE,))
    if not kept:
        kept.append(VariableScope(False))
    return kept[0]


@contextmanager
def _current_scope(scope: VariableScope) -> Iterator[VariableScope]:
    kept = get_default_graph().get_collection_ref((_SCOPE,))
    before = get_variable_scope()
    kept[0] = scope
    try:
        yield scope
    finally:
        kept[0] = before


@export(v1="variable_scope")
class variable_scope(ReentrantBlock):  # TensorFlow's name
    """Prefix the names of the variables (and of the operations) made in the block, and set what `get_variable` takes.

    name_or_scope: a name, a scope to enter again, or None to make one from `default_name`.  reuse: True, False, None (inherit) or
    AUTO_REUSE.
    Raises ValueError without a name.

    >>> with tf1.Graph().as_default(), tf1.variable_scope("layer"):
    ...     print(tf1.get_variable("w", [2]).name)
    layer/w:0
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: str | None = None,
        values: TensorLike | None = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        reuse: Any = None,
        dtype: DTypeLike | None = None,
        use_resource: bool | None = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if caching_device is not None:
            raise NotImplementedError("variable_scope: caching devices are not in Pullback: everything lives on one CPU")
        given = {
            "initializer": initializer, "regularizer": regularizer, "constraint": constraint, "dtype": dtype,
            "use_resource": use_resource, "custom_getter": custom_getter, "partitioner": partitioner,
        }  # fmt: skip
        super().__init__(lambda: _open_scope(name_or_scope, default_name, reuse, given, auxiliary_name_scope))


@contextmanager
def _open_scope(
    name_or_scope: Any, default_name: str | None, reuse: Any, given: Mapping[str, Any], auxiliary_name_scope: bool
) -> Iterator[VariableScope]:
    graph = get_default_graph()
    outer = get_variable_scope()
    counts = _store()["counts"]
    again = isinstance(name_or_scope, VariableScope)
    if again:
        full, base = name_or_scope.name, name_or_scope
        inherited_reuse = name_or_scope.reuse if reuse is None else reuse
        scope_name = full.rsplit("/", 1)[-1]
    else:
        if reuse and name_or_scope is None:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        short = name_or_scope if name_or_scope is not None else _unique(outer.name, str(default_name), counts)
        full, base = (f"{outer.name}/{short}" if outer.name else short), outer
        inherited_reuse = reuse if reuse else outer.reuse
        scope_name = short if name_or_scope is not None else str(default_name)  # made unique among operations, not among variables
    counts[full] = counts.get(full, 0) + 1
    settings = {**base.settings(), **{k: v for k, v in given.items() if v is not None}}
    saved = {k: v for k, v in counts.items() if k.startswith(full + "/")}
    for k in saved:
        del counts[k]
    name_block = graph.name_scope(scope_name) if auxiliary_name_scope and scope_name else _keep_scope(graph)
    try:
        with name_block as names, _current_scope(VariableScope(inherited_reuse, full, names, **settings)) as scope:
            yield scope
    finally:
        counts.update(saved)


@contextmanager
def _keep_scope(graph: Any) -> Iterator[str]:
    yield graph.scope + "/" if graph.scope else ""


def _unique(outer: str, name: str, counts: dict[str, int]) -> str:
    def is_taken(candidate: str) -> bool:
        return counts.get(f"{outer}/{candidate}" if outer else candidate, 0) > 0

    if not is_taken(name):
        return name
    i = 1
    while is_taken(f"{name}_{i}"):
        i += 1
    return f"{name}_{i}"


@export(v1="get_variable")
def get_variable(
    name: str,
    shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: VariableSynchronization = VariableSynchronization.AUTO,
    aggregation: VariableAggregation = VariableAggregation.NONE,
) -> Variable | Any:
    """The variable `name` of the current variable scope: a new one, or where the scope reuses, the one made before.

    shape: needed unless `initializer` is a value.  initializer: a function of shape and dtype, a class of such, or a value;
    glorot uniform for floating variables and zeros for others when None.
    Raises ValueError: the variable exists and is not to be reused, does not exist and must be, or has another shape or dtype.

    >>> with tf1.Graph().as_default():
    ...     v = tf1.get_variable("v", [1])
    ...     with tf1.variable_scope("", reuse=True):
    ...         print(tf1.get_variable("v", [1]) is v)
    True
    """
    if caching_device is not None:
        raise NotImplementedError("get_variable: caching devices are not in Pullback: everything lives on one CPU")
    scope = get_variable_scope()
    full = f"{scope.name}/{name}" if scope.name else name
    options: dict[str, Any] = {
        "shape": shape, "dtype": as_dtype(dtype).base_dtype if dtype is not None else None,
        "initializer": initializer if initializer is not None else scope.initializer,
        "regularizer": regularizer if regularizer is not None else scope.regularizer, "trainable": trainable, "collections": collections,
        "validate_shape": validate_shape, "use_resource": use_resource if use_resource is not None else scope.use_resource,
        "constraint": constraint if constraint is not None else scope.constraint,
        "reuse": AUTO_REUSE if executing_eagerly() or _EAGER_STORES.get() else scope.reuse,
        "partitioner": partitioner if partitioner is not None else scope.partitioner, "synchronization": synchronization,
        "aggregation": aggregation,
    }  # fmt: skip
    getter: Callable[..., Any] = _get_variable
    custom = custom_getter or scope.custom_getter
    if custom is not None:
        return custom(getter, full, **options)
    return getter(full, **options)


#: What a custom getter may leave out.
_DEFAULTS: dict[str, Any] = {
    "shape": None, "dtype": None, "initializer": None, "regularizer": None, "trainable": None, "collections": None, "validate_shape": True,
    "use_resource": None, "constraint": None, "reuse": None, "synchronization": VariableSynchronization.AUTO,
    "aggregation": VariableAggregation.NONE,
}  # fmt: skip


def _get_variable(name: str, partitioner: Any = None, **options: Any) -> Any:
    options = _DEFAULTS | options
    if partitioner is not None and (executing_eagerly() or _EAGER_STORES.get()):
        raise ValueError("Partitioned variables are not yet supported when eager execution is enabled.")
    shape = _shape_of(options)
    if partitioner is not None and shape.rank != 0:
        return _get_partitioned(name, partitioner, shape, options)
    if f"{name}/part_0" in _store()["variables"]:
        raise ValueError(
            f"No partitioner was provided, but a partitioned version of the variable was found: {name}/part_0. Perhaps a variable of the "
            "same name was already created with partitioning?"
        )
    return _get_single(name, **options)


def _shape_of(options: dict[str, Any]) -> TensorShape:
    """The shape asked for, or that of the value given."""
    initializer = options["initializer"]
    if options["shape"] is None and initializer is not None and not callable(initializer):
        return TensorShape(initializer.shape if is_tensor_like(initializer) else array_of(initializer).shape)
    return TensorShape(options["shape"])


def _get_partitioned(name: str, partitioner: Any, shape: TensorShape, options: dict[str, Any]) -> PartitionedVariable:
    """The variable in parts: those made before, or new ones."""
    store = _store()
    known = store["partitioned"].get(name)
    dtype = options["dtype"] or get_variable_scope().dtype
    if known is None and name in store["variables"]:
        raise ValueError(
            f"A partitioner was provided, but an unpartitioned version of the variable was found: {name}. Perhaps a variable of the same "
            "name was already created without partitioning?"
        )
    if known is not None and options["reuse"] in (False, None):
        text = "Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
        raise ValueError(f"Partitioned variable with name {name} already exists. {text}")
    if not shape.is_fully_defined():
        raise ValueError(f"Shape of a new partitioned variable ({name}) must be fully defined, but instead was {shape}.")
    partitions = partitions_of(partitioner, shape, dtype)
    if known is not None:
        if not shape.is_compatible_with(known.shape) or dtype != known.dtype or partitions != known._get_partitions():
            text = f"specified {shape}, {dtype.name}, {partitions} and found {known.shape}, {known.dtype.name}, {known._get_partitions()}"
            raise ValueError(f"Trying to reuse partitioned variable {name}, but {text}.")
        return known
    sizes = [n or 0 for n in shape.as_list()]
    parts = [_part(name, i, sizes, *of, options) for i, of in enumerate(slices_of(sizes, partitions))]
    made = store["partitioned"][name] = PartitionedVariable(name, shape, parts[0].dtype.base_dtype, parts, partitions)
    return made


def _part(name: str, number: int, whole: list[int], begin: list[int], size: list[int], options: dict[str, Any]) -> Any:
    initializer = options["initializer"]
    info = SaveSliceInfo(name, whole, begin, size)
    if initializer is not None and not callable(initializer):
        value = initializer if is_tensor_like(initializer) else array_of(initializer, options["dtype"])
        own: dict[str, Any] = {"initializer": value[info.slices], "shape": None}
    else:
        own = {"shape": size, "partition_info": PartitionInfo(TensorShape(whole), begin)}
    made = _get_single(f"{name}/part_{number}", **{**options, **own})
    made._save_slice_info = info
    return made


def _get_single(name: str, **options: Any) -> Any:
    store = _store()
    kept = _EAGER_STORES.get()
    eager = executing_eagerly()
    existing = next((s[name] for s in reversed(kept) if name in s), None) if kept or eager else store["variables"].get(name)
    reuse, shape, dtype = options["reuse"], options["shape"], options["dtype"]
    if existing is not None:
        if reuse is False or reuse is None:
            raise ValueError(
                f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in VarScope? "
                f"It was made at {store['made'][name]}."
            )
        wanted = None if shape is None else TensorShape(shape)
        if wanted is not None and not wanted.is_compatible_with(existing.shape):
            raise ValueError(f"Trying to share variable {name}, but specified shape {wanted} and found shape {existing.shape}.")
        if dtype is not None and dtype != existing.dtype.base_dtype:
            raise ValueError(f"Trying to share variable {name}, but specified dtype {dtype.name} and found dtype {existing.dtype.name}.")
        return existing
    if reuse is True:
        raise ValueError(
            f"Variable {name} does not exist, or was not created with tf.get_variable(). Did you mean to set reuse=tf.AUTO_REUSE in "
            "VarScope?"
        )
    variable = _make_variable(name, options)
    for variables in kept:
        variables[name] = variable
    if not (kept or eager):
        store["variables"][name] = variable
        store["made"][name] = show_source(user_frame())
    return variable


def _make_variable(name: str, options: dict[str, Any]) -> Variable:
    scope = get_variable_scope()
    initializer, dtype = options["initializer"], options["dtype"]
    if isinstance(initializer, type):
        initializer = initializer()
    if initializer is not None and not callable(initializer):
        if options["shape"] is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        initial: Any = initializer if is_tensor_like(initializer) else array_of(initializer, dtype)
        shape = None
    else:
        if options["shape"] is None and initializer is not None and _needs_nothing(initializer):
            initial, shape, dtype = initializer, None, None  # the value says both
        elif options["shape"] is None or not TensorShape(options["shape"]).is_fully_defined():
            raise ValueError(f"Shape of a new variable ({name}) must be fully defined, but instead was {options['shape']}.")
        else:
            dtype = dtype or scope.dtype
            chosen = initializer or default_initializer(name, dtype)
            shape = TensorShape(options["shape"])
            initial = _from_initializer(chosen, shape.as_list(), dtype, options.get("partition_info"))
    trainable, synchronization = options["trainable"], options["synchronization"]
    if trainable is None:
        trainable = synchronization is not VariableSynchronization.ON_READ
    variable = Variable(
        initial, trainable=trainable, validate_shape=options["validate_shape"], dtype=dtype, constraint=options["constraint"],
        use_resource=options["use_resource"], collections=options["collections"], full_name=None if executing_eagerly() else name,
        name=name, shape=shape, first_version=True, synchronization=synchronization, aggregation=options["aggregation"],
    )  # fmt: skip
    if options["regularizer"] is not None:
        with get_default_graph().name_scope(name + "/Regularizer/"):
            loss = options["regularizer"](variable)
        if loss is not None:
            get_default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
    return variable


def _needs_nothing(initializer: Callable[..., Any]) -> bool:
    """Whether an initializer gives its value, which says the shape, without being told one."""
    return all(p.default is not p.empty for p in inspect.signature(initializer).parameters.values())


def _from_initializer(initializer: Any, shape: list[Any], dtype: DType, part: PartitionInfo | None) -> Callable[[], Any]:
    parameters = inspect.signature(initializer).parameters
    takes_anything = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    if not parameters:
        return initializer
    options: dict[str, Any] = {"dtype": dtype} if "dtype" in parameters or takes_anything else {}
    if part is not None and "partition_info" in parameters:
        options["partition_info"] = part
    return lambda: initializer(shape, **options)


@export(v1="variable_op_scope")
def variable_op_scope(
    values: TensorLike, name_or_scope: str | VariableScope | None, default_name: str | None = None, **options: Any
) -> AbstractContextManager[VariableScope]:
    """`variable_scope`, with an older order of arguments.

    >>> with tf1.Graph().as_default(), tf1.variable_op_scope([], None, "layer"):
    ...     print(tf1.get_variable("w", [2]).name)
    layer/w:0
    """
    return variable_scope(name_or_scope, default_name, values, **options)


@export(v1="no_regularizer")
def no_regularizer(_: Variable) -> None:
    """A regularizer that gives no loss.

    >>> with tf1.Graph().as_default(), tf1.variable_scope("layer", regularizer=tf1.reduce_sum):
    ...     w, b = tf1.get_variable("w", [2]), tf1.get_variable("b", [2], regularizer=tf1.no_regularizer)
    ...     print(len(tf1.losses.get_regularization_losses()))
    1
    """
