"""`tf.distribute`: strategies, and the contexts of their replicas.

What strategies promise holds: a block or function knows its strategy and whether it is in one replica or across all of them, what replicas
gave is reduced and gathered.  The strategy here has one replica, so a value is its own sum and its own mean; strategies.py has those of
several processes.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from ..api.variable_creators import variable_creator_scope
from ..base import nest
from ..base.export import export
from ..base.lazy_import import LazyModule
from ..ir.apply import convert_to_tensor
from ..ir.tensor import DEVICE, Tensor
from ..ops.array.basic import identity
from ..ops.reduce.reductions import reduce_mean, reduce_sum
from .distribute_inputs import InputContext, ValueContext

if TYPE_CHECKING:
    from ..api.variable import Variable
    from . import scaling
else:
    scaling = LazyModule("pullback.train.scaling")


@export("distribute.ReduceOp")
class ReduceOp(enum.Enum):
    """How the values of replicas become one.

    >>> [how.name for how in tf.distribute.ReduceOp]
    ['SUM', 'MEAN']
    """

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def of(wanted: Any) -> ReduceOp:
        """A member, or the member of that name in any case."""
        return wanted if isinstance(wanted, ReduceOp) else ReduceOp[str(wanted).upper()]


@export("distribute.ReplicaContext")
class ReplicaContext:
    """Where a function runs that a strategy runs in a replica.

    >>> tf.distribute.get_strategy().run(lambda: tf.distribute.get_replica_context().num_replicas_in_sync)
    1
    """

    def __init__(self, strategy: Strategy, replica_id_in_sync_group: Any = 0) -> None:
        self._strategy, self._replica = strategy, replica_id_in_sync_group

    @property
    def strategy(self) -> Strategy:
        """The strategy that runs the function."""
        return self._strategy

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are."""
        return self._strategy.num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self) -> Tensor:
        """Which of them this is."""
        return self._replica

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of the replica."""
        return ("",) if isinstance(self._strategy, DefaultStrategy) else (DEVICE,)

    def merge_call(self, merge_fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None) -> Any:
        """What `merge_fn(strategy, *args, **kwargs)` gives, called across replicas."""
        with enter_cross_replica(self._strategy):
            return merge_fn(self._strategy, *args, **(kwargs or {}))

    def all_reduce(self, reduce_op: object, value: object, options: object = None) -> Any:
        """The sum or mean over replicas of each tensor in `value`."""
        return self._strategy._all_reduce(ReduceOp.of(reduce_op), value)

    def all_gather(self, value: object, axis: int, options: object = None) -> Any:
        """The values of all replicas, one behind the other."""
        return self._strategy._all_gather(value, axis)


@export("distribute.StrategyExtended")
class StrategyExtended:
    """What libraries ask of a strategy.

    >>> v = tf.Variable(1.0)
    >>> _ = tf.distribute.get_strategy().extended.update(v, lambda v, by: v.assign_add(by), args=(2.0,))
    >>> v.numpy().item()
    3.0
    """

    def __init__(self, container_strategy: Strategy) -> None:
        self._strategy = container_strategy
        self._devices: tuple[str, ...] = (DEVICE,)

    #: Variables that replicas write apart, hosts that have several of them, and file writers: one process does it all.
    experimental_between_graph = False
    experimental_require_static_shapes = False
    experimental_should_init = True
    #: What tf_keras asks: batches that a program makes are those of all replicas together.
    _global_batch_size = True

    @property
    def should_checkpoint(self) -> bool:
        """Whether this process writes checkpoints for all."""
        return self._strategy._replica == 0

    @property
    def should_save_summary(self) -> bool:
        """Whether this process writes summaries for all."""
        return self._strategy._replica == 0

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The devices that replicas run on."""
        return self._devices

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The devices that variables are on."""
        return self._devices

    def colocate_vars_with(self, colocate_with_variable: object) -> AbstractContextManager[Any]:
        """A block whose variables lie where that one does."""
        return nullcontext()

    def variable_created_in_scope(self, v: Variable) -> bool:
        """Whether a variable belongs to the strategy."""
        of = getattr(v, "_distribute_strategy", None)
        return of is (None if isinstance(self._strategy, DefaultStrategy) else self._strategy)

    def update(
        self, var: Variable, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None, group: bool = True
    ) -> Any:  # fmt: skip
        """What `fn(var, *args, **kwargs)` gives, where the variable is."""
        with enter_cross_replica(self._strategy):
            return fn(var, *args, **(kwargs or {}))

    def update_non_slot(
        self, colocate_with: object, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None,
        group: bool = True
    ) -> Any:  # fmt: skip
        """What `fn(*args, **kwargs)` gives."""
        with enter_cross_replica(self._strategy):
            return fn(*args, **(kwargs or {}))

    def call_for_each_replica(self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None) -> Any:
        """What `fn(*args, **kwargs)` gives in each replica."""
        return self._strategy.run(fn, args, kwargs)

    def reduce_to(self, reduce_op: object, value: object, destinations: object, options: object = None) -> Any:
        """The sum or mean of what the replicas have."""
        return self._strategy._all_reduce(ReduceOp.of(reduce_op), value)

    def batch_reduce_to(self, reduce_op: object, value_destination_pairs: Iterable[tuple[Any, Any]], options: object = None) -> list[Any]:
        """`reduce_to` of several."""
        return list(self._strategy._all_reduce(ReduceOp.of(reduce_op), [value for value, _ in value_destination_pairs]))

    def broadcast_to(self, tensor: object, destinations: object) -> Any:
        """A tensor where it is wanted."""
        return tensor

    def read_var(self, v: Any) -> Any:
        """A variable's value."""
        return v.read_value()

    def value_container(self, value: object) -> Any:
        """What holds the parts of a value, one for each replica."""
        return value

    def non_slot_devices(self, var_list: Sequence[Any]) -> str:
        """The device of what belongs to no variable."""
        return DEVICE

    def _in_multi_worker_mode(self) -> bool:
        """Asked by Keras, which would then put results of replicas together itself, scalars along their first axis."""
        return False


@export("distribute.Strategy")
class Strategy:
    """How work is spread over replicas; this one has a single one.

    >>> strategy = tf.distribute.get_strategy()
    >>> strategy.num_replicas_in_sync, strategy.run(lambda x: x + 1.0, args=(tf.constant(1.0),)).numpy().item()
    (1, 2.0)
    """

    #: Whether a coordinator sends work to parameter servers: there are none.
    _should_use_with_coordinator = False
    #: Whether what changes shared variables has to be called across replicas.
    _merges = False

    def __init__(self, extended: Any = None) -> None:
        self._extended: StrategyExtended = StrategyExtended(self) if extended is None else extended

    @property
    def extended(self) -> StrategyExtended:
        """What libraries ask of it."""
        return self._extended

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are."""
        return 1

    @property
    def cluster_resolver(self) -> None:
        """The cluster: there is none."""
        return None

    @contextmanager
    def scope(self) -> Iterator[Strategy]:
        """A block in which this is the strategy; variables made there belong to it.  RuntimeError within another strategy's block."""
        refuse_another(self)

        def create(following: Callable[..., Any], **kwargs: Any) -> Any:
            variable = self._make_variable(following, kwargs)
            variable._distribute_strategy = self
            return variable

        with enter_strategy(self, None), variable_creator_scope(create):
            yield self

    def run(self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None, options: object = None) -> Any:
        """What `fn(*args, **kwargs)` gives in the replica."""
        refuse_another(self)
        with enter_strategy(self, ReplicaContext(self, convert_to_tensor(self._replica))):
            return fn(*args, **(kwargs or {}))

    def reduce(self, reduce_op: object, value: object, axis: int | None) -> Any:
        """The sum or mean of what replicas gave, with `axis` also over that axis of it.

        >>> tf.distribute.get_strategy().reduce("MEAN", tf.constant([1.0, 3.0]), axis=0).numpy().item()
        2.0
        """
        how = ReduceOp.of(reduce_op)
        if axis is None:
            return self._all_reduce(how, value)
        return nest.map_structure(lambda part: self._reduce_axis(how, part, axis), value)

    def gather(self, value: object, axis: int) -> Any:
        """What the replicas have, one behind the other."""
        return self._all_gather(value, axis)

    # ---- what a strategy of several replicas does otherwise

    @property
    def _replica(self) -> int:
        """Which replica this process has."""
        return 0

    def _all_reduce(self, how: ReduceOp, value: Any) -> Any:
        return nest.map_structure(lambda part: identity(part) if isinstance(part, Tensor) else part, value)

    def _all_gather(self, value: Any, axis: int) -> Any:
        return nest.map_structure(identity, value)

    def _reduce_axis(self, how: ReduceOp, value: Any, axis: int) -> Any:
        return (reduce_sum if how is ReduceOp.SUM else reduce_mean)(value, axis=axis)

    def _make_variable(self, following: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        return following(**kwargs)

    def experimental_local_results(self, value: object) -> tuple[Any, ...]:
        """What each replica has."""
        return (value,)

    def plan(
        self, step: Callable[[Any], Any], examples: Any, replicas: Iterable[int] | None = None, bandwidth: float = 1e9,
        latency: float = 5e-5, overlap: float = 0.0, fast: bool = False, processors: int | None = None,
    ) -> scaling.ScalingPlan:  # fmt: skip
        """What a data-parallel step would cost on other numbers of replicas, as a table and a picture.

        The step is run here on shares of the examples, and timed; what the replicas send each other is modelled (train/scaling.py).

        Args:
            step: a replica's part of a step, without collectives: of its share of the examples, it gives nested gradients (tensors,
                `IndexedSlices`, None). What it changes stays changed.
            examples: nested tensors with one first axis: a whole batch.
            replicas: how many there are; 1 to 1,024 in powers of two and 10,000 when None.
            bandwidth: bytes a second that a replica sends.  latency: seconds of a message.
            overlap: the share of the computing, from 0 to 1, during which gradients travel: in a function, what follows the first bucket.
            fast: sums by MPI's own reduction.  processors: how many of the replicas compute at the same time, all when None.

        Raises ValueError for examples without a common first axis, and for numbers that are none.

        >>> w = tf.Variable(tf.ones([100, 1]))
        >>> def step(x):
        ...     with tf.GradientTape() as tape:
        ...         loss = tf.reduce_sum((x @ w) ** 2)
        ...     return tape.gradient(loss, w)
        >>> plan = tf.distribute.get_strategy().plan(step, tf.ones([64, 100]), replicas=[1, 2, 4])
        >>> plan.dense, plan.messages, [cost.share for cost in plan.costs]
        (400, 1, [64, 32, 16])
        """
        counts = scaling.REPLICAS if replicas is None else replicas
        return scaling.plan_scaling(step, examples, counts, bandwidth, latency, overlap, fast, processors)

    def unwrap(self, value: object) -> tuple[Any, ...]:
        """What each replica has, under the name that libraries know."""
        return self.experimental_local_results(value)

    def experimental_distribute_dataset(self, dataset: object, options: object = None) -> Any:
        """A dataset whose elements are split among the replicas: the dataset."""
        return dataset

    def distribute_datasets_from_function(self, dataset_fn: Callable[[InputContext], Any], options: object = None) -> Any:
        """The dataset that a function makes for the one place that reads it."""
        return dataset_fn(InputContext())

    def experimental_distribute_values_from_function(self, value_fn: Callable[[ValueContext], Any]) -> Any:
        """What a function makes for each replica."""
        return value_fn(ValueContext())


class DefaultStrategy(Strategy):
    """The strategy where none was asked for: code runs in a replica, and nobody notices."""

    @contextmanager
    def scope(self) -> Iterator[Strategy]:
        """A block, which changes nothing.  RuntimeError within another strategy's block."""
        refuse_another(self)
        yield self

    def run(self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None, options: object = None) -> Any:
        """What `fn(*args, **kwargs)` gives."""
        refuse_another(self)
        return fn(*args, **(kwargs or {}))


_default = DefaultStrategy()
_default_context = ReplicaContext(_default)
#: The strategy in force and the replica of it, None across replicas.
_here: ContextVar[tuple[Strategy, ReplicaContext | None]] = ContextVar("strategy", default=(_default, _default_context))


@contextmanager
def enter_strategy(strategy: Strategy, replica: ReplicaContext | None) -> Iterator[None]:
    token = _here.set((strategy, replica))
    try:
        yield
    finally:
        _here.reset(token)


def enter_cross_replica(strategy: Strategy) -> AbstractContextManager[None]:
    return nullcontext() if isinstance(strategy, DefaultStrategy) else enter_strategy(strategy, None)


def refuse_another(strategy: Strategy) -> None:
    entered = _here.get()[0]
    if entered is not strategy and not isinstance(entered, DefaultStrategy):
        raise RuntimeError(
            f"Mixing different tf.distribute.Strategy objects: {strategy!r} is not {entered!r}, in whose scope this is called"
        )


@export("distribute.get_strategy")
def get_strategy() -> Strategy:
    """The strategy in force.

    >>> strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    >>> with strategy.scope():
    ...     tf.distribute.get_strategy() is strategy
    True
    """
    return _here.get()[0]


@export("distribute.has_strategy")
def has_strategy() -> bool:
    """Whether a strategy other than the default one is in force.

    >>> with tf.distribute.MirroredStrategy().scope():
    ...     tf.distribute.has_strategy(), tf.distribute.in_cross_replica_context()
    (True, True)
    >>> tf.distribute.has_strategy()
    False
    """
    return not isinstance(_here.get()[0], DefaultStrategy)


@export("distribute.get_replica_context")
def get_replica_context() -> ReplicaContext | None:
    """The replica that this runs in; None across replicas.

    >>> tf.distribute.get_replica_context().replica_id_in_sync_group
    0
    """
    return _here.get()[1]


@export("distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether this runs across replicas.

    >>> tf.distribute.in_cross_replica_context()
    False
    """
    return _here.get()[1] is None


def maybe_merge_call(fn: Callable[..., Any], strategy: Strategy, *args: Any, **kwargs: Any) -> Any:
    """What `fn(strategy, *args, **kwargs)` gives, called across replicas where the strategy needs that: where one process has several."""
    replica = get_replica_context()
    return fn(strategy, *args, **kwargs) if replica is None or not strategy._merges else replica.merge_call(fn, args, kwargs)


@contextmanager
def variable_sync_on_read_context() -> Iterator[None]:
    """A block whose reads of variables that replicas hold apart join the replicas' values; with one replica there is nothing to join."""
    if get_strategy().num_replicas_in_sync > 1:
        raise NotImplementedError("values of variables that are joined on reading are joined outside `Strategy.run` only")
    yield


def strategy_supports_no_merge_call() -> bool:
    """Whether updates need no call across replicas."""
    return not get_strategy()._merges
