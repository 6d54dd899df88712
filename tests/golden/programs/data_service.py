"""`tf.data.experimental.service` with a dispatcher and workers in the program's own process."""

from __future__ import annotations

import tempfile
from functools import cache
from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


@cache
def _servers(tf: Any) -> tuple[Any, str, list[Any]]:
    """Servers that stay: TensorFlow waits for ever where they are given up before the datasets that they serve."""
    service = tf.data.experimental.service
    folder = tempfile.mkdtemp()
    dispatcher = service.DispatchServer(service.DispatcherConfig(fault_tolerant_mode=True, work_dir=folder))
    address = dispatcher.target.split("://")[1]
    return service, dispatcher, [service.WorkerServer(service.WorkerConfig(dispatcher_address=address)) for _ in range(2)]


def _sorted(dataset: Any) -> list[Any]:
    return sorted(x.item() for x in dataset.as_numpy_iterator())


def given(tf: Any) -> Answers:
    service, dispatcher, _workers = _servers(tf)
    distribute, numbers = service.distribute, tf.data.Dataset.range(4)

    def by(mode: Any, dataset: Any = numbers, **options: Any) -> Any:
        return dataset.apply(distribute(mode, dispatcher.target, **options))

    def repeated() -> Any:
        dataset = by("distributed_epoch")
        return [_sorted(dataset), _sorted(dataset)]

    return {
        "by all": lambda: _sorted(by("parallel_epochs")),
        "once": lambda: _sorted(by("distributed_epoch")),
        "off": lambda: _sorted(by(service.ShardingPolicy.OFF)),
        "dynamic": lambda: _sorted(by(service.ShardingPolicy.DYNAMIC)),
        "twice": repeated,
        "between": lambda: _sorted(by("distributed_epoch", numbers.map(lambda x: x * 2)).map(lambda x: x + 1)),
        "a job by two": lambda: [_sorted(by("distributed_epoch", job_name="job")), _sorted(by("distributed_epoch", job_name="job"))],
        "spec": lambda: repr(by("parallel_epochs", numbers.batch(2)).element_spec),
        "cardinality": lambda: by("parallel_epochs").cardinality(),
        "wrong mode": raises(lambda: by("bogus"), "tf.data service processing mode should be"),
        "no mode": raises(lambda: by(None), "tf.data service processing mode should be"),
        "no service": raises(lambda: numbers.apply(distribute("parallel_epochs", "")), "`service` must not be empty"),
        "wrong service": raises(lambda: numbers.apply(distribute("parallel_epochs", 3)), "`service` must be a string"),
        "no job": raises(lambda: by("parallel_epochs", job_name=""), "`job_name` must not be empty"),
        "wrong job": raises(lambda: by("parallel_epochs", job_name=3), "`job_name` must be a string"),
    }


def registered(tf: Any) -> Answers:
    service, dispatcher, _workers = _servers(tf)
    numbers = tf.data.Dataset.range(3)
    register = service.register_dataset

    def found(key: Any, spec: Any = None) -> Any:
        return _sorted(service.from_dataset_id("parallel_epochs", dispatcher.target, key, element_spec=spec))

    return {
        "kind": lambda: [register(dispatcher.target, numbers).dtype, register(dispatcher.target, numbers).shape],
        "found": lambda: found(register(dispatcher.target, numbers), tf.TensorSpec([], tf.int64)),
        "without a spec": lambda: found(register(dispatcher.target, numbers)),
        "named": lambda: [register(dispatcher.target, numbers, dataset_id="mine"), register(dispatcher.target, numbers, dataset_id="mine")],
        "named otherwise": raises(
            lambda: register(dispatcher.target, numbers.batch(2), dataset_id="mine"), "Datasets with the same ID should have the same structure"
        ),
        "unknown": raises(lambda: found("nothing", tf.TensorSpec([], tf.int64)), "Dataset id nothing not found."),
    }


def servers(tf: Any) -> Answers:
    service, dispatcher, _workers = _servers(tf)

    return {
        "configurations": lambda: [repr(service.DispatcherConfig()), repr(service.WorkerConfig(dispatcher_address="a:1"))],
        "target": lambda: dispatcher.target.split(":")[:2],
        "not started": lambda: service.DispatchServer(start=False).target,
        "no folder": raises(lambda: service.DispatchServer(service.DispatcherConfig(fault_tolerant_mode=True)), "work dir"),
        "no address": raises(lambda: service.WorkerServer(service.WorkerConfig())),
    }
