"""`tf.data.experimental.service` within one process: dispatchers and workers that programs of several parts, and tests, have in one.

Workers go through datasets in the process that they are made in, when an element is asked for.  There are no sockets: an address is that of
a server of this process, and another process's is refused.
"""

from __future__ import annotations

import enum
import itertools
import weakref
from collections.abc import Callable, Iterator
from threading import Event, Lock
from typing import Any, NamedTuple

from ...base.errors import AlreadyExistsError, InvalidArgumentError, NotFoundError, UnavailableError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor
from .methods import Dataset

_ports, _ids = itertools.count(5050).__next__, itertools.count(1000).__next__
_dispatchers: weakref.WeakValueDictionary[str, DispatchServer] = weakref.WeakValueDictionary()


@export("data.experimental.service.DispatcherConfig")
class DispatcherConfig(NamedTuple):
    """What a dispatcher is told.  Its port, times and folder matter to servers of several processes, and are taken.

    >>> tf.data.experimental.service.DispatcherConfig(port=5000).protocol
    'grpc'
    """

    port: int = 0
    protocol: str | None = "grpc"
    work_dir: str | None = None
    fault_tolerant_mode: bool = False
    worker_addresses: list[str] | None = None
    job_gc_check_interval_ms: int = 0
    job_gc_timeout_ms: int = 0
    worker_timeout_ms: int | None = None
    worker_max_concurrent_snapshots: int = 0


@export("data.experimental.service.WorkerConfig")
class WorkerConfig(NamedTuple):
    """What a worker is told: the address of its dispatcher; the rest matters to servers of several processes, and is taken.

    >>> tf.data.experimental.service.WorkerConfig("localhost:5000").dispatcher_address
    'localhost:5000'
    """

    dispatcher_address: str
    worker_address: str = "localhost:%port%"
    port: int = 0
    protocol: str | None = "grpc"
    heartbeat_interval_ms: int = 0
    dispatcher_timeout_ms: int = 0
    data_transfer_protocol: str | None = None
    data_transfer_address: str = "localhost:%dts_port%"


class _Server:
    """A server of this process."""

    def __init__(self) -> None:
        self._ended = Event()

    def join(self) -> None:
        """Wait until the server is stopped."""
        self._ended.wait()

    def _stop(self) -> None:
        self._ended.set()


@export("data.experimental.service.DispatchServer")
class DispatchServer(_Server):
    """What knows the workers and the datasets of a service.  It serves its own process, for as long as the program keeps it.

    config: a `DispatcherConfig`. start: whether it serves at once; otherwise `start` begins it.
    Raises ValueError for `fault_tolerant_mode` without a `work_dir`, AlreadyExistsError for a port that another dispatcher has.

    >>> dispatcher = tf.data.experimental.service.DispatchServer()
    >>> worker = tf.data.experimental.service.WorkerServer(
    ...     tf.data.experimental.service.WorkerConfig(dispatcher_address=dispatcher.target.split("://")[1])
    ... )
    >>> shared = tf.data.Dataset.range(3).apply(tf.data.experimental.service.distribute("parallel_epochs", dispatcher.target))
    >>> [int(i) for i in shared]
    [0, 1, 2]
    """

    def __init__(self, config: DispatcherConfig | None = None, start: bool = True) -> None:
        super().__init__()
        self._config = config or DispatcherConfig()
        if self._config.fault_tolerant_mode and not self._config.work_dir:
            raise ValueError(
                "Cannot enable fault tolerant mode without configuring a work dir. Make sure to set `work_dir` in the `config` object "
                "passed to `DispatcherServer`."
            )
        self._address = f"localhost:{self._config.port}"
        self._datasets: dict[bytes, Any] = {}
        self._jobs: dict[tuple[str, int], _Job] = {}
        self._workers: weakref.WeakSet[WorkerServer] = weakref.WeakSet()
        self._lock = Lock()
        if start:
            self.start()

    def start(self) -> None:
        """Begin to serve; nothing where it does already."""
        if _dispatchers.get(self._address) is not self:
            self._address = f"localhost:{self._config.port or _ports()}"
            if _dispatchers.setdefault(self._address, self) is not self:
                raise AlreadyExistsError(None, None, f"a dispatcher of this process serves at {self._address}")

    @property
    def target(self) -> str:
        """What `distribute` finds it by."""
        return f"{self._config.protocol}://{self._address}"

    def _num_workers(self) -> int:
        return len(self._workers)

    def _register(self, dataset: Any, dataset_id: str | None) -> bytes:
        key = str(_ids() if dataset_id is None else dataset_id).encode()
        with self._lock:
            known = self._datasets.setdefault(key, dataset)
        if known.element_spec != dataset.element_spec:
            raise InvalidArgumentError(
                None, None,
                "Failed to register dataset: Datasets with the same ID should have the same structure, got diff for dataset ID "
                f"{key.decode()}: {known.element_spec} and {dataset.element_spec}",
            )  # fmt: skip
        return key

    def _elements(self, dataset: Any, once: bool) -> Iterator[Any]:
        """What the workers that there are now give, by turns."""
        if not (count := len(self._workers)):
            raise UnavailableError(None, None, f"the dispatcher at {self.target} has no worker: make a WorkerServer for it")
        iterators = [iter(dataset) for _ in range(1 if once else count)]
        while iterators:
            for iterator in [*iterators]:
                try:
                    yield next(iterator)
                except StopIteration:
                    iterators.remove(iterator)

    def _job(self, name: str, repetition: int, make: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        """The iterator that all who name a job share."""
        with self._lock:
            return self._jobs.setdefault((name, repetition), _Job(make()))


class _Job:
    """An iterator that several threads may share."""

    def __init__(self, elements: Iterator[Any]) -> None:
        self._elements, self._lock = elements, Lock()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        with self._lock:
            return next(self._elements)


@export("data.experimental.service.WorkerServer")
class WorkerServer(_Server):
    """What goes through the datasets of a service, in this process, for as long as the program keeps it.

    config: a `WorkerConfig`. start: whether it serves at once; otherwise `start` begins it.
    Raises UnavailableError for a dispatcher that is not of this process.

    >>> tf.data.experimental.service.WorkerServer(tf.data.experimental.service.WorkerConfig("elsewhere:5000"))
    Traceback (most recent call last):
    pullback.base.errors.UnavailableError: no dispatcher of this process serves at elsewhere:5000...
    """

    def __init__(self, config: WorkerConfig, start: bool = True) -> None:
        super().__init__()
        self._address = config.dispatcher_address
        if start:
            self.start()

    def start(self) -> None:
        """Begin to serve; nothing where it does already."""
        _dispatcher(self._address)._workers.add(self)


@export("data.experimental.service.ShardingPolicy")
class ShardingPolicy(enum.IntEnum):
    """How workers part a dataset: each gives all of it (OFF), or each element comes from one of them (DYNAMIC); others are not here.

    >>> tf.data.experimental.service.ShardingPolicy.DYNAMIC.name
    'DYNAMIC'
    """

    OFF = 0
    DYNAMIC = 1
    FILE = 2
    DATA = 3
    FILE_OR_DATA = 4
    HINT = 5


_MODES = {"parallel_epochs": ShardingPolicy.OFF, "distributed_epoch": ShardingPolicy.DYNAMIC}


@export("data.experimental.service.distribute")
def distribute(
    processing_mode: ShardingPolicy | str,
    service: str,
    job_name: str | None = None,
    consumer_index: int | None = None,
    num_consumers: int | None = None,
    max_outstanding_requests: int | None = None,
    data_transfer_protocol: str | None = None,
    compression: str | None = "AUTO",
    cross_trainer_cache: object = None,
    target_workers: str = "AUTO",
) -> Callable[[Any], Any]:
    """For `Dataset.apply`: have the workers of a service go through the dataset.

    processing_mode: "parallel_epochs", in which each worker gives the whole dataset; "distributed_epoch", in which each element is given
    once; or a `ShardingPolicy`. service: the `target` of a dispatcher of this process. job_name: those who give the same name share the
    elements. The other arguments are of servers of several processes, and are taken.
    Raises ValueError for what these cannot be, UnavailableError for another process's dispatcher, NotImplementedError for policies that
    part files or data by worker, for consumers that wait for each other and for a `cross_trainer_cache`.

    >>> tf.data.experimental.service.distribute("parallel_epochs", "")
    Traceback (most recent call last):
    ValueError: `service` must not be empty
    """
    once = _gives_once(processing_mode)
    _check_word("service", service)
    if job_name is not None:
        _check_word("job_name", job_name)
    if not (consumer_index is num_consumers is cross_trainer_cache is None):
        raise NotImplementedError("consumers that take turns and caches of several trainers are not in Pullback: leave them None")

    def apply(dataset: Any) -> Any:
        dispatcher = _dispatcher(service)
        dispatcher._register(dataset, None)
        return _serve_dataset(dispatcher, dataset, dataset.element_spec, once, job_name)

    return apply


@export("data.experimental.service.register_dataset")
def register_dataset(service: str, dataset: Any, compression: str | None = "AUTO", dataset_id: str | None = None) -> Tensor:
    """Have a dispatcher of this process know a dataset; the id under which `from_dataset_id` finds it, a string tensor.

    dataset_id: the id, a new one when None. Raises InvalidArgumentError for one that a dataset of other elements has.

    >>> dispatcher = tf.data.experimental.service.DispatchServer()
    >>> tf.data.experimental.service.register_dataset(dispatcher.target, tf.data.Dataset.range(3), dataset_id="numbers").numpy()
    b'numbers'
    """
    return convert_to_tensor(_dispatcher(service)._register(dataset, dataset_id))


@export("data.experimental.service.from_dataset_id")
def from_dataset_id(
    processing_mode: ShardingPolicy | str,
    service: str,
    dataset_id: Any,
    element_spec: Any = None,
    job_name: str | None = None,
    consumer_index: int | None = None,
    num_consumers: int | None = None,
    max_outstanding_requests: int | None = None,
    data_transfer_protocol: str | None = None,
    cross_trainer_cache: object = None,
    target_workers: str = "AUTO",
) -> Dataset[Any]:
    """The dataset that was registered under an id, as `distribute` gives it.

    dataset_id: what `register_dataset` gave. element_spec: the specs of its elements, which are known when None; the rest as for
    `distribute`. Raises NotFoundError for an id that nobody has registered.

    >>> dispatcher = tf.data.experimental.service.DispatchServer()
    >>> tf.data.experimental.service.from_dataset_id("parallel_epochs", dispatcher.target, "none")
    Traceback (most recent call last):
    pullback.base.errors.NotFoundError: Dataset id none not found. It must be registered with `register_dataset` before calling ...
    """
    dispatcher = _dispatcher(service)
    key: Any = convert_to_tensor(dataset_id).numpy()
    dataset = dispatcher._datasets.get(key)
    if dataset is None:
        words = "It must be registered with `register_dataset` before calling `from_dataset_id`."
        raise NotFoundError(None, None, f"Dataset id {key.decode()} not found. {words}")
    once = _gives_once(processing_mode)
    distribute(processing_mode, service, job_name, consumer_index, num_consumers, cross_trainer_cache=cross_trainer_cache)
    return _serve_dataset(dispatcher, dataset, dataset.element_spec if element_spec is None else element_spec, once, job_name)


@export("data.experimental.distributed_save")
def distributed_save(dataset: Any, path: str, data_service_address: str, compression: str = "AUTO") -> None:
    """Write a dataset into a folder for `Dataset.load`, by the service of this process: it is there when this returns.

    Raises InvalidArgumentError for a dispatcher without `fault_tolerant_mode`.

    >>> tf.data.experimental.distributed_save(tf.data.Dataset.range(3), "folder", "elsewhere:5000")
    Traceback (most recent call last):
    pullback.base.errors.UnavailableError: no dispatcher of this process serves at elsewhere:5000...
    """
    if not _dispatcher(data_service_address)._config.fault_tolerant_mode:
        raise InvalidArgumentError(
            None, None,
            "Failed to snapshot: tf.data distributed snapshot requires running tf.data service in the fault tolerant mode. To enable the "
            "fault tolerant mode, set `DispatcherConfig.fault_tolerant_mode` to true and provide a `work_dir`.",
        )  # fmt: skip
    dataset.save(path)


def _gives_once(mode: Any) -> bool:
    policy = _MODES.get(mode) if isinstance(mode, str) else mode
    if not isinstance(policy, ShardingPolicy):
        raise ValueError(
            "tf.data service processing mode should be a `tf.data.experimental.service.ShardingPolicy`, `\"parallel_epochs\"`, or "
            f"`\"distributed_epoch\"`. Got {mode!r}."
        )
    if policy not in _MODES.values():
        raise NotImplementedError(f"{policy} parts a dataset by the addresses of workers, which is not in Pullback: take OFF or DYNAMIC")
    return policy is ShardingPolicy.DYNAMIC


def _check_word(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise ValueError(f"`{name}` must be a string, but `{name}` was of type {type(value)}. {name}={value}")
    if not value:
        raise ValueError(f"`{name}` must not be empty")


def _dispatcher(service: str) -> DispatchServer:
    found = _dispatchers.get(service.rpartition("://")[2])
    if found is None:
        raise UnavailableError(
            None, None,
            f"no dispatcher of this process serves at {service}: the service works within one process here. A program of several processes "
            "gives each its part of a dataset by `shard`, or by `tf.distribute` (docs/scale.md)",
        )  # fmt: skip
    return found


def _serve_dataset(dispatcher: DispatchServer, dataset: Any, element_spec: Any, once: bool, job_name: str | None) -> Dataset[Any]:
    repetitions = itertools.count()

    def elements() -> Iterator[Any]:
        repetition = next(repetitions)
        if job_name is None:
            return dispatcher._elements(dataset, once)
        return dispatcher._job(job_name, repetition, lambda: dispatcher._elements(dataset, once))

    return Dataset.from_generator(elements, output_signature=element_spec)
