"""Name scopes, placeholders and the other small functions that speak of the current graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from types import NoneType
from typing import TYPE_CHECKING, Any, ClassVar

from ..base.dtypes import as_dtype, float32
from ..base.export import export, is_hot
from ..base.lazy_import import LazyModule
from ..base.shapes import as_dims
from ..ir.apply import convert_to_tensor
from ..ir.context import Context, current, enter_context, executing_eagerly, stop_recorders
from ..ir.function_graph import PLACEHOLDER, find_outer_graph
from ..ir.graph import Graph
from ..ir.node import Node
from ..ir.tensor import DTypeLike, ShapeLike, Tensor, TensorLike
from ..ir.tracebacks import trim, trims_methods
from ..ops.state.variables import PLACEHOLDER_WITH_DEFAULT
from .default import get_default_graph

if TYPE_CHECKING:
    from ..base import device_spec
else:
    device_spec = LazyModule("pullback.base.device_spec")

_eager_scope: ContextVar[str] = ContextVar("name_scope", default="")


@export("name_scope")
class name_scope:  # TensorFlow's name
    """Prefix the names of what is made in the block.

    name: the scope (made unique in a graph); a trailing slash re-enters a scope.  default_name, values: TensorFlow 1's way to name
    a scope when `name` is None.  Entering gives the prefix with its slash.

    >>> with tf.name_scope("layer") as scope:
    ...     print(scope)
    layer/
    """

    def __init__(self, name: str | None = None, default_name: str | None = None, values: Any = None) -> None:
        if name is not None and not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self.name = name if name is not None else default_name
        self._blocks: list[AbstractContextManager[str] | str] = []

    @is_hot
    def __enter__(self) -> str:
        name, graph = self.name, current().graph
        if graph is None:
            inner = "" if not name else name if name.endswith("/") else f"{_eager_scope.get()}{name}/"
            self._blocks.append(_eager_scope.get())
            _eager_scope.set(inner)
            return inner
        try:
            block = graph.name_scope(name)
            inner = block.__enter__()
            self._blocks.append(block)
            return inner
        except Exception as error:
            trim(error)
            raise

    @is_hot
    def __exit__(self, *error: Any) -> None:
        block = self._blocks.pop()
        if isinstance(block, str):  # no token, which another thread that has the same object could not take back
            _eager_scope.set(block)
        else:
            block.__exit__(*error)


@trims_methods
class ReentrantBlock:
    """A block that can be entered again, and that stays open when it was entered and nobody keeps it."""

    _entered: ClassVar[set[ReentrantBlock]] = set()

    def __init__(self, make: Callable[[], AbstractContextManager[Any]]) -> None:
        self._make = make
        self._blocks: list[AbstractContextManager[Any]] = []

    def __enter__(self) -> Any:
        block = self._make()
        found = block.__enter__()
        self._blocks.append(block)
        self._entered.add(self)
        return found

    def __exit__(self, *error: Any) -> bool | None:
        block = self._blocks.pop()
        if not self._blocks:
            self._entered.discard(self)
        return block.__exit__(*error)


@export("init_scope")
@contextmanager
def init_scope() -> Iterator[None]:
    """A block that is out of every function being built: in the graph that the outermost one is called in, or eager.

    The scope of names stays; control dependencies and tapes stay outside.

    >>> @tf.function
    ... def f(x):
    ...     with tf.init_scope():
    ...         print(tf.executing_eagerly())
    ...     return 2.0 * x
    >>> f(tf.constant(3.0)).numpy()
    True
    np.float32(6.0)
    """
    graph = current().graph
    if graph is None:
        with stop_recorders():
            yield
        return
    scope, target = graph.get_name_scope(), find_outer_graph(graph)
    with enter_context(Context(target, ())), name_scope(f"{scope}/" if scope else None), control_dependencies(None):
        yield


@export(v2="get_current_name_scope")
def get_current_name_scope() -> str:
    """The name scope that is open, without a slash at its end; empty outside every scope.

    >>> with tf.name_scope("outer"), tf.name_scope("inner"):
    ...     tf.get_current_name_scope()
    'outer/inner'
    """
    graph = current().graph
    return _eager_scope.get().rstrip("/") if graph is None else graph.get_name_scope()


@export(v1="placeholder")
def placeholder(dtype: DTypeLike, shape: ShapeLike | None = None, name: str | None = None) -> Tensor:
    """A tensor whose value every session run must be fed.

    dtype, shape: what values must be; unknown dimensions are None.  Raises RuntimeError when executing eagerly.

    >>> with tf1.Graph().as_default():
    ...     print(tf1.placeholder(tf1.float32, [None, 2], name="x"))
    Tensor("x:0", shape=(None, 2), dtype=float32)
    """
    if executing_eagerly():
        raise RuntimeError(
            "tf.placeholder() is not compatible with eager execution: call tf.compat.v1.disable_eager_execution() at the head of "
            "the program, build a graph (`with tf.Graph().as_default():`), or pass values as arguments."
        )
    return PLACEHOLDER(dtype=as_dtype(dtype).base_dtype, shape=as_dims(shape), name=name)


@export(v1="placeholder_with_default")
def placeholder_with_default(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """A tensor with the value of `input` unless a session run is fed another.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     rate = tf1.placeholder_with_default(0.5, [])
    ...     print(sess.run(2.0 * rate), sess.run(2.0 * rate, {rate: 4.0}))
    1.0 8.0
    """
    with name_scope(name, "PlaceholderWithDefault") as scope:
        tensor = convert_to_tensor(input, name="input")
        return PLACEHOLDER_WITH_DEFAULT(tensor, shape=as_dims(shape), name=scope)


@export("control_dependencies")
def control_dependencies(control_inputs: Iterable[Any] | None) -> AbstractContextManager[Any]:
    """What is made in the block runs after all of `control_inputs`; eagerly it does anyway (functions among them are called).

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable(1.0)
    ...     sess.run(v.initializer)
    ...     with tf1.control_dependencies([v.assign_add(10.0)]):
    ...         after = v.read_value()
    ...     print(sess.run(after))
    11.0
    """
    if executing_eagerly():
        for control in control_inputs or ():
            if callable(control):
                control()
        return nullcontext()
    graph, awaited = get_default_graph(), None if control_inputs is None else list(control_inputs)
    return ReentrantBlock(lambda: graph.control_dependencies(awaited))


@export(v2="device")
def device(device_name: object) -> AbstractContextManager[Any]:
    """Ask for a device for what is made in the block; everything runs on the CPU.

    Entering the block eagerly raises ValueError for a name that cannot be read.

    >>> with tf1.Graph().as_default(), tf1.device("/cpu:0"):
    ...     print(tf1.constant(1.0).op.device)
    /device:CPU:0
    """
    if callable(device_name):
        raise RuntimeError("tf.device does not support functions.")
    return ask_for_device(device_name)


def ask_for_device(wish: object) -> AbstractContextManager[Any]:
    """The block of `device`, where a graph takes a function of the operation too."""
    return ReentrantBlock(lambda: _read_device(wish)) if executing_eagerly() else get_default_graph().device(wish)


@contextmanager
def _read_device(wish: object) -> Iterator[None]:
    if not isinstance(wish, (str, device_spec.DeviceSpec, NoneType)):
        raise ValueError(f"Expecting a string device name. Got {type(wish)}({wish})")
    if isinstance(wish, str):
        device_spec.DeviceSpec.from_string(wish)
    yield


@export(v1="colocate_with")
def colocate_with(op: object, ignore_existing: bool = False) -> AbstractContextManager[Any]:
    """Ask that what is made in the block shares the device of `op`.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.constant(3.0)
    ...     with tf1.colocate_with(x):
    ...         y = 2.0 * x
    ...     print(sess.run(y))
    6.0
    """
    return nullcontext() if executing_eagerly() else get_default_graph().colocate_with(op, ignore_existing)


@export(v1="container")
def container(container_name: str) -> AbstractContextManager[Any]:
    """Name the container of resources that what is made in the block says it belongs to.

    >>> with tf1.Graph().as_default(), tf1.container("experiment"):
    ...     print(tf1.Variable(1.0).op.get_attr("container"))
    b'experiment'
    """
    return get_default_graph().container(container_name)


@export(v1="add_to_collection")
def add_to_collection(name: str, value: object) -> None:
    """Append `value` to the default graph's collection `name`.

    >>> with tf1.Graph().as_default():
    ...     tf1.add_to_collection("kept", 1)
    ...     tf1.add_to_collection("kept", 2)
    ...     print(tf1.get_collection("kept"))
    [1, 2]
    """
    get_default_graph().add_to_collection(name, value)


@export(v1="add_to_collections")
def add_to_collections(names: Iterable[Hashable] | None, value: object) -> None:
    """Append `value` to several of the default graph's collections.

    >>> with tf1.Graph().as_default():
    ...     tf1.add_to_collections(["a", "b"], 1)
    ...     print(tf1.get_collection("a"), tf1.get_collection("b"))
    [1] [1]
    """
    get_default_graph().add_to_collections(names, value)


@export(v1="get_collection")
def get_collection(key: str, scope: str | None = None) -> list[Any]:
    """A copy of the default graph's collection `key`.

    >>> with tf1.Graph().as_default():
    ...     w = tf1.Variable(1.0, name="layer/w")
    ...     tf1.get_collection(tf1.GraphKeys.TRAINABLE_VARIABLES, scope="layer")[0] is w
    ...     tf1.get_collection("nothing")
    True
    []
    """
    return get_default_graph().get_collection(key, scope)


@export(v1="get_collection_ref")
def get_collection_ref(key: str) -> list[Any]:
    """The list behind the default graph's collection `key`.

    >>> with tf1.Graph().as_default():
    ...     tf1.get_collection_ref("kept").append(1)  # a copy would not be kept
    ...     print(tf1.get_collection("kept"))
    [1]
    """
    return get_default_graph().get_collection_ref(key)


@export(v1="GraphKeys")
class GraphKeys:
    """The names of the collections that TensorFlow 1 uses.

    >>> tf1.GraphKeys.TRAINABLE_VARIABLES
    'trainable_variables'
    """

    GLOBAL_VARIABLES = "variables"
    VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    SUMMARIES = "summaries"
    SUMMARY_OP = "summary_op"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    SAVEABLE_OBJECTS = "saveable_objects"
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    GLOBAL_STEP = "global_step"
    TRAIN_OP = "train_op"
    METRIC_VARIABLES = "metric_variables"


__all__ = ["Graph", "GraphKeys", "Node", "add_to_collection", "float32", "name_scope", "placeholder", "placeholder_with_default"]
